"""A study gives the same rows wherever it runs, goes on where it was stopped, recomputes what changed."""

from __future__ import annotations

import errno
import itertools
import os
import signal
import time
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest

from core.files import atomic, resources
from core.files.samples import load_sample
from core.files.workload_writing import write_workload
from core.model.errors import InputError
from core.study import executors, result_folder
from core.study.batches import schema_of
from core.study.cell_run import CellRunner
from core.study.executors import InThisProcess, ProcessWorkers
from core.study.result_folder import PartsFolder
from core.study.results import StudyResults
from core.study.run_study import ENDED, StudyProgress, run_study
from core.study.study_document import study_from_json
from core.study.work_left import halves
from tests.core.study.study_examples import DOCUMENT, small_study

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pyarrow as pa

    from core.study.study import Study


@pytest.fixture(scope="module")
def workers() -> Iterator[ProcessWorkers]:
    """Have two worker processes."""
    executor = ProcessWorkers(2)
    yield executor
    executor.end()


def serial(study: Study, folder: Path, **options: Any) -> StudyProgress:
    return run_study(study, folder, InThisProcess(), **options)


def rows(folder: Path) -> pa.Table:
    """Return all rows of a folder."""
    return StudyResults.open(folder).table()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> pa.Table:
    """Return the rows of the small study."""
    folder = tmp_path_factory.mktemp("undisturbed")
    assert serial(small_study(), folder).is_complete
    return rows(folder)


class Stopped(Executor):
    """Runs batches in this process, and counts them."""

    workers = 1

    def __init__(self, after: int = 10**9) -> None:
        self.after, self.batches = after, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.batches += 1
        return InThisProcess().submit(fn, *args, **kwargs)

    def is_enough(self) -> bool:
        return self.batches >= self.after


def test_processes_give_the_same_rows_bit_by_bit(workers, undisturbed, tmp_path):
    progress = run_study(small_study(), tmp_path, workers)
    assert (progress.done, progress.total, progress.failed, progress.kept) == (12, 12, 0, 0)
    assert rows(tmp_path).equals(undisturbed)


def test_a_worker_that_is_killed_loses_nothing(workers, undisturbed, tmp_path):
    killed = []

    def kill(_rows: object) -> None:
        if not killed:
            killed.append(next(iter(workers._pool._processes)))
            os.kill(killed[0], signal.SIGKILL)

    assert run_study(small_study(), tmp_path, workers, on_rows=kill).is_complete
    assert killed[0] not in workers._pool._processes
    assert rows(tmp_path).equals(undisturbed)


def test_a_cell_that_kills_its_worker_is_a_row_with_its_sentence(undisturbed, tmp_path):
    class Deadly(Executor):
        workers = 4

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            if any(first <= 5 < end for first, end in args[1]):
                future: Future[Any] = Future()
                future.set_exception(BrokenExecutor())
                return future
            return InThisProcess().submit(fn, *args, **kwargs)

    progress = run_study(small_study(), tmp_path, Deadly())
    assert (progress.done, progress.failed) == (12, 1)
    failed = StudyResults.open(tmp_path).failed()
    assert failed["error"].tolist() == [ENDED]
    assert serial(small_study(), tmp_path, retry=True).failed == 0
    assert rows(tmp_path).equals(undisturbed)


def test_workers_that_cannot_begin_end_the_run_and_blame_no_cell(monkeypatch, tmp_path):
    monkeypatch.setattr(executors, "_set_up", int)  # of a folder's name, base 0: fails in every process
    unable = ProcessWorkers(1)
    try:
        with pytest.raises(InputError, match=r"as soon as they begin: invalid literal.*is done is kept"):
            run_study(small_study(), tmp_path, unable)
    finally:
        unable.end()
    assert result_folder.part_paths(tmp_path) == []


@pytest.mark.parametrize("niceness", [0, 7])
def test_processes_stand_back_as_far_as_they_are_told(niceness):
    ours = os.nice(0)
    executor = ProcessWorkers(1, niceness)
    try:
        assert executor.submit(os.nice, 0).result() == min(ours + niceness, 19)
    finally:
        executor.end()


