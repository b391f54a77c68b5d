"""Runs applications on the Spark that pyspark's jars are; needs Java. Scala's own compiler is among the jars.

Event logs are kept under build/truth, one folder for each run, with what Spark printed.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.truth.applications import Drawn

SOURCE = Path(__file__).with_name("Application.scala")
RUNS = Path(__file__).resolve().parents[2] / "build" / "truth"
MAX_SECONDS = 150
"""A run takes at most 60 s, and 10 to 40 more until it begins, on a machine that others use as well."""

MEMORY = ("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
OPENED = (
    *("java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util"),
    *(
        "java.util.concurrent",
        "java.util.concurrent.atomic",
        "sun.nio.ch",
        "sun.nio.cs",
        "sun.security.action",
    ),
    "sun.util.calendar",
)
"""Packages of Java that Spark looks into."""


class RunFailed(Exception):
    """Spark did not come to the end; the message names what it printed."""


@dataclass(frozen=True, slots=True)
class Spark:
    """A Spark that can run applications.

    Attributes
    ----------
    home : the folder of pyspark, with `jars` in it
    jar : Application.scala, compiled
    """

    home: Path
    jar: Path

    def run(self, one: Drawn, cores: int, again: int = 0) -> Path:
        """Run an application on so many cores and return its event log.

        Parameters
        ----------
        one : the application
        cores : of all executors together
        again : to keep a repeated run apart from the first

        Raises
        ------
        RunFailed
            it did not end in time, or left no log
        """
        folder = folder_of(one, cores, again)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        description = one.description | {"settings": one.settings_on(cores)}
        if one.pools:
            pools = folder / "fairscheduler.xml"
            pools.write_text(one.fair_scheduler, encoding="utf-8")
            description["settings"]["spark.scheduler.allocation.file"] = f"file://{pools}"
        file = folder / "application.json"
        file.write_text(json.dumps(description), encoding="utf-8")
        opened = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in OPENED]
        words = ("Application", str(file), one.master(cores), str(folder), str(self.jar))
        command = [
            "java",
            *MEMORY,
            *opened,
            "-cp",
            f"{self.jar}{os.pathsep}{self.home / 'jars' / '*'}",
            *words,
        ]
        local = {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(self.home), "SPARK_SCALA_VERSION": "2.12"}
        with (folder / "printed.txt").open("w", encoding="utf-8") as printed:
            _wait(command, os.environ | local, printed.fileno(), folder)
        shutil.rmtree(folder / "scratch", ignore_errors=True)
        log = log_of(folder)
        if one.has_cluster and not one.comes_and_goes:
            log.write_text(without_first_job(log.read_text(encoding="utf-8")), encoding="utf-8")
        return log


def without_first_job(text: str) -> str:
    """Return an event log without its job 0, in which executors load their classes."""
    first: set[int] = set()
    kept = []
    for line in text.splitlines():
        event = json.loads(line)
        if event.get("Job ID") == 0:
            first.update(event.get("Stage IDs", ()))
        elif event.get("Stage ID", event.get("Stage Info", {}).get("Stage ID")) not in first:
            kept.append(line)
    return "\n".join(kept)


def _wait(command: list[str], environment: dict[str, str], printed: int, folder: Path) -> None:
    try:
        ended = subprocess.run(
            command,
            env=environment,
            cwd=folder,
            stdout=printed,
            stderr=printed,
            timeout=MAX_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise RunFailed(
            f"{folder.name} had not ended after {MAX_SECONDS} s; see {folder}/printed.txt"
        ) from None
    if ended.returncode:
        raise RunFailed(f"{folder.name} ended with code {ended.returncode}; see {folder}/printed.txt")


def folder_of(one: Drawn, cores: int, again: int = 0) -> Path:
    """Return where a run is kept; parameters are those of `Spark.run`."""
    return RUNS / f"{one.name}-{cores}{f'-{again}' if again else ''}"


def log_of(folder: Path) -> Path:
    """Return the event log of a run.

    Raises
    ------
    RunFailed
        there is none, or it is not complete
    """
    logs = [each for each in folder.glob("*-*") if each.is_file() and each.suffix != ".inprogress"]
    if len(logs) != 1:
        raise RunFailed(f"{folder.name} left no event log; see {folder}/printed.txt")
    return logs[0]


def prepared() -> Spark:
    """Return Spark with the application compiled, anew if its source is newer.

    Raises
    ------
    RunFailed
        pyspark or Java is missing, or the source does not compile
    """
    found = importlib.util.find_spec("pyspark")
    if found is None or found.origin is None or not shutil.which("java"):
        raise RunFailed("pyspark and Java 17 are needed; 'make truth' installs both")
    home = Path(found.origin).parent
    RUNS.mkdir(parents=True, exist_ok=True)
    jar = RUNS / "application.jar"
    if not jar.exists() or jar.stat().st_mtime < SOURCE.stat().st_mtime:
        jars = os.pathsep.join(map(str, sorted((home / "jars").glob("*.jar"))))
        compiler = ["java", "-cp", str(home / "jars" / "*"), "scala.tools.nsc.Main", "-nobootcp"]
        compiled = subprocess.run([*compiler, "-cp", jars, "-d", str(jar), str(SOURCE)], check=False)
        if compiled.returncode:
            raise RunFailed(f"{SOURCE.name} does not compile; see above")
    return Spark(home, jar)
