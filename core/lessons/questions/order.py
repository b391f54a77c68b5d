"""A schedule that is short enough: by an order of the jobs, or slot by slot."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice, permutations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from typing_extensions import override

from core.lessons.hand_difference import difference_sentence
from core.lessons.questions.question import (
    SAME,
    HandAnswer,
    LessonQuestion,
    OrderAnswer,
    chain_sentences,
    in_json,
)
from core.lessons.simulated_view import simulate_scenario
from core.measures.metrics import explained_bound_of
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.model.time_text import exact_duration, percent
from core.optimize.premise import premise_of
from core.policies.by_hand import PICKS, ByHand, picks_of

if TYPE_CHECKING:
    from core.lessons.questions.question import Answer, AnswerForm, Verdict
    from core.lessons.simulated_view import SimulatedView
    from core.model.schedule import Schedule

GOALS = {"best": "the best order takes", "johnson": "Johnson's order takes"}
"""Orders that a student may be asked to equal, besides a number of seconds, as a verdict has them."""
MAX_TRIED = 720
"""Orders that are looked at for one that does not reach the goal."""
FEW_JOBS = 6
"""So few that all orders are searched without compiled code."""


def _goal(value: str | float) -> str | float:
    return value if isinstance(value, str) else float(value)


@dataclass(frozen=True, kw_only=True)
class OrderQuestion(LessonQuestion):
    """Which order of the jobs is short enough; answered by their names, first served first.

    Attributes
    ----------
    goal : one of `GOALS`, or seconds that it may take at most
    """

    kind = "order"
    title = "Which order of the jobs is good enough"
    answer_form: ClassVar[AnswerForm] = OrderAnswer()
    takes_guests = False

    goal: str | float = field(default="best", metadata=in_json(_goal))

    def best(self, simulated: SimulatedView) -> tuple[float, tuple[str, ...]]:
        """Return what is to be reached, in seconds, and the shortest order that is known."""
        from core.optimize.exact_order import best_order, why_no_exact_order  # only who judges loads it

        state, scenario = simulated.shown.of(self.chart)
        cluster, goal = state.cluster_of(scenario), self.goal
        if goal != "best" and (goal == "johnson" or why_no_exact_order(state.workload, cluster)):
            schedule = self.simulate(simulated, choice=PolicyChoice("johnson"), order=None)
            names = [schedule.workload.jobs[i].name for i in np.argsort(schedule.rank, kind="stable")]
            return float(schedule.makespan if goal == "johnson" else goal), tuple(names)
        few = len(state.workload.jobs) <= FEW_JOBS
        found = best_order(state.workload, cluster, compiled=not few, should_stop=simulated.should_stop)
        return float(found.makespan if goal == "best" else goal), found.order

    @staticmethod
    def is_reached(schedule: Schedule, goal: float) -> bool:
        """Return whether a schedule is as short as the goal, in seconds."""
        return schedule.makespan <= goal * (1 + SAME)

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
            raise InputError(f"no order that is known takes {exact_duration(goal)} or less")
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
        goal, order = self.best(simulated)
        seconds = exact_duration(self.in_order(simulated, order).makespan)
        truth = f"An order that takes {seconds}: {', '.join(order)}."
        return self.compare(simulated, self.in_order(simulated, names), "order", goal, truth)

    def compare(self, simulated: SimulatedView, own: Schedule, noun: str, goal: float, truth: str) -> Verdict:
        """Return the verdict on a schedule: how far it is from the goal, in seconds."""
        is_right, over = self.is_reached(own, goal), own.makespan - goal
        target = GOALS.get(str(self.goal), "the goal is")
        near = f"Your {noun} takes {exact_duration(own.makespan)}; {target} {exact_duration(goal)}"
        near += "." if is_right else f": {exact_duration(over)} ({percent(over / goal)}) too much."
        bound, why = explained_bound_of(own), chain_sentences(own)
        if own.makespan <= bound.seconds * (1 + SAME):
            claim = premise_of(own).claim
            why = (f"{claim[0].upper()}{claim[1:]}, since {bound.why}.", *why)
        return self.verdict(simulated, is_right, truth, why, near)


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
        return f"a schedule of {exact_duration(self.follow(simulated, answer).makespan)}"

    @override
    def judge(self, simulated: SimulatedView, answer: Answer) -> Verdict:
        goal, order = self.best(simulated)
        own, best = self.follow(simulated, answer), self.in_order(simulated, order)
        truth = f"The order {', '.join(order)} takes {exact_duration(best.makespan)}."
        verdict = self.compare(simulated, own, "schedule", goal, truth)
        if verdict.is_right:
            return verdict
        return replace(verdict, reasons=(difference_sentence(own, best, "that order"), *verdict.reasons))
