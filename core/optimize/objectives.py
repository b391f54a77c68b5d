"""What a schedule is searched for, what the search may change, and what it must keep."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.model.error_factors import ERRORS_PER
from core.model.errors import InputError, UnknownName, did_you_mean, shorten
from core.model.objectives import DEADLINES_FIRST, LATE_JOB, MIX, OBJECTIVES
from core.model.progress import never_stop
from core.model.time_text import exact_clock
from core.optimize.bounds import lower_bound
from core.optimize.job_costs import JobCosts
from core.optimize.objective_bounds import (
    bound_of_late_jobs,
    bound_of_mean_response,
    bound_of_stretch,
    bound_of_tardiness,
    bound_of_weighted_response,
)
from core.optimize.order_bound import bound_of_orders
from core.optimize.plan_costs import LATE, MAKESPAN, RESPONSE, STRETCH, TARDINESS, Goal
from core.optimize.price_ascent import price_slots
from core.optimize.worst_job import largest_stretch, last_end

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.constraints import Constraints
    from core.optimize.search_columns import Tasks
    from core.optimize.slot_prices import Prices
    from core.optimize.worst_job import WorstJob

    Floats = NDArray[np.float64]

COUNTED = {
    "makespan": (MAKESPAN,),
    "mean-response": (RESPONSE,),
    "weighted-response": (RESPONSE,),
    "tardiness": (TARDINESS,),
    "late-jobs": (LATE,),
    "stretch": (STRETCH,),
    DEADLINES_FIRST: (MAKESPAN, LATE),
}
"""Which of `core.optimize.plan_costs.Goal.mix` an objective weighs."""
SURELY_WHOLE = 1e-6
"""So much more than a whole number of late jobs makes one more."""


@dataclass(frozen=True)
class Objective:
    """A value of schedules that is to be small.

    Attributes
    ----------
    name : of `core.model.objectives.OBJECTIVES`, or `MIX`
    weights : of each objective that counts, by name
    """

    name: str = "makespan"
    weights: tuple[tuple[str, float], ...] = (("makespan", 1.0),)

    @classmethod
    def of(cls, text: str) -> Objective:
        """Read "makespan" or a mix like "makespan=1,mean-response=0.5"; raises InputError for others."""
        if "=" not in text:
            _check_name(text)
            return cls(text, ((text, 1.0),))
        weights = {}
        for part in text.split(","):
            name, _, number = (each.strip() for each in part.partition("="))
            _check_name(name)
            try:
                weights[name] = float(number)
            except ValueError:
                weights[name] = -1.0
            if not 0 <= weights[name] < np.inf:
                raise InputError(
                    f"objective: the weight of {name} is {shorten(number)}; give a number from 0"
                )
        if not any(weights.values()):
            raise InputError("objective: all weights are 0; give one above 0")
        return cls(MIX, tuple(weights.items()))

    @property
    def unit(self) -> str:
        """What its values are counted in."""
        return OBJECTIVES[self.name].unit if self.name in OBJECTIVES else "s"

    @property
    def is_weak(self) -> bool:
        """Whether its bound may be far below what can be reached."""
        counted = {name for name, weight in self.weights if weight > 0}
        return counted != {"makespan"} and not counted <= {"mean-response", "weighted-response"}

    @property
    def needs_alone(self) -> bool:
        """Whether it needs how long each job takes alone."""
        return any(name == "stretch" and weight > 0 for name, weight in self.weights)

    @property
    def puts_deadlines_first(self) -> bool:
        """Whether a late job counts so much that seconds are lost in the last bits of values."""
        return bool(self.mix()[LATE] >= LATE_JOB)

    def mix(self) -> Floats:
        """Return the weights as `core.optimize.plan_costs.Goal` has them, (5,)."""
        mix = np.zeros(5)
        for name, weight in self.weights:
            mix[list(COUNTED[name])] += weight
            if name == DEADLINES_FIRST:
                mix[LATE] += weight * (LATE_JOB - 1)
        return mix

    @property
    def counts_responses(self) -> bool:
        """Whether times from arrival to end are to be small, of all jobs or of the worst."""
        mix = self.mix()
        return bool(mix[RESPONSE] > 0 or mix[STRETCH] > 0)

    def scale(self, makespan: float, best: float) -> float:
        """Return the value that temperatures are measured by.

        Parameters
        ----------
        makespan, best : about when the last job departs, seconds; and the best value known
        """
        counted = float(self.mix()[MAKESPAN])
        if counted > 0:
            return counted * makespan
        return max(best, 1e-9) if self.unit != "jobs" else 100.0

    def response_weights(self, workload: Workload) -> Floats:
        """Return what a second of each job's response counts, (jobs,)."""
        named = dict(self.weights)
        jobs, weight = len(workload.jobs), workload.columns.weight
        plain, weighted = named.get("mean-response", 0.0), named.get("weighted-response", 0.0)
        if plain + weighted == 0:
            return np.zeros(jobs)
        shares: Floats = (plain / jobs + weighted * weight / weight.sum()) / (plain + weighted)
        return shares

    def value(
        self,
        workload: Workload,
        finish: Floats,
        alone: Floats | None = None,
        *,
        keeps_deadlines: bool = False,
    ) -> float:
        """Return the value of a schedule, as a search judges it.

        Parameters
        ----------
        finish : when each job departs, seconds, (jobs,)
        alone : how long each job takes alone, seconds, (jobs,); needed for stretch only
        keeps_deadlines : whether no job may be late: each that is counts as `LATE_JOB` more
        """
        columns, mix = workload.columns, self.mix()
        mix[LATE] += LATE_JOB * keeps_deadlines
        late = np.maximum(finish - columns.deadline, 0.0)
        response = finish - columns.links.arrivals(finish)
        value = mix[MAKESPAN] * finish.max() + mix[TARDINESS] * late.sum() + mix[LATE] * (late > 0).sum()
        value += mix[RESPONSE] * (self.response_weights(workload) * response).sum()
        if mix[STRETCH] > 0 and alone is not None:
            stretch = np.divide(response, alone, out=np.zeros_like(response), where=alone > 0)
            value += mix[STRETCH] * stretch.max()
        return float(value)

    def bound(self, workload: Workload, cluster: Cluster, alone: Floats | None = None) -> float:
        """Return a value below which no schedule can be.

        Parameters
        ----------
        alone : as of `value`
        """
        bounds: dict[str, Callable[[Workload, Cluster], float]] = {
            "makespan": lower_bound,
            "mean-response": bound_of_mean_response,
            "weighted-response": bound_of_weighted_response,
            "tardiness": bound_of_tardiness,
            "late-jobs": bound_of_late_jobs,
            DEADLINES_FIRST: _bound_of_both,
            "stretch": lambda w, c: 0.0 if alone is None else bound_of_stretch(w, c, alone),
        }
        single = sum(weight * bounds[name](workload, cluster) for name, weight in self.weights if weight)
        return max(float(single), self.bound_by_orders(workload, cluster))

    def bound_by_orders(self, workload: Workload, cluster: Cluster) -> float:
        """Return what is proved of few jobs by the orders in which they may end; 0 where that says nothing.

        That is where jobs follow others, or where nothing counts but the makespan, or the largest stretch.
        """
        costs, mix = self.job_costs(workload), self.mix()
        if costs is None or mix[STRETCH] > 0:
            return 0.0
        each = float(mix[LATE]) if costs.are_late_only else 1.0  # of what one job costs that is late
        least = lower_bound(workload, cluster) if mix[MAKESPAN] > 0 else 0.0
        return each * bound_of_orders(workload, cluster, costs, float(mix[MAKESPAN]) / each, least)

    def job_costs(self, workload: Workload) -> JobCosts | None:
        """Return what the end of each job costs by itself; None if nothing, or if jobs follow others.

        Where only late jobs count, one counts 1.
        """
        mix, jobs = self.mix(), len(workload.jobs)
        some = [each for each in (RESPONSE, TARDINESS, LATE) if mix[each] > 0]
        if not some or len(workload.columns.links):
            return None
        only_late = some == [LATE]
        due = workload.columns.deadline
        second = mix[RESPONSE] * self.response_weights(workload)
        late = np.full(jobs, 1.0 if only_late else mix[LATE])
        return JobCosts(second, np.full(jobs, mix[TARDINESS]), late, due)

    def priced(
        self,
        workload: Workload,
        cluster: Cluster,
        alone: Floats | None = None,
        should_stop: Callable[[], bool] = never_stop,
        is_enough: Callable[[], bool] = never_stop,
        *,
        with_cases: bool = False,
    ) -> tuple[float, Prices] | None:
        """Return a value below which no schedule can be, and the prices of slots that prove it.

        None where slots have no prices: nothing counts but the makespan and the largest stretch, or jobs
        follow others.

        Parameters
        ----------
        alone : as of `value`
        is_enough, with_cases : as of `core.optimize.price_ascent.price_slots`

        Raises
        ------
        Cancelled
            `should_stop` said so
        """
        costs = self.job_costs(workload)
        if costs is None:
            return None
        mix, worst = self.mix(), self._worst(workload, cluster, alone)
        about = workload, cluster, costs, should_stop
        prices = price_slots(*about, worst=worst, is_enough=is_enough, with_cases=with_cases)
        bound = prices.bound - float((costs.second * workload.columns.arrival).sum())
        if mix[RESPONSE] == 0 and mix[TARDINESS] == 0:
            bound = float(mix[LATE]) * whole(bound)
        bound = max(bound, 0.0)
        if mix[MAKESPAN] > 0 and worst is None:
            bound += float(mix[MAKESPAN]) * lower_bound(workload, cluster)
        if mix[STRETCH] > 0 and alone is not None and (worst is None or mix[MAKESPAN] > 0):
            bound += float(mix[STRETCH]) * bound_of_stretch(workload, cluster, alone)
        return bound, prices

    def _worst(self, workload: Workload, cluster: Cluster, alone: Floats | None) -> WorstJob | None:
        """Return what counts by the worst job beside what each costs by itself; None for nothing.

        Of the makespan and the largest stretch, the makespan if both count.
        """
        mix = self.mix()
        if mix[LATE] > 0:  # a late job may count as so much that nothing else is left of sums
            return None
        if mix[MAKESPAN] > 0 and (least := lower_bound(workload, cluster)) > 0:
            return last_end(workload, float(mix[MAKESPAN]), least)
        if mix[STRETCH] > 0 and alone is not None and mix[MAKESPAN] == 0:
            least = bound_of_stretch(workload, cluster, alone)
            return largest_stretch(workload, float(mix[STRETCH]), least, alone) if least > 0 else None
        return None


