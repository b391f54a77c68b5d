"""A recorded run as a schedule: its tasks packed on the slots of their hosts, as it really ran.

An attempt takes the lowest slot of its kind that is free on its host; a log does not say which one it
really had. A host has its equal part of the cluster's slots, or, where this cannot be, as many as
attempts ran on it at once.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from core.cluster import MOST_SLOTS, Cluster
from core.errors import InputError
from core.natural_order import by_number
from core.schedule import PolicyChoice, Schedule
from core.workload import MAP, REDUCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.recorded_run import RecordedRun
    from core.workload import Workload

Column = TypeVar("Column", bound=np.generic)

RECORDED = "recorded"
"""Stands in the place of a policy's id: the cluster that wrote the log decided."""


@dataclass(frozen=True)
class RecordedSchedule:
    """What really ran, ready to be drawn.

    Attributes
    ----------
    schedule : the attempts that count, one per task of the workload
    slot_host : host of each slot, index into the run's hosts (-1 if not known), int32 (slots,)
    extra : the other attempts that held a slot (failed, killed, setup, cleanup …), indices into the run,
        int64 (extras,)
    extra_slot : slot of each of them, int32 (extras,)
    not_placed : attempts without a start or an end, which cannot be drawn
    """

    schedule: Schedule
    slot_host: NDArray[np.int32]
    extra: NDArray[np.int64]
    extra_slot: NDArray[np.int32]
    not_placed: int


class _Packed(NamedTuple):
    """Slot of each attempt (-1 if it has none), host of each slot, and the number of map slots."""

    slot: NDArray[np.int32]
    slot_host: NDArray[np.int32]
    map_slots: int


def recorded_schedule(workload: Workload, run: RecordedRun) -> RecordedSchedule:
    """Return the schedule that a log recorded.

    Times below 0 (clocks differ) count as 0. A job departs when the log says so, or with its last task.

    Parameters
    ----------
    workload : the imported workload; its jobs may have been reordered, edited or removed since
    run : what the log recorded

    Raises
    ------
    InputError
        a job is not in the log or has not the tasks that ran, or the run needs more than `MOST_SLOTS` slots
    """
    tasks = _tasks(workload, run)
    packed = _pack(run, workload.cluster)
    placed = packed.slot >= 0
    is_task = np.zeros(run.attempts, np.bool_)
    is_task[tasks] = True
    extra = np.flatnonzero(placed & ~is_task)
    return RecordedSchedule(
        schedule=_schedule(workload, run, tasks, packed),
        slot_host=_frozen(packed.slot_host),
        extra=_frozen(extra),
        extra_slot=_frozen(packed.slot[extra]),
        not_placed=int((~placed).sum()),
    )


def _tasks(workload: Workload, run: RecordedRun) -> NDArray[np.int64]:
    """Return the attempt that counts of every task of the workload, (tasks,)."""
    columns = workload.columns
    index = np.array([workload.job_index.get(name, -1) for name in run.jobs], np.int64)
    counting = np.flatnonzero(run.counts)
    counting = counting[index[run.job[counting]] >= 0]
    job, kind = index[run.job[counting]], run.kind[counting]
    ran = np.zeros((len(workload.jobs), 2), np.int64)
    np.add.at(ran, (job, kind), 1)
    for differing in np.flatnonzero((ran != columns.count).any(axis=1))[:1]:
        raise InputError(_not_recorded(workload, int(differing), ran[differing]))
    tasks = np.empty(len(columns.duration), np.int64)
    tasks[columns.first[job, kind] + run.task[counting]] = counting
    return tasks


def _not_recorded(workload: Workload, job: int, ran: NDArray[np.int64]) -> str:
    here = workload.columns.count[job]
    return (
        f"{workload.jobs[job].name}: has {here[MAP]} maps and {here[REDUCE]} reduces, but {ran[MAP]} and "
        f"{ran[REDUCE]} ran under this name in the log; undo the change to see what was recorded"
    )


def _pack(run: RecordedRun, cluster: Cluster) -> _Packed:
    """Give every attempt that started and ended a slot: map slots first, or containers for all."""
    is_reduce = (run.kind == REDUCE) & (not cluster.has_containers)
    slot = np.full(run.attempts, -1, np.int32)
    slot_host: list[int] = []
    slots_before = [0]
    for kind, slots in enumerate(cluster.stage_slots[: 1 if cluster.has_containers else 2]):
        attempts = np.flatnonzero(run.has_ended & (is_reduce == bool(kind)))
        slot[attempts], added = _pack_kind(run, attempts, slots)
        slot[attempts] += len(slot_host)
        slot_host += added
        slots_before.append(len(slot_host))
    if len(slot_host) > MOST_SLOTS:
        raise InputError(f"the log's attempts need {len(slot_host)} slots; at most {MOST_SLOTS} can be drawn")
    return _Packed(slot, np.array(slot_host, np.int32), slots_before[1])


