"""What really ran by a log: every attempt as columns, and what had not ended where the log ends."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.kept_read_only import KeptReadOnly
from core.model.stages import MAP_REDUCE
from core.model.task_types import OUTCOMES, TASK_TYPES
from core.model.time_column import TimeColumn
from core.model.time_text import clock_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.executors_on_demand import ExecutorsOnDemand
    from core.model.stages import StageGraph


@dataclass(frozen=True, slots=True, eq=False)
class RecordedGraphs(KeptReadOnly):
    """The stages of the jobs of a log, where they are not maps and reduces.

    Attributes
    ----------
    graphs : of each job, (jobs,)
    stage : the number in its job of the stage of each attempt, -1 where it is of none, int32 (attempts,)
    """

    graphs: tuple[StageGraph, ...]
    stage: NDArray[np.int32]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RecordedGraphs) and (
            self.graphs == other.graphs and _same(self.stage, other.stage)
        )


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
            and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in OPEN_COLUMNS)
        )

    def owner_of(self, number: int) -> dict[str, Any]:  # of text: what Job is given
        """Return the pool and the user of the job with a number among those of the run, if that is known."""
        place = np.flatnonzero(self.open_jobs == number).tolist()
        return {"pool": self.pools[place[0]], "user": self.users[place[0]]} if place and self.pools else {}

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


OPEN_COLUMNS = ("open_jobs", "running", "job", "stage", "tasks")
"""Of `Unfinished`."""


@dataclass(frozen=True, slots=True, eq=False)
class RecordedRun(KeptReadOnly):
    """The attempts of a log, and when its jobs came and went; times are seconds from the workload's start.

    Times may be below 0 and not fit together, as clocks differ between machines; nan where the log does
    not know them.

    Attributes
    ----------
    jobs : names of the jobs, also of those that have no usable task and so are not in the workload
    titles : what their users call them; often the same for all runs of one application
    hosts : names of the machines
    submit, launch, finish : of each job, (jobs,)
    job : index into `jobs`, int32 (attempts,)
    kind : one of `TASK_TYPES`, or `SETUP`, `CLEANUP` or `OTHER`, int8 (attempts,)
    task : number of the task in its stage in the workload, -1 for a task that is not there, at most int32
        (attempts,)
    counts : whether the task's times in the workload are this attempt's, bool (attempts,)
    outcome : index into `OUTCOMES`, int8 (attempts,)
    host : index into `hosts`, -1 if not known, at most int32 (attempts,)
    start, shuffle_end, sort_end, end : (attempts,); maps have no shuffle and sort. Of a table or a batch
        system's log each is a `TimeColumn`, of which a part is an array
    graphs : the stages of the jobs; None where all of them are maps and reduces
    on_demand : when the application asked for executors and gave them up; None where it did not
    under_way : what had not ended where the log ends; None where nothing is known to be so
    host_slots : how many slots each host had at once at most, int32 (hosts,); None where the log does not say
    """

    jobs: Sequence[str]
    titles: Sequence[str]
    hosts: tuple[str, ...]
    submit: NDArray[np.float64]
    launch: NDArray[np.float64]
    finish: NDArray[np.float64]
    job: NDArray[np.int32]
    kind: NDArray[np.int8]
    task: NDArray[np.int32]
    counts: NDArray[np.bool_]
    outcome: NDArray[np.int8]
    host: NDArray[np.int32]
    start: NDArray[np.float64]
    shuffle_end: NDArray[np.float64]
    sort_end: NDArray[np.float64]
    end: NDArray[np.float64]
    graphs: RecordedGraphs | None = None
    on_demand: ExecutorsOnDemand | None = None
    under_way: Unfinished | None = None
    host_slots: NDArray[np.int32] | None = None

    def __post_init__(self) -> None:
        for each in fields(self):
            column = getattr(self, each.name)
            if isinstance(column, np.ndarray):
                column.flags.writeable = False

    @property
    def slot_type(self) -> NDArray[np.int8]:
        """The type of the slot that each attempt held: all but reduces held map slots, (attempts,)."""
        return np.where(self.kind < len(TASK_TYPES), self.kind, self.kind.dtype.type(TASK_TYPES[0]))

    @property
    def stage(self) -> NDArray[np.int32]:
        """The number in its job of the stage of each attempt, -1 where it is of none, (attempts,)."""
        if self.graphs is not None:
            return self.graphs.stage
        return np.where(self.kind < len(TASK_TYPES), self.kind, -1).astype(np.int32)

    def graph(self, job: int) -> StageGraph:
        """Return the stages of a job."""
        return MAP_REDUCE if self.graphs is None else self.graphs.graphs[job]

    @property
    def attempts(self) -> int:
        """Number of attempts."""
        return len(self.job)

    @property
    def has_ended(self) -> NDArray[np.bool_]:
        """Whether both ends of each attempt are known, (attempts,)."""
        ended: NDArray[np.bool_] = np.isfinite(self.start) & np.isfinite(self.end)
        return ended

    @property
    def held_until(self) -> NDArray[np.float64]:
        """Until when each attempt is known to have held its slot, nan where not, (attempts,)."""
        if self.under_way is None:
            return self.end
        end = self.end.copy()
        end[self.open_attempts] = self.under_way.now
        return end

    @property
    def open_attempts(self) -> NDArray[np.int64]:
        """Which attempts run where the log ends: also those of tasks that another attempt has ended."""
        if self.under_way is None:
            return np.zeros(0, np.int64)
        return np.concatenate([self.under_way.running, self.running_beside[0], self._running_on])

    @property
    def _running_on(self) -> NDArray[np.int64]:
        """Which attempts run where the log ends although another one has ended their task."""
        return np.flatnonzero(self._are_open & (self.task >= 0))

    @property
    def _are_open(self) -> NDArray[np.bool_]:
        """Which attempts at tasks of the workload have begun by the end of the log and not ended."""
        assert self.under_way is not None
        is_open = np.isfinite(self.start) & np.isnan(self.end) & (self.stage >= 0)
        is_open &= (self.outcome == OUTCOMES.index("unfinished")) & (self.start <= self.under_way.now)
        return is_open

    @property
    def running_beside(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Which attempts run beside those of `Unfinished.running` at the same tasks, and beside which each.

        The attempts at a task follow one another, so that it is the last one before, if of the same stage.
        """
        nothing = np.zeros(0, np.int64)
        if self.under_way is None or not len(self.under_way.running):
            return nothing, nothing
        running = np.sort(self.under_way.running)
        is_open = self._are_open & (self.task < 0)
        is_open[running] = False
        beside = np.flatnonzero(is_open)
        place = np.searchsorted(running, beside) - 1
        first = running[np.maximum(place, 0)]
        same = (
            (self.job[first] == self.job[beside]) & (self.stage[first] == self.stage[beside]) & (place >= 0)
        )
        return beside[same], first[same]

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, RecordedRun):
            return self is other
        names = [field.name for field in fields(self)]
        return all(_same(getattr(self, name), getattr(other, name)) for name in names)


