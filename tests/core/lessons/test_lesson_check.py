"""What a student would stumble over in a lesson is told before."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from core.lessons.figures import EVENTS, FIGURES
from core.lessons.lesson_check import check_lesson
from core.lessons.lesson_document import lesson_from_json
from core.lessons.questions.question_types import QUESTION_TYPES
from core.model.errors import Cancelled
from tests.core.lessons.lesson_examples import LESSON, lesson_of
from tests.paths import ROOT

VEILED = {"veil": {"from": 2}}
CHOICE = {"kind": "choice", "choices": ["a", "b"], "right": 1, "why": "so"}


def test_a_right_lesson_has_no_problems() -> None:
    heard: list[float] = []
    steps = check_lesson(lesson_from_json(LESSON, "x"), heard.append)
    assert [step.problems for step in steps] == [(), ()]
    assert steps[0].makespans == (("As they come", 14), ("Explicit order", 11), ("Two", 24))
    assert (steps[0].kind, steps[0].right, steps[0].wrong) == ("makespan", "24 s", "27.4 s")
    assert (steps[1].kind, steps[1].right, steps[1].wrong) == ("", "", "")
    assert heard == [0, 0.5]


@pytest.mark.parametrize(
    ("view", "step", "question", "problem"),
    [
        (
            {"scenarios": [{"policy": "fivo"}]},
            {},
            None,
            "scenario 0: unknown policy 'fivo'; did you mean 'fifo'?",
        ),
        ({"cursor": [40, 0]}, {}, None, "the time cursor stands at 0:40, and all charts end at 0:16"),
        ({}, {"veil": {"from": 16}}, None, "the veil begins at 0:16, and all charts end at 0:16"),
        ({"zoom": [20, 30]}, {}, None, "the zoom begins at 0:20, and all charts end at 0:16"),
        (
            {"marks": [{"text": "late", "at": {"time": 17}}]},
            {},
            None,
            "the mark 'late' points at 0:17, and all charts end at 0:16",
        ),
        (
            {"marks": [{"text": "here", "at": {"gap": {"slot": "M1", "time": 1}}}]},
            {},
            None,
            "the mark 'here' points at a gap, and M1 is not idle then",
        ),
        (
            {"marks": [{"text": "next", "at": {"slot": "M1", "time": 3}}]},
            VEILED,
            None,
            "the mark 'next' points at what the veil hides",
        ),
        ({}, {"text": "{{time 0 c ends}}"}, None, "{{time 0 c ends}}: unknown job 'c'; known are a, b job"),
        (
            {},
            VEILED | {"text": "{{slots 0 map}} slots, {{makespan 0}}"},
            CHOICE,
            "{{makespan 0}} tells '16 s' of a chart that is veiled; say it in 'after'",
        ),
        ({}, VEILED, CHOICE | {"after": "{{makespan 0}}", "why": "{{makespan 0}}"}, None),
        (
            {},
            VEILED,
            CHOICE | {"hint": "{{makespan 0}}"},
            "{{makespan 0}} tells '16 s' of a chart that is veiled; say it in 'after'",
        ),
        (
            {},
            {},
            {"kind": "makespan"},
            "the answer is to be seen already: this step shows “FIFO” to its end",
        ),
        ({}, VEILED, {"kind": "makespan"}, None),
        ({}, {}, {"kind": "order", "goal": 50}, "every answer to the question is right"),
        (
            {},
            {},
            {"kind": "order", "goal": 5},
            "the question has no answer: no order that is known takes 5 s or less",
        ),
        (
            {"cursor": [16, 0]},
            VEILED,
            {"kind": "next-job"},
            "the question has no answer: nothing starts at 0:16 or later, so no job is next",
        ),
    ],
)
def test_what_is_wrong_with_a_step_is_told(view: Any, step: Any, question: Any, problem: str | None) -> None:
    (checked,) = check_lesson(lesson_of(view, question, **step))
    assert [each.sentence for each in checked.problems] == ([] if problem is None else [problem])


def test_the_manual_has_a_lesson_that_is_right_and_names_every_figure() -> None:
    text = (ROOT / "docs" / "reference" / "lesson-files.md").read_text(encoding="utf-8")
    (document,) = re.findall(r"```json\n(.*?)```", text, re.S)
    steps = check_lesson(lesson_from_json(json.loads(document), "lesson-files.md"))
    assert [step.problems for step in steps] == [(), ()]
    told = text[text.index("| figure |") :]
    assert set(re.findall(r"\{\{([a-z-]+) ", told)) == set(FIGURES)
    for words in (*EVENTS, *(f"| `{kind}` |" for kind in QUESTION_TYPES)):
        assert words in text


def test_a_check_can_be_cancelled() -> None:
    with pytest.raises(Cancelled):
        check_lesson(lesson_from_json(LESSON, "x"), should_stop=lambda: True)
