"""Tasks sorted by slot, or by row of a chart, and when they take and leave rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.model.kept_read_only import KeptReadOnly

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class SlotOrder(KeptReadOnly):
    """The tasks sorted by slot, then start: what a chart draws row by row.

    Attributes
    ----------
    tasks : task indices, int32 (tasks,)
    offsets : tasks of slot s are ``tasks[offsets[s]:offsets[s + 1]]``, int64 (slots + 1,)
    """

    tasks: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, tasks: NDArray[np.int32], slot: NDArray[np.int32], slots: int) -> SlotOrder:
        """Return tasks by slot, in each as they come.

        Parameters
        ----------
        tasks : by start, (tasks,); one that lies in several rows comes as often
        slot : of each of them, from 0, (tasks,)
        slots : how many there are
        """
        # NOTE: numpy sorts 16-bit keys by radix, ten times faster than wider ones.
        key = slot.astype(np.uint16) if slots < 1 << 16 else slot
        ordered = tasks[np.argsort(key, kind="stable")]
        offsets = np.zeros(slots + 1, np.int64)
        np.cumsum(np.bincount(slot, minlength=slots), out=offsets[1:])
        ordered.flags.writeable = offsets.flags.writeable = False
        return cls(ordered, offsets)


def comings_and_goings(
    started: NDArray[np.int32], start: NDArray[np.float64], end: NDArray[np.float64]
) -> NDArray[np.int32]:
    """Return the tasks in the order in which they take rows, and each once more, as ~task, where it leaves.

    A row is free again at the very time at which the task on it ends; of one that takes no time, at once.

    Parameters
    ----------
    started : the tasks in the order in which they started
    start, end : of each task, seconds, (tasks,)
    """
    start, end, turn = start[started], end[started], np.arange(len(started))
    before = np.where(end > start, np.searchsorted(start, end), turn + 1)  # whose turn it leaves
    when = np.concatenate([before, turn])  # stable: what leaves at a turn goes before what comes then
    return np.concatenate([~started, started])[np.argsort(when, kind="stable")]
