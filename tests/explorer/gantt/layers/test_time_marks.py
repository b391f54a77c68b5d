"""Lines at times: where their flags stand in pictures, and what they say in the window."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF
from PySide6.QtTest import QTest

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.document.time_axis import TimeAxis, TimeRange
from explorer.gantt.chart_scene import ChartScene
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.layers import time_marks
from explorer.gantt.layers.time_marks import SPACING, WantedFlag, place_flags
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule


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


# ---- what lines say when they are pointed at


@pytest.fixture
def view(qtbot):
    """A job of 10 s, due at 4 s, on one of two slots."""
    jobs = (Job("A", Stage.of(1, [10.0]), deadline=4.0),)
    axis = TimeAxis()
    axis.set_extent(0.0, 20.0)
    view = GanttView(axis, theme(False))
    qtbot.addWidget(view)
    view.resize(900, 200)
    view.set_schedule(make_schedule(Workload("one", jobs, Cluster(2, 0))))
    view.show()
    return view


def card_at(view, seconds, beside=0.0, slot=1):
    """What the card says with the pointer at a time; no task runs on the second slot."""
    frame = view.frame()
    at = QPointF(round(frame.x(seconds) + beside), sum(frame.row(slot)) / 2)
    QTest.mouseMove(view, at.toPoint())
    facts = view.facts
    return None if facts is None else (facts.title, facts.lines(), facts.note())


def test_the_end_and_the_bound_say_what_they_are(view):
    end = view.content.rows.schedule.makespan
    assert end == 10.0
    view.change(lower_bound=8.0, premise="on these slots")
    facts = [("makespan", "10 s"), ("lower bound", "8 s")]
    assert card_at(view, 10.0) == ("End of the run", facts, "")
    assert card_at(view, 10.0, beside=time_marks.REACH - 1) == ("End of the run", facts, "")
    assert card_at(view, 10.0, beside=time_marks.REACH + 2) != ("End of the run", facts, "")
    bound = ("Lower bound", [("no schedule ends before", "8 s")], "of these jobs, on these slots")
    assert card_at(view, 8.0) == bound


def test_a_task_is_described_again_beside_a_line_upon_it(view):
    view.change(lower_bound=8.0)
    assert card_at(view, 7.0, slot=0)[0].startswith("A")
    assert card_at(view, 8.0, slot=0)[0] == "Lower bound"
    assert card_at(view, 8.5, slot=0)[0].startswith("A")


def test_other_lines_say_what_they_are(view):
    view.change(selected_job=0, estimates=(("estimated", 9.0),))
    assert card_at(view, 4.0) == ("Deadline of A", [("due", "0:04"), ("ends", "0:10")], "")
    assert card_at(view, 9.0) == ("End, estimated", [("makespan", "9 s")], "")


def test_a_run_that_failed_ends_in_the_colour_of_failures(view):
    view.change(failed=10.0)
    mark = time_marks.marks_of(view.frame())[0]
    assert (mark.line, mark.text) == (theme(False).failed, "failed at 0:10")
    assert card_at(view, 10.0) == ("The run failed", [("at", "0:10")], "")


def test_nothing_is_told_of_lines_behind_a_veil(view):
    view.change(lower_bound=8.0, veil=2.0)
    assert card_at(view, 8.0) is None or card_at(view, 8.0)[0] != "Lower bound"


def test_flags_stand_in_pictures_only(view):
    content = replace(view.content, lower_bound=8.0, premise="on these slots")
    assert not view.frame().places.flags.height()
    scene = ChartScene(theme(False), view.font(), content)
    scene.resize(900, 400)
    whole = TimeRange(0.0, 20.6)
    assert scene.frame(whole, whole).places.flags.height() == 18
    texts = [mark.text for mark in time_marks.marks_of(scene.frame(whole, whole))]
    assert texts == ["makespan 10 s", "lower bound 8 s on these slots"]
