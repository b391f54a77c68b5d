"""What the engine keeps where a policy may let second copies of running tasks run: how long, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.engine.given_up import GIVING, LINE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.engine.given_up import GivingRecord, LineRecord
    from core.engine.records import RecordColumn
    from core.engine.state import State


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
    usual_shuffle, usual : how long a copy of a task of each stage takes: the medians, seconds, (stages,)
    faster : which part of the tasks of its stage takes less time than each task, (tasks,)
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
    usual_shuffle: Any
    usual: Any
    faster: Any


def with_copies(state: State) -> State:
    """Return a fresh state, as columns, of a run whose policy may let second copies of tasks run."""
    tasks, slots = len(state.slot), len(state.slot_stage)
    stage: Any = state.stage
    shuffle, duration = np.asarray(state.typical_shuffle), np.asarray(state.duration)
    usual = {name: np.zeros(len(stage)) for name in ("usual_shuffle", "usual")}
    faster = np.zeros(tasks)
    for g, (first, count) in enumerate(zip(stage["first"].tolist(), stage["tasks"].tolist(), strict=True)):
        if count:
            mine = slice(first, first + count)
            usual["usual_shuffle"][g] = np.median(shuffle[mine])
            usual["usual"][g] = np.median(duration[mine])
            faster[mine] = part_faster(shuffle[mine] + duration[mine])
    return state._replace(
        given_up=Copies(
            task=np.arange(tasks, dtype=np.int32),
            began=np.zeros(tasks, np.int32),
            on=np.full(slots, -1, np.int32),
            line=np.zeros(tasks + 1, LINE),
            now=np.zeros(1, GIVING)[0],
            twin=np.full(slots, -1, np.int32),
            second=np.zeros(slots, np.int32),
            number=np.zeros(slots, np.int32),
            since=np.zeros(slots),
            fetched=np.zeros(slots),
            faster=faster,
            **usual,
        )
    )


def part_faster(seconds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return which part of some times is smaller than each, (times,); than the last of 1, 1, 2, 9: 0.75."""
    smaller: NDArray[np.float64] = np.searchsorted(np.sort(seconds), seconds) / len(seconds)
    return smaller
