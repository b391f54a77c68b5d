"""Every type of question takes part everywhere: documents, checks, handouts, the window, the editor."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.lessons.lesson_check import check_lesson
from core.lessons.lesson_document import lesson_from_bytes, lesson_from_json
from core.lessons.lesson_problems import lesson_problems
from core.lessons.lesson_writing import lesson_to_bytes, lesson_to_json
from core.lessons.questions.question import ListAnswer, NumberAnswer
from core.lessons.questions.question_types import QUESTION_TYPES, question_from_json
from explorer.cli.run import run
from explorer.lessons.lesson_pages import lesson_pages
from explorer.lessons.question_box import QuestionBox
from explorer.lessons.question_form import OWN_FIELDS, QuestionForm
from explorer.lessons.worksheet import worksheet
from tests.core.lessons.lesson_examples import LESSON, question_of, right_answer, verdict, wrong_answer

VALUES = {
    "goal": 11,
    "objective": "mean-response",
    "within": {"seconds": 1, "percent": 5},
    "of": {"job": "b job", "event": "last map ends"},
    "slots": "map",
    "choices": ["yes", "no"],
    "right": 1,
    "why": "It is so.",
}
"""A value for each field that a type may have, other than its default."""
VIEW = {
    "workload": "tiny",
    "scenarios": [{"policy": "fifo"}, {"policy": "order", "order": ["b job", "a"]}],
    "cursor": [0, 0],
}
JOBS, CHARTS = ["a", "b job"], ["FIFO", "Turned"]
each_type = pytest.mark.parametrize("kind", QUESTION_TYPES)


def question_document(kind):
    """Return a question with every field that its type has, as documents have it."""
    own = {key: VALUES[key] for key in QUESTION_TYPES[kind].own_fields()}
    return {"kind": kind, "text": f"Asked: {kind}?", "hint": "Look.", "after": "So.", "scenario": 1, **own}


@pytest.fixture(scope="module")
def lesson():
    """A lesson that asks a question of each type."""
    steps = [
        {"title": kind, "text": "", "view": VIEW, "veil": {"from": 0}, "question": question_document(kind)}
        for kind in QUESTION_TYPES
    ]
    return lesson_from_json(LESSON | {"steps": steps}, "all types")


@pytest.fixture(scope="module")
def pages(lesson, qapp):
    return dict(zip(QUESTION_TYPES, lesson_pages(lesson), strict=True))


def test_documents_and_checks_know_every_type(lesson):
    assert lesson_from_bytes(lesson_to_bytes(lesson), "again") == lesson
    written = [step["question"] for step in lesson_to_json(lesson)["steps"]]
    assert written == [question_document(kind) for kind in QUESTION_TYPES]
    alone = [replace(lesson, steps=(step,)) for step in lesson.steps]  # one answers another
    checked = [step for each in alone for step in check_lesson(each)]
    assert [step.problems for step in checked] == [()] * len(QUESTION_TYPES)
    assert [step.kind for step in checked] == list(QUESTION_TYPES)
    assert all(step.right != step.wrong for step in checked)


def test_every_field_of_a_type_can_be_edited():
    assert set(OWN_FIELDS) == {key for each in QUESTION_TYPES.values() for key in each.own_fields()}


@each_type
def test_a_type_is_judged_and_handed_out(pages, kind):
    page = pages[kind]
    step = page.read.simulated
    assert verdict(step, right_answer(step)).is_right
    assert not verdict(step, wrong_answer(step)).is_right
    assert page.question.startswith(f"**Asked: {kind}?**")
    assert page.answer.startswith("**")
    assert page.answer.endswith("\n\nSo.")


def test_a_worksheet_and_the_command_line_have_every_type(lesson, pages, tmp_path, capsys):
    assert worksheet(lesson, list(pages.values())).startswith(b"%PDF")
    path = tmp_path / "all.lesson.json"
    path.write_bytes(lesson_to_bytes(lesson))
    assert run(["lesson", "show", str(path), "--answers", "--json"]) == 0
    steps = json.loads(capsys.readouterr().out)["steps"]
    assert [step["question"]["kind"] for step in steps] == list(QUESTION_TYPES)
    assert all(step["question"]["answer"] for step in steps)


@each_type
def test_a_type_is_answered_in_the_window(pages, kind, shown, qtbot):
    read, box = pages[kind].read, shown(QuestionBox())
    right = right_answer(read.simulated)
    box.show_question(read.question, read.options)
    form = read.question.answer_form
    if isinstance(form, ListAnswer):
        assert not box.check_button.isEnabled()
        box.pick(right)
    elif isinstance(form, NumberAnswer):
        assert not box.check_button.isEnabled()
        box.number.setValue(right)
        assert box.number.text().endswith(form.unit)
    with qtbot.waitSignal(box.answered) as answered:
        box.check_button.click()
    value = right if answered.args[0] is None else answered.args[0]
    judged = question_of(read.simulated).judge(read.simulated, value)
    box.show_verdict(judged, answered.args[1])
    assert box.verdict.text().startswith("✔ Right.")


@each_type
def test_the_editor_keeps_a_question_and_makes_it_of_any_other(lesson, kind, shown):
    for number, other in enumerate(QUESTION_TYPES):
        form = shown(QuestionForm(lesson.steps[number].question, JOBS, CHARTS))
        form.kind.setCurrentIndex(form.kind.findData(kind))
        made, problems = form.value, []
        assert made.kind == kind
        assert question_from_json(made.to_json(), "question", problems) == made, problems
        if other == kind:
            assert made == lesson.steps[number].question
        else:
            changed = replace(lesson, steps=(replace(lesson.steps[0], question=made),))
            wrong = [problem.where for problem in lesson_problems(changed)]
            assert wrong == (["steps[0].question.choices"] if kind == "choice" else [])  # not written yet


def test_a_workload_without_jobs_leaves_the_job_open(shown):
    form = shown(QuestionForm(None, [], CHARTS))
    form.kind.setCurrentIndex(form.kind.findData("time"))
    assert form.value.to_json()["of"] == {"job": "", "event": "arrives"}
