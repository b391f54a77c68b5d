"""The instant that is shown first of shared scans: after the window that lets the most jobs board."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from explorer.scans.scan_story import stories_time


@pytest.mark.parametrize(
    ("boarded", "ends", "seconds"),
    [
        ([0.0, 10.0, 10.0, 30.0], (50.0, 60.0), 15.0),  # a quarter of the way from 10 to 30 s
        ([0.0, 0.0, 40.0], (50.0, 60.0), 10.0),
        ([5.0, 20.0, 20.0], (60.0, 50.0), 30.0),  # nothing boards after: to the end of the latest
        ([4.0, 8.0], (16.0, 16.0), 5.0),  # of windows alike the first one
    ],
)
def test_most_jobs_have_just_boarded(boarded, ends, seconds):
    flex, batch = (
        SimpleNamespace(policy=policy, end=end, schedule=SimpleNamespace(boarded=np.array(times)))
        for policy, end, times in (("flex", ends[1], [99.0]), ("batch", ends[0], boarded))
    )
    stories: Any = flex, batch
    assert stories_time(stories) == seconds
