"""Datasets as circles at one instant, what sharing saves, and what is left in which order (003, 2.2)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPainterPath
from PySide6.QtWidgets import QSizePolicy
from typing_extensions import override

from core.model.time_text import clock_text, duration_text
from explorer.scans.circle_drawing import LABEL_OUT, NAMED_RING, WINDOW_OUT, Canvas, CircleDrawing, DrawnPlace
from explorer.scans.circle_places import places
from explorer.scans.drop_drawing import Drop, draw_drop
from explorer.scans.scan_colours import NOTHING, Marked, sized_font
from explorer.scans.scan_words import state_text
from explorer.scans.side_drawing import draw_precedence, draw_saved, draw_waits
from explorer.widgets.plain_labels import TipWidget
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from core.shared_scans.dataset_clock import DatasetClock
    from explorer.scans.scan_story import ScanStory

AIR = 10.0
MIN_SIDE = 84
SMALL_HEIGHT = 225
"""Below so many pixels all circles stand in rows, and nothing beside them."""
WIDE, MEDIUM = 560, 360
"""From these widths on the second column has other circles, too, and there is a second column at all."""
COLUMN, MAX_COLUMN, SAVED = 266.0, 420.0, 104.0
MAX_RADIUS = 260.0
FEW, MAX_SMALL = 4, 6
"""Datasets up to which idle ones have a circle, too, and small circles at most."""
LABEL_ROOM = 74.0
"""Pixels beside a circle for the labels of its subjobs."""
MIN_DRAG, CATCH = 4, 6.0
"""Pixels of a move that drags, and around a circle in which a drop is still upon it."""
LARGER, BIG = 0.9, 1.45
"""Letters of labels and of the figure saved, against those of the window."""


class CircleChart(TipWidget):
    """One large circle for a dataset, others beside it; the scan runs clockwise from the top, as a clock.

    Attributes
    ----------
    can_drag : whether rings can be dragged to other circles

    Signals
    -------
    pointed : `Marked`, at what the pointer is
    chosen : `Marked`, what was clicked
    dataset_chosen : number of a dataset whose circle is to be the large one
    job_dragged, job_dropped : a job of the workload whose ring is dragged, and where, in pixels of the screen
    """

    pointed = Signal(object)
    chosen = Signal(object)
    dataset_chosen = Signal(int)
    job_dragged = Signal(int, QPointF)
    job_dropped = Signal(int, QPointF)

    def __init__(self) -> None:
        super().__init__()
        self._story: ScanStory | None = None
        self._time = 0.0
        self._looked_up: tuple[DatasetClock, ...] | None = None
        self._dataset = -1
        self._marked, self._over = NOTHING, NOTHING
        self.spots: list[DrawnPlace] = []
        self._circles: list[tuple[QRectF, int]] = []
        self._discs: list[tuple[QPointF, float, int]] = []
        self._drop: Drop | None = None
        self.can_drag = False
        self._grabbed, self._pressed_at, self._is_dragging = -1, QPointF(), False
        self.setMinimumSize(200, 110)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)

    @override
    def sizeHint(self) -> QSize:
        return QSize(300, 300)

    def show_story(self, story: ScanStory) -> None:
        """Show another schedule."""
        self._story = story
        self._look()

    def set_time(self, seconds: float) -> None:
        """Show another instant."""
        if seconds != self._time:
            self._time = seconds
            self._look()

    def show_dataset(self, dataset: int) -> None:
        """Let the circle of a dataset be the large one; -1 for that of the most jobs."""
        if dataset != self._dataset:
            self._dataset = dataset
            self.update()

    def show_job(self, job: int) -> None:
        """Let the circle be the large one on which a job of the workload has a ring."""
        if self._story is not None:
            entries = self._story.job.tolist()
            if job in entries:
                self.show_dataset(int(self._story.schedule.jobs.dataset[entries.index(job)]))

    def mark(self, marked: Marked) -> None:
        """Let some jobs or a subjob stand out."""
        if marked != self._marked:
            self._marked = marked
            self.update()

    def _look(self) -> None:
        self._looked_up = None
        self.update()

    def all_clocks(self) -> tuple[DatasetClock, ...]:
        """Return the clock of every dataset, the large circle's first."""
        large = self.large_dataset
        return tuple(sorted(self._known, key=lambda clock: clock.dataset != large))

    @property
    def _known(self) -> tuple[DatasetClock, ...]:
        """The clocks of all datasets, looked up when they are needed: a pane that is hidden needs none."""
        if self._looked_up is None:
            self._looked_up = () if self._story is None else self._story.clocks.at(self._time)
        return self._looked_up

    def clocks(self) -> tuple[DatasetClock, ...]:
        """Return what is shown: the large circle first or, in rows, by number; idle datasets last.

        Beside a large circle many datasets stand only while something is left to scan of them.
        """
        first = sorted(self._known, key=lambda clock: (not clock.hands, not clock.waiting))
        if self._is_small:
            return tuple(sorted(first[: self._most_clocks()], key=lambda clock: clock.dataset))
        large = self.large_dataset
        return tuple(
            clock
            for clock in sorted(first, key=lambda clock: clock.dataset != large)
            if clock.dataset == large or clock.left or len(first) <= FEW
        )

    @property
    def large_dataset(self) -> int:
        """The number of the dataset whose circle is the large one."""
        numbers = [clock.dataset for clock in self._known]
        if self._dataset in numbers or self._story is None:
            return self._dataset
        lines = self._story.timelines
        return max(lines, key=lambda line: len(line.jobs)).dataset if lines else -1

    def title(self) -> str:
        """Return what sharing has saved so far, and how many datasets have no room."""
        if self._story is None:
            return ""
        saved = max(self._story.saved.until(self._time), 0.0)
        left_out = sum(bool(c.hands or c.waiting) for c in self._known)
        left_out -= sum(bool(c.hands or c.waiting) for c in self.clocks())
        more = f" · {left_out} more dataset{'s' if left_out > 1 else ''}" if left_out > 0 else ""
        at = clock_text(self._time, largest=self._story.end)
        return f"{duration_text(saved)} saved by {at}{more}"

    # ---- places

    @property
    def _is_small(self) -> bool:
        return self.height() < SMALL_HEIGHT

    @property
    def _is_beside(self) -> bool:
        """Whether what belongs to the large circle stands beside it, not below."""
        return self.width() >= WIDE or (self.width() >= MEDIUM and self.height() < 0.95 * self.width())

    def _most_clocks(self) -> int:
        line = self.fontMetrics().height()
        rows = max(int((self.height() - line - 6) // (MIN_SIDE + line)), 1)
        return rows * max(self.width() // MIN_SIDE, 1)

    # ---- painting

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint_export(painter)

    def paint_export(self, painter: QPainter) -> None:
        """Draw everything as it stands, in the widget's own coordinates."""
        painter.fillRect(self.rect(), theme_of(self).plot)
        self._circles, self._discs = [], []
        if self._story is None:
            return
        marked = self._over if self._over.jobs else self._marked
        canvas = Canvas(
            painter,
            theme_of(self),
            self._story,
            self._time,
            marked,
            sized_font(self, LARGER),
            sized_font(self, LARGER, is_bold=True),
        )
        if self._is_small:
            self._draw_rows(canvas)
        else:
            self._draw_large(canvas)
        self.spots = canvas.spots
        if self._drop is not None:
            draw_drop(canvas, self._drop, self._discs, QRectF(self.rect()))

    def _draw_rows(self, canvas: Canvas) -> None:
        box = QRectF(6, 3, self.width() - 12, canvas.line)
        canvas.painter.setFont(canvas.small)
        canvas.painter.setPen(canvas.theme.second_text)
        canvas.painter.drawText(box, Qt.AlignmentFlag.AlignLeft, self.title())
        self._draw_circles(
            canvas, QRectF(0, box.bottom() + 3, self.width(), self.height() - box.bottom() - 3)
        )

    def _draw_circles(self, canvas: Canvas, room: QRectF) -> None:
        """Draw circles of equal size with their names below."""
        clocks = self.clocks() if self._is_small else self.clocks()[1 : 1 + MAX_SMALL]
        if not clocks:
            return
        lines = 1.0 if self._is_small else 2.0
        for clock, place in zip(clocks, places(room, len(clocks), lines * canvas.line), strict=True):
            below = lines * canvas.line
            window = WINDOW_OUT if canvas.story.windows is not None else 0.0
            radius = min(place.width(), place.height() - below) / 2 - 7 - window
            if radius < 8:
                continue
            centre = QPointF(place.center().x(), place.top() + (place.height() - below) / 2)
            CircleDrawing(canvas, clock, centre, radius).draw(has_labels=False)
            self._discs.append((centre, radius, clock.dataset))
            self._draw_caption(
                canvas, clock, QRectF(place.left(), place.bottom() - below, place.width(), below)
            )
            self._circles.append((place, clock.dataset))

    def _draw_caption(self, canvas: Canvas, clock: DatasetClock, box: QRectF) -> None:
        name, state = canvas.story.dataset_names[clock.dataset], state_text(clock)
        whole = f"{name}: {state}"
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        canvas.painter.setPen(canvas.theme.text if clock.hands or clock.waiting else canvas.theme.second_text)
        canvas.painter.setFont(canvas.small)
        if canvas.width(whole) <= box.width() or box.height() < 1.5 * canvas.line:
            canvas.painter.drawText(box, flags | Qt.TextFlag.TextDontClip, whole)
        else:
            canvas.painter.drawText(box, flags | Qt.TextFlag.TextDontClip, f"{name}:\n{state}")

    def _draw_large(self, canvas: Canvas) -> None:
        clocks = self.clocks()
        if not clocks:
            return
        whole = QRectF(self.rect()).adjusted(AIR, 6, -AIR, -6)
        wide = 0.0
        if self._is_beside:
            spare = whole.width() - (whole.height() - canvas.line) - 2 * LABEL_ROOM
            wide = min(max(COLUMN, spare), MAX_COLUMN)
            wide = wide if self.width() >= WIDE else max(0.37 * whole.width(), 150)
        left = whole.adjusted(0, 0, -wide - AIR if wide else 0, 0)
        main = left.adjusted(0, self._draw_heading(canvas, clocks[0], left) + 4, 0, 0)
        if wide:
            column = QRectF(left.right() + AIR, whole.top(), wide, whole.height())
        else:
            main.setHeight(0.58 * main.height())
            column = whole.adjusted(0, main.bottom() + 4 - whole.top(), 0, 0)
        self._draw_column(canvas, column, clocks)
        self._draw_main(canvas, main, clocks)

    def _draw_heading(self, canvas: Canvas, clock: DatasetClock, room: QRectF) -> float:
        """Write the name of a dataset and what its jobs do; return the height of the lines that it takes."""
        name = canvas.story.dataset_names[clock.dataset]
        canvas.write_left(room.topLeft(), name, canvas.theme.text, is_bold=True)
        x, down = canvas.width(name, is_bold=True) + 6, 0.0
        parts = state_text(clock).split(", ")
        for part in [f"{each}, " for each in parts[:-1]] + parts[-1:]:
            wide = canvas.width(part)
            if x > 0 and x + wide > room.width():
                x, down = 0.0, down + canvas.line
            canvas.write_left(room.topLeft() + QPointF(x, down), part, canvas.theme.second_text)
            x += wide
        return down + canvas.line

    def _draw_main(self, canvas: Canvas, main: QRectF, clocks: tuple[DatasetClock, ...]) -> None:
        """Draw the large circle; datasets without one below it, by name."""
        if self.width() < WIDE:
            main = self._name_others(canvas, main, clocks[1:])
        window = WINDOW_OUT if canvas.story.windows is not None else 0.0
        beside = min(LABEL_ROOM, 0.22 * main.width())
        above = canvas.line + LABEL_OUT / 2 + window
        radius = min((main.width() - 2 * beside) / 2, main.height() / 2 - above, MAX_RADIUS)
        if radius < 20:
            radius, beside = min(main.width(), main.height()) / 2 - 6 - window, 0.0
        drawing = CircleDrawing(canvas, clocks[0], main.center(), max(radius, 8.0), NAMED_RING)
        drawing.keep_within(main.adjusted(-AIR + 2, -4, AIR, 4))
        if drawing.hidden:
            more = f"and {drawing.hidden} more job{'s' * (drawing.hidden > 1)}"
            place = QRectF(main.left(), main.bottom() - canvas.line, canvas.width(more) + 2, canvas.line)
            canvas.write_left(place.topLeft(), more, canvas.theme.second_text)
            canvas.taken.append(place)
            path = QPainterPath()
            path.addRect(place)
            names = ", ".join(canvas.story.entry_name(entry) for entry in drawing.hidden_jobs)
            canvas.spots.append(DrawnPlace(path, NOTHING, f"{names}; click a row to see its ring"))
        drawing.draw(has_labels=beside > 0)
        self._discs.append((main.center(), max(radius, 8.0), clocks[0].dataset))

    def _name_others(self, canvas: Canvas, main: QRectF, others: tuple[DatasetClock, ...]) -> QRectF:
        """Write the datasets that have no circle below the large one; return what is left of the room."""
        named = [clock for clock in others if clock.left][:3]
        for clock in reversed(named):
            text = f"{canvas.story.dataset_names[clock.dataset]}: {state_text(clock)}"
            place = QRectF(main.left(), main.bottom() - canvas.line, canvas.width(text) + 4, canvas.line)
            canvas.write_left(place.topLeft(), text, canvas.theme.second_text)
            self._circles.append((place, clock.dataset))
            main = main.adjusted(0, 0, 0, -canvas.line)
        return main

    def _draw_column(self, canvas: Canvas, column: QRectF, clocks: tuple[DatasetClock, ...]) -> None:
        """Draw what is beside the large circle, or below it where the chart is narrow."""
        datasets = sorted(clock.dataset for clock in self._known)
        big = sized_font(self, BIG, is_bold=True)
        if self.width() >= WIDE:
            share = 0.5 if canvas.story.policy == "ako" else 0.6
            upper = QRectF(column.left(), column.top(), column.width(), share * column.height() - 6)
            beside = max(SAVED, 0.4 * upper.width()) if len(clocks) > 1 else upper.width()
            saved = upper.adjusted(upper.width() - beside, 0, 0, 0)
            self._draw_circles(canvas, upper.adjusted(0, 4, -beside - AIR, 0))
        elif self._is_beside:
            upper = QRectF(column.left(), column.top(), column.width(), 0.42 * column.height() - 6)
            saved = upper
        else:
            upper = QRectF(column.left(), column.top(), 0.38 * column.width(), column.height())
            draw_saved(canvas, upper, big, datasets)
            self._draw_order(canvas, column.adjusted(upper.width() + AIR, 0, 0, 0), clocks)
            return
        draw_saved(canvas, saved, big, datasets)
        canvas.painter.setPen(canvas.theme.line)
        canvas.painter.drawLine(upper.bottomLeft() + QPointF(0, 3), upper.bottomRight() + QPointF(0, 3))
        self._draw_order(canvas, column.adjusted(0, upper.height() + 8, 0, 0), clocks)

    def _draw_order(self, canvas: Canvas, box: QRectF, clocks: tuple[DatasetClock, ...]) -> None:
        if canvas.story.policy == "ako":
            draw_waits(canvas, box)
        else:
            draw_precedence(canvas, box, clocks)

    # ---- a job that is dragged

    def dataset_at(self, place: QPointF) -> int:
        """Return the number of the dataset whose circle, or name, is at a place; -1 for none."""
        for centre, radius, dataset in self._discs:
            if math.hypot(place.x() - centre.x(), place.y() - centre.y()) <= radius + CATCH:
                return dataset
        return self._other_at(place)

    def show_drop(self, drop: Drop | None) -> None:
        """Light up the circles on which a dragged job can be dropped; none any more for None."""
        if drop != self._drop:
            self._drop = drop
            self.update()

    def let_go(self) -> bool:
        """Drag no ring any more; whether one was."""
        was_dragging, self._grabbed, self._is_dragging = self._is_dragging, -1, False
        return was_dragging

    # ---- the pointer

    def spot_at(self, place: QPointF) -> DrawnPlace | None:
        """Return what is drawn at a place, the topmost; or None."""
        return next((spot for spot in reversed(self.spots) if spot.path.contains(place)), None)

    def point_at(self, marked: Marked) -> None:
        """Let what is pointed at anywhere stand out, for as long as it is."""
        if marked != self._over:
            self._over = marked
            self.update()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed >= 0 and event.buttons() & Qt.MouseButton.LeftButton:
            away = (event.position() - self._pressed_at).manhattanLength()
            if self._is_dragging or away >= MIN_DRAG:
                self._is_dragging = True
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
                self.job_dragged.emit(self._grabbed, event.globalPosition())
            return
        spot = self.spot_at(event.position())
        other = self._other_at(event.position())
        is_link = (spot is not None and bool(spot.marked.jobs)) or other >= 0
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor)
        self.pointed.emit(spot.marked if spot is not None else NOTHING)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        grabbed = self._grabbed
        if self.let_go():
            self.setCursor(Qt.CursorShape.ArrowCursor)
            self.job_dropped.emit(grabbed, event.globalPosition())

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(NOTHING)
        super().leaveEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        spot = self.spot_at(event.position())
        if spot is not None and spot.marked.jobs:
            if self.can_drag and len(spot.marked.jobs) == 1:
                self._grabbed, self._pressed_at = next(iter(spot.marked.jobs)), event.position()
            self.chosen.emit(spot.marked)
        elif (other := self._other_at(event.position())) >= 0:
            self.dataset_chosen.emit(other)
        else:
            self.chosen.emit(NOTHING)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if (other := self._other_at(event.position())) >= 0:
            self.dataset_chosen.emit(other)

    def _other_at(self, place: QPointF) -> int:
        """Return the dataset of a small circle or name at a place, or -1."""
        return next((dataset for box, dataset in self._circles if box.contains(place)), -1)

    @override
    def tip_at(self, place: QPointF) -> str:
        spot = self.spot_at(place)
        return "" if spot is None else spot.tip
