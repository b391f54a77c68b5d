"""What an edit waits for until it is safe from a kill: ``python -m benchmarks.journal [--edits N]``.

The processor's time of the window's thread for the record of one edit, and the bytes of it; beside it what
a worker takes for the whole document, and reading it back.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.files.journal import History, Journal, Step, read_journal
from core.files.samples import load_sample
from core.generate.scaling import scale_workload
from core.model.cluster import Cluster
from core.model.document_state import DocumentState
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload

if TYPE_CHECKING:
    from collections.abc import Callable

MAPS = 960_000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=9)
    edits = parser.parse_args().edits
    print(
        "| workload | one job: ms, kB | every job: ms, kB | undo: ms | whole document: ms | reading all: ms |"
    )
    print("| --- | --- | --- | --- | --- | --- |")
    workloads = {
        "five jobs": load_sample("five-jobs"),
        "Facebook, 100 jobs": load_sample("facebook"),
        "12 jobs, 960 000 maps": _drawn(12),
        "10 000 jobs, 960 000 maps": _drawn(10_000),
    }
    for name, workload in workloads.items():
        with tempfile.TemporaryDirectory() as folder:
            print(f"| {name} | {' | '.join(_measured(workload, Path(folder) / 'journal', edits))} |")


def _drawn(jobs: int) -> Workload:
    rng = np.random.default_rng(1)
    maps = MAPS // jobs
    return Workload(
        "Drawn", tuple(Job(f"J{i}", Stage.of(maps, rng.uniform(1, 9, maps))) for i in range(jobs))
    )


def _measured(workload: Workload, path: Path, edits: int) -> list[str]:
    state = DocumentState.new(replace(workload, cluster=Cluster()), (PolicyChoice("fifo"),))
    begun = time.thread_time()
    journal = Journal.begin(path, History(state), {})
    whole = time.thread_time() - begun
    history = journal.history
    steps: list[Step] = []

    def commit(after: Workload) -> None:
        steps.append(Step("Edit", history.state, replace(history.state, workload=after)))

    def timed(prepare: Callable[[int], None], index: Callable[[int], int]) -> tuple[float, float]:
        seconds, size = [], path.stat().st_size
        for edit in range(edits):
            prepare(edit)
            begun = time.thread_time()
            journal.follow(len(steps), index(edit), steps.__getitem__, {})
            seconds.append(time.thread_time() - begun)
        return 1000 * statistics.median(seconds), (path.stat().st_size - size) / edits / 1000

    def edit_one(edit: int) -> None:
        jobs = list(history.state.workload.jobs)
        jobs[edit % len(jobs)] = replace(jobs[edit % len(jobs)], arrival=edit + 0.5)
        commit(history.state.workload.with_jobs(jobs))

    one = timed(edit_one, lambda _: len(steps))
    every = timed(lambda _: commit(scale_workload(history.state.workload, 1.1)), lambda _: len(steps))
    undo = timed(lambda _: None, lambda edit: len(steps) - 1 - edit)
    begun = time.thread_time()
    read_journal(path)
    reading = time.thread_time() - begun
    figures = [f"{ms:.1f}, {size:.1f}" for ms, size in (one, every)]
    return [*figures, f"{undo[0]:.2f}", f"{1000 * whole:.0f}", f"{1000 * reading:.0f}"]


if __name__ == "__main__":
    main()
