"""Plans with a start time for each task: tasks wait for their times, and slots idle meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.task_types import MAP, REDUCE
from core.policies.critical import Critical, CriticalInPools, planned_figures, why, why_held
from core.policies.explains import Explains, Number
from core.policies.policy import Policy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.policies.policy import ClusterRow, JobRow

    Floats = NDArray[np.float64]
    Figures = dict[str, NDArray[Any]]

BEGINS = "the plan lets its next {kind} start from {begin} on"
WAITS = "the plan lets its next {kind} start at {begin} only"


def _has_starts(starts_of: Floats) -> NDArray[np.bool_]:
    """Return whether the plan has starts for each stage of each job, (jobs, 2)."""
    return np.array(np.isfinite(starts_of).any(axis=2))


class CriticalByStarts(Policy):
    """Start tasks at the times that a plan gives them, and hold them back until then.

    A stage of which the plan only says when it is due goes by that.
    """

    id = "critical-by-starts"
    title = "By a plan's starts"
    explains = Explains(
        "A task waits until the time at which the plan lets it start, even where a slot is free for it; of "
        "those that may start the one with the earliest time goes first.",
        (
            *Critical.explains.numbers,
            Number(
                "begin",
                "at",
                "From",
                "When the plan lets its next task start",
                lambda job, kind: job.next[kind] if job.memo[1 + kind] else np.nan,
            ),
        ),
        lambda kind, is_planned, due_of, start, path, begin: (
            BEGINS if begin >= 0 else why(kind, is_planned, due_of, start, path)
        ),
        admits=lambda job, kind, begin, now: WAITS if begin > now else why_held(job, kind),
    )
    order = staticmethod(Critical.order)
    stage_key = staticmethod(Critical.stage_key)
    key = staticmethod(Critical.key)
    reserves = staticmethod(Critical.reserves)

    @staticmethod
    def figures(workload: Workload, cluster: Cluster, plan: Plan) -> Figures:
        """Return due dates and what else a plan has of each job, and the starts of its tasks."""
        columns = planned_figures(workload, cluster, plan)
        most = max((len(stage.starts) for job in plan.jobs for stage in job.stages), default=0)
        starts = np.full((len(workload.jobs), 2, most), np.nan)
        for job in plan.jobs:
            for kind, stage in enumerate(job.stages):
                starts[workload.job_index[job.name], kind, : len(stage.starts)] = stage.starts
        return {**columns, "starts_of": starts}

    @staticmethod
    def plan(
        jobs: NDArray[np.void],
        cluster: Cluster,
        cap_of: NDArray[np.int64],
        reduces_after_of: NDArray[np.int64],
        is_map_reduce: NDArray[np.bool_],
        room_of: NDArray[np.int64],
        starts_of: Floats,
    ) -> None:
        """Write which stages wait for their times, and what plans without them write."""
        Critical.plan(jobs, cluster, cap_of, reduces_after_of, is_map_reduce, room_of)
        jobs["memo"][:, 1:3] = _has_starts(starts_of)

    @staticmethod
    def task_key(
        workload: Workload,
        cluster: Cluster,
        duration: Floats,
        typical_shuffle: Floats,
        kind: NDArray[np.int8],
        job: NDArray[np.int32],
        stage: NDArray[np.int32],
        number: NDArray[np.int32],
        due_of: Floats,
        is_planned: NDArray[np.bool_],
        tasks_of: NDArray[np.int64],
        starts_of: Floats,
    ) -> tuple[Floats, Floats]:
        """Return the times of tasks that have one, of others what plans without them return."""
        key, tie = Critical.task_key(
            workload, cluster, duration, typical_shuffle, kind, job, stage, due_of, is_planned, tasks_of
        )
        is_timed = _has_starts(starts_of)[job, kind]
        start = starts_of[job, kind, np.minimum(number, starts_of.shape[2] - 1)]
        return np.where(is_timed, start, key), np.where(is_timed, 0.0, tie)

    @staticmethod
    def admits(job: JobRow, kind: int, cluster: ClusterRow) -> bool:
        """Hold tasks back until their times; else as plans without them do."""
        if job.memo[1 + kind] > 0 and cluster.now < job.next[kind]:
            return False
        waits = kind == REDUCE and job.memo[0] > 0 and job.started[MAP] < job.tasks[MAP]
        return job.running[kind] < job.wanted[kind] and not waits


def planned_policy(plan: Plan) -> type[Policy]:
    """Return the policy that replays a plan."""
    if plan.partition is not None:
        return CriticalInPools
    return CriticalByStarts if plan.wakes else Critical
