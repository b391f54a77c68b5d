"""The compiled kernel, its source interpreted, its numpy twin, and a slow and obvious oracle."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from core.charts import raster, raster_kernel, raster_numpy
from core.charts.inks import DARK, LIGHT, SCALE, inks_of
from core.charts.palette import contrast
from core.charts.raster import scratch
from core.charts.raster_kernel import Frame
from tests import random_tests
from tests.core.charts.chart_builders import frozen_rows, make_rows, random_tones

WHITE, GREY, GAP = 0xFFFFFFFF, 0xFFE0E0E0, 0xFF102030


def frame(width=80, span=100.0, start=0.0, top=0.0, row_height=10.0, stripe=1):
    scale = width / span
    return Frame(round(start * scale), scale, top, row_height, WHITE, GREY, stripe, GAP)


def painted(how, rows, tones, view, size=(60, 80), squeeze=LIGHT):
    image, inks = np.zeros(size, np.uint32), inks_of(tones, squeeze)
    if how == "numpy":
        raster_numpy.paint(image, rows, inks, view)
    elif how == "interpreted":
        raster_kernel.paint(image, rows, inks, view, scratch(size[1], len(inks.colours)))
    else:
        raster._kernel()(image, rows, inks, view, scratch(size[1], len(inks.colours)))
    return image


def channels(image):
    return np.stack([image >> 16 & 255, image >> 8 & 255, image & 255], -1).astype(int)


def oracle(rows, tones, view, size, squeeze):
    """Let the colours of each pixel's area compete, over the mean of its backgrounds; no hatches or gaps."""
    height, width = size
    image = np.zeros((height, width, 3))
    for y in range(height):
        shares, behind = [], np.zeros(3)
        for row in range(len(rows.offsets) - 1):
            top = view.top + row * view.row_height
            shares.append(max(0.0, min(y + 1, top + view.row_height) - max(y, top)))
            behind += shares[-1] * channels(np.uint32(view.even if row // view.stripe % 2 == 0 else view.odd))
        behind += (1 - sum(shares)) * channels(np.uint32(view.gap))
        for x in range(width):
            times = [(view.origin + x + d) / view.pixels_per_second for d in (0, 1)]
            covers = Counter()
            for row, share in enumerate(shares):
                if share > 0:
                    _add_covers(covers, rows, row, tones, times, share)
            image[y, x] = _seen(covers, behind, squeeze)
    return image


def _add_covers(covers, rows, row, tones, times, weight):
    early, late = times
    for i in range(rows.offsets[row], rows.offsets[row + 1]):
        for start, end, tone in _parts(rows, i):
            share = max(0.0, min(late, end) - max(early, start)) / (late - early)
            covers[int(tones[rows.code[i] >> 1, tone])] += share * weight


def _seen(covers, behind, squeeze):
    total = min(1.0, sum(covers.values()))
    if total < 1e-6:
        return behind
    power = 6 if squeeze.takes_all else 2
    weights = {colour: cover**power for colour, cover in covers.items()}
    ink = sum(weight * channels(np.int64(colour)) for colour, weight in weights.items())
    floor = squeeze.floor
    opacity = min(1.0, total / 0.02) * (floor + (1 - floor) * total**0.7)
    return behind + (ink / sum(weights.values()) - behind) * opacity


def _parts(rows, i):
    start, shuffled, end = rows.start[i], rows.shuffled[i], rows.end[i]
    if not rows.code[i] & 1:
        return [(start, end, raster_kernel.MAP_TONE)]
    ready = min(max(rows.stage_end[rows.code[i] >> 1], start), shuffled)
    return [
        (start, ready, raster_kernel.WAIT_TONE),
        (ready, shuffled, raster_kernel.SHUFFLE_TONE),
        (shuffled, end, raster_kernel.REDUCE_TONE),
    ]


def overlapping(rows):
    """The same rows with tasks that end when the next one runs already: those cannot be laid in turn."""
    end = rows.end + 4.0
    assert (rows.start[1 : rows.offsets[1]] < end[: rows.offsets[1] - 1]).any()
    return frozen_rows(rows.offsets, rows.start, rows.shuffled, end, rows.code, rows.stage_end)


def in_pairs(rows):
    """The same rows, each even one of which goes on in the next."""
    count = rows.offsets[1]
    joined = np.tile(np.repeat([True, False], count), (len(rows.offsets) - 1) // 2)
    for column in (rows.start, rows.shuffled, rows.end, rows.code):
        column.flags.writeable = True
        pairs = column.reshape(-1, 2, count)
        pairs[:, 1] = pairs[:, 0]
        column.flags.writeable = False
    shortest = np.repeat(rows.shortest[::2], 2)
    joined.flags.writeable = shortest.flags.writeable = False
    return rows._replace(joined=joined, shortest=shortest)


INK = 0x204060


def lending(own, **fields):
    """Rows of map or reduce slots: tasks of the other kind are on borrowed ones."""
    return frame(**fields)._replace(own=own, borrowed=INK)


VIEWS = {
    "borrowed slots with every detail": (make_rows(), lending(0, row_height=10.0)),
    "borrowed slots in rows just detailed": (make_rows(tasks=60), lending(1, row_height=3.6, top=-7.3)),
    "borrowed slots in very tall rows": (make_rows(rows=3), lending(1, row_height=40.0)),
    "borrowed slots without details": (make_rows(rows=30, tasks=60), lending(0, row_height=2.0)),
    "borrowed slots, several rows a line": (make_rows(rows=150, tasks=30), lending(1, row_height=0.4)),
    "part of the time of borrowed slots": (make_rows(), lending(0, span=7.0, start=31.0)),
    "tall rows with every detail": (make_rows(), frame(row_height=10.0)),
    "very tall rows": (make_rows(rows=3), frame(row_height=20.0)),
    "rows scrolled past both borders": (make_rows(rows=12), frame(row_height=9.3, top=-23.7)),
    "rows without details": (make_rows(rows=30, tasks=60), frame(row_height=2.0, stripe=8)),
    "rows of one line or two": (make_rows(rows=40, tasks=9), frame(row_height=1.4, top=1.2)),
    "several rows a line": (make_rows(rows=150, tasks=30), frame(row_height=0.4)),
    "several rows a line, scrolled": (make_rows(rows=150, tasks=30), frame(row_height=0.55, top=-11.2)),
    "hundreds of rows a line": (make_rows(rows=900, tasks=4), frame(row_height=0.004, top=3.3)),
    "part of the time": (make_rows(), frame(span=7.0, start=31.0, row_height=10.0)),
    "sparse rows on whole pixels": (make_rows(tasks=5), frame(row_height=8.0)),
    "before and after everything": (make_rows(), frame(span=300.0, start=60.0, row_height=10.0)),
    "tasks that overlap": (overlapping(make_rows(rows=30)), frame(row_height=2.0)),
    "overlapping tasks on borrowed slots": (overlapping(make_rows(rows=30)), lending(0, row_height=2.0)),
    "tasks of two rows": (in_pairs(make_rows()), frame(row_height=10.0)),
    "tasks of two tall rows, scrolled": (in_pairs(make_rows(tasks=5)), frame(row_height=20.0, top=-8.3)),
    "tasks of two low rows": (in_pairs(make_rows(rows=30)), frame(row_height=4.0)),
    "no tasks": (frozen_rows([0, 0, 0], [], [], [], [], [0.0]), frame(row_height=30.0)),
}


@pytest.mark.parametrize("name", VIEWS)
def test_kernel_and_numpy_twin_paint_the_same(name):
    rows, view = VIEWS[name]
    for squeeze in (LIGHT, SCALE):
        compiled, twin = (
            painted(how, rows, random_tones(), view, squeeze=squeeze) for how in ("compiled", "numpy")
        )
        assert np.array_equal(compiled, twin)


@pytest.mark.parametrize(
    "name",
    [
        "tall rows with every detail",
        "tasks of two rows",
        "tasks of two tall rows, scrolled",
        "rows of one line or two",
        "several rows a line",
        "borrowed slots with every detail",
        "borrowed slots without details",
        "overlapping tasks on borrowed slots",
    ],
)
def test_the_source_interpreted_paints_the_same(name):
    rows, view = VIEWS[name]
    tones, size = random_tones(), (24, 50)
    assert np.array_equal(
        painted("interpreted", rows, tones, view, size), painted("compiled", rows, tones, view, size)
    )


@pytest.mark.parametrize(
    "name",
    [
        "rows without details",
        "several rows a line",
        "several rows a line, scrolled",
        "hundreds of rows a line",
    ],
)
@pytest.mark.parametrize("squeeze", [LIGHT, SCALE], ids=["hues", "scale"])
def test_in_every_pixel_the_colour_wins_that_covers_most_of_it(name, squeeze):
    rows, view = VIEWS[name]
    tones, size = random_tones(), (8, 24 if random_tests.is_thorough else 10)
    found = channels(painted("compiled", rows, tones, view, size, squeeze))
    assert np.abs(found - oracle(rows, tones, view, size, squeeze)).max() <= 4


def two_rows_in_a_line(first, second):
    """Paint two rows in one pixel line, one red and one blue task, of so many pixels, from 10 px on."""
    rows = frozen_rows([0, 1, 2], [10.0] * 2, [10.0] * 2, [10.0 + first, 10.0 + second], [0, 2], [0.0] * 2)
    tones = np.array([[0xFF0000] * 6, [0x0000FF] * 6])
    return channels(painted("compiled", rows, tones, frame(width=80, span=80.0, row_height=0.5), (1, 80)))[0]


def test_the_winner_of_a_pixel_is_no_mixture():
    red, _, blue = two_rows_in_a_line(1.0, 0.5)[10]
    assert red > 230
    assert blue < 40


@pytest.mark.parametrize("dark", [False, True])
def test_one_task_among_twenty_rows_is_seen_and_one_among_a_thousand_fades(dark):
    behind = 0xFF0F1217 if dark else 0xFFF8F9FB
    ink = 0x5A9BE6 if dark else 0x2F6FC4
    tones, seen = np.full((1, 6), ink), []
    for count in (23, 1000):
        offsets = np.minimum(np.arange(count + 1), 1)
        rows = frozen_rows(offsets, [0.0], [0.0], [80.0], [0], [0.0])
        view = Frame(0, 1.0, 0.0, 1.0 / count, behind, behind, 1, behind)
        image = painted("compiled", rows, tones, view, (1, 80), DARK if dark else LIGHT)
        seen.append(contrast(int(image[0, 40]) & 0xFFFFFF, behind & 0xFFFFFF))
    assert seen[0] > 2
    assert 1 < seen[1] < 1.2


def test_a_task_thinner_than_a_pixel_is_seen():
    rows = frozen_rows([0, 1], [40.3], [40.3], [40.4], [0], [0.0])
    view = frame(width=80, span=80.0, row_height=2.0)
    image = painted("compiled", rows, np.zeros((1, 6), np.int64), view, (2, 80))
    assert channels(image)[0, 40].max() < 110
    assert np.all(image[0, [39, 41]] == WHITE)


def test_no_task_is_dropped_however_thin():
    """A thousand tasks of a thousandth of a pixel weigh as much as one of a pixel."""
    starts = np.arange(1000) / 1000 + 10
    rows = frozen_rows([0, 1000], starts, starts, starts + 0.001, [0] * 1000, [0.0])
    tones = np.zeros((1, 6), np.int64)
    image = painted("compiled", rows, tones, frame(width=80, span=80.0, row_height=2.0), (2, 80))
    assert channels(image)[0, 10].max() <= 4
    assert np.all(image[0, [9, 11]] == WHITE)


def test_thousands_of_colours_are_told_apart_as_well_as_they_can_be():
    tones = np.random.default_rng(3).integers(0, 1 << 24, (5000, 6))
    inks = inks_of(tones)
    assert len(inks.colours) <= 512
    shown = inks.colours[inks.of_tone[:, 0]]
    assert np.abs(shown - channels(tones[:, 0])).max() <= 32
    few = inks_of(tones[:40])
    assert np.array_equal(few.colours[few.of_tone[:, 0]], channels(tones[:40, 0]))


def test_tasks_that_overlap_by_a_rounding_error_do_not_corrupt_colours():
    rows = frozen_rows([0, 2], [0.0, 5.0 - 1e-9], [0.0, 5.0], [5.0, 10.0], [0, 2], [0.0, 0.0])
    tones = np.array([[0xFF0000] * 6, [0x0000FF] * 6])
    image = painted("compiled", rows, tones, frame(width=33, span=10.0, row_height=2.0), (2, 33))
    red, green, blue = channels(image)[0].T
    assert green.max() == 0
    assert np.abs(red + blue - 255).max() <= 1


def phase_pixels(stage_end, shuffled, is_reduce=True):
    """Paint one task from 0 to 60 px in a row 12 px tall; plain tones, white hatch."""
    rows = frozen_rows([0, 1], [0.0], [shuffled], [60.0], [int(is_reduce)], [stage_end])
    tones = np.array([[0x100000, 0x200000, 0x300000, 0x400000, 0x500000, 0xFFFFFF]])
    return painted("compiled", rows, tones, frame(width=80, span=80.0, row_height=12.0), (12, 80))


def test_a_map_has_its_colour_a_darker_right_edge_and_a_gap_below():
    image = phase_pixels(0.0, 0.0, is_reduce=False)
    assert np.all(image[:11, :59] == 0xFF100000)
    assert np.all(image[:11, 59] == 0xFF500000)
    assert np.all(image[11] == WHITE)
    assert np.all(image[:, 60:] == WHITE)


def test_nothing_lies_between_the_rows_of_one_task():
    """Two rows of 12 px: a task in both and, later, one in the upper row alone."""
    rows = frozen_rows([0, 2, 3], [0.0, 40.0, 0.0], [0.0] * 3, [30.0, 70.0, 30.0], [0, 0, 0], [0.0])
    joined = np.array([True, False, False])
    joined.flags.writeable = False
    tones = np.array([[0x100000] * 4 + [0x500000, 0xFFFFFF]])
    view = frame(width=80, span=80.0, row_height=12.0)
    for how in ("compiled", "numpy", "interpreted"):
        image = painted(how, rows._replace(joined=joined), tones, view, (24, 80))
        assert np.all(image[:23, :29] == 0xFF100000)
        assert np.all(image[:23, 29] == 0xFF500000)
        assert np.all(image[23, :30] == GREY)
        assert np.all(image[11, 40:70] == WHITE)
        assert np.all(image[:11, 40:69] == 0xFF100000)


def test_reduces_wait_shuffle_and_reduce_in_different_tones():
    image = phase_pixels(stage_end=20.0, shuffled=40.0)
    assert 0xFF200000 in image[:11, :20]
    assert 0xFF300000 in image[:11, 20:40]
    assert np.all(image[:11, 40:59] == 0xFF400000)


def hatch_share(image, low, high):
    return float((channels(image[:11, low:high])[..., 1] > 40).mean())


def leans_right(image, low, high):
    """Whether a hatched block looks like itself one line further down and one pixel to the left."""
    block = image[:10, low:high]
    return np.array_equal(block[1:, :-1], block[:-1, 1:])


def test_first_and_typical_shuffles_lean_to_different_sides_and_waiting_is_hatched_thinly():
    filler, typical = phase_pixels(stage_end=30.0, shuffled=60.0), phase_pixels(stage_end=0.0, shuffled=60.0)
    assert leans_right(typical, 2, 58)
    assert not leans_right(filler, 32, 58)
    assert not leans_right(filler, 2, 28)
    assert 0 < hatch_share(filler, 0, 30) < 0.6 * hatch_share(filler, 30, 60)


def borrowed_pixels(row_height, own=0, seconds=60.0):
    """Paint one reduce from 0 to 60 px, which is all reduce phase, in a row of map slots."""
    rows = frozen_rows([0, 1], [0.0], [0.0], [seconds], [1], [0.0])
    tones = np.array([[0x100000, 0x200000, 0x300000, 0x400000, 0x500000, 0xFFFFFF]])
    view = lending(own, width=80, span=80.0, row_height=row_height)
    return painted("compiled", rows, tones, view, (round(row_height), 80))


def test_a_borrowed_slot_has_a_strip_at_its_foot():
    image = borrowed_pixels(20.0)
    assert np.all(image[:14, :59] == 0xFF400000)
    assert np.all(image[14:18, :60] == 0xFF000000 | INK)
    assert np.all(image[18:] == WHITE)
    assert np.all(image[:, 60:] == WHITE)
    own = borrowed_pixels(20.0, own=1)
    assert np.all(own[:18, :59] == 0xFF400000)


def test_where_there_is_no_room_for_a_strip_there_is_a_texture():
    """Two of six pixels, by the share that borrowed slots have of them."""
    image = channels(borrowed_pixels(2.0))[0]
    plain, ink = [0x40, 0, 0], [0x20, 0x40, 0x60]
    share = raster_kernel.BORROWED_SHARE
    mixed = [(a * (256 - share) + b * share) >> 8 for a, b in zip(plain, ink, strict=True)]
    assert image[:12].tolist() == [mixed, mixed, plain, plain, plain, plain] * 2
    narrow = channels(borrowed_pixels(20.0, seconds=2.0))[0]
    assert narrow[:3].tolist() == [mixed, mixed, [255, 255, 255]]


def test_the_texture_counts_how_many_of_the_rows_in_a_line_are_borrowed():
    """Ten rows in one pixel line, half of them with a borrowed slot: half the texture."""
    rows = frozen_rows(np.arange(11), [0.0] * 10, [0.0] * 10, [60.0] * 10, [1, 0] * 5, [0.0])
    tones = np.zeros((1, 6), np.int64)
    image = painted("compiled", rows, tones, lending(0, width=80, span=80.0, row_height=0.1), (1, 80))
    share = raster_kernel.BORROWED_SHARE / 512
    assert channels(image)[0, 0] == pytest.approx([0x20 * share, 0x40 * share, 0x60 * share], abs=1.5)
    assert channels(image)[0, 3].tolist() == [0, 0, 0]


@pytest.mark.parametrize("row_height", [2.0, 0.4, 12.0])
def test_texture_and_strips_stay_on_their_time_while_panning(row_height):
    rows, tones = make_rows(rows=150 if row_height < 1 else 5), random_tones()
    whole = painted("compiled", rows, tones, lending(0, width=80, row_height=row_height))
    for origin in (1, 7, 31):
        moved = lending(0, width=80, row_height=row_height)._replace(origin=origin)
        part = painted("compiled", rows, tones, moved, (60, 80 - origin))
        assert np.array_equal(part, whole[:, origin:])


def test_containers_are_nobodys():
    assert np.array_equal(borrowed_pixels(20.0, own=2), borrowed_pixels(20.0, own=1))


def test_an_empty_image_is_no_problem():
    raster.paint_rows(np.zeros((0, 5), np.uint32), make_rows(), inks_of(random_tones()), frame())


def test_the_numpy_twin_paints_until_the_kernel_is_asked_for(monkeypatch):
    calls = []
    monkeypatch.setattr(raster, "kernel_is_ready", lambda: False)
    monkeypatch.setattr(raster_numpy, "paint", lambda *_: calls.append("numpy"))
    raster.paint_rows(np.zeros((4, 5), np.uint32), make_rows(), inks_of(random_tones()), frame())
    assert calls == ["numpy"]
    monkeypatch.undo()
    raster.use_compiled()
    assert raster.kernel_is_ready()
