"""A lesson that is open: where one is in it, and what was done in each of its steps."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.files.resources import is_original
from core.lessons.shown_step import shown_step

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.files.journal import History
    from core.lessons.lesson import Lesson, LessonStep
    from core.lessons.shown_step import ShownStep


@dataclass
class StepProgress:
    """What a student did in a step.

    Attributes
    ----------
    history : the document as it was left with its steps of undo; None as long as nothing was edited
    active : id of the scenario that was active then
    tries : how often an answer was checked
    misses : how many wrong answers were given since it was asked, or asked again
    is_answered : whether a right answer was given, or the question was given up
    is_lifted : whether all of the veil was lifted
    seen_until : seconds up to which a verdict has lifted the veil
    seconds : how long the step was shown before it was answered
    """

    history: History | None = None
    active: int = -1
    tries: int = 0
    misses: int = 0
    is_answered: bool = False
    is_lifted: bool = False
    seen_until: float = -math.inf
    seconds: float = 0.0


@dataclass
class LessonPlace:
    """A lesson as it is opened: where it comes from, and which step comes first.

    Attributes
    ----------
    lesson : the lesson
    source : its file, or empty for one that has none yet
    number : of the step, from 0
    is_modified : whether it differs from its file
    resumes : whether the document is what a student left in that step
    """

    lesson: Lesson
    source: str = ""
    number: int = 0
    is_modified: bool = False
    resumes: bool = False


class LessonWalk(QObject):
    """Goes from step to step of one lesson, and changes the lesson for its author.

    Attributes
    ----------
    lesson : as it is now
    source : its file, or empty
    number : of the step that is shown, from 0

    Signals
    -------
    edited : the lesson is another one
    """

    edited = Signal()

    def __init__(
        self, place: LessonPlace, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self.lesson, self.source = place.lesson, place.source
        self.number = min(max(place.number, 0), len(place.lesson.steps) - 1)
        self._saved = None if place.is_modified else place.lesson
        self._past: list[tuple[Lesson, list[StepProgress], int]] = []
        self._future: list[tuple[Lesson, list[StepProgress], int]] = []
        self._typed: tuple[int, frozenset[str]] | None = None
        self._progress = [StepProgress() for _ in self.lesson.steps]
        self._clock, self._began = clock, clock()

    @property
    def step(self) -> LessonStep:
        """The step that is shown."""
        return self.lesson.steps[self.number]

    @property
    def progress(self) -> StepProgress:
        """What was done in the step that is shown."""
        return self._progress[self.number]

    @property
    def shown(self) -> ShownStep:
        """The documents of the step that is shown; InputError where its scenarios do not go together."""
        return shown_step(self.lesson, self.number)

    @property
    def hidden_from(self) -> float:
        """From when on the step that is shown hides something now, in seconds; infinite for nothing."""
        begin = self.step.veiled_from
        return math.inf if begin is None or self.progress.is_lifted else max(begin, self.progress.seen_until)

    @property
    def is_veiled(self) -> bool:
        """Whether the step that is shown hides something now."""
        return self.hidden_from < math.inf

    @property
    def is_solved(self) -> bool:
        """Whether the answer to the step that is shown is known: by a verdict, or all was to be shown."""
        return self.progress.is_lifted or self.progress.seen_until > -math.inf

    def is_done(self, number: int) -> bool:
        """Whether the question of a step was answered rightly."""
        return self._progress[number].is_answered

    @property
    def asked_and_done(self) -> tuple[int, int]:
        """How many steps have a question, and how many of these were answered rightly."""
        asking = [number for number, step in enumerate(self.lesson.steps) if step.question is not None]
        return len(asking), sum(map(self.is_done, asking))

    @property
    def is_original(self) -> bool:
        """Whether it is of a file that came with Slotscope; saving makes a copy of it."""
        return bool(self.source) and is_original(self.source)

    # ---- walking

    def go(self, number: int, history: History | None, active: int = -1) -> bool:
        """Go to another step; what was edited in this one is kept. False if there is no such step."""
        if not 0 <= number < len(self.lesson.steps) or number == self.number:
            return False
        self.keep(history, active)
        self.number, self._typed = number, None
        self._began = self._clock()
        return True

    def keep(self, history: History | None, active: int = -1) -> None:
        """Keep what was edited in this step, and how long it was shown."""
        self.progress.history, self.progress.active = history, active
        self._count_seconds()

    def _count_seconds(self) -> None:
        now = self._clock()
        if not self.progress.is_answered:
            self.progress.seconds += now - self._began
        self._began = now

    def start_over(self) -> None:
        """Forget what was done in the step that is shown; tries stay counted."""
        self._count_seconds()
        self._progress[self.number] = StepProgress(tries=self.progress.tries, seconds=self.progress.seconds)

    def lift(self) -> None:
        """Show what the veil hides."""
        self.progress.is_lifted = True

    def lift_until(self, seconds: float) -> None:
        """Show what the veil hides up to a time."""
        self.progress.seen_until = seconds

    def ask_again(self) -> None:
        """Veil the step again, for another answer."""
        self.progress.is_answered = self.progress.is_lifted = False
        self.progress.seen_until = -math.inf
        self.progress.misses = 0

    def note_answer(self, is_right: bool) -> StepProgress:
        """Count an answer, and return what is known of the step now."""
        self._count_seconds()
        progress = self.progress
        progress.tries += 1
        progress.misses += not is_right
        progress.is_answered = progress.is_answered or is_right
        return progress

    # ---- for authors

    @property
    def is_modified(self) -> bool:
        """Whether the lesson differs from its file."""
        return self.lesson is not self._saved

    @property
    def can_undo(self) -> bool:
        """Whether the author has changed something."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether the author has taken something back."""
        return bool(self._future)

    def _put(
        self,
        lesson: Lesson,
        progress: list[StepProgress],
        number: int,
        typed: tuple[int, frozenset[str]] | None = None,
    ) -> None:
        if typed is None or typed != self._typed:
            self._past.append((self.lesson, self._progress, self.number))
        self._typed = typed
        self._future.clear()
        self.lesson, self._progress, self.number = lesson, progress, number
        self.edited.emit()

    def undo(self) -> bool:
        """Take the last change of the lesson back; False if there is none."""
        return self._take_back(self._past, self._future)

    def redo(self) -> bool:
        """Make the change again that was taken back last; False if there is none."""
        return self._take_back(self._future, self._past)

    def _take_back(
        self,
        source: list[tuple[Lesson, list[StepProgress], int]],
        to: list[tuple[Lesson, list[StepProgress], int]],
    ) -> bool:
        if not source:
            return False
        to.append((self.lesson, self._progress, self.number))
        self.lesson, self._progress, self.number = source.pop()
        self._typed = None
        self.edited.emit()
        return True

    def replace_step(
        self, step: LessonStep, lesson: Lesson | None = None, *, typed: frozenset[str] = frozenset()
    ) -> None:
        """Let the step that is shown be another one; `lesson` has what it needs, as another workload.

        What is typed into the same fields of one step, with nothing done in between, is one change.
        """
        lesson = lesson or self.lesson
        steps = (*lesson.steps[: self.number], step, *lesson.steps[self.number + 1 :])
        changed = replace(lesson, steps=steps)
        self._put(changed, self._progress, self.number, (self.number, typed) if typed else None)

    def insert_step(self, step: LessonStep, lesson: Lesson | None = None) -> None:
        """Put a step behind the one that is shown, and go there."""
        lesson, place = lesson or self.lesson, self.number + 1
        steps = (*lesson.steps[:place], step, *lesson.steps[place:])
        progress = [*self._progress[:place], StepProgress(), *self._progress[place:]]
        self._put(replace(lesson, steps=steps), progress, place)

    def delete_step(self) -> bool:
        """Delete the step that is shown; False if it is the only one."""
        if len(self.lesson.steps) == 1:
            return False
        steps, progress = list(self.lesson.steps), list(self._progress)
        del steps[self.number], progress[self.number]
        self._put(replace(self.lesson, steps=tuple(steps)), progress, min(self.number, len(steps) - 1))
        return True

    def move_step(self, by: int) -> bool:
        """Move the step that is shown so many places further; False where it cannot go."""
        place = self.number + by
        if not 0 <= place < len(self.lesson.steps):
            return False
        steps, progress = list(self.lesson.steps), list(self._progress)
        steps.insert(place, steps.pop(self.number))
        progress.insert(place, progress.pop(self.number))
        self._put(replace(self.lesson, steps=tuple(steps)), progress, place)
        return True

    def rename(self, name: str, summary: str) -> None:
        """Give the lesson another name, and a sentence about its subject."""
        self._put(replace(self.lesson, name=name, summary=summary), self._progress, self.number)

    def saved(self, source: str) -> None:
        """Mark the lesson, as it is now, as saved in a file."""
        self.source, self._saved = source, self.lesson
        self.edited.emit()
