"""The tag of what is submitted, the rows that it runs in, and what is under a pixel."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from core.charts.forecast_ends import LikelyTasks
from core.model.cluster import Cluster
from explorer.gantt.layers.arrival_mark import arrival_at, arrival_facts, delay_words, likely_boxes, tag_box
from tests.explorer.gantt.layers.test_fact_and_forecast import ENDS, view  # noqa: F401  (a fixture)

LATE = ENDS.rows[0]._replace(job="late", is_new=True, arrival=12.0, middle=33.0)
SLOTS = np.array([0, 0, 1], np.int32)
STARTS, STOPS = np.array([15.0, 25.0, 15.0]), np.array([20.0, 30.0, 18.0])
KIND, JOB = np.zeros(3, np.int8), np.zeros(3, np.int32)
RUNS = LikelyTasks(SLOTS, KIND, STARTS, STOPS, JOB, ("late",), {"late": 0}, Cluster(2, 0))


@pytest.fixture
def frame(view):  # noqa: F811
    """A chart of 40 s on two slots at 10 s, in which `late` comes at 12 s and delays J1 by 90 s."""
    view.change(forecast=ENDS._replace(rows=(ENDS.rows[0]._replace(delay=90.0), LATE), likely=RUNS))
    return view.frame()


def test_its_tag_stands_right_of_when_it_comes_as_far_as_there_is_room(view, frame):  # noqa: F811
    assert tag_box(frame).left() == frame.x(12.0) + 2
    late = view.content.forecast.rows[1]._replace(arrival=39.5)
    view.change(forecast=view.content.forecast._replace(rows=(late,)))
    assert tag_box(view.frame()).right() == view.frame().x(39.5)
    view.change(forecast=ENDS)
    assert tag_box(view.frame()) is None
    assert not arrival_at(view.frame(), QPointF(view.frame().x(16.0), view.frame().row(0)[0] + 3))


def test_rows_are_outlined_from_the_first_task_to_the_last(frame):
    boxes = [
        (round(box.left(), 6), round(box.right(), 6)) for box in likely_boxes(frame, frame.content.forecast)
    ]
    xs = [round(frame.x(time), 6) for time in (15.0, 30.0, 18.0)]
    assert boxes == [(xs[0], xs[1]), (xs[0], xs[2])]


def test_only_tag_line_and_tasks_are_it(frame):
    top = [frame.row(slot)[0] + 3.0 for slot in (0, 1)]
    below = frame.places.plot.bottom() - 3.0
    is_there = {
        (seconds, slot): arrival_at(frame, QPointF(frame.x(seconds), top[slot]))
        for seconds, slot in ((16.0, 0), (22.0, 0), (27.0, 0), (16.0, 1), (19.0, 1))
    }
    assert is_there == {(16.0, 0): True, (22.0, 0): False, (27.0, 0): True, (16.0, 1): True, (19.0, 1): False}
    assert arrival_at(frame, tag_box(frame).center())
    assert arrival_at(frame, QPointF(frame.x(12.0), below))
    assert not arrival_at(frame, QPointF(frame.x(11.0), below))


def test_its_card_says_what_becomes_of_it(frame):
    facts = arrival_facts(frame, tag_box(frame).center())
    assert (facts.title, facts.lines()[:2]) == ("late", [("comes", "0:12"), ("ends at about", "0:33")])
    assert facts.lines()[3] == ("delays", "J1 by 1 min 30 s")
    assert delay_words(ENDS) == ""
