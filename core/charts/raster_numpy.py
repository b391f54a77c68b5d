"""The raster's numpy twin: the same pictures without compilation, and the oracle of its tests.

It draws the chart until the kernel is compiled. Same rules as `core.charts.raster_kernel`, written
with whole arrays instead of loops; lines (rows, or pixel lines that thinner rows share) are drawn in batches
so that memory stays bounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.charts import raster_kernel as kernel
from core.charts.pixel_covers import COVER_SHIFT, COVER_STEPS, UNIT, WHOLE, Inks, mixed
from core.charts.raster_kernel import Frame, lanes, mean_colour, spacing_of, strip_height

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.charts.row_columns import RowColumns

    Integers = NDArray[np.int64]

_BATCH = 32
"""Lines summed up at a time: with more, a thread that paints millions of tasks would hold up the window's."""


class _Spans(NamedTuple):
    """The tasks in view, (tasks,): lines with weights, then places in 1/256 pixel."""

    line: Integers
    weight: Integers
    job: Integers
    is_reduce: NDArray[np.bool_]
    is_filler: NDArray[np.bool_]
    is_borrowed: NDArray[np.bool_]
    is_joined: NDArray[np.bool_]
    left: Integers
    copied: Integers
    body: Integers
    right: Integers


def paint(image: NDArray[np.uint32], rows: RowColumns, inks: Inks, frame: Frame) -> None:
    """Fill an image (height, width) with rows of tasks."""
    height = image.shape[0]
    image[:] = frame.gap
    if frame.row_height < 1.0:
        for top in range(0, height, _BATCH):
            _paint_lines(image[top : top + _BATCH], rows, inks, frame, top)
        return
    borders = _whole(frame.top + np.arange(len(rows.offsets)) * frame.row_height + 0.5)
    visible = np.flatnonzero((borders[:-1] < height) & (borders[1:] > 0))
    for first in range(0, len(visible), _BATCH):
        _paint_rows(image, rows, inks, frame, visible[first : first + _BATCH], borders)


def _paint_rows(
    image: NDArray[np.uint32],
    rows: RowColumns,
    inks: Inks,
    frame: Frame,
    row: Integers,
    borders: Integers,
) -> None:
    """Paint rows of one or more pixel lines that begin and end at borders."""
    height, width = image.shape
    spans = _spans(rows, frame, width, row, row - row[0], np.full(len(row), WHOLE))
    backgrounds = _background(frame, row)
    pixels = _pixels(spans, backgrounds, inks, frame, width)
    detailed, spacing = frame.row_height >= kernel.DETAIL_HEIGHT, spacing_of(frame.row_height)
    strip = strip_height(frame.row_height)
    hatches, strips = _hatches(spans, pixels.shape), _strips(spans, pixels.shape)
    joined = _whole_pixels(spans, np.flatnonzero(spans.is_joined), pixels.shape) > 0
    for i, (top, bottom) in enumerate(zip(borders[row], borders[row + 1], strict=True)):
        upper, foot = max(0, top), bottom - spacing
        inked = min(height, max(upper, foot))
        image[upper : max(0, bottom)] = backgrounds[i]
        image[upper:inked] = pixels[i]
        if spacing and len(rows.joined):  # what goes on in the row below covers what is between both
            goes_on = np.flatnonzero(joined[i])
            image[inked : max(0, bottom), goes_on] = pixels[i, goes_on]
            _hatch(image, inked, min(height, max(0, bottom)), hatches[i] * joined[i], inks, frame)
        if detailed:
            _hatch(image, upper, inked, hatches[i], inks, frame)
            image[max(upper, foot - strip) : inked, np.flatnonzero(strips[i])] = 0xFF000000 | frame.borrowed


