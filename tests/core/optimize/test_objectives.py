"""What a schedule is searched for: objectives by hand, and what may be wished of them."""

from __future__ import annotations

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.errors import InputError, UnknownName
from core.model.job import Link
from core.model.objectives import LATE_JOB
from core.model.workload import Workload
from core.optimize.constraints import Constraints
from core.optimize.objectives import Objective, Robust, check_responses, goal_of, with_arrivals
from core.optimize.plan_costs import LATE, MAKESPAN, RESPONSE, STRETCH, TARDINESS
from core.optimize.search_columns import tasks_of
from tests.builders import make_job

WORKLOAD = Workload(
    "w",
    (
        make_job("A", (2, 4.0), (1, 3.0, 0.0, 1.0), deadline=10.0),
        make_job("B", (1, 6.0), (2, 2.0), arrival=5.0, weight=3.0, deadline=20.0),
    ),
)
FINISH = np.array([14.0, 25.0])
ALONE = np.array([7.0, 8.0])
"""A responds in 14 s and is 4 s late; B in 20 s, 5 s late, and counts three times."""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("makespan", 25.0),
        ("mean-response", 17.0),
        ("weighted-response", (14 + 3 * 20) / 4),
        ("tardiness", 9.0),
        ("late-jobs", 2.0),
        ("stretch", 2.5),
        ("makespan=1,tardiness=0.5", 29.5),
        ("mean-response=2,late-jobs=10", 54.0),
        ("mean-response=1,weighted-response=2", 17.0 + 2 * 18.5),
        ("makespan=0,tardiness=2", 18.0),
    ],
)
def test_values_of_a_schedule(text: str, value: float) -> None:
    assert Objective.of(text).value(WORKLOAD, FINISH, ALONE) == pytest.approx(value)


def test_where_deadlines_come_first_a_late_job_is_worse_than_any_makespan() -> None:
    first = Objective.of("deadlines-makespan")
    assert first.value(WORKLOAD, FINISH) == pytest.approx(25.0 + 2 * LATE_JOB)
    in_time = np.array([10.0, 20.0])
    assert first.value(WORKLOAD, in_time) == 20.0
    plain = Objective.of("makespan")
    assert plain.value(WORKLOAD, FINISH, keeps_deadlines=True) == pytest.approx(25.0 + 2 * LATE_JOB)
    assert plain.value(WORKLOAD, in_time, keeps_deadlines=True) == 20.0


def test_a_job_that_takes_no_time_alone_has_no_stretch() -> None:
    assert Objective.of("stretch").value(WORKLOAD, FINISH, np.array([0.0, 8.0])) == 2.5
    assert Objective.of("stretch").value(WORKLOAD, FINISH) == 0.0


def test_what_counts_is_weighed() -> None:
    mix = Objective.of("makespan=2,stretch=0.5,tardiness=3").mix()
    assert [mix[place] for place in (MAKESPAN, STRETCH, TARDINESS, LATE, RESPONSE)] == [2, 0.5, 3, 0, 0]
    assert Objective.of("mean-response").response_weights(WORKLOAD).tolist() == [0.5, 0.5]
    assert Objective.of("weighted-response").response_weights(WORKLOAD).tolist() == [0.25, 0.75]
    assert Objective.of("makespan").response_weights(WORKLOAD).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("text", "unit", "weak", "alone"),
    [
        ("makespan", "s", False, False),
        ("late-jobs", "jobs", True, False),
        ("mean-response", "s", False, False),
        ("mean-response=1,weighted-response=2", "s", False, False),
        ("makespan=1,mean-response=2", "s", True, False),
        ("stretch", "", True, True),
        ("makespan=1,stretch=1", "s", True, True),
        ("makespan=1,stretch=0", "s", False, False),
    ],
)
def test_what_an_objective_is_counted_in_and_needs(text: str, unit: str, weak: bool, alone: bool) -> None:
    objective = Objective.of(text)
    assert (objective.is_weak, objective.needs_alone) == (weak, alone)
    assert objective.unit.startswith(unit)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("makespam", "objective 'makespam' does not exist"),
        ("makespan=1,stretsh=2", "objective 'stretsh' does not exist"),
        ("makespan=often", "the weight of makespan is 'often'; give a number from 0"),
        ("makespan=-1", "the weight of makespan is '-1'"),
        ("makespan=inf", "the weight of makespan is 'inf'"),
        ("makespan=nan", "the weight of makespan is 'nan'"),
        ("makespan=0,stretch=0", "all weights are 0"),
    ],
)
def test_wrong_objectives_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Objective.of(text)


