"""Rows of tasks to pixels with exact horizontal coverage: one source, interpreted or compiled.

Every span of colour is entered twice into a row's array of differences, once at its left and once at its
right edge, each split over two pixels by the fraction of a pixel it covers (in 1/256). A running sum gives
the pixels. So a task costs the same however wide it is, and thousands of tasks in one pixel mix exactly.

Colours travel as two integers, red and green together in the first (``red << 32 | green``), blue in the
second; sums stay exact, so that a picture put together from an old and a new part equals a redrawn one.

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
    """Work arrays, modified in place; all zero between calls except `line`.

    Attributes
    ----------
    red_green, blue : differences between neighbouring pixels, int64 (width + 2,)
    line : pixels of one row, int64 (width,)
    marks : ``job << 2 | hatch`` of each pixel, int32 (width,)
    strips : 1 where a borrowed slot is marked with a strip, int8 (width,)
    borrowed : how much of each pixel are other borrowed slots, as differences, int64 (width + 2,)
    """

    red_green: NDArray[np.int64]
    blue: NDArray[np.int64]
    line: NDArray[np.int64]
    marks: NDArray[np.int32]
    strips: NDArray[np.int8]
    borrowed: NDArray[np.int64]


def paint(
    image: NDArray[np.uint32], rows: RowColumns, tones: NDArray[np.int64], frame: Frame, scratch: Scratch
) -> None:
    """Fill an image (height, width) with rows of tasks; `tones` are 0xRRGGBB colours of jobs, (jobs, 6)."""
    if frame.row_height >= 1.0:
        _paint_rows(image, rows, tones, frame, scratch)
    else:
        _paint_lines(image, rows, tones, frame, scratch)


def _paint_rows(
    image: NDArray[np.uint32], rows: RowColumns, tones: NDArray[np.int64], frame: Frame, scratch: Scratch
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
        red_green, blue = lanes(background)
        _add_row(rows, tones, frame, scratch, row, WHOLE, background)
        _resolve(scratch, red_green << 23, blue << 23)
        _weave(scratch, frame)
        _fill(image, y, upper, frame.gap)
        _write(image, tones, frame, scratch, upper, inked)
        if detailed:
            _write_strips(
                image, frame, scratch, max(upper, lower - spacing - strip_height(frame.row_height)), inked
            )
        y = min(height, lower)
        _fill(image, inked, y, background)
    _fill(image, y, height, frame.gap)


def _paint_lines(
    image: NDArray[np.uint32], rows: RowColumns, tones: NDArray[np.int64], frame: Frame, scratch: Scratch
) -> None:
    """Paint rows thinner than a pixel line: every row in a line contributes by its share of it."""
    height = image.shape[0]
    count = len(rows.offsets) - 1
    for y in range(height):
        first = min(count, max(0, math.floor((y - frame.top) / frame.row_height)))
        last = min(count, max(0, math.ceil((y + 1 - frame.top) / frame.row_height)))
        done = _share(frame, first, y)
        red_green, blue = lanes(frame.gap)
        rest = done + WHOLE - _share(frame, last, y) if last > first else WHOLE
        red_green_sum, blue_sum = red_green * rest, blue * rest
        for row in range(first, last):
            weight = _share(frame, row + 1, y) - done
            done += weight
            background = frame.even if row // frame.stripe % 2 == 0 else frame.odd
            red_green, blue = lanes(background)
            red_green_sum += red_green * weight
            blue_sum += blue * weight
            _add_row(rows, tones, frame, scratch, row, weight, background)
        _resolve(scratch, red_green_sum << 8, blue_sum << 8)
        _weave(scratch, frame)
        _write(image, tones, frame, scratch, y, y + 1)


def _share(frame: Frame, row: int, y: int) -> int:
    """Return how much of pixel line `y` lies above the top of a row, of `WHOLE`."""
    part = frame.top + row * frame.row_height - y
    return math.floor(min(1.0, max(0.0, part)) * WHOLE + 0.5)


def _add_row(
    rows: RowColumns,
    tones: NDArray[np.int64],
    frame: Frame,
    scratch: Scratch,
    row: int,
    weight: int,
    background: int,
) -> None:
    """Enter the tasks of one row that are in view into the array of differences."""
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
    under = lanes(background)
    before = -(1 << 62)
    while i < stop and rows.start[i] < latest:
        job = rows.code[i] >> 1
        left = max(before, ((int(rows.start[i] * fine) + half) & mask) - origin)
        right = max(left, ((int(rows.end[i] * fine) + half) & mask) - origin)
        body = left
        if frame.own < 2 and (rows.code[i] & 1) != frame.own:
            _mark_borrowed(scratch, left, right, weight, detailed)
        ink = lanes(tones[job, MAP_TONE])
        if rows.code[i] & 1:
            shuffle = lanes(tones[job, SHUFFLE_TONE])
            ink = lanes(tones[job, REDUCE_TONE])
            body = min(right, max(left, int(rows.shuffled[i] * fine) - origin))
            copied = left
            if rows.start[i] < rows.stage_end[job]:
                waits = min(rows.stage_end[job], rows.shuffled[i])
                copied = min(body, max(left, int(waits * fine) - origin))
                waiting = lanes(tones[job, WAIT_TONE])
                _add_edge(scratch, left, under, waiting, weight)
                _add_edge(scratch, copied, waiting, shuffle, weight)
            else:
                _add_edge(scratch, left, under, shuffle, weight)
            _add_edge(scratch, body, shuffle, ink, weight)
            if detailed:
                hatch = FIRST if rows.start[i] < rows.stage_end[job] else TYPICAL
                _mark(scratch, left, copied, job << 2 | WAITING)
                _mark(scratch, copied, body, job << 2 | hatch)
        else:
            _add_edge(scratch, left, under, ink, weight)
        if detailed and right - body >= EDGE_WIDTH:
            edge = lanes(tones[job, EDGE_TONE])
            _add_edge(scratch, ((right - 1) >> 8) << 8, ink, edge, weight)  # the pixel that holds the end
            ink = edge
        _add_edge(scratch, right, ink, under, weight)
        before = right
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


def _add_edge(scratch: Scratch, x: int, before: tuple[int, int], after: tuple[int, int], weight: int) -> None:
    """Enter where one colour (as lanes) follows another; outside of the picture it goes to the border.

    NOTE: without branches, as among many narrow tasks none could be predicted; and clipped last to 0, so that
    the compiler sees that no index is negative. Together this halves the time of a picture.
    """
    x = max(0, min(len(scratch.line) << 8, x))
    red_green = (after[0] - before[0]) * weight
    blue = (after[1] - before[1]) * weight
    pixel, part = x >> 8, x & 255
    scratch.red_green[pixel] += red_green * (256 - part)
    scratch.blue[pixel] += blue * (256 - part)
    scratch.red_green[pixel + 1] += red_green * part
    scratch.blue[pixel + 1] += blue * part


def _mark(scratch: Scratch, left: int, right: int, mark: int) -> None:
    """Mark the whole pixels of a span for hatching, if it is wide enough for a hatch to be seen."""
    if right - left >= HATCH_WIDTH:
        limit = len(scratch.line) << 8
        for pixel in range((min(limit, max(0, left)) + 255) >> 8, min(limit, max(0, right)) >> 8):
            scratch.marks[pixel] = mark


def _resolve(scratch: Scratch, red_green: int, blue: int) -> None:
    """Sum up the differences over a background into `line`, and clear them."""
    width = len(scratch.line)
    for x in range(width):
        red_green += scratch.red_green[x]
        blue += scratch.blue[x]
        scratch.line[x] = 0xFF000000 | (red_green >> 55) << 16 | ((red_green >> 23) & 0xFF) << 8 | blue >> 23
    for x in range(width + 2):
        scratch.red_green[x] = 0
        scratch.blue[x] = 0


def _write(
    image: NDArray[np.uint32],
    tones: NDArray[np.int64],
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
                    image[y, x] = mixed(scratch.line[x], tones[mark >> 2, HATCH_TONE], share)
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
