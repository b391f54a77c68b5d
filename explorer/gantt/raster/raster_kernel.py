"""Rows of tasks to pixels, in each of which the colour that covers most of it wins; compiled or interpreted.

How much of each pixel each colour covers is counted exactly, in whole numbers: a span is entered twice into
the array of differences of its colour, once at its left and once at its right edge, each split over two
pixels by the fraction of a pixel it covers (in 1/256). A running sum gives the cover. So a task costs the
same however wide it is, and a picture put together from an old and a new part equals a redrawn one.

A pixel has the mean of its colours, weighted by a high power of what they cover: nearly that of the winner,
as plain means of five hues are mud. It hides the background by how much of it is covered at all, but at
least so much that one thin task among many idle rows is seen.

These are plain functions: `explorer.gantt.raster.raster` compiles them. They allocate nothing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from explorer.gantt.geometry.row_columns import RowColumns

Ints = TypeVar("Ints", int, "NDArray[Any]")
"""A whole number, or many of them at once."""

MAP_TONE, WAIT_TONE, SHUFFLE_TONE, REDUCE_TONE, EDGE_TONE, HATCH_TONE = range(6)
"""Columns of the tones of a job. Wait: a filler's shuffle while its job's maps still run."""

WHOLE = 1 << 15
"""The weight of a whole pixel line, shared by the rows in it."""

DETAIL_HEIGHT = 3.5
"""Rows at least this tall have hatches and right edges."""

GAP_HEIGHT, WIDE_GAP_HEIGHT = 6.5, 16.0
"""Rows at least this tall have a pixel between them, and two; in lower ones that would be all one sees."""
EDGE_WIDTH = 4 << 8
"""Tasks at least this wide (in 1/256 pixel) have a darker right edge."""

HATCH_WIDTH = 5 << 8
"""Shuffles at least this wide (in 1/256 pixel) are hatched."""

BORROWED_WIDTH = 3 << 8
"""Borrowed slots at least this wide (in 1/256 pixel) have a strip at their foot, in detailed rows."""

BORROWED_PERIOD, BORROWED_PIXELS, BORROWED_SHARE = 6, 2, 140
"""Elsewhere two of six pixels have so much (of 256) of the strip's colour: a texture at any density."""

WAITING, FIRST, TYPICAL = 1, 2, 3
"""Hatches: of a filler while maps run, of the rest of its (first) shuffle, and of a typical shuffle."""

HATCHES = np.array(
    [
        [0] * 16,
        [80, 190, 80] + [0] * 13,  # thin and far apart, leaning left
        [110, 240, 240, 110, 0, 0, 0, 0] * 2,  # bold, leaning left
        [110, 240, 240, 110, 0, 0, 0, 0] * 2,  # bold, leaning right
    ],
    np.int64,
)
"""How much hatch colour (of 256) lies on each of the 16 phases of a diagonal."""


COVER_STEPS = 1024
"""So finely it is told how much of a pixel is covered; a whole one is ``WHOLE << 8``."""
COVER_SHIFT = 13
UNIT = 1.0 / (WHOLE << 8)


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


class Frame(NamedTuple):
    """Which part of the rows is drawn, and on what.

    Attributes
    ----------
    origin : pixel of the left border, counted from time 0
    pixels_per_second : horizontal scale
    top : pixel of the first row's top, from the picture's top
    row_height : pixels
    even, odd : background of alternating rows, 0xffRRGGBB
    stripe : rows of one background before the other follows
    gap : colour where there are no rows, 0xffRRGGBB
    own : the kind of task that the slots are for (0 map, 1 reduce, 2 either); others are on borrowed slots
    borrowed : colour of the strip that marks those, 0xRRGGBB
    """

    origin: int
    pixels_per_second: float
    top: float
    row_height: float
    even: int
    odd: int
    stripe: int
    gap: int
    own: int = 2
    borrowed: int = 0


