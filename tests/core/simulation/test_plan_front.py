"""The front of two goals: what stands in it is what its plans do, and none is better in both."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from core.files.samples import load_sample
from core.model.errors import InputError
from core.optimize import search
from core.optimize.objectives import Objective, Robust
from core.simulation import plan_front
from core.simulation.best_schedule import wanted_search
from core.simulation.plan_front import front_goals, one_plan_text, search_front, values_on_front
from tests.builders import run

GOALS = ("makespan", "mean-response")
POINTS = 5


def wanted(workload, **wishes):
    effort = {"steps": 40}
    return wanted_search(workload, workload.cluster, Objective(), effort=effort, **wishes)


def naive_values(workload, plan):
    """Run the plan as any policy is run, and add up when jobs end, one after another."""
    schedule = run(workload, workload.cluster, plan=plan)
    columns = schedule.workload.columns
    ends = [0.0] * len(workload.jobs)
    for job, end in zip(columns.job.tolist(), schedule.end.tolist(), strict=True):
        ends[job] = max(ends[job], end)
    responses = [end - job.arrival for job, end in zip(workload.jobs, ends, strict=True)]
    return max(ends), sum(responses) / len(responses)


@pytest.fixture(scope="module")
def found():
    """Return a workload, what was its front by then after each search, and the front in the end."""
    workload, fronts = load_sample("five-jobs-pools"), []
    return workload, fronts, search_front(wanted(workload), GOALS, POINTS, on_front=fronts.append)


def test_each_point_is_what_its_plan_does_when_it_is_run(found):
    workload, _, front = found
    assert len(front) >= 2
    for point in front:
        assert point.values == pytest.approx(naive_values(workload, point.plan), rel=1e-12)
        mixed = sum(w * v for w, v in zip(point.weights, point.values, strict=True))
        assert point.best == pytest.approx(mixed, rel=1e-12)
        assert point.bound <= point.best * (1 + 1e-9)
        assert point.gap == pytest.approx(max(0, point.best / point.bound - 1))
    for one, other in itertools.pairwise(front):  # sorted, and each trades one goal for the other
        assert one.values[0] < other.values[0]
        assert one.values[1] > other.values[1]


def test_one_plan_that_is_best_in_both_goals_is_searched_no_further_and_says_so():
    workload = load_sample("five-jobs")  # whichever job goes first, both goals like it
    news = []
    front = search_front(wanted(workload), ("mean-response", "weighted-response"), 6, doing=news.append)
    assert len(front) == 1
    assert {words.split(":")[0] for words in news} <= {"search 1 of 6", "search 2 of 6", "search 3 of 6"}
    point = replace(front[0], bound=100.0, gap=0.002)
    assert one_plan_text(point).endswith(
        "0.20 % above its bound: hardly anything is left for plans between them."
    )
    assert one_plan_text(replace(point, gap=0.09)).endswith(
        "9.0 % above its bound; more steps may find others."
    )
    assert one_plan_text(replace(point, bound=0.0)) == "One plan is the best found in both goals."


def test_the_same_steps_find_the_same_front_and_a_stop_leaves_what_there_is():
    workload = load_sample("five-jobs")
    one = search_front(wanted(workload), GOALS, 4)
    assert one == search_front(wanted(workload), GOALS, 4)
    done = []
    begun = search_front(wanted(workload), GOALS, 4, lambda: bool(done), done.append)
    assert {words.split(":")[0] for words in done} == {"search 1 of 4"}
    assert len(begun) == 1


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["makespan"], "two goals"),
        (["stretch", "stretch"], "two goals"),
        (["makespan", "deadlines-makespan"], "late-jobs"),
        (["makespan", "mean"], "does not exist"),
    ],
)
def test_goals_that_make_no_front_are_refused(names, words):
    with pytest.raises(InputError, match=words):
        front_goals(names)


def test_what_a_front_cannot_do_is_said():
    workload = load_sample("five-jobs")
    with pytest.raises(InputError, match="from 2 to 60"):
        search_front(wanted(workload), GOALS, 1)
    with pytest.raises(InputError, match="durations as they are"):
        search_front(wanted(workload, robust=Robust()), GOALS)
    with pytest.raises(InputError, match="has a deadline"):
        search_front(wanted(workload), ("makespan", "tardiness"))
    fronts: list[object] = []
    with pytest.raises(InputError, match="follow others"):
        search_front(wanted(load_sample("spark-application")), GOALS, on_front=fronts.append)
    assert not fronts, "it is said before anything is searched"


def test_the_front_by_now_is_given_after_each_search(found):
    _, fronts, front = found
    assert POINTS <= len(fronts) <= POINTS * plan_front.MAX_SEARCHES, "what is left goes to the widest gap"
    assert fronts[-1] == front


def test_values_beside_a_front_are_what_schedules_do(found):
    workload, _, front = found
    plans = [point.plan for point in front]
    schedules = [run(workload, workload.cluster, plan=plan) for plan in plans]
    values = values_on_front(GOALS, schedules, workload, workload.cluster)
    assert values == [pytest.approx(naive_values(workload, plan), rel=1e-12) for plan in plans]


def test_without_compiled_code_the_same_steps_find_the_same_front():
    workload = load_sample("five-jobs")
    interpreted = wanted(workload)
    interpreted.effort["compiled"] = False
    assert search_front(interpreted, ("makespan", "stretch"), 3) == search_front(
        wanted(workload), ("makespan", "stretch"), 3
    )


def test_what_is_left_goes_on_from_a_plan_of_the_front(monkeypatch):
    begins, fronts = [], []

    def optimize(*given, **wishes):
        begins.append(wishes["start"])
        return search.optimize(*given, **wishes)

    monkeypatch.setattr(plan_front, "optimize", optimize)
    search_front(wanted(load_sample("five-jobs-pools")), GOALS, POINTS, on_front=fronts.append)
    assert begins[:2] == [None, None]
    assert len(begins) > POINTS
    for place in range(POINTS, len(begins)):
        assert begins[place] in [point.plan for point in fronts[place - 1]]
