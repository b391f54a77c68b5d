"""Runs that are planned anew as they go: they know nothing too early, and do no worse than one plan."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.forecast.rolling import Rolling, corrections, simulate_rolling
from core.model.estimates import DurationEstimates
from core.model.stages import Stage
from core.optimize.bounds import lower_bound
from core.optimize.objectives import Objective
from core.planning.estimated_workload import estimated_workload
from core.simulation.fork import simulate_fork
from core.simulation.proofs import certify_gap_of
from tests.core.simulation.test_best_rest import MODELS, some_cluster, some_jobs

if TYPE_CHECKING:
    from core.model.job import Job
    from core.model.schedule import Schedule

CASES = list(enumerate(MODELS))
FEW: dict[str, Any] = {"steps": 60, "levers": ("order", "tasks", "across")}


def starts_of(schedule: Schedule) -> tuple[list[float], list[int]]:
    return schedule.start.tolist(), schedule.slot.tolist()


@pytest.mark.parametrize(("seed", "model"), CASES)
def test_with_exact_times_and_all_jobs_there_it_is_no_worse_than_a_plan_made_once(seed, model):
    workload, cluster = some_jobs(seed, 7), some_cluster(seed, model)
    workload = workload.with_jobs(replace(job, arrival=0.0, deadline=None) for job in workload.jobs)
    for name in ("makespan", "mean-response"):
        objective = Objective.of(name)
        rolling = Rolling(steps=60, objective=objective)
        once = simulate_rolling(workload, cluster, rolling)
        anew = simulate_rolling(workload, cluster, replace(rolling, every=9.0))
        assert objective.value(workload, anew.finish) <= objective.value(workload, once.finish)


@pytest.mark.parametrize(("seed", "model"), CASES)
def test_both_engines_agree_and_each_plan_is_a_fork_that_the_checker_follows(seed, model):
    workload, cluster = some_jobs(seed, 6), some_cluster(seed, model)
    estimates = DurationEstimates(0.3, ("job", "task", "job")[seed], seed)
    rolling = Rolling(every=20.0, also_at=(7.5,), **FEW)
    schedule = simulate_rolling(workload, cluster, rolling, estimates, engine="compiled")
    again = simulate_rolling(workload, cluster, rolling, estimates, engine="interpreted")
    assert starts_of(schedule) == starts_of(again)
    assert schedule.fork is not None
    followed = simulate_fork(workload, cluster, schedule.choice, schedule.fork, plan=schedule.plan)
    assert starts_of(schedule) == starts_of(followed)
    proof = certify_gap_of(schedule, Objective(), lower_bound(workload, cluster))
    assert proof.certificate is not None, proof.why_not


@pytest.mark.parametrize(("seed", "model"), CASES)
def test_nothing_is_known_before_it_can_be(seed, model):
    """Whatever ends or arrives after a time may be otherwise, and all starts until then stay as they are."""
    workload, cluster = some_jobs(seed, 6), some_cluster(seed, model)
    workload = workload.with_jobs(replace(job, deadline=None) for job in workload.jobs)
    told = DurationEstimates(profile=estimated_workload(workload, DurationEstimates(0.3, "task", seed)))
    rolling = Rolling(every=11.0, **FEW)
    schedule = simulate_rolling(workload, cluster, rolling, told)
    time = 0.4 * schedule.makespan

    def otherwise(j: int) -> Job:
        job = workload.jobs[j]
        mine = schedule.workload.columns.job == j
        kinds = [mine & (schedule.workload.columns.kind == kind) for kind in (0, 1)]
        late = [~(schedule.end[kind] <= time) for kind in kinds]
        stages = tuple(
            Stage.of(
                stage.count,
                stage.task_durations + 13.0 * is_late,
                stage.task_first_shuffle,
                stage.task_typical_shuffle,
            )
            if stage.count
            else stage
            for stage, is_late in zip(job.stages, late, strict=True)
        )
        arrival = job.arrival + 3.0 * (job.arrival > time)
        return replace(job, stages=stages, arrival=arrival)

    other = workload.with_jobs(otherwise(j) for j in range(len(workload.jobs)))
    there = simulate_rolling(other, cluster, rolling, told)
    before = schedule.start < time
    assert before.any()
    assert not before.all()
    assert there.makespan != schedule.makespan
    assert np.array_equal(before, there.start < time)
    assert np.array_equal(schedule.start[before], there.start[before])
    assert np.array_equal(schedule.slot[before], there.slot[before])


def test_what_has_ended_corrects_the_other_tasks_of_its_job():
    job = np.array([0, 0, 1, 2], np.int32)
    factor = corrections(
        job, np.array([8.0, 5.0, 3.0, 7.0]), np.full(4, 4.0), np.array([True, False, False, False])
    )
    assert factor.tolist() == [1.5, 1.5, 1.0, 1.0]  # (8 + 4) / (4 + 4)


def test_plans_are_made_when_they_should_be():
    arrivals = np.array([0.0, 30.0])
    rolling = Rolling(every=20.0, also_at=(25.0,))
    times, now = [], -1.0
    while now < 40:
        now = rolling.next_time(arrivals, now)
        times.append(now)
    assert times == [0.0, 20.0, 25.0, 30.0, 40.0]
    assert Rolling(at_arrivals=False).next_time(arrivals, 0.0) == np.inf
