"""The real Spark History Server, which comes with pyspark (the extra "truth") and needs Java."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from core.logs.open_log import open_trace
from core.model.errors import InputError
from core.servers.attach import attached, import_from
from core.servers.server import WantedApplications
from tests.core.servers.spark_answers import HOUR, job, log_of
from tests.written_application import STARTED

if TYPE_CHECKING:
    from collections.abc import Iterator

PYSPARK = importlib.util.find_spec("pyspark")
NEEDS = "a real Spark History Server needs pyspark (pip install 'slotscope[truth]') and Java 17"
pytestmark = pytest.mark.skipif(PYSPARK is None or shutil.which("java") is None, reason=NEEDS)

MAX_SECONDS = 120
"""Until the server has read its logs, on a machine that others use as well."""
EMPTY: dict[str, dict] = {
    name: {}
    for name in (
        *("JVM Information", "Spark Properties", "Hadoop Properties"),
        *("System Properties", "Metrics Properties", "Classpath Entries"),
    )
}
"""What an environment has besides, without which the server does not read on."""


class RealServer(NamedTuple):
    """A history server that runs.

    Attributes
    ----------
    url : its address
    logs : the folder that it looks at
    """

    url: str
    logs: Path


def write_log(folder: Path, name: str, begin: float, *, has_ended: bool = True) -> Path:
    """Write a log as Spark itself names and fills it, as far as its history server looks."""
    start = {
        "Event": "SparkListenerApplicationStart",
        "App ID": name,
        "App Name": f"nightly {name}",
        "User": "ann",
        "Timestamp": STARTED + round(1000 * begin),
    }
    environment = {"Event": "SparkListenerEnvironmentUpdate"} | EMPTY
    end = {"Event": "SparkListenerApplicationEnd", "Timestamp": STARTED + round(1000 * begin) + 9000}
    whole = {each["Event"]: each for each in (start, environment)}
    events = [json.loads(line) for line in log_of(folder, name, job(begin)).decode().splitlines()]
    events = [whole.get(each["Event"], each) for each in events] + [end] * has_ended
    lines = [json.dumps(each, separators=(",", ":")) for each in events]  # blanks it would not understand
    path = folder / (name if has_ended else f"{name}.inprogress")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """Start a history server on three logs, and wait until it lists them."""
    folder = tmp_path_factory.mktemp("history")
    logs = folder / "logs"
    logs.mkdir()
    for number in range(2):
        write_log(logs, f"app-2023111422-000{number}", 3600 * number)
    write_log(logs, "app-2023111422-0002", 7200, has_ended=False)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = Path(str(PYSPARK.origin)).parent
    options = {"fs.logDirectory": logs.as_uri(), "ui.port": port, "fs.update.interval": "1s"}
    command = ["java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    command += [f"-Dspark.history.{name}={value}" for name, value in options.items()]
    command += ["-cp", str(home / "jars" / "*"), "org.apache.spark.deploy.history.HistoryServer"]
    with (folder / "printed.txt").open("w") as printed:
        local = os.environ | {"SPARK_LOCAL_IP": "127.0.0.1"}
        server = subprocess.Popen(command, stdout=printed, stderr=printed, env=local, cwd=folder)
        try:
            found = RealServer(f"http://127.0.0.1:{port}", logs)
            wait_for(found, 3, server)
            yield found
        finally:
            server.terminate()
            server.wait()


def wait_for(real: RealServer, count: int, server: subprocess.Popen | None = None) -> None:
    """Wait until the server lists so many applications."""
    for _ in range(2 * MAX_SECONDS):
        assert server is None or server.poll() is None, "the server has ended"
        try:
            with attached([real.url]) as servers:
                if len(servers.listing(WantedApplications()).applications) == count:
                    return
        except InputError:
            pass  # it does not answer yet
        time.sleep(0.5)
    pytest.fail(f"the server did not list {count} applications")


def test_it_is_found_and_lists_its_applications(real: RealServer) -> None:
    with attached([real.url]) as servers:
        listing = servers.listing(WantedApplications())
    assert listing.kinds == ("Spark History Server",)
    found = [(each.id, each.user, each.started, each.ended is None) for each in listing.applications]
    assert found == [
        ("app-2023111422-0002", "ann", STARTED + 2 * HOUR, True),
        ("app-2023111422-0001", "ann", STARTED + HOUR, False),
        ("app-2023111422-0000", "ann", STARTED, False),
    ]


@pytest.mark.parametrize(
    ("wanted", "ends"),
    [
        (WantedApplications(state="running"), ["2"]),
        (WantedApplications(state="completed"), ["1", "0"]),
        (WantedApplications(begin=STARTED + HOUR), ["2", "1"]),
        (WantedApplications(begin=STARTED + HOUR + 1), ["2"]),
        (WantedApplications(end=STARTED + HOUR), ["0"]),
        (WantedApplications(begin=STARTED, end=STARTED + 1), ["0"]),
    ],
)
def test_it_filters_as_we_do(real: RealServer, wanted: WantedApplications, ends: list[str]) -> None:
    with attached([real.url]) as servers:
        assert [each.id[-1] for each in servers.listing(wanted).applications] == ends


def test_what_it_zips_is_what_lies_on_its_disk(real: RealServer, tmp_path: Path) -> None:
    imported, fetched, _ = import_from([real.url], WantedApplications(), tmp_path)
    direct = open_trace([real.logs]).workload
    assert fetched.problems == ()
    assert imported.workload.jobs == direct.jobs
    assert [each.arrival for each in imported.workload.jobs] == [0.0, 3600.0, 7200.0]


def test_only_what_is_new_is_fetched(real: RealServer, tmp_path: Path) -> None:
    ended = WantedApplications(state="completed")
    assert import_from([real.url], ended, tmp_path)[1].news == 2
    assert import_from([real.url], ended, tmp_path)[1].news == 0
    added = write_log(real.logs, "app-2023111422-0009", 9000)
    try:
        wait_for(real, 4)
        imported, fetched, _ = import_from([real.url], ended, tmp_path)
        assert (fetched.news, len(imported.workload.jobs)) == (1, 3)
    finally:
        added.unlink()
        wait_for(real, 3)


def test_an_application_that_it_does_not_have(real: RealServer, tmp_path: Path) -> None:
    with attached([real.url]) as servers:
        known = servers.listing(WantedApplications()).applications[0]
        with pytest.raises(InputError, match="it gives no event log of app-0"):
            servers.fetch([replace(known, id="app-0")], tmp_path)
