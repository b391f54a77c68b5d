"""The overview below the axis: the slots in use over all the time, and the frame around what is in view."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen
from typing_extensions import override

from explorer.gantt.geometry.chart_frame import draw_elided
from explorer.gantt.geometry.painted_rows import classes_of
from explorer.gantt.geometry.slot_use import stacked
from explorer.gantt.layers.layer import Layer
from explorer.gantt.layers.task_rows import sharp
from explorer.gantt.layers.use_strips import colours_of_parts, is_soon_found, use_parts
from explorer.gantt.raster.row_picture import Drawing

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QPoint

    from core.measures.job_classes import JobClasses
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.geometry.schedule_rows import ScheduleRows
    from explorer.gantt.geometry.time_scale import TimeScale
    from explorer.widgets.theme import Theme

RECEDING = 0.4
"""Opacity of the slots in use while something in the chart stands out."""
HANDLE = 3.0, 9.0
"""Width and height of the handles at the sides of the view in the overview."""


class OverviewLayer(Layer):
    """The slots in use over the whole time, below the axis; what is outside of the view is shaded."""

    def __init__(self) -> None:
        self._picture = UsePicture()

    @override
    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        if frame.places.overview.height() == 0 or frame.content.is_veiled:
            return
        place, scale = frame.places.overview, sharp(frame, frame.full_scale)
        painter.fillRect(place, frame.theme.surface)
        classes = classes_of(frame.content)
        if classes is not None:
            shown = UseShown(rows, classes, frame.content.places, frame.theme, scale, place.height())
            painter.setOpacity(RECEDING if frame.recedes else 1.0)
            self._picture.draw(painter, place.topLeft(), shown, self.later)
            painter.setOpacity(1.0)
        _paint_view(painter, frame)


class UseShown(NamedTuple):
    """What a picture of slots in use shows: rows by the classes of their jobs, times, height in pixels."""

    rows: ScheduleRows
    classes: JobClasses
    places: tuple[int, NDArray[np.int64]] | None
    theme: Theme
    scale: TimeScale
    height: int

    @property
    def is_soon_found(self) -> bool:
        """Whether the picture takes no time."""
        lanes = (range(index, index + 1) for index in range(len(self.rows.pools)))
        return all(is_soon_found(self.rows, self.classes, each) for each in lanes)

    def is_like(self, other: UseShown | None) -> bool:
        """Whether a picture of the other one shows the same."""
        if other is None or (self.scale, self.height) != (other.scale, other.height):
            return False
        return all(one is its for one, its in zip(self[:4], other[:4], strict=True))


class UsePicture:
    """An image of the slots in use, kept until something in it changes."""

    def __init__(self) -> None:
        self._image = QImage()
        self._shown: UseShown | None = None

    def draw(
        self, painter: QPainter, corner: QPoint, shown: UseShown, later: list[Drawing] | None = None
    ) -> None:
        """Draw the picture with its top left corner at a pixel.

        Where it is not known what holds slots, and many tasks do, that is left to `later`, if there is such a
        list; until it is there, nothing is drawn.
        """
        if later is not None and not shown.is_soon_found and not shown.is_like(self._shown):
            later.append(Drawing(self, shown))
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
            pixels = pixels_of(shown)
            lines, columns = pixels.shape
            argb = QImage.Format.Format_ARGB32
            self._image = QImage(pixels.tobytes(), columns, lines, 4 * columns, argb).copy()
            self._image.setDevicePixelRatio(shown.scale.ratio)
        return self._image


def pixels_of(shown: UseShown) -> NDArray[np.uint32]:
    """Paint the slots in use of all lanes together; what is idle is transparent, (lines, columns)."""
    scale, rows = shown.scale, shown.rows
    columns, lines = (max(math.ceil(each * scale.ratio), 1) for each in (scale.width, shown.height))
    edges = scale.times(np.arange(columns + 1) / scale.ratio)
    held: dict[tuple[bool, bool, int | str], tuple[int, NDArray[np.float64]]] = {}
    for index in range(len(rows.pools)):
        parts = use_parts(rows, shown.classes, range(index, index + 1), shown.places)
        for part, ink in zip(parts, colours_of_parts(parts, shown.classes, shown.theme), strict=True):
            key = isinstance(part.owner, str), part.shuffles, part.owner
            before = held[key][1] if key in held else np.zeros(columns)
            held[key] = ink, before + part.held.average(edges)
    if not held:
        return np.zeros((lines, columns), np.uint32)
    # as in the strips: jobs by class, their shuffles upon them, attempts that are no tasks on top
    in_turn = [held[key] for key in sorted(held, key=lambda key: (key[0], key[1], not key[0] and key[2]))]
    inks = np.array([*(0xFF000000 | ink for ink, _ in in_turn), 0], np.uint32)
    found = stacked(np.stack([average for _, average in in_turn]), rows.schedule.cluster.slots, lines)
    return np.ascontiguousarray(inks[found])


def view_rect(frame: ChartFrame) -> QRectF:
    """Return the times that the plot shows, as a rectangle in the overview."""
    rect, full = frame.places.overview, frame.full_scale
    left, right = full.x(frame.scale.start), full.x(frame.scale.end)
    return QRectF(rect.left() + left, rect.top(), right - left, rect.height())


def _paint_view(painter: QPainter, frame: ChartFrame) -> None:
    """Frame the times that the plot shows, with a handle at each side, and say what they are a part of."""
    rect, view = frame.places.overview, view_rect(frame)
    view &= QRectF(rect)
    painter.save()
    for side in (QRectF(rect.topLeft(), view.bottomLeft()), QRectF(view.topRight(), rect.bottomRight())):
        painter.fillRect(side.adjusted(0, 0, 0, 1), frame.theme.shade)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(frame.theme.link, 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(view.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.theme.link)
    middle, (width, height) = view.center().y(), HANDLE
    for left in (view.left(), view.right() - width):
        painter.drawRect(QRectF(left, middle - height / 2, width, height))
    painter.restore()
    painter.setFont(frame.fonts.small)
    painter.setPen(frame.theme.third_text)
    label = QRect(2, rect.top(), rect.left() - 9, rect.height())
    draw_elided(painter, label, "All", Qt.AlignmentFlag.AlignRight)
