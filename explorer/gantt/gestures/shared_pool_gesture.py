"""Dragging a job among pools that share the slots: into the band of another pool it belongs to that one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from core.model.time_text import change_text, duration_text
from explorer.gantt.gestures.gestures import BlockGesture
from explorer.gantt.gestures.pool_gestures import nearest_group

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF

    from explorer.gantt.gantt_view import GanttView


class SharedPoolGesture(BlockGesture):
    """Drags a job's block: within its pool's band to another place in the order, else into another pool.

    Attributes
    ----------
    pool : index of the pool that a drop now would put the job into
    """

    def __init__(self, view: GanttView, start: QPointF, task: int, order: tuple[str, ...]) -> None:
        super().__init__(view, start, task, order)
        self.pool = self._home = self.base.group_of(self.job)
        # a preview gives pools other numbers of rows: what is below the pointer is decided by those before
        self._layout = view.frame().layout

    def _preview(self, position: QPointF) -> None:
        inside = position.y() - self._view.frame().places.plot.top()
        pool = nearest_group(self._layout, inside)
        if pool != self.pool:
            self.pool, self.order = pool, self._before
            self._view.pools.job_previewed.emit(self._moved, self._name)
        if pool == self._home:
            super()._preview(position)

    @property
    def _name(self) -> str:
        return self.base.groups[self.pool].name

    @property
    def _is_home(self) -> bool:
        return self.pool == self._home and super()._is_home

    def _emit_drop(self) -> None:
        if self.pool == self._home:
            super()._emit_drop()
        else:
            self._view.pools.job_dropped.emit(self._moved, self._name)

    def text(self) -> str:
        """Say what a drop now would do."""
        if self.pool == self._home:
            return super().text()
        rows = self._view.content.rows
        before = self.base.schedule.makespan
        if rows is None or rows is self.base:
            return f"move {self._moved} to {self._name} · …"
        after = rows.schedule.makespan
        change = change_text(before, after)
        makespan = f"makespan {duration_text(before)} → {duration_text(after)} ({change})"
        return f"move {self._moved} to {self._name} · {makespan}"

    def drop_time(self) -> float:
        """Return where the job would start; nowhere in time while it goes to another pool."""
        return super().drop_time() if self.pool == self._home else math.nan
