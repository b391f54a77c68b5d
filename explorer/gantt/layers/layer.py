"""What a layer of a chart is: it paints one thing, describes what lies under a pixel, and explains itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from core.model.task_types import MAP
from core.model.time_text import duration_text
from explorer.widgets.theme import fill_with, write_with

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QColor

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.tasks_in_view import Hit
    from explorer.gantt.raster.kept_picture import Drawing
    from explorer.widgets.theme import Theme

SWATCH_HEIGHT = 13
"""Pixels of a legend entry's picture."""
DOT, DOT_STEP = 2, 5
"""Pixels of a dot of a think time, and from one to the next."""
PLATE_AIR = 8
"""Pixels around a word on a plate."""
CHIP_WIDTH, CHIP_HEIGHT, CHIP_MARGIN = 12, 9, 2
"""Pixels of the sign at the begin of a task, and around it; its name comes after it."""
MAX_NAMED_JOBS = 3
"""On a card."""


class Sign(NamedTuple):
    """One entry of the legend beside the jobs: a kind of area or line in the chart.

    Attributes
    ----------
    text : what it means, as "borrowed slot"
    priority : the higher, the longer it stays while the legend gets narrower
    phase : a task that looks so, on a scale of 0 to 1: whether it is a reduce, when the maps end, when
        its shuffle ends; None for anything else
    dashes : dash and space of a line
    draw : draws it at a place, with the colour of a job, where it is neither a task nor a line
    tip : what it means in a plain sentence
    amount : how many there are, as "3490"
    """

    text: str
    priority: int
    phase: tuple[bool, float, float] | None = None
    dashes: tuple[int, int] = (SWATCH_HEIGHT, 0)
    draw: Callable[[QPainter, QRectF, QColor, Theme], None] | None = None
    tip: str = ""
    amount: str = ""


class HoverFacts(Protocol):
    """The description of something under the pointer: of a task, or of another attempt."""

    @property
    def job(self) -> int:
        """Index of the job whose colour it has; -1 for none."""

    @property
    def kind(self) -> int:
        """MAP or REDUCE: which tone of that colour."""

    @property
    def title(self) -> str:
        """The first line."""

    def lines(self) -> list[tuple[str, str]]:
        """Return names and values."""

    def note(self) -> str:
        """Return the last line, or nothing."""


@dataclass(frozen=True)
class MarkFacts:
    """What the card beside the pointer says of a line.

    Attributes
    ----------
    title, facts, sentence : of the line, see `explorer.gantt.layers.time_marks.Mark`
    job, kind : no job's
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    sentence: str
    job: int = -1
    kind: int = MAP

    def lines(self) -> list[tuple[str, str]]:
        """Return names and values."""
        return list(self.facts)

    def note(self) -> str:
        """Return the last line."""
        return self.sentence


class Layer:
    """One kind of thing that a chart shows; a chart has one object of each layer and keeps it between frames.

    Attributes
    ----------
    later : takes pictures of many tasks that a thread shall paint; None where all is painted at once
    tells_nothing : whether it is painted upon what a veil hides too: it is no result
    """

    later: list[Drawing] | None = None
    stays_under_veil = False

    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        """Paint what is in view, on the screen and into exported pictures alike."""
        raise NotImplementedError

    def facts_at(self, rows: ScheduleRows, found: Hit, early: float, late: float) -> HoverFacts | None:
        """Return what the pointer's card shows of this layer under a pixel; None for nothing.

        `found` is the task there, if any; `early` and `late` are the times a pixel before and after it.
        """
        return None

    def signs(self, rows: ScheduleRows) -> tuple[Sign, ...]:
        """Return the legend entries that this schedule needs: of what is drawn of it."""
        return ()


def paint_dashes(
    painter: QPainter,
    left: int,
    top: int,
    bottom: int,
    dashes: tuple[int, int],
    thickness: int,
    ink: QColor,
) -> None:
    """Draw a vertical line of dashes and spaces."""
    # NOTE: many small fillRects are faster than one dashed pen
    for y in range(top, bottom, sum(dashes)):
        painter.fillRect(left, y, thickness, min(dashes[0], bottom - y), ink)


def draw_tag(
    painter: QPainter, frame: ChartFrame, rect: QRectF, text: str, radius: int, back: QColor, ink: QColor
) -> None:
    """Draw a word or a time on a small rounded area."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill_with(painter, back)
    painter.drawRoundedRect(rect, radius, radius)
    write_with(painter, frame.fonts.small, ink)
    painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), text)


def paint_think(
    painter: QPainter,
    frame: ChartFrame,
    place: QRectF,
    seconds: float,
    ink: QColor,
    *,
    on_band: bool = False,
    is_bold: bool = False,
) -> None:
    """Dot the middle of a rectangle, a time in which the driver thinks, with its length if that fits."""
    seen = frame.places.path
    left, right = max(int(place.left()), seen.left()), min(place.right(), seen.right() + 1.0)
    middle = round(place.center().y()) - DOT // 2
    for x in range(left - left % DOT_STEP + DOT_STEP, int(right), DOT_STEP):
        painter.fillRect(x, middle, DOT, DOT, ink)
    back = frame.theme.map_rows[0] if on_band else frame.theme.window
    text = f"driver {duration_text(seconds)}"
    paint_plate(painter, frame, place, text, (back, ink), is_bold=is_bold)


def paint_plate(
    painter: QPainter,
    frame: ChartFrame,
    place: QRectF,
    text: str,
    inks: tuple[QColor, QColor],
    *,
    is_bold: bool = False,
) -> None:
    """Write a text in the middle of what is in view of a rectangle, on a plate, if it fits with some air."""
    font = frame.fonts.small_bold if is_bold else frame.fonts.small
    metrics = frame.fonts.small_bold_metrics if is_bold else frame.fonts.small_metrics
    left, right = max(place.left(), frame.places.path.left()), min(place.right(), frame.places.path.right())
    width = metrics.horizontalAdvance(text) + PLATE_AIR
    if width + 2 * PLATE_AIR > right - left:
        return
    plate = QRectF((left + right - width) / 2, place.top(), width, place.height())
    painter.fillRect(plate, inks[0])
    write_with(painter, font, inks[1])
    line = plate.adjusted(0, -2, 0, 2)  # letters are as high as the bar; there is air around it
    painter.drawText(line, int(Qt.AlignmentFlag.AlignCenter), text)


def draw_panel(painter: QPainter, frame: ChartFrame, rect: QRectF) -> None:
    """Draw a rounded panel with a soft shadow."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill_with(painter, frame.theme.shadow)
    for spread in range(1, 6):
        painter.drawRoundedRect(
            rect.adjusted(-spread, 2 - spread, spread, 2 + spread), 7 + spread, 7 + spread
        )
    painter.setPen(frame.theme.line)
    painter.setBrush(frame.theme.card)
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 7, 7)
