"""What sharing saved in a finished schedule, and what it cost in waiting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.model.task_types import MAP

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule


def saved_seconds(schedule: Schedule) -> float:
    """Return the slot-seconds of scans that sharing saved."""
    if schedule.before_sharing is None:
        return 0.0
    columns = schedule.workload.columns
    alone = sum(float(job.maps.task_durations.sum()) for job in schedule.before_sharing.jobs)
    return alone - float(columns.duration[columns.kind == MAP].sum())


def waiting_to_board(schedule: Schedule) -> NDArray[np.float64]:
    """Return how long each job waited for its window to end, seconds, (jobs,)."""
    arrival = schedule.workload.columns.arrival
    return np.zeros(len(arrival)) if schedule.sharing is None else schedule.sharing.boards - arrival
