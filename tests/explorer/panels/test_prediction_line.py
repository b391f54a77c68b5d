"""The sentence on how long an application takes on the cluster shown: follows edits, hidden for MapReduce."""

from __future__ import annotations

import pytest

from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.job import Job, Link
from core.model.schedule import PolicyChoice
from core.model.slot_times import SlotTime
from core.model.stages import Stage, StageGraph
from core.model.task_types import MAP
from core.model.workload import Workload
from explorer.panels.prediction_line import PredictionLine
from tests.builders import make_job, make_workload

ONE_STAGE = StageGraph((MAP,))
# 8 tasks of 10 s on 4 slots, then 20 s of thinking and one task of 60 s: 100 s
APPLICATION = Workload(
    "app",
    (
        Job("A", stages=(Stage.of(8, 10.0),), graph=ONE_STAGE),
        Job("B", stages=(Stage.of(1, 60.0),), graph=ONE_STAGE, after=(Link("A", 20.0),)),
    ),
    Cluster(0, 0, 1.0, containers=4),
)
FIFO = Scenario(1, PolicyChoice("fifo"))


@pytest.fixture
def line(shown):
    line = shown(PredictionLine())
    line.hide()
    return line


def test_the_range_is_said_and_what_is_not_known(line, qtbot):
    line.show_for(APPLICATION, APPLICATION.cluster, FIFO)
    qtbot.waitUntil(line.isVisible)
    assert line.text() == "On 4 slots it is predicted to take 1 min 35 s to 1 min 45 s."
    assert "Not known: whether tasks slow one another down" in " ".join(line.toolTip().split())


def test_another_cluster_is_predicted_anew(line, qtbot):
    line.show_for(APPLICATION, APPLICATION.cluster, FIFO)
    line.show_for(APPLICATION, Cluster(0, 0, 1.0, containers=8), FIFO)
    qtbot.waitUntil(lambda: line.text().startswith("On 8 slots"))
    assert line.text().endswith("1 min 26 s to 1 min 34 s.")  # 10 + 20 + 60 s, 5 % less and more


def test_slots_that_are_never_there_together_do_not_count_together(line, qtbot):
    times = (SlotTime(4, 0.0, 15.0), SlotTime(2, 15.0), SlotTime(2, 30.0))
    line.show_for(APPLICATION, Cluster(0, 0, 1.0, containers=0, slot_times=times), FIFO)
    qtbot.waitUntil(lambda: line.text().startswith("On 4 slots"))


def test_maps_and_reduces_have_none(line, qtbot):
    line.show_for(APPLICATION, APPLICATION.cluster, FIFO)
    qtbot.waitUntil(line.isVisible)
    line.show_for(make_workload(make_job("A", (2, 1.0), (1, 1.0))), Cluster(2, 1), FIFO)
    assert not line.isVisible()
