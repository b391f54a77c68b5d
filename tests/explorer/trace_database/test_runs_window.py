"""Runs side by side: curves, medians, divergences, and all of it to take away."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QGuiApplication, QImage

from core.trace_database.run_comparison import PHASES, compare_runs
from core.trace_database.search import Search
from core.trace_database.trace_database import Library
from explorer.trace_database.cdf_painter import Panel, panel_places, steps_path
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
        ids = library.ids(Search(sort="work", descending=True))[:3]
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
    panel = picture.curves.panels[0]
    area = picture.areas(QRectF(picture.rect()))[0]
    places = panel_places(panel, area, picture.font(), False)
    text = picture.text_at(QPointF(places.x(panel.limits[1]) + 1, places.field.center().y()))
    assert text.startswith("Map of at most ")
    assert text.count("100% of ") == 3
    assert picture.text_at(QPointF(1, 1)) == ""


def test_the_curve_passes_where_the_fractions_are() -> None:
    curve = (np.array([1.0, 3.0]), np.array([0.25, 1.0]))
    panel = Panel("Map", (curve,))
    for logarithmic in (False, True):
        places = panel_places(panel, QRectF(0, 0, 400, 300), QFont(), logarithmic)
        path = steps_path(curve, places)
        corners = [(path.elementAt(i).x, path.elementAt(i).y) for i in range(path.elementCount())]
        at = [(places.x(s), places.y(f)) for s, f in ((1, 0), (1, 0.25), (3, 0.25), (3, 1))]
        assert np.allclose(corners, at)
        assert places.seconds(places.x(2.5)) == pytest.approx(2.5)


@pytest.mark.parametrize(
    ("low", "high"), [(2.1, 4.4), (0.05, 0.06), (0.01, 90_000.0), (1.0, 50.0), (0.0, 0.0)]
)
def test_both_axes_have_round_durations_that_fit(low: float, high: float) -> None:
    panel = Panel("Map", ((np.array([low, high]), np.array([0.5, 1.0])),))
    for logarithmic in (False, True):
        places = panel_places(panel, QRectF(0, 0, 400, 300), QFont(), logarithmic)
        ticks = places.ticks()
        assert 2 <= len(ticks) <= 6
        assert ticks == sorted(ticks)
        assert places.low <= ticks[0] <= ticks[-1] <= places.high


def test_very_many_samples_make_no_longer_path() -> None:
    values = np.arange(1.0, 200_001.0)
    curve = (values, values / len(values))
    places = panel_places(Panel("Map", (curve,)), QRectF(0, 0, 400, 300), QFont(), False)
    path = steps_path(curve, places)
    assert path.elementCount() < 5000
    assert path.elementAt(path.elementCount() - 1).y == pytest.approx(places.y(1))


def test_logarithmic_seconds(qtbot: QtBot, runs: RunsWindow) -> None:
    before = runs.picture.grab().toImage()
    runs.log_box.click()
    assert runs.picture.is_logarithmic
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
    for name in runs.picture.curves.names:
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
