"""Runs that are planned anew as they go: they know nothing too early, and do no worse than one plan."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError
from core.model.estimates import DurationEstimates
from core.model.job import Job, Link
from core.model.node_events import NodeEvent, NodeEvents
from core.model.overheads import Overheads
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize import price_ascent
from core.optimize.bounds import lower_bound
from core.optimize.objectives import Objective
from core.optimize.plan_search import Search
from core.optimize.rest import known_jobs
from core.planning.estimated_workload import estimated_workload
from core.simulation import planning_anew
from core.simulation.fork import fork_of, simulate_fork
from core.simulation.other_times import TaskTimes, workload_with
from core.simulation.planning_anew import corrections
from core.simulation.proofs import certify_gap_of
from core.simulation.simulate import Simulation, simulate
from tests.core.engine.rules import RULES
from tests.core.engine.test_linked_jobs import random_linked
from tests.core.engine.test_policies_on_graphs import random_application
from tests.core.simulation.test_best_rest import MODELS, some_cluster, some_jobs

if TYPE_CHECKING:
    from core.model.schedule import Schedule

CASES = list(enumerate(MODELS))
FEW: dict[str, Any] = {"steps": 60, "levers": "order,tasks,across"}


def rolling(estimates: DurationEstimates | None = None, **parameters: Any) -> PolicyChoice:
    return PolicyChoice("rolling", parameters, estimates)


def starts_of(schedule: Schedule) -> tuple[list[float], list[int]]:
    return schedule.start.tolist(), schedule.slot.tolist()


def plan_times(run: Simulation) -> list[float]:
    """Return when plans are made, by the figures that explanations have."""
    times: list[float] = []
    while not run.advance(instants=1):
        made = float(run.known()["planned_at"][0])
        if made == made and made not in times:
            times.append(made)
    return times


@pytest.mark.parametrize(("seed", "model"), CASES)
def test_with_exact_times_and_all_jobs_there_it_is_no_worse_than_a_plan_made_once(seed, model):
    workload, cluster = some_jobs(seed, 7), some_cluster(seed, model)
    workload = workload.with_jobs(replace(job, arrival=0.0, deadline=None) for job in workload.jobs)
    name = ("makespan", "mean-response")[seed % 2]
    objective = Objective.of(name)
    once = simulate(workload, cluster, rolling(steps=60, objective=name))
    anew = simulate(workload, cluster, rolling(steps=60, objective=name, every=9.0))
    assert objective.value(workload, anew.finish) <= objective.value(workload, once.finish)


@pytest.mark.parametrize(("seed", "model"), CASES)
def test_both_engines_agree_however_the_run_is_cut_and_the_checker_follows(seed, model, monkeypatch):
    workload, cluster = some_jobs(seed, 6), some_cluster(seed, model)
    choice = rolling(DurationEstimates(0.3, ("job", "task", "job")[seed], seed), every=20.0, **FEW)
    schedule = simulate(workload, cluster, choice, engine="compiled")
    monkeypatch.setattr(planning_anew, "_kept", type(planning_anew._kept)("plans"))  # they are made again
    assert starts_of(schedule) == starts_of(simulate(workload, cluster, choice, engine="interpreted"))
    cut, until = Simulation(workload, cluster, choice, engine="interpreted"), 0.0
    while not cut.advance(until):
        until += 3.7
    assert starts_of(schedule) == starts_of(cut.schedule())
    proof = certify_gap_of(schedule, Objective(), lower_bound(workload, cluster))
    assert proof.certificate is not None, proof.why_not


@pytest.mark.parametrize(("seed", "model"), CASES)
def test_nothing_is_known_before_it_can_be(seed, model):
    """Whatever ends or arrives after a time may be otherwise, and all starts until then stay as they are."""
    workload, cluster = some_jobs(seed, 6), some_cluster(seed, model)
    workload = workload.with_jobs(replace(job, deadline=None) for job in workload.jobs)
    told = DurationEstimates(profile=estimated_workload(workload, DurationEstimates(0.3, "task", seed)))
    schedule = simulate(workload, cluster, rolling(told, every=11.0, **FEW))
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
    there = simulate(other, cluster, rolling(told, every=11.0, **FEW))
    before = schedule.start < time
    assert before.any()
    assert not before.all()
    assert there.makespan != schedule.makespan
    assert np.array_equal(before, there.start < time)
    assert np.array_equal(schedule.start[before], there.start[before])
    assert np.array_equal(schedule.slot[before], there.slot[before])


def test_it_goes_on_from_another_policy_and_another_goes_on_from_it():
    workload, cluster = some_jobs(1, 6), some_cluster(1, "simmr")
    choice, fifo = rolling(every=15.0, **FEW), PolicyChoice("fifo")
    for first, then in ((fifo, choice), (choice, fifo)):
        begun = simulate(workload, cluster, first)
        fork = fork_of(begun, 20.0)
        early = begun.start < 20.0
        both = [simulate_fork(workload, cluster, then, fork, engine=e) for e in ("compiled", "interpreted")]
        assert starts_of(both[0]) == starts_of(both[1])
        assert np.array_equal(both[0].start[early], begun.start[early])
        assert not np.array_equal(both[0].start, begun.start)


def test_what_has_ended_corrects_the_other_tasks_of_its_job():
    job = np.array([0, 0, 1, 2], np.int32)
    factor = corrections(
        job, np.array([8.0, 5.0, 3.0, 7.0]), np.full(4, 4.0), np.array([True, False, False, False])
    )
    assert factor.tolist() == [1.5, 1.5, 1.0, 1.0]  # (8 + 4) / (4 + 4)


def of_maps(*arrivals: float) -> Workload:
    """Return jobs of three maps of 6 s each."""
    return Workload(
        "maps",
        tuple(Job(f"J{i}", Stage.of(3, 6.0), Stage.of(0), arrival=at) for i, at in enumerate(arrivals)),
    )


def test_plans_are_made_when_they_should_be_and_none_while_no_job_is_there():
    workload, cluster = of_maps(5.0, 30.0), some_cluster(0, "simmr")  # from 5 to 11 and from 30 to 36 s
    expected = {
        ("arrivals", 0.0): [5.0, 30.0],
        ("arrivals", 2.0): [5.0, 6.0, 8.0, 10.0, 30.0, 32.0, 34.0],
        ("times", 4.0): [5.0, 8.0, 32.0],
        ("times", 0.0): [5.0],
    }
    for (at, every), times in expected.items():
        assert plan_times(Simulation(workload, cluster, rolling(at=at, every=every))) == times, (at, every)


@pytest.mark.parametrize("outputs", ["kept", "lost"])
def test_plans_at_failures_know_no_later_failure_and_both_engines_agree(outputs):
    workload = some_jobs(2, 8).with_jobs(replace(job, deadline=None) for job in some_jobs(2, 8).jobs)
    fails, returns, late = NodeEvent(15.0, 1), NodeEvent(32.0, 1, "returns"), NodeEvent(41.0, 0)
    choice = rolling(at="failures", **FEW)

    def on(*events: NodeEvent) -> Cluster:
        return Cluster(6, 4, 0.5, events=NodeEvents(2, events, outputs))

    schedule = simulate(workload, on(fails, returns), choice, engine="compiled")
    assert starts_of(schedule) == starts_of(
        simulate(workload, on(fails, returns), choice, engine="interpreted")
    )
    first = float(workload.columns.arrival.min())
    assert plan_times(Simulation(workload, on(fails, returns), choice)) == [first, 15.0, 32.0]
    there = simulate(workload, on(fails, returns, late), choice)
    both = [np.sort(each.start[each.end < 41.0]) for each in (schedule, there)]
    assert schedule.makespan > 45.0
    assert len(both[0]) > len(workload.jobs)
    if outputs == "kept":  # of lost maps the first runs are no longer there
        assert both[0].tolist() == both[1].tolist()


def otherwise_after(workload: Workload, schedule: Schedule, time: float) -> Workload:
    """Return jobs whose tasks that have not ended by a time take longer."""
    columns, late = workload.columns, ~(schedule.end <= time)
    times = TaskTimes(
        columns.duration + 13.0 * late, columns.first_shuffle.copy(), columns.typical_shuffle.copy()
    )
    return workload_with(workload, times)


@pytest.mark.parametrize("case", range(6))
def test_graphs_and_linked_jobs_are_planned_anew_by_what_is_known(case):
    """Both engines agree, all rules hold, and what ends after a time may be otherwise."""
    draw = np.random.default_rng(case)
    workload = random_application(draw) if case % 2 else random_linked(draw)
    cluster = (Cluster(3, 2, 0.5), Cluster(0, 0, 0.5, containers=3), Cluster(2, 2, 0.2, "overlap"))[case // 2]
    told = DurationEstimates(profile=estimated_workload(workload, DurationEstimates(0.3, "task", case)))
    choice = rolling(told, every=4.0, steps=12, levers="order,tasks")
    one, other = (simulate(workload, cluster, choice, engine=e) for e in ("compiled", "interpreted"))
    assert starts_of(one) == starts_of(other)
    assert np.isfinite(one.finish).all()
    assert [wrong for rule in RULES for wrong in rule(one)] == []
    time = 0.4 * one.makespan
    before = one.start < time
    there = simulate(otherwise_after(workload, one, time), cluster, choice)
    assert before.any()
    assert there.makespan != one.makespan
    assert one.start[before].tolist() == there.start[there.start < time].tolist()
    assert one.slot[before].tolist() == there.slot[before].tolist()


def test_jobs_are_known_with_those_that_they_follow():
    """B follows A, which is there from 0 s, and C follows B and comes no earlier than at 50 s."""
    stage = Stage.of(1, 4.0)
    b, c = Job("B", stage, after=(Link("A", 3.0),)), Job("C", stage, arrival=50.0, after=(Link("B"),))
    d = Job("D", stage, after=(Link("C"),))
    workload = Workload("chain", (Job("A", stage), b, c, d))
    assert known_jobs(workload, 0.0).tolist() == [True, True, False, False]
    assert known_jobs(workload, 50.0).tolist() == [True] * 4
    cluster = Cluster(1, 1)
    run = Simulation(workload, cluster, rolling(), engine="interpreted")
    assert plan_times(run) == [0.0, 50.0]
    assert run.schedule().start.tolist() == [0.0, 7.0, 50.0, 54.0]
    with pytest.raises(InputError, match="cut the links between jobs"):
        simulate(workload, cluster, rolling(objective="mean-response"))


def test_a_job_that_only_cleans_up_is_not_planned():
    cluster = Cluster(2, 2, overheads=Overheads(setup=1.0, cleanup=3.0))
    schedule = simulate(some_jobs(2, 2), cluster, rolling(every=2.0, **FEW))
    assert np.isfinite(schedule.finish).all()


def test_plans_are_made_without_what_only_raises_the_bound(monkeypatch):
    """Cases of ends lead to no plan, and take most of the time of a search that prices slots."""
    looked = []
    with_cases = price_ascent._with_cases
    monkeypatch.setattr(
        price_ascent, "_with_cases", lambda *given: looked.append(given) or with_cases(*given)
    )
    workload, cluster = some_jobs(1, 7), some_cluster(1, "simmr")
    workload = workload.with_jobs(replace(job, arrival=0.0) for job in workload.jobs)
    schedule = simulate(workload, cluster, rolling(objective="mean-response", **FEW))
    assert np.isfinite(schedule.finish).all()
    assert looked == []
    search = Search(workload, cluster, objective=Objective.of("mean-response"))
    search.go_on(60)
    assert looked, "a search whose bound is shown does look at them"


def test_the_next_multiple_is_later_however_it_is_rounded():
    for every in (0.1, 0.7, 924.3200000000001, 1 / 3):
        after = 0.0
        for turn in range(1, 400):
            after = planning_anew._next_multiple(every, after)
            assert after == every * turn


def test_what_it_cannot_plan_is_said(monkeypatch):
    monkeypatch.setattr(planning_anew, "MAX_PLANS", 3)
    workload, cluster = of_maps(0.0), some_cluster(0, "simmr")
    for parameters, words in (
        ({"levers": "pools"}, "cannot be changed from a time on"),
        ({"levers": "speed"}, "speed"),
        ({"every": 1.0}, "more than 3 plans"),
    ):
        with pytest.raises(InputError, match=words):
            simulate(workload, cluster, rolling(**parameters))


def test_a_search_for_a_plan_is_cancelled():
    with pytest.raises(Cancelled):
        simulate(of_maps(0.0), some_cluster(0, "simmr"), rolling(seed=77), should_stop=lambda: True)