MAX_NAMED = 3


def lacking_ends(run: RecordedRun) -> tuple[str, ...]:
    """Return a sentence for each way in which a log lacks ends: of attempts, of every task, or of jobs."""
    is_open = np.isfinite(run.start) & ~np.isfinite(run.end)
    has_task = np.zeros(len(run.jobs), np.bool_)
    has_task[run.job[run.counts]] = True
    is_open &= has_task[run.job]
    found = []
    if count := int(is_open.sum()):
        what = "attempt has" if count == 1 else "attempts have"
        jobs = _named(run, np.unique(run.job[is_open]))
        found.append(f"{count} {what} no end in the log, of {jobs}: only tasks that ended are compared.")
    if not has_task.all():
        jobs = _named(run, np.flatnonzero(~has_task))
        found.append(f"Left out, as no task of them succeeded: {jobs}.")
    if (unknown := has_task & ~np.isfinite(run.finish)).any():
        jobs = _named(run, np.flatnonzero(unknown))
        found.append(f"Left out, as it is not recorded when they were done: {jobs}. Import the log again.")
    return tuple(found)


def _named(run: RecordedRun, jobs: NDArray[np.integer[Any]]) -> str:
    """Return how many jobs these are, and the first names."""
    names = ", ".join(run.jobs[job] for job in jobs[:MAX_NAMED].tolist())
    more = f" and {len(jobs) - MAX_NAMED} more" if len(jobs) > MAX_NAMED else ""
    return f"{len(jobs)} job{'s' if len(jobs) > 1 else ''} ({names}{more})"


def _same(mine: object, other: object) -> bool:
    mine, other = (each[:] if isinstance(each, TimeColumn) else each for each in (mine, other))
    if isinstance(mine, np.ndarray) and isinstance(other, np.ndarray):
        if mine.dtype.kind == other.dtype.kind == "i":  # those of a large log have fewer bytes
            return bool(np.array_equal(mine, other))
        return mine.dtype == other.dtype and mine.tobytes() == other.tobytes()
    return mine == other
