"""`slotscope lesson`: list and read lessons, check what you write, and make one file of it for students."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from core.model.time_text import exact_duration
from explorer.cli import lesson_handouts
from explorer.cli.parser import Parser
from explorer.cli.requests import add_command, add_json
from explorer.cli.screen import picked, print_json, print_line, print_table, progress

if TYPE_CHECKING:
    from argparse import Namespace

    from core.lessons.lesson import Lesson
    from core.lessons.lesson_check import CheckedStep
    from core.lessons.shown_step import SimulatedStep
    from explorer.cli.requests import Commands

MARGIN = "  "
VERSION = 1
"""Of the JSON; grows when a field changes its meaning."""
SOURCE = "a lesson document, or the name of one of 'slotscope lesson list'"


def add_parser(commands: Commands) -> None:
    """Add the command and its actions."""
    text = "lessons: list and read them, check one that you write, make slides and worksheets of it"
    parser = add_command(commands, "lesson", text, run)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=Parser)
    add_json(add_command(actions, "list", "list the lessons that come with Slotscope", _list))
    show = add_command(actions, "show", "print the steps of a lesson with their figures", _show)
    show.add_argument("lesson", metavar="F", help=SOURCE)
    show.add_argument("--answers", action="store_true", help="with the right answers, and why they are right")
    add_json(show)
    text = "simulate every step, answer every question rightly and wrongly, and tell every problem"
    check = add_command(actions, "check", text, _check)
    check.add_argument("lesson", metavar="F", help=SOURCE)
    add_json(check)
    text = "write a lesson with all its workloads inside: one file to give to students"
    pack = add_command(actions, "pack", text, _pack)
    pack.add_argument("lesson", metavar="F", help=SOURCE)
    pack.add_argument("--out", metavar="F.lesson.json", required=True, help="the document to write")
    lesson_handouts.add_actions(actions, SOURCE)


def run(options: Namespace) -> int:
    """Run one action; each sets itself."""
    code: int = options.run(options)
    return code


def _list(options: Namespace) -> int:
    from core.lessons.lesson_document import lesson_paths, read_lesson

    lessons = {name: read_lesson(path) for name, path in lesson_paths().items()}
    if options.json:
        print_json([{"name": name} | _head(lesson) for name, lesson in lessons.items()])
        return 0
    print_line("\n\n".join(_entry(name, lesson) for name, lesson in lessons.items()))
    return 0


def _entry(name: str, lesson: Lesson) -> str:
    """Return what the list says of a lesson."""
    counts = f"{len(lesson.steps)} steps, {lesson.question_count} questions, {lesson.minutes} min"
    return f"{name} · {counts}\n{MARGIN}{lesson.summary}"


def _head(lesson: Lesson) -> dict[str, Any]:
    """Return what JSON says of a lesson as a whole."""
    counts = {"steps": len(lesson.steps), "questions": lesson.question_count}
    return {"title": lesson.name} | picked(lesson, "summary minutes") | counts


# ---- show


def _show(options: Namespace) -> int:
    from core.lessons.lesson_document import find_lesson
    from core.lessons.shown_step import SimulatedStep, shown_step

    lesson = find_lesson(options.lesson)
    steps = []
    with progress(f"Simulating {lesson.name}") as show:
        for number in range(len(lesson.steps)):
            show(number / len(lesson.steps))
            steps.append(_step_values(SimulatedStep(shown_step(lesson, number)), answers=options.answers))
    if options.json:
        print_json(
            {"version": VERSION, "title": lesson.name} | picked(lesson, "summary minutes") | {"steps": steps}
        )
        return 0
    print_line(f"{lesson.name}\n{lesson.summary}")
    for number, step in enumerate(steps, 1):
        _print_step(number, len(steps), step)
    return 0


def _step_values(step: SimulatedStep, *, answers: bool) -> dict[str, Any]:
    """Return what JSON says of a step; its texts have their figures."""
    from core.lessons.figures import filled

    shown = step.shown.step
    charts = [step.shown.title(chart) for chart in step.shown.charts]
    values: dict[str, Any] = {"title": shown.title, "text": filled(shown.text, step), "charts": charts}
    if (asked := shown.question) is None:
        return values
    read = asked.with_figures(step)
    values["question"] = picked(read, "kind text hint") | {"choices": read.printed_choices}
    if answers:
        right = asked.right_answer(step)
        verdict = asked.judge(step, right)
        values["question"] |= {"answer": asked.answer_text(step, right)} | picked(
            verdict, "truth reasons after"
        )
    return values


def _print_step(number: int, count: int, step: dict[str, Any]) -> None:
    print_line(f"\n{number} of {count} · {step['title']}\n\n{step['text']}")
    print_line(f"\nCharts: {'; '.join(step['charts'])}")
    asked = step.get("question")
    if asked is None:
        return
    print_line(f"\nQuestion: {asked['text']}")
    for i, choice in enumerate(asked["choices"], 1):
        print_line(f"  {i}. {choice}")
    if asked["hint"]:
        print_line(f"Hint: {asked['hint']}")
    if "answer" in asked:
        print_line(f"Answer: {asked['answer']}. {' '.join((asked['truth'], *asked['reasons']))}")
        if asked["after"]:
            print_line(asked["after"])


# ---- check and pack


def _check(options: Namespace) -> int:
    from core.lessons.lesson_check import check_lesson
    from core.lessons.lesson_document import find_lesson

    lesson = find_lesson(options.lesson)
    with progress(f"Walking through {lesson.name}") as show:
        steps = check_lesson(lesson, show)
    problems = [f"step {step.number + 1}, '{step.title}': {said}" for step in steps for said in step.problems]
    if options.json:
        names = "title kind right wrong problems"
        rows = [picked(step, names) | {"makespans": dict(step.makespans)} for step in steps]
        print_json({"version": VERSION} | _head(lesson) | {"problems": len(problems), "steps": rows})
    if problems:
        raise InputError("\n".join(problems))
    if not options.json:
        columns = (">step", "title", "makespans", "question", "right", "wrong")
        print_table(lesson.name, columns, [_row(step) for step in steps])
        print_line("Every step can be shown, and every question answered.")
    return 0


def _row(step: CheckedStep) -> tuple[object, ...]:
    makespans = ", ".join(exact_duration(s) if math.isfinite(s) else "–" for _, s in step.makespans)
    return step.number + 1, step.title, makespans, step.kind, step.right, step.wrong


def _pack(options: Namespace) -> int:
    from core.lessons.lesson import packed
    from core.lessons.lesson_document import find_lesson
    from core.lessons.lesson_writing import write_lesson

    lesson = find_lesson(options.lesson)
    write_lesson(packed(lesson), Path(options.out))
    inside = len(lesson.workloads)
    print_line(f"{lesson.name}: {len(lesson.steps)} steps and {inside} workloads; written to {options.out}")
    return 0
