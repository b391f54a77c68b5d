"""Answers of every type of question, against values worked out by hand and against obvious twins."""

from __future__ import annotations

from functools import partial
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.workload_writing import workload_to_json
from core.lessons.figures import EVENTS
from core.lessons.hand_aims import aim_phrase
from core.lessons.lesson_document import lesson_from_json
from core.lessons.shown_step import SimulatedStep, shown_step
from core.lessons.step_view import ChartPlace
from core.model.cluster import Cluster
from core.model.errors import DocumentError, InputError
from tests.builders import make_job, make_workload, run
from tests.core.lessons.lesson_examples import (
    LESSON,
    answer_text,
    right_answer,
    simulated,
    verdict,
    wrong_answer,
)
from tests.random_tests import examples

BY_HAND = {"scenarios": [{"policy": "order", "order": ["b job", "a"]}]}
BOTH = {"scenarios": [{"policy": "fifo", "title": "first a"}, *BY_HAND["scenarios"]]}


def test_the_next_job_is_the_one_that_the_policy_gives_the_slot() -> None:
    step = simulated({"cursor": [4, 1]}, {"kind": "next-job"})
    assert (right_answer(step), wrong_answer(step)) == ("b job", "a")
    judged = verdict(step, "b job")
    assert judged.is_right
    assert judged.truth == "b job gets the next slot, at 0:04."
    assert judged.look.job == "b job"
    assert judged.look.cursor == (4, 1)
    assert step.schedule(judged.look.chart).start[judged.look.task] == 4
    wrong = verdict(step, "a")
    assert not wrong.is_right
    assert wrong.truth == judged.truth
    assert wrong.reasons[-1].startswith("FIFO: "), "the rule of the policy, in its own words"
    assert "a has no waiting map: 2 of 3 maps complete, 1 running." in wrong.reasons


def test_a_job_that_is_second_is_told_where_it_stands() -> None:
    step = simulated({"cursor": [0, 0]}, {"kind": "next-job"})
    wrong = verdict(step, "b job")
    assert not wrong.is_right
    assert any(sentence.startswith("b job would have been next") for sentence in wrong.reasons)
    with pytest.raises(InputError, match="'c' is none of the 2 answers"):
        verdict(step, "c")
    late = simulated({"cursor": [99, 0]}, {"kind": "next-job"})
    with pytest.raises(InputError, match="nothing starts at 1:39 or later"):
        right_answer(late)


@pytest.mark.parametrize("goal", ["best", "johnson", 11])
def test_an_order_is_right_if_it_is_as_short_as_asked_for(goal: Any) -> None:
    step = simulated({}, {"kind": "order", "goal": goal})
    assert right_answer(step) == ("b job", "a")
    judged = verdict(step, ("b job", "a"))
    assert judged.is_right
    assert judged.near.startswith("Your order takes 11 s; ")
    assert judged.reasons[0].startswith(
        "No schedule of these jobs with these durations is shorter on these slots, "
    )
    wrong = verdict(step, ("a", "b job"))
    assert not wrong.is_right
    assert wrong.near.endswith(" 11 s: 5 s (45.5 %) too much.")
    assert wrong.truth == "An order that takes 11 s: b job, a."
    assert answer_text(step, wrong_answer(step)) == "a, b job"


DUE: dict[str, Any] = {
    "format": "slotscope-workload",
    "version": 1,
    "name": "due",
    "cluster": {"map_slots": 1, "reduce_slots": 1, "slowstart": 1},
    "jobs": [
        {"name": name, "weight": weight, "deadline": due} | stages
        for name, weight, due, stages in (
            ("long", 1, 11, {"maps": {"count": 1, "durations": 8}, "reduces": {"count": 1, "durations": 1}}),
            ("short", 3, 10, {"maps": {"count": 1, "durations": 1}, "reduces": {"count": 1, "durations": 1}}),
            ("middle", 1, 3, {"maps": {"count": 1, "durations": 2}, "reduces": {"count": 1, "durations": 1}}),
        )
    ],
}
"""Alone each takes 9, 2 and 3 s; by (long, short, middle) they end at 9, 10 and 12 s."""


def simulated_due(question: dict[str, Any]) -> SimulatedStep:
    """Build a step that asks about these jobs."""
    view = {"workload": "due", "scenarios": [{"policy": "fifo"}]}
    step = {"title": "one", "text": "", "view": view, "question": {"text": "?", **question}}
    lesson = lesson_from_json(LESSON | {"workloads": {"due": DUE}, "steps": [step]}, "test")
    return SimulatedStep(shown_step(lesson, 0))


