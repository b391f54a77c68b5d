"""Watched numbers as curves: one for each job and kind of task, which ends when the job does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.model.task_types import MAP, REDUCE
from explorer.lab.watch_strip import lanes_of
from explorer.plots.step_curve import StepCurve


def watched(values, jobs, kinds, decisions, *, is_number=True):
    return SimpleNamespace(
        is_number=is_number,
        value=np.array(values),
        job=np.array(jobs, np.int32),
        kind=np.array(kinds, np.int32),
        decision=np.array(decisions),
    )


def trace_of(*each: Any) -> Any:
    """Decisions at 0, 2, 5 and 9 s."""
    return SimpleNamespace(decisions=SimpleNamespace(time=np.array([0.0, 2.0, 5.0, 9.0])), watched=each)


SCHEDULE: Any = SimpleNamespace(finish=np.array([8.0, 20.0]), stage_end=np.array([4.0, 11.0]))


def curves_of(lane):
    return [(curve.job, curve.kind, curve.begin, curve.end) for curve in lane.curves]


def test_a_curve_for_each_job_up_to_its_end():
    one = watched([1.0, 4.0, 3.0, 2.0], [0, 1, 1, 0], [-1] * 4, [0, 1, 2, 3])
    (lane,) = lanes_of(trace_of(one), SCHEDULE)
    assert (lane.low, lane.high, lane.jobs) == (1.0, 4.0, 2)
    assert curves_of(lane) == [(0, -1, 0.0, 8.0), (1, -1, 2.0, 20.0)]
    steps = lane.curves[1].steps
    assert [steps.value_at(seconds) for seconds in (1.9, 2.0, 4.9, 5.0, 30.0)] == [0.0, 4.0, 4.0, 3.0, 3.0]


def test_without_a_schedule_curves_end_with_the_last_decision():
    (lane,) = lanes_of(trace_of(watched([1.0, 2.0], [0, 1], [-1, -1], [0, 1])), None)
    assert [curve.end for curve in lane.curves] == [9.0, 9.0]


def test_what_is_asked_for_maps_ends_with_the_map_stage():
    both = watched([1.0, 2.0, 5.0], [1, 1, 1], [REDUCE, MAP, MAP], [0, 1, 2])
    (lane,) = lanes_of(trace_of(both), SCHEDULE)
    assert curves_of(lane) == [(1, MAP, 2.0, 11.0), (1, REDUCE, 0.0, 20.0)]
    assert lane.jobs == 1


def test_what_is_of_no_job_is_one_curve():
    (lane,) = lanes_of(trace_of(watched([7.0, 7.0], [-1, -1], [-1, -1], [1, 3])), SCHEDULE)
    assert curves_of(lane) == [(-1, -1, 2.0, 9.0)]
    assert (lane.low, lane.high) == (7.0, 7.0)


@pytest.mark.parametrize("strange", [np.nan, np.inf, -np.inf])
def test_where_there_is_no_finite_number_is_a_gap(strange):
    some = watched([strange, 1.0, strange, 3.0], [0] * 4, [-1] * 4, [0, 1, 2, 3])
    words = watched([0.0], [0], [-1], [0], is_number=False)
    none = watched([strange, 2.0], [0, 1], [-1] * 2, [0, 1])
    lane, other = lanes_of(trace_of(words, some, none), SCHEDULE)
    assert (lane.low, lane.high) == (1.0, 3.0)
    (curve,) = lane.curves
    assert (curve.begin, curve.end) == (2.0, 8.0)
    values = [curve.steps.value_at(seconds) for seconds in (2.0, 5.0, 8.9, 9.0)]
    assert np.array_equal(values, [1.0, np.nan, np.nan, 3.0], equal_nan=True)
    assert curves_of(other) == [(1, -1, 2.0, 20.0)]


def test_gaps_stay_gaps_where_there_are_more_steps_than_pixels():
    """In the first half every second value is missing, in the second all are."""
    times = np.arange(40_000.0)
    values = np.where((times % 2 == 0) & (times < 20_000), times, np.nan)
    line = StepCurve(times, values).outline(0.0, 40_000.0, 100)
    is_there = np.isfinite(line.y)
    pixels = line.x // 400
    assert all(is_there[pixels == pixel].any() for pixel in range(50))
    assert not is_there[pixels > 50].any()
    assert np.nanmax(line.y) == 19_998
