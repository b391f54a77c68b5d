"""What labels the rows: a band for each kind of row, names of slots, lines that name pools of jobs, a bar."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QPolygonF
from typing_extensions import override

from core.explain.explanation_words import listed
from core.model.nodes import memory_text
from core.model.number_text import grouped
from core.model.task_types import MAP, REDUCE
from core.model.time_text import clock_text
from core.model.visible_text import visible
from explorer.gantt.geometry.chart_frame import BAND_LEFT, BAND_WIDTH, draw_elided
from explorer.gantt.geometry.row_layout import (
    BAR_LEFT,
    BAR_WIDTH,
    FOLDED_HEIGHT,
    HEADER_HEIGHT,
    NAME_LEFT,
    THIN_BAR,
)
from explorer.gantt.geometry.strip_height import LOW_STRIP
from explorer.gantt.layers.layer import MAX_NAMED_JOBS, Layer, paint_dashes
from explorer.gantt.layers.loans import paint_balance
from explorer.widgets.theme import fill_with, translucent, write_with

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QColor

    from core.charts.schedule_rows import PoolGroup, RowBand, ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.row_layout import RowLayout
    from explorer.gantt.geometry.tasks_in_view import Hit


LABEL_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)
LABEL_HEIGHT, MIN_DISTANCE = 14, 11
MIN_LABELLED_LANE = 180
"""Pixels of a lane above which some slots are named where rows are too low to name each."""
GRIP_WIDTH, GRIP_LINES = 22, 3
NAME_HEIGHT = 13
END_DASHES = (4, 2)
BALANCE_AIR = 24
"""Pixels between the facts of a pool and what it lent and borrowed."""


SIGN = 3.5
"""Half the width of the triangle that says whether rows are folded."""

SIGN_ROOM = 34
"""Bands at least so high have one."""


class RowBandsLayer(Layer):
    """Beside the rows: a band for each kind, pool or node with its name, and the names of slots."""

    stays_under_veil = True

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        record = rows.schedule.record
        has_hosts = record is not None and bool(record.run.hosts)  # which are named instead of slots
        named_to, layout = -MIN_DISTANCE, frame.layout
        for index in layout.in_view:
            pool, rect = layout.pools[index], frame.pool_rects[index]
            if rect.height() < 3:
                continue
            is_folded = index in layout.folded
            _paint_band(painter, frame, pool, rect, is_folded)
            # nodes may be lower than their names
            if is_folded or (not has_hosts and rect.top() - named_to >= MIN_DISTANCE):
                if is_folded:
                    _paint_folded_name(painter, frame, pool, rect)
                elif has_slot_names(layout, index):
                    _paint_slot_names(painter, frame, pool, rect)
                named_to = rect.top() if rect.height() < LABEL_HEIGHT else rect.bottom() - MIN_DISTANCE
            if index == layout.marked:
                _paint_mark(painter, frame, rect)
        if layout.most_scroll:
            _paint_bar(painter, frame)

    @override
    def facts_at(self, rows: ScheduleRows, found: Hit, early: float, late: float) -> PoolUse | None:
        return pool_use(rows, found.band, (early + late) / 2) if found.band >= 0 else None


def _paint_band(painter: QPainter, frame: ChartFrame, pool: RowBand, rect: QRect, is_folded: bool) -> None:
    band = QRectF(BAND_LEFT, rect.top(), BAND_WIDTH, rect.height())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill_with(painter, _band_colour(frame, pool))
    painter.drawRoundedRect(band, 3, 3)
    if is_folded:
        _paint_sign(painter, band.center(), is_folded, frame.theme.on_band)
        return
    if band.height() >= SIGN_ROOM:
        _paint_sign(painter, QPointF(band.center().x(), band.top() + 7), is_folded, frame.theme.on_band)
    font = QFont(frame.fonts.small_bold)
    font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 0.8)
    metrics, room = QFontMetricsF(font), band.height() - (22 if band.height() >= SIGN_ROOM else 8)
    text = next((text for text in _band_texts(pool) if metrics.horizontalAdvance(text) <= room), "")
    painter.save()
    painter.translate(band.center())
    painter.rotate(-90)
    write_with(painter, font, frame.theme.on_band)
    across = QRectF(-band.height() / 2, -band.width() / 2, band.height(), band.width())
    painter.drawText(across, int(Qt.AlignmentFlag.AlignCenter), text)
    painter.restore()


def _band_colour(frame: ChartFrame, pool: RowBand) -> QColor:
    return frame.theme.reduce_band if pool.name == "REDUCE" else frame.theme.map_band


def _paint_sign(painter: QPainter, middle: QPointF, is_folded: bool, ink: QColor) -> None:
    """Draw the triangle of rows: to the right where they are folded, else down."""
    long, short = SIGN, SIGN / 2
    corners = (
        [(-short, -long), (short, 0), (-short, long)]
        if is_folded
        else [(-long, -short), (long, -short), (0, short)]
    )
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill_with(painter, ink)
    painter.drawPolygon(QPolygonF([middle + QPointF(x, y) for x, y in corners]))


def _paint_folded_name(painter: QPainter, frame: ChartFrame, pool: RowBand, rect: QRect) -> None:
    """Name the rows that are folded, beside their one row."""
    write_with(painter, frame.fonts.small, frame.theme.second_text)
    left, right = BAND_LEFT + BAND_WIDTH + 4, frame.places.plot.left() - 7
    place = QRect(left, rect.top(), right - left, rect.height())
    name = pool.name.capitalize()
    texts = (f"{name} {pool.slots}", name, pool.prefix.rstrip(".") or name[0])
    fitting = (text for text in texts if frame.fonts.small_metrics.horizontalAdvance(text) <= right - left)
    draw_elided(painter, place, next(fitting, name), Qt.AlignmentFlag.AlignRight)


def _paint_mark(painter: QPainter, frame: ChartFrame, rect: QRect) -> None:
    """Outline the label of the pool that keys act upon."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(frame.theme.cursor, 2.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(BAND_LEFT - 2, rect.top() - 1, BAND_WIDTH + 4, rect.height() + 2), 4, 4)


