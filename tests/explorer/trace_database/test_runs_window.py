"""Runs side by side: curves, medians, divergences, and all of it to take away."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPen

from core.trace_database.run_comparison import PHASES, compare_runs
from core.trace_database.search import RunSearch
from core.trace_database.trace_database import Library
from explorer.plots.cdf_picture import CdfCurve, CdfPanel, field_in, line_of
from explorer.widgets.export import write_chart
from tests.explorer.trace_database.test_library_window import LEFT, select, settle

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from explorer.trace_database.library_window import LibraryWindow
    from explorer.trace_database.runs_window import RunsWindow


@pytest.fixture
def runs(qtbot: QtBot, window: LibraryWindow) -> RunsWindow:
    """Compare the three largest jobs."""
    window.table.sortByColumn(9, Qt.SortOrder.DescendingOrder)
    settle(qtbot, window)
    select(window, 0, 1, 2)
    qtbot.mouseClick(window.buttons.compare_button, LEFT)
    settle(qtbot, window)
    assert window.runs_window.isVisible()
    return window.runs_window


def test_only_two_to_six_runs_are_compared(qtbot: QtBot, window: LibraryWindow) -> None:
    select(window, 0)
    assert not window.buttons.compare_button.isEnabled()
    assert "2 to 6 selected runs" in window.buttons.compare_button.toolTip()
    window.table.select_ids(list(window.model.ids[:6]))
    assert window.buttons.compare_button.isEnabled()
    window.table.select_ids(list(window.model.ids[:7]))
    assert not window.buttons.compare_button.isEnabled()
    window.compare_selected()
    assert not window.runs_window.isVisible()


def test_medians_and_divergences(runs: RunsWindow, filled: Path) -> None:
    with Library.open(filled) as library:
        ids = library.ids(RunSearch(sort="work", descending=True))[:3]
        templates, compared = library.templates(ids), compare_runs(library.jobs(ids))
    assert [row.texts[0] for row in runs.runs.rows] == [f"{i + 1}  {t.name}" for i, t in enumerate(templates)]
    for phase in PHASES:
        shown = [list(row.texts[1:]) for row in runs.matrices[phase].rows]
        expected = [
            ["–" if np.isnan(value) else f"{value:.2f}" for value in row]
            for row in compared[phase].divergence
        ]
        assert shown == expected
    text = runs.to_text()
    assert templates[0].name in text
    assert "Median map" in text


def test_few_samples_are_said(runs: RunsWindow) -> None:
    assert "so read it with care" in runs.phase_labels["map"].text()


def test_pointing_tells_fractions(runs: RunsWindow) -> None:
    picture = runs.picture
    panel = picture.panels[0]
    field = field_in(picture.areas(QRectF(picture.rect()))[0], picture.font())
    right = panel.scale(field, False).x(float(panel.samples[-1])) + 1
    text = picture.tip_at(QPointF(right, field.center().y()))
    assert text.startswith("Map of at most ")
    assert text.count("100% of ") == 3
    assert picture.tip_at(QPointF(1, 1)) == ""


FIELD = QRectF(50, 20, 340, 240)


def panel_of(times: list[float] | np.ndarray, fractions: list[float] | np.ndarray) -> CdfPanel:
    curve = CdfCurve("run", np.asarray(times), np.asarray(fractions), lambda colours: QPen(colours.text))
    return CdfPanel("Map", (curve,), curve.times)


def corners_of(panel: CdfPanel, *, is_log: bool) -> list[tuple[float, float]]:
    return [point.toTuple() for point in line_of(panel.curves[0], FIELD, panel.scale(FIELD, is_log))]  # type: ignore[attr-defined]


def test_the_curve_passes_where_the_fractions_are() -> None:
    panel = panel_of([1.0, 3.0], [0.25, 1.0])
    for is_log in (False, True):
        scale = panel.scale(FIELD, is_log)
        places = ((1, 0), (1, 0.25), (3, 0.25), (3, 1))
        at = [(scale.x(seconds), FIELD.bottom() - part * FIELD.height()) for seconds, part in places]
        assert np.allclose(corners_of(panel, is_log=is_log), at)
        assert scale.value(scale.x(2.5)) == pytest.approx(2.5)


@pytest.mark.parametrize(
    ("low", "high"), [(2.1, 4.4), (0.05, 0.06), (0.01, 90_000.0), (1.0, 50.0), (0.0, 0.0)]
)
def test_both_axes_have_round_durations_that_fit(low: float, high: float) -> None:
    panel = panel_of([low, high], [0.5, 1.0])
    for is_log in (False, True):
        scale = panel.scale(FIELD, is_log)
        ticks = scale.ticks("s")
        assert 2 <= len(ticks) <= 6
        assert ticks == sorted(ticks)
        assert scale.low <= ticks[0] <= ticks[-1] <= scale.high


def test_very_many_samples_make_no_longer_line() -> None:
    values = np.arange(1.0, 200_001.0)
    corners = corners_of(panel_of(values, values / len(values)), is_log=False)
    assert len(corners) < 5000
    assert corners[-1][1] == pytest.approx(FIELD.top())


def test_logarithmic_seconds(qtbot: QtBot, runs: RunsWindow) -> None:
    before = runs.picture.grab().toImage()
    runs.log_box.click()
    assert runs.picture.is_log
    assert runs.picture.grab().toImage() != before


def test_everything_can_be_taken_away(qtbot: QtBot, runs: RunsWindow, tmp_path: Path) -> None:
    for name in ("runs.png", "runs.svg", "runs.csv"):
        write_chart(runs.picture, str(tmp_path / name))
    image = QImage(str(tmp_path / "runs.png"))
    assert image.width() == 2 * runs.picture.export_size().width()
    assert "polyline" in (tmp_path / "runs.svg").read_text() or "path" in (tmp_path / "runs.svg").read_text()
    with (tmp_path / "runs.csv").open() as file:
        header, *rows = csv.reader(file)
    assert header[:2] == ["phase", "run"]
    for name in runs.picture.legend_texts():
        fractions = [float(row[3]) for row in rows if row[:2] == ["map", name]]
        assert fractions == sorted(fractions)
        assert fractions[-1] == 1
    qtbot.mouseClick(runs.copy_button, LEFT)
    assert QGuiApplication.clipboard().text() == runs.to_text()


def test_runs_without_such_tasks(qtbot: QtBot, runs: RunsWindow, window: LibraryWindow) -> None:
    with Library.open(window._library) as library:
        map_only = [t.id for t in library.search() if t.reduces == 0][:2]
    assert len(map_only) == 2
    window.table.select_ids(map_only)
    window.compare_selected()
    settle(qtbot, window)
    assert [row.texts[1:] for row in runs.matrices["reduce"].rows] == [("–", "–"), ("–", "–")]
    assert not runs.picture.grab().isNull()
