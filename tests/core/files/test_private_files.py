"""What Slotscope keeps for its user is for nobody else; what the user exports is as the user has it."""

from __future__ import annotations

import stat

from core.files.atomic import replace_file
from core.files.journal import Journal
from core.files.private_files import make_private_file, make_private_folder
from core.model.document_state import DocumentState
from core.model.schedule import PolicyChoice
from tests.builders import make_job, make_workload


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_folders_are_made_for_the_user_alone(tmp_path):
    tmp_path.chmod(0o755)
    make_private_folder(tmp_path / "slotscope" / "sessions")
    assert mode(tmp_path) == 0o755
    assert mode(tmp_path / "slotscope") == mode(tmp_path / "slotscope" / "sessions") == 0o700


def test_what_was_open_is_closed(tmp_path):
    folder, file = tmp_path / "slotscope", tmp_path / "slotscope" / "scores.csv"
    folder.mkdir(mode=0o755)
    file.write_text("lesson\n")
    file.chmod(0o644)
    make_private_folder(folder)
    make_private_file(file)
    assert (mode(folder), mode(file), file.read_text()) == (0o700, 0o600, "lesson\n")


def test_a_journal_is_private_and_an_exported_file_is_not(tmp_path):
    state = DocumentState.new(make_workload(make_job("J1", (2, 5))), (PolicyChoice("fifo"),))
    Journal(tmp_path / "edits.journal", state, {})
    replace_file(tmp_path / "exported.json", b"x")
    assert mode(tmp_path / "edits.journal") == 0o600
    assert mode(tmp_path / "exported.json") & 0o044
