"""What is kept of a simulation is given for an equal question alone: whatever differs is computed again."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from core.files.open_workload import open_workload
from core.model.cluster import Cluster
from core.model.document_state import DocumentState, Scenario
from core.model.estimates import DurationEstimates
from core.model.job import Dataset
from core.model.levers import JobPlan, StagePlan
from core.model.nodes import NodeGroup
from core.model.overheads import Overheads
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan
from core.model.pool import Pool
from core.model.recorded_run import Unfinished
from core.model.schedule import RECORDED, Fork, PolicyChoice
from core.model.task_types import MAP
from core.model.workload import Origin, Workload
from explorer.simulation.outcome import OutcomeCache
from explorer.simulation.request import SimulationRequest, request_of
from tests.builders import make_job
from tests.every_change import every_change, kinds_in
from tests.paths import DATA

NODES = Cluster(0, 0, nodes=(NodeGroup(2, 4096, 4),), contention=(1.0, 0.5))
OVERHEADS = Cluster(4, 2, overheads=Overheads(heartbeat=3.0))
JOB = make_job("J1", (2, [1.0, 2.0]), (2, 3.0, 1.0, 4.0), deadline=99.0, service_levels=((60.0, 1.0),))
ALL = Partition((SlotPool("all", 4, 2, ("J1",)),))
RAN = Workload("earlier", (JOB,))


def full_request() -> SimulationRequest:
    """Return a request with something in every field."""
    recorded = open_workload(DATA / "jobtracker-0.20.log").workload.recorded
    assert recorded is not None
    one = np.ones(1, np.int32)
    recorded = replace(recorded, under_way=Unfinished(9.0, one, one.astype(np.int64), one, one, one))
    workload = Workload(
        name="W",
        jobs=(
            JOB,
            replace(
                JOB.with_stage(MAP, make_job("x", (2, 1.0)).maps), name="J2", dataset="D", blocks=((0, 2),)
            ),
        ),
        cluster=OVERHEADS,
        origin=Origin("facebook", 1, (("jobs", 2),)),
        pool_settings=(Pool("blue"),),
        datasets=(Dataset("D", 4),),
        recorded=recorded,
    )
    choice = PolicyChoice("fair", {"delay": 1.0}, DurationEstimates(profile=RAN))
    plan = Plan((JobPlan("J1", StagePlan(2.0, cap=3), StagePlan(cap=4), 5),), ALL)
    fork = Fork(1.0, 1, choice, ("J1", "J2"), ALL, Fork(0.5, 0, choice), plan)
    return SimulationRequest(workload, NODES, choice, ("J1", "J2"), ALL, fork, plan)


def test_whatever_changes_is_another_question() -> None:
    """A field that is new in any of these is changed here, too."""
    request = full_request()
    cache = OutcomeCache()
    answer: Any = "stands for an outcome"
    cache.put(request, answer)
    assert cache.get(full_request()) is answer
    changes = dict(every_change(request))
    kept = [path for path, changed in changes.items() if cache.get(changed) or changed == request]
    assert kept == []
    assert kinds_in(request) == {
        "SimulationRequest", "Workload", "Job", "Stage", "Dataset", "Pool", "Origin", "RecordedRun",
        "Cluster", "Overheads", "NodeGroup", "Request", "PolicyChoice", "DurationEstimates", "Partition",
        "SlotPool", "Fork", "Plan", "JobPlan", "StagePlan", "StageGraph", "Edge", "Unfinished",
    }  # fmt: skip
    assert len(changes) > 200
    assert not any(request.workload == changed for _, changed in every_change(request.workload))


CHANGES: dict[str, Any] = {
    "id": 7,
    "title": "mine",
    "choice": PolicyChoice("sjf"),
    "order": ("J2", "J1"),
    "cluster": Cluster(9, 9),
    "partition": Partition((SlotPool("all", 30, 30, ("J1", "J2")),)),
    "fork": Fork(1.0, 0, PolicyChoice("sjf")),
    "plan": Plan((JobPlan("J2"),)),
}


@pytest.mark.parametrize("name", [field.name for field in fields(Scenario)])
def test_whatever_a_scenario_says_is_asked(name: str) -> None:
    workload = Workload("W", (JOB, replace(JOB, name="J2")))
    state = DocumentState.new(workload, (PolicyChoice("fifo"),))
    (scenario,) = state.scenarios
    changed = request_of(state, replace(scenario, **{name: CHANGES[name]}))
    is_only_called_so = name in ("id", "title")
    assert (changed == request_of(state, scenario)) == is_only_called_so


def test_the_policy_is_asked_with_its_parameters_and_estimates() -> None:
    state = DocumentState.new(Workload("W", (JOB,)), (PolicyChoice("fair", {"delay": 1.0}),))
    (scenario,) = state.scenarios
    given = request_of(state, scenario)
    for choice in (
        PolicyChoice("fair", {"delay": 2.0}),
        PolicyChoice("fair", {"delay": 1.0}, DurationEstimates(error=0.5)),
    ):
        assert request_of(state, replace(scenario, choice=choice)) != given


def test_a_record_is_that_of_its_own_log() -> None:
    def asked(late: float) -> SimulationRequest:
        workload = open_workload(DATA / "jobtracker-0.20.log").workload
        run = workload.recorded
        assert run is not None
        other = replace(workload, recorded=replace(run, end=np.array(run.end) + late))
        state = DocumentState.new(other, (PolicyChoice(RECORDED),))
        return request_of(state, state.scenarios[0])

    assert asked(0.0) == asked(0.0)
    assert asked(0.0) != asked(1.0)
