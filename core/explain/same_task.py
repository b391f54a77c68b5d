"""Which task of one schedule is a given task of another one of the same jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.explain.start_cause import NOBODY

if TYPE_CHECKING:
    from core.schedule import Schedule


def same_task(schedule: Schedule, task: int, other: Schedule) -> int:
    """Return the index in `other` of what is task `task` in `schedule`, NOBODY if it did not run there.

    Indices differ only where scans are shared: one map then stands for several.
    """
    if schedule.asked is None and other.asked is None:
        return task if task < other.tasks else NOBODY
    found = np.flatnonzero(other.given_task == schedule.given_task[task])
    return int(found[0]) if len(found) else NOBODY
