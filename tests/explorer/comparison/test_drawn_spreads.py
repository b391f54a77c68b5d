"""Whiskers over draws: of generated jobs only, drawn upon the bars, and gone with the jobs."""

from __future__ import annotations

import math

import pytest

from core.generate.families import generate
from core.measures.metrics import measure
from core.model.document_state import DocumentState
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from explorer.comparison import drawn_spreads
from explorer.comparison.makespan_bars import MakespanBars, bar_places
from explorer.widgets.theme import theme


@pytest.fixture
def two_scenarios():
    """Six generated jobs under FIFO, and under a policy that searches."""
    workload = generate("facebook", seed=3, parameters={"jobs": 6})
    return DocumentState.new(workload, (PolicyChoice("fifo"), PolicyChoice("optimized")))


@pytest.fixture
def bars(shown, results, view_state, document, monkeypatch):
    monkeypatch.setattr(drawn_spreads, "all_is_loaded", lambda *_followed: True)
    schedule = simulate(document.workload, document.cluster, PolicyChoice("fifo"), engine="interpreted")
    bars = MakespanBars(results, view_state, theme(False))
    bars.resize(900, 200)
    shown(bars)
    results.put(1, schedule, measure(schedule))
    return bars


def test_whiskers_stand_upon_the_bars_of_generated_jobs(qtbot, bars, results, editor):
    qtbot.waitUntil(lambda: results.rows[0].spread is not None)
    spread = results.rows[0].spread
    assert spread.low < spread.middle < spread.high
    assert list(results.spreads.found) == [1], "searching twenty times would take long"
    picture = bars.grab().toImage()
    places = bar_places(bars.rect().toRectF(), results.rows, bars.font())
    row = places.row_rect(0)
    y = math.floor(row.bottom() - row.height() * 0.15)
    dark = theme(False).text
    seen = [picture.pixelColor(x, y) == dark for x in range(picture.width())]
    first, last = seen.index(True), len(seen) - 1 - seen[::-1].index(True)
    assert (first, last) == pytest.approx((places.scale.x(spread.low), places.scale.x(spread.high)), abs=3)
    assert places.scale.high >= spread.high
    assert bars.table().rows[0][-4:] == (20, spread.low, spread.middle, spread.high)
    editor.rename_scenario(1, "Mine")
    assert results.rows[0].spread == spread, "it is the same scenario"
    editor.edit_job(0, "map_count", 3)
    assert results.spreads.found == {1: spread}
    results.spreads.look()
    qtbot.waitUntil(lambda: not results.spreads._worker.is_busy)  # it finds that these jobs were not drawn
    assert results.spreads.found == {}


def test_jobs_that_nobody_generated_have_none(bars, results, editor, five_jobs):
    editor.load(DocumentState.new(five_jobs, (PolicyChoice("fifo"),)))
    results.spreads.look()
    assert not results.spreads._worker.is_busy
    assert results.spreads.found == {}
