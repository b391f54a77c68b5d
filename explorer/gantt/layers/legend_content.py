"""What a legend lists, and how much fits into its lines: classes of jobs, then what else charts draw."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QRectF, Qt

from core.charts.class_colours import GREY, class_colours, shuffle_share
from core.charts.palette import depth_tones, tones_of_colours
from core.model.execution_history import LOOKS
from core.model.visible_text import short_names
from explorer.gantt.layers.decision_marks import DIFFERENCE
from explorer.gantt.layers.layer import Sign
from explorer.gantt.layers.task_rows import STAGES
from explorer.gantt.layers.waves import WAVE_DASH, WAVE_SPACE

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QFontMetrics

    from core.measures.job_classes import JobClasses
    from explorer.gantt.geometry.chart_frame import ChartFonts
    from explorer.widgets.theme import Theme

SWATCH, PHASE_WIDTH = 10, 16
"""Pixels of a square in a class's colour, and of a picture of a part of a task."""
GAP, SPACING, MAX_NAME = 5, 11, 150
PAGER = 46
"""Pixels of "2/3" at the end of the line, where not all fits into it."""
LASTING = 7
"""Signs of this priority or more are never left out."""
VEILED_SIGNS = ("map", "reduce", STAGES.text, "makespan", "lower bound")
"""Signs that tell nothing of what a veil hides."""

WAVE = Sign(
    "wave",
    3,
    dashes=(WAVE_DASH, WAVE_SPACE),
    tip="here a wave of the selected job begins: tasks on all their slots, one after another",
)


def unveiled_signs(signs: tuple[Sign, ...]) -> tuple[Sign, ...]:
    """Return the entries that show nothing of what a veil hides."""
    return tuple(sign for sign in signs if sign.text in VEILED_SIGNS)


class LegendEntry(NamedTuple):
    """One entry of a legend: a class of jobs, or a sign.

    Attributes
    ----------
    name, amount : "400 to 800 maps", "8 jobs"
    number : which class, or of attempts that are no tasks one behind the classes; -1 for neither
    sign : or which sign, or None
    """

    name: str
    amount: str
    number: int = -1
    sign: Sign | None = None


class PlacedEntry(NamedTuple):
    """An entry and its place."""

    rect: QRectF
    entry: LegendEntry


class LegendLine(NamedTuple):
    """What fits into a legend.

    Attributes
    ----------
    placed : the entries
    page, pages : which part they are, from 0, and how many parts there are
    rows : how many lines they take
    """

    placed: tuple[PlacedEntry, ...]
    page: int = 0
    pages: int = 1
    rows: int = 1


