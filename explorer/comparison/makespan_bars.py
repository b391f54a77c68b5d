"""The makespans of all scenarios as bars, with change, lower bound and estimates; a click activates one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from typing_extensions import override

from core.model.schedule import planned_on
from core.model.time_text import makespan_text, signed_percent
from explorer.plots.axis import ValueScale
from explorer.widgets.export import ChartTable, Picture
from explorer.widgets.tables import bold_font

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QShowEvent

    from explorer.comparison.results import Result, Results
    from explorer.document.view_state import ViewState
    from explorer.widgets.theme import Theme


EMPTY = "The makespans appear here as soon as a scenario has been simulated."
HEADER = (
    "scenario",
    "makespan (s)",
    "change",
    "lower bound of all (s)",
    "gap",
    "own lower bound (s)",
    "own gap",
    "premise",
    "estimated Min (s)",
    "estimated Max (s)",
    "draws",
    "90 % of draws from (s)",
    "median of draws (s)",
    "90 % of draws to (s)",
)
AIR_PX = 8.0
HIGHEST_ROW_PX = 40.0
TICK_ROOM_PX = 64.0
MIN_BARS_PX = 80.0
"""Where the bars would be narrower, titles and texts stand above them."""
BOUND_PEN_PX = 2.0
WHISKER_PX = 3.0
FARTHEST_ESTIMATE = 1.3
"""Estimates beyond so many times the longest makespan leave the chart, with an arrow: they add up jobs that
hardly fill a slot one after the other, and may be ten times too long."""


class MakespanBars(Picture):
    """One bar per scenario."""

    def __init__(self, results: Results, view_state: ViewState, colours: Theme) -> None:
        super().__init__("makespans")
        self._results = results
        self._view_state = view_state
        self.set_theme(colours)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(90)
        results.changed.connect(self._on_changed)
        self._on_changed()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._results.spreads.look()

    @override
    def sizeHint(self) -> QSize:
        return QSize(700, 64 + 34 * max(len(self._results.rows), 2))

    def _on_changed(self) -> None:
        if self.isVisible():
            self._results.spreads.look()
        texts = [f"{row.title}: {bar_text(row)}" for row in self._results.rows]
        self.setAccessibleName("Makespans. " + "; ".join(texts) if texts else EMPTY)
        self.update()

    @override
    def paint(self, painter: QPainter, area: QRectF) -> None:
        if self._results.rows:
            paint_bars(painter, area, self._results.rows, self.colours)

    @override
    def paint_over(self, painter: QPainter) -> None:
        if not self._results.rows:
            self.paint_nothing(painter, QRectF(self.rect()), EMPTY)

    def _row_at(self, y: float) -> Result | None:
        rows = self._results.rows
        if not rows:
            return None
        place = bar_places(QRectF(self.rect()), rows, self.font()).row_at(y)
        return rows[place] if 0 <= place < len(rows) else None

    # Mouse and keys

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event.position().y())
        if row is not None:
            self._view_state.activate_scenario(row.scenario_id)
        super().mousePressEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        ids = [row.scenario_id for row in self._results.rows]
        if step is None or self._view_state.active_scenario not in ids:
            super().keyPressEvent(event)
            return
        place = ids.index(self._view_state.active_scenario) + step
        if 0 <= place < len(ids):
            self._view_state.activate_scenario(ids[place])

    @override
    def tip_at(self, place: QPointF) -> str:
        row = self._row_at(place.y())
        return "" if row is None else _sentence(row)

    @override
    def table(self) -> ChartTable:
        return ChartTable(HEADER, tuple(_numbers(row) for row in self._results.rows))


def _numbers(row: Result) -> tuple[str | float | None, ...]:
    low, high = row.estimates if row.estimates is not None else (None, None)
    metrics = row.metrics
    own = metrics.lower_bound, metrics.gap, metrics.premise.words
    spread = row.spread
    drawn = (None,) * 4 if spread is None else (spread.draws, spread.low, spread.middle, spread.high)
    return (row.title, metrics.makespan, row.change, row.shared.seconds, row.gap, *own, low, high, *drawn)


def _sentence(row: Result) -> str:
    own = f"its own lower bound: {makespan_text(row.metrics.lower_bound)} {row.metrics.premise.words}"
    shared = f"lower bound of all: {makespan_text(row.shared.seconds)} {row.shared.premise.words}"
    lines = [row.details(), bar_text(row), *[shared] * row.shared.differs, own]
    if row.estimates is not None:
        low, high = row.estimates
        lines.append(f"estimated: Min {makespan_text(low)}, Max {makespan_text(high)}")
    if row.spread is not None:
        low, middle, high, draws = row.spread
        ends = f"{makespan_text(low)} to {makespan_text(high)}"
        lines.append(f"in {draws} draws of the jobs: {ends} in 90 %, median {makespan_text(middle)}")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class BarPlaces:
    """Where things lie: rows from top to bottom, times from left to right.

    In a narrow area titles and texts stand above the bars, in the upper half of each row.
    """

    titles: QRectF
    bars: QRectF
    texts: QRectF
    row: float
    scale: ValueScale
    is_narrow: bool = False

    def line_rect(self, place: int) -> QRectF:
        """Return the part of a row in which its title and its texts are written."""
        row = self.row_rect(place)
        return row.adjusted(0, 0, 0, -row.height() / 2) if self.is_narrow else row

    def bar_rect(self, place: int) -> QRectF:
        """Return the part of a row in which its bar lies."""
        row = self.row_rect(place)
        return row.adjusted(0, row.height() / 2, 0, 0) if self.is_narrow else row

    def row_rect(self, place: int) -> QRectF:
        """Return the whole row of a bar."""
        top = self.bars.top() + place * self.row
        left, right = self.titles.left(), max(self.texts.right(), self.bars.right())
        return QRectF(left, top, right - left, self.row)

    def row_at(self, y: float) -> int:
        """Return the row at a height; may lie outside of the rows there are."""
        return int((y - self.bars.top()) // self.row)


def bar_places(area: QRectF, results: Sequence[Result], font: QFont) -> BarPlaces:
    """Divide an area: titles to the left, texts to the right, bars between, legend above, axis below.

    Where that leaves little for the bars they lie below titles and texts.
    """
    metrics = QFontMetricsF(font)
    line = metrics.height()
    titles = min(max(metrics.horizontalAdvance(r.title) for r in results) + 4, area.width() * 0.22)
    texts = max(metrics.horizontalAdvance(bar_text(r)) for r in results) + AIR_PX
    top, bottom = area.top() + AIR_PX + line + 6, area.bottom() - line - 6
    row = max(min((bottom - top) / len(results), HIGHEST_ROW_PX), 1.0)
    if area.width() - 4 * AIR_PX - titles - texts < MIN_BARS_PX:
        return _narrow_places(area.adjusted(AIR_PX, 0, -AIR_PX, 0), top, row, results)
    left, right = area.left() + AIR_PX + titles + AIR_PX, area.right() - AIR_PX - texts
    right, height = max(right, left + 20.0), row * len(results)
    return BarPlaces(
        titles=QRectF(area.left() + AIR_PX, top, titles, height),
        bars=QRectF(left, top, right - left, height),
        texts=QRectF(right + AIR_PX, top, texts, height),
        row=row,
        scale=ValueScale(0.0, _longest(results), left, right),
    )


def _narrow_places(area: QRectF, top: float, row: float, results: Sequence[Result]) -> BarPlaces:
    """Return rows in which a title and its texts share a line above a bar as wide as the area."""
    height = row * len(results)
    half = area.width() / 2
    return BarPlaces(
        titles=QRectF(area.left(), top, half, height),
        bars=QRectF(area.left(), top, area.width(), height),
        texts=QRectF(area.left() + half, top, half, height),
        row=row,
        scale=ValueScale(0.0, _longest(results), area.left(), area.right()),
        is_narrow=True,
    )


def _longest(results: Sequence[Result]) -> float:
    """Return what the axis reaches: all makespans, and estimates that do not dwarf them."""
    simulated = max(max(r.metrics.makespan, r.metrics.lower_bound) for r in results)
    estimated = max((max(r.estimates) for r in results if r.estimates is not None), default=0.0)
    drawn = max((r.spread.high for r in results if r.spread is not None), default=0.0)
    return max(simulated, drawn, min(estimated, simulated * FARTHEST_ESTIMATE), 1e-9)


def bar_text(result: Result) -> str:
    """Return what is written beside a bar."""
    parts = [makespan_text(result.metrics.makespan)]
    if result.is_baseline:
        parts.append("baseline")
    elif result.change is not None:
        parts.append(signed_percent(result.change))
    of_all = " of all" if result.shared.differs else ""
    parts.append(f"{result.shared.standing(result.metrics)}{of_all}")
    return "   ".join(parts)


def paint_bars(painter: QPainter, area: QRectF, results: Sequence[Result], colours: Theme) -> None:
    """Draw the whole chart."""
    places = bar_places(area, results, painter.font())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_axis(painter, places, colours)
    for place, result in enumerate(results):
        _paint_bar(painter, places, place, result, colours)
        _paint_texts(painter, places, place, result, colours)
    _paint_legend(painter, area, results, colours)


def _paint_axis(painter: QPainter, places: BarPlaces, colours: Theme) -> None:
    height = painter.fontMetrics().height()
    for tick, text in places.scale.labels("s", TICK_ROOM_PX):
        x = places.scale.x(tick)
        painter.setPen(QPen(colours.faint_line, 1))
        painter.drawLine(QPointF(x, places.bars.top() - 2), QPointF(x, places.bars.bottom() + 2))
        painter.setPen(colours.third_text)
        width = painter.fontMetrics().horizontalAdvance(text) + 1
        left = max(x - width / 2, places.titles.left())
        label = QRectF(left, places.bars.bottom() + 3, width, height)
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)


def _bar_colour(result: Result, colours: Theme) -> QColor:
    is_no_gain = result.is_baseline or result.lacks_overheads
    if is_no_gain or not result.change or abs(result.change) < 0.0005:
        return colours.second_text
    return colours.better if result.change < 0 else colours.worse


def _paint_bar(painter: QPainter, places: BarPlaces, place: int, result: Result, colours: Theme) -> None:
    if result.is_active:
        painter.fillRect(places.row_rect(place).adjusted(-4, 1, 4, -1), colours.map_rows[1])
    row = places.bar_rect(place)
    height = row.height() * 0.56
    top = row.center().y() - height / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_bar_colour(result, colours))
    bar = QRectF(
        places.bars.left(), top, places.scale.x(result.metrics.makespan) - places.bars.left(), height
    )
    painter.drawRoundedRect(bar, 2, 2)
    bound = places.scale.x(result.shared.seconds)
    # a rim of the background keeps the line visible on the bar
    for colour, width in ((colours.plot, BOUND_PEN_PX + 2), (colours.text, BOUND_PEN_PX)):
        painter.setPen(QPen(colour, width))
        painter.drawLine(QPointF(bound, row.top() + 2), QPointF(bound, row.bottom() - 2))
    if result.estimates is not None:
        _paint_estimates(painter, places, row, result, colours)
    if result.spread is not None:
        ends = [
            places.scale.x(each) for each in (result.spread.low, result.spread.middle, result.spread.high)
        ]
        y = math.floor(row.bottom() - row.height() * 0.15) + 0.5  # the middle of a pixel
        _paint_whisker(painter, ends, y, min(WHISKER_PX, row.height() * 0.13), colours)


def _paint_whisker(painter: QPainter, ends: Sequence[float], y: float, half: float, colours: Theme) -> None:
    """Draw a line from the first to the last pixel, with caps so high, and a dot at the one between."""
    low, middle, high = ends
    for colour, width in ((colours.plot, 3.4), (colours.text, 1.4)):
        painter.setPen(QPen(colour, width))
        painter.drawLine(QPointF(low, y), QPointF(high, y))
        for end in (low, high):
            painter.drawLine(QPointF(end, y - half), QPointF(end, y + half))
    painter.setPen(QPen(colours.plot, 1))
    painter.setBrush(colours.text)
    painter.drawEllipse(QPointF(middle, y), half, half)


def _paint_estimates(
    painter: QPainter, places: BarPlaces, row: QRectF, result: Result, colours: Theme
) -> None:
    """Draw a span from Min to Max; an arrow where Max lies beyond the axis, nothing if both do."""
    if result.estimates is None or result.estimates[0] > places.scale.high:
        return
    low, high = (min(places.scale.x(seconds), places.bars.right()) for seconds in result.estimates)
    middle, tick = row.center().y(), row.height() * 0.14
    goes_on = result.estimates[1] > places.scale.high
    for colour, width in ((colours.plot, 4.0), (colours.text, 1.4)):
        painter.setPen(QPen(colour, width))
        painter.drawLine(QPointF(low, middle), QPointF(high, middle))
        painter.drawLine(QPointF(low, middle - tick), QPointF(low, middle + tick))
        for side in (-tick, tick):
            painter.drawLine(QPointF(high, middle), QPointF(high - tick * goes_on, middle + side))


def _paint_texts(painter: QPainter, places: BarPlaces, place: int, result: Result, colours: Theme) -> None:
    row, font = places.line_rect(place), painter.font()
    pieces, side, x = bar_text(result).split("   "), Qt.AlignmentFlag.AlignRight, places.texts.left()
    title = QRectF(places.titles.left(), row.top(), places.titles.width(), row.height())
    if places.is_narrow:
        side = Qt.AlignmentFlag.AlignLeft
        pieces = _fitting_pieces(pieces, row.width() - _width_of(result.title, font), font)
        x = row.right() - _pieces_width(pieces, font)
        title.setRight(x - AIR_PX)
    shown = painter.fontMetrics().elidedText(result.title, Qt.TextElideMode.ElideRight, int(title.width()))
    painter.setPen(colours.text)
    painter.drawText(title, Qt.AlignmentFlag.AlignVCenter | side, shown)
    for i, piece in enumerate(pieces):
        is_change = i == 1 and not result.is_baseline and result.change is not None
        painter.setFont(font if i else bold_font(font))
        painter.setPen(
            _bar_colour(result, colours) if is_change else colours.text if i == 0 else colours.second_text
        )
        box = QRectF(x, row.top(), row.width(), row.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, piece)
        x += QFontMetricsF(painter.font()).horizontalAdvance(piece + "  ")
    painter.setFont(font)


def _width_of(text: str, font: QFont) -> float:
    return QFontMetricsF(font).horizontalAdvance(text)


def _pieces_width(pieces: Sequence[str], font: QFont) -> float:
    """Return the pixels of what is written beside a bar; its first piece is bold."""
    first, *others = pieces
    return _width_of(first, bold_font(font)) + sum(_width_of(f"  {piece}", font) for piece in others) + 2


def _fitting_pieces(pieces: list[str], room: float, font: QFont) -> list[str]:
    """Return as many pieces as fit, the makespan at any rate: how far it is from the bound goes first."""
    counts = range(len(pieces), 1, -1)
    return next((pieces[:n] for n in counts if _pieces_width(pieces[:n], font) + AIR_PX <= room), pieces[:1])


def _paint_legend(painter: QPainter, area: QRectF, results: Sequence[Result], colours: Theme) -> None:
    """Explain the two marks, with their times where they are the same for all."""
    metrics = QFontMetricsF(painter.font())
    height = metrics.height()
    middle, x = area.top() + AIR_PX + height / 2, area.left() + AIR_PX
    shared = results[0].shared
    of_all = "of all " if shared.differs else ""
    text = f"lower bound {of_all}{makespan_text(shared.seconds)} {shared.premise.words}"
    painter.setPen(QPen(colours.text, BOUND_PEN_PX))
    painter.drawLine(QPointF(x + 2, middle - 6), QPointF(x + 2, middle + 6))
    x = _legend_text(painter, x + 10, middle, text, colours, area.right())
    estimated = estimated_sentence(results)
    if estimated:
        painter.setPen(QPen(colours.text, 1.4))
        painter.drawLine(QPointF(x, middle), QPointF(x + 18, middle))
        for end in (x, x + 18):
            painter.drawLine(QPointF(end, middle - 4), QPointF(end, middle + 4))
        x = _legend_text(painter, x + 26, middle, estimated, colours, area.right())
    drawn = max((result.spread.draws for result in results if result.spread is not None), default=0)
    if drawn:
        _paint_whisker(painter, (x + 2, x + 12, x + 24), middle, WHISKER_PX, colours)
        text = f"{drawn} draws of the jobs: 90 %, median"
        _legend_text(painter, x + 32, middle, text, colours, area.right())


def estimated_sentence(results: Sequence[Result]) -> str:
    """Return what is estimated, with its times where they are the same for all; empty where nothing is."""
    estimates = {result.estimates for result in results if result.estimates is not None}
    if not estimates:
        return ""
    low, high = next(iter(estimates))
    span = f" {makespan_text(low)} to {makespan_text(high)}" if len(estimates) == 1 else ""
    span += ", of the true durations" if any(planned_on(each.schedule) for each in results) else ""
    span += ", beyond this axis" if min(min(each) for each in estimates) > _longest(results) else ""
    return f"estimated without simulation: Min to Max{span}"


def _legend_text(
    painter: QPainter, x: float, middle: float, text: str, colours: Theme, right: float
) -> float:
    metrics = QFontMetricsF(painter.font())
    text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(right - AIR_PX - x, 0.0))
    painter.setPen(colours.second_text)
    painter.drawText(QPointF(x, middle + metrics.ascent() / 2 - metrics.descent() / 2), text)
    return x + metrics.horizontalAdvance(text) + 22
