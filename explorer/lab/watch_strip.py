"""Watched numbers as curves below the charts, on their time axis and in the colours of the jobs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PySide6.QtCore import QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from core.model.task_types import MAP, REDUCE
from core.model.time_text import clock_text
from explorer.plots.step_curve import StepCurve
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.theme import theme_of, translucent

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QMouseEvent, QPaintEvent, QWheelEvent

    from core.explain.trace import Trace, Watched
    from core.model.schedule import Schedule
    from explorer.document.time_axis import TimeAxis
    from explorer.document.view_state import ViewState
    from explorer.gantt.gantt_view import GanttView

LANE, MIN_LANE, MIN, GRIP = 64, 40, 46, 5
"""Pixels of a curve's row at first and at least, of the strip at least, and of the edge that is dragged."""
MAX_PART = 0.34
"""Of the charts and the strip together."""
FEW = 8
"""So many jobs are named; of more the selected one stands out."""
FAINT_ALPHA = 80
MANY = 50
"""More curves are drawn without smooth edges, and anew only when zooming pauses."""
PAUSE_MS = 80
AIR = 4
TIP = "Watched values. Drag the upper edge to make it higher; press to move the cursor"
TOP_RIGHT = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight
BOTTOM_RIGHT = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight


class JobCurve(NamedTuple):
    """The values of one job, from `begin` to `end` seconds.

    Both are -1 where they make no difference: the job, and the kind of task that it is asked for.
    """

    job: int
    kind: int
    steps: StepCurve
    begin: float
    end: float


class Lane(NamedTuple):
    """The curves of one expression, and between which values they lie."""

    watched: Watched
    curves: tuple[JobCurve, ...]
    low: float
    high: float

    @property
    def jobs(self) -> int:
        """Of how many jobs there are curves; 1 where it is of none."""
        return len({curve.job for curve in self.curves})


def lanes_of(trace: Trace, schedule: Schedule | None) -> tuple[Lane, ...]:
    """Return what can be drawn of a trace; a job's curve ends with the job, and has gaps without numbers."""
    return tuple(_lane(watched, trace, schedule) for watched in trace.watched if watched.is_number)


def _lane(watched: Watched, trace: Trace, schedule: Schedule | None) -> Lane:
    jobs, kinds = watched.job, watched.kind
    values = np.where(np.isfinite(watched.value), watched.value, np.nan)
    times = trace.decisions.time[watched.decision]
    curve = 3 * jobs.astype(np.int64) + kinds
    order = np.argsort(curve, kind="stable")
    last = float(trace.decisions.time[-1])
    curves = []
    for of_curve in np.split(order, np.flatnonzero(np.diff(curve[order])) + 1):
        group = of_curve[np.logical_or.accumulate(np.isfinite(values[of_curve]))]  # from its first number on
        if not len(group):
            continue
        job, kind = int(jobs[group[0]]), int(kinds[group[0]])
        end = last
        if schedule is not None and 0 <= job < len(schedule.finish):
            end = float((schedule.stage_end if kind == MAP else schedule.finish)[job])
        steps = StepCurve(times[group], values[group])
        curves.append(JobCurve(job, kind, steps, float(times[group[0]]), end))
    return Lane(watched, tuple(curves), float(np.nanmin(values)), float(np.nanmax(values)))


def _value_text(value: float) -> str:
    return "has no number" if math.isnan(value) else f"{value:.5g}"


