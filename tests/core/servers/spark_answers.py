"""What a Spark History Server answers, as one of Spark 3.5 did; its logs are as short as can be."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tests.core.servers.recorded_server import Answer, as_json
from tests.written_application import STARTED, SparkJob, SparkStage, write_application

if TYPE_CHECKING:
    from pathlib import Path

HOUR = 3_600_000


def job(begin: float, tasks: int = 2, seconds: float = 4.0, stage: int = 0) -> SparkJob:
    """Return a job of one stage of this number, whose tasks run beside one another."""
    only = SparkStage(stage, (), ((begin, begin + seconds),) * tasks)
    return SparkJob(begin, begin + seconds, (only,))


def log_of(folder: Path, name: str, *jobs: SparkJob) -> bytes:
    """Return the event log of an application, as it runs."""
    path = write_application(folder / f"{name}.log", jobs)
    text = path.read_text().replace('"App ID": "app"', f'"App ID": "{name}"')
    path.unlink()
    return text.encode()


def ended(log: bytes) -> bytes:
    """Return the log with the application's end."""
    end = {"Event": "SparkListenerApplicationEnd", "Timestamp": STARTED}
    return log + b"\n" + json.dumps(end).encode() + b"\n"


def zipped(log: bytes, name: str) -> Answer:
    """Return an event log as the server zips it."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, log)
    return Answer(file.getvalue(), kind="application/octet-stream")


def listed(
    name: str, begin: float, end: float | None, user: str = "ann", attempt: str = "", stamp: int = 1
) -> dict[str, Any]:
    """Return an application of the list; times are seconds since `STARTED`."""
    started, over = STARTED + round(1000 * begin), -1 if end is None else STARTED + round(1000 * end)
    attempts = {
        "startTime": f"{datetime.fromtimestamp(started / 1000, UTC):%Y-%m-%dT%H:%M:%S.000}GMT",
        "lastUpdated": "2023-11-14T22:13:20.000GMT",
        "duration": 0 if end is None else over - started,
        "sparkUser": user,
        "completed": end is not None,
        "appSparkVersion": "3.5.9",
        "startTimeEpoch": started,
        "endTimeEpoch": over,
        "lastUpdatedEpoch": STARTED + stamp,
    } | ({"attemptId": attempt} if attempt else {})
    return {"id": name, "name": f"nightly {name}", "attempts": [attempts]}


def night(folder: Path) -> dict[str, Any]:
    """Return a server with two applications that have ended and one that runs, an hour apart."""
    logs = "/api/v1/applications/{}/logs".format
    return {
        "/api/v1/version": as_json({"spark": "3.5.9"}),
        "/api/v1/applications": as_json(
            [
                listed("app-1", 0, 10),
                listed("app-2", 3600, 3620, user="bob", attempt="1"),
                listed("app-3", 7200, None),
            ]
        ),
        logs("app-1"): zipped(ended(log_of(folder, "app-1", job(0))), "app-1"),
        logs("app-2/1"): zipped(ended(log_of(folder, "app-2", job(3600, 3))), "app-2_1"),
        logs("app-3"): zipped(log_of(folder, "app-3", job(7200)), "app-3.inprogress"),
    }
