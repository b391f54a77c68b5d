"""The forecast, wired to the document: it follows the time cursor and the active scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from core.model.time_text import clock_text
from explorer.document.titles import title_in
from explorer.widgets.details import MIN, DetailsPage
from explorer.widgets.layouts import NO_MARGINS, column
from explorer.widgets.theme import theme_of
from explorer.window.area import Area

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from explorer.forecast.forecast_panel import ForecastPanel
    from explorer.widgets.details import DetailsDock
    from explorer.widgets.theme import Theme
    from explorer.window.area import WindowModel

FOLLOW_AFTER_MS = 150
"""So long after the last move of the cursor, or the last edit, the panel follows it."""
BEGIN_PART = 0.5
"""Of the makespan: where the time cursor is put if there is none."""


class ForecastArea(Area):
    """Builds the panel when it is opened first, and connects it."""

    def __init__(self, model: WindowModel, window: QMainWindow, *, details: DetailsDock) -> None:
        super().__init__(model, window)
        self._details = details
        self._subject: object = None
        self.panel: ForecastPanel | None = None
        self._room = QWidget()
        self.page = DetailsPage("forecast", "Forecast", self._room)
        self._timer = QTimer(self, singleShot=True, interval=FOLLOW_AFTER_MS)
        self._timer.timeout.connect(self._follow)
        signals = (
            *(self._view_state.active_scenario_changed, self._view_state.time_cursor.moved),
            *(self._editor.edited, self._document.reset, self._runner.outcome_ready),
        )
        for signal in signals:
            signal.connect(self._timer.start)
        self.page.changed.connect(self._on_page_changed)

    @override
    def place(self, actions: Mapping[str, QAction]) -> None:
        self.page.place(self._details, actions["forecast"])

    def show(self) -> None:
        """Open the panel, or close it if it is in front."""
        self.page.toggle()

    @override
    def close(self) -> None:
        self._timer.stop()
        if self.panel is not None:
            self.panel.shutdown()

    @override
    def set_theme(self, theme: Theme) -> None:
        if self.panel is not None:
            self.panel.set_theme(theme)

    def _on_page_changed(self) -> None:
        from explorer.forecast.forecast_panel import HELP

        if self.page.is_in_front:
            if self.panel is None:
                self._make_panel()
            self._follow()
        elif not self.page.is_open and self.panel is not None:
            self._subject = None
            self.panel.show_reason(HELP)  # an answer holds a schedule

    def _make_panel(self) -> None:
        from explorer.forecast.forecast_panel import ForecastPanel  # only what forecasts loads it

        panel = self.panel = ForecastPanel(theme_of(self._window))
        panel.setMinimumSize(MIN)
        column(panel, parent=self._room, margins=NO_MARGINS)
        panel.changed.connect(self._timer.start)
        panel.chosen.connect(self._view_state.select_job)
        panel.reported.connect(self.done)
        panel.refused.connect(self._refuse)

    def _follow(self) -> None:
        """Draw again if the schedule, the time or what is known of times are others."""
        active, panel = self._view_state.active_scenario, self.panel
        if panel is None or not self.page.is_open or not self._document.has_scenario(active):
            return
        outcome = self._runner.outcome(active)
        if outcome is None:
            return  # it follows when the schedule is there
        cursor = self._view_state.time_cursor
        if cursor.seconds is None:
            cursor.show_at(BEGIN_PART * outcome.schedule.makespan)
        seconds = cursor.seconds
        subject = (outcome.schedule, seconds, panel.error, panel.runs_field.value())
        if seconds is None or subject == self._subject:
            return
        self._subject = subject
        scenario = self._document.scenario(active)
        title = title_in(self._document.state, scenario)
        panel.compute(outcome.schedule, seconds, f"{title}, from {clock_text(seconds)} on")
