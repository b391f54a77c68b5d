"""The tree of slots against a sorted list."""

from __future__ import annotations

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize.heaps_loop import idle, take_earliest
from core.optimize.search_columns import fresh_passes, tasks_of


@pytest.mark.parametrize("slots", range(1, 18))
def test_the_slot_that_is_free_first_takes_each_task(slots: int) -> None:
    """Some tasks take no time and many as long as others; more slots than the pool has are never free."""
    job = Job("J", Stage.of(1, 1.0), Stage.of(1, 1.0))
    p = fresh_passes(tasks_of(Workload("one", (job,)), Cluster(20, 20)))
    random, free = np.random.default_rng(slots), [0.0] * slots
    assert idle(p, slots) == 0.0
    for duration in random.integers(0, 9, 200):
        assert p.slots[0] == min(free)
        take_earliest(p.slots, p.slots[0] + duration)
        free = [*sorted(free)[1:], min(free) + float(duration)]
        half = len(p.slots) // 2
        assert sorted(p.slots[:slots]) == sorted(free)
        assert sorted(p.slots[half : half + slots]) == list(range(slots, 2 * slots))
