"""The search: what it finds, that it finds the same again, and that it is never worse than its starts."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.levers import LEVERS
from core.model.nodes import NodeGroup, Request
from core.model.plan import Plan
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize import chains, cycles, plan_search
from core.optimize.chains import (
    PlanChain,
    compiled_due_dates,
    compiled_search_plans,
    in_threads,
    is_compiled,
    load_compiled,
    plain_chain,
)
from core.optimize.constraints import Constraints
from core.optimize.cycles import Cycle
from core.optimize.due_dates import MIN, anneal_due_dates, demand_of, fresh_due_dates
from core.optimize.evaluate import finishes, makespans
from core.optimize.levers import LATEST_START, blank_plans, plan_of
from core.optimize.objectives import Objective, Robust
from core.optimize.priced import Priced
from core.optimize.runs import EngineChain
from core.optimize.search import Search, optimize
from core.optimize.search_columns import tasks_of, usual_after
from core.optimize.starts import LONGEST_AFTER, constructive_starts, starts_of_prices
from tests.builders import FIVE_JOBS, run, two_stage_workload

WITHOUT_POOLS = ("order", "slowstart", "tasks", "across")


@pytest.fixture(scope="module")
def uneven():
    """Jobs for which no start is optimal."""
    random = np.random.default_rng(5)
    jobs = []
    for i in range(8):
        maps, reduces = random.integers(3, 9, 2)
        jobs.append(
            Job(
                f"J{i}",
                Stage.of(maps, random.integers(5, 60, maps)),
                Stage.of(reduces, random.integers(5, 60, reduces), 2.0, 5.0),
            )
        )
    return Workload("uneven", tuple(jobs)), Cluster(4, 4, 0.05)


def test_what_is_found_is_what_its_plan_gives(uneven):
    found = optimize(*uneven, steps=400)
    workload, cluster = uneven
    assert makespans(workload, cluster, [found.plan])[0] == found.best
    assert found.bound <= found.best <= found.start
    assert found.steps <= 400


def test_it_ends_by_the_clock_that_it_is_given(uneven):
    """One that stands still for a while, as that of a processor does while others have it."""
    ticks = itertools.chain(itertools.repeat(5.0, 40), itertools.count(5.0, 0.05))
    told: list[float] = []

    def clock() -> float:
        told.append(next(ticks))
        return told[-1]

    found = optimize(*uneven, seconds=2.0, clock=clock, levers=WITHOUT_POOLS)
    assert found.steps > 0
    assert 7.0 <= told[-1] < 8.0


def test_prices_that_are_begun_are_found_however_long_they_take(uneven, monkeypatch):
    """They take ten times the seconds of the search, which then has the other part of its seconds left."""
    now, wanted = [5.0], []

    def slow(*given, **options):
        now[0] += 20.0
        wanted.append(Priced.of(*given, **options))
        return wanted[-1]

    def clock() -> float:
        now[0] += 0.001
        return now[0]

    monkeypatch.setattr(plan_search, "Priced", SimpleNamespace(of=slow))
    goal = Objective.of("mean-response")
    found = optimize(*uneven, seconds=2.0, clock=clock, objective=goal)
    assert found.priced is wanted[0]
    assert found.bound >= wanted[0].bound
    assert found.steps > 1 + len(starts_of_prices(wanted[0].ends[0], *about_starts(*uneven)))
    assert 5 + 20 + 1.4 <= now[0] < 5 + 20 + 2.5


def about_starts(workload, cluster):
    """Return what starts by prices are made of beside when jobs end."""
    t = tasks_of(workload, cluster)
    return t, usual_after(t, cluster), LEVERS, 1000.0


def test_it_is_never_worse_than_an_order_that_a_policy_makes(uneven):
    workload, cluster = uneven
    found = optimize(workload, cluster, steps=200, levers=("order",))
    assert all(job.maps == job.reduces and job.reduces_after is None for job in found.plan.jobs)
    assert {job.maps.tasks for job in found.plan.jobs} == {"given"}
    assert found.best <= min(run(workload, cluster, policy).makespan for policy in ("fifo", "johnson", "sjf"))


def test_slices_find_what_a_whole_finds(uneven):
    whole, parts = Search(*uneven), Search(*uneven)
    found = whole.advance(300)
    for steps in (1, 2, 50, 7, 140, 100):
        parts.advance(steps)
    assert (parts.found.best, parts.found.plan, parts.found.steps) == (found.best, found.plan, found.steps)


def test_what_was_stopped_again_and_again_finds_what_a_whole_finds(uneven):
    found, parts = Search(*uneven).advance(200), Search(*uneven)
    while parts.found.steps < 200:
        looks = iter([False] * 6)
        parts.advance(200 - parts.found.steps, partial(next, looks, True))
    assert (parts.found.best, parts.found.plan, parts.found.steps) == (found.best, found.plan, found.steps)


def test_it_says_in_plain_words_what_it_goes_on_with(uneven):
    search, said = Search(*uneven), []
    while search.found.steps < 300:
        doing = search.advance(5).doing
        said += [] if said[-1:] == [doing] else [doing]
    assert said[:3] == ["trying simple rules", "giving the jobs due dates", "trying simple rules"]
    assert said[3] == "improving, round 1"
    told = []

    def is_improved():
        return any(each.how.startswith("improving the best plans, round ") for each in told)

    optimize(*uneven, seconds=3600.0, on_found=told.append, should_stop=is_improved)
    assert told[0].doing == "trying simple rules"
    assert any(each.doing.startswith("improving, round ") for each in told)


class Countdown:
    """What stops a pass when it has been looked at so many times."""

    def __init__(self):
        self.looks = 0

    def __getitem__(self, place):
        self.looks -= 1
        return int(self.looks < 0)


def annealed(workload, cluster, stops):
    """Return what an interpreted chain finds that is stopped after so many looks, again and again."""
    stop, t = Countdown(), tasks_of(workload, cluster)
    jobs = t.count[:, 0].copy(), np.arange(len(t.count)), np.zeros((0, 2), np.int64)
    given: Any = (t, plain_chain(t, 1, compiled=False).goal, *jobs, 1, 300.0, 1, False, stop)
    chain = EngineChain(workload, cluster, *given) if cluster.has_containers else PlanChain(*given)
    chain.begin(blank_plans(1, t), Cycle(12, 0.01, LEVERS, tied=False), 0.0, 300.0, chain.goal)
    times = 0
    while chain.steps < 12:
        stop.looks, times = stops(times), times + 1
        chain.advance(lambda: 12)
    found = chain.least, chain.found_at, chain.evaluations, *(column.tolist() for column in chain.best)
    stop.looks = 0
    assert np.isnan(chain.worths(blank_plans(1, t))[0]).all()
    return times, found


@pytest.mark.parametrize("cluster", [Cluster(4, 4, 0.05), Cluster(0, 0, 0.05, containers=5)])
def test_a_run_that_is_stopped_in_the_middle_leaves_no_trace(uneven, cluster):
    jobs = uneven[0].jobs[:4]
    for arrives in (0.0, 1.0):
        workload = uneven[0].with_jobs(replace(job, arrival=7 * i * arrives) for i, job in enumerate(jobs))
        once, whole = annealed(workload, cluster, lambda times: 1_000_000)
        often, parts = annealed(workload, cluster, lambda times: times)
        assert once == 1
        assert often > 5
        assert parts == whole


def test_who_works_sees_that_it_is_to_stop():
    stop, ended = np.zeros(1, np.int64), []

    def work(item):
        while stop[0] == 0:
            pass
        ended.append(item)

    in_threads(work, [1, 2], compiled=True, should_stop=lambda: True, stop=stop)
    assert sorted(ended) == [1, 2]
    assert stop[0] == 0


def test_the_most_promising_starts_are_run_first(uneven):
    workload, cluster = uneven
    starts = constructive_starts(workload, cluster, tasks_of(workload, cluster), LEVERS, 100.0)
    assert {start.how.split(",")[0] for start in starts[:4]} == {LONGEST_AFTER}
    assert all((start.tasks == LATEST_START).all() for start in starts[:4])


def test_one_thread_finds_what_two_find(uneven, monkeypatch):
    found = optimize(*uneven, steps=200)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert optimize(*uneven, steps=200).plan == found.plan
    assert optimize(*uneven, steps=200, seed=2).plan != found.plan


@pytest.mark.parametrize("stride", [0.0, 0.05])
@pytest.mark.parametrize("levers", [("order",), LEVERS])
def test_interpreted_code_anneals_the_same(uneven, levers, stride):
    t = tasks_of(*uneven)
    found = []
    for compiled in (True, False):
        chain = plain_chain(t, 1, compiled, movable=np.arange(8))
        cycle = Cycle(60, 0.01, levers, tied=False, stride=stride)
        chain.begin(blank_plans(1, t), cycle, 0.0, 500.0, chain.goal._replace(pull=np.array([0.5, 0.02])))
        chain.advance(lambda: 60)
        found.append((chain.least, chain.found_at, *(column.tolist() for column in chain.best)))
    assert found[0] == found[1]
    assert found[0][1] > 0


def test_interpreted_code_finds_the_same_due_dates(uneven):
    demand = demand_of(tasks_of(*uneven), 300.0, fills=True, worst=0.5)
    dates = [fresh_due_dates(demand, 3, 50) for _ in range(2)]
    for each, anneal in zip(dates, (compiled_due_dates(), anneal_due_dates), strict=True):
        assert anneal(demand, each, 50) == 50
    assert dates[0].due.tolist() == dates[1].due.tolist()
    assert dates[0].level[MIN] < 100


@pytest.mark.parametrize("missing", ["search_plans", "anneal_due_dates", "all_pay"])
def test_searches_are_compiled_once_all_of_their_code_is_there(missing, monkeypatch):
    """A policy that searches for its plans leaves a part of it in the cache."""
    monkeypatch.setattr(chains, "is_cached", lambda name: not name.startswith(missing))
    assert not is_compiled()
    monkeypatch.setattr(chains, "is_cached", lambda name: True)
    assert is_compiled()


def test_nothing_is_compiled_that_was_not_made_ready(uneven):
    load_compiled()
    optimize(*uneven, steps=150)
    optimize(*uneven, steps=5, robust=Robust(2, 0.3))
    assert len(compiled_search_plans().signatures) == len(compiled_due_dates().signatures) == 1


@pytest.mark.parametrize(("before", "tries"), [((), True), ((("J01", "J02"),), False)])
def test_what_chains_improve_of_different_jobs_is_tried_together(monkeypatch, before, tries):
    """The best is no worse than such plans; none is made where jobs must go before others."""
    made, join = [], cycles.joined
    monkeypatch.setattr(cycles, "joined", lambda *rows: made.append(join(*rows)) or made[-1])
    jobs, cluster = generate("synthetic2", seed=4, parameters={"jobs": 30, "bimodal": True}), Cluster(8, 8)
    responses, order = Objective.of("mean-response"), Constraints(before=before)
    search = Search(jobs, cluster, objective=responses, constraints=order)
    found = search.advance(400)
    assert bool(made) == tries
    usual = usual_after(tasks_of(jobs, cluster), cluster)
    assert all(search.values_of(plan_of(row, jobs, usual))[0] >= found.best for row in made)


def test_on_nodes_room_is_kept_for_whom_goes_first_where_responses_count():
    """Reduces of 2 GB stand back behind maps of 1 GB else; on slots of a kind there is nothing to keep."""
    jobs = generate("synthetic2", seed=3, parameters={"jobs": 30, "bimodal": True})
    asked = {"map_request": Request(1024, 1), "reduce_request": Request(2048, 1)}
    nodes = Cluster(0, 0, nodes=(NodeGroup(4, 12288, 10),), **asked)  # type: ignore[arg-type]
    responses = Objective.of("mean-response")
    found = optimize(jobs, nodes, steps=100, objective=responses)
    assert {job.room for job in found.plan.jobs} == {"reserved"}
    shared = Plan(tuple(replace(job, room="shared") for job in found.plan.jobs))
    ends = finishes(jobs, nodes, [found.plan, shared])
    assert ends[0].mean() == pytest.approx(found.best)
    assert ends[0].mean() < 0.95 * ends[1].mean()
    typed = optimize(jobs, Cluster(24, 24), steps=100, objective=responses)
    assert {job.room for job in typed.plan.jobs} == {"shared"}


def test_it_ends_when_it_is_proved():
    search = Search(two_stage_workload(((4, 5), (1, 4))), Cluster(30, 30))
    found = search.advance(10_000)
    assert found.proved
    assert found.gap == pytest.approx(0)
    assert search.is_over
    assert found.steps < 10_000


def test_it_stops_when_it_is_told(uneven):
    looks = iter(range(1000))
    assert Search(*uneven).advance(10_000, lambda: next(looks) > 20).steps < 200


def test_five_jobs_are_served_as_well_as_orders_can():
    assert (
        optimize(two_stage_workload(FIVE_JOBS), Cluster(30, 30, 1.0), steps=300, levers=WITHOUT_POOLS).best
        <= 47
    )


@pytest.mark.parametrize("seed", range(3))
def test_few_jobs_get_the_best_of_all_orders(seed):
    random = np.random.default_rng(seed)
    jobs = [
        Job(f"J{i}", Stage.of(4, random.integers(1, 30, 4)), Stage.of(3, random.integers(1, 30, 3), 1.0, 2.0))
        for i in range(5)
    ]
    workload, cluster = Workload("five", tuple(jobs)), Cluster(3, 2, 0.5)
    orders = [Plan.of_order(names) for names in itertools.permutations(job.name for job in jobs)]
    best = makespans(workload, cluster, orders).min()
    found = optimize(workload, cluster, steps=400, levers=("order",), seed=seed)
    assert found.best == best
    assert optimize(workload, cluster, steps=400, seed=seed).best <= best
