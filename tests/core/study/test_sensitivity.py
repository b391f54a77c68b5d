"""Sensitivity: every change against a simulation of it, made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.generate.scaling import scale_durations, stretch_arrivals
from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.errors import Cancelled, InputError
from core.model.estimates import DurationEstimates
from core.model.job import Dataset, scan_stage
from core.model.nodes import NodeGroup
from core.model.overheads import Overheads
from core.model.schedule import RECORDED, PolicyChoice
from core.model.task_types import MAP
from core.study.draws import simulated
from core.study.sensitivity import Change, Swing, sensitivity
from tests.builders import make_job, make_workload

CLUSTER = Cluster(3, 2, slowstart=0.05)
JOBS = make_workload(
    make_job("A", (5, [3.0, 4.0]), (2, 5.0, 1.0, 2.0)),
    make_job("B", (2, [6.0]), (3, [2.0, 3.0], 1.0, 1.0), arrival=4.0, deadline=30.0),
    make_job("C", (3, [2.0, 5.0]), (1, 4.0, 1.0, 1.0), arrival=6.0),
)


def scenario(policy="fifo", **fields):
    return Scenario(1, PolicyChoice(policy, fields.pop("parameters", {})), **fields)


def end(workload=JOBS, cluster=CLUSTER, asked=None):
    return simulated(workload, cluster, asked or scenario()).makespan


def by_title(answer):
    return {swing.title: swing for swing in answer.swings}


def ends_of(swing):
    return {change.value: change.makespan for change in swing.changes}


def test_every_change_is_simulated_alone():
    answer = sensitivity(JOBS, CLUSTER, scenario())
    assert answer.base == end()
    swings = by_title(answer)
    slower, faster = (scale_durations(JOBS, maps=factor) for factor in (1.1, 0.9))
    expected = {
        "map slots": {str(n): end(cluster=replace(CLUSTER, map_slots=n)) for n in (2, 4)},
        "reduce slots": {str(n): end(cluster=replace(CLUSTER, reduce_slots=n)) for n in (1, 3)},
        "slowstart": {f"{f:g} %": end(cluster=replace(CLUSTER, slowstart=f / 100)) for f in (0, 15)},
        "shuffle model": {
            "Overlap": end(cluster=replace(CLUSTER, shuffle_model="overlap")),
            "Mumak (none)": end(cluster=replace(CLUSTER, shuffle_model="mumak")),
        },
        "durations of maps": {"90 %": end(faster), "110 %": end(slower)},
        "durations of reduces": {f"{f} %": end(scale_durations(JOBS, reduces=f / 100)) for f in (90, 110)},
        "time between arrivals": {f"{f} %": end(stretch_arrivals(JOBS, f / 100)) for f in (90, 110)},
    }
    assert {title: ends_of(swing) for title, swing in swings.items()} == expected
    sizes = [swing.size for swing in answer.swings]
    assert sizes == sorted(sizes, reverse=True)
    for title, ends in expected.items():
        assert swings[title].size == max(answer.base, *ends.values()) - min(answer.base, *ends.values())
    assert [swing.title for swing in answer.moving] == [s.title for s in answer.swings if s.size > 0]
    assert swings["map slots"].label(swings["map slots"].changes[0]) == "map slots 3 → 2"


def test_every_parameter_of_the_policy_and_its_estimates():
    asked = scenario("edf-min")
    swings = by_title(sensitivity(JOBS, CLUSTER, asked))
    assert set(ends_of(swings["estimate"])) | {swings["estimate"].value} == {"low", "mean", "up"}
    assert set(ends_of(swings["work conserving"])) | {swings["work conserving"].value} == {"on", "off"}
    changed = scenario("edf-min", parameters={"estimate": "mean"})
    assert ends_of(swings["estimate"])["mean"] == end(asked=changed)
    wrong = replace(asked, choice=replace(asked.choice, estimates=DurationEstimates(0.3)))
    assert ends_of(swings["error of the estimates"]) == {"±30 %": end(asked=wrong)}
    swings = by_title(sensitivity(JOBS, CLUSTER, wrong))
    assert set(ends_of(swings["error of the estimates"])) == {"±27 %", "±33 %"}
    by_hand = sensitivity(JOBS, CLUSTER, replace(asked, order=("C", "B", "A")))
    assert not {"estimate", "error of the estimates"} & by_title(by_hand).keys()


def test_nodes_containers_and_overheads():
    nodes = Cluster(0, 0, nodes=(NodeGroup(2, 2048, 2), NodeGroup(20, 1024, 1)))
    swings = by_title(sensitivity(JOBS, nodes, scenario()))
    assert set(ends_of(swings["nodes of group 1"])) == {"1", "3"}
    assert set(ends_of(swings["nodes of group 2"])) == {"18", "22"}
    containers = by_title(sensitivity(JOBS, Cluster(0, 0, containers=1), scenario()))
    assert set(ends_of(containers["containers"])) == {"2"}
    spent = replace(CLUSTER, overheads=Overheads(setup=10.0, hosts=2))
    swings = by_title(sensitivity(JOBS, spent, scenario()))
    assert set(ends_of(swings["setup"])) == {"9", "11"}
    assert swings["setup"].label(swings["setup"].changes[0]) == "setup 10 → 9 s"
    assert "fetch" not in swings  # nothing is spent on it


def test_what_cannot_be_run_says_why_and_the_rest_is_there():
    one_reduce_only = Cluster(3, 1)
    swings = by_title(sensitivity(JOBS, one_reduce_only, scenario()))
    assert set(ends_of(swings["reduce slots"])) == {"2"}
    refused = Swing("x", "", "1", (Change("2", scenario(), CLUSTER, JOBS, None, "there is no such"),), 9.0)
    assert refused.size == 0
    shares = by_title(sensitivity(JOBS, CLUSTER, scenario("order", parameters={"order": "C"})))
    assert "order" not in shares
    with pytest.raises(InputError, match="no reduce slot"):
        sensitivity(JOBS, Cluster(3, 0), scenario())
    with pytest.raises(InputError, match="what really ran"):
        sensitivity(JOBS, CLUSTER, scenario(RECORDED))


def test_progress_news_and_cancel():
    told, fractions = [], []
    answer = sensitivity(JOBS, CLUSTER, scenario(), on_known=told.append, progress=fractions.append)
    assert [len(each.swings) for each in told] == list(range(len(answer.swings) + 1))
    assert told[-1] == answer
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    with pytest.raises(Cancelled):
        sensitivity(JOBS, CLUSTER, scenario(), should_stop=lambda: True)


def test_durations_of_jobs_that_scan_a_dataset_are_those_of_its_blocks():
    logs = Dataset("logs", 4, 10.0)
    job = replace(make_job("S", (0,), (1, 2.0)).with_stage(MAP, scan_stage(logs, ())), dataset="logs")
    scans = replace(make_workload(job), datasets=(logs,))
    longer = scale_durations(scans, maps=1.5, reduces=2.0)
    assert longer.datasets[0].block_seconds == 15.0
    assert longer.jobs[0].maps.task_durations.tolist() == [15.0] * 4
    assert longer.jobs[0].reduces.task_durations.tolist() == [4.0]


def test_arrivals_are_stretched_with_their_deadlines():
    later = stretch_arrivals(JOBS, 1.5)
    assert [job.arrival for job in later.jobs] == [0.0, 6.0, 9.0]
    assert later.jobs[1].deadline == 32.0


def test_levers_of_an_administrator_stand_before_what_is_as_it_is() -> None:
    overheads = replace(CLUSTER, overheads=Overheads(setup=2.0, heartbeat=3.0, hosts=2))
    answer = sensitivity(JOBS, overheads, scenario("longest-task"))
    levers = {swing.title for swing in answer.swings if swing.is_lever}
    of_overheads = {"heartbeat", "hosts", "maps per heartbeat", "reduces per heartbeat", "launched ahead"}
    assert levers == {"map slots", "reduce slots", "slowstart", "order"} | of_overheads
    shown = [swing.is_lever for swing in answer.levers_first]
    assert shown == sorted(shown, reverse=True)
    for is_lever in (True, False):
        sizes = [swing.size for swing in answer.levers_first if swing.is_lever is is_lever]
        assert sizes == sorted(sizes, reverse=True)
    assert set(answer.levers_first) == set(answer.moving)