def _paint_bar(painter: QPainter, frame: ChartFrame) -> None:
    """Draw all rows in small beside the plot, with a frame around what is in view."""
    plot, layout, theme = frame.places.plot, frame.layout, frame.theme
    is_wide = frame.places.whole.right() - plot.right() > BAR_LEFT + BAR_WIDTH
    inset, width = (BAR_LEFT, BAR_WIDTH) if is_wide else (1, THIN_BAR)
    left, part = plot.right() + 1 + inset, plot.height() / layout.content_height
    painter.fillRect(left, plot.top(), width, plot.height(), theme.line)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    last = plot.top()
    for pool, y, height in zip(layout.pools, layout.pool_tops, layout.pool_heights, strict=True):
        top = max(last, plot.top() + round((y + layout.scroll) * part))
        last = plot.top() + round((y + layout.scroll + height) * part)
        painter.fillRect(left, top, width, last - top, _band_colour(frame, pool))
    y, height = layout.thumb
    thumb = QRectF(left, plot.top() + y, width, height)
    painter.fillRect(QRectF(left, plot.top(), width, y), theme.shade)
    painter.fillRect(QRectF(left, thumb.bottom(), width, plot.bottom() + 1 - thumb.bottom()), theme.shade)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.second_text, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(thumb.adjusted(-1.25, 0.75, 1.25, -0.75), 3, 3)


def _band_texts(pool: RowBand) -> tuple[str, ...]:
    if pool.is_packed:
        return f"{pool.name} · ≤ {pool.slots}", pool.name, pool.name[0], ""
    if pool.memory_mb:
        initial = pool.prefix.rstrip(".") or pool.name[0]
        return f"{pool.name} · {memory_text(pool.memory_mb)}", pool.name, initial, ""
    count = pool.most_open or pool.slots  # not all rows are there at once where slots come and go
    slots = f"{'≤ ' if count < pool.slots else ''}{grouped(count)} slot{'s' * (count != 1)}"
    full = f"{pool.name} · {slots}"
    initial = pool.prefix.rstrip(".") or pool.name[0]  # M, R, C, or the node's: N3
    return full, pool.name, initial, ""


def _paint_slot_names(painter: QPainter, frame: ChartFrame, pool: RowBand, rect: QRect) -> None:
    write_with(painter, frame.fonts.small, frame.theme.third_text)
    step = label_step(frame.layout.row_heights[frame.layout.pools.index(pool)])
    left, right = BAND_LEFT + BAND_WIDTH + 2, frame.places.plot.left() - 4
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
            prefix = "" if pool.memory_mb else pool.prefix  # the names of slots
            spots.append((middle, f"{prefix}{pool.first_number + row}"))
    if len(spots) > 1 and spots[1][0] - spots[0][0] < MIN_DISTANCE:
        del spots[0]
    if frame.layout.strip > LOW_STRIP and spots and spots[0][0] - rect.top() < MIN_DISTANCE:
        del spots[0]  # beside it stands the figure of the strip above
    wide = any(frame.fonts.small_metrics.horizontalAdvance(text) > right - left for _, text in spots)
    for middle, text in spots:  # a name that is too wide would lie upon that of the lane
        shown = text.removeprefix(pool.prefix) if wide else text
        width = frame.fonts.small_metrics.horizontalAdvance(shown)
        if width <= right - left:
            painter.drawText(QPointF(right - width, middle + baseline), shown)


