"""The session on disk follows the edits; another window is never disturbed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.files.open_workload import load_sample
from core.files.session_document import Session
from core.generate.scaling import scale_workload
from core.logs.open_log import open_trace
from core.model.document_state import DocumentState
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.model.workload import Job, Stage
from explorer.document.document import Document
from explorer.document.editor import Editor
from explorer.session import session_folder
from explorer.session.autosave import Autosave
from explorer.session.session_folder import (
    SessionFolder,
    changed_jobs,
    difference,
    merged,
    number_count,
    recoverable_sessions,
    sample_count,
    sessions_folder,
)
from tests.paths import DATA

REVERSED = ("J5", "J4", "J3", "J2", "J1")


@pytest.fixture
def autosave(editor, tmp_path, qtbot):
    autosave = Autosave(editor, lambda: {"window": "AAAA"}, tmp_path / "sessions")
    autosave.start()
    yield autosave
    autosave.close()


def on_disk(autosave):
    return SessionFolder(autosave.path).read()


def has_edits(autosave):
    return (autosave.path / session_folder.EDITS).exists()


def test_without_edits_there_is_nothing_to_recover(autosave):
    assert not has_edits(autosave)


def test_a_drop_is_on_disk_when_it_returns(autosave, editor):
    editor.drop_order(1, REVERSED)
    session = on_disk(autosave)
    assert session.state == editor.document.state
    assert session.layout == {"window": "AAAA"}
    assert session.path is None


def test_other_edits_are_written_half_a_second_later(autosave, editor, qtbot):
    editor.edit_cluster(map_slots=7)
    assert not has_edits(autosave)
    qtbot.waitUntil(lambda: has_edits(autosave), timeout=3000)
    assert on_disk(autosave).state.cluster.map_slots == 7


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
    assert on_disk(autosave).state == editor.document.state


def test_only_changed_jobs_are_written_again(five_jobs):
    same = five_jobs.with_jobs(five_jobs.jobs)
    assert changed_jobs(same, five_jobs) == ()
    jobs = list(five_jobs.jobs)
    jobs[2] = replace(jobs[2], arrival=3.0)
    assert changed_jobs(five_jobs.with_jobs(jobs), five_jobs) == (jobs[2],)


def test_files_that_do_not_belong_together_get_a_sentence(two_scenarios, five_jobs):
    small = difference(Session(two_scenarios), five_jobs, "document-1.slotscope")
    with pytest.raises(InputError, match="do not belong together"):
        merged(small, five_jobs.with_jobs(five_jobs.jobs[:2]))


def test_undoing_all_leaves_nothing_to_recover(autosave, editor):
    editor.drop_order(1, REVERSED)
    editor.undo_stack.undo()
    autosave.flush()
    assert not has_edits(autosave)


def test_saving_leaves_nothing_to_recover_until_the_next_edit(autosave, editor, tmp_path):
    editor.drop_order(1, REVERSED)
    editor.mark_saved(tmp_path / "mine.slotscope")
    autosave.flush()
    assert not has_edits(autosave)
    editor.reset_order(1)
    autosave.flush()
    assert on_disk(autosave).path == str(tmp_path / "mine.slotscope")


def test_another_document_starts_a_new_base(autosave, editor, two_scenarios):
    editor.drop_order(1, REVERSED)
    workload = replace(two_scenarios.workload, jobs=(Job("only", Stage.of(2, 1.0)),), name="Other")
    editor.load(replace(two_scenarios, workload=workload))
    assert not has_edits(autosave)
    editor.edit_job(0, "arrival", 4)
    autosave.flush()
    assert on_disk(autosave).state == editor.document.state
    assert len(list(autosave.path.glob("document-*"))) == 1


@pytest.fixture
def large(two_scenarios, qapp, tmp_path):
    """An autosave of a document that is too large for the window's thread."""
    rng = np.random.default_rng(1)
    jobs = [Job(f"L{i}", Stage.of(2_000, rng.uniform(1, 9, 2_000))) for i in range(12)]
    state = replace(two_scenarios, workload=two_scenarios.workload.with_jobs(jobs))
    editor = Editor(Document(state))
    autosave = Autosave(editor, dict, tmp_path / "sessions")
    autosave.start()
    yield editor, autosave
    autosave.close()


