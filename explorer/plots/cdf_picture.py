"""Distribution functions side by side: which part of the tasks takes up to how long, as steps and lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy
from typing_extensions import override

from core.model.time_text import duration_text
from explorer.plots.axis import ValueScale
from explorer.widgets.export import ChartTable, Picture
from explorer.widgets.theme import translucent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from explorer.widgets.theme import Theme

MARGIN, GAP = 12, 14
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
SHORTEST = 1e-3
"""Seconds: logarithmic axes of no longer durations begin here."""
LEGEND_LINE = 18
GAP_TEXT = "largest distance of the chosen one"
NO_TASKS = "None of the runs has such tasks."


@dataclass(frozen=True, eq=False)
class CdfCurve:
    """One distribution function.

    Attributes
    ----------
    name : in the legend
    times, fractions : its points, ascending, seconds and 0 to 1, (points,)
    pen : in the colours of a theme
    has_steps : whether it jumps at its points, as samples do, or goes straight from one to the next
    """

    name: str
    times: NDArray[np.float64]
    fractions: NDArray[np.float64]
    pen: Callable[[Theme], QPen]
    has_steps: bool = True

    def fraction_at(self, seconds: float) -> float:
        """Return the part of the tasks that took at most so long."""
        place = int(np.searchsorted(self.times, seconds, side="right"))
        return float(self.fractions[place - 1]) if place else 0.0


@dataclass(frozen=True, eq=False)
class CdfPanel:
    """Curves over one axis.

    Attributes
    ----------
    title : above them
    curves : drawn in this order, the later ones upon the earlier
    samples : durations in seconds, ascending: what the axis spans
    gap : seconds, and two fractions between which a difference is marked there, or None
    """

    title: str
    curves: tuple[CdfCurve, ...]
    samples: NDArray[np.float64]
    gap: tuple[float, float, float] | None = None

    def scale(self, field: QRectF, is_log: bool) -> ValueScale:
        """Return the axis: from 0, or from the shortest duration above 0, to beyond the longest."""
        longest = float(self.samples[-1]) if len(self.samples) else 0.0
        if not is_log:
            return ValueScale(0.0, 1.05 * (longest or 1.0), field.left(), field.right())
        positive = self.samples[self.samples > 0]
        low = (float(positive[0]) if len(positive) else SHORTEST) / 1.3
        return ValueScale(low, max(longest * 1.3, 2 * low), field.left(), field.right(), is_log=True)


class CdfPicture(Picture):
    """Shows panels side by side; the legend stands in the picture, or below it in files only."""

    def __init__(self, export_name: str, *, has_legend: bool = False) -> None:
        super().__init__(export_name)
        self.panels: Sequence[CdfPanel] = ()
        self.is_log = False
        self._has_legend = has_legend
        self._table: Callable[[], ChartTable] = lambda: ChartTable((), ())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_panels(self, panels: Sequence[CdfPanel], table: Callable[[], ChartTable]) -> None:
        """Show these panels; `table` returns their numbers when they are exported."""
        self.panels, self._table = panels, table
        self.setAccessibleDescription("; ".join(self.legend_texts()))
        self.update()

    def set_log(self, is_log: bool) -> None:
        """Let the seconds grow by factors, or evenly."""
        self.is_log = is_log
        self.update()

    def legend(self) -> list[tuple[str, QPen]]:
        """Return what the lines of all panels are: samples first, then what was fitted to them."""
        curves = [curve for panel in self.panels for curve in panel.curves]
        entries: list[tuple[str, QPen]] = []
        for curve in sorted(curves, key=lambda each: not each.has_steps):
            entry = (curve.name, curve.pen(self.colours))
            if entry not in entries:  # a run has a curve in each panel
                entries.append(entry)
        if any(panel.gap is not None for panel in self.panels):
            entries.append((GAP_TEXT, QPen(self.colours.accent, 3)))
        return entries

    def legend_texts(self) -> list[str]:
        """Return the names of the curves."""
        return [name for name, _ in self.legend() if name != GAP_TEXT]

    @override
    def table(self) -> ChartTable:
        return self._table()

    @override
    def sizeHint(self) -> QSize:
        return QSize(520, 380)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(320, 240)

    # ---- places

    def areas(self, whole: QRectF) -> list[QRectF]:
        """Return where each panel lies."""
        count = max(len(self.panels), 1)
        width = (whole.width() - (count - 1) * GAP) / count
        lefts = [whole.left() + i * (width + GAP) for i in range(len(self.panels))]
        return [QRectF(left, whole.top(), width, whole.height()) for left in lefts]

    @override
    def tip_at(self, place: QPointF) -> str:
        """Return the values of the curves of several panels at a pixel: the part of at most that length."""
        for panel, area in zip(self.panels, self.areas(QRectF(self.rect())), strict=True):
            field = field_in(area, self.font())
            if field.contains(place) and len(self.panels) > 1:
                seconds = panel.scale(field, self.is_log).value(place.x())
                lines = [f"{curve.fraction_at(seconds):.0%} of {curve.name}" for curve in panel.curves]
                return "\n".join([f"{panel.title} of at most {duration_text(seconds)}:", *lines])
        return ""

    # ---- painting

    @override
    def paint(self, painter: QPainter, area: QRectF) -> None:
        for panel, place in zip(self.panels, self.areas(area), strict=True):
            paint_panel(painter, panel, place, self.is_log, self.colours)
        if self._has_legend and self.panels:
            self._paint_legend(painter, field_in(area, self.font()))

    @override
    def paint_over(self, painter: QPainter) -> None:
        if self._has_legend:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(self.colours.line)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _paint_legend(self, painter: QPainter, field: QRectF) -> None:
        metrics, entries = QFontMetricsF(self.font()), self.legend()
        line = metrics.height() + 3
        width = max(metrics.horizontalAdvance(text) for text, _ in entries) + 46
        height = len(entries) * line + 10
        box = QRectF(field.right() - width - 6, field.bottom() - height - 6, width, height)
        background = translucent(self.colours.plot, 215)
        painter.fillRect(box, background)
        for row, (text, pen) in enumerate(entries):
            y = box.top() + 5 + row * line
            painter.setPen(pen)
            middle = y + metrics.height() / 2
            painter.drawLine(QPointF(box.left() + 6, middle), QPointF(box.left() + 34, middle))
            painter.setPen(self.colours.text)
            painter.drawText(QPointF(box.left() + 40, y + metrics.ascent()), text)

    # ---- export

    @override
    def export_size(self) -> QSize:
        if self._has_legend:
            return self.size()
        return QSize(self.width() + 16, self.height() + LEGEND_LINE * len(self.legend()) + 24)

    @override
    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        if self._has_legend:
            super().paint_export(painter, area)
            return
        legend = LEGEND_LINE * len(self.legend())
        super().paint_export(painter, area.adjusted(8, 8, -8, -legend - 16))
        for i, (name, pen) in enumerate(self.legend()):
            y = area.bottom() - legend - 4 + (i + 0.5) * LEGEND_LINE
            painter.setPen(pen)
            painter.drawLine(QPointF(area.left() + 16, y), QPointF(area.left() + 50, y))
            painter.setPen(self.colours.text)
            box = QRectF(area.left() + 58, y - 9, area.width() - 66, LEGEND_LINE)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, name)


def field_in(area: QRectF, font: QFont) -> QRectF:
    """Return where the curves of a panel are drawn: title above, fractions to the left, seconds below."""
    letters = QFontMetricsF(font)
    left = letters.horizontalAdvance("100 %") + MARGIN + 6
    return area.adjusted(left, letters.height() + 20, -MARGIN - 6, -2 * letters.height() - 16)


def paint_panel(painter: QPainter, panel: CdfPanel, area: QRectF, is_log: bool, colours: Theme) -> None:
    """Draw title, axes and curves of a panel."""
    field = field_in(area, painter.font())
    scale = panel.scale(field, is_log)
    painter.setPen(colours.text)
    heading = area.adjusted(MARGIN, 8, -MARGIN, 0)
    title = QFontMetricsF(painter.font()).elidedText(
        panel.title, Qt.TextElideMode.ElideMiddle, heading.width()
    )
    painter.drawText(heading, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, title)
    _paint_axes(painter, area, field, scale, colours)
    if not panel.curves:
        painter.setPen(colours.second_text)
        painter.drawText(field, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, NO_TASKS)
        return
    painter.save()
    painter.setClipRect(field.adjusted(-1, -2, 1, 2))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for curve in panel.curves:
        painter.setPen(curve.pen(colours))
        painter.drawPolyline(line_of(curve, field, scale))
    if panel.gap is not None:
        at, found, expected = panel.gap
        painter.setPen(QPen(colours.accent, 3))
        painter.drawLine(QPointF(scale.x(at), _y(field, found)), QPointF(scale.x(at), _y(field, expected)))
    painter.restore()


def _paint_axes(painter: QPainter, area: QRectF, field: QRectF, scale: ValueScale, colours: Theme) -> None:
    line = QFontMetricsF(painter.font()).height()
    for level in LEVELS:
        y = _y(field, level)
        painter.setPen(colours.faint_line)
        painter.drawLine(QPointF(field.left(), y), QPointF(field.right(), y))
        painter.setPen(colours.second_text)
        place = QRectF(area.left(), y - line / 2, field.left() - area.left() - 6, line)
        painter.drawText(place, Qt.AlignmentFlag.AlignRight, f"{100 * level:.0f} %")
    for tick, text in scale.labels("s"):
        x = scale.x(tick)
        painter.setPen(colours.faint_line)
        painter.drawLine(QPointF(x, field.top()), QPointF(x, field.bottom() + 4))
        painter.setPen(colours.second_text)
        place = QRectF(x - 60, field.bottom() + 5, 120, line)
        painter.drawText(place, Qt.AlignmentFlag.AlignHCenter, text)
    below = QRectF(field.left(), field.bottom() + line + 7, field.width(), line)
    painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, "duration")


def _y(field: QRectF, fraction: float) -> float:
    return field.bottom() - fraction * field.height()


def line_of(curve: CdfCurve, field: QRectF, scale: ValueScale) -> QPolygonF:
    """Return the pixels of a curve; very many points are thinned, so that no pixel needs more."""
    most = 4 * max(int(field.width()), 1)
    chosen = np.arange(len(curve.times))
    if len(chosen) > most and curve.has_steps:
        chosen = np.unique(np.linspace(0, len(chosen) - 1, most).astype(int))
    elif scale.is_log and not curve.has_steps:
        chosen = np.flatnonzero(curve.times > 0)
    xs, fractions = scale.xs(curve.times[chosen]), curve.fractions[chosen]
    if curve.has_steps:  # at each point up from the fraction before
        xs, fractions = np.repeat(xs, 2), np.repeat(np.append(0.0, fractions), 2)[1:-1]
    ys = field.bottom() - fractions * field.height()
    return QPolygonF([QPointF(x, y) for x, y in zip(xs.tolist(), ys.tolist(), strict=True)])
