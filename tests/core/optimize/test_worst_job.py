"""What counts by the worst job, beside prices of slots: no schedule is below it, and it proves more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.generate.families import generate
from core.model.cluster import Cluster
from core.optimize.bounds import lower_bound
from core.optimize.evaluate import finishes
from core.optimize.job_costs import JobCosts
from core.optimize.levers import plan_of
from core.optimize.objectives import Objective
from core.optimize.price_ascent import price_slots
from core.optimize.search_columns import tasks_of, usual_after
from core.optimize.slot_capacities import capacities
from core.optimize.slot_prices import price_bound, priceable
from core.optimize.starts import row_of, starts_of_prices
from core.optimize.worst_job import largest_stretch, last_end
from tests.builders import make_job, make_workload
from tests.core.optimize.all_schedules import cheapest
from tests.core.optimize.test_slot_prices import COSTS, MAX, cost, costs_of
from tests.core.optimize.tiny_workloads import tiny_workloads
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.workload import Workload

LEVERS = ("across", "slowstart", "tasks", "order")


@examples(30)
@given(
    tiny_workloads(),
    COSTS,
    st.sampled_from([(1, 1), (2, 1), (1, 2)]),
    st.sampled_from((0.25, 1.0, 4.0)),
    st.booleans(),
    st.data(),
)
def test_no_prices_prove_more_than_the_best_of_all_schedules(
    workload: Workload,
    weights: list[float],
    slots: tuple[int, int],
    of_worst: float,
    counts_stretch: bool,
    data: st.DataObject,
) -> None:
    """Levels and prices are drawn; the twin tries all schedules and knows neither."""
    cluster, jobs = Cluster(*slots), len(workload.jobs)
    due = data.draw(st.lists(st.integers(1, 9).map(float), min_size=jobs, max_size=jobs))
    costs = costs_of(jobs, weights, due)
    alone, arrival = np.arange(1.0, jobs + 1), workload.columns.arrival

    def value(ends: list[float]) -> float:
        worst = max((np.array(ends) - arrival) / alone) if counts_stretch else max(ends)
        return cost(costs, ends) + of_worst * worst

    best = cheapest(workload, cluster, value)
    what = priceable(workload, cluster)
    if counts_stretch:
        least = float(((what.demands.ends - arrival) / alone).max())
        worst = largest_stretch(workload, of_worst, max(least, 1e-6), alone)
    else:
        worst = last_end(workload, of_worst, max(lower_bound(workload, cluster), 1e-6))
    some = st.lists(st.floats(1.0, 5.0), max_size=4)
    levels = np.unique(worst.levels[0] * np.array([1.0, *data.draw(some)]))
    drawn = worst._replace(levels=np.append(levels, np.inf))
    times = np.arange(1.0, 8.0)
    prices = st.lists(st.sampled_from((0.0, 0.25, 1.0)), min_size=14, max_size=14)
    falls, capacity = np.array(data.draw(prices)).reshape(2, 7), capacities(what, times)[0]
    assert price_bound(what, costs, times, falls, capacity, worst=drawn) <= best * MAX + 1e-4
    assert price_slots(workload, cluster, costs, worst=worst).bound <= best * MAX + 1e-4
    assert price_slots(workload, cluster, costs, worst=worst, with_cases=True).bound <= best * MAX + 1e-4


def test_one_level_by_hand() -> None:
    """Two maps of 2 s on one slot: no slot has a price, and each job would end at 2 s by itself.

    The last end is at 4 s at least. At 3 for each second of it and 1 for each of the jobs that is 12 and 4.
    """
    workload = make_workload(*(make_job(f"J{i}", (1, 2.0)) for i in range(2)))
    cluster = Cluster(1, 0)
    what, times = priceable(workload, cluster), np.array([2.0])
    nothing = np.zeros(2)
    costs = JobCosts(np.ones(2), nothing, nothing, np.full(2, np.inf))
    worst = last_end(workload, 3.0, 4.0)
    assert worst.limits[0].tolist() == [4.0, 4.0]
    falls, capacity = np.zeros((2, 1)), capacities(what, times)[0]
    assert price_bound(what, costs, times, falls, capacity, worst=worst) == pytest.approx(16)
    # a price of 1 for a second before 2 s: jobs that end by 4 s pay 4 each, and 2 is there
    falls[0] = 1.0
    assert price_bound(what, costs, times, falls, capacity, worst=worst) == pytest.approx(12 + 4 + 4 - 2)


def test_a_mix_is_bounded_better_than_its_parts_and_has_plans() -> None:
    workload = generate("synthetic2", seed=5, parameters={"jobs": 40})
    cluster = Cluster(64, 64)
    response = Objective.of("mean-response").priced(workload, cluster)
    assert response is not None
    least = lower_bound(workload, cluster)
    mix = Objective.of(f"makespan={response[0] / least},mean-response=1")
    priced = mix.priced(workload, cluster)
    assert priced is not None
    assert priced[0] > 1.02 * 2 * response[0]
    t = tasks_of(workload, cluster)
    usual = usual_after(t, cluster)
    starts = [each for ends in priced[1].ends for each in starts_of_prices(ends, t, usual, LEVERS, least)]
    plans = [plan_of(row_of(start, t, 1), workload, usual) for start in starts]
    best = min(mix.value(workload, finish) for finish in finishes(workload, cluster, plans))
    assert priced[0] <= best <= 1.15 * priced[0]


def test_the_largest_stretch_counts_likewise() -> None:
    workload = generate("synthetic2", seed=5, parameters={"jobs": 30})
    cluster = Cluster(32, 32)
    alone = priceable(workload, cluster).demands.ends
    mix = Objective.of("stretch=100,mean-response=1")
    priced = mix.priced(workload, cluster, alone)
    assert priced is not None
    response = Objective.of("mean-response").priced(workload, cluster)
    stretch = Objective.of("stretch").bound(workload, cluster, alone)
    assert response is not None
    assert priced[0] > 1.001 * (response[0] + 100 * stretch)


@examples(50)
@given(st.lists(st.integers(0, 40), min_size=1, max_size=12), st.floats(0.0, 3.0))
def test_levels_that_prove_nothing_are_left_out(falls: list[int], weight: float) -> None:
    """What jobs cost at least falls from level to level; the least case stays what it is."""
    workload = make_workload(make_job("J1", (1, 1.0)))
    levels = np.append(np.arange(1.0, len(falls) + 1), np.inf)
    worst = last_end(workload, weight, 1.0)._replace(levels=levels)
    least = np.append(0.0, np.cumsum(falls[::-1]))[::-1].astype(np.float64)
    kept = worst.fewest(least)
    places = np.searchsorted(levels, kept.levels)
    assert kept.cases(least[places]).min() == worst.cases(least).min()
    assert (places[0], places[-1]) == (0, len(levels) - 1)
    for left_out in range(1, len(places) - 1):
        fewer = np.delete(places, left_out)
        assert (
            worst._replace(levels=levels[fewer]).cases(least[fewer]).min() < kept.cases(least[places]).min()
        )
