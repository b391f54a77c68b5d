"""The editor pane: typed into, completed, saved, changed outside, killed; built-in ones are read."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from core.model.schedule import PolicyChoice
from core.policies.user_files.source import read_policy_file
from explorer.lab.code_marks import commented, matching_brackets, unindented
from explorer.lab.editor_pane import CHANGED, GONE, EditorPane
from explorer.lab.editor_pane import LEFT as LEFT_NOTE
from explorer.lab.open_texts import ENDING, Draft, Drafts
from tests.explorer.window_fixtures import open_window

LEFT = Qt.MouseButton.LeftButton
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
TEXT = '''from core.policies.policy import Policy


class Mine(Policy):
    """The last one first."""

    def key(job):
        return -job.rank
'''


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(TEXT)
    return path


@pytest.fixture
def drafts(tmp_path):
    return Drafts(tmp_path / "drafts")


@pytest.fixture
def pane(qtbot, drafts, path):
    pane = EditorPane(drafts)
    qtbot.addWidget(pane, before_close_func=lambda pane: pane.end())
    pane.resize(600, 500)
    pane.show()
    pane.open_file(path)
    return pane


def at_end_of(pane, line):
    code = pane.current_code()
    code.go_to_line(line)
    cursor = code.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
    code.setTextCursor(cursor)
    return code


def answer(monkeypatch, button):
    monkeypatch.setattr(QMessageBox, "exec", lambda _box: button)


# ---- typing


def test_a_new_line_keeps_the_indent_and_a_colon_adds_one(pane, qtbot):
    code = at_end_of(pane, 8)
    qtbot.keyClick(code, Qt.Key.Key_Return)
    qtbot.keyClicks(code, "def admits(job, kind):")
    qtbot.keyClick(code, Qt.Key.Key_Return)
    qtbot.keyClicks(code, "return True")
    assert code.toPlainText().splitlines()[8:] == ["    def admits(job, kind):", "        return True"]
    qtbot.keyClick(code, Qt.Key.Key_Return)
    qtbot.keyClick(code, Qt.Key.Key_Backspace)
    assert code.textCursor().positionInBlock() == 0
    qtbot.keyClick(code, Qt.Key.Key_Tab)
    assert code.textCursor().block().text() == "    "


def test_comments_come_and_go_with_a_key(pane, qtbot):
    code = at_end_of(pane, 8)
    qtbot.keyClick(code, Qt.Key.Key_Slash, CTRL)
    assert code.toPlainText().splitlines()[7] == "        # return -job.rank"
    qtbot.keyClick(code, Qt.Key.Key_Slash, CTRL)
    assert code.toPlainText() == TEXT
    code.undo()
    assert "# return" in code.toPlainText()
    code.selectAll()
    qtbot.keyClick(code, Qt.Key.Key_Backtab, SHIFT)
    assert "\ndef key(job):" in code.toPlainText()


def test_lines_and_brackets():
    assert commented(["  a", "", "    b"]) == ["  # a", "", "  #   b"]
    assert commented(["  # a", "#b"]) == ["  a", "b"]
    assert unindented(["      a", " b", "c"]) == ["  a", "b", "c"]
    assert matching_brackets(("f(a[1])", 7)) == (6, 1)
    assert matching_brackets(("f(a[1])", 1)) == (1, 6)
    assert matching_brackets(("f(a", 2)) == ()
    assert matching_brackets(("", 0)) == ()


def test_fields_of_a_job_are_offered_and_written(pane, qtbot):
    code = at_end_of(pane, 8)
    qtbot.keyClicks(code, " + job.")
    assert code.offered[:4] == ["rank", "pool", "weight", "running"]
    qtbot.keyClicks(code, "ta")
    assert code.offered == ["tasks"]
    qtbot.keyClick(code, Qt.Key.Key_Return)
    assert code.toPlainText().splitlines()[7] == "        return -job.rank + job.tasks"
    assert code.offered == []


def test_hooks_are_offered_with_what_they_may_ask_for(pane, qtbot):
    code = at_end_of(pane, 8)
    qtbot.keyClick(code, Qt.Key.Key_Return)
    qtbot.keyClicks(code, "def pool_a")
    assert code.offered == ["pool_admits"]
    qtbot.keyClick(code, Qt.Key.Key_Tab)
    assert code.toPlainText().splitlines()[8] == "    def pool_admits(pool, kind, cluster):"
    qtbot.keyClick(code, Qt.Key.Key_Return)
    qtbot.keyClick(code, Qt.Key.Key_Space, CTRL)
    assert "cluster" in code.offered
    qtbot.keyClick(code, Qt.Key.Key_Escape)
    assert code.offered == []


def test_where_any_word_may_follow_return_begins_a_line(pane, qtbot):
    code = at_end_of(pane, 8)
    qtbot.keyClick(code, Qt.Key.Key_Return)
    qtbot.keyClicks(code, "cl")
    assert code.offered[0] == "cluster"
    qtbot.keyClick(code, Qt.Key.Key_Return)
    assert code.textCursor().block().previous().text().strip() == "cl"
    qtbot.keyClicks(code, "cl")
    qtbot.keyClick(code, Qt.Key.Key_Tab)
    assert code.textCursor().block().text().strip() == "cluster"


def test_the_wheel_changes_the_size(pane):
    code, before = pane.current_code(), pane.current_code().font().pointSizeF()
    event = QWheelEvent(
        QPointF(20, 20), QPointF(20, 20), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, CTRL,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(code.viewport(), event)
    assert code.font().pointSizeF() == before + 1
    QTest.keyClick(code, Qt.Key.Key_0, CTRL)
    assert code.font().pointSizeF() == before


def test_find_and_replace(pane, qtbot):
    code = pane.current_code()
    qtbot.keyClick(code, Qt.Key.Key_F, CTRL)
    qtbot.keyClicks(pane.find_bar.field, "POLICY")
    assert pane.find_bar.found.text() == "none found"
    pane.find_bar.field.clear()
    qtbot.keyClicks(pane.find_bar.field, "policy")
    assert pane.find_bar.found.text() == "3 found"
    qtbot.keyClick(pane.find_bar.field, Qt.Key.Key_Return)
    first = code.textCursor().selectionStart()
    qtbot.keyClick(code, Qt.Key.Key_F3)
    assert code.textCursor().selectionStart() > first
    qtbot.keyClick(code, Qt.Key.Key_F3, SHIFT)
    assert code.textCursor().selectionStart() == first
    qtbot.keyClicks(pane.find_bar.by, "x")
    pane.find_bar.replace_all()
    assert "class Mine(x):" in code.toPlainText()
    code.undo()
    assert code.toPlainText() == TEXT
    qtbot.keyClick(pane.find_bar.field, Qt.Key.Key_Escape)
    assert not pane.find_bar.isVisible()


# ---- the file


def test_saving_writes_the_file(pane, qtbot, path):
    code = at_end_of(pane, 8)
    qtbot.keyClicks(code, " * 2")
    assert pane.list.currentText() == "mine.py ●"
    assert path.read_text() == TEXT
    with qtbot.waitSignal(pane.saved):
        qtbot.keyClick(code, Qt.Key.Key_S, CTRL)
    assert path.read_text() == TEXT.replace("-job.rank", "-job.rank * 2")
    assert pane.list.currentText() == "mine.py"
    assert not pane.save_button.isEnabled()


def test_ends_of_lines_stay_as_they_are(pane, qtbot, tmp_path):
    other = tmp_path / "other.py"
    other.write_bytes(TEXT.replace("\n", "\r\n").encode())
    pane.open_file(other)
    qtbot.keyClicks(at_end_of(pane, 8), " * 2")
    pane.save()
    assert other.read_bytes() == TEXT.replace("-job.rank", "-job.rank * 2").replace("\n", "\r\n").encode()


def test_a_saved_text_follows_the_file(pane, qtbot, path):
    path.write_text(TEXT.replace("last", "first"))
    qtbot.waitUntil(lambda: "first one first" in pane.current_code().toPlainText())
    assert not pane.current.is_unsaved
    pane.current_code().undo()
    assert "last one first" in pane.current_code().toPlainText()


@pytest.mark.parametrize("mine", [True, False], ids=["mine", "theirs"])
def test_two_have_changed_it(pane, qtbot, path, mine):
    qtbot.keyClicks(at_end_of(pane, 8), " * 2")
    path.write_text(theirs := TEXT.replace("last", "first"))
    qtbot.waitUntil(lambda: pane.bar.isVisible())
    assert pane.note.text() == CHANGED.format("mine.py")
    assert not pane.save()
    assert path.read_text() == theirs
    qtbot.mouseClick(pane.mine_button if mine else pane.theirs_button, LEFT)
    assert not pane.bar.isVisible()
    assert pane.save()
    assert path.read_text() == (TEXT.replace("-job.rank", "-job.rank * 2") if mine else theirs)


def test_a_file_that_is_gone_is_written_again(pane, qtbot, path):
    path.unlink()
    qtbot.waitUntil(lambda: pane.note.text() == GONE.format("mine.py"))
    qtbot.keyClicks(at_end_of(pane, 8), " * 2")
    assert pane.save()
    assert path.read_text().endswith("* 2\n")


def test_a_file_that_is_no_text_is_refused(pane, qtbot, tmp_path):
    (tmp_path / "odd.py").write_bytes(b"\xff\xfe\x00")
    with qtbot.waitSignal(pane.failed) as refused:
        pane.open_file(tmp_path / "odd.py")
    assert "odd.py is no text in UTF-8" in str(refused.args[0])
    assert pane.list.count() == 1


@pytest.mark.parametrize("button", ["Save", "Discard", "Cancel"])
def test_what_is_not_saved_is_asked_about(pane, qtbot, path, monkeypatch, button):
    qtbot.keyClicks(at_end_of(pane, 8), " * 2")
    answer(monkeypatch, QMessageBox.StandardButton[button])
    assert pane.may_close() == (button != "Cancel")
    assert path.read_text().endswith("* 2\n") == (button == "Save")
    assert pane.current.is_unsaved == (button == "Cancel")


def test_a_closed_text_is_gone(pane, qtbot):
    qtbot.mouseClick(pane.close_button, LEFT)
    assert pane.current is None
    assert pane.empty.isVisible()


# ---- after a kill


def test_what_was_not_saved_is_there_after_a_kill(qtbot, drafts, path, tmp_path):
    drafts.keep(Draft(path, TEXT + "# more\n", TEXT))
    (kept,) = (tmp_path / "drafts").glob(f"*{ENDING}")
    content = json.loads(kept.read_text())
    kept.unlink()
    dead = kept.with_name(f"x-{1 << 22}{ENDING}")
    dead.write_text(json.dumps(content | {"process": 1 << 22}))
    (tmp_path / "drafts" / f"cut{ENDING}").write_text('{"path": ')
    again = EditorPane(drafts)
    qtbot.addWidget(again, before_close_func=lambda pane: pane.end())
    again.show()
    assert again.open_left()
    assert again.current_code().toPlainText() == TEXT + "# more\n"
    assert again.note.text() == LEFT_NOTE.format("mine.py")
    assert path.read_text() == TEXT
    qtbot.mouseClick(again.theirs_button, LEFT)
    assert again.current_code().toPlainText() == TEXT
    assert drafts.left() == []


def test_typing_is_kept_until_it_is_saved(pane, qtbot, drafts, path):
    qtbot.keyClicks(at_end_of(pane, 8), " * 2")
    qtbot.waitUntil(lambda: drafts.of(path) is not None)
    assert drafts.of(path).text == pane.current_code().toPlainText()
    pane.save()
    assert drafts.of(path) is None


def test_a_path_that_no_file_can_have_is_refused(pane, tmp_path):
    heard = []
    pane.failed.connect(heard.append)
    pane.open_file(tmp_path / "a\0b.py")
    assert "cannot be read" in str(heard[0])


# ---- in the window


@pytest.fixture
def window(qtbot, tmp_path, path):
    window = open_window(qtbot, tmp_path, compiled=False)
    window.own_policies.files.agree(read_policy_file(path))
    window.editor.choose_policy(1, PolicyChoice(str(path)))
    qtbot.waitUntil(lambda: window.runner.outcome(1).schedule.choice.id.startswith(str(path)))
    window.view_state.activate_scenario(1)
    return window


def test_a_save_in_the_pane_is_simulated_and_an_error_is_marked(window, qtbot, path, monkeypatch):
    window.actions_by_id["edit_here"].trigger()
    pane = window.lab.editor_pane
    assert window.lab.editor_dock.isVisible()
    before = window.runner.outcome(1)
    code = at_end_of(pane, 8)
    qtbot.keyClicks(code, " + job.nothing")
    qtbot.keyClick(code, Qt.Key.Key_Escape)
    qtbot.keyClick(code, Qt.Key.Key_S, CTRL)
    assert path.read_text().endswith("+ job.nothing\n")
    assert window.document.path is None  # the key was the pane's: no session is saved
    qtbot.waitUntil(lambda: code.error_line == 8)
    assert pane.problem.text().startswith("Line 8: ")
    qtbot.mouseClick(pane.close_button, LEFT)
    window.actions_by_id["edit_here"].trigger()  # what went wrong before it was opened is marked, too
    code = pane.current_code()
    assert (code.error_line, code.textCursor().blockNumber()) == (8, 7)
    code.replace_text(TEXT.replace("-job.rank", "job.rank"))
    answer(monkeypatch, QMessageBox.StandardButton.Cancel)
    assert not window.close()
    pane.save()
    qtbot.waitUntil(lambda: code.error_line == 0)
    qtbot.waitUntil(lambda: window.runner.outcome(1) is not before)


def test_a_built_in_policy_is_read_and_copied(window, qtbot, monkeypatch, tmp_path):
    window.editor.choose_policy(2, PolicyChoice("fair"))
    window.view_state.activate_scenario(2)
    window.actions_by_id["edit_here"].trigger()
    pane = window.lab.editor_pane
    code = pane.current_code()
    before = code.toPlainText()
    assert "class Fair(Policy):" in before
    qtbot.keyClicks(code, "x")
    assert code.toPlainText() == before
    target = tmp_path / "my_fair.py"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    monkeypatch.setattr(type(window.own_policies.actions.system_editor), "open", lambda *_: None)
    qtbot.mouseClick(pane.copy_button, LEFT)
    qtbot.waitUntil(lambda: len(window.document.scenarios) == 3)
    assert "class MyFair(Policy):" in target.read_text()
    qtbot.waitUntil(lambda: window.headers.header(3).facts.title == "My Fair (HFS)")


def test_messages_are_whole_in_one_place(pane, path):
    sentence = "key returned 'banana', a text; it must give a number, or a tuple of numbers " * 2
    pane.resize(400, 500)
    pane.set_problem(str(path), 3, sentence)
    assert pane.problem.text() == f"Line 3: {sentence}"
    assert pane.bar.isVisible()
    assert pane.problem.height() >= pane.problem.heightForWidth(pane.problem.width())
    pane.set_problem(str(path), 0, "")
    assert not pane.bar.isVisible()
