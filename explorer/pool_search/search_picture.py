"""The picture of a search: colours by makespan, the best marked; a click or Enter takes a trial."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QLinearGradient, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip
from typing_extensions import override

from core.model.time_text import MINUTE, clock_text, duration_text, makespan_text
from explorer.pool_search.trial_picture import TrialPicture
from explorer.widgets.export import ChartTable
from explorer.widgets.theme import fill_with, mixed

if TYPE_CHECKING:
    from core.planning.pool_cut import Trial
    from explorer.pool_search.search_map import SearchMap
    from explorer.widgets.theme import Theme


STEPS = {
    Qt.Key.Key_Left: ("beside", -1),
    Qt.Key.Key_Right: ("beside", 1),
    Qt.Key.Key_Up: ("above", -1),
    Qt.Key.Key_Down: ("above", 1),
}
AIR, SIDE_WIDTH, TICK = 10.0, 130.0, 5.0
SCALE_WIDTH, SCALE_HEIGHT = 180.0, 10.0
LABEL_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000)
SMALL_JOBS = "jobs in the pool with small jobs"
ROOM = {"x": 46.0, "y": 22.0}
"""Pixels between two labels of an axis."""


@dataclass(frozen=True, slots=True)
class SearchPlaces:
    """Where things lie: sizes from left to right, splits from top to bottom."""

    scale: QRectF
    field: QRectF
    side: QRectF
    jobs: int
    slots: int

    @property
    def row_height(self) -> float:
        """Pixels of one split."""
        return self.field.height() / max(self.jobs - 1, 1)

    def x(self, size: float) -> float:
        """Return where a size lies."""
        return self.field.left() + (size - 0.5) / max(self.slots - 1, 1) * self.field.width()

    def y(self, split: float) -> float:
        """Return where the middle of a split's row lies."""
        return self.field.top() + (split - 0.5) * self.row_height

    def size_at(self, x: float) -> float:
        """Return the size at a pixel."""
        return (x - self.field.left()) / max(self.field.width(), 1) * max(self.slots - 1, 1) + 0.5

    def split_at(self, y: float) -> int:
        """Return the split at a pixel, which may be outside of those there are."""
        return int((y - self.field.top()) // self.row_height) + 1


class SearchPicture(TrialPicture):
    """Shows a `SearchMap`."""

    def __init__(self, shown: SearchMap, theme: Theme) -> None:
        super().__init__("balanced pools", theme)
        self.map = shown
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Makespan by split and size of the pools")

    def set_map(self, shown: SearchMap) -> None:
        """Show what has been tried by now."""
        self.map = shown
        if self.current is not None and self.current not in shown.tried:
            self.look_at(None)
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(760, 460)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(420, 220)

    @override
    def trial_at(self, position: QPointF) -> Trial | None:
        places = search_places(self._area(), self.map, self.font())
        if not places.field.contains(position):
            return None
        return self.map.nearest(places.split_at(position.y()), places.size_at(position.x()))

    def place_of(self, trial: Trial) -> QPointF:
        """Return the pixel of a trial."""
        places = search_places(self._area(), self.map, self.font())
        return QPointF(places.x(trial.size), places.y(trial.split))

    def _area(self) -> QRectF:
        return QRectF(self.rect())

    # ---- events

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        QToolTip.hideText()

    @override
    def beside(self, key: Qt.Key) -> Trial | None:
        if key not in STEPS or not self.map.rows:
            return None
        method, step = STEPS[key]
        start = self.current or self.map.best or next(iter(self.map.rows.values()))[0]
        found: Trial = getattr(self.map, method)(start, step) if self.current else start
        return found

    # ---- painting

    @override
    def paint(self, painter: QPainter, area: QRectF) -> None:
        paint_search(painter, area, self.map, self.colours)

    @override
    def paint_over(self, painter: QPainter) -> None:
        if self.current is not None:
            places = search_places(self._area(), self.map, painter.font())
            _paint_ring(painter, places, self.current, self.colours.text, self.colours)
        super().paint_over(painter)

    @override
    def table(self) -> ChartTable:
        # every trial, the single pool first
        header = ("small jobs", "slots", "end of small jobs (s)", "end of large jobs (s)", "makespan (s)")
        rows = tuple(
            (t.split, t.size, *(t.ends if t.splits else (0.0, *t.ends)), t.makespan)
            for t in sorted(self.map.tried)
        )
        return ChartTable(header, rows)


def search_places(area: QRectF, shown: SearchMap, font: QFont) -> SearchPlaces:
    """Divide an area: colours explained above, axes at the left and below, each split's best at the right."""
    line = QFontMetricsF(font).height()
    left = area.left() + AIR + line + 4 + QFontMetricsF(font).horizontalAdvance(str(shown.jobs)) + TICK + 4
    top, bottom = area.top() + AIR + 2 * line + 8, area.bottom() - AIR - 2 * line - TICK - 6
    side = QRectF(area.right() - AIR - SIDE_WIDTH, top, SIDE_WIDTH, max(bottom - top, 10.0))
    field = QRectF(left, top, max(side.left() - 14 - left, 10.0), side.height())
    wide = max(SCALE_WIDTH, 2 * QFontMetricsF(font).horizontalAdvance(_best_text(shown) + "   "))
    scale = QRectF(left, area.top() + AIR + 1.5 * line + 2 - SCALE_HEIGHT / 2, wide, SCALE_HEIGHT)
    return SearchPlaces(scale, field, side, shown.jobs, shown.slots)


def shade_colour(shade: float, theme: Theme) -> QColor:
    """Return the colour of a shade: blue for better than one pool, grey for worse, paler near to it."""
    target = theme.selection if shade >= 0 else theme.third_text
    share = abs(shade) ** 0.8 if shade >= 0 else min(1.0, 0.15 + 1.4 * abs(shade))
    return mixed(theme.field, target, share)


def paint_search(painter: QPainter, area: QRectF, shown: SearchMap, theme: Theme) -> None:
    """Draw everything but what is pointed at."""
    places = search_places(area, shown, painter.font())
    _paint_field(painter, places, shown, theme)
    _paint_axes(painter, places, theme)
    _paint_side(painter, places, shown, theme)
    _paint_scale(painter, area, places, shown, theme)
    if shown.best is not None:
        _paint_ring(painter, places, shown.best, theme.accent, theme)


def _paint_field(painter: QPainter, places: SearchPlaces, shown: SearchMap, theme: Theme) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillRect(places.field, theme.plot)
    for split in shown.rows:
        top, bottom = (round(places.field.top() + n * places.row_height) for n in (split - 1, split))
        for low, high, trial in shown.spans(split):
            left, right = round(places.x(low)), round(places.x(high))
            cell = QRectF(left, top, right - left, max(bottom - top, 1))
            painter.fillRect(cell, shade_colour(shown.shade(trial.makespan), theme))
    if places.row_height >= 6:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill_with(painter, theme.second_text)
        for trials in shown.rows.values():
            for trial in trials:
                painter.drawEllipse(QPointF(places.x(trial.size), places.y(trial.split)), 1.6, 1.6)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(theme.line)
    painter.drawRect(places.field)


def _paint_axes(painter: QPainter, places: SearchPlaces, theme: Theme) -> None:
    field, metrics = places.field, QFontMetricsF(painter.font())
    line = metrics.height()
    painter.setPen(theme.second_text)
    for size in labelled(places.slots - 1, field.width(), ROOM["x"]):
        x = places.x(size)
        painter.drawLine(QPointF(x, field.bottom()), QPointF(x, field.bottom() + TICK))
        box = QRectF(x - 40, field.bottom() + TICK + 1, 80, line)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(size))
    for split in labelled(places.jobs - 1, field.height(), ROOM["y"]):
        y = places.y(split)
        painter.drawLine(QPointF(field.left() - TICK, y), QPointF(field.left(), y))
        box = QRectF(field.left() - TICK - 84, y - line / 2, 80, line)
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(split))
    below = QRectF(field.left(), field.bottom() + TICK + line + 2, field.width(), line)
    painter.drawText(below, Qt.AlignmentFlag.AlignCenter, "slots of the pool with small jobs")
    painter.save()
    painter.translate(
        field.left() - TICK - 10 - metrics.horizontalAdvance(str(places.jobs)), field.center().y()
    )
    painter.rotate(-90)
    beside = QRectF(-field.height() / 2, -line, field.height(), line)
    fits = metrics.horizontalAdvance(SMALL_JOBS) <= field.height()
    painter.drawText(beside, Qt.AlignmentFlag.AlignCenter, SMALL_JOBS if fits else "small jobs")
    painter.restore()


