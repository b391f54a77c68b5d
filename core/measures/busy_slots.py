"""How many slots are busy at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule


def most_busy_slots(schedule: Schedule) -> tuple[int, ...]:
    """Return how many slots of each type are busy at once at most; one number where slots are for any task.

    Attempts of a record that came to nothing hold their slots, too. A record has the slots that its hosts
    used, one host beside the other: 2 hosts that ran 3 tasks each, one after the other, have 6 slots, of
    which 3 were busy at once.
    """
    slot, start, end = schedule.slot, schedule.start, schedule.end
    if (record := schedule.attempts) is not None:
        begins, ends = record.extra_times
        slot = np.concatenate([slot, record.extra_slot])
        start, end = np.concatenate([start, begins]), np.concatenate([end, ends])
    placed = (slot >= 0) & np.isfinite(start) & np.isfinite(end)
    found = []
    for kind in TASK_TYPES:
        if schedule.cluster.typed_slots[kind]:
            own = schedule.cluster.slots_of(kind)
            mine = placed & (slot >= own.start) & (slot < own.stop)
            found.append(_most_at_once(start[mine], end[mine]))
    return tuple(found)


def _most_at_once(start: NDArray[np.float64], end: NDArray[np.float64]) -> int:
    """Return how many spans have an instant in common at most; one that ends makes room for the next."""
    lasting = end > start
    times = np.concatenate([end[lasting], start[lasting]])
    steps = np.repeat([-1, 1], int(lasting.sum()))
    counts = np.cumsum(steps[np.argsort(times, kind="stable")])
    return int(counts.max(initial=0))
