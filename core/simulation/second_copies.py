"""The second copies of tasks that run at a moment, and since when."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.engine.copies import Copies

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.engine.state import State


class SecondCopy(NamedTuple):
    """A second copy that runs.

    Attributes
    ----------
    task : of which task, by number
    slot : where it runs
    start, shuffled : since when, and when its shuffle ends, seconds
    """

    task: int
    slot: int
    start: float
    shuffled: float


def second_copies(state: State, task_order: NDArray[np.int32] | None) -> tuple[SecondCopy, ...]:
    """Return the second copies that run, by slot; of either form.

    Parameters
    ----------
    task_order : which task lies at each place before the run, (tasks,); None for by number
    """
    copies = state.given_up
    if not isinstance(copies, Copies):
        return ()
    found = []
    for slot in np.flatnonzero(copies.second).tolist():
        task = int(copies.task[int(copies.on[slot])])
        task = task if task_order is None else int(task_order[task])
        found.append(SecondCopy(task, slot, float(copies.since[slot]), float(copies.fetched[slot])))
    return tuple(found)