def has_slot_names(layout: RowLayout, index: int) -> bool:
    """Whether slots of a lane are named: where each has room for its name, and some in high lanes."""
    return layout.row_heights[index] >= LABEL_HEIGHT or layout.pool_heights[index] > MIN_LABELLED_LANE


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

    stays_under_veil = True  # but when they end, which waits for the veil

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        if not rows.is_grouped:
            return
        painter.save()
        painter.setClipRect(frame.places.plot)
        below = -math.inf  # of many pools those are named whose names do not lie upon one another
        layout = frame.layout
        for index in layout.named_in_view:
            header, pool = header_rect(frame, index), layout.pools[index]
            if pool.group < 0 or not header.intersects(frame.places.plot):
                continue
            place = name_place(frame, index)
            if place.top() >= below:
                below = place.top() + NAME_HEIGHT
                _paint_header(painter, frame, rows, place, index)
            if layout.has_header_lines and layout.edge_at(header.center().y() - frame.places.plot.top()) >= 0:
                _paint_grip(painter, frame, header)
        for index in layout.in_view:
            if layout.pools[index].group >= 0:
                _paint_end(painter, frame, index, rows.groups[layout.pools[index].group].finish)
        painter.restore()


def header_rect(frame: ChartFrame, index: int) -> QRect:
    """Return the line that names a pool, in the chart: above its rows, or upon those in view."""
    plot, line = frame.places.plot, frame.layout.name_line(index)
    return QRect(plot.left(), plot.top() + line, plot.width(), HEADER_HEIGHT)


def name_place(frame: ChartFrame, index: int) -> QRect:
    """Return the line in which the name of a pool is written: upon its rows where none is above them."""
    line, layout = header_rect(frame, index), frame.layout
    if layout.has_header_lines or index in layout.folded:
        return line
    top = max(line.top(), round(layout.pool_tops[index] + frame.places.plot.top()))
    return QRect(line.left(), top, line.width(), NAME_HEIGHT)


