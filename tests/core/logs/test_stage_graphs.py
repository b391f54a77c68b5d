"""Jobs of a log as graphs of stages, and jobs that follow the one their driver waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.logs.open_log import open_trace
from core.model.job import Link
from core.model.schedule import PolicyChoice
from core.model.task_types import MAP, REDUCE
from core.simulation.simulate import simulate
from tests.written_application import AFTER, DIAMOND, SparkJob, SparkStage, write_application

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.workload import Workload


def opened(tmp_path: Path, *jobs: SparkJob) -> Workload:
    return open_trace([write_application(tmp_path / "app", jobs)]).workload


def test_stages_and_what_they_wait_for_are_those_of_the_log(tmp_path: Path) -> None:
    (job,) = opened(tmp_path, DIAMOND).jobs
    assert [stage.task_durations.tolist() for stage in job.stages] == [[4, 4], [2, 2], [3, 3], [3]]
    assert [job.graph.parents(stage) for stage in range(4)] == [(), (0,), (0,), (1, 2)]
    assert job.graph.task_types == (MAP, REDUCE, REDUCE, REDUCE)
    assert (job.count_of(MAP), job.count_of(REDUCE)) == (2, 5)


def test_stages_are_numbered_as_in_the_log_not_maps_first(tmp_path: Path) -> None:
    stages = (
        SparkStage(0, (), ((0.0, 1.0),)),
        SparkStage(1, (0,), ((1.0, 3.0),)),
        SparkStage(2, (), ((0.0, 5.0),)),
        SparkStage(3, (1, 2), ((5.0, 6.0),)),
    )
    (job,) = opened(tmp_path, SparkJob(0.0, 6.0, stages)).jobs
    assert [stage.durations.tolist() for stage in job.stages] == [[1], [2], [5], [1]]
    assert job.graph.task_types == (MAP, REDUCE, MAP, REDUCE)


def test_what_was_recorded_lies_at_the_stage_and_the_number_of_each_task(tmp_path: Path) -> None:
    workload = opened(tmp_path, DIAMOND, AFTER)
    run, columns = workload.recorded, workload.columns
    assert run is not None
    assert run.graphs is not None
    assert run.graphs.graphs == tuple(job.graph for job in workload.jobs)
    task = columns.stages.first[columns.stages.begin[run.job] + run.stage] + run.task
    assert np.sort(task).tolist() == list(range(len(columns.job)))
    assert (run.end - run.start).tolist() == pytest.approx(columns.duration[task].tolist())


def test_a_job_follows_the_one_that_had_ended_last(tmp_path: Path) -> None:
    """The think time is from the end of the last task, as the model has no other end of a job."""
    late = DIAMOND._replace(end=12.5)
    first, second = opened(tmp_path, late, AFTER).jobs
    assert second.after == (Link(first.name, 2.0, inferred=True),)
    assert (first.after, second.arrival) == ((), 0.0)


def test_a_job_that_came_before_any_had_ended_comes_when_the_log_says(tmp_path: Path) -> None:
    early = SparkJob(3.0, 13.0, (SparkStage(4, (), ((12.0, 13.0),)),))
    third = SparkJob(13.5, 15.0, (SparkStage(5, (), ((13.5, 15.0),)),))
    first, second, last = opened(tmp_path, DIAMOND, early, third).jobs
    assert (second.after, second.arrival) == ((), 3.0)
    assert last.after == (Link(second.name, 0.5, inferred=True),)
    assert first.after == ()


@pytest.mark.parametrize(
    ("begins", "link"), [(1.0, Link("job 0 (app)", 5.0, True)), (4.0, Link("job 1 (app)", 1.0, True))]
)
def test_pools_whose_jobs_run_at_once_are_threads(tmp_path: Path, begins: float, link: Link) -> None:
    """The third job is of the first one's pool; it follows the second only if one thread may have run all."""
    pools = zip("xyx", ((0.0, 4.0), (begins, 8.0), (9.0, 10.0)), strict=True)
    jobs = [
        SparkJob(begin, end, (SparkStage(number, (), ((begin, end),)),), pool)
        for number, (pool, (begin, end)) in enumerate(pools)
    ]
    assert opened(tmp_path, *jobs).jobs[2].after == (link,)


def test_the_engine_gives_the_recorded_ends_on_the_recorded_slots(tmp_path: Path) -> None:
    workload = opened(tmp_path, DIAMOND, AFTER)
    assert workload.cluster.containers == 2
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    assert schedule.finish.tolist() == [12, 18]


def test_a_stage_that_waits_for_a_later_one_leaves_maps_and_reduces(tmp_path: Path) -> None:
    stages = (SparkStage(0, (1,), ((1.0, 2.0),)), SparkStage(1, (), ((0.0, 1.0),)))
    (job,) = opened(tmp_path, SparkJob(0.0, 2.0, stages)).jobs
    assert len(job.stages) == 2
    assert [stage.durations.tolist() for stage in job.stages] == [[1], [1]]
    assert job.graph.parents(1) == (0,)
