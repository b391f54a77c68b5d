"""Johnson's order by hand, and against all permutations."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measures.metrics import bound_of
from core.model.cluster import Cluster
from core.planning.estimated_makespan import estimate, estimate_of
from core.planning.johnson import johnson_order, two_stage_makespan
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload

STAGES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=5)


def columns(stages: object) -> tuple[np.ndarray, np.ndarray]:
    maps, reduces = np.array(stages, float).T
    return maps, reduces


def by_recursion(order: tuple[int, ...], stages: list[tuple[int, int]]) -> float:
    """The two machines, step by step."""
    maps_end = reduces_end = 0.0
    for j in order:
        maps_end += stages[j][0]
        reduces_end = max(reduces_end, maps_end) + stages[j][1]
    return reduces_end


def test_the_five_jobs() -> None:
    maps, reduces = columns(FIVE_JOBS)
    order = johnson_order(maps, reduces)
    assert order.tolist() == [1, 4, 0, 3, 2]
    assert two_stage_makespan(order, maps, reduces) == 47
    assert two_stage_makespan(order[::-1], maps, reduces) == 78


@pytest.mark.parametrize(
    ("stages", "order"),
    [
        ([(3, 3), (3, 3), (3, 3)], [0, 1, 2]),  # m <= r: to the front, in input order
        ([(4, 3), (5, 3), (6, 3)], [2, 1, 0]),  # to the back, the first one last
        ([(5, 2), (2, 5)], [1, 0]),
        ([(0, 7), (7, 0), (0, 0)], [0, 2, 1]),
        ([(8, 9)], [0]),
    ],
)
def test_ties_keep_input_order(stages: list[tuple[int, int]], order: list[int]) -> None:
    assert johnson_order(*columns(stages)).tolist() == order


@given(stages=STAGES)
def test_no_permutation_is_shorter(stages: list[tuple[int, int]]) -> None:
    maps, reduces = columns(stages)
    best = min(by_recursion(order, stages) for order in permutations(range(len(stages))))
    assert two_stage_makespan(johnson_order(maps, reduces), maps, reduces) == best


@given(stages=STAGES, data=st.data())
def test_the_makespan_of_any_order(stages: list[tuple[int, int]], data: st.DataObject) -> None:
    order = tuple(data.draw(st.permutations(range(len(stages)))))
    assert two_stage_makespan(np.array(order), *columns(stages)) == by_recursion(order, stages)


def test_nothing_takes_no_time() -> None:
    nothing = np.zeros(0)
    assert two_stage_makespan(np.zeros(0, int), nothing, nothing) == 0.0


def test_estimates_use_the_cluster() -> None:
    """Two waves of 30 tasks of d seconds each: low is 2 d, up (59 / 30 + 1) d."""
    five = two_stage_workload(FIVE_JOBS, 60)
    waves = (2 + 59 / 30 + 1) / 2
    assert estimate(five, Cluster(30, 30)) == pytest.approx((47 * waves, 78 * waves))


@pytest.mark.parametrize("arrival", [0.0, 300.0])
def test_estimates_that_know_no_arrivals_are_not_told(arrival: float) -> None:
    """Two jobs of 60 s, the second at five minutes: no schedule ends before 6 minutes, two are wrong."""
    workload = make_workload(make_job("J1", (1, 60.0)), make_job("J2", (1, 60.0), arrival=arrival))
    schedule = run(workload, Cluster(1, 1), "johnson")
    assert estimate_of(schedule) == (None if arrival else 120)
    assert estimate(workload, Cluster(1, 1)) == (None if arrival else (120, 120))
    assert estimate(workload, Cluster(0, 0, containers=2)) is None
    assert bound_of(schedule) == (360 if arrival else 120)


def test_a_map_only_job_has_no_second_stage() -> None:
    workload = make_workload(make_job("J1", (1, 4.0)), make_job("J2", (0,), (1, 3.0)))
    assert estimate(workload, Cluster(1, 1)) == (4, 7)
