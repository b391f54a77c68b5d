"""What every kind of question has: a right answer, a wrong one, and a verdict on any."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.explain.critical_path import critical_path, link_sentence
from core.lessons.figures import filled
from core.model.errors import UnknownName
from core.model.time_text import exact_clock, exact_duration

if TYPE_CHECKING:
    from core.lessons.lesson import ChartPlace, LessonQuestion
    from core.lessons.shown_step import SimulatedStep
    from core.model.schedule import Schedule

Answered = Any
"""A name, names, seconds, the number of a slot or of a text, or a chart, as the kind of question has it."""

SAME = 1e-9
"""Times that differ relatively by less are one time."""
MAX_LINKS = 6
"""Of the chain behind a makespan that are told one by one."""


@dataclass(frozen=True)
class LookAt:
    """What shows why: the time cursor (seconds, decisions over), a job by its name, a task and a slot.

    -1 for no task and for no slot, empty for no job, None for no cursor.
    """

    chart: ChartPlace
    cursor: tuple[float, int] | None = None
    job: str = ""
    task: int = -1
    slot: int = -1


@dataclass(frozen=True)
class Verdict:
    """What is said of an answer.

    Attributes
    ----------
    is_right : whether it is right
    near : how near it is, as a sentence: "2 s (5 %) too little."; empty where it is right or wrong alone
    truth : what the simulator does, in a sentence
    reasons : why, in sentences
    after : what the author tells once it is answered; Markdown
    look : where to look
    """

    is_right: bool
    near: str
    truth: str
    reasons: tuple[str, ...]
    after: str
    look: LookAt


class OneAsked(ABC):
    """A question of one kind, about one step."""

    def __init__(self, step: SimulatedStep, question: LessonQuestion) -> None:
        self.step, self.question = step, question

    @property
    def schedule(self) -> Schedule:
        """The schedule that the question is about."""
        return self.step.schedule(self.question.chart)

    @property
    @abstractmethod
    def right(self) -> Answered:
        """An answer that is right."""

    @property
    @abstractmethod
    def wrong(self) -> Answered | None:
        """An answer that is wrong, None if there is none."""

    @abstractmethod
    def words(self, answer: Answered) -> str:
        """Return an answer in words."""

    @abstractmethod
    def judge(self, answer: Answered) -> Verdict:
        """Say what is to be said of an answer."""

    def say(self, is_right: bool, truth: str, reasons: tuple[str, ...], **others: Any) -> Verdict:
        """Return a verdict; `others` are `near`, and the fields of what to look at."""
        near = others.pop("near", "")
        look = LookAt(**{"chart": self.question.chart, **others})
        return Verdict(is_right, near, truth, reasons, filled(self.question.after, self.step), look)

    def check_job(self, name: object) -> int:
        """Return the number of a job; UnknownName if there is none of that name."""
        known = self.schedule.workload.job_index
        if name not in known:
            raise UnknownName("job", str(name), known)
        return known[str(name)]


def chain_sentences(schedule: Schedule) -> tuple[str, ...]:
    """Return what the makespan is made of, link by link where they are few."""
    if schedule.record is not None:
        return ()
    path = critical_path(schedule)
    if len(path.links) <= MAX_LINKS:
        return tuple(
            f"{exact_clock(link.begin)} to {exact_clock(link.end)}: {link_sentence(schedule, link)}."
            for link in path.links
        )
    spans = [f"{cause.value} {exact_duration(spent)}" for cause, spent in path.totals().items() if spent > 0]
    return (f"The chain of tasks behind {exact_duration(schedule.makespan)}: {', '.join(spans)}.",)
