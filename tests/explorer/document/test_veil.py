"""The veil: from when on which scenarios hide what comes, and an axis that does not tell."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from core.charts.chart import round_end
from explorer.document.veil import Veil


def test_it_hides_in_some_scenarios_or_in_all(qtbot):
    veil = Veil()
    assert veil.since(1) == math.inf
    with qtbot.waitSignal(veil.changed):
        veil.hide_from(12.0, [2])
    assert (veil.since(1), veil.since(2)) == (math.inf, 12.0)
    with qtbot.assertNotEmitted(veil.changed):
        veil.hide_from(12.0, [2])
    veil.hide_from(0.0)
    assert veil.since(1) == veil.since(2) == 0.0
    veil.lift()
    assert not veil.is_down


def test_while_it_is_down_one_looks_no_further():
    veil = Veil()
    assert (veil.visible_end(42.0), veil.visible_extent(42.0)) == (42.0, 42.0)
    veil.hide_from(12.0)
    assert (veil.visible_end(42.0), veil.visible_extent(42.0)) == (12.0, 60.0)


@given(st.floats(1e-6, 1e9))
@settings(max_examples=30)
def test_a_round_end_is_well_after_and_not_far(seconds):
    assert 1.25 * seconds <= round_end(seconds) * (1 + 1e-9)
    assert round_end(seconds) <= 1.5 * 1.25 * seconds * (1 + 1e-9)