class Scratch(NamedTuple):
    """Work arrays, modified in place; between calls `first` is the width, `last` -1, all others but `line` 0.

    Attributes
    ----------
    cover : of each ink, differences between neighbouring pixels, int64 (inks, width + 2)
    first, last : the pixels between which each ink was entered, int64 (inks,)
    sums : of each pixel the weight, and weighted red, green and blue, (4, width)
    total : how much of each pixel is covered, int64 (width,)
    line : pixels of one row, int64 (width,)
    marks : ``job << 2 | hatch`` of each pixel, int32 (width,)
    strips : 1 where a borrowed slot is marked with a strip, int8 (width,)
    borrowed : how much of each pixel are other borrowed slots, as differences, int64 (width + 2,)
    """

    cover: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    sums: NDArray[np.float64]
    total: NDArray[np.int64]
    line: NDArray[np.int64]
    marks: NDArray[np.int32]
    strips: NDArray[np.int8]
    borrowed: NDArray[np.int64]


def paint(image: NDArray[np.uint32], rows: RowColumns, inks: Inks, frame: Frame, scratch: Scratch) -> None:
    """Fill an image (height, width) with rows of tasks."""
    if frame.row_height >= 1.0:
        _paint_rows(image, rows, inks, frame, scratch)
    else:
        _paint_lines(image, rows, inks, frame, scratch)


def _paint_rows(
    image: NDArray[np.uint32], rows: RowColumns, inks: Inks, frame: Frame, scratch: Scratch
) -> None:
    """Paint rows of one or more pixel lines."""
    height = image.shape[0]
    count = len(rows.offsets) - 1
    detailed = frame.row_height >= DETAIL_HEIGHT
    spacing = spacing_of(frame.row_height)
    y = 0
    for row in range(max(0, math.floor(-frame.top / frame.row_height) - 1), count):
        upper = math.floor(frame.top + row * frame.row_height + 0.5)
        lower = math.floor(frame.top + (row + 1) * frame.row_height + 0.5)
        if upper >= height:
            break
        if lower <= 0:
            continue
        upper = max(0, upper)
        inked = min(height, max(upper, lower - spacing))
        background = frame.even if row // frame.stripe % 2 == 0 else frame.odd
        _add_row(rows, inks, frame, scratch, row, WHOLE)
        _resolve(scratch, inks, background)
        _weave(scratch, frame)
        _fill(image, y, upper, frame.gap)
        _write(image, inks, frame, scratch, upper, inked)
        if detailed:
            _write_strips(
                image, frame, scratch, max(upper, lower - spacing - strip_height(frame.row_height)), inked
            )
        y = min(height, lower)
        _fill(image, inked, y, background)
    _fill(image, y, height, frame.gap)


def _paint_lines(
    image: NDArray[np.uint32], rows: RowColumns, inks: Inks, frame: Frame, scratch: Scratch
) -> None:
    """Paint rows thinner than a pixel line: every row in a line contributes by its share of it."""
    height = image.shape[0]
    count = len(rows.offsets) - 1
    for y in range(height):
        first = min(count, max(0, math.floor((y - frame.top) / frame.row_height)))
        last = min(count, max(0, math.ceil((y + 1 - frame.top) / frame.row_height)))
        done = _share(frame, first, y)
        rest = done + WHOLE - _share(frame, last, y) if last > first else WHOLE
        red_green, blue = lanes(frame.gap)
        red_green, blue = red_green * rest, blue * rest
        for row in range(first, last):
            weight = _share(frame, row + 1, y) - done
            done += weight
            background = frame.even if row // frame.stripe % 2 == 0 else frame.odd
            more_red_green, more_blue = lanes(background)
            red_green += more_red_green * weight
            blue += more_blue * weight
            _add_row(rows, inks, frame, scratch, row, weight)
        _resolve(scratch, inks, mean_colour(red_green, blue))
        _weave(scratch, frame)
        _write(image, inks, frame, scratch, y, y + 1)


def _share(frame: Frame, row: int, y: int) -> int:
    """Return how much of pixel line `y` lies above the top of a row, of `WHOLE`."""
    part = frame.top + row * frame.row_height - y
    return math.floor(min(1.0, max(0.0, part)) * WHOLE + 0.5)


