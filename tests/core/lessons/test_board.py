"""A question whose answer was drawn or printed before is refused, with where it stood."""

from __future__ import annotations

import math
import re
from copy import deepcopy
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from core.lessons.lesson_check import check_lesson
from core.lessons.lesson_document import lesson_from_json, lesson_paths, read_lesson
from core.lessons.questions.times import MakespanQuestion, TimeQuestion
from core.lessons.shown_step import SimulatedStep, shown_step
from tests.core.lessons.lesson_examples import LESSON

FIFO, TURNED = {"policy": "fifo", "title": "As given"}, {"policy": "order", "order": ["b job", "a"]}
SEEN = "the answer is to be seen already: "
MAKESPAN = {"kind": "makespan", "text": "How long?"}
LAST_MAP = {"kind": "time", "text": "When?", "of": {"job": "b job", "event": "last map ends"}}


def step(question: Any = None, veil: float | None = 2, text: str = "", **view: Any) -> dict[str, Any]:
    shown = {"workload": "tiny", "scenarios": [FIFO]} | view
    made: dict[str, Any] = {"title": "one", "text": text, "view": shown}
    if veil is not None:
        made["veil"] = {"from": veil}
    return made if question is None else made | {"question": {"text": "?"} | question}


def leaks(*steps: dict[str, Any]) -> list[tuple[str, ...]]:
    document = deepcopy(LESSON)
    document["steps"] = list(steps)
    checked = check_lesson(lesson_from_json(document, "test"))
    return [tuple(problem.sentence for problem in each.problems) for each in checked]


@pytest.mark.parametrize(
    ("steps", "where"),
    [
        ([step(MAKESPAN, None)], "this step shows “As given” to its end"),
        ([step(LAST_MAP, 7)], "this step shows “As given” until 0:07"),
        ([step(None, None), step(MAKESPAN)], "step 1 shows “As given” to its end"),
        ([step(MAKESPAN), step(LAST_MAP)], "once it is answered, step 1 shows “As given” to its end"),
        ([step(text="{{slots 0 map}}"), step({"kind": "idle-first", "slots": "map"})], None),
        # the reduce slot idles from the first second on
        ([step(), step({"kind": "idle-first"})], "step 1 shows “As given” until 0:02"),
        (
            [step(None, None, "{{time 0 a ends}}", zoom=[0, 5]), step(MAKESPAN)],
            "step 1 shows “As given” to its end",
        ),
        (
            [step(LAST_MAP | {"after": "{{makespan 0}} in all"}), step(MAKESPAN)],
            "once it is answered, step 1 says {{makespan 0}}, which is '16 s'",
        ),
        (
            [step(LAST_MAP | {"after": "until {{time 0 a ends}}"}), step(MAKESPAN)],
            "once it is answered, step 1 says {{time 0 a ends}}, which is '0:16'",
        ),
        ([step(MAKESPAN, 2, "Done at 0:16.")], "this step says '0:16'"),
        (
            [step({"kind": "choice", "choices": ["{{waves 0 a map}}", "9"], "right": 0, "why": "so"}, None)],
            "this step shows “As given” to its end",
        ),
        (
            [step({"kind": "order"}, None), step(MAKESPAN, scenarios=[TURNED])],
            "step 1 asks for b job, a",
        ),
        (
            [step(None, None, scenarios=[TURNED]), step({"kind": "order"}, None)],
            "step 1 shows “Explicit order” to its end",
        ),
        (
            [step({"kind": "next-job"}, cursor=[2, 0]), step({"kind": "next-job"}, cursor=[2, 0])],
            "once it is answered, step 1 shows “As given” until 0:04",
        ),
        ([step({"kind": "ends-first"}, 2, scenarios=[FIFO, TURNED])], None),
        (
            [step(None, None), step({"kind": "ends-first"}, 2, scenarios=[FIFO, TURNED])],
            None,
        ),
        ([step(LAST_MAP, 5), step(MAKESPAN, 5)], None),
        ([step(None, 2, "All ends at 0:16."), step(MAKESPAN)], "step 1 says '0:16'"),
        ([step(None, 2, "It takes 16 s."), step(MAKESPAN)], "step 1 says '16 s'"),
        ([step(None, 2, "A task takes 16 s."), step(LAST_MAP)], None),  # a length is no time
        ([step(None, 2, "Not 0:160, 10:16 or 0:16.5."), step(MAKESPAN)], None),
        ([step(None, 2, "All ends at 0:16.", scenarios=[TURNED]), step(MAKESPAN)], None),  # of another chart
        (
            [step(LAST_MAP, 5) | {"hands_on": "Drag the veil to 0:16."}, step(MAKESPAN, 5)],
            "step 1 says '0:16'",
        ),
        ([step(LAST_MAP | {"after": "The end is 0:16."}, 5), step(MAKESPAN, 5)], "step 1 says '0:16'"),
    ],
)
def test_where_an_answer_stood_is_said(steps: list[dict[str, Any]], where: str | None) -> None:
    problems = leaks(*steps)
    assert not any(problems[:-1])
    if where is None:
        assert problems[-1] == ()
    else:
        (problem,) = problems[-1]
        assert problem.startswith(SEEN + where), problem