def whole(jobs: float) -> float:
    """Return how many jobs are late at least if no fewer than so many are."""
    return float(np.ceil(jobs - SURELY_WHOLE))


def _bound_of_both(workload: Workload, cluster: Cluster) -> float:
    return lower_bound(workload, cluster) + LATE_JOB * bound_of_late_jobs(workload, cluster)


def _check_name(name: str) -> None:
    if name not in OBJECTIVES:
        raise InputError(f"objective {shorten(name)} does not exist{did_you_mean(name, OBJECTIVES)}")


@dataclass(frozen=True)
class Robust:
    """Durations are guesses: a plan is judged on several copies of them.

    Attributes
    ----------
    copies : how many
    sigma : standard deviation of the log-normal factors, whose mean is 1: 0.3 for ±30 %
    judge : "mean" of the copies' values, or "worst-90": the value that 90 % of the copies do not exceed
    per : one of `ERRORS_PER`: what has an error of its own, as estimates of durations have it
    """

    copies: int = 8
    sigma: float = 0.3
    judge: Literal["mean", "worst-90"] = "mean"
    per: str = "job"

    def __post_init__(self) -> None:
        if self.per not in ERRORS_PER:
            hint = did_you_mean(str(self.per)[:60], ERRORS_PER)
            raise InputError(f"robust: errors per {shorten(self.per)}{hint}")
        if not 1 <= self.copies <= 1000 or not 0 <= self.sigma <= 3 or self.judge not in ("mean", "worst-90"):
            raise InputError(
                f"robust: {self.copies} copies, sigma {self.sigma}, judge {self.judge}; "
                "give 1 to 1000 copies, a sigma from 0 to 3, and judge mean or worst-90"
            )

    @property
    def judged(self) -> int:
        """The copy that counts, from 0 by value; -1 for the mean."""
        return -1 if self.judge == "mean" else int(np.ceil(0.9 * self.copies)) - 1

    def value_of(self, values: NDArray[np.float64]) -> float:
        """Return what counts of a plan's values on the copies, (copies,)."""
        return float(values.mean() if self.judge == "mean" else np.sort(values)[self.judged])