class Dying(Executor):
    """Runs so many batches in this process; then workers die, all of them or those that have rows to run."""

    workers = 2

    def __init__(self, after: int, *, even_idle: bool) -> None:
        self.after, self.even_idle, self.batches = after, even_idle, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.batches += 1
        if self.batches > self.after and (self.even_idle or args[1]):
            future: Future[Any] = Future()
            future.set_exception(BrokenExecutor())
            return future
        return InThisProcess().submit(fn, *args, **kwargs)


def test_workers_that_begin_to_die_later_end_the_run(tmp_path):
    executor = Dying(2, even_idle=True)
    with pytest.raises(InputError, match="end as soon as they begin"):
        run_study(small_study(), tmp_path, executor)
    assert executor.batches < 12
    assert 0 < rows(tmp_path).num_rows < 12
    assert rows(tmp_path)["error"].null_count == rows(tmp_path).num_rows
    assert serial(small_study(), tmp_path).is_complete


def test_cells_that_end_their_workers_one_after_the_other_end_the_run(tmp_path):
    study = small_study(repetitions=20)
    with pytest.raises(InputError, match="20 cells one after the other"):
        run_study(study, tmp_path, Dying(2, even_idle=False))
    assert StudyResults.open(tmp_path).failed()["error"].tolist() == [ENDED] * 20


