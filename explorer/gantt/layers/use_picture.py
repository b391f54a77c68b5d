"""The picture of slots in use, of a strip above lanes and of the overview: stacked by colour, or one ink.

A low picture is the darker, in one ink, the more slots are in use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtGui import QColor, QImage
from typing_extensions import override

from core.charts.class_colours import GREY, class_colours, shuffle_share
from core.charts.palette import lane_colour, mixed
from core.charts.row_columns import kept_with_rows
from core.model.execution_history import LOOKS
from core.model.task_types import REDUCE
from explorer.gantt.geometry.slot_use import HeldSlots, most_held, stacked
from explorer.gantt.geometry.strip_height import LOW_STRIP
from explorer.gantt.raster.kept_picture import Drawing, KeptPicture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QPainter

    from core.charts.schedule_rows import ScheduleRows
    from core.measures.job_classes import JobClasses
    from explorer.gantt.geometry.time_scale import TimeScale
    from explorer.widgets.theme import Theme

MAX_TASKS_AT_ONCE = 50_000
"""Of so many tasks it is found between two frames what holds slots; of more a thread finds it."""
MIN_SHADE, MAX_SHADE = 0.15, 0.6
"""Ink of a low strip, as a part of the strongest, where hardly any slot is in use, and its opacity where all
are."""


class UsePart(NamedTuple):
    """What holds slots of a lane and is drawn in one colour.

    Attributes
    ----------
    held : the slots
    owner : index of the class of jobs, or what of `LOOKS` an attempt that is no task looks like
    shuffles : whether it is the shuffles of that class
    """

    held: HeldSlots
    owner: int | str
    shuffles: bool = False


class UseShown(NamedTuple):
    """What a picture of slots in use shows: lanes by the classes of their jobs, times, height in pixels.

    Attributes
    ----------
    places : the document's jobs in the place of a record's, as in `ChartContent`
    is_counted : whether `most_in_use` is found with it
    """

    rows: ScheduleRows
    classes: JobClasses
    places: tuple[int, NDArray[np.int64]] | None
    theme: Theme
    scale: TimeScale
    height: int
    lanes: range
    is_counted: bool = False

    @property
    def slots(self) -> int:
        """How many slots its whole height is."""
        return sum(self.rows.pools[lane].slots for lane in self.lanes)

    @property
    def is_high(self) -> bool:
        """Whether it is stacked by colour."""
        return self.height > LOW_STRIP

    @property
    def is_soon_found(self) -> bool:
        """Whether all that it shows is known, or there are so few tasks that it takes no time."""
        known: tuple[JobClasses, dict[int, list[UsePart]]] | None = self.rows.kept.get(UsePart)
        is_known = known is not None and known[0] is self.classes and known[1].keys() >= set(self.lanes)
        if self.is_counted:
            is_known = is_known and self.lanes in most_in_use(self.rows)
        return is_known or len(self.rows.columns.start) <= MAX_TASKS_AT_ONCE

    @property
    def parts(self) -> list[UsePart]:
        """What holds the slots, lane by lane."""
        return [part for lane in self.lanes for part in use_parts(self.rows, self.classes, lane, self.places)]

    @property
    def form(self) -> tuple[object, ...]:
        """What a picture has to have in common with this to be moved along, beside its scale."""
        return self.lanes, self.is_counted

    @property
    def sources(self) -> tuple[object, ...]:
        """What a picture is made from."""
        return self.rows, self.classes, self.places, self.theme

    def can_stand_in(self, other: UseShown) -> bool:
        """Whether its picture may stay until that of the other one is there."""
        return self.theme is other.theme and self[4:] == other[4:]


class UsePicture(KeptPicture[UseShown]):
    """An image of slots in use; what is idle is transparent."""

    FORMAT = QImage.Format.Format_ARGB32

    def draw(
        self, painter: QPainter, corner: QPoint, shown: UseShown, later: list[Drawing] | None = None
    ) -> None:
        """Draw the picture with its top left corner at a pixel.

        Where it is not known what holds slots, and many tasks do, that is left to `later`, if there is such a
        list; until it is there, the picture before stays.
        """
        if later is None or shown.is_soon_found or not self.columns_to_paint(shown):
            painter.drawImage(corner, self.image(shown))
            return
        later.append(Drawing(self, shown))
        if self.shown is not None and self.shown.can_stand_in(shown):
            painter.drawImage(corner, self.last_image)

    @override
    def paint(self, pixels: NDArray[np.uint32], first: int, shown: UseShown) -> None:
        pixels[:] = pixels_of(shown, pixels.shape, first)


@kept_with_rows
def most_in_use(_rows: ScheduleRows) -> dict[range, int]:
    """Return how many slots of lanes are in use at once at most, as far as that is known."""
    return {}


def pixels_of(shown: UseShown, shape: tuple[int, ...], first: int = 0) -> NDArray[np.uint32]:
    """Return so many lines and pixel columns of slots in use, the first column of which is `first`."""
    (lines, columns), parts = shape, shown.parts
    if shown.is_counted and shown.lanes not in most_in_use(shown.rows):
        most_in_use(shown.rows)[shown.lanes] = most_held([part.held for part in parts])
    edges = shown.scale.times(np.arange(first, first + columns + 1) / shown.scale.ratio)
    together: dict[tuple[bool, bool, int | str], tuple[int, NDArray[np.float64]]] = {}
    for part, ink in zip(parts, colours_of_parts(parts, shown.classes, shown.theme), strict=True):
        key = isinstance(part.owner, str), part.shuffles, part.owner
        before = together[key][1] if key in together else np.zeros(columns)
        together[key] = ink, before + part.held.average(edges)
    if not shown.is_high:
        used = sum((average for _, average in together.values()), np.zeros(columns))
        return _shaded(used / max(shown.slots, 1), lines, shown.theme)
    if not together:
        return np.zeros((lines, columns), np.uint32)
    # jobs by class, their shuffles upon them, attempts that are no tasks on top
    in_turn = [together[key] for key in sorted(together, key=lambda key: (*key[:2], not key[0] and key[2]))]
    inks = np.array([*(0xFF000000 | ink for ink, _ in in_turn), 0], np.uint32)
    return inks[stacked(np.stack([average for _, average in in_turn]), shown.slots, lines)]


def _shaded(used: NDArray[np.float64], lines: int, theme: Theme) -> NDArray[np.uint32]:
    """Return ink that is the stronger the larger a part of the slots is in use, (lines, columns)."""
    alpha = np.round(255 * _opacity(used)).astype(np.uint32) << np.uint32(24)
    return np.tile(alpha | np.uint32(theme.text.rgb() & 0xFFFFFF), (lines, 1))


def _opacity(used: NDArray[np.float64]) -> NDArray[np.float64]:
    share = np.where(used > 0, MIN_SHADE + (1 - MIN_SHADE) * np.minimum(used, 1.0), 0.0)
    return MAX_SHADE * share


def low_ink(used: float, theme: Theme) -> QColor:
    """Return the ink of a low strip where a part of the slots is in use, 0 to 1."""
    ink = QColor(theme.text)
    ink.setAlphaF(float(_opacity(np.array(used))))
    return ink


def colours_of_parts(parts: list[UsePart], classes: JobClasses, theme: Theme) -> Iterator[int]:
    """Yield the colour of each part as 0xRRGGBB."""
    of_class = np.append(class_colours(classes, theme), GREY)
    pale = mixed(of_class, lane_colour(theme), shuffle_share(classes))
    of_look = {"failed": theme.failed, "killed": theme.killed}
    for part in parts:
        if isinstance(part.owner, str):
            yield of_look.get(part.owner, theme.third_text).rgb() & 0xFFFFFF
        else:
            yield int((pale if part.shuffles else of_class)[part.owner])


def use_parts(
    rows: ScheduleRows,
    classes: JobClasses,
    lane: int,
    places: tuple[int, NDArray[np.int64]] | None = None,
) -> list[UsePart]:
    """Return what holds the slots of a lane: jobs by class, shuffles, attempts that are no tasks.

    `places` are the document's jobs in the place of a record's, as in `ChartContent`. Kept for the last
    classes.
    """
    known: tuple[JobClasses, dict[int, list[UsePart]]] | None = rows.kept.get(UsePart)
    if known is None or known[0] is not classes:
        known = rows.kept[UsePart] = classes, {}
    if lane not in known[1]:
        known[1][lane] = _found(rows, classes, lane, places)
    return known[1][lane]


def _found(
    rows: ScheduleRows,
    classes: JobClasses,
    lane: int,
    places: tuple[int, NDArray[np.int64]] | None,
) -> list[UsePart]:
    columns, begin_row = rows.columns, rows.pools[lane].first_slot
    end_row = begin_row + rows.pools[lane].slots
    first, last = columns.offsets[[begin_row, end_row]].tolist()
    start, shuffled, end = (each[first:last] for each in (columns.start, columns.shuffled, columns.end))
    owner = _class_of_tasks(rows, classes, places)[rows.task[first:last]]
    shuffles = columns.code[first:last] & 1 == REDUCE
    work = np.where(shuffles, shuffled, start)
    parts = []
    for is_shuffle, begin, until in ((False, work, end), (True, start, work)):
        chosen = np.flatnonzero(shuffles) if is_shuffle else np.arange(len(owner))
        order = chosen[np.argsort(owner[chosen], kind="stable")]
        numbers, begins = np.unique(owner[order], return_index=True)
        for number, mine in zip(numbers.tolist(), np.split(order, begins[1:]), strict=False):
            parts.append(UsePart(HeldSlots.of(begin[mine], until[mine]), number, is_shuffle))
    parts += _attempts(rows, begin_row, end_row)
    return [part for part in parts if len(part.held.begins)]


def _class_of_tasks(
    rows: ScheduleRows, classes: JobClasses, places: tuple[int, NDArray[np.int64]] | None
) -> NDArray[np.int64]:
    """Return the class of each task of the workload, -1 where the document does not have its job."""
    if classes.of_tasks is not None and places is None:
        return classes.of_tasks(rows.schedule)
    job = rows.schedule.workload.columns.job.astype(np.int64)
    of_job = np.append(classes.of_job, -1)
    if places is not None:
        job = places[1][job]
    elif len(classes.of_job) != len(rows.schedule.workload.jobs):
        return np.full(len(job), -1)
    found: NDArray[np.int64] = of_job[job]
    return found


def _attempts(rows: ScheduleRows, first: int, last: int) -> Iterator[UsePart]:
    """Yield the attempts that are no tasks: setups and others first, failed ones on top."""
    record = rows.schedule.attempts
    if record is None:
        return
    begin, end = record.extra_times
    inside, looks = (record.extra_slot >= first) & (record.extra_slot < last), np.array(record.looks, str)
    for look in reversed(LOOKS):
        mine = np.flatnonzero(inside & (looks == look)) if len(looks) else np.zeros(0, np.int64)
        yield UsePart(HeldSlots.of(begin[mine], end[mine]), look)
