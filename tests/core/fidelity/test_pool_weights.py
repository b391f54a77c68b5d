"""Weights of pools are found again in the log of a run that had them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.fidelity.open_application import MAX_POOLS, open_application, pools_as_recorded
from core.fidelity.prediction import predict
from core.model.cluster import Cluster
from core.model.errors import Cancelled
from core.model.pool import Pool
from core.simulation.simulate import simulate
from tests.written_application import SparkJob, SparkStage, write_application

if TYPE_CHECKING:
    from pathlib import Path

    from core.fidelity.prediction import LoggedApplication


def application(path: Path, jobs: list[SparkJob]) -> LoggedApplication:
    return open_application([write_application(path, jobs, (8,), {"spark.scheduler.mode": "FAIR"})])


def run_with(path: Path, weights: dict[str, float]) -> LoggedApplication:
    """Return the log of a run on 8 slots: two jobs of 60 tasks of 1 s in each of two pools."""
    stages = [SparkStage(number, (), ((0.0, 1.0),) * 60) for number in range(4)]
    plain = application(path, [SparkJob(0.0, 1.0, (stage,), "ab"[stage.number % 2]) for stage in stages])
    workload = plain.workload.with_pools([Pool(name, weight=weight) for name, weight in weights.items()])
    schedule = simulate(workload, Cluster(0, 0, 1.0, containers=8), plain.policy)
    rows: list[list[tuple[float, float]]] = [[] for _ in stages]
    columns = workload.columns
    for job, start, end in zip(
        columns.job.tolist(), schedule.start.tolist(), schedule.end.tolist(), strict=True
    ):
        rows[job].append((start, end))
    jobs = [
        SparkJob(0.0, max(tasks)[1], (SparkStage(number, (), tuple(tasks)),), "ab"[number % 2])
        for number, tasks in enumerate(rows)
    ]
    return application(path, jobs)


@pytest.mark.parametrize("weights", [{"a": 1.0, "b": 3.0}, {"a": 3.0, "b": 1.0}])
def test_what_made_the_run_is_found(tmp_path: Path, weights: dict[str, float]) -> None:
    logged = run_with(tmp_path / "app", weights)
    assert {pool.name: pool.weight for pool in logged.workload.pool_settings} == weights
    assert predict(logged, 8).predicted_seconds == pytest.approx(logged.recorded_seconds)


def test_pools_alike_have_no_weights(tmp_path: Path) -> None:
    assert run_with(tmp_path / "app", {}).workload.pool_settings == ()


def test_many_pools_are_left_alike(tmp_path: Path) -> None:
    jobs = [
        SparkJob(0.0, 9.0, (SparkStage(number, (), ((0.0, 1.0), (number / 2, 9.0))),), f"p{number}")
        for number in range(MAX_POOLS + 1)
    ]
    assert application(tmp_path / "app", jobs).workload.pool_settings == ()


def test_it_can_be_cancelled(tmp_path: Path) -> None:
    logged = run_with(tmp_path / "app", {})
    with pytest.raises(Cancelled):
        pools_as_recorded(logged.workload, logged.workload.cluster, logged.policy, should_stop=lambda: True)
