"""The raster's numpy twin: the same pictures without compilation, and the oracle of its tests.

It draws the chart until the kernel is compiled. Same rules as `explorer.gantt.raster.raster_kernel`,
written with whole arrays instead of loops; lines are drawn in batches so that memory stays bounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.gantt.raster.raster_kernel import (
    BORROWED_PERIOD,
    BORROWED_PIXELS,
    BORROWED_SHARE,
    BORROWED_WIDTH,
    DETAIL_HEIGHT,
    EDGE_TONE,
    EDGE_WIDTH,
    FIRST,
    HATCH_TONE,
    HATCH_WIDTH,
    HATCHES,
    MAP_TONE,
    REDUCE_TONE,
    SHUFFLE_TONE,
    TYPICAL,
    WAIT_TONE,
    WAITING,
    WHOLE,
    WIDE_GAP_HEIGHT,
    Frame,
    strip_height,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from explorer.gantt.geometry.row_columns import RowColumns

    Integers = NDArray[np.int64]

_BATCH = 256
"""Lines summed up at a time."""


class _Spans(NamedTuple):
    """Horizontal positions of the visible tasks in 1/256 pixel from the left border, (tasks,)."""

    row: Integers
    job: Integers
    is_reduce: NDArray[np.bool_]
    is_filler: NDArray[np.bool_]
    left: Integers
    copied: Integers
    body: Integers
    right: Integers
    is_borrowed: NDArray[np.bool_]


def paint(image: NDArray[np.uint32], rows: RowColumns, tones: Integers, frame: Frame) -> None:
    """Fill an image (height, width) with rows of tasks; `tones` are 0xRRGGBB colours of jobs, (jobs, 6)."""
    if frame.row_height >= 1.0:
        _paint_rows(image, rows, tones, frame)
    else:
        _paint_lines(image, rows, tones, frame)


def _paint_rows(image: NDArray[np.uint32], rows: RowColumns, tones: Integers, frame: Frame) -> None:
    height, width = image.shape
    count = len(rows.offsets) - 1
    borders = np.floor(frame.top + np.arange(count + 1) * frame.row_height + 0.5).astype(np.int64)
    visible = np.flatnonzero((borders[:-1] < height) & (borders[1:] > 0))
    image[:] = frame.gap
    detailed = frame.row_height >= DETAIL_HEIGHT
    spacing = 2 if frame.row_height >= WIDE_GAP_HEIGHT else 1 if detailed else 0
    for batch in np.split(visible, np.arange(_BATCH, len(visible), _BATCH)):
        if len(batch) == 0:
            continue
        spans = _spans(rows, frame, width, int(batch[0]), int(batch[-1]) + 1, detailed)
        backgrounds = _backgrounds(frame, batch)
        weights = np.full(len(spans.row), WHOLE)
        edges = np.zeros((2, len(batch) * (width + 2)), np.int64)
        line = spans.row - batch[0]
        background = _backgrounds(frame, spans.row)
        _add_tasks(edges, spans, line, weights, tones, background, width, detailed)
        pixels = _resolved(edges, backgrounds, WHOLE, width)
        if frame.own < 2:
            pixels = _woven(pixels, _borrowed_sums(spans, line, weights, len(batch), width, detailed), frame)
        marks = _marks(spans, line, len(batch), width) if detailed else None
        strips = _strips(spans, line, len(batch), width)
        for i, row in enumerate(batch):
            upper, lower = max(0, borders[row]), min(height, borders[row + 1])
            inked = min(height, max(upper, borders[row + 1] - spacing))
            image[upper:inked] = pixels[i]
            image[inked:lower] = backgrounds[i]
            if marks is not None:
                _hatch(image, upper, inked, marks[i], tones, frame)
                foot = max(upper, borders[row + 1] - spacing - strip_height(frame))
                image[foot:inked, np.flatnonzero(strips[i])] = 0xFF000000 | frame.borrowed


def _paint_lines(image: NDArray[np.uint32], rows: RowColumns, tones: Integers, frame: Frame) -> None:
    height, width = image.shape
    count = len(rows.offsets) - 1
    for top in range(0, height, _BATCH):
        lines = np.arange(top, min(height, top + _BATCH))
        first = np.clip(np.floor((lines - frame.top) / frame.row_height), 0, count).astype(np.int64)
        last = np.clip(np.ceil((lines + 1 - frame.top) / frame.row_height), 0, count).astype(np.int64)
        spans = _spans(rows, frame, width, int(first[0]), max(int(first[0]), int(last[-1])), False)
        edges = np.zeros((2, len(lines) * (width + 2)), np.int64)
        sums = np.zeros((2, len(lines)), np.int64)
        used = np.zeros(len(lines), np.int64)
        shares = np.zeros((len(lines), width), np.int64)
        for shift in range(2):  # a row lies in one line or in two
            row = np.arange(int(first[0]), max(int(first[0]), int(last[-1])))
            line = np.floor(frame.top + row * frame.row_height).astype(np.int64) + shift
            weight = _share(frame, row + 1, line) - _share(frame, row, line)
            inside = (line >= lines[0]) & (line <= lines[-1]) & (weight > 0)
            backgrounds = _backgrounds(frame, row)
            for channel, lane in enumerate(_lanes(backgrounds)):
                np.add.at(sums[channel], line[inside] - top, lane[inside] * weight[inside])
            np.add.at(used, line[inside] - top, weight[inside])
            own = spans.row - int(first[0])
            drawn = inside[own] if len(own) else np.zeros(0, np.bool_)
            part = _Spans(*(column[drawn] for column in spans))
            own = own[drawn]
            under = backgrounds[own]
            _add_tasks(edges, part, line[own] - top, weight[own], tones, under, width, False)
            shares += _borrowed_sums(part, line[own] - top, weight[own], len(lines), width, False)
        for channel, lane in enumerate(_lanes(np.full(len(lines), frame.gap, np.int64))):
            sums[channel] += lane * (WHOLE - used)
        image[lines] = _woven(_summed(edges, sums, width), shares, frame)


def _share(frame: Frame, row: Integers, line: Integers) -> Integers:
    """Return how much of pixel lines lies above the tops of rows, of `WHOLE`."""
    part = np.clip(frame.top + row * frame.row_height - line, 0.0, 1.0)
    return np.asarray(np.floor(part * WHOLE + 0.5), np.int64)


def _backgrounds(frame: Frame, row: Integers) -> Integers:
    return np.where(row // frame.stripe % 2 == 0, np.int64(frame.even), np.int64(frame.odd))


def _lanes(colour: Integers) -> tuple[Integers, Integers]:
    """Split 0xRRGGBB into (red << 32 | green, blue)."""
    return ((colour & 0xFF0000) << 16) | ((colour & 0xFF00) >> 8), colour & 0xFF


def _spans(rows: RowColumns, frame: Frame, width: int, first: int, last: int, detailed: bool) -> _Spans:
    """Return where the tasks of rows `first` to `last` lie that are in view."""
    low, high = int(rows.offsets[first]), int(rows.offsets[last])
    scale = frame.pixels_per_second
    start, end = rows.start[low:high], rows.end[low:high]
    seen = (end > (frame.origin - 1) / scale) & (start < (frame.origin + width + 1) / scale)
    row = np.repeat(np.arange(first, last), np.diff(rows.offsets[first : last + 1]))[seen]
    start, end, shuffled = start[seen], end[seen], rows.shuffled[low:high][seen]
    job = (rows.code[low:high][seen] >> 1).astype(np.int64)
    is_reduce = (rows.code[low:high][seen] & 1).astype(np.bool_)
    stage_end = rows.stage_end[job]
    is_filler = is_reduce & (start < stage_end)
    snaps = detailed & (rows.shortest[row] * scale >= 1.0)
    half, mask = np.where(snaps, 128, 0), np.where(snaps, ~255, ~0)
    origin = frame.origin << 8
    left = (((start * scale * 256.0).astype(np.int64) + half) & mask) - origin
    right = np.maximum(left, (((end * scale * 256.0).astype(np.int64) + half) & mask) - origin)
    body = np.clip((shuffled * scale * 256.0).astype(np.int64) - origin, left, right)
    body = np.where(is_reduce, body, left)
    waits = np.minimum(stage_end, shuffled)
    copied = np.clip((waits * scale * 256.0).astype(np.int64) - origin, left, body)
    copied = np.where(is_filler, copied, left)
    is_borrowed = (frame.own < 2) & (is_reduce != (frame.own == 1))
    return _Spans(row, job, is_reduce, is_filler, left, copied, body, right, is_borrowed)


def _add_tasks(
    edges: Integers,
    spans: _Spans,
    line: Integers,
    weight: Integers,
    tones: Integers,
    background: Integers,
    width: int,
    detailed: bool,
) -> None:
    wide = detailed & (spans.right - spans.body >= EDGE_WIDTH)
    last = np.where(wide, ((spans.right - 1) >> 8) << 8, spans.right)
    tone = np.where(spans.is_reduce, REDUCE_TONE, MAP_TONE)
    for left, right, colour in (
        (spans.left, spans.copied, tones[spans.job, WAIT_TONE]),
        (spans.copied, spans.body, tones[spans.job, SHUFFLE_TONE]),
        (spans.body, last, tones[spans.job, tone]),
        (last, spans.right, tones[spans.job, EDGE_TONE]),
    ):
        _add_spans(edges, left, right, line, weight, colour, background, width)


def _add_spans(
    edges: Integers,
    left: Integers,
    right: Integers,
    line: Integers,
    weight: Integers,
    colour: Integers,
    background: Integers,
    width: int,
) -> None:
    left, right = np.clip(left, 0, width << 8), np.clip(right, 0, width << 8)
    some = left < right
    left, right, line, weight = left[some], right[some], line[some], weight[some]
    for channel, (over, under) in enumerate(zip(_lanes(colour[some]), _lanes(background[some]), strict=True)):
        delta = (over - under) * weight
        for x, sign in ((left, 1), (right, -1)):
            at, part = line * (width + 2) + (x >> 8), x & 255
            np.add.at(edges[channel], at, sign * delta * (256 - part))
            np.add.at(edges[channel], at + 1, sign * delta * part)


def _resolved(edges: Integers, backgrounds: Integers, weight: int, width: int) -> Integers:
    return _summed(edges, np.stack(_lanes(backgrounds)) * weight, width)


def _summed(edges: Integers, sums: Integers, width: int) -> Integers:
    """Sum up differences over weighted backgrounds into 0xffRRGGBB pixels, (lines, width)."""
    red_green, blue = (
        np.cumsum(edges[channel].reshape(-1, width + 2), axis=1)[:, :width] + (sums[channel][:, None] << 8)
        for channel in range(2)
    )
    pixels: Integers = 0xFF000000 | (red_green >> 55) << 16 | ((red_green >> 23) & 0xFF) << 8 | blue >> 23
    return pixels


def _marks(spans: _Spans, line: Integers, lines: int, width: int) -> Integers:
    """Return ``job << 2 | hatch`` of each pixel, (lines, width)."""
    steps = np.zeros(lines * (width + 1), np.int64)
    dense = np.where(spans.is_filler, FIRST, TYPICAL)
    for left, right, hatch in (
        (spans.left, spans.copied, np.full(len(line), WAITING)),
        (spans.copied, spans.body, dense),
    ):
        some = spans.is_reduce & (right - left >= HATCH_WIDTH)
        low = (np.clip(left[some], 0, width << 8) + 255) >> 8
        high = np.maximum(low, np.clip(right[some], 0, width << 8) >> 8)
        mark = spans.job[some] << 2 | hatch[some]
        np.add.at(steps, line[some] * (width + 1) + low, mark)
        np.add.at(steps, line[some] * (width + 1) + high, -mark)
    return np.cumsum(steps.reshape(lines, width + 1), axis=1)[:, :width]


def _borrowed_sums(
    spans: _Spans, line: Integers, weight: Integers, lines: int, width: int, detailed: bool
) -> Integers:
    """Return how much of pixels are borrowed slots without a strip, of ``WHOLE * 256``, (lines, width)."""
    left, right = np.clip(spans.left, 0, width << 8), np.clip(spans.right, 0, width << 8)
    some = spans.is_borrowed & ~(detailed & (spans.right - spans.left >= BORROWED_WIDTH))
    sums = np.zeros(lines * (width + 2), np.int64)
    for x, sign in ((left[some], 1), (right[some], -1)):
        at, part = line[some] * (width + 2) + (x >> 8), x & 255
        np.add.at(sums, at, sign * weight[some] * (256 - part))
        np.add.at(sums, at + 1, sign * weight[some] * part)
    return np.cumsum(sums.reshape(lines, width + 2), axis=1)[:, :width]


def _woven(pixels: Integers, sums: Integers, frame: Frame) -> Integers:
    """Return pixels with the texture of borrowed slots."""
    on = (np.arange(pixels.shape[1]) + frame.origin) % BORROWED_PERIOD < BORROWED_PIXELS
    share = np.where(on & (sums > 0), ((sums >> 15) * BORROWED_SHARE) >> 8, 0)
    red_blue = ((pixels & 0xFF00FF) * (256 - share) + (frame.borrowed & 0xFF00FF) * share) >> 8 & 0xFF00FF
    green = ((pixels & 0x00FF00) * (256 - share) + (frame.borrowed & 0x00FF00) * share) >> 8 & 0x00FF00
    return np.asarray(0xFF000000 | red_blue | green, np.int64)


def _strips(spans: _Spans, line: Integers, lines: int, width: int) -> NDArray[np.bool_]:
    """Return which pixels belong to borrowed slots wide enough for a strip, (lines, width)."""
    steps = np.zeros(lines * (width + 1), np.int64)
    left, right = np.clip(spans.left, 0, width << 8), np.clip(spans.right, 0, width << 8)
    some = spans.is_borrowed & (spans.right - spans.left >= BORROWED_WIDTH)
    low = (left[some] + 255) >> 8
    high = np.maximum(low, right[some] >> 8)
    np.add.at(steps, line[some] * (width + 1) + low, 1)
    np.add.at(steps, line[some] * (width + 1) + high, -1)
    return np.asarray(np.cumsum(steps.reshape(lines, width + 1), axis=1)[:, :width] > 0)


def _hatch(
    image: NDArray[np.uint32], upper: int, lower: int, marks: Integers, tones: Integers, frame: Frame
) -> None:
    x = np.flatnonzero(marks)
    if len(x) == 0 or lower <= upper:
        return
    mark, y = marks[x], np.arange(upper, lower)[:, None]
    anchor = int(np.floor(frame.top + 0.5))
    lean = np.where(mark & 3 == TYPICAL, y - anchor, anchor - y)
    share = HATCHES[mark & 3, (x + frame.origin + lean) & 15]
    under, ink = image[upper:lower][:, x].astype(np.int64), tones[mark >> 2, HATCH_TONE]
    red_blue = ((under & 0xFF00FF) * (256 - share) + (ink & 0xFF00FF) * share) >> 8 & 0xFF00FF
    green = ((under & 0x00FF00) * (256 - share) + (ink & 0x00FF00) * share) >> 8 & 0x00FF00
    image[upper:lower, x] = 0xFF000000 | red_blue | green
