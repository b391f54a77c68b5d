"""What has not ended where a log ends: tasks that run, and tasks that have not begun."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.execution_history import OUTCOMES
from core.model.job import Job
from core.model.kept_read_only import KeptReadOnly
from core.model.time_text import clock_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.execution_history import RecordedRun
    from core.model.workload import Workload


@dataclass(frozen=True, slots=True, eq=False)
class Unfinished(KeptReadOnly):
    """What is under way at the end of a log; times are seconds from the workload's start.

    Attributes
    ----------
    now : the last time that the log names
    open_jobs : the jobs that have not ended, indices into `RecordedRun.jobs`, int32 (open,)
    running : the attempts at their tasks that run, one of each task, indices into the run's, int64 (running,)
    job, stage, tasks : stages with tasks that have not begun: an index into `RecordedRun.jobs`, the number in
        the job, and how many tasks that are, int32 (stages,)
    pools, users : whose each of `open_jobs` is, as of `core.model.job.Job`; empty where nothing says it
    """

    now: float
    open_jobs: NDArray[np.int32]
    running: NDArray[np.int64]
    job: NDArray[np.int32]
    stage: NDArray[np.int32]
    tasks: NDArray[np.int32]
    pools: tuple[str, ...] = ()
    users: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unfinished) and (
            (self.now, self.pools, self.users) == (other.now, other.pools, other.users)
            and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in COLUMNS)
        )

    def bare_job(self, name: str, number: int) -> Job:
        """Return the job with a number among those of the run, with its owner and without tasks."""
        place = np.flatnonzero(self.open_jobs == number).tolist()
        if not place or not self.pools:
            return Job(name)
        return Job(name, pool=self.pools[place[0]], user=self.users[place[0]])

    @property
    def waiting(self) -> int:
        """How many tasks have not begun."""
        return int(self.tasks.sum())

    def words(self, jobs: int) -> str:
        """Return it in short: "3 of 5 jobs ended by 1:39, 12 tasks run, 340 have not begun".

        Parameters
        ----------
        jobs : how many there are
        """
        ended, running = jobs - len(self.open_jobs), len(self.running)
        runs = "1 task runs" if running == 1 else f"{running} tasks run"
        waits = f"{self.waiting} {'has' if self.waiting == 1 else 'have'} not begun"
        which = f"{ended} of {jobs} jobs" if jobs > 1 else f"{ended} of 1 job"
        return f"{which} ended by {clock_text(self.now)}, {runs}, {waits}"


SOON = 1e-3
"""Seconds after now at which what runs is taken to end: hardly longer than it is known to hold its slot."""
COLUMNS = ("open_jobs", "running", "job", "stage", "tasks")


def now_of(workload: Workload) -> float | None:
    """Return when the log of a workload ends, seconds; None if nothing is known to be under way then."""
    run = workload.recorded
    return None if run is None or run.under_way is None else run.under_way.now


def if_whole(run: RecordedRun) -> RecordedRun:
    """Return a run as if all that is under way had gone on: its tasks end, and begin, at times after now.

    Only that these times are after now means something.

    Parameters
    ----------
    run : whose `under_way` is not None
    """
    open_ = run.under_way
    assert open_ is not None
    job, stage = np.repeat(open_.job, open_.tasks), np.repeat(open_.stage, open_.tasks)
    kind = np.array([run.graph(j).task_types[s] for j, s in zip(job.tolist(), stage.tolist(), strict=True)])
    count = len(job)
    counts, task, end = run.counts.copy(), run.task.copy(), run.end.copy()
    counts[open_.running] = True
    most = int(task.max(initial=0)) + 1
    task[open_.running] = most + np.arange(len(open_.running))
    beside, of = run.running_beside
    task[beside] = task[of]
    end[run.open_attempts] = open_.now + SOON
    start = open_.now + SOON + np.arange(count)  # one after the other, so that one slot is enough for them
    unknown = np.full(count, np.nan)
    added = {
        "job": job,
        "kind": kind,
        "task": most + len(open_.running) + np.arange(count),
        "counts": np.ones(count, np.bool_),
        "outcome": np.full(count, OUTCOMES.index("unfinished")),
        "host": _hosts(run, kind),
        "start": start,
        "shuffle_end": unknown,
        "sort_end": unknown,
        "end": start + 0.5,
    }
    columns = {name: getattr(run, name) for name in added} | {"counts": counts, "task": task, "end": end}
    joined: dict[str, Any] = {
        name: np.concatenate([column, added[name].astype(column.dtype)]) for name, column in columns.items()
    }
    graphs = run.graphs
    if graphs is not None:
        graphs = replace(graphs, stage=np.concatenate([graphs.stage, stage.astype(np.int32)]))
    return replace(run, **joined, graphs=graphs, under_way=None)


def _hosts(run: RecordedRun, kind: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for tasks of these kinds a host on which such a one has run; the first one where none has."""
    hosts = np.full(len(kind), 0 if run.hosts else -1)
    for each in np.unique(kind).tolist():
        used = run.host[run.kind == each]
        if len(used):
            hosts[kind == each] = used[0]
    return hosts
