"""What happens to nodes: a bar upon their rows where one fails, returns, or gets slower or faster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPolygonF
from typing_extensions import override

from core.charts.node_marks import events_of, marks_of, outcomes_of
from core.model.task_types import MAP
from core.model.time_text import clock_text
from explorer.gantt.layers.layer import Layer, Sign

if TYPE_CHECKING:
    from PySide6.QtCore import QRect

    from core.charts.schedule_rows import ScheduleRows
    from core.model.node_events import NodeEvent
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.tasks_in_view import Hit
    from explorer.widgets.theme import Theme

BAR, SIGN, APART = 2, 7, 4
"""Pixels of a bar across rows, of the sign at its head, and from it to where the pointer still finds it."""
MIN_SIGN_ROW = 7
"""Pixels of a row from which the sign has room."""


@dataclass(frozen=True, slots=True)
class EventFacts:
    """What happens to a node, for the pointer's card.

    Attributes
    ----------
    event : what happens
    back : when a node that fails returns, in s; infinity for never
    lost : how many tasks are lost with it
    """

    event: NodeEvent
    back: float
    lost: int

    @property
    def job(self) -> int:
        """It is of no job."""
        return -1

    @property
    def kind(self) -> int:
        """It is of no kind of task."""
        return MAP

    @property
    def title(self) -> str:
        """Which node, and what happens to it."""
        words = {
            "fails": "fails",
            "returns": "is back",
            "speed": f"runs at {self.event.speed:.4g} of its speed",
        }
        return f"Node N{self.event.node + 1} {words[self.event.kind]}"

    def lines(self) -> list[tuple[str, str]]:
        """Return when it happens, when the node is back, and what is lost."""
        found = [("at", clock_text(self.event.time))]
        if self.event.kind == "fails":
            found.append(("back", clock_text(self.back) if self.back < np.inf else "never"))
            found.append(("lost", f"{self.lost} task{'s' * (self.lost != 1)}"))
        return found

    def note(self) -> str:
        """Say what becomes of what it ran."""
        return "What it ran is lost and runs again." if self.event.kind == "fails" and self.lost else ""


def facts_of(rows: ScheduleRows, place: int) -> EventFacts:
    """Return the facts of one of `events_of`."""
    return EventFacts(events_of(rows)[place], *outcomes_of(rows)[place])


class NodeEventsLayer(Layer):
    """A bar for each event upon the rows of its node; its sign is filled for a failure, else hollow."""

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        paint_events(painter, frame, rows, frame.places.plot)

    @override
    def facts_at(self, rows: ScheduleRows, found: Hit, early: float, late: float) -> EventFacts | None:
        marks = marks_of(rows)
        if found.slot < 0 or not len(marks.slot):
            return None
        reach = APART * (late - early) / 2
        near = (marks.time >= early - reach) & (marks.time <= late + reach) & (marks.slot == found.slot)
        if not near.any():
            return None
        middle = (early + late) / 2
        nearest = np.flatnonzero(near)[np.argmin(np.abs(marks.time[near] - middle))]
        return facts_of(rows, int(marks.event[nearest]))

    @override
    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        kinds = {each.kind for each in events_of(rows)}
        return tuple(sign for kind, sign in SIGNS.items() if kind in kinds)


def paint_events(painter: QPainter, frame: ChartFrame, rows: ScheduleRows, clip: QRect) -> None:
    """Draw the bars of what happens in a part of the plot."""
    marks = marks_of(rows)
    shown = (marks.time >= frame.scale.start) & (marks.time <= frame.scale.end)
    shown &= frame.layout.shows(marks.slot)
    if not shown.any():
        return
    painter.save()
    painter.setClipRect(clip)
    events, before = events_of(rows), (-1, -2)
    boxes = frame.boxes(marks.slot[shown], marks.time[shown], marks.time[shown])
    places = zip(marks.slot[shown].tolist(), marks.event[shown].tolist(), boxes, strict=True)
    for slot, event, (left, _, top, bottom) in places:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        ink = _ink(events[event].kind, frame.theme)
        painter.fillRect(QRectF(round(left) - BAR / 2, top, BAR, max(bottom - top, 1)), ink)
        if before != (event, slot - 1) and bottom - top >= MIN_SIGN_ROW:
            _paint_sign(painter, QPointF(round(left), top), events[event].kind, ink, frame.theme)
        before = (event, slot)
    painter.restore()


def _ink(kind: str, theme: Theme) -> QColor:
    return theme.worse if kind == "fails" else theme.text


def _paint_sign(painter: QPainter, head: QPointF, kind: str, ink: QColor, theme: Theme) -> None:
    """Draw the sign at the head of a bar: a triangle that points down for a failure, up for a return."""
    half = SIGN / 2
    top, foot = head.y() + 1, head.y() + 1 + SIGN
    low, high = (foot, top) if kind == "fails" else (top, foot)
    corners = [QPointF(head.x() - half, high), QPointF(head.x() + half, high), QPointF(head.x(), low)]
    if kind == "speed":
        middle = (top + foot) / 2
        corners = [QPointF(head.x(), top), QPointF(head.x() + half, middle), QPointF(head.x(), foot)]
        corners.append(QPointF(head.x() - half, middle))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(ink)
    painter.setBrush(ink if kind == "fails" else theme.window)
    painter.drawPolygon(QPolygonF(corners))


def _sign(text: str, kind: str, priority: int, tip: str) -> Sign:
    def draw(painter: QPainter, place: QRectF, _fill: QColor, theme: Theme) -> None:
        ink = _ink(kind, theme)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.fillRect(QRectF(round(place.center().x()) - BAR / 2, place.top(), BAR, place.height()), ink)
        _paint_sign(painter, QPointF(round(place.center().x()), place.top()), kind, ink, theme)

    return Sign(text, priority, draw=draw, tip=tip)


SIGNS = {
    "fails": _sign("node fails", "fails", 7, "a node fails: what it runs is lost and runs again"),
    "returns": _sign("node is back", "returns", 6, "a node that had failed takes tasks again"),
    "speed": _sign("node speed", "speed", 6, "from then on a node runs tasks slower, or faster again"),
}
