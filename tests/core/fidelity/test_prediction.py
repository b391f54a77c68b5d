"""Predictions from one run of an application: numbers worked out by hand, and real runs on other sizes."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.fidelity.open_application import open_application
from core.fidelity.prediction import (
    BOUND_SPREAD,
    CHANGES,
    CHANGING_BOUND_SPREAD,
    FAILURES,
    GUESSED,
    WEIGHTS,
    LoggedApplication,
    large_enough,
    predict,
    predictions,
    slots_of_executors,
)
from core.model.errors import InputError
from tests.paths import DATA, TRACES
from tests.written_application import AFTER, DIAMOND, STARTED, SparkJob, SparkStage, write_application

if TYPE_CHECKING:
    from pathlib import Path

REAL = TRACES / "spark-truth"
real_runs = pytest.mark.skipif(not REAL.is_dir(), reason="../shared/traces is absent")


@pytest.fixture
def nightly(tmp_path: Path) -> LoggedApplication:
    return open_application([write_application(tmp_path / "app", (DIAMOND, AFTER), cores=(1, 1))])


@pytest.mark.parametrize(("slots", "seconds"), [(1, 27.0), (2, 18.0), (4, 16.0), (100, 16.0)])
def test_a_diamond_and_a_job_two_seconds_after_it(
    nightly: LoggedApplication, slots: int, seconds: float
) -> None:
    """On one slot 4 + 4 + 2 + 2 + 3 + 3 + 3 = 21 s of tasks, 2 s of thinking and a task of 4 s: 27 s."""
    found = predict(nightly, slots)
    assert found.predicted_seconds == seconds
    assert found.low_seconds <= found.predicted_seconds <= found.high_seconds
    assert found.bound_seconds <= found.predicted_seconds
    assert (found.recorded_seconds, found.recorded_slots) == (18.0, 2)


def test_why_it_is_not_shorter(nightly: LoggedApplication) -> None:
    assert predict(nightly, 4).why == (
        "With the task times of this log no cluster makes this faster than 16 s: 2 s of it the driver "
        "thinks, because job 0 and job 1 follow one another. "
        "4 slots are busy for 6.2 s with the tasks alone."
    )


def test_the_range_has_other_orders_of_stages_that_may_run_at_once(tmp_path: Path) -> None:
    """On 2 slots the long one of three siblings begins first or last: 10 or 12 s."""
    tasks = [((0.0, 2.0),), ((0.0, 2.0),), ((2.0, 10.0),)]
    stages = tuple(SparkStage(number, (), each) for number, each in enumerate(tasks))
    log = write_application(tmp_path / "app", [SparkJob(0.0, 10.0, stages)])
    found = predict(open_application([log]), 2)
    assert found.predicted_seconds == 10.0
    assert found.low_seconds == pytest.approx(0.95 * 8.0)
    assert found.high_seconds == pytest.approx(1.05 * 10.0)


def test_executors_have_the_slots_that_the_log_shows(tmp_path: Path) -> None:
    log = write_application(tmp_path / "app", [AFTER], (4, 4), {"spark.task.cpus": "2"})
    application = open_application([log])
    assert (application.recorded_slots, application.slots_per_executor) == (4, 2)
    assert slots_of_executors(application, 3) == 6


def test_a_log_without_executors_is_for_slots(tmp_path: Path) -> None:
    application = open_application([write_application(tmp_path / "app", [DIAMOND], ())])
    with pytest.raises(InputError, match="give --slots instead"):
        slots_of_executors(application, 3)


@pytest.mark.parametrize("slots", [0, 10**9])
def test_a_cluster_has_slots_within_limits(nightly: LoggedApplication, slots: int) -> None:
    with pytest.raises(InputError, match=f"{slots} slots: a cluster has 1 to"):
        predict(nightly, slots)


def test_a_log_of_map_and_reduce_slots_is_refused() -> None:
    with pytest.raises(InputError, match="map slots and reduce slots"):
        open_application([DATA / "rumen-2011.json"])


def test_what_is_not_known_is_said_where_it_is_so(tmp_path: Path) -> None:
    early = SparkJob(3.0, 13.0, (SparkStage(4, (), ((12.0, 13.0),)),), "night")
    fair = {"spark.scheduler.mode": "FAIR"}
    at = STARTED + 12_500
    removed = {"Event": "SparkListenerExecutorRemoved", "Timestamp": at, "Executor ID": "0"}
    log = write_application(tmp_path / "app", (DIAMOND, early), properties=fair, more=[removed])
    application = open_application([log])
    assert application.policy.id == "spark-fair"
    assert {GUESSED, WEIGHTS, CHANGES} <= set(predict(application, 4).not_known)


def test_a_bound_does_not_count_on_links_that_are_guesses(tmp_path: Path) -> None:
    """The third job may have waited for the first one or for nothing: only tasks and slots bound it."""
    one, two, three = (
        SparkJob(begin, begin + 4.0, (SparkStage(number, (), ((begin, begin + 4.0),)),))
        for number, begin in enumerate((0.0, 1.0, 6.0))
    )
    sure = open_application([write_application(tmp_path / "sure", (one, three))])
    guessed = open_application([write_application(tmp_path / "guessed", (one, two, three))])
    assert predict(sure, 10).bound_seconds == pytest.approx((1 - BOUND_SPREAD) * 10.0)
    assert predict(guessed, 10).bound_seconds == pytest.approx((1 - BOUND_SPREAD) * 4.0)


def test_what_failed_takes_as_long_again(tmp_path: Path) -> None:
    """2 s, then 2 s, then an attempt that fails after 1 s and one of 3 s: 8 s on any number of slots."""
    stages = (
        SparkStage(0, (), ((0.0, 2.0),)),
        SparkStage(1, (0,), ((2.0, 4.0),)),
        SparkStage(2, (1,), ((5.0, 8.0),)),
    )
    failed = {
        "Event": "SparkListenerTaskEnd",
        "Stage ID": 2,
        "Task End Reason": {"Reason": "ExceptionFailure"},
        "Task Info": {
            "Index": 0,
            "Host": "h0",
            "Launch Time": STARTED + 4000,
            "Finish Time": STARTED + 5000,
            "Failed": True,
        },
    }
    log = write_application(tmp_path / "app", [SparkJob(0.0, 8.0, stages)], more=[failed])
    found = predict(open_application([log]), 4)
    assert found.predicted_seconds == 8.0
    assert FAILURES in found.not_known


def test_bounds_allow_for_more_where_executors_come(tmp_path: Path) -> None:
    """The second executor comes 1 s after the job: its tasks may be longer than those of another run."""
    added = {
        "Event": "SparkListenerExecutorAdded",
        "Timestamp": STARTED + 1000,
        "Executor ID": "late",
        "Executor Info": {"Host": "h9", "Total Cores": 1},
    }
    stages = (SparkStage(0, (), ((0.0, 4.0), (1.0, 4.0))),)
    log = write_application(tmp_path / "app", [SparkJob(0.0, 4.0, stages)], (1,), more=[added])
    found = predict(open_application([log]), 2)
    assert (found.recorded_slots, found.predicted_seconds) == (2, 4.0)
    assert found.bound_seconds == pytest.approx((1 - CHANGING_BOUND_SPREAD) * 4.0)


def test_sizes_grow_until_more_save_nothing(nightly: LoggedApplication) -> None:
    found = predictions(nightly)
    assert [each.slots for each in found] == [1, 2, 3, 4, 6, 8, 12]
    assert large_enough(found).slots == 4


@cache
def real_errors() -> list[tuple[str, float, bool, bool]]:
    """Return for each pair of sizes: the log, the error, whether the range and the bound hold."""
    runs = json.loads((REAL / "facts.json").read_text())["runs"]
    found = []
    for run in runs:
        application = open_application([REAL / run["file"]])
        assert application.recorded_slots == run["slots"], run["file"]
        for other in runs:
            if other["app"] == run["app"] and other["slots"] != run["slots"]:
                each, real = predict(application, other["slots"]), other["makespan_s"]
                in_range = each.low_seconds <= real <= each.high_seconds
                error = each.predicted_seconds / real - 1
                found.append((run["file"], error, in_range, each.bound_seconds <= real))
    return found


@real_runs
def test_predictions_of_real_runs_hold() -> None:
    """Runs of eight applications on 4, 8 and 16 slots, each predicted from each of the others."""
    errors = np.abs([error for _, error, _, _ in real_errors()])
    assert len(errors) == 48
    assert errors.mean() <= 0.03
    assert (errors <= 0.05).mean() >= 0.9
    assert errors.max() <= 0.12
    assert np.mean([in_range for _, _, in_range, _ in real_errors()]) >= 0.9
    assert all(holds for _, _, _, holds in real_errors())
