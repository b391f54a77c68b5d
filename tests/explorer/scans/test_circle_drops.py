"""Jobs that are dropped upon the circle of another dataset: from their rings, and from their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from explorer.scans.circle_drops import ELSEWHERE
from explorer.scans.drop_drawing import Drop
from explorer.scans.scan_colours import Marked
from explorer.widgets.theme import theme_of
from tests.explorer.window_fixtures import LEFT, open_window

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from explorer.scans.circle_chart import CircleChart
    from explorer.window.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """The sample of ten scans of clicks and sales, 28.5 s after it began."""
    window = open_window(qtbot, tmp_path, "ten-scans")
    window.scans.resize(1366, 768)
    window.scans.show()
    assert window.runner.wait_until_idle()
    qtbot.waitUntil(lambda: len(window.scans.stories) == 4)
    window.scans.time.look_at(28.5)
    window.scans.grab()
    return window


def chart_of(window: MainWindow) -> CircleChart:
    return window.scans.columns["circumflex"].circles


def disc(chart: CircleChart, dataset: int) -> QPoint:
    return next(centre.toPoint() for centre, _, number in chart._discs if number == dataset)


def ring_of(chart: CircleChart, job: int) -> QPoint:
    wanted = Marked(frozenset((job,)))
    for x in range(chart.width()):
        for y in range(chart.height()):
            spot = chart.spot_at(QPointF(x, y))
            if spot is not None and spot.marked == wanted and chart.dataset_at(QPointF(x, y)) == 0:
                return QPoint(x, y)
    raise AssertionError(f"job {job} has no ring")


def shown(chart: CircleChart) -> Drop:
    assert chart._drop is not None
    return chart._drop


def test_a_ring_is_dropped_upon_another_circle_and_that_can_be_undone(window: MainWindow) -> None:
    chart, workload = chart_of(window), window.document.workload
    assert workload.jobs[1].dataset == "clicks"
    start, target = ring_of(chart, 1), disc(chart, 1)
    QTest.mousePress(chart, LEFT, pos=start)
    QTest.mouseMove(chart, target)
    assert shown(chart)[:2] == ((1,), 1)
    assert shown(chart).text == "J2 scans sales instead of clicks"
    others = [c.circles for c in window.scans.columns.values() if c.circles is not chart]
    assert all(shown(other)[:3] == ((1,), 1, "") for other in others), "every pane's circle lights up"
    QTest.mouseRelease(chart, LEFT, pos=target)
    job = window.document.workload.jobs[1]
    assert (job.dataset, job.arrival) == ("sales", workload.jobs[1].arrival)
    assert chart._drop is None
    window.editor.undo_stack.undo()
    assert window.document.workload.jobs[1].dataset == "clicks"


def test_a_drop_that_does_nothing_says_why_at_the_pointer(window: MainWindow) -> None:
    chart = chart_of(window)
    start = ring_of(chart, 1)
    QTest.mousePress(chart, LEFT, pos=start)
    QTest.mouseMove(chart, disc(chart, 0))
    assert shown(chart).text == "J2 scans clicks already"
    QTest.mouseMove(chart, QPoint(chart.width() - 2, chart.height() - 2))
    assert shown(chart)[1:3] == (-1, ELSEWHERE)
    QTest.mouseRelease(chart, LEFT, pos=disc(chart, 0))
    assert not window.editor.undo_stack.canUndo()


def test_escape_ends_a_drag_of_a_ring(window: MainWindow) -> None:
    chart = chart_of(window)
    start, target = ring_of(chart, 1), disc(chart, 1)
    QTest.mousePress(chart, LEFT, pos=start)
    QTest.mouseMove(chart, target)
    QTest.keyClick(window.scans, Qt.Key.Key_Escape)
    assert chart._drop is None
    QTest.mouseRelease(chart, LEFT, pos=target)
    assert not window.editor.undo_stack.canUndo()
    assert window.view_state.selected_job == "J2", "only the drag is over"


def test_a_row_is_dropped_upon_a_circle(window: MainWindow) -> None:
    rows, chart = window.scans.columns["circumflex"].sharing, chart_of(window)
    row = next(each for each in rows.rows() if each.job == 0)
    start = row.box.center().toPoint()
    target = rows.mapFromGlobal(chart.mapToGlobal(disc(chart, 1)))
    QTest.mousePress(rows, LEFT, pos=start)
    QTest.mouseMove(rows, start + QPoint(10, 0))
    assert shown(chart)[:2] == ((1,), -1), "where it can be dropped lights up at once"
    QTest.mouseMove(rows, target)
    assert shown(chart).over == 1
    QTest.mouseRelease(rows, LEFT, pos=target)
    assert window.document.workload.jobs[0].dataset == "sales"
    assert window.document.workload.jobs[0].arrival == row.arrival
    assert chart._drop is None


def test_a_circle_that_lights_up_is_outlined(window: MainWindow) -> None:
    chart = chart_of(window)
    centre, radius, _ = next(each for each in chart._discs if each[2] == 1)
    place = (centre + QPointF(0, radius + 6)).toPoint()
    chart.show_drop(Drop((1,), 1, "", QPointF()))
    image = chart.grab().toImage()
    ratio = image.devicePixelRatio()
    found = image.pixelColor(round(place.x() * ratio), round(place.y() * ratio))
    assert found.rgb() == theme_of(chart).accent.rgb()
