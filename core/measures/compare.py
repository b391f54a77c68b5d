"""A schedule against its deadlines and against another one: how late jobs are, and what changed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

import numpy as np

from core.measures.below_bound import is_below, why_below
from core.measures.metrics import gap_above
from core.model.schedule import RECORDED
from core.optimize.premise import gap_text
from core.planning.estimated_makespan import estimate_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from core.measures.metrics import Metrics
    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.optimize.premise import Premise


NO_OVERHEADS = "no overheads"
NO_OVERHEADS_WHY = (
    "what really ran spent time on launches, setups, cleanups and heartbeats; this simulation has none of "
    "these overheads and so ends too early"
)


def lacks_overheads(policy: str, cluster: Cluster, beside: Iterable[str]) -> bool:
    """Whether a simulation without overheads stands beside what really ran, which had them.

    Parameters
    ----------
    policy, cluster : of the simulation
    beside : the policies of all that it stands beside, `RECORDED` for what really ran
    """
    return policy != RECORDED and cluster.overheads is None and RECORDED in beside


def relative_change(value: float, baseline: float) -> float:
    """Return value / baseline - 1; 0 when both are 0, infinity when only the baseline is."""
    if baseline == 0:
        return 0.0 if value == 0 else float("inf")
    return value / baseline - 1


def completion_change(schedule: Schedule, baseline: Schedule) -> NDArray[np.float64]:
    """Return how many seconds later each job departs than in the baseline (negative: earlier), (jobs,).

    Jobs are matched by name; nan where the baseline has no such job.
    """
    index = baseline.workload.job_index
    there = np.array([index.get(job.name, -1) for job in schedule.workload.jobs])
    before = np.where(there >= 0, baseline.finish[there], np.nan)
    change: NDArray[np.float64] = schedule.finish - before
    return change


def comparison_row(label: str, metrics: Metrics, baseline: Metrics) -> dict[str, Any]:
    """Return one row of `slotscope compare --json`: the metrics and the change of makespan."""
    change = relative_change(metrics.makespan, baseline.makespan)
    row = {"policy": label, "makespan": metrics.makespan, "change": change} | dict(metrics.values)
    return row | {"premise": metrics.premise.words}


def comparison_rows(schedules: Sequence[Schedule], metrics: Sequence[Metrics]) -> list[dict[str, Any]]:
    """Return the rows of `slotscope compare --json`, one for each schedule; the first one is the baseline."""
    beside = [schedule.choice.id for schedule in schedules]
    below = reasons_below(schedules, metrics)
    return [
        comparison_row(schedule.choice.id, figures, metrics[0])
        | {"below_bound_because": because or None}
        | {"estimated": estimate_of(schedule), "interpreted_because": schedule.interpreted_because or None}
        | {"lacks_overheads": lacks_overheads(schedule.choice.id, schedule.cluster, beside)}
        | estimates_json(schedule)
        for schedule, figures, because in zip(schedules, metrics, below, strict=True)
    ]


def reasons_below(schedules: Sequence[Schedule], metrics: Sequence[Metrics]) -> list[str]:
    """Return of each schedule why it is below its own bound or the shared one, as `why_below`; "" if not."""
    shared = shared_bound(metrics)
    return [
        ""
        if schedule.record is None or not (is_below(figures.gap) or is_below(shared.gap(figures)))
        else why_below(schedule, () if is_below(figures.gap) else schedules)
        for schedule, figures in zip(schedules, metrics, strict=True)
    ]


def below_sentences(
    titles: Iterable[str], schedules: Sequence[Schedule], metrics: Sequence[Metrics]
) -> list[str]:
    """Return a sentence for each schedule that is below its bound or the shared one, which says why."""
    reasons = zip(titles, reasons_below(schedules, metrics), strict=True)
    return [f"{title} is below the bound, as {because}." for title, because in reasons if because]


def estimates_json(schedule: Schedule) -> dict[str, Any]:
    """Return a policy's estimates of durations, for JSON; nothing for one that has the true ones."""
    estimates = schedule.choice.estimates
    return {} if estimates is None else {"planned_on": estimates.figures}


@dataclass(frozen=True, slots=True)
class SharedBound:
    """The lower bound that holds for all schedules that stand side by side.

    It is the lowest of their own bounds: each schedule keeps the premise of its own one.

    Attributes
    ----------
    seconds : no schedule that keeps one of the premises is shorter
    premise : what any of them allows
    differs : whether some own bound is another one
    """

    seconds: float
    premise: Premise
    differs: bool

    def gap(self, metrics: Metrics) -> float:
        """Return by which part of it a makespan is longer."""
        return gap_above(metrics.makespan, self.seconds) if self.differs else metrics.gap

    def standing(self, metrics: Metrics) -> str:
        """Return how far a makespan is from it: "optimal without lending slots", "3.1 % above bound"."""
        return gap_text(self.gap(metrics), self.premise)


def shared_bound(beside: Iterable[Metrics]) -> SharedBound:
    """Return the lower bound that holds for all of some schedules of a workload, at least one."""
    own = {(metrics.premise, metrics.lower_bound) for metrics in beside}
    premise = reduce(or_, (each for each, _ in own))
    return SharedBound(min(seconds for _, seconds in own), premise, len(own) > 1)


def own_standing(metrics: Metrics) -> str:
    """Return how far a makespan is from its own bound: "optimal without lending slots"."""
    return gap_text(metrics.gap, metrics.premise)
