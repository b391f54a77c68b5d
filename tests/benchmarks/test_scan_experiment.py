"""The experiment: its grid, its counts by hand, and what it must show on a small scale."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.studies.scan_experiment import (
    Experiment,
    Setting,
    grid,
    largest_batch,
    most_sharing,
    run_experiment,
    run_setting,
    scan_jobs,
)
from core.model.errors import Cancelled
from core.shared_scans.fluid import schedule_scans
from core.shared_scans.scan_jobs import ScanJobs

SMALL = Experiment(jobs=300, seconds=1800, repetitions=2)


def test_the_grid_has_225_settings() -> None:
    assert len(set(grid())) == 225


@pytest.mark.parametrize(
    "setting", [Setting(1, 1, 0), Setting(1, 1, 8), Setting(0, 0.5, 4), Setting(0.25, 0, 2)]
)
@pytest.mark.parametrize("maximum", [np.inf, 20, 4])
def test_circumflex_is_never_worse_than_flex_and_does_less_work(setting: Setting, maximum: float) -> None:
    ratios = run_setting(replace(SMALL, repetitions=3, maximum=maximum), setting)
    assert ratios.circumflex.mean(axis=0).max() <= 1
    assert ratios.work.max() < 1
    if maximum == np.inf:
        assert ratios.work[:, 1].mean() < ratios.work[:, 0].mean(), "batches share more than cycles"


def test_sharing_helps_more_when_popular_datasets_are_large() -> None:
    negative, positive = (run_setting(SMALL, Setting(1, 1, c)).circumflex[:, 0].mean() for c in (0, 8))
    assert positive < negative


def test_results_do_not_depend_on_threads() -> None:
    points = [Setting(1, 1, c) for c in range(4)]
    one, two = (run_experiment(SMALL, points, threads=t) for t in (1, 2))
    for a, b in zip(one, two, strict=True):
        assert a.circumflex.tolist() == b.circumflex.tolist()
        assert a.batch.tolist() == b.batch.tolist()


def test_repetitions_differ_and_come_back() -> None:
    point = Setting(0.5, 0.5, 3)
    first, again, other = (scan_jobs(SMALL, point, r) for r in (0, 0, 1))
    assert first.arrival.tolist() == again.arrival.tolist()
    assert first.arrival.tolist() != other.arrival.tolist()


def test_progress_is_told_and_it_can_be_cancelled() -> None:
    seen: list[float] = []
    points = [Setting(0, 0, c) for c in range(4)]
    with pytest.raises(Cancelled, match="after 2 of 4 settings"):
        run_experiment(SMALL, points, progress=seen.append, should_stop=lambda: len(seen) == 2)
    assert seen == [0.25, 0.5]


def test_jobs_at_once_by_hand() -> None:
    jobs = ScanJobs.of([0, 5, 12, 40], [0, 0, 1, 0], 100)
    flex = schedule_scans(jobs, 10, "circumflex")
    assert most_sharing(flex).tolist() == [2, 1]
    batch = schedule_scans(jobs, 10, "batch", window=30)
    assert batch.boarded.tolist() == [30, 30, 15, 60]
    assert largest_batch(batch).tolist() == [2, 1]
