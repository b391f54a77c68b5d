"""Whether an answer is right, what the simulator does, and why: computed when it is asked.

What an answer is depends on the kind of the question:

- ``next-job``: the name of a job
- ``order``: the names of the jobs, first served first
- ``by-hand``: what was picked for every slot, as the policy of this name reads it
- ``makespan``, ``time``: seconds
- ``idle-first``: the number of a slot
- ``ends-first``: a chart
- ``choice``: the number of the text, from 0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.lessons.asked_picks import AskedByHand, AskedChoice, AskedIdleFirst, AskedNextJob, AskedOrder
from core.lessons.asked_times import AskedEndsFirst, AskedMakespan, AskedTime
from core.model.errors import InputError

if TYPE_CHECKING:
    from core.lessons.asked import Answered, OneAsked, Verdict
    from core.lessons.shown_step import SimulatedStep

KINDS: dict[str, type[OneAsked]] = {
    "next-job": AskedNextJob,
    "order": AskedOrder,
    "by-hand": AskedByHand,
    "makespan": AskedMakespan,
    "idle-first": AskedIdleFirst,
    "time": AskedTime,
    "ends-first": AskedEndsFirst,
    "choice": AskedChoice,
}


def verdict(step: SimulatedStep, answer: Answered) -> Verdict:
    """Return what is said of an answer to a step's question.

    Raises
    ------
    InputError
        the answer is none to this question, or the question has no answer
    SlotscopeError
        as `core.simulation.simulate.simulate` raises it
    """
    return _asked(step).judge(answer)


def right_answer(step: SimulatedStep) -> Answered:
    """Return an answer that is right; raises what `verdict` raises."""
    return _asked(step).right


def wrong_answer(step: SimulatedStep) -> Answered | None:
    """Return an answer that is wrong, None if there is none; raises what `verdict` raises."""
    return _asked(step).wrong


def answer_text(step: SimulatedStep, answer: Answered) -> str:
    """Return an answer in words, for a list of answers: "J2, J1", "42 s", "M4"."""
    return _asked(step).words(answer)


def _asked(step: SimulatedStep) -> OneAsked:
    question = step.shown.step.question
    if question is None:
        raise InputError(f"the step '{step.shown.step.title}' asks nothing")
    return KINDS[question.kind](step, question)
