"""Trace and profile of policies in the window: their panels, the curves below the charts, their actions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor
from typing_extensions import override

from explorer.lab.profile_panel import ProfilePanel, Profiling
from explorer.lab.trace_panel import TracePanel
from explorer.lab.tracing import Tracing
from explorer.lab.watch_strip import WatchStrip
from explorer.widgets.details import DetailsPage
from explorer.window.area import Area
from explorer.window.window_menus import POLICY, ActionSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from explorer.explain.explanation_view import Jumps
    from explorer.gantt.gantt_view import GanttView
    from explorer.widgets.details import DetailsDock
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea


class TraceArea(Area):
    """Builds the parts and connects them."""

    def __init__(
        self,
        model: WindowModel,
        window: QMainWindow,
        *,
        charts: ChartArea,
        jumps: Jumps,
        details: DetailsDock,
    ) -> None:
        super().__init__(model, window)
        self._charts, self._jumps, self._details = charts, jumps, details
        followed = (self._document, self._view_state, self._runner, self)
        self.tracing, self.profiling = Tracing(*followed), Profiling(*followed)
        self.trace_panel = TracePanel(self.tracing, self._document, self._view_state, self._settings)
        self.profile_panel = ProfilePanel(self.profiling)
        self.trace_page = DetailsPage("trace", "Trace", self.trace_panel)
        self.profile_page = DetailsPage("profile", "Profile", self.profile_panel)
        self.watch_strip = WatchStrip(
            self._active_view, self._view_state, self._axis, charts, self._settings.watch_height
        )
        below_charts = charts.layout()
        assert below_charts is not None
        below_charts.addWidget(self.watch_strip)
        self._connect()

    def _connect(self) -> None:
        watches = self.trace_panel.watch_list
        watches.place_chosen.connect(self._go_to)
        watches.job_chosen.connect(self._jumps.to_job)
        self.trace_panel.reported.connect(self.done)
        self.tracing.changed.connect(self.show_curves)
        self.watch_strip.resized.connect(partial(setattr, self._settings, "watch_height"))
        self._view_state.colour_by_changed.connect(self.show_curves)
        for part in (self.tracing, self.trace_panel, self.profiling):
            part.failed.connect(self.failed)

    def specs(self) -> tuple[ActionSpec, ...]:
        """Return the actions of the menu."""
        policy = partial(ActionSpec, POLICY)
        # fmt: off
        return (
            policy("trace", "&Trace", "F7", self.trace_page.toggle,
                "What the policy prints, values watched over its run, and conditions to stop at",
                checkable=True),
            policy("profile", "&Profile", "Shift+F7", self.profile_page.toggle,
                "Calls and time of each hook of the policy, and which of them made it slow",
                checkable=True),
        )
        # fmt: on

    @override
    def place(self, actions: Mapping[str, QAction]) -> None:
        for page, name, follower in (
            (self.trace_page, "trace", self.tracing),
            (self.profile_page, "profile", self.profiling),
        ):
            page.place(self._details, actions[name])
            actions[name].toggled.connect(follower.want)

    def _active_view(self) -> GanttView | None:
        return self._charts.views.get(self._view_state.active_scenario)

    def _go_to(self, seconds: float, decision: int) -> None:
        self._axis.reveal(seconds)
        self._jumps.to_time(seconds, decision)

    def show_curves(self) -> None:
        """Give the strip what is watched, in the colours of the charts."""
        names = tuple(self._document.workload.job_index)
        colours = self._charts.map_colours()
        self.watch_strip.set_colours(lambda job: QColor.fromRgb(int(colours[job % max(len(colours), 1)])))
        self.watch_strip.show_trace(self.tracing.trace, self.tracing.schedule, names)

    @override
    def close(self) -> None:
        self.tracing.close()
        self.profiling.close()
