"""The one funnel for errors: a bar for what the user can mend, a dialog for what only we can."""

from __future__ import annotations

import re
import sys
import threading
import traceback
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QFontDatabase, QGuiApplication, QPainter, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid
from typing_extensions import override

from core.model.errors import Cancelled, DocumentError, SlotscopeError
from explorer.widgets.layouts import closing, column
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from PySide6.QtGui import QKeyEvent, QPaintEvent


LONGEST_SENTENCE = 400
"""Characters in the bar; the details have all of them."""

LONGEST_WORD = 40
"""Characters after which a path or a name may go on in the next line."""

MAX_WAITING = 20
STRIPE_PX = 4


class Remedy(NamedTuple):
    """What the user may do about a message: the text of a button, and what it does."""

    text: str
    chosen: Callable[[], object]


class Message(NamedTuple):
    """One sentence, what the details button shows (empty for nothing more), and what may be done about it."""

    sentence: str
    details: str = ""
    choices: tuple[Remedy, ...] = ()


def message_of(error: BaseException) -> Message:
    """Return what the user reads of an expected error: several problems become a list."""
    text = str(error) or type(error).__name__
    if isinstance(error, DocumentError) and len(error.problems) > 1:
        # the last line may say that there are more than those kept
        count = len(error.problems) if len(text.splitlines()) == len(error.problems) else "many"
        return Message(f"{error.name} has {count} problems", text)
    sentence = text.splitlines()[0]
    if len(sentence) > LONGEST_SENTENCE:
        sentence = sentence[: LONGEST_SENTENCE - 1] + "…"
    return Message(sentence, text if text != sentence else "")


class MessageBar(QFrame):
    """Shows the newest message until it is dismissed; those before it wait behind it.

    Everything is plain text: names in messages may contain markup. Escape dismisses while the focus is here.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._messages: list[Message] = []
        self._crashes: set[tuple[object, ...]] = set()
        self._dialog: CrashDialog | None = None
        self._focus_before: QWidget | None = None
        self._sentence = PlainLabel(wraps=True)
        self._sentence.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._waiting = PlainLabel()
        self._details_button = _button("Details", "Show the details of this message")
        self._details_button.setCheckable(True)
        self._copy_button = _button("Copy", "Copy this message with its details")
        self._copy_button.clicked.connect(self.copy)
        self._dismiss_button = _button("Dismiss", "Dismiss this message")
        self._dismiss_button.clicked.connect(self.dismiss)
        self._details = details_view("Details of the message")
        self._details_button.toggled.connect(self._details.setVisible)
        self._details.setFixedHeight(9 * self.fontMetrics().lineSpacing())
        self._build()
        self.hide()

    def _build(self) -> None:
        self.setAccessibleName("Message")
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.ToolTipBase)
        row = QHBoxLayout()
        row.addWidget(self._sentence, 1)
        self._choices = QHBoxLayout()
        self._offered: list[QToolButton] = []
        row.addLayout(self._choices)
        for widget in (self._waiting, self._details_button, self._copy_button, self._dismiss_button):
            row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        column(row, self._details, parent=self, margins=(12 + STRIPE_PX, 8, 8, 8))
        self._details.hide()

    # What it is told

    def show_error(self, error: object) -> None:
        """Show an expected error in the bar, an unexpected one in a dialog; what was cancelled is no news."""
        if isinstance(error, Cancelled):
            return
        if isinstance(error, SlotscopeError):
            self.show_message(message_of(error))
        elif isinstance(error, BaseException):
            self._show_crash(error)
        else:
            self.show_sentence(str(error))

    def show_sentence(self, sentence: str) -> None:
        """Show a sentence."""
        self.show_message(Message(sentence))

    def show_message(self, message: Message) -> None:
        """Show a message in front of those that wait; an equal one comes to the front."""
        others = [other for other in self._messages if other != message]
        self._messages = [*others, message][-MAX_WAITING:]
        focus = QApplication.focusWidget()
        if focus is not None and not self.isAncestorOf(focus):
            self._focus_before = focus
        self._refresh()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def retract(self, message: Message) -> None:
        """Take a message back, wherever it waits: it does not hold any more."""
        self._messages = [other for other in self._messages if other != message]
        self._refresh()

    def clear(self) -> None:
        """Dismiss all messages."""
        self._messages.clear()
        self._refresh()

    @property
    def message(self) -> Message | None:
        """The message that is shown, or None."""
        return self._messages[-1] if self._messages else None

    # What the user does

    def dismiss(self) -> None:
        """Put the message away; the one before it appears."""
        if self._messages:
            self._messages.pop()
            self._refresh()

    def copy(self) -> None:
        """Copy the message with its details."""
        if self.message is not None:
            QGuiApplication.clipboard().setText(self.message.details or self.message.sentence)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.fillRect(0, 0, STRIPE_PX, self.height(), self.palette().brightText())
            painter.fillRect(0, self.height() - 1, self.width(), 1, self.palette().mid())

    def _refresh(self) -> None:
        message = self.message
        if message is None:
            self._give_back_focus()
        self.setVisible(message is not None)
        if message is None:
            return
        self._sentence.setText(breakable(message.sentence))
        self._sentence.setAccessibleName(message.sentence)
        self._details.setPlainText(message.details)
        self._details_button.setVisible(bool(message.details))
        self._details.setVisible(bool(message.details) and self._details_button.isChecked())
        waiting = len(self._messages) - 1
        self._waiting.setText(f"{waiting} more" if waiting else "")
        self._waiting.setVisible(bool(waiting))
        self._offer(message)

    def _give_back_focus(self) -> None:
        """Return the focus to where it was: hiding what has it would give it to a neighbour."""
        focus, before = QApplication.focusWidget(), self._focus_before
        if focus is not None and self.isAncestorOf(focus):
            is_there = before is not None and isValid(before) and before.isVisible()
            (before if before is not None and is_there else self.window()).setFocus()

    def _offer(self, message: Message) -> None:
        """Show a button for each choice; the one that is clicked answers the message."""
        for button in self._offered:
            button.hide()
            button.deleteLater()
        self._offered = []
        for choice in message.choices:
            button = _button(choice.text, f"{message.sentence}: {choice.text}")
            button.clicked.connect(partial(self._on_chosen, message, choice))
            self._choices.addWidget(button)
            self._offered.append(button)

    def _on_chosen(self, message: Message, choice: Remedy) -> None:
        self.retract(message)
        choice.chosen()

    # What nobody expected

    def _show_crash(self, error: BaseException) -> None:
        """Open one dialog; an error that comes again, as with every painted frame, is shown in the bar."""
        text = "".join(traceback.format_exception(error))
        frames = traceback.extract_tb(error.__traceback__)
        place = (type(error), *((frames[-1].filename, frames[-1].lineno) if frames else ()))
        if place in self._crashes or self._dialog is not None:
            self.show_message(Message(f"an unexpected error: {type(error).__name__}: {error}", text))
            return
        self._crashes.add(place)
        self._dialog = CrashDialog(text, self.window())
        self._dialog.finished.connect(self._on_dialog_finished)
        self._dialog.open()

    def _on_dialog_finished(self, _result: int) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
            self._dialog = None


class _Relay(QObject):
    """Carries exceptions to the window's thread, from whichever they come."""

    raised = Signal(object)


