"""Event logs of Spark applications, as short as a test can say them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

STARTED = 1_700_000_000_000


class SparkStage(NamedTuple):
    """A stage: its number, the stages that it reads, and start and end of each task, s."""

    number: int
    parents: tuple[int, ...]
    tasks: tuple[tuple[float, float], ...]


class SparkJob(NamedTuple):
    """A job: when it was submitted and ended, s, its stages, and its pool."""

    submit: float
    end: float
    stages: tuple[SparkStage, ...]
    pool: str = "default"


def _ms(seconds: float) -> int:
    return STARTED + round(1000 * seconds)


def write_application(
    path: Path,
    jobs: Iterable[SparkJob],
    cores: tuple[int, ...] = (2,),
    properties: dict[str, str] | None = None,
    more: Iterable[dict[str, Any]] = (),
) -> Path:
    """Write the log of an application whose executors have these cores, and return its path."""
    events: list[dict[str, Any]] = [
        {"Event": "SparkListenerLogStart", "Spark Version": "3.5.0"},
        {"Event": "SparkListenerApplicationStart", "App ID": "app", "App Name": "nightly", "User": "ann"},
        {"Event": "SparkListenerEnvironmentUpdate", "Spark Properties": properties or {}},
    ]
    events += [
        {
            "Event": "SparkListenerExecutorAdded",
            "Timestamp": STARTED,
            "Executor ID": str(number),
            "Executor Info": {"Host": f"h{number}", "Total Cores": count},
        }
        for number, count in enumerate(cores)
    ]
    for number, job in enumerate(jobs):
        events += _events(number, job)
    path.write_text("\n".join(json.dumps(event) for event in [*events, *more]))
    return path


def _events(number: int, job: SparkJob) -> list[dict[str, Any]]:
    infos = [
        {"Stage ID": stage.number, "Number of Tasks": len(stage.tasks), "Parent IDs": list(stage.parents)}
        for stage in job.stages
    ]
    start: dict[str, Any] = {
        "Event": "SparkListenerJobStart",
        "Job ID": number,
        "Submission Time": _ms(job.submit),
        "Stage Infos": infos,
        "Stage IDs": [stage.number for stage in job.stages],
        "Properties": {"spark.scheduler.pool": job.pool},
    }
    tasks = [
        {
            "Event": "SparkListenerTaskEnd",
            "Stage ID": stage.number,
            "Task End Reason": {"Reason": "Success"},
            "Task Info": {"Index": i, "Host": "h0", "Launch Time": _ms(begin), "Finish Time": _ms(end)},
        }
        for stage in job.stages
        for i, (begin, end) in enumerate(stage.tasks)
    ]
    end = {
        "Event": "SparkListenerJobEnd",
        "Job ID": number,
        "Completion Time": _ms(job.end),
        "Job Result": {"Result": "JobSucceeded"},
    }
    submitted = [{"Event": "SparkListenerStageSubmitted", "Stage Info": info} for info in infos]
    return [start, *submitted, *tasks, end]


DIAMOND = SparkJob(
    0.0,
    12.0,
    (
        SparkStage(0, (), ((0.0, 4.0), (0.0, 4.0))),
        SparkStage(1, (0,), ((4.0, 6.0), (4.0, 6.0))),
        SparkStage(2, (0,), ((6.0, 9.0), (6.0, 9.0))),
        SparkStage(3, (1, 2), ((9.0, 12.0),)),
    ),
)
"""Four stages of which two may run at once, on 2 slots: 12 s; on 4: 4 + 3 + 3 = 10 s."""
AFTER = SparkJob(14.0, 18.0, (SparkStage(4, (), ((14.0, 18.0),)),))
"""A job that the driver submits 2 s after the diamond."""
