"""AKO's windows against a search over all splits of the work."""

from __future__ import annotations

import numpy as np
import pytest

from core.files.samples import load_sample
from core.shared_scans.fluid import schedule_scans
from core.shared_scans.scan_jobs import ScanJobs, workload_scans
from core.shared_scans.windows import ako_windows, usual_window

JOBS = ScanJobs.of(
    np.arange(12) * 10.0, [0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1], np.where(np.arange(12) % 4, 40.0, 160.0)
)


def test_the_windows_use_all_of_the_load() -> None:
    windows = ako_windows(JOBS, 5, 0.9)
    assert 160 / windows[0] + 40 / windows[1] == pytest.approx(4.5)


def test_no_other_windows_wait_less() -> None:
    rates = np.array([3, 9])
    windows = ako_windows(JOBS, 5, 0.9)
    wait = float(np.sum(rates * windows))
    for part in np.linspace(0.05, 0.95, 91):
        other = np.array([160 / (4.5 * part), 40 / (4.5 * (1 - part))])
        assert np.sum(rates * other) >= wait * (1 - 1e-9)


def test_no_other_windows_have_a_shorter_longest_wait() -> None:
    longest = float(ako_windows(JOBS, 5, 0.9, longest=True).max())
    assert longest == pytest.approx(200 / 4.5), "both datasets every 44.4 s fill 90 % of 5 slots"
    for part in np.linspace(0.05, 0.95, 91):
        assert max(160 / (4.5 * part), 40 / (4.5 * (1 - part))) >= longest * (1 - 1e-9)


def test_a_window_that_is_not_given_is_a_quarter_of_the_last_arrival() -> None:
    assert [usual_window(last) for last in (90.0, 480.0, 6000.0, 0.0)] == [22.5, 120, 120, 120]


def test_batches_of_the_figure() -> None:
    """003 Figure 1: six jobs of the red dataset in batches of 4, 1 and 1, four of the blue one of 3 and 1."""
    jobs = workload_scans(load_sample("ten-scans")).jobs
    boarded = schedule_scans(jobs, 10, "ako", load=0.6).boarded
    ends, sizes = np.unique(np.stack([jobs.dataset, boarded], axis=1), axis=0, return_counts=True)
    assert ends.tolist() == [[0, 40], [0, 80], [0, 120], [1, 60], [1, 120]]
    assert sizes.tolist() == [4, 1, 1, 3, 1]
