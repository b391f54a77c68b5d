"""What it costs to run a study beside its simulations: executors, the driver's memory, a scheduler's part.

    python -m benchmarks.study_runs                  # all parts, some minutes
    python -m benchmarks.study_runs --parts memory   # or workers, scheduler

`workers` runs the same cells of about 10 ms in a plain loop, on one and two processes and on two local Dask
workers. `memory` hands a million rows through the driver. `scheduler` sends 100 000 cells that do nothing
through a Dask scheduler, in small batches, as many at a time as for 1000 workers: its part is left.
"""

from __future__ import annotations

import argparse
import pickle
import resource
import tempfile
import time
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from benchmarks.markdown import percent, print_table
from core.study import run_study as driver
from core.study.batches import BatchDone, run_batch, schema_of
from core.study.cell_run import CellRunner
from core.study.cells import KEY_BYTES, Cells
from core.study.executors import DaskWorkers, dask, processes
from core.study.result_folder import part_paths
from core.study.run_study import run_study
from core.study.study import Axis, Study

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.study.batches import Shared, Spans

PARTS = ("workers", "memory", "scheduler")
POLICIES = ("fifo", "johnson", "fair", "sjf", "longest-task")
SLOWSTARTS = tuple(step / 20 for step in range(1, 21))
MILLION, NO_OPS, ROWS_OF_NO_OPS, WORKERS_MEANT = 1_000_000, 100_000, 10, 1000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--repetitions", type=int, default=10, help="times 100 cells, of about 10 ms each")
    options = parser.parse_args()
    if "workers" in options.parts:
        workers(options.repetitions)
    if "memory" in options.parts:
        memory()
    if "scheduler" in options.parts:
        scheduler()


# ---- cells of about 10 ms on workers


def study_of(repetitions: int) -> Study:
    """Return a hundred cells of the Facebook workload with 250 jobs, about 10 ms each."""
    base = (("cluster.map_slots", 64), ("cluster.reduce_slots", 64), ("workload.family", "facebook"))
    axes = (Axis("slowstart", ("cluster.slowstart",), SLOWSTARTS), Axis("policy", ("policy.id",), POLICIES))
    jobs = ("workload.parameters.jobs", 250)
    seeds = ("workload.seed",)
    return Study("10 ms", (*base, jobs), axes, repetitions=repetitions, seeds=seeds)


def workers(repetitions: int) -> None:
    """Print how long the same cells take on each executor, all warm."""
    study = study_of(repetitions)
    warm_up = study_of(1)
    alone = plain_seconds(study)
    rows = [row("in a plain loop", study, alone, alone, alone)]
    makers: dict[str, Callable[[], Any]] = {
        "1 process": lambda: processes(1),
        "2 processes": lambda: processes(2),
        "2 Dask workers": lambda: dask("local", 2),
    }
    one = alone
    for name, make in makers.items():
        with make() as executor, tempfile.TemporaryDirectory() as folder:
            run_study(warm_up, Path(folder) / "warm", executor)
            seconds = run_study(study, Path(folder) / "timed", executor).seconds
        one = seconds if name == "1 process" else one
        rows.append(row(name, study, seconds, alone, one))
    columns = ("where", "s", "cells a second", "over the plain loop", "x one process")
    print_table(f"{study.row_count} cells of {1000 * alone / study.row_count:.1f} ms", columns, rows)


def plain_seconds(study: Study) -> float:
    """Run all cells one after the other in this process, the second time with everything loaded."""
    cells, runner = Cells(study), CellRunner({})
    for work in range(100):
        runner.run(cells.cell(*cells.row_of_work(work)), study.measures)
    began = time.perf_counter()
    runner = CellRunner({})
    for work in range(study.row_count):
        runner.run(cells.cell(*cells.row_of_work(work)), study.measures)
    return time.perf_counter() - began


def row(name: str, study: Study, seconds: float, alone: float, one: float) -> tuple[str, ...]:
    """Return a line of the table."""
    rate = f"{study.row_count / seconds:.0f}"
    return name, f"{seconds:.2f}", rate, percent(seconds / alone - 1), f"{one / seconds:.2f}"


# ---- cells that do nothing


