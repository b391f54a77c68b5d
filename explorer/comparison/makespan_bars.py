"""The makespans of all scenarios as bars; a click makes a scenario the active one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from core.model.time_text import duration_text
from explorer.comparison.makespan_picture import bar_places, bar_text, paint_bars
from explorer.widgets.chart_table import ChartTable
from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from explorer.comparison.results import Result, Results
    from explorer.document.view_state import ViewState
    from explorer.widgets.theme import Theme

EMPTY = "The makespans appear here as soon as a scenario has been simulated."
HEADER = (
    "scenario",
    "makespan (s)",
    "change",
    "lower bound (s)",
    "gap",
    "estimated Min (s)",
    "estimated Max (s)",
)


class MakespanBars(QWidget):
    """One bar per scenario."""

    export_name = "makespans"

    def __init__(
        self, results: Results, view_state: ViewState, colours: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._results = results
        self._view_state = view_state
        self._colours = colours
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(90)
        results.changed.connect(self._on_changed)
        self._on_changed()

    def sizeHint(self) -> QSize:
        """Ask for comfortable rows."""
        return QSize(700, 64 + 34 * max(len(self._results.rows), 2))

    def set_theme(self, colours: Theme) -> None:
        """Draw with other colours."""
        self._colours = colours
        self.update()

    def _on_changed(self) -> None:
        texts = [f"{row.title}: {bar_text(row)}" for row in self._results.rows]
        self.setAccessibleName("Makespans. " + "; ".join(texts) if texts else EMPTY)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars, or say why there are none."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._colours.plot)
            if self._results.rows:
                paint_bars(painter, QRectF(self.rect()), self._results.rows, self._colours)
            else:
                painter.setPen(self._colours.faint)
                flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
                painter.drawText(self.rect(), flags, EMPTY)

    def _row_at(self, y: float) -> Result | None:
        rows = self._results.rows
        if not rows:
            return None
        place = bar_places(QRectF(self.rect()), rows, self.font()).row_at(y)
        return rows[place] if 0 <= place < len(rows) else None

    # What people do

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Make the scenario of this bar the active one."""
        row = self._row_at(event.position().y())
        if row is not None:
            self._view_state.activate_scenario(row.scenario_id)
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk among the bars with the arrow keys."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        ids = [row.scenario_id for row in self._results.rows]
        if step is None or self._view_state.active_scenario not in ids:
            super().keyPressEvent(event)
            return
        place = ids.index(self._view_state.active_scenario) + step
        if 0 <= place < len(ids):
            self._view_state.activate_scenario(ids[place])

    def event(self, event: QEvent) -> bool:
        """Say all about the bar under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self._row_at(event.pos().y())
            QToolTip.showText(event.globalPos(), tooltip(_sentence(row)) if row else "", self)
            return True
        return super().event(event)

    # Export

    @property
    def background(self) -> QColor:
        """What is behind the bars."""
        return self._colours.plot

    def export_size(self) -> QSize:
        """Return the size on the screen."""
        return self.size()

    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        """Draw the bars into an area."""
        painter.setFont(self.font())
        if self._results.rows:
            paint_bars(painter, area, self._results.rows, self._colours)

    def table(self) -> ChartTable:
        """Return the numbers behind the bars."""
        return ChartTable(HEADER, tuple(_numbers(row) for row in self._results.rows))


def _numbers(row: Result) -> tuple[str | float | None, ...]:
    low, high = row.estimates if row.estimates is not None else (None, None)
    metrics = row.metrics
    return (row.title, metrics.makespan, row.change, metrics.lower_bound, metrics.gap, low, high)


def _sentence(row: Result) -> str:
    lines = [row.title, bar_text(row), f"lower bound {duration_text(row.metrics.lower_bound)}"]
    if row.estimates is not None:
        low, high = row.estimates
        lines.append(f"estimated: Min {duration_text(low)}, Max {duration_text(high)}")
    return "\n".join(lines)
