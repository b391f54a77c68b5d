"""Schedules side by side."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.measures.compare import (
    comparison_row,
    completion_change,
    lacks_overheads,
    relative_change,
    shared_bound,
)
from core.measures.job_ends import end_changes, late_jobs, late_jobs_with, lateness
from core.measures.metrics import measure
from core.model.cluster import Cluster
from core.model.overheads import Overheads
from tests.builders import make_job, make_workload, run, two_stage_workload


@pytest.mark.parametrize(
    ("value", "baseline", "change"),
    [
        (47, 74, 47 / 74 - 1),
        (74, 74, 0),
        (0, 0, 0),
        (5, 0, math.inf),
        (0.25, 0, math.inf),
        (1, 0, math.inf),
        (-1, 0, math.inf),
        (0, 5, -1),
        (3, 1, 2),
        (3, -1, -4),
    ],
)
def test_relative_change(value: float, baseline: float, change: float) -> None:
    assert relative_change(value, baseline) == change


def test_completion_change_by_name() -> None:
    jobs = [make_job("short", (1, 1.0)), make_job("long", (1, 5.0)), make_job("new", (1, 2.0))]
    before = run(make_workload(*jobs[:2]), Cluster(1, 0), order=("long", "short"))
    after = run(make_workload(*jobs[::-1]), Cluster(1, 0), order=("short", "long", "new"))
    change = completion_change(after, before)
    assert change[1:].tolist() == [6 - 5, 1 - 6]
    assert math.isnan(change[0])


def test_a_job_that_the_only_one_of_the_baseline_is_not_has_no_change() -> None:
    one, other = (run(make_workload(make_job(name, (1, 2.0))), Cluster(1, 1)) for name in ("J1", "J2"))
    assert np.isnan(completion_change(one, other)).tolist() == [True]


def test_completion_change_against_itself_is_zero() -> None:
    schedule = run(two_stage_workload([(20, 2), (2, 20)]), Cluster())
    assert completion_change(schedule, schedule).tolist() == [0, 0]


def test_a_row_of_the_comparison() -> None:
    workload = two_stage_workload([(20, 2), (2, 20)])
    baseline, better = (measure(run(workload, Cluster(30, 30), policy)) for policy in ("fifo", "johnson"))
    row = comparison_row("Johnson", better, baseline)
    assert row["policy"] == "Johnson"
    assert (row["makespan"], row["lower_bound"], row["gap"]) == (24, 24, 0)
    assert row["change"] == 24 / 42 - 1
    assert list(row) == [
        "policy",
        "makespan",
        "change",
        "lower_bound",
        "gap",
        "mean_response",
        "mean_stretch",
        "map_utilisation",
        "reduce_utilisation",
        "lost_slot_time",
        "down_slot_time",
        "local_reads",
        "deadline_utility",
        "late_jobs",
        "application_time",
        "think_time",
        "longest_path",
        "premise",
    ]
    assert row["premise"] == "without lending slots"


WORKLOAD = make_workload(
    make_job("late", (1, 4.0), deadline=3.0),
    make_job("in time", (1, 2.0), deadline=6.0),
    make_job("early", (1, 1.0), deadline=9.0),
    make_job("without", (1, 1.0)),
)


def test_after_before_and_at_the_deadline() -> None:
    schedule = run(WORKLOAD, Cluster(1, 0))
    assert lateness(schedule).tolist() == [1, 0, -2, -np.inf]


def test_the_metrics_count_the_same() -> None:
    schedule = run(WORKLOAD, Cluster(1, 0))
    late = lateness(schedule)
    assert measure(schedule)["late_jobs"] == np.count_nonzero(late > 0)
    assert measure(schedule)["deadline_utility"] == pytest.approx(1 / 3)


def test_late_jobs_by_name() -> None:
    schedule = run(WORKLOAD, Cluster(1, 0))
    assert late_jobs(schedule) == {"late": 1.0}


def test_late_with_other_deadlines() -> None:
    schedule = run(WORKLOAD, Cluster(1, 0))
    assert schedule.finish.tolist() == [4, 6, 7, 8]
    assert late_jobs_with(schedule, np.array([4.0, 5.0, np.inf, 7.5])) == 2


def test_a_simulation_without_overheads_is_named_beside_what_really_ran() -> None:
    bare, with_overheads = Cluster(1, 1), Cluster(1, 1, overheads=Overheads())
    assert lacks_overheads("fifo", bare, ["fifo", "recorded"])
    assert lacks_overheads("zzz", bare, ["recorded"])
    assert not lacks_overheads("fifo", with_overheads, ["recorded"])
    assert not lacks_overheads("fifo", bare, ["fifo", "sjf"])
    assert not lacks_overheads("recorded", bare, ["recorded"])
    assert not lacks_overheads("recorded", with_overheads, ["fifo"])


def test_the_bound_of_several_is_the_lowest_of_their_own() -> None:
    """Ten maps of 1 s on two map slots and two reduce slots: 5 s, or 3 s where reduce slots are lent."""
    workload = make_workload(make_job("J1", (10, 1.0), (0,)))
    own, lent = (measure(run(workload, Cluster(2, 2), policy)) for policy in ("fifo", "dhfs-pi"))
    assert (own.lower_bound, own.makespan) == (5, 5)
    alone, both = shared_bound([own, own]), shared_bound([own, lent])
    assert (alone.seconds, alone.differs, both.differs) == (5, False, True)
    assert both.seconds == lent.lower_bound < 5
    assert alone.gap(own) == 0
    assert both.gap(own) == pytest.approx(5 / both.seconds - 1)


def test_ends_are_compared_by_the_names_of_jobs() -> None:
    ends = {"J1": 5.0, "J2": 9.0, "J3": math.nan, "J4": 1.0}
    assert end_changes(ends, {"J4": 1.0, "J1": 7.0, "J3": 2.0}) == {"J1": -2.0, "J4": 0.0}
    assert end_changes(ends, {}) == {}
