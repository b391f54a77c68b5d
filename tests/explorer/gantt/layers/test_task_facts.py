"""What the pointer's card says about a task that maps beside it have slowed."""

from __future__ import annotations

from core.charts.schedule_rows import schedule_rows
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.nodes import NodeGroup, Request
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.gantt.layers.task_facts import task_facts
from tests.core.charts.chart_builders import make_schedule


def test_maps_that_slow_one_another_say_by_how_much() -> None:
    """Maps of 4 s and 8 s on one node at half speed: 8 s, then the other is alone and takes 12 s."""
    cluster = Cluster(0, 0, 1.0, nodes=(NodeGroup(1, 2048, 2),), contention=(1.0, 0.5))
    workload = Workload("contention", (Job("J1", Stage.of(2, [4, 8]), Stage.of(1, 3)),), cluster)
    rows = schedule_rows(make_schedule(workload))
    facts = sorted((task_facts(rows, place) for place in range(3)), key=lambda each: each.task)
    assert [dict(each.lines()).get("slowed by") for each in facts] == ["4 s", "4 s", None]
    assert [each.note() for each in facts] == ["slowed by maps on its node"] * 2 + [""]


def test_a_map_that_reads_from_another_node_says_for_how_long() -> None:
    """Both inputs lie on the second of two nodes for one map each."""
    ask = Request(1, 1)
    cluster = Cluster(0, 0, 1.0, nodes=(NodeGroup(2, 1, 1),), map_request=ask, reduce_request=ask)
    located = Job("J1", Stage.of(2, 4.0), input_nodes=((1,), (1,)), remote_read=3.0)
    rows = schedule_rows(make_schedule(Workload("located", (located,), cluster)))
    facts = sorted((task_facts(rows, place) for place in range(2)), key=lambda each: each.task)
    assert [dict(each.lines()).get("remote read") for each in facts] == ["3 s", None]
    assert [each.note() for each in facts] == ["reads 3 s from another node", ""]


def test_each_part_of_a_shuffle_says_what_it_is_when_it_is_pointed_at() -> None:
    """Two maps of 10 s on one slot; a reduce from 10 s on, with 3 s of first and 8 s of typical shuffle."""
    reduces = Stage.of(1, 5.0, first_shuffle=3.0, typical_shuffle=8.0)
    jobs = (Job("J1", Stage.of(2, 10.0), reduces),)

    def notes(slowstart: float, *times: float) -> list[str]:
        rows = schedule_rows(make_schedule(Workload("shuffle", jobs, Cluster(1, 1, slowstart))))
        return [task_facts(rows, rows.place_of(2), pointed=time).note() for time in times]

    assert notes(0.5, 15.0, 21.0, 25.0) == [
        "here it waits for maps and copies meanwhile: 5 s hidden",
        "here is what of its shuffle the maps do not hide: 3 s",
        "filler: started before the maps ended",
    ]
    assert notes(1.0, 21.0, 30.0) == ["here is a whole shuffle, of which no map hides anything: 8 s", ""]
    rows = schedule_rows(make_schedule(Workload("shuffle", jobs, Cluster(1, 1, 0.5))))
    assert dict(task_facts(rows, rows.place_of(2)).lines())["shuffle hidden"] == "5 s of 8 s"