@dataclass(frozen=True, eq=False)
class LegendContent:
    """What a legend lists.

    Attributes
    ----------
    classes : the classes of the jobs; None while nothing is shown
    names : of all jobs
    theme : colours by role
    selected : index of the job that stands out, or -1
    signs : the entries beside the classes
    is_veiled : whether the order of the queue is to be guessed: jobs are listed as the workload has them
    are_marked : whether charts mark decisions that differ
    page : which part is shown where not all fits, from 0
    """

    classes: JobClasses | None
    names: tuple[str, ...]
    theme: Theme
    selected: int = -1
    signs: tuple[Sign, ...] = ()
    is_veiled: bool = False
    are_marked: bool = False
    page: int = 0

    @cached_property
    def short_names(self) -> tuple[str, ...]:
        """The names without what they all start with."""
        return short_names(self.names)

    @cached_property
    def shown_signs(self) -> tuple[Sign, ...]:
        """The entries beside the classes, with those of the selected job's waves and of marked decisions."""
        waves = (WAVE,) if self.selected >= 0 and self.signs and not self.shows_stages else ()
        return (*self.signs, *waves, *((DIFFERENCE,) if self.are_marked else ()))

    @property
    def shows_stages(self) -> bool:
        """Whether tasks have the colours of their stages."""
        return STAGES in self.signs

    @cached_property
    def colours(self) -> NDArray[np.int64]:
        """The colour of each class, as 0xRRGGBB, (classes,)."""
        if self.classes is None:
            return np.zeros(0, np.int64)
        return class_colours(self.classes, self.theme)

    @cached_property
    def swatches(self) -> NDArray[np.int64]:
        """The colours of each class: its own, or those of first, middle and last stages, (classes, n)."""
        return depth_tones(self.colours, self.theme) if self.shows_stages else self.colours[:, np.newaxis]

    @cached_property
    def sign_tones(self) -> NDArray[np.int64]:
        """The tones in which parts of tasks are explained: of the selected job, else of the first class."""
        number = 0
        if self.classes is not None and 0 <= self.selected < len(self.classes.of_job):
            number = int(self.classes.of_job[self.selected])
        colours = np.append(self.colours, GREY) if 0 <= number < len(self.colours) else np.array([GREY])
        share = shuffle_share(self.classes)
        tones: NDArray[np.int64] = tones_of_colours(colours, self.theme, share)[max(number, 0)]
        return tones

    @property
    def selected_class(self) -> int:
        """The class of the selected job, -1 for none."""
        if self.classes is None or not 0 <= self.selected < len(self.classes.of_job):
            return -1
        return int(self.classes.of_job[self.selected])

    @cached_property
    def class_entries(self) -> tuple[LegendEntry, ...]:
        """The classes as they are listed."""
        if self.classes is None:
            return ()
        numbers = list(range(len(self.classes.classes)))
        if self.is_veiled and len(numbers):
            first = [int(np.argmax(self.classes.of_job == number)) for number in numbers]
            numbers.sort(key=first.__getitem__)
        return tuple(self._class_entry(number) for number in numbers)

    def _class_entry(self, number: int) -> LegendEntry:
        assert self.classes is not None  # else there are no numbers
        one = self.classes.classes[number]
        if one.job >= 0:
            return LegendEntry(self.short_names[one.job], "", number)
        amount = "" if one.is_rest or not one.jobs else f"{one.jobs} job{'s' if one.jobs != 1 else ''}"
        return LegendEntry(one.name, amount, number)

    @property
    def entries(self) -> list[LegendEntry]:
        """All that is listed: the classes, then the signs."""
        signs = (LegendEntry(sign.text, sign.amount, self.number_of(sign), sign) for sign in self.shown_signs)
        return [*self.class_entries, *signs]

    def number_of(self, sign: Sign) -> int:
        """Return by which number the attempts of a sign stand out: those behind all classes; else -1."""
        classes = 0 if self.classes is None else len(self.classes.classes)
        return classes + LOOKS.index(sign.text) if sign.text in LOOKS else -1


def wanted_width(fonts: ChartFonts, content: LegendContent) -> float:
    """Return the pixels that all classes take, with the signs that are never left out."""
    signs = [sign for sign in content.shown_signs if sign.priority >= LASTING]
    entries = [*content.class_entries, *(LegendEntry(sign.text, sign.amount, sign=sign) for sign in signs)]
    return _width(entries, fonts.small_metrics)


def legend_line(area: QRectF, fonts: ChartFonts, content: LegendContent) -> LegendLine:
    """Return the places of what fits into an area.

    Signs of priority 0 are left out first, then how many jobs a class has, then the signs that matter least,
    then how many attempts there are; where still not all fit, they are shown in parts, classes first.
    """
    classes = content.class_entries
    if not classes:
        return LegendLine(())
    signs = content.entries[len(classes) :]
    metrics, room = fonts.small_metrics, area.width() + SPACING
    needed = [entry for entry in signs if _priority(entry)]
    for shown, is_brief in ((signs, False), (needed, False), (needed, True)):
        if _width(classes, metrics, is_brief) + _width(shown, metrics, is_brief) <= room:
            return LegendLine(_placed(area, [*classes, *shown], metrics, is_brief=is_brief))
    kept = _fitting(needed, room - _width(classes, metrics), metrics)
    plain = [entry._replace(amount="") for entry in kept]
    for lasting in (kept, plain):
        if _width(classes, metrics) + _width(lasting, metrics) <= room:
            return LegendLine(_placed(area, [*classes, *lasting], metrics, is_brief=True))
    pages = _lines([*classes, *kept], (room - PAGER, room - PAGER), metrics, is_brief=True)
    page = content.page % len(pages)
    return LegendLine(_placed(area, pages[page], metrics, is_brief=True), page, len(pages))


