"""A poll of a class: what is asked, the answers that come in, and how many there are of each."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from core.lessons.questions.question import HandAnswer, ListAnswer, NumberAnswer, OrderAnswer
from core.model.errors import InputError, shorten
from core.model.visible_text import visible

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from core.lessons.questions.question import Answer, AnswerForm, LessonQuestion, Option
    from core.lessons.simulated_view import SimulatedView

MAX_VOTERS = 500
MAX_OPTIONS = 200
"""More of them nobody looks through on a phone."""
MAX_NUMBER = 1e9
MAX_BODY = 200
"""Bytes of an answer as it is sent."""
MAX_BARS = 8
"""Of a histogram of numbers; as many different ones each have their own."""
CORE_SHARE = 0.1
"""Of the numbers at either end, which make the bars of a histogram no wider."""
NO_POLL: dict[type[AnswerForm], str] = {
    OrderAnswer: "there is no poll on this question: its answer is an order of jobs, dragged in the chart",
    HandAnswer: "there is no poll on this question: its answer is a whole schedule, made by hand",
}
_VOTER = re.compile(r"[0-9a-f]{32}", re.ASCII)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|^#+ ", re.MULTILINE)


@dataclass(frozen=True)
class PollForm:
    """What a class is asked.

    Attributes
    ----------
    question : the question, as plain text
    choices : the texts to choose from; empty where a number is asked for
    values : the answer that each of them is, as the type of question has it
    unit : of the number; empty where there are choices
    """

    question: str
    choices: tuple[str, ...] = ()
    values: tuple[Answer, ...] = ()
    unit: str = ""

    @property
    def takes_number(self) -> bool:
        """Whether it is answered by a number."""
        return not self.choices

    def value(self, vote: float) -> Answer:
        """Return a vote as an answer to the question: of choices a vote is the number of one, from 0."""
        return vote if self.takes_number else self.values[int(vote)]


class Vote(NamedTuple):
    """An answer of one phone: its random id, and the number that it gives, or of its choice from 0."""

    voter: str
    answer: float


class PollRow(NamedTuple):
    """A row of a histogram: what it stands for, how many answers, and from which to below which vote."""

    text: str
    votes: int
    begin: float
    end: float


def poll_form(question: LessonQuestion, options: Sequence[Option]) -> PollForm:
    """Return what a class is asked; InputError with the reason for a question that takes no poll."""
    form, text = question.answer_form, plain(question.text)
    if isinstance(form, NumberAnswer):
        return PollForm(text, unit=form.unit)
    if not isinstance(form, ListAnswer):
        raise InputError(NO_POLL[type(form)])
    if not 2 <= len(options) <= MAX_OPTIONS:
        raise InputError(
            f"there is no poll on this question: it has {len(options)} answers to choose from, "
            f"and phones show 2 to {MAX_OPTIONS}"
        )
    as_text = plain if question.printed_choices else visible  # names of jobs and charts are no Markdown
    return PollForm(
        text, tuple(as_text(each.text) for each in options), tuple(each.value for each in options)
    )


def plain(markdown: str) -> str:
    """Return Markdown of a few sentences as plain text in one line: without its marks, links as texts."""
    return visible(" ".join(_MARKS.sub("", _LINK.sub(r"\1", markdown)).split()))


def read_vote(form: PollForm, body: bytes) -> Vote:
    """Return the vote of a message: {"voter": 32 hexadecimal digits, "answer": a number}.

    Raises
    ------
    InputError
        it is too long, no such JSON, or no answer to what is asked
    """
    if len(body) > MAX_BODY:
        raise InputError(f"an answer has at most {MAX_BODY} bytes")
    try:
        given = json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise InputError("this is no answer") from error
    if not isinstance(given, dict) or given.keys() != {"voter", "answer"}:
        raise InputError("an answer has a voter and an answer")
    voter, answer = given["voter"], given["answer"]
    if not isinstance(voter, str) or not _VOTER.fullmatch(voter):
        raise InputError("a voter has 32 hexadecimal digits")
    if isinstance(answer, bool) or not isinstance(answer, int | float):
        raise InputError("an answer is a number")
    if form.takes_number:
        if not 0 <= answer <= MAX_NUMBER:
            raise InputError(f"give a number from 0 to {MAX_NUMBER:.0f}")
    elif answer not in range(len(form.choices)):
        raise InputError(f"choose one of the {len(form.choices)} answers")
    return Vote(voter, float(answer))


def _no_number(name: str) -> float:
    raise ValueError(f"{shorten(name)} is no number")


def with_vote(votes: Mapping[str, float], vote: Vote) -> dict[str, float]:
    """Return votes by voter with one more; a later one of the same voter replaces the one before.

    InputError where `MAX_VOTERS` others have voted.
    """
    if vote.voter not in votes and len(votes) >= MAX_VOTERS:
        raise InputError(f"{MAX_VOTERS} answers are in: no more are taken")
    return {**votes, vote.voter: vote.answer}


def right_votes(
    form: PollForm, votes: Collection[float], question: LessonQuestion, simulated: SimulatedView
) -> frozenset[float]:
    """Return which votes are right: of choices all that could be given, of numbers those that were."""
    given = set(votes) if form.takes_number else range(len(form.choices))
    return frozenset(float(vote) for vote in given if question.accepts(simulated, form.value(float(vote))))


# ---- histograms


def histogram(form: PollForm, votes: Collection[float]) -> tuple[PollRow, ...]:
    """Return how many votes there are of each choice, or of each number or span of numbers.

    Up to `MAX_BARS` different numbers have a row each; of more, rows are equally wide, those that few
    give far below or above are one row each. The counts add up to the number of votes.
    """
    if not form.takes_number:
        counts = [sum(vote == number for vote in votes) for number in range(len(form.choices))]
        return tuple(PollRow(text, counts[i], i, i + 1) for i, text in enumerate(form.choices))
    distinct = sorted(set(votes))
    if len(distinct) <= MAX_BARS:
        return tuple(
            PollRow(
                _number(form, each), sum(vote == each for vote in votes), each, math.nextafter(each, math.inf)
            )
            for each in distinct
        )
    edges = _edges(sorted(votes))
    spans = [(-math.inf, edges[0]), *pairwise(edges), (edges[-1], math.inf)]
    rows = [_span_row(form, begin, end, votes) for begin, end in spans]
    return tuple(row for row in rows if row.votes or (math.isfinite(row.begin) and math.isfinite(row.end)))


def main_bars(bars: Sequence[PollRow], wanted: Collection[int] = ()) -> tuple[PollRow, ...]:
    """Return the rows with most votes, in their order, and the others as one row.

    Where none of them is at one of the `wanted` places, the first row that is stands there, too.
    """
    if len(bars) <= MAX_BARS + 1:
        return tuple(bars)
    by_count = sorted(range(len(bars)), key=lambda place: (-bars[place].votes, place))
    kept, asked = set(by_count[:MAX_BARS]), {place for place in wanted if place >= 0}
    if asked and not kept & asked:
        kept.add(min(asked))
    others = [bar for place, bar in enumerate(bars) if place not in kept]
    rest = PollRow(f"{len(others)} others", sum(bar.votes for bar in others), math.nan, math.nan)
    return (*(bars[place] for place in sorted(kept)), rest)


def bar_of(bars: Sequence[PollRow], vote: float) -> int:
    """Return the place of the row that a vote is in, -1 for none."""
    return next((i for i, bar in enumerate(bars) if bar.begin <= vote < bar.end), -1)


def _span_row(form: PollForm, begin: float, end: float, votes: Collection[float]) -> PollRow:
    count = sum(begin <= vote < end for vote in votes)
    if begin == -math.inf:
        text = f"below {_number(form, end)}"
    elif end == math.inf:
        text = f"{_number(form, begin)} and more"
    else:
        text = f"{begin:.10g} to {_number(form, end)}"
    return PollRow(text, count, begin, end)


def _edges(ordered: Sequence[float]) -> list[float]:
    """Return where rows begin and end: round numbers, around all but the lowest and highest tenth."""
    cut = int(CORE_SHARE * len(ordered))
    low, high = ordered[cut], ordered[-1 - cut]
    if low == high:
        low, high = ordered[0], ordered[-1]
    width = _round_width((high - low) / (MAX_BARS - 3))
    first, last = math.floor(low / width), math.floor(high / width) + 1
    return [number * width for number in range(first, last + 1)]


def _round_width(least: float) -> float:
    """Return the least of 1, 2 and 5 times a power of ten that is no less."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(each * power for each in (1.0, 2.0, 5.0, 10.0) if each * power >= least)


def _number(form: PollForm, value: float) -> str:
    return f"{value:.10g} {form.unit}".rstrip()
