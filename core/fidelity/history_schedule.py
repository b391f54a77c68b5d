"""The schedule of an execution history: the jobs of a log as they ran, each attempt on a slot of its host.

Edits of the imported jobs change what is simulated, never the history; so its schedule has the log's own
tasks and times, whatever has become of the jobs meanwhile. An attempt takes the lowest slot of its kind that
is free on its host; a log does not say which one it really had. A host has its equal part of the cluster's
slots, or, where this cannot be, as many as attempts ran on it at once.
"""

from __future__ import annotations

import heapq
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.execution_history import ExecutionHistory, SlotsBy
from core.model.in_parts import collector_at_rest
from core.model.job import Job
from core.model.limits import MAX_SLOTS, by_number
from core.model.links import have_links
from core.model.schedule import RECORDED, PolicyChoice, Schedule
from core.model.stages import Stage, stage_columns
from core.model.under_way import if_whole
from core.model.workload import Workload

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.execution_history import RecordedRun


Column = TypeVar("Column", bound=np.generic)


class HistoryTasks:
    """The attempts that count, task by task.

    Attributes
    ----------
    attempt : index into the run's attempts, by job (in the order of `jobs`), stage and task, int64 (tasks,)
    jobs : index into the run's jobs of each job that has such attempts, int64 (jobs,)
    job : place in `jobs` of each task, int64 (tasks,)
    graphs, stages : the stages of these jobs
    stage : that of each task among them, int64 (tasks,)
    waits : whether this stage waits for another, bool (tasks,)
    start, shuffled, end : seconds, 0 or later, (tasks,); `shuffled` is the start where a stage waits for none
    released : when the last of the stages ended that each task's waits for, its job's submission for none
    stage_end : when the last stage of each job ended that another one waits for, its submission for none
    """

    def __init__(self, run: RecordedRun, names: tuple[str, ...]) -> None:
        counting = np.flatnonzero(run.counts)
        self.jobs = _in_order(run, np.unique(run.job[counting]), names)
        place = np.full(len(run.jobs), -1, np.int64)
        place[self.jobs] = np.arange(len(self.jobs))
        self.graphs = [run.graph(job) for job in self.jobs.tolist()]
        begins = np.cumsum([0, *map(len, self.graphs)])
        stage = begins[place[run.job[counting]]] + run.stage[counting]
        order = np.lexsort((run.task[counting], stage))
        self.attempt, self.stage = counting[order], stage[order]
        self.stages = stage_columns(self.graphs, np.bincount(stage, minlength=begins[-1]).astype(np.int32))
        self.job = self.stages.job[self.stage].astype(np.int64)
        self.waits = self.stages.has_parents[self.stage]
        self.start = np.maximum(run.start[self.attempt], 0.0)
        self.end = np.maximum(run.end[self.attempt], self.start)
        self.submit = np.maximum(np.nan_to_num(run.submit[self.jobs], nan=0.0), 0.0)
        ends = np.full(begins[-1], -np.inf)
        np.maximum.at(ends, self.stage, self.end)
        self.released = self.stages.released(ends, self.submit)[self.stage]
        self.stage_end = self.submit.copy()
        awaited = self.stages.has_children
        np.maximum.at(self.stage_end, self.stages.job[awaited], ends[awaited])
        self.shuffled = np.clip(self._shuffle_end(run), self.start, self.end)

    def _shuffle_end(self, run: RecordedRun) -> NDArray[np.float64]:
        """Return when each task's shuffle and sort had ended; where the log has no such time, could begin."""
        sorted_, shuffled = run.sort_end[self.attempt], run.shuffle_end[self.attempt]
        known = np.where(np.isfinite(sorted_), sorted_, shuffled)
        could_begin = np.maximum(self.start, self.released)
        read = np.where(np.isfinite(known), known, could_begin)
        return np.where(self.waits, read, self.start)

    def stages_of_jobs(self) -> list[tuple[Stage, ...]]:
        """Return the stages of each job; a shuffle is what of it came after the stages that were read."""
        shuffle = np.maximum(self.shuffled - np.maximum(self.start, self.released), 0.0)
        work = self.end - self.shuffled
        for column in (shuffle, work):
            column.flags.writeable = False
        edges = np.searchsorted(self.stage, np.arange(len(self.stages.job) + 1)).tolist()
        waits = self.stages.has_parents.tolist()
        found = [
            _stage(work[low:high], shuffle[low:high] if reads else None)
            for (low, high), reads in zip(pairwise(edges), waits, strict=True)
        ]
        return [tuple(found[low:high]) for low, high in pairwise(self.stages.begin.tolist())]


