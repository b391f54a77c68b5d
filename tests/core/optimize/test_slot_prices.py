"""Prices of slots: below the best of all schedules whatever the prices are, and what they are for by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.generate.families import generate
from core.model.cluster import SHUFFLE_MODELS, Cluster, ShuffleModel
from core.model.errors import Cancelled
from core.model.job import Link
from core.model.objectives import LATE_JOB
from core.optimize.job_costs import JobCosts
from core.optimize.objective_bounds import bound_of_mean_response
from core.optimize.objectives import Objective
from core.optimize.price_ascent import price_slots
from core.optimize.slot_capacities import capacities
from core.optimize.slot_prices import _cheapest, price_bound, priceable
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import workloads
from tests.core.optimize.all_schedules import cheapest
from tests.core.optimize.tiny_workloads import tiny_workloads
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.workload import Workload

MAX = 1 + 1e-9
COSTS = st.lists(st.sampled_from((0.0, 1.0, 2.0, 5.0)), min_size=3, max_size=3)


def costs_of(jobs: int, weights: list[float], due: list[float]) -> JobCosts:
    """Costs of seconds, of seconds after the deadline and of being late, the more the later a job stands."""
    grows = np.arange(1.0, jobs + 1)
    second, late_second, late = weights
    return JobCosts(second * grows, late_second * grows, late * grows, np.array(due))


def cost(costs: JobCosts, ends: list[float]) -> float:
    """What ends of jobs cost, by definition."""
    total = 0.0
    for j, end in enumerate(ends):
        late = end - costs.due[j]
        total += costs.second[j] * end
        total += costs.late_second[j] * late + costs.late[j] if late > 0 else 0.0
    return total


@st.composite
def priced(draw: st.DrawFn) -> tuple[Workload, JobCosts, np.ndarray]:
    """Jobs, what their ends cost, and times."""
    workload = draw(tiny_workloads())
    jobs = len(workload.jobs)
    due = draw(st.lists(st.integers(1, 9).map(float) | st.just(np.inf), min_size=jobs, max_size=jobs))
    times = draw(st.lists(st.integers(0, 24), min_size=1, max_size=5, unique=True))
    parts = draw(st.sampled_from((2, 10)))  # of a second: sums of tenths are not what they should be
    return workload, costs_of(jobs, draw(COSTS), due), np.sort(np.array(times) / parts)


@examples(25)
@given(
    priced(),
    st.sampled_from([(1, 1), (2, 1), (1, 2)]),
    st.sampled_from(SHUFFLE_MODELS),
    st.booleans(),
    st.data(),
)
def test_no_prices_prove_more_than_the_best_of_all_schedules(
    case: tuple[Workload, JobCosts, np.ndarray],
    slots: tuple[int, int],
    model: ShuffleModel,
    in_containers: bool,
    data: st.DataObject,
) -> None:
    workload, costs, times = case
    cluster = Cluster(*slots, shuffle_model=model)
    if in_containers:
        cluster = Cluster(0, 0, shuffle_model=model, containers=slots[0])
    best = cheapest(workload, cluster, lambda ends: cost(costs, ends))
    what = priceable(workload, cluster)
    number = what.machines * len(times)
    drawn = data.draw(st.lists(st.sampled_from((0.0, 0.25, 1.0, 3.0)), min_size=number, max_size=number))
    falls = np.array(drawn).reshape(what.machines, len(times))
    assert price_bound(what, costs, times, falls, capacities(what, times)[0]) <= best * MAX
    assert price_slots(workload, cluster, costs).bound <= best * MAX


def test_one_price_proves_shortest_first_by_hand() -> None:
    """Two maps of 2 s on a slot end at 2 and 4 s. At half a second for each second before 2 s ...

    ... a job pays the same whether it ends at 2, 3 or 4 s: 2 in all. Both pay 4, and there are 2 s to be had.
    """
    workload = make_workload(*(make_job(f"J{i}", (1, 2.0)) for i in range(2)))
    what, times = priceable(workload, Cluster(1, 0)), np.array([2.0])
    costs = costs_of(2, [1.0, 0.0, 0.0], [np.inf] * 2)
    costs = costs._replace(second=np.array([0.5, 0.5]))
    capacity = capacities(what, times)[0]
    assert capacity[0].tolist() == [2.0]
    falls = np.array([[0.5], [0.0]])
    assert price_bound(what, costs, times, falls, capacity) == pytest.approx(2 + 2 - 0.5 * 2)
    assert price_bound(what, costs, times, 0 * falls, capacity) == pytest.approx(0.5 * 2 + 0.5 * 2)
    found = price_slots(workload, Cluster(1, 0), costs)
    assert 0.97 * 3 <= found.bound <= 3


def test_what_can_be_done_at_the_beginning_by_hand() -> None:
    """No reduce runs before 3 s; by 5 s one has had 2 s of two slots, the other waits for its map."""
    workload = make_workload(make_job("A", (1, 3.0), (1, 4.0)), make_job("B", (1, 3.0), (1, 4.0)))
    one = priceable(workload, Cluster(1, 2))
    maps, reduces = capacities(one, np.array([2.0, 3.0, 5.0, 6.0, 20.0]))[0]
    assert maps.tolist() == [2.0, 3.0, 5.0, 6.0, 6.0]  # and then all maps are done
    assert reduces[1] == 0.0
    # by 5 s A can have had 2 s; the maps of B have room for two thirds only
    assert reduces[2] == pytest.approx((2 + 2 * 2 / 3) / 2)
    assert capacities(one._replace(rises=False), np.array([2.0]))[0][1].tolist() == [2.0]


@examples(15)
@given(st.data(), st.sampled_from(("fifo", "sjf", "fair", "johnson")))
def test_no_run_has_done_more_by_any_time_than_there_is(data: st.DataObject, policy: str) -> None:
    workload = data.draw(workloads())
    cluster = Cluster(3, 2, data.draw(st.sampled_from((0.0, 1.0))))
    schedule = run(workload, cluster, policy)
    columns = workload.columns
    maps = columns.kind == 0
    over = columns.arrival.copy()
    np.maximum.at(over, columns.job[maps], schedule.end[maps])
    begin = np.where(maps, schedule.start, np.maximum(schedule.start, over[columns.job]))
    times = np.linspace(0.0, schedule.makespan, 9)
    what = priceable(workload, cluster)
    counts = np.stack([load.work > 0 for load in what.loads])[columns.kind, columns.job]
    there = capacities(what, times)[0]
    for time, of_maps, of_reduces in zip(times, *there, strict=True):
        had = np.where(counts, np.maximum(np.minimum(schedule.end, time) - begin, 0.0), 0.0)
        assert had[maps].sum() <= of_maps * 3 * MAX + 1e-9
        assert had[~maps].sum() <= of_reduces * 2 * MAX + 1e-9


@examples(15)
@given(priced(), st.sampled_from([(1, 1), (2, 1), (2, 3)]), st.data())
def test_the_cheapest_end_is_no_more_than_at_any_end_and_hardly_less(
    case: tuple[Workload, JobCosts, np.ndarray], slots: tuple[int, int], data: st.DataObject
) -> None:
    """A twin by definition: every sixteenth of a second, each task by itself."""
    workload, costs, times = case
    cluster = Cluster(*slots)
    what = priceable(workload, cluster)
    drawn = st.lists(st.sampled_from((0.0, 0.5, 2.0)), min_size=2 * len(times), max_size=2 * len(times))
    falls = np.array(data.draw(drawn)).reshape(2, len(times))
    demands = what.demands
    for j in range(len(workload.jobs)):
        values = []
        near = np.concatenate([times, times + what.loads[0].tails[j]])
        every = np.arange(demands.ends[j], times[-1] + demands.ends[j] + 40, 1 / 16)
        for end in [*every, *near[near >= demands.ends[j]]]:
            alone = [cost(costs._replace(second=0 * costs.second), [0.0] * len(costs.due))]
            paid = costs.second[j] * end + alone[0]
            if end > costs.due[j]:
                paid += costs.late_second[j] * (end - costs.due[j]) + costs.late[j]
            for load, stage in zip(what.loads, demands.stages, strict=True):
                mine = stage.lengths[stage.group == j]
                for time, price in zip(times, falls[load.machine], strict=True):
                    left = end - load.tails[j] - time
                    needs = load.work[j]
                    if left >= 0:
                        tasks = load.share * sum(max(0.0, length - left) for length in mine)
                        needs = max(tasks, load.work[j] - left, 0.0)
                    paid += price * needs
            values.append(paid)
        [least] = _cheapest(what, costs, j, times, falls, np.array([np.inf]))
        assert least <= min(values) + 1e-9
        assert least >= min(values) - 0.25 * (1 + falls.sum()) * (1 + demands.ends[j])


def example() -> tuple[Workload, Cluster]:
    return generate("synthetic2", seed=5, parameters={"jobs": 30}), Cluster(32, 32)


def test_prices_prove_more_than_work_that_is_cut_in_any_way() -> None:
    workload, cluster = example()
    bound, prices = Objective.of("mean-response").priced(workload, cluster) or (0.0, None)
    assert bound > 1.02 * bound_of_mean_response(workload, cluster)
    assert prices is not None
    assert prices.falls.min() >= 0
    assert prices.of_second.shape == (2, len(prices.times))
    assert (np.diff(prices.of_second, axis=1) <= 0).all()
    assert prices.kinds == ("all 32 map slots", "all 32 reduce slots")
    again = price_slots(
        workload, cluster, Objective.of("mean-response").job_costs(workload) or costs_of(0, [], [])
    )
    assert again.bound == prices.bound
    assert again.ends.tolist() == prices.ends.tolist()


def test_where_one_kind_of_slots_is_free_at_first_its_price_is_found_all_the_same() -> None:
    """An ascent whose steps are measured by the first prices stayed at 25 103."""
    workload = generate("synthetic1", seed=7, parameters={"jobs": 20, "bimodal": True})
    priced = Objective.of("mean-response").priced(workload, Cluster(64, 64))
    assert priced is not None
    assert 25_800 < priced[0] < 26_600


def test_it_stops_when_asked() -> None:
    """At once, while ends are gathered, in the ascent, and while the bound is worked out, job by job."""
    workload, cluster = example()
    objective, every = Objective.of("mean-response"), count()
    assert objective.priced(workload, cluster, None, lambda: next(every) < 0)
    asked = next(every)
    assert asked > 2 * 30 + 20
    for stop in (0, 10, 40, asked - 1):
        looks = iter([*[False] * stop, True])
        with pytest.raises(Cancelled):
            objective.priced(workload, cluster, None, looks.__next__)
        assert not list(looks)


def test_what_has_prices() -> None:
    workload = make_workload(*(make_job(f"J{i}", (2, 3.0), deadline=2.0) for i in range(3)))
    cluster = Cluster(2, 0)
    assert Objective.of("makespan").priced(workload, cluster) is None
    assert Objective.of("stretch").priced(workload, cluster) is None
    linked = workload.with_jobs([*workload.jobs[:2], replace(workload.jobs[2], after=(Link("J0"),))])
    assert Objective.of("tardiness").priced(linked, cluster) is None
    bounds = {
        name: (Objective.of(name).priced(workload, cluster) or (0.0, None))[0]
        for name in ("late-jobs", "tardiness", "deadlines-makespan", "makespan=2,mean-response=1")
    }
    assert bounds["late-jobs"] == 3  # a whole number of jobs
    assert 0.95 * (1 + 4 + 7) <= bounds["tardiness"] <= 1 + 4 + 7
    assert bounds["deadlines-makespan"] == 3 * LATE_JOB + 9
    assert 0.99 * (18 + 6) <= bounds["makespan=2,mean-response=1"] <= 18 + 6
