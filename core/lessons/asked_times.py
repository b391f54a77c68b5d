"""Questions of time: how long all takes, when something happens to a job, and where it happens first."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

from typing_extensions import override

from core.explain.task_reason import task_reason
from core.explain.words import listed
from core.lessons.asked import SAME, OneAsked, chain_sentences
from core.lessons.figures import event_words, job_event
from core.model.errors import InputError
from core.model.job import MAP
from core.model.time_text import exact_clock, exact_duration, percent

if TYPE_CHECKING:
    from core.lessons.asked import Answered, Verdict
    from core.lessons.lesson import ChartPlace
    from core.model.schedule import Schedule

ROUNDING = 0.5
"""Seconds that a number may be wrong where the question does not say how many."""


class AskedSeconds(OneAsked):
    """A question that is answered by a number of seconds."""

    @property
    def allowed(self) -> float:
        """How far from the right number an answer may be."""
        question = self.question
        least = 0.0 if question.within or question.within_percent else ROUNDING
        right: float = self.right
        return max(least, question.within, question.within_percent / 100 * right)

    @property
    @override
    def wrong(self) -> float:
        return float(self.right + 2 * self.allowed + 1)

    @override
    def words(self, answer: Answered) -> str:
        return exact_duration(answer)

    def nearness(self, answer: Answered) -> tuple[bool, str]:
        """Return whether a number is right, and how near it is; InputError for what is no time."""
        if isinstance(answer, bool) or not isinstance(answer, int | float) or not math.isfinite(answer):
            raise InputError(f"'{answer}' is no number of seconds; give one such as 12 or 12.5")
        off = answer - self.right
        is_right = abs(off) <= self.allowed * (1 + SAME)
        if abs(off) <= SAME * max(1.0, abs(self.right)):
            return is_right, "Exactly."
        part = f" ({percent(abs(off) / self.right)})" if self.right else ""
        return is_right, f"{exact_duration(abs(off))}{part} too {'much' if off > 0 else 'little'}."


class AskedMakespan(AskedSeconds):
    """How long all of it takes."""

    @property
    @override
    def right(self) -> float:
        return self.schedule.makespan

    @override
    def judge(self, answer: Answered) -> Verdict:
        is_right, near = self.nearness(answer)
        truth = f"The makespan is {exact_duration(self.right)}."
        return self.say(is_right, truth, chain_sentences(self.schedule), near=near)


class AskedTime(AskedSeconds):
    """When something happens to a job."""

    @property
    def job(self) -> int:
        """Whose time is asked for."""
        return self.check_job(self.question.job)

    @property
    @override
    def right(self) -> float:
        return job_event(self.schedule, self.job, self.question.event).seconds

    @override
    def judge(self, answer: Answered) -> Verdict:
        is_right, near = self.nearness(answer)
        name, what = self.question.job, self.question.event
        seconds, task = job_event(self.schedule, self.job, what)
        truth = f"{event_words(name, what)} at {exact_clock(seconds)}."
        said: tuple[str, ...] = ()
        if task >= 0 and self.schedule.record is None:
            said = task_reason(self.schedule, task).why_then
            said += () if what.endswith("starts") else _course(self.schedule, task)
        look = {"cursor": (seconds, 0), "job": name, "task": task}
        return self.say(is_right, truth, said, near=near, **look)


def _course(schedule: Schedule, task: int) -> tuple[str, ...]:
    """Return what a task did from its start to its end."""
    start, shuffled, end = (float(at[task]) for at in (schedule.start, schedule.shuffled, schedule.end))
    job = int(schedule.workload.columns.job[task])
    if schedule.workload.columns.kind[task] == MAP:
        return (f"It ran from {exact_clock(start)} to {exact_clock(end)}.",)
    said = f"Its shuffle ended at {exact_clock(shuffled)}, and its reduce phase at {exact_clock(end)}."
    if not schedule.is_filler[task]:
        return (said,)
    stage = float(schedule.stage_end[job])
    left = exact_duration(shuffled - stage)
    return (
        f"The last map of its job ended at {exact_clock(stage)}; {left} of its shuffle were left then.",
        said,
    )


class AskedEndsFirst(OneAsked):
    """Which chart ends first, or in which a job does."""

    @cached_property
    def ends(self) -> dict[ChartPlace, float]:
        """When each chart, or the job in it, ends."""
        found = {}
        for chart in self.step.shown.charts:
            schedule = self.step.schedule(chart)
            name = self.question.job
            found[chart] = (
                job_event(schedule, schedule.workload.job_index[name], self.question.event).seconds
                if name
                else schedule.makespan
            )
        return found

    @property
    def firsts(self) -> list[ChartPlace]:
        """The charts that end first."""
        least = min(self.ends.values())
        return [chart for chart, end in self.ends.items() if end <= least * (1 + SAME)]

    @property
    @override
    def right(self) -> ChartPlace:
        return self.firsts[0]

    @property
    @override
    def wrong(self) -> ChartPlace | None:
        return next((chart for chart in self.ends if chart not in self.firsts), None)

    @override
    def words(self, answer: Answered) -> str:
        return self.step.shown.title(answer)

    @override
    def judge(self, answer: Answered) -> Verdict:
        if answer not in self.ends:
            raise InputError(f"'{answer}' is no chart of this step; choose one that is shown")
        titles = [f"“{self.words(chart)}” at {exact_clock(end)}" for chart, end in self.ends.items()]
        name = self.question.job
        what = event_words(name, self.question.event) if name else "All is done"
        truth = f"{what} in {listed(titles, noun='chart')}."
        is_right = answer in self.firsts
        over = self.ends[answer] - self.ends[self.right]
        near = "" if is_right else f"“{self.words(answer)}” is {exact_duration(over)} later than the first."
        said = self._why_last() if name else chain_sentences(self.step.schedule(self.right))
        return self.say(is_right, truth, said, near=near, chart=self.right)

    def _why_last(self) -> tuple[str, ...]:
        """Return why it comes so late in the chart in which it comes last."""
        last = max(self.ends, key=lambda chart: self.ends[chart])
        schedule = self.step.schedule(last)
        job = schedule.workload.job_index[self.question.job]
        task = job_event(schedule, job, self.question.event).task
        if task < 0 or schedule.record is not None or last in self.firsts:
            return ()
        return (f"In “{self.words(last)}”:", *task_reason(schedule, task).why_then)
