"""Errors end in one place: a bar for expected ones, one dialog for the others, nothing as markup."""

from __future__ import annotations

import sys
import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QVBoxLayout, QWidget

from core.model.errors import Cancelled, DocumentError, InputError, Problem
from explorer.widgets.error_messages import CrashDialog, MessageBar, breakable, install_excepthook, message_of


@pytest.fixture
def window(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 300)
    layout = QVBoxLayout(window)
    layout.addWidget(MessageBar())
    layout.addStretch()
    window.show()
    qtbot.waitExposed(window)
    return window


@pytest.fixture
def bar(window):
    return window.findChild(MessageBar)


@pytest.fixture
def problems():
    return DocumentError(
        "five.json", [Problem(f"jobs[{i}].arrival", "-1", "must be 0 or more") for i in (3, 4)]
    )


def raised(kind=ZeroDivisionError, text="by zero"):
    try:
        raise kind(text)  # noqa: TRY301 - a traceback is wanted
    except kind as error:
        return error


def dialogs():
    return [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, CrashDialog)]


def test_without_messages_there_is_no_bar(bar):
    assert not bar.isVisible()
    assert bar.message is None


def test_an_expected_error_is_its_sentence(bar):
    bar.show_error(InputError("weight is -1; give a number above 0"))
    assert bar.isVisible()
    assert bar._sentence.text() == "weight is -1; give a number above 0"
    assert not bar._details_button.isVisible()
    assert dialogs() == []


def test_several_problems_are_a_list_behind_the_details(bar, problems, qtbot):
    bar.show_error(problems)
    assert bar._sentence.text() == "five.json has 2 problems"
    assert not bar._details.isVisible()
    qtbot.mouseClick(bar._details_button, Qt.MouseButton.LeftButton)
    assert bar._details.isVisible()
    assert bar._details.toPlainText().splitlines()[1] == "five.json: jobs[4].arrival is -1; must be 0 or more"


def test_more_problems_than_are_kept():
    many = DocumentError("f", [Problem("a", "1", "b")] * 60)
    assert message_of(many).sentence == "f has many problems"


def test_copying_takes_everything(bar, problems, qtbot):
    bar.show_error(problems)
    qtbot.mouseClick(bar._copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == str(problems)


def test_markup_stays_text(bar):
    bar.show_sentence("job <b>x</b> &amp; <img src=x>")
    assert bar._sentence.textFormat() == Qt.TextFormat.PlainText
    assert bar._sentence.text() == "job <b>x</b> &amp; <img src=x>"


def test_messages_wait_behind_the_newest(bar, qtbot):
    for text in ("first", "second", "first"):
        bar.show_sentence(text)
    assert bar.message.sentence == "first"
    assert bar._waiting.text() == "1 more"
    qtbot.mouseClick(bar._dismiss_button, Qt.MouseButton.LeftButton)
    assert bar.message.sentence == "second"
    assert not bar._waiting.isVisible()
    bar.dismiss()
    assert not bar.isVisible()


def test_clear_dismisses_all(bar):
    bar.show_sentence("first")
    bar.show_sentence("second")
    bar.clear()
    assert not bar.isVisible()


def test_the_keyboard_reaches_everything(bar, problems, qtbot):
    bar.show_error(problems)
    for button in (bar._details_button, bar._copy_button, bar._dismiss_button):
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
        assert button.accessibleName()
        assert button.accessibleDescription()
    bar._details_button.setFocus()
    qtbot.keyClick(bar._details_button, Qt.Key.Key_Space)
    assert bar._details.isVisible()
    qtbot.keyClick(bar._copy_button, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_long_names_do_not_widen_the_window(bar, window):
    bar.show_error(InputError(f"cannot read '/{'x' * 900}'"))
    assert window.minimumSizeHint().width() < 900
    assert bar._sentence.accessibleName().endswith("…")
    assert bar.message.details.endswith("x'")


def test_breaking_words_changes_nothing_else():
    text = f"short words stay; {'long' * 30} is broken"
    assert breakable(text).replace("\u200b", "") == text
    assert max(len(word) for word in breakable(text).replace("\u200b", " ").split()) == 40


def test_what_was_cancelled_is_no_news(bar):
    bar.show_error(Cancelled("by the user"))
    assert not bar.isVisible()


def test_an_unexpected_error_is_a_dialog_with_its_traceback(bar, qtbot):
    bar.show_error(raised())
    (dialog,) = dialogs()
    text = dialog.findChild(QPlainTextEdit).toPlainText()
    assert text.startswith("Traceback")
    assert text.endswith("ZeroDivisionError: by zero\n")
    qtbot.mouseClick(dialog._copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == text
    dialog.reject()


def test_the_same_error_again_and_again_opens_one_dialog(bar, qtbot):
    for _ in range(30):
        bar.show_error(raised())
    (dialog,) = dialogs()
    dialog.reject()
    qtbot.waitUntil(lambda: dialogs() == [])
    bar.show_error(raised())
    assert dialogs() == []
    assert bar.message.sentence == "an unexpected error: ZeroDivisionError: by zero"
    assert bar._waiting.text() == ""


@pytest.fixture
def hooked(bar, monkeypatch):
    written = []
    monkeypatch.setattr(sys, "excepthook", lambda *arguments: written.append(arguments[0]))
    monkeypatch.setattr(threading, "excepthook", lambda arguments: written.append(arguments.exc_type))
    restore = install_excepthook(bar)
    yield written
    restore()
    for dialog in dialogs():
        dialog.reject()


def test_uncaught_exceptions_are_shown_and_still_written(hooked):
    error = raised()
    sys.excepthook(type(error), error, error.__traceback__)
    assert hooked == [ZeroDivisionError]
    assert len(dialogs()) == 1


def test_uncaught_exceptions_of_threads_too(hooked, qtbot):
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: len(dialogs()) == 1)
    assert hooked == [ZeroDivisionError]


def test_uncaught_input_errors_end_in_the_bar(hooked, bar):
    error = raised(InputError, "weight is -1")
    sys.excepthook(type(error), error, None)
    assert bar.message.sentence == "weight is -1"


def test_control_c_ends_the_application(hooked, monkeypatch):
    ended = []
    monkeypatch.setattr(QApplication, "quit", lambda: ended.append(True))
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert ended == [True]
    assert hooked == []


def test_the_hook_can_be_taken_back(bar):
    before = sys.excepthook
    install_excepthook(bar)()
    assert sys.excepthook is before
