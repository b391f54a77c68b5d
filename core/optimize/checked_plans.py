"""What a search has found, run again from its plan alone: only what comes out the same leaves the search.

A search runs rows of columns, by two passes where it can and from where two plans differ. Here the plan that
leaves it is checked like one from a file, and the engine runs it, as it runs every simulation.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.errors import InputError
from core.model.progress import never_stop
from core.optimize.cycles import Judged
from core.optimize.found import Found
from core.optimize.levers import plan_of
from core.optimize.plan_costs import value_of, value_of_copies
from core.optimize.runs import EngineRuns, with_times
from core.optimize.wrong_results import PROVED, check_bound, wrong_result

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.optimize.levers import PlanColumns
    from core.optimize.plan_costs import Goal
    from core.optimize.search_columns import Tasks


def check_makespan(
    workload: Workload, cluster: Cluster, plan: Plan, makespan: float, bound: float, *, compiled: bool
) -> None:
    """Simulate a plan; WrongResult if it does not end when it should, to the bit, or before the bound."""
    runs = EngineRuns(workload, cluster, compiled)
    simulated = float(runs.finish(runs.follow(plan)).max())
    if simulated != makespan:
        what = f"a plan of {makespan!r} s was found, and simulating it gives {simulated!r}"
        raise wrong_result(what, workload, cluster, plan, {"found": makespan, "bound": bound})
    check_bound(makespan, bound, workload, cluster, plan)


class Checking(NamedTuple):
    """What the results of one search are checked by.

    Attributes
    ----------
    workload, cluster : what is scheduled, and on what
    tasks : with the copies of their durations that plans are judged on
    goal : what a plan costs
    is_noisy : whether there are copies: then the bound is of other durations
    compiled : whether to use compiled code
    figures : what else is kept with a result that is wrong, by name
    finishes : simulates a plan in another way, and returns when each job ends; None for from the beginning on
    """

    workload: Workload
    cluster: Cluster
    tasks: Tasks
    goal: Goal
    is_noisy: bool
    compiled: bool
    figures: Mapping[str, object]
    finishes: Callable[[Plan, Callable[[], bool]], NDArray[np.float64]] | None = None


class Checked(NamedTuple):
    """What was run as a plan that has been simulated; `spread` are its values on every copy, ascending."""

    judged: Judged
    plan: Plan
    spread: tuple[float, ...]


class CheckedPlans:
    """The one way in which plans, values and proofs leave a search.

    Parameters
    ----------
    usual : complete maps that let the reduces of each job start on this cluster, (jobs,)
    pinned : indices of the jobs that stay as they are
    """

    def __init__(self, checking: Checking, usual: NDArray[np.int64], pinned: Collection[int]) -> None:
        self._by, self._usual, self._pinned = checking, usual, pinned
        self._checked: list[Checked] = []

    def found(self, best: Judged, start: Judged, bound: float) -> Found:
        """Return what a search has found, nothing of it counted yet.

        Raises
        ------
        WrongResult
            a plan breaks rules, is not worth what the search says, to the bit, or is below the bound
        """
        is_same = start.row is best.row and start.plan is best.plan
        leaving = [best] if is_same else [best, start]
        self._checked = [self._known(each) or self._simulated(each) for each in leaving]
        _, plan, spread = self._checked[0]
        if not self._by.is_noisy:
            check_bound(best.value, bound, self._by.workload, self._by.cluster, plan, self._by.figures)
        return Found(
            best=best.value,
            bound=bound,
            gap=max(0.0, best.value / bound - 1) if bound > 0 else float(best.value > 0),
            proved=not self._by.is_noisy and best.value <= bound * PROVED,
            evaluations=0,
            steps=0,
            plan=plan,
            start=start.value,
            how=best.how,
            spread=spread if self._by.is_noisy else (),
        )

    def _known(self, judged: Judged) -> Checked | None:
        return next((each for each in self._checked if each.judged is judged), None)

    def _simulated(self, judged: Judged) -> Checked:
        workload, cluster = self._by.workload, self._by.cluster
        plan = judged.plan or plan_of(judged.row, workload, self._usual, self._pinned)
        figures = {"found": judged.value, **self._by.figures}
        try:
            values = self.values(plan)
        except InputError as error:
            what = f"a plan was found that cannot be simulated: {error}"
            raise wrong_result(what, workload, cluster, plan, figures) from error
        spread = tuple(np.sort(values).tolist())
        value = float(value_of_copies(self._by.goal, values, len(values)))
        if value != judged.value:
            what = f"a plan of {judged.value!r} was found, and simulating it gives {value!r}"
            raise wrong_result(what, workload, cluster, plan, figures)
        return Checked(judged, plan, spread)

    def values(self, plan: Plan) -> NDArray[np.float64]:
        """Return what a plan is worth on every copy when it is simulated; InputError if it breaks rules."""
        if self._by.finishes is not None:
            return np.array(
                [value_of(self._by.tasks.arrival, self._by.finishes(plan, never_stop), self._by.goal)]
            )
        runs = EngineRuns(self._by.workload, self._by.cluster, self._by.compiled)
        followed = runs.follow(plan)
        finishes = [runs.finish(followed, workload) for workload in self._copies]
        return np.array([value_of(self._by.tasks.arrival, finish, self._by.goal) for finish in finishes])

    def judged(self, plan: Plan, row: PlanColumns, how: str) -> Judged:
        """Return the value of a plan with start times of tasks; a row has all but these."""
        values = self.values(plan)
        return Judged(float(value_of_copies(self._by.goal, values, len(values))), row, how, plan)

    @cached_property
    def _copies(self) -> list[Workload]:
        workload, tasks = self._by.workload, self._by.tasks
        return [with_times(workload, tasks, copy) for copy in range(len(tasks.duration))]
