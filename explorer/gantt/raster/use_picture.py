"""A picture of how many slots are in use over time, stacked by colour, kept until something in it changes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtGui import QImage

from core.model.execution_history import LOOKS
from explorer.gantt.geometry.slots_in_use import slots_in_use, stacked
from explorer.gantt.raster.palette import mixed
from explorer.gantt.raster.raster_kernel import MAP_TONE, SHUFFLE_TONE
from explorer.gantt.raster.row_picture import MANY_TASKS, Drawing

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QPainter

    from explorer.gantt.geometry.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.time_scale import TimeScale
    from explorer.widgets.theme import Theme

    Ints = NDArray[np.int64]

OPAQUE = 0xFF000000
SERVICE_SHARE = 0.5
"""How much of the background attempts of a record have that neither failed nor were killed."""


class UseShown(NamedTuple):
    """What a picture shows: times and height, and the tones of the jobs, (jobs, 6)."""

    rows: ScheduleRows
    tones: Ints
    theme: Theme
    scale: TimeScale
    height: int

    def is_like(self, other: UseShown | None) -> bool:
        """Whether a picture of the other one shows the same."""
        if other is None or self.rows is not other.rows or self.theme is not other.theme:
            return False
        same = (self.scale, self.height) == (other.scale, other.height)
        return same and np.array_equal(self.tones, other.tones)


class UsePicture:
    """An image of the slots in use."""

    def __init__(self) -> None:
        self._pixels: NDArray[np.uint32] = np.zeros((0, 0), np.uint32)
        self._image = QImage()
        self._shown: UseShown | None = None

    def draw(
        self, painter: QPainter, corner: QPoint, shown: UseShown, later: list[Drawing] | None = None
    ) -> None:
        """Draw the picture with its top left corner at a pixel.

        That of many tasks is left to `later`, if there is such a list; until it is there, what was there
        before stands in if it is of the same times.
        """
        is_much = len(shown.rows.columns.start) > MANY_TASKS
        if later is not None and is_much and not shown.is_like(self._shown):
            later.append(Drawing(self, shown))
            if self._shown is not None and shown.is_like(self._shown._replace(tones=shown.tones)):
                painter.drawImage(corner, self._image)
        else:
            painter.drawImage(corner, self.image(shown))

    def fresh(self) -> UsePicture:
        """Return a picture to paint in a thread, which this one may `take` then."""
        return UsePicture()

    def take(self, other: UsePicture) -> None:
        """Become a picture that was painted in a thread."""
        vars(self).update(vars(other))

    def image(self, shown: UseShown) -> QImage:
        """Return the picture; valid until the next call."""
        if not shown.is_like(self._shown):
            self._shown = shown
            self._pixels = pixels_of(shown)
            height, width = self._pixels.shape
            self._image = QImage(
                self._pixels.data.cast("B"), width, height, width * 4, QImage.Format.Format_RGB32
            )
            self._image.setDevicePixelRatio(shown.scale.ratio)
        return self._image


def pixels_of(shown: UseShown) -> NDArray[np.uint32]:
    """Paint the slots in use: what jobs do upon one another, then shuffles, then what came to nothing."""
    scale, theme = shown.scale, shown.theme
    background = theme.surface.rgb() & 0xFFFFFF
    width, lines = (max(math.ceil(length * scale.ratio), 1) for length in (scale.width, shown.height))
    begin, end, kind, colours = _spans(shown, background)
    left, right = scale.x(begin) * scale.ratio, scale.x(end) * scale.ratio
    use = slots_in_use(left, right, kind, (len(colours), width))
    found = stacked(use, max(shown.rows.schedule.cluster.slots, 1), lines)
    inks = np.append(colours, background).astype(np.uint32)
    return np.ascontiguousarray(inks[found] | np.uint32(OPAQUE))


def _spans(shown: UseShown, background: int) -> tuple[NDArray[np.float64], NDArray[np.float64], Ints, Ints]:
    """Return begin and end of all that holds a slot, in seconds, of which kind it is, and their colours."""
    columns = shown.rows.columns
    job = columns.code >> 1
    is_second = (columns.code & 1).astype(bool)
    work = np.where(is_second, columns.shuffled, columns.start)
    jobs_colours, of_work = _numbered(shown.tones[:, MAP_TONE])
    shuffle_colours, of_shuffle = _numbered(shown.tones[:, SHUFFLE_TONE])
    begin, end = [work, columns.start[is_second]], [columns.end, columns.shuffled[is_second]]
    kind = [of_work[job], of_shuffle[job[is_second]] + len(jobs_colours)]
    colours = [jobs_colours, shuffle_colours]
    record = shown.rows.schedule.record
    if record is not None:
        begun = np.maximum(record.run.start[record.extra], 0.0)
        look = np.array([RANK[each] for each in record.looks], np.int64)
        begin.append(begun)
        end.append(np.maximum(record.run.end[record.extra], begun))
        kind.append(look + len(jobs_colours) + len(shuffle_colours))
        colours.append(_look_colours(shown.theme, background))
    return np.concatenate(begin), np.concatenate(end), np.concatenate(kind), np.concatenate(colours)


RANK = {look: rank for rank, look in enumerate(reversed(LOOKS))}
"""In which order attempts that are no tasks lie upon one another: failed ones at the top."""


def _look_colours(theme: Theme, background: int) -> Ints:
    grey = theme.third_text.rgb() & 0xFFFFFF
    pale = int(mixed(np.array([grey]), background, SERVICE_SHARE)[0])
    known = {"failed": theme.failed.rgb() & 0xFFFFFF, "killed": theme.killed.rgb() & 0xFFFFFF}
    return np.array([known.get(look, pale) for look in RANK], np.int64)


def _numbered(colours: Ints) -> tuple[Ints, Ints]:
    """Return the colours that there are, as they first come, and the place of each one among them."""
    distinct, first, place = np.unique(colours, return_index=True, return_inverse=True)
    turn = np.argsort(first, kind="stable")
    rank = np.empty_like(turn)
    rank[turn] = np.arange(len(turn))
    return distinct[turn], rank[place.reshape(-1)]
