"""What a schedule of scans is judged by: FLEX's sixteen metrics and AKO's two, and which can be optimised.

Source: 003 appendix A.2 (penalty functions), sections 1 (perceived wait) and 3 (which rule optimises which).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from core.model.errors import InputError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from core.model.job import ServiceLevels
    from core.shared_scans.scan_jobs import ScanJobs

Penalty = Literal["completion", "response", "wait", "tardy", "tardiness", "lateness", "steps"]
Weighting = Literal["none", "weight", "stretch"]
INF = float("inf")
SMITH, PROGRAM, SEARCH = 0, 1, 2
"""Smith's rule for sums of responses, the backwards dynamic program for maxima, the search for other sums."""
RULES = {SMITH: "Smith's rule", PROGRAM: "dynamic program", SEARCH: "search"}
"""What optimises a metric, in words."""


class Penalties(NamedTuple):
    """What each job costs that completes at a time: ``factor * (max(time - due, floor) + steps passed)``.

    Attributes
    ----------
    due, floor, factor : of each job, seconds but for the factor, (jobs,)
    step_job, step_time, step_cost : from a time (seconds) on a job costs so much more; by job, then time
    """

    due: NDArray[np.float64]
    floor: NDArray[np.float64]
    factor: NDArray[np.float64]
    step_job: NDArray[np.int64]
    step_time: NDArray[np.float64]
    step_cost: NDArray[np.float64]

    def costs(self, finish: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what each job costs, (jobs,), for completing at `finish`, (jobs,), seconds."""
        passed = self.step_cost * (finish[self.step_job] > self.step_time)
        steps = np.bincount(self.step_job, passed, len(finish))
        costs: NDArray[np.float64] = self.factor * (np.maximum(finish - self.due, self.floor) + steps)
        return costs


@dataclass(frozen=True, slots=True)
class ScanMetric:
    """How the jobs' completion times become one number; less is better.

    Attributes
    ----------
    id, title : on the command line, and in the window
    combine : whether the jobs' penalties are averaged ("sum") or the worst one counts ("max")
    penalty : what one job costs as a function of its completion time; "wait" is its response less the
        shortest possible one
    weighting : each job's penalty counts once, by the job's weight, or divided by the job's own shortest
        possible response ("stretch")
    unit : of the number
    """

    id: str
    title: str
    combine: Literal["sum", "max"]
    penalty: Penalty
    weighting: Weighting
    unit: str

    @property
    def rule(self) -> int:
        """What optimises it: one of `core.shared_scans.priority_loop`."""
        if self.combine == "max":
            return PROGRAM
        return SMITH if self.penalty in ("response", "wait") else SEARCH

    def penalties(self, jobs: ScanJobs, slots: float) -> Penalties:
        """Return what each job costs, on so many slots of the cluster."""
        count = len(jobs.arrival)
        shortest = jobs.shortest_response(slots)
        due = {
            "completion": np.zeros(count),
            "response": jobs.arrival,
            "wait": jobs.arrival + shortest,
            "tardiness": jobs.deadline,
            "lateness": jobs.deadline,
        }.get(self.penalty, np.full(count, INF))
        may_be_negative = self.penalty not in ("tardy", "tardiness", "steps")
        factor = {"stretch": 1 / shortest, "weight": jobs.weight}.get(self.weighting, np.ones(count))
        floor = np.full(count, -INF if may_be_negative else 0.0)
        return Penalties(due, floor, factor, *self._steps(jobs))

    def _steps(self, jobs: ScanJobs) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        steps: Iterable[ServiceLevels] = ()
        if self.penalty == "steps":
            steps = jobs.steps
        elif self.penalty == "tardy":
            steps = [((deadline, 1.0),) if deadline < INF else () for deadline in jobs.deadline.tolist()]
        rows = [
            (job, time, cost - before)
            for job, each in enumerate(steps)
            for (time, cost), before in zip(each, (0.0, *(cost for _, cost in each)), strict=False)
        ]
        table = np.array(rows, np.float64).reshape(-1, 3)
        return table[:, 0].astype(np.int64), table[:, 1], table[:, 2]

    def value(self, jobs: ScanJobs, slots: float, finish: NDArray[np.float64]) -> float:
        """Return the metric of a schedule: the mean of the jobs' penalties, or the largest."""
        cost = self.penalties(jobs, slots).costs(finish)
        return float(cost.mean() if self.combine == "sum" else cost.max())


METRICS: tuple[ScanMetric, ...] = (
    ScanMetric("average-response", "Average response", "sum", "response", "none", "s"),
    ScanMetric("weighted-response", "Average weighted response", "sum", "response", "weight", "s"),
    ScanMetric("average-stretch", "Average stretch", "sum", "response", "stretch", ""),
    ScanMetric("tardy-jobs", "Tardy jobs", "sum", "tardy", "none", ""),
    ScanMetric("weighted-tardy-jobs", "Weighted tardy jobs", "sum", "tardy", "weight", ""),
    ScanMetric("average-tardiness", "Average tardiness", "sum", "tardiness", "none", "s"),
    ScanMetric("weighted-tardiness", "Average weighted tardiness", "sum", "tardiness", "weight", "s"),
    ScanMetric("average-sla", "Average SLA cost", "sum", "steps", "none", ""),
    ScanMetric("average-wait", "Average perceived wait", "sum", "wait", "none", "s"),
    ScanMetric("makespan", "Makespan", "max", "completion", "none", "s"),
    ScanMetric("max-weighted-response", "Maximum weighted response", "max", "response", "weight", "s"),
    ScanMetric("max-stretch", "Maximum stretch", "max", "response", "stretch", ""),
    ScanMetric("max-tardiness", "Maximum tardiness", "max", "tardiness", "none", "s"),
    ScanMetric("max-weighted-tardiness", "Maximum weighted tardiness", "max", "tardiness", "weight", "s"),
    ScanMetric("max-lateness", "Maximum lateness", "max", "lateness", "none", "s"),
    ScanMetric("max-weighted-lateness", "Maximum weighted lateness", "max", "lateness", "weight", "s"),
    ScanMetric("max-sla", "Maximum SLA cost", "max", "steps", "none", ""),
    ScanMetric("max-wait", "Maximum perceived wait", "max", "wait", "none", "s"),
)


def metric_named(metric_id: str) -> ScanMetric:
    """Return a metric by id; UnknownName with the nearest one."""
    known = {metric.id: metric for metric in METRICS}
    if metric_id not in known:
        raise UnknownName("metric", metric_id, known)
    return known[metric_id]


def optimised_metrics(*, semi_shared: bool = False) -> tuple[ScanMetric, ...]:
    """Return the metrics that can be optimised: all or, over sets of blocks, those of the largest penalty."""
    return tuple(m for m in METRICS if m.rule == PROGRAM or not semi_shared)


def check_metric(metric_id: str, *, semi_shared: bool = False) -> ScanMetric:
    """Return the metric if a policy can optimise it.

    Raises
    ------
    UnknownName
        there is no such metric
    InputError
        it is a sum over jobs that scan sets of blocks
    """
    metric = metric_named(metric_id)
    possible = optimised_metrics(semi_shared=semi_shared)
    if metric not in possible:
        names = ", ".join(m.id for m in possible)
        why = "over sets of blocks only the largest of the jobs' costs can be"
        raise InputError(f"metric '{metric.id}' can be measured but not optimised: {why}; choose {names}")
    return metric
