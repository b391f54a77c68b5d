"""Rows of tasks to pixels, in each of which the colour that covers most of it wins; compiled or interpreted.

These are plain functions: `core.charts.raster` compiles them. They allocate nothing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.charts.pixel_covers import (
    OVERLAPS,
    WHOLE,
    Inks,
    Ints,
    Scratch,
    add_cover,
    finish,
    lay,
    mixed,
    resolve,
)
from core.engine.apart import apart

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.charts.row_columns import RowColumns

MAP_TONE, WAIT_TONE, SHUFFLE_TONE, REDUCE_TONE, EDGE_TONE, HATCH_TONE = range(6)
"""Columns of the tones of a job. Wait: a filler's shuffle while its job's maps still run."""

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

NONE = -1
"""No background: what is below comes later."""

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
    joins = len(rows.joined) > 0 and spacing > 0
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
        _lay_row(rows, inks, frame, scratch, row, background)
        _weave(scratch, frame)
        _fill(image, y, upper, frame.gap)
        if joins:
            _fill(image, inked, min(height, lower), background)
            _join(image, rows, inks, frame, scratch, row, inked, min(height, lower))
        _write(image, inks, frame, scratch, upper, inked)
        if detailed:
            _write_strips(
                image, frame, scratch, max(upper, lower - spacing - strip_height(frame.row_height)), inked
            )
        y = min(height, lower)
        if not joins:
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
            _add_row(rows, inks, frame, scratch, row, weight, NONE)
        resolve(scratch, inks, mean_colour(red_green, blue))
        _weave(scratch, frame)
        _write(image, inks, frame, scratch, y, y + 1)


def _lay_row(rows: RowColumns, inks: Inks, frame: Frame, scratch: Scratch, row: int, background: int) -> None:
    """Put the colours of one row over a background into `line`."""
    for x in range(len(scratch.line)):
        scratch.line[x] = background
    _add_row(rows, inks, frame, scratch, row, WHOLE, background)
    finish(scratch, inks, background)
    overlaps = scratch.turn[OVERLAPS]
    for place in range(len(scratch.turn)):
        scratch.turn[place] = 0
    if overlaps:
        for x in range(len(scratch.borrowed)):
            scratch.borrowed[x] = 0
        _add_row(rows, inks, frame, scratch, row, WHOLE, NONE)
        resolve(scratch, inks, background)


def _share(frame: Frame, row: int, y: int) -> int:
    """Return how much of pixel line `y` lies above the top of a row, of `WHOLE`."""
    part = frame.top + row * frame.row_height - y
    return math.floor(min(1.0, max(0.0, part)) * WHOLE + 0.5)


@apart
def _add_row(
    rows: RowColumns, inks: Inks, frame: Frame, scratch: Scratch, row: int, weight: int, background: int
) -> None:
    """Lay the tasks of one row that are in view over a background; with `NONE` enter what they cover."""
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
                _enter(scratch, inks, background, inks.of_tone[job, WAIT_TONE], left, copied, weight)
            _enter(scratch, inks, background, inks.of_tone[job, SHUFFLE_TONE], copied, body, weight)
            if detailed:
                hatch = FIRST if rows.start[i] < rows.stage_end[job] else TYPICAL
                _mark(scratch, left, copied, job << 2 | WAITING)
                _mark(scratch, copied, body, job << 2 | hatch)
        last = right
        if detailed and right - body >= EDGE_WIDTH:
            last = ((right - 1) >> 8) << 8  # the pixel that holds the end
        _enter(scratch, inks, background, inks.of_tone[job, tone], body, last, weight)
        if last < right:
            _enter(scratch, inks, background, inks.of_tone[job, EDGE_TONE], last, right, weight)
        i += 1


def _enter(
    scratch: Scratch, inks: Inks, background: int, ink: int, left: int, right: int, weight: int
) -> None:
    if background == NONE:
        add_cover(scratch, ink, left, right, weight)
    else:
        lay(scratch, inks, background, ink, left, right)


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


def _mark(scratch: Scratch, left: int, right: int, mark: int) -> None:
    """Mark the whole pixels of a span for hatching, if it is wide enough for a hatch to be seen."""
    if right - left >= HATCH_WIDTH:
        limit = len(scratch.line) << 8
        for pixel in range((min(limit, max(0, left)) + 255) >> 8, min(limit, max(0, right)) >> 8):
            scratch.marks[pixel] = mark


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


def _join(
    image: NDArray[np.uint32],
    rows: RowColumns,
    inks: Inks,
    frame: Frame,
    scratch: Scratch,
    row: int,
    upper: int,
    lower: int,
) -> None:
    """Draw the tasks of one row that go on in the next one over the pixel lines between both."""
    width, scale, origin = len(scratch.line), frame.pixels_per_second, frame.origin << 8
    fine, latest = scale * 256.0, (frame.origin + width + 1) / scale
    snaps = rows.shortest[row] * scale >= 1.0  # as in `_add_row`: rows with such lines are detailed
    half, mask = (128, ~255) if snaps else (0, ~0)
    anchor = math.floor(frame.top + 0.5)
    i = _first_ending_after(rows, row, (frame.origin - 1) / scale)
    stop = rows.offsets[row + 1]
    while i < stop and rows.start[i] < latest:
        if rows.joined[i]:
            left = ((int(rows.start[i] * fine) + half) & mask) - origin
            right = ((int(rows.end[i] * fine) + half) & mask) - origin
            for x in range(max(0, (left + 255) >> 8), min(width, right >> 8)):
                mark = scratch.marks[x]
                for y in range(upper, lower):
                    image[y, x] = scratch.line[x]
                    if mark:
                        lean = y - anchor if mark & 3 == TYPICAL else anchor - y
                        share = HATCHES[mark & 3, (x + frame.origin + lean) & 15]
                        image[y, x] = mixed(scratch.line[x], inks.hatch[mark >> 2], share)
        i += 1


def _fill(image: NDArray[np.uint32], upper: int, lower: int, colour: int) -> None:
    """Fill whole pixel lines."""
    for y in range(upper, lower):
        for x in range(image.shape[1]):
            image[y, x] = colour
