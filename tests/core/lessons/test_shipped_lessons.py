"""Each lesson that ships is walked through to its end, and tells only what the simulator shows."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.forecast.advice import advise
from core.forecast.forecast import forecast
from core.lessons.figures import FIGURE, filled
from core.lessons.lesson_check import check_lesson
from core.lessons.lesson_document import lesson_paths, read_lesson
from core.lessons.lesson_writing import lesson_to_bytes
from core.lessons.questions.times import SecondsQuestion
from core.lessons.shown_step import SimulatedStep, shown_step
from core.measures.metrics import response_times
from core.model.task_types import MAP, REDUCE
from core.model.time_text import duration_text, exact_clock
from tests.core.lessons.lesson_examples import right_answer, verdict, wrong_answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.lessons.lesson import Lesson

NAMES = [
    "why-order-matters",
    "johnson-and-where-he-fails",
    "waves",
    "the-shuffle-that-hides",
    "fairness-costs",
    "idle-slots-next-door",
    "deadlines-with-fewer-slots",
    "overlap-done-right",
    "sharing-a-scan",
    "what-the-driver-waits-for",
    "tonight",
]
each_lesson = pytest.mark.parametrize("name", NAMES)


@cache
def lesson_of(name: str) -> Lesson:
    return read_lesson(lesson_paths()[name])


@cache
def simulated_steps(name: str) -> tuple[SimulatedStep, ...]:
    lesson = lesson_of(name)
    return tuple(SimulatedStep(shown_step(lesson, number)) for number in range(len(lesson.steps)))


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
    for step in simulated_steps(name):
        asked = step.shown.step.question
        if asked is None:
            continue
        judged, wrong = verdict(step, right_answer(step)), verdict(step, wrong_answer(step))
        assert judged.is_right, step.shown.step.title
        assert not wrong.is_right, step.shown.step.title
        assert judged.truth == wrong.truth
        assert judged.reasons or asked.after, "a student is told why"
        assert all(re.fullmatch(r".+[.!?:]", sentence, re.S) for sentence in (judged.truth, *judged.reasons))


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
    for step in simulated_steps(name):
        shown = step.shown.step
        known = set(_known_times(step))
        texts = [shown.text, *(mark.text for mark in shown.view.marks)]
        if shown.question is not None:
            texts += [shown.question.text, *shown.question.late_texts]
            if isinstance(shown.question, SecondsQuestion):
                known.add(duration_text(shown.question.within.seconds))
        for text in texts:
            plain = FIGURE.sub("", text)
            for found in re.findall(r"\d[\d.]*(?: min \d\d)? s\b|\d+:\d\d", plain):
                assert found in known, f"{shown.title}: {found}"


@each_lesson
def test_what_a_reason_estimates_is_a_duration_that_the_step_shows(name: str) -> None:
    """A stage that fills its slots lasts as long as one of its tasks, and a reason says that number."""
    for step in simulated_steps(name):
        if step.shown.step.question is None:
            continue
        known = set(_known_times(step))
        for reason in verdict(step, right_answer(step)).reasons:
            for found in re.findall(r"estimated ([\d.]+ s), reduces ([\d.]+ s)", reason):
                assert set(found) <= known, f"{step.shown.step.title}: {reason}"


def _known_times(step: SimulatedStep) -> Iterator[str]:
    """Yield what a text may say as it is: what was given, when tasks start and end, what jobs take."""
    view = step.shown.step.view
    cursor = None if view.cursor is None else view.cursor[0]
    looked_at = [view.scans, cursor, *(mark.time for mark in view.marks)]
    yield from (exact_clock(seconds) for seconds in looked_at if seconds is not None)
    for chart in step.shown.charts:
        state, scenario = step.shown.of(chart)
        columns, schedule = state.workload.columns, step.schedule(chart)
        if (events := schedule.cluster.events) is not None:
            yield from (exact_clock(event.time) for event in events.happen)
        yield from (f"{value} s" for value in scenario.choice.parameters.values())
        of_tasks = columns.duration, columns.first_shuffle, columns.typical_shuffle
        spans = {float(each) for times in (*of_tasks, response_times(schedule)) for each in times}
        spans |= {*columns.links.think.tolist(), float(columns.links.think.sum())}
        yield from (f"{seconds:g} s" for seconds in spans)
        yield from map(duration_text, spans)
        instants = schedule.start, schedule.end, columns.arrival, columns.deadline
        yield from (exact_clock(float(each)) for times in instants for each in times)


def _most_at_once(step: SimulatedStep, kind: int) -> set[int]:
    """Return how many tasks of a kind a job runs at most at a time, for every job of every chart."""
    found = set()
    for schedule in map(step.schedule, step.shown.charts):
        columns = schedule.workload.columns
        for job in range(len(schedule.workload.jobs)):
            own = (columns.job == job) & (columns.kind == kind)
            start, end = schedule.start[own], schedule.end[own]
            found.add(max((int(((start <= t) & (t < end)).sum()) for t in start), default=0))
    return found


@each_lesson
def test_counts_in_the_texts_are_those_of_the_charts(name: str) -> None:
    for step in simulated_steps(name):
        counts: dict[str, set[int]] = {"map": set(), "reduce": set()}
        slots: dict[str, set[int]] = {"map": set(), "reduce": set()}
        for chart in step.shown.charts:
            state, scenario = step.shown.of(chart)
            for kind, word in ((MAP, "map"), (REDUCE, "reduce")):
                counts[word] |= set(state.workload.columns.count[:, kind].tolist())
                slots[word] |= {state.cluster_of(scenario).stage_slots[kind], *_most_at_once(step, kind)}
        text = filled(step.shown.step.text, step)
        for number, word in re.findall(r"\b(\d+)\*{0,2} (map|reduce)s\b", text):
            assert int(number) in counts[word] | slots[word], (step.shown.step.title, number, word)
        for number, word in re.findall(r"\b(\d+)\*{0,2} (map|reduce) slots?\b", text):
            assert int(number) in slots[word], (step.shown.step.title, number, word)


@each_lesson
def test_where_waves_are_spoken_of_the_chart_shows_where_they_begin(name: str) -> None:
    """Waves are drawn of the job that is selected."""
    for step in lesson_of(name).steps:
        texts = [step.title, step.text]
        if step.question is not None:
            texts += [step.question.text, *step.question.printed_choices]
        if re.search(r"\bwaves?\b", " ".join(texts)):
            assert step.view.selected_job, step.title


@each_lesson
def test_jobs_have_names_and_no_counts(name: str) -> None:
    """A job called "12 maps" reads as if something had twelve maps of its own."""
    for known in lesson_of(name).workloads:
        for job in known.workload.jobs:
            assert not re.search(r"\d+ (?:map|reduce|task)s?\b", job.name)


@pytest.mark.parametrize(("name", "numbers"), [("why-order-matters", (3, 4, 5)), ("fairness-costs", (3, 4))])
def test_both_jobs_of_thin_stripes_are_labelled(name: str, numbers: tuple[int, ...]) -> None:
    """A name has no room in a stripe of some pixels; a label points at it from beside."""
    for number in numbers:
        marks = lesson_of(name).steps[number - 1].view.marks
        for chart in {mark.chart for mark in marks}:
            named = {mark.task.job for mark in marks if mark.task is not None and mark.chart == chart}
            assert named == {"J1", "J2"}
            assert {mark.text[-2:] for mark in marks if mark.task and mark.chart == chart} == named


def test_what_tonight_says_of_a_report_and_of_chances_is_so() -> None:
    """Choices are not judged by the simulator: the report's places, and the chance of the invoices."""
    steps = {step.shown.step.title: step for step in simulated_steps("tonight")}
    report, sure = steps["One more job"], steps["How sure is that?"]
    late = [
        np.sum((s := report.schedule(c)).finish > s.workload.columns.deadline) for c in report.shown.charts
    ]
    assert [int(number) for number in late] == [1, 0, 0]
    plan = sure.schedule(sure.shown.charts[0])
    for seed in (1, 2):
        found = forecast(plan, 50.0, error=0.3, seed=seed)
        assert 0.58 < found.in_time[3] < 0.76
    front = next(each for each in advise(plan, 50.0, error=0.3) if each.relief.kind == "front")
    assert front.relief.words == "move invoices to the front"
    assert front.in_time[3] > 0.95
