"""What a room sees of the open lesson: its text, the charts asked about, and at last what is right."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.lessons.solution import solution_of
from explorer.lessons.step_reader import step_markdown
from explorer.widgets.worker import Worker
from explorer.window.lessons.step_stage import chart_id

if TYPE_CHECKING:
    from core.lessons.questions.question import LessonQuestion
    from core.lessons.solution import Solution
    from explorer.lessons.step_reader import ReadStep
    from explorer.widgets.painted_text import PictureBelow
    from explorer.widgets.worker import Call
    from explorer.window.lessons.lesson_steps import LessonSteps


class PresentedLesson(QObject):
    """Shows the step of a lesson to a room; what is right is computed when it is first to be shown.

    Signals
    -------
    changed : another step is shown, or more is known of it
    stepped : another step is shown
    """

    changed = Signal()
    stepped = Signal()

    def __init__(self, steps: LessonSteps) -> None:
        super().__init__(steps)
        self._steps = steps
        self._solved: tuple[ReadStep | None, Solution | None] = (None, None)
        self._worker = Worker(self, ended=self._take)
        self._walked: tuple[object, int] | None = None
        steps.step_changed.connect(self._follow)

    def _follow(self) -> None:
        walk = self._steps.walk
        now = None if walk is None else (walk, walk.number)
        if now != self._walked:
            self._walked = now
            self.stepped.emit()
        self.changed.emit()

    @property
    def is_open(self) -> bool:
        """Whether there is a lesson."""
        return self._steps.walk is not None

    @property
    def read(self) -> ReadStep | None:
        """The step with all that is simulated for it; None until it is there."""
        return self._steps.read

    @property
    def question(self) -> LessonQuestion | None:
        """What is asked, with its figures; None where nothing is, or until they are known."""
        return None if self.read is None else self.read.question

    def texts(self) -> tuple[str, ...]:
        """Return the step's text, with title and question, in Markdown; and what to show in smaller rooms.

        That is the question alone and, once it is solved, the question with what is right and fewer reasons.
        None without a lesson.
        """
        walk, read = self._steps.walk, self.read
        if walk is None:
            return ()
        text, question = walk.step.text, walk.step.question
        if read is not None:
            text, question = read.text, read.question
        place = f"{walk.number + 1} of {len(walk.lesson.steps)}"
        solution = self.solution() if self.is_solved else None
        page = partial(step_markdown, place, walk.step.title)
        whole = page(text, question, solution)
        if question is None:
            return (whole,)
        if solution is None:
            return whole, page("", question)
        shorter = (solution, solution.shortened(1), solution.shortened(0))
        return whole, *(page("", question, each) for each in shorter)

    def picture(self) -> PictureBelow | None:
        """Return what stands below the text, or None."""
        return self._steps.picture

    def asked(self) -> tuple[int, ...]:
        """Return the ids of the charts that the question is about, those of guests are negative."""
        walk = self._steps.walk
        if walk is None or walk.step.question is None:
            return ()
        shown = walk.shown
        return tuple(chart_id(shown, place) for place in walk.step.question.charts(shown.step.view))

    def go(self, step: int) -> None:
        """Go so many steps on."""
        self._steps.go(step)

    def lift(self) -> None:
        """Show what a veil hides, and what is right."""
        self._steps.lift()
        self.changed.emit()

    # ---- what is right

    @property
    def is_solved(self) -> bool:
        """Whether the answer is to be seen: after a verdict, or once the veil was lifted."""
        return self._steps.walk is not None and self._steps.walk.is_solved

    def solution(self) -> Solution | None:
        """Return what is right; None while it is computed, and where nothing is."""
        read = self.read
        question = None if read is None else read.simulated.shown.step.question
        if read is None or question is None:
            return None
        if self._solved[0] is not read:
            self._solved = (read, None)
            self._worker.start(partial(_solve, question, read), read)
        return self._solved[1]

    def _take(self, call: Call) -> None:
        if call.about is self._solved[0] and call.answer is not None:
            self._solved = (call.about, call.answer)
            self.changed.emit()


def _solve(question: LessonQuestion, read: ReadStep, *_progress_and_stop: object) -> Solution:
    """Find what is right, in a thread."""
    return solution_of(question, read.simulated)