def test_no_process_to_start_is_a_sentence(tmp_path):
    class Full(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            raise OSError(errno.ENOMEM, "Cannot allocate memory")

    with pytest.raises(InputError, match="no worker process can be started: cannot allocate memory"):
        run_study(small_study(), tmp_path, Full())


def test_a_run_that_is_stopped_goes_on_later(undisturbed, tmp_path):
    executor = Stopped(after=3)
    progress = run_study(small_study(), tmp_path, executor, should_stop=executor.is_enough)
    assert 0 < progress.done < 12
    assert rows(tmp_path).num_rows == progress.done
    second = serial(small_study(), tmp_path)
    assert (second.kept, second.done) == (progress.done, 12)
    assert rows(tmp_path).equals(undisturbed)
    assert serial(small_study(), tmp_path).kept == 12


def test_a_changed_study_recomputes_only_what_changed(undisturbed, tmp_path):
    serial(small_study(), tmp_path)
    nodes, policy = DOCUMENT["axes"]
    larger = small_study(axes=[nodes | {"values": [1, 2, 4, 8]}, policy])
    progress = serial(larger, tmp_path)
    assert (progress.kept, progress.total) == (12, 16)
    frame = StudyResults.open(tmp_path).frame(where={"nodes": [2, 4, 8]})
    assert frame["makespan"].tolist() == undisturbed["makespan"].to_pylist()
    smaller = small_study(axes=[nodes | {"values": [8]}, policy])
    assert serial(smaller, tmp_path).kept == 4
    # what the smaller one lacks has been kept
    assert serial(small_study(), tmp_path).kept == 12
    assert rows(tmp_path).equals(undisturbed)


def test_another_title_changes_no_row(tmp_path):
    serial(small_study(), tmp_path)
    assert serial(small_study(name="Renamed"), tmp_path).kept == 12
    assert StudyResults.open(tmp_path).study.name == "Renamed"


def test_a_failing_cell_is_a_row_and_not_the_end(tmp_path):
    study = small_study(axes=[{"name": "maps", "fields": ["cluster.map_slots"], "values": [0, 4]}])
    progress = serial(study, tmp_path)
    assert (progress.done, progress.failed) == (4, 2)
    failed = StudyResults.open(tmp_path).failed()
    assert failed["maps"].tolist() == [0, 0]
    assert failed["seed"].tolist() == [1, 2]
    assert "map slot" in failed["error"][0]
    assert serial(study, tmp_path).failed == 2


def test_workloads_of_files_travel_with_the_study(workers, tmp_path):
    write_workload(load_sample("five-jobs"), tmp_path / "night.workload.json")
    base = {"workload": {"file": "night.workload.json"}, "policy": {"id": "fifo"}}
    study = study_from_json(DOCUMENT | {"base": base, "repetitions": 1}, "x", str(tmp_path))
    out = tmp_path / "out"
    assert run_study(study, out, workers).failed == 0
    serial(study, tmp_path / "serial")
    assert rows(out).equals(rows(tmp_path / "serial"))
    assert serial(StudyResults.open(out).study, out).kept == 6
    write_workload(
        load_sample("five-jobs").with_jobs(load_sample("five-jobs").jobs[:3]),
        tmp_path / "night.workload.json",
    )
    assert serial(study, out).kept == 0
    (tmp_path / "night.workload.json").unlink()
    with pytest.raises(InputError, match="does not exist"):
        serial(study, out)


def test_all_files_that_lack_or_cannot_be_read_are_named_at_once(tmp_path):
    (tmp_path / "torn.workload.json").write_text("{")
    axis = {"name": "log", "fields": ["workload.file"], "values": ["a.json", "torn.workload.json", "b.json"]}
    study = study_from_json(DOCUMENT | {"axes": [axis]}, "x", str(tmp_path))
    with pytest.raises(InputError) as raised:
        serial(study, tmp_path / "out")
    assert [each in str(raised.value) for each in axis["values"]] == [True] * 3


def test_a_long_run_makes_few_parts(undisturbed, tmp_path, monkeypatch):
    clock = itertools.count()  # an hour and more, in seconds
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    made = PartsFolder(tmp_path, small_study(), "state", schema_of(small_study()))
    row = undisturbed.slice(0, 1).combine_chunks().to_batches()[0]
    for _ in range(5000):
        made.add(row)
        made.flush()
    made.close()
    assert 300 < len(result_folder.part_paths(tmp_path)) < 500
    assert sum(len(pq.read_table(path)) for path in result_folder.part_paths(tmp_path)) == 5000


def test_a_full_disk_ends_the_run_and_keeps_what_is_written(undisturbed, tmp_path, monkeypatch):
    def full(path: Path, *given: Any) -> None:
        if path.name == "part-000002.parquet":
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(path, *given)

    replace = atomic._replace

    with monkeypatch.context() as patch:
        patch.setattr(result_folder, "FLUSH_SECONDS", -1.0)
        patch.setattr(atomic, "_replace", full)
        with pytest.raises(InputError, match=r"no space left on device; what is done is kept: make room"):
            serial(small_study(), tmp_path)
    assert 0 < rows(tmp_path).num_rows < 12
    assert serial(small_study(), tmp_path).is_complete
    assert rows(tmp_path).equals(undisturbed)


def test_one_run_at_a_time_writes_into_a_folder(tmp_path):
    def run_again(_progress: object) -> None:
        with pytest.raises(InputError, match="another run"):
            serial(small_study(), tmp_path)

    serial(small_study(), tmp_path, progress=run_again)


def test_a_cell_depends_on_nothing_that_ran_before(undisturbed):
    study = small_study()
    from core.study.cells import settings_of

    for number, repetition in ((5, 1), (0, 0), (3, 1)):
        row = CellRunner({}).run(settings_of(study, number, repetition), study.measures)
        expected = undisturbed.slice(number * 2 + repetition, 1).to_pylist()[0]
        assert row.values == (expected["makespan"], expected["lower_bound"])


def test_halves_have_all_rows() -> None:
    assert halves(((0, 5), (9, 10))) == (((0, 3),), ((3, 5), (9, 10)))
    assert halves(((0, 1), (4, 5))) == (((0, 1),), ((4, 5),))


def test_results_never_go_among_what_comes_with_the_program(tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "PACKAGES", tmp_path)
    with pytest.raises(InputError, match="what comes with Slotscope stays as it is"):
        PartsFolder(tmp_path / "resources" / "studies", small_study(), "state", schema_of(small_study()))
    assert list(tmp_path.iterdir()) == []