def labelled(most: int, pixels: float, room: float) -> list[int]:
    """Return the numbers from 1 to `most` that are labelled on an axis of so many pixels."""
    step = next((s for s in LABEL_STEPS if most / s * room <= pixels), LABEL_STEPS[-1])
    numbers = list(range(step, most + 1, step))
    return numbers if step == 1 or (numbers and numbers[0] * pixels / most < room) else [1, *numbers]


def _paint_side(painter: QPainter, places: SearchPlaces, shown: SearchMap, theme: Theme) -> None:
    """Draw the best makespan of each split as a line, and that of one pool for all as a dashed one."""
    rect, line = places.side, QFontMetricsF(painter.font()).height()
    painter.setPen(theme.second_text)
    title = QRectF(rect.left(), rect.top() - line - 3, rect.width(), line)
    painter.drawText(title, Qt.AlignmentFlag.AlignLeft, "best of each split")
    painter.setPen(theme.line)
    painter.drawRect(rect)
    least = {split: shown.least(split) for split in shown.rows}
    known = [value for value in (*least.values(), shown.single) if value is not None]
    if not known:
        return
    low, high = min(known), max(known)
    span = high - low or 1.0

    def x(seconds: float) -> float:
        return rect.left() + 6 + (seconds - low) / span * (rect.width() - 12)

    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if shown.single is not None:
        painter.setPen(QPen(theme.second_text, 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x(shown.single), rect.top()), QPointF(x(shown.single), rect.bottom()))
    painter.setPen(QPen(theme.text, 1.4))
    points = [QPointF(x(v), places.y(split)) for split, v in sorted(least.items()) if v is not None]
    for point, following in pairwise(points):
        painter.drawLine(point, following)
    if len(points) == 1:
        painter.drawPoint(points[0])
    painter.setPen(theme.second_text)
    below = QRectF(rect.left(), rect.bottom() + TICK + 1, rect.width(), line)
    left, right = ends(low, high)
    painter.drawText(below, Qt.AlignmentFlag.AlignLeft, left)
    painter.drawText(below, Qt.AlignmentFlag.AlignRight, right)


