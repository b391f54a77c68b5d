"""Flags above the time slider: when each job arrives. A flag can be dragged to another time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPolygonF
from typing_extensions import override

from core.model.time_text import clock_text
from explorer.scans.scan_colours import NOTHING, Marked, frame, sized_font
from explorer.widgets.plain_labels import TipWidget
from explorer.widgets.theme import fill_with, theme_of

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from explorer.scans.scan_story import ScanStory

HIGH, GROOVE_INSET = 18, 6.0
"""Pixels of the strip, and from the slider's edge to the middle of its handle at time 0."""
FLAG, REACH, MIN_DRAG = 4.0, 6.0, 3
LARGER = 0.82
GAP = 3.0


class Flag(NamedTuple):
    """One job's arrival: the job of the workload, its dataset, and the place of its sign."""

    job: int
    dataset: int
    x: float


class ArrivalStrip(TipWidget):
    """Shows when jobs arrive, in the hues of their datasets, named where there is room.

    Signals
    -------
    job_pressed : index of a job of the workload
    dragged, dropped : job, arrival in seconds, dataset's number; while it goes on, and once
    drag_cancelled : Escape was pressed
    pointed : `Marked`, the job at the pointer
    """

    job_pressed = Signal(int)
    dragged = Signal(int, float, int)
    dropped = Signal(int, float, int)
    drag_cancelled = Signal()
    pointed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(HIGH)
        self.setMouseTracking(True)
        self.setAccessibleName("Arrivals of jobs")
        self._story: ScanStory | None = None
        self._end, self._grabbed_x = 0.0, 0.0
        self._marked = NOTHING
        self._grabbed: Flag | None = None
        self._time: float | None = None

    def show_story(self, story: ScanStory | None, end: float) -> None:
        """Show the arrivals of a schedule's jobs, on a slider that ends at so many seconds."""
        self._story, self._end = story, end
        self.update()

    def mark(self, marked: Marked) -> None:
        """Let some jobs stand out."""
        self._marked = marked
        self.update()

    def x_of(self, seconds: float) -> float:
        """Return the pixel of a time."""
        return GROOVE_INSET + seconds / max(self._end, 1e-9) * (self.width() - 2 * GROOVE_INSET)

    def flags(self) -> list[Flag]:
        """Return the flag of every job, by arrival."""
        if self._story is None:
            return []
        jobs = self._story.schedule.jobs
        columns = (self._story.job.tolist(), jobs.dataset.tolist(), jobs.arrival.tolist())
        return [
            Flag(job, dataset, self.x_of(arrival)) for job, dataset, arrival in zip(*columns, strict=True)
        ]

    def flag_at(self, x: float) -> Flag | None:
        """Return the flag nearest to a pixel, within reach; or None."""
        near = [flag for flag in self.flags() if abs(flag.x - x) <= REACH]
        return min(near, key=lambda flag: abs(flag.x - x), default=None)

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._story is None:
            return
        theme = theme_of(self)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(sized_font(self, LARGER))
            metrics = QFontMetricsF(painter.font())
            written = -1e9
            for flag in sorted(self.flags(), key=lambda each: each.x):
                colour = frame(flag.dataset, theme)
                if self._marked.jobs and flag.job not in self._marked.jobs:
                    colour = theme.line
                fill_with(painter, colour)
                foot = float(self.height())
                top = foot - FLAG
                corners = [(flag.x - FLAG, top), (flag.x + FLAG, top), (flag.x, foot)]
                painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
                name = self._story.job_names[flag.job]
                wide = metrics.horizontalAdvance(name)
                left = min(max(flag.x - wide / 2, 0.0), self.width() - wide)
                if left >= written + GAP and wide < self.width() / 4:
                    painter.setPen(theme.second_text)
                    painter.drawText(QRectF(left, 0, wide + 1, top), Qt.AlignmentFlag.AlignVCenter, name)
                    written = left + wide
            if self._grabbed is not None and self._time is not None:
                painter.setPen(theme.link)
                x = self.x_of(self._time)
                painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        flag = self.flag_at(event.position().x())
        if event.button() == Qt.MouseButton.LeftButton and flag is not None:
            self._grabbed, self._grabbed_x, self._time = flag, event.position().x(), None
            self.job_pressed.emit(flag.job)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._grabbed is None:
            flag = self.flag_at(x)
            self.setCursor(Qt.CursorShape.ArrowCursor if flag is None else Qt.CursorShape.OpenHandCursor)
            self.pointed.emit(NOTHING if flag is None else Marked(frozenset((flag.job,))))
            return
        if self._time is None and abs(x - self._grabbed_x) < MIN_DRAG:
            return
        share = (self._grabbed.x + x - self._grabbed_x - GROOVE_INSET) / max(
            self.width() - 2 * GROOVE_INSET, 1
        )
        self._time = round(min(max(share, 0.0), 1.0) * self._end, 3)
        self.dragged.emit(self._grabbed.job, self._time, self._grabbed.dataset)
        self.update()

    @override
    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        grabbed, time = self._grabbed, self._time
        self._grabbed = self._time = None
        self.update()
        if grabbed is not None and time is not None:
            self.dropped.emit(grabbed.job, time, grabbed.dataset)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(NOTHING)
        super().leaveEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._grabbed is not None:
            self.let_go()
        else:
            super().keyPressEvent(event)

    def let_go(self) -> bool:
        """End a drag without a drop; return whether there was one."""
        was_dragged = self._grabbed is not None
        self._grabbed = self._time = None
        if was_dragged:
            self.drag_cancelled.emit()
            self.update()
        return was_dragged

    @override
    def tip_at(self, place: QPointF) -> str:
        flag = self.flag_at(place.x())
        if flag is None or self._story is None:
            return ""
        entry = self._story.job.tolist().index(flag.job)
        at = clock_text(float(self._story.schedule.jobs.arrival[entry]))
        return f"{self._story.job_names[flag.job]} arrives at {at}; drag to change that"
