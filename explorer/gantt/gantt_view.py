"""The Gantt chart: shows one schedule, lets one look around in it, and drags jobs to other places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from core.charts.palette import DRAG_FADED, FADED
from core.charts.schedule_rows import ScheduleRows, known_rows
from explorer.gantt.chart_scene import ChartScene, LaterPictures
from explorer.gantt.geometry.chart_content import DESCRIBED, job_beside
from explorer.gantt.geometry.tasks_in_view import NOTHING, Hit, hit
from explorer.gantt.gestures.accessible_tasks import AccessibleTasks
from explorer.gantt.gestures.cursor_line import CursorLine
from explorer.gantt.gestures.gestures import gives_up
from explorer.gantt.gestures.hands import LEFT, MIDDLE, NO_GRIP, NO_KEYS, SHIFT, Hands
from explorer.gantt.gestures.keys import FocusRing, binding_of
from explorer.gantt.gestures.navigation import Navigation
from explorer.gantt.gestures.pool_gestures import PoolDrags
from explorer.gantt.gestures.row_gestures import EdgeScroll
from explorer.gantt.gestures.stage_gestures import is_above
from explorer.gantt.gestures.stage_steps import StageSteps, facts_above
from explorer.gantt.gestures.task_steps import TaskSteps
from explorer.gantt.layers.arrival_mark import arrival_facts
from explorer.gantt.layers.drag_marks import DragPreview
from explorer.gantt.layers.layer import MarkFacts
from explorer.gantt.layers.overlays import Overlays, paint_focus, paint_overlays
from explorer.gantt.layers.time_marks import mark_facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6 import QtGui

    from core.explain.critical_path import CriticalPath
    from core.model.schedule import Schedule
    from explorer.document.time_axis import TimeAxis, TimeCursor
    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.gestures.gestures import Gesture, PreviewedDrag
    from explorer.gantt.layers.layer import HoverFacts
    from explorer.widgets.theme import Theme


class GanttView(QWidget):
    """Slots by time of one schedule; its title and its axis stand beside it.

    It shows and asks: what is selected and in which order jobs go is decided elsewhere.

    Attributes
    ----------
    axis : the time that is shown, shared with linked charts
    scene : what is painted
    look : moves the view
    hands : decide what a press holds
    pools : signals of drags in pools
    cursor_line : the time cursor as it is painted here; None in a chart without one
    facts : what there is to say about what is under the pointer, or None
    clicked_task : index of the task that `job_clicked` is about; -1 for the job as a whole

    Signals:
        pressed: a button of the mouse went down in it
        changed: it shows something else, or the same in another way
        job_clicked: index of the job that was clicked, -1 for none
        stage_clicked: number of the stage in the whole workload that was clicked, -1 for none
        stages_previewed, stages_dropped: index of a job, and the numbers of its stages in the order in which
            a drop would have them served, while one is dragged and when it is dropped
        stages_folded: the stages above the rows are to be folded away, or shown
        slot_clicked: number of the slot that was clicked where it runs nothing, and the seconds there
        task_hovered: `TaskFacts` of the task under the pointer, or None
        order_previewed: job names in the order that a drop now would give, while a block is dragged
        order_dropped: the same when it is dropped
        arrival_previewed, arrival_dropped: what is submitted is dragged so many seconds later, and dropped
        drag_cancelled: a drag was given up; what was previewed no longer holds
        context_requested: where (global position) a menu was asked for, and upon which job (or -1)
    """

    pressed = Signal()
    changed = Signal()
    job_clicked = Signal(int)
    stage_clicked = Signal(int)
    stages_previewed = Signal(int, object)
    stages_dropped = Signal(int, object)
    stages_folded = Signal()
    slot_clicked = Signal(int, float)
    task_hovered = Signal(object)
    order_previewed = Signal(object)
    order_dropped = Signal(object)
    arrival_previewed = Signal(float)
    arrival_dropped = Signal()
    drag_cancelled = Signal()
    context_requested = Signal(QPoint, int)

    def __init__(self, axis: TimeAxis, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, mouseTracking=True, focusPolicy=Qt.FocusPolicy.StrongFocus)
        self.axis = axis
        self.scene = ChartScene(theme, self.font(), in_stack=True)
        self._gesture: Gesture | None = None
        self._drag: PreviewedDrag | None = None
        self._pointer: QPointF | None = None
        self._hovered: Hit = NOTHING
        self._has_no_card = False  # until the pointer goes elsewhere
        self.facts: HoverFacts | None = None
        self._ring = FocusRing(self)
        self.pools, self._edge_scroll = PoolDrags(self, self), EdgeScroll(self, self)
        self.hands = Hands(self, self.pools, lambda at: self._hit(at).place)
        self._grip = NO_GRIP
        self.cursor_line: CursorLine | None = None
        self.end_line: CursorLine | None = None
        self.clicked_task = -1
        self._by_pool = False
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Gantt chart")
        self.scene.layers.leave_much_for_later()
        self._pictures = LaterPictures(self.scene.layers.later, self)
        self._pictures.drawn.connect(self._paint_anew)
        self.look: Navigation = Navigation(axis, self.scene, self.frame, self)
        self.look.rows_moved.connect(self.update)
        self.look.fit_rows(False)
        self.accessible_tasks = AccessibleTasks(self, self)
        self.steps = TaskSteps(self, self.accessible_tasks.announce)
        self.stage_steps = StageSteps(self, self.accessible_tasks.announce)
        axis.range_changed.connect(self._paint_anew)
        axis.cursor_changed.connect(self.update)

    # ---- what it shows

    @property
    def content(self) -> ChartContent:
        """What is shown now."""
        return self.scene.content

    @property
    def is_drawn(self) -> bool:
        """Whether nothing of it is still to come from a thread."""
        return not self._pictures.is_awaited

    def set_schedule(
        self,
        schedule: Schedule | None,
        by_pool: bool = False,
        prepared: Iterable[ScheduleRows] = (),
        **fields: Any,  # of ChartContent, by name
    ) -> None:
        """Show a schedule, or nothing, with other content; its rows are slots or belong to pools of jobs.

        `ghost` is an older schedule of the same jobs to show beside it; without it the one shown stays.
        `prepared` are rows that were sorted in a thread, if they are of these schedules.
        """
        self._by_pool, prepared = by_pool, tuple(prepared)
        rows, before = self._rows_of(schedule, prepared), self.content.rows
        if rows is None or before is None or rows.schedule.workload is not before.schedule.workload:
            self._grip = NO_GRIP  # jobs may be others, or fewer
        ghost = self._rows_of(fields.pop("ghost"), prepared) if "ghost" in fields else self.content.ghost
        self._hovered, self.facts = NOTHING, None
        self.change(rows=rows, ghost=ghost if ghost and rows and ghost.fits(rows) else None, **fields)

    def set_ghost(self, schedule: Schedule | None) -> None:
        """Show an older schedule of the same jobs beside it, or none."""
        ghost = self._rows_of(schedule)
        rows = self.content.rows
        self.change(ghost=ghost if ghost and rows and ghost.fits(rows) else None)

    def change(self, **fields: Any) -> None:  # Any: fields of ChartContent, by name
        """Show other content, as `title="FIFO", lower_bound=40.0`; what is shown already is left."""
        shown = ((getattr(self.content, name), value) for name, value in fields.items())
        if any(old is not new and not (isinstance(new, str) and old == new) for old, new in shown):
            self.scene.change(**fields)
            self.update()
            self.changed.emit()
            self.setAccessibleName(f"Gantt chart {self.content.title}".strip())
            if fields.keys() & DESCRIBED:
                self.setAccessibleDescription(self.content.description)
                self.accessible_tasks.change()

    def set_theme(self, theme: Theme) -> None:
        """Paint in other colours."""
        self.scene.set_theme(theme)
        self.update()
        self.changed.emit()

    def set_critical_path(self, schedule: Schedule, path: CriticalPath | None) -> None:
        """Show why the makespan of a schedule is what it is, while that schedule is shown; or stop it."""
        self.change(critical_path=(schedule, path) if path is not None else None)

    def set_selected_task(self, task: int) -> None:
        """Outline one task and bring its row into view; -1 for none."""
        self.change(selected_task=task)
        self.look.show_task(task)

    def set_time_cursor(self, cursor: TimeCursor, end: TimeCursor | None = None) -> None:
        """Show the instant that is looked at, and the time by which all is to end."""
        self.cursor_line = CursorLine(cursor, self, self)
        self.end_line = None if end is None else CursorLine(end, self, self)
        cursor.moved.connect(self._put_card_away)

    def set_order(self, names: Sequence[str]) -> None:
        """Set the order of the jobs; with none, blocks cannot be dragged."""
        self.hands.order = tuple(names)

    def _rows_of(
        self, schedule: Schedule | None, prepared: Iterable[ScheduleRows] = ()
    ) -> ScheduleRows | None:
        """Sort a schedule into rows, unless that was done already."""
        known = (*prepared, self.content.rows, self.content.ghost, self._drag.base if self._drag else None)
        return known_rows(schedule, self._by_pool, known)

    # ---- geometry

    @override
    def sizeHint(self) -> QSize:
        return QSize(900, 480)

    @override
    def minimumSizeHint(self) -> QSize:
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

    def slot_at(self, position: QPointF) -> int:
        """Return the slot of a row under a pixel, or -1."""
        rows = self.content.rows
        return self._hit(position).slot if rows is not None and rows.are_slots else -1

    def _hit(self, position: QPointF) -> Hit:
        frame, rows = self.frame(), self.content.rows
        if rows is None or not frame.places.plot.contains(position.toPoint()):
            return NOTHING
        inside = position - frame.places.plot.topLeft().toPointF()
        return hit(rows.columns, frame.layout, frame.scale, inside.x(), inside.y())

    # ---- selecting by key

    def select_by(self, step: int) -> None:
        """Request that the job so many places further is selected."""
        job = job_beside(self.content, self.hands.order, step)
        if job >= 0:
            self.click(job)

    def click(self, job: int, task: int = -1) -> None:
        """Request that a job, or one task of it, is selected; that nothing is if the job is -1."""
        self.clicked_task = task
        self.job_clicked.emit(job)

    def click_stage(self, stage: int) -> None:
        """Request that a stage is selected, by its number in the whole workload; none for -1."""
        self.stage_clicked.emit(stage)

    # ---- dragging a block

    @property
    def is_dragged(self) -> bool:
        """Whether something in it is dragged."""
        return self._drag is not None

    def show_drag(self, drag: PreviewedDrag) -> None:
        """Show that something is dragged: the schedule as it was becomes the ghost."""
        self._drag = drag
        self.scene.change(ghost=drag.ghost)
        self.scene.emphasise(drag.job, DRAG_FADED)
        self._hover(NOTHING)
        self.axis.set_cursor(None)  # where it began says nothing of where it goes

    def end_drag(self, rows: ScheduleRows | None, ghost: ScheduleRows | None) -> None:
        """End showing it: go back to the given rows, or stay with what is shown for None."""
        self._drag = None
        self._edge_scroll.follow(None, QPointF())
        self.scene.emphasise(self.content.selected_job, FADED)
        self.change(ghost=ghost, **({"rows": rows} if rows else {}))

    def cancel_gesture(self) -> None:
        """Give up what the mouse is doing."""
        gesture, self._gesture = self._gesture, None
        if gesture:
            gesture.cancel()
            self.unsetCursor()

    def _put_card_away(self) -> None:
        """Hide the card until the mouse moves: keys or playing show another time meanwhile."""
        if self._pointer is not None and not self._gesture:
            self._pointer = None
            self.update()

    # ---- events

    def _paint_anew(self) -> None:
        self.scene.invalidate()
        self.update()

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and self._gesture and gives_up(event):
                event.accept()  # else a shortcut of the window would take it
                return True
            if event.key() == Qt.Key.Key_Shift and self._pointer is not None and not self._gesture:
                self._reach(self._pointer, SHIFT if event.type() == QEvent.Type.KeyPress else NO_KEYS)
                self.update()
        return super().event(event)

    @override
    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.pressed.emit()
        if self._gesture or event.button() not in (LEFT, MIDDLE):
            return
        grip = self.hands.grip(event.position(), event.modifiers(), event.button())
        self._gesture = self.hands.gesture(grip, event.position(), event.modifiers())
        self.setCursor(grip.hold.value[1])

    @override
    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        self._pointer = event.position()
        if self._gesture:
            self._gesture.move(event.position())
            self._edge_scroll.follow(self._drag, event.position())
        else:
            self._look_at(event.position(), event.modifiers())

    def _look_at(self, position: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        """Show what is at the pointer: its time in all charts, its card, and what a press would hold."""
        frame = self.frame()
        plot, at = frame.places.plot, position.toPoint()
        above = is_above(frame, position)
        inside = plot.contains(at) or (above and plot.left() <= at.x() <= plot.right())
        self._reach(position, modifiers)
        is_shown = inside and self.content.rows is not None
        self.axis.set_cursor(self.time_at(position.x()) if is_shown else None)
        arrival = arrival_facts(frame, position)
        self._hover(NOTHING if arrival else self._hit(position), position.x())
        if above:
            self.facts = facts_above(frame, position)
        elif (facts := arrival or mark_facts(frame, position)) is not None:
            self.facts = facts

    def _reach(self, position: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        """Show by the pointer what a press here would hold."""
        self._grip = self.hands.grip(position, modifiers)
        if self._grip.hold.value[0] != self.cursor().shape():
            self.setCursor(self._grip.hold.value[0])

    def point_at(self, position: QPointF | None, found: Hit) -> None:
        """Show the description of something as if the pointer were there; None for nowhere."""
        self._pointer, self._grip = position, NO_GRIP
        self._hover(found, 0.0 if position is None else position.x())

    def _hover(self, found: Hit, x: float = 0.0) -> None:
        """Look up the description of a pixel."""
        rows, frame = self.content.rows, self.frame()
        is_new = found != self._hovered
        self._has_no_card = self._has_no_card and not is_new
        self._hovered = found
        if rows is not None and (is_new or found.place < 0 or isinstance(self.facts, MarkFacts)):
            self.facts = self.scene.facts_at(found, frame.time(x - 1), frame.time(x + 1))
        if is_new:
            self.task_hovered.emit(self.facts if found.place >= 0 else None)
        self.update()

    @override
    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        gesture, self._gesture = self._gesture, None
        if gesture:
            gesture.finish()
            self._look_at(event.position(), event.modifiers())
            # what was clicked is known; a card would cover where it may be dragged to
            self._has_no_card = self._hovered.place >= 0

    @override
    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        job = self.job_at(event.position())
        if job >= 0:
            self.look.zoom_to_job(job)
        else:
            self.look.fit()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        if not self._gesture:
            self.axis.set_cursor(None)
            self.point_at(None, NOTHING)

    @override
    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        event.setAccepted(self.look.wheel(event))

    @override
    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if self._gesture and gives_up(event):
            self.cancel_gesture()
        elif event.key() == Qt.Key.Key_Escape and self.steps.leave():
            event.accept()
        elif event.key() != Qt.Key.Key_Escape and (binding := binding_of(event)) is not None:
            self._put_card_away()  # Escape is for what is around then
            binding.call(self)
        else:
            super().keyPressEvent(event)

    @override
    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        self._put_card_away()  # else it stays under the menu
        self.context_requested.emit(event.globalPos(), self.job_at(QPointF(event.pos())))

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.scene.set_font(self.font())

    @override
    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self.scene.resize(self.width(), self.height(), self.devicePixelRatioF())

    @override
    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        frame = self.frame()
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self.scene.still(frame))
            paint_overlays(painter, frame, self._overlays())
            if self._ring.is_shown:
                paint_focus(painter, frame)
        self._pictures.start()

    def _overlays(self) -> Overlays:
        drag, cursor = self._drag, self.cursor_line.mark() if self.cursor_line else None
        preview = None
        if drag:
            where = drag.drop_time(), drag.kind, drag.group
            preview = DragPreview(drag.base, drag.job, drag.text(), *where, drag.before)
        crosshair, words = self.axis.cursor, self.hands.words(self._grip)
        end, over = self.end_line.mark() if self.end_line else None, self._hovered.place
        pointer = None if self._has_no_card and preview is None else self._pointer
        return Overlays(preview, over, self.facts, pointer, crosshair, cursor, words, end)
