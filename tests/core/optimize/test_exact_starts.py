"""The best of all schedules of few tasks: against complete enumeration, and against the exact solver."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import SHUFFLE_MODELS, Cluster
from core.model.errors import Cancelled, InputError
from core.model.levers import LEVERS
from core.model.schedule import PolicyChoice
from core.optimize import exact_starts
from core.optimize.constraints import Constraints
from core.optimize.evaluate import alone_seconds
from core.optimize.exact_starts import best_starts, may_search_starts
from core.optimize.objectives import Objective, Robust
from core.optimize.plan_costs import Goal
from core.optimize.search import Search, optimize
from core.simulation.proofs import proof_of
from core.simulation.simulate import simulate
from core.verify import every_schedule
from tests import random_tests
from tests.builders import make_job, make_workload, run
from tests.core.optimize.all_schedules import shortest
from tests.core.optimize.exact_solver import Freedom, NotProvedError, exact_best
from tests.core.optimize.small_instances import instance
from tests.core.optimize.test_exact_solver import longer
from tests.core.optimize.tiny_workloads import tiny_workloads

if TYPE_CHECKING:
    from core.model.workload import Workload

FOREVER = 1e9
ONE = make_workload(make_job("J", (1, 4.0), (2, [3.0, 1.0], 0.0, 5.0)))
"""Both reduces as fillers end at 4 + 3 s on two slots; on one, the second is late."""
IDLE = make_workload(
    make_job("A", (2, [3.0, 4.0]), (2, [2.0, 3.0], 0.0, 4.0)), make_job("B", (1, 2.0), (1, 5.0, 1.0, 3.0))
)
"""On one slot of each kind B goes first, and one of A's reduces is a filler behind it."""


def searched(workload: Workload, cluster: Cluster, **more: Any) -> exact_starts.BestStarts:
    return best_starts(workload, cluster, Goal.of_makespan(len(workload.jobs)), FOREVER, 0.0, **more)


@pytest.mark.parametrize(
    ("workload", "slots", "end"),
    [
        (ONE, (1, 2), 4 + 3),
        (ONE, (1, 1), 4 + 1 + 5 + 3),  # the shorter one as the filler: 4 + 3 + 5 + 1 is as long
        (IDLE, (1, 1), 18),
    ],
)
def test_by_hand(workload: Workload, slots: tuple[int, int], end: float) -> None:
    cluster = Cluster(*slots)
    found = searched(workload, cluster, compiled=False)
    assert found.plan is not None
    assert run(workload, cluster, plan=found.plan).makespan == pytest.approx(end, rel=1e-9)
    assert found.bound == pytest.approx(end, rel=1e-9)


def test_a_map_stage_ends_a_moment_later_for_the_sake_of_a_filler() -> None:
    """The slot is free at 5 s, when J's map would end: then 4 + 1 s more."""
    workload = make_workload(make_job("I", (0,), (1, 5.0)), make_job("J", (1, 5.0), (1, 1.0, 0.0, 4.0)))
    found = searched(workload, Cluster(1, 1), compiled=False)
    assert found.plan is not None
    schedule = run(workload, Cluster(1, 1), plan=found.plan)
    assert 6 < schedule.makespan < 6 * (1 + 1e-9)
    assert schedule.is_filler.sum() == 1


@random_tests.examples(60)
@given(tiny_workloads(), st.integers(1, 3), st.integers(1, 2), st.sampled_from(SHUFFLE_MODELS))
def test_against_all_schedules_of_tiny_workloads(
    workload: Workload, maps: int, reduces: int, model: Any
) -> None:
    """Which lets a filler be one without holding its slot, as what is proved does."""
    workload = workload.with_jobs(longer(job) for job in workload.jobs)
    cluster = Cluster(maps, reduces, shuffle_model=model)
    found = searched(workload, cluster, compiled=False)
    assert found.plan is not None
    least = shortest(workload, cluster)
    makespan = run(workload, cluster, plan=found.plan).makespan
    assert least * (1 - 1e-9) <= found.bound <= makespan <= found.bound * (1 + 1e-9)
    if model != "simmr":  # there one may count as a filler behind another of its job, where no run has it
        assert makespan == pytest.approx(least)


@pytest.mark.parametrize("kind", ["typed", "arrivals", "overlap", "mumak"])
def test_against_the_exact_solver(kind: str) -> None:
    """In parts of a second nothing is shorter, and the shortest is longer by moments only."""
    parts, proved = 32, 0
    for seed in range(100 if random_tests.is_thorough else 12):
        workload, cluster = instance(kind, seed)
        if not may_search_starts(workload, cluster):
            continue
        found = searched(workload, cluster)
        assert found.plan is not None
        assert searched(workload, cluster, compiled=False) == found
        ends = [run(workload, cluster, plan=found.plan, engine=each).makespan for each in ENGINES]
        assert ends[0] == ends[1] <= found.bound * (1 + 1e-9)
        solve = partial(exact_best, workload, cluster, {"makespan": 1.0}, freedom=Freedom(parts=parts))
        try:
            best = solve()
        except NotProvedError:
            continue
        proved += 1
        moments = (workload.map_count + workload.reduce_count) / parts
        assert best - moments <= ends[0] <= best * (1 + 1e-9), f"{kind} {seed}"
    assert proved >= 5


ENGINES: tuple[Any, ...] = ("interpreted", "compiled")


