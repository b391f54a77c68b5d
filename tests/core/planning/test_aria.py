"""Stage bounds against tables computed by hand, and against the simulator."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.planning.aria import map_stage_bounds, reduce_stage_bounds, stage_estimates
from tests.builders import make_job, make_workload, run
from tests.random_tests import examples

MAPS = (4, [2.0, 4.0, 6.0, 8.0])  # average 5, longest 8
REDUCES = (4, [2.0, 4.0, 6.0, 8.0], [1.0, 3.0], [2.0, 6.0])  # first 2 and 3, typical 4 and 6


def bounds(maps: tuple[object, ...], reduces: tuple[object, ...], cluster: Cluster) -> tuple[float, ...]:
    """Lower and upper bound of both stages of one job among others."""
    others = make_job("other", (7, 100.0), (7, 100.0, 100.0, 100.0)), make_job("map-only", (1, 1.0))
    workload = make_workload(others[0], make_job("J1", maps, reduces), others[1])
    of_maps, of_reduces = map_stage_bounds(workload, cluster), reduce_stage_bounds(workload, cluster)
    return tuple(float(column[1]) for column in (*of_maps, *of_reduces))


@pytest.mark.parametrize(
    ("slots", "low", "up"),
    [
        (1, 20, 15 + 8),
        (2, 10, 7.5 + 8),
        (3, 20 / 3, 5 + 8),
        (4, 8, 8),  # one wave lasts as long as its longest task
        (9, 8, 8),
    ],
)
def test_map_stage(slots: int, low: float, up: float) -> None:
    found = bounds(MAPS, (0,), Cluster(slots, 1))
    assert found == pytest.approx((low, up, 0, 0))


@pytest.mark.parametrize(
    ("slots", "low", "up"),
    [
        (1, 2 + 3 * 4 + 20, 3 + 2 * 4 + 6 + 15 + 8),
        (2, 2 + 1 * 4 + 10, 3 + 0.5 * 4 + 6 + 7.5 + 8),
        (3, 2 + 4 / 3 + 20 / 3, 3 + 0 + 6 + 5 + 8),  # (N - 1) / S - 1 is 0
        (4, 2 + 0 + 8, 3 + 0 + 0 + 8),  # one wave: no later shuffle, no last one
        (9, 2 + 0 + 8, 3 + 0 + 0 + 8),  # both terms would be negative: clamped at 0
    ],
)
def test_reduce_stage(slots: int, low: float, up: float) -> None:
    found = bounds((0,), REDUCES, Cluster(1, slots))
    assert found == pytest.approx((0, 0, low, up))


def test_without_shuffles_the_reduce_stage_is_like_the_map_stage() -> None:
    assert bounds(MAPS, REDUCES, Cluster(3, 3, shuffle_model="mumak")) == pytest.approx((20 / 3, 13) * 2)


def test_containers_serve_either_stage_with_all() -> None:
    typed = bounds(MAPS, REDUCES, Cluster(3, 3))
    assert bounds(MAPS, REDUCES, Cluster(0, 0, containers=3)) == typed


def test_samples_repeat() -> None:
    """Three tasks of two samples last 2, 8, 2: the average is 4, not 5."""
    assert bounds((3, [2.0, 8.0]), (0,), Cluster(1, 1)) == pytest.approx((12, 16, 0, 0))


def test_the_estimate_is_the_middle() -> None:
    maps, reduces = stage_estimates(make_workload(make_job("J1", MAPS, REDUCES)), Cluster(2, 3))
    assert maps.tolist() == pytest.approx([(10 + 15.5) / 2])
    assert reduces.tolist() == pytest.approx([(10 + 22) / 2])


@examples(25)
@given(
    seconds=st.lists(st.integers(0, 20), min_size=1, max_size=12),
    slots=st.integers(1, 6),
)
def test_the_simulated_map_stage_lies_between_the_bounds(seconds: list[int], slots: int) -> None:
    workload = make_workload(make_job("J1", (len(seconds), seconds)))
    low, up = map_stage_bounds(workload, Cluster(slots, 0))
    makespan = run(workload, Cluster(slots, 0)).makespan
    assert low[0] * (1 - 1e-12) <= makespan <= up[0] * (1 + 1e-12)
