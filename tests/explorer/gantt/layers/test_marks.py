from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from explorer.gantt.layers.marks import SPACING, WantedFlag, place_flags


def test_a_lone_flag_stands_over_its_line():
    assert place_flags([WantedFlag(100, 40, 20)], 0, 500)[0] == (80, 40, False)


def test_a_flag_stays_inside():
    assert place_flags([WantedFlag(495, 40, 20)], 0, 500)[0] == (460, 40, False)
    assert place_flags([WantedFlag(3, 40, 20)], 0, 500)[0] == (0, 40, False)


def test_flags_make_room_for_one_another_but_keep_to_their_lines():
    first, second = place_flags([WantedFlag(110, 60, 20), WantedFlag(100, 60, 20)], 0, 500)
    assert second.left <= 100 <= second.left + second.width < first.left <= 110 + SPACING / 2
    assert not first.is_short
    assert not second.is_short


def test_two_flags_of_one_line_stand_beside_it():
    first, second = place_flags([WantedFlag(100, 60, 20), WantedFlag(100, 40, 20)], 0, 500)
    assert (first.left + first.width, second.left) == (100 - SPACING / 2, 100 + SPACING / 2)


def test_a_flag_becomes_short_before_it_vanishes():
    flags = place_flags([WantedFlag(50, 60, 20), WantedFlag(90, 60, 40), WantedFlag(70, 60, 40)], 0, 120)
    assert flags[0].width == 60
    assert (flags[1].width, flags[1].is_short) == (40, True)
    assert flags[2] is None


def test_a_flag_that_cannot_reach_its_line_is_left_out():
    """Between two others there is no room, elsewhere there would be."""
    flags = place_flags([WantedFlag(100, 60, 50), WantedFlag(110, 60, 50), WantedFlag(105, 30, 20)], 0, 500)
    assert flags[2] is None


def test_the_first_flag_is_cut_rather_than_left_out():
    assert place_flags([WantedFlag(5, 60, 20)], 0, 10)[0] == (0, 10, True)


wanted = st.builds(WantedFlag, st.floats(0, 400), st.floats(30, 200), st.floats(20, 30))


@given(st.lists(wanted, max_size=7))
def test_flags_never_cover_one_another_nor_leave_the_line(flags):
    placed = sorted(place for place in place_flags(flags, 0, 400) if place)
    assert all(place.left >= 0 and place.left + place.width <= 400 + 1e-6 for place in placed)
    assert all(a.left + a.width <= b.left + 1e-6 for a, b in pairwise(placed))
    for flag, place in zip(flags, place_flags(flags, 0, 400), strict=True):
        air = SPACING / 2 + 1e-6
        assert place is None or place.left - air <= flag.x <= place.left + place.width + air
    assert bool(placed) == bool(flags)
