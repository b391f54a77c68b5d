"""What plans are worth on a workload and a cluster: many at once, on all cores, without their schedules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.plan import Plan, check_plan
from core.model.stages import MAP_REDUCE
from core.optimize.chains import compiled_search_plans, in_threads, plain_chain
from core.optimize.levers import PlanColumns, blank_plans, columns_of
from core.optimize.runs import EngineRuns
from core.optimize.search_columns import tasks_of, usual_after, why_no_passes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload

    Floats = NDArray[np.float64]

PLANS_AT_ONCE = 16
"""That a thread runs before it takes others."""


def finishes(workload: Workload, cluster: Cluster, plans: Sequence[Plan], *, compiled: bool = True) -> Floats:
    """Return when each job departs under each plan, seconds, (plans, jobs).

    The numbers are those of a simulation under the plan, to the last bit.

    Raises
    ------
    DocumentError
        a plan does not fit the workload and the cluster
    """
    for plan in plans:
        check_plan(plan, workload, cluster)
    if why_no_passes(workload, cluster) or any(plan.wakes for plan in plans):
        runs = EngineRuns(workload, cluster, compiled)
        return np.array([runs.finish(runs.follow(plan)) for plan in plans]).reshape(
            len(plans), len(workload.jobs)
        )
    t = tasks_of(workload, cluster)
    rows = columns_of(plans, workload, usual_after(t, cluster), t)
    found = np.zeros((len(plans), len(workload.jobs)))
    if compiled:
        compiled_search_plans()

    def run(first: int) -> None:
        part = slice(first, first + PLANS_AT_ONCE)
        some = PlanColumns(*(column[part] for column in rows))
        found[part] = plain_chain(t, some.slots.shape[1], compiled).worths(some)[1]

    in_threads(run, range(0, len(plans), PLANS_AT_ONCE), compiled)
    return found


def makespans(
    workload: Workload, cluster: Cluster, plans: Sequence[Plan], *, compiled: bool = True
) -> Floats:
    """Return when the last job departs under each plan, seconds, (plans,); see `finishes`."""
    longest: Floats = finishes(workload, cluster, plans, compiled=compiled).max(axis=1, initial=0.0)
    return longest


def alone_seconds(workload: Workload, cluster: Cluster, *, compiled: bool = True) -> Floats:
    """Return how long each job takes from its arrival when nothing else runs, seconds, (jobs,).

    Infinity for one whose tasks that start early hold all slots that what they wait for needs.
    """
    if why_no_passes(workload, cluster):
        ends = []
        for job in workload.jobs:
            runs = EngineRuns(workload.with_jobs([replace(job, after=())]), cluster, compiled)
            plan = Plan.of_order([job.name]) if job.graph == MAP_REDUCE else None
            ends.append(runs.finish(runs.follow(plan))[0])
        return np.array(ends) - workload.columns.links.fixed
    jobs = len(workload.jobs)
    t = tasks_of(workload, cluster)
    rows = blank_plans(jobs, t)
    rows.reduces_after[:] = usual_after(t, cluster)
    rows.pool[:] = -1  # in no pool: they do not run
    np.fill_diagonal(rows.pool, 0)
    finish = plain_chain(t, 1, compiled).worths(rows)[1]
    alone: Floats = np.diagonal(finish) - t.arrival
    return alone.copy()
