"""What any program reads of `rows` is the present study and nothing else, wherever a run has been killed.

A kill leaves what the file system has at that instant: the folder is copied after every change of a name in
it, and each copy is read, and gone on with, as if the run had ended there.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from functools import cache
from itertools import count, product
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.study import result_folder
from core.study.cell_run import CellRunner
from core.study.cells import CellRow, settings_of
from core.study.executors import InThisProcess
from core.study.result_folder import EARLIER, ROWS, STUDY, earlier_paths, part_paths
from core.study.results import StudyResults
from core.study.run_study import run_study
from core.study.study_document import read_study
from tests import random_tests
from tests.core.study.study_examples import DOCUMENT, small_study
from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from core.study.study import Study

NODES, POLICY = DOCUMENT["axes"]
FIRST = small_study()
"""Six cells."""
CHANGED = small_study(axes=[POLICY, NODES | {"values": [1, 4, 8, 16]}])
"""Eight, of which four are those of the first one under other numbers."""
CHANGES_OF_NAMES = ("rename", "replace", "mkdir", "rmdir", "unlink", "open")


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a part for every row."""
    monkeypatch.setattr(result_folder, "FLUSH_SECONDS", -1.0)
    monkeypatch.setattr(result_folder, "FLUSH_PART", 0.0)
    monkeypatch.setattr("core.study.run_study.GROWTH", 1)
    monkeypatch.setattr("core.study.work_left.ADOPTED_AT_ONCE", 3)


def at_every_instant(folder: Path, study: Study, **options: Any) -> list[Path]:
    """Run a study into a folder; return a copy of the folder after every change of a name in it."""
    copies: list[Path] = []
    watched = [folder]

    def noting(change: Callable[..., Any]) -> Callable[..., Any]:
        def changed(*given: Any, **named: Any) -> Any:
            result = change(*given, **named)
            if watched:  # and it is not this that copies
                watched.clear()
                copies.append(folder.with_name(f"instant-{len(copies):03d}"))
                shutil.copytree(folder, copies[-1])
                watched.append(folder)
            return result

        return changed

    with pytest.MonkeyPatch.context() as patch:
        for name in CHANGES_OF_NAMES:
            patch.setattr(os, name, noting(getattr(os, name)))
        run(study, folder, **options)
    return copies


def run(study: Study, folder: Path, **options: Any) -> None:
    run_study(study, folder, InThisProcess(), **options)


@cache
def right_rows(study: Study) -> dict[tuple[Any, ...], float]:
    """Return the makespan of every row by its cell, repetition and points on the axes."""
    found = {}
    for number, repetition in product(range(study.cell_count), range(study.repetitions)):
        cell = settings_of(study, number, repetition)
        points = [axis.values[place] for axis, place in zip(study.axes, cell.position, strict=True)]
        found[number, repetition, *points] = CellRunner({}).run(cell, study.measures).values[0]
    return found


def read(folder: Path, study: Study) -> dict[tuple[Any, ...], float]:
    """Return what the manual's line reads, as `right_rows` does; every row is there once."""
    frame = pd.read_parquet(folder / ROWS)
    if frame.empty:
        return {}
    frame = frame[frame["error"].isna()]
    where = ["cell", "repetition", *(axis.name for axis in study.axes)]
    assert not frame.duplicated(["cell", "repetition"]).any()
    return dict(zip(frame[where].itertuples(index=False, name=None), frame["makespan"], strict=True))


def check(folder: Path) -> int:
    """Hold the rows of a folder against the study that lies in it; return how many there are."""
    if not (folder / ROWS).exists():
        return 0  # it is being exchanged for an empty one
    study = read_study(folder / STUDY)
    found = read(folder, study)
    assert found.items() <= right_rows(study).items()
    assert StudyResults.open(folder).frame()["error"].isna().sum() in (0, len(found))
    return len(found)


def check_each_and_go_on(copies: list[Path], study: Study) -> None:
    for place, copy in enumerate(copies):
        check(copy)
        if random_tests.is_thorough or place % 3 == 0:
            run(study, copy)
            assert check(copy) == study.row_count


def test_a_changed_study(tmp_path):
    folder = tmp_path / "out"
    run(FIRST, folder)
    copies = at_every_instant(folder, CHANGED)
    found = [check(copy) for copy in copies]
    assert found[0] == FIRST.row_count
    assert found[-1] == check(folder) == CHANGED.row_count
    assert len(set(found)) > 4
    check_each_and_go_on(copies, CHANGED)


def test_a_changed_study_that_is_changed_back_after_a_kill(tmp_path):
    folder = tmp_path / "out"
    run(FIRST, folder)
    check_each_and_go_on(at_every_instant(folder, CHANGED), FIRST)


def test_a_changed_study_and_back_again(tmp_path):
    carried = set()
    for study in (FIRST, CHANGED, FIRST, CHANGED, FIRST):
        run(study, tmp_path)
        assert check(tmp_path) == study.row_count
        carried.add(sum(pq.read_metadata(path).num_rows for path in earlier_paths(tmp_path)))
    assert max(carried) <= CHANGED.row_count, "what lies aside does not grow"
    assert len(list((tmp_path / EARLIER).iterdir())) <= CHANGED.row_count


