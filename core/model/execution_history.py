"""How the attempts of a log, or what a policy gave up, lie on slots of hosts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.model.kept_read_only import KeptReadOnly, read_only
from core.model.task_types import CLEANUP, KINDS, OUTCOMES, SETUP

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.recorded_run import RecordedRun
    from core.model.task_types import Result

UNKNOWN_HOST = "unknown host"
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

    def by_first_copies(self, sequence: NDArray[np.int32], times: dict[str, NDArray[Any]]) -> dict[str, Any]:
        """Return the columns of a schedule as its tasks' first copies ran; none if no second one ended first.

        The second ones came to nothing there. Both copies of a task end at once, so all else is as it was.

        Parameters
        ----------
        sequence : of the schedule
        times : its columns `slot`, `start` and `shuffled`
        """
        lost = self.given_up
        if lost is None or not (lost.outrun == FIRST).any():
            return {}
        run, won = self.run, np.flatnonzero(lost.outrun == FIRST)
        task, tasks = lost.task[won], len(times["slot"])
        pairs: dict[str, Any] = {"slot": self.extra_slot, "start": run.start, "shuffled": run.shuffle_end}
        first, second = ({name: each.copy() for name, each in of.items()} for of in (times, pairs))
        for name in pairs:
            first[name][task], second[name][won] = pairs[name][won], times[name][task]
        outrun = lost.outrun.copy()
        outrun[won] = SECOND
        began = np.zeros(tasks, np.int32)
        began[sequence] = lost.began
        began[task], place = lost.place[won], np.where(lost.outrun == FIRST, began[lost.task], lost.place)
        order = np.lexsort((second["start"], second["slot"]))
        sequence = sequence[np.argsort(began[sequence])]
        names = ("job", "kind", "task", "counts", "outcome", "host", "end")
        columns: dict[str, Any] = {name: getattr(run, name)[order] for name in names}
        fetched = second["shuffled"][order]
        swapped = replace(
            self,
            run=replace(run, start=second["start"][order], shuffle_end=fetched, sort_end=fetched, **columns),
            extra_slot=read_only(second["slot"][order]),
            given_up=GivenUpFor(
                task=lost.task[order],
                rival=lost.rival[order],
                began=read_only(began[sequence]),
                outrun=outrun[order],
                place=place[order],
                lost=lost.lost[order],
            ),
        )
        frozen = {name: read_only(column) for name, column in (*first.items(), ("sequence", sequence))}
        return {"given_up": swapped, **frozen}

    def _name(self, host: int) -> str:
        return UNKNOWN_HOST if host < 0 else self.run.hosts[host]
