"""What a page needs to judge the answers to a question where nothing is simulated: worked out before."""

from __future__ import annotations

import math
from itertools import permutations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.lessons.poll import plain
from core.lessons.questions.order import FEW_JOBS, OrderQuestion
from core.lessons.questions.question import HandAnswer, ListAnswer, NumberAnswer, OrderAnswer
from core.lessons.questions.times import SecondsQuestion
from core.model.errors import InputError
from core.model.visible_text import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.lessons.questions.question import LessonQuestion, LookAt, Verdict
    from core.lessons.shown_step import SimulatedStep
    from core.model.schedule import Schedule

    Json = dict[str, Any]  # Any: JSON

MAX_OPTIONS = 500
"""Of a question that is answered by one of them: every answer is judged before."""
NOT_HERE = (
    "This is played in Slotscope itself, where every pick is simulated. Here you can look at an answer; "
    "it does not count."
)
FEW_KNOWN = (
    "This page knows no simulator, and the workload has too many orders to judge all of them before. "
    "It takes the order that the lesson names; others can be judged in Slotscope."
)


class PageAnswers(NamedTuple):
    """A question as a page has it.

    Attributes
    ----------
    asked : what is shown before it is answered: the form of answer, its options, its note; JSON
    judged : what is known of every answer; JSON, with texts of authors in Markdown under "after"
    orders : the schedules of the orders that are judged, by the numbers of their jobs: "1 0 2"
    """

    asked: Json
    judged: Json
    orders: Mapping[str, Schedule] = MappingProxyType({})


def page_answers(question: LessonQuestion, step: SimulatedStep) -> PageAnswers:
    """Return what a page has to know of a question, whose early texts have their figures.

    Raises
    ------
    InputError
        it has more options than a page holds
    Others
        what `LessonQuestion.judge` raises
    """
    form = question.answer_form
    judged: Json = {"isComputed": question.is_computed}
    match form:
        case ListAnswer():
            return _of_options(question, step, form, judged)
        case NumberAnswer():
            assert isinstance(question, SecondsQuestion)
            return _of_number(question, step, form, judged)
        case OrderAnswer():
            assert isinstance(question, OrderQuestion)
            return _of_order(question, step, judged)
        case HandAnswer():
            right = question.right_answer(step)
            text = question.answer_text(step, right)
            verdict = _verdict_json(question.judge(step, right), step)
            return PageAnswers({"form": "hand", "note": NOT_HERE}, {**judged, "text": text, "right": verdict})


def _of_options(question: LessonQuestion, step: SimulatedStep, form: ListAnswer, judged: Json) -> PageAnswers:
    options = question.options(step)
    if len(options) > MAX_OPTIONS:
        raise InputError(
            f"the question '{plain(question.text)}' has {len(options)} answers; "
            f"a page holds at most {MAX_OPTIONS}"
        )
    as_text = plain if question.printed_choices else visible  # names of jobs and charts are no Markdown
    asked = {
        "form": "list",
        "clicked": form.clicked,
        "options": [as_text(option.text) for option in options],
        "jobs": [option.job for option in options],
        "slots": [option.value for option in options] if form.clicked == "slot" else [],
    }
    verdicts = [_verdict_json(question.judge(step, option.value), step) for option in options]
    return PageAnswers(asked, {**judged, "verdicts": verdicts})


def _of_number(
    question: SecondsQuestion, step: SimulatedStep, form: NumberAnswer, judged: Json
) -> PageAnswers:
    """Return the right number with its tolerance, for the page to judge answers by."""
    right = question.right_answer(step)
    verdict = _verdict_json(question.judge(step, right), step)
    asked = {"form": "number", "unit": form.unit, "noun": form.noun}
    return PageAnswers(
        asked, {**judged, "number": right, "allowed": question.allowed(right), "right": verdict}
    )


def _of_order(question: OrderQuestion, step: SimulatedStep, judged: Json) -> PageAnswers:
    """Return the verdict on every order of few jobs; of many that on the order which the lesson names."""
    schedule = question.schedule(step)
    jobs = schedule.workload.jobs
    names = tuple(job.name for job in jobs)
    few = len(names) <= FEW_JOBS
    answers = list(permutations(names)) if few else [tuple(question.right_answer(step))]
    schedules = [question.in_order(step, answer) for answer in answers]
    index = {name: place for place, name in enumerate(names)}
    keys = [" ".join(str(index[name]) for name in answer) for answer in answers]
    verdicts = [_verdict_json(verdict, step) for verdict in question.judge_all(step, schedules)]
    asked = {
        "form": "order",
        "options": list(names),
        "first": np.argsort(schedule.rank, kind="stable").tolist(),
        "note": "" if few else FEW_KNOWN,
    }
    judged |= {"orders": dict(zip(keys, verdicts, strict=True))}
    return PageAnswers(asked, judged, dict(zip(keys, schedules, strict=True)))


def _verdict_json(verdict: Verdict, step: SimulatedStep) -> Json:
    """Return a verdict as JSON; what is infinite is None."""
    return {
        "right": verdict.is_right,
        "near": verdict.near,
        "truth": verdict.truth,
        "reasons": list(verdict.reasons),
        "after": verdict.after,
        "look": _look_json(verdict.look, step),
        "lifts": verdict.lifts_to if math.isfinite(verdict.lifts_to) else None,
    }


def _look_json(look: LookAt, step: SimulatedStep) -> Json:
    """Return where to look: the chart by its place, the time cursor and the slot."""
    slot, time = look.slot, None if look.cursor is None else look.cursor[0]
    schedule = step.schedule(look.chart)
    if look.task >= 0:
        slot, time = int(schedule.slot[look.task]), float(schedule.start[look.task])
    return {
        "chart": step.shown.charts.index(look.chart),
        "cursor": None if look.cursor is None else look.cursor[0],
        "job": look.job,
        "slot": slot,
        "start": time,
        "isTask": look.task >= 0,
    }
