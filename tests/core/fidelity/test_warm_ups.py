"""First tasks of new executors are told from the others, and their extra time is left out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.fidelity.open_application import open_application
from core.fidelity.prediction import DEMAND, cluster_of, predict
from core.fidelity.warm_ups import first_on_slots
from core.logs.open_log import open_trace
from tests.written_application import STARTED, SparkJob, SparkStage, write_application

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.executors_on_demand import ExecutorsOnDemand

ON = {
    "spark.dynamicAllocation.enabled": "true",
    "spark.dynamicAllocation.minExecutors": "1",
    "spark.dynamicAllocation.executorIdleTimeout": "2min",
    "spark.dynamicAllocation.schedulerBacklogTimeout": "1500ms",
}
LATER = {
    "Event": "SparkListenerExecutorAdded",
    "Timestamp": STARTED + 4000,
    "Executor ID": "9",
    "Executor Info": {"Host": "h0", "Total Cores": 2},
}
JOB = SparkJob(
    0.0, 9.0, (SparkStage(0, (), ((0.0, 3.0), (0.0, 3.0), (3.0, 6.0), (3.0, 6.0), (4.0, 8.0), (4.0, 9.0))),)
)
"""Two tasks at 0 s and two at 3 s on two cores, two at 4 s on two more that came then."""


def _written(path: Path, properties: dict[str, str]) -> Path:
    """Write the log with what each task ran: first tasks were slow to begin, by 1 s, the others by 0.1 s."""
    log = write_application(path / "app", (JOB,), (2,), properties, [])
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    lines.insert(4, LATER)
    for line in lines:
        if line["Event"] == "SparkListenerTaskEnd":
            info = line["Task Info"]
            is_first = info["Launch Time"] - STARTED in (0, 4000)
            info["Executor ID"] = "9" if info["Launch Time"] == STARTED + 4000 else "0"
            took = info["Finish Time"] - info["Launch Time"]
            line["Task Metrics"] = {"Executor Run Time": took - (1000 if is_first else 100)}
        if line["Event"] == "SparkListenerApplicationStart":
            line["Timestamp"] = STARTED - 3000
    log.write_text("\n".join(map(json.dumps, lines)))
    return log


def _demand(path: Path, properties: dict[str, str]) -> ExecutorsOnDemand:
    run = open_trace([_written(path, properties)]).workload.recorded
    assert run is not None
    assert run.on_demand is not None
    return run.on_demand


def test_what_the_settings_and_the_first_tasks_say(tmp_path: Path) -> None:
    demand = _demand(tmp_path, ON)
    assert (demand.least, demand.initial, demand.idle, demand.backlog, demand.sustained) == (
        1,
        1,
        120,
        1.5,
        1.5,
    )
    assert demand.start == 3.0
    assert demand.warm_up == pytest.approx(0.9)
    assert demand.keeps_shuffles


@pytest.mark.parametrize(
    "properties",
    [{}, {"spark.dynamicAllocation.enabled": "false"}, {"spark.dynamicAllocation.enabled": "on"}],
)
def test_executors_that_are_not_asked_for(tmp_path: Path, properties: dict[str, str]) -> None:
    run = open_trace([_written(tmp_path, properties)]).workload.recorded
    assert run is not None
    assert run.on_demand is None


@pytest.mark.parametrize(("text", "seconds"), [("45", 45.0), ("2m", 120.0), ("1h", 3600.0), ("soon", 60.0)])
def test_times_as_spark_writes_them(tmp_path: Path, text: str, seconds: float) -> None:
    assert _demand(tmp_path, ON | {"spark.dynamicAllocation.executorIdleTimeout": text}).idle == seconds


def test_a_service_for_shuffles_lets_executors_go(tmp_path: Path) -> None:
    settings = ON | {"spark.shuffle.service.enabled": "true"}
    assert not _demand(tmp_path, settings).keeps_shuffles


def test_first_tasks_on_executors_that_came_take_less(tmp_path: Path) -> None:
    application = open_application([_written(tmp_path, ON)])
    run = application.workload.recorded
    assert run is not None
    firsts = first_on_slots(run, application.workload.cluster.slot_times)
    assert run.start[firsts].tolist() == [4.0, 4.0]
    np.testing.assert_allclose(
        sorted(application.workload.columns.duration.tolist()), sorted([3.0] * 4 + [3.1, 4.1])
    )


def test_a_cluster_of_another_size_has_the_executors_asked_for(tmp_path: Path) -> None:
    application = open_application([_written(tmp_path, ON)])
    cluster = cluster_of(application, 6)
    assert cluster.containers == 2
    # asked for after 1.5 s, there 2.5 s later, as the second one in the log, and of full use 0.9 s after that
    (other,) = cluster.slot_times
    assert other.slots == 2
    assert other.opens == pytest.approx(4.9)
    found = predict(application, 6)
    assert DEMAND in found.not_known
    assert found.low_seconds < found.predicted_seconds < found.high_seconds


def test_executors_that_are_not_there_cost_nothing(tmp_path: Path) -> None:
    """Two slots from the start, two more from 4.9 s on."""
    found = predict(open_application([_written(tmp_path, ON)]), 6)
    assert found.slot_seconds == pytest.approx(
        2 * found.predicted_seconds + 2 * (found.predicted_seconds - 4.9)
    )


def test_executors_that_were_there_unasked_are_believed(tmp_path: Path) -> None:
    """Where more were there than the settings would have asked for, they open as they did in the log."""
    many = SparkJob(0.0, 2.0, (SparkStage(0, (), tuple((1.0, 2.0) for _ in range(16))),))
    settings = ON | {"spark.dynamicAllocation.schedulerBacklogTimeout": "60s"}
    log = write_application(tmp_path / "app", (many,), (2,), settings)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    more = [LATER | {"Executor ID": str(number), "Timestamp": STARTED + 1000} for number in range(9, 16)]
    log.write_text("\n".join(map(json.dumps, [*lines[:4], *more, *lines[4:]])))
    application = open_application([log])
    assert application.recorded_slots == 16
    assert [(each.slots, each.opens) for each in cluster_of(application, 16).slot_times] == [(14, 1.0)]
    assert DEMAND not in predict(application, 16).not_known
