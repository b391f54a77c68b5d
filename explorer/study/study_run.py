"""A study at work: its cells in processes of low priority, driven by a thread; what came out, as it comes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
from PySide6.QtCore import QObject, QTimer, Signal

from core.study.batches import run_batch, schema_of
from core.study.cell_run import CellRunner
from core.study.cells import cell_at
from core.study.executors import ProcessWorkers, processes
from core.study.policy_sources import file_of, read_policies
from core.study.result_folder import part_paths
from core.study.results import StudyResults, frame_of
from core.study.run_study import StudyProgress, open_files, run_study, share_of
from core.study.study_document import rows_digest
from explorer.study.study_files import OPEN_WORKLOAD
from explorer.widgets.worker import Worker, give_way

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import pandas as pd

    from core.model.workload import Workload
    from core.policies.user_files.source import PolicySource
    from core.study.cell_run import CellScenario
    from core.study.study import Study

NICENESS = 15
"""Of the processes: the window, and whatever else runs, goes first."""
SHOWN_EVERY_MS = 200
"""Between two pictures at least: they are drawn five times a second at most."""
REST = 5
"""Gathering the rows waits so many times as long as it took the last time, so that it never fills a core."""
MEASURED_CELLS = 5
"""Run before the start, to say how long it will take: the first, the last, and those between."""
ROWS_AGAIN, QUICK_S = 4, 1.0
"""Where a cell takes less than so many seconds, so many are run to know it better."""


class StudyTask(NamedTuple):
    """What is run.

    Attributes
    ----------
    study : the study
    folder : of its results
    files : workloads of files by the names that the study has for them, where they are open; else None
    workers : how many processes
    retry : whether failed cells are run again
    policies : the policy files that the study names, by the names that it has for them, as they were read
    """

    study: Study
    folder: Path
    files: Mapping[str, Workload] | None
    workers: int
    retry: bool = False
    policies: Mapping[str, PolicySource] = MappingProxyType({})

    @property
    def sources(self) -> tuple[PolicySource, ...]:
        """The policy files, whose code runs."""
        return tuple(self.policies.values())


def task_of(study: Study, folder: Path, held: Mapping[str, Workload], workers: int) -> StudyTask:
    """Return what is run below a folder; InputError where a policy file that the study names cannot be read.

    Parameters
    ----------
    held : the workload of the open document, by the name that studies have for it; it lies in no file, so
        that its digest is part of the folder's name
    """
    files, digest = None, rows_digest(study)
    if ("workload.file", OPEN_WORKLOAD) in study.base:
        files, digest = held, f"{digest}-{held[OPEN_WORKLOAD].digest[:16]}"
    return StudyTask(study, folder / digest, files, workers, policies=read_policies(study))


class _Came:
    """What the thread writes and the window reads."""

    def __init__(self, study: Study | None = None) -> None:
        self.study = study
        self.progress: StudyProgress | None = None
        self.kept: pa.Table | None = None
        self.batches: list[pa.RecordBatch] = []


class StudyRun(QObject):
    """Runs one study at a time.

    Attributes
    ----------
    make : starts so many processes of a niceness

    Signals
    -------
    progressed : how far it is (`StudyProgress`)
    rows_came : the rows by now, a data frame, five times a second at most
    ended : how far it came: all of it, or as far as it was stopped
    failed : it could not go on; the exception
    measured : the seconds that all of a study will take (`StudyTask`, seconds); nan where its cells fail
    """

    progressed = Signal(object)
    rows_came = Signal(object)
    ended = Signal(object)
    failed = Signal(object)
    measured = Signal(object, float)

    def __init__(
        self, parent: QObject | None = None, make: Callable[[int, int], ProcessWorkers] = processes
    ) -> None:
        super().__init__(parent)
        self.make = make
        self._executor: ProcessWorkers | None = None
        self._came, self._shown, self._next = _Came(), 0, 0.0
        worker = partial(Worker, self, threads=1)
        self._driver = worker(finished=self._on_driven, failed=self._on_failed)
        self._gatherer = worker(finished=self._on_gathered, failed=self.failed)
        self._measurer = worker(finished=lambda answer: self.measured.emit(*answer), failed=self.failed)
        self._timer = QTimer(self, interval=SHOWN_EVERY_MS)
        self._timer.timeout.connect(self._on_time)

    @property
    def is_running(self) -> bool:
        """Whether a study runs."""
        return self._driver.is_busy

    @property
    def is_busy(self) -> bool:
        """Whether rows are to come."""
        return self.is_running or self._gatherer.is_busy

    # ---- before

    def measure(self, task: StudyTask) -> None:
        """Run a few cells to estimate how long all of them will take."""
        executor = self._workers(task.workers)
        self._measurer.start(partial(_measured, task, executor))

    def _workers(self, count: int) -> ProcessWorkers:
        """Return so many processes; those that there are already where they are as many."""
        if self._executor is None or self._executor.workers != count:
            if self._executor is not None:
                self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = self.make(count, NICENESS)
        return self._executor

    # ---- running

    def start(self, task: StudyTask) -> None:
        """Begin, or go on where an earlier run of the same study has ended."""
        self._measurer.cancel()
        self._came, self._shown, self._next = _Came(task.study), 0, 0.0
        self._driver.follow(partial(_drive, task, self._workers(task.workers), self._came))
        self._timer.start()

    def look(self, folder: Path) -> None:
        """Show the rows that a folder has."""
        self._gatherer.start(partial(_rows_of, folder))

    def stop(self) -> None:
        """End it soon; what is done is kept."""
        self._driver.stop()

    def shutdown(self) -> None:
        """End everything, and wait for it: the window closes."""
        self._timer.stop()
        self._driver.stop()
        if self._executor is not None:
            self._executor.end()
        for worker in (self._driver, self._measurer, self._gatherer):
            worker.shutdown()
        if self._executor is not None:
            self._executor.end()  # a batch that was handed in meanwhile has begun new processes
            self._executor = None

    def _on_time(self) -> None:
        came = self._came
        if came.progress is not None:
            self.progressed.emit(came.progress)
        if perf_counter() >= self._next and not self._gatherer.is_busy:
            self._gather()

    def _gather(self) -> None:
        count = len(self._came.batches) + (self._came.kept is not None)
        if count > self._shown:
            self._shown = count
            self._gatherer.start(partial(_gathered, self._came))

    def _on_gathered(self, answer: tuple[pd.DataFrame, float]) -> None:
        frame, seconds = answer
        self._next = perf_counter() + REST * seconds
        self.rows_came.emit(frame)

    def _on_driven(self, progress: StudyProgress) -> None:
        self._timer.stop()
        self._gatherer.cancel()
        self._shown = 0
        self._gather()
        self.progressed.emit(progress)
        self.ended.emit(progress)

    def _on_failed(self, error: Exception) -> None:
        self._timer.stop()
        self.failed.emit(error)


def _drive(
    task: StudyTask,
    executor: ProcessWorkers,
    came: _Came,
    _progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> StudyProgress:
    """Run a study to its end, or until it is stopped; in the thread."""
    give_way()
    task.folder.mkdir(parents=True, exist_ok=True)
    if part_paths(task.folder):
        kept = StudyResults.open(task.folder).table(_shown_columns(task.study))
        came.kept = kept.filter(kept["error"].is_null()) if task.retry else kept

    def note(progress: StudyProgress) -> None:
        came.progress = progress

    return run_study(
        task.study,
        task.folder,
        executor,
        workers=task.workers,
        files=task.files,
        policies=task.policies,
        retry=task.retry,
        progress=note,
        should_stop=should_stop,
        on_rows=came.batches.append,
    )


def _gathered(came: _Came) -> tuple[pd.DataFrame, float]:
    """Return the rows that came by now, and how long it took to put them together."""
    assert came.study is not None
    give_way()
    began = perf_counter()
    tables = [] if came.kept is None else [came.kept]
    if came.batches:
        tables.append(pa.Table.from_batches(list(came.batches)).select(_shown_columns(came.study)))
    return frame_of(came.study, pa.concat_tables(tables)), perf_counter() - began


def _shown_columns(study: Study) -> list[str]:
    """Return the columns that pictures are made of."""
    return [name for name in schema_of(study).names if name != "key"]


def _rows_of(folder: Path) -> tuple[pd.DataFrame, float]:
    began = perf_counter()
    return StudyResults.open(folder).frame(), perf_counter() - began


def _measured(task: StudyTask, executor: ProcessWorkers) -> tuple[StudyTask, float]:
    """Return how many seconds all rows will take, by some that are run now."""
    share = share_of(task.study, task.files, task.policies)
    total = task.study.row_count
    places = sorted({round(k * (total - 1) / max(MEASURED_CELLS - 1, 1)) for k in range(MEASURED_CELLS)})
    shared = executor.share(share)

    def seconds_each(first: int, rows: int) -> float:
        end = min(first + rows, total)
        return float(executor.submit(run_batch, shared, ((first, end),)).result().seconds) / (end - first)

    each = [seconds_each(place, 1) for place in places]
    # a first cell also draws its jobs and loads code; of many, hardly any does
    again = [
        seconds_each(place, ROWS_AGAIN) if each[i] < QUICK_S else each[i] for i, place in enumerate(places)
    ]
    return task, sum(map(min, each, again)) / len(places) * total / min(task.workers, total)


def scenario_of(task: StudyTask, position: tuple[int, ...]) -> CellScenario:
    """Return the schedule of a cell as a scenario, with its jobs drawn; policy files go by their paths."""
    runner = CellRunner(open_files(task.study) if task.files is None else task.files, task.policies)
    found = runner.scenario_of(cell_at(task.study, position))
    return replace(found, choice=replace(found.choice, id=file_of(found.choice.id)))
