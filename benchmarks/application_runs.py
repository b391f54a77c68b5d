"""Table I of 001 on logs at hand: how far runs of one application are apart, and runs of different ones.

    python -m benchmarks.application_runs [LOG...] [--samples 15]

Without logs, the GridMix logs beside the repository. A pair of runs counts for a phase if both have so many
samples of it.
"""

from __future__ import annotations

import argparse
import tempfile
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.markdown import print_table
from core.measures.histogram import symmetric_kl
from core.trace_database.run_comparison import PHASES, phase_samples
from core.trace_database.trace_database import Library, import_into

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.job import Job
    from core.trace_database.run_comparison import Phase

TRACES = Path(__file__).resolve().parents[2] / "shared" / "traces" / "hadoop-mapreduce"
LOGS = ("trace_1m", "trace_3m", "trace_5m", "trace_10m", "2m_stream_trace", "3m_stream_trace")
PUBLISHED = {
    "map": ("0.00 / 0.08 / 0.20", "7.34 / 11.56 / 13.25"),
    "shuffle": ("0.13 / 1.21 / 4.40", "11.31 / 13.05 / 13.49"),
    "reduce": ("0.00 / 0.15 / 0.73", "9.11 / 12.66 / 13.30"),
}
"""Least, average and largest value of Table I over its six applications, and of the text below it."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="*", type=Path)
    parser.add_argument("--samples", type=int, default=15)
    options = parser.parse_args()
    logs = options.logs or [TRACES / f"{name}.json.gz" for name in LOGS]
    if not all(log.exists() for log in logs):
        print("There are no logs to compare; name some.")
        return
    runs = titled_runs(logs)
    print_table(
        f"Symmetric Kullback-Leibler divergence in nats: least / average / largest, {len(runs)} runs",
        ("phase", "one application", "pairs", "published", "different ones", "pairs", "published"),
        [row(phase, runs, options.samples) for phase in PHASES],
    )


def titled_runs(logs: Sequence[Path]) -> list[tuple[str, Job]]:
    """Return every job that has a title, with its application."""
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder) / "library.sqlite") as library:
        for log in logs:
            import_into(library, log)
        templates = [template for template in library.search() if template.application]
        jobs = library.jobs([template.id for template in templates])
    return [(template.application, job) for template, job in zip(templates, jobs, strict=True)]


def row(phase: Phase, runs: Sequence[tuple[str, Job]], fewest: int) -> tuple[str, ...]:
    """Return least, average and largest divergence of pairs of one application and of different ones."""
    enough = [(name, samples) for name, job in runs if len(samples := phase_samples(job)[phase]) >= fewest]
    same: list[float] = []
    different: list[float] = []
    for (one, first), (other, second) in combinations(enough, 2):
        (same if one == other else different).append(symmetric_kl(first, second))
    published = PUBLISHED[phase]
    return (
        phase,
        _three(same),
        str(len(same)),
        published[0],
        _three(different),
        str(len(different)),
        published[1],
    )


def _three(values: list[float]) -> str:
    return f"{min(values):.2f} / {np.mean(values):.2f} / {max(values):.2f}" if values else ""


if __name__ == "__main__":
    main()
