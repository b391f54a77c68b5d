"""What comes with Slotscope is shown as an original: saving makes a copy among the user's own files."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from core.files.samples import sample_paths
from core.files.session_document import read_session
from core.lessons.lesson_document import lesson_paths, read_lesson
from core.policies.user_files.policy_file import example_files
from explorer.widgets.save_dialog import LAST_FOLDER, MAKE_COPY, STAYS, ask_where_to_save
from explorer.window.actions import SAVE
from explorer.window.lessons.author_menu import SAVE as SAVE_LESSON
from tests.explorer.lessons.conftest import open_lesson
from tests.explorer.window_fixtures import forget_changes

DOCUMENTS = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))


@pytest.fixture
def dialogs(monkeypatch, tmp_path):
    """Save below a folder under the name that a dialog begins with; return what they began with."""
    began, is_dir = [], Path.is_dir

    def choose(_parent, title, name, *_others):
        began.append((title, name))
        return str(tmp_path / Path(name).name), ""

    monkeypatch.setattr(Path, "is_dir", lambda path: path == DOCUMENTS or is_dir(path))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    monkeypatch.setattr(LAST_FOLDER, "_folder", None)
    return began


def copy_asked(name):
    return [("Make a copy of my own", str(Path(DOCUMENTS, name)))]


@pytest.mark.parametrize("source", ["two-jobs-order", str(sample_paths()["two-jobs-order"])])
def test_a_sample_is_saved_as_a_copy(window, qtbot, tmp_path, dialogs, source):
    with qtbot.waitSignal(window.files.opened):
        window.files.open(source)
    save = window.actions_by_id["save"]
    assert "(original)" in window.windowTitle()
    assert save.text() == MAKE_COPY
    window.editor.set_notes("mine")
    with qtbot.waitSignal(window.files.done) as told:
        save.trigger()
    assert told.args == [STAYS.format("two-jobs-order.workload.json")]
    assert dialogs == copy_asked("two-jobs-order.slotscope")
    path = tmp_path / "two-jobs-order.slotscope"
    assert read_session(path).state == window.document.state
    assert (window.document.path, save.text(), window.isWindowModified()) == (path, SAVE, False)
    assert "(original)" not in window.windowTitle()
    window.editor.set_notes("mine again")
    save.trigger()
    assert len(dialogs) == 1
    assert read_session(path).state.notes == "mine again"


def test_leaving_a_changed_original_offers_a_copy(window, qtbot, monkeypatch):
    offered = []

    def answer(box):
        offered.append(box.button(QMessageBox.StandardButton.Save).text())
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "exec", answer)
    with qtbot.waitSignal(window.files.opened):
        window.files.open("two-jobs-order")
    assert window.files.may_leave(), "nothing is lost"
    window.editor.set_notes("mine")
    assert not window.files.may_leave()
    assert offered == [MAKE_COPY]
    forget_changes(window)


def test_a_lesson_is_saved_as_a_copy(window, qtbot, tmp_path, dialogs):
    original = lesson_paths()["why-order-matters"]
    before = original.read_bytes()
    open_lesson(qtbot, window, original)
    walk, pane, save = (
        window.lessons.steps.walk,
        window.lessons.steps.pane,
        window.actions_by_id["save_lesson"],
    )
    assert (pane.name.text(), save.text()) == (walk.lesson.name, MAKE_COPY)
    walk.rename("Of my own", "")
    assert pane.name.text() == "Of my own *"
    save.trigger()
    assert dialogs == copy_asked(original.name)
    assert read_lesson(tmp_path / original.name).name == "Of my own"
    assert original.read_bytes() == before
    assert (pane.name.text(), save.text()) == ("Of my own", SAVE_LESSON)
    walk.rename("Of my own, again", "")
    save.trigger()
    assert len(dialogs) == 1
    assert read_lesson(tmp_path / original.name).name == "Of my own, again"


def test_a_policy_file_is_read_and_copied(window, tmp_path, dialogs, monkeypatch):
    original, begun = example_files()[0], []
    actions, pane = window.own_policies.actions, window.lab.editor_pane
    monkeypatch.setattr(actions, "begin", lambda path, text: begun.append((path, text)))
    actions.edit(str(original))
    assert pane.current_code().isReadOnly()
    assert (pane.save_button.isHidden(), pane.outside_button.isHidden()) == (True, True)
    assert "comes with Slotscope" in pane.note.text()
    QTest.keyClick(pane.current_code(), Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    pane.copy_button.click()
    assert dialogs == 2 * copy_asked(original.name)
    assert begun == 2 * [(tmp_path / original.name, original.read_text())]


def test_no_dialog_that_saves_begins_among_the_originals(window, dialogs):
    LAST_FOLDER.note(sample_paths()["five-jobs"])
    assert LAST_FOLDER.place() == ""
    ask_where_to_save(window, "Export", str(sample_paths()["five-jobs"].with_name("x.csv")), "Tables (*.csv)")
    assert dialogs == [("Export", str(Path(DOCUMENTS, "x.csv")))]


def test_without_a_folder_for_documents_it_begins_at_home(window, dialogs, monkeypatch):
    """Qt would begin in the working folder, which may be the program's own."""
    monkeypatch.setattr(Path, "is_dir", lambda _path: False)
    ask_where_to_save(window, "Export", str(sample_paths()["five-jobs"].with_name("x.csv")), "Tables (*.csv)")
    assert dialogs == [("Export", str(Path.home() / "x.csv"))]
