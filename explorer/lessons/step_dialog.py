"""Dialogs for authors: what a lesson is called, and a step's title, text, question and veil."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QSplitter,
    QWidget,
)

from core.lessons.lesson import EVENTS, ChartPlace, LessonQuestion, LessonStep, StepVeil, StepView
from explorer.lessons.lesson_text import LessonText
from explorer.widgets.fields import NumberField
from explorer.widgets.layouts import NO_MARGINS, column, named, resize_on_screen
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

NO_QUESTION = "Nothing"
KINDS = {
    "": NO_QUESTION,
    "next-job": "Which job gets the next slot, at the time cursor",
    "order": "Which order of the jobs is good enough",
    "by-hand": "To give every slot to a job by hand",
    "makespan": "How long the schedule takes",
    "idle-first": "Which slot stands idle first",
    "time": "When something happens to a job",
    "ends-first": "Which chart ends first",
    "choice": "One of some texts",
}
REACHING = ("order", "by-hand")
"""Questions that are answered by a schedule that is short enough."""
GOALS = {"best": "as short as any order", "johnson": "as short as Johnson's order"}
PREVIEW_MS = 150
NO_TEXT = "Markdown: # heading, **bold**, - list, {{makespan 0}} for a figure of the first chart"


class LessonDialog(QDialog):
    """Asks what a new lesson is called, or with a summary, what one is to be called that is there.

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
        self.accepted.connect(self._tell)
        resize_on_screen(self, 520, 180)

    def _enable(self) -> None:
        is_named = bool(self.name.text().strip() and self.title.text().strip())
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(is_named)

    def _tell(self) -> None:
        self.written.emit(*(field.text().strip() for field in (self.name, self.summary, self.title)))


class StepDialog(QDialog):
    """Asks for title, text, question and veil of a step; the text is shown beside as students see it.

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
        written = self.title.text().strip(), self.text.toPlainText()
        title, text = written
        return replace(self._step, title=title, text=text, veil=veil, question=self.question.value)

    def _show_preview(self) -> None:
        self.preview.show_text(self.text.toPlainText())

    def _enable(self) -> None:
        ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(bool(self.title.text().strip()))


class QuestionForm(QWidget):
    """The fields of a question: those that its kind has."""

    def __init__(self, question: LessonQuestion | None, jobs: Sequence[str], charts: Sequence[str]) -> None:
        super().__init__()
        self._before = question or LessonQuestion("", "")
        asked = self._before
        self.kind, self.chart, self.job, self.happens, self.goal = (QComboBox() for _ in range(5))
        for kind, text in KINDS.items():
            self.kind.addItem(text, kind)
        for place, title in enumerate(charts):
            self.chart.addItem(title, place)
        self.job.addItems(list(jobs))
        self.happens.addItems(EVENTS)
        for goal, text in GOALS.items():
            self.goal.addItem(text, goal)
        self.text, self.hint, self.why = (QLineEdit(part) for part in (asked.text, asked.hint, asked.why))
        self.within = NumberField(0.0, 1e9, "s")
        self.within.setValue(asked.within)
        self.choices = QPlainTextEdit("\n".join(asked.choices))
        self.choices.setFixedHeight(4 * self.fontMetrics().height() + 8)
        self.right = NumberField(1, 100)
        self.right.setDecimals(0)
        self.right.setValue(asked.right + 1)
        self._rows = self._lay_out()
        self.kind.currentIndexChanged.connect(self._show_fields)
        self.kind.setCurrentIndex(max(0, self.kind.findData(asked.kind)))
        self.chart.setCurrentIndex(0 if asked.chart.is_guest else asked.chart.number)
        self.job.setCurrentText(asked.job)
        self.happens.setCurrentText(asked.event)
        self.goal.setCurrentIndex(max(0, self.goal.findData(asked.goal)))
        self._show_fields()

    def _lay_out(self) -> dict[str, tuple[QWidget, tuple[str, ...]]]:
        """Put the fields into a form; return each with the kinds that have it."""
        all_kinds = tuple(kind for kind in KINDS if kind)
        rows: dict[str, tuple[QWidget, tuple[str, ...]]] = {
            "Question": (self.text, all_kinds),
            "Hint": (self.hint, all_kinds),
            "About the chart": (self.chart, ("next-job", *REACHING, "makespan", "idle-first", "time")),
            "Job": (self.job, ("time",)),
            "What happens": (self.happens, ("time",)),
            "Right if": (self.goal, REACHING),
            "Right within": (self.within, ("makespan", "time")),
            "Answers, a line each": (self.choices, ("choice",)),
            "Right is number": (self.right, ("choice",)),
            "Why it is right": (self.why, ("choice",)),
        }
        self._form = QFormLayout()
        self._form.addRow("Students are &asked", named(self.kind, "What students are asked"))
        for text, (field, _) in rows.items():
            self._form.addRow(text, named(field, text))
        self._note = PlainLabel("", wraps=True, is_faint=True)
        column(self._form, self._note, parent=self, margins=NO_MARGINS)
        return rows

    @property
    def value(self) -> LessonQuestion | None:
        """The question, None for none."""
        kind = self.kind.currentData()
        if not kind:
            return None
        is_time, chart = kind == "time", self.chart.currentData() or 0
        keeps_guest = self._before.chart.is_guest and kind == self._before.kind
        return replace(
            self._before,
            kind=kind,
            text=self.text.text().strip() or f"{KINDS[kind]}?",
            hint=self.hint.text().strip(),
            chart=self._before.chart if keeps_guest else ChartPlace(chart),
            job=self.job.currentText() if is_time else self._before.job if kind == "ends-first" else "",
            event=self.happens.currentText() if is_time else "",
            within=self.within.value() if kind in ("makespan", "time") else 0.0,
            goal=self.goal.currentData() if kind in REACHING else "best",
            choices=self._choices() if kind == "choice" else (),
            right=round(self.right.value()) - 1 if kind == "choice" else 0,
            why=self.why.text().strip() if kind == "choice" else "",
        )

    def _choices(self) -> tuple[str, ...]:
        lines = (line.strip() for line in self.choices.toPlainText().splitlines())
        return tuple(line for line in lines if line)

    def _show_fields(self) -> None:
        kind = self.kind.currentData()
        for field, kinds in self._rows.values():
            self._form.setRowVisible(field, kind in kinds)
        self._note.setText("" if kind in ("", "choice") else "The simulator knows the answer.")


def _buttons(dialog: QDialog) -> QDialogButtonBox:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
    box.accepted.connect(dialog.accept)
    box.rejected.connect(dialog.reject)
    return box
