"""Plots over the shared time axis: round ticks, and a mouse that moves the axis for all of them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.document.time_axis import TimeAxis
from explorer.plots.plot import LaterTicks, Plot, TimePlot, TimeTicks
from explorer.widgets.theme import theme
from tests.explorer.gantt.chart_builders import wheel_event


@pytest.fixture
def axis() -> TimeAxis:
    axis = TimeAxis()
    axis.set_extent(0.0, 1000.0)
    axis.fit()
    return axis


@pytest.fixture
def plot(qtbot, axis) -> TimePlot:
    plot = TimePlot(axis, theme(False))
    qtbot.addWidget(plot)
    plot.resize(600, 200)
    plot.show()
    plot.lay_out()
    return plot


def place_of(plot: Plot, seconds: float) -> QPoint:
    """Return the pixel of a time in the middle of a plot."""
    box = plot.getViewBox()
    x = box.mapViewToScene(QPointF(seconds, 0.0)).x()
    return plot.mapFromScene(QPointF(x, box.sceneBoundingRect().center().y()))


def test_ticks_are_round_times_as_clocks_write_them(qapp):
    ticks = TimeTicks(orientation="bottom")
    ((step, values),) = ticks.tickValues(0.0, 300.0, 600)  # 90 pixels for each: six at most
    assert (step, values) == (60.0, [0.0, 60.0, 120.0, 180.0, 240.0, 300.0])
    assert ticks.tickStrings(values, 1.0, step) == ["0:00", "1:00", "2:00", "3:00", "4:00", "5:00"]
    ((step, values),) = TimeTicks(orientation="left").tickValues(0.0, 60.0, 130)  # 26 pixels: five
    assert values == [0.0, 15.0, 30.0, 45.0, 60.0]
    assert ticks.tickValues(5.0, 5.0, 600) == [(1.0, [5.0])]
    assert ticks.tickStrings([], 1.0, 1.0) == []


def test_ticks_of_changes_have_a_sign(qapp):
    assert LaterTicks(orientation="left").tickStrings([-20.0, 0.0, 90.0], 1.0, 1.0) == [
        "\N{MINUS SIGN}20 s",
        "0 s",
        "+1 min 30 s",
    ]


def test_it_shows_what_the_axis_shows(plot, axis):
    for start, end in ((100.0, 400.0), (250.0, 300.0)):
        axis.show_span(start, end)
        assert plot.getViewBox().viewRange()[0] == pytest.approx([axis.t0, axis.t1])
        assert axis.t0 <= start < end <= axis.t1


def test_the_wheel_zooms_the_axis_around_the_pointer(plot, axis):
    place = place_of(plot, 250.0)
    QApplication.sendEvent(plot.viewport(), wheel_event(plot, place, 3))
    assert axis.range.span < 1000.0
    box = plot.getViewBox()
    assert box.mapSceneToView(plot.mapToScene(place)).x() == pytest.approx(250.0, abs=5.0)
    span, start = axis.range.span, axis.t0
    QApplication.sendEvent(plot.viewport(), wheel_event(plot, place, -1, Qt.KeyboardModifier.ShiftModifier))
    assert axis.range.span == pytest.approx(span)
    assert axis.t0 == pytest.approx(start + span / 10)


@pytest.mark.qt_log_ignore("not accepted by receiving widget")  # the scene has it: pyqtgraph ignores it above
def test_dragging_moves_the_axis_with_the_pointer_and_a_double_click_shows_all(plot, axis):
    axis.show_span(300.0, 600.0)
    start, span = axis.t0, axis.range.span
    begin, end = place_of(plot, 500.0), place_of(plot, 400.0)
    viewport = plot.viewport()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=begin)
    for step in range(1, 6):
        QTest.mouseMove(viewport, begin + (end - begin) * step / 5, delay=20)
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=end)
    assert axis.range.span == pytest.approx(span)
    assert axis.t0 == pytest.approx(start + 100.0, abs=10.0)
    QTest.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=end, delay=600)
    assert axis.is_fitted


def test_the_cursor_is_where_the_pointer_is_in_all_plots(plot, axis, qtbot):
    other = TimePlot(axis, theme(True))
    qtbot.addWidget(other)
    assert not other.cursor_line.isVisible()
    QTest.mouseMove(plot.viewport(), place_of(plot, 300.0))
    assert axis.cursor == pytest.approx(300.0, abs=2.0)
    assert other.cursor_line.value() == pytest.approx(axis.cursor)
    axis.set_cursor(None)
    assert not plot.cursor_line.isVisible()
    axis.set_cursor(42.0)
    assert (plot.cursor_line.isVisible(), plot.cursor_line.value()) == (True, 42.0)


def test_a_plot_without_time_leaves_the_wheel_to_what_shows_it(qtbot):
    plot = Plot(theme(False))
    qtbot.addWidget(plot)
    plot.setXRange(0, 10, padding=0)
    event = wheel_event(plot, QPoint(50, 50), 3)
    QApplication.sendEvent(plot.viewport(), event)
    assert plot.getViewBox().viewRange()[0] == pytest.approx([0, 10])


@pytest.mark.parametrize("dark", [False, True])
def test_a_picture_of_a_plot_has_its_background_and_marks_and_the_screen_keeps_its_own(qtbot, dark):
    plot = Plot(theme(not dark))
    qtbot.addWidget(plot)
    plot.set_theme(theme(dark))
    plot.resize(300, 200)
    plot.plot([0, 1, 2], [0, 1, 2], pen=None, symbol="o", symbolSize=20, symbolBrush="#ff0000")
    plot.lay_out()
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.cyan)
    painter = QPainter(image)
    plot.paint_into(painter, QRectF(50, 50, 300, 200))
    painter.end()
    assert image.pixelColor(52, 52).rgb() == theme(dark).plot.rgb()
    assert image.pixelColor(20, 20).rgb() == QImage(image).pixelColor(399, 299).rgb() == 0xFF00FFFF
    colours = {image.pixel(x, y) for x in range(50, 350) for y in range(50, 250)}
    assert 0xFFFF0000 in colours
