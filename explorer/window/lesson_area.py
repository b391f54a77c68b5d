"""Lessons in the window: the pane, being the scheduler, presenting; the menu of what can be done."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from core.model.errors import InputError
from explorer.lessons.lesson_gallery import LessonGallery
from explorer.lessons.scores import export_scores
from explorer.widgets.save_dialog import ask_where_to_save
from explorer.window.lesson_steps import LessonSteps
from explorer.window.lesson_writing import LessonWriting
from explorer.window.presenter import Presenter
from explorer.window.window_menus import LESSONS, SEPARATOR, ActionSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from explorer.widgets.theme import Theme
    from explorer.window.document_work import OpenedDocument
    from explorer.window.parts import Parts

SCORES_FILTER = "Tables (*.csv)"


class LessonArea(QObject):
    """Builds the parts and connects them.

    Signals
    -------
    told : what was done
    failed : something could not be done; the exception
    """

    told = Signal(str)
    failed = Signal(object)

    def __init__(self, parts: Parts, window: QMainWindow) -> None:
        super().__init__(window)
        self._parts, self._window = parts, window
        self.steps = LessonSteps(parts, window)
        self.presenter = Presenter(parts, self.steps, window)
        self.writing = LessonWriting(self.steps, parts, window)
        for part in (self.steps, self.writing):
            part.told.connect(self.told)
            part.failed.connect(self.failed)

    def specs(self) -> tuple[ActionSpec, ...]:
        """Return the actions of the menu."""
        lesson, steps, writing = partial(ActionSpec, LESSONS), self.steps, self.writing
        # fmt: off
        return (
            lesson("lessons", "&Open a lesson…", "Ctrl+Shift+E", self.ask_for_lesson,
                "Choose a lesson: texts beside the charts, and questions that the simulator answers"),
            lesson("lesson_pane", "Lesson &pane", "Shift+F9", self.toggle_pane,
                "Show the text of the step at the left, or leave the room to the charts", checkable=True),
            lesson("next_step", "&Next step", "Alt+PgDown", partial(steps.go, 1),
                "Go on in the lesson"),
            lesson("previous_step", "Pre&vious step", "Alt+PgUp", partial(steps.go, -1),
                "Go back in the lesson"),
            lesson("restore_step", "&Back to the lesson", "Ctrl+Shift+R", steps.restore,
                "Show the step again as its author made it"),
            lesson("lift_veil", "&Lift the veil", "Ctrl+Shift+K", steps.lift,
                "Show what comes next, without an answer"),
            lesson("export_scores", "Export &scores…", "", self.export_scores,
                "Write every answer that was checked on this machine as a CSV table"),
            lesson("close_lesson", "&Close the lesson", "", self.close_lesson,
                "Go on with the charts of this step, without the lesson"),
            lesson(SEPARATOR),
            lesson("present", "&Present", "F5", self.presenter.toggle,
                "Show the charts on the whole screen with large text and captions, for a room"),
            lesson(SEPARATOR),
            *writing.specs(lesson),
        )
        # fmt: on

    def follow(self, opened: OpenedDocument) -> None:
        """Show the lesson that was opened, or end the one before."""
        self.steps.follow(opened)

    def values(self) -> dict[str, Any]:
        """Return what a session remembers of the lesson, as a JSON value."""
        return self.steps.values()

    def ask_for_lesson(self) -> None:
        """Let the user choose one of Slotscope's lessons, or a file."""
        gallery = LessonGallery(self._window)
        gallery.chosen.connect(self._parts.files.open)
        gallery.file_wanted.connect(self._parts.files.ask_and_open)
        gallery.open()

    def toggle_pane(self) -> None:
        """Show the pane, or hide it; without a lesson, offer some."""
        if self.steps.walk is None:
            self.ask_for_lesson()
        self.steps.dock.toggle()

    def close_lesson(self) -> None:
        """End the lesson, if its author has saved it or does not want to."""
        if self.writing.may_leave():
            self.steps.leave()

    def export_scores(self) -> None:
        """Ask for a name and write all scores."""
        path = ask_where_to_save(self._window, "Export scores", "scores.csv", SCORES_FILTER)
        if path is None:
            return
        try:
            export_scores(path)
        except InputError as error:
            self.failed.emit(error)
        else:
            self.told.emit(f"All scores are in {path}")

    def place(self, actions: Mapping[str, QAction]) -> None:
        """Put the panels where they wait, out of sight, until their actions ask for them."""
        self.steps.place(actions)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self.presenter.update()
        self.steps.set_theme(theme)

    def close(self) -> None:
        """End what runs: the window closes."""
        self.presenter.leave()
        self.steps.close()