def _paint_lines(image: NDArray[np.uint32], rows: RowColumns, inks: Inks, frame: Frame, top: int) -> None:
    """Paint pixel lines from `top` on, each of which belongs to parts of several rows."""
    count, width = image.shape
    low, high = (top - frame.top) / frame.row_height, (top + count - frame.top) / frame.row_height
    first, last = np.clip([np.floor(low), np.ceil(high)], 0, len(rows.offsets) - 1).astype(np.int64)
    row = np.tile(np.arange(first, last), 2)
    line = _whole(frame.top + row * frame.row_height)
    line[len(row) // 2 :] += 1  # a row lies in one line or in two
    weight = _share(frame, row + 1, line) - _share(frame, row, line)
    inside = (line >= top) & (line < top + count) & (weight > 0)
    row, line, weight = row[inside], line[inside] - top, weight[inside]
    sums = np.zeros((2, count), np.int64)
    used = np.zeros(count, np.int64)
    np.add.at(used, line, weight)
    for channel, (inked, gap) in enumerate(
        zip(lanes(_background(frame, row)), lanes(frame.gap), strict=True)
    ):
        np.add.at(sums[channel], line, inked * weight)
        sums[channel] += gap * (WHOLE - used)
    image[:] = _pixels(_spans(rows, frame, width, row, line, weight), mean_colour(*sums), inks, frame, width)


def _whole(number: NDArray[np.floating]) -> Integers:
    return np.asarray(np.floor(number), np.int64)


def _share(frame: Frame, row: Integers, line: Integers) -> Integers:
    """Return how much of pixel lines lies above the tops of rows, of `WHOLE`."""
    return _whole(np.clip(frame.top + row * frame.row_height - line, 0.0, 1.0) * WHOLE + 0.5)


def _background(frame: Frame, row: Integers) -> Integers:
    return np.where(row // frame.stripe % 2 == 0, np.int64(frame.even), np.int64(frame.odd))


def _spans(
    rows: RowColumns, frame: Frame, width: int, row: Integers, line: Integers, weight: Integers
) -> _Spans:
    """Return where the tasks of rows lie that are in view; each row is drawn on a line with a weight."""
    count = rows.offsets[row + 1] - rows.offsets[row]
    at = np.repeat(np.arange(len(row)), count)
    place = np.arange(len(at)) + np.repeat(rows.offsets[row] - (np.cumsum(count) - count), count)
    scale, origin = frame.pixels_per_second, frame.origin << 8
    latest = (frame.origin + width + 1) / scale
    seen = (rows.end[place] > (frame.origin - 1) / scale) & (rows.start[place] < latest)
    at, place = at[seen], place[seen]
    start, end, shuffled = rows.start[place], rows.end[place], rows.shuffled[place]
    job, is_reduce = (rows.code[place] >> 1).astype(np.int64), (rows.code[place] & 1).astype(np.bool_)
    stage_end = rows.stage_end[job]
    is_filler = is_reduce & (start < stage_end)
    snaps = (frame.row_height >= kernel.DETAIL_HEIGHT) & (rows.shortest[row[at]] * scale >= 1.0)
    half, mask = np.where(snaps, 128, 0), np.where(snaps, ~255, ~0)
    left, right = (
        (((time * scale * 256.0).astype(np.int64) + half) & mask) - origin for time in (start, end)
    )
    right = np.maximum(left, right)
    body, copied = (
        np.clip((time * scale * 256.0).astype(np.int64) - origin, left, right)
        for time in (shuffled, np.minimum(stage_end, shuffled))
    )
    body = np.where(is_reduce, body, left)
    copied = np.where(is_filler, copied, left)
    is_borrowed = (frame.own < 2) & (is_reduce != (frame.own == 1))
    is_joined = rows.joined[place] if len(rows.joined) else np.zeros(len(place), np.bool_)
    kinds = is_reduce, is_filler, is_borrowed, is_joined
    return _Spans(line[at], weight[at], job, *kinds, left, copied, body, right)


def _pixels(spans: _Spans, backgrounds: Integers, inks: Inks, frame: Frame, width: int) -> Integers:
    """Return 0xffRRGGBB pixels, (lines, width), over the background of each line, (lines,)."""
    detailed, shape = frame.row_height >= kernel.DETAIL_HEIGHT, (len(backgrounds), width)
    wide = detailed & (spans.right - spans.body >= kernel.EDGE_WIDTH)
    last = np.where(wide, (spans.right - 1) & ~255, spans.right)
    places = (spans.left, spans.copied, spans.body, last, spans.right)
    body = np.where(spans.is_reduce, kernel.REDUCE_TONE, kernel.MAP_TONE)
    phases = (kernel.WAIT_TONE, kernel.SHUFFLE_TONE, body, kernel.EDGE_TONE)
    left, right = np.concatenate(places[:-1]), np.concatenate(places[1:])
    part = np.flatnonzero((left < right) & (right > 0) & (left < width << 8))
    left, right, task = left[part], right[part], part % len(spans.job)
    ink = np.concatenate([inks.of_tone[spans.job, phase] for phase in phases])[part]
    stretches = (ink, spans.line[task], left, right, spans.weight[task])
    pixels = _resolved(shape, inks, backgrounds, stretches)
    if frame.own == 2:
        return pixels
    some = spans.is_borrowed & ~(detailed & (spans.right - spans.left >= kernel.BORROWED_WIDTH))
    texture = _covered(
        shape, *(column[some] for column in (spans.line, spans.left, spans.right, spans.weight))
    )
    on = (np.arange(width) + frame.origin) % kernel.BORROWED_PERIOD < kernel.BORROWED_PIXELS
    share = np.where(on & (texture > 0), ((texture >> 15) * kernel.BORROWED_SHARE) >> 8, 0)
    return mixed(pixels, np.full_like(pixels, frame.borrowed), share)


def _resolved(
    shape: tuple[int, int], inks: Inks, backgrounds: Integers, stretches: tuple[Integers, ...]
) -> Integers:
    """Return the colours of all pixels; stretches have ink, line, left, right and weight."""
    ink, *others = stretches
    total, sums = np.zeros(shape[0] * shape[1], np.int64), np.zeros((4, shape[0] * shape[1]))
    order = np.argsort(ink, kind="stable")
    used, begin = np.unique(ink[order], return_index=True)
    for number, mine in zip(used.tolist(), np.split(order, begin[1:]), strict=False):
        covered = _covered(shape, *(column[mine] for column in others)).ravel()
        there = np.flatnonzero(covered > 0)
        part = covered[there] * UNIT
        weight = part * part
        if inks.takes_all:
            weight = weight * weight * weight
        total[there] += covered[there]
        sums[0, there] += weight
        for channel in range(3):
            sums[channel + 1, there] += weight * inks.colours[number, channel]
    there = np.flatnonzero(total)
    red, green, blue = (_whole(sums[channel, there] / sums[0, there] + 0.5) for channel in (1, 2, 3))
    opacity = inks.opacity[np.minimum(COVER_STEPS, total[there] >> COVER_SHIFT)]
    pixels = np.repeat(backgrounds, shape[1])
    pixels[there] = mixed(pixels[there], red << 16 | green << 8 | blue, opacity)
    shown: Integers = pixels.reshape(shape)
    return shown


def _covered(
    shape: tuple[int, int], line: Integers, left: Integers, right: Integers, value: Integers
) -> Integers:
    """Sum up values of stretches of lines, times the 1/256 of each pixel that they cover, (lines, width)."""
    lines, width = shape
    changes = np.zeros(lines * (width + 2), np.int64)
    for x, change in ((left, value), (right, -value)):
        x = np.clip(x, 0, width << 8)
        at, part = line * (width + 2) + (x >> 8), x & 255
        np.add.at(changes, at, change * (256 - part))
        np.add.at(changes, at + 1, change * part)
    return np.cumsum(changes.reshape(lines, width + 2), axis=1)[:, :width]


def _marked(
    spans: _Spans, left: Integers, right: Integers, mark: Integers, some: Integers, shape: tuple[int, int]
) -> Integers:
    """Return the marks of some tasks on the pixels that they cover whole, (lines, width)."""
    inner = (left[some] + 255) & ~255, right[some] & ~255
    return _covered(shape, spans.line[some], *inner, mark[some]) >> 8


def _hatches(spans: _Spans, shape: tuple[int, int]) -> Integers:
    """Return ``job << 2 | hatch`` of each pixel, (lines, width)."""
    hatched = np.zeros(shape, np.int64)
    dense = np.where(spans.is_filler, kernel.FIRST, kernel.TYPICAL)
    for left, right, hatch in ((spans.left, spans.copied, kernel.WAITING), (spans.copied, spans.body, dense)):
        some = np.flatnonzero(right - left >= kernel.HATCH_WIDTH)
        hatched += _marked(spans, left, right, spans.job << 2 | hatch, some, shape)
    return hatched


def _strips(spans: _Spans, shape: tuple[int, int]) -> Integers:
    """Return which pixels belong to borrowed slots wide enough for a strip, (lines, width)."""
    some = np.flatnonzero(spans.is_borrowed & (spans.right - spans.left >= kernel.BORROWED_WIDTH))
    return _whole_pixels(spans, some, shape)


def _whole_pixels(spans: _Spans, some: Integers, shape: tuple[int, int]) -> Integers:
    """Return 1 for each pixel that some tasks cover whole, (lines, width)."""
    return _marked(spans, spans.left, spans.right, np.ones_like(spans.line), some, shape)


def _hatch(
    image: NDArray[np.uint32], upper: int, lower: int, marks: Integers, inks: Inks, frame: Frame
) -> None:
    x = np.flatnonzero(marks)
    mark, y = marks[x], np.arange(upper, lower)[:, None]
    lean = (y - int(np.floor(frame.top + 0.5))) * np.where(mark & 3 == kernel.TYPICAL, 1, -1)
    share = kernel.HATCHES[mark & 3, (x + frame.origin + lean) & 15]
    under, ink = image[upper:lower, x].astype(np.int64), inks.hatch[mark >> 2]
    image[upper:lower, x] = mixed(under, ink, share)
