"""`slotscope lesson`: list and read lessons, check what you write, and make one file of it for students."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from core.model.time_text import exact_duration
from explorer.cli.command import Command, argument, flag, option
from explorer.cli.requests import json_option
from explorer.cli.screen import picked, print_json, print_line, print_table, progress

if TYPE_CHECKING:
    from core.lessons.lesson import Lesson
    from core.lessons.lesson_check import CheckedStep
    from core.lessons.shown_step import SimulatedStep

MARGIN = "  "
VERSION = 1
"""Of the JSON; grows when a field changes its meaning."""


class LessonsCommand(Command, name="lesson list"):
    """List the lessons that come with Slotscope."""

    json: bool = json_option()

    def run(self) -> None:
        """List them."""
        from core.lessons.lesson_document import lesson_paths, read_lesson

        lessons = {name: read_lesson(path) for name, path in lesson_paths().items()}
        if self.json:
            print_json([{"name": name} | _head(lesson) for name, lesson in lessons.items()])
        else:
            print_line("\n\n".join(_entry(name, lesson) for name, lesson in lessons.items()))


def _entry(name: str, lesson: Lesson) -> str:
    """Return a lesson's row of the list."""
    counts = f"{len(lesson.steps)} steps, {lesson.question_count} questions, {lesson.minutes} min"
    return f"{name} · {counts}\n{MARGIN}{lesson.summary}"


def _head(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as JSON, without its steps."""
    counts = {"steps": len(lesson.steps), "questions": lesson.question_count}
    return picked(lesson, "title=name summary minutes") | counts


class OneLesson(Command):
    """What is about one lesson."""

    lesson: str = argument("F", "a lesson document, or the name of one of 'slotscope lesson list'")

    def found(self) -> Lesson:
        """Return the lesson."""
        from core.lessons.lesson_document import find_lesson

        return find_lesson(self.lesson)


# ---- show


class ShowLessonCommand(OneLesson, name="lesson show"):
    """Print the steps of a lesson with their figures."""

    answers: bool = flag("with the right answers, and why they are right")
    json: bool = json_option()

    def run(self) -> None:
        """Simulate and print every step."""
        from core.lessons.shown_step import SimulatedStep, shown_step

        lesson = self.found()
        steps = []
        with progress(f"Simulating {lesson.name}") as show:
            for number in range(len(lesson.steps)):
                show(number / len(lesson.steps))
                steps.append(_step_values(SimulatedStep(shown_step(lesson, number)), answers=self.answers))
        if self.json:
            head = picked(lesson, "title=name summary minutes")
            print_json({"version": VERSION} | head | {"steps": steps})
            return
        print_line(f"{lesson.name}\n{lesson.summary}")
        for number, step in enumerate(steps, 1):
            _print_step(number, len(steps), step)


def _step_values(step: SimulatedStep, *, answers: bool) -> dict[str, Any]:
    """Return a step as JSON; its texts have their figures."""
    from core.lessons.figures import filled

    shown = step.shown.step
    charts = [step.shown.title(chart) for chart in step.shown.charts]
    values: dict[str, Any] = {"title": shown.title, "text": filled(shown.text, step), "charts": charts}
    if (question := shown.question) is None:
        return values
    read = question.with_figures(step)
    values["question"] = picked(read, "kind text hint") | {"choices": read.printed_choices}
    if answers:
        right = question.right_answer(step)
        verdict = picked(question.judge(step, right), "truth reasons after")
        values["question"] |= {"answer": question.answer_text(step, right)} | verdict
    return values


def _print_step(number: int, count: int, step: dict[str, Any]) -> None:
    print_line(f"\n{number} of {count} · {step['title']}\n\n{step['text']}")
    print_line(f"\nCharts: {'; '.join(step['charts'])}")
    question = step.get("question")
    if question is None:
        return
    print_line(f"\nQuestion: {question['text']}")
    for i, choice in enumerate(question["choices"], 1):
        print_line(f"  {i}. {choice}")
    if question["hint"]:
        print_line(f"Hint: {question['hint']}")
    if "answer" in question:
        print_line(f"Answer: {question['answer']}. {' '.join((question['truth'], *question['reasons']))}")
        if question["after"]:
            print_line(question["after"])


# ---- check and pack


class CheckLessonCommand(OneLesson, name="lesson check"):
    """Simulate every step, answer every question rightly and wrongly, and list every problem."""

    json: bool = json_option()

    def run(self) -> None:
        """Print what every step shows, or an InputError with every problem."""
        from core.lessons.lesson_check import check_lesson

        lesson = self.found()
        with progress(f"Walking through {lesson.name}") as show:
            steps = check_lesson(lesson, show)
        problems = [
            f"step {step.number + 1}, '{step.title}': {problem.sentence}"
            for step in steps
            for problem in step.problems
        ]
        if self.json:
            names = "title kind right wrong"
            rows = [
                picked(step, names)
                | {"problems": [each.sentence for each in step.problems], "makespans": dict(step.makespans)}
                for step in steps
            ]
            print_json({"version": VERSION} | _head(lesson) | {"problems": len(problems), "steps": rows})
        if problems:
            raise InputError("\n".join(problems))
        if not self.json:
            columns = (">step", "title", "makespans", "question", "right", "wrong")
            print_table(lesson.name, columns, [_row(step) for step in steps])
            print_line("Every step can be shown, and every question answered.")


def _row(step: CheckedStep) -> tuple[object, ...]:
    makespans = ", ".join(exact_duration(s) if math.isfinite(s) else "–" for _, s in step.makespans)
    return step.number + 1, step.title, makespans, step.kind, step.right, step.wrong


class PackLessonCommand(OneLesson, name="lesson pack"):
    """Write a lesson with all its workloads inside: one file to give to students."""

    out: str = option("F.lesson.json", "the document to write")

    def run(self) -> None:
        """Write it."""
        from core.lessons.lesson import packed
        from core.lessons.lesson_writing import write_lesson

        lesson = self.found()
        write_lesson(packed(lesson), Path(self.out))
        inside = f"{len(lesson.steps)} steps and {len(lesson.workloads)} workloads"
        print_line(f"{lesson.name}: {inside}; written to {self.out}")
