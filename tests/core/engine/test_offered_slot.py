"""What policies may know of the slot that is offered: which one it is, and of which executor."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.engine.state import records_of
from core.model.cluster import Cluster
from core.model.errors import StalledError
from core.model.schedule import PolicyChoice
from core.policies.composing.hooks import hooks_of
from core.policies.own_policies import register_policy
from core.policies.policy import MAP, Policy
from core.policies.registry import policy_class
from core.simulation.simulate import Simulation, simulate
from tests.builders import make_job, make_workload
from tests.core.engine.compared import ENGINES, bits

if TYPE_CHECKING:
    from core.simulation.simulate import Engine


class EvenSlots(Policy):
    """No task runs on a slot with an odd number, and none behind one that is free."""

    id = "even-slots"

    def admits(cluster: Any) -> Any:
        return cluster.slot_number % 2 == 0


class OwnExecutor(Policy):
    """Jobs with a weight above 1 run on executor 0 alone."""

    id = "own-executor"

    def admits(job: Any, cluster: Any) -> Any:
        return job.weight <= 1 or cluster.executor == 0


class ByParity(Policy):
    """On slots with an even number the last job goes first, on odd ones the first."""

    id = "by-parity"

    def key(job: Any, cluster: Any) -> Any:
        return job.arrival if cluster.slot_number % 2 else -job.arrival


@pytest.fixture(autouse=True)
def _known() -> None:
    for policy in (EvenSlots, OwnExecutor, ByParity):
        register_policy(policy.id, policy)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_slot_that_is_declined_stays_free_and_those_behind_it_too(engine: Engine) -> None:
    """Slot 0 runs the six maps one after the other: slot 1 is declined each time, 2 is not offered then."""
    workload = replace(make_workload(make_job("J", (6, 2.0), (1, 3.0))), cluster=Cluster(4, 1, 1.0))
    schedule = simulate(workload, workload.cluster, PolicyChoice("even-slots"), engine=engine)
    assert schedule.slot[:6].tolist() == [0] * 6
    assert schedule.start[:6].tolist() == [0, 2, 4, 6, 8, 10]
    assert schedule.slot[6] == 4  # the reduce slot is behind the map slots, and even


@pytest.mark.parametrize("engine", ENGINES)
def test_executors_are_known(engine: Engine) -> None:
    """Six containers of three executors: light takes three, so that heavy waits for the first two slots."""
    jobs = make_job("light", (3, 5.0), (1, 1.0)), make_job("heavy", (2, 5.0), (1, 1.0), weight=2.0)
    cluster = Cluster(0, 0, 1.0, containers=6, slots_per_executor=2)
    schedule = simulate(make_workload(*jobs), cluster, PolicyChoice("own-executor"), engine=engine)
    maps, reduces = [0, 1, 2, 4, 5], [3, 6]
    assert schedule.slot[maps].tolist() == [0, 1, 2, 1, 0]
    assert schedule.start[maps].tolist() == [0, 0, 0, 5, 6]
    assert schedule.slot[reduces].tolist() == [0, 0]
    assert schedule.start[reduces].tolist() == [5, 11]


def test_which_slot_was_offered_is_the_one_that_the_task_gets() -> None:
    """A slow twin asks at every decision, by stopping there: the lowest slot on which nothing runs."""
    draw = np.random.default_rng(4)
    for _ in range(30):
        jobs = [
            make_job(f"J{i}", (int(draw.integers(1, 6)), *draw.integers(1, 6, 2)), (1, 2.0), arrival=float(i))
            for i in range(4)
        ]
        workload = replace(make_workload(*jobs), cluster=Cluster(3, 2, 1.0))
        own = [
            simulate(workload, workload.cluster, PolicyChoice("by-parity"), engine=engine)
            for engine in ENGINES
        ]
        assert bits(own[0]) == bits(own[1])
        schedule = own[0]
        columns = schedule.workload.columns
        job_of = np.repeat(columns.stages.job, columns.stages.count)
        kind_of = np.repeat(columns.stages.task_type, columns.stages.count)
        for task in schedule.sequence.tolist():
            now, slot, kind = schedule.start[task], int(schedule.slot[task]), kind_of[task]
            # of the jobs whose next map could have started here then, it is the first or the last
            waiting = {
                int(job_of[other])
                for other in np.flatnonzero(kind_of == MAP)
                if schedule.start[other] >= now and schedule.arrival[job_of[other]] <= now
            }
            if kind == MAP and np.count_nonzero(schedule.start == now) == 1:
                assert job_of[task] == (min(waiting) if slot % 2 else max(waiting))


def test_only_policies_that_read_it_have_it_kept() -> None:
    workload = make_workload(make_job("J", (2, 1.0), (1, 1.0)))
    for name, keeps in (("even-slots", 1), ("fifo", 0)):
        run = Simulation(workload, workload.cluster, PolicyChoice(name))
        assert records_of(run._state).cluster.shows_slot == keeps
    assert hooks_of(policy_class("own-executor")).reads_slot


def test_where_the_task_decides_the_slot_none_is_named() -> None:
    """Nodes: -1 is odd for Python, so no task ever starts."""
    from core.model.nodes import NodeGroup, Request

    nodes = Cluster(0, 0, 1.0, nodes=(NodeGroup(1, 4096, 4),), map_request=Request(1024, 1))
    workload = make_workload(make_job("J", (2, 1.0), (1, 1.0)))
    with pytest.raises(StalledError):
        simulate(workload, nodes, PolicyChoice("even-slots"))
