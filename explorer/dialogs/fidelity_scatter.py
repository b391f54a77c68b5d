"""Jobs of a log as dots: how long each took, and how long the simulation says; the band is what is near."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF
from typing_extensions import override

from core.fidelity.fidelity import FAR_OFF
from core.model.time_text import duration_text, signed_percent
from core.model.visible_text import short_names, visible
from explorer.plots.axis import ValueScale, tick_text
from explorer.widgets.export import ChartTable, Picture
from explorer.widgets.theme import fill_with, translucent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from core.fidelity.fidelity import ModelReplay

AIR = 8.0
DOT, REACH = 4.0, 14.0
"""Radius of a dot, and how near the pointer has to be, in pixels."""
PADDING = 1.3
"""Both axes go beyond the shortest and the longest time by this factor."""
MAX_NAMED = 6
"""So many of the jobs that are far off are named, the worst first."""
TICK_ROOM_PX = 64.0
BAND_ALPHA = 26


STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Left: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Right: 1}


class ReplayPicture(Picture):
    """Shows the jobs of a replayed log, of which one is marked; a subclass has `job_at`.

    Attributes
    ----------
    order : the jobs, the worst first
    current : the marked one, -1 for none

    Signals
    -------
    chosen : the place of the job that was clicked, or walked to by the arrow keys, the worst first
    wanted : the place of the job that Enter or a double click goes to
    """

    chosen = Signal(int)
    wanted = Signal(int)

    def __init__(self, name: str) -> None:
        super().__init__("fidelity")
        self.replay: ModelReplay | None = None
        self.names: tuple[str, ...] = ()
        self.order: list[int] = []
        self.current = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(name)

    def show_replay(self, replay: ModelReplay | None) -> None:
        """Show what a model gave; nothing for None."""
        self.replay, self.current = replay, -1
        self.names = () if replay is None else short_names(tuple(replay.jobs))
        self.order = [] if replay is None else replay.worst_first.tolist()
        self.update()

    def mark(self, job: int) -> None:
        """Mark a job; -1 for none."""
        if job != self.current:
            self.current = job
            self.update()

    def job_at(self, place: QPointF) -> int:
        """Return the job at a place, -1 for none."""
        raise NotImplementedError

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        job = self.job_at(event.position())
        if job >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(job)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        order, step = self.order, STEPS.get(Qt.Key(event.key()))
        if step is not None and order:
            place = order.index(self.current) + step if self.current >= 0 else 0
            self.chosen.emit(order[min(max(place, 0), len(order) - 1)])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current >= 0:
            self.wanted.emit(self.current)
        else:
            super().keyPressEvent(event)

    @override
    def tip_at(self, place: QPointF) -> str:
        job = self.job_at(place)
        return "" if job < 0 or self.replay is None else job_sentence(self.replay, job)

    @override
    def table(self) -> ChartTable:
        replay = self.replay
        header = ("job", "recorded (s)", "simulated (s)", "least (s)", "most (s)", "error")
        if replay is None:
            return ChartTable(header, ())
        low, high = replay.ranges
        columns = (replay.recorded, replay.simulated, low, high, replay.errors)
        rows: list[tuple[str | float, ...]] = [
            (replay.jobs[job], *(float(column[job]) for column in columns)) for job in self.order
        ]
        return ChartTable(header, tuple(rows))


class FidelityScatter(ReplayPicture):
    """Recorded against simulated durations on logarithmic axes; what is far off is red and named."""

    def __init__(self) -> None:
        super().__init__("Simulated against recorded, job by job")
        self.setMinimumSize(QSize(260, 200))

    @override
    def show_replay(self, replay: ModelReplay | None) -> None:
        super().show_replay(replay)
        self.setAccessibleDescription("" if replay is None else near_words(replay))

    @override
    def sizeHint(self) -> QSize:
        return QSize(360, 320)

    # ---- geometry

    def _area(self, area: QRectF) -> QRectF:
        """Return the square in which dots lie."""
        metrics = QFontMetricsF(self.font())
        left = metrics.horizontalAdvance("10 min") + 2 * AIR
        return area.adjusted(left, metrics.height() + AIR, -AIR, -2 * metrics.height() - AIR)

    def _scales(self, area: QRectF) -> tuple[ValueScale, ValueScale]:
        """Return the scale across and the one upwards, of the same times."""
        assert self.replay is not None
        low, high = self.replay.ranges
        known = np.concatenate([self.replay.recorded, low, high])
        least, most = float(max(known.min(), 1e-3)) / PADDING, float(known.max()) * PADDING
        return (
            ValueScale(least, most, area.left(), area.right(), True),
            ValueScale(least, most, area.bottom(), area.top(), True),
        )

    def dots(self, area: QRectF) -> list[QPointF]:
        """Return where the jobs lie in an area."""
        if self.replay is None:
            return []
        across, up = self._scales(self._area(area))
        xs, ys = across.xs(self.replay.recorded), up.xs(self.replay.simulated)
        return [QPointF(x, y) for x, y in zip(xs.tolist(), ys.tolist(), strict=True)]

    # ---- painting

    @override
    def paint(self, painter: QPainter, area: QRectF) -> None:
        if self.replay is None:
            return
        painter.setFont(self.font())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inside = self._area(area)
        across, up = self._scales(inside)
        self._paint_axes(painter, inside, across, up)
        self._paint_band(painter, inside, across, up)
        self._paint_dots(painter, area, up)
        self._paint_names(painter, area)

    def _paint_axes(self, painter: QPainter, inside: QRectF, across: ValueScale, up: ValueScale) -> None:
        metrics, colours = QFontMetricsF(painter.font()), self.colours
        height, free = metrics.height(), -1e9
        for value in across.ticks("s", TICK_ROOM_PX):
            x, y, text = across.x(value), up.x(value), tick_text(value, "s")
            painter.setPen(QPen(colours.faint_line, 1))
            painter.drawLine(QPointF(x, inside.top()), QPointF(x, inside.bottom()))
            painter.drawLine(QPointF(inside.left(), y), QPointF(inside.right(), y))
            painter.setPen(colours.second_text)
            width = metrics.horizontalAdvance(text) + 2
            if x - width / 2 > free:
                left = min(x - width / 2, inside.right() + AIR - width)
                place = QRectF(left, inside.bottom() + 2, width, height)
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
                free = x + width / 2 + AIR
            place = QRectF(0, y - height / 2, inside.left() - AIR / 2, height)
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        foot = QRectF(inside.left(), inside.bottom() + 2 + height, inside.width(), height)
        painter.drawText(foot, Qt.AlignmentFlag.AlignHCenter, "recorded")
        head = QRectF(AIR, inside.top() - height - 4, inside.right() - AIR, height)
        painter.drawText(head, Qt.AlignmentFlag.AlignLeft, "simulated")
        assert self.replay is not None
        painter.drawText(head, Qt.AlignmentFlag.AlignRight, near_words(self.replay))

    def _paint_band(self, painter: QPainter, inside: QRectF, across: ValueScale, up: ValueScale) -> None:
        painter.save()
        painter.setClipRect(inside)
        low, high = across.low, across.high
        edges = [
            [QPointF(across.x(at), _place(up, at * factor)) for at in (low, high)]
            for factor in (1 + FAR_OFF, 1 - FAR_OFF)
        ]
        shade = translucent(self.colours.link, BAND_ALPHA)
        fill_with(painter, shade)
        painter.drawPolygon(QPolygonF([*edges[0], *reversed(edges[1])]))
        painter.setPen(QPen(self.colours.ink, 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(across.x(low), up.x(low)), QPointF(across.x(high), up.x(high)))
        painter.restore()

    def _paint_dots(self, painter: QPainter, area: QRectF, up: ValueScale) -> None:
        assert self.replay is not None
        low, high = (up.xs(edge) for edge in self.replay.ranges)
        dots, inks = self.dots(area), self._inks()
        for job in reversed(self.order):
            ink, dot = inks[job], dots[job]
            painter.setPen(QPen(ink, 1))
            painter.drawLine(QPointF(dot.x(), float(low[job])), QPointF(dot.x(), float(high[job])))
            painter.setBrush(ink)
            painter.setPen(QPen(self.colours.plot, 1))
            painter.drawEllipse(dot, DOT, DOT)

    def _inks(self) -> list[QColor]:
        assert self.replay is not None
        far = np.abs(self.replay.errors) > FAR_OFF
        return [self.colours.worse if is_far else self.colours.link for is_far in far.tolist()]

    def _paint_names(self, painter: QPainter, area: QRectF) -> None:
        painter.setPen(self.colours.text)
        for job, place in self._named(area):
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self.names[job])

    def _named(self, area: QRectF) -> Iterator[tuple[int, QRectF]]:
        """Yield the jobs that are named, with the place of each name, which no other name or dot touches."""
        assert self.replay is not None
        metrics, dots = QFontMetricsF(self.font()), self.dots(area)
        taken = [QRectF(dot.x() - DOT, dot.y() - DOT, 2 * DOT, 2 * DOT) for dot in dots]
        inside, height = self._area(area), metrics.height()
        far = [job for job in self.order if abs(self.replay.errors[job]) > FAR_OFF]
        for job in far[:MAX_NAMED]:
            width = metrics.horizontalAdvance(self.names[job]) + 2
            for left in (dots[job].x() + DOT + 3, dots[job].x() - DOT - 3 - width):
                place = QRectF(left, dots[job].y() - height / 2, width, height)
                if inside.contains(place) and not any(place.intersects(other) for other in taken):
                    taken.append(place)
                    yield job, place
                    break

    @override
    def paint_over(self, painter: QPainter) -> None:
        dots = self.dots(QRectF(self.rect()))
        if 0 <= self.current < len(dots):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.colours.ink, 2 if self.hasFocus() else 1.5))
            painter.drawEllipse(dots[self.current], DOT + 4, DOT + 4)

    # ---- mouse and keys

    @override
    def job_at(self, place: QPointF) -> int:
        """Return the job whose dot is nearest to a place, -1 if none is near."""
        away = [(dot - place).manhattanLength() for dot in self.dots(QRectF(self.rect()))]
        nearest = min(range(len(away)), key=away.__getitem__, default=-1)
        return nearest if nearest >= 0 and away[nearest] <= REACH else -1

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        is_job = self.job_at(event.position()) >= 0
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_job else Qt.CursorShape.ArrowCursor)


def _place(scale: ValueScale, value: float) -> float:
    """Return the pixel of a value, also beyond the ends of a logarithmic scale."""
    span = np.log(scale.high / scale.low)
    return float(scale.left + np.log(value / scale.low) / span * (scale.right - scale.left))


def near_words(replay: ModelReplay) -> str:
    """Return how many jobs are not far off: "14 of 18 jobs within 25 %"."""
    jobs, near = len(replay.jobs), len(replay.jobs) - len(replay.far_off)
    return f"{near} of {jobs} job{'' if jobs == 1 else 's'} within {FAR_OFF:.0%}".replace("%", " %")


def job_sentence(replay: ModelReplay, job: int) -> str:
    """Return what is known of a job, in lines."""
    recorded, simulated = (duration_text(float(each[job])) for each in (replay.recorded, replay.simulated))
    error = signed_percent(float(replay.errors[job]))
    lines = [visible(replay.jobs[job]), f"recorded {recorded}, simulated {simulated}: {error}"]
    low, high = (float(edge[job]) for edge in replay.ranges)
    if low < high:
        between = f"{duration_text(low)} to {duration_text(high)}"
        lines.append(f"between the least and the largest draw: {between}")
    return "\n".join(lines)
