"""Fuzz every reader, one after the other, and print what was tried, reached and found.

    python -m tests.fuzz [--seconds 100] [--only PART-OF-A-NAME ...]

`make fuzz` calls it in an environment that has atheris. It ends with 1 if anything was found, else with 0.
Corpora stay in build/fuzz, so that the next run goes on where this one ends; what is found lies there too,
each file with its traceback. Make it small, put it into tests/data/fuzzed, and mend the reader.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import time
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from tests.fuzz.targets import targets
from tests.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = ROOT / "build" / "fuzz"
MAX_BEGINNINGS = 20
"""So often a target is begun anew in its time: memory, and a file that never ends, end its process."""
_STATE = re.compile(r"^#(\d+)\s.*?cov: (\d+) ft: (\d+) corp: (\d+)", re.MULTILINE)


class Tried(NamedTuple):
    """What was done of a target: contents tried, seconds of the processor, and what they reached."""

    executions: int = 0
    seconds: float = 0.0
    places: int = 0
    features: int = 0
    corpus: int = 0


def fuzz(name: str, seconds: float) -> Tried:
    """Fuzz a target for so many seconds by the clock."""
    folder, until, tried = FOLDER / name.replace(" ", "-"), time.monotonic() + seconds, Tried()
    for _ in range(MAX_BEGINNINGS):
        left = int(until - time.monotonic())
        if left <= 0:
            break
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        said = _said(name, folder, left)
        states = _STATE.findall(said)
        if not states:
            print(said, file=sys.stderr)
            break
        took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        executions, *reached = map(int, states[-1])
        tried = Tried(tried.executions + executions, tried.seconds + took, *reached)
    return tried


def _said(name: str, folder: Path, seconds: int) -> str:
    """Return what libFuzzer said while it fuzzed for so long, or until it had to end."""
    with TemporaryDirectory() as scratch:  # a process that libFuzzer ends leaves its temporary files
        command = [sys.executable, "-m", "tests.fuzz.one_target", name, str(folder)]
        answer = subprocess.run(
            [*command, f"-max_total_time={seconds}"],
            cwd=ROOT,
            env=os.environ | {"TMPDIR": scratch, "QT_QPA_PLATFORM": "offscreen"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    return answer.stdout


def findings(name: str) -> list[Path]:
    """Return the files that something was wrong with."""
    kept = (FOLDER / name.replace(" ", "-") / "findings").glob("*")
    return sorted(path for path in kept if path.suffix != ".txt")


def main() -> int:
    """Fuzz all targets, or those that are named."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--seconds", type=float, default=100, help="for each reader (default 100: an hour in all)"
    )
    parser.add_argument(
        "--only", nargs="*", default=[""], help="readers whose names have one of these in them"
    )
    options = parser.parse_args()
    names = [name for name in targets() if any(part in name for part in options.only)]
    print(f"{'reader':28}{'tried':>9}{'cpu s':>8}{'places':>8}{'features':>10}{'corpus':>8}{'findings':>10}")
    found = 0
    for name in names:
        tried = fuzz(name, options.seconds)
        paths = findings(name)
        found += len(paths)
        print(
            f"{name:28}{tried.executions:9}{tried.seconds:8.0f}{tried.places:8}{tried.features:10}"
            f"{tried.corpus:8}{len(paths):10}",
            flush=True,
        )
        for path in paths:
            print(f"    {path.relative_to(ROOT)}", flush=True)
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
