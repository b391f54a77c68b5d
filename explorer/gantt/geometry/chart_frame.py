"""Everything that the painters of one chart need, gathered once per frame."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetrics

from core.model.time_text import clock_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QPainter

    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.gantt.geometry.row_layout import RowLayout
    from explorer.gantt.geometry.stage_bands import BandLayout
    from explorer.gantt.geometry.time_scale import TimeScale
    from explorer.widgets.theme import Theme


@dataclass(frozen=True)
class ChartFonts:
    """The type of a chart: one family in several sizes, in pixels so that paper and screen agree."""

    base: QFont

    @cached_property
    def plain(self) -> QFont:
        """Sentences."""
        return self._sized(0, bold=False)

    @cached_property
    def small(self) -> QFont:
        """Labels of axes, rows and flags."""
        return self._sized(-1, bold=False)

    @cached_property
    def small_bold(self) -> QFont:
        """Names of pools; what matters in a flag."""
        return self._sized(-1, bold=True)

    @cached_property
    def title(self) -> QFont:
        """The title of a chart."""
        return self._sized(2, bold=True)

    def label(self, pixels_more: int) -> QFont:
        """Names of jobs, in several sizes."""
        return self._sized(pixels_more, bold=True)

    @cached_property
    def small_metrics(self) -> QFontMetrics:
        """Widths of small text."""
        return QFontMetrics(self.small)

    @cached_property
    def small_bold_metrics(self) -> QFontMetrics:
        """Widths of names of pools."""
        return QFontMetrics(self.small_bold)

    @cached_property
    def _pixels(self) -> int:
        return QFontInfo(self.base).pixelSize()

    def _sized(self, pixels_more: int, bold: bool) -> QFont:
        font = QFont(self.base)
        font.setPixelSize(max(8, self._pixels + pixels_more))
        font.setBold(bold)
        return font


@dataclass(frozen=True, eq=False)
class ChartFrame:
    """One frame of a chart.

    Attributes
    ----------
    content : what is shown
    theme : colours by role
    fonts : type
    places : where the parts lie
    scale, layout : time and rows of the plot
    full_scale : time of the overview
    tones : the jobs' colours as they are, (jobs, 6)
    shown_tones : the same with jobs that recede faded
    stage_tones, shown_stage_tones : the same by what `ScheduleRows.coloured` numbers, jobs or stages
    task_tones, shown_task_tones : the same by the groups of `PaintedRows`
    bands : where the stages above the rows lie, or None without any
    is_vector : whether it is painted into a vector format
    unveiled_one : the frame that this one is the open part of, where a veil hides the rest; else None
    """

    content: ChartContent
    theme: Theme
    fonts: ChartFonts
    places: ChartPlaces
    scale: TimeScale
    layout: RowLayout
    full_scale: TimeScale
    tones: NDArray[np.int64]
    shown_tones: NDArray[np.int64]
    stage_tones: NDArray[np.int64]
    shown_stage_tones: NDArray[np.int64]
    task_tones: NDArray[np.int64]
    shown_task_tones: NDArray[np.int64]
    bands: BandLayout | None = None
    is_vector: bool = False
    unveiled_one: ChartFrame | None = None

    @property
    def unveiled(self) -> ChartFrame:
        """The frame with what a veil hides: for what is no result, as the axis and the names of rows."""
        return self.unveiled_one or self

    def under_veil(self) -> ChartFrame:
        """Return the part of this frame that ends where its content is veiled."""
        veil, scale, plot = self.content.veil, self.scale, QRect(self.places.plot)
        if veil == math.inf:
            return self
        width = int(min(max(math.ceil(float(scale.x(veil))), 1), scale.width))
        plot.setWidth(width)
        cut = replace(scale, span=width / scale.pixels_per_second, width=width)
        return replace(self, places=replace(self.places, plot=plot), scale=cut, unveiled_one=self)

    @property
    def recedes(self) -> bool:
        """Whether all tasks but those of one job, or of the critical path, recede."""
        return self.shown_task_tones is not self.task_tones

    def x(self, seconds: float) -> float:
        """Return the pixel of a time in the chart."""
        return float(self.scale.x(seconds)) + self.places.plot.left()

    def xs(self, seconds: Sequence[float] | NDArray[np.float64]) -> list[float]:
        """Return the pixels of many times in the chart."""
        pixels = self.scale.x(np.asarray(seconds, np.float64)) + self.places.plot.left()
        found: list[float] = pixels.tolist()
        return found

    def time(self, x: float) -> float:
        """Return the time at a pixel of the chart."""
        return self.scale.time(x - self.places.plot.left())

    def sharp(self, scale: TimeScale) -> TimeScale:
        """Return the scale for a picture that is put into a vector format: twice as fine."""
        return replace(scale, ratio=2.0) if self.is_vector else scale

    @property
    def view_in_overview(self) -> QRectF:
        """The times that the plot shows, as a rectangle in the overview."""
        rect, full = self.places.overview, self.full_scale
        left, right = full.x(self.scale.start), full.x(self.scale.end)
        return QRectF(rect.left() + left, rect.top(), right - left, rect.height())

    @property
    def fold_rect(self) -> QRect:
        """Where a click folds the stages above the rows away, or opens them: beside the bar of their path."""
        bar, height = self.places.path, self.fonts.small_metrics.height() + 2
        return QRect(2, bar.center().y() - height // 2, bar.left() - 4, height if bar.height() else 0)

    @cached_property
    def tick_labels(self) -> list[tuple[int, QRectF, str]]:
        """Pixel, place and text of each label of the axis."""
        axis, widest = self.places.axis, self.places.whole.width() - 2.0
        ticks, step = self.scale.ticks(TICK_DISTANCE)
        end = self.scale.end
        labels = []
        for tick, x in zip(ticks.tolist(), self.xs(ticks), strict=True):
            text = clock_text(tick, step, end) if tick else "0"
            width = self.fonts.small_metrics.horizontalAdvance(text) + 4
            left = min(max(round(x) - width / 2, 2.0), widest - width)
            labels.append((round(x), QRectF(left, axis.top(), width, axis.height()), text))
        return labels

    @property
    def step(self) -> float:
        """Seconds by which times are moved: a tenth of those between two ticks of the axis."""
        _, between = self.scale.ticks(TICK_DISTANCE)
        return between / STEPS_OF_TICK

    def shows(self, seconds: float) -> bool:
        """Whether a time is in view."""
        return self.scale.start <= seconds <= self.scale.end

    def row(self, slot: int, last: int = -1) -> tuple[int, int]:
        """Return the first pixel line of a row in the chart and the one after its last.

        Or that of the last row of something that has several.
        """
        top, bottom = self.layout.slot_span(slot)
        if last > slot:
            bottom = self.layout.slot_span(last)[1]
        return top + self.places.plot.top(), bottom + self.places.plot.top()

    def rows(self, slots: Sequence[int]) -> list[tuple[int, int]]:
        """Return the same of many slots."""
        top, bottom = self.layout.slot_spans(np.asarray(slots, np.int64)) + self.places.plot.top()
        return list(zip(top.tolist(), bottom.tolist(), strict=True))

    def boxes(
        self,
        rows: NDArray[np.integer],
        start: NDArray[np.float64],
        end: NDArray[np.float64],
        last: NDArray[np.integer] | None = None,
        *,
        cut: bool = False,
    ) -> Iterator[tuple[float, float, int, int]]:
        """Yield left, right, top and bottom pixel of stretches of time in rows; `cut` to the view's sides.

        `last` are the last rows of what may have several.
        """
        plot = self.places.plot
        across = self.scale.x(np.stack([start, end]))
        left, right = (np.clip(across, 0, self.scale.width) if cut else across) + plot.left()
        top, bottom = self.layout.slot_spans(rows) + plot.top()
        if last is not None and last is not rows:
            bottom = self.layout.slot_spans(last)[1] + plot.top()
        columns = (left, right, top, bottom)
        return zip(*(column.tolist() for column in columns), strict=True)

    @cached_property
    def pool_rects(self) -> list[QRect]:
        """The visible part of each pool in the chart."""
        plot, spans = self.places.plot, self.layout.pool_spans
        return [QRect(plot.left(), plot.top() + top, plot.width(), last - top) for top, last in spans]


def colour(value: int, alpha: int = 255) -> QColor:
    """Return a 0xRRGGBB colour for a painter."""
    return QColor(value >> 16 & 255, value >> 8 & 255, value & 255, alpha)


def draw_elided(
    painter: QPainter,
    rect: QRect | QRectF,
    text: str,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    """Draw one line of text, vertically centred, shortened with … where it does not fit."""
    metrics = QFontMetrics(painter.font())
    # NOTE: eliding goes by parts of a pixel, so that a text as wide as its place would lose letters.
    fits = metrics.horizontalAdvance(text) <= rect.width()
    fitted = text if fits else metrics.elidedText(text, mode, int(rect.width()))
    painter.drawText(QRectF(rect), int(align | Qt.AlignmentFlag.AlignVCenter), fitted)


TICK_DISTANCE = 96.0
"""Pixels between two ticks of the axis at least."""
STEPS_OF_TICK = 10

BAND_LEFT, BAND_WIDTH = 4, 15
RIGHT_MARGIN, STACK_RIGHT_MARGIN = 14, 6
"""Right of the plot, and in a stack whose rows are all in view."""
STRIP_HEIGHT, STRIP_MARGIN = 6, 2
"""The strip below each pool that shows the old schedule, and the air above and below it."""

BELOW_PLOT = STRIP_HEIGHT + 2 * STRIP_MARGIN - 4
"""Room for the strip of the last pool."""
PENNANTS_LINE = 11
"""Room for pennants of deadlines, and for the strip of the last pool."""

STACK_GUTTER, GUTTER, WIDE_GUTTER = 50, 62, 80
"""Left of the plot, for names of pools and rows: in a stack, in small pictures, and in large ones."""
FLAGS_LINE, AXIS_LINE, TICK_LENGTH = 18, 20, 4
STACK_AXIS_LINE, STACK_OVERVIEW_LINE = 18, 18
"""The axis that the charts of a stack have together, and the overview below it."""
DECISIONS_LINE = 7
"""Above the rows of a chart of a stack, where it has marks of decisions."""
PATH_BAR, PATH_SPACE = 12, 4
"""Pixels of the bar that shows the path over stages, and above and below it."""
MIN_PLOT = 24


@dataclass(frozen=True)
class ChartPlaces:
    """The rectangles of one chart in logical pixels.

    Attributes
    ----------
    whole : everything
    title : the line of title and comparison; empty in a stack, where a header stands above
    flags : the line of flags of makespan and estimates, right above the plot; as wide as the chart; empty
        in a stack, whose headers have the figures
    plot : the rows
    axis : the labels of time, below the plot; empty in a stack, whose charts have one axis together
    overview : the whole schedule in small; empty in compact charts and low ones, and in a stack
    bands, path : stages by thread, and the path over them, above the flags; empty without stages to show
    """

    whole: QRect
    title: QRect
    flags: QRect
    plot: QRect
    axis: QRect
    overview: QRect
    bands: QRect = field(default_factory=QRect)
    path: QRect = field(default_factory=QRect)

    @classmethod
    def in_stack(
        cls,
        width: int,
        height: int,
        tallest: int = 1 << 20,
        bands: int | None = None,
        *,
        has_decisions: bool = False,
        rows_scroll: bool = False,
        has_pennants: bool = False,
    ) -> ChartPlaces:
        """Lay out a chart whose title and axis stand elsewhere; `bands` is as in `of`.

        Rows that scroll have room at their right for a bar that says which are in view, and pennants of
        deadlines have room below the rows.
        """
        margin = RIGHT_MARGIN if rows_scroll else STACK_RIGHT_MARGIN
        inner, none = max(1, width - STACK_GUTTER - margin), QRect()
        stages = _stage_places(QRect(STACK_GUTTER, 0, inner, height), bands)
        top = height_above(bands) + DECISIONS_LINE * has_decisions
        below = PENNANTS_LINE if has_pennants else BELOW_PLOT
        rows = max(MIN_PLOT, min(tallest, height - top - below))
        plot = QRect(STACK_GUTTER, top, inner, rows)
        return cls(QRect(0, 0, width, height), none, none, plot, none, none, *stages)

    def with_axis(self, width: int) -> ChartPlaces:
        """Return the places of a stack's axis, which has this chart's times at the same pixels."""
        left, inner = self.plot.left(), self.plot.width()
        whole = QRect(0, 0, width, STACK_AXIS_LINE + STACK_OVERVIEW_LINE)
        axis = QRect(left, TICK_LENGTH, inner, STACK_AXIS_LINE - TICK_LENGTH)
        overview = QRect(left, STACK_AXIS_LINE, inner, STACK_OVERVIEW_LINE - 1)
        return replace(self, whole=whole, plot=QRect(left, 0, inner, 0), axis=axis, overview=overview)

    @classmethod
    def of(
        cls, width: int, height: int, compact: bool, tallest: int = 1 << 20, bands: int | None = None
    ) -> ChartPlaces:
        """Lay a chart out in a size; the plot is at most so tall, and the rest stays empty below.

        `bands` are the pixels of the bands of stages, 0 if they are folded away, None without stages to show.
        """
        gutter = GUTTER if compact else WIDE_GUTTER
        title = QRect(
            gutter, 3 if compact else 5, max(1, width - gutter - RIGHT_MARGIN), 19 if compact else 22
        )
        above = title.bottom() + 1
        stages = _stage_places(QRect(gutter, above, title.width(), height), bands)
        flags = QRect(gutter, above + height_above(bands), max(1, width - gutter - 2), FLAGS_LINE)
        top = flags.bottom() + 1
        overview_height = 0 if compact or height < 300 else min(54, height // 12)
        bottom = AXIS_LINE + PENNANTS_LINE + (overview_height + 14 if overview_height else 2)
        plot = QRect(gutter, top, title.width(), max(MIN_PLOT, min(tallest, height - top - bottom)))
        axis = QRect(gutter, plot.bottom() + 1 + PENNANTS_LINE, plot.width(), AXIS_LINE)
        overview = QRect(gutter, axis.bottom() + 7, plot.width(), overview_height)
        return cls(QRect(0, 0, width, height), title, flags, plot, axis, overview, *stages)


def height_above(bands: int | None) -> int:
    """Return the pixels that bands so high and the bar of their path take, with the air around them."""
    if bands is None:
        return 0
    return bands + PATH_SPACE * bool(bands) + PATH_BAR + 2 * PATH_SPACE


def _stage_places(within: QRect, bands: int | None) -> tuple[QRect, QRect]:
    """Return where the bands of stages and the bar of their path lie, from the top of a rectangle on."""
    if bands is None:
        return QRect(), QRect()
    path = within.top() + height_above(bands) - PATH_SPACE - PATH_BAR
    top = within.top() + PATH_SPACE * bool(bands)
    across = within.left(), within.width()
    return QRect(across[0], top, across[1], bands), QRect(across[0], path, across[1], PATH_BAR)
