"""The menu of a chart: what can be done with it and the job under the pointer."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QMenu
from typing_extensions import override

from core.model.event_edits import is_down, nearest_event, node_of_slot, with_event, without_event
from core.model.node_events import NodeEvent
from core.model.time_text import clock_text
from explorer.window.area import Area

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from core.model.cluster import Cluster
    from core.model.node_events import NodeEvents
    from explorer.gantt.gantt_view import GanttView
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.scenarios.pools_area import PoolsArea


JOB_MENU = (
    "zoom_job",
    "earlier",
    "later",
    "duplicate_job",
    "delete_job",
    "follow_job",
    "cut_links",
    "reset_order",
    "scale_jobs",
    "fit_job",
)
CHART_MENU = ("fit", "make_baseline", "duplicate_scenario", "remove_scenario", "reset_order", "copy_picture")


class ContextMenus(Area):
    """Opens a menu of the window's actions wherever a chart requests one, by mouse or key."""

    def __init__(
        self, model: WindowModel, window: QMainWindow, *, charts: ChartArea, pools: PoolsArea
    ) -> None:
        super().__init__(model, window)
        self._charts, self._pools = charts, pools
        self._nodes = NodeMenu(model, window)
        self.pass_on(self._nodes)
        self._actions: Mapping[str, QAction] = {}
        charts.context_requested.connect(self._open)

    @override
    def place(self, actions: Mapping[str, QAction]) -> None:
        self._actions = actions

    def _open(self, scenario_id: int, place: QPoint, job: int) -> None:
        """Offer what can be done with a chart, or with the job under the pointer; -1 for none."""
        self._view_state.activate_scenario(scenario_id)
        if job >= 0:
            self._view_state.select_job(self._document.workload.jobs[job].name)
        menu = QMenu(self._window)
        for name in JOB_MENU if job >= 0 else CHART_MENU:
            menu.addAction(self._actions[name])
        view = self._charts.views[scenario_id]
        self._pools.add_to_menu(menu, scenario_id, job, QPointF(view.mapFromGlobal(place)))
        self._nodes.add_to(menu, scenario_id, view, QPointF(view.mapFromGlobal(place)))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)


HALF = 0.5
"""The speed of a node that is slower."""
NEAR = 6
"""Pixels from an event to where the menu offers to leave it out."""
STEPS = (1, 2, 5, 10)


class NodeMenu(Area):
    """Adds events to the cluster of a scenario, each an edit that undo takes back."""

    def add_to(self, menu: QMenu, scenario_id: int, view: GanttView, at: QPointF) -> None:
        """Offer what may happen to the node of the slot under the pointer; nothing where there is none."""
        scenario = self._document.scenario(scenario_id)
        cluster = self._document.state.cluster_of(scenario)
        slot = view.slot_at(at)
        if scenario.choice.is_record or not 0 <= slot < cluster.slots:
            return
        target = None if scenario.cluster is None else scenario_id
        node, pixel = node_of_slot(cluster, slot), view.time_at(at.x() + 1) - view.time_at(at.x())
        time = rounded(view.time_at(at.x()), pixel)
        name, when = f"N{node + 1}", clock_text(time)
        inside = menu.addMenu(f"&Node {name} at {when}")
        if is_down(cluster, node, time):
            self._add(inside, f"{name} is &back", target, cluster, NodeEvent(time, node, "returns"))
        else:
            self._add(inside, f"{name} &fails", target, cluster, NodeEvent(time, node))
        for text, speed in ((f"{name} runs at &half its speed", HALF), (f"{name} runs at f&ull speed", 1.0)):
            self._add(inside, text, target, cluster, NodeEvent(time, node, "speed", speed))
        place = nearest_event(cluster, node, time, NEAR * pixel)
        if cluster.events is not None and place >= 0:
            left = without_event(cluster.events, place)
            leave = inside.addAction(f"&Leave out what happens to {name} here")
            leave.triggered.connect(partial(self._set, target, left))

    def _add(self, menu: QMenu, text: str, target: int | None, cluster: Cluster, event: NodeEvent) -> None:
        menu.addAction(text).triggered.connect(partial(self._set, target, with_event(cluster, event)))

    def _set(self, target: int | None, events: NodeEvents | None, _checked: bool = False) -> None:
        self._editor.end_gesture()  # each click is a step of its own
        self._try(lambda: self._editor.edit_cluster(target, events=events))


def rounded(time: float, pixel: float) -> float:
    """Return a time, in s, as a multiple of a step of 1, 2 or 5 times a power of ten, of a pixel at least."""
    power = 10.0 ** math.floor(math.log10(pixel)) if pixel > 0 else 1.0
    step = next(each * power for each in STEPS if each * power >= pixel * 0.999)
    return round(max(round(time / step), 0) * step, 6)
