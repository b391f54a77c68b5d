"""Free slots and tasks that have not started, over time, for the slots of a type, or of a pool and type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.explain.slots import own_slots, room_at, running_at
from core.explain.start_cause import check_simulated, ready_times
from core.model.job import MAP, REDUCE
from core.model.partition import pools_in_use

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
    times : ascending, from 0 to the makespan
    free : slots that run nothing; on nodes, how many tasks of the kind would fit
    waiting : tasks of the group's kinds that could start, had they a slot and the policy's consent
    arrived : all tasks of these kinds that have not started, of jobs that have arrived
    left : the same of all jobs
    """

    group: SlotGroup
    times: NDArray[np.float64]
    free: NDArray[np.int64]
    waiting: NDArray[np.int64]
    arrived: NDArray[np.int64]
    left: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.float64]:
        """How long each step lasts; the last one no time."""
        return np.diff(self.times, append=self.times[-1:])


def slot_groups(schedule: Schedule) -> list[SlotGroup]:
    """Return every group of slots that can run anything; on nodes, all of them once for either kind."""
    cluster = schedule.cluster
    both = cluster.has_containers and not cluster.has_nodes
    kinds = ((MAP, REDUCE),) if both else ((MAP,), (REDUCE,))
    names, pool_of = pools_in_use(schedule.workload, schedule.partition)
    everybody = np.ones(len(pool_of), bool)
    members = [everybody] if schedule.partition is None else [pool_of == pool for pool in range(len(names))]
    groups = [
        SlotGroup(own_slots(schedule, int(np.argmax(jobs)), of[0]), of, jobs)
        for jobs in members
        if jobs.any()
        for of in kinds
    ]
    return [group for group in groups if group.slots]


def occupancy(schedule: Schedule, group: SlotGroup, ready: NDArray[np.float64]) -> Occupancy:
    """Count over time.

    Parameters
    ----------
    schedule : complete
    group : one of `slot_groups`
    ready : as of `core.explain.start_cause.ready_times`
    """
    columns, sequence = schedule.workload.columns, schedule.sequence
    slot = schedule.slot[sequence]
    on_slots = sequence[(slot >= group.slots.start) & (slot < group.slots.stop)]
    wanted = sequence[group.jobs[columns.job[sequence]] & np.isin(columns.kind[sequence], group.kinds)]
    starts, ends = np.sort(schedule.start[on_slots]), np.sort(schedule.end[on_slots])
    served = starts if np.array_equal(on_slots, wanted) else np.sort(schedule.start[wanted])
    arrival = np.repeat(columns.arrival[:, None], 2, axis=1)
    came, became_ready = _demand(schedule, group, arrival), _demand(schedule, group, ready)
    edges = [0.0, schedule.makespan]
    times = np.unique(np.concatenate([starts, ends, served, came, became_ready, edges]))
    begun = np.searchsorted(served, times, "right")
    free = len(group.slots) - running_at(times, starts, ends)
    if schedule.cluster.has_nodes:
        free = room_at(schedule, times, group.kinds[0])
    return Occupancy(
        group,
        times,
        free,
        np.searchsorted(became_ready, times, "right") - begun,
        np.searchsorted(came, times, "right") - begun,
        len(came) - begun,
    )


def _demand(schedule: Schedule, group: SlotGroup, since: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return from when on each task of a group is counted, ascending, given that per job and kind."""
    kinds = list(group.kinds)
    tasks = schedule.workload.columns.count[group.jobs][:, kinds]
    return np.sort(np.repeat(since[group.jobs][:, kinds].ravel(), tasks.ravel()))


def occupancies_of(schedule: Schedule, ready: NDArray[np.float64] | None = None) -> list[Occupancy]:
    """Count over time for every group of slots.

    Raises
    ------
    InputError
        a log recorded the schedule: its cluster and policy are not known
    """
    check_simulated(schedule)
    ready = ready_times(schedule) if ready is None else ready
    return [occupancy(schedule, group, ready) for group in slot_groups(schedule)]
