"""Jobs that are dragged to circles: what can be dropped on, what that does, why not, and doing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF

from explorer.scans.drop_drawing import Drop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.scans.circle_chart import CircleChart
    from explorer.scans.job_editing import WhatIf
    from explorer.scans.sharing_chart import SharingChart

ELSEWHERE = "Drop it on the circle of another dataset"


class CircleDrops(QObject):
    """Rings of circles and rows of jobs, each of which can be dropped upon the circle of a dataset."""

    def __init__(
        self,
        what_if: WhatIf,
        circles: Sequence[CircleChart],
        rows: Sequence[SharingChart],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._what_if, self._circles = what_if, circles
        for chart in circles:
            chart.can_drag = True
            chart.job_dragged.connect(self._on_dragged)
            chart.job_dropped.connect(self._on_dropped)
        for row in rows:
            row.circle_at = self.dataset_at
            row.carried.connect(self._light)
            row.put_down.connect(self.clear)
            row.dropped_on_circle.connect(self._on_dropped)

    def dataset_at(self, place: QPointF) -> int:
        """Return the dataset whose circle is at a pixel of the screen, in any pane; -1 for none."""
        for chart in self._circles:
            inside = chart.mapFromGlobal(place)
            if chart.isVisible() and chart.rect().contains(inside.toPoint()):
                return chart.dataset_at(inside)
        return -1

    def let_go(self) -> bool:
        """Drag no ring any more; whether one was."""
        was_dragging = any(chart.let_go() for chart in self._circles)
        self.clear()
        return was_dragging

    def clear(self) -> None:
        """Light up nothing any more."""
        for chart in self._circles:
            chart.show_drop(None)

    def _on_dragged(self, job: int, place: QPointF) -> None:
        self._light(job, place, ELSEWHERE)

    def _light(self, job: int, place: QPointF, elsewhere: str = "") -> None:
        targets, over = self._what_if.targets(job), self.dataset_at(place)
        text = self._what_if.words_of_drop(job, over) if over >= 0 else elsewhere
        for chart in self._circles:
            inside = chart.mapFromGlobal(place)
            is_here = chart.rect().contains(inside.toPoint())
            chart.show_drop(Drop(targets, over, text if is_here else "", inside if is_here else QPointF()))

    def _on_dropped(self, job: int, place: QPointF) -> None:
        over = self.dataset_at(place)
        self.clear()
        if over in self._what_if.targets(job):
            self._what_if.move_to(job, over)
