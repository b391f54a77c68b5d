"""Paints what only a recorded run has: bands of hosts, and attempts that failed, were killed, or set up."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from core.model.execution_history import LOOKS, SERVICE
from explorer.gantt.geometry.chart_frame import colour, draw_elided, translucent
from explorer.gantt.geometry.host_bands import host_bands
from explorer.gantt.geometry.record_parts import distinct_parts, record_parts
from explorer.gantt.raster.raster_kernel import MAP_TONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.rows import ScheduleRows
    from explorer.widgets.theme import Theme

WASHES = {"failed": 110, "killed": 50}
"""Opacity of the job's colour behind the marks, of 255."""

LEAST_NAMED = 11
"""Pixels of a band that has room for the name of its host."""

CROSS_APART, BAR_APART = 6.0, 5.0
HATCHED_WIDTH, HATCHED_HEIGHT = 4.0, 3.0
"""Pixels from which attempts are hatched; smaller ones are plain."""


def paint_record(painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
    """Draw the attempts that are no tasks, and lines between the hosts."""
    if rows.schedule.record is None:
        return
    painter.save()
    painter.setClipRect(frame.places.plot)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    _paint_borders(painter, frame, rows)
    parts = distinct_parts(record_parts(rows, frame.scale), frame.layout)
    plot, selected = frame.places.plot, frame.content.selected_job
    columns = (parts.look, parts.job, parts.slot, parts.left, parts.right)
    for look, job, slot, left, right in zip(*(column.tolist() for column in columns), strict=True):
        top, bottom = frame.row(slot)
        inside = max(bottom - top - (1 if bottom - top > 3 else 0), 1)
        place = QRectF(plot.left() + left, top, max(right - left, 1.0), inside)
        fades = selected >= 0 and job != selected
        if fades:
            painter.setOpacity(0.35)
        tone = None if job < 0 else int(frame.shown_tones[job, MAP_TONE])
        base = frame.theme.faint if tone is None else colour(tone)
        draw_attempt(painter, place, LOOKS[look], base, frame.theme)
        if fades:
            painter.setOpacity(1.0)
    painter.restore()


def draw_attempt(painter: QPainter, place: QRectF, look: str, base: QColor, theme: Theme) -> None:
    """Draw one attempt: crossed in a warning colour if it failed, barred if it was killed, else hollow."""
    ink = theme.bad if look == "failed" else theme.muted
    if place.width() < HATCHED_WIDTH or place.height() < HATCHED_HEIGHT:
        painter.fillRect(place, ink)
        return
    painter.fillRect(place, translucent(base, WASHES.get(look, 120)))
    painter.save()
    painter.setClipRect(place, Qt.ClipOperation.IntersectClip)
    if look == "failed":
        _lines(painter, place, CROSS_APART, QPen(ink, 1.4), (1, -1))
    elif look == "killed":
        _lines(painter, place, BAR_APART, QPen(ink, 1.2), (1,))
    painter.restore()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, 1.0, Qt.PenStyle.DotLine if look == "killed" else Qt.PenStyle.SolidLine))
    painter.drawRect(place.adjusted(0, 0, -1, -1))


def _lines(painter: QPainter, place: QRectF, apart: float, pen: QPen, leans: tuple[int, ...]) -> None:
    """Draw diagonals over a rectangle."""
    painter.setPen(pen)
    height = place.height()
    count = int((place.width() + height) / apart) + 1
    for lean in leans:
        for number in range(count + 1):
            x = place.left() - height + number * apart
            low, high = (place.bottom(), place.top()) if lean > 0 else (place.top(), place.bottom())
            painter.drawLine(QPointF(x, low), QPointF(x + height, high))


def draw_failed_sign(painter: QPainter, place: QRectF, job: QColor, theme: Theme) -> None:
    """Draw a failed attempt for a legend."""
    draw_attempt(painter, place, "failed", job, theme)


def draw_killed_sign(painter: QPainter, place: QRectF, job: QColor, theme: Theme) -> None:
    """Draw a killed attempt for a legend."""
    draw_attempt(painter, place, "killed", job, theme)


def draw_service_sign(painter: QPainter, place: QRectF, job: QColor, theme: Theme) -> None:
    """Draw a setup or cleanup task for a legend."""
    draw_attempt(painter, place, SERVICE, job, theme)


def _paint_borders(painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
    """Draw a line between every two hosts whose bands are tall enough to be told apart."""
    plot = frame.places.plot
    for top, bottom, _ in _bands(frame, rows):
        if bottom - top >= LEAST_NAMED and plot.top() < bottom <= plot.bottom():
            painter.fillRect(plot.left(), bottom - 1, plot.width(), 1, frame.theme.line)


def _bands(frame: ChartFrame, rows: ScheduleRows) -> Iterator[tuple[int, int, str]]:
    """Yield the first pixel line of each host's band, the one after its last, and the host."""
    record, height = rows.schedule.record, frame.layout.row_height
    assert record is not None  # asked before
    for index, bands in enumerate(host_bands(record, frame.layout.pools)):
        above = frame.layout.pool_top(index) + frame.places.plot.top()
        for band in bands:
            top = above + (band.first_slot - frame.layout.pools[index].first_slot) * height
            yield floor(top + 0.5), floor(top + band.slots * height + 0.5), band.host


def paint_host_names(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, left: int) -> None:
    """Name the hosts beside their rows, from a pixel on, where there is room."""
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.muted)
    plot, free_from = frame.places.plot, frame.places.plot.top()
    for first, last, host in _bands(frame, rows):
        top, bottom = max(first, plot.top()), min(last, plot.bottom() + 1)
        middle = (top + bottom) // 2
        if bottom <= top or middle - LEAST_NAMED // 2 < free_from:
            continue
        place = QRect(left, middle - LEAST_NAMED // 2 - 1, plot.left() - 6 - left, LEAST_NAMED + 2)
        draw_elided(painter, place, host, Qt.AlignmentFlag.AlignRight, Qt.TextElideMode.ElideLeft)
        free_from = middle + LEAST_NAMED // 2
