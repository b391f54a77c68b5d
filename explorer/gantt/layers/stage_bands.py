"""The stages of jobs as boxes above the rows, joined to those that wait for them, and think times as gaps."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen
from typing_extensions import override

from core.charts.palette import ink_on
from core.charts.raster_kernel import MAP_TONE, REDUCE_TONE
from core.charts.stage_boxes import long_name
from core.charts.stage_names import stage_names
from core.explain.stage_path import PartKind
from explorer.gantt.geometry.chart_content import path_of
from explorer.gantt.geometry.chart_frame import colour, draw_elided
from explorer.gantt.geometry.stage_bands import BAND_PAD
from explorer.gantt.layers.layer import Layer, paint_think
from explorer.widgets.theme import fill_with, translucent, write_with

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from core.charts.schedule_rows import ScheduleRows
    from core.charts.stage_boxes import StageBand
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.stage_bands import BandLayout

RADIUS, BAND_RADIUS = 3, 4
MIN_BOX = 2.0
"""Pixels of a box at least."""
MIN_ROUND = 5.0
"""Narrower boxes have no round corners, and no label."""
MIN_ROOM, LABEL_AIR, MIN_LETTERS, MAX_WIDTHS = 6.0, 6, 3, 20_000
LINK_ALPHA = 84
"""Opacity, of 255, of the line from a stage to one that waits for it."""
REACH, CLOSE = 60.0, 14.0
"""Pixels that a curve takes to bend, and between two boxes up to which the line goes straight down."""
MAX_LINKS = 3000
"""Of more lines in view one could follow none: only those of what is selected are drawn."""
PATH_FRAME, PATH_LINE, CHOSEN_FRAME = 1.5, 2.0, 2.0
NAME_GAP = 5
THUMB_LEFT, THUMB = 1, 4
"""Pixels from the left to the bar that says which bands are in view, and of the bar."""


class StageBandsLayer(Layer):
    """The bands of stages, one for each thread of a driver."""

    def __init__(self) -> None:
        self._labels = StageLabels()

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
        self._labels.use(frame.fonts.small)
        drawing = _Boxes(painter, frame, rows, layout, self._labels)
        drawing.paint_links()
        drawing.paint_thinks()
        drawing.paint_lines_that_matter()
        drawing.paint_boxes()
        drawing.paint_frames()
        painter.restore()


def _paint_band(painter: QPainter, frame: ChartFrame, band: StageBand, top: int, bottom: int) -> None:
    """Draw the ground of a band, and beside it its name and its jobs."""
    area, metrics = frame.places.bands, frame.fonts.small_metrics
    fill_with(painter, frame.theme.map_rows[0])
    painter.drawRoundedRect(QRectF(area.left(), top, area.width(), bottom - top), BAND_RADIUS, BAND_RADIUS)
    left = THUMB_LEFT + (THUMB + 1 if frame.bands and frame.bands.most_scroll else 0)
    # a name stays in view while there is some of its band, and is left out rather than cut
    begin, end = max(top + 1, area.top()), min(bottom, area.bottom() + 1)
    line = QRect(left, begin, area.left() - left - NAME_GAP, metrics.height() + 2)
    if begin + metrics.height() > end:
        return
    is_narrow = frame.fonts.small_bold_metrics.horizontalAdvance(band.name) > line.width()
    write_with(painter, frame.fonts.small if is_narrow else frame.fonts.small_bold, frame.theme.text)
    wanted = (band.name, band.short_name)
    name = next((each for each in wanted if metrics.horizontalAdvance(each) <= line.width()), band.name)
    draw_elided(painter, line, name, Qt.AlignmentFlag.AlignRight)
    if end - begin >= 2 * metrics.height() + 1 and len(band.jobs) > 1:
        first, last = (frame.content.job_names[job] for job in (band.jobs[0], band.jobs[-1]))
        texts = (f"{first} → {last}", f"{first}→{last}", f"{len(band.jobs)} jobs")
        line.translate(0, metrics.height())
        write_with(painter, frame.fonts.small, frame.theme.second_text)
        text = next((each for each in texts if metrics.horizontalAdvance(each) <= line.width()), texts[-1])
        draw_elided(painter, line, text, Qt.AlignmentFlag.AlignRight)


def _paint_thumb(painter: QPainter, frame: ChartFrame, layout: BandLayout) -> None:
    """Draw which bands are in view, as the bar beside the rows does."""
    if layout.most_scroll:
        top, height = layout.thumb
        fill_with(painter, translucent(frame.theme.third_text, 140))
        place = QRectF(THUMB_LEFT, frame.places.bands.top() + top, THUMB, height)
        painter.drawRoundedRect(place, THUMB / 2, THUMB / 2)


class _Boxes:
    """Draws what is in view of the boxes of one frame."""

    def __init__(
        self,
        painter: QPainter,
        frame: ChartFrame,
        rows: ScheduleRows,
        layout: BandLayout,
        labels: StageLabels,
    ) -> None:
        self._labels = labels
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
        painter, box, stages = self._painter, self._layout.box, self._rows.schedule.workload.columns.stages
        shown = self._layout.in_view(self._frame.scale.start, self._frame.scale.end)
        stage = self._layout.bands.boxes.stage[shown]
        sides = zip(*(each[shown].tolist() for each in (self._left, self._right, self._top)), strict=True)
        counts, names = stages.count[stage].tolist(), stage_names(self._rows)
        edges = float(self._area.left()), self._area.right() + 1.0
        heights = self._area.top(), self._area.bottom() + 1 - box  # of a box that is cut the label would be
        labels: list[tuple[QRectF, str, int]] = []
        painter.setPen(Qt.PenStyle.NoPen)
        boxes = zip(shown.tolist(), sides, stage.tolist(), counts, strict=True)
        for place, (left, right, top), which, count in boxes:
            tone = self._tone(which, place in self._around)
            rect = QRectF(left, top, right - left, box)
            if right - left < MIN_ROUND:
                painter.fillRect(rect, colour(tone))
                continue
            painter.setBrush(colour(tone))
            painter.drawRoundedRect(rect, RADIUS, RADIUS)
            room = min(right, edges[1]) - max(left, edges[0])
            text = self._labels.fitting(names[which], count, room - LABEL_AIR)
            if text and heights[0] <= top <= heights[1]:
                labels.append((QRectF(max(left, edges[0]), top, room, box), text, ink_on(tone)))
        painter.setFont(self._frame.fonts.small)
        for rect, text, ink in labels:
            painter.setPen(colour(ink))
            painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), text)

    def _tone(self, stage: int, is_vivid: bool) -> int:
        """Return the colour of a stage, faded as it is shown or not at all."""
        tones = self._frame.stage_tones if is_vivid else self._frame.shown_stage_tones
        if self._rows.has_graphs:
            return int(tones[stage, MAP_TONE])
        stages = self._rows.schedule.workload.columns.stages
        return int(tones[stages.job[stage], REDUCE_TONE if stages.number[stage] else MAP_TONE])

    # ---- what waits for what

    def paint_links(self) -> None:
        """Draw a line from each stage in view to those that wait for it."""
        links, area = self._layout.bands.links, self._area
        parent, child = links.T
        low, high = (each(self._top[parent], self._top[child]) for each in (np.minimum, np.maximum))
        seen = (self._right[parent] <= area.right()) & (self._left[child] >= area.left())
        seen &= (high + self._layout.box > area.top()) & (low < area.bottom())
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        if seen.sum() <= MAX_LINKS:
            self._painter.setPen(QPen(translucent(self._frame.theme.second_text, LINK_ALPHA), 1.0))
            self._draw_links(links[seen])

    def _draw_links(self, links: NDArray[np.int64]) -> None:
        parent, child = links.T
        columns = self._right[parent], self._left[child], self._top[parent], self._top[child]
        half, path = self._layout.box / 2, QPainterPath()
        for begin, end, high, low in zip(*(column.tolist() for column in columns), strict=True):
            y, to = high + half, low + half
            if end - begin < CLOSE:
                x = round(end) + 0.5
                path.moveTo(x, y)
                path.lineTo(x, to)
            elif y == to:
                path.moveTo(begin, y)
                path.lineTo(end, y)
            else:
                reach = min(REACH, (end - begin) / 2)
                path.moveTo(begin, y)
                path.cubicTo(begin + reach, y, end - reach, to, end, to)
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
            ink = frame.theme.text if is_on_path else frame.theme.third_text
            place = QRectF(left, top, right - left, layout.box)
            seconds = think.end - think.begin
            paint_think(self._painter, frame, place, seconds, ink, on_band=True, is_bold=is_on_path)

    # ---- the path to the end

    def _boxes_on_path(self) -> list[int]:
        path = path_of(self._rows)
        places = (int(self._layout.bands.box_of[stage]) for stage in (path.stages if path else ()))
        return [box for box in places if box >= 0]

    def paint_lines_that_matter(self) -> None:
        """Join the stages of the path or, while a stage is selected, that with those around it."""
        theme = self._frame.theme
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._chosen < 0:
            self._join(self._boxes_on_path(), theme.text)
        else:
            self._painter.setPen(QPen(theme.cursor, PATH_LINE))
            self._draw_links(self._own_links)

    def paint_frames(self) -> None:
        """Frame the stages of the path or, while a stage is selected, that and those around it."""
        theme = self._frame.theme
        if self._chosen < 0:
            self._frame_boxes(self._boxes_on_path(), theme.text, PATH_FRAME)
        else:
            self._frame_boxes(sorted(self._around - {self._chosen}), theme.text, PATH_FRAME)
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


class StageLabels:
    """Finds the longest label that fits a box; widths of texts are kept, as they take long to measure."""

    def __init__(self) -> None:
        self._font: QFont | None = None
        self._widths: dict[str, int] = {}

    def use(self, font: QFont) -> None:
        """Measure in this font from now on."""
        if font != self._font or len(self._widths) > MAX_WIDTHS:
            self._font, self._widths = font, {}
            self._metrics = QFontMetrics(font)

    def fitting(self, name: str, count: int, room: float) -> str:
        """Return what fits of "Stage 5 · 12", a stage and how many tasks it has; or nothing."""
        if room < MIN_ROOM:
            return ""
        texts = (f"{long_name(name)} · {count}", f"{name} · {count}", name)
        found = next((text for text in texts if self._width(text) <= room), "")
        if found or name.isdecimal():
            return found
        cut = self._metrics.elidedText(name, Qt.TextElideMode.ElideRight, int(room))
        return cut if len(cut) > MIN_LETTERS else ""

    def _width(self, text: str) -> int:
        if text not in self._widths:
            self._widths[text] = self._metrics.horizontalAdvance(text)
        return self._widths[text]
