"""How late each job of a schedule is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.schedule import Schedule


def lateness(schedule: Schedule) -> NDArray[np.float64]:
    """Return how long after its deadline each job departs, (jobs,), in seconds.

    Negative for a job that is early, minus infinity for one without a deadline; a job that departs at its
    deadline meets it (001 section V counts T > D).
    """
    return schedule.finish - schedule.workload.columns.deadline
