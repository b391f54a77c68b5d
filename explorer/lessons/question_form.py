"""The fields of a question for its author: the common ones, and those of the type that is chosen."""

from __future__ import annotations

from dataclasses import MISSING
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QFormLayout, QLineEdit, QPlainTextEdit, QWidget

from core.lessons.figures import EVENTS
from core.lessons.hand_aims import AIMS
from core.lessons.questions.question_types import QUESTION_TYPES
from core.lessons.questions.times import EventOfJob, Within
from core.lessons.step_view import FIRST_CHART, ChartPlace
from core.model.objectives import OBJECTIVES
from core.model.time_text import exact_duration
from explorer.widgets.layouts import NO_MARGINS, column, named, row
from explorer.widgets.number_fields import NumberField
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.lessons.questions.question import LessonQuestion

NO_QUESTION = "Nothing"
GOALS = {"best": "as good as any order", "johnson": "as good as Johnson's order"}
AIM_TITLES = {aim: OBJECTIVES[aim].title.lower() for aim in AIMS}
SLOTS = {"": "any slot", "map": "map slots alone", "reduce": "reduce slots alone"}
WHOLE_SCHEDULE = "the whole schedule"


class OneOf(QComboBox):
    """One of some values; a value that is not among them is added to them."""

    def __init__(self, texts: Mapping[Any, str]) -> None:
        super().__init__()
        self._values = list(texts)
        self.addItems(list(texts.values()))

    def show_value(self, value: Any) -> None:
        """Choose a value; None chooses the first one."""
        if value is not None and value not in self._values:
            self._values.append(value)
            self.addItem(exact_duration(value) if isinstance(value, float) else str(value))
        self.setCurrentIndex(self._values.index(value) if value in self._values else 0)

    def entered(self) -> Any:
        """What is chosen; None where there is nothing to choose."""
        return self._values[self.currentIndex()] if self._values else None


class FieldControl(NamedTuple):
    """A widget to enter something: how that is read, and how a value is shown, None for nothing yet."""

    widget: QWidget
    entered: Callable[[], Any]  # Any, here and below: each field of a question has its type
    show: Callable[[Any], object]


def one_of(texts: Mapping[Any, str]) -> FieldControl:
    """Return a control for one of some values."""
    box = OneOf(texts)
    return FieldControl(box, box.entered, box.show_value)


def text_line() -> FieldControl:
    """Return a control for a text of one line."""
    field = QLineEdit()
    return FieldControl(field, lambda: field.text().strip(), lambda text: field.setText(text or ""))


def text_lines() -> FieldControl:
    """Return a control for texts, a line each; blank lines do not count."""
    field = QPlainTextEdit()
    field.setFixedHeight(4 * field.fontMetrics().height() + 8)

    def entered() -> tuple[str, ...]:
        return tuple(line.strip() for line in field.toPlainText().splitlines() if line.strip())

    return FieldControl(field, entered, lambda texts: field.setPlainText("\n".join(texts or ())))


def place() -> FieldControl:
    """Return a control for a place in a list: documents count from 0, people from 1."""
    field = NumberField(1, 100)
    field.setDecimals(0)
    return FieldControl(
        field, lambda: round(field.value()) - 1, lambda number: field.setValue((number or 0) + 1)
    )


def limits() -> FieldControl:
    """Return a control for how far a number may be from the right one, in seconds or percent."""
    seconds = named(NumberField(0.0, 1e9, "s"), "Right within so many seconds")
    percent = named(NumberField(0.0, 100.0, "%"), "Right within so many percent")

    def show(within: Within | None) -> None:
        for field, limit in zip((seconds, percent), within or Within(), strict=True):
            field.setValue(limit)

    widget = QWidget()
    row(seconds, PlainLabel("or"), percent, None, parent=widget, margins=NO_MARGINS)
    return FieldControl(widget, lambda: Within(seconds.value(), percent.value()), show)


def event_of_job(jobs: Sequence[str], is_optional: bool) -> FieldControl:
    """Return a control for a job and what happens to it; if optional, the whole schedule stands first."""
    whole = {None: WHOLE_SCHEDULE} if is_optional else {}
    job = named(OneOf(whole | {name: name for name in jobs}), "Job")
    event = named(OneOf({event: event for event in EVENTS}), "What happens")

    def entered() -> EventOfJob | None:
        name = job.entered()
        return None if name is None and is_optional else EventOfJob(name or "", event.entered())

    def show(of: EventOfJob | None) -> None:
        job.show_value(of and of.job)
        event.show_value(of and of.event)

    widget = QWidget()
    row(job, event, None, parent=widget, margins=NO_MARGINS)
    return FieldControl(widget, entered, show)


