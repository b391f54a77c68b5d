"""What a step shows beside its document, computed in a thread: its text with figures, and its guests."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.charts.schedule_rows import schedule_rows
from core.lessons.figures import filled
from core.lessons.shown_step import SimulatedStep
from core.lessons.step_view import slot_number
from core.model.errors import SlotscopeError
from explorer.gantt.geometry.chart_content import Pointer
from explorer.lessons.lesson_text import FIGURE, PENDING, literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.charts.schedule_rows import ScheduleRows
    from core.lessons.questions.question import LessonQuestion, Option
    from core.lessons.shown_step import ShownStep
    from core.lessons.solution import Solution
    from core.lessons.step_view import ChartPlace, LessonMark
    from core.model.schedule import Schedule

RIGHT_MARK = "✔"


@dataclass(frozen=True)
class ReadStep:
    """A step with all that is simulated for it.

    Attributes
    ----------
    simulated : its schedules
    text : with figures filled in
    question : likewise, or None
    options : the answers to choose from, if one is chosen
    guests : the rows of each guest's chart
    problem : what is wrong with its figures, or empty
    hands_on : what to do in the window, with figures filled in
    """

    simulated: SimulatedStep
    text: str
    question: LessonQuestion | None
    options: list[Option]
    guests: tuple[ScheduleRows, ...]
    problem: str = ""
    hands_on: str = ""

    @property
    def window_text(self) -> str:
        """The text as the window shows it: with what to do there."""
        return f"{self.text}\n\n{self.hands_on}" if self.hands_on else self.text


def read_step(
    shown: ShownStep, _progress: Callable[[float], None], should_stop: Callable[[], bool]
) -> ReadStep:
    """Simulate what a step needs; raises what `core.simulation.simulate.simulate` raises."""
    simulated, step = SimulatedStep(shown, should_stop=should_stop), shown.step
    guests = tuple(schedule_rows(simulated.schedule(place)) for place in shown.charts if place.is_guest)
    text, hands_on, question, problem = step.text, step.hands_on, step.question, ""
    options: list[Option] = []
    try:
        text, hands_on = filled(text, simulated), filled(hands_on, simulated)
        question = question and question.with_figures(simulated)
    except SlotscopeError as error:
        problem = str(error)
    if question is not None:
        with suppress(SlotscopeError):  # a chart that cannot be simulated says so itself
            options = question.options(simulated)
    return ReadStep(simulated, text, question, options, guests, problem, hands_on)


def step_markdown(
    place: str, title: str, text: str, question: LessonQuestion | None, solution: Solution | None = None
) -> str:
    """Return the whole text of a step: which one it is, as "2 of 6", its title, text and question.

    With a solution the right choice is marked, and its reasons follow.
    """
    question_text = "" if question is None else question.markdown
    if question is not None and solution is not None:
        question_text = solved_markdown(question, solution)
    whole = f"*{place}*\n\n## {literal(title)}\n\n{text}\n\n{question_text}"
    return FIGURE.sub(PENDING, whole)


def selected_in(job: str, schedule: Schedule, *, is_guest: bool) -> int:
    """Return the number of the selected job in a chart, -1 for none.

    A guest's only job stands for the selected one, so that the waves of two jobs can be compared.
    """
    jobs = schedule.workload.job_index
    alone = 0 if job and is_guest and len(jobs) == 1 else -1
    return jobs.get(job, alone)


def solved_markdown(question: LessonQuestion, solution: Solution) -> str:
    """Return a question with its right choice marked, and the reasons."""
    choices = question.printed_choices
    right = f"**{RIGHT_MARK} {literal(solution.text)}**"
    if choices:
        right = "\n".join(
            f"{number + 1}. " + (f"**{RIGHT_MARK} {choice}**" if number == solution.answer else choice)
            for number, choice in enumerate(choices)
        )
    verdict = solution.verdict
    told = solution.sentences if question.is_computed else verdict.reasons
    reasons = "\n".join(f"- {literal(sentence)}" for sentence in told)
    return "\n\n".join(filter(None, (f"**{question.text}**", right, reasons, verdict.after)))


def pointer_of(mark: LessonMark, schedule: Schedule) -> Pointer | None:
    """Return the label of a mark in a schedule; None where what it names is not there any more."""
    workload, jobs = schedule.workload, schedule.workload.job_index
    name = mark.task.job if mark.task is not None else mark.job
    if name and name not in jobs:
        return None
    if mark.task is not None:
        columns, job = schedule.given.columns, jobs[name]
        if not 1 <= mark.task.number <= int(columns.count[job, mark.task.kind]):
            return None
        task = schedule.own_task(int(columns.first[job, mark.task.kind]) + mark.task.number - 1)
        return Pointer(mark.text, task=task) if task >= 0 else None
    if mark.job:
        return Pointer(mark.text, job=workload.job_index[name])
    slot = slot_number(schedule.cluster, mark.slot) if mark.slot else -1
    if slot is None or mark.time is None:
        return None
    return Pointer(mark.text, slot=slot, seconds=mark.time, is_gap=mark.is_gap)


def pointers_of(marks: tuple[LessonMark, ...], place: ChartPlace, schedule: Schedule) -> tuple[Pointer, ...]:
    """Return the labels of one chart."""
    found = (pointer_of(mark, schedule) for mark in marks if mark.chart == place)
    return tuple(pointer for pointer in found if pointer is not None)
