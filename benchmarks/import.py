"""How long an import takes, and how much memory, against doing no more than decoding the file.

    python -m benchmarks.import [--json | --jobs 300000]

Real logs are read from ../shared/traces where they are; a table of 200 000 tasks is made here. Times are of
the processor (medians; an import has one thread), and by the clock (the best). The whole process is
``slotscope import``: Python and its modules are loaded, the log is imported, the document is written. The
memory is the most that Python and numpy held at once during an import, without the interpreter, in a run of
its own; what stays is shown beside it, because a SWIM file has some 40 bytes for a job, and a job is many
times that.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.logs.byte_source import ByteSource
from core.logs.open_log import open_trace

if TYPE_CHECKING:
    from collections.abc import Callable

TRACES = Path(__file__).resolve().parents[2] / "shared" / "traces"
ROWS = 200_000
REPEATS = 5


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--jobs", type=int, help="only logs of so many jobs, in processes of their own")
    options = parser.parse_args()
    if options.jobs:
        _measure_many(options.jobs)
        return
    with tempfile.TemporaryDirectory() as folder:
        rows = [_measure(*log) for log in _logs(Path(folder))]
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    if not TRACES.is_dir():
        print(f"There are no real logs: {TRACES} is not there, so only the table made here is measured.")
    print(
        f"{'log':38}{'MB':>7}{'jobs':>7}{'ms':>8}{'by clock':>10}"
        + f"{'x decoding':>12}{'process':>9}{'by clock':>10}{'peak x file':>13}{'stays x file':>14}"
    )
    for row in rows:
        print(
            f"{row['log']:38}{row['megabytes']:7.1f}{row['jobs']:7}{row['milliseconds']:8.0f}"
            f"{row['milliseconds_by_the_clock']:10.0f}{row['times_decoding']:12.1f}"
            f"{row['process']:9.0f}{row['process_by_the_clock']:10.0f}{row['peak']:13.1f}{row['stays']:14.1f}"
        )


Log = tuple[str, Path, "Callable[[str], Any]"]
"""Name, file, and what decodes it."""


def _logs(folder: Path) -> list[Log]:
    """Return the logs: name, file, and how to decode it without understanding anything."""
    table = folder / "tasks.csv"
    _write_table(table)
    logs: list[tuple[str, Path, Callable[[str], Any]]] = [
        ("table of tasks (made here)", table, _decode_table)
    ]
    if TRACES.is_dir():
        hadoop, swim = TRACES / "hadoop-mapreduce", TRACES / "swim"
        logs += [
            ("Rumen, 19-jobs", hadoop / "19-jobs.trace.json.gz", _decode_stream),
            ("JobTracker history, sample logs", hadoop / "sample-job-tracker-logs.gz", _decode_fields),
            ("Spark, rp_sql", TRACES / "spark-rapids-tools" / "rp_sql_eventlog.gz", _decode_lines),
            ("SWIM, FB-2009", swim / "FB-2009_samples_24_times_1hr_0.tsv", _decode_tabs),
            ("SWIM, FB-2010", swim / "FB-2010_samples_24_times_1hr_0.tsv.gz", _decode_tabs),
        ]
    return logs


def _measure(name: str, path: Path, decode: Callable[[str], Any]) -> dict[str, Any]:
    unpacked = _text(path)
    took = statistics.median(_seconds(lambda: open_trace([path])) for _ in range(REPEATS))
    passed = min(_seconds(lambda: open_trace([path]), time.perf_counter) for _ in range(REPEATS))
    plain = statistics.median(_seconds(lambda: decode(_text(path))) for _ in range(REPEATS))
    tracemalloc.start()
    imported = open_trace([path])
    stays, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    size = len(unpacked.encode())
    process, process_by_the_clock = _whole_process(path)
    return {
        "log": name,
        "megabytes": size / 1e6,
        "jobs": len(imported.workload.jobs),
        "milliseconds": 1000 * took,
        "milliseconds_by_the_clock": 1000 * passed,
        "times_decoding": took / plain,
        "process": process,
        "process_by_the_clock": process_by_the_clock,
        "peak": peak / size,
        "stays": stays / size,
    }


def _whole_process(path: Path) -> tuple[float, float]:
    """Return the milliseconds of ``slotscope import``, of the processor and by the clock (best of 3)."""
    took, passed = [], []
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "explorer",
            "import",
            str(path),
            "--out",
            f"{folder}/o.workload.json",
        ]
        for _ in range(3):
            before, begun = os.times(), time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            passed.append(time.perf_counter() - begun)
            after = os.times()
            used = after.children_user + after.children_system
            took.append(used - before.children_user - before.children_system)
    return 1000 * min(took), 1000 * min(passed)


def _seconds(act: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> float:
    begun = clock()
    act()
    return clock() - begun


def _text(path: Path) -> str:
    return b"".join(ByteSource(path).chunks()).decode()


def _after(blank: re.Pattern[str], text: str, position: int) -> int:
    found = blank.match(text, position)
    return found.end() if found else position


def _decode_stream(text: str) -> None:
    decoder, blank, position = json.JSONDecoder(), re.compile(r"\s*"), 0
    while (position := _after(blank, text, position)) < len(text):
        _, position = decoder.raw_decode(text, position)


def _decode_lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def _decode_fields(text: str) -> list[Any]:
    return re.findall(r'([A-Z_]+)="((?:[^"\\]|\\.)*)"', text)


def _decode_tabs(text: str) -> list[Any]:
    return [tuple(map(int, line.split("\t")[1:6])) for line in text.splitlines()]


def _decode_table(text: str) -> list[Any]:
    return [
        [*row[:3], float(row[3]), float(row[4])] for row in csv.reader(io.StringIO(text)) if row[0] != "job"
    ]


_IMPORT = """
import resource, sys
from pathlib import Path
from core.logs.open_log import open_trace
open_trace([Path(sys.argv[1])])
used = resource.getrusage(resource.RUSAGE_SELF)
file = Path(sys.argv[1]).stat().st_size
taken = 1024 * used.ru_maxrss
seconds = used.ru_utime + used.ru_stime
print(f"{seconds:.1f} s of a processor, {taken / 1e6:.0f} MB, {taken / file:.1f} x the file")
"""


def _measure_many(jobs: int) -> None:
    """Import logs of many small jobs; print the processor's time and all memory of each process."""
    with tempfile.TemporaryDirectory() as folder:
        workload = Path(folder) / "jobs.tsv"
        _write_swim(workload, jobs)
        told = subprocess.run([sys.executable, "-c", _IMPORT, workload], check=True, capture_output=True)
    print(f"SWIM, {jobs} jobs: {told.stdout.decode().strip()}")
    for kind, longer in (("many last equally long", 0), ("all last differently long", 1)):
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "jobs.csv"
            with table.open("w", encoding="utf-8") as file:
                file.write("job,kind,task,start,end,host,shuffle_end,submit,user,pool\n")
                for i in range(jobs):
                    start, end = i / 10, i / 10 + 1 + i % 600 / 10 + i * longer / 1000
                    named = f"{start},u{i % 50},p{i % 20}"
                    file.write(f"job_{i},map,0,{start},{end},node{i % 97},,{named}\n")
                    if i % 2:
                        done = end + 9 + i * longer / 1000
                        file.write(f"job_{i},reduce,0,{end},{done},node{i % 89},{end + 2},{named}\n")
            told = subprocess.run([sys.executable, "-c", _IMPORT, table], check=True, capture_output=True)
        print(f"{jobs} jobs, {kind}: {told.stdout.decode().strip()}")


