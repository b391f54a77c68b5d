"""What really ran by a log: every attempt as columns, and how the attempts lie on slots of hosts."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from core.model.in_parts import SLICE
from core.model.kept_read_only import KeptReadOnly
from core.model.stages import MAP_REDUCE
from core.model.task_types import TASK_TYPES
from core.model.time_column import TimeColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.executors_on_demand import ExecutorsOnDemand
    from core.model.schedule import Schedule
    from core.model.stages import StageGraph
    from core.model.under_way import Unfinished

UNKNOWN_HOST = "unknown host"
Result = Literal["succeeded", "failed", "killed", "unfinished", "suspended"]
OUTCOMES: tuple[Result, ...] = get_args(Result)
SETUP, CLEANUP, OTHER = 2, 3, 4
"""Kinds of tasks beside `TASK_TYPES`: what a log has and a workload has not."""

KINDS = ("map", "reduce", "setup", "cleanup", "other")


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


def most_at_once(starts: NDArray[Any], ends: NDArray[Any]) -> int:
    """Return how many attempts ran at once at most; one runs from its start until just before its end."""
    starts, ends = np.sort(starts), np.sort(ends)
    most = 0
    for begin in range(0, len(starts), SLICE):
        ended = np.searchsorted(ends, starts[begin : begin + SLICE], side="right")
        most = max(most, int((np.arange(begin + 1, begin + 1 + len(ended)) - ended).max()))
    return most


def _same(mine: object, other: object) -> bool:
    mine, other = (each[:] if isinstance(each, TimeColumn) else each for each in (mine, other))
    if isinstance(mine, np.ndarray) and isinstance(other, np.ndarray):
        if mine.dtype.kind == other.dtype.kind == "i":  # those of a large log have fewer bytes
            return bool(np.array_equal(mine, other))
        return mine.dtype == other.dtype and mine.tobytes() == other.tobytes()
    return mine == other


SERVICE = "setup or cleanup"
UNDER_WAY = "running"
LOOKS = ("failed", "killed", SERVICE, "other", "suspended", UNDER_WAY)
"""As what attempts are drawn that are not tasks of the schedule."""
OPEN_LOOKS = ("suspended", UNDER_WAY)
"""What is no lost work."""
FIRST, SECOND, BY_HAND = 1, 2, 3
"""Of two copies of a task the one that came to nothing: that which started first, or the other one, since it
ended later or was killed at a time."""
RUNNING, ENDED = 1, 2
"""What was lost when a node failed: a task that ran, or a map that had ended, whose output was needed."""


class SlotsBy(StrEnum):
    """What the numbers of a record's slots go by, which no log says: hosts, or the jobs that held them."""

    JOB = "job"
    HOST = "host"


class HostSlots(NamedTuple):
    """Neighbouring slots of one kind on one host."""

    host: str
    first_slot: int
    slots: int


