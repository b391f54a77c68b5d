"""The Gantt chart: shows one schedule, lets one look around in it, and drags jobs to other places."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.gantt.chart_scene import ChartScene
from explorer.gantt.geometry.chart_content import job_beside
from explorer.gantt.geometry.schedule_rows import ScheduleRows, known_rows
from explorer.gantt.geometry.tasks_in_view import NOTHING, Hit, hit
from explorer.gantt.gestures.cursor_line import CursorLine
from explorer.gantt.gestures.keys import FocusRing, method_of
from explorer.gantt.gestures.navigation import Navigation
from explorer.gantt.gestures.pool_gestures import PoolDrags
from explorer.gantt.gestures.press import gesture_at
from explorer.gantt.gestures.settling import Settling
from explorer.gantt.layers.execution_history import extra_at
from explorer.gantt.layers.overlays import Overlays, paint_focus, paint_overlays
from explorer.gantt.layers.task_facts import task_facts
from explorer.gantt.raster.palette import DRAG_FADED, FADED, PaletteMode

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray
    from PySide6 import QtGui

    from core.explain.critical_path import CriticalPath
    from core.model.schedule import Schedule
    from explorer.document.time_axis import TimeAxis, TimeCursor
    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.gestures.gestures import Drag, Gesture
    from explorer.widgets.theme import Theme


class GanttView(QWidget):
    """Slots by time of one schedule.

    It shows and asks: what is selected and in which order jobs go is decided elsewhere.

    Attributes
    ----------
    axis : the time that is shown, shared with linked charts
    scene : what is painted
    look : moves the view
    pools : signals of drags in pools
    cursor_line : the time cursor as it is painted here; None in a chart without one
    clicked_task : index of the task that `job_clicked` is about; -1 for the job as a whole

    Signals:
        job_clicked: index of the job that was clicked, -1 for none
        task_hovered: `TaskFacts` of the task under the pointer, or None
        order_previewed: job names in the order that a drop now would give, while a block is dragged
        order_dropped: the same when it is dropped
        drag_cancelled: a drag was given up; what was previewed no longer holds
        context_requested: where (global position) a menu was asked for, and upon which job (or -1)
    """

    job_clicked = Signal(int)
    task_hovered = Signal(object)
    order_previewed = Signal(object)
    order_dropped = Signal(object)
    drag_cancelled = Signal()
    context_requested = Signal(QPoint, int)

    def __init__(self, axis: TimeAxis, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.axis = axis
        self.scene = ChartScene(theme, self.font())
        self._order: tuple[str, ...] = ()
        self._gesture: Gesture | None = None
        self._drag: Drag | None = None
        self._pointer: QPointF | None = None
        self._hovered: Hit = NOTHING
        self._ring = FocusRing(self)
        self.pools = PoolDrags(self)
        self.cursor_line: CursorLine | None = None
        self.clicked_task = -1
        self._selected_task, self._by_pool = -1, False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Gantt chart")
        self._settling = Settling(self)
        self.look = Navigation(axis, self.scene, self.frame, self)
        self.look.rows_moved.connect(self.update)
        axis.range_changed.connect(self._on_range_changed)
        axis.cursor_changed.connect(self.update)

    # ---- what it shows

    @property
    def content(self) -> ChartContent:
        """What is shown now."""
        return self.scene.content

    @property
    def slots(self) -> int:
        """How many slots the cluster has."""
        return self.content.rows.schedule.cluster.slots if self.content.rows else 0

    def set_schedule(self, schedule: Schedule | None, by_pool: bool = False) -> None:
        """Show a schedule, or nothing; its rows are slots or belong to pools of jobs."""
        self._by_pool = by_pool
        rows = self._rows_of(schedule)
        ghost = self.content.ghost
        if ghost and (rows is None or not ghost.fits(rows)):
            ghost = None
        self._hovered = NOTHING
        self._change(rows=rows, ghost=ghost)
        self._describe()

    def set_ghost(self, schedule: Schedule | None) -> None:
        """Show an older schedule of the same jobs beside it, or none."""
        ghost = self._rows_of(schedule)
        rows = self.content.rows
        self._change(ghost=ghost if ghost and rows and ghost.fits(rows) else None)

    def set_title(self, title: str) -> None:
        """Name the chart."""
        self._change(title=title)
        self._describe()

    def set_comparison_text(self, text: str) -> None:
        """Say how it compares to the baseline, sign first: "−12.3 % vs FIFO"."""
        self._change(comparison=text)
        self._describe()

    def set_estimates(self, estimates: Sequence[tuple[str, float]]) -> None:
        """Mark estimated makespans: labels and seconds."""
        self._change(estimates=tuple(estimates))

    def set_lower_bound(self, seconds: float | None) -> None:
        """Mark the time before which no schedule can end."""
        self._change(lower_bound=seconds)

    def set_theme(self, theme: Theme) -> None:
        """Paint in other colours."""
        self.scene.set_theme(theme)
        self.update()

    def set_palette_mode(self, mode: PaletteMode) -> None:
        """Colour more than seven jobs in another way."""
        self._change(mode=PaletteMode(mode))

    def set_positions(
        self, positions: NDArray[np.int64] | None, places: tuple[int, NDArray[np.int64]] | None = None
    ) -> None:
        """Colour more than seven jobs by places in a queue, one per job; `places` as in `ChartContent`."""
        self._change(positions=positions, places=places)

    def set_selected_job(self, job: int) -> None:
        """Let one job stand out; -1 for none."""
        if job != self.content.selected_job:
            self._change(selected_job=job)

    def set_chain(self, schedule: Schedule, chain: CriticalPath | None) -> None:
        """Show why the makespan of a schedule is what it is, while that schedule is shown; or stop it."""
        self._change(chain=(schedule, chain) if chain is not None else None)

    def set_selected_task(self, task: int) -> None:
        """Outline one task; -1 for none."""
        self._selected_task = task
        self.update()

    def set_compact(self, compact: bool) -> None:
        """Leave out the overview and save space, for charts side by side."""
        self._change(compact=compact)

    def set_empty_text(self, text: str) -> None:
        """Say why there is nothing to show."""
        self._change(empty_text=text)
        self._describe()

    def set_time_cursor(self, cursor: TimeCursor) -> None:
        """Show the instant that is looked at, and let it be dragged along the axis."""
        self.cursor_line = CursorLine(cursor, self)

    def set_order(self, names: Sequence[str]) -> None:
        """Say in which order the jobs go; with none, blocks cannot be dragged."""
        self._order = tuple(names)

    def _change(self, **fields: object) -> None:
        self.scene.painter.overview_may_lag = True
        self.scene.change(**fields)
        self.update()

    def _rows_of(self, schedule: Schedule | None) -> ScheduleRows | None:
        """Sort a schedule into rows, unless that was done already."""
        known = (self.content.rows, self.content.ghost, self._drag.base if self._drag else None)
        return known_rows(schedule, self._by_pool, known)

    def _describe(self) -> None:
        """Tell screen readers what the chart shows."""
        self.setAccessibleName(f"Gantt chart {self.content.title}".strip())
        self.setAccessibleDescription(self.content.description)

    # ---- geometry

    def sizeHint(self) -> QSize:
        """Prefer a wide chart."""
        return QSize(900, 480)

    def minimumSizeHint(self) -> QSize:
        """Leave room for at least a few rows."""
        return QSize(240, 140)

    def frame(self) -> ChartFrame:
        """Return the frame that is shown."""
        self.scene.resize(self.width(), self.height(), self.devicePixelRatioF())
        return self.scene.frame(self.axis.range, self.axis.full_range)

    def time_at(self, x: float) -> float:
        """Return the time at a pixel."""
        return self.frame().time(x)

    def job_at(self, position: QPointF) -> int:
        """Return the index of the job under a pixel, or -1."""
        place = self._hit(position).place
        return int(self.content.rows.columns.code[place]) >> 1 if place >= 0 and self.content.rows else -1

    def _hit(self, position: QPointF) -> Hit:
        frame, rows = self.frame(), self.content.rows
        if rows is None or not frame.places.plot.contains(position.toPoint()):
            return NOTHING
        inside = position - frame.places.plot.topLeft().toPointF()
        found = hit(rows.columns, frame.layout, frame.scale, inside.x(), inside.y())
        early, late = (frame.scale.time(inside.x() + side) for side in (-1, 1))
        return found._replace(extra=extra_at(rows, found, early, late))

    def zoom_to_job(self, job: int) -> None:
        """Show the time of one job."""
        self.look.zoom_to_job(job)

    def fit(self) -> None:
        """Show everything."""
        self.look.fit()

    # ---- selecting by key

    def select_next(self) -> None:
        """Ask for the next job to be selected."""
        self._select_by(1)

    def select_previous(self) -> None:
        """Ask for the previous job to be selected."""
        self._select_by(-1)

    def _select_by(self, step: int) -> None:
        job = job_beside(self.content, self._order, step)
        if job >= 0:
            self.click(job)

    def click(self, job: int, task: int = -1) -> None:
        """Ask for a job, or one task of it, to be selected; for nothing to be if the job is -1."""
        self.clicked_task = task
        self.job_clicked.emit(job)

    # ---- dragging a block

    def show_drag(self, drag: Drag) -> None:
        """Show that something is dragged: the schedule as it was becomes the ghost."""
        self._drag = drag
        self.scene.change(ghost=drag.base)
        self.scene.emphasise(drag.job, DRAG_FADED)
        self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self._hover(NOTHING)

    def end_drag(self, rows: ScheduleRows | None, ghost: ScheduleRows | None) -> None:
        """End showing it: go back to the given rows, or stay with what is shown for None."""
        self._drag = None
        self.scene.emphasise(self.content.selected_job, FADED)
        self._change(ghost=ghost, **({"rows": rows} if rows else {}))
        self.unsetCursor()

    def cancel_gesture(self) -> None:
        """Give up what the mouse is doing."""
        gesture, self._gesture = self._gesture, None
        if gesture:
            gesture.cancel()
            self.unsetCursor()

    # ---- events

    def _on_range_changed(self) -> None:
        self.scene.invalidate()
        self.update()

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Start a gesture: on the overview, on a block, or on nothing."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        left, middle = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
        if self._gesture or event.button() not in (left, middle):
            return
        place = self._hit(event.position()).place if event.button() == left else -1
        self._gesture = gesture_at(self, event, place, self._order)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Go on with the gesture, or look at what is under the pointer."""
        self._pointer = event.position()
        if self._gesture:
            self._gesture.move(event.position())
            return
        inside = self.content.rows is not None and self.frame().places.plot.contains(
            event.position().toPoint()
        )
        if not self.cursor_line or not self.cursor_line.show_shape(event.position()):
            self.pools.show_shape(event.position())
        self.axis.set_cursor(self.time_at(event.position().x()) if inside else None)
        self._hover(self._hit(event.position()))

    def _hover(self, found: Hit) -> None:
        if found != self._hovered:
            self._hovered = found
            rows = self.content.rows
            facts = task_facts(rows, found.place, found.tasks) if rows and found.place >= 0 else None
            self.task_hovered.emit(facts)
        self.update()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        """End the gesture."""
        gesture, self._gesture = self._gesture, None
        if gesture:
            gesture.finish()
            self.unsetCursor()

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        """Zoom to the job under the pointer, or show everything."""
        if self.cursor_line and self.cursor_line.grabs(event.position()):
            self.mousePressEvent(event)
            return
        job = self.job_at(event.position())
        if job >= 0:
            self.zoom_to_job(job)
        else:
            self.fit()

    def leaveEvent(self, event: QEvent) -> None:
        """Forget the pointer."""
        self._pointer = None
        if not self._gesture:
            self.axis.set_cursor(None)
            self._hover(NOTHING)

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        """Zoom at the pointer; with Ctrl vertically, with Shift move in time."""
        self.look.wheel(event.position(), event.angleDelta(), event.modifiers())
        event.accept()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Do what `KEY_BINDINGS` says."""
        method = method_of(event)
        if method:
            attrgetter(method)(self)()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        """Ask for a menu upon the job under the pointer."""
        self.context_requested.emit(event.globalPos(), self.job_at(QPointF(event.pos())))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the application's font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.scene.set_font(self.font())

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Lay the chart out anew."""
        self.scene.resize(self.width(), self.height(), self.devicePixelRatioF())

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Draw what stands still from its picture, then what follows the pointer."""
        frame = self.frame()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self.scene.still(frame))
        if self.scene.painter.overview_lags:
            self._settling.start()
        over = Overlays(
            self._drag, self._hovered, self._pointer, self.axis.cursor, self.cursor_line, self._selected_task
        )
        paint_overlays(painter, frame, over)
        if self._ring.is_shown:
            paint_focus(painter, frame)
        painter.end()
