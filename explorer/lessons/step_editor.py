"""The author's page of a step, beside its charts: title, texts, veil and question, and what is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QFrame,
    QGroupBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QScrollArea,
    QWidget,
)
from typing_extensions import override

from core.lessons.step_view import ChartPlace, StepVeil
from core.model.visible_text import visible
from explorer.lessons.lesson_text import LessonText
from explorer.lessons.question_form import QuestionForm
from explorer.widgets.layouts import NO_MARGINS, column, named, push_button, row
from explorer.widgets.number_fields import NumberField
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.lessons.lesson import LessonStep
    from core.lessons.lesson_check import StepProblem

SOON_MS = 300
"""So long after the last letter a change is taken over."""
TEXT_LINES, HANDS_LINES, PROBLEM_LINES, MAX_PREVIEW = 7, 3, 5, 220
NO_TEXT = "Markdown: # heading, **bold**, - list, {{makespan 0}} for a figure of the first chart"
NO_HANDS = "Only in the window, never on paper: drag J2 before J1, press Ctrl+Z …"
FROM_CURSOR, FROM_SECONDS = "from the time cursor on", "from these seconds on"
IS_RIGHT = "Nothing is wrong: every question has an answer, and none stands on the board before it is asked."
CHECKING = "Checking…"


class VeilForm(QWidget):
    """Whether a step hides what comes next: from when on, and in which charts.

    Signals
    -------
    changed : something was entered
    """

    changed = Signal()

    def __init__(self, veil: StepVeil | None, charts: Sequence[str]) -> None:
        super().__init__()
        self._before = veil
        self.is_down = QCheckBox("&Veil what comes next until it is answered")
        self.is_down.setChecked(veil is not None)
        self.begin = named(QComboBox(), "From when on it is veiled")
        self.begin.addItems([FROM_CURSOR, FROM_SECONDS])
        self.seconds = named(NumberField(0.0, 1e12, "s"), "Seconds from which on it is veiled")
        has_seconds = veil is not None and veil.begin is not None
        self.begin.setCurrentIndex(int(has_seconds))
        self.seconds.setValue((veil.begin if veil is not None else None) or 0.0)
        hidden = None if veil is None else veil.charts
        self.charts = [QCheckBox(f"in {title}") for title in charts]
        for number, box in enumerate(self.charts):
            box.setChecked(hidden is None or ChartPlace(number) in hidden)
            box.toggled.connect(self._follow)
        self._more = QWidget()
        lines = [row(self.begin, self.seconds, None), *(self.charts if len(self.charts) > 1 else ())]
        column(*lines, parent=self._more, margins=(18, 0, 0, 0))
        column(self.is_down, self._more, parent=self, margins=NO_MARGINS)
        self.is_down.toggled.connect(self._follow)
        self.begin.currentIndexChanged.connect(self._follow)
        self.seconds.valueChanged.connect(self._follow)
        self._show_fields()

    @property
    def value(self) -> StepVeil | None:
        """The veil, None for none."""
        if not self.is_down.isChecked():
            return None
        begin = self.seconds.value() if self.begin.currentIndex() else None
        before = self._before.charts if self._before is not None else None
        guests = tuple(chart for chart in before or () if chart.is_guest)
        own = tuple(ChartPlace(number) for number, box in enumerate(self.charts) if box.isChecked())
        is_all = before is None and len(own) == len(self.charts)
        return StepVeil(begin, None if is_all else (*own, *guests))

    def _follow(self) -> None:
        self._show_fields()
        self.changed.emit()

    def _show_fields(self) -> None:
        self._more.setVisible(self.is_down.isChecked())
        self.seconds.setVisible(self.begin.currentIndex() == 1)


class StepEditor(QWidget):
    """Edits the step that is shown; what is entered is taken over by itself.

    Attributes
    ----------
    shown : the step that it shows, as it is written now; None for none
    is_refused : whether what is entered breaks a rule, and so was not taken over

    Signals
    -------
    edited : the `LessonStep` as it is written now
    place_wanted : the step that a problem is of, by its number from 0, and its part to be mended
    students_wanted : to see the step as students do
    """

    edited = Signal(object)
    place_wanted = Signal(int, str)
    students_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, accessibleName="Step, for its author")
        self._area = QScrollArea(widgetResizable=True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.shown: LessonStep | None = None
        self.is_refused = False
        self.title = named(QLineEdit(), "Title")
        self.text = named(_lines(TEXT_LINES), "Text, in Markdown")
        self.text.setPlaceholderText(NO_TEXT)
        self.hands_on = named(_lines(HANDS_LINES), "What to do in the window")
        self.hands_on.setPlaceholderText(NO_HANDS)
        self.preview = LessonText("Text as students see it")
        self.preview.follow_height(MAX_PREVIEW)
        self.veil: VeilForm | None = None
        self.question: QuestionForm | None = None
        self.students_button = push_button(
            "As &students see it",
            "Show text, question and veil as students see them",
            self.students_wanted,
        )
        self.problems = named(QListWidget(), "What is wrong with the lesson")
        self.problems.setWordWrap(True)
        self.problems.setMaximumHeight(PROBLEM_LINES * self.fontMetrics().height() + 8)
        self.problems.hide()
        self.standing = PlainLabel(CHECKING, wraps=True, is_faint=True)
        self._soon = QTimer(self, singleShot=True, interval=SOON_MS)
        self._soon.timeout.connect(self.take)
        self._lay_out()
        self.title.textChanged.connect(self._on_changed)
        self.text.textChanged.connect(self._on_changed)
        self.hands_on.textChanged.connect(self._on_changed)
        self.problems.itemActivated.connect(self._on_problem)
        self.problems.itemClicked.connect(self._on_problem)

    def _lay_out(self) -> None:
        head = QFormLayout()
        head.addRow("&Title", self.title)
        seen = QGroupBox("As students read it")
        column(self.preview, parent=seen)
        self._forms = column(margins=NO_MARGINS)
        page = QWidget()
        column(
            row(self.students_button, None),
            head,
            PlainLabel("Text"),
            self.text,
            PlainLabel("To do in the window"),
            self.hands_on,
            seen,
            self._forms,
            None,
            parent=page,
            margins=(8, 4, 8, 8),
            spacing=6,
        )
        self._area.setWidget(page)
        # below what scrolls: a problem that comes moves no field
        foot = column(self.standing, self.problems, margins=(8, 4, 8, 8))
        column((self._area, 1), foot, parent=self, margins=NO_MARGINS, spacing=0)

    def show_step(self, step: LessonStep, jobs: Sequence[str], charts: Sequence[str]) -> None:
        """Show a step; what was entered before and not taken over is gone.

        Parameters
        ----------
        step : the step
        jobs : names of the jobs that a question may be about
        charts : titles of its charts
        """
        self._soon.stop()
        self.shown, self.is_refused = step, False
        for field, text in ((self.text, step.text), (self.hands_on, step.hands_on)):
            field.blockSignals(True)
            field.setPlainText(text)
            field.blockSignals(False)
        self.title.blockSignals(True)
        self.title.setText(step.title)
        self.title.blockSignals(False)
        self._drop_forms()
        self.veil, self.question = VeilForm(step.veil, charts), QuestionForm(step.question, jobs, charts)
        for form in (self.veil, self.question):
            self._forms.addWidget(form)
            form.changed.connect(self._on_changed)
        self.preview.show_text(step.window_text)

    def _drop_forms(self) -> None:
        for form in (self.veil, self.question):
            if form is not None:
                self._forms.removeWidget(form)
                form.hide()
                form.deleteLater()
        self.veil = self.question = None

    def clear(self) -> None:
        """Let go of the step that was shown."""
        self._soon.stop()
        self.shown, self.is_refused = None, False
        self._drop_forms()

    @property
    def step(self) -> LessonStep:
        """The step as it is written now."""
        assert self.shown is not None
        assert self.veil is not None
        assert self.question is not None
        return replace(
            self.shown,
            title=self.title.text().strip(),
            text=self.text.toPlainText(),
            hands_on=self.hands_on.toPlainText().strip(),
            veil=self.veil.value,
            question=self.question.value,
        )

    def take(self) -> None:
        """Take over what was entered, if anything was."""
        self._soon.stop()
        if self.shown is not None and ((step := self.step) != self.shown or self.is_refused):
            self.edited.emit(step)

    def _on_changed(self) -> None:
        if self.shown is not None:
            self._soon.start()

    def show_checking(self) -> None:
        """Say that the lesson is looked through."""
        self.standing.setText(CHECKING)

    def show_problems(self, problems: Sequence[tuple[int, StepProblem]]) -> None:
        """Show what is wrong with the lesson: numbers of steps from 0, each with what is wrong there."""
        self.problems.clear()
        for number, (part, sentence) in problems:
            item = QListWidgetItem(f"Step {number + 1}: {visible(sentence)}")
            item.setData(Qt.ItemDataRole.UserRole, (number, part))
            item.setToolTip(visible(sentence))
            self.problems.addItem(item)
        self.problems.setVisible(bool(problems))
        count = len(problems)
        self.standing.setText(
            IS_RIGHT if not count else f"{count} problem{'s' * (count > 1)}; click one to go there."
        )

    def _on_problem(self, item: QListWidgetItem) -> None:
        self.place_wanted.emit(*item.data(Qt.ItemDataRole.UserRole))

    def focus(self, part: str) -> None:
        """Let the author type into a part of the step, such as "title"; nowhere for its view."""
        question, veil = self.question, self.veil
        fields: dict[str, QWidget | None] = {
            "title": self.title,
            "text": self.text,
            "hands_on": self.hands_on,
            "veil": veil and veil.is_down,
            "question": question and (question.text if question.text.isVisibleTo(self) else question.kind),
        }
        field = fields.get(part)
        if field is not None:
            self._area.ensureWidgetVisible(field)
            field.setFocus(Qt.FocusReason.OtherFocusReason)

    @override
    def sizeHint(self) -> QSize:
        return QSize(56 * self.fontMetrics().averageCharWidth(), 500)

    @override
    def minimumSizeHint(self) -> QSize:
        page = self._area.widget()
        bar = self._area.verticalScrollBar().sizeHint().width()
        return QSize((page.minimumSizeHint().width() if page else 0) + bar, 240)


def _lines(count: int) -> QPlainTextEdit:
    """Return a field for so many lines of text, in which Tab goes on."""
    field = QPlainTextEdit(tabChangesFocus=True)
    field.setFixedHeight(count * field.fontMetrics().lineSpacing() + 10)
    return field
