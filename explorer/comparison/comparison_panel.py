"""All comparisons in tabs: makespans, metrics, ends of jobs, response times, use of slots, releases."""

from __future__ import annotations

import importlib
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from explorer.comparison.ends_table import EndsTable
from explorer.comparison.makespan_bars import MakespanBars
from explorer.comparison.metrics_table import MetricsTable
from explorer.comparison.results import Results
from explorer.widgets.export import ExportButton
from explorer.widgets.layouts import NO_MARGINS, column
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.tabs_or_list import TabsOrList
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from explorer.document.document import Document
    from explorer.document.time_axis import TimeAxis
    from explorer.document.view_state import ViewState
    from explorer.widgets.theme import Theme


TABS = (
    ("Makespan", "Makespans with their change, the lower bound and estimates"),
    ("Metrics", "All figures of all scenarios"),
    ("Ends", "When each job ends in each scenario, and how much earlier or later than in the baseline"),
    ("Jobs", "How much earlier or later each job is done than in the baseline, in each scenario"),
    ("Responses", "Which share of the jobs has ended so long after its arrival, in each scenario"),
    (
        "Slots in use",
        "Running tasks over time by stage, and how many of them still fetch what they need",
    ),
    ("Release rate", "How many containers are released per second, and what OMO predicted"),
)
FIRST_PLOT = 3
"""Place of the first tab that needs pyqtgraph."""
KEY_HELP: tuple[tuple[str, str, str], ...] = (
    ("Comparison", "Ctrl+Tab", "Go to the next comparison"),
    ("Comparison", "Up, Down", "Makespans and metrics: make another scenario the active one"),
    ("Comparison", "Click a heading", "Metrics and ends: sort by it, the other way, and not at all"),
    ("Comparison", "Left, Right", "Jobs: select the job of the next bar"),
    ("Comparison", "Wheel, drag, double click", "Slots in use: zoom, pan, show everything"),
)


class ComparisonPanel(QWidget):
    """Tabs with the comparisons; those that need pyqtgraph are made when they are first looked at.

    Signals
    -------
    written : a sentence on what was copied or exported
    refused : an export failed; the sentence to show
    """

    written = Signal(str)
    refused = Signal(str)

    def __init__(self, document: Document, view_state: ViewState, axis: TimeAxis, colours: Theme) -> None:
        super().__init__()
        self._view_state, self._axis, self._colours = view_state, axis, colours
        self.results = Results(document, view_state, self)
        # others may be busy for long
        self._importing = Worker(self, threads=1, finished=self._on_imported)
        self._is_imported = False
        self._make_tabs()
        column(self.titled, parent=self, margins=NO_MARGINS)
        self.results.changed.connect(self._choose_export)
        self._choose_export()

    def _make_tabs(self) -> None:
        self.export_button = ExportButton(self.written, self.refused)
        self.titled = TabsOrList("Comparison", beside=self.export_button)
        self.tabs = self.titled.tabs
        self.bars = MakespanBars(self.results, self._view_state, self._colours)
        self.metrics = MetricsTable(self.results, self._view_state, self._colours)
        self.ends = EndsTable(self.results, self._view_state, self._colours)
        self._waiting = [_waiting() for _ in TABS[FIRST_PLOT:]]
        for place, part in enumerate((self.bars, self.metrics, self.ends, *self._waiting)):
            self.titled.add(part, *TABS[place])
        self.tabs.currentChanged.connect(self._on_tab_changed)

    def set_theme(self, colours: Theme) -> None:
        """Draw everything in other colours."""
        self._colours = colours
        for place in range(self.tabs.count()):
            part: Any = self.tabs.widget(place)  # a chart, or a label that follows the palette
            if hasattr(part, "set_theme"):
                part.set_theme(colours)

    # Charts that need pyqtgraph

    def _on_tab_changed(self, place: int) -> None:
        if place >= FIRST_PLOT and not self._is_imported and not self._importing.is_busy:
            # in a worker: it would hold the window for a third of a second
            self._importing.start(partial(importlib.import_module, "explorer.plots.plot"))
        self._choose_export()

    def _on_imported(self, _module: object) -> None:
        from explorer.comparison.completion_chart import CompletionChart
        from explorer.comparison.release_chart import ReleaseChart
        from explorer.comparison.response_chart import ResponseChart
        from explorer.comparison.usage_chart import UsageChart

        self._is_imported = True
        charts = (
            CompletionChart(self.results, self._view_state, self._colours),
            ResponseChart(self.results, self._colours),
            UsageChart(self.results, self._axis, self._colours),
            ReleaseChart(self.results, self._axis, self._colours),
        )
        for place, chart in enumerate(charts, FIRST_PLOT):
            self._replace(place, chart)
        self._choose_export()

    def _replace(self, place: int, chart: QWidget) -> None:
        current = self.tabs.currentIndex()
        self._waiting[place - FIRST_PLOT].deleteLater()
        self.titled.take(place)
        self.titled.put(place, chart, *TABS[place])
        self.tabs.setCurrentIndex(current)

    def _choose_export(self) -> None:
        part: Any = self.tabs.currentWidget()
        can_export = hasattr(part, "paint_export") and bool(self.results.rows)
        self.export_button.set_chart(part if can_export else None)


def _waiting() -> PlainLabel:
    label = PlainLabel("Preparing the chart …", is_faint=True)
    label.setMargin(12)
    return label
