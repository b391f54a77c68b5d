"""How long all takes, and when something happens to a job; both are answered by seconds."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from typing_extensions import override

from core.explain.task_reason import task_reason
from core.lessons.figures import event_phrase, job_event
from core.lessons.questions.question import (
    SAME,
    LessonQuestion,
    NumberAnswer,
    chain_sentences,
    in_json,
)
from core.lessons.step_view import job_problems
from core.model.errors import InputError, UnknownName
from core.model.time_text import exact_clock, exact_duration, percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.lessons.figures import JobEvent
    from core.lessons.questions.question import Answer, Verdict, Workloads
    from core.lessons.simulated_view import SimulatedView
    from core.lessons.step_view import ChartPlace, StepView
    from core.model.errors import Problem
    from core.model.schedule import Schedule

ROUNDING = 0.5
"""Seconds that a number may be wrong where the question does not say how many."""


class Within(NamedTuple):
    """How far a number may be from the right one: the larger of seconds and percent of it."""

    seconds: float = 0.0
    percent: float = 0.0

    @staticmethod
    def from_json(document: dict[str, Any]) -> Within:
        """Return the value of a document; a number that it leaves out is 0."""
        return Within(float(document.get("seconds", 0)), float(document.get("percent", 0)))

    def to_json(self) -> dict[str, float]:
        """Return it without what is 0."""
        return {unit: value for unit, value in self._asdict().items() if value}


class EventOfJob(NamedTuple):
    """What happens to which job: its name, and one of `EVENTS`."""

    job: str
    event: str = "ends"

    def time_in(self, schedule: Schedule) -> JobEvent:
        """Return when it happens in a schedule; UnknownName if there is no such job."""
        known = schedule.workload.job_index
        if self.job not in known:
            raise UnknownName("job", self.job, known)
        return job_event(schedule, known[self.job], self.event)


OF_IN_JSON = in_json(lambda of: EventOfJob(**of), EventOfJob._asdict)


@dataclass(frozen=True, kw_only=True)
class SecondsQuestion(LessonQuestion):
    """A question that is answered by a number of seconds."""

    answer_form = NumberAnswer("s", "seconds")
    is_read_off = True

    within: Within = field(default=Within(), metadata=in_json(Within.from_json, Within.to_json))

    @abstractmethod
    @override
    def right_answer(self, simulated: SimulatedView) -> float: ...

    @override
    def wrong_answer(self, simulated: SimulatedView) -> float:
        right = self.right_answer(simulated)
        return float(right + 2 * self.allowed(right) + 1)

    @override
    def answer_text(self, simulated: SimulatedView, answer: Answer) -> str:
        return exact_duration(answer)

    @override
    def answer_times(self, simulated: SimulatedView) -> dict[ChartPlace, float]:
        return {self.chart: self.right_answer(simulated)}

    @override
    def telling_texts(self, simulated: SimulatedView, chart: ChartPlace) -> frozenset[str]:
        right = self.right_answer(simulated)
        return frozenset((exact_clock(right), exact_duration(right)))

    @override
    def accepts(self, simulated: SimulatedView, answer: Answer) -> bool:
        return self.nearness(self.right_answer(simulated), answer)[0]

    def allowed(self, right: float) -> float:
        """Return how far from the right number an answer may be."""
        least = 0.0 if any(self.within) else ROUNDING
        return max(least, self.within.seconds, self.within.percent / 100 * right)

    def nearness(self, right: float, answer: Answer) -> tuple[bool, str]:
        """Return whether a number is right, and how near it is; InputError for what is no time."""
        if isinstance(answer, bool) or not isinstance(answer, int | float) or not math.isfinite(answer):
            raise InputError(f"'{answer}' is no number of seconds; give one such as 12 or 12.5")
        off = answer - right
        is_right = abs(off) <= self.allowed(right) * (1 + SAME)
        if abs(off) <= SAME * max(1.0, abs(right)):
            return is_right, "Exactly."
        part = f" ({percent(abs(off) / right)})" if right else ""
        return is_right, f"{exact_duration(abs(off))}{part} too {'much' if off > 0 else 'little'}."


class MakespanQuestion(SecondsQuestion):
    """How long all of it takes."""

    kind = "makespan"
    title = "How long the schedule takes"

    @override
    def right_answer(self, simulated: SimulatedView) -> float:
        return self.schedule(simulated).makespan

    @override
    def judge(self, simulated: SimulatedView, answer: Answer) -> Verdict:
        schedule = self.schedule(simulated)
        is_right, near = self.nearness(schedule.makespan, answer)
        truth = f"The makespan is {exact_duration(schedule.makespan)}."
        return self.verdict(simulated, is_right, truth, chain_sentences(schedule), near)


@dataclass(frozen=True, kw_only=True)
class TimeQuestion(SecondsQuestion):
    """When something happens to a job."""

    kind = "time"
    title = "When something happens to a job"

    of: EventOfJob = field(metadata=OF_IN_JSON)

    @override
    def own_problems(self, view: StepView, workloads: Workloads, where: str) -> Iterator[Problem]:
        return job_problems(workloads[self.chart].job_index, self.of.job, f"{where}.of.job")

    @override
    def right_answer(self, simulated: SimulatedView) -> float:
        return self.of.time_in(self.schedule(simulated)).seconds

    @override
    def judge(self, simulated: SimulatedView, answer: Answer) -> Verdict:
        schedule, (name, event) = self.schedule(simulated), self.of
        seconds, task = self.of.time_in(schedule)
        is_right, near = self.nearness(seconds, answer)
        truth = f"{event_phrase(name, event)} at {exact_clock(seconds)}."
        reasons: tuple[str, ...] = ()
        if task >= 0 and schedule.record is None:
            reasons = task_reason(schedule, task).why_then
            reasons += () if event.endswith("starts") else _course(schedule, task)
        look = {"cursor": (seconds, 0), "job": name, "task": task}
        return self.verdict(simulated, is_right, truth, reasons, near, **look)


def _course(schedule: Schedule, task: int) -> tuple[str, ...]:
    """Return what a task did from its start to its end."""
    start, shuffled, end = (float(at[task]) for at in (schedule.start, schedule.shuffled, schedule.end))
    columns = schedule.workload.columns
    job, stages = int(columns.job[task]), columns.stages
    if not stages.has_parents[columns.stage[task]]:
        return (f"It ran from {exact_clock(start)} to {exact_clock(end)}.",)
    last = f"Its shuffle ended at {exact_clock(shuffled)}, and its reduce phase at {exact_clock(end)}."
    if not schedule.is_filler[task]:
        return (last,)
    stage = float(schedule.stage_end[job])
    left = exact_duration(shuffled - stage)
    return (
        f"The last map of its job ended at {exact_clock(stage)}; {left} of its shuffle were left then.",
        last,
    )
