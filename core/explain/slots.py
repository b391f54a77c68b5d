"""Which slots a job may use, how many are free over time, and how many tasks wait for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.explain.start_cause import NO_TASK, check_simulated, ready_times
from core.model.event_nodes import down_spans, node_down_spans
from core.model.lost_attempts import eras_of
from core.model.partition import pools_in_use
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.nodes import Request
    from core.model.schedule import Schedule
    from core.simulation.simulate import Simulation

    Placed = Schedule | Simulation


def own_slots(placed: Placed, job: int, kind: int) -> range:
    """Return the slots that are there for a job's tasks of a kind; slots that may be lent are not counted."""
    pool = placed.partition and placed.partition.place_of(placed.workload.jobs[job].name)
    return _slots_of(placed, kind, pool or 0)


def slots_beside(placed: Placed, slot: int) -> range:
    """Return the slots of a slot's own type, and pool if pools have slots of their own: it is among them."""
    kind = placed.cluster.slot_type(slot)
    pools = range(1 if placed.partition is None else len(placed.partition.pools))
    return next(slots for slots in (_slots_of(placed, kind, pool) for pool in pools) if slot in slots)


def _slots_of(placed: Placed, kind: int, pool: int) -> range:
    """Return the slots of a type, of one pool where pools have slots of their own."""
    cluster = placed.cluster
    if cluster.has_containers:
        return range(cluster.slots)
    first = sum(cluster.stage_slots[:kind])
    if placed.partition is None:
        return range(first, first + cluster.stage_slots[kind])
    begin = first + placed.partition.first_slots()[pool][kind]
    return range(begin, begin + placed.partition.pools[pool].slots[kind])


class FreeSlots:
    """Counts the free slots of a schedule over time, each group at its first use."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._counted: dict[tuple[range, int], tuple[NDArray[np.float64], NDArray[np.int64]]] = {}

    def since(self, task: int, seen: Schedule | None = None) -> float:
        """Return from when on a slot like that of a task has been free, without a break, until it started.

        A slot counts if it is of the same type, and in the same pool where pools have slots of their own; on
        nodes, there was room for the task somewhere. Counted are whole instants: a slot that is freed and
        taken at one instant has not been free. Minus infinity if one was free from the beginning, and the
        task's start if none was free just before. `seen` is the schedule as it stood then, where nodes fail.
        """
        seen = seen or self._schedule
        time = float(seen.start[task])
        times, free = self._free(task, int(seen.slot[task]))
        before = int(np.searchsorted(times, time))  # the steps that begin before
        full = np.flatnonzero(free[:before] == 0)
        if len(full) == 0:
            return float("-inf")
        last = int(full[-1])
        return float(times[last + 1]) if last + 1 < before else time

    def freed_by(self, task: int, time: float, seen: Schedule | None = None) -> int:
        """Return the task that left such a slot at exactly this time; of several the one started first.

        NO_TASK where a slot has opened then, or a node returned.
        """
        schedule = eras_of(self._schedule).before(time)
        slots = slots_beside(self._schedule, int((seen or self._schedule).slot[task]))
        beside = (schedule.slot >= slots.start) & (schedule.slot < slots.stop)
        found = np.flatnonzero((schedule.end == time) & beside)
        return int(found[np.argmin(schedule.start[found])]) if len(found) else NO_TASK

    def _free(self, task: int, slot: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the times at which the number of free slots changes, and the number from each on."""
        kind = int(self._schedule.workload.columns.kind[task])
        group = slots_beside(self._schedule, slot), kind
        if group not in self._counted:
            self._counted[group] = free_steps(self._schedule, *group)
        return self._counted[group]