def legend_block(
    area: QRectF, begin: float, fonts: ChartFonts, content: LegendContent, max_rows: int
) -> LegendLine:
    """Return the places of entries in lines below one another, of which the first begins further right.

    Parameters
    ----------
    area : x and width of the lines in pixels, y of the first one and its height
    begin : x at which the first line begins
    max_rows : so many lines there are at most

    What is left out where not all fits is as of `legend_line`.
    """
    if not content.class_entries:
        return LegendLine(())
    entries, metrics, is_brief = content.entries, fonts.small_metrics, False
    rooms = area.right() - begin + SPACING, area.width() + SPACING
    while len(lines := _lines(entries, rooms, metrics, is_brief=is_brief)) > max_rows:
        least = min(entries, key=_priority)
        if is_brief and _priority(least) >= LASTING:
            break
        if is_brief or not _priority(least):
            entries.remove(least)
        else:
            is_brief = True
    else:
        return LegendLine(_in_lines(area, begin, lines, metrics, is_brief), rows=len(lines))
    lines = _lines(entries, (rooms[0] - PAGER, rooms[1] - PAGER), metrics, is_brief=True)
    pages = [lines[first : first + max_rows] for first in range(0, len(lines), max_rows)]
    page = content.page % len(pages)
    return LegendLine(_in_lines(area, begin, pages[page], metrics, True), page, len(pages), max_rows)


def _priority(entry: LegendEntry) -> int:
    return LASTING if entry.sign is None else entry.sign.priority


def _in_lines(
    area: QRectF, begin: float, lines: list[list[LegendEntry]], metrics: QFontMetrics, is_brief: bool
) -> tuple[PlacedEntry, ...]:
    placed: list[PlacedEntry] = []
    for number, entries in enumerate(lines):
        line = area.translated(0, number * area.height())
        line.setLeft(line.left() if number else begin)
        placed += _placed(line, entries, metrics, is_brief=is_brief)
    return tuple(placed)


def _fitting(signs: list[LegendEntry], room: float, metrics: QFontMetrics) -> list[LegendEntry]:
    """Return the signs that fit, in order; those that are to last at any rate."""
    kept = list(signs)
    for entry in sorted(signs, key=_priority):
        if _width(kept, metrics) <= room or (entry.sign is not None and entry.sign.priority >= LASTING):
            break
        kept.remove(entry)
    return kept


def _lines(
    entries: list[LegendEntry], rooms: tuple[float, float], metrics: QFontMetrics, *, is_brief: bool
) -> list[list[LegendEntry]]:
    """Return entries in lines that fit into the room of the first one and of others, at least one in each."""
    lines: list[list[LegendEntry]] = [[]]
    left = rooms[0]
    for entry in entries:
        width = entry_width(entry, metrics, is_brief=is_brief)
        if width > left and lines[-1]:
            lines.append([])
            left = rooms[1]
        lines[-1].append(entry)
        left -= width
    return lines


def _placed(
    area: QRectF, entries: list[LegendEntry], metrics: QFontMetrics, *, is_brief: bool
) -> tuple[PlacedEntry, ...]:
    placed, left = [], area.left()
    for entry in entries:
        width = entry_width(entry, metrics, is_brief=is_brief)
        shown = entry._replace(amount="") if is_brief and entry.sign is None else entry
        placed.append(PlacedEntry(QRectF(left, area.top(), width - SPACING, area.height()), shown))
        left += width
    return tuple(placed)


def _width(
    entries: list[LegendEntry] | tuple[LegendEntry, ...], metrics: QFontMetrics, is_brief: bool = True
) -> float:
    return sum(entry_width(entry, metrics, is_brief=is_brief) for entry in entries)


def entry_width(entry: LegendEntry, metrics: QFontMetrics, *, is_brief: bool) -> float:
    """Return the pixels of an entry with the air behind it; those of classes may leave their amounts out."""
    text = metrics.horizontalAdvance(shown_name(metrics, entry))
    if entry.amount and (entry.sign is not None or not is_brief):
        text += metrics.horizontalAdvance(f" {entry.amount}")
    return swatch_width(entry) + GAP + text + SPACING


def swatch_width(entry: LegendEntry) -> int:
    """Return the pixels of an entry's picture."""
    if entry.sign is None:
        return SWATCH
    return PHASE_WIDTH if entry.sign.phase or entry.sign.draw else 4


def shown_name(metrics: QFontMetrics, entry: LegendEntry) -> str:
    """Return an entry's name, elided where it is long."""
    return metrics.elidedText(entry.name, Qt.TextElideMode.ElideMiddle, MAX_NAME)
