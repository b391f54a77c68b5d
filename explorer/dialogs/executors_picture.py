"""The picture of how long an application takes, and what that costs, on few executors to many."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF
from typing_extensions import override

from core.model.time_text import clock_text, duration_text
from explorer.plots.axis import ValueScale, time_ticks
from explorer.widgets.export import ChartTable, Picture

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from core.fidelity.prediction import Prediction

AIR = 8.0
TIME_SHARE = 0.66
"""Part of the height that the time has; the rest is the cost's."""
LABEL_GAP_PX = 6.0
DOT = 3.0
HEADROOM = 1.06
"""The axis of time goes beyond the longest by this factor."""
LEGEND = "time of the application · band: from to · dotted: no run is shorter"


class Size(NamedTuple):
    """One number of executors in the picture: how many, what was predicted, and what a run costs.

    The cost is in the price's currency; where there is no price it is in executor hours.
    """

    executors: int
    found: Prediction
    cost: float


class ExecutorsPicture(Picture):
    """Time with its range and bound above, cost below, over executors on a logarithmic axis.

    Signals
    -------
    picked : the number of executors that was clicked or walked to
    """

    picked = Signal(int)

    def __init__(self) -> None:
        super().__init__("executors")
        self.sizes: tuple[Size, ...] = ()
        self.enough = self.chosen = 0
        self.recorded: tuple[float, float] | None = None
        self.of, self.cost_title = "executors", "executor hours"
        self.setMinimumSize(QSize(420, 300))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Time and cost by number of executors")

    def show_sizes(
        self,
        sizes: Sequence[Size],
        enough: int,
        *,
        of: str = "executors",
        cost_title: str = "executor hours",
        recorded: tuple[float, float] | None = None,
    ) -> None:
        """Show predictions of several sizes.

        Parameters
        ----------
        sizes : ascending by count; none while nothing is known
        enough : the count that is marked as enough
        of : what is counted, "executors" or "slots"
        cost_title : of the lower axis, with its unit
        recorded : the count of the run that the log is of, and how long it took, s
        """
        self.sizes, self.enough, self.of, self.cost_title = tuple(sizes), enough, of, cost_title
        self.recorded = recorded
        self.chosen = self.chosen if any(each.executors == self.chosen for each in sizes) else enough
        texts = [f"{each.executors} {of}: {duration_text(each.found.predicted_seconds)}" for each in sizes]
        self.setAccessibleDescription("; ".join(texts))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(640, 400)

    # ---- geometry

    def _areas(self, area: QRectF) -> tuple[QRectF, QRectF]:
        """Return where time and cost are drawn."""
        metrics = QFontMetricsF(self.font())
        line = metrics.height()
        labels = [text for _, text in (*self._time_labels(), *self._cost_labels())]
        left = max((metrics.horizontalAdvance(text) for text in labels), default=40.0) + AIR + LABEL_GAP_PX
        inside = area.adjusted(left, line + AIR, -AIR - 14, -2 * line - AIR)
        room = inside.height() - line - AIR
        top = QRectF(inside.left(), inside.top(), inside.width(), room * TIME_SHARE)
        below = QRectF(inside.left(), top.bottom() + line + AIR, inside.width(), room * (1 - TIME_SHARE))
        return top, below

    def _across(self, area: QRectF) -> ValueScale:
        counts = [each.executors for each in self.sizes]
        return ValueScale(min(counts), max(counts) if len(counts) > 1 else 2, area.left(), area.right(), True)

    def _most_seconds(self) -> float:
        seconds = [each.found.high_seconds for each in self.sizes]
        return max([*seconds, self.recorded[1] if self.recorded else 0.0]) * HEADROOM

    def _time_labels(self) -> list[tuple[float, str]]:
        most = self._most_seconds()
        ticks = time_ticks(0.0, most, 6)
        step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
        return [(tick, clock_text(tick, step, most)) for tick in ticks]

    def _cost_labels(self) -> list[tuple[float, str]]:
        most = max(each.cost for each in self.sizes) or 1.0
        scale = 86_400e9  # in steps of 1, 2 and 5 times powers of ten, as many days are
        return [(tick / scale, f"{tick / scale:g}") for tick in time_ticks(0.0, most * scale, 3)]

    # ---- painting

    @override
    def paint(self, painter: QPainter, area: QRectF) -> None:
        if not self.sizes:
            return
        painter.setFont(self.font())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        time, cost = self._areas(area)
        across, seconds, money = self._across(time), self._up(time, self._most_seconds()), self._up_cost(cost)
        self._paint_axis(painter, time, self._time_labels(), seconds, LEGEND)
        self._paint_axis(painter, cost, self._cost_labels(), money, self.cost_title)
        self._paint_counts(painter, cost, across)
        self._paint_enough(painter, time, cost, across)
        self._paint_range(painter, across, seconds)
        line = [
            QPointF(across.x(each.executors), seconds(each.found.predicted_seconds)) for each in self.sizes
        ]
        self._paint_line(painter, line)
        self._paint_line(
            painter, [QPointF(across.x(each.executors), money(each.cost)) for each in self.sizes]
        )
        self._paint_recorded(painter, across, seconds)

    @staticmethod
    def _up(area: QRectF, most: float) -> Callable[[float], float]:
        return lambda value: area.bottom() - value / most * area.height()

    def _up_cost(self, area: QRectF) -> Callable[[float], float]:
        return self._up(area, max(each.cost for each in self.sizes) or 1.0)

    def _paint_axis(
        self,
        painter: QPainter,
        area: QRectF,
        labels: Sequence[tuple[float, str]],
        up: Callable[[float], float],
        title: str,
    ) -> None:
        metrics = QFontMetricsF(painter.font())
        painter.setPen(self.colours.second_text)
        at = QRectF(area.left(), area.top() - metrics.height() - 2, area.width(), metrics.height())
        painter.drawText(at, Qt.AlignmentFlag.AlignLeft, title)
        for value, text in labels:
            y = up(value)
            painter.setPen(QPen(self.colours.faint_line, 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(self.colours.second_text)
            place = QRectF(0, y - metrics.height() / 2, area.left() - LABEL_GAP_PX, metrics.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_counts(self, painter: QPainter, area: QRectF, across: ValueScale) -> None:
        metrics, free = QFontMetricsF(painter.font()), -1e9
        painter.setPen(self.colours.second_text)
        for each in self.sizes:
            text, x = str(each.executors), across.x(each.executors)
            width = metrics.horizontalAdvance(text)
            if x - width / 2 > free:
                place = QRectF(x - width / 2 - 1, area.bottom() + 3, width + 2, metrics.height())
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
                free = x + width / 2 + LABEL_GAP_PX
        place = QRectF(area.left(), area.bottom() + 3 + metrics.height(), area.width(), metrics.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignHCenter, self.of)

    def _paint_enough(self, painter: QPainter, time: QRectF, cost: QRectF, across: ValueScale) -> None:
        x = across.x(self.enough)
        painter.setPen(QPen(self.colours.better, 1.5, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, time.top()), QPointF(x, cost.bottom()))
        metrics, text = QFontMetricsF(painter.font()), f"{self.enough} are enough"
        width = metrics.horizontalAdvance(text) + 2
        left = x + 5 if x + 5 + width < time.right() else x - 5 - width
        painter.setPen(self.colours.better)
        painter.drawText(QRectF(left, time.top(), width, metrics.height()), Qt.AlignmentFlag.AlignLeft, text)

    def _paint_range(self, painter: QPainter, across: ValueScale, up: Callable[[float], float]) -> None:
        xs = [across.x(each.executors) for each in self.sizes]
        lows = [QPointF(x, up(each.found.low_seconds)) for x, each in zip(xs, self.sizes, strict=True)]
        highs = [QPointF(x, up(each.found.high_seconds)) for x, each in zip(xs, self.sizes, strict=True)]
        band = QPolygonF([*highs, *reversed(lows)])
        shade = self.colours.cursor
        shade = type(shade)(shade.red(), shade.green(), shade.blue(), 50)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade)
        painter.drawPolygon(band)
        painter.setPen(QPen(self.colours.text, 1, Qt.PenStyle.DotLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        bounds = [QPointF(x, up(each.found.bound_seconds)) for x, each in zip(xs, self.sizes, strict=True)]
        painter.drawPolyline(QPolygonF(bounds))

    def _paint_line(self, painter: QPainter, points: Sequence[QPointF]) -> None:
        painter.setPen(QPen(self.colours.cursor, 2))
        painter.drawPolyline(QPolygonF(points))
        painter.setBrush(self.colours.cursor)
        painter.setPen(Qt.PenStyle.NoPen)
        for point in points:
            painter.drawEllipse(point, DOT, DOT)

    def _paint_recorded(self, painter: QPainter, across: ValueScale, up: Callable[[float], float]) -> None:
        if self.recorded is None:
            return
        count, seconds = self.recorded
        if not across.low <= count <= across.high:
            return
        point = QPointF(across.x(count), up(seconds))
        painter.setPen(QPen(self.colours.text, 1.5))
        painter.setBrush(self.colours.plot)
        painter.drawEllipse(point, DOT + 1.5, DOT + 1.5)
        painter.setPen(self.colours.text)
        metrics, text = QFontMetricsF(painter.font()), "the log"
        width = metrics.horizontalAdvance(text) + 2
        left = point.x() + 8 if point.x() + 8 + width < across.right else point.x() - 8 - width
        place = QRectF(left, point.y() - metrics.height() - 1, width, metrics.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft, text)

    @override
    def paint_over(self, painter: QPainter) -> None:
        chosen = next((each for each in self.sizes if each.executors == self.chosen), None)
        if chosen is None:
            return
        time, _ = self._areas(QRectF(self.rect()))
        x = self._across(time).x(chosen.executors)
        y = self._up(time, self._most_seconds())(chosen.found.predicted_seconds)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.colours.selection, 2 if self.hasFocus() else 1.2))
        painter.drawEllipse(QPointF(x, y), DOT + 4, DOT + 4)

    # ---- mouse and keys

    def size_at(self, x: float) -> Size | None:
        """Return the size whose dot is nearest to a pixel, None where there is none."""
        if not self.sizes:
            return None
        across = self._across(self._areas(QRectF(self.rect()))[0])
        return min(self.sizes, key=lambda each: abs(across.x(each.executors) - x))

    def choose(self, count: int) -> None:
        """Choose a number of executors."""
        if count != self.chosen:
            self.chosen = count
            self.update()
            self.picked.emit(count)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        size = self.size_at(event.position().x())
        if size is not None and event.button() == Qt.MouseButton.LeftButton:
            self.choose(size.executors)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        counts = [each.executors for each in self.sizes]
        if step is None or self.chosen not in counts:
            super().keyPressEvent(event)
            return
        self.choose(counts[min(max(counts.index(self.chosen) + step, 0), len(counts) - 1)])

    @override
    def tip_at(self, place: QPointF) -> str:
        size = self.size_at(place.x())
        return "" if size is None else self.sentence(size)

    def sentence(self, size: Size) -> str:
        """Return what is predicted of a number of executors, in lines."""
        found = size.found
        return (
            f"{size.executors} {self.of}, {found.slots} tasks at once\n"
            f"{duration_text(found.predicted_seconds)} "
            f"({duration_text(found.low_seconds)} to {duration_text(found.high_seconds)})\n"
            f"at least {duration_text(found.bound_seconds)}\n{size.cost:.3g} {self.cost_title}"
        )

    @override
    def table(self) -> ChartTable:
        header = (self.of, "slots", "time (s)", "from (s)", "to (s)", "bound (s)", self.cost_title)
        rows = tuple(
            (
                each.executors,
                each.found.slots,
                each.found.predicted_seconds,
                each.found.low_seconds,
                each.found.high_seconds,
                each.found.bound_seconds,
                each.cost,
            )
            for each in self.sizes
        )
        return ChartTable(header, rows)
