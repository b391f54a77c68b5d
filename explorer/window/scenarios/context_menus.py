"""The menu of a chart: what can be done with it and the job under the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QMenu
from typing_extensions import override

from explorer.window.area import Area
from explorer.window.scenarios.node_menu import NodeMenu

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

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
