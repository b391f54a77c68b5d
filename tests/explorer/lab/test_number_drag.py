"""Numbers dragged in a policy's text: which they are, by how much, one undo, and charts that follow."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.policies.user_files.source import policy_id_of, read_policy_file
from explorer.lab.editor_pane import EditorPane
from explorer.lab.number_drag import STEP_PX, number_at, stepped
from explorer.lab.open_texts import Drafts

CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
TEXT = '''from core.policies.policy import Policy


class Mine(Policy):
    """Jobs in an order that a number makes."""

    def key(job):
        return job.rank * 35 % 7, job.rank
'''
PLACE = TEXT.splitlines()[7].index("35")


@pytest.mark.parametrize(
    ("line", "place", "found"),
    [
        ("if few > 28:", 10, "28"),
        ("if few > 28:", 11, "28"),
        ("if few > 28:", 8, None),
        ("return 0.25 * x", 9, "0.25"),
        ("job2 = v1.3", 4, None),
        ("key(3)  # at most 40", 18, None),
        ("name = 'J12'", 10, None),
        ("a = x[-7]", 7, "7"),
    ],
)
def test_numbers_of_a_line(line, place, found):
    number = number_at(line, place)
    assert (number.text if number else None) == found
    assert number is None or line[number.begin :].startswith(number.text)


@pytest.mark.parametrize(
    ("text", "steps", "after"),
    [
        ("28", 3, "31"),
        ("0.5", -2, "0.3"),
        ("0.25", 1, "0.26"),
        ("1.0", 10, "2.0"),
        ("3", -9, "0"),
        ("2.", 1, "3."),
    ],
)
def test_a_step_is_one_of_the_last_digit(text, steps, after):
    assert stepped(text, steps) == after


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(TEXT)
    return path


@pytest.fixture
def pane(qtbot, tmp_path, path):
    pane = EditorPane(Drafts(tmp_path / "drafts"))
    qtbot.addWidget(pane, before_close_func=lambda pane: pane.end())
    pane.resize(700, 500)
    pane.show()
    pane.open_file(path)
    return pane


def mouse(code, kind, point, buttons, modifiers=CTRL):
    """Send a mouse event to the text; of a press and a release the button is the left one."""
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    where = QPointF(point)
    there = QPointF(code.viewport().mapToGlobal(point))
    QApplication.sendEvent(code.viewport(), QMouseEvent(kind, where, there, button, buttons, modifiers))


def on_number(code):
    """Return where the number of the text is, with the cursor upon it."""
    cursor = QTextCursor(code.document().findBlockByNumber(7))
    cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.MoveAnchor, PLACE + 1)
    code.setTextCursor(cursor)
    return code.cursorRect(cursor).center()


def drag(code, *steps, modifiers=CTRL):
    start = on_number(code)
    mouse(code, QEvent.Type.MouseButtonPress, start, Qt.MouseButton.LeftButton, modifiers)
    for step in steps:
        start.setX(start.x() + step * STEP_PX)
        mouse(code, QEvent.Type.MouseMove, start, Qt.MouseButton.LeftButton, modifiers)
    mouse(code, QEvent.Type.MouseButtonRelease, start, Qt.MouseButton.NoButton, modifiers)


def test_a_drag_changes_the_number_and_is_one_step_of_undo(pane):
    code = pane.current_code()
    drag(code, 2, 3, -10)
    assert "* 30 % 7" in code.toPlainText()
    code.undo()
    assert code.toPlainText() == TEXT
    drag(code, 4)
    drag(code, 1)
    assert "* 40 %" in code.toPlainText()
    code.undo()
    assert "* 39 %" in code.toPlainText(), "each drag is a step of its own"


def test_without_ctrl_the_mouse_selects(pane):
    code = pane.current_code()
    drag(code, 3, modifiers=Qt.KeyboardModifier.NoModifier)
    assert code.toPlainText() == TEXT


def test_keys_do_the_same(pane, qtbot, path):
    code = pane.current_code()
    on_number(code)
    QTest.keyClick(code, Qt.Key.Key_Up, ALT)
    QTest.keyClick(code, Qt.Key.Key_Up, ALT)
    QTest.keyClick(code, Qt.Key.Key_Down, ALT)
    assert "* 36 %" in code.toPlainText()
    qtbot.waitUntil(lambda: "* 36 %" in path.read_text())


def test_what_is_saved_at_last_is_the_last_value(pane, qtbot, path):
    saved = []
    pane.saved.connect(lambda _path: saved.append(path.read_text()))
    drag(pane.current_code(), *[1] * 25)
    qtbot.waitUntil(lambda: "* 60 %" in path.read_text())
    assert not pane.current.is_unsaved
    assert len(saved) < 25


def test_an_original_is_not_changed(pane, qtbot):
    pane.show_builtin("fifo", "FIFO", TEXT, 1)
    code = pane.current_code()
    drag(code, 3)
    QTest.keyClick(code, Qt.Key.Key_Up, ALT)
    assert code.toPlainText() == TEXT


def test_charts_follow_a_drag(window, qtbot, path):
    """With 35 all jobs tie and go by rank; with 25 their keys are 0, 4, 1, 5 and 2."""
    own = window.own_policies
    own.files.agree(read_policy_file(path))
    own.actions.use(path)
    mine = window.document.scenarios[-1].id

    def order():
        outcome = window.runner.outcome(mine)
        return [] if outcome is None else outcome.schedule.job_start.argsort(kind="stable").tolist()

    qtbot.waitUntil(lambda: order() == [0, 1, 2, 3, 4])
    window.lab.editor_pane.open_file(path)
    drag(window.lab.editor_pane.current_code(), *[-1] * 10)
    qtbot.waitUntil(lambda: order() == [0, 2, 4, 1, 3])
    assert "* 25 %" in own.files.state(policy_id_of(path)).source.text
