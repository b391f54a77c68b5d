"""Graphs of stages in documents: as people write them, as they are written, and that they are the same."""

from __future__ import annotations

import json
from typing import Any

from core.files.workload_document import workload_from_bytes
from core.files.workload_writing import document_bytes, workload_to_json
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import MAP_REDUCE, Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests.core.files.documents import document_of, encoded

ORDERS = {"name": "orders", "count": 2, "durations": 3}
LINES = {"name": "lines", "count": 4, "durations": [5, 6]}
JOIN = {
    "name": "join",
    "after": [{"stage": "orders"}, {"stage": "lines", "slowstart": 0.5}],
    "count": 3,
    "durations": 2,
    "first_shuffle": 0.5,
    "typical_shuffle": 1,
}
SUM = {"after": [{"stage": "join", "slowstart": None}], "type": "map", "count": 1, "durations": 4}


def opened(*stages: dict[str, Any], **fields: Any) -> Workload:
    return workload_from_bytes(
        encoded(document_of({"name": "Q", "stages": list(stages)}, **fields)), "x.json"
    )


def test_a_graph_that_was_written_by_hand() -> None:
    (job,) = opened(ORDERS, LINES, JOIN, SUM).jobs
    assert job.stages == (Stage.of(2, 3), Stage.of(4, [5, 6]), Stage.of(3, 2, 0.5, 1), Stage.of(1, 4))
    edges = (Edge(0, 2, 1.0), Edge(1, 2, 0.5), Edge(2, 3, None))
    assert job.graph == StageGraph((MAP, MAP, REDUCE, MAP), edges, ("orders", "lines", "join", ""))
    assert [job.graph.name(stage) for stage in range(4)] == ["orders", "lines", "join", "stage 3"]


def test_what_is_as_usual_is_left_out_when_it_is_written() -> None:
    written = workload_to_json(opened(ORDERS, LINES, JOIN, SUM))["jobs"][0]
    assert written == {"name": "Q", "stages": [ORDERS, LINES, JOIN, SUM]}


def test_stages_without_names_are_known_by_their_places() -> None:
    first = {"count": 1, "durations": 1}
    (job,) = opened(first, first | {"after": [{"stage": 0}]}).jobs
    assert job.graph == StageGraph((MAP, REDUCE), (Edge(0, 1, 1.0),))
    assert job.graph != MAP_REDUCE  # there the cluster's slowstart counts


def test_one_stage_is_enough() -> None:
    workload = opened({"count": 3, "durations": 2}, cluster={"containers": 2})
    assert simulate(workload, workload.cluster, PolicyChoice("fifo")).finish.tolist() == [4]


def test_maps_and_reduces_are_written_as_ever() -> None:
    workload = Workload("w", (Job("J1", Stage.of(2, 3), Stage.of(1, 4)),))
    assert workload_to_json(workload)["jobs"] == [
        {"name": "J1", "maps": {"count": 2, "durations": 3}, "reduces": {"count": 1, "durations": 4}}
    ]


def test_the_example_runs_as_worked_out_by_hand() -> None:
    """Both scans end at 3 and at 6 s on six containers; then the join, then what waits for a part of it.

    The joins may start when the orders and half of the lines are done, at 5 s: on the free containers, and
    have read at 6.5 s, half a second after the last line. The sum may start when a twentieth of the joins,
    so one of them, is done, at 8.5 s.
    """
    workload = opened(ORDERS, LINES, JOIN, SUM, cluster={"containers": 6})
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    assert schedule.start.tolist() == [0, 0, 0, 0, 0, 0, 5, 5, 5, 8.5]
    assert schedule.end.tolist() == [3, 3, 5, 6, 5, 6, 8.5, 8.5, 8.5, 12.5]


def test_a_name_changes_no_schedule_but_the_document() -> None:
    named, other = opened(ORDERS), opened(ORDERS | {"name": "customers"})
    assert named.digest == other.digest
    assert named != other


def test_a_document_is_written_a_line_for_each_job() -> None:
    data = document_bytes(workload_to_json(opened(ORDERS, JOIN | {"after": [{"stage": "orders"}]})))
    (line,) = [line for line in data.decode().splitlines() if '"orders"' in line]
    assert json.loads(line)["stages"][1]["after"] == [{"stage": "orders"}]
