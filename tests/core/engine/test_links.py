"""Jobs whose ranks are known when they arrive: the next number, and the next leaf of their tree."""

from __future__ import annotations

from typing import Any

import pytest

from core.engine.stage_steps import take_arrival
from core.engine.state import as_rows
from tests.core.engine.test_fresh_state import selection_trees


@pytest.mark.parametrize(
    ("pooled", "leaves"),
    [
        (False, [12, 11, 10, 9, 8]),
        (True, [7, 6, 2, 5, 4]),  # the third job has a pool of its own, whose tree has two leaves
    ],
)
def test_jobs_are_numbered_as_they_arrive(pooled: bool, leaves: list[int]) -> None:
    """The last of five jobs arrives first. The tree of outlooks has each job's number beside its leaf."""
    state: Any = as_rows(selection_trees(pooled, outlook=1))
    state.cluster.numbers = 1
    for job in state.job:
        job.rank, job.leaf = 99, 99  # as long as nobody knows when it arrives
    for leaf in range(len(state.keys[0]) - 5):
        state.keys[0][5 + leaf][1] = 99.0
    assert [take_arrival(state) for _ in range(5)] == [4, 3, 2, 1, 0]
    assert [job.rank for job in state.job] == [4, 3, 2, 1, 0]
    assert [job.leaf for job in state.job] == leaves
    assert [state.keys[0][5 + leaf][1] for leaf in leaves] == [0, 1, 2, 3, 4]
    assert state.cluster.arrived == 5


def test_ranks_that_were_known_before_the_run_stay() -> None:
    state: Any = as_rows(selection_trees(pooled=True, outlook=0))
    for job in state.job:
        job.rank += 10
    assert [take_arrival(state) for _ in range(2)] == [4, 3]
    assert [job.rank for job in state.job] == [14, 13, 12, 11, 10]
