"""Since when a slot of a group has been free: how long a policy has kept a task waiting beside one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.schedule import Schedule


class FreeSlots:
    """Counts the free slots of a schedule over time, each group when it is first asked for."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._counted: dict[range, tuple[NDArray[np.float64], NDArray[np.int64]]] = {}

    def since(self, slots: range, time: float) -> float:
        """Return from when on some slot of a group has been free without a break until a time.

        Counted are whole instants: a slot that is freed and taken at one instant has not been free. Minus
        infinity if one was free from the beginning; `time` if none was free just before.
        """
        times, free = self._free(slots)
        before = int(np.searchsorted(times, time))  # the steps that begin before
        full = np.flatnonzero(free[:before] == 0)
        if len(full) == 0:
            return float("-inf")
        last = int(full[-1])
        return float(times[last + 1]) if last + 1 < before else time

    def freed_by(self, slots: range, time: float) -> int:
        """Return the task that left a slot of a group at exactly this time; of several the first started."""
        schedule = self._schedule
        found = np.flatnonzero(
            (schedule.end == time) & (schedule.slot >= slots.start) & (schedule.slot < slots.stop)
        )
        return int(found[np.argmin(schedule.start[found])])

    def _free(self, slots: range) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the times at which the number of free slots changes, and the number from each on."""
        if slots not in self._counted:
            self._counted[slots] = _count(self._schedule, slots)
        return self._counted[slots]


def _count(schedule: Schedule, slots: range) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    slot = schedule.slot[schedule.sequence]
    tasks = schedule.sequence[(slot >= slots.start) & (slot < slots.stop)]
    starts, ends = schedule.start[tasks], np.sort(schedule.end[tasks])
    times = np.union1d(starts, ends)
    in_use = np.searchsorted(starts, times, "right") - np.searchsorted(ends, times, "right")
    return times, len(slots) - in_use
