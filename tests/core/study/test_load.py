"""Load as an axis against a naive sum, and against how busy a long run really keeps the slots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from core.model.errors import DocumentError, InputError
from core.model.job import Job
from core.model.stages import Stage
from core.simulation.simulate import simulate
from core.study.cell_run import CellRunner
from core.study.cells import settings_of
from core.study.load import rate_at
from tests.core.study.study_examples import small_study

if TYPE_CHECKING:
    from core.study.study import Study

BASE: dict[str, Any] = {
    "workload": {"family": "facebook", "parameters": {"jobs": 300}},
    "cluster": {"map_slots": 40, "reduce_slots": 30},
    "policy": {"id": "fifo"},
}
AXIS = {"name": "load", "fields": ["workload.load"], "values": [25, 50, 120]}


def loaded(**changes: object) -> Study:
    return small_study(**{"base": BASE, "axes": [AXIS], **changes})


@pytest.mark.parametrize("cluster", [{}, {"containers": 60}, {"map_slots": 3, "reduce_slots": 300}])
def test_work_that_arrives_is_that_part_of_the_slots(cluster: dict[str, int]) -> None:
    """Task by task: what arrives in a mean gap, against what the slots get done in it."""
    rhythm = CellRunner({}).scenario_of(settings_of(loaded(), 0)).workload
    base = BASE | {"workload": {"file": "jobs"}, "cluster": cluster or BASE["cluster"]}
    study, runner = loaded(base=base), CellRunner({"jobs": rhythm})
    for number, load in enumerate((25, 50, 120)):
        scenario = runner.scenario_of(settings_of(study, number))
        maps = reduces = 0.0
        for job in scenario.workload.jobs:
            maps += sum(job.maps.task_durations)
            reduces += sum(job.reduces.task_durations) + sum(job.reduces.task_typical_shuffle)
        arrivals = [job.arrival for job in scenario.workload.jobs]
        gap = (max(arrivals) - min(arrivals)) / (len(arrivals) - 1)
        seconds = gap * len(arrivals)
        own = scenario.cluster
        if own.containers:
            busy = (maps + reduces) / (own.containers * seconds)
        else:
            busy = max(maps / (own.map_slots * seconds), reduces / (own.reduce_slots * seconds))
        assert busy == pytest.approx(load / 100, rel=1e-3)


def test_slots_are_that_busy_while_jobs_arrive() -> None:
    """Where maps are the scarce kind: they hold slots for no longer than they run."""
    study = loaded(base=BASE | {"cluster": {"map_slots": 12, "reduce_slots": 500, "slowstart": 1}})
    scenario = CellRunner({}).scenario_of(settings_of(study, 1))
    schedule = simulate(scenario.workload, scenario.cluster, scenario.choice)
    last = float(schedule.workload.columns.arrival.max())
    maps = schedule.workload.columns.kind == 0
    busy = (schedule.end[maps].clip(max=last) - schedule.start[maps].clip(max=last)).sum() / (12 * last)
    assert busy == pytest.approx(0.5, abs=0.1)


def test_every_policy_meets_the_same_jobs() -> None:
    axes = [AXIS, {"name": "policy", "fields": ["policy.id"], "values": ["fifo", "sjf"]}]
    study, runner = loaded(axes=axes), CellRunner({})
    for repetition in range(2):
        one, other = (runner.scenario_of(settings_of(study, number, repetition)) for number in (2, 3))
        assert one.workload.digest == other.workload.digest


def test_a_load_takes_the_place_of_a_rate() -> None:
    study = loaded(base=BASE | {"workload": BASE["workload"] | {"arrival_rate": 60}})
    assert "workload.arrival_rate" not in settings_of(study, 0).settings
    with pytest.raises(DocumentError, match="both say how fast jobs arrive"):
        loaded(base=BASE | {"workload": BASE["workload"] | {"arrival_rate": 60, "load": 5}})


def test_slots_that_are_missing_are_a_sentence() -> None:
    study = loaded(base=BASE | {"cluster": {"map_slots": 4, "reduce_slots": 0}})
    error = CellRunner({}).run(settings_of(study, 0), ["makespan"]).error
    assert error == "there are no reduce slots, so that no rate makes this load"
    scenario = CellRunner({}).scenario_of(settings_of(loaded(axes=[]), 0))
    idle = scenario.workload.with_jobs([Job("J1", Stage.of(3, 0.0))])
    with pytest.raises(InputError, match="has no work"):
        rate_at(idle, scenario.cluster, 50)
