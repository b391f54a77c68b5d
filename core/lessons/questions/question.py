"""What every type of question has: fields, a form of answer, a right and a wrong one, a verdict on any."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import Field, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np

from core.explain.critical_path import critical_path
from core.explain.path_words import link_sentence
from core.lessons.figures import filled
from core.lessons.step_view import FIRST_CHART, ChartPlace
from core.model.errors import Problem, text_problems
from core.model.time_text import exact_clock, exact_duration

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Self

    from core.lessons.simulated_view import SimulatedView
    from core.lessons.step_view import StepView
    from core.model.schedule import Schedule
    from core.model.workload import Workload

    Workloads = Mapping[ChartPlace, Workload]

Answer = Any
"""A name, names, a number, the number of a slot or of a text, or a chart, as the type of question has it."""

SAME = 1e-9
"""Times that differ relatively by less are one time."""
MAX_LINKS = 6
"""Of the chain behind a makespan that are listed one by one."""


@dataclass(frozen=True)
class ListAnswer:
    """One of the options; `clicked` is what a click in the chart chooses: a job, a slot or nothing."""

    clicked: Literal["", "job", "slot"] = ""


@dataclass(frozen=True)
class NumberAnswer:
    """A number with a unit; `noun` is the unit in full: "seconds"."""

    unit: str
    noun: str


@dataclass(frozen=True)
class OrderAnswer:
    """The order into which the jobs of the active scenario were dragged."""


@dataclass(frozen=True)
class HandAnswer:
    """What was picked for every slot in a game of being the scheduler."""


AnswerForm = ListAnswer | NumberAnswer | OrderAnswer | HandAnswer


class Option(NamedTuple):
    """One answer to choose: its value, its text, and the job whose colour stands beside it, -1 for none."""

    value: Answer
    text: str
    job: int = -1


@dataclass(frozen=True)
class LookAt:
    """What shows why: the time cursor (seconds, decisions over), a job by its name, a task and a slot.

    -1 for no task and for no slot, empty for no job, None for no cursor.
    """

    chart: ChartPlace
    cursor: tuple[float, int] | None = None
    job: str = ""
    task: int = -1
    slot: int = -1


@dataclass(frozen=True)
class Verdict:
    """The verdict on an answer.

    Attributes
    ----------
    is_right : whether it is right
    near : how near it is, as a sentence: "2 s (5 %) too little."; empty where it is right or wrong alone
    truth : what the simulator does, in a sentence
    reasons : why, in sentences
    after : what the author adds once it is answered; Markdown
    look : where to look
    lifts_to : seconds up to which the veil lifts; infinite for all of it
    """

    is_right: bool
    near: str
    truth: str
    reasons: tuple[str, ...]
    after: str
    look: LookAt
    lifts_to: float = math.inf


def as_it_is(value: Any) -> Any:  # Any: a JSON value
    """Return a value that is its own JSON value."""
    return value


def in_json(read: Callable[[Any], Any], write: Callable[[Any], Any] = as_it_is) -> dict[str, Any]:
    """Return the metadata of a field whose value and JSON value differ: how one becomes the other."""
    return {"read": read, "write": write}


@dataclass(frozen=True, kw_only=True)
class LessonQuestion(ABC):
    """The question of a step; a subclass is a type of question.

    What a type has besides are fields of its dataclass, by their keys in documents: without a default a
    document must have them, and a value that is the default is not written.

    Attributes
    ----------
    kind : of the type: its name in documents
    title : of the type, where authors choose one
    answer_form : of the type: how it is answered
    names_chart : of the type: whether it is about one chart, which an author chooses; else about all
    takes_guests : of the type: whether that may be a guest, which is only looked at
    is_read_off : of the type: whether a chart shows the answer, unless it is veiled
    is_computed : of the type: whether the simulator knows the answer; else the author does
    text, hint : what is asked, and what helps; Markdown
    after : what is added once it is answered, beside the verdict; Markdown
    chart : what it is about
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    answer_form: ClassVar[AnswerForm]
    names_chart: ClassVar[bool] = True
    takes_guests: ClassVar[bool] = True
    is_read_off: ClassVar[bool] = False
    is_computed: ClassVar[bool] = True

    text: str
    hint: str = ""
    after: str = ""
    chart: ChartPlace = FIRST_CHART

    # ---- documents

    @classmethod
    def own_fields(cls) -> dict[str, Field[Any]]:
        """Return the fields that this type has besides the common ones, by their keys in documents."""
        common = {each.name for each in fields(LessonQuestion)}
        return {each.name: each for each in fields(cls) if each.name not in common}

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Self:
        """Return the question of a part of a document that keeps the schema and has the type's keys."""
        texts = {key: document[key] for key in ("text", "hint", "after") if key in document}
        given = {key: each for key, each in cls.own_fields().items() if key in document}
        own = {key: each.metadata.get("read", as_it_is)(document[key]) for key, each in given.items()}
        return cls(**texts, **own, chart=ChartPlace.from_json(document))

    def to_json(self) -> dict[str, Any]:
        """Return the question as a JSON value; reading it gives the same question."""
        document: dict[str, Any] = {"kind": self.kind, "text": self.text}
        document |= {key: text for key in ("hint", "after") if (text := getattr(self, key))}
        if self.chart != FIRST_CHART:
            document |= self.chart.to_json()
        for key, each in self.own_fields().items():
            if (value := getattr(self, key)) != each.default:
                document[key] = each.metadata.get("write", as_it_is)(value)
        return document

    def problems(self, view: StepView, workloads: Workloads, where: str) -> Iterator[Problem]:
        """Yield the rules between values that it breaks; `workloads` are those of the view's charts."""
        for key in ("text", "hint", "after"):
            yield from text_problems(f"{where}.{key}", getattr(self, key))
        if mistakes := list(view.chart_problems(self.chart, where)):
            yield from mistakes
            return
        if self.chart.is_guest and not self.takes_guests:
            rule = f"a question of kind '{self.kind}' is answered in a scenario; guests are only looked at"
            yield Problem(f"{where}.guest", str(self.chart.number), rule)
        yield from self.own_problems(view, workloads, where)

    def own_problems(self, view: StepView, workloads: Workloads, where: str) -> Iterator[Problem]:
        """Yield the rules of this type that it breaks."""
        return iter(())

    def charts(self, view: StepView) -> tuple[ChartPlace, ...]:
        """Return the charts of a view that it is about."""
        return (self.chart,) if self.names_chart else view.charts

    # ---- texts

    @property
    def printed_choices(self) -> tuple[str, ...]:
        """The answers that are part of the question wherever it is read; Markdown."""
        return ()

    @property
    def early_texts(self) -> tuple[str, ...]:
        """The texts that are shown before it is answered."""
        return (self.text, self.hint, *self.printed_choices)

    @property
    def late_texts(self) -> tuple[str, ...]:
        """The texts that are shown once it is answered."""
        return (self.after,)

    @property
    def markdown(self) -> str:
        """The question with its choices, on slides and worksheets."""
        choices = "\n".join(f"{number}. {choice}" for number, choice in enumerate(self.printed_choices, 1))
        return f"**{self.text}**\n\n{choices}".rstrip()

    def with_figures(self, simulated: SimulatedView) -> Self:
        """Return it with the figures of its early texts filled in; raises what `filled` raises."""
        return replace(self, text=filled(self.text, simulated), hint=filled(self.hint, simulated))

    # ---- answers; each of these raises InputError where there is none, and what simulating raises

    def options(self, simulated: SimulatedView) -> list[Option]:
        """Return the answers to choose from, for a `ListAnswer`."""
        return []

    @abstractmethod
    def right_answer(self, simulated: SimulatedView) -> Answer:
        """Return an answer that is right."""

    @abstractmethod
    def wrong_answer(self, simulated: SimulatedView) -> Answer | None:
        """Return an answer that is wrong, None if there is none."""

    @abstractmethod
    def answer_text(self, simulated: SimulatedView, answer: Answer) -> str:
        """Return an answer as text, for a list of answers: "J2, J1", "42 s", "M4"."""

    @abstractmethod
    def judge(self, simulated: SimulatedView, answer: Answer) -> Verdict:
        """Return the verdict on an answer; InputError for what is no answer to this question."""

    def accepts(self, simulated: SimulatedView, answer: Answer) -> bool:
        """Return whether an answer is right; raises what `judge` raises."""
        return self.judge(simulated, answer).is_right

    # ---- what gives the answer away

    def answer_times(self, simulated: SimulatedView) -> dict[ChartPlace, float]:
        """Return up to when (seconds) charts have to be drawn to show the answer; empty if none shows it."""
        return {}

    def telling_texts(self, simulated: SimulatedView, chart: ChartPlace) -> frozenset[str]:
        """Return the figures of a chart from which its answer can be read, as they are printed."""
        return frozenset()

    def lifts_to(self, simulated: SimulatedView) -> float:
        """Return up to when the veil lifts, in seconds: halfway to what comes after that which was asked for.

        Infinite for all of it: where charts do not show the answer, or nothing comes after it.
        """
        times = self.answer_times(simulated) if self.is_read_off else {}
        if not times:
            return math.inf
        asked = max(times.values())
        schedules = [simulated.schedule(chart) for chart in times]
        events = np.concatenate([np.r_[each.start, each.shuffled, each.end] for each in schedules])
        later = events[events > asked * (1 + SAME)]
        return (asked + float(later.min())) / 2 if len(later) else math.inf

    def verdict(
        self,
        simulated: SimulatedView,
        is_right: bool,
        truth: str,
        reasons: tuple[str, ...],
        near: str = "",
        **look: Any,  # Any: each field of a `LookAt` has its type
    ) -> Verdict:
        """Return a verdict; `look` has the fields of what to look at."""
        place = LookAt(**{"chart": self.chart, **look})
        after = filled(self.after, simulated)
        return Verdict(is_right, near, truth, reasons, after, place, self.lifts_to(simulated))

    def schedule(self, simulated: SimulatedView) -> Schedule:
        """Return the schedule that the question is about."""
        return simulated.schedule(self.chart)


def chain_sentences(schedule: Schedule) -> tuple[str, ...]:
    """Return what the makespan is made of, link by link where they are few."""
    if schedule.record is not None:
        return ()
    path = critical_path(schedule)
    if len(path.links) <= MAX_LINKS:
        return tuple(
            f"{exact_clock(link.begin)} to {exact_clock(link.end)}: {link_sentence(schedule, link)}."
            for link in path.links
        )
    spans = [f"{cause.value} {exact_duration(spent)}" for cause, spent in path.totals().items() if spent > 0]
    return (f"The chain of tasks behind {exact_duration(schedule.makespan)}: {', '.join(spans)}.",)
