"""The fields of a question for its author: the common ones, and those of the type that is chosen."""

from __future__ import annotations

from dataclasses import MISSING
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QPlainTextEdit, QWidget

from core.lessons.figures import EVENTS
from core.lessons.questions.question_types import QUESTION_TYPES
from core.lessons.questions.times import EventOfJob, Within
from core.lessons.step_view import FIRST_CHART, ChartPlace
from core.model.time_text import exact_duration
from explorer.widgets.fields import NumberField
from explorer.widgets.layouts import NO_MARGINS, column, named, row
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.lessons.questions.question import LessonQuestion

NO_QUESTION = "Nothing"
GOALS = {"best": "as short as any order", "johnson": "as short as Johnson's order"}
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

    @property
    def entered(self) -> Any:
        """What is chosen; None where there is nothing to choose."""
        return self._values[self.currentIndex()] if self._values else None


class TextLine(QLineEdit):
    """A text of one line."""

    def show_value(self, value: str | None) -> None:
        """Show a text."""
        self.setText(value or "")

    @property
    def entered(self) -> str:
        """The text without blanks around it."""
        return self.text().strip()


class TextLines(QPlainTextEdit):
    """Texts, a line each."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(4 * self.fontMetrics().height() + 8)

    def show_value(self, value: tuple[str, ...] | None) -> None:
        """Show texts."""
        self.setPlainText("\n".join(value or ()))

    @property
    def entered(self) -> tuple[str, ...]:
        """The lines that are not blank."""
        return tuple(line.strip() for line in self.toPlainText().splitlines() if line.strip())


class PlaceInList(NumberField):
    """A place in a list: documents count from 0, people from 1."""

    def __init__(self) -> None:
        super().__init__(1, 100)
        self.setDecimals(0)

    def show_value(self, value: int | None) -> None:
        """Show a place that is counted from 0."""
        self.setValue((value or 0) + 1)

    @property
    def entered(self) -> int:
        """The place, counted from 0."""
        return round(self.value()) - 1


class WithinFields(QWidget):
    """How far a number may be from the right one, in seconds or percent."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = named(NumberField(0.0, 1e9, "s"), "Right within so many seconds")
        self.percent = named(NumberField(0.0, 100.0, "%"), "Right within so many percent")
        row(self.seconds, PlainLabel("or"), self.percent, None, parent=self, margins=NO_MARGINS)

    def show_value(self, value: Within | None) -> None:
        """Show both limits."""
        for field, limit in zip((self.seconds, self.percent), value or Within(), strict=True):
            field.setValue(limit)

    @property
    def entered(self) -> Within:
        """Both limits."""
        return Within(self.seconds.value(), self.percent.value())


class EventFields(QWidget):
    """A job and what happens to it; where a question may do without, the whole schedule stands first."""

    def __init__(self, jobs: Sequence[str], is_optional: bool) -> None:
        super().__init__()
        none = {None: WHOLE_SCHEDULE} if is_optional else {}
        self.job = named(OneOf(none | {name: name for name in jobs}), "Job")
        self.what = named(OneOf({event: event for event in EVENTS}), "What happens")
        row(self.job, self.what, None, parent=self, margins=NO_MARGINS)

    def show_value(self, value: EventOfJob | None) -> None:
        """Show a job and an event."""
        self.job.show_value(value and value.job)
        self.what.show_value(value and value.event)

    @property
    def entered(self) -> EventOfJob | None:
        """The job and the event, or None."""
        return EventOfJob(self.job.entered, self.what.entered) if self.job.entered is not None else None


class OwnField(NamedTuple):
    """How a field of some types is edited: its label, and what makes the control of (jobs, is_optional)."""

    label: str
    control: Callable[[Sequence[str], bool], Any]  # Any: a widget with `entered` and `show_value`


OWN_FIELDS: dict[str, OwnField] = {
    "goal": OwnField("Right if", lambda _jobs, _optional: OneOf(GOALS)),
    "within": OwnField("Right within", lambda _jobs, _optional: WithinFields()),
    "of": OwnField("Job, and what happens", EventFields),
    "slots": OwnField("Slots", lambda _jobs, _optional: OneOf(SLOTS)),
    "choices": OwnField("Answers, a line each", lambda _jobs, _optional: TextLines()),
    "right": OwnField("Right is number", lambda _jobs, _optional: PlaceInList()),
    "why": OwnField("Why it is right", lambda _jobs, _optional: TextLine()),
}
"""The fields that types of questions have besides the common ones, by their names."""


class QuestionForm(QWidget):
    """The fields of a question: the common ones, and those that its type has besides.

    Attributes
    ----------
    own : the controls of each type's own fields, by type and name
    """

    def __init__(self, question: LessonQuestion | None, jobs: Sequence[str], charts: Sequence[str]) -> None:
        super().__init__()
        self._before = question
        kind = question.kind if question else ""
        self.kind = named(QComboBox(), "What students are asked")
        for name, title in {"": NO_QUESTION, **{k: t.title for k, t in QUESTION_TYPES.items()}}.items():
            self.kind.addItem(title, name)
        self.text, self.hint = (TextLine(getattr(question, name, "")) for name in ("text", "hint"))
        self.chart = OneOf({ChartPlace(number): title for number, title in enumerate(charts)})
        self.chart.show_value(getattr(question, "chart", FIRST_CHART))
        self.own = {name: self._own_controls(name, jobs) for name in QUESTION_TYPES}
        self._lay_out()
        self.kind.currentIndexChanged.connect(self._show_fields)
        self.kind.setCurrentIndex(self.kind.findData(kind))
        self._show_fields()

    def _own_controls(self, kind: str, jobs: Sequence[str]) -> dict[str, Any]:
        """Return the controls of a type's own fields; they begin with what the question has."""
        controls: dict[str, Any] = {}  # Any: as `OwnField` says
        for name, field in QUESTION_TYPES[kind].own_fields().items():
            label, make = OWN_FIELDS[name]
            controls[name] = named(make(jobs, field.default is not MISSING), label)
            controls[name].show_value(getattr(self._before, name, None))
        return controls

    def _lay_out(self) -> None:
        self._form = QFormLayout()
        self._form.addRow("Students are &asked", self.kind)
        for text, control in (("Question", self.text), ("Hint", self.hint), ("About the chart", self.chart)):
            self._form.addRow(text, named(control, text))
        for controls in self.own.values():
            for name, control in controls.items():
                self._form.addRow(OWN_FIELDS[name].label, control)
        self._note = PlainLabel("", wraps=True, is_faint=True)
        column(self._form, self._note, parent=self, margins=NO_MARGINS)

    @property
    def value(self) -> LessonQuestion | None:
        """The question, None for none."""
        kind = self.kind.currentData()
        if not kind:
            return None
        chosen = QUESTION_TYPES[kind]
        return chosen(
            text=self.text.entered or f"{chosen.title}?",
            hint=self.hint.entered,
            after=getattr(self._before, "after", ""),
            chart=self.chart.entered or FIRST_CHART,
            **{name: control.entered for name, control in self.own[kind].items()},
        )

    def _show_fields(self) -> None:
        kind = self.kind.currentData()
        for control in (self.text, self.hint):
            self._form.setRowVisible(control, bool(kind))
        self._form.setRowVisible(self.chart, bool(kind) and QUESTION_TYPES[kind].names_chart)
        for name, controls in self.own.items():
            for control in controls.values():
                self._form.setRowVisible(control, name == kind)
        is_computed = bool(kind) and QUESTION_TYPES[kind].is_computed
        self._note.setText("The simulator knows the answer." if is_computed else "")
