"""A schedule that is short or good enough: by an order of the jobs, or slot by slot."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import islice, permutations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from typing_extensions import override

from core.lessons.hand_aims import MAKESPAN, aim_phrase, aim_text, is_above, value_of, why_no_aim
from core.lessons.hand_difference import difference_sentence
from core.lessons.questions.question import (
    MAX_LINKS,
    SAME,
    HandAnswer,
    LessonQuestion,
    OrderAnswer,
    chain_sentences,
    in_json,
)
from core.lessons.simulated_view import simulate_scenario
from core.measures.metrics import explained_bound_of
from core.model.errors import InputError, Problem
from core.model.objectives import OBJECTIVES
from core.model.schedule import PolicyChoice
from core.model.time_text import exact_clock, exact_duration, percent
from core.optimize.objectives import Objective
from core.optimize.premise import premise_of
from core.policies.by_hand import PICKS, ByHand, picks_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.lessons.questions.question import Answer, AnswerForm, Verdict, Workloads
    from core.lessons.simulated_view import SimulatedView
    from core.lessons.step_view import StepView
    from core.model.schedule import Schedule

GOALS = {"best": "the best order", "johnson": "Johnson's order"}
"""Orders that a student may be asked to equal, besides a number of seconds or jobs, as a verdict has them."""
MAX_TRIED = 720
"""Orders that are looked at for one that does not reach the goal."""
FEW_JOBS = 6
"""So few that all orders are searched without compiled code, or simulated one by one."""


def _goal(value: str | float) -> str | float:
    return value if isinstance(value, str) else float(value)


@dataclass(frozen=True, kw_only=True)
class OrderQuestion(LessonQuestion):
    """Which order of the jobs is short enough; answered by their names, first served first.

    Attributes
    ----------
    goal : one of `GOALS`, or what it may be at most: seconds, or jobs
    objective : what is to be small, one of `core.lessons.hand_aims.AIMS`
    """

    kind = "order"
    title = "Which order of the jobs is good enough"
    answer_form: ClassVar[AnswerForm] = OrderAnswer()
    takes_guests = False

    goal: str | float = field(default="best", metadata=in_json(_goal))
    objective: str = MAKESPAN

    @override
    def own_problems(self, view: StepView, workloads: Workloads, where: str) -> Iterator[Problem]:
        workload = workloads[self.chart]
        if why := why_no_aim(self.objective, workload):
            yield Problem(f"{where}.objective", self.objective, why)
        elif self.objective != MAKESPAN and self.goal == "best" and len(workload.jobs) > FEW_JOBS:
            rule = f"by this objective the best order of at most {FEW_JOBS} jobs is searched; give a number"
            yield Problem(f"{where}.goal", str(self.goal), rule)

    def value(self, schedule: Schedule) -> float:
        """Return what a schedule is worth, in seconds or jobs."""
        return value_of(self.objective, schedule)

    def worth(self, value: float) -> str:
        """Return what a schedule of a value does: "takes 11 s", "has 2 late jobs"."""
        phrase = aim_phrase(self.objective, value)
        return f"takes {phrase}" if self.objective == MAKESPAN else f"has {phrase}"

    def best(self, simulated: SimulatedView) -> tuple[float, tuple[str, ...]]:
        """Return what is to be reached, in seconds or jobs, and the best order that is known."""
        from core.optimize.exact_order import best_order, why_no_exact_order  # only who judges loads it

        if self.objective != MAKESPAN:
            return self._best_by_objective(simulated)
        state, scenario = simulated.shown.of(self.chart)
        cluster, goal = state.cluster_of(scenario), self.goal
        if goal != "best" and (goal == "johnson" or why_no_exact_order(state.workload, cluster)):
            schedule = self.simulate(simulated, choice=PolicyChoice("johnson"), order=None)
            names = [schedule.workload.jobs[i].name for i in np.argsort(schedule.rank, kind="stable")]
            return float(schedule.makespan if goal == "johnson" else goal), tuple(names)
        few = len(state.workload.jobs) <= FEW_JOBS
        found = best_order(state.workload, cluster, compiled=not few, should_stop=simulated.should_stop)
        return float(found.makespan if goal == "best" else goal), found.order

    def _best_by_objective(self, simulated: SimulatedView) -> tuple[float, tuple[str, ...]]:
        """Return the same by another objective: all orders of few jobs are simulated, else Johnson's is."""
        schedule = self.simulate(simulated, choice=PolicyChoice("johnson"), order=None)
        names = tuple(schedule.workload.jobs[i].name for i in np.argsort(schedule.rank, kind="stable"))
        value = self.value(schedule)
        if self.goal == "johnson":
            return value, names
        if len(names) <= FEW_JOBS:
            state, scenario = simulated.shown.of(self.chart)
            least = Objective.of(self.objective).bound(state.workload, state.cluster_of(scenario))
            for order in permutations(names):
                if not is_above(value, least):
                    break  # no schedule is better
                other = self.value(self.in_order(simulated, order))
                if is_above(value, other):
                    value, names = other, order
        return (value if isinstance(self.goal, str) else self.goal), names

    def is_reached(self, schedule: Schedule, goal: float) -> bool:
        """Return whether a schedule is as good as the goal, in seconds or jobs."""
        return self.value(schedule) <= goal * (1 + SAME)

    def in_order(self, simulated: SimulatedView, names: tuple[str, ...]) -> Schedule:
        """Simulate an order."""
        return self.simulate(simulated, order=names)

    def simulate(self, simulated: SimulatedView, **changes: Any) -> Schedule:  # Any: fields of a scenario
        """Simulate the scenario of the question with changes."""
        state, scenario = simulated.shown.of(self.chart)
        own = replace(scenario, **{"partition": None, "plan": None, **changes})
        return simulate_scenario(state, own, simulated.should_stop)

    @override
    def right_answer(self, simulated: SimulatedView) -> Answer:
        goal, order = self.best(simulated)
        if not self.is_reached(self.in_order(simulated, order), goal):
            raise InputError(f"no order that is known {self.worth(goal)} or less")
        return order

    @override
    def wrong_answer(self, simulated: SimulatedView) -> Answer | None:
        goal, order = self.best(simulated)
        orders = islice(permutations(reversed(order)), MAX_TRIED)
        return next(
            (each for each in orders if not self.is_reached(self.in_order(simulated, each), goal)), None
        )

    @override
    def answer_text(self, simulated: SimulatedView, answer: Answer) -> str:
        return ", ".join(answer)

    @override
    def judge(self, simulated: SimulatedView, answer: Answer) -> Verdict:
        names, known = tuple(answer), self.schedule(simulated).workload.job_index
        if sorted(names) != sorted(known):
            named = len(known.keys() & set(names))
            raise InputError(f"the order has {named} of {len(known)} jobs; name every job once")
        (verdict,) = self.judge_all(simulated, [self.in_order(simulated, names)])
        return verdict

    def judge_all(self, simulated: SimulatedView, schedules: Sequence[Schedule]) -> list[Verdict]:
        """Return the verdicts on several orders by their schedules: the best order is searched once."""
        goal, order = self.best(simulated)
        reached = self.worth(self.value(self.in_order(simulated, order)))
        truth = f"An order that {reached}: {', '.join(order)}."
        return [self.compare(simulated, own, "order", goal, truth) for own in schedules]

    def compare(self, simulated: SimulatedView, own: Schedule, noun: str, goal: float, truth: str) -> Verdict:
        """Return the verdict on a schedule: how far it is from the goal, in seconds or jobs."""
        is_right, over = self.is_reached(own, goal), self.value(own) - goal
        named = GOALS.get(str(self.goal))
        target = f"{named} {self.worth(goal)}" if named else f"the goal is {aim_phrase(self.objective, goal)}"
        near = f"Your {noun} {self.worth(self.value(own))}; {target}"
        share = f" ({percent(over / goal)})" if goal > 0 and OBJECTIVES[self.objective].unit == "s" else ""
        near += "." if is_right else f": {aim_text(self.objective, over)}{share} too much."
        if self.objective != MAKESPAN:
            return self.verdict(simulated, is_right, truth, _ends(own), near)
        bound, why = explained_bound_of(own), chain_sentences(own)
        if own.makespan <= bound.seconds * (1 + SAME):
            claim = premise_of(own).claim
            why = (f"{claim[0].upper()}{claim[1:]}, since {bound.why}.", *why)
        return self.verdict(simulated, is_right, truth, why, near)


