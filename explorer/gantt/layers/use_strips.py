"""Above lanes whose rows are too thin to be told apart: how many slots are in use, stacked by colour."""

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
from explorer.gantt.geometry.slot_use import HeldSlots, most_held, stacked
from explorer.gantt.layers.layer import Layer
from explorer.gantt.raster.class_colours import GREY, class_colours, shuffle_share
from explorer.gantt.raster.palette import lane_colour, mixed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.measures.job_classes import JobClasses
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.schedule_rows import ScheduleRows
    from explorer.widgets.theme import Theme


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


class UseStripsLayer(Layer):
    """A strip above each lane of thin rows; its whole height is all slots of the lane."""

    def __init__(self) -> None:
        self._images: dict[int, tuple[tuple[object, ...], QImage]] = {}

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        layout, classes = frame.layout, classes_of(frame.content)
        if not layout.strip or classes is None or frame.content.ghost is not None:
            return
        for index in layout.in_view:
            lane = frame.pool_rects[index]
            place = QRect(lane.left(), lane.top() - layout.strip - 1, lane.width(), layout.strip)
            parts = use_parts(rows, classes, index, frame.content.places)
            painter.fillRect(place, frame.theme.surface)
            painter.drawImage(place.topLeft(), self._image(frame, classes, index, parts))
            painter.setFont(frame.fonts.small)
            painter.setPen(frame.theme.second_text)
            slots = layout.pools[index].slots
            most = f"{100 * most_held([part.held for part in parts]) / slots:.0f} %"
            label = QRect(0, place.top() - 2, lane.left() - 6, place.height() + 4)
            draw_elided(painter, label, most, Qt.AlignmentFlag.AlignRight)

    def _image(self, frame: ChartFrame, classes: JobClasses, index: int, parts: list[UsePart]) -> QImage:
        """Return the strip of a lane, painted again only where times, colours or height have changed."""
        scale, theme, layout = frame.scale, frame.theme, frame.layout
        key = (scale, layout.strip, id(theme), id(parts), id(classes))
        known = self._images.get(index)
        if known is None or known[0] != key:
            known = self._images[index] = key, _painted(frame, classes, index, parts)
        return known[1]


def _painted(frame: ChartFrame, classes: JobClasses, index: int, parts: list[UsePart]) -> QImage:
    scale, ratio = frame.scale, frame.scale.ratio
    columns, lines = round(scale.width * ratio), round(frame.layout.strip * ratio)
    edges = scale.times(np.arange(columns + 1) / ratio)
    averages = np.array([part.held.average(edges) for part in parts]).reshape(len(parts), columns)
    ink = np.zeros(len(parts) + 1, np.uint32)
    ink[:-1] = [0xFF000000 | value for value in colours_of_parts(parts, classes, frame.theme)]
    pixels = np.zeros((lines, columns), np.uint32)
    if len(parts):
        pixels = ink[stacked(averages, frame.layout.pools[index].slots, lines)]
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
    index: int,
    places: tuple[int, NDArray[np.int64]] | None = None,
) -> list[UsePart]:
    """Return what holds the slots of a lane: jobs by class, their shuffles, then attempts that are no tasks.

    `places` are the document's jobs in the place of a record's, as in `ChartContent`. Kept for the last
    classes.
    """
    known: tuple[JobClasses, dict[int, list[UsePart]]] | None = rows.kept.get(UsePart)
    if known is None or known[0] is not classes:
        known = rows.kept[UsePart] = classes, {}
    if index not in known[1]:
        known[1][index] = _found(rows, classes, index, places)
    return known[1][index]


def _found(
    rows: ScheduleRows,
    classes: JobClasses,
    index: int,
    places: tuple[int, NDArray[np.int64]] | None,
) -> list[UsePart]:
    pool, columns = rows.pools[index], rows.columns
    first, last = columns.offsets[[pool.first_slot, pool.first_slot + pool.slots]].tolist()
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
    parts += _attempts(rows, pool.first_slot, pool.first_slot + pool.slots)
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
