"""Shared scans task by task: the allocation layer plans targets, the engine's slots are given by them.

Source: 003 appendices A.1 (the two layers), A.4 (epochs) and C.3 (drivers and sharing jobs). When a job
arrives, blocks that others still wait to scan are shared; only the rest are tasks of its own. A job that
has none runs one task of no length, as the paper's NOOP map. A job's maps wait until those of all older
jobs on its dataset are complete, as one subjob precedes the next. The loop stands in
`core.shared_scans.assignment_loop`.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine import jit, loop, replanning
from core.engine.compiled import advance_signature, choose_signature, state_type
from core.engine.replanning import changeable_durations
from core.shared_scans import assignment_loop, fluid_loop, plan_columns, priority_loop, scan_jobs
from core.shared_scans.assignment_loop import ScanEntries
from core.shared_scans.fluid import fresh_progress
from core.shared_scans.metric import SMITH, check_metric, metric_named
from core.shared_scans.scan_jobs import ScanJobs, workload_scans
from core.shared_scans.shared_schedule import scan_sharing
from core.shared_scans.windows import BoardingTimes, boarding_of, boarding_times

if TYPE_CHECKING:
    import types
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.engine.state import State
    from core.model.cluster import Cluster
    from core.model.job import ServiceLevels
    from core.model.scan_sharing import ScanSharing
    from core.model.workload import Workload
    from core.shared_scans.windows import ScanPolicy


class ScanAssignment:
    """Plans targets whenever something has happened; writes them into the jobs' memory.

    A job's memory then holds: its target in slots, the most slots it may hold, how many of its maps may have
    started (none if it is not its turn) and how many slots it should hold at least.
    """

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        policy: ScanPolicy,
        metric: str,
        *,
        window: float = 0.0,
        load: float = 0.9,
        steps: ServiceLevels = (),
        compiled: bool = False,
    ) -> None:
        scans = workload_scans(workload, steps)
        chosen = check_metric(metric)
        self._slots = float(max(cluster.stage_slots[0], 1))  # without map slots there are no maps either
        self._rule = chosen.rule
        self._shares = policy != "flex"
        self._times = boarding_times(scans.jobs, self._slots, policy, chosen, window, load)
        self._index = scans.index
        self._compiled = compiled
        self._boarding = self._held(boarding_of(scans.jobs, self._slots, chosen, self._times.group))
        self._progress = self._held(fresh_progress(len(scans.index), 0))
        self._entries = self._held(
            _entries(
                self._times,
                scans.index,
                np.maximum(workload.columns.count[scans.index, 0], 1),
                scans.block_seconds,
                scans.is_shared & self._shares,
            )
        )
        self._advance = compiled_advance_by_plans() if compiled else assignment_loop.advance_by_plans

    def _held(self, columns: Any) -> Any:
        """Return columns as they are, or as lists for the interpreted loop."""
        return columns if self._compiled else type(columns)(*(column.tolist() for column in columns))

    @property
    def sharing(self) -> ScanSharing:
        """Which jobs may share scans, for the schedule."""
        return scan_sharing(self._times, self._index, shares=self._shares)

    def planned(self) -> dict[str, NDArray[np.float64]]:
        """Return the last plan of every job, by name, (jobs,) each; nan where it has none.

        `priority` is the job's place, from 1, of `planned` jobs; `ratio` the slot-seconds left per weight
        where Smith's rule orders them; it `boards` at so many seconds.
        """
        progress, entries, jobs = self._progress, self._entries, len(self._index)
        active = int(entries.count[assignment_loop.ACTIVE])
        columns = {name: np.full(jobs, np.nan) for name in ("priority", "ratio", "boards")}
        columns["boards"][np.asarray(entries.job)] = entries.boards
        for turn in range(active):
            entry = progress.active[progress.order[turn]]
            columns["priority"][entries.job[entry]] = turn + 1
            if self._rule == SMITH:
                columns["ratio"][entries.job[entry]] = progress.ratio[entry]
        return columns | {"planned": np.full(jobs, float(active))}

    def copy(self) -> ScanAssignment:
        """Return a copy that goes on by itself; nothing that is only read is copied."""
        twin = copy.copy(self)
        twin._progress = type(self._progress)(*map(copy.copy, self._progress))
        twin._entries = ScanEntries(*map(copy.deepcopy, self._entries))
        return twin

    def advance(
        self, engine: Callable[..., int], choose: Any, until: float, instants: int, state: State
    ) -> int:
        """Let the engine go on, with new plans in between."""
        columns = (self._boarding, self._progress, self._entries, changeable_durations(state))
        how = (self._slots, self._rule)
        return int(self._advance(engine, choose, until, instants, state, *columns, *how))


def _entries(
    times: BoardingTimes,
    job: NDArray[np.int64],
    blocks: NDArray[np.int32],
    block_seconds: NDArray[np.float64],
    shares: NDArray[np.bool_],
) -> ScanEntries:
    """Return the columns of entries none of which has boarded."""
    entries = len(job)
    return ScanEntries(
        order=times.order.astype(np.int32),
        boards=np.array(times.boards),
        job=job.astype(np.int32),
        blocks=np.array(blocks, np.int32),
        block_seconds=np.array(block_seconds),
        shares=shares.astype(np.int8),
        written=np.zeros((entries, 4)),
        alone=np.zeros(entries),
        is_served=np.zeros(entries, np.int8),
        seconds=np.zeros(entries),
        count=np.zeros(2, np.int32),
        next_plan=np.array([np.inf]),
    )


@jit.Kept
def compiled_advance_by_plans() -> Any:
    """Return the compiled twin of `assignment_loop.advance_by_plans`; it calls the engine's."""
    types, typeof = jit.numba().types, jit.numba().typeof
    jobs = ScanJobs.of(0.0, 0, 1.0)
    boarding = boarding_of(jobs, 1.0, metric_named("average-response"), np.zeros(1, np.int64))
    one = np.ones(1)
    times = BoardingTimes(one, one.astype(np.int64), one.astype(np.int64))
    entries = _entries(times, times.order, one.astype(np.int32), one, one > 0)
    columns = (boarding, fresh_progress(1, 0), entries, one)
    signature = types.int64(
        types.FunctionType(advance_signature()),
        types.FunctionType(choose_signature()),
        types.float64,
        types.int64,
        state_type(),
        *(typeof(each) for each in columns),
        types.float64,
        types.int64,
    )
    return jit.compiled(plans_function(), signature)


def plans_function() -> types.FunctionType:
    """Return what is compiled, under the name that the cache has for it."""
    sources = (assignment_loop, fluid_loop, priority_loop, plan_columns, scan_jobs, loop, replanning)
    return jit.named_by_sources(assignment_loop.advance_by_plans, *sources)
