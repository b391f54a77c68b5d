"""Workload documents keep everything to the last bit, and are pleasant to read."""

from __future__ import annotations

import gc
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files import workload_document as workload_document
from core.files.workload_document import (
    is_workload_document,
    read_workload,
    workload_from_bytes,
    workload_from_json,
)
from core.files.workload_writing import document_bytes, workload_to_json, write_workload
from core.model.cluster import Cluster
from core.model.errors import DocumentError
from core.model.job import Job, Link
from core.model.nodes import NodeGroup, Request
from core.model.stages import Stage
from core.model.workload import Workload
from tests.core.files.documents import document_of, encoded, job_of, workloads
from tests.gzipped import gzip_of

if TYPE_CHECKING:
    from pathlib import Path


def same_tasks(one: Workload, other: Workload) -> bool:
    """Whether every column agrees in every bit."""
    columns, others = (
        {
            f"{name}.{field}": getattr(of, field)
            for name, of in (
                ("tasks", workload.columns),
                ("stages", workload.columns.stages),
                ("links", workload.columns.links),
            )
            for field in of.__slots__
            if field not in ("stages", "links")
        }
        for workload in (one, other)
    )
    return all(columns[name].tobytes() == others[name].tobytes() for name in columns)


@given(workloads)
def test_writing_and_reading_loses_nothing(workload: Workload) -> None:
    data = document_bytes(workload_to_json(workload))
    again = workload_from_bytes(data, "x.json")
    assert same_tasks(again, workload)
    for name in ("name", "description", "source", "cluster", "origin", "pools"):
        assert getattr(again, name) == getattr(workload, name)
    for name in (
        "name",
        "graph",
        "arrival",
        "after",
        "deadline",
        "pool",
        "user",
        "weight",
        "dataset",
        "shuffle_bytes",
        "service_levels",
        "input_nodes",
        "remote_read",
    ):
        assert [getattr(job, name) for job in again.jobs] == [getattr(job, name) for job in workload.jobs]
    assert document_bytes(workload_to_json(again)) == data
    assert workload_from_bytes(data, "x.json") == again


@given(st.lists(st.floats(0, 1e12), min_size=2, max_size=5, unique=True))
def test_durations_come_back_as_they_were(durations: list[float]) -> None:
    workload = Workload("w", (Job("J1", Stage.of(9, durations)),))
    document = json.loads(json.dumps(workload_to_json(workload)))
    assert workload_from_json(document, "x") == workload


def test_the_document_of_the_format_description_is_read() -> None:
    document = {
        "format": "slotscope-workload",
        "version": 1,
        "name": "Five jobs",
        "description": "...",
        "source": "...",
        "cluster": {"map_slots": 30, "reduce_slots": 30, "slowstart": 1.0, "shuffle_model": "simmr"},
        "jobs": [
            {
                "name": "J1",
                "arrival": 0,
                "deadline": None,
                "pool": "default",
                "user": "",
                "weight": 1,
                "dataset": None,
                "shuffle_bytes": None,
                "maps": {"count": 30, "durations": 4},
                "reduces": {"count": 30, "durations": 5, "first_shuffle": 0, "typical_shuffle": 0},
            }
        ],
    }
    workload = workload_from_bytes(encoded(document), "x.json")
    assert workload.jobs == (Job("J1", Stage.of(30, 4), Stage.of(30, 5)),)
    assert workload.cluster == Cluster(30, 30, 1.0, "simmr")


def test_links_are_as_they_were() -> None:
    """What is left out has its default, and is left out again; without links nothing stands there."""
    after = [{"job": "J1"}, {"job": "J2", "think": 12.5, "inferred": True}]
    jobs = [job_of(), job_of(name="J2"), job_of(name="J3", after=after)]
    workload = workload_from_bytes(encoded(document_of(*jobs)), "x.json")
    assert workload.jobs[2].after == (Link("J1"), Link("J2", 12.5, True))
    written = workload_to_json(workload)["jobs"]
    assert ["after" in job for job in written] == [False, False, True]
    assert written[2]["after"] == [{"job": "J1", "think": 0}, after[1]]


def test_little_is_required() -> None:
    workload = workload_from_bytes(encoded(document_of(job_of())), "x.json")
    assert workload == Workload("", (Job("J1", Stage.of(2, 3)),))
    reduces = {"count": 1, "durations": [1, 2.5]}
    workload = workload_from_bytes(encoded(document_of({"name": "R", "reduces": reduces})), "x.json")
    assert workload.jobs[0] == Job("R", reduces=Stage.of(1, [1, 2.5]))


def test_containers_replace_typed_slots() -> None:
    workload = workload_from_bytes(encoded(document_of(job_of(), cluster={"containers": 8})), "x.json")
    assert workload.cluster == Cluster(0, 0, 0.05, "simmr", 8)
    assert workload_to_json(workload)["cluster"] == {
        "slowstart": 0.05,
        "shuffle_model": "simmr",
        "containers": 8,
    }


def test_nodes_replace_slots() -> None:
    cluster = {"nodes": [{"count": 2, "memory_mb": 4096, "cores": 4.0}], "map_request": {"cores": 2}}
    workload = workload_from_bytes(encoded(document_of(job_of(), cluster=cluster)), "x.json")
    nodes = (NodeGroup(2, 4096, 4),)
    assert workload.cluster == Cluster(0, 0, nodes=nodes, map_request=Request(1024, 2))
    assert workload_to_json(workload)["cluster"] == {
        "nodes": [{"count": 2, "memory_mb": 4096, "cores": 4}],
        "map_request": {"memory_mb": 1024, "cores": 2},
        "reduce_request": {"memory_mb": 1024, "cores": 1},
        "slowstart": 0.05,
        "shuffle_model": "simmr",
    }