def _stage(work: NDArray[np.float64], shuffle: NDArray[np.float64] | None) -> Stage:
    if not len(work):
        return Stage()
    return Stage(len(work), work) if shuffle is None else Stage(len(work), work, shuffle, shuffle)


def _in_order(run: RecordedRun, jobs: NDArray[np.int32], names: tuple[str, ...]) -> NDArray[np.int64]:
    """Put jobs of the log into the order of a workload; those that are no longer there follow."""
    place = {name: i for i, name in enumerate(names)}
    return np.array(sorted(jobs.tolist(), key=lambda job: place.get(run.jobs[job], len(names))), np.int64)


def history_workload(workload: Workload, run: RecordedRun) -> tuple[Workload, HistoryTasks]:
    """Return the jobs of a log as they ran, and the attempts that they consist of.

    Parameters
    ----------
    workload : the imported workload; its jobs may have been edited, reordered, renamed or removed since. Its
        order, pools, weights and deadlines hold for jobs that still have their names; jobs that it has no
        more come last, and what the log has not is left out.
    run : what the log recorded

    Raises
    ------
    InputError
        no task of the log has both its times
    """
    if not run.counts.any():
        raise InputError(f"{workload.name}: no task of the log has a start and an end to be drawn")
    tasks = HistoryTasks(run, tuple(job.name for job in workload.jobs))
    jobs = []
    for place, (stages, graph) in enumerate(zip(tasks.stages_of_jobs(), tasks.graphs, strict=True)):
        name = run.jobs[int(tasks.jobs[place])]
        index = workload.job_index.get(name)
        kept = Job(name) if index is None else workload.jobs[index]
        arrival = float(tasks.submit[place])
        jobs.append(
            Job(
                name,
                arrival=arrival,
                deadline=kept.deadline if kept.deadline is not None and kept.deadline > arrival else None,
                pool=kept.pool,
                user=kept.user,
                weight=kept.weight,
                stages=stages,
                graph=graph,
            )
        )
    recorded = Workload(
        workload.name,
        tuple(jobs),
        workload.cluster,
        pool_settings=workload.pool_settings,
        recorded=run,
        cut=workload.cut,
    )
    return recorded, tasks


class _Packed(NamedTuple):
    """Slot of each attempt (-1 if it has none), host of each slot, and the number of map slots."""

    slot: NDArray[np.int32]
    slot_host: NDArray[np.int32]
    map_slots: int


def recorded_schedule(workload: Workload, asked: str = "what really ran") -> Schedule:
    """Return the schedule that a workload's log recorded; `asked` begins the sentence if it has none.

    Raises
    ------
    InputError
        the workload is not from a log that has tasks, or as `history_schedule` does
    """
    if workload.recorded is None:
        raise InputError(f"{workload.name}: {asked} needs a log that has tasks")
    return history_schedule(workload, workload.recorded)


