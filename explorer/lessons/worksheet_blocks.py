"""What stands on a worksheet: of each question its step, its charts and room for an answer, in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.lessons.board import gives_away
from core.lessons.questions.question import HandAnswer, ListAnswer, NumberAnswer, OrderAnswer
from explorer.lessons.lesson_text import literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.lessons.lesson import Lesson
    from explorer.lessons.lesson_pages import LessonPage

MAX_NAMED = 9
"""Answers to choose from that are listed; of more, as of slots, one looks into the chart."""
BLANK = r"\_" * 12
SHORT_BLANK = r"\_" * 6


def asking(pages: Sequence[LessonPage]) -> list[LessonPage]:
    """Return the steps that ask something."""
    return [page for page in pages if page.read.question is not None]


def head_text(lesson: Lesson) -> str:
    """Return what stands above the first question."""
    return f"# {literal(lesson.name)}\n\n{lesson.summary}\n\nName: " + r"\_" * 32


def step_text(number: int, page: LessonPage) -> str:
    """Return what stands above the charts of a question."""
    return f"## {number}. {literal(page.title)}\n\n{page.read.text}"


def question_text(page: LessonPage) -> str:
    """Return a question with its choices and the blank for its answer."""
    return f"{page.question}\n\n{_blank(page)}"


def answer_text(number: int, page: LessonPage) -> str:
    """Return the right answer to a question, and why it is right."""
    return f"### {number}. {literal(page.title)}\n\n{page.answer}"


def _blank(page: LessonPage) -> str:
    """Return where the answer is to be written, in its form."""
    question = page.read.question
    assert question is not None
    match question.answer_form:
        case NumberAnswer(unit=unit):
            return f"Answer: {BLANK} {unit}"
        case OrderAnswer():
            jobs = page.read.simulated.schedule(question.chart).given.jobs
            blanks = [f"{place}. {SHORT_BLANK}" for place in range(1, len(jobs) + 1)]
            return f"Order: {'   '.join(blanks)}" if len(jobs) <= MAX_NAMED else f"Order: {BLANK * 4}"
        case HandAnswer():
            return f"My schedule takes {BLANK} s"
        case ListAnswer() if question.printed_choices:
            return f"Answer (its number): {SHORT_BLANK}"
        case ListAnswer() if len(page.read.options) <= MAX_NAMED:
            names = " or ".join(literal(option.text) for option in page.read.options)
            return f"Answer ({names}): {BLANK}"
    return f"Answer: {BLANK}"


def tells(page: LessonPage, earlier: LessonPage) -> bool:
    """Return whether a step shows the answer to the question of an earlier one: a page ends before it.

    The simulator does not know the answer to a choice: its author goes on from it in what comes next.
    """
    asked = earlier.read.question
    return asked is not None and (
        not asked.is_computed or gives_away(page.read.simulated, earlier.read.simulated)
    )
