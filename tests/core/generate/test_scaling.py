"""Scaled jobs: as many maps as there are splits, reduces by the data that falls on each of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fidelity.history_schedule import history_schedule
from core.files.workload_document import workload_from_json
from core.files.workload_writing import workload_to_json
from core.generate.families import generate
from core.generate.scaling import ReduceRule, scale_job, scale_workload
from core.logs.open_log import open_trace
from core.model.cluster import Cluster
from core.model.errors import DocumentError, InputError
from core.model.job import Dataset, Job, scan_stage
from core.model.workload import Workload
from tests.builders import make_job, make_workload, run
from tests.paths import DATA

TEMPLATE = make_job(
    "J", (4, [1.0, 2.0, 3.0, 4.0]), (2, [10.0, 20.0], [1.0, 2.0], 6.0), arrival=5.0, shuffle_bytes=1e9
)


def test_twice_the_input_by_hand() -> None:
    scaled = scale_job(TEMPLATE, 2)
    assert scaled.maps.task_durations.tolist() == [1, 2, 3, 4, 1, 2, 3, 4]
    assert scaled.reduces.task_durations.tolist() == [20, 40]
    assert scaled.reduces.task_first_shuffle.tolist() == [2, 4]
    assert scaled.reduces.task_typical_shuffle.tolist() == [12, 12]
    assert scaled.shuffle_bytes == 2e9
    assert scaled.arrival == 5


def test_twice_the_input_on_twice_the_reduces_by_hand() -> None:
    scaled = scale_job(TEMPLATE, 2, "scale")
    assert scaled.reduces.task_durations.tolist() == [10, 20, 10, 20]
    assert scaled.reduces.task_first_shuffle.tolist() == [1, 2, 1, 2]
    assert scaled.reduces.task_typical_shuffle.tolist() == [6, 6, 6, 6]


def test_half_the_input_takes_every_second_map() -> None:
    scaled = scale_job(TEMPLATE, 0.5)
    assert scaled.maps.task_durations.tolist() == [1, 3]
    assert scaled.reduces.task_durations.tolist() == [5, 10]


def test_rounded_numbers_of_reduces_keep_the_work() -> None:
    """2 reduces, 1.3 times the input: 2.6, so 3 reduces, each with 2.6 / 3 of the data that one had."""
    scaled = scale_job(TEMPLATE, 1.3, "scale")
    assert scaled.reduces.count == 3
    assert scaled.reduces.typical_shuffle.tolist() == pytest.approx([6 * 2.6 / 3])
    assert scaled.maps.count == 5  # 5.2


def test_a_stage_keeps_a_task_and_an_empty_one_none() -> None:
    tiny = scale_job(TEMPLATE, 0.01)
    assert (tiny.maps.count, tiny.reduces.count) == (1, 2)
    map_only = scale_job(make_job("M", (3, 2.0)), 2, "scale")
    assert (map_only.maps.count, map_only.reduces.count) == (6, 0)
    reduce_only = scale_job(make_job("R", reduces=(3, 2.0)), 2)
    assert (reduce_only.maps.count, reduce_only.reduces.task_durations.tolist()) == (0, [4, 4, 4])


@given(
    st.integers(1, 40),
    st.integers(1, 40),
    st.floats(0.05, 20),
    st.sampled_from(["stay", "scale"]),
)
def test_work_grows_with_the_input(maps: int, reduces: int, factor: float, rule: ReduceRule) -> None:
    job = make_job("J", (maps, 3.0), (reduces, 5.0, 1.0, 2.0))
    scaled = scale_job(job, factor, rule)
    assert abs(scaled.maps.count - max(1, maps * factor)) <= 0.5
    for name in ("task_durations", "task_first_shuffle", "task_typical_shuffle"):
        work = getattr(scaled.reduces, name).sum()
        assert work == pytest.approx(factor * getattr(job.reduces, name).sum())
    assert scale_job(job, 1, rule) == job


def test_only_chosen_jobs_are_scaled_and_the_source_says_so() -> None:
    workload = make_workload(TEMPLATE, make_job("K", (4, 1.0)))
    scaled = scale_workload(workload, 3, jobs=["J"])
    assert scaled.jobs[0] == scale_job(TEMPLATE, 3)
    assert scaled.jobs[1] is workload.jobs[1]
    assert scaled.source == "1 of the jobs scaled to 3 times the input; the number of reduces stayed."
    assert scale_workload(replace(workload, source="A log."), 3, "scale").source == (
        "A log.\nAll jobs scaled to 3 times the input; the number of reduces scaled, too."
    )


def test_a_scaled_workload_is_not_what_was_generated() -> None:
    workload = generate("synthetic2", seed=1, parameters={"jobs": 2})
    assert scale_workload(workload, 2).origin is None


@pytest.mark.parametrize("factor", [0.5, 3])
def test_what_was_recorded_stays_to_be_compared_with(factor: float) -> None:
    workload = open_trace([DATA / "jobtracker-0.20.log"]).workload
    assert workload.recorded is not None
    scaled = workload_from_json(workload_to_json(scale_workload(workload, factor)), "x.json")
    assert scaled.recorded is not None
    before = history_schedule(workload, workload.recorded)
    after = history_schedule(scaled, scaled.recorded)
    assert after.end.tolist() == before.end.tolist()
    assert after.makespan == before.makespan


def test_schedules_grow_as_a_hand_would_say() -> None:
    """4 maps of 1 s on 2 slots take 2 s, a shuffle and a reduce 3 s; with twice the input 4 s and 6 s."""
    workload = make_workload(make_job("J", (4, 1.0), (1, 2.0, 1.0, 1.0)))
    cluster = Cluster(2, 1, 1.0)
    assert run(workload, cluster).makespan == 5
    assert run(scale_workload(workload, 2), cluster).makespan == 10
    assert run(scale_workload(workload, 2, "scale"), cluster).makespan == 4 + 2 * 3


@pytest.mark.parametrize(
    ("factor", "rule", "jobs", "words"),
    [
        (0, "stay", None, "the factor is 0; give a number from 1e-06 to 1e+06"),
        (float("nan"), "stay", None, "the factor is nan"),
        (2, "more", None, "reduces is 'more'; choose one of stay, scale"),
        (2, "stay", [], "no job is chosen"),
        (2, "stay", ["X"], "there is no job 'X' in test"),
    ],
)
def test_bad_choices_get_a_sentence(
    factor: float, rule: ReduceRule, jobs: list[str] | None, words: str
) -> None:
    with pytest.raises(InputError) as caught:
        scale_workload(make_workload(TEMPLATE), factor, rule, jobs)
    assert words in str(caught.value)


def scans() -> Workload:
    dataset = Dataset("D", 10, 2.0)
    parts = ((0, 2), (8, 9))
    jobs = (
        Job("whole", scan_stage(dataset), dataset="D"),
        Job("part", scan_stage(dataset, parts), dataset="D", blocks=parts),
        Job("other", scan_stage(Dataset("E", 4, 1.0)), dataset="E"),
    )
    return Workload("w", jobs, datasets=(dataset, Dataset("E", 4, 1.0)))


def test_datasets_grow_with_the_jobs_that_scan_them() -> None:
    scaled = scale_workload(scans(), 2, jobs=["whole", "part"])
    assert [dataset.blocks for dataset in scaled.datasets] == [20, 4]
    assert [job.maps.count for job in scaled.jobs] == [20, 6, 4]
    assert scaled.jobs[1].blocks == ((0, 4), (16, 18))
    smaller = scale_workload(scans(), 0.2)
    assert [dataset.blocks for dataset in smaller.datasets] == [2, 1]
    assert smaller.jobs[1].blocks == ((0, 2),)  # neighbours now


@given(st.floats(0.01, 30), st.lists(st.integers(0, 10), min_size=2, max_size=6, unique=True))
def test_parts_of_a_dataset_stay_parts_of_it(factor: float, edges: list[int]) -> None:
    dataset = Dataset("D", 10, 2.0)
    cuts = sorted(edges)[: len(edges) // 2 * 2]
    parts = tuple(zip(cuts[::2], cuts[1::2], strict=True))
    job = Job("J", scan_stage(dataset, parts), dataset="D", blocks=parts)
    scaled = scale_workload(Workload("w", (job,), datasets=(dataset,)), factor)  # checks every rule
    share = sum(end - begin for begin, end in parts) / 10
    blocks = scaled.datasets[0].blocks
    assert share * blocks - 1e-9 <= scaled.jobs[0].maps.count <= share * blocks + 2 * len(parts)


def test_a_dataset_that_others_scan_is_refused() -> None:
    with pytest.raises(InputError, match="dataset 'D' is scanned by job 'part', too, which is not chosen"):
        scale_workload(scans(), 2, jobs=["whole"])


def test_too_many_tasks_are_refused() -> None:
    with pytest.raises(DocumentError, match="at most 20000000 tasks"):
        scale_workload(make_workload(make_job("J", (1000, 1.0))), 1e5)


def test_samples_shorter_than_the_stage_stay_shared() -> None:
    scaled = scale_job(make_job("J", (10, [1.0, 2.0])), 0.5)
    assert scaled.maps.task_durations.tolist() == np.resize([1.0, 2.0], 10)[[0, 2, 4, 6, 8]].tolist()
