"""After kill -9 nothing that was dropped is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap

import pytest

from core.model.errors import InputError
from explorer.session.autosave import Autosave
from explorer.session.session_folder import EDITS, recoverable_sessions

VICTIM = """
    import sys
    from pathlib import Path
    from PySide6.QtCore import QCoreApplication, QTimer
    from core.model.cluster import Cluster
    from core.model.document_state import DocumentState
    from core.model.schedule import PolicyChoice
    from core.model.workload import Job, Stage, Workload
    from explorer.document.document import Document
    from explorer.document.editor import Editor
    from explorer.session.autosave import Autosave

    app = QCoreApplication(sys.argv)
    jobs = tuple(Job(f"J{i}", Stage.of(3, 2.0), Stage.of(2, 3.0)) for i in range(1, 41))
    state = DocumentState.new(Workload("Victim", jobs, Cluster(4, 4)), (PolicyChoice("fifo"),))
    editor = Editor(Document(state))
    autosave = Autosave(editor, lambda: {"dock": "left"}, Path(sys.argv[1]))
    autosave.start()
    editor.edit_job(0, "name", "First")

    def edit():
        order = editor.document.scenario(1).order or tuple(job.name for job in editor.document.workload.jobs)
        editor.drop_order(1, (*order[1:], order[0]))
        # told only now: the drop has been committed
        print(",".join(editor.document.scenario(1).order), flush=True)
        editor.edit_cluster(map_slots=editor.document.cluster.map_slots + 1)

    timer = QTimer(interval=0)
    timer.timeout.connect(edit)
    timer.start()
    app.exec()
"""


def killed_while_editing(sessions, drops):
    """Start a window's worth of editing, kill it after some drops, and return the last order it told."""
    victim = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(VICTIM), str(sessions)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    with victim:
        for _ in range(drops):
            told = victim.stdout.readline()
        victim.send_signal(signal.SIGKILL)
        lines = [told, *victim.stdout]  # type: ignore[misc]
    # the last line may be cut off by the kill
    whole = [line for line in lines if line.endswith("\n")]
    return tuple(whole[-1].strip().split(","))


@pytest.fixture(scope="module")
def left_behind(tmp_path_factory):
    """A folder of sessions with one that was killed, and the last order it had told of."""
    sessions = tmp_path_factory.mktemp("killed") / "sessions"
    return sessions, killed_while_editing(sessions, 37)


@pytest.fixture
def killed(left_behind, tmp_path):
    """A copy of it, with the lock of the dead process."""
    original, order = left_behind
    sessions = tmp_path / "sessions"
    for folder in original.iterdir():
        (sessions / folder.name).mkdir(parents=True)
        for file in folder.iterdir():
            (sessions / folder.name / file.name).write_bytes(file.read_bytes())
    return sessions, order


def test_nothing_that_was_dropped_is_lost(killed):
    sessions, told = killed
    (session,) = recoverable_sessions(sessions)
    assert session.title == "Victim"
    assert session.path is None
    restored = session.restore()
    order = restored.state.scenario(1).order
    # at most the one drop that was on disk but not yet told of is newer
    assert order in (told, (*told[1:], told[0]))
    assert restored.state.workload.jobs[0].name == "First"
    assert restored.state.cluster.map_slots > 4 + 30
    assert restored.layout == {"dock": "left"}
    session.release()


def test_a_session_is_offered_until_it_is_discarded(killed):
    sessions, _ = killed
    (session,) = recoverable_sessions(sessions)
    session.restore()
    assert recoverable_sessions(sessions) == ()  # taken by this window
    session.release()
    (again,) = recoverable_sessions(sessions)
    again.discard()
    assert list(sessions.iterdir()) == []


def test_a_session_moves_into_a_new_window_without_a_gap(killed, editor):
    sessions, _ = killed
    (session,) = recoverable_sessions(sessions)
    restored = session.restore()
    autosave = Autosave(editor, dict, sessions)
    autosave.start()
    editor.load(restored.state, modified=True)
    autosave.flush()
    session.discard()
    assert editor.is_modified
    assert (autosave.path / EDITS).exists()
    assert [folder.name for folder in sessions.iterdir()] == [autosave.path.name]
    autosave.close()


def test_two_windows_cannot_take_one_session(killed):
    sessions, _ = killed
    (first,) = recoverable_sessions(sessions)
    (second,) = recoverable_sessions(sessions)
    first.restore()
    with pytest.raises(InputError, match="another window has just taken the session 'Victim'"):
        second.restore()
    second.discard()
    assert next(sessions.iterdir()).is_dir()
    first.release()


def test_a_damaged_session_is_offered_with_a_sentence_and_can_be_discarded(killed):
    sessions, _ = killed
    folder = next(sessions.iterdir())
    (folder / EDITS).write_text("{")
    (session,) = recoverable_sessions(sessions)
    assert session.title == folder.name
    with pytest.raises(InputError):
        session.restore()
    session.discard()
    assert recoverable_sessions(sessions) == ()


def test_a_session_cannot_name_files_elsewhere(killed):
    sessions, _ = killed
    folder = next(sessions.iterdir())
    text = (folder / EDITS).read_text()
    (folder / EDITS).write_text(text.replace("document-1.slotscope", "../../etc/passwd"))
    (session,) = recoverable_sessions(sessions)
    with pytest.raises(InputError, match="not one of its files"):
        session.restore()
    session.release()


def test_a_window_killed_before_its_first_edit_is_cleared_away(killed):
    sessions, _ = killed
    (next(sessions.iterdir()) / EDITS).unlink()
    assert recoverable_sessions(sessions) == ()
    assert list(sessions.iterdir()) == []


def test_without_a_folder_there_is_nothing(tmp_path):
    assert recoverable_sessions(tmp_path / "nowhere") == ()
