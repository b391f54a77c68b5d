"""When jobs arrive, share scans and leave, by dataset (003 Figures 1 and 2); arrivals can be dragged."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QToolTip
from typing_extensions import override

from core.model.time_text import clock_text, duration_text
from explorer.scans.time_picture import EDGE, LEFT, TimePicture, dataset_colour
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.shared_scans.dataset_clock import DatasetTimeline
    from explorer.scans.scan_story import ScanStory


STEPS_SHARE = 0.3
"""Part of a lane that the number of sharing jobs takes."""
GRIP = 6.0
MARK = 3.5
MIN_DRAG = 3
MAX_NAME = 90
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
    """A lane per dataset: the number of sharing jobs as steps, below them a row per job, or per several.

    A row is dotted while its job waits for a window, then solid; plus and minus mark arrival and departure;
    dashed lines are the ends of windows. Dragging a row moves the arrival, dragging it to another lane the
    dataset. With the keyboard: up and down go through the jobs, left and right move the arrival by a second
    (with Shift ten), page up and down the dataset.

    Signals
    -------
    job_pressed : index of a job of the workload
    dragged : job, arrival in seconds, dataset's number; while it goes on
    dropped : the same, once
    drag_cancelled : Escape was pressed
    nudged : by the keyboard: job, seconds later, datasets further down
    """

    job_pressed = Signal(int)
    dragged = Signal(int, float, int)
    dropped = Signal(int, float, int)
    drag_cancelled = Signal()
    nudged = Signal(int, float, int)

    def __init__(self) -> None:
        super().__init__("Scanning jobs, by dataset")
        self._levels: list[tuple[list[int], int]] = []
        self._grabbed: LaneRow | None = None
        self._pressed_at = QPointF()
        self._moved: tuple[float, int] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    # ---- geometry

    def lanes(self) -> list[tuple[DatasetTimeline, QRectF]]:
        """Return each dataset's lane, in order; taller ones for datasets with more rows."""
        if self.story is None:
            return []
        lines, plot = self.story.timelines, self.plot
        weights = [2.0 + self._levels[k][1] for k in range(len(lines))]
        top, lanes = plot.top(), []
        for line, weight in zip(lines, weights, strict=True):
            height = plot.height() * weight / sum(weights)
            lanes.append((line, QRectF(plot.left(), top, plot.width(), height)))
            top += height
        return lanes

    def rows(self) -> list[LaneRow]:
        """Return the row of every job."""
        story = self.story
        if story is None:
            return []
        rows = []
        for (line, lane), (levels, count) in zip(self.lanes(), self._levels, strict=True):
            top = lane.top() + STEPS_SHARE * lane.height()
            height = (lane.bottom() - top - 2) / count
            for k, entry in enumerate(line.jobs.tolist()):
                left, right = self.x_of(float(line.arrival[k])), self.x_of(float(line.finish[k]))
                box = QRectF(left, top + levels[k] * height, max(right - left, 1), height)
                times = float(line.boarded[k]), float(line.arrival[k]), float(line.finish[k])
                rows.append(LaneRow(int(story.job[entry]), line.dataset, box, *times))
        return rows

    def show_story(self, story: ScanStory, colour_of: Callable[[int], QColor]) -> None:
        """Show another schedule."""
        few = len(story.job) <= MAX_OWN_ROWS
        self._levels = [levels_of(line, has_own_rows=few) for line in story.timelines]
        super().show_story(story, colour_of)

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
        """Write the datasets' names."""
        for line, lane in self.lanes():
            self._draw_name(painter, story, line, lane)

    def draw(self, painter: QPainter, story: ScanStory) -> None:
        """Draw steps and rows."""
        for line, lane in self.lanes():
            self._draw_windows(painter, story, line.dataset, lane)
            self._draw_steps(painter, line, lane, int(line.sharing.max(initial=0)))
        for row in self.rows():
            self._draw_row(painter, story, row)

    def _draw_windows(self, painter: QPainter, story: ScanStory, dataset: int, lane: QRectF) -> None:
        """Draw where windows end, if they are far enough apart."""
        if story.windows is None:
            return
        begin, length = float(story.windows.begin[dataset]), float(story.windows.length[dataset])
        if self.x_of(length) - self.x_of(0) < MIN_WINDOW:
            return
        pale = QColor(theme_of(self).second_text)
        pale.setAlpha(120)
        painter.setPen(QPen(pale, 1, Qt.PenStyle.DashLine))
        first = math.ceil((self.start - begin) / length)
        for k in range(max(first, 0), math.floor((self.end - begin) / length) + 1):
            x = self.x_of(begin + k * length)
            painter.drawLine(QLineF(x, lane.top() + 1, x, lane.bottom() - 1))

    def _draw_name(self, painter: QPainter, story: ScanStory, line: DatasetTimeline, lane: QRectF) -> None:
        colours, metrics = theme_of(self), QFontMetricsF(painter.font())
        painter.setPen(QPen(colours.line, 1))
        painter.drawLine(QPointF(0, lane.bottom()), lane.bottomRight())
        painter.fillRect(QRectF(0, lane.top() + 1, EDGE, lane.height() - 2), dataset_colour(line.dataset))
        painter.setPen(colours.text)
        room = LEFT - 8 - EDGE
        name = metrics.elidedText(story.dataset_names[line.dataset], Qt.TextElideMode.ElideMiddle, room)
        if lane.height() >= metrics.height():
            painter.drawText(QRectF(EDGE + 4, lane.top() + 1, room, metrics.height()), 0, name)
        most = int(line.sharing.max(initial=0))
        if lane.height() >= 2.4 * metrics.height() and most:
            painter.setPen(colours.second_text)
            text = f"≤ {most}"
            painter.drawText(QRectF(EDGE + 4, lane.top() + metrics.height(), room, metrics.height()), 0, text)

    def _draw_steps(self, painter: QPainter, line: DatasetTimeline, lane: QRectF, most: int) -> None:
        if not most:
            return
        fill = dataset_colour(line.dataset)
        fill.setAlpha(90)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        height = STEPS_SHARE * lane.height() - 3
        base = lane.top() + height + 2
        for k in range(len(line.times) - 1):
            left, right = self.x_of(float(line.times[k])), self.x_of(float(line.times[k + 1]))
            tall = height * int(line.sharing[k]) / most
            painter.drawRect(QRectF(left, base - tall, right - left, tall))

    def _draw_row(self, painter: QPainter, story: ScanStory, row: LaneRow) -> None:
        colour, colours = self.colour_of(row.job), theme_of(self)
        y, boards = row.box.center().y(), self.x_of(row.boarded)
        thick = max(min(row.box.height() - 1.5, 9.0), 1.2)
        is_selected = row.job == self.selected
        if row.boarded > row.arrival:
            painter.setPen(QPen(colour, 1.4, Qt.PenStyle.DotLine))
            painter.drawLine(QLineF(row.box.left(), y, boards, y))
        painter.setPen(QPen(colours.text, 1.4) if is_selected else Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(
            QRectF(boards, y - thick / 2, max(row.box.right() - boards, 1), thick), 1.5, 1.5
        )
        if row.box.height() >= 2 * MARK:
            painter.setPen(QPen(colours.text, 1.2))
            left, right = row.box.left(), row.box.right()
            painter.drawLine(QLineF(left - MARK, y, left + MARK, y))
            painter.drawLine(QLineF(left, y - MARK, left, y + MARK))
            painter.drawLine(QLineF(right + 1, y, right + 1 + 2 * MARK, y))
            self._draw_job_name(painter, story.job_names[row.job], row.box, y)

    def _draw_job_name(self, painter: QPainter, name: str, box: QRectF, y: float) -> None:
        """Write a job's name behind its departure, or before its arrival where that leaves no room."""
        metrics = QFontMetricsF(painter.font())
        if box.height() < 0.8 * metrics.height():
            return
        name = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, MAX_NAME)
        wide = metrics.horizontalAdvance(name)
        x = box.right() + 2 * MARK + 4
        if x + wide > self.plot.right():
            x = box.left() - MARK - 4 - wide
        if x >= self.plot.left():
            painter.setPen(theme_of(self).second_text)
            painter.drawText(QPointF(x, y + metrics.capHeight() / 2), name)

    def draw_over(self, painter: QPainter) -> None:
        """Show where a dragged job would arrive."""
        if self._moved is None or self._grabbed is None:
            return
        time, dataset = self._moved
        x = self.x_of(time)
        lane = next(lane for line, lane in self.lanes() if line.dataset == dataset)
        painter.setPen(QPen(theme_of(self).accent, 2))
        painter.drawLine(QLineF(x, lane.top(), x, lane.bottom()))
        painter.drawText(QPointF(x + 4, lane.top() + 12), clock_text(time))

    # ---- gestures

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or row is None:
            super().mousePressEvent(event)
            return
        self._grabbed, self._pressed_at, self._moved = row, event.position(), None
        self.setFocus()
        self.job_pressed.emit(row.job)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is None:
            over = self.row_at(event.position()) is not None
            self.setCursor(Qt.CursorShape.OpenHandCursor if over else Qt.CursorShape.ArrowCursor)
            super().mouseMoveEvent(event)
            return
        away = event.position() - self._pressed_at
        if self._moved is None and away.manhattanLength() < MIN_DRAG:
            return
        time = self.time(self.x_of(self._grabbed.arrival) + away.x())
        self._moved = (round(time, 3), self.dataset_at(event.position().y()))
        self.dragged.emit(self._grabbed.job, *self._moved)
        self.update()

    @override
    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        grabbed, moved = self._grabbed, self._moved
        self._grabbed = self._moved = None
        self.update()
        if grabbed is not None and moved is not None:
            self.dropped.emit(grabbed.job, *moved)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and self._grabbed is not None:
            self._grabbed = self._moved = None
            self.drag_cancelled.emit()
            self.update()
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
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self.story is not None:
            row = self.row_at(QPointF(event.pos()))
            if row is not None:
                QToolTip.showText(event.globalPos(), tooltip(describe(self.story, row)), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)


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
