from __future__ import annotations

import math

import pytest

from core.model.errors import InputError
from core.model.time_text import (
    change_text,
    clock_text,
    difference_text,
    duration_text,
    exact_clock,
    exact_duration,
    percent,
    seconds_from_text,
    shown_end,
    whole_duration,
)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 s"),
        (0.0134, "0.013 s"),
        (0.1234, "0.12 s"),
        (4.0, "4 s"),
        (7.314, "7.3 s"),
        (9.96, "10 s"),
        (42.54, "43 s"),
        (59.7, "1 min 00 s"),
        (102.0, "1 min 42 s"),
        (3599.7, "1 h 00 min"),
        (7500.0, "2 h 05 min"),
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
    ("seconds", "text"),
    [
        (0.0, "0 s"),
        (-0.0, "0 s"),
        (0.0004, "0 s"),
        (12.5, "12.5 s"),
        (100.25, "1 min 40.25 s"),
        (600.0, "10 min 00 s"),
        (7199.9999, "2 h 00 min"),
        (3605.0, "1 h 00 min 05 s"),
        (9517.772, "2 h 38 min 37.772 s"),
        (-61.0, "−1 min 01 s"),
        (math.inf, "never"),
    ],
)
def test_exact_durations(seconds, text):
    assert exact_duration(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0:00"),
        (28.0, "0:28"),
        (12.5, "0:12.5"),
        (59.9999, "1:00"),
        (9517.772, "2:38:37.772"),
        (273_600.0, "3 d 04:00"),
        (math.inf, "never"),
    ],
)
def test_exact_points_in_time(seconds, text):
    assert exact_clock(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "step", "largest", "text"),
    [
        (10.0, 5.0, 42.0, "0:10"),
        (28.04, None, 74.0, "0:28"),
        (28.04, None, None, "0:28"),
        (7.3, None, None, "0:07.3"),
        (4.0, None, 7.3, "0:04"),
        (7.3, None, 42.0, "0:07"),
        (0.5, 0.5, 3.0, "0:00.5"),
        (1.0, 0.5, 3.0, "0:01.0"),
        (5.0, 30.0, 300.0, "0:05"),
        (139.84, 0.1, None, "2:19.8"),
        (59.96, 0.1, 300.0, "1:00.0"),
        (3599.7, None, None, "1:00:00"),
        (4800.0, 600.0, 5000.0, "1:20:00"),
        (600.0, 600.0, 5000.0, "0:10:00"),
        (273_600.0, 3600.0, 400_000.0, "3 d 04:00"),
        (-5.0, 1.0, 42.0, "−0:05"),
        (math.nan, None, None, "–"),
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


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [
        ("5:33:20", 20_000),
        ("1:14", 74),
        ("0:07.5", 7.5),
        ("90", 90),
        ("5 h 30 min", 19_800),
        ("6h", 21_600),
        ("1 d 2h", 93_600),
    ],
)
def test_times_as_people_type_them(typed, seconds):
    assert seconds_from_text(typed) == seconds


@pytest.mark.parametrize("typed", ["", "x", "5 weeks", "1:2:3:4", "-5", "5 h x"])
def test_what_is_no_time(typed):
    with pytest.raises(InputError, match="is no time; type one such as"):
        seconds_from_text(typed)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (1022.213, "17:03"),
        (1022.0, "17:02"),
        (60.00000000000001, "1:00"),
        (9.73, "0:09.8"),
        (9.99, "0:10"),
        (0.1 + 0.2, "0:00.3"),
        (0.0, "0:00"),
    ],
)
def test_a_deadline_taken_from_an_end_is_not_before_it(seconds, text):
    assert exact_clock(shown_end(seconds)) == text
    assert seconds_from_text(text) >= seconds * (1 - 1e-12)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (7757.4, "2 h 09 min 17 s"),
        (7472.3, "2 h 04 min 32 s"),
        (3599.7, "1 h 00 min 00 s"),
        (-3661.0, "−1 h 01 min 01 s"),
        (285.0, "4 min 45 s"),
        (7.31, "7.3 s"),
        (86400.0, "1 d 00 h"),
        (math.inf, "–"),
    ],
)
def test_durations_to_the_second(seconds, text):
    assert whole_duration(seconds) == text


def test_differences_add_up_with_the_times_they_are_between():
    assert difference_text(7757.4, 7472.3) == "−4 min 45 s"  # 2 h 09 min 17 s to 2 h 04 min 32 s
    assert difference_text(60.0, 75.0) == "+15 s"
    assert difference_text(7.3, 7.6) == "+0.3 s"
    assert difference_text(60.2, 60.4) == difference_text(5.0, 5.0) == "±0 s"
    assert difference_text(60.0, math.inf) == "–"
    assert difference_text(0.0, 7200.0) == "+2 h 00 min 00 s"


def test_percent_of_nothing_has_no_sign() -> None:
    shares = (0.123, -0.123, -1e-16, -0.0004, -0.0006, 0.0)
    assert list(map(percent, shares)) == ["12.3 %", "-12.3 %", "0.0 %", "0.0 %", "-0.1 %", "0.0 %"]
