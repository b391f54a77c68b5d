"""The picture of a search as a part of the window: point at a trial to read it, click or Enter to take it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.pool_search.search_painter import paint_search, search_places
from explorer.widgets.chart_table import ChartTable

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent

    from core.planning.balanced_pools import Trial
    from explorer.pool_search.search_map import SearchMap
    from explorer.widgets.theme import Theme

STEPS = {
    Qt.Key.Key_Left: ("beside", -1),
    Qt.Key.Key_Right: ("beside", 1),
    Qt.Key.Key_Up: ("above", -1),
    Qt.Key.Key_Down: ("above", 1),
}


class SearchPicture(QWidget):
    """Shows a `SearchMap`.

    Signals
    -------
    pointed : the Trial that is looked at, or None
    chosen : the Trial that people take
    """

    pointed = Signal(object)
    chosen = Signal(object)

    def __init__(self, shown: SearchMap, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.map, self._theme = shown, theme
        self.current: Trial | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Makespan by split and size of the pools")

    def set_map(self, shown: SearchMap) -> None:
        """Show what has been tried by now."""
        self.map = shown
        if self.current is not None and self.current not in shown.tried:
            self._look_at(None)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Paint in other colours."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Prefer room for a row per job."""
        return QSize(760, 460)

    def minimumSizeHint(self) -> QSize:
        """Leave room for both parts and their labels."""
        return QSize(420, 220)

    def trial_at(self, position: QPointF) -> Trial | None:
        """Return the trial that stands for a pixel."""
        places = search_places(self._area(), self.map, self.font())
        if not places.field.contains(position):
            return None
        return self.map.nearest(places.split_at(position.y()), places.size_at(position.x()))

    def place_of(self, trial: Trial) -> QPointF:
        """Return the pixel of a trial."""
        places = search_places(self._area(), self.map, self.font())
        return QPointF(places.x(trial.size), places.y(trial.split))

    def _area(self) -> QRectF:
        return QRectF(self.rect())

    def _look_at(self, trial: Trial | None) -> None:
        if trial != self.current:
            self.current = trial
            self.pointed.emit(trial)
            self.update()

    # ---- events

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Look at the trial under the pointer."""
        self._look_at(self.trial_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take the trial under the pointer."""
        trial = self.trial_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and trial is not None:
            self.chosen.emit(trial)

    def leaveEvent(self, event: QEvent) -> None:
        """Look at nothing, unless keys do."""
        if not self.hasFocus():
            self._look_at(None)
        QToolTip.hideText()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from trial to trial with arrows, take one with Enter."""
        key = Qt.Key(event.key())
        if key in STEPS and self.map.rows:
            method, step = STEPS[key]
            start = self.current or self.map.best or next(iter(self.map.rows.values()))[0]
            self._look_at(getattr(self.map, method)(start, step) if self.current else start)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current is not None:
            self.chosen.emit(self.current)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the ring of focus."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the ring of focus."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the picture."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.window)
            paint_search(painter, self._area(), self.map, self._theme, self.current)
            if self.hasFocus():
                painter.setPen(QPen(self._theme.accent, 1.2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    # ---- taken elsewhere

    @property
    def export_name(self) -> str:
        """A name for files."""
        return "balanced pools"

    @property
    def background(self) -> QColor:
        """What is behind the picture."""
        return self._theme.window

    def export_size(self) -> QSize:
        """The size of the picture."""
        return self.size()

    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        """Draw it without what people point at."""
        painter.setFont(self.font())
        paint_search(painter, area, self.map, self._theme)

    def table(self) -> ChartTable:
        """Every trial, the single pool first."""
        header = ("small jobs", "slots", "end of small jobs (s)", "end of large jobs (s)", "makespan (s)")
        rows = tuple((t.split, t.size, t.small, t.large, t.makespan) for t in sorted(self.map.tried))
        return ChartTable(header, rows)