def check_deadlines(objective: Objective, workload: Workload) -> None:
    """Raise InputError if jobs without deadlines are to be in time."""
    needs = objective.name != MIX and OBJECTIVES[objective.name].needs_deadlines
    if needs and all(job.deadline is None for job in workload.jobs):
        late = "has a deadline, so none can be late"
        raise InputError(f"no job of {workload.name} {late}; 'slotscope deadlines' gives them some")


LINKED_RESPONSES = (
    "the time from arrival to end is not searched for where jobs follow others; "
    "choose the makespan or deadlines, or cut the links between jobs"
)


def check_responses(objective: Objective, workload: Workload) -> None:
    """Raise InputError if times from arrival to end are to be small of jobs that follow others.

    Plans differ in when those arrive, and a search takes arrivals as they are.
    """
    if len(workload.columns.links) and objective.counts_responses:
        raise InputError(LINKED_RESPONSES)


def with_arrivals(workload: Workload, arrivals: Mapping[str, float]) -> Workload:
    """Return the workload with some jobs arriving at other times, by name.

    UnknownName for no job's name, InputError for an arrival after a deadline.
    """
    for name, arrival in arrivals.items():
        if name not in workload.job_index:
            raise UnknownName("job", name, workload.job_index)
        deadline = workload.jobs[workload.job_index[name]].deadline
        if deadline is not None and arrival >= deadline:
            when = f"at {exact_clock(arrival)}, but its deadline is {exact_clock(deadline)}"
            raise InputError(f"{name} is to arrive {when}; give an earlier arrival")
    if not arrivals:
        return workload
    return workload.with_jobs(
        replace(job, arrival=float(arrivals.get(job.name, job.arrival))) for job in workload.jobs
    )


def goal_of(
    objective: Objective,
    constraints: Constraints,
    robust: Robust | None,
    about: tuple[Workload, Tasks, float],
) -> Goal:
    """Return what plans cost, without guidance.

    Parameters
    ----------
    about : the workload, its tasks as columns, and about when the last job departs, seconds
    """
    workload, t, makespan = about
    columns = workload.columns
    waits = columns.stages.has_parents[columns.stage]
    slots = max(t.slots[t.task_type[t.child]], 1)
    busy = (columns.duration + columns.typical_shuffle)[waits].sum() / slots
    jobs = len(columns.deadline)
    return Goal(
        mix=objective.mix(),
        weight=objective.response_weights(workload),
        deadline=columns.deadline.copy(),
        must=np.full(jobs, LATE_JOB if constraints.keep_deadlines else 0.0),
        alone=np.zeros(jobs),
        pull=np.zeros(2),
        ideal=float(busy),
        aim=makespan * 1.003,
        judged=-1 if robust is None else robust.judged,
    )
