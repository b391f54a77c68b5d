"""The time line of a log beside that of its simulation: a row for each job, those that are worst on top."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QFrame, QScrollArea
from typing_extensions import override

from core.fidelity.fidelity import FAR_OFF
from core.model.time_text import signed_percent
from explorer.dialogs.fidelity_scatter import ReplayPicture
from explorer.plots.axis import ValueScale

if TYPE_CHECKING:
    from core.fidelity.fidelity import ModelReplay

AIR = 8.0
BAR, GAP = 7.0, 2.0
"""Height of a bar, and between the two of a job, in pixels."""
MIN_BAR = 2.0
NAMES_SHARE = 0.3
"""Part of the width that names may take."""
LEGEND = "upper bar recorded · lower bar simulated"
RANGE_LEGEND = " · line: between the least and the largest draw"


class FidelityTimes(ReplayPicture):
    """Two bars for each job from its submission to its end; a scroll area has it, the axis stays on top."""

    def __init__(self) -> None:
        super().__init__("Time line of the log and of its simulation")

    @property
    def row_height(self) -> float:
        """Pixels of a job."""
        return max(2 * BAR + GAP + 8, QFontMetricsF(self.font()).height() + 6)

    @property
    def head(self) -> float:
        """Pixels of the legend and the axis on top."""
        return 2 * QFontMetricsF(self.font()).height() + AIR

    @override
    def show_replay(self, replay: ModelReplay | None) -> None:
        super().show_replay(replay)
        self.setAccessibleDescription(
            "; ".join(f"{self.names[job]} {self._error(job)}" for job in self.order)
        )
        self.setMinimumHeight(round(self.head + self.row_height * len(self.order) + AIR))

    def _error(self, job: int) -> str:
        assert self.replay is not None
        return signed_percent(float(self.replay.errors[job]))

    # ---- geometry

    def row_of(self, job: int) -> QRectF:
        """Return the row of a job."""
        top = self.head + self.order.index(job) * self.row_height
        return QRectF(0, top, self.width(), self.row_height)

    @override
    def job_at(self, place: QPointF) -> int:
        """Return the job whose row is at a place, -1 for none."""
        row = int((place.y() - self.head) // self.row_height)
        return self.order[row] if 0 <= row < len(self.order) else -1

    def _scale(self) -> ValueScale:
        assert self.replay is not None
        metrics, replay = QFontMetricsF(self.font()), self.replay
        widest = max(metrics.horizontalAdvance(name) for name in self.names)
        left = AIR + min(widest, self.width() * NAMES_SHARE) + AIR
        right = self.width() - AIR - metrics.horizontalAdvance("+100.0 %") - AIR
        ends = [*(replay.submitted + replay.recorded), *(replay.arrival + replay.ranges[1])]
        return ValueScale(0.0, float(max(ends)), left, max(right, left + 1))

    # ---- painting

    @override
    def paint(self, painter: QPainter, area: QRectF) -> None:
        if self.replay is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        seen = QRectF(self.visibleRegion().boundingRect()) if self.isVisible() else area
        scale = self._scale()
        ticks = scale.labels("s")
        painter.setPen(QPen(self.colours.faint_line, 1))
        for value, _ in ticks:
            painter.drawLine(QPointF(scale.x(value), seen.top()), QPointF(scale.x(value), self.height()))
        for job in self.order:
            if self.row_of(job).intersects(seen):
                self._paint_job(painter, job, scale)
        self._paint_head(painter, ticks, scale, seen.top())

    def _paint_head(
        self, painter: QPainter, ticks: list[tuple[float, str]], scale: ValueScale, top: float
    ) -> None:
        metrics, colours = QFontMetricsF(painter.font()), self.colours
        painter.fillRect(QRectF(0, top, self.width(), self.head - 2), colours.plot)
        painter.setPen(colours.second_text)
        has_range = self.replay is not None and self.replay.spread is not None
        legend, width = LEGEND + RANGE_LEGEND * has_range, self.width() - 2 * AIR
        legend = metrics.elidedText(legend, Qt.TextElideMode.ElideRight, width)
        painter.drawText(QRectF(AIR, top, self.width(), metrics.height()), legend)
        free = -1e9
        for value, text in ticks:
            width = metrics.horizontalAdvance(text) + 2
            left = min(max(scale.x(value) - width / 2, 0.0), self.width() - width)
            if left > free:
                place = QRectF(left, top + metrics.height() + 2, width, metrics.height())
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
                free = left + width + AIR
        painter.setPen(QPen(colours.line, 1))
        painter.drawLine(QPointF(0, top + self.head - 2), QPointF(self.width(), top + self.head - 2))

    def _paint_job(self, painter: QPainter, job: int, scale: ValueScale) -> None:
        assert self.replay is not None
        replay, colours, row = self.replay, self.colours, self.row_of(job)
        if job == self.current:
            painter.setPen(QPen(colours.link, 2 if self.hasFocus() else 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(row.adjusted(2, 1, -2, -1), 3, 3)
        is_far = abs(float(replay.errors[job])) > FAR_OFF
        top = row.center().y() - BAR - GAP / 2
        painter.setPen(Qt.PenStyle.NoPen)
        for line, ink, begins, takes in (
            (0, colours.third_text, replay.submitted, replay.recorded),
            (1, colours.worse if is_far else colours.link, replay.arrival, replay.simulated),
        ):
            left, right = scale.x(float(begins[job])), scale.x(float(begins[job] + takes[job]))
            painter.setBrush(ink)
            bar = QRectF(left, top + line * (BAR + GAP), max(right - left, MIN_BAR), BAR)
            painter.drawRoundedRect(bar, 1.5, 1.5)
        low, high = (scale.x(float(replay.arrival[job] + edge[job])) for edge in replay.ranges)
        if high - low > 1:
            painter.setPen(QPen(colours.ink, 1))
            middle = top + 1.5 * BAR + GAP
            painter.drawLine(QPointF(low, middle), QPointF(high, middle))
        self._paint_texts(painter, job, row, scale, is_far=is_far)

    def _paint_texts(
        self, painter: QPainter, job: int, row: QRectF, scale: ValueScale, *, is_far: bool
    ) -> None:
        metrics, colours = QFontMetricsF(painter.font()), self.colours
        painter.setPen(colours.text)
        names = QRectF(AIR, row.top(), scale.left - 2 * AIR + 2, row.height())
        name = metrics.elidedText(self.names[job], Qt.TextElideMode.ElideMiddle, names.width())
        painter.drawText(names, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, name)
        painter.setPen(colours.worse if is_far else colours.second_text)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(row.adjusted(0, 0, -AIR, 0), flags, self._error(job))


class FidelityTimesView(QScrollArea):
    """Scrolls the time lines; the axis stays in view."""

    def __init__(self, times: FidelityTimes) -> None:
        super().__init__(widgetResizable=True)
        self._times = times
        self.setWidget(times)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().valueChanged.connect(lambda _at: times.update())

    def show_job(self, job: int) -> None:
        """Scroll the row of a job into view, below the axis."""
        row, bar = self._times.row_of(job), self.verticalScrollBar()
        if row.top() - self._times.head < bar.value():
            bar.setValue(math.floor(row.top() - self._times.head))
        elif row.bottom() > bar.value() + self.viewport().height():
            bar.setValue(math.ceil(row.bottom() - self.viewport().height()))

    @override
    def sizeHint(self) -> QSize:
        return QSize(420, 320)
