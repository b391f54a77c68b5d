"""Questions that are answered by one of some options: a job, a slot, a chart, or a text."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from typing_extensions import override

from core.explain.decisions import decision_reason, policy_rule
from core.explain.explanation_words import listed
from core.explain.lints.idle_slots import idle_gap, idle_reason, idle_reasons
from core.explain.replay import Replay
from core.explain.start_cause import ready_times
from core.explain.task_reason import task_reason
from core.explain.waiting_reason import waiting_reasons
from core.lessons.figures import event_phrase, figures_in, filled
from core.lessons.questions.question import SAME, LessonQuestion, ListAnswer, Option, chain_sentences, in_json
from core.lessons.questions.times import OF_IN_JSON, EventOfJob
from core.lessons.step_view import job_problems, numbers_rule
from core.model.errors import InputError, Problem, text_problems
from core.model.task_types import KIND_WORDS
from core.model.time_text import exact_clock, exact_duration

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Self

    from core.explain.decisions import DecisionReason
    from core.lessons.questions.question import Answer, Verdict, Workloads
    from core.lessons.simulated_view import SimulatedView
    from core.lessons.step_view import ChartPlace, StepView
    from core.model.schedule import Schedule


MIN_CHOICES, MAX_CHOICES = 2, 9


class OptionQuestion(LessonQuestion):
    """A question that is answered by the value of one of its options."""

    answer_form = ListAnswer()

    @abstractmethod
    def right_answers(self, simulated: SimulatedView) -> Sequence[Answer]:
        """Return all answers that are right, one at least."""

    @override
    def right_answer(self, simulated: SimulatedView) -> Answer:
        return self.right_answers(simulated)[0]

    @override
    def wrong_answer(self, simulated: SimulatedView) -> Answer | None:
        right = self.right_answers(simulated)
        return next((option.value for option in self.options(simulated) if option.value not in right), None)

    @override
    def accepts(self, simulated: SimulatedView, answer: Answer) -> bool:
        return answer in self.right_answers(simulated)

    @override
    def answer_text(self, simulated: SimulatedView, answer: Answer) -> str:
        options = self.options(simulated)
        for option in options:
            if option.value == answer:
                return filled(option.text, simulated)
        raise InputError(f"'{answer}' is none of the {len(options)} answers")


class NextJobQuestion(OptionQuestion):
    """Which job gets the next slot, at the time cursor; answered by its name."""

    kind = "next-job"
    title = "Which job gets the next slot, at the time cursor"
    answer_form = ListAnswer("job")
    takes_guests = False
    is_read_off = True

    @override
    def own_problems(self, view: StepView, workloads: Workloads, where: str) -> Iterator[Problem]:
        if view.cursor is None:
            rule = "missing; the job that is next is asked for at the time cursor"
            yield Problem(f"{where.removesuffix('.question')}.view.cursor", "", rule)

    @override
    def options(self, simulated: SimulatedView) -> list[Option]:
        jobs = self.schedule(simulated).workload.jobs
        return [Option(job.name, job.name, number) for number, job in enumerate(jobs)]

    def _start(self, simulated: SimulatedView) -> int:
        """Return how many tasks have started before the decision in question."""
        cursor, schedule = simulated.shown.view.cursor, self.schedule(simulated)
        assert cursor is not None  # `own_problems` says so
        times = schedule.start[schedule.sequence]
        start = int(times.searchsorted(cursor[0])) + cursor[1]
        if start >= len(times):
            raise InputError(f"nothing starts at {exact_clock(cursor[0])} or later, so no job is next")
        return start

    @override
    def right_answers(self, simulated: SimulatedView) -> tuple[str]:
        schedule = self.schedule(simulated)
        task = schedule.sequence[self._start(simulated)]
        return (schedule.workload.jobs[int(schedule.workload.columns.job[task])].name,)

    @override
    def answer_times(self, simulated: SimulatedView) -> dict[ChartPlace, float]:
        schedule = self.schedule(simulated)
        return {self.chart: float(schedule.start[schedule.sequence[self._start(simulated)]])}

    @override
    def telling_texts(self, simulated: SimulatedView, chart: ChartPlace) -> frozenset[str]:
        schedule = self.schedule(simulated)
        jobs = schedule.workload.jobs
        return frozenset((", ".join(jobs[i].name for i in np.argsort(schedule.rank, kind="stable")),))

    @override
    def judge(self, simulated: SimulatedView, answer: Answer) -> Verdict:
        name, right = self.answer_text(simulated, answer), self.right_answer(simulated)
        schedule, start, is_right = self.schedule(simulated), self._start(simulated), name == right
        run = Replay(schedule).before_start(start)
        reason, task = decision_reason(run), int(schedule.sequence[start])
        truth = f"{right} gets the next slot, at {exact_clock(float(schedule.start[task]))}."
        why = () if is_right else _why_not(schedule, name, task, reason)
        if reason is not None:
            why = tuple(dict.fromkeys((*reason.sentences[1:], *why)))
        cursor, reasons = simulated.shown.view.cursor, (*why, policy_rule(run))
        return self.verdict(simulated, is_right, truth, reasons, cursor=cursor, job=right, task=task)


def _why_not(schedule: Schedule, name: str, task: int, reason: DecisionReason | None) -> tuple[str, ...]:
    """Return where a job stands that does not get the slot that a task gets."""
    job = schedule.workload.job_index[name]
    own = [c for c in (reason.candidates if reason else ()) if c.job == job]
    if not own:
        columns, time = schedule.workload.columns, float(schedule.start[task])
        reasons = waiting_reasons(schedule, job, time)
        alike = next(reason for reason in reasons if reason.kind == columns.kind[task])
        return alike.sentences[:1]
    phrase = own[0].standing.refusal or own[0].standing.job
    return (f"{name}: {phrase}.",) if phrase else ()


@dataclass(frozen=True, kw_only=True)
class IdleFirstQuestion(OptionQuestion):
    """Which slot stands idle first, from the time cursor on; answered by its number.

    Attributes
    ----------
    slots : "map" or "reduce" for slots of that type alone, empty for all
    """

    kind = "idle-first"
    title = "Which slot stands idle first"
    answer_form = ListAnswer("slot")
    takes_guests = False
    is_read_off = True

    slots: str = ""

    @override
    def options(self, simulated: SimulatedView) -> list[Option]:
        cluster = self.schedule(simulated).cluster
        takes_all = cluster.has_containers or not self.slots
        return [
            Option(slot, cluster.slot_name(slot))
            for slot in range(cluster.slots)
            if takes_all or KIND_WORDS[cluster.slot_type(slot)] == self.slots
        ]

    @override
    def answer_text(self, simulated: SimulatedView, answer: Answer) -> str:
        cluster = self.schedule(simulated).cluster
        if answer not in range(cluster.slots):
            raise InputError(f"'{answer}' is no slot; click one of the {cluster.slots} rows")
        return cluster.slot_name(answer)

    def _idle_from(self, simulated: SimulatedView, slot: int) -> float:
        """Return when a slot first has nothing to do, at the time cursor or later."""
        schedule, cursor = self.schedule(simulated), simulated.shown.view.cursor
        time, tasks = cursor[0] if cursor else 0.0, np.flatnonzero(schedule.slot == slot)
        for task in tasks[np.argsort(schedule.start[tasks], kind="stable")].tolist():
            begin, end = float(schedule.start[task]), float(schedule.end[task])
            if begin > time:
                return time
            time = max(time, end)
        return time

    @override
    def right_answers(self, simulated: SimulatedView) -> list[int]:
        slots = [option.value for option in self.options(simulated)]
        begins = {slot: self._idle_from(simulated, slot) for slot in slots}
        first = min(begins.values(), default=math.inf)
        if first >= self.schedule(simulated).makespan:
            raise InputError("no slot stands idle before the end")
        return [slot for slot, begin in begins.items() if begin <= first + SAME]

    @override
    def answer_times(self, simulated: SimulatedView) -> dict[ChartPlace, float]:
        return {self.chart: self._idle_from(simulated, self.right_answers(simulated)[0])}

    @override
    def judge(self, simulated: SimulatedView, answer: Answer) -> Verdict:
        name, right = self.answer_text(simulated, answer), self.right_answers(simulated)
        schedule, begin = self.schedule(simulated), self._idle_from(simulated, right[0])
        own, near, is_right = self._idle_from(simulated, answer), "", answer in right
        if not is_right:
            since = f"stands idle from {exact_clock(own)} on"
            near = f"{name} {since if own < schedule.makespan else 'is busy until the end'}."
        names = listed([schedule.cluster.slot_name(slot) for slot in right], noun="slot")
        truth = f"{names} {'stand' if len(right) > 1 else 'stands'} idle first, from {exact_clock(begin)} on."
        look = {"cursor": (begin, 0), "slot": answer if is_right else right[0]}
        return self.verdict(simulated, is_right, truth, _why_idle(schedule, right[0], begin), near, **look)


def _why_idle(schedule: Schedule, slot: int, begin: float) -> tuple[str, ...]:
    gap = idle_gap(schedule, slot, begin)
    if gap is None or schedule.record is not None:
        return ()
    ready = ready_times(schedule)
    intervals = idle_reasons(schedule, slot, gap.begin, gap.end)
    return tuple(idle_reason(schedule, ready, each).sentence for each in intervals[:2])


@dataclass(frozen=True, kw_only=True)
class EndsFirstQuestion(OptionQuestion):
    """Which chart ends first, or in which a job does; answered by the chart.

    Attributes
    ----------
    of : the job and the event whose times are compared; None for the end of all
    """

    kind = "ends-first"
    title = "Which chart ends first"
    names_chart = False
    is_read_off = True

    of: EventOfJob | None = field(default=None, metadata=OF_IN_JSON)

    @override
    def own_problems(self, view: StepView, workloads: Workloads, where: str) -> Iterator[Problem]:
        if len(view.charts) < 2:
            yield Problem(where, "", "what ends first takes two charts; show two scenarios, or a guest")
        if self.of is not None:
            for workload in workloads.values():
                yield from job_problems(workload.job_index, self.of.job, f"{where}.of.job")

    @override
    def options(self, simulated: SimulatedView) -> list[Option]:
        return [Option(chart, simulated.shown.title(chart)) for chart in simulated.shown.charts]

    def _end(self, simulated: SimulatedView, chart: ChartPlace) -> tuple[float, int]:
        """Return when a chart, or the job in it, ends, and which task does, -1 for none."""
        schedule = simulated.schedule(chart)
        return self.of.time_in(schedule) if self.of else (schedule.makespan, -1)

    @override
    def right_answers(self, simulated: SimulatedView) -> list[ChartPlace]:
        ends = {chart: self._end(simulated, chart)[0] for chart in simulated.shown.charts}
        return [chart for chart, end in ends.items() if end <= min(ends.values()) * (1 + SAME)]

    @override
    def answer_times(self, simulated: SimulatedView) -> dict[ChartPlace, float]:
        return {chart: self._end(simulated, chart)[0] for chart in simulated.shown.charts}

    @override
    def telling_texts(self, simulated: SimulatedView, chart: ChartPlace) -> frozenset[str]:
        end = self._end(simulated, chart)[0]
        return frozenset((exact_clock(end), exact_duration(end)))

    @override
    def judge(self, simulated: SimulatedView, answer: Answer) -> Verdict:
        name, right = self.answer_text(simulated, answer), self.right_answers(simulated)
        ends = {chart: self._end(simulated, chart)[0] for chart in simulated.shown.charts}
        times = [f"“{simulated.shown.title(chart)}” at {exact_clock(end)}" for chart, end in ends.items()]
        event = event_phrase(*self.of) if self.of else "All is done"
        truth = f"{event} in {listed(times, noun='chart')}."
        first, is_right = right[0], answer in right
        over = exact_duration(ends[answer] - ends[first])
        near = "" if is_right else f"“{name}” is {over} later than the first."
        last = max(ends, key=lambda chart: ends[chart])
        why = chain_sentences(simulated.schedule(first))
        if self.of:
            why = () if last in right else self._why_late(simulated, last)
        return self.verdict(simulated, is_right, truth, why, near, chart=first)

    def _why_late(self, simulated: SimulatedView, last: ChartPlace) -> tuple[str, ...]:
        """Return why it comes so late in the chart in which it comes last."""
        schedule, task = simulated.schedule(last), self._end(simulated, last)[1]
        if task < 0 or schedule.record is not None:
            return ()
        return (f"In “{simulated.shown.title(last)}”:", *task_reason(schedule, task).why_then)


@dataclass(frozen=True, kw_only=True)
class ChoiceQuestion(OptionQuestion):
    """Which of some texts is right; answered by its number. The author gives it, with the reason.

    Attributes
    ----------
    choices : the texts; Markdown
    right : number of the right one, from 0
    why : why it is right; Markdown
    """

    kind = "choice"
    title = "One of some texts"
    names_chart = False
    is_computed = False

    choices: tuple[str, ...] = field(metadata=in_json(tuple, list))
    right: int = field(metadata=in_json(int))
    why: str

    @override
    def own_problems(self, view: StepView, workloads: Workloads, where: str) -> Iterator[Problem]:
        yield from text_problems(f"{where}.why", self.why)
        if not MIN_CHOICES <= len(self.choices) <= MAX_CHOICES:
            rule = f"a choice has {MIN_CHOICES} to {MAX_CHOICES} answers"
            yield Problem(f"{where}.choices", str(len(self.choices)), rule)
        elif self.right >= len(self.choices):
            yield Problem(f"{where}.right", str(self.right), numbers_rule("choice", len(self.choices)))

    @property
    @override
    def printed_choices(self) -> tuple[str, ...]:
        return self.choices

    @property
    @override
    def late_texts(self) -> tuple[str, ...]:
        return (self.after, self.why)

    @override
    def with_figures(self, simulated: SimulatedView) -> Self:
        choices = tuple(filled(text, simulated) for text in self.choices)
        return replace(super().with_figures(simulated), choices=choices)

    @override
    def options(self, simulated: SimulatedView) -> list[Option]:
        return [Option(number, text) for number, text in enumerate(self.choices)]

    @override
    def right_answers(self, simulated: SimulatedView) -> tuple[int]:
        return (self.right,)

    @override
    def answer_times(self, simulated: SimulatedView) -> dict[ChartPlace, float]:
        figures = figures_in(self.choices[self.right], simulated)
        return {chart: figure.latest for figure in figures for chart in figure.charts}

    @override
    def judge(self, simulated: SimulatedView, answer: Answer) -> Verdict:
        texts = [self.answer_text(simulated, each) for each in (answer, self.right)]
        why = filled(self.why, simulated)
        return self.verdict(simulated, answer == self.right, f"“{texts[1]}” is right.", (why,))
