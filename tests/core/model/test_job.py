"""Datasets, the jobs that scan them, and their documents."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.workload_document import workload_from_json
from core.files.workload_writing import workload_to_json
from core.model.errors import DocumentError
from core.model.job import Dataset, Job, scan_stage
from core.model.stages import Stage
from core.model.task_types import MAP
from core.model.workload import Workload
from tests.core.files.documents import document_of
from tests.random_tests import examples

CLICKS = Dataset("clicks", 24, 2.5, 0.8)


def scanning(**fields: object) -> Job:
    job = replace(Job("J1", dataset="clicks"), **fields)  # type: ignore[arg-type]
    return job.with_stage(MAP, scan_stage(CLICKS, job.blocks)) if not job.maps.count else job


def problems_of(document: dict[str, object]) -> list[str]:
    with pytest.raises(DocumentError) as caught:
        workload_from_json(document, "w")
    return [str(problem) for problem in caught.value.problems]


def test_a_job_has_one_map_per_block_it_scans() -> None:
    assert scan_stage(CLICKS) == Stage.of(24, 2.5)
    assert scan_stage(CLICKS, ((0, 6), (20, 24))) == Stage.of(10, 2.5)
    assert CLICKS.work == 60


def test_the_document_leaves_out_the_maps_of_a_scan() -> None:
    jobs = (scanning(blocks=((2, 9),), min_slots=1, max_slots=4), Job("J2", Stage.of(3, 1)))
    document = workload_to_json(Workload("w", jobs, datasets=(CLICKS,)))
    assert document["datasets"] == [
        {"name": "clicks", "blocks": 24, "block_seconds": 2.5, "scan_fraction": 0.8}
    ]
    assert document["jobs"][0] == {
        "name": "J1",
        "dataset": "clicks",
        "min_slots": 1,
        "max_slots": 4,
        "blocks": [[2, 9]],
    }
    assert workload_from_json(document, "w").jobs == jobs


@examples(25)
@given(st.integers(1, 50), st.floats(0.01, 1e6), st.floats(0, 1), st.data())
def test_documents_of_scans_come_back_the_same(
    blocks: int, seconds: float, fraction: float, data: st.DataObject
) -> None:
    dataset = Dataset("d", blocks, seconds, fraction)
    cuts = sorted(data.draw(st.sets(st.integers(0, blocks), max_size=6)))
    ranges = tuple(zip(cuts[::2], cuts[1::2], strict=False))
    job = Job("J", scan_stage(dataset, ranges), dataset="d", blocks=ranges)
    workload = Workload("w", (job,), datasets=(dataset,))
    again = workload_from_json(workload_to_json(workload), "w")
    assert (again.jobs, again.datasets, again.digest) == (workload.jobs, workload.datasets, workload.digest)


def test_the_digest_tells_datasets_apart() -> None:
    workload = Workload("w", (scanning(),), datasets=(CLICKS,))
    for other in (replace(CLICKS, scan_fraction=0.5), replace(CLICKS, name="x")):
        job = replace(scanning(), dataset=other.name)
        assert replace(workload, datasets=(other,), jobs=(job,)).digest != workload.digest


def test_a_dataset_that_is_not_listed_is_a_remark() -> None:
    assert Workload("w", (Job("J", Stage.of(1, 1), dataset="x"),)).jobs[0].dataset == "x"


@pytest.mark.parametrize(
    ("dataset", "sentence"),
    [
        ({"blocks": 0}, "datasets[0].blocks is 0; "),
        ({"block_seconds": 0}, "datasets[0].block_seconds is 0; "),
        ({"scan_fraction": 1.5}, "datasets[0].scan_fraction is 1.5; "),
        ({"block_bytes": 0}, "datasets[0].block_bytes is 0; "),
        ({"blcks": 2}, "datasets[0].blcks"),
    ],
)
def test_datasets_that_break_rules(dataset: dict[str, object], sentence: str) -> None:
    full = {"name": "d", "blocks": 2, "block_seconds": 1} | dataset
    (problem,) = problems_of(document_of({"name": "J", "dataset": "d"}, datasets=[full]))
    assert problem.startswith(sentence)


@pytest.mark.parametrize(
    ("job", "sentence"),
    [
        ({"blocks": [[0, 9]]}, "jobs[0].blocks is [0, 9]; give ascending ranges"),
        ({"blocks": [[2, 3], [1, 2]]}, "jobs[0].blocks is [1, 2]; give ascending ranges"),
        ({"blocks": [[0, 2]], "dataset": "e", "maps": {"count": 1, "durations": 1}}, "jobs[0].blocks"),
        ({"blocks": [[0, 2, 3]]}, "jobs[0].blocks[0]"),
        ({"blocks": 7}, "jobs[0].blocks is 7; give a list"),
        ({"maps": {"count": 3, "durations": 1}}, "jobs[0].maps.count is 3; a job that scans dataset 'd'"),
        ({"maps": {"count": 4, "durations": 2}}, "jobs[0].maps.count is 4; a job that scans dataset 'd'"),
        ({"min_slots": 5, "max_slots": 4}, "jobs[0].max_slots is 4; give 0 <= min_slots <= max_slots"),
        ({"min_slots": 200_000}, "jobs[0].min_slots is 200000"),
        ({"max_slots": 0}, "jobs[0].max_slots is 0"),
        ({"dataset": "e"}, "jobs[0]: a job needs at least one map or reduce task"),
    ],
)
def test_scans_that_break_rules(job: dict[str, object], sentence: str) -> None:
    datasets = [{"name": "d", "blocks": 4, "block_seconds": 1}]
    problems = problems_of(document_of({"name": "J", "dataset": "d"} | job, datasets=datasets))
    assert len(problems) == 1
    assert problems[0].startswith(sentence)


def test_all_problems_are_collected() -> None:
    document = document_of(
        {"name": "J", "dataset": "d"},
        {"name": "K", "dataset": "d", "weight": 0},
        datasets=[
            {"name": "d", "blocks": 4, "block_seconds": 1},
            {"name": "d", "blocks": -1, "block_seconds": 1},
        ],
    )
    assert [problem.split(" ")[0] for problem in problems_of(document)] == [
        "datasets[1].blocks",
        "jobs[1].weight",
    ]


def test_names_of_datasets_are_unique() -> None:
    with pytest.raises(DocumentError, match=r"datasets\[1\].name is 'clicks'; dataset names are unique"):
        Workload("w", (scanning(),), datasets=(CLICKS, CLICKS))


def test_a_dataset_may_be_given_by_its_work() -> None:
    document = document_of(
        {"name": "J", "dataset": "d"},
        datasets=[{"name": "d", "work": 50}, {"name": "e", "blocks": 4, "work": 8}],
    )
    workload = workload_from_json(document, "w")
    assert workload.datasets == (Dataset("d", 100, 0.5), Dataset("e", 4, 2.0))
    assert workload.jobs[0].maps == Stage.of(100, 0.5)


@pytest.mark.parametrize("given", [{}, {"work": 5, "block_seconds": 1}, {"work": 0}])
def test_a_dataset_needs_one_of_the_two(given: dict[str, float]) -> None:
    assert problems_of(document_of({"name": "J", "dataset": "d"}, datasets=[{"name": "d"} | given]))
