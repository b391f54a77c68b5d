"""A schedule's tasks sorted into the rows of a chart, ready to be painted and searched."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.charts.row_columns import NONE_JOINED, RowColumns, kept_with_rows, shortest_of_rows
from core.measures.idle_stretches import busy_stretches
from core.measures.rows_by_memory import free_slot, has_memory_rows, rows_by_memory
from core.measures.rows_by_pool import rows_by_pool, shares_slots
from core.measures.stage_spans import stage_spans
from core.model.task_types import KIND_WORDS, TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from core.measures.rows_by_memory import RowsByMemory
    from core.measures.rows_by_pool import RowsByPool
    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.schedule import Schedule


MAX_STAGES = 20_000
"""Of more stages no box could be told from the next one, and placing them would hold up the window."""
BOTH_KINDS = len(TASK_TYPES)
"""`RowBand.own` of slots that run tasks of every type."""
BAND_NAMES = (*(word.upper() for word in KIND_WORDS), "CONTAINERS")
MAX_NODE_BANDS = 64
"""So many nodes get a band each; more are too thin to be told apart."""


@dataclass(frozen=True, slots=True)
class RowBand:
    """Rows of one kind.

    Attributes
    ----------
    name, prefix : what labels their band, and their rows
    first_slot, slots : the slots in them
    group : index of the pool of jobs that they belong to; -1 where rows belong to no pool
    first_number : the number that the first row is labelled with
    is_packed : whether the rows are no slots but as many as the pool held slots at once
    most_open : how many of the slots are there at once at most; 0 where none comes or goes
    memory_mb : memory of the node whose pieces the rows are, in megabytes; 0 where rows are no memory
    """

    name: str
    prefix: str
    first_slot: int
    slots: int
    group: int = -1
    first_number: int = 1
    is_packed: bool = False
    most_open: int = 0
    memory_mb: int = 0

    @property
    def own(self) -> int:
        """The type of tasks that the slots are for, or 2 for either."""
        return BAND_NAMES.index(self.name) if self.name in BAND_NAMES else BOTH_KINDS

    @property
    def has_both_kinds(self) -> bool:
        """Whether tasks of every type run on the slots."""
        return self.own == BOTH_KINDS


def bands_of(cluster: Cluster, partition: Partition | None = None) -> tuple[RowBand, ...]:
    """Return the pools of rows that have slots, top to bottom: by kind, pool of a partition, or node."""
    if partition is not None:
        parts = list(zip(partition.pools, partition.first_slots(), strict=True))
        return tuple(
            _typed(cluster, kind, first[kind], pool.slots[kind], group)
            for kind in TASK_TYPES
            for group, (pool, first) in enumerate(parts)
            if pool.slots[kind]
        )
    if cluster.has_nodes:
        return _nodes(cluster)
    if cluster.has_containers:
        most = cluster.most_open if cluster.slot_times else 0
        return (RowBand("CONTAINERS", "C", 0, cluster.slots, most_open=most),)
    pools = (_typed(cluster, kind, 0, slots) for kind, slots in enumerate(cluster.typed_slots))
    return tuple(pool for pool in pools if pool.slots)


def _typed(cluster: Cluster, kind: int, first: int, slots: int, group: int = -1) -> RowBand:
    """Return the rows of some slots of a type, from the one that is the `first` of its type on."""
    name, before = BAND_NAMES[kind], cluster.slots_of(kind).start
    return RowBand(name, name[0], before + first, slots, group, first + 1)


def _nodes(cluster: Cluster) -> tuple[RowBand, ...]:
    """Return the rows of every node or, where there are too many, those of all nodes in one."""
    if len(cluster.node_rows) > MAX_NODE_BANDS + 1:
        return (RowBand("NODES", "", 0, cluster.slots),)
    return tuple(
        RowBand(f"NODE {node + 1}", f"N{node + 1}.", first, last - first)
        for node, (first, last) in enumerate(pairwise(cluster.node_rows))
        if last > first
    )


def packed_bands(by_pool: RowsByPool) -> tuple[RowBand, ...]:
    """Return the pools of rows of a schedule whose rows belong to pools of jobs."""
    return tuple(
        RowBand(BAND_NAMES[band.slot_kind], "", band.first, band.rows, band.pool, is_packed=True)
        for band in by_pool.bands
    )


def memory_bands(cluster: Cluster, by_memory: RowsByMemory) -> tuple[RowBand, ...]:
    """Return the rows of every node, or those of all of them, where rows are pieces of its memory."""
    first = by_memory.first_row.tolist()
    memory = [group.memory_mb for group in cluster.nodes for _ in range(group.count)]
    if len(first) > MAX_NODE_BANDS + 1:
        return (RowBand("NODES", "", 0, first[-1], memory_mb=sum(memory)),)
    return tuple(
        RowBand(f"NODE {node + 1}", f"N{node + 1}.", low, high - low, memory_mb=memory[node])
        for node, (low, high) in enumerate(pairwise(first))
        if high > low
    )


@kept_with_rows
def band_names(rows: ScheduleRows) -> tuple[str, ...]:
    """Return what each pool of rows is called, unlike any other: "NODE 1", or with its pool of jobs."""
    groups = rows.groups
    return tuple(
        f"{band.name} of {groups[band.group].name}" if band.group >= 0 else band.name for band in rows.pools
    )


def matched_lanes(charts: Sequence[ScheduleRows]) -> list[dict[str, int]]:
    """Return for how many rows the lanes of each chart have to be high, by the names of `band_names`.

    Charts that have the same lanes match: each lane is for as many rows as any of them has there. Of charts
    with 2 + 2 and 4 + 1 slots both have lanes for 4 map and 2 reduce slots. Rows of pools of jobs are left
    as they are: there the height says how many slots a pool has.
    """
    most: dict[tuple[str, ...], dict[str, int]] = {}
    for rows in charts:
        if rows.is_grouped:
            continue
        known = most.setdefault(band_names(rows), {})
        for name, band in zip(band_names(rows), rows.pools, strict=True):
            known[name] = max(band.slots, known.get(name, 0))
    return [{} if rows.is_grouped else most[band_names(rows)] for rows in charts]


class PoolGroup(NamedTuple):
    """A pool of jobs: its name, how many jobs it has, and when the last one departs, in seconds."""

    name: str
    jobs: int
    finish: float


@dataclass(frozen=True)
class ScheduleRows:
    """The rows of one schedule, with what labels and lines need of it.

    Attributes
    ----------
    schedule : where it comes from
    pools : top to bottom
    columns : the tasks, row by row (all slots)
    task : index in the workload of each task in `columns`, int32 (tasks,)
    row : the row of each task of the workload: its slot, a row of its pool, or the first one of its memory;
        -1 while it has not started
    by_pool : the arrangement by pools of jobs; None where rows are others
    by_memory : the arrangement by memory of nodes; likewise
    """

    schedule: Schedule
    pools: tuple[RowBand, ...]
    columns: RowColumns
    task: NDArray[np.int32]
    row: NDArray[np.int32]
    by_pool: RowsByPool | None = None
    by_memory: RowsByMemory | None = None

    @property
    def are_slots(self) -> bool:
        """Whether each row is a slot."""
        return self.by_pool is None and self.by_memory is None

    @property
    def last_row(self) -> NDArray[np.int32]:
        """The last row of each task of the workload, the same as `row` where none has several."""
        return self.row if self.by_memory is None else self.by_memory.last

    def begins_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return those of some places in the columns, ascending, at which a task has its first row."""
        if self.by_memory is None:
            return places
        row = np.searchsorted(self.columns.offsets, places, side="right") - 1
        begun: NDArray[np.int64] = places[self.row[self.task[places]] == row]
        return begun

    def fits(self, other: ScheduleRows) -> bool:
        """Whether its jobs have as many stages as those of another: then it can be shown with it."""
        own, others = (each.schedule.workload.columns.stages.begin for each in (self, other))
        return self.has_graphs == other.has_graphs and np.array_equal(own, others)

    def is_alike(self, other: ScheduleRows) -> bool:
        """Whether it has the same kinds of rows as another: each can be shown below the other's."""
        return [pool.name for pool in self.pools] == [pool.name for pool in other.pools]

    @cached_property
    def kept(self) -> dict[Any, Any]:
        """What `kept_with_rows` knows of them already, by the function that found it."""
        return {}

    @cached_property
    def has_borrowed(self) -> bool:
        """Whether some slots run the other kind of task."""
        return bool(self.schedule.is_borrowed.any())

    @cached_property
    def is_grouped(self) -> bool:
        """Whether its rows are those of pools of jobs."""
        return any(pool.group >= 0 for pool in self.pools)

    @cached_property
    def groups(self) -> tuple[PoolGroup, ...]:
        """The pools of jobs that its rows belong to; none where rows belong to no pool."""
        if self.by_pool is not None:
            known = zip(self.by_pool.names, self.by_pool.jobs, self.by_pool.finish, strict=True)
            return tuple(PoolGroup(name, int(jobs), float(end)) for name, jobs, end in known)
        pools = self.schedule.partition.pools if self.schedule.partition is not None else ()
        ends = self.schedule.pool_finish.tolist()
        return tuple(PoolGroup(pool.name, len(pool.jobs), end) for pool, end in zip(pools, ends, strict=True))

    def group_of(self, job: int) -> int:
        """Return the index of a job's pool among `groups`; -1 where rows belong to no pool."""
        workload, partition = self.schedule.workload, self.schedule.partition
        if partition is not None:
            return partition.place_of(workload.jobs[job].name)
        return -1 if self.by_pool is None else int(workload.columns.pool[job])

    def last_end(self, band: RowBand) -> float:
        """Return when the last task in some rows ends, in seconds; 0 where there is none."""
        low, high = self.columns.offsets[[band.first_slot, band.first_slot + band.slots]].tolist()
        return float(self.columns.end[low:high].max(initial=0.0))

    def place_of(self, task: int) -> int:
        """Return the place of a task of the workload in `columns`, -1 if it has not started."""
        row = int(self.row[task])
        if row < 0:
            return -1
        low, high = int(self.columns.offsets[row]), int(self.columns.offsets[row + 1])
        return low + int(np.flatnonzero(self.task[low:high] == task)[0])

    def row_at(self, slot: int, seconds: float) -> int:
        """Return the row in which a slot is at a time, -1 if there is none.

        Where rows are no slots, that is the row of the task that runs on the slot then, the one started
        last; a slot that runs nothing has none.
        """
        if not 0 <= slot < self.schedule.cluster.slots:
            return -1
        if self.are_slots:
            return slot
        order = self.schedule.by_slot
        tasks = order.tasks[order.offsets[slot] : order.offsets[slot + 1]]
        begun = int(np.searchsorted(self.schedule.start[tasks], seconds, "right"))
        if begun == 0 or self.schedule.end[tasks[begun - 1]] < seconds:
            return -1
        return int(self.row[tasks[begun - 1]])

    def slot_at(self, row: int, seconds: float) -> int:
        """Return the slot that a row without a task stands for at a time, -1 for none.

        On a node whose rows are memory that is its lowest slot that runs nothing.
        """
        if self.by_memory is not None:
            return free_slot(self.schedule, self.by_memory.node_of(row), seconds)
        return row if self.are_slots else -1

    @cached_property
    def has_graphs(self) -> bool:
        """Whether some jobs are no pairs of maps and reduces: tasks have the colours of their stages then."""
        return not self.schedule.workload.is_map_reduce

    @cached_property
    def has_stages_to_show(self) -> bool:
        """Whether some job follows another or has more than two stages, and there are not too many."""
        columns, record = self.schedule.workload.columns, self.schedule.record
        most = int(np.diff(columns.stages.begin).max(initial=0))
        has_links = len(columns.links) > 0 or (record is not None and len(record.followed) > 0)
        return (has_links or most > 2) and len(columns.stages.job) <= MAX_STAGES

    @cached_property
    def coloured(self) -> RowColumns:
        """The tasks as they are coloured: by their jobs or, where some are graphs, by stages.

        Then `code` has the number of the stage in the place of the job, and whether it waits for others (in
        cases of borrowed slots: the kind) in that of the kind; `stage_end` has when each stage was ready.
        """
        if not self.has_graphs:
            return self.columns
        columns = self.schedule.workload.columns
        second = columns.kind if self.has_borrowed else columns.stages.has_parents[columns.stage]
        code = (columns.stage << 1 | second).astype(np.int32)[self.task]
        ready = stage_spans(self.schedule).ready
        code.flags.writeable = False
        return self.columns._replace(code=code, stage_end=ready)

    @cached_property
    def busy(self) -> NDArray[np.float64]:
        """When something runs: begins and ends of stretches in seconds, (2, stretches)."""
        return busy_stretches(self.schedule)

    @cached_property
    def job_end(self) -> NDArray[np.float64]:
        """When the last task of each job ends, (jobs,)."""
        stages = self.schedule.workload.columns.stages
        return np.maximum.reduceat(self.schedule.end, stages.first[stages.begin[:-1]])

    @cached_property
    def _waves(self) -> dict[int, NDArray[np.int32]]:
        return {}

    def waves(self, stage: int) -> NDArray[np.int32]:
        """Return the wave of each task of a stage of the workload, from 1; computed once."""
        if stage not in self._waves:
            self._waves[stage] = self.schedule.stage_wave(stage)
        return self._waves[stage]

    def wave(self, task: int) -> int:
        """Return the wave of a task of the workload, from 1."""
        columns = self.schedule.workload.columns
        stage = int(columns.stage[task])
        return int(self.waves(stage)[task - columns.stages.first[stage]])

    def wave_starts(self, stage: int) -> NDArray[np.float64]:
        """Return when half of the tasks of each wave of a stage of the workload have started, (waves,).

        Waves of tasks that take equally long begin at one time. Others begin slot by slot: 3 tasks at 1, 2
        and 9 s are a wave from 2 s on. None begins before the one that it follows.
        """
        return self._wave_times(stage)[0]

    def last_wave_end(self, stage: int) -> float:
        """Return when a stage's last wave has ended, in seconds; 0 without tasks."""
        return self._wave_times(stage)[1]

    def _wave_times(self, stage: int) -> tuple[NDArray[np.float64], float]:
        """Return when a stage's waves begin, and when the last one ends; computed once."""
        if stage not in self._known_wave_times:
            stages = self.schedule.workload.columns.stages
            own = slice(stages.first[stage], stages.first[stage] + stages.count[stage])
            waves, start, end = self.waves(stage), self.schedule.start[own], self.schedule.end[own]
            order = np.lexsort((start, waves))
            ends = np.searchsorted(waves[order], np.arange(1, int(waves.max(initial=0)) + 2))
            middle = (ends[:-1] + ends[1:] - 1) // 2
            self._known_wave_times[stage] = (
                np.maximum.accumulate(start[order[middle]]),
                float(end[(waves == waves.max(initial=0)) & np.isfinite(end)].max(initial=0.0)),
            )
        return self._known_wave_times[stage]

    @cached_property
    def _known_wave_times(self) -> dict[int, tuple[NDArray[np.float64], float]]:
        return {}


