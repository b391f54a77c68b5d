"""The policy lab in the window: trace, profile, differences, checks, editor; the menu of what can be done."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor

from explorer.explain.asked_dock import AskedDock
from explorer.lab.trace_panel import TracePanel
from explorer.lab.tracing import Tracing
from explorer.lab.watch_strip import WatchStrip
from explorer.policy_files.own_policies import NEW_SCENARIO
from explorer.window.window_menus import POLICY, ActionSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from explorer.gantt.gantt_view import GanttView
    from explorer.widgets.theme import Theme
    from explorer.window.parts import Parts


class LabArea(QObject):
    """Builds the parts and connects them.

    Signals
    -------
    told : what was done
    failed : something could not be done; the exception
    """

    told = Signal(str)
    failed = Signal(object)

    def __init__(self, parts: Parts, window: QMainWindow) -> None:
        super().__init__(window)
        self._parts, self._window = parts, window
        self._make_trace(parts, window)

    def _make_trace(self, parts: Parts, window: QMainWindow) -> None:
        document, view_state, settings = parts.editor.document, parts.view_state, parts.settings
        self.tracing = Tracing(document, view_state, parts.runner, self)
        self.trace_panel = TracePanel(self.tracing, document, view_state, settings)
        self.trace_dock = AskedDock("Trace", self.trace_panel, window)
        self.watch_strip = WatchStrip(
            self._active_view, view_state, parts.axis, parts.charts, settings.watch_height
        )
        below_charts = parts.charts.layout()
        assert below_charts is not None
        below_charts.addWidget(self.watch_strip)
        watches, jumps = self.trace_panel.watch_list, parts.why.jumps
        watches.place_chosen.connect(self._go_to)
        watches.job_chosen.connect(jumps.to_job)
        self.trace_panel.told.connect(self.told)
        self.tracing.changed.connect(self._show_curves)
        self.watch_strip.resized.connect(partial(setattr, settings, "watch_height"))
        view_state.palette_changed.connect(self._show_curves)
        for part in (self.tracing, self.trace_panel):
            part.failed.connect(self.failed)

    def _active_view(self) -> GanttView | None:
        return self._parts.charts.views.get(self._parts.view_state.active_scenario)

    def _go_to(self, seconds: float, decision: int) -> None:
        self._parts.axis.reveal(seconds)
        self._parts.why.jumps.to_time(seconds, decision)

    def _show_curves(self) -> None:
        """Give the strip what is watched, in the colours of the charts."""
        names = tuple(self._parts.editor.document.workload.job_index)
        colours = self._parts.charts.map_colours()
        self.watch_strip.set_colours(lambda job: QColor.fromRgb(int(colours[job % max(len(colours), 1)])))
        self.watch_strip.show_trace(self.tracing.trace, self.tracing.schedule, names)

    def specs(self) -> tuple[ActionSpec, ...]:
        """Return the actions of the menu."""
        own = self._parts.own_policies.actions
        policy = partial(ActionSpec, POLICY)
        # fmt: off
        return (
            policy("open_policy", "&Open policy file…", "Ctrl+Shift+O",
                partial(own.choose_file, NEW_SCENARIO), "Use a policy of your own as a scenario"),
            policy("new_policy", "&New policy file…", "", partial(own.begin_new, NEW_SCENARIO),
                "Write a policy of your own, beginning from a commented template"),
            policy("trace", "&Trace", "F7", self.trace_dock.toggle,
                "What the policy prints, values watched over its run, and conditions to stop at",
                checkable=True),
        )
        # fmt: on

    def place(self, actions: Mapping[str, QAction]) -> None:
        """Put the panels where they wait, out of sight, until their actions ask for them."""
        beside = self._parts.comparison_dock
        self.trace_dock.place(self._window.dockWidgetArea(beside), actions["trace"], beside)
        actions["trace"].toggled.connect(self.tracing.want)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._show_curves()

    def close(self) -> None:
        """End what runs: the window closes."""
        self.tracing.close()
