"""What-ifs: every change worked out by hand, and its simulation made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.errors import Cancelled, InputError
from core.model.job import Dataset, Job, Link, scan_stage
from core.model.nodes import NodeGroup
from core.model.schedule import PolicyChoice
from core.model.slot_times import SlotTime
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import MAP
from core.model.workload import Workload
from core.optimize.bounds import makespan_bound
from core.study.what_ifs import (
    WHAT_IFS,
    changed,
    first_values,
    what_ifs,
    with_partitions_times,
    with_slots_times,
    with_thinking_times,
    without_stragglers,
)
from tests.builders import make_job, make_workload

CHAIN = StageGraph((MAP, MAP), (Edge(0, 1, 1.0),))
CLUSTER = Cluster(0, 0, 1.0, containers=4)
SCENARIO = Scenario(1, PolicyChoice("fifo"))


def application():
    """Two jobs: 8 tasks of 1 s, then one of 4 s; 3 s later four tasks, one of them long."""
    first = Job("A", stages=(Stage.of(8, 1.0), Stage.of(1, 4.0)), graph=CHAIN)
    second = Job(
        "B", stages=(Stage.of(4, [1.0, 1.0, 1.0, 9.0]),), graph=StageGraph((MAP,)), after=(Link("A", 3.0),)
    )
    return Workload("app", (first, second), CLUSTER)


def test_each_change_alone_and_all_together():
    found = what_ifs(application(), CLUSTER, SCENARIO, first_values(application()))
    ends = {run.title: run.makespan for run in found}
    # 8 tasks on 4 slots 2 s, then 4 s, 3 s of thinking, then 9 s
    assert ends[""] == 18.0
    assert ends["executors or slots"] == 17.0
    assert ends["task times"] == pytest.approx(2 * 0.8 + 4 * 0.8 + 3 + 9 * 0.8)
    # 16 tasks of 0.5 s, 2 of 2 s, then 8 tasks: the two of 4.5 s come last, when the first four have ended
    assert ends["partitions"] == pytest.approx(2 + 2 + 3 + 0.5 + 4.5)
    # the 95th percentile of 1, 1, 1, 9 lies at 0.85 of the way from the third to the fourth
    assert ends["longest tasks"] == pytest.approx(2 + 4 + 3 + 1 + 0.85 * 8)
    assert ends["think time"] == 15.0
    assert min(ends.values()) == ends["all together"]


def test_no_run_is_below_its_bound():
    for run in what_ifs(application(), CLUSTER, SCENARIO, first_values(application())):
        assert run.bound == makespan_bound(run.workload, run.cluster).seconds <= run.makespan + 1e-9


def test_what_changes_nothing_is_no_run():
    values = {each.id: each.neutral for each in WHAT_IFS}
    (run,) = what_ifs(application(), CLUSTER, SCENARIO, values)
    assert (run.title, run.workload, run.cluster) == ("", application(), CLUSTER)


@pytest.mark.parametrize("factor", [1.0, 2.0, 3.0, 0.5, 0.25, 1.5, 0.7])
def test_partitions_share_the_same_work(factor):
    stage = Stage.of(8, [1.0, 2.0, 5.0], 0.5, [1.0, 3.0])
    workload = make_workload(Job("A", stage, Stage.of(2, 3.0)))
    (job,) = with_partitions_times(workload, factor).jobs
    for was, now in zip(workload.jobs[0].stages, job.stages, strict=True):
        assert now.count == max(int(was.count * factor + 0.5), 1)
        for name in ("task_durations", "task_first_shuffle", "task_typical_shuffle"):
            assert getattr(now, name).sum() == pytest.approx(getattr(was, name).sum())


def test_a_task_is_cut_in_equal_parts_and_neighbours_are_merged():
    workload = make_workload(Job("A", Stage.of(4, [1.0, 2.0, 3.0, 4.0])))
    assert with_partitions_times(workload, 2).jobs[0].maps.task_durations == pytest.approx(
        [0.5, 0.5, 1, 1, 1.5, 1.5, 2, 2]
    )
    assert with_partitions_times(workload, 0.5).jobs[0].maps.task_durations == pytest.approx([3, 7])
    assert with_partitions_times(workload, 0.01).jobs[0].maps.task_durations == pytest.approx([10])


def test_jobs_that_scan_a_dataset_keep_their_tasks():
    dataset = Dataset("clicks", 4, 2.0)
    job = Job("A", scan_stage(dataset, ()), dataset="clicks")
    workload = Workload("scans", (job,), Cluster(4, 1), datasets=(dataset,))
    assert "partitions" not in first_values(workload)
    with pytest.raises(InputError, match="job A has a map for each block"):
        with_partitions_times(workload, 2)


def test_too_many_partitions_are_refused():
    with pytest.raises(InputError, match="are more than"):
        with_partitions_times(make_workload(Job("A", Stage.of(100_000, 1.0))), 1000)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=30), st.floats(1, 100))
def test_only_tasks_above_the_percentile_become_shorter(seconds, percent):
    workload = make_workload(Job("A", Stage.of(len(seconds), seconds)))
    now = without_stragglers(workload, percent).jobs[0].maps.task_durations
    limit = np.percentile(seconds, percent)
    for was, is_now in zip(seconds, now.tolist(), strict=True):
        assert is_now == min(was, limit)


def test_think_times_grow_and_go():
    (_, second) = with_thinking_times(application(), 2.5).jobs
    assert second.after == (Link("A", 7.5),)
    (_, second) = with_thinking_times(application(), 0).jobs
    assert second.after == (Link("A", 0.0),)


def test_clusters_of_every_kind_grow():
    assert with_slots_times(Cluster(3, 1), 2) == Cluster(6, 2)
    assert with_slots_times(Cluster(3, 1), 0.1) == Cluster(1, 1)
    nodes = Cluster(0, 0, nodes=(NodeGroup(3, 8192, 8),))
    assert with_slots_times(nodes, 2).nodes == (NodeGroup(6, 8192, 8),)
    times = replace(CLUSTER, slot_times=(SlotTime(2, 5.0, 9.0),))
    grown = with_slots_times(times, 3)
    assert (grown.containers, grown.slot_times) == (12, (SlotTime(6, 5.0, 9.0),))


def test_what_concerns_a_workload():
    assert "think" not in first_values(make_workload(make_job("A", (2, 1.0), (1, 1.0))))
    assert list(first_values(application())) == [each.id for each in WHAT_IFS]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"slot": 2}, "there is no what-if 'slot'; choose among slots"),
        ({"slots": 0}, "slots is 0; give a number from 0.001 to 1000"),
        ({"skew": 101}, "skew is 101; give a number from 1 to 100"),
        ({"think": float("nan")}, "think is nan; give a number from 0 to 1000"),
    ],
)
def test_wrong_numbers_are_refused(values, sentence):
    with pytest.raises(InputError, match=sentence):
        changed(application(), CLUSTER, values)


def test_progress_and_cancel():
    done = []
    what_ifs(application(), CLUSTER, SCENARIO, {"slots": 2, "think": 0}, progress=done.append)
    assert done == [0.25, 0.5, 0.75, 1.0]
    with pytest.raises(Cancelled):
        what_ifs(application(), CLUSTER, SCENARIO, {"slots": 2}, should_stop=lambda: True)
