"""What labels the rows: a band for each kind of row, names of slots, and lines that name pools of jobs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from typing_extensions import override

from core.model.time_text import duration_text
from explorer.gantt.geometry.chart_frame import BAND_LEFT, BAND_WIDTH, draw_elided, translucent
from explorer.gantt.geometry.pixel_mapping import HEADER_HEIGHT
from explorer.gantt.layers.layer import Layer, paint_dashes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.schedule_rows import PoolGroup, RowBand, ScheduleRows


LABEL_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)
LABEL_HEIGHT, LEAST_DISTANCE = 14, 11
GRIP_WIDTH, GRIP_LINES = 22, 3
NAME_HEIGHT = 13
END_DASHES = (4, 2)


class RowBandsLayer(Layer):
    """Beside the rows: a band for each kind, pool or node with its name, and the names of slots."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        has_hosts = rows.schedule.record is not None  # which are named instead of slots
        named_to = -LEAST_DISTANCE
        for pool, rect in zip(frame.layout.pools, frame.pool_rects, strict=True):
            if rect.height() >= 3:
                _paint_band(painter, frame, pool, rect)
                # nodes may be lower than their names
                if not has_hosts and rect.top() - named_to >= LEAST_DISTANCE:
                    _paint_slot_names(painter, frame, pool, rect)
                    named_to = rect.top() if rect.height() < LABEL_HEIGHT else rect.bottom() - LEAST_DISTANCE


def _paint_band(painter: QPainter, frame: ChartFrame, pool: RowBand, rect: QRect) -> None:
    band = QRectF(BAND_LEFT, rect.top(), BAND_WIDTH, rect.height())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    is_reduce = pool.name == "REDUCE"
    painter.setBrush(frame.theme.reduce_band if is_reduce else frame.theme.map_band)
    painter.drawRoundedRect(band, 3, 3)
    font = QFont(frame.fonts.small_bold)
    font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 0.8)
    metrics, room = QFontMetricsF(font), band.height() - 8
    text = next((text for text in _band_texts(pool) if metrics.horizontalAdvance(text) <= room), "")
    painter.save()
    painter.translate(band.center())
    painter.rotate(-90)
    painter.setFont(font)
    painter.setPen(frame.theme.on_band)
    across = QRectF(-band.height() / 2, -band.width() / 2, band.height(), band.width())
    painter.drawText(across, int(Qt.AlignmentFlag.AlignCenter), text)
    painter.restore()


def _band_texts(pool: RowBand) -> tuple[str, ...]:
    if pool.is_packed:
        return f"{pool.name} · ≤ {pool.slots}", pool.name, pool.name[0], ""
    slots = "slot" if pool.slots == 1 else "slots"
    full = f"{pool.name} · {pool.slots:,} {slots}".replace(",", "\N{THIN SPACE}")
    initial = pool.prefix.rstrip(".") or pool.name[0]  # M, R, C, or the node's: N3
    return full, pool.name, initial, ""


def _paint_slot_names(painter: QPainter, frame: ChartFrame, pool: RowBand, rect: QRect) -> None:
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.faint)
    step = label_step(frame.layout.row_height)
    right = frame.places.plot.left() - 7
    baseline = frame.fonts.small_metrics.ascent() - frame.fonts.small_metrics.height() / 2
    spots = []
    named = np.array(labelled_rows(pool.slots, step))
    tops, bottoms = frame.layout.slot_spans(pool.first_slot + named) + frame.places.plot.top()
    for row, top, bottom in zip(named.tolist(), tops.tolist(), bottoms.tolist(), strict=True):
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


