"""The heartbeat at which a host requests work next, by hand and in equal steps however times are rounded."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from core.engine.next_beats import beat_after


@pytest.mark.parametrize(
    ("asked", "heartbeat", "now", "time"),
    [
        (1.0, 3.0, 1.0, 4.0),
        (1.0, 3.0, 3.9, 4.0),
        (1.0, 3.0, 4.0, 7.0),  # it is later than now
        (1.0, 3.0, 4.1, 7.0),
        (1.0, 3.0, 12.0, 13.0),
        (0.0, 0.5, 0.25, 0.5),
    ],
)
def test_steps_are_counted_from_the_last_request(
    asked: float, heartbeat: float, now: float, time: float
) -> None:
    assert beat_after(asked, heartbeat, now) == time


@pytest.mark.parametrize("heartbeat", [0.1, 0.3, 1 / 3, 0.7])
@pytest.mark.parametrize("asked", [0.0, 0.1, 12.3, 1e6])
def test_no_heartbeat_is_left_out_or_comes_twice(heartbeat: float, asked: float) -> None:
    """However 0.1 times a whole number is rounded: each is later than the one before, by one step."""
    times = [asked]
    for _ in range(300):
        times.append(beat_after(asked, heartbeat, times[-1]))
    assert np.allclose(np.diff(times), heartbeat, atol=1e-9)
    for before, after in pairwise(times):
        middle = (before + after) / 2
        assert beat_after(asked, heartbeat, middle) == pytest.approx(after, abs=1e-9)


def test_where_a_step_is_less_than_what_a_time_is_rounded_by_it_is_later_all_the_same() -> None:
    assert beat_after(1e16, 0.1, 1e16) == np.nextafter(1e16, np.inf)
