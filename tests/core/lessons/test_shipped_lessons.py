"""Each lesson that ships is walked through to its end, and tells only what the simulator shows."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import pytest

from core.lessons.figures import FIGURE, filled
from core.lessons.lesson_check import check_lesson
from core.lessons.lesson_document import lesson_paths, read_lesson
from core.lessons.lesson_writing import lesson_to_bytes
from core.lessons.shown_step import SimulatedStep, shown_step
from core.lessons.verdicts import right_answer, verdict, wrong_answer
from core.model.job import MAP, REDUCE
from core.model.time_text import duration_text, exact_clock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.lessons.lesson import Lesson

NAMES = [
    "why-order-matters",
    "johnson-and-where-he-fails",
    "waves",
    "the-shuffle-that-hides",
]
each_lesson = pytest.mark.parametrize("name", NAMES)


@cache
def lesson_of(name: str) -> Lesson:
    return read_lesson(lesson_paths()[name])


def simulated_steps(lesson: Lesson) -> list[SimulatedStep]:
    return [SimulatedStep(shown_step(lesson, number)) for number in range(len(lesson.steps))]


def test_the_lessons_of_this_version() -> None:
    assert list(lesson_paths()) == NAMES
    veiled = [name for name in NAMES if any(step.veil for step in lesson_of(name).steps)]
    assert len(veiled) >= 3


@each_lesson
def test_a_lesson_is_walked_through_and_every_question_answered(name: str) -> None:
    lesson = lesson_of(name)
    assert 4 <= len(lesson.steps) <= 9
    assert lesson.question_count >= 1
    assert lesson.summary
    assert 5 <= lesson.minutes <= 30
    assert len({step.title for step in lesson.steps}) == len(lesson.steps)
    for step in simulated_steps(lesson):
        asked = step.shown.step.question
        if asked is None:
            continue
        told, wrong = verdict(step, right_answer(step)), verdict(step, wrong_answer(step))
        assert told.is_right, step.shown.step.title
        assert not wrong.is_right, step.shown.step.title
        assert told.truth == wrong.truth
        assert told.reasons or asked.after, "a student is told why"
        assert all(re.fullmatch(r".+[.!?]", sentence, re.S) for sentence in (told.truth, *told.reasons))


@each_lesson
def test_nothing_is_wrong_with_a_lesson(name: str) -> None:
    assert [step.problems for step in check_lesson(lesson_of(name)) if step.problems] == []


@each_lesson
def test_writing_a_lesson_again_gives_the_same_file(name: str) -> None:
    assert lesson_to_bytes(lesson_of(name)) == lesson_paths()[name].read_bytes()


@each_lesson
def test_times_in_the_texts_come_from_the_simulator(name: str) -> None:
    """What is written as it is must be a duration of the workload; all else is filled in.

    Hints may do sums, and choices may be wrong: they are left out.
    """
    for step in simulated_steps(lesson_of(name)):
        shown = step.shown.step
        known = set(_known_times(step))
        texts = [shown.text, *(mark.text for mark in shown.view.marks)]
        if shown.question is not None:
            texts += [shown.question.text, shown.question.after, shown.question.why]
            known.add(duration_text(shown.question.within))
        for text in texts:
            plain = FIGURE.sub("", text)
            for found in re.findall(r"\d[\d.]*(?: min \d\d)? s\b|\d+:\d\d", plain):
                assert found in known, f"{shown.title}: {found}"


def _known_times(step: SimulatedStep) -> Iterator[str]:
    for chart in step.shown.charts:
        state = step.shown.of(chart)[0]
        columns, schedule = state.workload.columns, step.schedule(chart)
        of_tasks = columns.duration, columns.first_shuffle, columns.typical_shuffle
        for seconds in {float(each) for times in (*of_tasks, columns.arrival) for each in times}:
            yield duration_text(seconds)
        for seconds in {
            float(each) for times in (schedule.start, schedule.end, columns.arrival) for each in times
        }:
            yield exact_clock(seconds)


@each_lesson
def test_counts_in_the_texts_are_those_of_the_charts(name: str) -> None:
    for step in simulated_steps(lesson_of(name)):
        counts: dict[str, set[int]] = {"map": set(), "reduce": set()}
        slots: dict[str, set[int]] = {"map": set(), "reduce": set()}
        for chart in step.shown.charts:
            state, scenario = step.shown.of(chart)
            for kind, word in ((MAP, "map"), (REDUCE, "reduce")):
                counts[word] |= set(state.workload.columns.count[:, kind].tolist())
                slots[word].add(state.cluster_of(scenario).stage_slots[kind])
        text = filled(step.shown.step.text, step)
        for number, word in re.findall(r"\b(\d+)\*{0,2} (map|reduce)s\b", text):
            assert int(number) in counts[word] | slots[word], (step.shown.step.title, number, word)
        for number, word in re.findall(r"\b(\d+)\*{0,2} (map|reduce) slots?\b", text):
            assert int(number) in slots[word], (step.shown.step.title, number, word)