def _ends(schedule: Schedule) -> tuple[str, ...]:
    """Return when the first jobs end, how long they were there, and how late that is, in sentences."""
    sentences = []
    ends = zip(schedule.workload.jobs, schedule.finish.tolist(), schedule.arrival.tolist(), strict=True)
    for job, end, arrival in islice(ends, MAX_LINKS):
        due = math.inf if job.deadline is None else job.deadline
        late = f", {exact_duration(end - due)} late" if end > due else ""
        there = f"{exact_duration(end - arrival)} after it came"
        sentences.append(f"{job.name} ends at {exact_clock(end)}, {there}{late}.")
    return tuple(sentences)


@dataclass(frozen=True, kw_only=True)
class ByHandQuestion(OrderQuestion):
    """Which job gets each slot, to the end; answered by picks, as the policy of this name reads them."""

    kind = "by-hand"
    title = "To give every slot to a job by hand"
    answer_form = HandAnswer()

    def follow(self, simulated: SimulatedView, picks: str) -> Schedule:
        """Simulate what was picked."""
        return self.simulate(simulated, choice=PolicyChoice(ByHand.id, {PICKS: picks}), order=None, fork=None)

    @override
    def right_answer(self, simulated: SimulatedView) -> str:
        return picks_of(self.in_order(simulated, super().right_answer(simulated)))

    @override
    def wrong_answer(self, simulated: SimulatedView) -> str | None:
        names = super().wrong_answer(simulated)
        return None if names is None else picks_of(self.in_order(simulated, names))

    @override
    def answer_text(self, simulated: SimulatedView, answer: Answer) -> str:
        phrase = aim_phrase(self.objective, self.value(self.follow(simulated, answer)))
        return f"a schedule {'of' if self.objective == MAKESPAN else 'with'} {phrase}"

    @override
    def judge(self, simulated: SimulatedView, answer: Answer) -> Verdict:
        goal, order = self.best(simulated)
        own, best = self.follow(simulated, answer), self.in_order(simulated, order)
        truth = f"The order {', '.join(order)} {self.worth(self.value(best))}."
        verdict = self.compare(simulated, own, "schedule", goal, truth)
        if verdict.is_right:
            return verdict
        return replace(verdict, reasons=(difference_sentence(own, best, "that order"), *verdict.reasons))