def _write_swim(path: Path, jobs: int) -> None:
    """Write jobs of all sizes up to 10 GB, of which three in ten have reduces."""
    random = np.random.default_rng(1)
    gap = random.integers(0, 4, jobs)
    read, shuffled, written = (
        np.where(random.random(jobs) < share, 10 ** random.uniform(2, most, jobs), 0).astype(np.int64)
        for share, most in ((0.8, 10), (0.3, 9), (1.0, 9))
    )
    columns = (column.tolist() for column in (np.cumsum(gap), gap, read, shuffled, written))
    with path.open("w", encoding="utf-8") as file:
        for number, row in enumerate(zip(*columns, strict=True)):
            file.write(f"job{number}\t" + "\t".join(map(str, row)) + "\n")


def _write_table(path: Path) -> None:
    random = np.random.default_rng(3)
    starts = random.integers(0, 1_000_000, ROWS) / 1000
    with path.open("w", encoding="utf-8") as file:
        file.write("job,kind,task,start,end,host,shuffle_end\n")
        for i, start in enumerate(starts.tolist()):
            job, task = divmod(i, 1000)
            kind = "map" if task < 800 else "reduce"
            file.write(f"job_{job},{kind},{task},{start},{start + 5.25},node{i % 97},{start + 1}\n")


if __name__ == "__main__":
    main()
