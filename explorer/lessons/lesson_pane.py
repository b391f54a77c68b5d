"""The pane of a lesson: its step's text, its question, and the way through it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QStackedWidget, QToolButton, QWidget
from typing_extensions import override

from explorer.lessons.lesson_gallery import lesson_after
from explorer.lessons.lesson_text import LessonText
from explorer.lessons.question_box import QuestionBox
from explorer.widgets.flat_button import FlatButton
from explorer.widgets.layouts import NO_MARGINS, column, named, push_button, row
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel, without_mnemonic
from explorer.widgets.tables import bold_font

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QFont

    from explorer.lessons.lesson_walk import LessonWalk

LETTERS, NARROW_LETTERS, NARROW_WINDOW = 54, 44, 180
"""Letters that a line of text has room for, those where the window is narrow, and what is narrow."""
MAX_TEXT = 100_000
"""Pixels of a text: as high as it is, as long as the pane has room."""
BORDERS = 48
"""Pixels beside and between two buttons of the question's box."""


class LessonPane(QWidget):
    """Shows a step and emits what is wanted; the window does it.

    Attributes
    ----------
    header : which lesson and which of its steps it is, in the line that is the dock's title

    Signals
    -------
    step_wanted : another step, by its number from 0
    restore_wanted : the step as its author made it
    lift_wanted : what is veiled
    lesson_wanted : the lesson of this file, an empty name for the list of all
    """

    step_wanted = Signal(int)
    restore_wanted = Signal()
    lift_wanted = Signal()
    lesson_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__(accessibleName="Lesson")
        self._walk: LessonWalk | None = None
        self.name, self.place = ElidedLabel(), PlainLabel(is_faint=True)
        self.title = PlainLabel(wraps=True)
        self.title.setFont(_larger(bold_font(self.font())))
        self.steps_menu = QMenu(self, toolTipsVisible=True)
        self.steps_button = named(FlatButton(), "Steps", "List the steps of this lesson, to go to one")
        self.steps_button.show_chevron()
        self.steps_button.setMenu(self.steps_menu)
        self.steps_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.close_button = named(FlatButton(sign="close"), "Close the lesson pane", "Close this pane")
        self.text, self.question = LessonText("Text of the step"), QuestionBox()
        self.lift_button = push_button("&Lift the veil", "Show what comes next, without an answer")
        self.restore_button = push_button("", "Show the step again as its author made it")
        self.restore_button.setText("Back to the lesson")
        self.write_button = push_button("&Write the step", "Show the page on which this step is written")
        self.write_button.hide()  # it is for authors
        self.back_button = push_button("◂ Back", "The step before")
        self.next_button = push_button("Next ▸", "The next step")
        self.end_words = PlainLabel(wraps=True, is_faint=True)
        self.lesson_button = push_button("", "Leave this lesson, and go on with another one", self._leave_to)
        self._next_lesson = ""
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self._pictures, self.header = column(margins=NO_MARGINS), QWidget()
        self.text.follow_height(MAX_TEXT)
        row(
            (self.name, 1),
            self.place,
            self.steps_button,
            self.close_button,
            parent=self.header,
            margins=(8, 3, 4, 3),
            spacing=4,
        )
        column(
            row(self.write_button, None),
            self.title,
            self.text,
            self._pictures,
            self.question,
            row(self.lift_button, self.restore_button, None),
            None,
            self.end_words,
            self.lesson_button,
            row(self.back_button, None, self.next_button),
            parent=self,
            margins=(8, 4, 8, 8),
            spacing=6,
        )

    def add_picture(self, picture: QWidget) -> None:
        """Have room for a picture between text and question, as long as it is shown."""
        self._pictures.addWidget(picture)

    def _connect(self) -> None:
        self.steps_menu.aboutToShow.connect(self._fill_steps)
        self.lift_button.clicked.connect(self.lift_wanted)
        self.restore_button.clicked.connect(self.restore_wanted)
        self.back_button.clicked.connect(partial(self._go, -1))
        self.next_button.clicked.connect(partial(self._go, 1))

    def follow(self, **actions: QAction) -> None:
        """Name the keys of actions in the tips of the buttons that do the same."""
        for name, action in actions.items():
            button = getattr(self, f"{name}_button")
            key = action.shortcut().toString()
            button.setToolTip(f"{button.toolTip()} ({key})" if key else button.toolTip())

    def show_walk(self, walk: LessonWalk) -> None:
        """Show the step of a lesson; its figures come later."""
        is_other = walk is not self._walk
        self._walk = walk
        self.show_place()
        self.title.setText(walk.step.title)
        self.show_text(walk.step.window_text)
        self.text.verticalScrollBar().setValue(0)
        if self.isAncestorOf(self.window().focusWidget()):
            self.text.setFocus(Qt.FocusReason.OtherFocusReason)  # the button that was pressed may go
        self.question.hide()  # until its figures are known
        self.show_veiled()
        if is_other:
            self.updateGeometry()

    def forget(self) -> None:
        """Let go of the lesson that was shown: its steps hold what was done in them."""
        self._walk = None

    def show_place(self) -> None:
        """Set which lesson it is, and which of its steps; both may change while one is shown."""
        walk = self._walk
        if walk is None:
            return
        number, count = walk.number + 1, len(walk.lesson.steps)
        self.name.setText(f"{walk.lesson.name}{' *' if walk.is_modified else ''}")
        self.place.setText(f"Step {number} of {count}")
        self.show_end()
        self.back_button.setEnabled(number > 1)
        self.next_button.setEnabled(number < count)
        self.setAccessibleDescription(f"{walk.lesson.name}, step {number} of {count}: {walk.step.title}")

    def show_end(self) -> None:
        """Say in the last step how many questions were answered rightly, and offer the lesson after this."""
        walk = self._walk
        is_last = walk is not None and walk.number == len(walk.lesson.steps) - 1
        if walk is not None and is_last:
            asked, done = walk.asked_and_done
            tick = "✔ " if done == asked else ""
            count = f"{tick}{done} of {asked} question{'' if asked == 1 else 's'} answered rightly."
            self.end_words.setText(count if asked else "That was the last step.")
            after = lesson_after(walk.source)
            self._next_lesson = "" if after is None else str(after.path)
            title = "Another lesson…" if after is None else f"Next lesson: {after.name} ▸"
            self.lesson_button.setText(without_mnemonic(title))
        self.end_words.setVisible(is_last)
        self.lesson_button.setVisible(is_last)

    def _leave_to(self) -> None:
        self.lesson_wanted.emit(self._next_lesson)

    def show_text(self, text: str) -> None:
        """Show the text of the step, as far as its figures are known."""
        self.text.show_text(text)

    def show_veiled(self) -> None:
        """Offer to lift the veil while there is one."""
        self.lift_button.setVisible(self._walk is not None and self._walk.is_veiled)

    def _go(self, by: int) -> None:
        if self._walk is not None:
            self.step_wanted.emit(self._walk.number + by)

    def _fill_steps(self) -> None:
        self.steps_menu.clear()
        if self._walk is None:
            return
        for number, step in enumerate(self._walk.lesson.steps):
            mark = " ?" if step.question is not None else ""
            done = " ✔" if mark and self._walk.is_done(number) else mark
            action = self.steps_menu.addAction(f"{number + 1}  {without_mnemonic(step.title)}{done}")
            action.setCheckable(True)
            action.setChecked(number == self._walk.number)
            action.triggered.connect(partial(self.step_wanted.emit, number))

    @override
    def sizeHint(self) -> QSize:
        letter = self.fontMetrics().averageCharWidth()
        is_narrow = self.window().width() < NARROW_WINDOW * letter
        return QSize((NARROW_LETTERS if is_narrow else LETTERS) * letter, 500)

    @override
    def minimumSizeHint(self) -> QSize:
        question = self.question
        pairs = ((self.lift_button, self.restore_button), (question.check_button, question.hint_button))
        widths = (sum(button.sizeHint().width() for button in pair) for pair in pairs)
        return QSize(max(widths) + BORDERS, super().minimumSizeHint().height())


