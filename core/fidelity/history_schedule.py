"""The schedule of an execution history: the jobs of a log as they ran, each attempt on a slot of its host.

Edits of the imported jobs change what is simulated, never the history; so its schedule has the log's own
tasks and times, whatever has become of the jobs meanwhile. A task whose end is reported after its slot has
been given on has ended when that was (`core.fidelity.attempt_slots`); what waits for it waits for the report.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from core.fidelity.attempt_slots import numbered_by_job, slots_of_attempts
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.execution_history import ExecutionHistory, SlotsBy
from core.model.in_parts import collector_at_rest
from core.model.job import Job
from core.model.kept_read_only import read_only
from core.model.many_jobs import have_links
from core.model.schedule import RECORDED, PolicyChoice, Schedule
from core.model.stages import Stage, stage_columns
from core.model.under_way import if_whole
from core.model.workload import Workload

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.fidelity.attempt_slots import AttemptSlots
    from core.model.recorded_run import RecordedRun


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
    reported : when the log says that each task ended, not before its end, (tasks,)
    released : when the last of the stages ended that each task's waits for, its job's submission for none
    stage_end : when the last stage of each job ended that another one waits for, its submission for none
    """

    def __init__(self, run: RecordedRun, names: tuple[str, ...], until: NDArray[np.float64]) -> None:
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
        self.reported = np.maximum(run.end[self.attempt], self.start)
        self.end = np.clip(until[self.attempt], self.start, self.reported)
        self.submit = np.maximum(np.nan_to_num(run.submit[self.jobs], nan=0.0), 0.0)
        ends = np.full(begins[-1], -np.inf)
        np.maximum.at(ends, self.stage, self.reported)
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


def history_workload(
    workload: Workload, run: RecordedRun, until: NDArray[np.float64]
) -> tuple[Workload, HistoryTasks]:
    """Return the jobs of a log as they ran, and the attempts that they consist of.

    Parameters
    ----------
    workload : the imported workload; its jobs may have been edited, reordered, renamed or removed since. Its
        order, pools, weights and deadlines hold for jobs that still have their names; jobs that it has no
        more come last, and what the log has not is left out.
    run : what the log recorded
    until : until when each of its attempts held its slot, seconds, (attempts,)

    Raises
    ------
    InputError
        no task of the log has both its times
    """
    if not run.counts.any():
        raise InputError(f"{workload.name}: no task of the log has a start and an end to be drawn")
    tasks = HistoryTasks(run, tuple(job.name for job in workload.jobs), until)
    under_way = None if workload.recorded is None else workload.recorded.under_way
    jobs = []
    for place, (stages, graph) in enumerate(zip(tasks.stages_of_jobs(), tasks.graphs, strict=True)):
        name = run.jobs[int(tasks.jobs[place])]
        index = workload.job_index.get(name)
        if index is not None:
            kept = workload.jobs[index]
        else:
            kept = Job(name, **({} if under_way is None else under_way.owner_of(int(tasks.jobs[place]))))
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


def recorded_schedule(workload: Workload, asked: str = "what really ran") -> Schedule:
    """Return the schedule that a workload's log recorded; `asked` begins the error's sentence if it has none.

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
        packed = slots_of_attempts(run, workload.cluster)
        if slots_by is SlotsBy.JOB:
            packed = numbered_by_job(run, packed)
        recorded, tasks = history_workload(workload, run, packed.until)
    suggested, arrival = workload.cluster, recorded.columns.arrival
    last = arrival.copy()
    np.maximum.at(last, tasks.job, tasks.reported)
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
        slot=read_only(packed.slot[tasks.attempt]),
        sequence=read_only(np.lexsort((tasks.end, tasks.start)).astype(np.int32)),
        start=read_only(tasks.start),
        shuffled=read_only(tasks.shuffled),
        end=read_only(tasks.end),
        stage_end=read_only(tasks.stage_end),
        finish=read_only(finish),
        rank=read_only(np.argsort(np.argsort(arrival, kind="stable"), kind="stable").astype(np.int32)),
        events=2 * len(tasks.attempt) + 3 * len(recorded.jobs),
        simulate_seconds=0.0,
        in_order=False,
        record=replace(
            _history(run, tasks, packed),
            is_by_host=slots_by is SlotsBy.HOST,
            followed=read_only(_followed(workload, recorded, finish)),
        ),
        as_if_whole=None if run.under_way is None else history_schedule(workload, if_whole(run), slots_by),
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


def _history(run: RecordedRun, tasks: HistoryTasks, packed: AttemptSlots) -> ExecutionHistory:
    placed = packed.slot >= 0
    is_task = np.zeros(run.attempts, np.bool_)
    is_task[tasks.attempt] = True
    extra = np.flatnonzero(placed & ~is_task)
    extra = extra[np.lexsort((run.start[extra], packed.slot[extra]))]
    return ExecutionHistory(
        run=run,
        attempt=read_only(tasks.attempt),
        slot_host=read_only(packed.slot_host),
        extra=read_only(extra),
        extra_slot=read_only(packed.slot[extra]),
        not_placed=int((~placed).sum()),
        until=read_only(packed.until) if (packed.until < run.held_until).any() else None,
    )