def install_excepthook(bar: MessageBar) -> Callable[[], None]:
    """Show uncaught exceptions of all threads in the bar's dialog too; returns what takes that back.

    They are still written to stderr as before. Ctrl+C ends the application.
    """
    relay = _Relay()
    relay.raised.connect(bar.show_error)
    before, before_in_threads = sys.excepthook, threading.excepthook

    def on_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        before(kind, error, trace)
        relay.raised.emit(error)

    def on_uncaught_in_thread(arguments: threading.ExceptHookArgs) -> None:
        before_in_threads(arguments)
        if arguments.exc_value is not None:
            relay.raised.emit(arguments.exc_value)

    def restore() -> None:
        sys.excepthook, threading.excepthook = before, before_in_threads

    sys.excepthook, threading.excepthook = on_uncaught, on_uncaught_in_thread
    return restore


def breakable(text: str) -> str:
    """Let long words (paths, names) go on in the next line: a label is else as wide as its longest word."""
    return re.sub(rf"(\S{{{LONGEST_WORD}}})(?=\S)", "\\1\u200b", text)


def _button(text: str, description: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(description)
    button.setAccessibleName(text)
    button.setAccessibleDescription(description)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus where it is
    return button


class CrashDialog(QDialog):
    """Shows that something unexpected happened, with the traceback to copy."""

    def __init__(self, details: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Unexpected error")
        sentence = PlainLabel(
            "Something happened that should not. Your edits are kept, and you can go on working; "
            "if things look wrong, save and start again. Please send us the details below.",
            wraps=True,
        )
        self._details = details_view("Details of the error")
        self._details.setPlainText(details)
        self._copy_button = QPushButton("Copy details")
        self._copy_button.clicked.connect(self.copy)
        column(sentence, (self._details, 1), closing(self, self._copy_button), parent=self)

    @override
    def sizeHint(self) -> QSize:
        return QSize(720, 420)

    def copy(self) -> None:
        """Copy the details."""
        QGuiApplication.clipboard().setText(self._details.toPlainText())


def details_view(name: str) -> QPlainTextEdit:
    """Return a view of plain text to read and copy, which Tab leaves again."""
    view = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
    view.setAccessibleName(name)
    view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    return view
