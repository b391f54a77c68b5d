"""Tables of a schedule have a row per task and per job, and survive CSV."""

from __future__ import annotations

import csv
import gzip
import subprocess
import sys
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from core.files.samples import load_sample
from core.files.schedule_file import job_table, task_table, write_csv, write_parquet, write_table
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from tests.builders import run

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.schedule import Schedule


@pytest.fixture
def schedule() -> Schedule:
    """Two jobs on two map slots and one reduce slot; the reduce of J1 waits for its maps."""
    jobs = (
        Job("J1", Stage.of(3, [2.0, 1.0, 4.0]), Stage.of(1, 5.0, 0.5, 7.0)),
        Job('J,"2"', Stage.of(1, 3.0), arrival=1.0, deadline=20.0, pool="p", user="u", weight=2.0),
    )
    return run(Workload("w", jobs), Cluster(2, 1, 0.05))


def test_tasks(schedule: Schedule) -> None:
    table = task_table(schedule)
    assert list(table) == ["job", "kind", "index", "slot", "wave", "start", "shuffle_end", "end"]
    assert table.to_numpy().tolist() == [
        ["J1", "map", 0, 0, 1, 0.0, 0.0, 2.0],
        ["J1", "map", 1, 1, 1, 0.0, 0.0, 1.0],
        ["J1", "map", 2, 1, 2, 1.0, 1.0, 5.0],
        ["J1", "reduce", 0, 2, 1, 1.0, 5.5, 10.5],
        ['J,"2"', "map", 0, 0, 1, 2.0, 2.0, 5.0],
    ]


def test_jobs(schedule: Schedule) -> None:
    table = job_table(schedule).set_index("job")
    assert table.loc["J1", ["maps", "reduces", "start", "map_end", "end", "response"]].tolist() == [  # type: ignore[operator]
        3,
        1,
        0.0,
        5.0,
        10.5,
        10.5,
    ]
    assert pd.isna(table.loc["J1", "deadline"])  # type: ignore[arg-type]
    second = table.loc['J,"2"', ["pool", "user", "weight", "arrival", "start", "end", "response", "deadline"]]
    assert second.tolist() == ["p", "u", 2.0, 1.0, 2.0, 5.0, 4.0, 20.0]  # type: ignore[operator]


def test_waves_are_those_of_the_schedule() -> None:
    workload = load_sample("wikitrends")
    table = task_table(run(workload, Cluster(16, 16, 0.05)))
    assert table.groupby("kind")["wave"].max().to_dict() == {"map": 5, "reduce": 4}


@pytest.mark.parametrize("name", ["tasks.csv", "tasks.csv.gz"])
def test_csv_keeps_names_and_times_exactly(tmp_path: Path, name: str) -> None:
    job = Job('a,"b"; é', Stage.of(3, [1 / 3, 1e-7, 12345.678]))
    table = task_table(run(Workload("w", (job,)), Cluster(1, 1)))
    write_csv(table, tmp_path / name)
    data = (tmp_path / name).read_bytes()
    text = gzip.decompress(data).decode() if name.endswith(".gz") else data.decode()
    header, *rows = csv.reader(text.splitlines())
    assert header == list(table)
    assert [
        [*row[:2], *map(int, row[2:5]), *map(float, row[5:])] for row in rows
    ] == table.to_numpy().tolist()


def test_pandas_is_imported_only_when_a_table_is_made() -> None:
    code = (
        "import sys, core.files.schedule_file, core.files.open_workload, core.generate.families;"
        "print('pandas' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout == "False\n"


def test_parquet_has_what_csv_has(schedule: Schedule, tmp_path: Path) -> None:
    for name, table in (("tasks", task_table(schedule)), ("jobs", job_table(schedule))):
        write_table(table, tmp_path / f"{name}.Parquet")
        write_table(table, tmp_path / f"{name}.csv")
        read = pd.read_parquet(tmp_path / f"{name}.Parquet")
        pd.testing.assert_frame_equal(read, table, check_dtype=False)
        text = pd.read_csv(tmp_path / f"{name}.csv", keep_default_na=False, na_values={"deadline": ""})
        pd.testing.assert_frame_equal(read, text, check_dtype=False, check_exact=True)
    assert read["deadline"].isna().tolist() == [True, False]


def test_parquet_is_replaced_in_one_step_and_always_the_same(
    schedule: Schedule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.parquet"
    write_parquet(task_table(schedule), path)
    whole = path.read_bytes()
    write_parquet(task_table(schedule), path)
    assert path.read_bytes() == whole
    monkeypatch.setattr("pathlib.Path.replace", _fails)
    with pytest.raises(InputError, match="cannot write"):
        write_parquet(job_table(schedule), path)
    assert path.read_bytes() == whole
    assert [file.name for file in tmp_path.iterdir()] == ["t.parquet"]


def test_pieces_make_the_same_files(
    schedule: Schedule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for table in (task_table(schedule), job_table(schedule)):
        write_csv(table, tmp_path / "whole.csv")
        monkeypatch.setattr("core.files.schedule_file.PIECE", 1)
        write_csv(table, tmp_path / "pieces.csv")
        write_parquet(table, tmp_path / "pieces.parquet")
        monkeypatch.undo()
        assert (tmp_path / "pieces.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
        pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "pieces.parquet"), table, check_dtype=False)


def test_gzipped_parquet_is_refused(schedule: Schedule, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"leave \.gz off"):
        write_table(task_table(schedule), tmp_path / "t.parquet.gz")
    assert not list(tmp_path.iterdir())


def _fails(*_: object) -> None:
    raise OSError(28, "no space left on device")
