"""Dialogs for authors: what a lesson is called, and a step's title, text, question and veil."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QSplitter,
    QWidget,
)

from core.lessons.lesson import LessonStep
from core.lessons.step_view import StepVeil, StepView
from explorer.lessons.lesson_text import LessonText
from explorer.lessons.question_form import QuestionForm
from explorer.widgets.layouts import column, named, resize_on_screen

if TYPE_CHECKING:
    from collections.abc import Sequence

PREVIEW_MS = 150
NO_TEXT = "Markdown: # heading, **bold**, - list, {{makespan 0}} for a figure of the first chart"


class LessonDialog(QDialog):
    """Edits the name of a lesson, a new one or with its summary one that is there.

    Signals
    -------
    written : name of the lesson, what one learns, and the title of its first step
    """

    written = Signal(str, str, str)

    def __init__(self, name: str, parent: QWidget | None = None, summary: str | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("New lesson" if summary is None else "Rename the lesson")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.name = named(QLineEdit(name), "Name of the lesson")
        self.summary = named(QLineEdit(summary or ""), "What one learns, in a sentence")
        self.title = named(QLineEdit("The first step"), "Title of the first step")
        form = QFormLayout()
        form.addRow("&Lesson", self.name)
        form.addRow("&What one learns", self.summary)
        if summary is None:
            form.addRow("&First step", self.title)
        self._buttons = _buttons(self)
        column(form, self._buttons, parent=self)
        for field in (self.name, self.title):
            field.textChanged.connect(self._enable)
        self.accepted.connect(self._emit_written)
        resize_on_screen(self, 520, 180)

    def _enable(self) -> None:
        is_named = bool(self.name.text().strip() and self.title.text().strip())
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(is_named)

    def _emit_written(self) -> None:
        self.written.emit(*(field.text().strip() for field in (self.name, self.summary, self.title)))


class StepDialog(QDialog):
    """Edits title, text, question and veil of a step; the text is shown beside as students see it.

    Signals
    -------
    written : the `LessonStep`; of a new one the view is empty
    """

    written = Signal(object)

    def __init__(
        self,
        step: LessonStep | None,
        jobs: Sequence[str],
        charts: Sequence[str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._step = step or LessonStep("", "", StepView("", ()))
        self.setWindowTitle("Edit the step" if step else "Add this view as a step")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.title = named(QLineEdit(self._step.title), "Title")
        self.text = named(QPlainTextEdit(self._step.text), "Text, in Markdown")
        self.text.setPlaceholderText(NO_TEXT)
        self.preview = LessonText("Text as students see it")
        self.veil = QCheckBox("&Veil what comes after the time cursor until it is answered")
        self.veil.setChecked(self._step.veil is not None)
        self.question = QuestionForm(self._step.question, jobs, charts)
        self._buttons = _buttons(self)
        self._lay_out()
        self._soon = QTimer(self, singleShot=True, interval=PREVIEW_MS)
        self._soon.timeout.connect(self._show_preview)
        self.text.textChanged.connect(self._soon.start)
        self.title.textChanged.connect(self._enable)
        self.accepted.connect(lambda: self.written.emit(self.step))
        self._show_preview()
        self._enable()
        resize_on_screen(self, 820, 620)

    def _lay_out(self) -> None:
        beside = QSplitter(Qt.Orientation.Horizontal)
        beside.addWidget(self.text)
        beside.addWidget(self.preview)
        beside.setChildrenCollapsible(False)
        form = QFormLayout()
        form.addRow("&Title", self.title)
        column(form, (beside, 1), self.veil, self.question, self._buttons, parent=self)

    @property
    def step(self) -> LessonStep:
        """The step as it is written now."""
        veil = (self._step.veil or StepVeil()) if self.veil.isChecked() else None
        title, text = self.title.text().strip(), self.text.toPlainText()
        return replace(self._step, title=title, text=text, veil=veil, question=self.question.value)

    def _show_preview(self) -> None:
        self.preview.show_text(self.text.toPlainText())

    def _enable(self) -> None:
        ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(bool(self.title.text().strip()))


def _buttons(dialog: QDialog) -> QDialogButtonBox:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
    box.accepted.connect(dialog.accept)
    box.rejected.connect(dialog.reject)
    return box