def wide_study(cells: int) -> Study:
    """Return a study of so many cells; none of them is ever simulated here."""
    axis = Axis("maps", ("cluster.map_slots",), tuple(range(1, cells // 100 + 1)))
    other = Axis("reduces", ("cluster.reduce_slots",), tuple(range(1, 101)))
    return Study("nothing", (("workload.family", "facebook"),), (axis, other), ("makespan", "gap"))


def no_ops(shared: Shared, spans: Spans) -> BatchDone:
    """Return rows as `run_batch` does, without running anything."""
    began = time.perf_counter()
    cells = Cells(shared.load().study)
    study = cells.study
    works = np.concatenate([np.arange(first, end) for first, end in spans])
    numbers, repetitions = cells.row_of_work(works)
    places = {"maps": numbers // 100 + 1, "reduces": numbers % 100 + 1}
    keys = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(KEY_BYTES),
        len(works),
        [None, pa.py_buffer(np.random.default_rng(spans[0][0]).bytes(KEY_BYTES * len(works)))],
    )
    columns = [numbers, repetitions.astype(np.int32), repetitions + 1, *places.values()]
    columns += [numbers * 1.0, numbers * 0.5]
    arrays = [*map(pa.array, columns), keys, pa.nulls(len(works), pa.string())]
    rows = pa.RecordBatch.from_arrays(arrays, schema=schema_of(study))
    return BatchDone(rows, time.perf_counter() - began, 0)


class NoOps(Executor):
    """Hands batches that do nothing to another executor, or does them at once."""

    def __init__(self, inner: DaskWorkers | None = None) -> None:
        self.inner, self.workers = inner, 1 if inner is None else WORKERS_MEANT
        self.batches = self.sent = self.returned = 0
        if inner is not None:
            self.share = inner.share

    def submit(self, _run: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        """Count what goes out and, of the first batches, what comes back."""
        assert _run is run_batch
        self.batches += 1
        if self.inner is not None:
            return self.inner.submit(no_ops, *args)
        future: Future[Any] = Future()
        done = no_ops(*args)
        self.sent += len(pickle.dumps(args[1]))
        self.returned += len(pickle.dumps(done))
        future.set_result(done)
        return future


def megabytes() -> float:
    """Return the memory of this process that is in use now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def memory() -> None:
    """Print the driver's memory while a million rows go through it."""
    study = wide_study(MILLION)
    seen: list[tuple[int, float, float, int]] = []

    def note(progress: driver.StudyProgress) -> None:
        if progress.done * 10 >= progress.total * len(seen):
            seen.append((progress.done, progress.seconds, megabytes(), len(part_paths(Path(folder)))))

    executor = NoOps()
    with tempfile.TemporaryDirectory() as folder:
        done = run_study(study, folder, executor, progress=note)
        size = sum(path.stat().st_size for path in part_paths(Path(folder)))
    rows = [(f"{count:,}", f"{seconds:.1f}", f"{used:.0f}", parts) for count, seconds, used, parts in seen]
    print_table("The driver, cells that do nothing", ("rows", "s", "MB in use", "parts"), rows)
    print(f"\n{done.seconds / study.row_count * 1e6:.1f} us of the driver for each row, with making it")
    print(f"{size / study.row_count:.0f} bytes on the disk for each row")
    each = executor.sent / executor.batches, executor.returned / study.row_count
    print(f"{each[0]:.0f} bytes to a worker for each batch, {each[1]:.0f} bytes back for each row")


def scheduler() -> None:
    """Print how many batches a second go through a Dask scheduler and the driver."""
    study = wide_study(NO_OPS)
    most, driver.MAX_ROWS_OF_BATCH = driver.MAX_ROWS_OF_BATCH, ROWS_OF_NO_OPS
    with dask("local", 2) as workers, tempfile.TemporaryDirectory() as folder:
        executor = NoOps(workers)
        seconds = run_study(study, folder, executor).seconds
    driver.MAX_ROWS_OF_BATCH = most
    print(
        f"\n{NO_OPS:,} cells that do nothing in {executor.batches:,} batches through a Dask scheduler: "
        f"{seconds:.1f} s, {executor.batches / seconds:.0f} batches a second, "
        f"{1000 * seconds / executor.batches:.2f} ms of scheduler, workers and driver together for each"
    )


if __name__ == "__main__":
    main()
