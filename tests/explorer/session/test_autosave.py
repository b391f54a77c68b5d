"""The session on disk follows the edits; another window is never disturbed."""

from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from PySide6.QtCore import QTimer

from core.files import journal
from core.files.journal import Journal
from core.model.document_state import DocumentState
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from explorer.document.document import Document
from explorer.document.editor import Editor
from explorer.session.autosave import PATIENCE_MS, Autosave
from explorer.session.session_folder import (
    Recoverable,
    SessionFolder,
    recoverable_sessions,
    sessions_folder,
)

REVERSED = ("J5", "J4", "J3", "J2", "J1")


@pytest.fixture
def autosave(editor, tmp_path, qtbot):
    autosave = Autosave(editor, lambda: {"layout": {"window": [1, 2]}, "active": 2}, tmp_path / "sessions")
    autosave.start()
    yield autosave
    autosave.close()


def on_disk(autosave):
    return SessionFolder(autosave.path).read()


def would_be_offered(autosave):
    return SessionFolder(autosave.path).last_record()["modified"]


def test_without_edits_there_is_nothing_to_recover(autosave):
    autosave.flush()
    assert not would_be_offered(autosave)


def test_an_edit_is_on_disk_when_it_returns(autosave, editor):
    editor.edit_cluster(map_slots=7)  # the document itself was still being written
    found = on_disk(autosave)
    assert found.history == editor.history
    assert found.about == {
        "name": "Five jobs",
        "path": None,
        "modified": True,
        "edits": 1,
        "layout": {"window": [1, 2]},
        "active": 2,
    }


def test_undo_and_redo_are_on_disk_when_they_return(autosave, editor):
    editor.drop_order(1, REVERSED)
    editor.edit_cluster(map_slots=7)
    for act in (editor.undo_stack.undo, editor.undo_stack.undo, editor.undo_stack.redo):
        act()
        assert on_disk(autosave).history == editor.history


def test_steps_that_become_one_or_none_are_one_or_none(autosave, editor):
    for slots in (31, 32, 33):
        editor.edit_cluster(map_slots=slots)
        assert on_disk(autosave).history == editor.history
    assert editor.undo_stack.count() == 1
    editor.edit_cluster(map_slots=30)
    assert editor.undo_stack.count() == 0
    assert on_disk(autosave).history == editor.history
    assert not would_be_offered(autosave)


EDITS = [
    lambda e: e.edit_job(1, "map_durations", "7, 8"),
    lambda e: e.edit_job(1, "name", "other, name"),
    lambda e: e.delete_jobs([0, 4]),
    lambda e: e.add_job(index=0),
    lambda e: e.duplicate_jobs([1]),
    lambda e: (e.edit_job(0, "name", "x"), e.edit_job(1, "name", "J1"), e.edit_job(0, "name", "J2")),
    lambda e: e.add_scenario(PolicyChoice("order", {"order": "J3"})),
    lambda e: e.edit_cluster(2, reduce_slots=3),
    lambda e: e.make_baseline(2),
]


@pytest.mark.parametrize("act", EDITS)
def test_the_document_comes_back_exactly(autosave, editor, act):
    act(editor)
    editor.move_job(1, editor.document.workload.jobs[0].name, 2)
    assert on_disk(autosave).history == editor.history


def test_undoing_all_leaves_nothing_to_recover(autosave, editor):
    editor.drop_order(1, REVERSED)
    assert would_be_offered(autosave)
    editor.undo_stack.undo()
    assert not would_be_offered(autosave)


def test_saving_leaves_nothing_to_recover_until_the_next_edit(autosave, editor, tmp_path):
    editor.drop_order(2, REVERSED)
    editor.mark_saved(tmp_path / "mine.slotscope")
    assert not would_be_offered(autosave)
    editor.reset_order(2)
    editor.edit_cluster(map_slots=7)
    about = on_disk(autosave).about
    assert (about["path"], about["edits"]) == (str(tmp_path / "mine.slotscope"), 2)


