"""What plots over the shared time axis have in common: figures of schedules from a worker, and a legend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from typing_extensions import override

from core.files.html_text import escape
from core.model.time_text import clock_text
from explorer.plots.plot import PlotPage, TimePlot
from explorer.widgets.layouts import column
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QColor, QResizeEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from core.model.schedule import Schedule
    from explorer.comparison.results import Result, Results
    from explorer.document.time_axis import TimeAxis
    from explorer.plots.step_curve import Outline, StepCurve
    from explorer.widgets.theme import Theme

MIN_PIXELS = 50


class TimeChart(PlotPage):
    """Plots below one another over the shared time axis, each with the label of its own axis.

    A subclass says in `wanted` which results it draws, in `figures_of` what is calculated of a schedule (in a
    worker, and kept while it is wanted), and draws that in `draw_curves`; where that says False, `nothing` is
    shown instead of the plots. What `legend_entries` returns is said above them.
    """

    def __init__(
        self,
        results: Results,
        axis: TimeAxis,
        colours: Theme,
        labels: Sequence[str],
        nothing: str,
        *,
        axis_width: int,
    ) -> None:
        super().__init__(nothing, colours)
        self._results, self._axis = results, axis
        self._known: list[tuple[Schedule, Any]] = []  # what `figures_of` returns
        self._calculation = Worker(self, finished=self._on_calculated)
        self._redraw = QTimer(self, singleShot=True, interval=0)
        self._redraw.timeout.connect(self.draw)
        self.plots = tuple(TimePlot(axis, colours) for _ in labels)
        self.legend = PlainLabel()
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.legend.setWordWrap(True)
        self.nothing.setMargin(24)
        plots: list[tuple[QWidget, int]] = [(plot, 1) for plot in self.plots]
        column(self.legend, *plots, (self.nothing, 1), parent=self, margins=(8, 4, 4, 4), spacing=2)
        for plot, label in zip(self.plots, labels, strict=True):
            plot.setLabel("left", label)
            plot.getAxis("left").setWidth(axis_width)
            plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for plot in self.plots[:-1]:
            plot.getAxis("bottom").setStyle(showValues=False)
        results.changed.connect(self.refresh)
        axis.range_changed.connect(self._schedule_redraw)
        axis.cursor_changed.connect(self._show_legend)

    # Calculating, in a worker

    def wanted(self) -> list[Result]:
        """Return the results that are drawn, as far as they are there."""
        raise NotImplementedError

    @staticmethod
    def figures_of(schedule: Schedule) -> Any:
        """Calculate what is drawn of a schedule; runs in a worker."""
        raise NotImplementedError

    def figures(self, row: Result | None) -> Any:
        """Return what `figures_of` found of a result; None as long as it is not known."""
        return next((found for schedule, found in self._known if row and schedule is row.schedule), None)

    def refresh(self) -> None:
        """Have calculated what is missing."""
        wanted = [row.schedule for row in self.wanted()]
        self._known = [one for one in self._known if any(one[0] is schedule for schedule in wanted)]
        missing = [one for one in wanted if not any(one is schedule for schedule, _ in self._known)]
        if not missing:
            self._calculation.cancel()
        elif self.isVisible():
            self._calculation.start(lambda: [(schedule, self.figures_of(schedule)) for schedule in missing])
        self.draw()

    def _on_calculated(self, found: list[tuple[Schedule, Any]]) -> None:
        self._known += found
        self.refresh()

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
        self._show_legend()

    def draw_curves(self) -> bool:
        """Draw the curves; False if there are none yet."""
        raise NotImplementedError

    def legend_entries(self, figures: Any, at: float | None) -> list[str]:
        """Return what the legend explains of the active result's figures, with the numbers at a time."""
        raise NotImplementedError

    def _show_legend(self) -> None:
        active, at = self._results.active, self._axis.cursor
        figures = self.figures(active)
        if active is not None and figures is not None:
            when = [] if at is None else [f"at {clock_text(at)}"]
            entries = (f"<b>{escape(active.title)}</b>", *self.legend_entries(figures, at), *when)
            self.legend.setText("&nbsp;&nbsp; ".join(entries))

    @property
    def active_title(self) -> str:
        """The active scenario's title; empty without a result of it."""
        return self._results.active.title if self._results.active is not None else ""

    def _outline(self, curve: StepCurve, begin: float, end: float) -> Outline:
        """Return the part of a curve from begin to end (seconds), reduced to the pixels of a plot."""
        return curve.outline(begin, end, max(int(self.plots[0].getViewBox().width()), MIN_PIXELS))


def coloured(colour: QColor, sign: str, text: str) -> str:
    """Return an entry of a legend."""
    return f'<span style="color:{colour.name()}">{sign}</span>&nbsp;{text}'