OWN_FIELDS: dict[str, tuple[str, Callable[[Sequence[str], bool], FieldControl]]] = {
    "goal": ("Right if", lambda _jobs, _optional: one_of(GOALS)),
    "objective": ("Small shall be", lambda _jobs, _optional: one_of(AIM_TITLES)),
    "within": ("Right within", lambda _jobs, _optional: limits()),
    "of": ("Job, and what happens", event_of_job),
    "slots": ("Slots", lambda _jobs, _optional: one_of(SLOTS)),
    "choices": ("Answers, a line each", lambda _jobs, _optional: text_lines()),
    "right": ("Right is number", lambda _jobs, _optional: place()),
    "why": ("Why it is right", lambda _jobs, _optional: text_line()),
}
"""The own fields of types of questions: the label, and what makes the control of (jobs, is_optional)."""


class QuestionForm(QWidget):
    """The fields of a question: the common ones, and those that its type has besides.

    Attributes
    ----------
    own : the controls of each type's own fields, by type and name

    Signals
    -------
    changed : something was entered
    """

    changed = Signal()

    def __init__(self, question: LessonQuestion | None, jobs: Sequence[str], charts: Sequence[str]) -> None:
        super().__init__()
        self._before = question
        self.kind = named(QComboBox(), "What students are asked")
        self.kind.addItem(NO_QUESTION, "")
        for name, each in QUESTION_TYPES.items():
            self.kind.addItem(each.title, name)
        self.text, self.hint = (QLineEdit(getattr(question, name, "")) for name in ("text", "hint"))
        for field in (self.text, self.hint):
            field.setCursorPosition(0)  # a long text is seen from its beginning
        self.chart = OneOf({ChartPlace(number): title for number, title in enumerate(charts)})
        self.chart.show_value(getattr(question, "chart", FIRST_CHART))
        self.own = {
            name: {
                key: OWN_FIELDS[key][1](jobs, field.default is not MISSING)
                for key, field in each.own_fields().items()
            }
            for name, each in QUESTION_TYPES.items()
        }
        self._lay_out()
        self.kind.currentIndexChanged.connect(self._show_fields)
        self.kind.setCurrentIndex(self.kind.findData(question.kind if question else ""))
        self._show_fields()
        for controls in self.own.values():
            if "choices" in controls and "right" in controls:
                self._count_choices(controls["choices"], controls["right"].widget)
        self._watch()

    def _count_choices(self, choices: FieldControl, right: QWidget) -> None:
        """Let no choice be right that is not there."""
        assert isinstance(choices.widget, QPlainTextEdit)
        assert isinstance(right, QDoubleSpinBox)

        def count() -> None:
            right.setMaximum(max(len(choices.entered()), 1))

        choices.widget.textChanged.connect(count)
        count()

    def _watch(self) -> None:
        """Emit `changed` when any field changes; spin boxes are followed by their values."""
        for box in self.findChildren(QComboBox):
            box.currentIndexChanged.connect(self.changed)
        for number in self.findChildren(QDoubleSpinBox):
            number.valueChanged.connect(self.changed)
        for lines in self.findChildren(QPlainTextEdit):
            lines.textChanged.connect(self.changed)
        for line in self.findChildren(QLineEdit):
            if not isinstance(line.parent(), QDoubleSpinBox):
                line.textChanged.connect(self.changed)

    def _lay_out(self) -> None:
        self._form = QFormLayout()
        self._form.addRow("Students are &asked", self.kind)
        rows = [("Question", self.text), ("Hint", self.hint), ("About the chart", self.chart)]
        for controls in self.own.values():
            for key, control in controls.items():
                control.show(getattr(self._before, key, None))
                rows.append((OWN_FIELDS[key][0], control.widget))
        for label, widget in rows:
            self._form.addRow(label, named(widget, label))
        self._note = PlainLabel("", wraps=True, is_faint=True)
        column(self._form, self._note, parent=self, margins=NO_MARGINS)

    @property
    def value(self) -> LessonQuestion | None:
        """The question, None for none."""
        kind = self.kind.currentData()
        if not kind:
            return None
        return QUESTION_TYPES[kind](
            text=self.text.text().strip() or f"{QUESTION_TYPES[kind].title}?",
            hint=self.hint.text().strip(),
            after=getattr(self._before, "after", ""),
            chart=self.chart.entered() or FIRST_CHART,
            **{key: control.entered() for key, control in self.own[kind].items()},
        )

    def _show_fields(self) -> None:
        kind = self.kind.currentData()
        chosen = QUESTION_TYPES.get(kind)
        for field in (self.text, self.hint):
            self._form.setRowVisible(field, chosen is not None)
        self._form.setRowVisible(self.chart, chosen is not None and chosen.names_chart)
        for name, controls in self.own.items():
            for control in controls.values():
                self._form.setRowVisible(control.widget, name == kind)
        is_computed = chosen is not None and chosen.is_computed
        self._note.setText("The simulator knows the answer." if is_computed else "")