def test_bounds_of_a_mix_are_weighed_and_nothing_is_said_without_what_they_need() -> None:
    cluster = Cluster(2, 1)
    bound = Objective.of("makespan").bound(WORKLOAD, cluster)
    tardiness = Objective.of("tardiness").bound(WORKLOAD, cluster)
    assert Objective.of("makespan=2,tardiness=3").bound(WORKLOAD, cluster) == pytest.approx(
        2 * bound + 3 * tardiness
    )
    assert Objective.of("stretch").bound(WORKLOAD, cluster) == 0.0
    assert Objective.of("stretch").bound(WORKLOAD, cluster, ALONE) > 0.0
    hopeless = Workload("h", (make_job("A", (1, 50.0), deadline=20.0),))
    both = Objective.of("deadlines-makespan").bound(hopeless, cluster)
    assert both == pytest.approx(50.0 + LATE_JOB)


@pytest.mark.parametrize(
    ("copies", "judge", "judged", "value"),
    [
        (10, "mean", -1, 4.5),
        (10, "worst-90", 8, 8.0),
        (11, "worst-90", 9, 9.0),
        (1, "worst-90", 0, 0.0),
        (8, "worst-90", 7, 7.0),
    ],
)
def test_a_plan_is_judged_by_its_copies(copies: int, judge: str, judged: int, value: float) -> None:
    """Of ten copies nine are no worse than the ninth."""
    robust = Robust(copies, 0.3, judge)  # type: ignore[arg-type]
    assert robust.judged == judged
    values = np.random.default_rng(1).permutation(np.arange(float(copies)))
    assert robust.value_of(values) == value


@pytest.mark.parametrize(
    "wrong", [{"copies": 0}, {"copies": 1001}, {"sigma": -0.1}, {"sigma": 3.1}, {"judge": "best"}]
)
def test_wrong_copies_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match="give 1 to 1000 copies, a sigma from 0 to 3, and judge mean or"):
        Robust(**wrong)  # type: ignore[arg-type]
    Robust(1, 0.0)
    Robust(1000, 3.0)
    with pytest.raises(InputError, match="errors per 'jobb'"):
        Robust(per="jobb")


def test_jobs_may_arrive_at_other_times_but_not_after_their_deadlines() -> None:
    moved = with_arrivals(WORKLOAD, {"A": 9.0})
    assert [job.arrival for job in moved.jobs] == [9.0, 5.0]
    assert with_arrivals(WORKLOAD, {}) is WORKLOAD
    with pytest.raises(InputError, match=r"A is to arrive at .*, but its deadline is"):
        with_arrivals(WORKLOAD, {"A": 10.0})
    with pytest.raises(UnknownName):
        with_arrivals(WORKLOAD, {"C": 1.0})


def test_responses_are_not_searched_for_where_jobs_follow_others() -> None:
    linked = Workload("l", (make_job("A", (1, 4.0)), make_job("B", (1, 6.0), after=(Link("A", 2.0),))))
    for text in ("mean-response", "weighted-response", "stretch", "makespan=1,stretch=0.1"):
        with pytest.raises(InputError, match="where jobs follow others"):
            check_responses(Objective.of(text), linked)
        check_responses(Objective.of(text), WORKLOAD)
    for text in ("makespan", "tardiness", "late-jobs"):
        check_responses(Objective.of(text), linked)


def test_what_plans_cost() -> None:
    """The reduces are busy for 3 + 1 and 2 * 2 seconds, on two slots for 4 s each."""
    cluster = Cluster(2, 2)
    about = WORKLOAD, tasks_of(WORKLOAD, cluster), 20.0
    goal = goal_of(Objective.of("makespan=2,mean-response=1"), Constraints(), None, about)
    assert goal.ideal == 4.0
    assert goal.aim == pytest.approx(20.06)
    assert goal.judged == -1
    assert (goal.deadline.tolist(), goal.must.tolist()) == ([10.0, 20.0], [0.0, 0.0])
    assert goal.weight.tolist() == [0.5, 0.5]
    kept = goal_of(Objective(), Constraints(keep_deadlines=True), Robust(10, 0.3, "worst-90"), about)
    assert (kept.must.tolist(), kept.judged) == ([LATE_JOB, LATE_JOB], 8)
