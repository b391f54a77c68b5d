"""What the pointer's card says about a task that maps beside it have slowed."""

from __future__ import annotations

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.nodes import NodeGroup
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.gantt.geometry.schedule_rows import schedule_rows
from explorer.gantt.layers.task_facts import task_facts
from tests.explorer.gantt.chart_builders import make_schedule


def test_maps_that_slow_one_another_say_by_how_much() -> None:
    """Maps of 4 s and 8 s on one node at half speed: 8 s, then the other is alone and takes 12 s."""
    cluster = Cluster(0, 0, 1.0, nodes=(NodeGroup(1, 2048, 2),), contention=(1.0, 0.5))
    workload = Workload("contention", (Job("J1", Stage.of(2, [4, 8]), Stage.of(1, 3)),), cluster)
    rows = schedule_rows(make_schedule(workload))
    facts = sorted((task_facts(rows, place) for place in range(3)), key=lambda each: each.task)
    assert [dict(each.lines()).get("slowed by") for each in facts] == ["4 s", "4 s", None]
    assert [each.note() for each in facts] == ["slowed by maps on its node"] * 2 + [""]