def name_spot(frame: ChartFrame, index: int, group: PoolGroup) -> QRectF:
    """Return where the name of a pool is, with the sign before it."""
    line = name_place(frame, index)
    width = frame.fonts.small_bold_metrics.horizontalAdvance(group.name) + 4
    return QRectF(line.left(), line.top(), NAME_LEFT + min(width, line.width() // 2), line.height())


def _paint_header(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, rect: QRect, index: int) -> None:
    layout = frame.layout
    group = rows.groups[layout.pools[index].group]
    name = group.name
    is_folded, rows_top = index in layout.folded, layout.pool_tops[index] + frame.places.plot.top()
    has_room = layout.has_header_lines and not is_folded
    facts = " · ".join(header_facts(rows, _bands_of(frame, index), frame.content.veil)) if has_room else ""
    bold, small = frame.fonts.small_bold_metrics, frame.fonts.small_metrics
    width = min(bold.horizontalAdvance(name) + 2, rect.width() // 2)
    if rect.bottom() >= rows_top:  # upon rows
        whole = NAME_LEFT + width + (10 + small.horizontalAdvance(facts) if facts else 4)
        back = QRect(rect.left(), rect.top(), min(whole, rect.width()), rect.height())
        back.setHeight(min(back.height(), FOLDED_HEIGHT if is_folded else HEADER_HEIGHT))
        painter.fillRect(back, translucent(frame.theme.window, 160 if is_folded else 215))
        rect.setHeight(back.height())
    _paint_sign(
        painter, QPointF(rect.left() + 7, rect.center().y() + 0.5), is_folded, frame.theme.second_text
    )
    write_with(painter, frame.fonts.small_bold, frame.theme.text)
    draw_elided(painter, QRect(rect.left() + NAME_LEFT, rect.top(), width, rect.height()), name)
    write_with(painter, frame.fonts.small, frame.theme.second_text)
    used = NAME_LEFT + width + 6
    rest = QRect(rect.left() + used, rect.top(), rect.width() - used - GRIP_WIDTH - 60, rect.height())
    if has_room and rect.bottom() < rows_top:
        after_facts = QRect(rest)
        after_facts.setLeft(round(rect.left() + _facts_end(frame, rows)))
        paint_balance(painter, frame, rows, after_facts, layout.pools[index].group)
        write_with(painter, frame.fonts.small, frame.theme.second_text)
    draw_elided(painter, rest, facts)


def _facts_end(frame: ChartFrame, rows: ScheduleRows) -> float:
    """Return the pixel of a line, with some air, at which the longest name with its facts ends."""
    bold, small = frame.fonts.small_bold_metrics, frame.fonts.small_metrics
    ends = [
        bold.horizontalAdvance(group.name)
        + small.horizontalAdvance(" · ".join(header_facts(rows, bands, frame.content.veil)))
        for bands, group in (
            (_bands_of(frame, index), rows.groups[frame.layout.pools[index].group])
            for index in frame.layout.named_in_view
        )
    ]
    return NAME_LEFT + 8 + max(ends, default=0.0) + BALANCE_AIR


def _bands_of(frame: ChartFrame, index: int) -> list[RowBand]:
    """Return the rows at an index and those of the same pool that follow."""
    return [frame.layout.pools[each] for each in frame.layout.named_together(index)]


def header_facts(rows: ScheduleRows, bands: Sequence[RowBand], veil: float = math.inf) -> list[str]:
    """Return the text about a pool beside its name; nothing of what comes after the veil.

    Above the rows of its maps alone stands when these end, above others when the pool is done.
    """
    group, is_of_maps = rows.groups[bands[0].group], [band.name for band in bands] == ["MAP"]
    kinds = {"MAP": "map slot", "REDUCE": "reduce slot"}
    slots = [count_text(band.slots, kinds.get(band.name, "slot")) for band in bands]
    facts = [f"up to {' and '.join(slots)} at once" if bands[0].is_packed else slots[0]]
    facts.append(count_text(group.jobs, "job") if group.jobs else "no jobs")
    end = rows.last_end(bands[0]) if is_of_maps else group.finish
    if not group.jobs or end > veil:
        return facts
    return [*facts, f"{'maps end' if is_of_maps else 'done'} at {clock_text(end)}"]


def count_text(number: int, noun: str) -> str:
    """Return a number with its noun: "1 job", "2 jobs"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _paint_grip(painter: QPainter, frame: ChartFrame, rect: QRect) -> None:
    """Draw the sign of an edge that can be dragged."""
    right, middle = rect.right() - 8, rect.center().y()
    for line in range(GRIP_LINES):
        y = middle - GRIP_LINES + 3 * line
        painter.fillRect(right - GRIP_WIDTH, y, GRIP_WIDTH, 1, frame.theme.second_text)


def _paint_end(painter: QPainter, frame: ChartFrame, index: int, seconds: float) -> None:
    """Draw a dashed line where the pool's last job departs."""
    rect = frame.pool_rects[index]
    if frame.shows(seconds) and rect.height() > 0 and 0 < seconds <= frame.content.veil:
        x = round(frame.x(seconds))
        paint_dashes(painter, x, rect.top(), rect.bottom() + 1, END_DASHES, 1, frame.theme.text)


# ---- what a folded pool of rows runs


class PoolUse(NamedTuple):
    """How much of a folded pool of rows runs something at a time, in seconds."""

    title: str
    kind: int
    busy: int
    rows: int
    seconds: float
    jobs: tuple[str, ...]

    @property
    def job(self) -> int:
        """No job in particular."""
        return -1

    def lines(self) -> list[tuple[str, str]]:
        """Return names and values, in the order in which they are shown."""
        running = [("jobs", listed(self.jobs, MAX_NAMED_JOBS))] if self.jobs else []
        return [("busy", f"{self.busy} of {self.rows}"), ("at", clock_text(self.seconds)), *running]

    def note(self) -> str:
        """Return how the rows are opened."""
        return "click the label to see its rows"


def pool_use(rows: ScheduleRows, index: int, seconds: float) -> PoolUse:
    """Return what runs in a pool of rows at a time."""
    band, columns = rows.pools[index], rows.columns
    first, last = columns.offsets[band.first_slot], columns.offsets[band.first_slot + band.slots]
    runs = (columns.start[first:last] <= seconds) & (seconds < columns.end[first:last])
    jobs = rows.schedule.workload.jobs
    names = tuple(visible(jobs[job].name) for job in np.unique(columns.code[first:last][runs] >> 1).tolist())
    kind = REDUCE if band.name == "REDUCE" else MAP
    slots = {"MAP": "map slots", "REDUCE": "reduce slots"}.get(band.name, band.name.lower())
    title = f"{rows.groups[band.group].name} · {slots}" if band.group >= 0 else slots.capitalize()
    return PoolUse(title, kind, int(runs.sum()), band.slots, seconds, names)