class WatchStrip(QWidget):
    """One row for each expression that has numbers; out of sight where there is none.

    A press moves the time cursor, its upper edge is dragged to make it higher.

    Attributes
    ----------
    lanes : what is drawn

    Signals
    -------
    resized : the height that the user has chosen, in pixels
    """

    resized = Signal(int)

    def __init__(
        self,
        chart: Callable[[], GanttView | None],
        view_state: ViewState,
        axis: TimeAxis,
        parent: QWidget,
        height: int = 0,
    ) -> None:
        super().__init__(parent, mouseTracking=True, accessibleName="Watched values over time", toolTip=TIP)
        self._around = parent
        self._chart, self._view_state, self._axis = chart, view_state, axis
        self.lanes: tuple[Lane, ...] = ()
        self._names: tuple[str, ...] = ()
        self._colour_of: Callable[[int], QColor] = lambda _job: QColor("gray")
        self._chosen, self._dragged_from = height, -1
        self._picture: tuple[tuple[Any, ...], QPixmap] | None = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._redraw)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for signal in (axis.range_changed, axis.cursor_changed, view_state.time_cursor.moved):
            signal.connect(self.update)
        view_state.selected_job_changed.connect(self._redraw)
        self.hide()

    def show_trace(self, trace: Trace | None, schedule: Schedule | None, names: tuple[str, ...]) -> None:
        """Show the numbers of a trace, or nothing."""
        has_any = trace is not None and len(trace.decisions.time)
        self.lanes = lanes_of(trace, schedule) if trace is not None and has_any else ()
        self._names = names
        gaps = ((lane.watched.watch.text, lane.watched.why_no_value) for lane in self.lanes)
        self.setToolTip(tooltip("\n".join([TIP, *(f"Gaps of {text}: {why}" for text, why in gaps if why)])))
        self._fit()
        self.setVisible(bool(self.lanes))
        self._redraw()

    def set_colours(self, colour_of: Callable[[int], QColor]) -> None:
        """Take the jobs' colours, by place in the workload."""
        self._colour_of = colour_of
        self._redraw()

    def _redraw(self) -> None:
        self._picture = None
        self.update()

    def _fit(self) -> None:
        wanted = self._chosen or GRIP + LANE * min(max(len(self.lanes), 1), 3)
        most = round(self._around.height() * MAX_PART)
        self.setFixedHeight(max(MIN, min(wanted, max(most, MIN))))

    @override
    def sizeHint(self) -> QSize:
        return QSize(400, self.height())

    # ---- places

    def _scale(self) -> tuple[GanttView, int, QRectF] | None:
        """Return the chart whose times are shown, where it begins, and the room of the curves."""
        view = self._chart()
        if view is None or view.content.rows is None:
            return None
        offset = view.mapTo(self._around, QPoint()).x() - self.x()
        plot = view.frame().unveiled.places.plot
        return view, offset, QRectF(offset + plot.left(), GRIP, plot.width(), self.height() - GRIP)

    def _lane_areas(self, room: QRectF) -> list[QRectF]:
        count = max(min(len(self.lanes), int(room.height() // MIN_LANE)), 1)
        height = room.height() / count
        return [QRectF(room.left(), room.top() + i * height, room.width(), height) for i in range(count)]

    # ---- painting

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme, scale = theme_of(self), self._scale()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.window)
            painter.fillRect(0, 0, self.width(), 1, theme.line)
            if scale is None:
                return
            view, offset, room = scale
            key = (self._axis.range, self.size(), room, theme, self.devicePixelRatio())
            self._paint_curves(painter, key, room)
            for at, colour in ((self._axis.cursor, theme.crosshair), (self._cursor(), theme.cursor)):
                if at is not None and self._axis.t0 <= at <= self._axis.t1:
                    x = offset + view.frame().unveiled.x(at)
                    painter.fillRect(QRectF(round(x), GRIP, 1, room.height()), colour)
            self._write(painter, room)

    def _paint_curves(self, painter: QPainter, key: tuple[Any, ...], room: QRectF) -> None:
        """Draw the curves, many of them as they were, stretched, as long as times change."""
        before = self._picture
        if before is not None and before[0] != key and before[0][1:] == key[1:] and self._has_many:
            old, new = before[0][0], key[0]
            scale = room.width() / new.span
            stretched = QRectF(
                room.left() + (old.start - new.start) * scale, 0, old.span * scale, self.height()
            )
            source = QRectF(room.left(), 0, room.width(), self.height())
            ratio = self.devicePixelRatio()
            source = QRectF(source.x() * ratio, 0, source.width() * ratio, source.height() * ratio)
            painter.setClipRect(room)
            painter.drawPixmap(stretched, before[1], source)
            painter.setClipping(False)
            self._pause.start()
            return
        if before is None or before[0] != key:
            self._picture = key, self._drawn(room)
        if self._picture is not None:
            painter.drawPixmap(0, 0, self._picture[1])

    @property
    def _has_many(self) -> bool:
        return any(len(lane.curves) > MANY for lane in self.lanes)

    def _cursor(self) -> float | None:
        return self._view_state.time_cursor.seconds

    def _drawn(self, room: QRectF) -> QPixmap:
        """Return the curves as a picture: it holds until times, size or colours change."""
        ratio, theme = self.devicePixelRatio(), theme_of(self)
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            for lane, area in zip(self.lanes, self._lane_areas(room), strict=False):
                painter.fillRect(area.adjusted(0, 0, 0, -1), theme.plot)
                painter.setClipRect(area)
                painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(lane.curves) <= MANY)
                selected = self._selected()
                recede = lane.jobs > FEW or any(curve.job == selected for curve in lane.curves)
                inner = area.adjusted(0, AIR + 2, 0, -AIR - 2)
                for curve in sorted(lane.curves, key=lambda each: each.job == selected):
                    painter.setPen(self._pen(curve, stands_out=curve.job == selected, recedes=recede))
                    self._draw(painter, lane, curve, inner)
                painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
                painter.setClipping(False)
        return picture

    def _selected(self) -> int:
        name = self._view_state.selected_job
        return self._names.index(name) if name in self._names else -2

    def _draw(self, painter: QPainter, lane: Lane, curve: JobCurve, area: QRectF) -> None:
        # a third of a second, where there are curves
        from pyqtgraph.functions import arrayToQPath, arrayToQPolygonF

        begin, end = max(self._axis.t0, curve.begin), min(self._axis.t1, curve.end)
        if end <= begin:
            return
        part = (end - begin) / self._axis.range.span
        line = curve.steps.outline(begin, end, max(int(part * area.width()), 1))
        span = lane.high - lane.low
        share = (line.y - lane.low) / span if span > 0 else np.full(len(line.y), 0.5)
        xs = area.left() + (line.x - self._axis.t0) / self._axis.range.span * area.width()
        ys = area.bottom() - share * area.height()
        is_flat = (ys[:-2] == ys[1:-1]) & (ys[1:-1] == ys[2:])  # points that lie on a line to both sides
        bends = np.concatenate([[True], ~is_flat, [True]])
        xs, ys = xs[bends], ys[bends]
        if np.isnan(ys).any():
            painter.drawPath(arrayToQPath(xs, ys, connect="finite"))
        else:
            painter.drawPolyline(arrayToQPolygonF(xs, ys))

    def _pen(self, curve: JobCurve, *, stands_out: bool, recedes: bool) -> QPen:
        colour = QColor(self._colour_of(curve.job) if curve.job >= 0 else theme_of(self).accent)
        if recedes and not stands_out:
            colour.setAlpha(FAINT_ALPHA)
        style = Qt.PenStyle.DashLine if curve.kind == REDUCE else Qt.PenStyle.SolidLine
        return QPen(colour, 1.0 if recedes and not stands_out else 2.0, style)

    def _write(self, painter: QPainter, room: QRectF) -> None:
        """Write what each row is, its smallest and largest value, and the values at the pointer or cursor."""
        theme, small = theme_of(self), self.font()
        small.setPointSizeF(max(small.pointSizeF() - 1.0, 6.0))
        painter.setFont(small)
        letters = painter.fontMetrics()
        areas = self._lane_areas(room)
        for lane, area in zip(self.lanes, areas, strict=False):
            gutter = QRectF(0, area.top(), area.left() - AIR, area.height() - 1)
            painter.setPen(theme.second_text)
            painter.drawText(gutter, TOP_RIGHT, f"{lane.high:.5g}")
            if lane.high > lane.low:
                painter.drawText(gutter, BOTTOM_RIGHT, f"{lane.low:.5g}")
            text = self._lane_text(lane)
            if len(self.lanes) > len(areas) and lane is self.lanes[len(areas) - 1]:
                text += f"   (and {len(self.lanes) - len(areas)} more: drag the upper edge)"
            text = letters.elidedText(text, Qt.TextElideMode.ElideRight, round(area.width()) - 12)
            back = translucent(theme.plot, 215)
            box = QRectF(
                area.left() + 2, area.top() + 1, letters.horizontalAdvance(text) + 8, letters.height()
            )
            painter.fillRect(box, back)
            painter.setPen(theme.text)
            painter.drawText(box.adjusted(4, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)

    def _lane_text(self, lane: Lane) -> str:
        """Return what a row is, and its values at the pointer, or at the cursor."""
        unit = f" ({lane.watched.unit})" if lane.watched.unit else ""
        at = self._axis.cursor if self._axis.cursor is not None else self._cursor()
        text = f"{lane.watched.watch.text}{unit}"
        if lane.jobs > FEW:
            text += f", {lane.jobs} jobs"
        if any(curve.kind == REDUCE for curve in lane.curves):
            text += ", for reduces dashed"
        if at is None:
            return text
        chosen = [curve for curve in lane.curves if curve.job == self._selected()]
        curves = chosen or (lane.curves if lane.jobs <= FEW else ())
        values = [
            f"{self._name(curve)} {_value_text(curve.steps.value_at(at))}"
            for curve in curves
            if curve.begin <= at <= curve.end
        ]
        return f"{text}   at {clock_text(at)}: {', '.join(values).strip()}" if values else text

    def _name(self, curve: JobCurve) -> str:
        job = self._names[curve.job] if 0 <= curve.job < len(self._names) else ""
        return f"{job} {('maps', 'reduces')[curve.kind]}" if curve.kind >= 0 else job

    # ---- events

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if event.position().y() <= GRIP:
            self._dragged_from = round(event.globalPosition().y()) + self.height()
        else:
            self._move_cursor(event.position().x())

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged_from >= 0:
            self._chosen = max(self._dragged_from - round(event.globalPosition().y()), MIN)
            self._fit()
            return
        is_edge = event.position().y() <= GRIP
        self.setCursor(Qt.CursorShape.SplitVCursor if is_edge else Qt.CursorShape.ArrowCursor)
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._move_cursor(event.position().x())
        self._axis.set_cursor(self._time_at(event.position().x()))

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._dragged_from >= 0:
            self._dragged_from = -1
            self._chosen = self.height()
            self.resized.emit(self._chosen)

    @override
    def leaveEvent(self, event: Any) -> None:
        self._axis.set_cursor(None)
        super().leaveEvent(event)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom and pan as the chart does."""
        view = self._chart()
        event.setAccepted(view is not None and bool(event.modifiers()) and view.look.wheel(event))

    def _time_at(self, x: float) -> float | None:
        scale = self._scale()
        if scale is None or not scale[2].left() <= x <= scale[2].right():
            return None
        return self._axis.t0 + (x - scale[2].left()) / scale[2].width() * self._axis.range.span

    def _move_cursor(self, x: float) -> None:
        at = self._time_at(x)
        if at is not None:
            self._view_state.time_cursor.show_at(at)