def history_schedule(workload: Workload, run: RecordedRun, slots_by: SlotsBy = SlotsBy.HOST) -> Schedule:
    """Return the schedule of an execution history; its `record` has the hosts and all other attempts.

    Times below 0 (clocks differ) count as 0. A job departs when the log says so, or with its last task.

    Parameters
    ----------
    workload : the imported workload; edits of its jobs do not change the history
    run : what the log recorded
    slots_by : whether slots are numbered host by host, or by the job that held each of them longest: in the
        order in which the tasks of these jobs started there on average, and the longer the earlier

    Raises
    ------
    InputError
        no task of the log has both its times, or the run needs more than `MAX_SLOTS` slots
    """
    with collector_at_rest():  # it would look through stages and jobs again and again
        recorded, tasks = history_workload(workload, run)
        packed = _pack(run, workload.cluster)
        if slots_by is SlotsBy.JOB:
            packed = _by_job(run, packed)
    suggested, arrival = workload.cluster, recorded.columns.arrival
    last = arrival.copy()
    np.maximum.at(last, tasks.job, tasks.end)
    finish = np.fmax(run.finish[tasks.jobs], last)
    slots = len(packed.slot_host)
    counts = (0, 0) if suggested.has_containers else (packed.map_slots, slots - packed.map_slots)
    return Schedule(
        workload=recorded,
        cluster=Cluster(
            *counts,
            suggested.slowstart,
            suggested.shuffle_model,
            containers=slots if suggested.has_containers else 0,
        ),
        choice=PolicyChoice(RECORDED),
        order=None,
        slot=_frozen(packed.slot[tasks.attempt]),
        sequence=_frozen(np.lexsort((tasks.end, tasks.start)).astype(np.int32)),
        start=_frozen(tasks.start),
        shuffled=_frozen(tasks.shuffled),
        end=_frozen(tasks.end),
        stage_end=_frozen(tasks.stage_end),
        finish=_frozen(finish),
        rank=_frozen(np.argsort(np.argsort(arrival, kind="stable"), kind="stable").astype(np.int32)),
        events=2 * len(tasks.attempt) + 3 * len(recorded.jobs),
        simulate_seconds=0.0,
        in_order=False,
        record=replace(
            _history(run, tasks, packed),
            is_by_host=slots_by is SlotsBy.HOST,
            followed=_frozen(_followed(workload, recorded, finish)),
            whole=history_schedule(workload, if_whole(run), slots_by) if run.under_way is not None else None,
        ),
    )