def test_measures_that_are_left_out_for_a_while_are_kept(tmp_path):
    run(FIRST, tmp_path)
    run(small_study(measures=["makespan"]), tmp_path)
    kept = []
    run(FIRST, tmp_path, progress=lambda news: kept.append(news.kept))
    assert kept[0] == FIRST.row_count


@pytest.fixture
def half_failed(tmp_path, monkeypatch) -> Path:
    """Return a folder with the first study, every third row of which failed."""
    number = count()
    right = CellRunner.run

    def fail(self: CellRunner, *given: Any) -> CellRow:
        row = right(self, *given)
        return CellRow(row.values, "failed" if next(number) % 3 == 0 else "")

    folder = tmp_path / "failed"
    with monkeypatch.context() as patch:
        patch.setattr(CellRunner, "run", fail)
        patch.setattr(result_folder, "FLUSH_SECONDS", 1e9)
        run(FIRST, folder)
    assert check(folder) == 8
    return folder


def test_failed_cells_that_are_run_again(half_failed):
    copies = at_every_instant(half_failed, FIRST, retry=True)
    assert check(half_failed) == FIRST.row_count
    assert not earlier_paths(half_failed)
    for copy in copies:
        check(copy)
        run(FIRST, copy, retry=True)
        assert check(copy) == FIRST.row_count


def test_failed_rows_stay_until_somebody_asks(half_failed):
    run(FIRST, half_failed)
    assert len(StudyResults.open(half_failed).failed()) == 4


def test_folders_of_earlier_versions(tmp_path):
    """They had rows of several states in one folder, and some twice after a kill."""
    for place, study in enumerate((FIRST, CHANGED)):
        run(study, tmp_path / study.name / str(place))
    old = tmp_path / FIRST.name / "0"
    for path in part_paths(tmp_path / CHANGED.name / "1"):
        shutil.copy(path, old / ROWS / f"part-9{path.stem[-6:]}.parquet")
    assert len(pd.read_parquet(old / ROWS)) == 28
    run(CHANGED, old)
    assert check(old) == CHANGED.row_count
    twice = part_paths(old)[0]
    shutil.copy(twice, twice.with_name("part-999999.parquet"))
    run(CHANGED, old)
    assert check(old) == CHANGED.row_count


def test_a_part_that_a_power_failure_cut_is_run_again(tmp_path):
    run(FIRST, tmp_path)
    part_paths(tmp_path)[3].write_bytes(b"PAR1")
    run(FIRST, tmp_path)
    assert check(tmp_path) == FIRST.row_count


# ---- killed for good

CHILD = """
import sys
from tests.core.study import test_rows_at_every_instant as here
here.result_folder.FLUSH_SECONDS, here.result_folder.FLUSH_PART = -1.0, 0.0
here.run_study.__globals__["GROWTH"] = 1
print("begins", flush=True)
while True:
    for study in (here.CHANGED, here.FIRST):
        here.run(study, here.Path(sys.argv[1]))
"""


@pytest.fixture
def killed(tmp_path) -> Iterator[Callable[[float], None]]:
    """Return a function that lets another process change the study again and again, and kills it."""
    running: list[subprocess.Popen[str]] = []

    def run_and_kill(seconds: float) -> None:
        command = [sys.executable, "-c", CHILD, str(tmp_path)]
        child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        running.append(child)
        assert child.stdout is not None
        assert child.stdout.readline() == "begins\n"
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            read_meanwhile(tmp_path)
        child.kill()
        child.wait()
        child.stdout.close()

    yield run_and_kill
    for child in running:
        child.kill()
        child.wait()


def read_meanwhile(folder: Path) -> None:
    """Read while a run goes on: rows of one study, each once, or an error because a part was moved."""
    try:
        frame = pd.read_parquet(folder / ROWS)
    except (FileNotFoundError, pa.ArrowInvalid):
        return
    if not frame.empty:
        where = ["cell", "repetition", "nodes", "policy", "makespan"]
        rows = {(c, r, n, p): m for c, r, n, p, m in frame[where].itertuples(index=False, name=None)}
        swapped = {(c, r, p, n): m for (c, r, n, p), m in rows.items()}
        assert len(rows) == len(frame)
        assert rows.items() <= right_rows(FIRST).items() or swapped.items() <= right_rows(CHANGED).items()


def test_runs_that_are_killed_while_somebody_reads(tmp_path, killed):
    moments = random.Random(22)
    run(FIRST, tmp_path)
    for _ in range(30 if random_tests.is_thorough else 2):
        killed(moments.uniform(0.05, 0.6))
        check(tmp_path)
        study = moments.choice((FIRST, CHANGED))
        run(study, tmp_path)
        assert check(tmp_path) == study.row_count
