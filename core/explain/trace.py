"""What was recorded of a policy's run, as columns: decisions, printed lines, watched values, stops."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.explain.local_names import without_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from core.model.errors import PolicyFault
    from core.model.schedule import Schedule

NO_VALUE = "no value"
"""The text of a watch where a hook returned before a local name had a value."""


class Printed(NamedTuple):
    """A line that a policy printed.

    Attributes
    ----------
    decision : the number of the decision that it was made for; -1 before the run
    job : which one the function that printed looked at, -1 for none
    kind : of task that it was called for, -1 where it was given none
    function : of the file, the one that the simulator called
    line : of the file, where it was printed
    text : the line
    """

    decision: int
    job: int
    kind: int
    function: str
    line: int
    text: str


class Stop(NamedTuple):
    """A decision to go to.

    Attributes
    ----------
    decision : its number; -1 before the run
    condition : the place of the condition that holds from here on; -1 for `breakpoint()`
    job : which one the condition or the frame looks at, -1 for none
    line : of `breakpoint()` in the file
    function : that it stands in
    values : the names of the frame with what they were, as text
    """

    decision: int
    condition: int
    job: int
    line: int = 0
    function: str = ""
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class WatchFor:
    """An expression to evaluate at every decision.

    Attributes
    ----------
    text : as typed; see `core.explain.expressions.read_expression`
    of_all : for every job that could get the slot, instead of the one that gets it
    """

    text: str
    of_all: bool = False


@dataclass(frozen=True)
class Wanted:
    """What a traced run records: expressions to watch, and conditions to stop at."""

    watches: tuple[WatchFor, ...] = ()
    stops: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Decisions:
    """Every offer of a free slot to the policy; columns of equal length.

    Attributes
    ----------
    time : seconds
    start : how many tasks had started before
    slot_kind : the type of the slot that was offered
    slot : the slot that the task got; -1 where the policy declined
    job, kind : whose next task got it; -1 where the policy declined
    left_out : how many more there were
    """

    time: NDArray[np.float64]
    start: NDArray[np.int32]
    slot_kind: NDArray[np.int32]
    slot: NDArray[np.int32]
    job: NDArray[np.int32]
    kind: NDArray[np.int32]
    left_out: int = 0


@dataclass(frozen=True, eq=False)
class Watched:
    """What an expression was, each time that it was another value than before.

    Attributes
    ----------
    watch : as asked
    problem : why it cannot be read, or what it raised first; "" for neither
    unit : of its numbers, "" where it is not known
    is_of_winner : whether it is about the job that gets the slot, and has no value where none does
    decision, job : at which decision, of which job (-1 for none); int32 (n,)
    kind : of task that it was asked for, where it makes a difference, else -1; int32 (n,)
    value : the number, nan where it is none, (n,)
    text : what it was instead, by its place
    raised : at how many decisions it raised something
    left_out : how many more values there were
    locals : the local names of hooks that it reads, each with its hook: "key.deficit"
    """

    watch: WatchFor
    problem: str
    unit: str
    is_of_winner: bool
    decision: NDArray[np.int32]
    job: NDArray[np.int32]
    kind: NDArray[np.int32]
    value: NDArray[np.float64]
    text: dict[int, str]
    raised: int = 0
    left_out: int = 0
    locals: tuple[str, ...] = ()

    def known_at(self, decision: int, kind: int) -> dict[int, int]:
        """Return the place of the last value up to a decision about a kind of slot, by job."""
        upto = int(self.decision.searchsorted(decision, "right"))
        places = np.flatnonzero(self.kind[:upto] != 1 - kind)[::-1]
        jobs, last = np.unique(self.job[places], return_index=True)
        return dict(zip(jobs.tolist(), places[last].tolist(), strict=True))

    def shown(self, place: int) -> str:
        """Return a value as text, with its unit."""
        if place in self.text:
            return self.text[place]
        return f"{self.value[place]:.6g} {self.unit}".rstrip()

    @cached_property
    def why_no_value(self) -> str:
        """Why there is no value at some decisions; "" where there always is one."""
        if not self.locals or NO_VALUE not in self.text.values():
            return ""
        return f"no value where {' or '.join(map(without_value, self.locals))}"

    @property
    def is_number(self) -> bool:
        """Whether there is any number to draw."""
        return bool(np.isfinite(self.value).any())


@dataclass(frozen=True, eq=False)
class Trace:
    """What was recorded of a run.

    Attributes
    ----------
    decisions : of the policy, in their order
    printed : the lines that it printed
    printed_left_out : how many more lines there were
    watched : of each watch
    stops : in the order of decisions
    stop_problems : of each condition: why it cannot be evaluated, or "" and it may still hold nowhere
    stops_left_out : how many more stops there were
    fault : what the policy did wrong that ended the run; None for a whole run
    locals : the names that functions of the policy assign, by function
    """

    decisions: Decisions
    printed: tuple[Printed, ...]
    printed_left_out: int
    watched: tuple[Watched, ...]
    stops: tuple[Stop, ...]
    stop_problems: tuple[str, ...]
    stops_left_out: int = 0
    fault: PolicyFault | None = None
    locals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def time_of(self, decision: int) -> float:
        """Return when a decision was made, seconds; 0 for what was before the run."""
        return float(self.decisions.time[decision]) if decision >= 0 else 0.0

    def place_of(self, decision: int) -> tuple[float, int]:
        """Return the time of a decision and how many of that time's starts were before it."""
        if decision < 0:
            return 0.0, 0
        time, start = self.decisions.time[decision], int(self.decisions.start[decision])
        first = int(self.decisions.time.searchsorted(time))
        return float(time), start - int(self.decisions.start[first])

    def decision_at(self, time: float, starts: int | None = None) -> int:
        """Return the last decision up to a time, after so many of that time's starts; -1 for none."""
        times = self.decisions.time
        after = int(times.searchsorted(time, "right"))
        if starts is None:
            return after - 1
        first = int(times.searchsorted(time))
        there = self.decisions.start[first:after]
        return first + int(there.searchsorted(there[0] + starts, "right")) - 1 if len(there) else after - 1

    def differs_from(self, schedule: Schedule) -> bool:
        """Whether other decisions were taken than a schedule shows: the policy is no function of the run.

        Where hosts fetch what a job needs, a task begins up to that much later than it was decided on.
        """
        if self.fault is not None or self.decisions.left_out:
            return False
        if schedule.given_up is not None and not schedule.has_copies:
            return False  # what would start is asked before it is known whether a task is given up for it
        taken, schedule = self.decisions.job >= 0, schedule.by_first_copies
        tasks = schedule.sequence
        if not np.array_equal(self.decisions.job[taken], schedule.workload.columns.job[tasks]):
            return True
        time, start = self.decisions.time[taken], schedule.start[tasks]
        overheads = schedule.cluster.overheads
        if overheads is None or overheads.fetch == 0:
            return not np.array_equal(time, start)
        return bool(((start < time) | (start > np.nextafter(time + overheads.fetch, np.inf))).any())