def schedule_rows(schedule: Schedule, by_pool: bool = False, *, by_memory: bool = True) -> ScheduleRows:
    """Sort the tasks of a schedule into rows: slots, rows of pools of jobs, or pieces of a node's memory.

    Pools that have slots of their own keep them as rows, as they stand together already, and so do logs.
    Without `by_memory` a task on a node has one row, whatever its memory.
    """
    arranged = rows_by_pool(schedule) if by_pool and shares_slots(schedule) else None
    takes_memory = by_memory and arranged is None and has_memory_rows(schedule)
    in_memory = rows_by_memory(schedule) if takes_memory else None
    other, tasks = arranged or in_memory, schedule.workload.columns
    order = schedule.by_slot if other is None else other.order
    task = order.tasks
    start, end = schedule.start[task], schedule.end[task]
    code = tasks.job << 1 | tasks.kind
    columns = RowColumns(
        order.offsets,
        shortest_of_rows(end - start, order.offsets),
        start,
        schedule.shuffled[task],
        end,
        code.astype(np.int32)[task],
        np.ascontiguousarray(schedule.stage_end, np.float64).view(),
        NONE_JOINED if in_memory is None else _joined(in_memory),
    )
    for column in columns:
        column.flags.writeable = False
    if arranged is not None:
        return ScheduleRows(schedule, packed_bands(arranged), columns, task, arranged.row, arranged)
    if in_memory is not None:
        bands = memory_bands(schedule.cluster, in_memory)
        return ScheduleRows(schedule, bands, columns, task, in_memory.first, by_memory=in_memory)
    return ScheduleRows(
        schedule, bands_of(schedule.cluster, schedule.partition), columns, task, schedule.slot
    )


def _joined(by_memory: RowsByMemory) -> NDArray[np.bool_]:
    """Return which tasks of the row columns go on in the row below."""
    offsets, task = by_memory.order.offsets, by_memory.order.tasks
    row = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    goes_on: NDArray[np.bool_] = row < by_memory.last[task]
    return goes_on


def known_rows(
    schedule: Schedule | None, by_pool: bool, known: Iterable[ScheduleRows | None]
) -> ScheduleRows | None:
    """Return the rows of a schedule: of the known ones, if they are among them; None for no schedule."""
    if schedule is None:
        return None
    by_pool = by_pool and shares_slots(schedule)
    sorted_before = (
        rows for rows in known if rows and rows.schedule is schedule and (rows.by_pool is not None) == by_pool
    )
    return next(sorted_before, None) or schedule_rows(schedule, by_pool)
