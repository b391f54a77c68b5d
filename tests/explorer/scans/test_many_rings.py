"""Forty jobs on one dataset: rings are thick enough for names, and the jobs without one are said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.files.samples import load_sample
from explorer.scans.circle_chart import CircleChart
from explorer.scans.circle_drawing import MIN_RING, CircleDrawing
from explorer.scans.scan_colours import Marked
from explorer.scans.scan_story import Question, scan_stories

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from pytestqt.qtbot import QtBot


@pytest.fixture
def chart(qtbot: QtBot) -> CircleChart:
    """The circle of FLEX after a minute, in a pane of a window of 1366 pixels."""
    sample = load_sample("ten-scans")
    jobs = (replace(sample.jobs[0], name=f"J{k + 1}", arrival=0.7 * k) for k in range(40))
    question = Question(replace(sample, jobs=tuple(jobs)), 10, "average-response", 0.0)
    chart = CircleChart()
    qtbot.addWidget(chart)
    chart.resize(672, 303)
    chart.show_story(scan_stories(question)[0])
    chart.set_time(60.0)
    return chart


def drawn(chart: CircleChart, monkeypatch: pytest.MonkeyPatch) -> tuple[CircleDrawing, list[str]]:
    """Draw it; return the large circle's drawing and the names in its rings."""
    drawings: list[CircleDrawing] = []
    names: list[str] = []
    draw, pill = CircleDrawing.draw, CircleDrawing._draw_pill

    def noted(self: CircleDrawing, *, has_labels: bool) -> None:
        drawings.append(self)
        draw(self, has_labels=has_labels)

    def named(self: CircleDrawing, box: QRectF, name: str, jobs: frozenset[int]) -> None:
        names.append(name)
        pill(self, box, name, jobs)

    monkeypatch.setattr(CircleDrawing, "draw", noted)
    monkeypatch.setattr(CircleDrawing, "_draw_pill", named)
    chart.grab()
    return drawings[-1], names


def test_every_ring_has_a_name_and_the_others_are_said(
    chart: CircleChart, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing, names = drawn(chart, monkeypatch)
    clock = chart.clocks()[0]
    jobs = len(clock.hands) + len(clock.waiting)
    assert drawing._ring >= MIN_RING
    assert 8 <= len(names) == jobs - drawing.hidden
    tip = next(spot.tip for spot in chart.spots if "to see its ring" in spot.tip)
    assert len(tip.split(";")[0].split(", ")) == drawing.hidden


def test_a_job_that_stands_out_has_a_ring_in_any_case(
    chart: CircleChart, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, names = drawn(chart, monkeypatch)
    assert "J39" not in names
    chart.mark(Marked(frozenset((38,))))
    after, names = drawn(chart, monkeypatch)
    assert "J39" in names
    assert after.hidden == before.hidden