def ends_in(order: tuple[str, ...]) -> list[tuple[dict[str, Any], float]]:
    """Return the jobs with their ends, worked out on one map and one reduce slot."""
    maps, reduces, ends = 0.0, 0.0, []
    for name in order:
        job = next(each for each in DUE["jobs"] if each["name"] == name)
        maps += job["maps"]["durations"]
        reduces = max(maps, reduces) + job["reduces"]["durations"]
        ends.append((job, reduces))
    return ends


def worth(objective: str, order: tuple[str, ...]) -> float:
    """Return the value of an order, worked out likewise."""
    ends = ends_in(order)
    return {
        "mean-response": sum(end for _, end in ends) / 3,
        "weighted-response": sum(job["weight"] * end for job, end in ends) / 5,
        "tardiness": sum(max(0.0, end - job["deadline"]) for job, end in ends),
        "late-jobs": sum(end > job["deadline"] for job, end in ends),
    }[objective]


@pytest.mark.parametrize("objective", ["mean-response", "weighted-response", "tardiness", "late-jobs"])
@pytest.mark.parametrize("kind", ["order", "by-hand"])
def test_an_order_is_judged_by_its_objective(objective: str, kind: str) -> None:
    best = min(worth(objective, order) for order in permutations(("long", "short", "middle")))
    step = simulated_due({"kind": kind, "objective": objective})
    judge = partial(verdict, step)
    if kind == "order":
        for order in permutations(("long", "short", "middle")):
            assert judge(order).is_right == (worth(objective, order) <= best + 1e-9)
        assert worth(objective, right_answer(step)) == pytest.approx(best)
    assert judge(right_answer(step)).is_right
    wrong = judge(wrong_answer(step))
    assert not wrong.is_right
    assert aim_phrase(objective, best) in wrong.near
    assert wrong.near.endswith(" too much.")
    assert any(reason.startswith("long ends at 0:") for reason in wrong.reasons)


def test_an_objective_has_goals_of_its_own_unit() -> None:
    step = simulated_due({"kind": "order", "objective": "late-jobs", "goal": 1})
    judged = verdict(step, ("long", "middle", "short"))
    assert judged.near == "Your order has 2 late jobs; the goal is 1 late job: 1 job too much."
    assert "short ends at 0:12, 12 s after it came, 2 s late." in judged.reasons
    impossible = simulated_due({"kind": "order", "objective": "tardiness", "goal": 0})
    with pytest.raises(InputError, match="no order that is known has a tardiness of 0 s or less"):
        right_answer(impossible)


def test_objectives_that_mean_nothing_with_the_jobs_are_refused() -> None:
    with pytest.raises(DocumentError, match="the aim is tardiness, and no job has a deadline"):
        simulated({}, {"kind": "order", "objective": "tardiness"})


def test_an_order_has_every_job_once() -> None:
    step = simulated({}, {"kind": "order"})
    for names in (("a",), ("a", "a")):
        with pytest.raises(InputError, match="the order has 1 of 2 jobs"):
            verdict(step, names)
    impossible = simulated({}, {"kind": "order", "goal": 5})
    with pytest.raises(InputError, match="no order that is known takes 5 s or less"):
        right_answer(impossible)
    later = {
        "scenarios": [{"policy": "fifo"}],
        "cluster": {"map_slots": 0, "reduce_slots": 0, "containers": 3},
    }
    untyped = simulated(later, {"kind": "order", "goal": 20})
    assert verdict(untyped, ("a", "b job")).is_right, (
        "all orders cannot be searched there, but one can be judged"
    )
    assert len(right_answer(untyped)) == 2
    easy = simulated({}, {"kind": "order", "goal": 100})
    assert wrong_answer(easy) is None, "every order is right"


