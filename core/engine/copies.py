"""What the engine keeps where a policy may let second copies of running tasks run: how long, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.engine.given_up import GIVING, LINE
from core.engine.records import Float, Int, Record, RecordColumn, record_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.engine.given_up import GivingRecord, LineRecord
    from core.engine.state import State


class KillRecord(Record):
    """A second copy that is to be killed."""

    at: Float
    task: Int


KILL = record_of(KillRecord)


class Copies(NamedTuple):
    """Which slots run the two copies of one task; of tasks that have no second one all is as ever.

    The first five are those of `core.engine.given_up.GivenUp`; tasks lie here as they did before the run.

    Attributes
    ----------
    task, began, on, line, now : as there; a line is noted where one of two copies came to no end
    twin : the slot that runs the other copy of the same task, -1 for none, int32 (slots,)
    second : 1 where a slot runs a second copy, int32 (slots,)
    number : how many tasks had started before the second copy on a slot did, int32 (slots,)
    since, fetched : when the second copy on a slot started and when its shuffle ends, seconds, (slots,)
    copy_shuffle, copy : how long a second copy of each task takes: its shuffle, and the rest, s, (tasks,)
    usual : how long a task of each stage takes: the medians of shuffles and of the rest, s, (stages,)
    faster : which part of the tasks of its stage takes less time than each task, (tasks,)
    kill : records KILL by time, (kills,); read
    alone : 1 where a second copy was killed, so that the task gets none any more, int32 (tasks,)
    """

    task: Any
    began: Any
    on: Any
    line: RecordColumn[LineRecord]
    now: GivingRecord
    twin: Any
    second: Any
    number: Any
    since: Any
    fetched: Any
    copy_shuffle: Any
    copy: Any
    usual: Any
    faster: Any
    kill: RecordColumn[KillRecord]
    alone: Any


def with_copies(state: State, kills: Sequence[tuple[float, int]] = ()) -> State:
    """Return a fresh state, as columns, of a run whose policy may let second copies of tasks run.

    Parameters
    ----------
    kills : when the second copy of which task is killed, by time, as tasks lie here
    """
    tasks, slots = len(state.slot), len(state.slot_stage)
    times: dict[str, Any] = {
        name: np.array(getattr(state, name)) for name in ("duration", "first_shuffle", "typical_shuffle")
    }
    now: Any = np.zeros(1, GIVING)[0]
    now["asks"] = 1
    known = looks_of(state.stage, times["typical_shuffle"], times["duration"])
    return state._replace(
        **times,
        task_key=np.array(state.task_key),
        given_up=Copies(
            task=np.arange(tasks, dtype=np.int32),
            began=np.zeros(tasks, np.int32),
            on=np.full(slots, -1, np.int32),
            line=np.zeros(tasks + 1, LINE),
            now=now,
            twin=np.full(slots, -1, np.int32),
            second=np.zeros(slots, np.int32),
            number=np.zeros(slots, np.int32),
            since=np.zeros(slots),
            fetched=np.zeros(slots),
            kill=np.array(list(kills), KILL),
            alone=np.zeros(tasks, np.int32),
            **known,
        ),
    )


def looks_of(
    stage: Any, shuffle: NDArray[np.float64], duration: NDArray[np.float64]
) -> dict[str, NDArray[np.float64]]:
    """Return the columns of `Copies` that follow from how long tasks take, by name.

    Parameters
    ----------
    stage : records STAGE, (stages,)
    shuffle, duration : of each task, seconds, (tasks,)
    """
    found = {name: np.zeros(len(shuffle)) for name in ("copy_shuffle", "copy", "faster")}
    found["usual"] = np.zeros(len(stage["first"]))
    for g, (first, count) in enumerate(zip(stage["first"].tolist(), stage["tasks"].tolist(), strict=True)):
        if count:
            mine = slice(first, first + count)
            found["copy_shuffle"][mine] = np.median(shuffle[mine])
            found["copy"][mine] = np.median(duration[mine])
            found["usual"][g] = found["copy_shuffle"][first] + found["copy"][first]
            found["faster"][mine] = part_faster(shuffle[mine] + duration[mine])
    return found


def part_faster(seconds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return which part of some times is smaller than each, (times,); than the last of 1, 1, 2, 9: 0.75."""
    smaller: NDArray[np.float64] = np.searchsorted(np.sort(seconds), seconds) / len(seconds)
    return smaller
