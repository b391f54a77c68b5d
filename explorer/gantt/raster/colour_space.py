"""OKLCH, in which equal steps look equal: colours from lightness, chroma and hue, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# Björn Ottosson's OKLab: linear sRGB to cone response, and its cube root to lightness and opponents
_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def unpacked(colours: ArrayLike) -> NDArray[np.float64]:
    """Split 0xRRGGBB into red, green and blue from 0 to 1, (..., 3)."""
    whole = np.asarray(colours, np.int64)
    channels = np.stack([whole >> 16 & 0xFF, whole >> 8 & 0xFF, whole & 0xFF], -1)
    return channels.astype(np.float64) / 255.0


def packed(red_green_blue: NDArray[np.float64]) -> NDArray[np.int64]:
    """Join red, green and blue from 0 to 1, (..., 3), into 0xRRGGBB."""
    levels = np.round(np.clip(red_green_blue, 0, 1) * 255).astype(np.int64)
    joined: NDArray[np.int64] = levels[..., 0] << 16 | levels[..., 1] << 8 | levels[..., 2]
    return joined


def linear(red_green_blue: NDArray[np.float64]) -> NDArray[np.float64]:
    """Undo the sRGB transfer curve."""
    bright = ((red_green_blue + 0.055) / 1.055) ** 2.4
    return np.where(red_green_blue <= 0.04045, red_green_blue / 12.92, bright)


def curved(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Apply the sRGB transfer curve."""
    light = np.clip(light, 0, 1)
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def oklab(light: NDArray[np.float64]) -> NDArray[Any]:
    """Return lightness and the two opponents of linear colours, (..., 3)."""
    return np.asarray(np.cbrt(light @ _TO_CONES.T) @ _TO_LAB.T)


def oklch(colours: ArrayLike) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return lightness, chroma and hue (radians) of 0xRRGGBB colours."""
    lab = oklab(linear(unpacked(colours)))
    return lab[..., 0], np.hypot(lab[..., 1], lab[..., 2]), np.arctan2(lab[..., 2], lab[..., 1])


def from_oklch(lightness: ArrayLike, chroma: ArrayLike, hue: ArrayLike) -> NDArray[np.int64]:
    """Return 0xRRGGBB colours, clipped to what a screen can show."""
    bright, vivid, angle = np.broadcast_arrays(
        np.asarray(lightness, float), np.asarray(chroma, float), np.asarray(hue, float)
    )
    lab = np.stack([bright, vivid * np.cos(angle), vivid * np.sin(angle)], -1)
    return packed(curved((lab @ np.linalg.inv(_TO_LAB).T) ** 3 @ np.linalg.inv(_TO_CONES).T))


def mixed(colours: ArrayLike, other: int, share: float) -> NDArray[np.int64]:
    """Mix 0xRRGGBB colours with a `share` of another."""
    return packed(unpacked(colours) * (1 - share) + unpacked(other) * share)


def luminance(colour: int) -> float:
    """Return the relative luminance of a 0xRRGGBB colour, 0 to 1, as contrast is reckoned."""
    return float(linear(unpacked(colour)) @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(one: int, other: int) -> float:
    """Return the contrast of two 0xRRGGBB colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
