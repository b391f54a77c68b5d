"""The metrics by hand, and which of them can be optimised."""

from __future__ import annotations

import numpy as np
import pytest

from core.model.errors import InputError, UnknownName
from core.shared_scans.metric import METRICS, check_metric, metric_named, optimised_metrics
from core.shared_scans.scan_jobs import ScanJobs

JOBS = ScanJobs.of(
    [0, 5, 5],
    [0, 1, 1],
    [100, 50, 50],
    weight=[1, 2, 4],
    deadline=[8, 12, np.inf],
    steps=[((6.0, 1.0), (9.0, 10.0)), ((11.0, 1.0),), ((11.0, 1.0), (14.0, 10.0))],
)
FINISH = np.array([10.0, 11.0, 20.0])  # responses 10, 6, 15; alone on 10 slots 10, 5, 5


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("average-response", 31 / 3),
        ("weighted-response", (10 + 12 + 60) / 3),
        ("average-stretch", (1 + 1.2 + 3) / 3),
        ("tardy-jobs", 1 / 3),
        ("weighted-tardy-jobs", 1 / 3),
        ("average-tardiness", 2 / 3),
        ("weighted-tardiness", 2 / 3),
        ("average-sla", (10 + 0 + 10) / 3),
        ("average-wait", (0 + 1 + 10) / 3),
        ("makespan", 20),
        ("max-weighted-response", 60),
        ("max-stretch", 3),
        ("max-tardiness", 2),
        ("max-weighted-tardiness", 2),
        ("max-lateness", 2),
        ("max-weighted-lateness", 2),
        ("max-sla", 10),
        ("max-wait", 10),
    ],
)
def test_metrics_by_hand(metric: str, value: float) -> None:
    assert metric_named(metric).value(JOBS, 10, FINISH) == pytest.approx(value)


def test_sixteen_metrics_and_two_of_waits_of_which_the_maxima_work_over_sets() -> None:
    assert len(METRICS) == 18
    assert optimised_metrics() == METRICS
    assert len(optimised_metrics(semi_shared=True)) == 9


def test_sums_over_sets_of_blocks_are_refused_with_a_sentence() -> None:
    with pytest.raises(
        InputError, match=r"'average-tardiness' can be measured but not optimised: over sets.*choose makespan"
    ):
        check_metric("average-tardiness", semi_shared=True)
    with pytest.raises(UnknownName, match="did you mean 'max-stretch'"):
        check_metric("max-strech")
