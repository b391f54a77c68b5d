"""Figures of tiny schedules, worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

from core.measures.metrics import METRICS, Metric, gap_above, measure, narrow_metrics, suits, usage
from core.model.cluster import Cluster
from core.model.errors import StalledError
from core.model.job import Job, Link
from core.model.nodes import NodeGroup, Request
from core.model.slot_times import SlotTime
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from core.policies.own_policies import register_policy
from core.policies.policy import Policy
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import Case, cases
from tests.random_tests import examples

TWO = make_workload(
    make_job("J1", (1, 4.0), (1, 2.0, 0.0, 1.0), deadline=6.0),
    make_job("J2", (1, 2.0), (1, 3.0, 0.0, 1.0), arrival=1.0, deadline=8.0),
)
"""On one slot of each kind with slowstart 1: maps at 0 and 4; reduces shuffle at 4 and 7, end at 7 and 11."""
ONE_SLOT_EACH = Cluster(1, 1, slowstart=1.0)


def test_two_jobs_by_hand() -> None:
    metrics = measure(run(TWO, ONE_SLOT_EACH))
    assert metrics.makespan == 11
    assert metrics.lower_bound == 8  # Johnson's order J2, J1 of (4, 2) and (2, 3), without any shuffle
    assert metrics.gap == 11 / 8 - 1
    assert metrics["mean_response"] == (7 + 10) / 2
    assert metrics["mean_stretch"] == pytest.approx((7 / 7 + 10 / 6) / 2)
    assert metrics["map_utilisation"] == 6 / 11
    assert metrics["reduce_utilisation"] == 7 / 11
    assert metrics["deadline_utility"] == pytest.approx((7 - 6) / 6 + (10 - 7) / 7)
    assert metrics["late_jobs"] == 2


def test_two_jobs_in_containers() -> None:
    """C1: map of J1 to 4, its reduce to 7. C2: map of J2 from 1 to 3, its reduce from 3 to 7."""
    metrics = measure(run(TWO, Cluster(0, 0, slowstart=1.0, containers=2)))
    assert metrics.makespan == 7
    assert metrics["map_utilisation"] == 6 / 14
    assert metrics["reduce_utilisation"] == 7 / 14
    assert metrics.lower_bound == 6  # the chain 4 + 2; the work 6 + 5 on two containers is less
    assert metrics["late_jobs"] == 1
    assert metrics["deadline_utility"] == pytest.approx((7 - 6) / 6)


def test_a_job_that_ends_at_its_deadline_is_in_time() -> None:
    workload = make_workload(make_job("J1", (1, 4.0), deadline=4.0), make_job("J2", (1, 1.0)))
    metrics = measure(run(workload, Cluster(1, 0)))
    assert (metrics["late_jobs"], metrics["deadline_utility"]) == (0, 0)


def test_without_slots_of_a_kind_there_is_no_utilisation() -> None:
    metrics = measure(run(make_workload(make_job("J1", (1, 4.0))), Cluster(2, 0)))
    assert metrics["map_utilisation"] == 0.5
    assert math.isnan(metrics["reduce_utilisation"])


def test_nothing_takes_no_time() -> None:
    metrics = measure(run(make_workload(make_job("J1", (3, 0.0), (2, 0.0))), Cluster(1, 1)))
    assert (metrics.makespan, metrics.lower_bound, metrics.gap) == (0, 0, 0)
    assert (metrics["mean_response"], metrics["mean_stretch"]) == (0, 1)
    assert math.isnan(metrics["map_utilisation"])


def test_usage_by_hand() -> None:
    steps = usage(run(TWO, ONE_SLOT_EACH))
    assert steps.times.tolist() == [0, 4, 5, 6, 7, 8, 11]
    assert steps.maps.tolist() == [1, 1, 1, 0, 0, 0, 0]
    assert steps.shuffles.tolist() == [0, 1, 0, 0, 1, 0, 0]
    assert steps.reduces.tolist() == [0, 0, 1, 1, 0, 1, 0]


def test_usage_starts_at_time_0() -> None:
    steps = usage(run(make_workload(make_job("J1", (1, 1.0), arrival=3.0)), Cluster(1, 0)))
    assert steps.times.tolist() == [0, 3, 4]
    assert steps.maps.tolist() == [0, 1, 0]


@examples(30)
@given(case=cases())
def test_usage_counts_what_runs(case: Case) -> None:
    try:
        schedule = run(case.workload, case.cluster, case.policy, order=case.order)
    except StalledError:
        assume(False)
    steps = usage(schedule)
    is_map = schedule.workload.columns.kind == MAP
    middles = [*((steps.times[:-1] + steps.times[1:]) / 2), steps.times[-1] + 1]
    for i, time in enumerate(middles):
        runs = (schedule.start < time) & (time < schedule.end)
        shuffles = runs & (time < schedule.shuffled)
        assert steps.maps[i] == np.sum(runs & is_map)
        assert steps.shuffles[i] == np.sum(shuffles & ~is_map)
        assert steps.reduces[i] == np.sum(runs & ~shuffles & ~is_map)


@examples(30)
@given(case=cases())
def test_metrics_follow_their_definitions(case: Case) -> None:
    try:
        schedule = run(case.workload, case.cluster, case.policy, order=case.order)
    except StalledError:
        assume(False)
    metrics = measure(schedule)
    responses, lateness = [], []
    for job, finish in zip(case.workload.jobs, schedule.finish.tolist(), strict=True):
        responses.append(finish - job.arrival)
        if job.deadline is not None and finish > job.deadline:
            allowed = job.deadline - job.arrival
            lateness.append((finish - job.arrival - allowed) / allowed)
    assert metrics["mean_response"] == pytest.approx(sum(responses) / len(responses))
    assert metrics["deadline_utility"] == pytest.approx(sum(lateness))
    assert metrics["late_jobs"] == len(lateness)
    assert metrics.makespan == max(schedule.finish)


def test_stretch_is_against_the_job_alone() -> None:
    """Two jobs of 3 maps of 2 s on 3 slots take 2 s alone; served in turn, 2 s and 4 s."""
    workload: Workload = make_workload(make_job("J1", (3, 2.0)), make_job("J2", (3, 2.0)))
    assert measure(run(workload, Cluster(3, 0)))["mean_stretch"] == 1.5


def test_borrowed_slots_are_used_slots_of_their_own_type() -> None:
    """Ten maps on two map and two reduce slots: three waves on the former, two on the latter."""
    workload = make_workload(make_job("J1", (10, 1.0), (0,)))
    metrics = measure(run(workload, Cluster(2, 2), "dhfs-pi"))
    assert metrics.makespan == 3
    assert (metrics["map_utilisation"], metrics["reduce_utilisation"]) == (1.0, 4 / 6)


def test_a_figure_is_written_with_its_unit() -> None:
    assert METRICS["makespan"].text(42.0) == "42 s"
    assert METRICS["gap"].text(0.125) == "12.5 %"
    assert METRICS["late_jobs"].text(3) == "3"
    assert METRICS["mean_stretch"].text(1.5) == "1.5"
    tasks = Metric(name="waiting", title="waiting", unit="tasks", better="less", of=lambda schedule: 3.0)
    assert tasks.text(3.0) == "3"
    assert (tasks.heading, tasks.of_deadlines) == ("", False)
    assert {metric.text(math.nan) for metric in METRICS.values()} == {"–"}


def test_narrow_tables_speak_of_deadlines_where_a_job_has_one() -> None:
    def names(*deadlines: float | None) -> list[str]:
        jobs = (make_job(f"J{i}", (1, 1.0), deadline=each) for i, each in enumerate(deadlines))
        return [metric.name for metric in narrow_metrics(make_workload(*jobs))]

    assert names(None, None) == ["mean_response", "mean_stretch"]
    assert names(None, 9.0) == ["mean_response", "mean_stretch", "deadline_utility", "late_jobs"]


@pytest.mark.parametrize(("makespan", "bound", "gap"), [(3, 2, 0.5), (0.75, 0.5, 0.5), (4, 1, 3), (5, 0, 0)])
def test_a_gap_is_a_part_of_the_bound(makespan: float, bound: float, gap: float) -> None:
    assert gap_above(makespan, bound) == gap


def test_a_better_bound_changes_the_gap_alone() -> None:
    metrics = measure(run(TWO, ONE_SLOT_EACH))
    better = metrics.with_bound(10.0)
    assert (better.lower_bound, better.gap) == (10, 11 / 10 - 1)
    same = [name for name in METRICS if name not in ("lower_bound", "gap")]
    assert [better[name] for name in same] == [metrics[name] for name in same]
    assert better.premise == metrics.premise


def test_use_begins_at_0_where_the_first_job_comes_later() -> None:
    steps = usage(run(make_workload(make_job("J1", (1, 2.0), arrival=5.0)), Cluster(1, 0)))
    assert steps.times.tolist() == [0, 5, 7]
    assert steps.maps.tolist() == [0, 1, 0]


def test_less_is_better_of_times_and_more_of_use() -> None:
    better = {name: metric.better for name, metric in METRICS.items()}
    more = ["map_utilisation", "reduce_utilisation", "local_reads"]
    assert [name for name in better if better[name] == "more"] == more
    assert [name for name in better if not better[name]] == ["lower_bound", "think_time", "longest_path"]


def test_an_application_by_hand() -> None:
    """The load comes at 1 s and ends at 5 s; 2 s later comes the report, whose stages take 3 and 4 s."""
    graph = StageGraph((MAP, MAP), (Edge(0, 1, 1.0),))
    stages = Stage.of(2, 3.0), Stage.of(1, 4.0)
    report = Job("report", stages=stages, graph=graph, after=(Link("load", 2.0),))
    workload = make_workload(make_job("load", (1, 4.0), arrival=1.0), report)
    metrics = measure(run(workload, Cluster(0, 0, containers=1)))
    assert metrics.makespan == 5 + 2 + 2 * 3 + 4
    assert metrics["application_time"] == metrics.makespan - 1
    assert metrics["think_time"] == 2
    assert metrics["longest_path"] == 5 + 2 + 3 + 4
    assert metrics["mean_response"] == (4 + 10) / 2  # of the report from 7 s on, when it really came


def test_maps_that_read_locally_are_counted_where_input_lies_somewhere() -> None:
    """On two nodes for one task each three of A's maps have input on node 1; one reads remotely.

    At 0 s numbers 1 and 0 start on their own nodes, at 2 s number 2 on node 0, until 7 s, and 3 on node 1.
    """
    ask = Request(1, 1)
    cluster = Cluster(0, 0, nodes=(NodeGroup(2, 1, 1),), map_request=ask, reduce_request=ask)
    located = make_job("A", (4, 2.0), (1, 1.0), input_nodes=((1,), (0,), (1,), (1,)), remote_read=3.0)
    workload = make_workload(located, make_job("B", (5, 1.0), arrival=20.0))
    assert measure(run(workload, cluster))["local_reads"] == 0.75
    assert suits(METRICS["local_reads"], workload)
    elsewhere = make_workload(make_job("B", (5, 1.0)))
    assert math.isnan(measure(run(elsewhere, cluster))["local_reads"])
    assert not suits(METRICS["local_reads"], elsewhere)


def test_figures_of_applications_are_shown_where_there_is_one() -> None:
    report = replace(make_job("report", (1, 1.0)), after=(Link("J1"),))
    chained = make_workload(make_job("J1", (1, 4.0)), report)
    for workload, shown in ((TWO, False), (chained, True)):
        assert suits(METRICS["think_time"], workload) is shown
        assert suits(METRICS["late_jobs"], workload)


def test_use_of_slots_is_that_of_stages_where_jobs_are_no_maps_and_reduces() -> None:
    one_stage = make_workload(Job("Q", stages=(Stage.of(2, 1.0),), graph=StageGraph((MAP,))))
    for workload, titles in (
        (TWO, ("map utilisation", "reduce utilisation", "makespan")),
        (one_stage, ("use by first stages", "use by later stages", "makespan")),
    ):
        names = ("map_utilisation", "reduce_utilisation", "makespan")
        assert tuple(METRICS[name].title_for(workload) for name in names) == titles


GRAPHS = (
    Job("A", stages=(Stage.of(4, 3.0), Stage.of(3, 2.0)), graph=StageGraph((MAP, REDUCE), (Edge(0, 1),))),
    # reads what an earlier job has written: a later stage of Spark without a parent in its job
    Job("B", stages=(Stage.of(5, 2.0),), graph=StageGraph((REDUCE,)), after=(Link("A", 1.0),)),
)
CONTAINERS = Cluster(0, 0, containers=2)


@pytest.mark.parametrize(
    ("workload", "cluster", "policy"),
    [
        (TWO, ONE_SLOT_EACH, "fifo"),
        (Workload("graphs", GRAPHS, CONTAINERS), CONTAINERS, "spark-fifo"),
        (
            Workload("graphs", GRAPHS, CONTAINERS),
            Cluster(0, 0, containers=1, slot_times=(SlotTime(2, 1.0, 4.5), SlotTime(1, 5.0))),
            "spark-fifo",
        ),
        (make_workload(make_job("J1", (9, 4.0), (9, 3.0))), Cluster(2, 3), "dhfs-pi"),
    ],
)
def test_the_curves_of_use_are_what_the_metrics_count(workload, cluster, policy) -> None:
    schedule = run(workload, cluster, policy)
    metrics, steps, end = measure(schedule), usage(schedule), schedule.makespan
    seconds = np.diff(np.append(steps.times, end))
    used = [(steps.maps * seconds).sum(), ((steps.shuffles + steps.reduces) * seconds).sum()]
    for kind, name in enumerate(("map_utilisation", "reduce_utilisation")):
        there = sum(max(min(closes, end) - opens, 0.0) for opens, closes in intervals_of(cluster, kind))
        assert metrics[name] == pytest.approx(used[kind] / there)
        assert used[kind] > 0


def intervals_of(cluster: Cluster, kind: int) -> list[tuple[float, float]]:
    """Return when each slot that a type of task may use is there, without what the program knows of them."""
    fixed = cluster.containers or (cluster.map_slots, cluster.reduce_slots)[kind]
    times = [(each.opens, each.closes) for each in cluster.slot_times for _ in range(each.slots)]
    return [(0.0, math.inf)] * fixed + times


class LatestFirst(Policy):
    """The job that came last takes the slots of all before it."""

    id = "latest-takes-all"

    def key(job: Any) -> Any:
        return -job.arrival

    def preempt(job: Any, rival: Any) -> Any:
        return rival.arrival - job.arrival


def test_lost_slot_time_is_that_of_killed_tasks_and_slots_are_in_use_meanwhile() -> None:
    """A's map is killed at 3 s for B's, which takes 2 s, and takes its 10 s from 5 s on: 15 s in use."""
    register_policy(LatestFirst.id, LatestFirst)
    workload = make_workload(make_job("A", (1, 10.0)), make_job("B", (1, 2.0), arrival=3.0))
    schedule = run(workload, Cluster(1, 1), LatestFirst.id)
    metrics = measure(schedule)
    assert metrics["lost_slot_time"] == 3
    assert metrics["map_utilisation"] == 15 / 15
    assert usage(schedule).maps.tolist() == [1, 1, 1, 0]
    assert measure(run(workload, Cluster(1, 1)))["lost_slot_time"] == 0
