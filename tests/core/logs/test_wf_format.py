"""Workflows of WfCommons: their tasks as stages, without anything lost of what waits for what."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from core.logs.open_log import Imported, open_trace
from core.model.errors import TraceError
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def log(data: Path) -> Imported:
    return open_trace([data / "wfformat.json"])


def test_tasks_of_the_newest_schema(log: Imported) -> None:
    job = log.workload.jobs[0]
    graph = job.graph
    assert (job.name, job.user) == ("little-rna", "kim")
    assert graph.names == ("split", "align", "align (2)", "align (3)", "count", "count (2)", "report")
    assert [graph.parents(stage) for stage in range(7)] == [(), (0,), (0,), (0,), (1,), (2,), (3, 4, 5)]
    assert [stage.durations.tolist() for stage in job.stages] == [[10], [20], [22.5], [30], [5], [4], [0]]
    assert {edge.slowstart for edge in graph.edges} == {1.0}


def test_tasks_of_schema_1_4_name_their_parents_by_name_or_id(log: Imported) -> None:
    job = log.workload.jobs[1]
    assert job.graph.names == ("split", "blast", "merge")
    assert [job.graph.parents(stage) for stage in range(3)] == [(), (0,), (1,)]
    assert [stage.durations.tolist() for stage in job.stages] == [[3], [11, 12], [0]]


def test_the_slots_are_the_cores_by_those_of_most_tasks(log: Imported, tmp_path: Path) -> None:
    """Nine cores of two machines, tasks of two: four run at once, and so with nine cores of one."""
    assert log.workload.cluster.containers == 4
    assert "There were 4 times 2 cores of the machines." in log.report.cluster_reason
    bare = workflow([task("a"), task("b"), task("c", "a", "b"), task("d", "c")])
    opened = write(tmp_path, bare)
    assert opened.workload.cluster.containers == 2  # a and b lie beside one another
    assert "There were 2 tasks beside one another." in opened.report.cluster_reason


def test_the_report_says_what_is_missing(log: Imported) -> None:
    notes = [(note.what, note.count) for note in log.report.notes]
    assert notes.count(("tasks without a run time (taken as 0 s)", 1)) == 2
    assert ("parents that are no tasks of the workflow, not waited for", 1) in notes
    said = " ".join(log.report.assumptions)
    assert "The log says that little-rna took 1 min 12 s." in said
    assert "Tasks of little-rna have different numbers of cores" in said
    assert log.workload.recorded is None


def test_it_ends_as_worked_out_by_hand(log: Imported) -> None:
    """When little-rna is split, at 10 s, two of four slots blast, until 14 and 15 s; so waits an align."""
    schedule = simulate(log.workload, log.workload.cluster, PolicyChoice("fifo"))
    assert schedule.finish.tolist() == [14 + 30, 3 + 12]


def task(name: str, *parents: str, seconds: float = 1.0, **fields: Any) -> dict[str, Any]:
    return {
        "name": name,
        "id": name,
        "parents": parents,
        "children": [],
        "runtimeInSeconds": seconds,
    } | fields


def workflow(tasks: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    return {"name": "w", "schemaVersion": "1.4", "workflow": {"tasks": tasks}} | fields


def write(folder: Path, *documents: dict[str, Any]) -> Imported:
    path = folder / "w.json"
    path.write_text("\n".join(map(json.dumps, documents)))
    return open_trace([path])


def test_a_circle_is_left_out_with_a_sentence(tmp_path: Path) -> None:
    round_trip = workflow([task("a", "b"), task("b", "a")])
    with pytest.raises(TraceError, match=r"'a'; its tasks wait for one another in a circle; it is left out"):
        write(tmp_path, round_trip)
    opened = write(tmp_path, round_trip, workflow([task("a")]))
    assert (opened.report.damage_count, len(opened.workload.jobs)) == (1, 1)


def test_too_many_stages_are_left_out_with_a_sentence(tmp_path: Path) -> None:
    chain = [task("t0"), *(task(f"t{k}", f"t{k - 1}") for k in range(1, 10_001))]
    with pytest.raises(TraceError, match=r"10001 stages: its tasks do not make at most 10000 stages"):
        write(tmp_path, workflow(chain))


def test_what_is_no_workflow_is_left_out(tmp_path: Path) -> None:
    opened = write(tmp_path, {"workflow": {"tasks": [], "parents": [], "runtime": 0}}, workflow([task("a")]))
    assert opened.report.damage_count == 1


@pytest.mark.parametrize("seed", range(30))
def test_stages_wait_exactly_as_tasks_do(seed: int, tmp_path: Path) -> None:
    """On a slot for each task, the end is that of the longest path over the tasks, taken one by one."""
    draw = random.Random(seed)
    tasks: list[dict[str, Any]] = []
    ends: dict[str, float] = {}
    for number in range(draw.randint(1, 25)):
        parents = draw.sample([each["name"] for each in tasks], draw.randint(0, min(3, len(tasks))))
        seconds = draw.randint(0, 20)
        name = f"{draw.choice('xyz')}_{number}"
        tasks.append(task(name, *parents, seconds=seconds))
        ends[name] = seconds + max((ends[parent] for parent in parents), default=0)
    draw.shuffle(tasks)
    workload = write(tmp_path, workflow(tasks)).workload
    assert sum(stage.count for stage in workload.jobs[0].stages) == len(tasks)
    machines = [{"nodeName": "m", "cpu": {"count": 100}}]
    wide = write(tmp_path, workflow(tasks) | {"workflow": {"tasks": tasks, "machines": machines}}).workload
    assert simulate(wide, wide.cluster, PolicyChoice("fifo")).makespan == max(ends.values())
