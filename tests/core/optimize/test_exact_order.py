"""The best order, proved: against a simulation of every order, and what stops or shortens the search."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.job import Job
from core.model.overheads import Overheads
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize.exact_order import BestOrder, best_order
from core.optimize.exact_order_loop import filled_until
from core.simulation.simulate import simulate
from tests.random_tests import examples

quick = examples(15)
CLUSTERS = st.builds(
    Cluster,
    st.integers(1, 3),
    st.integers(1, 3),
    st.sampled_from([0.0, 0.05, 0.5, 1.0]),
    shuffle_model=st.sampled_from(["simmr", "overlap", "mumak"]),
)


@st.composite
def few_jobs(draw, most=5):
    """Draw jobs with whole seconds, so that many things happen at the same time."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))

    def stage(least):
        count = int(random.integers(least, 4))
        return Stage.of(count, *random.integers(1, 9, (3, max(count, 1))))

    jobs = []
    for i in range(draw(st.integers(1, most))):
        maps = stage(0)
        jobs.append(Job(f"J{i}", Stage.of(maps.count, maps.durations), stage(int(maps.count == 0))))
    return Workload("few", tuple(jobs))


def makespan(workload, cluster, order):
    return simulate(workload, cluster, PolicyChoice("order"), order=order).makespan


def shortest(workload, cluster):
    """Return the makespan of the best of all orders."""
    return min(makespan(workload, cluster, order) for order in itertools.permutations(workload.job_index))


@quick
@given(few_jobs(), CLUSTERS)
def test_no_order_of_all_is_better(workload, cluster):
    found = best_order(workload, cluster, compiled=False)
    assert found.proved
    assert found.makespan == shortest(workload, cluster) == makespan(workload, cluster, found.order)


def test_a_job_without_maps_waits_for_no_map_slot():
    stages = (
        (Stage.of(3, [6, 5, 3]), Stage.of(2, [8, 5], [5, 8], 6.0)),
        (Stage.of(2, [5, 8]), Stage.of(1, 7.0, 5.0, 1.0)),
        (Stage.of(3, [6, 7, 2]), Stage.of(1, 4.0, 4.0, 1.0)),
        (Stage.of(0), Stage.of(2, [6, 3], [5, 7], 4.0)),
        (Stage.of(3, [7, 8, 4]), Stage.of(1, 8.0, 2.0, 5.0)),
    )
    workload = Workload("five", tuple(Job(f"J{i}", *each) for i, each in enumerate(stages)))
    assert best_order(workload, Cluster(2, 1, 0.05), compiled=False).makespan == 66


def test_work_fills_the_slots_that_are_free_first():
    assert filled_until(np.array([0.0, 100.0]), 10.0) == 20
    assert filled_until(np.array([0.0, 100.0]), 60.0) == 110
    assert filled_until(np.array([4.0, 2.0, 3.0]), 1.0) == 4


FIVE = Workload(
    "five",
    tuple(
        Job(f"J{i}", Stage.of(4, [3.1 + i, 9.7 - i, 2.0]), Stage.of(3, [4.2, 7.9 - i], 1.5, 2.5))
        for i in range(5)
    ),
)


def test_compiled_twin_finds_the_same():
    cluster = Cluster(2, 2, 0.3)
    assert best_order(FIVE, cluster) == best_order(FIVE, cluster, compiled=False)


def test_known_schedule_shortens_the_search():
    cluster = Cluster(3, 4)
    whole = best_order(FIVE, cluster, compiled=False)
    again = best_order(FIVE, cluster, at_most=whole.makespan, compiled=False)
    assert (again.makespan, again.order) == (whole.makespan, whole.order)
    assert again.nodes < whole.nodes
    none = best_order(FIVE, cluster, at_most=0.999 * whole.makespan, compiled=False)
    assert (none.makespan, none.order, none.proved) == (math.inf, (), True)


def test_what_is_proved_of_orders_is_said():
    best = BestOrder(50.0, ("A", "B"), True, 3)
    assert best.sentence(50.0) == "It meets the lower bound of all schedules."
    assert best.sentence(49.0) == "All orders were tried, and none is better; another lever may be."
    assert replace(best, proved=False).sentence(49.0) == ""


def test_equal_jobs_are_tried_in_one_order():
    equal = Workload("equal", tuple(replace(FIVE.jobs[0], name=f"J{i}") for i in range(8)))
    assert best_order(equal, Cluster(2, 2), compiled=False).nodes <= 8


def test_stopped_search_keeps_the_best_so_far(monkeypatch):
    monkeypatch.setattr("core.optimize.exact_order.STEPS", {False: 60})
    looks = iter(range(100))
    stopped = best_order(
        FIVE,
        Cluster(2, 2),
        compiled=False,
        should_stop=lambda: next(looks) == 20,
    )
    assert not stopped.proved
    assert stopped.makespan == makespan(FIVE, Cluster(2, 2), stopped.order)


@pytest.mark.parametrize(
    ("jobs", "cluster", "reason"),
    [
        (3, Cluster(0, 0, containers=4), "untyped"),
        (3, Cluster(2, 2, overheads=Overheads(heartbeat=3.0)), "overheads"),
        (3, Cluster(2, 0), "no reduce slot"),
        (11, Cluster(2, 2), "at most 10 jobs, and there are 11"),
    ],
)
def test_where_it_cannot_be_proved_is_said(jobs, cluster, reason):
    workload = Workload("some", tuple(replace(FIVE.jobs[0], name=f"J{i}") for i in range(jobs)))
    with pytest.raises(InputError, match=reason):
        best_order(workload, cluster)


def test_jobs_that_arrive_later_are_refused():
    late = FIVE.with_jobs([replace(FIVE.jobs[0], arrival=3.0), *FIVE.jobs[1:]])
    with pytest.raises(InputError, match="arrive later"):
        best_order(late, Cluster(2, 2))
