"""What the engine keeps where a policy may give running tasks up: what runs where, and what was given up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.engine.records import Float, Int, Record, record_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.engine.records import RecordColumn
    from core.engine.state import State

LINES_OF_TASK, MIN_LINES = 8, 1000
"""So often tasks may be given up: for each one, and at least in a run."""


class LineRecord(Record):
    """A part of a task that came to no end: it was killed, or suspended."""

    task: Int  # as the tasks lay before the run
    slot: Int
    rival: Int  # the job that got the slot, -1 where nobody did
    suspended: Int  # 1 if the task went on later from there, 0 if it ran again
    outrun: Int  # `core.model.execution_history.FIRST`, SECOND or BY_HAND if another copy counts, else 0
    lost: Int  # `core.model.execution_history.RUNNING` or ENDED if its node failed, else 0
    place: Int  # how many tasks had started before it did
    start: Float
    shuffled: Float
    end: Float


LINE = record_of(LineRecord)


class GivingRecord(Record):
    """How far giving up has come."""

    lines: Int  # parts noted so far
    starts: Int  # starts so far, also of tasks that were given up later
    suspends: Int  # 1 if what is given up is suspended, 0 if it is killed
    asks: Int  # 1 where the policy is asked for more of this, 0 where it goes on with what another one did
    kills: Int  # how many of the copies that are to be killed have come to their time


GIVING = record_of(GivingRecord)


class GivenUp(NamedTuple):
    """The tasks lie as they start; one that is given up lies behind all of its stage that run or have ended.

    Attributes
    ----------
    task : which task lies at each place, as they lay before the run, int32 (tasks,)
    began : how many tasks had started before the one at each place did, int32 (tasks,)
    on : the place of the task that each slot runs or ran last, -1 for none, int32 (slots,)
    line : records LINE, (most of them,)
    now : the record GIVING
    """

    task: Any
    began: Any
    on: Any
    line: RecordColumn[LineRecord]
    now: GivingRecord


def with_giving_up(state: State, *, suspends: bool) -> State:
    """Return a fresh state, as columns, of a run whose policy may give running tasks up."""
    now: Any = np.zeros(1, GIVING)[0]
    now["suspends"], now["asks"] = suspends, 1
    return state._replace(**own_columns(state), given_up=GivenUp(**places_of_tasks(state), now=now))


def own_columns(state: State) -> dict[str, Any]:
    """Return copies of the columns that change where tasks are given up; the workload's are read-only."""
    names = ("duration", "first_shuffle", "typical_shuffle", "task_key")
    return {name: np.array(getattr(state, name)) for name in names}


def places_of_tasks(state: State) -> dict[str, Any]:
    """Return the columns of a fresh `GivenUp`: where each task lies, and nothing given up."""
    tasks = len(state.slot)
    return {
        "task": np.arange(tasks, dtype=np.int32),
        "began": np.zeros(tasks, np.int32),
        "on": np.full(len(state.slot_stage), -1, np.int32),
        "line": np.zeros(max(MIN_LINES, LINES_OF_TASK * tasks), LINE),
    }


def noted_lines(state: State) -> NDArray[np.void]:
    """Return the parts that came to no end so far, in the order of giving up; of either form."""
    given: GivenUp = state.given_up
    if isinstance(given.line, np.ndarray):
        lines: NDArray[np.void] = given.line[: given.now["lines"]]
        return lines
    names = LINE.names or ()
    rows = [tuple(getattr(given.line[at], name) for name in names) for at in range(given.now.lines)]
    return np.array(rows, LINE)
