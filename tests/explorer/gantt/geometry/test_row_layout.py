from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from core.charts.schedule_rows import RowBand, bands_of
from core.model.cluster import Cluster
from core.model.partition import Partition, SlotPool
from explorer.gantt.geometry import strip_height
from explorer.gantt.geometry.row_layout import (
    FOLDED_HEIGHT,
    HEADER_HEIGHT,
    INNER_GAP,
    MIN_ROW,
    TALLEST_ROW,
    TALLEST_ZOOMED_ROW,
    RowLayout,
    tallest,
)
from tests.lines_run import lines_run

TWO = bands_of(Cluster(30, 20))


@pytest.fixture(autouse=True)
def no_low_strips(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are counted by hand here without the strips above them, which `test_use_strips.py` tests."""
    monkeypatch.setattr(strip_height, "MAX_LOW_STRIPS", 0.0)


@pytest.mark.parametrize(
    ("cluster", "pools"),
    [
        (Cluster(30, 20), [("MAP", "M", 0, 30), ("REDUCE", "R", 30, 20)]),
        (Cluster(4, 0), [("MAP", "M", 0, 4)]),
        (Cluster(0, 4), [("REDUCE", "R", 0, 4)]),
        (Cluster(0, 0, containers=9), [("CONTAINERS", "C", 0, 9)]),
    ],
)
def test_a_pool_for_every_kind_of_slot_there_is(cluster, pools):
    assert [(pool.name, pool.prefix, pool.first_slot, pool.slots) for pool in bands_of(cluster)] == pools


def test_all_rows_fit_at_zoom_one():
    layout = RowLayout(TWO, 514, gap=14)
    assert layout.row_height == 10.0
    assert layout.slot_span(0) == (0, 10)
    assert layout.slot_span(29) == (290, 300)
    assert layout.slot_span(30) == (314, 324)
    assert layout.slot_span(49) == (504, 514)
    assert [layout.pool_spans[i] for i in (0, 1)] == [(0, 300), (314, 514)]


def test_rows_of_few_slots_do_not_grow_without_end():
    assert RowLayout(bands_of(Cluster(1, 1)), 900).row_height == TALLEST_ROW


def test_the_gap_between_pools_keeps_its_pixels_while_zooming():
    layout = RowLayout(TWO, 514).zoomed(4.0, 300.0)
    assert layout.slot_span(30)[0] - layout.slot_span(29)[1] == 14


@pytest.mark.parametrize("height", [37, 60, 127, 314, 514, 611, 900])
@pytest.mark.parametrize("zoom", [1.0, 1.7, 6.0])
def test_every_line_of_a_tall_row_finds_its_slot(height, zoom):
    layout = RowLayout(TWO, height, zoom=zoom).scrolled_to(40)
    for slot in range(50) if layout.row_height >= 1 else ():
        top, bottom = layout.slot_span(slot)
        for y in range(max(0, top), min(height, bottom)):
            assert layout.slots_at(y) == range(slot, slot + 1)


def test_a_line_of_thin_rows_finds_all_of_them():
    layout = RowLayout(bands_of(Cluster(1000, 1000)), 114)
    assert layout.row_height == pytest.approx(0.05)
    assert layout.slots_at(0) == range(20)
    assert layout.slots_at(49) == range(980, 1000)
    assert layout.slots_at(64) == range(1000, 1020)
    assert layout.slots_in_view == [(0, 1000), (1000, 2000)]


def test_gaps_and_the_outside_hold_no_slots():
    layout = RowLayout(TWO, 514)
    assert [list(layout.slots_at(y)) for y in (305, -1, 514, 9999)] == [[], [], [], []]


def test_slots_outside_of_all_pools_are_refused():
    with pytest.raises(IndexError, match="slot 50"):
        RowLayout(TWO, 514).slot_span(50)
    with pytest.raises(IndexError, match="slot -1"):
        RowLayout(TWO[:1], 514).slot_span(-1)


@pytest.mark.parametrize("y", [5.0, 150.0, 330.0, 500.0])
def test_what_is_under_the_pointer_stays_there_while_zooming(y):
    layout = RowLayout(TWO, 514)
    before = layout.slots_at(y)
    for _ in range(4):
        layout = layout.zoomed(1.3, y)
        assert layout.slots_at(y) == before
    assert layout.zoom > 2.8


def test_zoom_and_scroll_end_where_there_is_nothing_more():
    layout = RowLayout(TWO, 514)
    assert layout.scrolled_to(100).scroll == 0.0
    assert layout.zoomed(0.1, 0.0) == layout
    deep = layout.zoomed(1e6, 0.0)
    assert deep.row_height == pytest.approx(TALLEST_ZOOMED_ROW)
    bottom = deep.scrolled_to(1e9)
    assert bottom.slot_span(49)[1] == 514
    assert bottom.resized(700).slot_span(49)[1] == 700


# ---- many pools


def many_pools(pools, *, packed):
    """Bands of so many pools: rows of pools of jobs in two bands each, or the slots of a partition."""
    random = np.random.default_rng(pools)
    if packed:
        rows = [(group, kind, int(random.integers(1, 5))) for group in range(pools) for kind in range(2)]
        firsts = np.cumsum([0, *(count for _, _, count in rows)])
        return tuple(
            RowBand(("MAP", "REDUCE")[kind], "", int(first), count, group, is_packed=True)
            for (group, kind, count), first in zip(rows, firsts, strict=False)
        )
    slots = random.integers(1, 5, (pools, 2)).tolist()
    partition = Partition(tuple(SlotPool(f"pool {i}", *each) for i, each in enumerate(slots)))
    return bands_of(Cluster(*partition.slots), partition)


def slow_top(layout, index):
    """Where a pool starts: below rows, folded pools and the gaps above these."""
    close = min(layout.gap, INNER_GAP)
    places = range(1, index + 1)
    gaps = (close if layout.continues(at) or at in layout.folded else layout.gap for at in places)
    fixed = (close if 0 in layout.folded else layout.head) + sum(gaps)
    fixed += FOLDED_HEIGHT * len([at for at in range(index) if at in layout.folded])
    above = sum(rows for at, rows in enumerate(layout.lane_rows[:index]) if at not in layout.folded)
    return above * layout.row_height + fixed - layout.scroll


def slow_span(layout, slot):
    for index, pool in enumerate(layout.pools):
        if pool.first_slot <= slot < pool.first_slot + pool.slots:
            top = slow_top(layout, index)
            height = layout.row_height * (layout.lane_rows[index] / pool.slots)
            edges = [top + (slot - pool.first_slot + end) * height for end in (0, 1)]
            if index in layout.folded:
                edges = [top, top + FOLDED_HEIGHT]
            return tuple(math.floor(edge + 0.5) for edge in edges)
    raise AssertionError(slot)


def slow_edge(layout, y):
    for index, (pool, below) in enumerate(pairwise(layout.pools)):
        top = layout.pool_tops[index + 1]
        is_edge = below.group >= 0 and not pool.is_packed and pool.name == below.name
        is_open = index not in layout.folded and index + 1 not in layout.folded
        if is_edge and is_open and top - layout.gap <= y < top:
            return index
    return -1


def slow_slots(layout, y):
    """The slots whose band holds a line and whose rows cover some of it, as rows are rounded."""
    for index, pool in enumerate(layout.pools):
        top, bottom = layout.pool_spans[index]
        if top <= y < bottom and index not in layout.folded:
            found = layout._rows_of_line(y, index)
            return range(pool.first_slot + found[0], pool.first_slot + found[1])
    return range(0)


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("pools", [20, 57])
@pytest.mark.parametrize("least", [0.0, MIN_ROW])
@pytest.mark.parametrize("folded", [0, 3])
@pytest.mark.parametrize(("zoom", "scroll"), [(1.0, 0), (7.0, 130), (30.0, 2000)])
@pytest.mark.parametrize("more", [0, 3])
def test_rows_of_many_pools_lie_where_counting_puts_them(pools, packed, least, folded, zoom, scroll, more):
    """Every third pool is folded, or none; lanes have room for none or some rows more than they have."""
    bands = many_pools(pools, packed=packed)
    closed = frozenset(range(0, len(bands), folded)) if folded else frozenset()
    lanes = tuple(pool.slots + place % (more + 1) for place, pool in enumerate(bands)) if more else ()
    layout = RowLayout.of(bands, 610, least, closed, lanes)
    layout = replace(layout, zoom=zoom).scrolled_to(scroll)
    assert layout.row_height >= least * zoom
    spans = [slow_span(layout, slot) for slot in range(layout.rows)]
    assert [layout.slot_span(slot) for slot in range(layout.rows)] == spans
    assert layout.slot_spans(np.arange(layout.rows)).T.tolist() == [list(span) for span in spans]
    assert [layout.slots_at(y) for y in range(-3, 613)] == [slow_slots(layout, y) for y in range(-3, 613)]
    assert [layout.edge_at(y) for y in range(-3, 613)] == [slow_edge(layout, y) for y in range(-3, 613)]
    seen = [index for index, (top, bottom) in enumerate(layout.pool_spans) if bottom > top]
    assert set(seen) <= set(layout.in_view)
    last = slow_top(layout, len(bands) - 1) + layout.pool_heights[-1] + layout.scroll
    assert layout.content_height == pytest.approx(last)


def test_lanes_of_one_kind_are_equally_high_whatever_their_slots():
    few, many = bands_of(Cluster(20, 10)), bands_of(Cluster(60, 5))
    wanted = (60, 10)
    layouts = [RowLayout.of(pools, 714, lanes=wanted) for pools in (few, many)]
    assert [layout.pool_heights for layout in layouts] == [(600.0, 100.0)] * 2
    assert [layout.row_heights for layout in layouts] == [(30.0, 10.0), (10.0, 20.0)]
    assert [layout.slot_span(19) for layout in layouts] == [(570, 600), (190, 200)]
    assert [layout.slots_at(599.0) for layout in layouts] == [range(19, 20), range(59, 60)]


def test_a_chart_shows_the_rows_that_another_one_shows_where_lanes_are_alike():
    pools = bands_of(Cluster(500, 400))
    moved = RowLayout.of(pools, 300, MIN_ROW).zoomed(2.0, 0.0).scrolled_to(800)
    other = RowLayout.of(bands_of(Cluster(250, 400)), 300, lanes=(500, 400)).matched_with(moved)
    assert (other.zoom, other.scroll, other.least) == (moved.zoom, 800.0, MIN_ROW)
    assert other.pool_tops == moved.pool_tops
    lower = RowLayout.of(pools, 200).matched_with(moved)
    assert lower.scroll / lower.most_scroll == pytest.approx(moved.scroll / moved.most_scroll, abs=1e-3)
    unlike = RowLayout.of(bands_of(Cluster(250, 400)), 300)
    assert unlike.matched_with(moved) is unlike


def test_the_bar_says_which_rows_are_in_view():
    layout = RowLayout.of(bands_of(Cluster(500, 400)), 300, MIN_ROW)
    assert (layout.row_height, layout.content_height, layout.most_scroll) == (2.0, 1814.0, 1514.0)
    top, height = layout.thumb
    assert top == 0.0
    assert height == pytest.approx(300 * 300 / 1814)
    top, height = layout.scrolled_to(1e9).thumb
    assert top + height == pytest.approx(300)


def test_a_slot_is_brought_into_view_and_one_that_is_there_stays():
    layout = RowLayout.of(bands_of(Cluster(500, 400)), 300, MIN_ROW)
    assert layout.with_slot(100) is layout
    there = layout.with_slot(700)
    assert there.slot_span(700) == (149, 151)
    assert there.with_slot(720) is there


def test_a_slot_that_is_cut_is_shown_whole_by_a_small_step():
    layout = RowLayout.of(bands_of(Cluster(500, 400)), 301, MIN_ROW)
    assert layout.slot_span(150) == (300, 302)
    assert layout.with_slot(150).scroll == 1
    assert layout.scrolled_to(1).with_slot(0).scroll == 0


@pytest.mark.parametrize("packed", [True, False])
def test_the_work_of_laying_out_grows_with_the_pools(packed):
    def lay_out(pools):
        layout = RowLayout.of(pools, 800).zoomed(20.0, 100.0)
        assert layout.slots_in_view
        assert len([layout.edge_at(top - 1) for top in layout.pool_tops]) == len(pools)

    few, many = (lines_run(partial(lay_out, many_pools(pools, packed=packed))) for pools in (100, 400))
    assert many < 5 * few


def test_a_pool_out_of_view_has_no_height():
    layout = RowLayout(TWO, 514).zoomed(6.0, 0.0)
    assert layout.pool_spans == ((0, 514), (514, 514))


def named_pools(scroll: float) -> RowLayout:
    """Three pools of ten rows, 20 pixels each, named in a line above them; 300 are in view."""
    bands = tuple(RowBand(f"P{i}", "P", 10 * i, 10, group=i) for i in range(3))
    layout = RowLayout(bands, 300, gap=HEADER_HEIGHT, head=HEADER_HEIGHT)
    return replace(layout, zoom=600 / (300 - layout.spaces_above[-1])).scrolled_to(scroll)


@pytest.mark.parametrize("scroll", [0, 15, 40, 100, 200, 235, 239, 240, 300, 400])
def test_a_pool_is_named_above_its_rows_and_at_the_top_while_they_are_scrolled(scroll):
    """At each pixel line the name is found that is drawn there, and none where no name is."""
    layout = named_pools(scroll)
    lines = {}
    for index in layout.named_in_view:
        top = round(layout.pool_tops[index])
        end = round(layout.pool_tops[index] + layout.pool_heights[index])
        expected = top - HEADER_HEIGHT if top >= HEADER_HEIGHT else min(0, end - HEADER_HEIGHT)
        assert layout.name_line(index) == expected
        lines.update(dict.fromkeys(range(expected, expected + HEADER_HEIGHT), index))
    for y in range(300):
        assert layout.named_at(y) == lines.get(y, -1)
    assert layout.named_at(10_000) == -1


@pytest.mark.parametrize("scroll", [0, 3, 37, 480, 955, 990, 1500])
@pytest.mark.parametrize("slot", [0, 1, 9, 24, 29, 30, 31, 49])
def test_a_row_is_brought_into_view_by_scrolling_no_further_than_need_be(slot, scroll):
    before = RowLayout(TWO, 514, gap=14).zoomed(4.0, 0.0).scrolled_to(scroll)
    top, bottom = before.slot_span(slot)
    after = before.with_slot(slot)
    new_top, new_bottom = after.slot_span(slot)
    assert new_top >= 0
    assert new_bottom <= 514
    if top >= 0 and bottom <= 514:
        assert after is before
    elif top < 0 < bottom:
        assert new_top == 0
    elif top < 514 < bottom:
        assert new_bottom == 514
    elif after.scroll not in (0, after.most_scroll):
        assert (new_top + new_bottom) / 2 == pytest.approx(257, abs=1)


@pytest.mark.parametrize("scroll", [0, 3, 37, 480, 955, 1500])
def test_the_rows_in_view_are_those_whose_pixels_are(scroll):
    layout = RowLayout(TWO, 514, gap=14).zoomed(4.0, 0.0).scrolled_to(scroll)
    spans = [layout.slot_span(slot) for slot in range(50)]
    expected = [bottom > 0 and top < 514 for top, bottom in spans]
    assert layout.shows(np.arange(50)).tolist() == expected
    listed = {slot for first, end in layout.slots_in_view for slot in range(first, end)}
    assert listed == {slot for slot in range(50) if expected[slot]}


# ---- names and folded pools, by hand


def named_bands(pools: int, rows: int = 10) -> tuple[RowBand, ...]:
    """Bands of slots that so many pools of jobs have, each named."""
    return tuple(RowBand("MAP", "M", rows * i, rows, group=i) for i in range(pools))


@pytest.mark.parametrize(
    ("pools", "height", "head"),
    [
        (2, 85, 17),  # two lines of 17 pixels are 0.4 of 85
        (2, 84, 5),
        (1, 43, 17),
        (1, 42, 5),
        (20, 100, 2),  # 0.4 of 100 pixels are 2 for each of 20
    ],
)
def test_lines_that_name_pools_take_two_fifths_of_the_height(pools, height, head):
    layout = RowLayout.of(named_bands(pools), height)
    assert (layout.head, layout.gap) == (head, head)
    assert RowLayout.of(named_bands(pools), height, MIN_ROW).head == 17  # those can be scrolled


def test_rows_of_one_pool_of_jobs_have_one_name():
    packed = tuple(RowBand("MAP", "", i, 1, i // 2, is_packed=True) for i in range(4))
    assert RowLayout.of(packed, 85).head == 17
    assert RowLayout.of(tuple(replace(band, is_packed=False) for band in packed), 85).head == 5
    layout = RowLayout.of(packed, 85)
    assert [layout.continues(index) for index in range(4)] == [False, True, False, True]
    assert [layout.named_together(index) for index in (0, 1, 2)] == [range(2), range(1, 2), range(2, 4)]
    assert layout.spaces_above == (17, 20, 37, 40)


@pytest.mark.parametrize(("pools", "gap"), [(1, 14), (5, 14), (6, 12), (9, 8), (65, 1), (66, 0)])
def test_all_gaps_together_take_64_pixels(pools, gap):
    bands = tuple(RowBand(f"NODE {i}", "N", i, 1) for i in range(pools))
    assert RowLayout.of(bands, 900).gap == gap


@pytest.mark.parametrize(
    ("folded", "tops", "heights"),
    [
        ((), (17, 134, 251), (100, 100, 100)),
        ((0,), (3, 34, 201), (14, 150, 150)),
        ((1,), (17, 170, 201), (150, 14, 150)),
        ((0, 1), (3, 20, 51), (14, 14, 300)),
        ((0, 1, 2), (3, 20, 37), (14, 14, 14)),
    ],
)
def test_a_folded_pool_of_jobs_is_named_upon_its_row(folded, tops, heights):
    """Of 351 pixels 17 are above each of three pools of ten rows; three above one that is folded."""
    layout = RowLayout.of(named_bands(3), 351, folded=frozenset(folded))
    assert layout.pool_tops == tops
    assert layout.pool_heights == heights
    spans = tuple((top, top + height) for top, height in zip(tops, heights, strict=True))
    assert layout.pool_spans == spans
    for index in range(3):
        line = tops[index] if index in folded else tops[index] - 17
        high = 14 if index in folded else 17
        assert layout.name_line(index) == line
        assert [layout.named_at(y) for y in (line, line + high - 1)] == [index, index]
        assert layout.named_at(line + high) != index
        if index in folded:
            assert layout.slots_at(tops[index] + 5) == range(0)
            assert layout.pool_at(tops[index] + 5) == index


@pytest.mark.parametrize(
    ("folded", "spaces"), [((), (0, 14, 28)), ((0,), (0, 3, 17)), ((1,), (0, 14, 17)), ((2,), (0, 14, 28))]
)
def test_below_folded_slots_of_a_kind_there_is_little_room(folded, spaces):
    bands = tuple(RowBand(f"NODE {i}", "N", 10 * i, 10) for i in range(3))
    layout = RowLayout.of(bands, 500, folded=frozenset(folded))
    assert layout.spaces_above == spaces
    assert layout.fixed_height == spaces[-1] + 14 * len(folded)
    assert layout.open_rows == 30 - 10 * len(folded)
    assert layout.content_height == pytest.approx(500)


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("folded", [0, 3])
@pytest.mark.parametrize("scroll", [0, 7, 130, 2000, 1e9])
def test_names_of_many_pools_are_found_where_they_are_drawn(packed, folded, scroll):
    """The first one whose line is there, of all pools; only few are looked at."""
    bands = many_pools(40, packed=packed)
    closed = frozenset(range(0, len(bands), folded)) if folded else frozenset()
    layout = replace(RowLayout.of(bands, 610, MIN_ROW, closed), zoom=9.0).scrolled_to(scroll)
    lines: dict[int, int] = {}
    for index in range(len(bands)):
        if not layout.continues(index):
            high = FOLDED_HEIGHT if index in closed else HEADER_HEIGHT
            line = layout.name_line(index)
            for y in range(max(line, 0), min(line + high, 610)):
                lines.setdefault(y, index)
    found = {y: layout.named_at(y) for y in range(610)}
    assert {y: index for y, index in found.items() if index >= 0} == lines
    seen = [index for index, (top, bottom) in enumerate(layout.pool_spans) if bottom > top]
    assert min(layout.named_in_view) >= seen[0] - 2
    assert max(layout.named_in_view) <= seen[-1] + 2


def test_a_pool_stays_where_it_is_while_another_one_is_folded():
    layout = RowLayout.of(named_bands(3, rows=100), 300, MIN_ROW)
    assert layout.pool_tops == (17, 234, 451)
    scrolled = layout.scrolled_to(220)
    folded = scrolled.with_folded(frozenset([0]), kept=1)
    assert folded.folded == {0}
    assert folded.pool_tops[1] == scrolled.pool_tops[1] == 14
    assert folded.with_folded(frozenset(), kept=1).pool_tops == scrolled.pool_tops


def test_other_pools_of_as_many_rows_keep_what_is_in_view():
    layout = RowLayout.of(named_bands(3, rows=100), 300, MIN_ROW).zoomed(2.0, 0.0).scrolled_to(120)
    other = tuple(replace(band, name="REDUCE") for band in layout.pools)
    again = layout.with_pools(other, frozenset([2]))
    assert again == replace(layout, pools=other, folded=frozenset([2]))
    assert (again.zoom, again.scroll) == (2.0, 120.0)
    for changed in (named_bands(3, rows=101), named_bands(2, rows=150), bands_of(Cluster(150, 150))):
        assert layout.with_pools(changed) == RowLayout.of(changed, 300, MIN_ROW)


def test_rows_that_fit_and_rows_of_a_least_height():
    fitting = RowLayout.of(bands_of(Cluster(500, 400)), 300, MIN_ROW).with_least(0.0)
    assert fitting.content_height == pytest.approx(300)
    assert fitting.with_least(3.0).row_height == 3.0
    folded = RowLayout.of(TWO, 514, folded=frozenset([1]))
    assert folded.with_least(30.0).folded == {1}


def test_the_height_from_which_on_nothing_more_is_shown():
    assert tallest(TWO) == 50 * 72 + 14
    assert tallest(TWO, frozenset([0])) == 20 * 72 + 14 + 3
    assert tallest(named_bands(2)) == 20 * 72 + 2 * 17
    assert RowLayout.of(TWO, tallest(TWO) + 500).content_height == tallest(TWO)


def test_rows_without_any_room_are_as_thin_as_one_pixel_for_all():
    layout = RowLayout.of(TWO, 10)
    assert layout.row_height == pytest.approx(1 / 50)
    assert layout.most_scroll == 5  # 14 pixels of a gap and one of rows are more than 10


def test_the_bar_has_a_part_to_take_hold_of():
    layout = RowLayout.of(bands_of(Cluster(20_000, 0)), 300, MIN_ROW)
    assert layout.thumb == (0.0, 14.0)
    assert layout.scrolled_to(1e9).thumb == (286.0, 14.0)
    middle = layout.scrolled_to(layout.most_scroll / 2)
    assert middle.thumb == (143.0, 14.0)
    top, height = RowLayout.of(bands_of(Cluster(150, 0)), 299, MIN_ROW).scrolled_to(1).thumb
    assert height == pytest.approx(299 * 299 / 300)
    assert top + height == pytest.approx(299)
    assert RowLayout.of(bands_of(Cluster(4, 0)), 299).thumb == (0.0, 299.0)


def test_it_scrolls_by_whole_pixels():
    layout = RowLayout.of(bands_of(Cluster(151, 0)), 300, 2.1)
    assert layout.content_height == pytest.approx(317.1)
    assert layout.most_scroll == 18
    assert [layout.scrolled_to(to).scroll for to in (-3, 4.4, 4.6, 30)] == [0, 4, 5, 18]
    assert RowLayout.of(bands_of(Cluster(150, 0)), 300, 2.0).most_scroll == 0


def test_another_height_keeps_the_part_that_is_scrolled_and_names_have_room_again():
    layout = RowLayout.of(bands_of(Cluster(500, 400)), 300, MIN_ROW).scrolled_to(757)
    assert layout.most_scroll == 1514
    assert layout.resized(400).scroll == 707  # half of 1414
    named = RowLayout.of(named_bands(1), 42)
    assert (named.head, named.resized(43).head, named.resized(43).gap) == (5, 17, 17)
    whole = RowLayout.of(TWO, 514)
    assert whole.resized(264) == RowLayout.of(TWO, 264)


def test_the_edge_between_pools_of_a_partition_is_in_the_gap_above_the_second():
    bands = tuple(RowBand("MAP" if i < 2 else "REDUCE", "M", 10 * i, 10, group=i % 2) for i in range(4))
    layout = RowLayout.of(bands, 4 * 117)
    assert layout.pool_tops == (17, 134, 251, 368)
    edges = {y: layout.edge_at(y) for y in range(4 * 117)}
    assert [y for y in edges if edges[y] == 0] == list(range(117, 134))
    assert [y for y in edges if edges[y] == 2] == list(range(351, 368))
    assert set(edges.values()) == {-1, 0, 2}
    for folded in (0, 1):
        closed = RowLayout.of(bands, 4 * 117, folded=frozenset([folded]))
        assert {closed.edge_at(y) for y in range(4 * 117)} == {-1, 2}


def test_what_is_under_the_pointer_below_a_folded_pool_stays_there_while_zooming():
    layout = RowLayout.of(named_bands(3), 351, folded=frozenset([0]))
    assert layout.slots_at(210) == range(20, 21)
    assert layout.zoomed(1.5, 210.0).slots_at(210) == range(20, 21)
    assert layout.zoomed(1.5, 340.0).slots_at(340) == layout.slots_at(340)
    assert layout.zoomed(1.5, 0.0).scroll == 0
