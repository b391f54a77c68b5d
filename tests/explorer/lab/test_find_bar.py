"""Find and replace: from the cursor on, around the end, back, and letter by letter as it is written."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from explorer.lab.code_text import CodeText
from explorer.lab.find_bar import FindBar

TEXT = "job = 1\nJob = job + 2\njobs = [job]\n"
"""Looked for without regard to case, `job` is at 0, 8, 14, 22 and 30; as written, Job at 8 alone."""


@pytest.fixture
def code(qtbot):
    code = CodeText("Code")
    qtbot.addWidget(code)
    code.setPlainText(TEXT)
    return code


@pytest.fixture
def bar(qtbot, code):
    bar = FindBar(lambda: code)
    qtbot.addWidget(bar)
    bar.show_with_selection()
    return bar


def marked(code) -> tuple[int, int]:
    return code.textCursor().selectionStart(), code.textCursor().selectionEnd()


def select(code, start: int, end: int) -> None:
    cursor = QTextCursor(code.document())
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    code.setTextCursor(cursor)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", ""),
        ("job", "5 found"),
        ("Job", "1 found"),
        ("JOB", "none found"),
        ("[job]", "1 found"),
        (".", "none found"),
    ],
)
def test_it_counts_while_a_text_is_typed(bar, text, count):
    """A text of small letters is found in any; signs mean themselves."""
    bar.field.setText(text)
    assert bar.found.text() == count


def test_it_goes_on_from_the_cursor_and_around_the_end(bar, code):
    bar.field.setText("job")
    select(code, 9, 9)
    places = []
    for _ in range(5):
        bar.look()
        places.append(marked(code))
    assert places == [(14, 17), (22, 25), (30, 33), (0, 3), (8, 11)]


def test_it_goes_back_around_the_beginning(bar, code):
    bar.field.setText("job")
    select(code, 14, 17)
    places = []
    for _ in range(4):
        bar.look(backwards=True)
        places.append(marked(code))
    assert places == [(8, 11), (0, 3), (30, 33), (22, 25)]


def test_keys_look_on_and_back(bar, code, qtbot):
    bar.field.setText("job")
    qtbot.keyClick(bar, Qt.Key.Key_F3)
    assert marked(code) == (0, 3)
    qtbot.keyClick(bar, Qt.Key.Key_F3)
    assert marked(code) == (8, 11)
    qtbot.keyClick(bar, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert marked(code) == (0, 3)


def test_what_is_marked_is_looked_for_unless_it_has_lines(bar, code):
    select(code, 22, 26)
    bar.show_with_selection()
    assert bar.field.text() == "jobs"
    select(code, 3, 12)
    bar.show_with_selection()
    assert bar.field.text() == "jobs"


def test_one_is_replaced_only_where_it_is_marked(bar, code):
    bar.field.setText("job")
    bar.by.setText(r"\1")
    select(code, 4, 5)
    bar.replace()  # nothing that is looked for is marked: the next one is
    assert (code.toPlainText(), marked(code)) == (TEXT, (8, 11))
    bar.replace()
    assert code.toPlainText() == TEXT[:8] + r"\1" + TEXT[11:]
    assert marked(code) == (13, 16)


def test_all_are_replaced_as_one_step(bar, code):
    bar.field.setText("job")
    bar.by.setText("x")
    bar.replace_all()
    assert (code.toPlainText(), bar.found.text()) == ("x = 1\nx = x + 2\nxs = [x]\n", "5 replaced")
    code.undo()
    assert code.toPlainText() == TEXT
    bar.field.setText("nothing of it")
    bar.replace_all()
    assert (code.toPlainText(), bar.found.text()) == (TEXT, "0 replaced")


def test_what_is_read_only_is_searched_and_not_changed(bar, code):
    code.setReadOnly(True)
    bar.show_with_selection()
    assert not bar.by.isEnabled()
    bar.field.setText("job")
    bar.look()
    bar.by.setText("x")
    bar.replace()
    bar.replace_all()
    assert (code.toPlainText(), marked(code)) == (TEXT, (0, 3))


def test_without_a_text_to_search_nothing_happens(qtbot):
    bar = FindBar(lambda: None)
    qtbot.addWidget(bar)
    bar.show_with_selection()
    assert not bar.isVisible()
    bar.field.setText("job")
    bar.look()
    bar.replace()
    bar.replace_all()
    assert bar.found.text() == "none found"
