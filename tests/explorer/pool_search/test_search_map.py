"""The map of a search: rows, spans, neighbours and shades; without Qt."""

from __future__ import annotations

import pytest

from core.planning.pool_cut import Trial
from explorer.pool_search.search_map import tried_map

SINGLE = Trial((), (), (50.0,))
TRIALS = (
    Trial((1,), (4,), (60.0, 30.0)),
    Trial((1,), (6,), (40.0, 45.0)),
    Trial((2,), (2,), (70.0, 20.0)),
    Trial((2,), (5,), (30.0, 32.0)),
    Trial((2,), (8,), (10.0, 100.0)),
)
MAP = tried_map(4, (10, 5), (SINGLE, *TRIALS))


def test_what_is_best_and_what_one_pool_takes():
    assert MAP.slots == 10
    assert MAP.single == 50
    assert MAP.best == TRIALS[3]
    assert [MAP.least(split) for split in (1, 2, 3)] == [45.0, 32.0, None]


def test_every_size_of_a_row_belongs_to_the_nearest_trial():
    assert MAP.spans(1) == [(0.5, 5.0, TRIALS[0]), (5.0, 9.5, TRIALS[1])]
    assert MAP.spans(2) == [(0.5, 3.5, TRIALS[2]), (3.5, 6.5, TRIALS[3]), (6.5, 9.5, TRIALS[4])]
    assert MAP.spans(3) == []
    for split in (1, 2):
        for low, high, trial in MAP.spans(split):
            assert MAP.nearest(split, (low + high) / 2) == trial
    assert MAP.nearest(3, 5.0) is None


def test_neighbours_for_the_keys():
    assert MAP.beside(TRIALS[0], 1) == TRIALS[1]
    assert MAP.beside(TRIALS[0], -1) == TRIALS[0]
    assert MAP.above(TRIALS[1], 1) == TRIALS[3]
    assert MAP.above(TRIALS[4], -1) == TRIALS[1]
    assert MAP.above(TRIALS[4], 1) == TRIALS[4]


@pytest.mark.parametrize(("makespan", "shade"), [(32.0, 1.0), (50.0, 0.0), (41.0, 0.5), (100.0, -0.5)])
def test_shades_go_from_the_best_over_one_pool_to_worse(makespan, shade):
    assert MAP.shade(makespan) == pytest.approx(shade)


def test_before_anything_is_known():
    empty = tried_map(4, (10, 10), ())
    assert (empty.single, empty.best, empty.rows) == (None, None, {})
    assert empty.shade(10.0) == 0.0
    only_one_pool = tried_map(4, (10, 10), (SINGLE,))
    assert only_one_pool.best is None
    assert only_one_pool.shade(60.0) < 0


def test_pools_that_are_no_better_are_not_the_best():
    assert tried_map(4, (10, 10), (SINGLE, TRIALS[0])).best is None
