"""When jobs arrive, share scans and leave, by dataset (003 Figures 1 and 2); arrivals can be dragged."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPen
from typing_extensions import override

from core.model.time_text import clock_text, duration_text
from explorer.scans.scan_colours import FADED_ALPHA, NOTHING, Marked, frame, shade, text_upon
from explorer.scans.time_picture import AIR, AXIS, EDGE, TimePicture, small_font
from explorer.widgets.theme import theme_of, translucent, write_with

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.shared_scans.dataset_timeline import DatasetTimeline
    from explorer.scans.scan_story import ScanStory


LANE_GAP = 5.0
ROW_HIGH, MIN_ROW, MAX_HIGH = 14.5, 10.5, 260.0
"""Pixels of a row where there is room, where there is little, and of all rows at most."""
GRIP = 6.0
MIN_DRAG = 3
MAX_GUTTER = 150.0
"""Pixels that names of datasets and jobs side by side may take; else a dataset has a line of its own."""
MIN_WINDOW = 5.0
"""Pixels between the ends of windows; nearer ones are not drawn."""
BY_KEY = {
    Qt.Key.Key_Up: (-1, 0, 0),
    Qt.Key.Key_Down: (1, 0, 0),
    Qt.Key.Key_Left: (0, -1, 0),
    Qt.Key.Key_Right: (0, 1, 0),
    Qt.Key.Key_PageUp: (0, 0, -1),
    Qt.Key.Key_PageDown: (0, 0, 1),
}
"""What keys do: rows further, seconds later, lanes further down."""
MAX_OWN_ROWS = 24
"""Jobs up to which each has a row of its own."""


class LaneRow(NamedTuple):
    """One job's row: the job of the workload, its dataset's number, its box from arrival to finish."""

    job: int
    dataset: int
    box: QRectF
    boarded: float
    arrival: float
    finish: float


class SharingChart(TimePicture):
    """A lane per dataset with a row per job, or per several: deeper where more jobs share the scan.

    A row is dotted while its job waits, for a window or for slots; a line marks its arrival, dashed lines are
    the ends of windows. Dragging a row moves the arrival, dragging it to another lane the
    dataset. With the keyboard: up and down go through the jobs, left and right move the arrival by a second
    (with Shift ten), page up and down the dataset.

    Signals
    -------
    job_pressed : index of a job of the workload
    dragged : job, arrival in seconds, dataset's number; while it goes on
    dropped : the same, once
    drag_cancelled : Escape was pressed
    nudged : by the keyboard: job, seconds later, datasets further down
    carried : a job that is dragged, and where it is, in pixels of the screen
    put_down : it is not any more
    dropped_on_circle : a job, and where, upon the circle of a dataset

    `circle_at` returns the number of the dataset whose circle is at a pixel of the screen, -1 for none.
    """

    job_pressed = Signal(int)
    dragged = Signal(int, float, int)
    dropped = Signal(int, float, int)
    drag_cancelled = Signal()
    nudged = Signal(int, float, int)
    carried = Signal(int, QPointF)
    put_down = Signal()
    dropped_on_circle = Signal(int, QPointF)

    def __init__(self) -> None:
        super().__init__(has_axis=True)
        self._levels: list[tuple[list[int], int]] = []
        self._spans: dict[int, list[tuple[float, float, int]]] = {}
        self._has_headings, self._has_own_rows = False, True
        self._grabbed: LaneRow | None = None
        self._pressed_at = QPointF()
        self._moved: tuple[float, int] | None = None
        self.circle_at: Callable[[QPointF], int] = lambda _place: -1
        self._is_over_circle = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    # ---- geometry

    def lanes(self) -> list[tuple[DatasetTimeline, QRectF]]:
        """Return each dataset's lane, in order; taller ones for datasets with more rows."""
        if self.story is None:
            return []
        lines, plot = self.story.timelines, self.plot
        weights = [float(count + self._has_headings) for _, count in self._levels]
        room = plot.height() - LANE_GAP * max(len(lines) - 1, 0)
        top, lanes = plot.top(), []
        for line, weight in zip(lines, weights, strict=True):
            height = room * weight / sum(weights)
            lanes.append((line, QRectF(plot.left(), top, plot.width(), height)))
            top += height + LANE_GAP
        return lanes

    def _row_height(self) -> float:
        """Return how high each row is, of whatever lane."""
        rows = sum(count + self._has_headings for _, count in self._levels)
        return (self.plot.height() - LANE_GAP * max(len(self._levels) - 1, 0)) / max(rows, 1)

    def wanted_height(self) -> float:
        """Return the pixels in which all rows can be read."""
        rows = sum(count + self._has_headings for _, count in self._levels)
        high = min(ROW_HIGH * rows, MAX_HIGH)
        return high + LANE_GAP * max(len(self._levels) - 1, 0) + AXIS + AIR

    def least_height(self) -> float:
        """Return the pixels in which all names still have room, within reason."""
        rows = sum(count + self._has_headings for _, count in self._levels)
        return min(MIN_ROW * rows, MAX_HIGH / 2) + LANE_GAP * max(len(self._levels) - 1, 0) + AXIS + AIR

    def wanted_gutter(self, story: ScanStory) -> float:
        """Return the pixels that the names at the left take; decide whether datasets have their own lines."""
        metrics = QFontMetricsF(_name_font(self))
        jobs = 0.0
        if self._has_own_rows:
            jobs = max(
                (metrics.horizontalAdvance(story.entry_name(e)) for e in range(len(story.job))), default=0
            )
        lines = story.timelines
        datasets = max((metrics.horizontalAdvance(story.dataset_names[d.dataset]) for d in lines), default=0)
        beside = EDGE + 4 + datasets + 8 + jobs + 8
        self._has_headings = self._has_own_rows and beside > MAX_GUTTER
        return max(EDGE + 12 + max(jobs, datasets), 44.0) if self._has_headings else max(beside, 58.0)

    def rows(self) -> list[LaneRow]:
        """Return the row of every job."""
        story = self.story
        if story is None:
            return []
        rows = []
        for (line, lane), (levels, count) in zip(self.lanes(), self._levels, strict=True):
            height = lane.height() / (count + self._has_headings)
            top = lane.top() + height * self._has_headings
            for k, entry in enumerate(line.jobs.tolist()):
                left, right = self.x_of(float(line.arrival[k])), self.x_of(float(line.finish[k]))
                box = QRectF(left, top + levels[k] * height, max(right - left, 1), height)
                times = float(line.boarded[k]), float(line.arrival[k]), float(line.finish[k])
                rows.append(LaneRow(int(story.job[entry]), line.dataset, box, *times))
        return rows

    def show_story(self, story: ScanStory) -> None:
        """Show another schedule."""
        self._has_own_rows = len(story.job) <= MAX_OWN_ROWS
        self._levels = [levels_of(line, has_own_rows=self._has_own_rows) for line in story.timelines]
        self._spans = spans_of(story)
        super().show_story(story)

    def row_at(self, place: QPointF) -> LaneRow | None:
        """Return the row under a place, the nearest in reach, or None."""
        near = [row for row in self.rows() if row.box.adjusted(-GRIP, -1, GRIP, 1).contains(place)]
        return min(near, key=lambda row: abs(row.box.center().y() - place.y()), default=None)

    def dataset_at(self, y: float) -> int:
        """Return the number of the dataset whose lane is at a height, the nearest one."""
        lanes = self.lanes()
        inside = [line.dataset for line, lane in lanes if lane.top() <= y < lane.bottom()]
        return inside[0] if inside else lanes[0 if y < self.plot.top() else -1][0].dataset

    # ---- painting

    def draw_frame(self, painter: QPainter, story: ScanStory) -> None:
        """Write the names of datasets and jobs."""
        for line, lane in self.lanes():
            self._draw_name(painter, story, line, lane)
        if self._has_own_rows:
            bold = _name_font(self)
            for row in self.rows():
                font = bold if row.job == self.selected else small_font(self)
                write_with(painter, font, self._tone(theme_of(self).text, row.job))
                place = QRectF(0, row.box.top(), self.gutter - 6, row.box.height())
                flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
                painter.drawText(place, flags, story.job_names[row.job])
            painter.setFont(small_font(self))

    def draw(self, painter: QPainter, story: ScanStory) -> None:
        """Draw windows and rows."""
        for line, lane in self.lanes():
            self._draw_windows(painter, story, line.dataset, lane)
        for row in self.rows():
            self._draw_row(painter, story, row)

    def _tone(self, colour: QColor, job: int) -> QColor:
        """Return a colour, fainter if other jobs are marked."""
        if not self.marked.jobs or job in self.marked.jobs:
            return colour
        return translucent(colour, FADED_ALPHA)

    def _draw_windows(self, painter: QPainter, story: ScanStory, dataset: int, lane: QRectF) -> None:
        """Draw where windows end, if they are far enough apart."""
        if story.windows is None:
            return
        begin, length = float(story.windows.begin[dataset]), float(story.windows.length[dataset])
        if self.x_of(length) - self.x_of(0) < MIN_WINDOW:
            return
        pale = translucent(theme_of(self).second_text, 120)
        painter.setPen(QPen(pale, 1, Qt.PenStyle.DashLine))
        first = math.ceil((self.start - begin) / length)
        for k in range(max(first, 0), math.floor((self.end - begin) / length) + 1):
            x = self.x_of(begin + k * length)
            painter.drawLine(QLineF(x, lane.top() + 1, x, lane.bottom() - 1))

    def _draw_name(self, painter: QPainter, story: ScanStory, line: DatasetTimeline, lane: QRectF) -> None:
        theme, metrics = theme_of(self), QFontMetricsF(painter.font())
        painter.fillRect(lane, theme.lane)
        painter.fillRect(QRectF(0, lane.top(), EDGE, lane.height()), frame(line.dataset, theme))
        painter.setPen(theme.second_text)
        row = max(self._row_height(), metrics.height())
        place = QRectF(EDGE + 4, lane.top(), self.gutter - EDGE - 8, row)
        painter.drawText(
            place, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, story.dataset_names[line.dataset]
        )

    def _draw_row(self, painter: QPainter, story: ScanStory, row: LaneRow) -> None:
        theme, y = theme_of(self), row.box.center().y()
        high = max(min(row.box.height() - 3, 11.0), 1.5)
        ink = self._tone(theme.text, row.job)
        painter.setPen(QPen(self._tone(theme.second_text, row.job), 1.2, Qt.PenStyle.DotLine))
        painter.drawLine(QLineF(row.box.left(), y, row.box.right(), y))
        line = self._tone(frame(row.dataset, theme), row.job)
        metrics = QFontMetricsF(painter.font())
        for start, end, sharing in self._spans.get(row.job, ()):
            colour = shade(row.dataset, sharing, theme)
            left, right = self.x_of(start), self.x_of(end)
            bar = QRectF(left, y - high / 2, max(right - left, 1), high)
            painter.fillRect(bar, theme.lane)
            painter.setPen(QPen(line, 0.7))
            painter.setBrush(self._tone(colour, row.job))
            painter.drawRect(bar)
            text = f"×{sharing}"
            if sharing > 1 and high >= 9 and bar.width() > metrics.horizontalAdvance(text) + 4:
                painter.setPen(self._tone(text_upon(colour), row.job))
                painter.drawText(bar, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, text)
        painter.setPen(QPen(ink, 1.8))
        left = row.box.left()
        painter.drawLine(QLineF(left, y - high / 2 - 1, left, y + high / 2 + 1))
        if row.box.height() >= 0.7 * metrics.height():
            self._draw_response(painter, row, y)

    def _draw_response(self, painter: QPainter, row: LaneRow, y: float) -> None:
        """Write how long a job took behind its end, or before its arrival where that leaves no room."""
        metrics, text = QFontMetricsF(painter.font()), duration_text(row.finish - row.arrival)
        wide = metrics.horizontalAdvance(text)
        x = row.box.right() + 4
        end = self.x_of(self.story.end) if self.story is not None else x
        if x + wide > self.plot.right() + 2 or x <= end < x + wide:
            x = row.box.left() - 4 - wide
        if x >= self.plot.left():
            painter.setPen(self._tone(theme_of(self).second_text, row.job))
            painter.drawText(QPointF(x, y + metrics.capHeight() / 2), text)

    def draw_over(self, painter: QPainter) -> None:
        """Show where a dragged job would arrive."""
        if self._moved is None or self._grabbed is None:
            return
        time, dataset = self._moved
        x = self.x_of(time)
        lane = next((lane for line, lane in self.lanes() if line.dataset == dataset), self.plot)
        painter.setPen(QPen(theme_of(self).accent, 2))
        painter.drawLine(QLineF(x, lane.top(), x, lane.bottom()))
        painter.drawText(QPointF(x + 4, lane.top() + 12), clock_text(time))

    # ---- gestures

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or row is None:
            if event.button() == Qt.MouseButton.LeftButton:
                self.chosen.emit(NOTHING)
            super().mousePressEvent(event)
            return
        self._grabbed, self._pressed_at, self._moved = row, event.position(), None
        self.setFocus()
        self.job_pressed.emit(row.job)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is None:
            row = self.row_at(event.position())
            self.setCursor(Qt.CursorShape.ArrowCursor if row is None else Qt.CursorShape.OpenHandCursor)
            if not event.buttons():
                self.pointed.emit(NOTHING if row is None else Marked(frozenset((row.job,))))
            super().mouseMoveEvent(event)
            return
        away = event.position() - self._pressed_at
        if self._moved is None and away.manhattanLength() < MIN_DRAG:
            return
        if self._is_carried(event.globalPosition()):
            return
        time = self.time(self.x_of(self._grabbed.arrival) + away.x())
        self._moved = (round(time, 3), self.dataset_at(event.position().y()))
        self.dragged.emit(self._grabbed.job, *self._moved)
        self.update()

    def _is_carried(self, place: QPointF) -> bool:
        """Whether the job is dragged upon a circle: then it moves in none of the rows."""
        assert self._grabbed is not None  # it is dragged
        was_over, self._is_over_circle = self._is_over_circle, self.circle_at(place) >= 0
        if self._is_over_circle and not was_over:
            self._moved = None
            self.drag_cancelled.emit()
            self.update()
        self.carried.emit(self._grabbed.job, place)
        return self._is_over_circle

    def _let_go(self) -> None:
        self._grabbed = self._moved = None
        self._is_over_circle = False
        self.put_down.emit()
        self.update()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        grabbed, moved, is_over = self._grabbed, self._moved, self._is_over_circle
        self._let_go()
        if grabbed is not None and is_over:
            self.dropped_on_circle.emit(grabbed.job, event.globalPosition())
        elif grabbed is not None and moved is not None:
            self.dropped.emit(grabbed.job, *moved)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and self._grabbed is not None:
            self._let_go()
            self.drag_cancelled.emit()
        elif key in BY_KEY and self._move_by_key(*BY_KEY[key], event.modifiers()):
            event.accept()
        else:
            super().keyPressEvent(event)

    def _move_by_key(self, rows: int, seconds: int, lanes: int, modifiers: Qt.KeyboardModifier) -> bool:
        """Select the next row, or move the selected job; return whether there was anything to do."""
        listed = self.rows()
        place = next((i for i, row in enumerate(listed) if row.job == self.selected), -1)
        if not listed or self._grabbed is not None or (place < 0 and not rows):
            return False
        if rows:
            self.job_pressed.emit(listed[min(max(place + rows, 0), len(listed) - 1)].job)
            return True
        step = seconds * (10 if modifiers & Qt.KeyboardModifier.ShiftModifier else 1)
        self.nudged.emit(self.selected, float(step), lanes)
        return True

    @override
    def tip_at(self, place: QPointF) -> str:
        row = self.row_at(place)
        return "" if row is None or self.story is None else describe(self.story, row)


