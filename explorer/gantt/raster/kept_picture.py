"""A picture kept between frames: panning moves it, and only what came into view is painted."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np
from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from explorer.gantt.geometry.time_scale import TimeScale


class PictureContents(Protocol):
    """What a picture shows: times on a scale, so many pixels high."""

    @property
    def scale(self) -> TimeScale:
        """The times."""

    @property
    def height(self) -> int:
        """Logical pixels."""

    @property
    def form(self) -> tuple[object, ...]:
        """What has to be equal for a picture to be moved along, beside its scale."""

    @property
    def sources(self) -> tuple[object, ...]:
        """What has to be the very same."""


ShownT = TypeVar("ShownT", bound=PictureContents)


class KeptPicture(ABC, Generic[ShownT]):
    """An image of what has happened over time, at one scale.

    Attributes
    ----------
    shown : what it shows, or None before the first call of `image`
    last_image : what that call returned
    painted_columns : columns that it had to paint; 0 when nothing had changed
    """

    FORMAT = QImage.Format.Format_RGB32

    def __init__(self) -> None:
        self.shown: ShownT | None = None
        self.last_image = QImage()
        self.painted_columns = 0
        self._pixels: NDArray[np.uint32] = np.zeros((0, 0), np.uint32)

    @abstractmethod
    def paint(self, pixels: NDArray[np.uint32], first: int, shown: ShownT) -> None:
        """Paint a block of pixel columns, the first of which is `first`, (lines, columns)."""

    def fresh(self) -> Self:
        """Return a picture to paint in a thread, which this one may `take` then."""
        return type(self)()

    def take(self, other: Self) -> None:
        """Become a picture that was painted in a thread."""
        vars(self).update(vars(other))

    def image(self, shown: ShownT) -> QImage:
        """Return the picture; valid until the next call."""
        width, height = _size(shown)
        if not self._can_move_to(shown):
            self._allocate(width, height, shown.scale.ratio)
            first, last = 0, width
        else:
            first, last = self._moved_to(shown.scale.origin, width)
        self.shown, self.painted_columns = shown, last - first
        if last > first:
            self.paint(self._pixels[:, first:last], first, shown)
        return self.last_image

    def columns_to_paint(self, shown: ShownT) -> int:
        """Return how many pixel columns `image` would have to paint."""
        width = _size(shown)[0]
        if self.shown is None or not self._can_move_to(shown):
            return width
        return min(width, abs(shown.scale.origin - self.shown.scale.origin))

    def _can_move_to(self, shown: ShownT) -> bool:
        """Whether the picture shows the same, if perhaps another time of it."""
        if self.shown is None:
            return False
        same = all(one is other for one, other in zip(shown.sources, self.shown.sources, strict=True))
        return same and _whole_form(shown) == _whole_form(self.shown)

    def _allocate(self, width: int, height: int, ratio: float) -> None:
        if self._pixels.shape != (height, width):
            self._pixels = np.zeros((height, width), np.uint32)
        self.last_image = QImage(self._pixels.data.cast("B"), width, height, width * 4, self.FORMAT)
        self.last_image.setDevicePixelRatio(ratio)

    def _moved_to(self, origin: int, width: int) -> tuple[int, int]:
        """Move what is still in view; return the columns that are not painted."""
        assert self.shown is not None  # else there is nothing to move
        by = origin - self.shown.scale.origin
        if abs(by) >= width:
            return 0, width
        if by > 0:
            self._pixels[:, :-by] = self._pixels[:, by:]
            return width - by, width
        if by < 0:
            self._pixels[:, -by:] = self._pixels[:, :by]
        return 0, -by


def _size(shown: PictureContents) -> tuple[int, int]:
    """Return width and height in device pixels."""
    ratio = shown.scale.ratio
    return math.ceil(shown.scale.width * ratio), math.ceil(shown.height * ratio)


def _whole_form(shown: PictureContents) -> tuple[object, ...]:
    scale = shown.scale
    return _size(shown), scale.device_pixels_per_second, scale.ratio, scale.fold, shown.form


class Drawing(NamedTuple):
    """What a picture leaves to a thread, and what it is to show: something that its kind of picture knows."""

    picture: KeptPicture[Any]
    shown: Any


def drawn(drawings: Iterable[Drawing]) -> list[tuple[KeptPicture[Any], KeptPicture[Any]]]:
    """Paint, in a thread, what pictures left; return each with the one whose pixels it shall `take`."""
    painted = [(picture, picture.fresh(), shown) for picture, shown in drawings]
    for _, fresh, shown in painted:
        fresh.image(shown)
    return [(picture, fresh) for picture, fresh, _ in painted]
