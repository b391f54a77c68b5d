"""The policy that searches the best schedule: its plan is that of the search, found once."""

from __future__ import annotations

import pytest

from core.files.samples import load_sample
from core.model.errors import Cancelled, UnknownName
from core.model.estimates import DurationEstimates
from core.model.schedule import PolicyChoice
from core.optimize import search
from core.optimize.search import Search
from core.planning.estimated_workload import estimated_workload
from core.planning.kept_searches import KeptSearches
from core.policies import critical
from core.simulation.simulate import simulate
from tests.builders import run

POOLS = load_sample("five-jobs-pools")


@pytest.fixture(autouse=True)
def nothing_found_yet(monkeypatch):
    monkeypatch.setattr(critical, "_kept", KeptSearches("a search"))


def choice(**parameters):
    return PolicyChoice("optimized", {"steps": 60, **parameters})


def test_it_follows_the_plan_of_a_search(monkeypatch):
    found = Search(POOLS, POOLS.cluster, horizon=60).advance(60)
    schedule = run(POOLS, POOLS.cluster, choice())
    assert schedule.makespan == found.best
    assert schedule.plan == found.plan
    assert critical.known_plan(POOLS, POOLS.cluster, {"steps": 60}) == found.plan
    assert critical.known_plan(POOLS, POOLS.cluster, {"steps": 61}) is None
    monkeypatch.setattr(search, "Search", None)  # found once, it is remembered
    again = run(POOLS, POOLS.cluster, choice(), engine="compiled")
    assert again.makespan == found.best
    assert dict(again.choice.parameters) == {
        "steps": 60,
        "seconds": 0.0,
        "levers": "all",
        "objective": "makespan",
        "seed": 1,
    }


def test_levers_and_objective_are_those_asked_for():
    only_order = run(POOLS, POOLS.cluster, choice(levers="order, slowstart"))
    assert only_order.plan is not None
    assert all(job.maps.tasks == job.reduces.tasks == "given" for job in only_order.plan.jobs)
    mean = run(POOLS, POOLS.cluster, choice(objective="mean-response"))
    assert mean.finish.mean() <= only_order.finish.mean()
    with pytest.raises(UnknownName, match="did you mean 'order'"):
        run(POOLS, POOLS.cluster, choice(levers="ordr"))


def test_it_searches_by_the_clock_and_tells_how_far_it_is():
    told: list[float] = []
    schedule = simulate(POOLS, POOLS.cluster, choice(seconds=0.05), progress=told.append)
    assert schedule.makespan <= run(POOLS, POOLS.cluster, "fifo").makespan
    assert told[-1] == 1.0


def test_it_is_cancelled():
    with pytest.raises(Cancelled):
        simulate(POOLS, POOLS.cluster, choice(), should_stop=lambda: True)


def test_it_plans_on_what_it_is_told():
    estimates = DurationEstimates(error=0.5)
    guessed = PolicyChoice("optimized", {"steps": 60}, estimates)
    schedule = run(POOLS, POOLS.cluster, guessed)
    told = estimated_workload(POOLS, estimates)
    assert schedule.plan == Search(told, POOLS.cluster, horizon=60).advance(60).plan


def test_a_usual_search_has_fewer_steps_for_many_tasks(monkeypatch):
    monkeypatch.setattr(critical, "MAX_STEPS", 2000)
    monkeypatch.setattr(critical, "TASK_STEPS", 30_000)
    assert critical.usual_steps(POOLS) == 30_000 // (POOLS.map_count + POOLS.reduce_count)
