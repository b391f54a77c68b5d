"""Per job and scenario, how much earlier or later it is done than in the baseline; a click selects it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph
from PySide6.QtCore import QEvent, QRectF, Qt, QTimer
from PySide6.QtGui import QBrush, QFontMetricsF, QHelpEvent
from PySide6.QtWidgets import QGridLayout, QScrollArea, QToolTip, QWidget
from typing_extensions import override

from core.model.time_text import DAY, HOUR, MINUS, MINUTE, signed_duration
from core.model.visible_text import short_names
from explorer.comparison.completion_bars import NO_BARS, CompletionBars, completion_bars
from explorer.plots.plot import LaterTicks, Plot, PlotPage, fill_behind, pen
from explorer.widgets.export import ChartTable
from explorer.widgets.layouts import NO_MARGINS, column
from explorer.widgets.plain_labels import ElidedLabel, tooltip
from explorer.widgets.theme import translucent

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent, QShowEvent

    from explorer.comparison.results import Result, Results
    from explorer.document.view_state import ViewState
    from explorer.widgets.theme import Theme

MAX_LABELS = 24
"""Jobs have their names below the bars up to this many."""
MIN_HEIGHT_PX = 96
"""Of the bars of one scenario with their heading."""
GAP_PX = 4.0
"""Around a value on a bar."""
MIN_ROOM, MAX_TEXT_SHARE = 0.06, 0.45
"""Parts of the height: above and below the bars at least, and of values at one side at most."""

NOTHING = "Another scenario is needed to compare with the baseline: add one, or wait for its simulation."


class CompletionChart(PlotPage):
    """Sorted bars for each scenario beside the baseline: down for jobs that are done earlier, up for later.

    Attributes
    ----------
    panels : one for each scenario that is compared
    """

    export_name = "completion"

    def __init__(self, results: Results, view_state: ViewState, colours: Theme) -> None:
        super().__init__(NOTHING, colours)
        self._results = results
        self._view_state = view_state
        self.panels: list[CompletionPanel] = []
        self.plots: tuple[Plot, ...] = ()
        self._resized = QTimer(self, singleShot=True, interval=0)
        self._resized.timeout.connect(self._fit)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(2)
        inside = QWidget()
        inside.setLayout(self._grid)
        self.area = QScrollArea(widgetResizable=True)
        self.area.setWidget(inside)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        column((self.area, 1), (self.nothing, 1), parent=self, margins=(8, 4, 4, 4))
        results.changed.connect(lambda: self.refresh() if self.isVisible() else None)
        view_state.selected_job_changed.connect(self._show_selection)
        self.refresh()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the comparison as it is now."""
        baseline = self._results.baseline
        compared = [] if baseline is None else [row for row in self._results.rows if not row.is_baseline]
        while len(self.panels) > len(compared):
            self.panels.pop().deleteLater()
        while len(self.panels) < len(compared):
            self.panels.append(CompletionPanel(self._view_state, self._colours))
            self.panels[-1].plot.getViewBox().sigResized.connect(lambda _box: self._resized.start())
        self.plots = tuple(panel.plot for panel in self.panels)
        for panel, row in zip(self.panels, compared, strict=True):
            assert baseline is not None
            panel.compare(row, baseline, is_alone=len(compared) == 1)
        reach = [height for panel in self.panels for height in panel.bars.heights.tolist()]
        for panel in self.panels:
            panel.plot.reach = min(reach, default=0.0), max(reach, default=0.0)
        self._arrange()
        self.area.setVisible(bool(self.panels))
        self.nothing.setVisible(not self.panels)
        self.draw()

    def _arrange(self) -> None:
        """Place the panels so that they are as large as they can be; they scroll where they would be low."""
        room, count = self.area.viewport().size(), len(self.panels)
        columns = columns_for(count, room.width(), room.height())
        for place, panel in enumerate(self.panels):
            self._grid.addWidget(panel, place // columns, place % columns)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @override
    def set_theme(self, colours: Theme) -> None:
        super().set_theme(colours)
        for panel in self.panels:
            fill_behind(panel, colours)

    @override
    def draw(self) -> None:
        for panel in self.panels:
            panel.plot.draw_bars(panel.bars)
        self._fit()

    def _fit(self) -> None:
        """Write what there is room for, and show all bars on the one scale that has room for the texts."""
        shares = [panel.plot.write(panel.bars) for panel in self.panels]
        for panel in self.panels:
            panel.plot.show_all(panel.bars, max(shares))
        self._show_selection()

    def _show_selection(self) -> None:
        for panel in self.panels:
            panel.plot.mark(panel.bars.bar_of(self._view_state.selected_job))

    # Export

    @override
    def export_heading(self) -> str:
        return "" if self._results.baseline is None else f"Against {self._results.baseline.title}"

    @override
    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        """Draw the panels below one another, each under its heading."""
        painter.setFont(self.font())
        line, height = self.fontMetrics().height() + 8, area.height() / max(len(self.panels), 1)
        for place, panel in enumerate(self.panels):
            part = QRectF(area.left(), area.top() + place * height, area.width(), height)
            painter.setPen(self._colours.text)
            painter.drawText(part.adjusted(8, 4, -8, 0), Qt.AlignmentFlag.AlignLeft, panel.sentence)
            panel.plot.paint_into(painter, part.adjusted(0, line, 0, 0))

    @override
    def table(self) -> ChartTable:
        rows = [(panel.title, *row) for panel in self.panels for row in panel.bars.table().rows]
        return ChartTable(
            ("scenario", *(self.panels[0].bars.table().header if self.panels else ())), tuple(rows)
        )


def columns_for(count: int, width: int, height: int) -> int:
    """Return in how many columns so many panels are largest in an area, each about twice as wide as high."""

    def size(columns: int) -> float:
        return min(width / columns / 2, height / max(math.ceil(count / columns), 1))

    return max(range(1, max(count, 1) + 1), key=size)


class CompletionPanel(QWidget):
    """One scenario against the baseline.

    Attributes
    ----------
    bars : what is drawn
    title, sentence : of the scenario, and what is compared in words
    """

    def __init__(self, view_state: ViewState, colours: Theme) -> None:
        super().__init__(minimumHeight=MIN_HEIGHT_PX)
        self._view_state = view_state
        self.bars = NO_BARS
        self.title = self.sentence = ""
        self.heading = ElidedLabel()
        self.plot = _BarPlot(self, colours)
        fill_behind(self, colours)
        column(self.heading, (self.plot, 1), parent=self, margins=NO_MARGINS)

    def compare(self, row: Result, baseline: Result, *, is_alone: bool) -> None:
        """Take what is to be drawn; the baseline is named where there is room for it."""
        self.bars = completion_bars(row.schedule, baseline.schedule)
        self.title, summary = row.title, self.bars.summary()
        self.sentence = f"{row.title} against {baseline.title}: {summary}"
        self.heading.setText(self.sentence if is_alone else f"{row.title}: {summary}")
        self.plot.setAccessibleName(f"When jobs are done. {self.sentence}")

    def choose_bar(self, bar: int) -> None:
        """Select the job of a bar; of several, the next one with every click."""
        if not 0 <= bar < self.bars.count:
            return
        jobs, selected = self.bars.jobs_of(bar), self._view_state.selected_job
        following = jobs.index(selected) + 1 if selected in jobs else 0
        self._view_state.select_job(jobs[following % len(jobs)])

    def step(self, bars: int) -> None:
        """Go to a neighbour of the selected job's bar."""
        here = self.bars.bar_of(self._view_state.selected_job)
        self.choose_bar(here + bars if here >= 0 else 0)

    def text_of(self, bar: int) -> str:
        """Return what a bar stands for; nothing outside of the bars."""
        return self.bars.text(bar) if 0 <= bar < self.bars.count else ""


class _BarPlot(Plot):
    """The bars themselves.

    Attributes
    ----------
    reach : the lowest and the highest bar of all panels, which have one scale
    """

    def __init__(self, chart: CompletionPanel, colours: Theme) -> None:
        self._chart = chart
        self.reach = 0.0, 0.0
        self._items: list[Any] = []
        self._values: list[pyqtgraph.TextItem] = []
        self._mark = pyqtgraph.BarGraphItem(x=[0], height=[0], width=0.9)
        super().__init__(colours, axisItems={"left": LaterTicks(orientation="left")})
        self.addItem(self._mark)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.getAxis("left").setWidth(72)

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

    def write(self, bars: CompletionBars) -> float:
        """Write values on the bars and names below them; return which part of the height values take."""
        self._label(bars)
        return max(self._write_values(bars) / max(float(self.getViewBox().height()), 1.0), MIN_ROOM)

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

    def show_all(self, bars: CompletionBars, share: float) -> None:
        """Show all bars, and such a part of the height beyond them."""
        low, high = min(self.reach[0], 0.0), max(self.reach[1], 0.0)
        below, above = (share if has_bars else MIN_ROOM for has_bars in (low < 0, high > 0))
        whole = (high - low) / (1 - below - above) or 1.0
        self.setXRange(-0.7, bars.count - 0.3, padding=0)
        self.setYRange(low - below * whole, high + above * whole, padding=0)

    def _label(self, bars: CompletionBars) -> None:
        axis = self.getAxis("bottom")
        axis.setStyle(tickLength=0)
        if len(bars.names) <= MAX_LABELS:
            room = max(int(self.width() / max(bars.count, 1) / 8), 3)
            names = short_names(tuple(bars.names))
            short = (name if len(name) <= room else name[: room - 1] + "…" for name in names)
            axis.setTicks([list(enumerate(short))])
            axis.setLabel(None)
        else:
            axis.setTicks([[]])
            shared = f", {len(bars.names)} jobs in {bars.count} bars" if bars.is_gathered else ""
            text = f"jobs, from most earlier to most later{shared}"
            has_room = QFontMetricsF(self.font()).horizontalAdvance(text) < axis.width()
            axis.setLabel(text if has_room else None, color=self.colours.second_text.name())

    def mark(self, bar: int) -> None:
        """Frame the bar of the selected job over the whole height."""
        self._mark.setVisible(bar >= 0)
        if bar < 0:
            return
        low, high = self.viewRange()[1]
        shade = translucent(self.colours.selection, 60)
        self._mark.setOpts(x=[bar], y0=[low], height=[high - low], width=1.0, brush=shade, pen=None)

    def bar_at(self, place: Any) -> int:
        """Return the bar at a place in the widget."""
        return round(float(self.getViewBox().mapSceneToView(self.mapToScene(place)).x()))

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