def ends(low: float, high: float) -> tuple[str, str]:
    """Write both ends of the narrow axis, seconds, such that they have room side by side."""
    if high < MINUTE:
        return duration_text(low), duration_text(high)
    return clock_text(low, largest=high), clock_text(high)


def _paint_scale(
    painter: QPainter, area: QRectF, places: SearchPlaces, shown: SearchMap, theme: Theme
) -> None:
    """Explain the colours, with the makespans that they begin and end at."""
    rect, metrics = places.scale, QFontMetricsF(painter.font())
    colours = QLinearGradient(rect.topLeft(), rect.topRight())
    for step in range(11):
        colours.setColorAt(step / 10, shade_colour(1 - step / 5, theme))
    painter.fillRect(rect, colours)
    painter.setPen(theme.line)
    painter.drawRect(rect)
    painter.setPen(theme.text)
    top = rect.top() - metrics.height() - 3
    for left, text in ((rect.left(), _best_text(shown)), (rect.center().x(), _single_text(shown))):
        painter.drawText(QRectF(left, top, 400, metrics.height()), Qt.AlignmentFlag.AlignLeft, text)
    painter.setPen(theme.second_text)
    after = QRectF(rect.right() + 8, rect.center().y() - metrics.height() / 2, 300, metrics.height())
    painter.drawText(after, Qt.AlignmentFlag.AlignLeft, "longer than one pool")


def _best_text(shown: SearchMap) -> str:
    return f"best {makespan_text(shown.best.makespan)}" if shown.best is not None else "shorter"


def _single_text(shown: SearchMap) -> str:
    return "one pool" + (f" {makespan_text(shown.single)}" if shown.single is not None else "")


def _paint_ring(painter: QPainter, places: SearchPlaces, trial: Trial, ink: QColor, theme: Theme) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    at = QPointF(places.x(trial.size), places.y(trial.split))
    for colour, width in ((theme.window, 4.5), (ink, 2.0)):
        painter.setPen(QPen(colour, width))
        painter.drawEllipse(at, 6.0, 6.0)
