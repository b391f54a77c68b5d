from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.partition import Partition, SlotPool
from explorer.gantt.geometry.row_layout import (
    FOLDED_HEIGHT,
    HEADER_HEIGHT,
    INNER_GAP,
    MIN_ROW,
    TALLEST_ROW,
    TALLEST_ZOOMED_ROW,
    RowLayout,
)
from explorer.gantt.geometry.schedule_rows import RowBand, bands_of
from tests.lines_run import lines_run

TWO = bands_of(Cluster(30, 20))


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


def test_gaps_and_the_outside_hold_no_slots():
    layout = RowLayout(TWO, 514)
    assert [list(layout.slots_at(y)) for y in (305, -1, 514, 9999)] == [[], [], [], []]


def test_slots_outside_of_all_pools_are_refused():
    with pytest.raises(IndexError, match="slot 50"):
        RowLayout(TWO, 514).slot_span(50)


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
    above = sum(pool.slots for at, pool in enumerate(layout.pools[:index]) if at not in layout.folded)
    return above * layout.row_height + fixed - layout.scroll


def slow_span(layout, slot):
    for index, pool in enumerate(layout.pools):
        if pool.first_slot <= slot < pool.first_slot + pool.slots:
            top = slow_top(layout, index)
            edges = [top + (slot - pool.first_slot + end) * layout.row_height for end in (0, 1)]
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
            found = layout._rows_of_line(y, slow_top(layout, index), pool.slots)
            return range(pool.first_slot + found[0], pool.first_slot + found[1])
    return range(0)


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("pools", [20, 57])
@pytest.mark.parametrize("least", [0.0, MIN_ROW])
@pytest.mark.parametrize("folded", [0, 3])
@pytest.mark.parametrize(("zoom", "scroll"), [(1.0, 0), (7.0, 130), (30.0, 2000)])
def test_rows_of_many_pools_lie_where_counting_puts_them(pools, packed, least, folded, zoom, scroll):
    """Every third pool is folded, or none."""
    bands = many_pools(pools, packed=packed)
    closed = frozenset(range(0, len(bands), folded)) if folded else frozenset()
    layout = replace(RowLayout.of(bands, 610, least, closed), zoom=zoom).scrolled_to(scroll)
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
    """Three pools of ten rows, 20 pixels each, named in the 40 pixels above them; 300 are in view."""
    bands = tuple(RowBand(f"P{i}", "P", 10 * i, 10, group=i) for i in range(3))
    layout = RowLayout(bands, 300, gap=40, head=40)
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


def test_slots_at_parts_of_a_pool_begin_with_its_first():
    layout = RowLayout(TWO, 514, gap=14)
    assert layout.slots_in(0, [0.0, 0.01, 0.5, 0.999]) == [0, 15, 29]
    assert layout.slots_in(1, [0.0, 0.5]) == [30, 40]


@pytest.mark.parametrize("scroll", [0, 3, 37, 480, 955, 1500])
def test_the_rows_in_view_are_those_whose_pixels_are(scroll):
    layout = RowLayout(TWO, 514, gap=14).zoomed(4.0, 0.0).scrolled_to(scroll)
    spans = [layout.slot_span(slot) for slot in range(50)]
    expected = [bottom > 0 and top < 514 for top, bottom in spans]
    assert layout.shows(np.arange(50)).tolist() == expected
    listed = {slot for first, end in layout.slots_in_view for slot in range(first, end)}
    assert listed == {slot for slot in range(50) if expected[slot]}
