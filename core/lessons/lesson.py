"""A lesson as values: its workloads, and its steps with what each shows and its question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.model.errors import UnknownName

if TYPE_CHECKING:
    from core.lessons.questions.question import LessonQuestion
    from core.lessons.step_view import StepVeil, StepView
    from core.model.workload import Workload

MAX_STEPS = 100


@dataclass(frozen=True)
class LessonWorkload:
    """A workload that steps show.

    Attributes
    ----------
    name : what steps call it
    workload : the workload
    sample, file : where it comes from: a sample, or a file seen from the lesson's folder; both empty for one
        that is in the lesson's own file
    """

    name: str
    workload: Workload
    sample: str = ""
    file: str = ""


@dataclass(frozen=True)
class LessonStep:
    """One step: its title and text, what it shows and hides, and its question.

    Attributes
    ----------
    title, text : Markdown
    view, veil : what it shows, and what of it is hidden
    question : what is asked, or None
    hands_on : what to do in the window, with keys and mouse; it stands below the text there, never on paper
    """

    title: str
    text: str
    view: StepView
    veil: StepVeil | None = None
    question: LessonQuestion | None = None
    hands_on: str = ""

    @property
    def window_text(self) -> str:
        """The text as the window shows it: with what to do there."""
        return f"{self.text}\n\n{self.hands_on}" if self.hands_on else self.text

    @property
    def veiled_from(self) -> float | None:
        """From when on charts are veiled, in seconds; None where nothing is."""
        if self.veil is None:
            return None
        if self.veil.begin is not None:
            return self.veil.begin
        return self.view.cursor[0] if self.view.cursor else 0.0


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    Attributes
    ----------
    name, summary : what it is called, and what one learns, in a sentence
    workloads : what the steps show
    steps : 1 to `MAX_STEPS`, in their order
    minutes : how long it takes; 0 if it is not said
    """

    name: str
    workloads: tuple[LessonWorkload, ...]
    steps: tuple[LessonStep, ...]
    summary: str = ""
    minutes: int = 0

    def workload(self, name: str) -> Workload:
        """Return the workload of a name; UnknownName if it has none."""
        for known in self.workloads:
            if known.name == name:
                return known.workload
        raise UnknownName("workload of the lesson", name, (known.name for known in self.workloads))

    @property
    def question_count(self) -> int:
        """How many steps have a question."""
        return sum(step.question is not None for step in self.steps)


def packed(lesson: Lesson) -> Lesson:
    """Return the lesson with every workload in its own file: one file to give to students."""
    inside = tuple(replace(known, sample="", file="") for known in lesson.workloads)
    return replace(lesson, workloads=inside)
