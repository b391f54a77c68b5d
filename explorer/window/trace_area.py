"""Trace and profile of policies in the window: their panels, the curves below the charts, their actions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor

from explorer.explain.asked_dock import AskedDock
from explorer.lab.profile_panel import ProfilePanel, Profiling
from explorer.lab.trace_panel import TracePanel
from explorer.lab.tracing import Tracing
from explorer.lab.watch_strip import WatchStrip
from explorer.window.area import Area
from explorer.window.window_menus import POLICY, ActionSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from explorer.gantt.gantt_view import GanttView
    from explorer.window.window_parts import Parts


class TraceArea(Area):
    """Builds the parts and connects them."""

    def __init__(self, parts: Parts, window: QMainWindow) -> None:
        super().__init__(parts, window)
        document, view_state, settings = parts.editor.document, parts.view_state, parts.settings
        followed = (document, view_state, parts.runner, self)
        self.tracing, self.profiling = Tracing(*followed), Profiling(*followed)
        self.trace_panel = TracePanel(self.tracing, document, view_state, settings)
        self.profile_panel = ProfilePanel(self.profiling)
        self.trace_dock = AskedDock("Trace", self.trace_panel, window)
        self.profile_dock = AskedDock("Profile", self.profile_panel, window)
        self.watch_strip = WatchStrip(
            self._active_view, view_state, parts.axis, parts.charts, settings.watch_height
        )
        below_charts = parts.charts.layout()
        assert below_charts is not None
        below_charts.addWidget(self.watch_strip)
        self._connect()

    def _connect(self) -> None:
        watches = self.trace_panel.watch_list
        watches.place_chosen.connect(self._go_to)
        watches.job_chosen.connect(self._parts.why.jumps.to_job)
        self.trace_panel.told.connect(self.told)
        self.tracing.changed.connect(self.show_curves)
        self.watch_strip.resized.connect(partial(setattr, self._parts.settings, "watch_height"))
        self._parts.view_state.palette_changed.connect(self.show_curves)
        for part in (self.tracing, self.trace_panel, self.profiling):
            part.failed.connect(self.failed)

    def specs(self) -> tuple[ActionSpec, ...]:
        """Return the actions of the menu."""
        policy = partial(ActionSpec, POLICY)
        # fmt: off
        return (
            policy("trace", "&Trace", "F7", self.trace_dock.toggle,
                "What the policy prints, values watched over its run, and conditions to stop at",
                checkable=True),
            policy("profile", "&Profile", "Shift+F7", self.profile_dock.toggle,
                "Calls and time of each hook of the policy, and which of them made it slow",
                checkable=True),
        )
        # fmt: on

    def place(self, actions: Mapping[str, QAction]) -> None:
        """Put the panels where they wait, out of sight, until their actions ask for them."""
        beside = self._parts.comparison_dock
        for dock, name, follower in (
            (self.trace_dock, "trace", self.tracing),
            (self.profile_dock, "profile", self.profiling),
        ):
            dock.place(self._window.dockWidgetArea(beside), actions[name], beside)
            actions[name].toggled.connect(follower.want)

    def _active_view(self) -> GanttView | None:
        return self._parts.charts.views.get(self._parts.view_state.active_scenario)

    def _go_to(self, seconds: float, decision: int) -> None:
        self._parts.axis.reveal(seconds)
        self._parts.why.jumps.to_time(seconds, decision)

    def show_curves(self) -> None:
        """Give the strip what is watched, in the colours of the charts."""
        names = tuple(self._parts.editor.document.workload.job_index)
        colours = self._parts.charts.map_colours()
        self.watch_strip.set_colours(lambda job: QColor.fromRgb(int(colours[job % max(len(colours), 1)])))
        self.watch_strip.show_trace(self.tracing.trace, self.tracing.schedule, names)

    def close(self) -> None:
        """End what runs: the window closes."""
        self.tracing.close()
        self.profiling.close()
