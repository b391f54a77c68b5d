"""The jobs of a log as they really ran: what a recorded schedule is a schedule of.

Edits of the imported jobs change what is simulated, never what was recorded; so a recorded schedule has the
log's own tasks and times, whatever has become of the jobs meanwhile.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError
from core.model.job import Job, Stage
from core.model.workload import MAP, REDUCE, Workload

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.recorded_run import RecordedRun

    Times = NDArray[np.float64]


class RecordedTasks:
    """The attempts that count, task by task.

    Attributes
    ----------
    attempt : index into the run's attempts, by job (in the order of `jobs`), kind and task, int64 (tasks,)
    jobs : index into the run's jobs of each job that has such attempts, int64 (jobs,)
    job : place in `jobs` of each task, int64 (tasks,)
    is_map : bool (tasks,)
    start, shuffled, end : seconds, 0 or later, (tasks,); a map's `shuffled` is its start
    map_end : when the last map of each job ended, its submission where it has none, (jobs,)
    """

    def __init__(self, run: RecordedRun, names: tuple[str, ...]) -> None:
        counting = np.flatnonzero(run.counts)
        self.jobs = _in_order(run, np.unique(run.job[counting]), names)
        place = np.full(len(run.jobs), -1, np.int64)
        place[self.jobs] = np.arange(len(self.jobs))
        job = place[run.job[counting]]
        order = np.lexsort((run.task[counting], run.kind[counting], job))
        self.attempt, self.job = counting[order], job[order]
        self.is_map = run.kind[self.attempt] == MAP
        self.start = np.maximum(run.start[self.attempt], 0.0)
        self.end = np.maximum(run.end[self.attempt], self.start)
        self.submit = np.maximum(np.nan_to_num(run.submit[self.jobs], nan=0.0), 0.0)
        self.map_end = self.submit.copy()
        np.maximum.at(self.map_end, self.job[self.is_map], self.end[self.is_map])
        self.shuffled = np.clip(self._shuffle_end(run), self.start, self.end)

    def _shuffle_end(self, run: RecordedRun) -> Times:
        """Return when each task's shuffle and sort had ended; where the log has no such time, could begin."""
        sorted_, shuffled = run.sort_end[self.attempt], run.shuffle_end[self.attempt]
        known = np.where(np.isfinite(sorted_), sorted_, shuffled)
        could_begin = np.maximum(self.start, self.map_end[self.job])
        reduces = np.where(np.isfinite(known), known, could_begin)
        return np.where(self.is_map, self.start, reduces)

    def stages(self) -> list[tuple[Stage, Stage]]:
        """Return the map and the reduce stage of each job; a shuffle is what of it came after the maps."""
        shuffle = np.maximum(self.shuffled - np.maximum(self.start, self.map_end[self.job]), 0.0)
        work = self.end - self.shuffled
        for column in (shuffle, work):
            column.flags.writeable = False
        cell = 2 * self.job + ~self.is_map
        edges = np.searchsorted(cell, np.arange(2 * len(self.jobs) + 1)).tolist()
        cut = [slice(low, high) for low, high in pairwise(edges)]
        return [
            (_stage(work[maps], None), _stage(work[reduces], shuffle[reduces]))
            for maps, reduces in zip(cut[MAP::2], cut[REDUCE::2], strict=True)
        ]


def _stage(work: Times, shuffle: Times | None) -> Stage:
    if not len(work):
        return Stage()
    return Stage(len(work), work) if shuffle is None else Stage(len(work), work, shuffle, shuffle)


def _in_order(run: RecordedRun, jobs: NDArray[np.int32], names: tuple[str, ...]) -> NDArray[np.int64]:
    """Put jobs of the log into the order of a workload; those that are no longer there follow."""
    place = {name: i for i, name in enumerate(names)}
    return np.array(sorted(jobs.tolist(), key=lambda job: place.get(run.jobs[job], len(names))), np.int64)


def recorded_workload(workload: Workload, run: RecordedRun) -> tuple[Workload, RecordedTasks]:
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
    tasks = RecordedTasks(run, tuple(job.name for job in workload.jobs))
    if not len(tasks.jobs):
        raise InputError(f"{workload.name}: no task of the log has a start and an end to be drawn")
    jobs = []
    for place, (maps, reduces) in enumerate(tasks.stages()):
        name = run.jobs[int(tasks.jobs[place])]
        index = workload.job_index.get(name)
        kept = Job(name) if index is None else workload.jobs[index]
        arrival = float(tasks.submit[place])
        jobs.append(
            Job(
                name,
                maps,
                reduces,
                arrival=arrival,
                deadline=kept.deadline if kept.deadline is not None and kept.deadline > arrival else None,
                pool=kept.pool,
                user=kept.user,
                weight=kept.weight,
            )
        )
    recorded = Workload(
        workload.name,
        tuple(jobs),
        workload.cluster,
        pool_settings=workload.pool_settings,
        recorded=run,
    )
    return recorded, tasks
