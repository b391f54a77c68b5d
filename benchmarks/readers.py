"""How much memory and how many seconds of the processor each reader of logs takes for a million rows.

    python -m benchmarks.readers [--rows 1000000] [--only swf ...] [--file LOG ...]

Logs are made here, and read by processes of their own, one after the other. Peak memory is the most that
such a process held, with the 40 MB of Python and its modules; seconds are of the processor, with the start of
Python.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROWS = 1_000_000
ROWS_AT_ONCE = 1 << 14

_IMPORT = """
import resource, sys
from pathlib import Path
from core.logs.open_log import open_trace

imported = open_trace([Path(sys.argv[1])])
used = resource.getrusage(resource.RUSAGE_SELF)
record = imported.workload.recorded
print(
    used.ru_maxrss * 1024 / 1e6,
    used.ru_utime + used.ru_stime,
    len(imported.workload.jobs),
    0 if record is None else record.attempts,
)
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS, help="of each log that is made")
    parser.add_argument("--only", nargs="+", choices=LOGS, default=list(LOGS), help="which of them")
    parser.add_argument("--file", nargs="+", type=Path, default=[], help="logs to read instead")
    options = parser.parse_args()
    print(
        f"{'log':24}{'rows':>9}{'jobs':>9}{'attempts':>9}{'file MB':>9}{'peak MB':>9}{'x file':>8}"
        f"{'seconds':>9}{'rows/s':>11}"
    )
    for path in options.file:
        _measure(path.name, path)
    for name in [] if options.file else options.only:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            with path.open("w", encoding="utf-8") as file:
                for lines in LOGS[name](options.rows):
                    file.write("".join(f"{line}\n" for line in lines))
            _measure(name, path)


def _measure(name: str, path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _IMPORT, path], stdout=subprocess.PIPE, text=True, check=True
    )
    peak, seconds, jobs, attempts = map(float, done.stdout.split())
    size = path.stat().st_size / 1e6
    with path.open("rb") as file:
        rows = sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))
    print(
        f"{name:24}{rows:9}{jobs:9.0f}{attempts:9.0f}{size:9.0f}{peak:9.0f}{peak / size:8.1f}"
        f"{seconds:9.1f}{rows / seconds:11.0f}",
        flush=True,
    )


def _parts(rows: int) -> Iterator[tuple[range, np.random.Generator]]:
    """Yield rows in parts, each with random numbers of its own."""
    for begin in range(0, rows, ROWS_AT_ONCE):
        yield range(begin, min(begin + ROWS_AT_ONCE, rows)), np.random.default_rng(begin)


def _table(rows: int, tasks: int) -> Iterator[Sequence[str]]:
    """Yield a table of jobs of so many tasks, of which a fifth are reduces behind all maps."""
    yield ["job,kind,task,start,end,host,shuffle_end,user,pool"]
    for some, random in _parts(rows):
        waits, takes = (random.integers(1, most, len(some)).tolist() for most in (60_000, 90_000))
        yield [
            f"job_{i // tasks},{kind},{i % tasks},{start / 1000},{(start + take) / 1000},node{i % 97},"
            f"{(start + take // 2) / 1000 if kind == 'reduce' else ''},u{i // tasks % 50},p{i // tasks % 9}"
            for i, wait, take in zip(some, waits, takes, strict=True)
            for kind in ("map" if i % tasks < max(0.8 * tasks, 1) else "reduce",)
            for start in (i // tasks * 1000 + wait + 150_000 * (kind == "reduce"),)
        ]


def _swf(rows: int) -> Iterator[Sequence[str]]:
    yield ["; Version: 2.2", "; MaxProcs: 4096", "; UnixStartTime: 1000000000"]
    for some, random in _parts(rows):
        columns = (
            random.integers(*ends, len(some)).tolist() for ends in ((0, 500), (1, 20_000), (0, 6), (1, 300))
        )
        yield [
            f"{i + 1:7} {9 * i:9} {wait:6} {run:6} {1 << power:4} {0.9 * run:.2f} -1 {1 << power:4} "
            f"{2 * run:6} -1 {1 if i % 9 else 5} {user:4} {user % 30:3} {i % 199:3} {i % 4 + 1} 1 -1 -1"
            for i, wait, run, power, user in zip(some, *columns, strict=True)
        ]


def _sacct(rows: int) -> Iterator[Sequence[str]]:
    yield ["JobID|JobName|User|Partition|Submit|Start|End|Elapsed|State|AllocCPUS"]
    for some, random in _parts(rows):
        columns = (random.integers(*ends, len(some)) for ends in ((0, 500), (1, 20_000), (0, 5)))
        wait, run, power = columns
        submit = np.datetime64("2024-01-01T00:00:00") + 9 * np.array(some)
        times = (
            np.datetime_as_string(each).tolist() for each in (submit, submit + wait, submit + wait + run)
        )
        lengths = [f"{each // 3600:02}:{each // 60 % 60:02}:{each % 60:02}" for each in run.tolist()]
        yield [
            f"{i + 1}|app{i % 199}|u{i % 50}|long|{submitted}|{start}|{end}|{length}|COMPLETED|{1 << held}"
            for i, submitted, start, end, length, held in zip(
                some, *times, lengths, power.tolist(), strict=True
            )
        ]


def _swim(rows: int) -> Iterator[Sequence[str]]:
    for some, random in _parts(rows):
        columns = [
            (10 ** random.uniform(2, most, len(some))).astype(np.int64).tolist() for most in (10, 9, 9)
        ]
        yield [
            "\t".join(map(str, (f"job{i}", 2 * i, 2, read, shuffled if i % 3 else 0, written)))
            for i, read, shuffled, written in zip(some, *columns, strict=True)
        ]


def _alibaba(rows: int) -> Iterator[Sequence[str]]:
    for some, random in _parts(rows):
        takes = random.integers(1, 900, len(some)).tolist()
        yield [
            f"{'R2_1' if i % 4 == 3 else 'M1'},{1 + i % 3},j_{i // 4},1,Terminated,{begin},{begin + take},"
            "100.00,0.5"
            for i, take in zip(some, takes, strict=True)
            for begin in (86_400 + i // 4 + 1000 * (i % 4 == 3),)
        ]


LOGS: dict[str, Callable[[int], Iterator[Sequence[str]]]] = {
    "table-of-large-jobs": lambda rows: _table(rows, 1000),
    "table-of-small-jobs": lambda rows: _table(rows, 1),
    "swf": _swf,
    "sacct": _sacct,
    "swim": _swim,
    "alibaba": _alibaba,
}
"""Names of logs, and what yields their lines."""


if __name__ == "__main__":
    main()
