"""Per job, how much earlier or later it is done than in the baseline; a click selects the job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QHelpEvent
from PySide6.QtWidgets import QToolTip
from typing_extensions import override

from core.model.time_text import DAY, HOUR, MINUS, MINUTE, signed_duration
from core.model.visible_text import short_names, visible
from explorer.comparison.completion_bars import CompletionBars, completion_bars
from explorer.plots.plot import LaterTicks, Plot, PlotPage, pen
from explorer.widgets.export import ChartTable
from explorer.widgets.layouts import column
from explorer.widgets.plain_labels import ElidedLabel, tooltip

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QShowEvent

    from explorer.comparison.results import Results
    from explorer.document.view_state import ViewState
    from explorer.widgets.theme import Theme

MAX_LABELS = 24
"""Jobs have their names below the bars up to this many."""
GAP_PX = 4.0
"""Around a value on a bar."""
LEAST_ROOM, MAX_TEXT_SHARE = 0.06, 0.45
"""Parts of the height: above and below the bars at least, and of values at one side at most."""

NOTHING = "Another scenario is needed to compare with the baseline: add one, or wait for its simulation."


class CompletionChart(PlotPage):
    """Sorted bars, down for jobs that are done earlier, up for those that are done later."""

    export_name = "completion"

    def __init__(self, results: Results, view_state: ViewState, colours: Theme) -> None:
        super().__init__(NOTHING, colours)
        self._results = results
        self._view_state = view_state
        self.bars: CompletionBars | None = None
        self.heading = ElidedLabel()
        self.plot = _BarPlot(self, colours)
        self.plots = (self.plot,)
        column(self.heading, (self.plot, 1), (self.nothing, 1), parent=self, margins=(8, 4, 4, 4))
        results.changed.connect(lambda: self.refresh() if self.isVisible() else None)
        view_state.selected_job_changed.connect(self._show_selection)
        self.refresh()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the comparison as it is now."""
        compared, baseline = self._results.compared, self._results.baseline
        self.bars = None
        if compared is not None and baseline is not None:
            self.bars = completion_bars(compared.schedule, baseline.schedule)
            texts = f"{compared.title} against {baseline.title}: {self.bars.summary()}"
            self.heading.setText(texts)
            self.plot.setAccessibleName(f"When jobs are done. {texts}")
        for part in (self.heading, self.plot):
            part.setVisible(self.bars is not None)
        self.nothing.setVisible(self.bars is None)
        self.draw()

    @override
    def draw(self) -> None:
        if self.bars is not None:
            self.plot.draw_bars(self.bars)
            self._show_selection()

    def _show_selection(self) -> None:
        if self.bars is not None:
            self.plot.mark(self.bars.bar_of(self._view_state.selected_job))

    # Mouse and keys

    def choose_bar(self, bar: int) -> None:
        """Select the job of a bar; of several, the next one with every click."""
        if self.bars is None or not 0 <= bar < self.bars.count:
            return
        jobs, selected = self.bars.jobs_of(bar), self._view_state.selected_job
        following = jobs.index(selected) + 1 if selected in jobs else 0
        self._view_state.select_job(jobs[following % len(jobs)])

    def step(self, bars: int) -> None:
        """Go to a neighbour of the selected job's bar."""
        if self.bars is not None:
            here = self.bars.bar_of(self._view_state.selected_job)
            self.choose_bar(here + bars if here >= 0 else 0)

    def text_of(self, bar: int) -> str:
        """Return what a bar stands for; nothing outside of the bars."""
        return self.bars.text(bar) if self.bars is not None and 0 <= bar < self.bars.count else ""

    # Export

    @override
    def export_heading(self) -> str:
        return self.heading.text()

    @override
    def table(self) -> ChartTable:
        return self.bars.table() if self.bars is not None else ChartTable(("job",), ())


