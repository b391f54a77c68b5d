from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from explorer.gantt.flags import Wanted, place_flags


def test_a_lone_flag_stands_over_its_line():
    assert place_flags([Wanted(100, 40, 20)], 0, 500)[0] == (80, 40)


def test_a_flag_stays_inside():
    assert place_flags([Wanted(495, 40, 20)], 0, 500)[0] == (460, 40)
    assert place_flags([Wanted(3, 40, 20)], 0, 500)[0] == (0, 40)


def test_the_second_flag_gives_way_to_the_first():
    first, second = place_flags([Wanted(100, 60, 20), Wanted(110, 60, 20)], 0, 500)
    assert first == (70, 60)
    assert second.left >= first.left + first.width


def test_a_flag_gets_shorter_before_it_vanishes():
    flags = place_flags([Wanted(50, 60, 20), Wanted(90, 60, 20), Wanted(70, 60, 40)], 0, 120)
    assert flags[1].width < 60
    assert flags[2] is None


wanted = st.builds(Wanted, st.floats(0, 400), st.floats(30, 200), st.just(30.0))


@given(st.lists(wanted, max_size=7))
def test_flags_never_cover_one_another_nor_leave_the_line(flags):
    placed = sorted(place for place in place_flags(flags, 0, 400) if place)
    assert all(place.left >= 0 and place.left + place.width <= 400 + 1e-6 for place in placed)
    assert all(a.left + a.width <= b.left + 1e-6 for a, b in pairwise(placed))
