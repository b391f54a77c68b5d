"""A lesson for tests with every field of the format, and short ways to change it."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from core.lessons.lesson_document import lesson_from_json
from core.lessons.shown_step import SimulatedStep, shown_step

if TYPE_CHECKING:
    from core.lessons.lesson import Lesson
    from core.lessons.questions.question import LessonQuestion, Verdict

TINY = {
    "format": "slotscope-workload",
    "version": 1,
    "name": "tiny",
    "cluster": {"map_slots": 2, "reduce_slots": 1, "slowstart": 1},
    "jobs": [
        {"name": "a", "maps": {"count": 3, "durations": 4}, "reduces": {"count": 1, "durations": 2}},
        {"name": "b job", "maps": {"count": 2, "durations": 1}, "reduces": {"count": 1, "durations": 8}},
    ],
}
"""FIFO: a's maps at 0, 0 and 4, b's at 4 and 5, beside a's third; b's reduce from 6 to 14, a's from 14 to 16.

The other way round: b's maps at 0, its reduce from 1 to 9; a's maps at 1, 1 and 5, its reduce from 9 to 11.
"""

LESSON: dict[str, Any] = {
    "format": "slotscope-lesson",
    "version": 1,
    "name": "All there is",
    "summary": "Every field once.",
    "minutes": 3,
    "workloads": {"two": {"sample": "two-jobs-order"}, "tiny": TINY, "scans": {"sample": "ten-scans"}},
    "steps": [
        {
            "title": "Everything",
            "text": "It takes {{makespan 1}}.",
            "view": {
                "workload": "tiny",
                "cluster": {"map_slots": 3},
                "scenarios": [
                    {"policy": "fifo", "title": "As they come"},
                    {"policy": "order", "order": ["b job", "a"], "cluster": {"map_slots": 2}},
                ],
                "guests": [
                    {"workload": "two", "policy": "johnson", "title": "Two", "cluster": {"slowstart": 0}}
                ],
                "active": 1,
                "cursor": [4, 1],
                "selected_job": "a",
                "zoom": [0, 20],
                "rows": "pool",
                "docks": ["inspector"],
                "marks": [
                    {"text": "a task", "at": {"task": {"job": "a", "kind": "map", "number": 3}}},
                    {"text": "a gap", "at": {"scenario": 1, "gap": {"slot": "R1", "time": 0}}},
                    {"text": "a place", "at": {"slot": "M2", "time": 1.5}},
                    {"text": "a job", "at": {"guest": 0, "job": "J2"}},
                    {"text": "a time", "at": {"guest": 0, "time": 3}},
                ],
            },
            "veil": {"from": 4, "scenarios": [0], "guests": [0]},
            "question": {
                "kind": "makespan",
                "text": "How long?",
                "hint": "Count.",
                "after": "{{makespan guest 0}}",
                "guest": 0,
                "within": {"seconds": 1, "percent": 5},
            },
        },
        {
            "title": "Circles",
            "text": "",
            "view": {"workload": "scans", "scenarios": [{"policy": "circumflex"}], "scans": 30},
        },
    ],
}


def lesson_of(view: dict[str, Any], question: dict[str, Any] | None = None, **step: Any) -> Lesson:
    """Build a lesson of one step on the tiny workload; `view` has what differs from FIFO."""
    document = deepcopy(LESSON)
    shown = {"workload": "tiny", "scenarios": [{"policy": "fifo"}]} | view
    document["steps"] = [{"title": "one", "text": "", "view": shown, **step}]
    if question is not None:
        document["steps"][0]["question"] = {"text": "?", **question}
    return lesson_from_json(document, "test")


def simulated(view: dict[str, Any], question: dict[str, Any] | None = None, **step: Any) -> SimulatedStep:
    """Build that one step, to be simulated."""
    return SimulatedStep(shown_step(lesson_of(view, question, **step), 0))


def question_of(step: SimulatedStep) -> LessonQuestion:
    """Return what a step asks; it asks something."""
    question = step.shown.step.question
    assert question is not None
    return question


def verdict(step: SimulatedStep, answer: object) -> Verdict:
    """Return the verdict on an answer to a step's question."""
    return question_of(step).judge(step, answer)


def right_answer(step: SimulatedStep) -> Any:
    """Return a right answer to a step's question."""
    return question_of(step).right_answer(step)


def wrong_answer(step: SimulatedStep) -> Any:
    """Return a wrong answer to a step's question, None if there is none."""
    return question_of(step).wrong_answer(step)


def answer_text(step: SimulatedStep, answer: object) -> str:
    """Return an answer to a step's question as text."""
    return question_of(step).answer_text(step, answer)