def test_another_document_starts_a_new_base(autosave, editor, two_scenarios):
    editor.drop_order(1, REVERSED)
    workload = replace(two_scenarios.workload, jobs=(Job("only", Stage.of(2, 1.0)),), name="Other")
    editor.load(replace(two_scenarios, workload=workload))
    autosave.flush()
    assert not would_be_offered(autosave)
    editor.edit_job(0, "arrival", 4)
    assert on_disk(autosave).history == editor.history
    assert sorted(file.name for file in autosave.path.iterdir()) == ["edits.journal", "lock"]


@pytest.fixture
def large(two_scenarios, qapp, tmp_path):
    """An autosave of a document of 24 000 samples."""
    rng = np.random.default_rng(1)
    jobs = [Job(f"L{i}", Stage.of(2_000, rng.uniform(1, 9, 2_000))) for i in range(12)]
    state = replace(two_scenarios, workload=two_scenarios.workload.with_jobs(jobs))
    editor = Editor(Document(state))
    autosave = Autosave(editor, dict, tmp_path / "sessions")
    autosave.start()
    yield editor, autosave
    autosave.close()


def test_small_edits_of_large_documents_write_little(large):
    editor, autosave = large
    autosave.flush()
    before = (autosave.path / "edits.journal").stat().st_size
    editor.edit_job(3, "arrival", 5)
    editor.move_job(1, "L0", 5)
    assert on_disk(autosave).history == editor.history
    assert (autosave.path / "edits.journal").stat().st_size < before + 20_000


def test_the_window_paints_while_an_edit_of_very_many_jobs_waits_for_the_whole_document(
    five_jobs, tmp_path, monkeypatch, qtbot
):
    """The edit is safe when it returns; meanwhile the window's timers and paints go on."""
    is_shown, began = Event(), []
    begin = Journal.begin

    def begin_late(*arguments):
        began.append(is_shown.wait(10))
        return begin(*arguments)

    monkeypatch.setattr(Journal, "begin", begin_late)
    jobs = [Job(f"L{i}", Stage.of(1)) for i in range(5_001)]
    editor = Editor(Document(DocumentState.new(five_jobs.with_jobs(jobs), (PolicyChoice("fifo"),))))
    autosave = Autosave(editor, dict, tmp_path / "sessions")
    autosave.start()
    QTimer.singleShot(50, is_shown.set)
    editor.edit_job(3, "arrival", 5)
    assert began == [True], "the timer came while the edit waited"
    assert is_written(autosave, editor)
    autosave.close()


def test_the_window_paints_while_an_edit_of_very_many_jobs_is_written(autosave, editor, monkeypatch):
    """An edit that comes meanwhile, as an answer of a worker does, is written behind it."""
    monkeypatch.setattr("explorer.session.autosave.MAX_JOBS", 1)
    autosave.flush()
    is_shown, waited, follow = Event(), [], Journal.follow

    def follow_late(*arguments):
        waited.append(is_shown.wait(10))
        return follow(*arguments)

    monkeypatch.setattr(Journal, "follow", follow_late)
    QTimer.singleShot(PATIENCE_MS + 20, lambda: (editor.make_baseline(2), is_shown.set()))
    editor.edit_job(3, "arrival", 5)
    assert set(waited) == {True}, "the timer came while the edit waited"
    assert editor.document.baseline == 2
    assert is_written(autosave, editor)


def is_written(autosave, editor):
    return (autosave.path / "edits.journal").exists() and on_disk(autosave).history == editor.history


def test_a_document_replaced_while_it_is_written_is_forgotten(large, two_scenarios):
    editor, autosave = large
    editor.load(two_scenarios)
    editor.move_job(1, "J1", 3)
    assert on_disk(autosave).history == editor.history


def test_another_large_document_is_written_after_it_is_shown(autosave, editor, two_scenarios, monkeypatch):
    """The window fills its panels without a thread beside it; an edit meanwhile begins writing at once."""
    monkeypatch.setattr("explorer.session.autosave.MAX_JOBS", 1)
    editor.load(two_scenarios)
    autosave._worker.wait()
    assert autosave._journal is None, "what was being written was the document before"
    assert autosave._after_showing.isActive()
    editor.rename_scenario(1, "Mine")
    assert not autosave._after_showing.isActive()
    autosave.flush()
    assert on_disk(autosave).history.state.scenarios[0].title == "Mine"


