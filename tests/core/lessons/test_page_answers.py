"""What a page knows of answers: each verdict is the one that the question gives."""

from __future__ import annotations

from itertools import permutations

import pytest

from core.lessons import page_answers as module
from core.lessons.page_answers import page_answers
from core.model.errors import InputError
from tests.core.lessons.lesson_examples import question_of, simulated, verdict

TWO = {"scenarios": [{"policy": "fifo"}, {"policy": "order", "order": ["b job", "a"]}], "cursor": [0, 0]}


def answers_of(view, question):
    step = simulated(view, question)
    return step, page_answers(question_of(step), step)


def test_every_option_is_judged():
    step, known = answers_of(TWO, {"kind": "next-job"})
    assert known.asked["options"] == ["a", "b job"]
    assert known.asked["clicked"] == "job"
    for place, name in enumerate(known.asked["options"]):
        expected, found = verdict(step, name), known.judged["verdicts"][place]
        assert (found["right"], found["truth"]) == (expected.is_right, expected.truth)
        assert found["reasons"] == list(expected.reasons)
    assert [each["right"] for each in known.judged["verdicts"]] == [True, False]


def test_a_slot_is_named_by_its_number_too():
    _, known = answers_of({"cursor": [4, 0]}, {"kind": "idle-first", "slots": "map"})
    assert known.asked["options"] == ["M1", "M2"]
    assert known.asked["slots"] == [0, 1]


def test_of_a_number_the_right_one_and_how_far_one_may_be_off():
    """By hand: FIFO ends at 16, of which 5 % are 0.8; a second is more."""
    _, known = answers_of({}, {"kind": "makespan", "within": {"seconds": 1, "percent": 5}})
    assert known.asked == {"form": "number", "unit": "s", "noun": "seconds"}
    assert (known.judged["number"], known.judged["allowed"]) == (16.0, 1.0)
    assert known.judged["right"]["truth"] == "The makespan is 16 s."


def test_every_order_of_few_jobs_is_judged():
    """By hand: a first takes 16 s, b first 11 s."""
    step, known = answers_of({}, {"kind": "order", "goal": "best"})
    assert known.asked["first"] == [0, 1]
    assert list(known.judged["orders"]) == list(known.orders) == ["0 1", "1 0"]
    assert [known.orders[key].makespan for key in known.orders] == [16, 11]
    for key, names in zip(known.orders, permutations(["a", "b job"]), strict=True):
        expected = verdict(step, names)
        assert known.judged["orders"][key]["right"] == expected.is_right
        assert known.judged["orders"][key]["near"] == expected.near
    assert known.asked["note"] == ""


def test_of_many_jobs_the_order_that_the_lesson_names(monkeypatch):
    monkeypatch.setattr(module, "FEW_JOBS", 1)
    _, known = answers_of({}, {"kind": "order", "goal": "best"})
    assert [(key, each["right"]) for key, each in known.judged["orders"].items()] == [("1 0", True)]
    assert known.asked["note"] == module.FEW_KNOWN


def test_what_is_played_by_hand_is_looked_at():
    _, known = answers_of({}, {"kind": "by-hand", "goal": "best"})
    assert known.asked == {"form": "hand", "note": module.NOT_HERE}
    assert known.judged["text"] == "a schedule of 11 s"
    assert known.judged["right"]["right"]


def test_more_answers_than_a_page_holds_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MAX_OPTIONS", 1)
    with pytest.raises(InputError, match=r"has 2 answers; a page holds at most 1"):
        answers_of(TWO, {"kind": "next-job"})


def test_where_to_look_is_a_slot_and_a_time():
    step, known = answers_of({"cursor": [4, 0]}, {"kind": "time", "of": {"job": "b job", "event": "ends"}})
    look = known.judged["right"]["look"]
    schedule = step.schedule(step.shown.charts[0])
    assert look["chart"] == 0
    assert look["cursor"] == 14
    assert look["isTask"]
    (task,) = [t for t in range(schedule.tasks) if schedule.end[t] == 14]
    assert (look["slot"], look["start"]) == (schedule.slot[task], schedule.start[task])
