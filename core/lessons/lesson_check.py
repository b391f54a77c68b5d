"""Walk through a lesson as a student does, and list everything that a student would stumble over."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from core.lessons.board import Board
from core.lessons.figures import figures_in
from core.lessons.shown_step import SimulatedStep, shown_step
from core.lessons.simulated_view import mark_begin
from core.model.errors import Cancelled, SlotscopeError
from core.model.progress import never_stop, no_progress
from core.model.time_text import exact_clock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.lessons.lesson import Lesson
    from core.lessons.questions.question import LessonQuestion


class StepProblem(NamedTuple):
    """What is wrong with a step.

    Attributes
    ----------
    part : of the step that is to be mended, as documents name it: "text", "view", "veil" or "question"
    sentence : what is wrong
    """

    part: str
    sentence: str


@dataclass(frozen=True)
class CheckedStep:
    """What a step shows, its question, and what is wrong with it.

    Attributes
    ----------
    number : from 0
    title : of the step
    makespans : seconds by the title of the chart, the scenarios first; nan where it cannot be simulated
    kind, right, wrong : of the question, and a right and a wrong answer as texts; empty where there is none
    problems : what students would stumble over
    """

    number: int
    title: str
    makespans: tuple[tuple[str, float], ...]
    kind: str
    right: str
    wrong: str
    problems: tuple[StepProblem, ...]


def check_lesson(
    lesson: Lesson,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> tuple[CheckedStep, ...]:
    """Simulate every step of a lesson, answer its questions rightly and wrongly, and look at its marks.

    Parameters
    ----------
    lesson : it keeps the rules of lesson documents
    progress : called with the fraction of the steps that are done, 0 to 1
    should_stop : asked now and then; True cancels

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    checked, board = [], Board()
    for number in range(len(lesson.steps)):
        progress(number / len(lesson.steps))
        if should_stop():
            raise Cancelled("the check was cancelled")
        step = SimulatedStep(shown_step(lesson, number), should_stop=should_stop)
        checked.append(_checked(step, number, board))
    return tuple(checked)


def _checked(step: SimulatedStep, number: int, board: Board) -> CheckedStep:
    problems: list[StepProblem] = []
    makespans = []
    for chart in step.shown.charts:
        try:
            makespans.append((step.shown.title(chart), step.schedule(chart).makespan))
        except Cancelled:
            raise
        except SlotscopeError as error:
            makespans.append((str(chart), math.nan))
            problems.append(StepProblem("view", f"{chart}: {error}"))
    if not step.shown.step.title.strip():
        problems.append(StepProblem("title", "the step has no title; the list of steps shows it"))
    question = step.shown.step.question
    answers = ("", "")
    if all(math.isfinite(seconds) for _, seconds in makespans):
        problems += _misplaced(step, max(seconds for _, seconds in makespans))
        problems += _texts(step)
        wrong: list[str] = []
        if question is not None:
            answers, wrong = _answers(question, step)
        of_question = wrong or board.leaks_of(step, number)
        problems += [StepProblem("question", sentence) for sentence in of_question]
    kind = question.kind if question else ""
    return CheckedStep(number, step.shown.step.title, tuple(makespans), kind, *answers, tuple(problems))


def _misplaced(step: SimulatedStep, end: float) -> Iterator[StepProblem]:
    """Yield what points at nothing, or hides nothing."""
    shown = step.shown.step
    times = [("the time cursor stands", shown.view.cursor[0] if shown.view.cursor else None)]
    times += [("the veil begins", shown.veiled_from), ("the zoom begins", (shown.view.zoom or [None])[0])]
    times += [("the circles stand", shown.view.scans)]
    times += [(f"the mark '{mark.text}' points", mark.time) for mark in shown.view.marks]
    for what, seconds in times:
        if seconds is not None and (seconds > end or (seconds == end and "begins" in what)):
            part = "veil" if what == "the veil begins" else "view"
            sentence = f"{what} at {exact_clock(seconds)}, and all charts end at {exact_clock(end)}"
            yield StepProblem(part, sentence)
    for mark in shown.view.marks:
        try:
            begin = mark_begin(mark, step.schedule(mark.chart))
        except SlotscopeError as error:
            yield StepProblem("view", str(error))
            continue
        if shown.veil is not None and shown.veil.hides(mark.chart) and begin >= (shown.veiled_from or 0.0):
            yield StepProblem("view", f"the mark '{mark.text}' points at what the veil hides")


def _texts(step: SimulatedStep) -> Iterator[StepProblem]:
    """Yield figures that cannot be filled in, or that give away what the veil hides."""
    shown = step.shown.step
    question = shown.question
    late = question.late_texts if question else ()
    texts = [
        ("text", shown.text),
        ("hands_on", shown.hands_on),
        *(("view", mark.text) for mark in shown.view.marks),
        *(("question", text) for text in (*(question.early_texts if question else ()), *late)),
    ]
    for part, text in texts:
        try:
            figures = figures_in(text, step)
        except SlotscopeError as error:
            yield StepProblem(part, str(error))
            continue
        if shown.veil is None or text in late:
            continue
        for figure in figures:
            hidden = any(map(shown.veil.hides, figure.charts)) and figure.latest > (shown.veiled_from or 0.0)
            if hidden:
                sentence = (
                    f"{figure.source} tells '{figure.text}' of a chart that is veiled; say it in 'after'"
                )
                yield StepProblem(part, sentence)


def _answers(question: LessonQuestion, step: SimulatedStep) -> tuple[tuple[str, str], list[str]]:
    """Answer a question rightly and wrongly: both answers as texts, and what is wrong with the question."""
    try:
        right, wrong = question.right_answer(step), question.wrong_answer(step)
        texts = question.answer_text(step, right), "" if wrong is None else question.answer_text(step, wrong)
        problems = []
        if not question.judge(step, right).is_right:
            problems.append(f"the right answer '{texts[0]}' is not taken as right")
        if wrong is None:
            problems.append("every answer to the question is right")
        elif question.judge(step, wrong).is_right:
            problems.append(f"the wrong answer '{texts[1]}' is taken as right")
    except Cancelled:
        raise
    except SlotscopeError as error:
        return ("", ""), [f"the question has no answer: {error}"]
    return texts, problems
