from __future__ import annotations

import math

import pytest

from core.model.time_text import change_text, clock_text, duration_text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 s"),
        (0.1234, "0.123 s"),
        (4.0, "4 s"),
        (7.314, "7.31 s"),
        (42.0, "42 s"),
        (42.54, "42.5 s"),
        (99.9, "99.9 s"),
        (119.7, "2 min 00 s"),
        (427.2, "7 min 07 s"),
        (3599.7, "1 h 00 min"),
        (4860.0, "1 h 21 min"),
        (86_399.0, "1 d 00 h"),
        (273_600.0, "3 d 04 h"),
        (-7.0, "−7 s"),
        (math.inf, "–"),
        (math.nan, "–"),
    ],
)
def test_durations(seconds, text):
    assert duration_text(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "step", "largest", "text"),
    [
        (10.0, 5.0, 42.0, "10 s"),
        (0.5, 0.5, 3.0, "0.5 s"),
        (0.25, 0.05, 3.0, "0.25 s"),
        (5.0, 30.0, 300.0, "0:05"),
        (125.0, 30.0, 300.0, "2:05"),
        (139.84, 0.1, None, "2:19.8"),
        (59.96, 0.1, 300.0, "1:00.0"),
        (4805.0, 1.0, None, "1:20:05"),
        (4800.0, 600.0, 5000.0, "1:20 h"),
        (600.0, 600.0, 5000.0, "0:10 h"),
        (273_600.0, 3600.0, 400_000.0, "3 d 04:00"),
        (-5.0, 1.0, 42.0, "−5 s"),
    ],
)
def test_points_in_time(seconds, step, largest, text):
    assert clock_text(seconds, step, largest) == text


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (42.0, 24.0, "−42.9 %"),
        (100.0, 103.14, "+3.1 %"),
        (100.0, 100.04, "±0 %"),
        (0.0, 5.0, "–"),
        (5.0, math.nan, "–"),
    ],
)
def test_changes(before, after, text):
    assert change_text(before, after) == text
