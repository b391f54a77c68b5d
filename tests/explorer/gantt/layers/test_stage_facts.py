"""The card of a stage, and of a part of the path, worked out by hand."""

from __future__ import annotations

from core.charts.schedule_rows import schedule_rows
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.slot_times import SlotTime
from core.model.stages import EMPTY, Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate
from explorer.gantt.geometry.chart_content import path_of
from explorer.gantt.layers.stage_facts import part_facts, stage_facts
from tests.explorer.gantt.layers.test_stage_bands import TWO, chain, rows_of


def test_a_stage_behind_a_barrier():
    facts = stage_facts(TWO, 2)
    assert facts.title == "Q1 · stage 2"
    assert facts.lines() == [
        ("tasks", "1"),
        ("first start", "0:20"),
        ("last end", "0:30"),
        ("lasts", "10 s"),
        ("waited for barrier", "stage 1, until 0:20 (20 s)"),
    ]
    assert (facts.job, facts.note()) == (0, "on the path to the end")


def test_a_stage_behind_the_driver():
    assert stage_facts(TWO, 3).lines()[-1] == ("waited for driver", "20 s after Q1, until 0:50")
    assert stage_facts(TWO, 0).lines()[-1] == ("job came", "0:00")


def test_a_stage_that_waits_for_a_slot():
    """Q1 has both slots until 16 s, when the shorter task of its second stage ends; Q2 comes at 4 s."""
    rows = rows_of(chain("Q1"), chain("Q2", arrival=4.0), slots=2)
    assert stage_facts(rows, 3).lines()[-2:] == [("job came", "0:04"), ("waited for a slot", "12 s")]


def test_a_stage_that_waits_for_an_executor():
    cluster = Cluster(0, 0, 1.0, slot_times=(SlotTime(2, opens=6.0),))
    schedule = simulate(Workload("test", (chain("Q1"),)), cluster, PolicyChoice("fifo"))
    assert stage_facts(schedule_rows(schedule), 0).lines()[-1] == ("waited for an executor", "6 s")


def test_a_stage_without_tasks_has_none():
    assert stage_facts(rows_of(chain("Q1"), Job("Q2", Stage.of(1, 1.0), EMPTY)), 4) is None


def test_parts_of_the_path():
    facts = [part_facts(TWO, part) for part in path_of(TWO).parts]
    assert [each.title for each in facts] == [
        "Q1 · stage 0",
        "Q1 · stage 1",
        "Q1 · stage 2",
        "the driver thinks before Q2",
        "Q2 · stage 0",
        "Q2 · stage 1",
        "Q2 · stage 2",
    ]
    assert facts[3].lines() == [("from", "0:30"), ("to", "0:50"), ("lasts", "20 s")]
