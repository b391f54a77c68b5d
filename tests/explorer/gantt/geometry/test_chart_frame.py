"""What painters take from a frame: type, pixels of times and rows, the axis, and the part before a veil."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter

from core.charts.schedule_rows import bands_of
from core.model.cluster import Cluster
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.geometry.chart_frame import ChartFonts, ChartFrame, ChartPlaces, draw_elided
from explorer.gantt.geometry.row_layout import RowLayout
from explorer.gantt.geometry.time_scale import TimeScale
from explorer.widgets.theme import theme


def font(pixels: int) -> QFont:
    made = QFont()
    made.setPixelSize(pixels)
    return made


@pytest.fixture
def frame(qtbot) -> ChartFrame:
    """100 seconds on 1000 pixels from pixel 80; five rows of 20 pixels, three above a gap, from line 45."""
    view = GanttView(TimeAxis(), theme(False))
    qtbot.addWidget(view)
    layout = RowLayout(bands_of(Cluster(3, 2)), 114)
    places = replace(ChartPlaces.of(1094, 600, compact=False), plot=QRect(80, 45, 1000, 114))
    scale = TimeScale(0.0, 100.0, 1000)
    return replace(
        view.frame(), fonts=ChartFonts(font(12)), places=places, scale=scale, layout=layout, full_scale=scale
    )


def test_type_comes_in_sizes_around_the_plain_one(qapp):
    fonts = ChartFonts(font(12))
    assert [each.pixelSize() for each in (fonts.plain, fonts.small, fonts.small_bold, fonts.title)] == [
        12,
        11,
        11,
        14,
    ]
    assert [each.bold() for each in (fonts.plain, fonts.small, fonts.small_bold, fonts.title)] == [
        False,
        False,
        True,
        True,
    ]
    assert (fonts.label(3).pixelSize(), fonts.label(3).bold()) == (15, True)
    assert fonts.small_metrics == QFontMetrics(fonts.small)
    assert fonts.small_bold_metrics == QFontMetrics(fonts.small_bold)


def test_no_type_is_smaller_than_eight_pixels(qapp):
    assert [ChartFonts(font(pixels)).small.pixelSize() for pixels in (6, 8, 9, 10)] == [8, 8, 8, 9]


def test_times_are_counted_from_the_left_of_the_plot(frame):
    assert frame.x(25.0) == 330.0
    assert frame.xs([0.0, 25.0, 110.0]) == [80.0, 330.0, 1180.0]
    assert frame.time(330.0) == 25.0


def test_a_time_is_in_view_up_to_both_borders(frame):
    later = replace(frame, scale=TimeScale(10.0, 20.0, 1000))
    assert [later.shows(seconds) for seconds in (9.9, 10.0, 20.0, 30.0, 30.1)] == [
        False,
        True,
        True,
        True,
        False,
    ]


def test_rows_are_counted_from_the_top_of_the_chart(frame):
    assert frame.row(0) == (45, 65)
    assert frame.row(3) == (45 + 74, 45 + 94)
    assert frame.rows([4, 1]) == [(45 + 94, 45 + 114), (65, 85)]


def test_the_axis_has_a_label_in_the_middle_of_each_tick(frame):
    """On 1000 pixels there is room for a label every 96: every 10 of 100 seconds."""
    labels = frame.tick_labels
    assert [(x, text) for x, _, text in labels] == [
        (80 + 100 * place, f"{place // 6}:{place % 6}0" if place else "0") for place in range(11)
    ]
    axis = frame.places.axis
    for x, rect, text in labels[:-1]:
        assert rect.width() == frame.fonts.small_metrics.horizontalAdvance(text) + 4
        assert rect.center().x() == x
        assert (rect.top(), rect.height()) == (axis.top(), axis.height())


def test_labels_at_the_borders_of_a_chart_are_moved_inside(frame):
    whole = QRect(0, 0, 1000, 600)
    inside = replace(frame, places=replace(frame.places, whole=whole, plot=QRect(0, 45, 1000, 114)))
    (first_x, first, _), *_, (last_x, last, _) = inside.tick_labels
    assert (first_x, first.left()) == (0, 2.0)
    assert (last_x, last.right()) == (1000, 998.0)


def test_stretches_of_time_in_rows(frame):
    rows, start, end = np.array([0, 3]), np.array([5.0, -10.0]), np.array([25.0, 120.0])
    assert list(frame.boxes(rows, start, end)) == [(130.0, 330.0, 45, 65), (-20.0, 1280.0, 119, 139)]
    cut = list(frame.boxes(rows, start, end, cut=True))
    assert cut == [(130.0, 330.0, 45, 65), (80.0, 1080.0, 119, 139)]


def test_the_visible_part_of_each_pool(frame):
    assert frame.pool_rects == [QRect(80, 45, 1000, 60), QRect(80, 119, 1000, 40)]
    scrolled = replace(frame, layout=frame.layout.zoomed(2.0, 0.0).scrolled_to(30))
    assert scrolled.pool_rects == [QRect(80, 45, 1000, 90), QRect(80, 149, 1000, 10)]


@pytest.mark.parametrize(
    ("veil", "width"), [(25.0, 250), (25.01, 251), (0.0, 1), (-5.0, 1), (99.99, 1000), (400.0, 1000)]
)
def test_a_veil_cuts_a_frame_at_a_whole_pixel_where_something_is_left(frame, veil, width):
    whole = replace(frame, content=ChartContent(veil=veil))
    part = whole.under_veil()
    assert part.places.plot == QRect(80, 45, width, 114)
    assert (part.scale.start, part.scale.width) == (0.0, width)
    assert part.scale.span == pytest.approx(width / 10)
    assert part.unveiled is whole
    assert whole.unveiled is whole
    assert whole.places.plot.width() == 1000


def test_without_a_veil_a_frame_is_whole(frame):
    assert frame.under_veil() is frame


def inked(text: str, **options) -> tuple[int, int, int, int]:
    """Return the first and the last column and line that a text has in a place of 80 x 30 at (10, 20)."""
    image = QImage(120, 70, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setFont(font(12))
    draw_elided(painter, QRect(10, 20, 80, 30), text, **options)
    painter.end()
    white = QColor(Qt.GlobalColor.white).rgb()
    dark = [(x, y) for x in range(120) for y in range(70) if image.pixel(x, y) != white]
    columns, lines = zip(*dark, strict=True)
    return min(columns), max(columns), min(lines), max(lines)


def test_a_text_is_drawn_in_the_middle_of_its_line_at_the_side_that_is_asked_for(qapp):
    left, right, top, bottom = inked("HHH")
    assert (10 <= left < 14, right < 60) == (True, True)
    assert (top + bottom) / 2 == pytest.approx(35, abs=3)
    left, right, top, bottom = inked("HHH", align=Qt.AlignmentFlag.AlignRight)
    assert (left > 50, 85 < right <= 90) == (True, True)
    assert (top + bottom) / 2 == pytest.approx(35, abs=3)


def test_a_long_text_is_cut_to_its_place(qapp):
    left, right, _, _ = inked("H" * 100)
    assert left >= 10
    assert 60 < right <= 90
