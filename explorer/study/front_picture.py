"""The picture of plans between two goals: each a dot to point at and take, scenarios as marks beside them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from core.charts.study.marks import Dot
from core.charts.study.values import value_text
from core.model.objectives import OBJECTIVES
from core.model.time_text import fine_percent
from core.simulation.plan_front import front_table
from core.study.answers import unbeaten
from explorer.plots.plot import fill_behind
from explorer.study.curves_plot import FrontPlot
from explorer.study.heading import Heading
from explorer.study.legend import StudyLegend
from explorer.study.plot_texts import PlotTexts
from explorer.study.pointer_card import PointerCard
from explorer.widgets.export import ChartTable
from explorer.widgets.layouts import NO_MARGINS, column
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.tables import bold_font

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray
    from PySide6.QtCore import QSize
    from PySide6.QtGui import QColor, QFont, QPainter, QResizeEvent, QTransform

    from core.model.plan import Plan
    from core.simulation.plan_front import FrontPoint
    from explorer.study.study_plot import Spot
    from explorer.widgets.export import Cell
    from explorer.widgets.theme import Theme


NOTHING = (
    "Here stand plans between two goals, of which none is better in both.\n"
    "Choose the goals and press Start; then point at a plan, and click it to see its schedule."
)
SEARCHING = "The first plan is being searched."
PLANS, TAKEN = "plans found", "in the charts"
TAKE = "Click or Return adds it as a scenario"
SHOW = "Click or Return shows it"
FIRST_MARK = 2
"""The group of the first scenario: after plans that were found and those that are in the charts."""


class ScenarioMark(NamedTuple):
    """A scenario in the picture: its id, its title, its values of both goals, and its plan if it has one.

    `beyond` is what happens in it that no plan does, as "slots are lent", so that it may be better than all.
    """

    scenario: int
    title: str
    values: tuple[float, float]
    plan: Plan | None
    beyond: str = ""


class PlansPlot(FrontPlot):
    """A front along which the keys Left and Right go from plan to plan; Up and Down reach scenarios."""

    @override
    def step(self, mark: int, apart: NDArray[np.float64], way: tuple[int, int]) -> int:
        plans = [dot.about[0] for dot in self.dots].count("plan")  # they come first
        if way[0] and mark < plans:
            return min(max(mark + way[0], 0), plans - 1)
        return super().step(mark, apart, way)


class FrontPicture(QWidget):
    """Shows a front and what scenarios are worth beside it.

    Attributes
    ----------
    goals, points, marks : what is shown
    plot, legend, card, nothing : its parts

    Signals
    -------
    chosen : a dot was clicked: ("plan", its place among the points) or ("scenario", its id)
    """

    chosen = Signal(object)

    def __init__(self, colours: Theme) -> None:
        super().__init__()
        self._colours = colours
        self.goals = ("makespan", "mean-response")
        self.points: tuple[FrontPoint, ...] = ()
        self.marks: tuple[ScenarioMark, ...] = ()
        self._subject = ""
        self._others: list[ScenarioMark] = []  # that follow none of the plans
        self.legend, self.plot = StudyLegend(), PlansPlot(colours)
        self.plot.setMinimumSize(160, 80)
        self.plot.setAccessibleName("Plans between two goals")
        self.plot.pointed.connect(self._on_pointed)
        self.plot.chosen.connect(lambda spot: self.chosen.emit(spot.about))
        self.nothing = PlainLabel(NOTHING, wraps=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.setMargin(8)
        column(self.legend, (self.plot, 1), (self.nothing, 1), parent=self, margins=NO_MARGINS, spacing=0)
        self.card = PointerCard(self)
        self.set_theme(colours)

    def set_theme(self, colours: Theme) -> None:
        """Draw in other colours."""
        self._colours = colours
        fill_behind(self, colours)
        self.legend.set_theme(colours)
        self.plot.set_theme(colours)
        self._draw()

    def show_front(self, goals: tuple[str, str], points: Sequence[FrontPoint], subject: str) -> None:
        """Show plans by two goals; the subject is what they were searched for."""
        self.goals, self.points, self._subject = goals, tuple(points), subject
        self._draw()

    def show_waiting(self, *, is_searching: bool) -> None:
        """Show, where no plan is known, whether one is being searched."""
        self.nothing.setText(SEARCHING if is_searching else NOTHING)

    def show_marks(self, marks: Sequence[ScenarioMark]) -> None:
        """Show what scenarios are worth beside the plans."""
        if tuple(marks) != self.marks:
            self.marks = tuple(marks)
            self._draw()

    # ---- drawing

    def _draw(self) -> None:
        """Draw everything; what was pointed at still is."""
        pointed = None if self.plot.spot is None else self.plot.spot.about
        self.card.hide()
        has_points = bool(self.points)
        self.legend.setVisible(has_points)
        self.plot.setVisible(has_points)
        self.nothing.setVisible(not has_points)
        self.setFocusProxy(self.plot if has_points else self.nothing)
        plans = [point.plan for point in self.points]
        self._others = [mark for mark in self.marks if mark.plan is None or mark.plan not in plans]
        has_taken = len(self._others) < len(self.marks)
        groups = {0: PLANS} | ({1: TAKEN} if has_taken else {})
        groups |= {group: mark.title for group, mark in enumerate(self._others, FIRST_MARK)}
        dots, far = at_the_edge(self._dots(), len(self.points), self._value) if has_points else ([], [])
        x, y = ((OBJECTIVES[goal].title, OBJECTIVES[goal].unit) for goal in self.goals)
        self.legend.show_entries(self.plot.show_dots(dots, groups, x, y))
        at = [(self.plot.places[mark], text) for mark, text in far]
        values = FarValues(at, self.plot.left.font(), self._colours.second_text)
        self.plot.addItem(values, ignoreBounds=True)
        again = next((place for place, dot in enumerate(dots) if dot.about == pointed), None)
        if again is not None:
            self.plot.point_to(again)

    def _dots(self) -> list[Dot]:
        """Return the plans, then other scenarios."""
        taken = [mark.plan for mark in self.marks]
        values = [point.values for point in self.points] + [mark.values for mark in self._others]
        is_best = unbeaten(np.array(values)).tolist()
        dots = []
        for place, point in enumerate(self.points):
            group, text = int(point.plan in taken), self._text_of_point(place)
            dots.append(Dot(*point.values, group, text, ("plan", place), is_best[place]))
        for group, mark in enumerate(self._others):
            why = (f"Here {mark.beyond}, which no plan does",) * bool(mark.beyond)
            text = "\n".join((mark.title, *self._values(mark.values), *why, SHOW))
            about = "scenario", mark.scenario
            is_on_front = is_best[len(self.points) + group]
            dots.append(Dot(*mark.values, FIRST_MARK + group, text, about, is_on_front))
        return dots

    def _text_of_point(self, place: int) -> str:
        point = self.points[place]
        if point.gap == 0:
            above = "No plan is better in its mix"
        elif point.bound > 0:
            above = f"{fine_percent(point.gap)} above the bound of its mix"
        else:
            above = "No bound of its mix is known"
        there = next((mark.title for mark in self.marks if mark.plan == point.plan), "")
        does = f"In the charts as {there}\n{SHOW}" if there else TAKE
        return "\n".join((self.name_of(place), *self._values(point.values), above, does))

    def name_of(self, place: int) -> str:
        """Return what a plan is called: "Plan 3 of 7"."""
        return f"Plan {place + 1} of {len(self.points)}"

    def _values(self, values: tuple[float, float]) -> list[str]:
        return [
            f"{OBJECTIVES[goal].title} {self._value(axis, value)}"
            for axis, (goal, value) in enumerate(zip(self.goals, values, strict=True))
        ]

    def _value(self, axis: int, value: float) -> str:
        """Write a value of the goal along an axis."""
        return value_text(value, OBJECTIVES[self.goals[axis]].unit)

    def _on_pointed(self, spot: Spot | None, place: QPointF | None) -> None:
        if spot is None or place is None:
            self.card.hide()
        else:
            self.card.show_at(self.plot.mapTo(self, place.toPoint()), spot.text)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.card.stay()

    # ---- export

    @property
    def export_name(self) -> str:
        """A name for files."""
        return f"{self.goals[0]} and {self.goals[1]}"

    @property
    def background(self) -> QColor:
        """What is behind the picture."""
        return self._colours.plot

    @property
    def _heading(self) -> Heading:
        one, other = (OBJECTIVES[goal].title for goal in self.goals)
        title = f"{self._subject}: {one[0].lower()}{one[1:]} and {other[0].lower()}{other[1:]}"
        return Heading(title, "", bold_font(self.font()), self.font())

    def export_size(self) -> QSize:
        """Return the size on the screen, with a line for the heading."""
        return self._heading.size_below(self.size())

    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        """Draw heading, legend and picture into an area."""
        below = self._heading.paint_with_legend(painter, area, self.legend, self._colours)
        self.plot.paint_into(painter, below)

    def table(self) -> ChartTable:
        """Return a row for each plan and each scenario, unrounded; of a scenario its values alone."""
        heads, rows = front_table(self.goals, self.points)
        blank = (None,) * (len(heads) - 2)
        cells: list[tuple[Cell, ...]] = [(self.name_of(place), *row) for place, row in enumerate(rows)]
        cells += [(mark.title, *mark.values, *blank) for mark in self.marks]
        return ChartTable(("schedule", *heads), tuple(cells))


NEAR = 0.5
"""What is beside the frame by more than this part of it is far."""
EDGE = 0.15
"""Far marks are beside all others by this part of what those span."""
APART = 0.12
"""Far marks at a corner are apart by this part of what the others span."""
BESIDE_PX = 8
"""Between the middle of a far mark and its values."""
ARROWS = {
    (1, 0): "→",
    (-1, 0): "←",
    (0, 1): "↑",
    (0, -1): "↓",
    (1, 1): "↗",
    (-1, 1): "↖",
    (1, -1): "↘",
    (-1, -1): "↙",
}
"""By where a value lies, to the right and above."""


class FarMark(NamedTuple):
    """A mark at the edge.

    Attributes
    ----------
    mark : its place among all
    text : where it lies, and those of its values that the axes do not show: "↗ 1 h 20 min, 42 min"
    """

    mark: int
    text: str


def at_the_edge(
    dots: Sequence[Dot], framing: int, write: Callable[[int, float], str]
) -> tuple[list[Dot], list[FarMark]]:
    """Return dots so that the first of them fill the picture, and which of the others lie beyond.

    Parameters
    ----------
    framing : how many of them the picture is about
    write : writes a value of an axis, 0 or 1, in words
    """
    places = np.array([(dot.x, dot.y) for dot in dots])
    low, high = places[:framing].min(axis=0), places[:framing].max(axis=0)
    if not (high > low).all():
        return list(dots), []
    room = NEAR * (high - low)
    ways = (places > high + room).astype(int) - (places < low - room).astype(int)
    near = (ways == 0).all(axis=1)
    low, high = places[near].min(axis=0), places[near].max(axis=0)
    span, corners, far = high - low, Counter[tuple[int, int]](), list[FarMark]()
    shown = np.where(ways > 0, high + EDGE * span, np.where(ways < 0, low - EDGE * span, places))
    for mark in np.flatnonzero(~near).tolist():
        right, up = way = tuple(ways[mark].tolist())
        if right and up:  # it stands at none of its values, so it may give way to others
            shown[mark, 1] -= up * corners[way] * APART * span[1]
            corners[way] += 1
        texts = [write(axis, float(places[mark, axis])) for axis in (0, 1) if way[axis]]
        far.append(FarMark(mark, f"{ARROWS[way]} {', '.join(texts)}"))
    moved = [dot._replace(x=x, y=y) for dot, (x, y) in zip(dots, shown.tolist(), strict=True)]
    return moved, far


class FarValues(PlotTexts):
    """Writes values beside far marks; where that would lie over another text, the arrow alone."""

    def __init__(self, at: Sequence[tuple[NDArray[np.float64], str]], font: QFont, ink: QColor) -> None:
        """Take where each mark is shown, in coordinates of the plot, and its text."""
        super().__init__(font, ink)
        self._at = at

    @override
    def write(self, painter: QPainter, placed: QTransform) -> None:
        taken = list[QRectF]()
        inside = placed.mapRect(self.boundingRect())
        for (x, y), text in self._at:
            at = placed.map(QPointF(x, y))
            for words in (text, text[:1]):
                room = QRectF(0, 0, self.metrics.horizontalAdvance(words), self.metrics.height())
                room.moveCenter(at)
                room.moveTop(min(max(room.top(), inside.top()), inside.bottom() - room.height()))
                if at.x() > inside.center().x():
                    room.moveRight(at.x() - BESIDE_PX)
                else:
                    room.moveLeft(at.x() + BESIDE_PX)
                if inside.contains(room) and not any(room.intersects(other) for other in taken):
                    painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)
                    taken.append(room)
                    self.written.append(words)
                    break