def _add_row(rows: RowColumns, inks: Inks, frame: Frame, scratch: Scratch, row: int, weight: int) -> None:
    """Enter the tasks of one row that are in view into the arrays of differences."""
    width, detailed = len(scratch.line), frame.row_height >= DETAIL_HEIGHT
    scale = frame.pixels_per_second
    fine = scale * 256.0
    origin = frame.origin << 8
    latest = (frame.origin + width + 1) / scale
    i = _first_ending_after(rows, row, (frame.origin - 1) / scale)
    stop = rows.offsets[row + 1]
    # Whole-pixel borders look even, and lose nothing where every task of the row is a pixel wide. Decided by
    # row and scale alone: a panned picture must not differ.
    snaps = detailed and rows.shortest[row] * scale >= 1.0
    half, mask = (128, ~255) if snaps else (0, ~0)
    while i < stop and rows.start[i] < latest:
        job = rows.code[i] >> 1
        left = ((int(rows.start[i] * fine) + half) & mask) - origin
        right = max(left, ((int(rows.end[i] * fine) + half) & mask) - origin)
        body, tone = left, MAP_TONE
        if frame.own < 2 and (rows.code[i] & 1) != frame.own:
            _mark_borrowed(scratch, left, right, weight, detailed)
        if rows.code[i] & 1:
            tone = REDUCE_TONE
            body = min(right, max(left, int(rows.shuffled[i] * fine) - origin))
            copied = left
            if rows.start[i] < rows.stage_end[job]:
                waits = min(rows.stage_end[job], rows.shuffled[i])
                copied = min(body, max(left, int(waits * fine) - origin))
                _cover(scratch, inks.of_tone[job, WAIT_TONE], left, copied, weight)
            _cover(scratch, inks.of_tone[job, SHUFFLE_TONE], copied, body, weight)
            if detailed:
                hatch = FIRST if rows.start[i] < rows.stage_end[job] else TYPICAL
                _mark(scratch, left, copied, job << 2 | WAITING)
                _mark(scratch, copied, body, job << 2 | hatch)
        last = right
        if detailed and right - body >= EDGE_WIDTH:
            last = ((right - 1) >> 8) << 8  # the pixel that holds the end
            _cover(scratch, inks.of_tone[job, EDGE_TONE], last, right, weight)
        _cover(scratch, inks.of_tone[job, tone], body, last, weight)
        i += 1


def _first_ending_after(rows: RowColumns, row: int, time: float) -> int:
    """Return the first task of a row that ends after a time."""
    low, high = int(rows.offsets[row]), int(rows.offsets[row + 1])
    while low < high:
        middle = (low + high) >> 1
        if rows.end[middle] > time:
            high = middle
        else:
            low = middle + 1
    return low


def lanes(colour: Ints) -> tuple[Ints, Ints]:
    """Split 0xRRGGBB into (red << 32 | green, blue)."""
    return ((colour & 0xFF0000) << 16) | ((colour & 0xFF00) >> 8), colour & 0xFF


def _mark_borrowed(scratch: Scratch, left: int, right: int, weight: int, detailed: bool) -> None:
    """Note a task on a borrowed slot: for a strip where there is room for one, for the texture elsewhere."""
    limit = len(scratch.line) << 8
    has_room = detailed and right - left >= BORROWED_WIDTH  # decided before it is clipped, for panning
    left, right = max(0, min(limit, left)), max(0, min(limit, right))
    if has_room:
        for pixel in range((left + 255) >> 8, right >> 8):
            scratch.strips[pixel] = 1
        return
    for x, change in ((left, weight), (right, -weight)):
        scratch.borrowed[x >> 8] += change * (256 - (x & 255))
        scratch.borrowed[(x >> 8) + 1] += change * (x & 255)


