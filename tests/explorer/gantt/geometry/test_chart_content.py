"""What a chart is said to show: its end, its jobs, and what a screen reader reads."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from core.charts.schedule_rows import schedule_rows
from core.explain.critical_path import critical_path
from core.fidelity.history_schedule import history_schedule
from core.logs.open_log import open_trace
from core.model.cluster import Cluster
from core.model.visible_text import short_names
from core.model.workload import Workload
from explorer.gantt.geometry.chart_content import ChartContent, job_beside
from tests.builders import make_job, run
from tests.paths import DATA


@pytest.fixture(scope="module")
def rows():
    """Three jobs one after the other on one slot: they end at 10, 30 and 60 s; the first two are late."""
    jobs = (
        make_job("job_2010_A", (1, 10.0), deadline=4.0),
        make_job("job_2010_B", (1, 20.0), deadline=29.0),
        make_job("job_2010_C", (1, 30.0), deadline=60.0),
    )
    return schedule_rows(run(Workload("w", jobs), Cluster(1, 0)))


def test_nothing_is_shown_yet():
    content = ChartContent()
    assert (content.jobs, content.job_names, content.late_texts, content.history_facts) == (0, (), {}, ())
    assert (content.end, content.is_veiled, content.shown_critical_path) == (0.0, False, None)
    assert content.description == "Nothing scheduled yet"
    assert ChartContent(empty_text="No jobs").description == "No jobs"


def test_what_a_screen_reader_reads(rows):
    content = ChartContent(rows, comparison="+3 %", outdated="An older schedule")
    assert (content.jobs, content.job_names) == (3, ("A", "B", "C"))
    assert content.late_texts == {0: "A late by 6 s", 1: "B late by 1 s"}
    assert content.description == "3 jobs, makespan 1 min 00 s. 2 late. +3 %. An older schedule"
    assert ChartContent(rows, failed=60.0).description == "3 jobs, failed at 1:00. 2 late"


def test_nothing_is_given_away_of_what_a_veil_hides(rows):
    path = (rows.schedule, critical_path(rows.schedule))
    open_one = ChartContent(rows, critical_path=path)
    veiled = replace(open_one, veil=20.0, comparison="+3 %")
    assert (open_one.is_veiled, veiled.is_veiled) == (False, True)
    assert (open_one.shown_critical_path, veiled.shown_critical_path) == (path[1], None)
    assert veiled.late_texts == {}
    assert veiled.description == "3 jobs. What comes after 0:20 is hidden"
    assert open_one.end == 60.0
    assert veiled.end == 80.0  # a quarter more is 75; the next round number


def test_a_critical_path_is_shown_on_its_own_schedule_alone(rows):
    path = critical_path(rows.schedule)
    other = run(rows.schedule.workload, Cluster(2, 0))
    assert ChartContent(rows, critical_path=(other, path)).shown_critical_path is None
    assert ChartContent(critical_path=(rows.schedule, path)).shown_critical_path is None
    assert ChartContent(rows).shown_critical_path is None


def test_a_recorded_run_in_short():
    """The log has a killed and a failed attempt on two hosts, and one that has no end."""
    workload = open_trace([DATA / "jobtracker-0.20.log"]).workload
    assert workload.recorded is not None
    runs = history_schedule(workload, workload.recorded)
    assert ChartContent(schedule_rows(runs)).history_facts[-1] == "1 running"
    fewer = replace(workload, cluster=Cluster(3, 1))
    schedule = history_schedule(fewer, replace(workload.recorded, under_way=None))
    record = schedule.record
    assert record is not None
    content = ChartContent(schedule_rows(schedule))
    same = ("a record: edits do not change it", "2 hosts", "1 failed", "1 killed")
    slots = "4 + 1 slots host by host, 3 + 1 busy at once at most"
    assert content.history_facts == (*same, "1 without an end", slots)
    assert replace(content, veil=1.0).history_facts == ()
    alone = replace(record, run=replace(record.run, hosts=record.run.hosts[:1]))
    assert ChartContent(schedule_rows(replace(schedule, record=alone))).history_facts[1] == "1 host"
    whole = replace(record, not_placed=0)
    assert ChartContent(schedule_rows(replace(schedule, record=whole))).history_facts == (*same, slots)


def test_a_record_with_the_slots_of_its_cluster_does_not_speak_of_them():
    workload = open_trace([DATA / "jobtracker-0.20.log"]).workload
    assert workload.recorded is not None
    fewer = replace(workload, cluster=Cluster(3, 1))
    schedule = history_schedule(fewer, replace(workload.recorded, under_way=None))
    as_said = replace(schedule, workload=replace(workload, cluster=schedule.cluster))
    assert "host by host" in " ".join(ChartContent(schedule_rows(schedule)).history_facts)
    assert "host by host" not in " ".join(ChartContent(schedule_rows(as_said)).history_facts)


def test_the_later_of_two_schedules_is_the_end(rows):
    longer = schedule_rows(run(rows.schedule.workload, Cluster(1, 0)))
    sooner = schedule_rows(run(rows.schedule.workload, Cluster(3, 0)))
    assert sooner.schedule.makespan == 30.0
    assert ChartContent(sooner, ghost=longer).end == 60.0
    assert ChartContent(longer, ghost=sooner).end == 60.0
    assert ChartContent(None, ghost=longer).end == 60.0


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("ab_123", "ab_124"), ("ab_123", "ab_124")),  # six letters fit anywhere
        (("ab_1234", "ab_1235"), ("1234", "1235")),
        (("a/b/one", "a/b/two"), ("one", "two")),
        (("a/b/one", "a/c/one"), ("b", "c")),
        (("_monday", "_tuesday"), ("monday", "tuesday")),
        (("x_monday", "_tuesday"), ("x_monday", "_tuesday")),
        (("same.name", "same.name"), ("name", "name")),
        (("load 10", "load 20", "load 15"), ("10", "20", "15")),
        (("first_job_", "first_job_"), ("first_job_", "first_job_")),
        (("job 3: count at A (app-17)", "job 4 (app-17)"), ("3: count at A", "4")),
        (("job 3 (app-17)", "job 4 (app-18)"), ("3 (app-17)", "4 (app-18)")),
        (("J1 (x)", "J2"), ("J1 (x)", "J2")),
        ((), ()),
    ],
)
def test_what_names_keep(names, expected):
    assert short_names(names) == expected


def test_steps_from_job_to_job(rows):
    content = ChartContent(rows, selected_job=1)
    order = ("job_2010_C", "gone", "job_2010_A", "job_2010_B")
    assert [job_beside(content, (), step) for step in (1, -1, 2)] == [2, 0, 0]
    assert [job_beside(content, order, step) for step in (1, -1, -2)] == [2, 0, 2]
    none = ChartContent(rows)
    assert [job_beside(none, order, step) for step in (1, -1)] == [2, 1]
    assert job_beside(content, ("gone",), 1) == -1
    assert job_beside(ChartContent(), order, 1) == -1


def test_a_veil_at_infinity_hides_nothing(rows):
    assert not ChartContent(rows, veil=math.inf).is_veiled
    assert ChartContent(rows, veil=1e300).is_veiled
    assert np.isfinite(ChartContent(rows, veil=5.0).end)
