"""Above each lane, or pool of jobs: how many slots are in use.

Above thin rows they are stacked by colour. A low strip is the darker, in one ink, the more are in use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter
from typing_extensions import override

from core.model.execution_history import LOOKS
from core.model.task_types import REDUCE
from explorer.gantt.geometry.chart_frame import draw_elided
from explorer.gantt.geometry.painted_rows import classes_of
from explorer.gantt.geometry.schedule_rows import kept_with_rows
from explorer.gantt.geometry.slot_use import HeldSlots, most_held, stacked
from explorer.gantt.geometry.strip_height import LOW_STRIP, strip_air
from explorer.gantt.layers.layer import Layer
from explorer.gantt.raster.class_colours import GREY, class_colours, shuffle_share
from explorer.gantt.raster.palette import lane_colour, mixed
from explorer.gantt.raster.row_picture import Drawing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from PySide6.QtCore import QPoint

    from core.measures.job_classes import JobClasses
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.time_scale import TimeScale
    from explorer.widgets.theme import Theme


MAX_TASKS_AT_ONCE = 50_000
"""Of so many tasks it is found between two frames what holds slots; of more a thread finds it."""
LEAST_SHADE, MOST_SHADE = 0.15, 0.6
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


class StripShown(NamedTuple):
    """What a strip shows: lanes by the classes of their jobs, times, height in pixels.

    Attributes
    ----------
    places : the document's jobs in the place of a record's, as in `ChartContent`
    """

    rows: ScheduleRows
    classes: JobClasses
    places: tuple[int, NDArray[np.int64]] | None
    theme: Theme
    scale: TimeScale
    height: int
    lanes: range

    @property
    def slots(self) -> int:
        """How many slots its whole height is."""
        return sum(self.rows.pools[index].slots for index in self.lanes)

    @property
    def is_high(self) -> bool:
        """Whether it is stacked by colour, with a number beside it."""
        return self.height > LOW_STRIP

    def is_like(self, other: StripShown | None) -> bool:
        """Whether the strip of the other one is the same."""
        if other is None or self[4:] != other[4:]:
            return False
        return all(one is its for one, its in zip(self[:4], other[:4], strict=True))

    def can_stand_in(self, other: StripShown) -> bool:
        """Whether its picture may stay until that of the other one is there."""
        return self.theme is other.theme and self[4:] == other[4:]


class StripPicture:
    """An image of one strip, kept until something in it changes."""

    def __init__(self) -> None:
        self._image = QImage()
        self._shown: StripShown | None = None

    def draw(
        self, painter: QPainter, corner: QPoint, shown: StripShown, later: list[Drawing] | None = None
    ) -> None:
        """Draw the strip with its top left corner at a pixel.

        Where it is not known what holds slots, and many tasks do, that is left to `later`, if there is such a
        list; until it is there, the strip before stays.
        """
        is_found = is_soon_found(shown.rows, shown.classes, shown.lanes)
        if later is None or is_found or shown.is_like(self._shown):
            painter.drawImage(corner, self.image(shown))
            return
        later.append(Drawing(self, shown))
        if self._shown is not None and self._shown.can_stand_in(shown):
            painter.drawImage(corner, self._image)

    def fresh(self) -> StripPicture:
        """Return a picture to paint in a thread, which this one may `take` then."""
        return StripPicture()

    def take(self, other: StripPicture) -> None:
        """Become a picture that was painted in a thread."""
        vars(self).update(vars(other))

    def image(self, shown: StripShown) -> QImage:
        """Return the strip; valid until the next call."""
        if not shown.is_like(self._shown):
            self._image, self._shown = _painted(shown), shown
        return self._image


class UseStripsLayer(Layer):
    """A strip above each lane, or above the lanes of a pool of jobs; its whole height is all their slots."""

    def __init__(self) -> None:
        self._pictures: dict[int, StripPicture] = {}

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        layout, classes = frame.layout, classes_of(frame.content)
        if not layout.strip or classes is None or frame.content.ghost is not None:
            return
        painter.save()
        painter.setClipRect(frame.places.whole.adjusted(0, frame.places.plot.top() - 1, 0, 0))
        for index in layout.in_view:
            if index in layout.folded or layout.continues(index):
                continue
            lane, top = frame.pool_rects[index], round(layout.pool_tops[index]) + frame.places.plot.top()
            above = top - layout.strip - strip_air(layout.strip)
            place = QRect(lane.left(), above, lane.width(), layout.strip)
            lanes, places = layout.named_together(index), frame.content.places
            shown = StripShown(rows, classes, places, frame.theme, frame.scale, layout.strip, lanes)
            painter.fillRect(place, frame.theme.surface)
            picture = self._pictures.setdefault(lanes.start, StripPicture())
            picture.draw(painter, place.topLeft(), shown, self.later)
            if shown.is_high and lanes in _most_held(rows):
                _paint_most(painter, frame, place, _most_held(rows)[lanes] / shown.slots)
        painter.restore()


def _paint_most(painter: QPainter, frame: ChartFrame, place: QRect, most: float) -> None:
    """Say beside a strip how many of the slots are in use at once at most, as a part of them."""
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.second_text)
    label = QRect(0, place.top() - 2, place.left() - 6, place.height() + 4)
    draw_elided(painter, label, f"{100 * most:.0f} %", Qt.AlignmentFlag.AlignRight)


@kept_with_rows
def _most_held(_rows: ScheduleRows) -> dict[range, int]:
    """Return how many slots of lanes are in use at once at most, as far as that is known."""
    return {}


def _painted(shown: StripShown) -> QImage:
    """Return the picture of a strip; where it is high, how many slots are in use at most is known then."""
    scale, ratio, lanes = shown.scale, shown.scale.ratio, shown.lanes
    parts, most = use_parts(shown.rows, shown.classes, lanes, shown.places), _most_held(shown.rows)
    if shown.is_high and lanes not in most:
        most[lanes] = most_held([part.held for part in parts])
    columns, lines = round(scale.width * ratio), round(shown.height * ratio)
    edges = scale.times(np.arange(columns + 1) / ratio)
    averages = np.array([part.held.average(edges) for part in parts]).reshape(len(parts), columns)
    if not shown.is_high:
        return _shaded(averages.sum(axis=0) / max(shown.slots, 1), lines, shown.theme, ratio)
    ink = np.zeros(len(parts) + 1, np.uint32)
    ink[:-1] = [0xFF000000 | value for value in colours_of_parts(parts, shown.classes, shown.theme)]
    pixels = np.zeros((lines, columns), np.uint32)
    if len(parts):
        pixels = ink[stacked(averages, shown.slots, lines)]
    return _image_of(pixels, ratio)


def _shaded(used: NDArray[np.float64], lines: int, theme: Theme, ratio: float) -> QImage:
    """Return a strip whose ink is the stronger the larger a part of the slots is in use, (columns,)."""
    share = np.where(used > 0, LEAST_SHADE + (1 - LEAST_SHADE) * np.minimum(used, 1.0), 0.0)
    alpha = np.round(255 * MOST_SHADE * share).astype(np.uint32) << np.uint32(24)
    return _image_of(np.tile(alpha | np.uint32(theme.text.rgb() & 0xFFFFFF), (lines, 1)), ratio)


def _image_of(pixels: NDArray[np.uint32], ratio: float) -> QImage:
    lines, columns = pixels.shape
    image = QImage(pixels.tobytes(), columns, lines, 4 * columns, QImage.Format.Format_ARGB32).copy()
    image.setDevicePixelRatio(ratio)
    return image


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
    lanes: range,
    places: tuple[int, NDArray[np.int64]] | None = None,
) -> list[UsePart]:
    """Return what holds the slots of neighbouring lanes: jobs by class, shuffles, attempts that are no tasks.

    `places` are the document's jobs in the place of a record's, as in `ChartContent`. Kept for the last
    classes.
    """
    known: tuple[JobClasses, dict[range, list[UsePart]]] | None = rows.kept.get(UsePart)
    if known is None or known[0] is not classes:
        known = rows.kept[UsePart] = classes, {}
    if lanes not in known[1]:
        known[1][lanes] = _found(rows, classes, lanes, places)
    return known[1][lanes]


def is_soon_found(rows: ScheduleRows, classes: JobClasses, lanes: range) -> bool:
    """Whether what holds the slots of lanes is known, or there are so few tasks that it takes no time."""
    known: tuple[JobClasses, dict[range, list[UsePart]]] | None = rows.kept.get(UsePart)
    is_known = known is not None and known[0] is classes and lanes in known[1]
    return is_known or len(rows.columns.start) <= MAX_TASKS_AT_ONCE


def _found(
    rows: ScheduleRows,
    classes: JobClasses,
    lanes: range,
    places: tuple[int, NDArray[np.int64]] | None,
) -> list[UsePart]:
    columns, begin_row = rows.columns, rows.pools[lanes[0]].first_slot
    end_row = rows.pools[lanes[-1]].first_slot + rows.pools[lanes[-1]].slots
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
    """Yield the attempts of a log that are no tasks: setups and others first, failed ones on top."""
    record = rows.schedule.record
    if record is None:
        return
    begin, end = record.extra_times
    inside, looks = (record.extra_slot >= first) & (record.extra_slot < last), np.array(record.looks, str)
    for look in reversed(LOOKS):
        mine = np.flatnonzero(inside & (looks == look)) if len(looks) else np.zeros(0, np.int64)
        yield UsePart(HeldSlots.of(begin[mine], end[mine]), look)