class JobPoolsLayer(Layer):
    """Pools of jobs: a line above the rows of each names it, another shows where it ends."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        if not rows.is_grouped:
            return
        painter.save()
        painter.setClipRect(frame.places.plot)
        below = -math.inf  # of many pools those are named whose names do not lie upon one another
        for index, pool in enumerate(frame.layout.pools):
            if pool.group < 0:
                continue
            group = rows.groups[pool.group]
            header = header_rect(frame, index)
            if not frame.layout.continues(index) and header.top() >= below:
                below = header.top() + NAME_HEIGHT
                _paint_header(painter, frame, header, index, group)
            if frame.layout.edge_at(header.center().y() - frame.places.plot.top()) >= 0:
                _paint_grip(painter, frame, header)
            _paint_end(painter, frame, index, group.finish)
        painter.restore()


def header_rect(frame: ChartFrame, index: int) -> QRect:
    """Return the line above the rows of a pool, in the chart; it may lie outside of the plot."""
    plot, top = frame.places.plot, round(frame.layout.pool_tops[index]) + frame.places.plot.top()
    return QRect(plot.left(), top - HEADER_HEIGHT, plot.width(), HEADER_HEIGHT)


def _paint_header(painter: QPainter, frame: ChartFrame, rect: QRect, index: int, group: PoolGroup) -> None:
    name, is_low = group.name, frame.layout.gap < HEADER_HEIGHT
    if is_low:
        rect = _upon_rows(painter, frame, index, name)
    painter.setFont(frame.fonts.small_bold)
    painter.setPen(frame.theme.text)
    metrics = painter.fontMetrics()
    left = QRect(rect.left() + 2, rect.top(), rect.width() // 2, rect.height())
    draw_elided(painter, left, name)
    if is_low:
        return
    used = min(metrics.horizontalAdvance(name), left.width()) + 10
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.muted)
    rest = QRect(left.left() + used, rect.top(), rect.width() - used - GRIP_WIDTH - 60, rect.height())
    draw_elided(painter, rest, " · ".join(header_facts(_bands_of(frame, index), group)))


def _upon_rows(painter: QPainter, frame: ChartFrame, index: int, name: str) -> QRect:
    """Make a place for a name upon the rows, where there is no room above them."""
    top = round(frame.layout.pool_tops[index]) + frame.places.plot.top()
    width = min(frame.fonts.small_bold_metrics.horizontalAdvance(name) + 8, frame.places.plot.width() // 2)
    place = QRect(frame.places.plot.left(), top, width, NAME_HEIGHT)
    painter.fillRect(place, translucent(frame.theme.window, 200))
    return QRect(place.left(), top, 2 * width, NAME_HEIGHT)


def _bands_of(frame: ChartFrame, index: int) -> list[RowBand]:
    """Return the rows at an index and those of the same pool that follow."""
    pools, last = frame.layout.pools, index + 1
    while last < len(pools) and frame.layout.continues(last):
        last += 1
    return list(pools[index:last])


def header_facts(bands: Sequence[RowBand], group: PoolGroup) -> list[str]:
    """Return what is said about a pool beside its name."""
    kinds = {"MAP": "map slot", "REDUCE": "reduce slot"}
    slots = [count_text(band.slots, kinds.get(band.name, "slot")) for band in bands]
    facts = [f"up to {' and '.join(slots)} at once" if bands[0].is_packed else slots[0]]
    facts.append(count_text(group.jobs, "job") if group.jobs else "no jobs")
    return [*facts, f"done at {duration_text(group.finish)}"] if group.jobs else facts


def count_text(number: int, noun: str) -> str:
    """Return a number with its noun: "1 job", "2 jobs"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _paint_grip(painter: QPainter, frame: ChartFrame, rect: QRect) -> None:
    """Draw the sign of an edge that can be dragged."""
    right, middle = rect.right() - 8, rect.center().y()
    for line in range(GRIP_LINES):
        y = middle - GRIP_LINES + 3 * line
        painter.fillRect(right - GRIP_WIDTH, y, GRIP_WIDTH, 1, frame.theme.muted)


def _paint_end(painter: QPainter, frame: ChartFrame, index: int, seconds: float) -> None:
    """Draw a dashed line where the pool's last job departs."""
    rect = frame.pool_rects[index]
    if frame.shows(seconds) and rect.height() > 0 and seconds > 0:
        x = round(frame.x(seconds))
        paint_dashes(painter, x, rect.top(), rect.bottom() + 1, END_DASHES, 1, frame.theme.text)