def full(*_arguments, **_more):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    "place", [(Journal, "_append"), (journal, "sync_file"), (Path, "replace"), (Journal, "follow")]
)
def test_a_full_disk_is_told_once_and_again_after_a_success(autosave, editor, monkeypatch, place):
    heard, relieved = [], []
    autosave.failed.connect(heard.append)
    autosave.succeeded.connect(relieved.append)
    editor.move_job(1, "J1", 1)
    autosave.flush()
    for times in (1, 2):
        with monkeypatch.context() as patch:
            patch.setattr("explorer.session.autosave.sync_file", full)
            patch.setattr(*place, full)
            for to in (3, 2):
                editor.move_job(1, "J1", to)
                autosave.flush()
        assert len(heard) == times
        assert f"cannot write to '{autosave.path}': no space left on device; make room" in str(heard[-1])
        editor.move_job(1, "J1", 0)
        autosave.flush()
        assert relieved == ["all your edits are safe from a crash again"] * times
        assert on_disk(autosave).history == editor.history


def test_what_was_safe_stays_safe_while_the_disk_is_full(autosave, editor, monkeypatch):
    editor.move_job(1, "J1", 3)
    autosave.flush()
    safe = editor.history
    monkeypatch.setattr(Journal, "_append", full)
    for to in (1, 2):
        editor.move_job(1, "J1", to)
        autosave.flush()
        assert on_disk(autosave).history == safe


def test_writing_is_tried_again_by_itself(autosave, editor, monkeypatch, qtbot):
    autosave._retry.setInterval(1)
    autosave.flush()
    with monkeypatch.context() as patch:
        patch.setattr(Journal, "_append", full)
        editor.move_job(1, "J1", 3)
        autosave.flush()
    assert on_disk(autosave).history != editor.history
    qtbot.waitUntil(lambda: on_disk(autosave).history == editor.history)


class Other(Recoverable):
    """A session that is to go when another one is safe."""

    def __init__(self):
        self.done: list[str] = []

    def discard(self):
        self.done.append("discarded")

    def release(self):
        self.done.append("released")


def test_a_replaced_session_goes_when_the_new_one_is_on_disk(autosave, editor, two_scenarios):
    other = Other()
    autosave.flush()
    autosave.replace(other)
    editor.load(two_scenarios)
    assert other.done == []
    autosave.flush()
    assert other.done == ["discarded"]


def test_a_replaced_session_stays_while_the_disk_is_full(editor, two_scenarios, tmp_path, monkeypatch):
    other = Other()
    autosave = Autosave(editor, dict, tmp_path / "sessions")
    autosave.start()
    autosave.replace(other)
    monkeypatch.setattr("core.files.journal.sync_file", full)
    editor.load(two_scenarios)
    autosave.flush()
    assert other.done == []
    autosave.close()
    assert other.done == ["released"]


def test_a_folder_that_cannot_be_made_does_not_stop_the_window(editor, tmp_path, qtbot):
    (tmp_path / "file").write_text("not a folder")
    autosave = Autosave(editor, dict, tmp_path / "file" / "sessions")
    with qtbot.waitSignal(autosave.failed) as caught:
        autosave.start()
        autosave.flush()
    assert "cannot keep a session" in str(caught.args[0])
    editor.move_job(1, "J1", 3)
    autosave.close()


def test_a_clean_end_leaves_nothing(editor, tmp_path):
    autosave = Autosave(editor, dict, tmp_path / "sessions")
    autosave.start()
    editor.move_job(1, "J1", 3)
    autosave.close()
    assert list((tmp_path / "sessions").iterdir()) == []
    editor.move_job(1, "J1", 4)


def test_living_windows_are_not_offered(autosave, editor, tmp_path):
    editor.move_job(1, "J1", 3)
    other = Autosave(editor, dict, tmp_path / "sessions")
    other.start()
    assert other.path != autosave.path
    assert recoverable_sessions(tmp_path / "sessions") == ()
    assert would_be_offered(autosave)
    other.close()


def test_the_default_place_is_the_application_data(editor, tmp_path):
    assert Autosave(editor).path.is_relative_to(tmp_path)
    assert sessions_folder().name == "sessions"
