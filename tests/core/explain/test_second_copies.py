"""Explanations of schedules whose tasks had second copies: no gap, no contradiction."""

from __future__ import annotations

import numpy as np
import pytest

from core.explain.critical_path import critical_path
from core.explain.decisions import decision_reason
from core.explain.path_words import link_sentence
from core.explain.replay import Replay
from core.explain.slots import occupancies_of
from core.explain.start_cause import StartCause, start_of
from core.explain.task_reason import task_reason
from core.explain.trace import Wanted
from core.explain.traced_run import traced_run
from core.measures.metrics import bound_of, measure
from core.model.cluster import Cluster
from core.model.errors import StalledError
from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from core.simulation.simulate import simulate
from tests.core.engine.test_speculation import FOUR, POLICIES, Always, random_case
from tests.random_tests import draws


@pytest.fixture(autouse=True)
def _known() -> None:
    for policy in (*POLICIES, Always):
        register_policy(policy.id, policy)


def test_a_task_says_that_its_copy_ended_first() -> None:
    schedule = simulate(FOUR, Cluster(4, 0), PolicyChoice("saves-most"))
    reason = task_reason(schedule, 0)
    assert reason.why_then == (
        "Map 1 of A was ready at 0:00, when A arrived.",
        "It started at 0:00: its job arrived and a map slot was free.",
        "The policy started a second copy on M2 at 0:10, which ended first: what had run on M1 from 0:00 to "
        "0:20 is lost.",
    )
    assert reason.why_here == (
        "M2 was the free slot with the lowest number.",
        "Before that it ran map 2 of A, from 0:00 to 0:10.",
    )
    path = critical_path(schedule)
    assert [(link.begin, link.end) for link in path.links] == [(0.0, 10.0), (10.0, 20.0)]
    assert [link_sentence(schedule, link) for link in path.links] == [
        "map 1 of A runs on M1 alone, until a second copy starts that ends first",
        "map 1 of A runs on M2",
    ]


def test_a_task_says_that_its_copy_was_in_vain() -> None:
    from core.model.job import Job
    from core.model.stages import Stage
    from core.model.workload import Workload

    workload = Workload("four", (Job("A", Stage.of(5, [15.0, 10.0, 10.0, 10.0, 10.0])),))
    schedule = simulate(workload, Cluster(4, 0), PolicyChoice("always"))
    assert task_reason(schedule, 0).why_then[-1] == (
        "A second copy ran on M3 from 0:10 to 0:15; this one ended first: that is lost."
    )


@pytest.mark.parametrize("policy", [each.id for each in (*POLICIES, Always)])
def test_every_start_is_explained_and_the_path_has_no_gap(policy: str) -> None:
    draw = np.random.default_rng(28)
    seen = won = 0
    for _ in range(draws(60)):
        workload, cluster = random_case(draw)
        try:
            schedule = simulate(workload, cluster, PolicyChoice(policy), engine="interpreted")
        except StalledError:
            continue
        links = critical_path(schedule).links
        assert [link.begin for link in links[1:]] == [link.end for link in links[:-1]]
        assert sum(link.seconds for link in links) == pytest.approx(schedule.makespan)
        for link in links:
            assert link_sentence(schedule, link)
        for occupancy in occupancies_of(schedule):
            assert (occupancy.free >= 0).all()
            assert (occupancy.waiting >= 0).all()
            if policy != "eager":  # it declines
                assert (np.minimum(occupancy.free, occupancy.waiting)[:-1] == 0).all()
        assert bound_of(schedule) <= schedule.makespan + 1e-9
        assert measure(schedule)["lost_slot_time"] >= 0
        replay = Replay(schedule, engine="interpreted")
        for task in range(schedule.tasks):
            assert task_reason(schedule, task).why_then
            won += start_of(schedule, task).cause is StartCause.COPY
        for place in range(0, schedule.tasks, 3):
            run = replay.before_start(place)
            decision = run.moment().decision
            assert decision is not None
            task = schedule.sequence[place]
            assert decision.job == workload.columns.job[task]
            assert decision.is_copy == (start_of(schedule, int(task)).cause is StartCause.COPY)
            reason = decision_reason(run)
            assert reason is not None
            assert ("second copy" in reason.sentences[0]) == decision.is_copy
            running = run.moment().running
            ran = np.flatnonzero((schedule.start < run.now) & (schedule.end > run.now))
            assert set(ran) <= set(running)
        seen += schedule.given_up is not None
    assert seen > draws(20)
    assert won > draws(6)


@pytest.mark.parametrize("policy", [each.id for each in POLICIES])
def test_decisions_that_are_recorded_are_those_of_first_copies(policy: str) -> None:
    draw = np.random.default_rng(5)
    seen = 0
    for _ in range(20):
        workload, cluster = random_case(draw)
        try:
            schedule = simulate(workload, cluster, PolicyChoice(policy), engine="interpreted")
        except StalledError:
            continue
        trace, first = traced_run(workload, cluster, PolicyChoice(policy), Wanted()), schedule.by_first_copies
        taken = trace.decisions.job >= 0
        assert trace.decisions.slot[taken].tolist() == first.slot[first.sequence].tolist()
        assert not trace.differs_from(schedule)
        seen += first is not schedule
    assert seen > 2
