"""Paints what labels the rows: a band for each pool and the names of slots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from explorer.gantt.geometry.chart_places import BAND_LEFT, BAND_WIDTH
from explorer.gantt.layers.paint_record import paint_host_names

if TYPE_CHECKING:
    from PySide6.QtCore import QRect

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.row_layout import Pool

LABEL_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)
LABEL_HEIGHT, LEAST_DISTANCE = 14, 11


def paint_pools(painter: QPainter, frame: ChartFrame) -> None:
    """Draw the bands and slot names of all pools; of a recorded run the names of hosts."""
    rows = frame.content.rows
    has_hosts = rows is not None and rows.schedule.record is not None
    if rows is not None and has_hosts:
        paint_host_names(painter, frame, rows, BAND_LEFT + BAND_WIDTH + 3)
    named_to = -LEAST_DISTANCE
    for index, pool in enumerate(frame.layout.pools):
        rect = frame.pool_rect(index)
        if rect.height() >= 3:
            _paint_band(painter, frame, pool, rect)
            # nodes may be lower than their names
            if not has_hosts and rect.top() - named_to >= LEAST_DISTANCE:
                _paint_slot_names(painter, frame, pool, rect)
                named_to = rect.top() if rect.height() < LABEL_HEIGHT else rect.bottom() - LEAST_DISTANCE


def _paint_band(painter: QPainter, frame: ChartFrame, pool: Pool, rect: QRect) -> None:
    band = QRectF(BAND_LEFT, rect.top(), BAND_WIDTH, rect.height())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    is_reduce = pool.name == "REDUCE"
    painter.setBrush(frame.theme.reduce_band if is_reduce else frame.theme.map_band)
    painter.drawRoundedRect(band, 3, 3)
    font = QFont(frame.fonts.small_bold)
    font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 0.8)
    text = _longest_fitting(_band_texts(pool), font, band.height() - 8)
    painter.save()
    painter.translate(band.center())
    painter.rotate(-90)
    painter.setFont(font)
    painter.setPen(frame.theme.on_band)
    across = QRectF(-band.height() / 2, -band.width() / 2, band.height(), band.width())
    painter.drawText(across, int(Qt.AlignmentFlag.AlignCenter), text)
    painter.restore()


def _band_texts(pool: Pool) -> tuple[str, ...]:
    if pool.is_packed:
        return f"{pool.name} · ≤ {pool.slots}", pool.name, pool.name[0], ""
    slots = "slot" if pool.slots == 1 else "slots"
    full = f"{pool.name} · {pool.slots:,} {slots}".replace(",", "\N{THIN SPACE}")
    initial = pool.prefix.rstrip(".") or pool.name[0]  # M, R, C, or the node's: N3
    return full, pool.name, initial, ""


def _longest_fitting(texts: tuple[str, ...], font: QFont, width: float) -> str:
    metrics = QFontMetricsF(font)
    return next((text for text in texts if metrics.horizontalAdvance(text) <= width), "")


def _paint_slot_names(painter: QPainter, frame: ChartFrame, pool: Pool, rect: QRect) -> None:
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.faint)
    step = label_step(frame.layout.row_height)
    right = frame.places.plot.left() - 7
    baseline = frame.fonts.small_metrics.ascent() - frame.fonts.small_metrics.height() / 2
    spots = []
    for row in labelled_rows(pool.slots, step):
        top, bottom = frame.row(pool.first_slot + row)
        middle = (top + bottom) / 2
        if row == 0 and bottom > rect.top():
            middle = max(middle, rect.top() + 5.0)
        elif row == pool.slots - 1 and top < rect.bottom():
            middle = min(middle, rect.bottom() - 4.0)  # below it may stand what was there before
        if rect.top() <= middle <= rect.bottom() + 1:
            spots.append((middle, f"{pool.prefix}{pool.first_number + row}"))
    if len(spots) > 1 and spots[1][0] - spots[0][0] < LEAST_DISTANCE:
        del spots[0]
    for middle, text in spots:
        width = frame.fonts.small_metrics.horizontalAdvance(text)
        painter.drawText(QPointF(right - width, middle + baseline), text)


def label_step(row_height: float) -> int:
    """Return how many rows lie between two named ones."""
    return next((step for step in LABEL_STEPS if step * row_height >= LABEL_HEIGHT), LABEL_STEPS[-1])


def labelled_rows(slots: int, step: int) -> list[int]:
    """Return the rows to name: the first, then round numbers that do not crowd it."""
    if step <= 2:
        return list(range(0, slots, step))
    return [0, *range(step - 1, slots, step)]