@dataclass(frozen=True, slots=True, eq=False)
class GivenUpFor(KeptReadOnly):
    """What is known of the parts of tasks that a policy gave up in a run that was simulated.

    Attributes
    ----------
    task : the task of the schedule behind each of `ExecutionHistory.extra`, int64 (extras,)
    rival : the job that got its slot, -1 where its node failed, int32 (extras,)
    began : of each of `Schedule.sequence`: how many tasks had started before it, those given up since among
        them, int32 (started,)
    outrun : `FIRST` or `SECOND` where another copy of the same task ended first, by which of the two this is,
        `BY_HAND` for a second copy that was killed; 0 where the slot was given to another job, int8 (extras,)
    place : how many tasks had started before each of `ExecutionHistory.extra`, likewise, int32 (extras,)
    lost : `RUNNING` or `ENDED` where its node failed, 0 for others, int8 (extras,)
    """

    task: NDArray[np.int64]
    rival: NDArray[np.int32]
    began: NDArray[np.int32]
    outrun: NDArray[np.int8]
    place: NDArray[np.int32]
    lost: NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class ExecutionHistory(KeptReadOnly):
    """How the attempts of a log lie on slots.

    Attributes
    ----------
    run : what the log recorded
    attempt : the attempt behind each task of the schedule, index into the run, int64 (tasks,)
    slot_host : host of each slot, index into the run's hosts (-1 if not known), int32 (slots,)
    extra : the other attempts that held a slot (failed, killed, setup, cleanup …), indices into the run,
        sorted by slot and then start, int64 (extras,)
    extra_slot : slot of each of them, int32 (extras,)
    not_placed : attempts without a start or an end, which cannot be drawn
    is_by_host : whether the slots of a host lie together
    followed : of each job of the schedule the one that it follows and that ended last before it came, -1 for
        none, int64 (jobs,); empty where jobs follow no others
    given_up : of a simulated run, whose `extra` are the parts that its policy gave up; else None
    whole : of a run that is under way, the record as if it had gone on, see `if_whole`; else None
    until : until when each attempt held its slot, seconds, (attempts,): some were given on before the log
        reports their end; None where that is as the run has it
    """

    run: RecordedRun
    attempt: NDArray[np.int64]
    slot_host: NDArray[np.int32]
    extra: NDArray[np.int64]
    extra_slot: NDArray[np.int32]
    not_placed: int
    is_by_host: bool = True
    followed: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    given_up: GivenUpFor | None = None
    whole: Schedule | None = None
    until: NDArray[np.float64] | None = None

    def parts_of(self, task: int) -> NDArray[np.int64]:
        """Return which of `extra` are parts of a task that its policy gave up, by time."""
        if self.given_up is None:
            return np.zeros(0, np.int64)
        mine = np.flatnonzero(self.given_up.task == task)
        ordered: NDArray[np.int64] = mine[np.argsort(self.run.start[mine], kind="stable")]
        return ordered

    def given_up_at(self, slot: int, seconds: float) -> int:
        """Return which of `extra` was given up on a slot at a time; -1 for none."""
        mine = self.extras_of(slot) if self.given_up is not None else slice(0, 0)
        there = np.flatnonzero(self.run.end[mine] == seconds)
        return mine.start + int(there[-1]) if len(there) else -1

    def host_of_slot(self, slot: int) -> str:
        """Return the name of the host that a slot is on."""
        return self._name(int(self.slot_host[slot]))

    def host_slots(self, first_slot: int, slots: int) -> tuple[HostSlots, ...]:
        """Return which of these neighbouring slots are on which host."""
        found, first = [], first_slot
        for host, members in groupby(self.slot_host[first_slot : first_slot + slots].tolist()):
            count = len(list(members))
            found.append(HostSlots(self._name(host), first, count))
            first += count
        return tuple(found)

    def extras_of(self, slot: int) -> slice:
        """Return which of `extra` lie on a slot, in the order of their starts."""
        low, high = np.searchsorted(self.extra_slot, [slot, slot + 1])
        return slice(int(low), int(high))

    @property
    def extra_times(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Start and end of each of `extra`, seconds, 0 or later, each (extras,)."""
        begin = np.maximum(self.run.start[self.extra], 0.0)
        until = self.run.held_until if self.until is None else self.until
        return begin, np.maximum(until[self.extra], begin)

    def late_by(self, attempt: int) -> float:
        """Return how long after its slot was given on the end of an attempt was reported, in seconds."""
        return 0.0 if self.until is None else float(self.run.held_until[attempt] - self.until[attempt])

    @cached_property
    def looks(self) -> tuple[str, ...]:
        """As what each of `extra` is drawn, one of `LOOKS`, (extras,)."""
        kinds = [
            SERVICE if kind in (SETUP, CLEANUP) else "other" for kind in self.run.kind[self.extra].tolist()
        ]
        ends: list[str] = [OUTCOMES[outcome] for outcome in self.run.outcome[self.extra].tolist()]
        if self.run.under_way is not None:
            runs = np.isin(self.extra, self.run.open_attempts)
            for place in np.flatnonzero(runs).tolist():
                ends[place] = UNDER_WAY
        return tuple(
            end if end in ("failed", "killed", "suspended", UNDER_WAY) else kind
            for end, kind in zip(ends, kinds, strict=True)
        )

    def outcome(self, attempt: int) -> Result:
        """Return how an attempt ended."""
        return OUTCOMES[int(self.run.outcome[attempt])]

    def kind(self, attempt: int) -> str:
        """Return what an attempt was: "map", "reduce", "setup", "cleanup" or "other"."""
        return KINDS[int(self.run.kind[attempt])]

    def count(self, look: str) -> int:
        """Return how many attempts are drawn so."""
        return self.looks.count(look)

    def _name(self, host: int) -> str:
        return UNKNOWN_HOST if host < 0 else self.run.hosts[host]
