"""What contradicts its simulation or its bound never leaves a search: it is kept, as a failure of ours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.files.session_document import read_session
from core.lessons import hand_result as hand_results
from core.lessons.hand_result import hand_result
from core.measures.metrics import explained_bound_of
from core.model.cluster import Cluster
from core.model.errors import WrongResult
from core.model.job import Dataset, Job, scan_stage
from core.model.objectives import OBJECTIVES
from core.model.plan import check_plan
from core.model.progress import never_stop, no_progress
from core.model.workload import Workload
from core.optimize import exact_order, lever_worths
from core.optimize.checked_plans import CheckedPlans
from core.optimize.exact_order import best_order, why_no_exact_order
from core.optimize.objectives import Objective, Robust
from core.optimize.runs import EngineRuns
from core.optimize.search import Search, optimize
from core.optimize.wrong_results import failures_folder
from core.policies.critical import Wishes
from core.simulation.policy_searches import find_plan
from tests.builders import make_job, make_workload, run

CLUSTER = Cluster(2, 2, 0.05)
JOBS = make_workload(
    make_job("A", (3, 6), deadline=9.0),
    make_job("B", (5, 2), (3, 1)),
    make_job("C", (0,), (2, 1), arrival=1.0),
)
TOGETHER = make_workload(*(make_job(name, (3, [4, 2]), (2, [3, 1], 1, 2)) for name in "ABC"))


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def kept(error):
    """Return the session that the sentence names."""
    [path] = failures_folder().iterdir()
    assert str(error.value).startswith("a failure of ours: ")
    assert str(path) in str(error.value)
    return read_session(path).state


def off_by(bits):
    """Return what a search finds, with a value that differs in the last bits."""
    search = Search(JOBS, CLUSTER, compiled=False)
    found = search.advance(3)
    assert search._best is not None
    worse = search._best._replace(value=found.best, row=search._best.row._replace())
    for _ in range(bits):
        worse = worse._replace(value=float(np.nextafter(worse.value, np.inf)))
    search._best = worse._replace(row=type(worse.row)(*worse.row))
    return search, found


def test_a_value_that_is_off_by_a_bit_never_leaves_a_search():
    search, found = off_by(1)
    with pytest.raises(WrongResult, match="simulating it gives") as error:
        _ = search.found
    state = kept(error)
    [scenario] = state.scenarios
    assert (state.workload, state.cluster, scenario.plan) == (JOBS, CLUSTER, found.plan)
    assert run(state.workload, state.cluster, plan=scenario.plan).makespan == found.best
    assert f"found: {float(np.nextafter(found.best, np.inf))!r}" in state.notes
    assert "seed: 1" in state.notes


def test_a_plan_that_breaks_rules_never_leaves_a_search():
    search, _ = off_by(0)
    row = search._best.row
    search._best = search._best._replace(
        row=row._replace(slots=np.array([[[3, 0], [-1, 2]]]), pool=np.array([[0, 0, 1]]))
    )
    with pytest.raises(WrongResult, match="cannot be simulated") as error:
        _ = search.found
    state = kept(error)
    assert state.scenarios[0].plan is None, "no document may have it, so it stands in the notes"
    assert '"map_slots": -1' in state.notes


def test_what_is_below_its_bound_is_no_proof():
    search, found = off_by(0)
    search.bound = 2 * found.best
    with pytest.raises(WrongResult, match=f"{found.best!r} was found, below the lower bound of") as error:
        _ = search.found
    assert f"bound: {search.bound!r}" in kept(error).notes


def test_what_can_only_be_rounding_is_no_failure():
    search, found = off_by(0)
    search.bound = found.best * (1 + 1e-12)
    assert (search.found.proved, search.found.gap) == (True, 0.0)


def test_a_result_that_cannot_be_kept_is_a_failure_all_the_same(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    search, _ = off_by(1)
    with pytest.raises(WrongResult, match="it could not be kept"):
        _ = search.found


def every_way_out():
    """Return every way in which plans and values leave searches."""
    steps: dict[str, Any] = {"steps": 20, "compiled": False}

    def worths():
        found = optimize(JOBS, CLUSTER, **steps)
        return lever_worths.lever_worths(JOBS, CLUSTER, found, **steps)

    def policy():
        return find_plan(JOBS, CLUSTER, Wishes("makespan", "all", 20, 0.0, 1), no_progress, never_stop)

    return {
        "slices": lambda: Search(JOBS, CLUSTER, compiled=False).advance(3),
        "steps": lambda: optimize(JOBS, CLUSTER, **steps),
        "seconds": lambda: optimize(JOBS, CLUSTER, seconds=0.2, compiled=False),
        "guesses": lambda: optimize(JOBS, CLUSTER, robust=Robust(3, 0.2), **steps),
        "levers": worths,
        "orders": lambda: best_order(TOGETHER, CLUSTER, compiled=False),
        "policy": policy,
    }


@pytest.mark.parametrize("way", every_way_out())
def test_every_way_out_is_guarded(way, monkeypatch):
    every_way_out()[way]()
    finish = EngineRuns.finish
    monkeypatch.setattr(EngineRuns, "finish", lambda *given: finish(*given) + 1.0)
    with pytest.raises(WrongResult):
        every_way_out()[way]()


def test_a_schedule_by_hand_below_the_bound_is_no_proof(monkeypatch):
    own = run(TOGETHER, CLUSTER)
    bound = explained_bound_of(own)
    monkeypatch.setattr(
        hand_results, "explained_bound_of", lambda _: type(bound)(own.makespan + 1, bound.why)
    )
    with pytest.raises(WrongResult):
        hand_result(own, 0.0)


@pytest.mark.parametrize("cluster", [CLUSTER, Cluster(0, 0, 0.05, containers=3)])
@pytest.mark.parametrize("objective", sorted(OBJECTIVES))
def test_every_objective_is_replayed_to_the_bit(cluster, objective):
    for robust in (None, Robust(3, 0.3, "worst-90")):
        search = Search(JOBS, cluster, objective=Objective.of(objective), robust=robust)
        steps = 15 if cluster.has_containers else 200
        for _ in range(2):
            found = search.advance(steps)
        check_plan(found.plan, JOBS, cluster)
        assert len(found.spread) == (0 if robust is None else 3)


@pytest.mark.parametrize("cluster", [CLUSTER, Cluster(0, 0, 0.05, containers=3)])
def test_jobs_that_scan_a_dataset_are_searched_for_guesses_too(cluster):
    logs = Dataset("logs", 4, 1.0, 0.5)
    jobs = [Job(name, scan_stage(logs), dataset="logs") for name in "AB"]
    scans = Workload("scans", (*jobs, *TOGETHER.jobs[2:]), datasets=(logs,))
    assert optimize(scans, cluster, robust=Robust(2, 0.3), steps=5, compiled=False).spread


def test_the_best_of_all_orders_is_what_its_plan_gives():
    random = np.random.default_rng(3)
    for _ in range(10):
        jobs = [
            make_job(
                f"J{i}",
                (random.integers(1, 5), random.integers(1, 90, 4) / 7),
                (random.integers(0, 4), random.integers(1, 90, 3) / 7, *random.integers(0, 50, 2) / 7),
            )
            for i in range(4)
        ]
        for model in ("simmr", "overlap", "mumak"):
            maps, reduces = random.integers(1, 4, 2).tolist()
            cluster = Cluster(maps, reduces, 0.5, model)
            assert not why_no_exact_order(make_workload(*jobs), cluster)
            assert best_order(make_workload(*jobs), cluster, compiled=False).proved


def test_the_sentence_of_all_orders_claims_nothing_below_the_bound():
    best = exact_order.BestOrder(10.0, ("A",), proved=True, nodes=1)
    assert best.sentence(11.0) == ""
    assert best.sentence(10.0)
    assert best.sentence(9.0)


def test_a_plan_is_simulated_once_however_often_it_is_looked_at(monkeypatch):
    simulated, values = [], CheckedPlans.values
    monkeypatch.setattr(CheckedPlans, "values", lambda *given: simulated.append(given[1]) or values(*given))
    search = Search(TOGETHER, CLUSTER, compiled=False)
    search.advance(1)
    for _ in range(5):
        assert search.found.plan is search.found.plan
    assert len(simulated) == 1
