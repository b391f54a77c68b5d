"""Prices of instants: below the best of all schedules whatever they are, and what they are for by hand."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.generate.families import generate
from core.model.cluster import SHUFFLE_MODELS, Cluster, ShuffleModel
from core.model.errors import Cancelled
from core.optimize import instant_prices
from core.optimize.instant_prices import (
    _Market,
    compiled_payments,
    has_instants,
    instant_bound,
    price_instants,
)
from core.optimize.instant_prices_loop import all_pay
from core.optimize.job_costs import JobCosts
from core.optimize.objectives import Objective
from core.optimize.price_ascent import price_slots
from core.optimize.priced import Priced
from core.optimize.slot_prices import priceable
from tests.builders import make_job, make_workload
from tests.core.optimize.all_schedules import cheapest
from tests.core.optimize.tiny_workloads import tiny_workloads
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.workload import Workload

MAX = 1 + 1e-9


@st.composite
def priced(draw: st.DrawFn) -> tuple[Workload, JobCosts, np.ndarray, np.ndarray]:
    """Jobs, what their ends cost, times, and prices until each of two kinds of slots."""
    workload = draw(tiny_workloads())
    jobs = len(workload.jobs)
    due = draw(st.lists(st.integers(1, 9).map(float) | st.just(np.inf), min_size=jobs, max_size=jobs))
    second, late_second = draw(st.sampled_from(((1.0, 0.0), (0.0, 1.0), (1.0, 2.0))))
    grows = np.arange(1.0, jobs + 1)
    costs = JobCosts(second * grows, late_second * grows, 0 * grows, np.array(due))
    times = draw(st.lists(st.integers(1, 24), min_size=1, max_size=6, unique=True))
    parts = draw(st.sampled_from((2, 10)))  # of a second: sums of tenths are not what they should be
    prices = st.lists(
        st.sampled_from((0.0, 0.25, 1.0, 3.0)), min_size=2 * len(times), max_size=2 * len(times)
    )
    return workload, costs, np.sort(times) / parts, np.array(draw(prices)).reshape(2, -1)


def cost(costs: JobCosts, ends: list[float]) -> float:
    """What ends of jobs cost, by definition."""
    late = np.maximum(np.array(ends) - costs.due, 0.0)
    return float((costs.second * ends + costs.late_second * late).sum())


@examples(12)
@given(priced(), st.sampled_from([(1, 1), (2, 1), (1, 2)]), st.sampled_from(SHUFFLE_MODELS), st.booleans())
def test_no_prices_prove_more_than_the_best_of_all_schedules(
    case: tuple[Workload, JobCosts, np.ndarray, np.ndarray],
    slots: tuple[int, int],
    model: ShuffleModel,
    in_containers: bool,
) -> None:
    workload, costs, times, prices = case
    cluster = Cluster(*slots, shuffle_model=model)
    if in_containers:
        cluster = Cluster(0, 0, shuffle_model=model, containers=slots[0])
    best = cheapest(workload, cluster, lambda ends: cost(costs, ends))
    what = priceable(workload, cluster)
    assert instant_bound(what, costs, times, prices[: what.machines]) <= best * MAX
    known = price_slots(workload, cluster, costs)
    with patch.object(instant_prices, "STEPS", 20):
        assert price_instants(workload, cluster, costs, known).bound <= best * MAX


def crossing() -> tuple[Workload, JobCosts]:
    """Twenty maps of 1 s that cost nothing however late they end, and two jobs of 1 s that come at 10 s."""
    late = (make_job(f"J{i}", (1, 1.0), arrival=10.0) for i in range(2))
    workload = make_workload(make_job("A", (20, 1.0)), *late)
    zeros = np.zeros(3)
    return workload, JobCosts(np.array([0.0, 1.0, 1.0]), zeros, zeros, np.full(3, np.inf))


def test_an_instant_is_dear_where_two_jobs_come_at_once_by_hand() -> None:
    """At 1 for the second from 10 s on both jobs pay 12: at 11 s with that second, at 12 s without it.

    They end at 11 and 12 s at best, which is 12 + 12 less what the second costs. Prices that never rise say
    that A may have waited, so that all seconds before 10 s are there for the two.
    """
    workload, costs = crossing()
    what = priceable(workload, Cluster(1, 0))
    prices = np.array([[0.0, 1.0], [0.0, 0.0]])
    assert instant_bound(what, costs, np.array([10.0, 11.0]), prices) == pytest.approx(23)
    assert instant_bound(what, costs, np.array([10.0, 11.0]), 0 * prices) == pytest.approx(22)
    known = price_slots(workload, Cluster(1, 0), costs)
    assert known.bound <= 22
    assert 22.5 <= price_instants(workload, Cluster(1, 0), costs, known).bound <= 23


@examples(8)
@given(priced(), st.sampled_from([(1, 1), (2, 1), (2, 3)]))
def test_the_bound_is_hardly_less_than_that_of_many_ends(
    case: tuple[Workload, JobCosts, np.ndarray, np.ndarray], slots: tuple[int, int]
) -> None:
    """A twin by definition: in slices of a twentieth of a second, the cheapest first, every sixteenth."""
    workload, costs, times, prices = case
    what = priceable(workload, Cluster(*slots))
    edges, total = np.append(0.0, times), 0.0
    slices = np.arange(0, 60, 0.05)
    cells = np.searchsorted(edges, slices + 1e-9, "right") - 1
    for j in range(len(workload.jobs)):
        least = float(what.demands.ends[j])
        values = []
        for end in np.unique([least, *np.arange(np.ceil(least * 16) / 16, least + 16, 1 / 16)]):
            value = costs.second[j] * end + costs.late_second[j] * max(0.0, end - costs.due[j])
            for load, stage in zip(what.loads, what.demands.stages, strict=True):
                inside = (slices >= stage.heads[j] - 1e-9) & (slices + 0.05 <= end - load.tails[j] + 1e-9)
                dear = np.append(prices[load.machine], 0.0)[cells[inside]]
                had = 0.05 * np.arange(len(dear) + 1)
                lengths = stage.lengths[stage.group == j]
                tasks = load.share * np.maximum(lengths - had[:, None], 0.0).sum(axis=1)
                undone = np.maximum(np.maximum(tasks, load.work[j] - had), 0.0)
                value += (np.sort(dear) * -np.diff(undone)).sum()
            values.append(value)
        total += min(values)
    spent = float((prices * np.diff(edges)).sum())
    found = instant_bound(what, costs, times, prices)
    size = 1 + prices.max() + float((costs.second + costs.late_second).sum())
    assert abs(found - (total - spent)) <= 0.25 * size * len(workload.jobs)


def example() -> tuple[Workload, Cluster]:
    given = {"jobs": 20, "mean_interarrival": 60.0}
    return generate("facebook", seed=5, parameters=given), Cluster(16, 16)


def test_what_is_used_is_how_the_value_changes_and_the_compiled_twin_agrees() -> None:
    workload, cluster = example()
    costs = Objective.of("mean-response").job_costs(workload)
    assert costs is not None
    market = _Market(priceable(workload, cluster), costs, np.linspace(0.0, 6000.0, 13))
    random = np.random.default_rng(3)
    prices, heat = random.random((2, 12)) / 20, 30.0
    value_and_slope = market.smooth(heat, 1.0, 1.0)
    value, slope = value_and_slope(prices)
    used, mean, paid = (each.copy() for each in (market.pays.used, market.pays.mean, market.pays.paid))
    after = np.hstack([prices, np.zeros((2, 1))])
    market.pays.used[:] = 0
    assert all_pay(market.sold, after, heat, market.pays) == compiled_payments()(
        market.sold, after, heat, market.pays._replace(used=0 * used)
    )
    assert market.pays.used.tolist() == used.tolist()
    assert market.pays.mean.tolist() == mean.tolist()
    assert market.pays.paid.tolist() == paid.tolist()
    for kind, cell in ((0, 0), (0, 3), (0, 7), (1, 2), (1, 5)):
        moved = prices.copy()
        moved[kind, cell] += 1e-6
        assert (value_and_slope(moved)[0] - value) / 1e-6 == pytest.approx(
            slope[kind, cell], rel=2e-2, abs=1.0
        )


def test_where_jobs_arrive_they_prove_more() -> None:
    workload, cluster = example()
    objective = Objective.of("mean-response")
    found = Priced.of(objective, None, workload, cluster, None)
    plain = Priced.of(objective, None, workload, cluster, None, compiled=False)
    assert found.instants is not None
    assert found.bound > 1.005 * plain.bound
    assert found.proof["rule"] == "instants"
    assert len(found.ends) > len(plain.ends)
    assert plain.instants is None
    assert plain.proof["rule"] == "prices"
    assert Priced.of(objective, found, workload, cluster, None) is found


def test_what_has_prices_of_instants() -> None:
    workload, cluster = example()
    at_once = workload.with_jobs(workload.jobs[:1])
    for text, wanted in (("mean-response", True), ("tardiness", True), ("late-jobs", False)):
        costs = Objective.of(text).job_costs(workload)
        assert costs is not None
        assert has_instants(workload, costs) == wanted
        few = Objective.of(text).job_costs(at_once)
        assert few is not None
        assert not has_instants(at_once, few)
    mixed = Objective.of("makespan=1,mean-response=1")
    assert Priced.of(mixed, None, workload, cluster, None).instants is None


def test_it_stops_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instant_prices, "STEPS", 10)
    workload, cluster = example()
    costs, every = Objective.of("mean-response").job_costs(workload), count()
    assert costs is not None
    known = price_slots(workload, cluster, costs)
    price_instants(workload, cluster, costs, known, lambda: next(every) < 0)
    asked = next(every)
    for stop in (0, 5, asked - 1):
        looks = iter([*[False] * stop, True])
        with pytest.raises(Cancelled):
            price_instants(workload, cluster, costs, known, looks.__next__)
        assert not list(looks)
    enough = price_instants(workload, cluster, costs, known, is_enough=lambda: True)
    assert len(enough.ends) == 1