def _followed(workload: Workload, recorded: Workload, finish: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return of each job of a record the one before it, as of `ExecutionHistory.followed`."""
    if not have_links(workload.jobs):
        return np.zeros(0, np.int64)
    followed = np.full(len(recorded.jobs), -1)
    for place, job in enumerate(recorded.jobs):
        known = workload.job_index.get(job.name)
        links = () if known is None else workload.jobs[known].after
        before = [recorded.job_index[link.job] for link in links if link.job in recorded.job_index]
        ended = [other for other in before if finish[other] <= job.arrival]
        if ended:
            followed[place] = max(ended, key=lambda other: (finish[other], -other))
    return followed


def _history(run: RecordedRun, tasks: HistoryTasks, packed: _Packed) -> ExecutionHistory:
    placed = packed.slot >= 0
    is_task = np.zeros(run.attempts, np.bool_)
    is_task[tasks.attempt] = True
    extra = np.flatnonzero(placed & ~is_task)
    extra = extra[np.lexsort((run.start[extra], packed.slot[extra]))]
    return ExecutionHistory(
        run=run,
        attempt=_frozen(tasks.attempt),
        slot_host=_frozen(packed.slot_host),
        extra=_frozen(extra),
        extra_slot=_frozen(packed.slot[extra]),
        not_placed=int((~placed).sum()),
    )


def _pack(run: RecordedRun, cluster: Cluster) -> _Packed:
    """Give every attempt that started and ended a slot: map slots first, or containers for all."""
    slot_type = run.slot_type
    slot = np.full(run.attempts, -1, np.int32)
    slot_host: list[int] = []
    slots_before = [0]
    for task_type, slots in enumerate(cluster.stage_slots[: 1 if cluster.has_containers else None]):
        fits = cluster.has_containers or slot_type == task_type
        attempts = np.flatnonzero(np.isfinite(run.start) & np.isfinite(run.held_until) & fits)
        slot[attempts], added = _pack_kind(run, attempts, slots)
        slot[attempts] += len(slot_host)
        slot_host += added
        slots_before.append(len(slot_host))
    if len(slot_host) > MAX_SLOTS:
        raise InputError(f"the log's attempts need {len(slot_host)} slots; at most {MAX_SLOTS} can be drawn")
    return _Packed(slot, np.array(slot_host, np.int32), slots_before[1])


def _by_job(run: RecordedRun, packed: _Packed) -> _Packed:
    """Return the same with slots of each type numbered by the job that held them longest."""
    held, slots = np.flatnonzero(packed.slot >= 0), len(packed.slot_host)
    begin, seconds = run.start[held], run.held_until[held] - run.start[held]
    pair, of_attempt = np.unique(
        packed.slot[held].astype(np.int64) * len(run.jobs) + run.job[held], return_inverse=True
    )
    total = np.bincount(of_attempt, seconds, minlength=len(pair))
    slot, job = np.divmod(pair, len(run.jobs))
    counts, reduces = run.counts[held], packed.slot[held] >= packed.map_slots
    kind = reduces.astype(np.int64) * len(run.jobs) + run.job[held]
    with np.errstate(invalid="ignore"):  # jobs without a task on slots of a type come last
        start = np.bincount(kind, begin * counts, 2 * len(run.jobs)) / np.bincount(
            kind, counts, 2 * len(run.jobs)
        )
    start = np.where(np.isnan(start), np.inf, start).reshape(2, -1)
    longest = np.lexsort((job, -total, slot))
    longest = longest[np.flatnonzero(np.diff(slot[longest], prepend=-1))]  # of each slot that was used
    is_reduce = (np.arange(slots) >= packed.map_slots).astype(np.int64)
    used, holder = slot[longest], job[longest]
    place, later, time = np.full(slots, np.inf), np.full(slots, len(run.jobs)), np.zeros(slots)
    place[used], later[used], time[used] = start[is_reduce[used], holder], holder, total[longest]
    order = np.lexsort((np.arange(slots), -time, later, place, is_reduce))
    number = np.empty(slots, np.int32)
    number[order] = np.arange(slots)
    moved = packed.slot.copy()
    moved[held] = number[packed.slot[held]]
    return _Packed(moved, packed.slot_host[order], packed.map_slots)


def _pack_kind(
    run: RecordedRun, attempts: NDArray[np.int64], slots: int
) -> tuple[NDArray[np.int32], list[int]]:
    """Return the slot of each attempt of a kind, and the host of each slot, host by host."""
    row = np.empty(len(attempts), np.int32)
    host, start, end = run.host[attempts], run.start[attempts], run.held_until[attempts]
    order = np.lexsort((end, start, host))
    known, begins = np.unique(host[order], return_index=True)
    used = {}
    for each, places in zip(known.tolist(), np.split(order, begins[1:]), strict=False):
        row[places], used[each] = _rows_of_host(start[places].tolist(), end[places].tolist())
    counts = _slots_of_hosts(used, slots, len(run.hosts))
    names = [by_number(name) for name in run.hosts]
    slot_host: list[int] = []
    first = {}
    for each in sorted(counts, key=lambda host: (names[host] if host >= 0 else [], host)):
        first[each] = len(slot_host)
        slot_host += [each] * counts[each]
    return row + np.array([first[each] for each in host.tolist()], np.int32), slot_host


def _slots_of_hosts(used: dict[int, int], slots: int, host_count: int) -> dict[int, int]:
    """Return how many slots each host has: an equal part of the cluster's if that is enough for all."""
    part, rest = divmod(slots, max(host_count, 1))
    if rest == 0 and -1 not in used and max(used.values(), default=0) <= part:
        return dict.fromkeys(range(host_count), part)
    return used


def _rows_of_host(starts: list[float], ends: list[float]) -> tuple[list[int], int]:
    """Return the slot of each attempt on one host, the lowest that is free then, and how many there are.

    The attempts come in the order in which they start.
    """
    busy: list[tuple[float, int]] = []
    free: list[int] = []
    rows, count = [], 0
    for start, end in zip(starts, ends, strict=True):
        while busy and busy[0][0] <= start:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if free:
            row = heapq.heappop(free)
        else:
            row = count
            count += 1
        heapq.heappush(busy, (max(start, end), row))
        rows.append(row)
    return rows, count


def _frozen(column: NDArray[Column]) -> NDArray[Column]:
    column.flags.writeable = False
    return column