@pytest.mark.parametrize("name", ["mean-response", "weighted-response", "tardiness", "late-jobs", "stretch"])
def test_other_goals_against_all_schedules(name: str) -> None:
    """Nothing is better; and of models without held slots that is as low as the enumeration."""
    asked = 0
    for kind, seed in product(("typed", "overlap", "mumak"), range(30 if random_tests.is_thorough else 6)):
        workload, cluster = instance(kind, seed)
        if not may_search_starts(workload, cluster):
            continue
        objective, alone = Objective.of(name), alone_seconds(workload, cluster)
        found = optimize(workload, cluster, objective=objective, steps=100, compiled=False)
        parts = 32 if found.plan.wakes else 1
        weights, free = {name: 1.0}, Freedom(parts=parts)
        try:
            best = exact_best(workload, cluster, weights, alone.tolist(), freedom=free)
        except NotProvedError:
            continue
        asked += 1
        about = f"{kind} {seed}"
        assert found.proved, about
        assert found.best <= best * (1 + 1e-9), about
        tasks = workload.map_count + workload.reduce_count
        moments = tasks * len(workload.jobs) / parts * bool(found.plan.wakes)
        assert name in ("late-jobs", "stretch") or best - moments <= found.best * (1 + 1e-9), about
        assert best <= found.best * (1 + 1e-9) or found.plan.wakes, about
    assert asked >= 8


def test_what_takes_no_time_goes_before_what_begins_then() -> None:
    """On one slot a reduce of no time and another job's filler start at 11 s: in this turn only 13.75 s."""
    workload = make_workload(
        make_job("A", (2, [5.0, 1.0]), (1, 4.0, 2.0, 2.0)),
        make_job("B", (1, 5.0), (1, 2.0, 2.0, 4.0)),
        make_job("C", (1, 3.0), (2, [4.0, 0.0], [4.0, 0.0], [4.0, 0.0])),
        make_job("D", (2, [1.0, 2.0])),
    )
    objective = Objective.of("mean-response")
    found = optimize(workload, Cluster(1, 1), objective=objective, steps=100, compiled=False)
    assert found.proved
    assert found.best == pytest.approx(13.75)


@pytest.mark.parametrize("seed", range(40 if random_tests.is_thorough else 4))
def test_a_search_of_few_tasks_is_proved(seed: int) -> None:
    workload, cluster = instance("typed", seed)
    found = optimize(workload, cluster, steps=60, compiled=False)
    assert found.proved
    assert found.best == found.bound or not found.plan.wakes
    assert found.best == simulate(workload, cluster, PolicyChoice("fifo"), plan=found.plan).makespan


def test_where_all_schedules_are_not_searched() -> None:
    def is_found(**wishes: Any) -> bool:
        search = Search(IDLE, Cluster(1, 1), **wishes)
        return search.advance(80).best == pytest.approx(18)

    assert is_found()
    assert not is_found(levers=[lever for lever in LEVERS if lever != "starts"])
    assert not is_found(constraints=Constraints(pinned=frozenset(["A"])))
    assert not is_found(constraints=Constraints(before=(("A", "B"),)))
    assert not is_found(robust=Robust(copies=2))
    assert not is_found(objective=Objective.of("deadlines-makespan"))
    many = make_workload(make_job("J", (11, 1.0), (10, 1.0)))
    assert not may_search_starts(many, Cluster(2, 2))
    assert not may_search_starts(ONE, Cluster(0, 0, containers=2))


def test_a_search_goes_on_from_a_plan_with_starts() -> None:
    cluster = Cluster(1, 1)
    plan = searched(IDLE, cluster, compiled=False).plan
    for levers in (("order",), tuple(LEVERS)):
        found = optimize(IDLE, cluster, steps=30, compiled=False, start=plan, levers=levers)
        assert found.plan.wakes
        assert found.start == found.best == pytest.approx(18)
    with pytest.raises(InputError, match="the plan says when each task starts, so no job of it can be kept"):
        Search(IDLE, cluster, start=plan, constraints=Constraints(pinned=frozenset(["A"])))


def test_it_gives_up_and_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Cancelled):
        searched(IDLE, Cluster(1, 1), compiled=False, should_stop=lambda: True)
    monkeypatch.setattr(exact_starts, "MAX_STATES", 10)
    monkeypatch.setattr(exact_starts, "STEPS", {True: 10, False: 10})
    found = searched(IDLE, Cluster(1, 1), compiled=False)
    assert (found.plan, found.bound, found.states) == (None, 0.0, 10)


def test_what_was_found_by_trying_all_schedules_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    workload, cluster = instance("typed", 3)
    found = optimize(workload, cluster, steps=60, compiled=False)
    assert found.proved
    proof = proof_of(workload, cluster, found)
    assert proof.certificate is not None
    assert proof.certificate.rules[-1] == "every schedule"
    monkeypatch.setattr(every_schedule, "MAX_STEPS", 10)
    assert proof_of(workload, cluster, found).why_not == (
        "all schedules were tried, which the checker does not confirm: there are more schedules than it tries"
    )


def test_no_plan_is_returned_that_is_not_shorter() -> None:
    found = best_starts(IDLE, Cluster(1, 1), Goal.of_makespan(2), 18.0, 0.0, compiled=False)
    assert found.plan is None
    assert found.bound == pytest.approx(18.0)
    assert np.isfinite(found.bound)
