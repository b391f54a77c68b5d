"""Folded time: an example, the inverse, order, and bits that stay where nothing is folded."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.charts.fold import NO_FOLD, PLEAT, Fold, folded
from explorer.document.time_axis import TimeAxis

EXAMPLE = Fold(((10.0, 70.0),), 2.0)


@st.composite
def folds(draw: st.DrawFn) -> Fold:
    edges = sorted(draw(st.sets(st.integers(0, 1000), min_size=2, max_size=8)))
    pairs = list(zip(edges[::2], edges[1::2], strict=False))
    shortest = min(last - first for first, last in pairs)
    pleat = draw(st.floats(0.01, 1.0)) * shortest
    return Fold(tuple((float(a), float(b)) for a, b in pairs), pleat)


def slow_place(fold: Fold, seconds: float) -> float:
    """Walk along the axis: a second inside a stretch is as short as the pleat makes it."""
    place, now = 0.0, 0.0
    for begin, end in fold.stretches:
        for until, speed in ((begin, 1.0), (end, fold.pleat / (end - begin))):
            step = max(0.0, min(until, seconds) - now)
            place, now = place + step * speed, now + step
    return place + max(0.0, seconds - now)


def test_the_example_of_the_docstring() -> None:
    assert [EXAMPLE.place(seconds) for seconds in (5.0, 10.0, 40.0, 70.0, 80.0)] == [5, 10, 11, 12, 22]
    assert [EXAMPLE.seconds(place) for place in (5.0, 11.0, 22.0)] == [5, 40, 80]
    assert EXAMPLE.stretch_at(40.0) == (10.0, 70.0)
    assert EXAMPLE.stretch_at(70.0) is None


@given(folds(), st.floats(0, 1100))
def test_places_are_those_of_a_walk_and_lead_back(fold: Fold, seconds: float) -> None:
    place = fold.place(seconds)
    assert place == pytest.approx(slow_place(fold, seconds), abs=1e-6)
    assert fold.seconds(place) == pytest.approx(seconds, abs=1e-6 * (1 + 1000 / fold.pleat))
    assert fold.place(np.array([seconds]))[0] == place, "one and many are the same, to the bit"


@given(folds(), st.lists(st.floats(-10, 1100), min_size=2, max_size=20))
def test_later_is_never_further_left(fold: Fold, times: list[float]) -> None:
    places = fold.place(np.array(sorted(times)))
    assert (np.diff(places) >= -1e-9).all()


def test_without_a_fold_a_time_is_its_place() -> None:
    seconds = np.array([0.1, 0.2])
    assert NO_FOLD.place(seconds) is seconds
    assert Fold(((1.0, 2.0),), 0.0).seconds(0.3) == 0.3
    assert not folded((), 100.0).is_folded


def test_a_pleat_takes_a_part_of_the_rest_but_never_more_than_its_stretch() -> None:
    assert folded(((0.0, 60.0),), 160.0).pleat == pytest.approx(PLEAT * 100)
    assert folded(((0.0, 1.0),), 1000.0).pleat == 1.0


def test_an_axis_goes_on_to_show_the_same_times_when_its_fold_changes() -> None:
    axis = TimeAxis()
    axis.set_extent(0.0, 100.0)
    assert axis.is_fitted
    axis.set_extent(0.0, 100.0, EXAMPLE)
    assert axis.is_fitted, "all of it is shown as before"
    assert axis.range.span == pytest.approx(42 * 1.03)
    axis.show_span(5.0, 80.0)
    assert (axis.t0, axis.t1) == (5.0, 80.0)
    assert axis.range.span == 17.0
    axis.set_extent(0.0, 100.0)
    assert (axis.t0, axis.t1) == pytest.approx((5.0, 80.0))
    axis.set_extent(0.0, 100.0, EXAMPLE)
    axis.back()
    assert axis.is_fitted, "a zoom of before the fold is one of the same times"


def test_zooming_keeps_a_time_where_it_is_and_centring_shows_it_in_the_middle() -> None:
    axis = TimeAxis()
    axis.set_extent(0.0, 100.0, EXAMPLE)
    before = axis.range
    axis.zoom(0.5, 80.0)
    place = EXAMPLE.place(80.0)
    parts = [(place - shown.start) / shown.span for shown in (before, axis.range)]
    assert parts[0] == pytest.approx(parts[1])
    axis.centre(75.0, "test")
    assert axis.range.start + axis.range.span / 2 == pytest.approx(EXAMPLE.place(75.0))
