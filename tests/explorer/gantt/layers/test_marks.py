from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.gantt.layers.marks import SPACING, WantedFlag, place_flags


def test_a_lone_flag_stands_over_its_line():
    assert place_flags([WantedFlag(100, 40, 20)], 0, 500)[0] == (80, 40, False)


def test_a_flag_stays_inside():
    assert place_flags([WantedFlag(495, 40, 20)], 0, 500)[0] == (460, 40, False)
    assert place_flags([WantedFlag(3, 40, 20)], 0, 500)[0] == (0, 40, False)


def test_the_less_important_flag_gives_way_more():
    first, second = place_flags([WantedFlag(100, 60, 20), WantedFlag(110, 60, 20)], 0, 500)
    assert second.left == pytest.approx(first.left + 60 + SPACING)
    assert 0 < 70 - first.left < second.left - 80


def test_a_flag_becomes_short_before_it_vanishes():
    flags = place_flags([WantedFlag(50, 60, 20), WantedFlag(90, 60, 40), WantedFlag(70, 60, 40)], 0, 120)
    assert flags[0].width == 60
    assert (flags[1].width, flags[1].is_short) == (40, True)
    assert flags[2] is None


def test_all_of_them_are_whole_where_they_fit_side_by_side():
    flags = place_flags(
        [WantedFlag(395, 100, 50), WantedFlag(380, 140, 50), WantedFlag(300, 140, 50)], 0, 400
    )
    assert [(flag.width, flag.is_short) for flag in flags] == [(100, False), (140, False), (140, False)]


def test_the_first_flag_is_cut_rather_than_left_out():
    assert place_flags([WantedFlag(5, 60, 20)], 0, 10)[0] == (0, 10, True)


wanted = st.builds(WantedFlag, st.floats(0, 400), st.floats(30, 200), st.floats(20, 30))


@given(st.lists(wanted, max_size=7))
def test_flags_never_cover_one_another_nor_leave_the_line(flags):
    placed = sorted(place for place in place_flags(flags, 0, 400) if place)
    assert all(place.left >= 0 and place.left + place.width <= 400 + 1e-6 for place in placed)
    assert all(a.left + a.width <= b.left + 1e-6 for a, b in pairwise(placed))
    assert bool(placed) == bool(flags)
