"""What all plots over the shared time axis have in common: a legend above, and figures from a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from explorer.plots.plot import PlotPage, TimePlot
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent, QShowEvent

    from explorer.document.time_axis import TimeAxis
    from explorer.plots.step_curve import Outline, StepCurve
    from explorer.widgets.theme import Theme

LEAST_PIXELS = 50


class TimeChart(PlotPage):
    """Plots below one another over the shared time axis, each with the label of its own axis.

    A subclass starts calculations in `refresh`, takes what they found in `_on_calculated`, and draws it in
    `draw_curves`; where that says False, `nothing` is shown instead of the plots.
    """

    def __init__(
        self,
        axis: TimeAxis,
        colours: Theme,
        labels: Sequence[str],
        nothing: str,
    ) -> None:
        super().__init__(nothing, colours)
        self._axis = axis
        self._calculation = Worker(self)
        self._calculation.finished.connect(self._on_calculated)
        self._redraw = QTimer(self)
        self._redraw.setSingleShot(True)
        self._redraw.setInterval(0)
        self._redraw.timeout.connect(self.draw)
        self.plots = tuple(TimePlot(axis, colours) for _ in labels)
        self.legend = PlainLabel()
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.nothing.setMargin(24)
        self._lay_out(labels)
        axis.range_changed.connect(self._schedule_redraw)
        axis.cursor_changed.connect(self._show_legend)

    def _lay_out(self, labels: Sequence[str]) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 4, 4)
        layout.setSpacing(2)
        layout.addWidget(self.legend)
        parts: tuple[QWidget, ...] = (*self.plots, self.nothing)
        for part in parts:
            layout.addWidget(part, 1)
        for plot, label in zip(self.plots, labels, strict=True):
            plot.setLabel("left", label)
            plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for plot in self.plots[:-1]:
            plot.getAxis("bottom").setStyle(showValues=False)

    # Calculating, in a worker

    @property
    def is_busy(self) -> bool:
        """Whether something is still being calculated."""
        return self._calculation.is_busy

    def refresh(self) -> None:
        """Have calculated what is missing."""
        raise NotImplementedError

    def _on_calculated(self, found: Any) -> None:  # what the subclass had calculated
        raise NotImplementedError

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    # Drawing

    def _schedule_redraw(self) -> None:
        if self.isVisible():
            self._redraw.start()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._redraw.start()

    def draw(self) -> None:
        """Draw what is visible of all curves."""
        self._redraw.stop()
        if not self.isVisible():
            return
        has_curves = self.draw_curves()
        parts: tuple[QWidget, ...] = (self.legend, *self.plots)
        for part in parts:
            part.setVisible(has_curves)
        self.nothing.setVisible(not has_curves)
        if has_curves:
            self._show_legend()

    def draw_curves(self) -> bool:
        """Draw the curves; False if there are none yet."""
        raise NotImplementedError

    def _show_legend(self) -> None:
        raise NotImplementedError

    def _outline(self, curve: StepCurve, begin: float, end: float) -> Outline:
        """Return the part of a curve from begin to end (seconds), reduced to the pixels of a plot."""
        return curve.outline(begin, end, max(int(self.plots[0].getViewBox().width()), LEAST_PIXELS))
