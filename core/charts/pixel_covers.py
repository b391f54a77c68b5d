"""How much of each pixel of a line each colour covers, and which colour the pixel has therefore.

How much of each pixel each colour covers is counted exactly, in whole numbers: a span is entered twice into
the array of differences of its colour, once at its left and once at its right edge, each split over two
pixels by the fraction of a pixel it covers (in 1/256). A running sum gives the cover. So a task costs the
same however wide it is, and a picture put together from an old and a new part equals a redrawn one.

Where one span begins at or behind the end of the one before, as tasks on a slot do, pixels are finished one
after the other instead (`lay`), with the same result: no array has to be looked through for each colour.

A pixel has the mean of its colours, weighted by a high power of what they cover: nearly that of the winner,
as plain means of five hues are mud. It hides the background by how much of it is covered at all, but at
least so much that one thin task among many idle rows is seen.

These are plain functions: `core.charts.raster` compiles them. They allocate nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Ints = TypeVar("Ints", int, "NDArray[Any]")
"""A whole number, or many of them at once."""

WHOLE = 1 << 15
"""The weight of a whole pixel line, shared by the rows in it."""
COVER_STEPS = 1024
"""So finely it is told how much of a pixel is covered; a whole one is ``WHOLE << 8``."""
COVER_SHIFT = 13
UNIT = 1.0 / (WHOLE << 8)
STEPS_SHIFT = 2
"""From 1/256 of a pixel to steps of cover."""
PIXEL, COUNT, END, OVERLAPS = range(4)
"""The places of `Scratch.turn`."""


class Inks(NamedTuple):
    """The colours that tasks are painted in.

    Attributes
    ----------
    colours : red, green and blue of each different colour, 0 to 255, (inks, 3)
    of_tone : which of them each job has for each tone but its hatch, int32 (jobs, 5)
    hatch : the colour of each job's hatch, 0xRRGGBB, int64 (jobs,)
    opacity : of 256, by how much of a pixel is covered, int64 (COVER_STEPS + 1,)
    takes_all : 1 where the colour that covers most of a pixel takes nearly all of it, 0 where colours mix:
        those of a scale mean something between
    """

    colours: NDArray[np.float64]
    of_tone: NDArray[np.int32]
    hatch: NDArray[np.int64]
    opacity: NDArray[np.int64]
    takes_all: int


class Scratch(NamedTuple):
    """Work arrays, modified in place.

    Between calls `first` is the width and `last` -1; of `line`, `few_inks` and `few_covers` nothing is
    known, and all others are 0.

    Attributes
    ----------
    cover : of each ink, differences between neighbouring pixels, int64 (inks, width + 2)
    first, last : the pixels between which each ink was entered, int64 (inks,)
    sums : of each pixel the weight, and weighted red, green and blue, (4, width)
    few_inks, few_covers : the colours of the pixel that is being laid, ascending, and how much of it each
        covers, in 1/256, int64 (inks,)
    turn : that pixel, how many colours it has so far, the right end of what was laid, in 1/256 pixel, and
        whether something overlaps, int64 (4,)
    total : how much of each pixel is covered, int64 (width,)
    line : pixels of one row, int64 (width,)
    marks : ``job << 2 | hatch`` of each pixel, int32 (width,)
    strips : 1 where a borrowed slot is marked with a strip, int8 (width,)
    borrowed : how much of each pixel are other borrowed slots, as differences, int64 (width + 2,)
    """

    cover: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    few_inks: NDArray[np.int64]
    few_covers: NDArray[np.int64]
    turn: NDArray[np.int64]
    sums: NDArray[np.float64]
    total: NDArray[np.int64]
    line: NDArray[np.int64]
    marks: NDArray[np.int32]
    strips: NDArray[np.int8]
    borrowed: NDArray[np.int64]


def add_cover(scratch: Scratch, ink: int, left: int, right: int, weight: int) -> None:
    """Enter a stretch of an ink into the array of differences; what is outside of the picture is cut off.

    NOTE: clipped last to 0, so that the compiler sees that no index is negative.
    """
    limit = len(scratch.line) << 8
    left, right = max(0, min(limit, left)), max(0, min(limit, right))
    if left < right:
        first, part, last, rest = left >> 8, left & 255, right >> 8, right & 255
        scratch.first[ink] = min(scratch.first[ink], first)
        scratch.last[ink] = max(scratch.last[ink], last)
        scratch.cover[ink, first] += weight * (256 - part)
        scratch.cover[ink, first + 1] += weight * part
        scratch.cover[ink, last] -= weight * (256 - rest)
        scratch.cover[ink, last + 1] -= weight * rest


def resolve(scratch: Scratch, inks: Inks, background: int) -> None:
    """Put the colours of all pixels over a background into `line`, and clear what was entered."""
    width = len(scratch.line)
    for ink in range(len(scratch.first)):
        if scratch.last[ink] < 0:
            continue
        red, green, blue = inks.colours[ink, 0], inks.colours[ink, 1], inks.colours[ink, 2]
        first, last, covered = scratch.first[ink], scratch.last[ink], 0
        for x in range(first, min(last + 1, width - 1) + 1):
            covered += scratch.cover[ink, x]
            scratch.cover[ink, x] = 0
            if covered > 0:
                part = covered * UNIT
                weight = part * part
                if inks.takes_all:
                    weight = weight * weight * weight
                scratch.total[x] += covered
                scratch.sums[0, x] += weight
                scratch.sums[1, x] += weight * red
                scratch.sums[2, x] += weight * green
                scratch.sums[3, x] += weight * blue
        scratch.cover[ink, width] = 0
        scratch.cover[ink, width + 1] = 0
        scratch.first[ink] = width
        scratch.last[ink] = -1
    for x in range(width):
        covered = scratch.total[x]
        if covered > 0:
            weight = scratch.sums[0, x]
            red, green, blue = scratch.sums[1, x], scratch.sums[2, x], scratch.sums[3, x]
            colour = int(red / weight + 0.5) << 16 | int(green / weight + 0.5) << 8 | int(blue / weight + 0.5)
            opacity = inks.opacity[min(COVER_STEPS, covered >> COVER_SHIFT)]
            scratch.line[x] = mixed(background, colour, opacity)
            scratch.total[x] = 0
            for channel in range(4):
                scratch.sums[channel, x] = 0.0
        else:
            scratch.line[x] = background


def lay(scratch: Scratch, inks: Inks, background: int, ink: int, left: int, right: int) -> None:
    """Put a stretch of an ink right of all that was laid before; what is outside of the picture is cut off.

    Its last pixel is kept open for what follows, so that `finish` is to be called behind the last stretch.
    """
    limit, turn = len(scratch.line) << 8, scratch.turn
    left, right = max(0, min(limit, left)), max(0, min(limit, right))
    if left >= right:
        return
    if left < turn[END]:
        turn[OVERLAPS] = 1
    turn[END] = right
    while left < right:
        pixel, last = left >> 8, right >> 8
        if pixel != turn[PIXEL]:
            finish(scratch, inks, background)
            turn[PIXEL] = pixel
        if left & 255 == 0 and pixel < last:
            whole = mixed(background, colour_of(inks, ink), inks.opacity[COVER_STEPS])
            for x in range(pixel, last):
                scratch.line[x] = whole
            left = last << 8
        else:
            until = min(right, (pixel + 1) << 8)
            _add_to_pixel(scratch, ink, until - left)
            left = until


def _add_to_pixel(scratch: Scratch, ink: int, cover: int) -> None:
    """Add what a colour covers to the pixel that is being laid; its colours are kept in order."""
    place = count = scratch.turn[COUNT]
    while place > 0 and scratch.few_inks[place - 1] > ink:
        place -= 1
    if place > 0 and scratch.few_inks[place - 1] == ink:
        scratch.few_covers[place - 1] += cover
        return
    for at in range(count, place, -1):
        scratch.few_inks[at], scratch.few_covers[at] = scratch.few_inks[at - 1], scratch.few_covers[at - 1]
    scratch.few_inks[place], scratch.few_covers[place] = ink, cover
    scratch.turn[COUNT] = count + 1


def finish(scratch: Scratch, inks: Inks, background: int) -> None:
    """Put the colour of the pixel that was being laid over a background into `line`."""
    count = scratch.turn[COUNT]
    if count == 0:
        return
    covered, colour = scratch.few_covers[0], 0
    if count == 1:
        colour = colour_of(inks, scratch.few_inks[0])  # what its weight makes of it and back
    else:
        covered = 0
        whole, red, green, blue = 0.0, 0.0, 0.0, 0.0
        for place in range(count):
            ink, part = scratch.few_inks[place], scratch.few_covers[place] / 256.0
            weight = part * part
            if inks.takes_all:
                weight = weight * weight * weight
            covered += scratch.few_covers[place]
            whole += weight
            red += weight * inks.colours[ink, 0]
            green += weight * inks.colours[ink, 1]
            blue += weight * inks.colours[ink, 2]
        colour = int(red / whole + 0.5) << 16 | int(green / whole + 0.5) << 8 | int(blue / whole + 0.5)
    opacity = inks.opacity[min(COVER_STEPS, covered << STEPS_SHIFT)]
    scratch.line[scratch.turn[PIXEL]] = mixed(background, colour, opacity)
    scratch.turn[COUNT] = 0


def colour_of(inks: Inks, ink: int) -> int:
    """Return an ink as 0xRRGGBB."""
    red, green, blue = inks.colours[ink, 0], inks.colours[ink, 1], inks.colours[ink, 2]
    return int(red) << 16 | int(green) << 8 | int(blue)


def mixed(colour: Ints, ink: Ints, share: Ints) -> Ints:
    """Mix two colours, `share` of 256 of the second."""
    keep = 256 - share
    red_blue = ((colour & 0xFF00FF) * keep + (ink & 0xFF00FF) * share) >> 8 & 0xFF00FF
    green = ((colour & 0x00FF00) * keep + (ink & 0x00FF00) * share) >> 8 & 0x00FF00
    whole: Ints = 0xFF000000 | red_blue | green
    return whole
