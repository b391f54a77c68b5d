"""What the panels say of jobs that are graphs of stages: stages and tasks, never maps and reduces."""

from __future__ import annotations

import pytest

from core.model.cluster import Cluster
from core.model.job import Job, Link
from core.model.schedule import PolicyChoice
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import MAP
from core.model.workload import Workload
from core.simulation.simulate import simulate
from explorer.panels.facts import job_sections, task_sections
from explorer.panels.job_columns import COLUMNS, row_texts
from tests.builders import make_job

GRAPH = StageGraph((MAP, MAP, MAP), (Edge(0, 2, 1.0), Edge(1, 2, 1.0)))
JOIN = Job("join", stages=(Stage.of(4, 2.0), Stage.of(2, 3.0), Stage.of(3, [1.0, 2.0, 3.0])), graph=GRAPH)
LAST = Job("last", stages=(Stage.of(1, 5.0),), graph=StageGraph((MAP,)), after=(Link("join", 3.0, True),))
CLUSTER = Cluster(0, 0, 1.0, containers=2)
WORKLOAD = Workload("app", (JOIN, LAST), CLUSTER)


def cells(job):
    return dict(zip([column.title for column in COLUMNS], row_texts(job), strict=True))


def test_a_graph_has_stages_tasks_and_work():
    texts = cells(JOIN)
    assert (texts["Stages"], texts["Tasks"], texts["Work"]) == ("3", "9", "20 s")
    assert {texts[title] for title in ("Maps", "Map time", "Reduces", "Shuffle", "Reduce time")} == {"–"}


def test_a_map_reduce_job_has_maps_and_reduces():
    texts = cells(make_job("A", (3, 2.0), (1, 4.0, 1.0, 2.0)))
    assert (texts["Maps"], texts["Reduces"]) == ("3", "1")
    assert {texts[title] for title in ("Stages", "Tasks", "Work")} == {"–"}


def test_a_job_that_follows_arrives_after_the_other():
    assert cells(LAST)["Arrival"] == "3 s after join"
    two = Job("C", stages=LAST.stages, graph=LAST.graph, after=(Link("join"), Link("last")))
    assert cells(two)["Arrival"] == "after 2 jobs"


def test_facts_of_a_job_list_its_stages():
    own, when = job_sections(WORKLOAD, "join", {"FIFO": simulate(WORKLOAD, CLUSTER, PolicyChoice("fifo"))})
    assert own.rows[:3] == (
        ("Stage 0", "4 × 2 s"),
        ("Stage 1", "2 × 3 s"),
        ("Stage 2", "3 × 2 s (1 s to 3 s)"),
    )
    assert [row[0] for row in when.rows] == ["First task", "Finish", "Response"]
    own, _ = job_sections(WORKLOAD, "last", {})
    assert ("Follows", "join, 3 s after its end, inferred from a log") in own.rows
    assert "Arrival" not in [row[0] for row in own.rows]


def test_facts_of_a_task_name_its_stage():
    schedule = simulate(WORKLOAD, CLUSTER, PolicyChoice("fifo"))
    own, when = task_sections(WORKLOAD, 7, {"FIFO": schedule})
    assert own.title == "Task 2 of 3 of stage 2 of join"
    assert own.rows == (("Duration", "2 s"),)
    assert [row[0] for row in when.rows] == ["Slot", "Wave", "Start", "End", "Takes"]


@pytest.mark.parametrize("words", ["map", "reduce", "slowstart"])
def test_no_word_of_map_reduce_is_left(words):
    schedule = {"FIFO": simulate(WORKLOAD, CLUSTER, PolicyChoice("fifo"))}
    sections = [*job_sections(WORKLOAD, "join", schedule), *task_sections(WORKLOAD, 0, schedule)]
    assert words not in "\n".join(section.to_text() for section in sections).lower()


def test_sizes_are_counted_in_their_own_words():
    assert WORKLOAD.sizes_text == "2 jobs, 4 stages, 10 tasks"
    maps = Workload("w", (make_job("A", (3, 2.0), (1, 4.0)),), CLUSTER)
    assert maps.sizes_text == "1 job, 3 maps, 1 reduce"
