"""Explanations of schedules whose policy gave running tasks up: no gap, no contradiction."""

from __future__ import annotations

import numpy as np
import pytest

from core.explain.critical_path import critical_path
from core.explain.replay import Replay
from core.explain.slots import occupancies_of
from core.explain.task_reason import task_reason
from core.measures.metrics import bound_of
from core.model.cluster import Cluster
from core.model.errors import StalledError
from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from core.simulation.simulate import simulate
from tests.core.engine.slow_graphs import random_workload
from tests.core.engine.test_preemption import POLICIES, TWO, random_cluster
from tests.random_tests import draws


@pytest.fixture(autouse=True)
def _known() -> None:
    for policy in POLICIES:
        register_policy(policy.id, policy)


def test_a_task_says_by_whom_it_was_killed() -> None:
    schedule = simulate(TWO, Cluster(2, 0), PolicyChoice("fewest-left"))
    assert task_reason(schedule, 0).why_then == (
        "Map 1 of A was ready at 0:00, when A arrived.",
        "It waited 5 s; meanwhile the policy served 1 map of its own job and 1 map of B first.",
        "It ran on M1 from 0:00 to 0:03, and was killed by B: that is lost.",
        "It started at 0:05: map 1 of B ended and freed its slot.",
    )
    suspended = simulate(TWO, Cluster(2, 0), PolicyChoice("fewest-left-suspends"))
    assert task_reason(suspended, 0).why_then[2] == "It ran on M1 from 0:00 to 0:03, and was suspended by B."


def test_who_got_the_slot_of_a_killed_task_is_told_whose_it_was() -> None:
    schedule = simulate(TWO, Cluster(2, 0), PolicyChoice("fewest-left"))
    assert task_reason(schedule, 4).why_here == ("Map 1 of A, which ran on M1 since 0:00, was killed.",)


@pytest.mark.parametrize("policy", [each.id for each in POLICIES])
def test_every_start_is_explained_and_the_path_has_no_gap(policy: str) -> None:
    draw = np.random.default_rng(28)
    seen = 0
    for _ in range(draws(120)):
        workload, cluster = random_workload(draw), random_cluster(draw)
        try:
            schedule = simulate(workload, cluster, PolicyChoice(policy), engine="interpreted")
        except StalledError:
            continue
        links = critical_path(schedule).links
        assert [link.begin for link in links[1:]] == [link.end for link in links[:-1]]
        assert sum(link.seconds for link in links) == schedule.makespan
        for occupancy in occupancies_of(schedule):
            assert (occupancy.free >= 0).all()
            assert (occupancy.waiting >= 0).all()
            assert (np.minimum(occupancy.free, occupancy.waiting)[:-1] == 0).all()
        assert bound_of(schedule) <= schedule.makespan + 1e-9
        replay = Replay(schedule, engine="interpreted")
        for task in range(schedule.tasks):
            assert task_reason(schedule, task).why_then
        for place in range(0, schedule.tasks, 3):
            run = replay.before_start(place)
            decision = run.moment().decision
            assert decision is not None
            assert decision.job == workload.columns.job[schedule.sequence[place]]
        seen += schedule.given_up is not None
    assert seen > draws(16)
