"""Notes are typed beside the charts, undone like every edit, and saved with the session."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent

from core.files.samples import load_sample
from core.model.document_state import MAX_NOTES, DocumentState
from core.model.number_text import grouped
from core.model.schedule import PolicyChoice
from explorer.document.document import Document
from explorer.document.editor import Editor
from explorer.panels.notes_panel import NotesPanel


@pytest.fixture
def editor(qapp):
    state = DocumentState.new(load_sample("five-jobs"), (PolicyChoice("fifo"),))
    return Editor(Document(state))


@pytest.fixture
def panel(editor, qtbot):
    panel = NotesPanel(editor)
    qtbot.addWidget(panel)
    panel.show()
    return panel


def test_typing_until_the_focus_leaves_is_one_step(panel, editor, qtbot):
    qtbot.keyClicks(panel, "Try Johnson")
    panel.focusOutEvent(QFocusEvent(QEvent.Type.FocusOut))
    qtbot.keyClicks(panel, " next")
    assert editor.document.state.notes == "Try Johnson next"
    assert editor.undo_stack.count() == 2
    editor.undo_stack.undo()
    assert panel.toPlainText() == "Try Johnson"
    editor.undo_stack.undo()
    assert panel.toPlainText() == ""
    editor.undo_stack.redo()
    assert panel.toPlainText() == "Try Johnson"


def test_undo_is_the_documents(panel, qtbot):
    """Ctrl+Z in the notes goes to the window: the text field keeps no undo of its own."""
    qtbot.keyClicks(panel, "x")
    qtbot.keyClick(panel, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert panel.toPlainText() == "x"


def test_notes_that_are_too_long_are_refused(panel, editor, qtbot):
    with qtbot.waitSignal(panel.refused) as told:
        panel.setPlainText("x" * (MAX_NOTES + 1))
    assert told.args == [
        f"notes hold {grouped(100_000)} characters at most; these have {grouped(MAX_NOTES + 1)}"
    ]
    assert panel.toPlainText() == editor.document.state.notes == ""


def test_another_document_has_its_own_notes(panel, editor, qtbot):
    qtbot.keyClicks(panel, "mine")
    editor.load(DocumentState.new(load_sample("five-jobs"), (PolicyChoice("fifo"),)))
    assert panel.toPlainText() == ""
