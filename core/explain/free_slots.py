"""Since when a slot of a group has been free: how long a policy has kept a task waiting beside one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.explain.job_slots import slots_beside
from core.measures.node_room import room_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule


class FreeSlots:
    """Counts the free slots of a schedule over time, each group when it is first asked for."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._counted: dict[tuple[range, int], tuple[NDArray[np.float64], NDArray[np.int64]]] = {}

    def since(self, task: int) -> float:
        """Return from when on a slot like that of a task has been free, without a break, until it started.

        A slot counts if it is of the same type, and in the same pool where pools have slots of their own; on
        nodes, there was room for the task somewhere. Counted are whole instants: a slot that is freed and
        taken at one instant has not been free. Minus infinity if one was free from the beginning, and the
        task's start if none was free just before.
        """
        time = float(self._schedule.start[task])
        times, free = self._free(task)
        before = int(np.searchsorted(times, time))  # the steps that begin before
        full = np.flatnonzero(free[:before] == 0)
        if len(full) == 0:
            return float("-inf")
        last = int(full[-1])
        return float(times[last + 1]) if last + 1 < before else time

    def freed_by(self, task: int, time: float) -> int:
        """Return the task that left such a slot at exactly this time; of several the one started first."""
        schedule, slots = self._schedule, slots_beside(self._schedule, int(self._schedule.slot[task]))
        beside = (schedule.slot >= slots.start) & (schedule.slot < slots.stop)
        found = np.flatnonzero((schedule.end == time) & beside)
        return int(found[np.argmin(schedule.start[found])])

    def _free(self, task: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the times at which the number of free slots changes, and the number from each on."""
        kind = int(self._schedule.workload.columns.kind[task])
        group = slots_beside(self._schedule, int(self._schedule.slot[task])), kind
        if group not in self._counted:
            self._counted[group] = _count(self._schedule, *group)
        return self._counted[group]


def _count(schedule: Schedule, slots: range, kind: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    slot = schedule.slot[schedule.sequence]
    tasks = schedule.sequence[(slot >= slots.start) & (slot < slots.stop)]
    starts, ends = np.sort(schedule.start[tasks]), np.sort(schedule.end[tasks])
    times = np.union1d(starts, ends)
    if schedule.cluster.has_nodes:
        return times, room_at(schedule, times, kind)
    in_use = np.searchsorted(starts, times, "right") - np.searchsorted(ends, times, "right")
    return times, len(slots) - in_use