def test_a_makespan_may_be_wrong_by_as_much_as_the_question_says() -> None:
    step = simulated({}, {"kind": "makespan", "within": {"seconds": 2, "percent": 5}})
    assert right_answer(step) == 16
    assert [verdict(step, answer).is_right for answer in (13.9, 14, 16, 18, 18.1)] == [
        False,
        True,
        True,
        True,
        False,
    ]
    judged = verdict(step, 15)
    assert judged.near == "1 s (6.2 %) too little."
    assert judged.truth == "The makespan is 16 s."
    assert judged.reasons[0] == "0:00 to 0:04: map 1 of b job waits for M2, held by map 2 of a."
    assert verdict(step, 16).near == "Exactly."
    exact = simulated({}, {"kind": "makespan"})
    assert [verdict(exact, answer).is_right for answer in (15.4, 15.6, 16.5, 16.6)] == [
        False,
        True,
        True,
        False,
    ]
    for bad in ("eighteen", float("nan"), True):
        with pytest.raises(InputError, match="is no number of seconds"):
            verdict(exact, bad)


@pytest.mark.parametrize(
    ("event", "seconds", "truth"),
    [
        ("arrives", 0, "b job arrives at 0:00."),
        ("first map starts", 4, "The first map of b job starts at 0:04."),
        ("last map ends", 6, "The last map of b job ends at 0:06."),
        ("first reduce starts", 6, "The first reduce of b job starts at 0:06."),
        ("first shuffle ends", 6, "The first shuffle of b job ends at 0:06."),
        ("last reduce ends", 14, "The last reduce of b job ends at 0:14."),
        ("ends", 14, "b job ends at 0:14."),
    ],
)
def test_times_of_a_job(event: str, seconds: float, truth: str) -> None:
    step = simulated({}, {"kind": "time", "of": {"job": "b job", "event": event}})
    assert right_answer(step) == seconds
    judged = verdict(step, seconds)
    assert (judged.is_right, judged.truth) == (True, truth)
    assert not verdict(step, wrong_answer(step)).is_right
    assert bool(judged.reasons) == (event != "arrives")


@pytest.mark.parametrize(
    ("view", "slots", "right", "wrong", "truth"),
    [
        ({}, None, 2, 0, "R1 stands idle first, from 0:00 on."),
        ({"cursor": [4, 0]}, "map", 1, 0, "M2 stands idle first, from 0:06 on."),
        ({"cursor": [10, 0]}, "reduce", None, None, "no slot stands idle before the end"),
    ],
)
def test_the_slot_that_idles_first(view: Any, slots: Any, right: Any, wrong: Any, truth: str) -> None:
    question = {"kind": "idle-first"} | ({"slots": slots} if slots else {})
    step = simulated(view, question)
    if right is None:
        with pytest.raises(InputError, match=truth):
            right_answer(step)
        return
    assert (right_answer(step), wrong_answer(step)) == (right, wrong)
    judged = verdict(step, right)
    assert (judged.is_right, judged.truth, judged.near) == (True, truth, "")
    assert judged.reasons[0].startswith("From ")
    assert "idle" in verdict(step, wrong).near
    with pytest.raises(InputError, match="is no slot"):
        verdict(step, 3)


def test_what_ends_first_is_a_chart() -> None:
    step = simulated(BOTH, {"kind": "ends-first"})
    assert right_answer(step) == ChartPlace(1)
    judged = verdict(step, ChartPlace(1))
    assert judged.is_right
    assert judged.truth == "All is done in “first a” at 0:16 and “Explicit order” at 0:11."
    wrong = verdict(step, ChartPlace(0))
    assert (wrong.is_right, wrong.near) == (False, "“first a” is 5 s later than the first.")
    of_a = simulated(BOTH, {"kind": "ends-first", "of": {"job": "a", "event": "last map ends"}})
    assert right_answer(of_a) == ChartPlace(0)
    judged = verdict(of_a, ChartPlace(1))
    assert judged.truth == "The last map of a ends in “first a” at 0:08 and “Explicit order” at 0:09."
    assert judged.reasons[0] == "In “Explicit order”:"
    assert judged.reasons[1].startswith("Map 3 of a was ready at 0:00")
    equal = simulated({"scenarios": [{"policy": "fifo"}] * 2}, {"kind": "ends-first"})
    assert verdict(equal, ChartPlace(1)).is_right
    assert wrong_answer(equal) is None
    with pytest.raises(InputError, match="is none of the 2 answers"):
        verdict(step, ChartPlace(0, is_guest=True))


def test_a_choice_is_what_the_author_says() -> None:
    asked = {
        "kind": "choice",
        "choices": ["{{makespan 0}}", "never"],
        "right": 0,
        "why": "It ends at {{makespan 0}}.",
    }
    step = simulated({}, asked | {"after": "So {{time 0 a ends}}."})
    assert [verdict(step, answer).is_right for answer in (0, 1)] == [True, False]
    judged = verdict(step, wrong_answer(step))
    assert (judged.truth, judged.reasons, judged.after) == (
        "“16 s” is right.",
        ("It ends at 16 s.",),
        "So 0:16.",
    )
    with pytest.raises(InputError, match="'2' is none of the 2 answers"):
        verdict(step, 2)


