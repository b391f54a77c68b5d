"""How long each job takes alone on the empty cluster: the yardstick of stretch and of deadlines."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.state import INF, as_rows, fresh_state
from core.policies.composing.kernel import kernels
from core.policies.policy import Policy
from core.simulation.engine_selection import use_compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload

ALL_INSTANTS = 1 << 60


class _ByDigest:
    """A workload that compares by what a simulation depends on."""

    def __init__(self, workload: Workload) -> None:
        self.workload = workload

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByDigest) and self.workload.digest == other.workload.digest

    def __hash__(self) -> int:
        return hash(self.workload.digest)


def seconds_alone(workload: Workload, cluster: Cluster) -> NDArray[np.float64]:
    """Return each job's time from arrival to departure when nothing else runs, T_J of 001 section V, (jobs,).

    Kept for the workloads last asked for: another order or policy does not compute it again.
    """
    return _seconds_alone(_ByDigest(workload), cluster)


@lru_cache(maxsize=16)
def _seconds_alone(kept: _ByDigest, cluster: Cluster) -> NDArray[np.float64]:
    """Run the jobs one by one through the same state: after each, all slots are free again."""
    workload = kept.workload
    jobs = len(workload.jobs)
    compiled = use_compiled(workload)
    choose, advance = kernels(Policy, compiled)
    ranks = np.arange(jobs, dtype=np.int32)
    state = fresh_state(workload.columns, cluster, ranks, pools=len(workload.pools), lends=False)
    state.job["arrival"] = 0
    finish: Any = state.job["finish"]
    if not compiled:
        state = as_rows(state)
    for job in range(jobs):
        _start_again(state.cluster, compiled)
        only = np.array([job], np.int32)
        advance(choose, INF, ALL_INSTANTS, state._replace(arrivals=only if compiled else only.tolist()))
    alone: NDArray[np.float64] = finish.copy() if compiled else np.array([job.finish for job in state.job])
    alone.flags.writeable = False
    return alone


def _start_again(cluster: Any, compiled: bool) -> None:
    """Set the clock back; everything else is as at the start, since the last job has departed."""
    if compiled:
        cluster["now"], cluster["arrived"], cluster["started"] = 0.0, 0, 0
    else:
        cluster.now, cluster.arrived, cluster.started = 0.0, 0, 0
