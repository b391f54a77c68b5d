"""Ready-list malleable packing: minima, then slack by priority, interval by interval."""

from __future__ import annotations

import pytest

from tests.core.shared_scans.reference_planner import Subjob, allocate, pack


def subjob(work: float, minimum: float = 0, maximum: float = 100) -> Subjob:
    return Subjob((0,), 0, work, work, minimum, maximum)


def test_minima_first_then_slack_by_priority_up_to_maxima() -> None:
    jobs = {0: subjob(1, 2, 5), 1: subjob(1, 1, 3), 2: subjob(1, 1, 9)}
    assert allocate([1, 0, 2], jobs, 10) == {1: 3, 0: 5, 2: 2}


def test_minima_that_exceed_the_cluster_are_scaled() -> None:
    assert allocate([0, 1], {0: subjob(1, 6), 1: subjob(1, 2)}, 4) == {0: 3, 1: 1}


def test_intervals_end_at_completions_and_successors_follow() -> None:
    jobs = {0: subjob(20, maximum=4), 1: subjob(40), 2: subjob(12)}
    intervals = pack([0, 1, 2], jobs, {0: {2}, 1: set(), 2: set()}, 10)
    # 0 gets 4 and 1 the other 6; at 5 s 0 is complete and 1, ahead of 2, takes all 10
    assert [(i.start, i.end, dict(i.slots)) for i in intervals] == [
        (0, 5, {0: 4, 1: 6}),
        (5, 6, {1: 10, 2: 0}),
        (6, pytest.approx(7.2), {2: 10}),
    ]


def test_packing_stops_at_the_time_given() -> None:
    intervals = pack([0], {0: subjob(100)}, {0: set()}, 10, start=3, until=5)
    assert [(i.start, i.end, dict(i.slots)) for i in intervals] == [(3, 5, {0: 10})]
