"""The legend of a window's charts: which colour is which job, and what tones, hatches and lines mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.gantt.geometry.chart_frame import ChartFonts
from explorer.gantt.layers.paint_legend import MOST_JOBS, LegendContent, paint_legend
from explorer.gantt.raster.palette import PaletteMode

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from explorer.widgets.theme import Theme

LEGEND_HEIGHT = 30


class Legend(QWidget):
    """One line that explains the charts.

    Signals:
        job_clicked: index of the job whose entry was clicked
    """

    job_clicked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._names: tuple[str, ...] = ()
        self._has_deadlines = self._lends = self._holds = self._pulls = self._shares = False
        self._looks: frozenset[str] = frozenset()
        self._positions: NDArray[np.int64] | None = None
        self._mode, self._selected = PaletteMode.AUTO, -1
        self._entries: list[tuple[QRectF, int]] = []
        self._refresh()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(LEGEND_HEIGHT)
        self.setAccessibleName("Legend")

    def set_jobs(
        self,
        names: Sequence[str],
        positions: NDArray[np.int64] | None = None,
        *,
        has_deadlines: bool = False,
        lends: bool = False,
        holds: bool = False,
        pulls: bool = False,
        shares: bool = False,
        looks: Collection[str] = (),
    ) -> None:
        """List these jobs, coloured and ordered by their places in the baseline's queue."""
        self._names, self._positions = tuple(names), positions
        self._has_deadlines, self._lends, self._holds, self._pulls = has_deadlines, lends, holds, pulls
        self._shares = shares
        self._looks = frozenset(looks)
        self._selected = self._selected if self._selected < len(self._names) else -1
        self._refresh()

    def set_theme(self, theme: Theme) -> None:
        """Paint in other colours."""
        self._theme = theme
        self._refresh()

    def set_palette_mode(self, mode: PaletteMode) -> None:
        """Colour more than seven jobs in another way."""
        self._mode = PaletteMode(mode)
        self._refresh()

    def set_selected_job(self, job: int) -> None:
        """Let one job stand out; -1 for none."""
        self._selected = job if job < len(self._names) else -1
        self._refresh()

    def entry_rect(self, job: int) -> QRectF:
        """Return where a job was last listed; empty if it was not."""
        return next((rect for rect, listed in self._entries if listed == job), QRectF())

    def sizeHint(self) -> QSize:
        """Prefer a wide line."""
        return QSize(900, LEGEND_HEIGHT)

    def _refresh(self) -> None:
        self._content = LegendContent.of(
            self._names,
            self._theme,
            self._positions,
            self._mode,
            self._selected,
            has_deadlines=self._has_deadlines,
            lends=self._lends,
            holds=self._holds,
            pulls=self._pulls,
            shares=self._shares,
            looks=self._looks,
        )
        listed = ", ".join(self._names[job] for job in self._content.order[:MOST_JOBS])
        signs = ", ".join(sign.text for sign in self._content.signs)
        self.setAccessibleDescription(f"{len(self._names)} jobs: {listed}. Signs: {signs}.")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the legend."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.window)
        area = QRectF(self.rect()).adjusted(12, 0, -14, 0)
        self._entries = paint_legend(painter, area, self._theme, ChartFonts(self.font()), self._content)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the job whose entry was clicked."""
        for rect, job in self._entries:
            if rect.contains(event.position()):
                self.job_clicked.emit(job)
                return
