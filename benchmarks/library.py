"""How long the trace library takes with 25 000 jobs, against asking every template in Python.

    python -m benchmarks.library [--json]

The jobs are made here. Times are of the processor, medians; adding is one transaction, and waiting for the
disk is not in it. "In Python" does the same with all templates in memory, as a list. A page is what the
window's table reads when somebody scrolls to it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.files.open_workload import Opened
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from core.trace_database.search import RunSearch
from core.trace_database.trace_database import Library

if TYPE_CHECKING:
    from collections.abc import Callable

JOBS = 25_000
PAGE = 200
REPEATS = 9


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = _measure(Path(folder) / "library.sqlite")
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{'trace library of 25 000 jobs':44}{'ms':>8}{'in Python':>11}{'x':>7}")
    for row in rows:
        plain = row["in_python"]
        beside = f"{plain:11.1f}{plain / row['milliseconds']:7.1f}" if plain else ""
        print(f"{row['what']:44}{row['milliseconds']:8.1f}{beside}")


def _measure(path: Path) -> list[dict[str, Any]]:
    log = _log()
    with Library.open(path) as library:
        adding = _seconds(lambda: library.add(log))
        again = _seconds(lambda: library.add(log))
        every = library.search()
        word, large = RunSearch(text="job12 SORT"), RunSearch(min_tasks=100, sort="work", descending=True)
        ids = library.ids()
        asked = (
            ("two words, the ids", lambda: library.ids(word), lambda: _named(every, "job12", "sort")),
            ("100 tasks and more by work, the ids", lambda: library.ids(large), lambda: _large(every)),
            ("all ids", library.ids, None),
            ("a page of 200 rows", lambda: library.listed(ids[9000 : 9000 + PAGE]), None),
            ("the samples of 200 jobs", lambda: library.jobs(ids[9000 : 9000 + PAGE]), None),
        )
        rows = [_row("adding all", adding), _row("adding all again", again)]
        rows += [_row(what, _median(ask), _median(plain) if plain else 0.0) for what, ask, plain in asked]
    return rows


def _row(what: str, seconds: float, in_python: float = 0.0) -> dict[str, Any]:
    return {"what": what, "milliseconds": 1000 * seconds, "in_python": 1000 * in_python}


def _log() -> Opened:
    random = np.random.default_rng(5)
    tasks = random.integers(1, 400, (JOBS, 2)).tolist()
    kinds = ("Sort", "WordCount", "TF-IDF", "Bayes")
    jobs = tuple(
        Job(
            f"job{i} {kinds[i % 4]}",
            Stage.of(maps, random.lognormal(3, 0.4, 8)),
            Stage.of(reduces, random.lognormal(2, 0.4, 8), 1.0, 4.0),
            arrival=float(i),
            user=f"user{i % 17}",
        )
        for i, (maps, reduces) in enumerate(tasks)
    )
    return Opened(Workload("benchmark", jobs), "document")


def _named(every: Any, *words: str) -> list[int]:
    return [t.id for t in every if all(word in f"{t.name}\n{t.title}".casefold() for word in words)]


def _large(every: Any) -> list[int]:
    return [t.id for t in sorted((t for t in every if t.tasks >= 100), key=lambda t: -t.work)]


def _median(act: Callable[[], Any]) -> float:
    return statistics.median(_seconds(act) for _ in range(REPEATS))


def _seconds(act: Callable[[], Any]) -> float:
    begun = time.process_time()
    act()
    return time.process_time() - begun


if __name__ == "__main__":
    main()