class _BarPlot(Plot):
    """The bars themselves."""

    def __init__(self, chart: CompletionChart, colours: Theme) -> None:
        self._chart = chart
        self._items: list[Any] = []
        self._values: list[pyqtgraph.TextItem] = []
        self._mark = pyqtgraph.BarGraphItem(x=[0], height=[0], width=0.9)
        super().__init__(colours, axisItems={"left": LaterTicks(orientation="left")})
        self.addItem(self._mark)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.getAxis("left").setWidth(72)
        self.getViewBox().sigResized.connect(lambda _box: self._on_resized())

    def draw_bars(self, bars: CompletionBars) -> None:
        """Draw earlier and later ones in their colours; bars of no height keep a thin line."""
        for item in self._items:
            self.removeItem(item)
        # as the charts of slots mark what is late
        barred = QBrush(self.colours.text, Qt.BrushStyle.VerPattern)
        kinds = (
            (np.flatnonzero(bars.heights < 0), self.colours.better),
            (np.flatnonzero(bars.heights > 0), self.colours.worse),
            (bars.late_bars(), barred),
        )
        self._items = [
            pyqtgraph.BarGraphItem(x=x, height=bars.heights[x], width=0.8, brush=brush, pen=None)
            for x, brush in kinds
        ]
        self._items.append(pyqtgraph.InfiniteLine(0, angle=0, pen=pen(self.colours.second_text)))
        for item in self._items:
            self.addItem(item)
        self._fit(bars)

    def _fit(self, bars: CompletionBars) -> None:
        """Write values on the bars and names below them as there is room, and show all of it."""
        self._label(bars)
        self._show_all(bars, self._write_values(bars))

    def _write_values(self, bars: CompletionBars) -> float:
        """Write on each bar what it stands for, upright where bars are thin; return how high that is, in px.

        Where not all of them have room, the bars' tooltips say it.
        """
        for value in self._values:
            self.removeItem(value)
        self._values = []
        fitting = self._fitting_texts(bars)
        if fitting is None:
            return 0.0
        texts, lies, needed = fitting
        for place, text in enumerate(texts):
            height = float(bars.heights[place])
            beyond = float(height < 0)
            value = pyqtgraph.TextItem(
                text,
                color=self.colours.text,
                anchor=(0.5, 1.0 - beyond) if lies else (beyond, 0.5),
                angle=0 if lies else 90,
            )
            value.setFont(self.font())
            value.textItem.document().setDocumentMargin(1)
            value.updateTextPos()
            value.setPos(place, height)
            self._values.append(value)
            self.addItem(value, ignoreBounds=True)
        return needed

    def _fitting_texts(self, bars: CompletionBars) -> tuple[list[str], bool, float] | None:
        """Return what is written on bars, whether it lies, and how high it is, in px; None for nothing."""
        metrics, room = QFontMetricsF(self.font()), self.getViewBox()
        step = room.width() / max(bars.count, 1)
        heights: list[float] = bars.heights.tolist()
        for texts in ([*map(signed_duration, heights)], [*map(coarse_change, heights)]):
            widest = max(map(metrics.horizontalAdvance, texts), default=0.0)
            lies = step >= widest + GAP_PX
            needed = 2 * GAP_PX + (metrics.height() if lies else widest + GAP_PX)
            if step >= metrics.height() and needed <= room.height() * MAX_TEXT_SHARE:
                return texts, lies, needed
        return None

    def _show_all(self, bars: CompletionBars, text_px: float) -> None:
        low, high = min(bars.heights.min(initial=0.0), 0.0), max(bars.heights.max(initial=0.0), 0.0)
        share = max(text_px / max(self.getViewBox().height(), 1.0), LEAST_ROOM)
        below, above = (share if has_bars else LEAST_ROOM for has_bars in (low < 0, high > 0))
        whole = (high - low) / (1 - below - above) or 1.0
        self.setXRange(-0.7, bars.count - 0.3, padding=0)
        self.setYRange(low - below * whole, high + above * whole, padding=0)

    def _label(self, bars: CompletionBars) -> None:
        axis = self.getAxis("bottom")
        axis.setStyle(tickLength=0)
        if len(bars.names) <= MAX_LABELS:
            room = max(int(self.width() / max(bars.count, 1) / 8), 3)
            names = short_names(tuple(map(visible, bars.names)))
            short = (name if len(name) <= room else name[: room - 1] + "…" for name in names)
            axis.setTicks([list(enumerate(short))])
            axis.setLabel(None)
        else:
            axis.setTicks([[]])
            shared = f", {len(bars.names)} jobs in {bars.count} bars" if bars.is_gathered else ""
            axis.setLabel(
                f"jobs, from most earlier to most later{shared}", color=self.colours.second_text.name()
            )

    def mark(self, bar: int) -> None:
        """Frame the bar of the selected job over the whole height."""
        self._mark.setVisible(bar >= 0)
        if bar < 0:
            return
        low, high = self.viewRange()[1]
        shade = QColor(self.colours.selection)
        shade.setAlpha(60)
        self._mark.setOpts(x=[bar], y0=[low], height=[high - low], width=1.0, brush=shade, pen=None)

    def bar_at(self, place: Any) -> int:
        """Return the bar at a place in the widget."""
        return round(float(self.getViewBox().mapSceneToView(self.mapToScene(place)).x()))

    def _on_resized(self) -> None:
        if self._chart.bars is not None:
            self._fit(self._chart.bars)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._chart.choose_bar(self.bar_at(event.position().toPoint()))
        event.accept()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None:
            event.ignore()
        else:
            self._chart.step(step)

    @override
    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self._chart.text_of(self.bar_at(event.pos()))
            QToolTip.showText(event.globalPos(), tooltip(text), self)
            return True
        answer: bool = super().viewportEvent(event)
        return answer


def coarse_change(seconds: float) -> str:
    """Write a change in its largest unit alone, where there is little room: "−14 min", "+1.5 h", "−53 s"."""
    size, sign = abs(seconds), "+" if seconds > 0 else MINUS
    for unit, name, digits in ((DAY, "d", 1), (HOUR, "h", 1), (MINUTE, "min", 0)):
        if size >= unit:
            return f"{sign}{size / unit:.{digits}f} {name}"
    return signed_duration(seconds)
