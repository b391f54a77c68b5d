"""Comparisons draw by draw against a naive twin: lists, loops and another generator of random numbers."""

from __future__ import annotations

import json
import random
import statistics
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.model.errors import DocumentError, InputError
from core.study.bootstrap import interval_of_mean
from core.study.executors import InThisProcess
from core.study.figure_data import figure_data
from core.study.paired import Comparison, paired_figure, paired_rows
from core.study.results import StudyResults
from core.study.run_study import run_study
from core.study.study_document import study_from_json, study_to_json
from explorer.cli.run import run
from tests.core.study.study_examples import DOCUMENT, small_study

if TYPE_CHECKING:
    from pathlib import Path

DRAWS = {"repetitions": 12, "measures": ["makespan", "mean_response"]}


def naive_interval(values: list[float], percent: float, resamples: int = 10_000) -> tuple[float, float]:
    """Return the percentiles of means of resamples, one number after the other."""
    drawn = random.Random(5)
    means = sorted(
        sum(drawn.choice(values) for _ in values) / len(values) for _ in range(resamples)
    )  # fmt: skip
    outside = round((100 - percent) / 200 * resamples)
    return means[outside], means[-1 - outside]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    folder = tmp_path_factory.mktemp("results")
    run_study(small_study(**DRAWS), folder, InThisProcess())
    return StudyResults.open(folder)


@pytest.mark.parametrize("percent", [95.0, 80.0])
def test_the_interval_is_that_of_a_naive_bootstrap(percent: float) -> None:
    values = [3.14, -1.59, 2.65, 3.58, -9.79, 3.23, 8.46, 2.64]
    error = statistics.stdev(values) / len(values) ** 0.5
    ours, naive = interval_of_mean(np.array(values), percent, 1), naive_interval(values, percent)
    assert ours == pytest.approx(naive, abs=0.12 * error)
    assert ours == interval_of_mean(np.array(values), percent, 1)
    assert ours != interval_of_mean(np.array(values), percent, 2)


def test_many_values_are_drawn_piece_by_piece() -> None:
    values = np.random.Generator(np.random.PCG64(3)).normal(10, 2, 1500)
    low, high = interval_of_mean(values, 95, 1)
    half = 1.96 * values.std() / 1500**0.5
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.05 * half)


def test_one_draw_has_no_interval() -> None:
    assert np.isnan(interval_of_mean(np.array([1.0]), 95, 1)).all()


def test_rows_compare_the_same_draws(results: StudyResults) -> None:
    """The twin looks rows up one by one, pairs them by seed and resamples their differences."""
    study, frame = results.study, results.frame()
    figure = paired_figure(study, Comparison("makespan", kind="difference"))
    rows = {(row.along, row.name): row for row in paired_rows(study, frame, figure)}
    assert list(rows) == [(nodes, "johnson-reverse") for nodes in ("2", "4", "8")]
    records = frame.to_dict("records")
    for nodes in (2, 4, 8):
        of = {
            name: {r["seed"]: r["makespan"] for r in records if r["nodes"] == nodes and r["policy"] == name}
            for name in ("johnson", "johnson-reverse")
        }
        changes = [of["johnson-reverse"][seed] - of["johnson"][seed] for seed in sorted(of["johnson"])]
        row = rows[str(nodes), "johnson-reverse"]
        assert row.draws == 12
        assert row.change == pytest.approx(statistics.mean(changes))
        assert row.mean - row.there == pytest.approx(row.change)
        error = statistics.stdev(changes) / 12**0.5
        assert (row.low, row.high) == pytest.approx(naive_interval(changes, 95), abs=0.12 * error)
        assert row.better == sum(change < 0 for change in changes)
        assert row.worse == sum(change > 0 for change in changes)


