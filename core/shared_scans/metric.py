"""What a schedule of scans is judged by: sixteen metrics, and which of them can be optimised.

Source: 003 appendix A.2 (penalty functions), sections 1 and 3.3 (which of them CIRCUMFLEX optimises).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.model.errors import InputError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.shared_scans.scan_jobs import ScanJobs

Penalty = Literal["completion", "response", "tardy", "tardiness", "lateness", "steps"]
PENALTIES: tuple[Penalty, ...] = ("completion", "response", "tardy", "tardiness", "lateness", "steps")
Weighting = Literal["none", "weight", "stretch"]


@dataclass(frozen=True, slots=True)
class Metric:
    """How the jobs' completion times become one number; less is better.

    Attributes
    ----------
    id, title : on the command line, and in the window
    combine : whether the jobs' penalties are averaged ("sum") or the worst one counts ("max")
    penalty : what one job costs as a function of its completion time
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
    def uses_smith(self) -> bool:
        """Whether the generalized Smith's rule optimises it (003 B.1)."""
        return self.combine == "sum" and self.penalty == "response"

    @property
    def uses_dynamic_program(self) -> bool:
        """Whether the backwards dynamic program optimises it (003 B.2)."""
        return self.combine == "max"

    def weights(self, jobs: ScanJobs, slots: float) -> NDArray[np.float64]:
        """Return the factor of each job's penalty, (jobs,)."""
        if self.weighting == "stretch":
            return 1 / jobs.shortest_response(slots)
        return jobs.weight if self.weighting == "weight" else np.ones(len(jobs.weight))

    def value(self, jobs: ScanJobs, slots: float, finish: NDArray[np.float64]) -> float:
        """Return the metric of a schedule: the mean of the jobs' penalties, or the largest."""
        cost = self.weights(jobs, slots) * penalties(self.penalty, jobs, finish)
        return float(cost.mean() if self.combine == "sum" else cost.max())


METRICS: tuple[Metric, ...] = (
    Metric("average-response", "Average response", "sum", "response", "none", "s"),
    Metric("weighted-response", "Average weighted response", "sum", "response", "weight", "s"),
    Metric("average-stretch", "Average stretch", "sum", "response", "stretch", ""),
    Metric("tardy-jobs", "Tardy jobs", "sum", "tardy", "none", ""),
    Metric("weighted-tardy-jobs", "Weighted tardy jobs", "sum", "tardy", "weight", ""),
    Metric("average-tardiness", "Average tardiness", "sum", "tardiness", "none", "s"),
    Metric("weighted-tardiness", "Average weighted tardiness", "sum", "tardiness", "weight", "s"),
    Metric("average-sla", "Average SLA cost", "sum", "steps", "none", ""),
    Metric("makespan", "Makespan", "max", "completion", "none", "s"),
    Metric("max-weighted-response", "Maximum weighted response", "max", "response", "weight", "s"),
    Metric("max-stretch", "Maximum stretch", "max", "response", "stretch", ""),
    Metric("max-tardiness", "Maximum tardiness", "max", "tardiness", "none", "s"),
    Metric("max-weighted-tardiness", "Maximum weighted tardiness", "max", "tardiness", "weight", "s"),
    Metric("max-lateness", "Maximum lateness", "max", "lateness", "none", "s"),
    Metric("max-weighted-lateness", "Maximum weighted lateness", "max", "lateness", "weight", "s"),
    Metric("max-sla", "Maximum SLA cost", "max", "steps", "none", ""),
)


def metric_named(metric_id: str) -> Metric:
    """Return a metric by id; UnknownName with the nearest one."""
    known = {metric.id: metric for metric in METRICS}
    if metric_id not in known:
        raise UnknownName("metric", metric_id, known)
    return known[metric_id]


def optimised_metrics(*, semi_shared: bool = False) -> tuple[Metric, ...]:
    """Return the metrics that can be optimised: 11 of 16 on whole datasets, the 8 minimax ones otherwise."""
    return tuple(m for m in METRICS if m.uses_dynamic_program or (m.uses_smith and not semi_shared))


def check_metric(metric_id: str, *, semi_shared: bool = False) -> Metric:
    """Return the metric if a policy can optimise it.

    Raises
    ------
    UnknownName
        there is no such metric
    InputError
        it can be measured but not optimised
    """
    metric = metric_named(metric_id)
    possible = optimised_metrics(semi_shared=semi_shared)
    if metric not in possible:
        why = (
            "over sets of blocks the subjobs form no chains, and Smith's rule needs chains"
            if metric.uses_smith
            else "neither Smith's rule nor the backwards dynamic program fits it"
        )
        names = ", ".join(m.id for m in possible)
        raise InputError(f"metric '{metric.id}' can be measured but not optimised: {why}; choose {names}")
    return metric


def penalties(penalty: Penalty, jobs: ScanJobs, finish: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each job's unweighted penalty for completing at `finish` (seconds), (jobs,)."""
    if penalty == "completion":
        return finish
    if penalty == "response":
        return finish - jobs.arrival
    if penalty == "steps":
        return step_costs(finish - jobs.arrival, jobs.step_times, jobs.step_costs)
    late = np.where(np.isfinite(jobs.deadline), finish - jobs.deadline, -np.inf)
    if penalty == "lateness":
        return late
    return (late > 0).astype(np.float64) if penalty == "tardy" else np.maximum(late, 0.0)


def step_costs(
    response: NDArray[np.float64], times: Sequence[float], costs: Sequence[float]
) -> NDArray[np.float64]:
    """Return the cost of each response time: that of the last step it is later than, 0 before the first."""
    place = np.searchsorted(np.asarray(times, np.float64), response, side="left")
    return np.concatenate([[0.0], np.asarray(costs, np.float64)])[place]
