"""Pictures as small files: PNG with a palette of the colours that are used most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PIL import Image
from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray
    from PySide6.QtGui import QPixmap

MAX_BYTES = 150_000
"""Of one picture: a page with ten of them still opens at once."""
PALETTES = (128, 96, 64, 48, 32)
"""Numbers of colours, the first that fits into `MAX_BYTES`."""


def save_indexed(picture: QPixmap, path: Path) -> None:
    """Write a picture with as many colours as fit into `MAX_BYTES`; ValueError where no palette does."""
    pixels = pixels_of(picture)
    seen, place, count = np.unique(_as_numbers(pixels), return_inverse=True, return_counts=True)
    for colours in PALETTES:
        palette, nearest = _palette(_as_colours(seen), count, colours)
        image = Image.fromarray(nearest[place].reshape(pixels.shape[:2]).astype(np.uint8), "P")
        image.putpalette(palette.astype(np.uint8).tobytes())
        image.save(path, optimize=True)
        if path.stat().st_size <= MAX_BYTES:
            return
    raise ValueError(f"{path.name} has {path.stat().st_size:,} bytes; show less of the window")


def pixels_of(picture: QPixmap) -> NDArray[np.uint8]:
    """Return a picture as rows of pixels of red, green and blue."""
    image = picture.toImage().convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return (
        rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).copy()
    )  # the image is let go


def _as_numbers(pixels: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return each pixel as one number, 0xRRGGBB."""
    wide = pixels.astype(np.int64)
    numbers: NDArray[np.int64] = (wide[..., 0] << 16) | (wide[..., 1] << 8) | wide[..., 2]
    return numbers.ravel()


def _as_colours(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.stack([numbers >> 16, (numbers >> 8) & 255, numbers & 255], axis=1)


def _palette(
    colours: NDArray[np.int64], count: NDArray[np.int64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a palette and the place of the nearest colour in it for each of `colours`.

    It begins with the colour that is seen most, and takes one after the other that whose pixels would be
    furthest off, few of them counting nearly as much as many: else the one swatch of a legend got the hue of
    another.
    """
    weight = np.sqrt(count)
    chosen = [int(np.argmax(count))]
    error = ((colours - colours[chosen[0]]) ** 2).sum(axis=1)
    nearest = np.zeros(len(colours), np.int64)
    while len(chosen) < size and error.any():
        chosen.append(int(np.argmax(error * weight)))
        new = ((colours - colours[chosen[-1]]) ** 2).sum(axis=1)
        nearest = np.where(new < error, len(chosen) - 1, nearest)
        error = np.minimum(new, error)
    return colours[chosen], nearest
