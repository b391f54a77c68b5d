"""Slot time that came to nothing: of what ran and was lost, and of slots whose node had failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.model.event_nodes import down_seconds

if TYPE_CHECKING:
    from core.model.schedule import Schedule


def lost_slot_time(schedule: Schedule) -> float:
    """Return for how long slots ran what came to nothing, in slot-seconds."""
    history = schedule.attempts
    if history is None or not len(history.extra):
        return 0.0
    begin, end = history.extra_times
    return float(np.sum((end - begin)[np.isin(history.looks, ("failed", "killed"))]))


def down_slot_time(schedule: Schedule) -> float:
    """Return for how long slots were away up to the makespan since their nodes had failed, slot-seconds."""
    return down_seconds(schedule.cluster, slice(0, schedule.cluster.slots), schedule.makespan)
