from __future__ import annotations

import math

import pytest

from core.model.errors import InputError
from core.model.time_text import (
    adding_up,
    change_text,
    clock_text,
    difference_text,
    duration_text,
    exact_clock,
    exact_duration,
    in_steps,
    makespan_step,
    makespan_text,
    percent,
    rough_duration,
    seconds_from_text,
    shown_change,
    shown_end,
    signed_percent,
    time_in_steps,
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
        (7.25, "7.2 s"),
        (599.0, "9 min 59 s"),
        (600.0, "10 min"),
        (2572.0, "43 min"),
        (3569.0, "59 min"),
        (3571.0, "1 h 00 min"),
        (7500.0, "2 h 05 min"),
    ],
)
def test_rough_durations(seconds, text):
    assert rough_duration(seconds) == text


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
    ("seconds", "largest", "text"),
    [
        (0.0, None, "0 s"),
        (0.2504, None, "0.25 s"),
        (7.04, None, "7 s"),
        (22.31, None, "22.3 s"),
        (22.31, 74.0, "22 s"),
        (59.96, None, "1 min 00 s"),
        (1072.4, None, "17 min 52 s"),
        (7757.0, None, "2 h 09 min 17 s"),
        (3599.7, None, "1 h 00 min 00 s"),
        (-3661.0, None, "−1 h 01 min 01 s"),
        (600.0, 90_000.0, "10 min"),
        (86_399.7, None, "1 d 00 h 00 min"),
        (219_929.0, None, "2 d 13 h 05 min"),
        (7757.0, 219_929.0, "2 h 09 min"),
        (-12.0, None, "−12 s"),
        (math.inf, None, "–"),
    ],
)
def test_makespans(seconds, largest, text):
    assert makespan_text(seconds, largest) == text


def test_shown_makespans_and_their_change_add_up():
    for before, after in ((22.34, 19.35), (1083.6, 1072.4), (59.94, 60.04), (3.0, 3.0)):
        step = makespan_step(max(before, after))
        change = shown_change(before, after, step)
        assert time_in_steps(in_steps(before, step), step) + change == pytest.approx(
            time_in_steps(in_steps(after, step), step)
        )
    assert shown_change(1083.6, 1072.4, 1.0) == -12.0


@pytest.mark.parametrize(
    ("parts", "whole", "counts"),
    [
        ([16.4, 3.1, 1.5], 21, [16, 3, 2]),
        ([16.4, 3.1, 1.5], 22, [17, 3, 2]),
        ([0.4, 0.0, 0.4], 1, [1, 0, 0]),
        ([-5.5, 2.5], -3, [-5, 2]),
        ([2.9, 2.9], 4, [2, 2]),
        ([5.0, 4.0], 12, [7, 5]),
        ([5.0, 4.0], 8, [5, 3]),
        ([0.0, 0.0], 0, [0, 0]),
    ],
)
def test_parts_add_up(parts, whole, counts):
    assert adding_up(parts, whole) == counts


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
        (91_527.0, None, None, "1 d 01:25:27"),
        (21_600.0, 3600.0, 90_000.0, "0 d 06:00"),
        (86_399.0, None, None, "23:59:59"),
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


def test_differences_add_up_with_the_times_they_are_between():
    assert difference_text(7757.4, 7472.3) == "−4 min 45 s"  # 2 h 09 min 17 s to 2 h 04 min 32 s
    assert difference_text(60.0, 75.0) == "+15 s"
    assert difference_text(7.3, 7.6) == "+0.3 s"
    assert difference_text(60.2, 60.4) == difference_text(5.0, 5.0) == "±0 s"
    assert difference_text(22.34, 19.36) == "−2.9 s", "of 22.3 s and 19.4 s"
    assert difference_text(22.34, 19.36, 74.0) == "−3 s"
    assert difference_text(90_000.0, 89_400.0) == "−10 min"
    assert difference_text(60.0, math.inf) == "–"
    assert difference_text(0.0, 7200.0) == "+2 h 00 min 00 s"


def test_percent_of_nothing_has_no_sign() -> None:
    shares = (0.123, -0.123, -1e-16, -0.0004, -0.0006, 0.0)
    assert list(map(percent, shares)) == ["12.3 %", "−12.3 %", "0.0 %", "0.0 %", "−0.1 %", "0.0 %"]


def test_percent_of_what_is_no_number_is_a_dash() -> None:
    for write in (percent, signed_percent):
        assert [write(value) for value in (math.nan, math.inf, -math.inf)] == ["–", "–", "–"]
