"""Tasks sorted by slot, or by row of a chart."""

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
