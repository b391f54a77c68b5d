"""Free slots and tasks that wait for one, over time, for all slots of a type, or of a pool and type.

And the rule of idle slots: a slot stays free while a task could run on it, because the policy declines.
Counted are slots of a type (of a pool's own, where there are such; all containers together) that run nothing
while tasks for them are ready: the job has arrived and, for reduces, slowstart is reached. The cost is the
smaller of both numbers over time. A work-conserving policy has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.explain.lints.finding import Finding, Limits, Rule, most_costly
from core.explain.slots import own_slots, room_at, running_at
from core.explain.words import amount, clock, place_noun
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
    came, tasks = _demand(schedule, group, ready)
    times = np.unique(np.concatenate([starts, ends, served, came]))
    in_use = running_at(times, starts, ends)
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


def idle_slots(
    schedule: Schedule, occupancies: list[Occupancy], ready: NDArray[np.float64], limits: Limits
) -> tuple[Finding, ...]:
    """Return the spans of time in which slots idle while tasks wait, the most costly ones first."""
    spans = [
        (cost, begin, end, occupied)
        for occupied in occupancies
        for cost, begin, end in _spans(occupied, limits.least_share * schedule.makespan)
    ]
    worst = sorted(spans, key=lambda span: (-span[0], span[1]))[: limits.most]
    return most_costly((_finding(schedule, ready, *span) for span in worst), limits)


def _spans(occupied: Occupancy, least: float) -> list[tuple[float, float, float]]:
    """Return cost, begin and end of each unbroken span that costs enough."""
    idle = np.minimum(occupied.free, occupied.waiting)
    cost = np.concatenate([[0.0], np.cumsum(np.where(idle > 0, idle * occupied.lengths, 0.0))])
    edges = np.flatnonzero(np.diff(idle > 0, prepend=False, append=False))
    begins, ends = edges[::2], np.minimum(edges[1::2], len(idle) - 1)
    seconds = cost[ends] - cost[begins]
    return [
        (float(seconds[i]), float(occupied.times[begins[i]]), float(occupied.times[ends[i]]))
        for i in np.flatnonzero((seconds >= least) & (seconds > 0))
    ]


def _finding(
    schedule: Schedule,
    ready: NDArray[np.float64],
    cost: float,
    begin: float,
    end: float,
    occupied: Occupancy,
) -> Finding:
    job, kind = job_waiting(schedule, occupied.group, ready, begin)
    place = int(np.searchsorted(occupied.times, begin))
    noun = place_noun(kind, schedule.cluster)
    sentence = (
        f"From {clock(begin)} to {clock(end)} {noun}s stay free although tasks could run, "
        f"first of all {schedule.workload.jobs[job].name}'s: {amount(cost)} slot-seconds."
    )
    slot = _free_slot(schedule, occupied, begin) if occupied.free[place] else -1
    return Finding(Rule.IDLE_SLOT, begin, end, job, slot, kind, cost, sentence)


def _free_slot(schedule: Schedule, occupied: Occupancy, time: float) -> int:
    """Return the lowest slot of a group that runs nothing at a time."""
    runs = (schedule.start <= time) & (schedule.end > time)
    free = np.setdiff1d(np.array(occupied.group.slots), schedule.slot[runs])
    return int(free[0])
