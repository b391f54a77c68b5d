"""The stages of jobs as boxes above the rows, joined to those that wait for them, and think times as gaps."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPen
from typing_extensions import override

from core.explain.stage_path import PartKind
from explorer.gantt.geometry.chart_frame import colour, draw_elided, translucent
from explorer.gantt.geometry.row_layout import BAR_LEFT, BAR_WIDTH
from explorer.gantt.geometry.stage_bands import BAND_PAD, path_of
from explorer.gantt.layers.layer import Layer, paint_think
from explorer.gantt.raster.palette import ink_on
from explorer.gantt.raster.raster_kernel import MAP_TONE, REDUCE_TONE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.stage_bands import BandLayout, StageBand

RADIUS, BAND_RADIUS = 3, 4
MIN_BOX = 2.0
"""Pixels of a box at least."""
MIN_LABELLED, LABEL_AIR = 12.0, 6
LINK_ALPHA = 84
"""Opacity, of 255, of the line from a stage to one that waits for it."""
CLOSE = 14.0
"""Pixels between two boxes up to which the line between them is straight down."""
MAX_LINKS = 3000
"""Of more lines in view one could follow none: only those of what is selected are drawn."""
PATH_FRAME, PATH_LINE, CHOSEN_FRAME = 1.5, 2.0, 2.0
NAME_GAP = 9


class StageBandsLayer(Layer):
    """The bands of stages, one for each thread of a driver."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        layout = frame.bands
        if layout is None or not layout.height:
            return
        area = frame.places.bands
        painter.save()
        painter.setClipRect(QRect(0, area.top(), frame.places.whole.width(), area.height()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for band, (top, bottom) in zip(layout.bands.bands, layout.band_spans, strict=True):
            if bottom > 0 and top < layout.height:
                _paint_band(painter, frame, band, area.top() + top, area.top() + bottom)
        _paint_thumb(painter, frame, layout)
        painter.setClipRect(area)
        drawing = _Boxes(painter, frame, rows, layout)
        drawing.paint_links()
        drawing.paint_thinks()
        drawing.paint_boxes()
        drawing.paint_path()
        painter.restore()


def _paint_band(painter: QPainter, frame: ChartFrame, band: StageBand, top: int, bottom: int) -> None:
    """Draw the ground of a band, and beside it its name and its jobs."""
    area, metrics = frame.places.bands, frame.fonts.small_metrics
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.theme.map_rows[0])
    painter.drawRoundedRect(QRectF(area.left(), top, area.width(), bottom - top), BAND_RADIUS, BAND_RADIUS)
    left = BAR_LEFT + BAR_WIDTH
    line = QRect(left, top + 1, area.left() - left - NAME_GAP, metrics.height() + 2)
    painter.setFont(frame.fonts.small_bold)
    painter.setPen(frame.theme.text)
    draw_elided(painter, line, band.name, Qt.AlignmentFlag.AlignRight)
    if bottom - top >= 2 * metrics.height() + BAND_PAD and len(band.jobs) > 1:
        names = [frame.content.job_names[job] for job in (band.jobs[0], band.jobs[-1])]
        line.translate(0, metrics.height())
        painter.setFont(frame.fonts.small)
        painter.setPen(frame.theme.muted)
        draw_elided(painter, line, " → ".join(names), Qt.AlignmentFlag.AlignRight)


def _paint_thumb(painter: QPainter, frame: ChartFrame, layout: BandLayout) -> None:
    """Draw which bands are in view, as the bar beside the rows does."""
    if layout.most_scroll:
        top, height = layout.thumb
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(translucent(frame.theme.faint, 110))
        place = QRectF(BAR_LEFT, frame.places.bands.top() + top, BAR_WIDTH - 2, height)
        painter.drawRoundedRect(place, BAND_RADIUS, BAND_RADIUS)


class _Boxes:
    """Draws what is in view of the boxes of one frame."""

    def __init__(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows, layout: BandLayout) -> None:
        self._painter, self._frame, self._rows, self._layout = painter, frame, rows, layout
        self._area = frame.places.bands
        boxes = layout.bands.boxes
        seen = max(1.0, frame.scale.width) * 3  # zoomed in, a box is millions of pixels long
        across = np.clip(frame.scale.x(np.stack([boxes.start, boxes.end])), -seen, 2 * seen)
        self._left, self._right = across + self._area.left()
        self._right = np.maximum(self._right, self._left + MIN_BOX)
        self._top = layout.box_tops + self._area.top()
        chosen = frame.content.selected_stage
        self._chosen = int(layout.bands.box_of[chosen]) if 0 <= chosen < len(layout.bands.box_of) else -1
        own = layout.bands.links[(layout.bands.links == self._chosen).any(axis=1)]
        self._around = set(own[:, 0].tolist()) | set(own[:, 1].tolist()) if self._chosen >= 0 else set()
        self._own_links = own if self._chosen >= 0 else own[:0]

    def _middle(self, box: int) -> float:
        return float(self._top[box]) + self._layout.box / 2

    # ---- boxes

    def paint_boxes(self) -> None:
        """Draw the boxes in view, with their labels."""
        painter, frame, box = self._painter, self._frame, self._layout.box
        stages = self._rows.schedule.workload.columns.stages
        painter.setFont(frame.fonts.small)
        metrics = QFontMetrics(frame.fonts.small)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shown = self._layout.in_view(frame.scale.start, frame.scale.end)
        stage = self._layout.bands.boxes.stage[shown]
        rest = zip(
            shown.tolist(),
            self._left[shown].tolist(),
            self._right[shown].tolist(),
            self._top[shown].tolist(),
            stage.tolist(),
            stages.number[stage].tolist(),
            stages.count[stage].tolist(),
            strict=True,
        )
        for place, left, right, top, which, number, count in rest:
            tone = self._tone(which, place in self._around)
            rect = QRectF(left, top, right - left, box)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(tone))
            radius = min(RADIUS, (right - left) / 2)
            painter.drawRoundedRect(rect, radius, radius)
            left, right = max(left, self._area.left()), min(right, self._area.right() + 1.0)
            text = stage_label(metrics, number, count, right - left - LABEL_AIR)
            if text:
                painter.setPen(colour(ink_on(tone)))
                inside = QRectF(left, top, right - left, box)
                painter.drawText(inside, int(Qt.AlignmentFlag.AlignCenter), text)

    def _tone(self, stage: int, is_vivid: bool) -> int:
        """Return the colour of a stage, faded as it is shown or not at all."""
        tones = self._frame.task_tones if is_vivid else self._frame.shown_task_tones
        if self._rows.has_graphs:
            return int(tones[stage, MAP_TONE])
        stages = self._rows.schedule.workload.columns.stages
        return int(tones[stages.job[stage], REDUCE_TONE if stages.number[stage] else MAP_TONE])

    # ---- what waits for what

    def paint_links(self) -> None:
        """Draw a line from each stage in view to those that wait for it."""
        links = self._layout.bands.links
        if not len(links):
            return
        parent, child = links.T
        area = self._area
        seen = (self._right[parent] <= area.right()) & (self._left[child] >= area.left())
        low, high = (each(self._top[parent], self._top[child]) for each in (np.minimum, np.maximum))
        seen &= (high + self._layout.box > area.top()) & (low < area.bottom())
        seen |= (self._left[child] >= area.left()) & (self._left[child] <= area.right())
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        if seen.sum() <= MAX_LINKS:
            self._painter.setPen(QPen(translucent(self._frame.theme.muted, LINK_ALPHA), 1.0))
            self._draw_links(links[seen].tolist())

    def _draw_links(self, links: Iterable[tuple[int, int]]) -> None:
        path = QPainterPath()
        for parent, child in links:
            begin = QPointF(float(self._right[parent]), self._middle(parent))
            end = QPointF(float(self._left[child]), self._middle(child))
            if end.x() - begin.x() < CLOSE:
                x = round(end.x()) + 0.5
                begin, end = QPointF(min(x, begin.x() - 1), begin.y()), QPointF(x, end.y())
                path.moveTo(QPointF(x, begin.y()))
                path.lineTo(end)
            elif begin.y() == end.y():
                path.moveTo(begin)
                path.lineTo(end)
            else:
                reach = min(60.0, (end.x() - begin.x()) / 2)
                path.moveTo(begin)
                path.cubicTo(begin + QPointF(reach, 0), end - QPointF(reach, 0), end)
        self._painter.drawPath(path)

    # ---- think times

    def paint_thinks(self) -> None:
        """Draw the time in which a driver thinks as dots, with its length where there is room."""
        frame, layout = self._frame, self._layout
        path = path_of(self._rows)
        jobs = {part.job for part in path.parts if part.kind is PartKind.DRIVER} if path else set()
        for think in layout.bands.thinks:
            top = self._area.top() + layout.band_spans[think.band][0] + BAND_PAD
            left, right = frame.x(think.begin) + 3, frame.x(think.end) - 3
            if right < self._area.left() or left > self._area.right():
                continue
            is_on_path = think.job in jobs
            ink = frame.theme.text if is_on_path else frame.theme.faint
            place = QRectF(left, top, right - left, layout.box)
            seconds = think.end - think.begin
            paint_think(self._painter, frame, place, seconds, ink, on_band=True, is_bold=is_on_path)

    # ---- the path to the end

    def paint_path(self) -> None:
        """Frame the stages of the path and join them; and what is selected with what it waits for."""
        path, painter, theme = path_of(self._rows), self._painter, self._frame.theme
        if path is not None and not self._around:
            on_path = [int(self._layout.bands.box_of[stage]) for stage in path.stages]
            self._frame_boxes([box for box in on_path if box >= 0], theme.text, PATH_FRAME)
            self._join([box for box in on_path if box >= 0], theme.text)
        if self._around:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.cursor, PATH_LINE))
            self._draw_links(self._own_links.tolist())
            self._frame_boxes(sorted(self._around - {self._chosen}), theme.text, PATH_FRAME)
            self._frame_boxes([self._chosen], theme.cursor, CHOSEN_FRAME)
        elif self._chosen >= 0:
            self._frame_boxes([self._chosen], theme.cursor, CHOSEN_FRAME)

    def _frame_boxes(self, boxes: Iterable[int], ink: QColor, thickness: float) -> None:
        painter, half = self._painter, thickness / 2
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(ink, thickness))
        for box in boxes:
            left, right = float(self._left[box]), float(self._right[box])
            if right >= self._area.left() and left <= self._area.right():
                rect = QRectF(left, float(self._top[box]), right - left, self._layout.box)
                radius = min(RADIUS, rect.width() / 2)
                painter.drawRoundedRect(rect.adjusted(half, half, -half, -half), radius, radius)

    def _join(self, boxes: list[int], ink: QColor) -> None:
        """Draw the elbows between boxes of one job that follow one another."""
        stages, which = self._rows.schedule.workload.columns.stages, self._layout.bands.boxes.stage
        path = QPainterPath()
        for before, box in pairwise(boxes):
            if stages.job[which[before]] != stages.job[which[box]]:
                continue
            begin, end = float(self._right[before]), max(float(self._left[box]), float(self._right[before]))
            high, low = self._middle(before), self._middle(box)
            path.moveTo(begin, high)
            path.lineTo(end, high)
            if high != low:
                path.lineTo(end, low + (self._layout.box / 2 if low < high else -self._layout.box / 2))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setPen(QPen(ink, PATH_LINE))
        self._painter.drawPath(path)


def stage_label(metrics: QFontMetrics, number: int, count: int, room: float) -> str:
    """Return what fits of "Stage 5 · 12", the number of a stage and of its tasks; nothing if none does."""
    if room < MIN_LABELLED - LABEL_AIR:
        return ""
    texts = (f"Stage {number} · {count}", f"{number} · {count}", str(number))
    return next((text for text in texts if metrics.horizontalAdvance(text) <= room), "")