# ---- obvious twins on random workloads

stages = st.tuples(st.integers(1, 4), st.integers(1, 5))
few_jobs = st.lists(st.tuples(stages, stages), min_size=2, max_size=3)


@examples(12)
@given(
    few_jobs,
    st.tuples(st.integers(1, 3), st.integers(1, 2)),
    st.sampled_from(["fifo", "fair", "johnson"]),
    st.integers(0, 6),
)
def test_answers_are_those_of_obvious_twins(
    jobs: Any, slots: tuple[int, int], policy: str, time: int
) -> None:
    workload = make_workload(*(make_job(f"J{i}", *stages) for i, stages in enumerate(jobs)))
    cluster = Cluster(*slots, slowstart=1.0)
    schedule = run(workload, cluster, policy)

    def asked(**question: Any) -> SimulatedStep:
        shown = {
            "workload": "drawn",
            "scenarios": [{"policy": policy}],
            "cluster": {"map_slots": slots[0], "reduce_slots": slots[1], "slowstart": 1},
            "cursor": [time, 0],
        }
        step = {"title": "", "text": "", "view": shown, "question": {"text": "", **question}}
        drawn = {"drawn": workload_to_json(workload)}
        return SimulatedStep(
            shown_step(lesson_from_json(LESSON | {"workloads": drawn, "steps": [step]}, ""), 0)
        )

    names = [job.name for job in workload.jobs]
    assert right_answer(asked(kind="makespan")) == max(schedule.end)
    shortest = min(run(workload, cluster, "order", order=order).makespan for order in permutations(names))
    order = asked(kind="order")
    assert run(workload, cluster, "order", order=right_answer(order)).makespan == shortest
    assert verdict(order, tuple(names)).is_right == (
        run(workload, cluster, "order", order=names).makespan == shortest
    )
    for event in EVENTS:
        tasks = [t for t in range(schedule.tasks) if workload.columns.job[t] == 0]
        kind = 1 if "reduce" in event or "shuffle" in event else 0 if "map" in event else None
        own = [t for t in tasks if kind is None or workload.columns.kind[t] == kind]
        times = [(schedule.start if "starts" in event else schedule.end)[t] for t in own]
        if "shuffle" in event:
            times = [schedule.shuffled[t] for t in own]
        twin = 0 if event == "arrives" else min(times) if "first" in event else max(times)
        assert right_answer(asked(kind="time", of={"job": "J0", "event": event})) == twin
    later = [t for t in schedule.sequence if schedule.start[t] >= time]
    if later:
        assert right_answer(asked(kind="next-job")) == names[workload.columns.job[later[0]]]
    _check_idle(asked(kind="idle-first"), schedule, time)


def _check_idle(step: SimulatedStep, schedule: Any, time: int) -> None:
    """Whole seconds alone matter here: look at each of them, slot by slot."""
    for at in range(time, int(schedule.makespan)):
        busy = set(schedule.slot[(schedule.start <= at) & (at < schedule.end)].tolist())
        idle = set(range(schedule.cluster.slots)) - busy
        if idle:
            assert {slot for slot in range(schedule.cluster.slots) if verdict(step, slot).is_right} == idle
            assert right_answer(step) == min(idle)
            return
    with pytest.raises(InputError, match="no slot stands idle"):
        right_answer(step)
    assert np.isfinite(schedule.makespan)


def test_a_schedule_by_hand_is_right_if_it_is_as_short_as_asked_for() -> None:
    step = simulated({}, {"kind": "by-hand"})
    assert right_answer(step).startswith("b job.map.1-2, a.map.1-2, at 1 s, b job.reduce.1")
    assert verdict(step, right_answer(step)).is_right
    wrong = verdict(step, "a.map.1-3, b job.map.1-2")
    assert not wrong.is_right
    assert wrong.near == "Your schedule takes 16 s; the best order takes 11 s: 5 s (45.5 %) too much."
    assert wrong.reasons[0] == (
        "The first difference: at 0:00 you gave slot M1 to a; that order gives slot M1 to b job."
    )
    assert answer_text(step, wrong_answer(step)) == "a schedule of 16 s"