def free_steps(
    schedule: Schedule, slots: range, kind: int, more: Sequence[NDArray[np.float64]] = ()
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return how many of some slots are free, on nodes how many tasks of a kind would fit there.

    Parameters
    ----------
    schedule : complete or partial
    slots : their numbers
    kind : of tasks
    more : times, seconds, that are to be steps besides those at which tasks start and end

    Returns
    -------
    times, free
        the steps, ascending, and the number from each on, (steps,)
    """
    slot = schedule.slot[schedule.sequence]
    tasks = schedule.sequence[(slot >= slots.start) & (slot < slots.stop)]
    opens, closes = (each[slots.start : slots.stop] for each in schedule.cluster.slot_intervals)
    closed = closes[schedule.slot[tasks] - slots.start]  # a task that goes on beyond holds no slot
    starts, ends = schedule.start[tasks], np.minimum(schedule.end[tasks], closed)
    if (lost := schedule.given_up) is not None:
        mine = (lost.extra_slot >= slots.start) & (lost.extra_slot < slots.stop)
        begin, end = lost.extra_times
        until = np.minimum(end[mine], closes[lost.extra_slot[mine] - slots.start])
        starts, ends = np.concatenate([starts, begin[mine]]), np.concatenate([ends, until])
    starts, ends = np.sort(starts), np.sort(ends)
    come_and_go = opens[opens > 0], closes[np.isfinite(closes)]
    away = down_spans(schedule.cluster)
    gone = (away.slot >= slots.start) & (away.slot < slots.stop) & (away.begin <= schedule.makespan)
    left, back = np.sort(away.begin[gone]), np.sort(away.end[gone])
    times = np.unique(
        np.concatenate([starts, ends, *come_and_go, left, back[back <= schedule.makespan], *more])
    )
    if schedule.cluster.has_nodes:
        return times, room_at(schedule, times, kind)
    there = running_at(times, np.sort(opens), np.sort(closes)) - running_at(times, left, back)
    return times, there - running_at(times, starts, ends)


def running_at(
    times: NDArray[np.float64], starts: NDArray[np.float64], ends: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Count what has started and not ended right after each time, from sorted starts and ends, (times,)."""
    return np.searchsorted(starts, times, "right") - np.searchsorted(ends, times, "right")


def room_at(schedule: Schedule, times: NDArray[np.float64], kind: int) -> NDArray[np.int64]:
    """Return how many tasks of a kind would fit right after each time, (times,).

    The sum over all nodes of the least, over their resources, of available divided by requested (004 section
    IV.A), when what starts and ends at that time has started and ended.

    Parameters
    ----------
    schedule : complete, on a cluster of nodes
    times : seconds, ascending
    """
    cluster = schedule.cluster
    requests = cluster.requests
    groups = [group for group in cluster.nodes for _ in range(group.count)]
    slot, held, start, end = _holds(schedule)
    node = np.searchsorted(np.array(cluster.node_rows), slot, "right") - 1
    by_node = np.argsort(node, kind="stable")
    begins = np.searchsorted(node[by_node], np.arange(len(groups) + 1))
    room = np.zeros(len(times), np.int64)
    for place, group in enumerate(groups):
        own = by_node[begins[place] : begins[place + 1]]
        free = [
            total - _used(np.array([getattr(each, name) for each in requests])[held[own]], edges, times)
            for name, total in (("memory_mb", group.memory_mb), ("cores", group.cores))
            for edges in [(start[own], end[own])]
        ]
        room += _fitting(free[0], free[1], requests[kind]) * _is_there(cluster, place, times)
    return room


def _is_there(cluster: Cluster, node: int, times: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return whether a node has not failed right after each time, (times,)."""
    there = np.ones(len(times), np.bool_)
    for which, begin, end in node_down_spans(cluster):
        if which == node:
            there &= (times < begin) | (times >= end)
    return there


def _holds(
    schedule: Schedule,
) -> tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.float64], NDArray[np.float64]]:
    """Return all that held room on nodes, what was lost too: slot, kind, begin and end of each."""
    kind, lost = schedule.workload.columns.kind, schedule.given_up
    if lost is None:
        return schedule.slot, kind, schedule.start, schedule.end
    begin, end = lost.extra_times
    return (
        np.concatenate([schedule.slot, lost.extra_slot]),
        np.concatenate([kind, lost.run.kind[lost.extra]]),
        np.concatenate([schedule.start, begin]),
        np.concatenate([schedule.end, end]),
    )


def _used(
    amount: NDArray[np.int64],
    edges: tuple[NDArray[np.float64], NDArray[np.float64]],
    times: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Sum what is held after each time, of amounts and when they are held, from when on and until when."""
    used = np.zeros(len(times), np.int64)
    for edge, sign in zip(edges, (1, -1), strict=True):
        order = np.argsort(edge, kind="stable")
        total = np.concatenate([[0], np.cumsum(amount[order])])
        used += sign * total[np.searchsorted(edge[order], times, "right")]
    return used


def _fitting(memory: NDArray[np.int64], cores: NDArray[np.int64], request: Request) -> NDArray[np.int64]:
    """Return how many tasks fit beside one another, for each pair of free resources."""
    available = ((memory, request.memory_mb), (cores, request.cores))
    fits: NDArray[np.int64] = np.minimum.reduce([have // need for have, need in available if need])
    return fits


# ---- slots and the tasks that wait for them


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
    kinds = (TASK_TYPES,) if both else tuple((task_type,) for task_type in TASK_TYPES)
    names, pool_of = pools_in_use(schedule.workload, schedule.partition)
    all_jobs = np.ones(len(pool_of), bool)
    members = [all_jobs] if schedule.partition is None else [pool_of == pool for pool in range(len(names))]
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
    wanted = sequence[group.jobs[columns.job[sequence]] & np.isin(columns.kind[sequence], group.kinds)]
    arrival = schedule.arrival[columns.stages.job]
    came, became_ready = _demand(schedule, group, arrival), _demand(schedule, group, ready)
    served, edges = np.sort(schedule.start[wanted]), np.array([0.0, schedule.makespan])
    more = (served, came, became_ready, edges)
    times, free = free_steps(schedule, group.slots, group.kinds[0], more)
    begun = begun_at(schedule, stages_of(schedule, group), times)
    waiting, arrived = (np.searchsorted(each, times, "right") - begun for each in (became_ready, came))
    return Occupancy(group, times, free, waiting, arrived, len(came) - begun)


def begun_at(schedule: Schedule, stages: NDArray[np.bool_], times: NDArray[np.float64]) -> NDArray[np.int64]:
    """Count the tasks of some stages that wait no more right after each time, (times,).

    A part that is given up, or lost, counts as long as it runs; an output that is lost later until then.

    Parameters
    ----------
    stages : whose tasks, bool (stages,)
    times : seconds, ascending
    """
    of, lost = schedule.workload.columns.stage, schedule.given_up
    started = schedule.sequence[stages[of[schedule.sequence]]]
    begun = np.searchsorted(np.sort(schedule.start[started]), times, "right")
    if lost is None or lost.given_up is None:
        return begun
    # a second copy is of a task that runs
    mine = stages[of[lost.given_up.task]] & (lost.given_up.outrun == 0)
    begin, end = lost.extra_times
    if schedule.cluster.events is not None:
        end = np.maximum(end, eras_of(schedule).lost_at)
    return begun + running_at(times, np.sort(begin[mine]), np.sort(end[mine]))


def _demand(schedule: Schedule, group: SlotGroup, since: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return from when on each task of a group is counted, ascending, given that of each stage."""
    stages = schedule.workload.columns.stages
    own = stages_of(schedule, group)
    return np.sort(np.repeat(since[own], stages.count[own]))


def stages_of(schedule: Schedule, group: SlotGroup) -> NDArray[np.bool_]:
    """Return whether the slots of a group are there for the tasks of each stage, (stages,)."""
    stages = schedule.workload.columns.stages
    own: NDArray[np.bool_] = group.jobs[stages.job] & np.isin(stages.task_type, group.kinds)
    return own


def occupancies_of(schedule: Schedule, ready: NDArray[np.float64] | None = None) -> list[Occupancy]:
    """Count over time for every group of slots.

    Raises
    ------
    InputError
        a log recorded the schedule: its cluster and policy are not known
    """
    check_simulated(schedule)
    schedule = schedule.by_first_copies  # a task that has started waits no more
    ready = ready_times(schedule) if ready is None else ready
    return [occupancy(schedule, group, ready) for group in slot_groups(schedule)]
