"""`slotscope study figure` and `figures`: results as pictures, numbers and one page."""

from __future__ import annotations

import csv
import json
import re
from html import escape
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QImage

from core.study.verdicts import verdicts_of
from tests.core.study.study_examples import DOCUMENT
from tests.explorer.cli.test_command_line import error_of, output_of

if TYPE_CHECKING:
    from pathlib import Path

FIGURES = [
    {
        "title": "Two orders",
        "source": "000, Figure 0",
        "x": "nodes",
        "y": "makespan",
        "by": "policy",
        "kind": "lines",
        "published": [{"name": "johnson", "points": [[2, 300_000, 500_000], [8, 99]], "note": "made up"}],
    },
    {
        "title": "Shorter",
        "x": "policy",
        "y": "makespan",
        "kind": "bars",
        "as": {"kind": "less-than", "at": {"policy": "johnson-reverse"}},
    },
    {"title": "Map", "x": "nodes", "y": "policy", "z": "makespan", "kind": "heat-map"},
]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the results of the small study."""
    from core.study.executors import InThisProcess
    from core.study.run_study import run_study
    from core.study.study_document import study_from_json

    folder = tmp_path_factory.mktemp("results")
    run_study(study_from_json(DOCUMENT | {"figures": FIGURES}, "small"), folder, InThisProcess())
    return folder


def test_a_figure_becomes_pictures(qapp, results, tmp_path, capsys):
    for number in (1, 2, 3):
        path = tmp_path / f"{number}.png"
        output_of(capsys, "study", "figure", str(results), "--figure", str(number), "--out", str(path))
        image = QImage(str(path))
        colours = {image.pixelColor(x, y).rgb() for x in range(0, 1800, 13) for y in range(60, 900, 13)}
        assert len(colours) > 4, "curves, axes and letters"
    for ending, begin in (("svg", b"<?xml"), ("pdf", b"%PDF")):
        path = tmp_path / f"one.{ending}"
        output_of(capsys, "study", "figure", str(results), "--out", str(path))
        assert path.read_bytes().startswith(begin)
    assert b"Two orders" in (tmp_path / "one.svg").read_bytes()
    assert b"<image" not in (tmp_path / "one.svg").read_bytes(), "marks are shapes"


def test_a_figure_becomes_numbers_beside_the_published_ones(qapp, results, tmp_path, capsys):
    path = tmp_path / "one.csv"
    output_of(capsys, "study", "figure", str(results), "--out", str(path))
    header, *rows = csv.reader(path.read_text("utf-8").splitlines())
    assert header[:3] == ["policy", "nodes", "makespan (s)"]
    assert [row[:2] for row in rows] == [
        [policy, f"{nodes}.0"] for policy in ("johnson", "johnson-reverse") for nodes in (2, 4, 8)
    ]
    assert rows[0][5:] == ["300000.0", "500000.0", "made up"]
    assert rows[1][5:] == ["", "", ""]


def test_numbers_are_printed_where_no_picture_is_asked_for(results, capsys):
    printed = output_of(capsys, "study", "figure", str(results)).splitlines()
    rows = [line.split() for line in printed if re.match(r"[248] ", line)]
    assert [row[:2] for row in rows] == [
        [str(nodes), policy] for policy in ("johnson", "johnson-reverse") for nodes in (2, 4, 8)
    ]
    assert rows[0][-3:] == ["300000", "to", "500000"]
    assert rows[2][-1] == "99"
    makespans = [float(row[2]) for row in rows]
    shorter = output_of(capsys, "study", "figure", str(results), "--figure", "2").splitlines()
    johnson = next(line.split() for line in shorter if line.startswith("johnson "))
    gains = [100 * (1 - makespans[i] / makespans[i + 3]) for i in range(3)]
    assert min(gains) - 0.1 < float(johnson[1]) < max(gains) + 0.1


def test_verdicts_stand_below_the_figures_that_they_are_about(qapp, tmp_path, capsys):
    words = ("--repetitions", "1", "--workers", "1")
    output_of(capsys, "study", "run", "002-figure-4", "--out", str(tmp_path / "r"), *words)
    told = " ".join(output_of(capsys, "study", "figure", str(tmp_path / "r")).split())
    (verdict,) = verdicts_of("002, Figure 4")
    assert f"published {verdict.published}. {verdict.sentence} {verdict.command}" in told
    output_of(capsys, "study", "figures", "--out", str(tmp_path), "--only", "002-figure-4", *words)
    assert escape(verdict.sentence) in (tmp_path / "figures.html").read_text("utf-8")


def test_what_cannot_be_drawn_is_said(qapp, results, tmp_path, capsys):
    out = str(tmp_path / "f.png")
    words = ("study", "figure", str(results))
    assert "this study has 3" in error_of(capsys, *words, "--figure", "4", "--out", out)
    assert "ends in .png" in error_of(capsys, *words, "--out", "f.jpg")
    assert "did you mean" in error_of(capsys, "study", "figures", "--out", out, "--only", "002-figure-44")


def test_one_page_has_ours_beside_the_published_points_and_is_made_again_from_what_is_there(
    qapp, tmp_path, capsys
):
    words = ("study", "figures", "--out", str(tmp_path), "--only", "004-tables", "002-figure-6")
    said = output_of(capsys, *words, "--repetitions", "1", "--workers", "1")
    assert "002-figure-6: 36 simulations" in said
    page = (tmp_path / "figures.html").read_text("utf-8")
    assert page.count("<img") == 4
    assert page.count("data:image/svg+xml") == 4
    assert "http" not in page.replace("http-equiv", "")
    assert "<td>29 %</td><td>28" in page, "published and ours"
    again = output_of(capsys, *words, "--repetitions", "1", "--workers", "1")
    assert "002-figure-6: 0 simulations" in again


def test_repetitions_are_those_of_the_command(tmp_path, capsys):
    path = tmp_path / "small.study.json"
    path.write_text(json.dumps(DOCUMENT))
    words = ("study", "run", str(path), "--out", str(tmp_path / "out"), "--workers", "1")
    assert output_of(capsys, *words, "--repetitions", "3").startswith("18 simulations")
    assert "give at least 1" in error_of(capsys, *words, "--repetitions", "0")
