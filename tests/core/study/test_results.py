"""Results are read as one table: what is asked for, in the order of cells, with labels in theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest

from core.model.errors import InputError
from core.study.executors import InThisProcess
from core.study.results import StudyResults, frame_of
from core.study.run_study import run_study
from tests.core.study.study_examples import small_study

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    """Return the results of the small study."""
    folder = tmp_path_factory.mktemp("results")
    run_study(small_study(), folder, InThisProcess())
    return StudyResults.open(folder)


def test_the_table_has_axes_measures_and_where_each_row_is(results):
    frame = results.frame()
    assert list(frame) == [
        "cell",
        "repetition",
        "seed",
        "nodes",
        "policy",
        "makespan",
        "lower_bound",
        "error",
    ]
    assert frame["cell"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert frame["seed"].tolist() == [1, 2] * 6
    assert frame["nodes"].tolist() == [2] * 4 + [4] * 4 + [8] * 4
    assert list(frame["policy"].cat.categories) == ["johnson", "johnson-reverse"]
    assert frame["error"].isna().all()
    assert (frame["makespan"] >= frame["lower_bound"]).all()
    assert results.program().startswith("slotscope")
    assert results.row_count == 12


def test_other_programs_read_the_rows_as_one_table(results):
    table = pd.read_parquet(results.folder / "rows").sort_values(["cell", "repetition"])
    assert table["makespan"].tolist() == results.frame()["makespan"].tolist()
    assert set(table["policy"]) == {"johnson", "johnson-reverse"}


def test_columns_and_rows_can_be_chosen(results):
    frame = results.frame(["makespan"], {"policy": "johnson", "nodes": [2, 8]})
    assert list(frame) == ["cell", "repetition", "makespan"]
    assert frame["cell"].tolist() == [0, 0, 4, 4]
    with pytest.raises(KeyError):
        results.frame(["makspan"])


@pytest.mark.parametrize("growth", [1, 100])
def test_rows_as_they_come_back_make_the_same_table(results, tmp_path, monkeypatch, growth):
    monkeypatch.setattr("core.study.run_study.GROWTH", growth)  # rows of a batch at first, whatever they take
    seen = []
    run_study(small_study(), tmp_path, InThisProcess(), on_rows=seen.append)
    assert sum(rows.num_rows for rows in seen) == 12
    tables = [frame_of(small_study(), rows).drop(columns="key") for rows in reversed(seen)]
    table = pd.concat(tables).sort_values(["cell", "repetition"], ignore_index=True)
    pd.testing.assert_frame_equal(table, results.frame())


def test_a_folder_without_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no results of a study"):
        StudyResults.open(tmp_path)
