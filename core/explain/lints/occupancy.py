"""Free slots and tasks that wait for one, over time: for all slots of a type, or of a pool and type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.explain.job_slots import own_slots, pools_in_use
from core.explain.start_cause import reduces_allowed
from core.measures.node_room import room_at
from core.model.job import MAP, REDUCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule


@dataclass(frozen=True)
class SlotGroup:
    """Slots that are there for the same tasks.

    Attributes
    ----------
    slots : their numbers
    kinds : which kinds of task they are there for: one, or both on containers
    jobs : whose tasks, bool (jobs,)
    """

    slots: range
    kinds: tuple[int, ...]
    jobs: NDArray[np.bool_]


@dataclass(frozen=True)
class Occupancy:
    """Counts as steps: each holds from its time to the next one; arrays are (steps,).

    Attributes
    ----------
    group : the slots counted
    times : ascending, from the first event on
    free : slots that run nothing; on nodes, how many tasks of the kind would fit
    waiting : tasks of the group's kinds that could start, had they a slot and the policy's consent
    """

    group: SlotGroup
    times: NDArray[np.float64]
    free: NDArray[np.int64]
    waiting: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.float64]:
        """How long each step lasts; the last one no time."""
        return np.diff(self.times, append=self.times[-1:])


def slot_groups(schedule: Schedule) -> list[SlotGroup]:
    """Return every group of slots that can run anything; on nodes, all of them once for either kind."""
    cluster = schedule.cluster
    both = cluster.has_containers and not cluster.has_nodes
    kinds = ((MAP, REDUCE),) if both else ((MAP,), (REDUCE,))
    names, pool_of = pools_in_use(schedule)
    everybody = np.ones(len(pool_of), bool)
    members = [everybody] if schedule.partition is None else [pool_of == pool for pool in range(len(names))]
    groups = [
        SlotGroup(own_slots(schedule, int(np.argmax(jobs)), of[0]), of, jobs)
        for jobs in members
        if jobs.any()
        for of in kinds
    ]
    return [group for group in groups if group.slots]


def ready_times(schedule: Schedule) -> NDArray[np.float64]:
    """Return when the tasks of each job and kind could start at the earliest, (jobs, 2)."""
    columns, slowstart = schedule.workload.columns, schedule.cluster.slowstart
    ready = np.repeat(columns.arrival[:, None], 2, axis=1)
    if slowstart == 1:
        ready[:, REDUCE] = schedule.stage_end
    elif slowstart > 0:
        for job in np.flatnonzero(columns.count[:, REDUCE]):
            ready[job, REDUCE] = reduces_allowed(schedule, int(job))[0]
    return ready


def occupancy(schedule: Schedule, group: SlotGroup, ready: NDArray[np.float64]) -> Occupancy:
    """Count over time.

    Parameters
    ----------
    schedule : complete
    group : one of `slot_groups`
    ready : as of `ready_times`
    """
    columns, sequence = schedule.workload.columns, schedule.sequence
    slot = schedule.slot[sequence]
    on_slots = sequence[(slot >= group.slots.start) & (slot < group.slots.stop)]
    wanted = sequence[group.jobs[columns.job[sequence]] & np.isin(columns.kind[sequence], group.kinds)]
    starts, ends = np.sort(schedule.start[on_slots]), np.sort(schedule.end[on_slots])
    served = starts if np.array_equal(on_slots, wanted) else np.sort(schedule.start[wanted])
    came, tasks = _demand(schedule, group, ready)
    times = np.unique(np.concatenate([starts, ends, served, came]))
    in_use = np.searchsorted(starts, times, "right") - np.searchsorted(ends, times, "right")
    demand = np.concatenate([[0], np.cumsum(tasks)])[np.searchsorted(came, times, "right")]
    waiting = demand - np.searchsorted(served, times, "right")
    free = len(group.slots) - in_use
    if schedule.cluster.has_nodes:
        free = room_at(schedule, times, group.kinds[0])
    return Occupancy(group, times, free, waiting)


def _demand(
    schedule: Schedule, group: SlotGroup, ready: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return when tasks became ready, ascending, and how many then."""
    kinds = list(group.kinds)
    times = ready[group.jobs][:, kinds].ravel()
    tasks = schedule.workload.columns.count[group.jobs][:, kinds].ravel().astype(np.int64)
    order = np.argsort(times, kind="stable")
    order = order[tasks[order] > 0]
    return times[order], tasks[order]


def job_waiting(
    schedule: Schedule, group: SlotGroup, ready: NDArray[np.float64], time: float
) -> tuple[int, int]:
    """Return the first job of the queue, by rank, that waits at a time, and the kind of its waiting task."""
    columns = schedule.workload.columns
    started = schedule.start <= time
    cells = 2 * columns.job[started] + columns.kind[started]
    begun = np.bincount(cells, minlength=2 * len(group.jobs)).reshape(-1, 2)
    waits = (ready <= time) & (begun < columns.count) & group.jobs[:, None]
    places = [
        (int(schedule.rank[j]), int(kind), int(j)) for j, kind in np.argwhere(waits) if kind in group.kinds
    ]
    _, kind, job = min(places)
    return job, kind