def test_contention_is_kept_where_there_is_some() -> None:
    cluster = {"nodes": [{"count": 2, "memory_mb": 4096, "cores": 4}], "contention": [1, 1, 0.5]}
    workload = workload_from_bytes(encoded(document_of(job_of(), cluster=cluster)), "x.json")
    assert workload.cluster.contention == (1.0, 1.0, 0.5)
    assert workload_to_json(workload)["cluster"]["contention"] == [1, 1, 0.5]
    rising = encoded(document_of(job_of(), cluster=cluster | {"contention": [0.5, 0.9]}))
    with pytest.raises(
        DocumentError, match=r"cluster.contention\[1\] is 0.9; no map gets faster beside more"
    ):
        workload_from_bytes(rising, "x.json")


def test_a_stage_of_many_jobs_is_made_once() -> None:
    """A workload may have a million jobs, most of which are alike."""
    shared, other = Stage.of(2, 3.5), Stage.of(2, [3.5, 4.5])
    jobs = (
        Job("a", shared, shared),
        Job("b", shared, other),
        Job("c", other, shared, user="ann", weight=2.0),
    )
    first, second, third = workload_to_json(Workload("w", jobs))["jobs"]
    assert first["maps"] is second["maps"]
    assert first["reduces"] is third["reduces"]
    assert first == {
        "name": "a",
        "maps": {"count": 2, "durations": 3.5},
        "reduces": {"count": 2, "durations": 3.5},
    }
    assert third["maps"] == second["reduces"] == {"count": 2, "durations": [3.5, 4.5]}
    assert (third["user"], third["weight"]) == ("ann", 2)


def test_names_with_markup_are_names() -> None:
    workload = workload_from_bytes(encoded(document_of(job_of(name="<b>J&1</b>"))), "x.json")
    assert workload.jobs[0].name == "<b>J&1</b>"


def test_the_text_has_a_line_for_each_job_and_no_defaults() -> None:
    jobs = (Job("J1", Stage.of(3, [4.0, 4.0, 4.0]), arrival=2.5), Job("Zwölf", Stage.of(1, [1.5, 2.0])))
    workload = Workload("Two", jobs, Cluster(3, 1, 1.0))
    assert document_bytes(workload_to_json(workload)).decode() == (
        "{\n"
        '  "format": "slotscope-workload",\n'
        '  "version": 1,\n'
        '  "name": "Two",\n'
        '  "cluster": {"map_slots": 3, "reduce_slots": 1, "slowstart": 1, "shuffle_model": "simmr"},\n'
        '  "jobs": [\n'
        '    {"name": "J1", "arrival": 2.5, "maps": {"count": 3, "durations": 4}},\n'
        '    {"name": "Zwölf", "maps": {"count": 1, "durations": [1.5, 2.0]}}\n'
        "  ]\n"
        "}\n"
    )


@pytest.mark.parametrize("name", ["w.workload.json", "w.workload.json.gz"])
def test_files_are_gzipped_by_name_and_recognised_by_content(tmp_path: Path, name: str) -> None:
    workload = Workload("w", (Job("J1", Stage.of(2, 3)),))
    path = tmp_path / name
    write_workload(workload, path)
    assert path.read_bytes().startswith(b"\x1f\x8b") == name.endswith(".gz")
    renamed = path.rename(tmp_path / "other.name")
    assert read_workload(renamed) == workload
    assert is_workload_document(renamed.read_bytes())


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (b'{"jobs": [], "format" : "slotscope-workload"}', True),
        (gzip_of(b'{"format":"slotscope-workload"'), True),
        (b'{"format": "slotscope-session", "workload": {"format": "slotscope-workload"}}', False),
        (b'{"description": "\\"format\\": \\"slotscope-session\\"", "format": "slotscope-workload"}', True),
        (b'["format": "slotscope-workload"]', False),
        (b"Job JOBID=...", False),
        (b"", False),
        (gzip_of(b'{"format":"slotscope-workload"' + bytes(range(256)))[:150], True),
        (gzip_of(b'{"format":"slotscope-workload"')[:12], False),
        (b"\x1f\x8bdamaged from the start", False),
        (b'{"jobs": [' + b"1, " * 10**6 + b'1], "format": "slotscope-workload"}', True),
    ],
)
def test_documents_are_told_from_other_files(data: bytes, answer: bool) -> None:
    assert is_workload_document(data) is answer


def test_a_version_has_its_reader_for_ever() -> None:
    assert workload_document.VERSIONS == (1,)


def test_no_circular_garbage_is_searched_while_many_jobs_are_read() -> None:
    data = encoded(document_of(*(job_of(name=f"J{i}") for i in range(2000))))
    searched: list[str] = []

    def note(phase: str, _info: object) -> None:
        searched.append(phase)

    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)  # as it is where no tests run
    gc.collect()  # what is new so far is none of the reader's
    gc.callbacks.append(note)
    try:
        assert len(workload_from_bytes(data, "many").jobs) == 2000
    finally:
        gc.callbacks.remove(note)
        gc.set_threshold(*before)
    assert len(searched) <= 2  # one search of what is young, at the end