def test_large_documents_are_written_by_a_worker(large, qtbot):
    editor, autosave = large
    editor.move_job(1, "L0", 5)
    qtbot.waitUntil(lambda: has_edits(autosave), timeout=5000)
    assert on_disk(autosave).state == editor.document.state


def test_drops_on_large_documents_write_little(large, monkeypatch):
    editor, autosave = large
    autosave.flush()
    monkeypatch.setattr(SessionFolder, "write_base", pytest.fail)
    editor.edit_job(3, "arrival", 5)
    editor.move_job(1, "L0", 5)
    assert on_disk(autosave).state == editor.document.state
    assert (autosave.path / session_folder.EDITS).stat().st_size < 100_000


def test_much_change_is_a_new_base(large):
    editor, autosave = large
    autosave.flush()
    for index in range(12):
        editor.edit_job(index, "arrival", index + 1)
    autosave.flush()
    assert [path.name for path in autosave.path.glob("document-*")] == ["document-2.slotscope"]
    assert on_disk(autosave).state == editor.document.state


def test_a_document_replaced_while_it_is_written_is_forgotten(large, two_scenarios):
    editor, autosave = large
    editor.load(two_scenarios)
    editor.move_job(1, "J1", 3)
    autosave.flush()
    assert on_disk(autosave).state == editor.document.state


def test_a_full_disk_is_told_once_and_tried_again(autosave, editor, monkeypatch):
    heard = []
    autosave.failed.connect(heard.append)

    def full(*_arguments, **_more):
        raise InputError("cannot write: no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(session_folder, "replace_file", full)
        editor.move_job(1, "J1", 3)
        editor.move_job(1, "J1", 2)
    assert [str(error) for error in heard] == ["cannot write: no space left on device"]
    editor.move_job(1, "J1", 1)
    assert on_disk(autosave).state == editor.document.state
    with monkeypatch.context() as patch:
        patch.setattr(session_folder, "replace_file", full)
        editor.move_job(1, "J1", 0)
    assert len(heard) == 2


def test_a_folder_that_cannot_be_made_does_not_stop_the_window(editor, tmp_path, qtbot):
    (tmp_path / "file").write_text("not a folder")
    autosave = Autosave(editor, dict, tmp_path / "file" / "sessions")
    with qtbot.waitSignal(autosave.failed) as caught:
        autosave.start()
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
    assert has_edits(autosave)
    other.close()


def test_the_default_place_is_the_application_data(editor, tmp_path):
    assert Autosave(editor).path.is_relative_to(tmp_path)
    assert sessions_folder().name == "sessions"


def test_what_a_log_recorded_is_written_once_and_comes_back(two_scenarios):
    workload = open_trace([DATA / "sls.json"]).workload
    jobs = [replace(workload.jobs[0], pool="x"), *workload.jobs[1:]]
    edited = Session(replace(two_scenarios, workload=workload.with_jobs(jobs)), {}, None)
    small = difference(edited, workload, "base")
    assert small.state.workload.recorded is None
    assert merged(small, workload).state == edited.state
    assert number_count(workload) > sample_count(workload.jobs) + 30


@pytest.mark.parametrize("sample", ["ten-scans", "facebook"])
def test_scaled_jobs_are_recovered_with_their_datasets(sample):
    workload = load_sample(sample)
    base = DocumentState.new(workload, (PolicyChoice("fifo"),))
    edited = Session(replace(base, workload=scale_workload(workload, 1.5)))
    assert merged(difference(edited, workload, "base"), workload).state == edited.state
