"""Schedules that are improved task by task: the simulator runs them as they were found."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.samples import load_sample
from core.model.cluster import SHUFFLE_MODELS, Cluster, ShuffleModel
from core.optimize import timed_tasks
from core.optimize.constraints import Constraints
from core.optimize.objectives import Objective, goal_of
from core.optimize.search import optimize
from core.optimize.search_columns import tasks_of
from core.optimize.timed_tasks import TimedTasks, may_time_tasks
from tests.builders import make_job, make_workload, run
from tests.core.optimize.tiny_workloads import tiny_workloads
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.workload import Workload

MEAN = Objective.of("mean-response")


def timed(workload: Workload, cluster: Cluster, objective: Objective = MEAN) -> TimedTasks:
    """Return what improves schedules for an objective."""
    goal = goal_of(objective, Constraints(), None, (workload, tasks_of(workload, cluster), 1.0))
    return TimedTasks(workload, cluster, goal)


@examples(30)
@given(tiny_workloads(), st.sampled_from(SHUFFLE_MODELS), st.integers(1, 2), st.integers(0, 999))
def test_the_simulator_runs_any_lists_as_they_say(
    workload: Workload, model: ShuffleModel, slots: int, seed: int
) -> None:
    cluster = Cluster(slots, slots, shuffle_model=model)
    if not may_time_tasks(workload, cluster):
        return
    found, random = timed(workload, cluster), Random(seed)
    lists = found._in_order(workload.columns.arrival, packs=False)
    for _ in range(8):
        ran = found.run(lists)
        finish = run(workload, cluster, plan=found._plan_of(ran)).finish
        assert MEAN.value(workload, finish) <= ran.value * (1 + 1e-12) + 1e-12
        lists = found._changed(lists, ran, random)


def test_slots_idle_for_what_comes() -> None:
    """A reduce of 10 s waits for two of 1 s whose maps end at 2 and at 3 s; no list without waiting does."""
    workload = make_workload(
        make_job("long", (1, 1.0), (1, 10.0)),
        make_job("one", (1, 1.0), (1, 1.0), arrival=1.0),
        make_job("two", (1, 1.0), (1, 1.0), arrival=2.0),
    )
    cluster = Cluster(1, 1)
    *_, plan = timed(workload, cluster).improved(workload.columns.arrival, None, 1)
    assert run(workload, cluster, plan=plan).finish.tolist() == [14.0, 3.0, 4.0]


def test_few_slots_run_the_short_tasks() -> None:
    """Seven maps on three slots: the three shortest on one, two of the others on each of both."""
    workload = make_workload(make_job("A", (7, [6.0, 6.0, 6.0, 6.0, 4.0, 4.0, 4.0])))
    cluster = Cluster(3, 0)
    found = timed(workload, cluster, Objective.of("makespan"))
    longest, packed = (found.run(found._in_order(np.zeros(1), packs=packs)) for packs in (False, True))
    assert (longest.value, packed.value) == (14.0, 12.0)


def test_searches_find_what_no_due_dates_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed_tasks, "RUN_TASKS", 400_000)
    workload = load_sample("three-pools")
    found = optimize(workload, workload.cluster, steps=400, objective=MEAN)
    assert found.best < 68
    assert MEAN.value(workload, run(workload, workload.cluster, plan=found.plan).finish) == found.best
    again = optimize(workload, workload.cluster, steps=400, objective=MEAN, start=found.plan)
    assert again.best <= found.best


def test_it_can_be_left_alone_every_few_tries() -> None:
    workload = make_workload(make_job("A", (3, 1.0)), make_job("B", (3, 2.0)))
    *between, plan = timed(workload, Cluster(2, 2)).improved(np.zeros(2), None, 1)
    tries = timed_tasks.RUN_TASKS // 6
    assert len(between) == pytest.approx(tries / timed_tasks.TRIES_AT_ONCE, rel=0.01)
    assert set(between) == {None}
    assert plan is not None


def test_of_containers_or_of_many_tasks_there_are_none() -> None:
    workload = make_workload(make_job("A", (501, 1.0)))
    assert not may_time_tasks(workload, Cluster(2, 2))
    assert not may_time_tasks(make_workload(make_job("A", (3, 1.0))), Cluster(0, 0, containers=2))
    assert may_time_tasks(make_workload(make_job("A", (500, 1.0))), Cluster(2, 2))
