"""What a window leaves behind when it dies is offered, restored, discarded; what a living one has is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from core.model.errors import InputError
from explorer.document.document import Document
from explorer.document.editor import Editor
from explorer.session.autosave import Autosave
from explorer.session.session_folder import EDITS_0_1, JOURNAL, LOCK, SessionFolder, recoverable_sessions
from tests.paths import DATA, ROOT


@pytest.fixture
def killed(editor, two_scenarios, tmp_path):
    """A folder of sessions with one whose window is gone, and the editor as it was."""
    sessions = tmp_path / "sessions"
    autosave = Autosave(editor, lambda: {"active": 2}, sessions)
    autosave.start()
    editor.move_job(1, "J1", 3)
    editor.edit_cluster(map_slots=7)
    autosave.flush()
    data = (autosave.path / JOURNAL).read_bytes()
    folder = autosave.path
    autosave.close()
    folder.mkdir()
    (folder / JOURNAL).write_bytes(data)
    (folder / LOCK).touch()
    return sessions, editor


def test_a_session_is_offered_with_its_name_and_number_of_edits(killed):
    sessions, editor = killed
    (session,) = recoverable_sessions(sessions)
    assert (session.title, session.path, session.edits) == ("Five jobs", None, 2)
    read = session.restore()
    assert read.history == editor.history
    assert read.about["active"] == 2
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


def test_a_session_moves_into_a_new_window_without_a_gap(killed, two_scenarios):
    sessions, was = killed
    (session,) = recoverable_sessions(sessions)
    history = session.restore().history
    editor = Editor(Document(two_scenarios))
    autosave = Autosave(editor, dict, sessions)
    autosave.start()
    autosave.replace(session)
    editor.load(history.state, history=history)
    autosave.flush()
    assert [folder.name for folder in sessions.iterdir()] == [autosave.path.name]
    assert SessionFolder(autosave.path).read().history == was.history
    assert SessionFolder(autosave.path).last_record()["edits"] == 2
    autosave.close()


def test_two_windows_cannot_take_one_session(killed):
    sessions, _ = killed
    (first,) = recoverable_sessions(sessions)
    (second,) = recoverable_sessions(sessions)
    first.restore()
    with pytest.raises(InputError, match="another window has just taken the session 'Five jobs'"):
        second.restore()
    second.discard()
    assert next(sessions.iterdir()).is_dir()
    first.release()


HOLDER = """
import sys
from pathlib import Path
from explorer.session.session_folder import SessionFolder
assert SessionFolder(Path(sys.argv[1])).lock()
print("locked", flush=True)
sys.stdin.read()
"""


def test_the_lock_of_another_process_ends_with_it(killed):
    sessions, _ = killed
    folder = next(sessions.iterdir())
    command = [sys.executable, "-c", HOLDER, str(folder)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"
        assert recoverable_sessions(sessions) == ()
        holder.kill()
    assert len(recoverable_sessions(sessions)) == 1


def test_a_lock_with_the_process_id_of_another_program_hides_nothing(killed):
    sessions, _ = killed
    lock = next(sessions.iterdir()) / LOCK
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as another:
        name = Path(sys.executable).resolve().name
        lock.write_text(f"{another.pid}\n{name}\n\n")  # as version 0.1 wrote it
        assert len(recoverable_sessions(sessions)) == 1


def test_a_damaged_session_is_offered_with_a_sentence_and_can_be_discarded(killed):
    sessions, _ = killed
    folder = next(sessions.iterdir())
    (folder / JOURNAL).write_text("{")
    (session,) = recoverable_sessions(sessions)
    assert session.title == folder.name
    with pytest.raises(InputError, match=r"is damaged.*discard it"):
        session.restore()
    session.discard()
    assert recoverable_sessions(sessions) == ()


def test_a_window_killed_before_its_first_edit_is_cleared_away(tmp_path, editor):
    (tmp_path / "empty").mkdir()
    autosave = Autosave(editor, dict, tmp_path)
    autosave.start()
    autosave.flush()
    data = (autosave.path / JOURNAL).read_bytes()
    autosave.close()
    (tmp_path / "unedited").mkdir()
    (tmp_path / "unedited" / JOURNAL).write_bytes(data)
    assert recoverable_sessions(tmp_path) == ()
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def crashed_0_1(tmp_path):
    """What a killed window of version 0.1 left."""
    folder = tmp_path / "sessions" / "20261122-095549-24288-81f817"
    folder.mkdir(parents=True)
    for file in (DATA / "version_0_1" / "crashed").iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    (folder / LOCK).write_text("24288\npython3\nhost\n")
    return folder


def test_a_session_of_version_0_1_is_restored(crashed_0_1):
    (session,) = recoverable_sessions(crashed_0_1.parent)
    assert (session.title, session.path, session.edits) == (
        "Five jobs",
        "/home/somebody/week.slotscope",
        None,
    )
    read = session.restore()
    state = read.history.state
    assert state.scenario(1).order == ("J2", "J1", "J3", "J4", "J5")
    assert state.cluster.map_slots == 7
    assert [job.arrival for job in state.workload.jobs] == [4, 0, 0, 0, 0]
    assert set(read.about["layout"]) == {"geometry", "state"}
    session.discard()
    assert not crashed_0_1.exists()


BROKEN_0_1 = {
    "not one of its files": ("document-1.slotscope", "../../etc/passwd"),
    "do not belong together": ('\\"J5\\"', '\\"J6\\"'),
}


@pytest.mark.parametrize("sentence", BROKEN_0_1)
def test_a_broken_session_of_version_0_1_gets_a_sentence(crashed_0_1, sentence):
    edits = crashed_0_1 / EDITS_0_1
    edits.write_text(edits.read_text().replace(*BROKEN_0_1[sentence]))
    (session,) = recoverable_sessions(crashed_0_1.parent)
    with pytest.raises(InputError, match=sentence):
        session.restore()


def test_without_a_folder_there_is_nothing(tmp_path):
    assert recoverable_sessions(tmp_path / "nowhere") == ()


def test_a_folder_that_another_window_clears_away_is_made_again(tmp_path, monkeypatch):
    """It looked abandoned between its making and its lock, when only the name was there."""
    folder, made = SessionFolder(tmp_path / "sessions" / "new"), []

    def make_and_lose(path):
        made.append(path)
        path.mkdir(exist_ok=True)
        if made.count(folder.path) == 1 and path == folder.path:
            assert recoverable_sessions(path.parent) == ()  # which takes it away
            path.stat()

    monkeypatch.setattr("explorer.session.session_folder.make_private_folder", make_and_lose)
    folder.create()
    assert made.count(folder.path) == 2
    assert (folder.path / LOCK).exists()
    folder.remove()


def test_a_folder_that_cannot_be_made_says_why(tmp_path):
    (tmp_path / "sessions").write_text("no folder")
    with pytest.raises(InputError, match=r"cannot keep a session in .*: file exists"):
        SessionFolder(tmp_path / "sessions" / "new").create()