def _weave(scratch: Scratch, frame: Frame) -> None:
    """Put the texture of borrowed slots into `line`, anchored to time, and clear it."""
    if frame.own == 2:
        return
    width = len(scratch.line)
    sum_ = 0
    for x in range(width):
        sum_ += scratch.borrowed[x]
        if sum_ > 0 and (x + frame.origin) % BORROWED_PERIOD < BORROWED_PIXELS:
            share = ((sum_ >> 15) * BORROWED_SHARE) >> 8
            scratch.line[x] = mixed(scratch.line[x], frame.borrowed, share)
    for x in range(width + 2):
        scratch.borrowed[x] = 0


def strip_height(row_height: float) -> int:
    """Return how many pixel lines the strip of a borrowed slot has, in detailed rows."""
    return max(1, min(4, math.floor(row_height * 0.2 + 0.5)))


def spacing_of(row_height: float) -> int:
    """Return how many pixel lines are left empty below the tasks of a row."""
    return 2 if row_height >= WIDE_GAP_HEIGHT else 1 if row_height >= GAP_HEIGHT else 0


def _write_strips(image: NDArray[np.uint32], frame: Frame, scratch: Scratch, upper: int, lower: int) -> None:
    """Draw the strips of one row at its foot, and clear them."""
    width = len(scratch.line)
    if frame.own < 2:
        for y in range(upper, lower):
            for x in range(width):
                if scratch.strips[x]:
                    image[y, x] = 0xFF000000 | frame.borrowed
        for x in range(width):
            scratch.strips[x] = 0


def _cover(scratch: Scratch, ink: int, left: int, right: int, weight: int) -> None:
    """Enter a stretch of an ink; what is outside of the picture is cut off.

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


def _mark(scratch: Scratch, left: int, right: int, mark: int) -> None:
    """Mark the whole pixels of a span for hatching, if it is wide enough for a hatch to be seen."""
    if right - left >= HATCH_WIDTH:
        limit = len(scratch.line) << 8
        for pixel in range((min(limit, max(0, left)) + 255) >> 8, min(limit, max(0, right)) >> 8):
            scratch.marks[pixel] = mark


def _resolve(scratch: Scratch, inks: Inks, background: int) -> None:
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


def mean_colour(red_green: Ints, blue: Ints) -> Ints:
    """Return the colour of lanes (see `lanes`) that were summed up with weights of `WHOLE` together."""
    colour: Ints = 0xFF000000 | (red_green >> 47) << 16 | ((red_green >> 15) & 0xFF) << 8 | blue >> 15
    return colour


def _write(
    image: NDArray[np.uint32],
    inks: Inks,
    frame: Frame,
    scratch: Scratch,
    upper: int,
    lower: int,
) -> None:
    """Copy `line` into pixel lines, hatched where marked, and clear the marks."""
    width, detailed = len(scratch.line), frame.row_height >= DETAIL_HEIGHT
    anchor = math.floor(frame.top + 0.5)
    for y in range(upper, lower):
        for x in range(width):
            image[y, x] = scratch.line[x]
        if detailed:
            for x in range(width):
                mark = scratch.marks[x]
                if mark:
                    lean = y - anchor if mark & 3 == TYPICAL else anchor - y
                    share = HATCHES[mark & 3, (x + frame.origin + lean) & 15]
                    image[y, x] = mixed(scratch.line[x], inks.hatch[mark >> 2], share)
    if detailed:
        for x in range(width):
            scratch.marks[x] = 0


def mixed(colour: Ints, ink: Ints, share: Ints) -> Ints:
    """Mix two colours, `share` of 256 of the second."""
    keep = 256 - share
    red_blue = ((colour & 0xFF00FF) * keep + (ink & 0xFF00FF) * share) >> 8 & 0xFF00FF
    green = ((colour & 0x00FF00) * keep + (ink & 0x00FF00) * share) >> 8 & 0x00FF00
    whole: Ints = 0xFF000000 | red_blue | green
    return whole


def _fill(image: NDArray[np.uint32], upper: int, lower: int, colour: int) -> None:
    """Fill whole pixel lines."""
    for y in range(upper, lower):
        for x in range(image.shape[1]):
            image[y, x] = colour