@pytest.mark.parametrize(("seconds", "is_seen"), [(4.0, False), (20.0, False), (20.1, True), (29.0, True)])
def test_circles_show_what_has_been_read_by_their_time(seconds: float, is_seen: bool) -> None:
    """J1 reads 100 blocks from 0:00 on, ten slots at 2 s a block: it ends at 0:20."""
    lesson = read_lesson(lesson_paths()["sharing-a-scan"])
    asked = lesson.steps[1]
    turned = replace(lesson, steps=(replace(asked, view=replace(asked.view, scans=seconds)),))
    (checked,) = check_lesson(turned)
    leaks = [each.sentence for each in checked.problems if each.sentence.startswith(SEEN)]
    assert bool(leaks) == is_seen
    assert all("as circles at" in problem for problem in leaks)


def test_circles_of_a_step_before_are_remembered() -> None:
    lesson = read_lesson(lesson_paths()["sharing-a-scan"])
    first, asked = lesson.steps[1:3]
    early = replace(first, question=None, view=replace(first.view, scans=25.0))
    checked = check_lesson(replace(lesson, steps=(early, asked)))[1]
    assert checked.problems[0].sentence.startswith(
        f"{SEEN}step 1 shows “Shared (CIRCUMFLEX)” as circles at 0:25"
    )


def visible_ends(steps: list[SimulatedStep], last: int) -> dict[tuple[str, str], float]:
    """Return up to when each chart is drawn before the question of a step is answered, worked out anew.

    Charts are told apart by all that they are made of, written out; a veil that was lifted shows everything
    up to halfway between what was asked for and the next start or end.
    """
    ends: dict[tuple[str, str], float] = {}
    for number, each in enumerate(steps[: last + 1]):
        shown = each.shown.step
        for place in each.shown.charts:
            schedule = each.schedule(place)
            key = (repr(schedule.given.name), repr((schedule.start.tolist(), schedule.end.tolist())))
            until = math.inf
            scans = shown.view.scans
            is_shared = not place.is_guest and scans is not None
            if shown.veil is not None and (shown.veil.charts is None or place in shown.veil.charts):
                until = shown.veiled_from or 0.0
                if number < last and shown.question is not None:
                    until = lifted(each)
            if is_shared and scans is not None:  # circles may show any chart of the step
                until = max(until, scans)
            ends[key] = max(ends.get(key, -math.inf), until)
    return ends


def lifted(step: SimulatedStep) -> float:
    """Return how far an answer lifts the veil for the two types that ask for a time, infinite for others."""
    question = step.shown.step.question
    if not isinstance(question, TimeQuestion):
        return math.inf
    schedule, asked = step.schedule(question.chart), question.right_answer(step)
    times = [float(t) for array in (schedule.start, schedule.shuffled, schedule.end) for t in array]
    later = [t for t in times if t > asked * (1 + 1e-9)]
    return (asked + min(later)) / 2 if later else math.inf


@pytest.mark.parametrize("name", list(lesson_paths()))
def test_no_lesson_asks_for_a_time_that_a_chart_has_shown(name: str) -> None:
    """Questions that are no times lift everything here, and so nothing less is drawn than really is."""
    lesson = read_lesson(lesson_paths()[name])
    steps = [SimulatedStep(shown_step(lesson, number)) for number in range(len(lesson.steps))]
    for number, each in enumerate(steps):
        question = each.shown.step.question
        if not isinstance(question, MakespanQuestion | TimeQuestion) or skips(steps[:number]):
            continue
        schedule = each.schedule(question.chart)
        key = (repr(schedule.given.name), repr((schedule.start.tolist(), schedule.end.tolist())))
        assert visible_ends(steps, number)[key] <= question.right_answer(each), each.shown.step.title


@pytest.mark.parametrize("name", list(lesson_paths()))
def test_no_lesson_asks_for_a_time_that_a_text_has_said(name: str) -> None:
    """Times are read as numbers here, wherever they stand; only charts of the same tasks count."""
    lesson = read_lesson(lesson_paths()[name])
    steps = [SimulatedStep(shown_step(lesson, number)) for number in range(len(lesson.steps))]
    said: list[tuple[list[Any], set[float]]] = []
    for each in steps:
        shown = each.shown.step
        charts = [each.schedule(place).end.tolist() for place in each.shown.charts]
        question, late = shown.question, () if shown.question is None else shown.question.late_texts
        said.append((charts, clocks(shown.text, shown.hands_on, "" if question is None else question.text)))
        if isinstance(question, MakespanQuestion | TimeQuestion):
            own, right = each.schedule(question.chart).end.tolist(), question.right_answer(each)
            for before, known in said:
                assert own not in before or right not in known, shown.title
        said.append((charts, clocks(*late)))


def clocks(*texts: str) -> set[float]:
    """Return the times of day that are written out in texts, in seconds."""
    found = re.findall(r"(\d+):(\d\d(?:\.\d+)?)", " ".join(texts))
    return {60 * int(minutes) + float(seconds) for minutes, seconds in found}


def skips(before: list[SimulatedStep]) -> bool:
    """Whether a step before asks for a job or a slot under a veil, which lifts less than all."""
    kinds = ("next-job", "idle-first", "ends-first")
    return any(q is not None and q.kind in kinds for q in (each.shown.step.question for each in before))


@pytest.mark.parametrize(("veil", "kind"), list(product(range(1, 16), ("makespan", "time"))))
def test_a_time_is_refused_as_soon_as_the_veil_begins_after_it(veil: int, kind: str) -> None:
    """The schedule of the tiny workload is worked out by hand: b's last map ends at 6, all at 16."""
    asked = {"makespan": (MAKESPAN, 16), "time": (LAST_MAP, 6)}
    question, answer = asked[kind]
    (problems,) = leaks(step(question, veil))
    assert bool(problems) == (veil > answer)
