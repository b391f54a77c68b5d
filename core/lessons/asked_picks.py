"""Questions that are answered by a pick or an edit: a job, an order, a slot, or one of some texts."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from itertools import islice, permutations
from typing import TYPE_CHECKING

import numpy as np
from typing_extensions import override

from core.explain.decisions import decision_reason, policy_rule
from core.explain.lints.idle_slots import idle_gap, idle_reason, idle_reasons
from core.explain.replay import Replay
from core.explain.start_cause import ready_times
from core.explain.waiting_reason import waiting_reasons
from core.explain.words import listed
from core.lessons.asked import SAME, OneAsked, chain_sentences
from core.lessons.figures import filled
from core.lessons.hand_result import difference_sentence
from core.lessons.shown_step import simulate_scenario
from core.measures.metrics import explained_bound_of
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.model.time_text import exact_clock, exact_duration, percent
from core.optimize.exact_order import best_order, why_no_exact_order
from core.optimize.premise import premise_of
from core.policies.by_hand import PICKS, ByHand, picks_of

if TYPE_CHECKING:
    from core.explain.decisions import DecisionReason
    from core.lessons.asked import Answered, Verdict
    from core.model.schedule import Schedule

MAX_TRIED = 720
"""Orders that are looked at for one that does not reach the goal."""
FEW_JOBS = 6
"""So few that all orders are searched without compiled code."""


class AskedNextJob(OneAsked):
    """Which job gets the next slot, at the time cursor."""

    @cached_property
    def start(self) -> int:
        """How many tasks have started before the decision that is asked about."""
        cursor = self.step.shown.step.view.cursor
        assert cursor is not None  # the rules of lessons say so
        schedule = self.schedule
        times = schedule.start[schedule.sequence]
        start = int(times.searchsorted(cursor[0])) + cursor[1]
        if start >= len(times):
            raise InputError(f"nothing starts at {exact_clock(cursor[0])} or later, so no job is next")
        return start

    @property
    def task(self) -> int:
        """The task that starts next."""
        return int(self.schedule.sequence[self.start])

    @cached_property
    def decided(self) -> tuple[DecisionReason | None, str]:
        """What the policy says about that decision, and by which rule."""
        run = Replay(self.schedule).before_start(self.start)
        return decision_reason(run), policy_rule(run)

    @property
    @override
    def right(self) -> str:
        workload = self.schedule.workload
        return workload.jobs[int(workload.columns.job[self.task])].name

    @property
    @override
    def wrong(self) -> str | None:
        return next((job.name for job in self.schedule.workload.jobs if job.name != self.right), None)

    @override
    def words(self, answer: Answered) -> str:
        return str(answer)

    @override
    def judge(self, answer: Answered) -> Verdict:
        job, is_right = self.check_job(answer), answer == self.right
        reason, rule = self.decided
        time = float(self.schedule.start[self.task])
        truth = f"{self.right} gets the next slot, at {exact_clock(time)}."
        said: tuple[str, ...] = ()
        if not is_right:
            said = self._why_not(job, time, reason)
        if reason is not None:
            said = tuple(dict.fromkeys((*reason.sentences[1:], *said)))
        look = {"cursor": self.step.shown.step.view.cursor, "job": self.right, "task": self.task}
        return self.say(is_right, truth, (*said, rule), **look)

    def _why_not(self, job: int, time: float, reason: DecisionReason | None) -> tuple[str, ...]:
        """Return where a job that was picked stands."""
        name = self.schedule.workload.jobs[job].name
        own = [c for c in (reason.candidates if reason else ()) if c.job == job]
        if not own:
            kind = int(self.schedule.workload.columns.kind[self.task])
            return waiting_reasons(self.schedule, job, time)[kind].sentences[:1]
        phrase = own[0].standing.refusal or own[0].standing.job
        return (f"{name}: {phrase}.",) if phrase else ()


class AskedOrder(OneAsked):
    """In which order the jobs are to be served."""

    @cached_property
    def best(self) -> tuple[float, tuple[str, ...]]:
        """What is to be reached, in seconds, and the shortest order that is known."""
        state, scenario = self.step.shown.of(self.question.chart)
        cluster, goal = state.cluster_of(scenario), self.question.goal
        if goal != "best" and (goal == "johnson" or why_no_exact_order(state.workload, cluster)):
            own = replace(scenario, choice=PolicyChoice("johnson"), order=None, partition=None, plan=None)
            schedule = simulate_scenario(state, own, self.step.should_stop)
            names = [schedule.workload.jobs[i].name for i in np.argsort(schedule.rank, kind="stable")]
            return float(schedule.makespan if goal == "johnson" else goal), tuple(names)
        few = len(state.workload.jobs) <= FEW_JOBS
        found = best_order(state.workload, cluster, compiled=not few, should_stop=self.step.should_stop)
        return float(found.makespan if goal == "best" else goal), found.order

    def takes(self, names: tuple[str, ...]) -> Schedule:
        """Simulate an order."""
        state, scenario = self.step.shown.of(self.question.chart)
        own = replace(scenario, order=names, partition=None, plan=None)
        return simulate_scenario(state, own, self.step.should_stop)

    def reaches(self, schedule: Schedule) -> bool:
        """Whether a schedule is as short as asked for."""
        return schedule.makespan <= self.best[0] * (1 + SAME)

    @property
    @override
    def right(self) -> tuple[str, ...]:
        if not self.reaches(self.takes(self.best[1])):
            raise InputError(f"no order that is known takes {exact_duration(self.best[0])} or less")
        return self.best[1]

    @property
    @override
    def wrong(self) -> tuple[str, ...] | None:
        orders = islice(permutations(reversed(self.best[1])), MAX_TRIED)
        return next((names for names in orders if not self.reaches(self.takes(names))), None)

    @override
    def words(self, answer: Answered) -> str:
        return ", ".join(answer)

    @override
    def judge(self, answer: Answered) -> Verdict:
        names = tuple(answer)
        known = self.schedule.workload.job_index
        for name in names:
            self.check_job(name)
        if len(names) != len(known) or len(set(names)) != len(known):
            raise InputError(f"the order has {len(set(names))} of {len(known)} jobs; name every job once")
        told = ", ".join(self.best[1])
        truth = f"An order that takes {exact_duration(self.takes(self.best[1]).makespan)}: {told}."
        return self.compare(self.takes(names), "order", truth)

    def compare(self, own: Schedule, what_is_own: str, truth: str) -> Verdict:
        """Say how far a schedule is from what is asked for."""
        goal, is_right = self.best[0], self.reaches(own)
        what = {"best": "the best order takes", "johnson": "Johnson's order takes"}
        target = what.get(str(self.question.goal), "the goal is")
        near = f"Your {what_is_own} takes {exact_duration(own.makespan)}; {target} {exact_duration(goal)}"
        over = own.makespan - goal
        near += "." if is_right else f": {exact_duration(over)} ({percent(over / goal)}) too much."
        bound = explained_bound_of(own)
        said = chain_sentences(own)
        if own.makespan <= bound.seconds * (1 + SAME):
            claim = premise_of(own).claim
            said = (f"{claim[0].upper()}{claim[1:]}, since {bound.why}.", *said)
        return self.say(is_right, truth, said, near=near)


class AskedByHand(AskedOrder):
    """Which job gets each slot, from the beginning to the end."""

    def follows(self, picks: str) -> Schedule:
        """Simulate what was picked."""
        state, scenario = self.step.shown.of(self.question.chart)
        choice = PolicyChoice(ByHand.id, {PICKS: picks})
        own = replace(scenario, choice=choice, order=None, partition=None, plan=None, fork=None)
        return simulate_scenario(state, own, self.step.should_stop)

    @property
    @override
    def right(self) -> str:  # type: ignore[override]  # another form of answer
        return picks_of(self.takes(super().right))

    @property
    @override
    def wrong(self) -> str | None:  # type: ignore[override]  # likewise
        names = super().wrong
        return None if names is None else picks_of(self.takes(names))

    @override
    def words(self, answer: Answered) -> str:
        return f"a schedule of {exact_duration(self.follows(answer).makespan)}"

    @override
    def judge(self, answer: Answered) -> Verdict:
        own, best = self.follows(answer), self.takes(self.best[1])
        truth = f"The order {', '.join(self.best[1])} takes {exact_duration(best.makespan)}."
        told = self.compare(own, "schedule", truth)
        if told.is_right:
            return told
        return replace(told, reasons=(difference_sentence(own, best, "that order"), *told.reasons))


class AskedIdleFirst(OneAsked):
    """Which slot stands idle first, from the time cursor on."""

    @cached_property
    def first(self) -> tuple[float, tuple[int, ...]]:
        """When the first slot begins to stand idle, and which slots do then."""
        schedule, cluster = self.schedule, self.schedule.cluster
        cursor = self.step.shown.step.view.cursor
        slots = range(cluster.slots)
        if not cluster.has_containers and self.question.slots:
            maps = cluster.map_slots
            slots = range(maps) if self.question.slots == "map" else range(maps, cluster.slots)
        begins = {slot: self._idle_from(slot, cursor[0] if cursor else 0.0) for slot in slots}
        begin = min(begins.values(), default=math.inf)
        if begin >= schedule.makespan:
            raise InputError("no slot stands idle before the end")
        return begin, tuple(slot for slot, at in begins.items() if at <= begin + SAME)

    def _idle_from(self, slot: int, time: float) -> float:
        """Return when a slot first has nothing to do, at a time or later."""
        tasks = np.flatnonzero(self.schedule.slot == slot)
        for task in tasks[np.argsort(self.schedule.start[tasks], kind="stable")].tolist():
            begin, end = float(self.schedule.start[task]), float(self.schedule.end[task])
            if begin > time:
                return time
            time = max(time, end)
        return time

    @property
    @override
    def right(self) -> int:
        return self.first[1][0]

    @property
    @override
    def wrong(self) -> int | None:
        others = (slot for slot in range(self.schedule.cluster.slots) if slot not in self.first[1])
        return next(others, None)

    @override
    def words(self, answer: Answered) -> str:
        return self.schedule.cluster.slot_name(int(answer))

    @override
    def judge(self, answer: Answered) -> Verdict:
        cluster = self.schedule.cluster
        if isinstance(answer, bool) or not isinstance(answer, int) or not 0 <= answer < cluster.slots:
            raise InputError(f"'{answer}' is no slot; click one of the {cluster.slots} rows")
        begin, slots = self.first
        named = listed([cluster.slot_name(slot) for slot in slots], noun="slot")
        verb = "stand" if len(slots) > 1 else "stands"
        truth = f"{named} {verb} idle first, from {exact_clock(begin)} on."
        near = "" if answer in slots else self._when(answer)
        look = {"cursor": (begin, 0), "slot": answer if answer in slots else slots[0]}
        return self.say(answer in slots, truth, self._why(slots[0], begin), near=near, **look)

    def _when(self, slot: int) -> str:
        cursor = self.step.shown.step.view.cursor
        begin, name = self._idle_from(slot, cursor[0] if cursor else 0.0), self.words(slot)
        if begin >= self.schedule.makespan:
            return f"{name} is busy until the end."
        return f"{name} stands idle from {exact_clock(begin)} on."

    def _why(self, slot: int, begin: float) -> tuple[str, ...]:
        gap = idle_gap(self.schedule, slot, begin)
        if gap is None or self.schedule.record is not None:
            return ()
        ready = ready_times(self.schedule)
        intervals = idle_reasons(self.schedule, slot, gap.begin, gap.end)
        return tuple(idle_reason(self.schedule, ready, each).sentence for each in intervals[:2])


class AskedChoice(OneAsked):
    """One of some texts; the author says which is right, and why."""

    @property
    @override
    def right(self) -> int:
        return self.question.right

    @property
    @override
    def wrong(self) -> int:
        return int(self.question.right == 0)

    @override
    def words(self, answer: Answered) -> str:
        return filled(self.question.choices[answer], self.step)

    @override
    def judge(self, answer: Answered) -> Verdict:
        count = len(self.question.choices)
        if isinstance(answer, bool) or not isinstance(answer, int) or not 0 <= answer < count:
            raise InputError(f"'{answer}' is none of the {count} answers")
        truth = f"“{self.words(self.right)}” is right."
        return self.say(answer == self.right, truth, (filled(self.question.why, self.step),))
