"""Distribution functions of map, shuffle and reduce durations of runs, side by side (001 Figure 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.measures.distance import cdf
from core.model.time_text import duration_text
from core.trace_database.run_comparison import PHASES
from explorer.trace_database.cdf_painter import Panel, paint_panel, panel_places
from explorer.widgets.export import ChartTable
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.widget_theme import theme_of

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from core.trace_database.run_comparison import Phase, PhaseComparison
    from explorer.trace_database.cdf_painter import Curve

TITLES: dict[Phase, str] = {"map": "Map", "shuffle": "Shuffle", "reduce": "Reduce"}
GAP_PX = 14
LEGEND_LINE_PX = 18


@dataclass(frozen=True, eq=False)
class RunCurves:
    """What is drawn: names of the runs, and a panel for each phase."""

    names: tuple[str, ...]
    panels: tuple[Panel, ...]

    @classmethod
    def of(cls, names: tuple[str, ...], phases: dict[Phase, PhaseComparison]) -> RunCurves:
        """Make the curves of runs that were compared."""
        panels = []
        for phase in PHASES:
            curves: list[Curve | None] = [
                cdf(samples) if samples.size else None for samples in phases[phase].samples
            ]
            panels.append(Panel(TITLES[phase], tuple(curves)))
        return cls(names, tuple(panels))


class CdfPicture(QWidget):
    """Shows `RunCurves`; can be exported with a legend and its numbers."""

    export_name = "runs"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.curves = RunCurves((), ())
        self.is_logarithmic = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Distribution of map, shuffle and reduce durations of each run")

    def show_curves(self, curves: RunCurves) -> None:
        """Show these runs."""
        self.curves = curves
        self.update()

    def set_logarithmic(self, logarithmic: bool) -> None:
        """Let the seconds grow by factors, or evenly."""
        self.is_logarithmic = logarithmic
        self.update()

    def sizeHint(self) -> QSize:
        """Prefer panels that are wider than high."""
        return QSize(1100, 320)

    def minimumSizeHint(self) -> QSize:
        """Leave room for axes."""
        return QSize(600, 180)

    def areas(self, whole: QRectF) -> list[QRectF]:
        """Return where each panel lies."""
        count = max(len(self.curves.panels), 1)
        width = (whole.width() - (count - 1) * GAP_PX) / count
        return [
            QRectF(whole.left() + i * (width + GAP_PX), whole.top(), width, whole.height())
            for i in range(len(self.curves.panels))
        ]

    # Reading

    def text_at(self, position: QPointF) -> str:
        """Say what the curves are at a pixel: the fraction of tasks that took at most so long."""
        for panel, area in zip(self.curves.panels, self.areas(QRectF(self.rect())), strict=True):
            places = panel_places(panel, area, self.font(), self.is_logarithmic)
            if places.field.contains(position):
                seconds = places.seconds(position.x())
                lines = [f"{panel.title} of at most {duration_text(seconds)}:"]
                lines += [
                    f"{_fraction(curve, seconds):.0%} of {name}"
                    for name, curve in zip(self.curves.names, panel.curves, strict=True)
                    if curve is not None
                ]
                return "\n".join(lines)
        return ""

    def event(self, event: QEvent) -> bool:
        """Tell the fractions under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tooltip(self.text_at(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the panels."""
        with QPainter(self) as painter:
            self._paint(painter, QRectF(self.rect()))

    def _paint(self, painter: QPainter, whole: QRectF) -> None:
        for panel, area in zip(self.curves.panels, self.areas(whole), strict=True):
            places = panel_places(panel, area, self.font(), self.is_logarithmic)
            paint_panel(painter, panel, places, theme_of(self))

    # Exporting

    @property
    def background(self) -> QColor:
        """What is behind the picture."""
        return theme_of(self).plot

    def export_size(self) -> QSize:
        """Return the size on the screen and a line of legend for each run."""
        return QSize(self.width() + 16, self.height() + LEGEND_LINE_PX * len(self.curves.names) + 24)

    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        """Draw the panels, and the legend below them."""
        from explorer.trace_database.run_colours import run_pen

        painter.setFont(self.font())
        colours = theme_of(self)
        legend = LEGEND_LINE_PX * len(self.curves.names)
        self._paint(painter, area.adjusted(8, 8, -8, -legend - 16))
        for i, name in enumerate(self.curves.names):
            y = area.bottom() - legend - 4 + (i + 0.5) * LEGEND_LINE_PX
            painter.setPen(run_pen(i, colours))
            painter.drawLine(QPointF(area.left() + 16, y), QPointF(area.left() + 50, y))
            painter.setPen(colours.text)
            box = QRectF(area.left() + 58, y - 9, area.width() - 66, LEGEND_LINE_PX)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, name)

    def table(self) -> ChartTable:
        """Return every step of every curve."""
        rows = [
            (panel.title.lower(), name, float(seconds), float(fraction))
            for panel in self.curves.panels
            for name, curve in zip(self.curves.names, panel.curves, strict=True)
            if curve is not None
            for seconds, fraction in zip(*curve, strict=True)
        ]
        return ChartTable(("phase", "run", "seconds", "fraction of tasks at most as long"), tuple(rows))


def _fraction(curve: Curve, seconds: float) -> float:
    values, fractions = curve
    place = int(np.searchsorted(values, seconds, side="right"))
    return float(fractions[place - 1]) if place else 0.0
