"""The rule that tries all schedules: it misses no better one, and nearly always confirms the best one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import SHUFFLE_MODELS, Cluster, ShuffleModel
from core.model.levers import MAX_TIMED_TASKS
from core.optimize.objectives import Objective
from core.optimize.search import optimize
from core.simulation.proofs import proof_of
from core.verify import every_schedule
from core.verify.check import NOT_SHOWN, check
from core.verify.every_schedule import MAX_TASKS
from tests import random_tests
from tests.builders import make_job, make_workload, run
from tests.core.optimize.all_schedules import cheapest
from tests.core.optimize.exact_solver import Freedom, NotProvedError, exact_best
from tests.core.optimize.small_instances import instance
from tests.core.optimize.tiny_workloads import tiny_workloads
from tests.core.verify.made import certificate_of

if TYPE_CHECKING:
    from core.model.workload import Workload

GOALS = (
    {"makespan": 1.0},
    {"mean-response": 1.0},
    {"weighted-response": 1.0},
    {"tardiness": 1.0},
    {"late-jobs": 1.0},
    {"makespan": 0.5, "mean-response": 2.0},
    {"tardiness": 1.0, "late-jobs": 3.0, "makespan": 0.25},
)
EVERY = {"rule": "every schedule", "of": "mix"}
ONE = make_workload(make_job("J", (1, 4.0), (2, [3.0, 1.0], 0.0, 5.0)))
"""Both reduces as fillers end at 4 + 3 s on two slots; on one, the second is late: at 13 s."""


def problems_of(document: dict[str, Any], goal: dict[str, float], value: float) -> tuple[str, ...]:
    """Why the checker does not accept that no schedule is below a value; nothing else of it is looked at."""
    verdict = check(document | {"objective": goal, "proof": [{**EVERY, "value": value}]})
    return tuple(each for each in verdict.problems if each.startswith(NOT_SHOWN))


def document_of(workload: Workload, cluster: Cluster) -> dict[str, Any]:
    """A certificate of some schedule, which has nothing to do with the bound."""
    return dict(certificate_of(run(workload, cluster)).document)


def with_aims(workload: Workload) -> Workload:
    """The workload with deadlines and weights."""
    return workload.with_jobs(
        replace(job, deadline=job.arrival + 3 + i, weight=i + 1.0) for i, job in enumerate(workload.jobs)
    )


def worth(objective: Objective, workload: Workload, finish: list[float]) -> float:
    """The value of a schedule by when its jobs end."""
    return objective.value(workload, np.array(finish))


@random_tests.examples(25)
@given(tiny_workloads(), st.integers(1, 3), st.integers(1, 2), st.sampled_from(SHUFFLE_MODELS))
def test_none_of_all_schedules_of_a_tiny_workload_is_missed(
    given_jobs: Workload, maps: int, reduces: int, model: ShuffleModel
) -> None:
    """Each whole second is tried for each task, by code of its own."""
    workload = with_aims(given_jobs)
    cluster = Cluster(maps, reduces, shuffle_model=model)
    document = document_of(workload, cluster)
    for goal in GOALS:
        objective = Objective("mix", tuple(goal.items()))
        best = cheapest(workload, cluster, partial(worth, objective, workload))
        assert problems_of(document, goal, best * (1 + 1e-6) + 1e-6), goal
        if model != "simmr":  # there no map slot is held for the sake of a filler
            assert not problems_of(document, goal, best), goal


def test_a_map_of_no_time_needs_a_slot_on_which_no_other_one_runs_on() -> None:
    """It arrives at 1 s, and the other one holds the only slot for 2 s, before it or behind it."""
    workload = make_workload(make_job("A", (1, 0.0), arrival=1.0), make_job("B", (1, 2.0)))
    cluster, goal = Cluster(1, 1), {"mean-response": 1.0}
    best = cheapest(workload, cluster, lambda finish: (finish[0] - 1 + finish[1]) / 2)
    assert best == 1.5
    document = document_of(workload, cluster)
    assert not problems_of(document, goal, best)
    assert problems_of(document, goal, best * 1.01)


@pytest.mark.parametrize("kind", ["typed", "arrivals", "overlap", "mumak"])
def test_what_it_confirms_is_the_best_of_an_exact_solver(kind: str) -> None:
    """The search and the rule agree in nearly all cases; whatever the rule confirms nothing is below."""
    asked = confirmed = proved = 0
    for seed in range(100 if random_tests.is_thorough else 12):
        workload, cluster = instance(kind, seed)
        if cluster.has_containers:
            continue
        goal = GOALS[seed % len(GOALS)]
        objective = Objective("mix", tuple(goal.items()))
        found = optimize(workload, cluster, objective=objective, steps=100, compiled=False)
        asked += 1
        proof = proof_of(workload, cluster, found, objective=objective)
        if not (found.proved and proof):
            continue
        confirmed += 1
        finer = Freedom(parts=32 if found.plan.wakes else 1)
        try:
            best = exact_best(workload, cluster, goal, freedom=finer)
        except NotProvedError:
            continue
        proved += 1
        moments = sum(goal.values()) * (workload.map_count + workload.reduce_count) / finer.parts
        if "late-jobs" not in goal:  # of which a moment may make one less
            less = moments if found.plan.wakes else 0.0
            assert best - less <= found.best * (1 + 1e-9), f"{kind} {seed} {goal}"
        assert found.best <= best * (1 + 1e-9), f"{kind} {seed} {goal}"
    assert confirmed >= 0.9 * asked
    assert proved >= 3


@pytest.mark.parametrize(("slots", "best"), [((1, 2), 7.0), ((1, 1), 13.0)])
def test_by_hand(slots: tuple[int, int], best: float) -> None:
    document = document_of(ONE, Cluster(*slots))
    for goal in GOALS[:3]:
        assert problems_of(document, goal, best) == ()
        (problem,) = problems_of(document, goal, best + 0.01)
        assert problem.endswith(f"trying all schedules does not exclude that one is below {best + 0.01}")


def test_what_it_does_not_try_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    makespan, about = GOALS[0], NOT_SHOWN + "{}"
    many = make_workload(make_job("J", (11, 1.0), (10, 1.0)))
    assert MAX_TASKS == MAX_TIMED_TASKS
    assert problems_of(document_of(many, Cluster(2, 2)), makespan, 1.0) == (
        about.format("all schedules are tried of at most 20 tasks"),
    )
    containers = Cluster(0, 0, containers=2)
    assert problems_of(document_of(ONE, containers), makespan, 1.0) == (
        about.format("schedules are tried of maps and reduces on slots of both kinds that stay only"),
    )
    monkeypatch.setattr(every_schedule, "MAX_STEPS", 40)
    assert problems_of(document_of(ONE, Cluster(1, 1)), makespan, 13.0) == (
        about.format("there are more schedules than it tries"),
    )