def test_a_figure_draws_the_rows_of_the_table(results: StudyResults) -> None:
    study, frame = results.study, results.frame()
    figure = paired_figure(study, Comparison("mean_response", to="johnson-reverse"))
    data, rows = figure_data(study, figure, frame), paired_rows(study, frame, figure)
    (curve,) = data.curves
    assert curve.name == "johnson"
    assert curve.ys == pytest.approx([row.change for row in rows])
    assert curve.low == pytest.approx([row.low for row in rows])
    assert curve.high == pytest.approx([row.high for row in rows])
    assert data.y_unit == "%"
    assert data.spread == (
        "95 % interval of the mean comparison, 12 seeds (bootstrap, 10\u202f000 resamples, seed 1)"
    )


def test_a_study_of_policies_alone_has_bars(tmp_path: Path) -> None:
    study = small_study(**DRAWS, axes=DOCUMENT["axes"][1:])
    run_study(study, tmp_path, InThisProcess())
    frame = StudyResults.open(tmp_path).frame()
    figure = paired_figure(study, Comparison("makespan"))
    (row,) = paired_rows(study, frame, figure)
    assert (figure.kind, row.along, row.name) == ("bars", "", "johnson-reverse")
    (curve,) = figure_data(study, figure, frame).curves
    assert curve.xs == (1.0,)
    assert curve.ys == pytest.approx((row.change,))


@pytest.mark.parametrize(
    ("wanted", "rule"),
    [
        (Comparison("gap"), "unknown measure of this study 'gap'"),
        (Comparison("makespan", to="jonson"), "did you mean 'johnson'"),
        (Comparison("makespan", axis="polcy"), "did you mean 'policy'"),
        (Comparison("makespan", along="policy"), "unknown other axis"),
    ],
)
def test_what_cannot_be_compared_is_a_sentence(wanted: Comparison, rule: str) -> None:
    with pytest.raises(InputError, match=rule):
        paired_figure(small_study(**DRAWS), wanted)


def test_one_run_each_has_nothing_to_compare() -> None:
    with pytest.raises(InputError, match="runs each cell once"):
        paired_figure(small_study(repetitions=1), Comparison("makespan"))


FIGURE = {"kind": "lines", "x": "nodes", "y": "makespan", "by": "policy", "interval": 90, "interval_seed": 7}


def test_documents_keep_interval_and_seed() -> None:
    study = small_study(figures=[FIGURE])
    assert (study.figures[0].interval, study.figures[0].interval_seed) == (90, 7)
    assert study_from_json(study_to_json(study), "again") == study


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"figures": [FIGURE | {"band": "policy", "by": ""}]}, "no sample of draws"),
        ({"figures": [FIGURE | {"interval": 100}]}, "up to 99.9"),
        ({"figures": [FIGURE], "repetitions": 1}, "of several draws; give repetitions"),
        (
            {"figures": [FIGURE | {"as": {"kind": "ratio", "at": {"policy": "johnson"}, "of": "means"}}]},
            "each draw compared by itself",
        ),
    ],
)
def test_figures_without_draws_have_no_interval(changes: dict[str, Any], rule: str) -> None:
    with pytest.raises(DocumentError, match=rule):
        small_study(**changes)


def test_the_command_prints_and_draws(
    results: StudyResults, tmp_path: Path, capsys: pytest.CaptureFixture[str], qapp: object
) -> None:
    folder, picture = str(results.folder), tmp_path / "compared.svg"
    assert run(["study", "compare", folder, "--out", str(picture)]) == 0
    printed = capsys.readouterr().out
    assert "of johnson" in printed
    assert "95 % interval" in printed
    drawn = picture.read_text()
    assert "95 % interval of the mean comparison" in drawn
    assert run(["study", "compare", folder, "--to", "johnson-reverse", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["to"], answer["interval"], answer["interval_seed"]) == ("johnson-reverse", 95.0, 1)
    assert len(answer["rows"]) == 3
    assert run(["study", "compare", folder, "--interval", "0"]) == 2