class LessonDock(QDockWidget):
    """The dock of the pane: left of the side bar, there while a lesson is open."""

    def __init__(self, pane: LessonPane, window: QMainWindow) -> None:
        super().__init__("Lesson", window)
        self.setObjectName("lesson")
        self._pages = QStackedWidget()
        self._pages.addWidget(pane)
        self.setWidget(self._pages)
        self.setTitleBarWidget(pane.header)
        pane.close_button.clicked.connect(self.close)
        self._has_lesson = False
        self._action: QAction | None = None
        self.visibilityChanged.connect(self._follow)
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, self)
        self.hide()

    def place(self, action: QAction) -> None:
        """Let a checkable action show whether it is open."""
        self._action = action

    def bring(self, window: QMainWindow, beside: QDockWidget) -> None:
        """Open it left of another dock, as wide as its text likes."""
        self._has_lesson = True
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, self)
        window.splitDockWidget(self, beside, Qt.Orientation.Horizontal)
        self.show()
        self._fit(window)

    def _fit(self, window: QMainWindow) -> None:
        if page := self._pages.currentWidget():
            window.resizeDocks([self], [page.sizeHint().width()], Qt.Orientation.Horizontal)

    def show_page(self, page: QWidget | None, window: QMainWindow) -> None:
        """Show another page in the place of the lesson's, such as its author's; None for the lesson again."""
        if page is not None and self._pages.indexOf(page) < 0:
            self._pages.addWidget(page)
        if page is None and (other := self._pages.widget(1)):  # else the lesson would be as wide as that page
            self._pages.removeWidget(other)
            other.hide()
        self._pages.setCurrentIndex(0 if page is None else self._pages.indexOf(page))
        if self.isVisible():
            self._fit(window)

    def leave(self) -> None:
        """Close it: no lesson is open any more."""
        self._has_lesson = False
        self.hide()

    @override
    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible and self._has_lesson)

    def toggle(self) -> None:
        """Open it, or close it, while there is a lesson."""
        self.setVisible(self.isHidden())
        self._follow()

    def _follow(self) -> None:
        if self._action is not None:
            self._action.setChecked(not self.isHidden())


def _larger(font: QFont) -> QFont:
    font.setPointSizeF(font.pointSizeF() * 1.15)
    return font