def _name_font(chart: SharingChart) -> QFont:
    font = small_font(chart)
    font.setWeight(QFont.Weight.DemiBold)
    return font


def spans_of(story: ScanStory) -> dict[int, list[tuple[float, float, int]]]:
    """Return when each job of the workload is scanned for: start, end, and how many jobs share meanwhile."""
    spans: dict[int, list[tuple[float, float, int]]] = {}
    for bar in sorted(story.bars, key=lambda each: each.start):
        for entry in bar.sharing_jobs:
            own = spans.setdefault(int(story.job[entry]), [])
            if own and own[-1][1] >= bar.start and own[-1][2] == bar.concurrency:
                own[-1] = (own[-1][0], max(bar.end, own[-1][1]), bar.concurrency)
            else:
                own.append((bar.start, bar.end, bar.concurrency))
    return spans


def levels_of(line: DatasetTimeline, *, has_own_rows: bool) -> tuple[list[int], int]:
    """Return which row each job of a dataset takes, and how many rows there are."""
    if has_own_rows:
        return list(range(len(line.jobs))), len(line.jobs)
    free_at: list[float] = []
    levels = []
    for arrival, finish in zip(line.arrival.tolist(), line.finish.tolist(), strict=True):
        level = next((k for k, time in enumerate(free_at) if time <= arrival), len(free_at))
        free_at[level : level + 1] = [finish]
        levels.append(level)
    return levels, len(free_at)


def describe(story: ScanStory, row: LaneRow) -> str:
    """Return the description of a job's scan."""
    waited = row.boarded - row.arrival
    parts = [
        f"{story.job_names[row.job]} scans {story.dataset_names[row.dataset]}",
        f"arrives at {clock_text(row.arrival)}, leaves at {clock_text(row.finish)}",
        f"response {duration_text(row.finish - row.arrival)}",
    ]
    if waited > 0:
        parts.append(f"of which {duration_text(waited)} waiting for the window to end")
    return "\n".join(parts)