def _pack_kind(
    run: RecordedRun, attempts: NDArray[np.int64], slots: int
) -> tuple[NDArray[np.int32], list[int]]:
    """Return the slot of each attempt of a kind, and the host of each slot, host by host."""
    hosts: dict[int, _Rows] = {}
    row = np.empty(len(attempts), np.int32)
    host, start, end = run.host[attempts].tolist(), run.start[attempts], run.end[attempts]
    starts, ends = start.tolist(), end.tolist()
    for place in np.lexsort((end, start)).tolist():
        row[place] = hosts.setdefault(host[place], _Rows()).take(starts[place], ends[place])
    counts = _slots_of_hosts(hosts, slots, len(run.hosts))
    names = [by_number(name) for name in run.hosts]
    slot_host: list[int] = []
    first = {}
    for each in sorted(counts, key=lambda host: (names[host] if host >= 0 else [], host)):
        first[each] = len(slot_host)
        slot_host += [each] * counts[each]
    return row + np.array([first[each] for each in host], np.int32), slot_host


def _slots_of_hosts(hosts: dict[int, _Rows], slots: int, host_count: int) -> dict[int, int]:
    """Return how many slots each host has: an equal part of the cluster's if that is enough for all."""
    counts = {host: rows.count for host, rows in hosts.items()}
    part, rest = divmod(slots, max(host_count, 1))
    if rest == 0 and -1 not in counts and max(counts.values(), default=0) <= part:
        return dict.fromkeys(range(host_count), part)
    return counts


class _Rows:
    """The slots of one kind on one host."""

    def __init__(self) -> None:
        self.count = 0
        self._busy: list[tuple[float, int]] = []
        self._free: list[int] = []

    def take(self, start: float, end: float) -> int:
        """Return the lowest slot that is free at `start`; it is busy until `end`."""
        while self._busy and self._busy[0][0] <= start:
            heapq.heappush(self._free, heapq.heappop(self._busy)[1])
        if not self._free:
            self._free.append(self.count)
            self.count += 1
        row = heapq.heappop(self._free)
        heapq.heappush(self._busy, (max(start, end), row))
        return row


def _schedule(workload: Workload, run: RecordedRun, tasks: NDArray[np.int64], packed: _Packed) -> Schedule:
    columns, suggested = workload.columns, workload.cluster
    start = np.maximum(run.start[tasks], 0.0)
    end = np.maximum(run.end[tasks], start)
    stage_end = columns.arrival.copy()
    is_map = columns.kind == MAP
    np.maximum.at(stage_end, columns.job[is_map], end[is_map])
    last = columns.arrival.copy()
    np.maximum.at(last, columns.job, end)
    of_name = {name: i for i, name in enumerate(run.jobs)}
    recorded = run.finish[[of_name[job.name] for job in workload.jobs]]
    slots = len(packed.slot_host)
    counts = (0, 0) if suggested.has_containers else (packed.map_slots, slots - packed.map_slots)
    return Schedule(
        workload=workload,
        cluster=Cluster(
            *counts,
            suggested.slowstart,
            suggested.shuffle_model,
            containers=slots if suggested.has_containers else 0,
        ),
        choice=PolicyChoice(RECORDED),
        order=None,
        slot=_frozen(packed.slot[tasks]),
        sequence=_frozen(np.lexsort((end, start)).astype(np.int32)),
        start=_frozen(start),
        shuffled=_frozen(np.clip(_shuffled(run, tasks, start, stage_end[columns.job]), start, end)),
        end=_frozen(end),
        stage_end=_frozen(stage_end),
        finish=_frozen(np.fmax(recorded, last)),
        rank=_frozen(np.argsort(np.argsort(columns.arrival, kind="stable"), kind="stable").astype(np.int32)),
        events=2 * len(tasks) + 3 * len(workload.jobs),
        simulate_seconds=0.0,
        in_order=False,
    )


def _shuffled(
    run: RecordedRun, tasks: NDArray[np.int64], start: NDArray[np.float64], map_end: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return when each task's shuffle and sort had ended; where the log has no such time, could begin."""
    sorted_, shuffled = run.sort_end[tasks], run.shuffle_end[tasks]
    known = np.where(np.isfinite(sorted_), sorted_, shuffled)
    could_begin = np.maximum(start, map_end)
    reduces = np.where(np.isfinite(known), known, could_begin)
    return np.where(run.kind[tasks] == MAP, start, reduces)


def _frozen(column: NDArray[Column]) -> NDArray[Column]:
    column.flags.writeable = False
    return column
