"""The right answer of a question with what the simulator does and why: for slides, and for a class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.lessons.questions.question import Answer, LessonQuestion, Verdict
    from core.lessons.simulated_view import SimulatedView


@dataclass(frozen=True)
class Solution:
    """What is right.

    Attributes
    ----------
    answer, text : an answer that is right, as a value and as a text
    sentences : what the simulator does, and why
    verdict : the verdict on it
    """

    answer: Answer
    text: str
    sentences: tuple[str, ...]
    verdict: Verdict

    def shortened(self, sentences: int) -> Solution:
        """Return what is right with so many sentences on it, the first of which says what happens."""
        return replace(
            self, sentences=self.sentences[:sentences], verdict=replace(self.verdict, reasons=(), after="")
        )


def solution_of(question: LessonQuestion, simulated: SimulatedView) -> Solution:
    """Return the solution of a question; raises what `LessonQuestion.right_answer` and `judge` raise."""
    right = question.right_answer(simulated)
    verdict = question.judge(simulated, right)
    sentences = tuple(filter(None, (verdict.truth, *verdict.reasons)))
    return Solution(right, question.answer_text(simulated, right), sentences, verdict)
