"""A poll: what may be asked, which messages are answers, and histograms that equal plain counting."""

from __future__ import annotations

import json
import math
from collections import Counter
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from core.lessons.lesson_document import find_lesson
from core.lessons.poll import (
    MAX_BARS,
    MAX_BODY,
    MAX_NUMBER,
    MAX_VOTERS,
    PollForm,
    Vote,
    bar_of,
    histogram,
    main_bars,
    plain,
    poll_form,
    read_vote,
    right_votes,
    with_vote,
)
from core.lessons.poll_page import poll_page, poll_policy
from core.lessons.questions.question import Option
from core.lessons.questions.question_types import QUESTION_TYPES
from core.lessons.shown_step import SimulatedStep, shown_step
from core.model.errors import InputError
from tests.random_tests import examples

VOTER = "0123456789abcdef" * 2
CHOICES = PollForm("Which?", ("one", "two", "three"), ("a", "b", "c"))
NUMBER = PollForm("How long?", unit="s")


def message(answer: object, voter: object = VOTER, **more: object) -> bytes:
    return json.dumps({"voter": voter, "answer": answer, **more}).encode()


def test_an_answer_is_read() -> None:
    assert read_vote(CHOICES, message(2)) == Vote(VOTER, 2)
    assert read_vote(NUMBER, message(41.5)) == Vote(VOTER, 41.5)
    assert CHOICES.value(2) == "c"
    assert NUMBER.value(41.5) == 41.5


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"{",
        b"[" * 190,
        b"x" * (MAX_BODY + 1),
        message(3),
        message(-1),
        message(0.5),
        message(True),
        message(None),
        message("0"),
        message([0]),
        message(0, voter=""),
        message(0, voter=VOTER.upper()),
        message(0, voter=VOTER + "\n"),
        message(0, voter="٣" * 32),
        message(0, voter=7),
        message(0, more=1),
        b'{"voter": "' + VOTER.encode() + b'"}',
        b'{"voter": "' + VOTER.encode() + b'", "answer": NaN}',
        b'{"voter": "' + VOTER.encode() + b'", "answer": 1e999}',
    ],
)
def test_what_is_no_answer_is_refused(body: bytes) -> None:
    with pytest.raises(InputError):
        read_vote(CHOICES, body)


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999", "-1", "1e10", '"4"', "true"])
def test_what_is_no_number_is_refused(text: str) -> None:
    body = f'{{"voter": "{VOTER}", "answer": {text}}}'.encode()
    with pytest.raises(InputError):
        read_vote(NUMBER, body)


@examples(200)
@given(st.binary(max_size=MAX_BODY + 20))
def test_any_bytes_are_an_answer_or_refused(body: bytes) -> None:
    for form in (CHOICES, NUMBER):
        try:
            vote = read_vote(form, body)
        except InputError:
            continue
        assert 0 <= vote.answer <= MAX_NUMBER


def test_a_later_answer_replaces_and_so_many_are_taken() -> None:
    votes: dict[str, float] = {}
    for number in range(MAX_VOTERS):
        votes = with_vote(votes, Vote(f"{number:032x}", 0))
    with pytest.raises(InputError, match=f"{MAX_VOTERS} answers are in"):
        with_vote(votes, Vote("f" * 32, 0))
    votes = with_vote(votes, Vote(f"{7:032x}", 1))
    assert (len(votes), sum(votes.values())) == (MAX_VOTERS, 1)


@examples(100)
@given(st.lists(st.integers(0, 2), max_size=60))
def test_choices_are_counted_as_a_counter_counts(votes: list[int]) -> None:
    rows, plainly = histogram(CHOICES, votes), Counter(votes)
    assert [(row.text, row.votes) for row in rows] == [
        (text, plainly[i]) for i, text in enumerate(CHOICES.choices)
    ]
    assert [bar_of(rows, vote) for vote in votes] == votes


NUMBERS = st.one_of(
    st.integers(0, 60).map(float), st.floats(0, MAX_NUMBER), st.sampled_from([0.0, 1e-9, 42.0, MAX_NUMBER])
)


@examples(300)
@given(st.lists(NUMBERS, max_size=80))
def test_numbers_are_counted_once_each_in_rows_that_hold_them(votes: list[float]) -> None:
    rows = histogram(NUMBER, votes)
    assert sum(row.votes for row in rows) == len(votes)
    assert len(rows) <= MAX_BARS + 2
    for before, after in pairwise(rows):
        assert before.end <= after.begin
    for vote in votes:
        inside = [row for row in rows if row.begin <= vote < row.end]
        assert len(inside) == 1
        assert rows[bar_of(rows, vote)] is inside[0]
    for row in rows:
        assert row.votes == len([vote for vote in votes if row.begin <= vote < row.end])


def test_few_numbers_have_a_row_each_and_one_joke_does_not_widen_the_others() -> None:
    assert [row[:2] for row in histogram(NUMBER, [42, 24, 42])] == [("24 s", 1), ("42 s", 2)]
    rows = histogram(NUMBER, [*range(20, 44), 1e9])
    assert [row[:2] for row in rows] == [
        ("below 20 s", 0),
        ("20 to 25 s", 5),
        ("25 to 30 s", 5),
        ("30 to 35 s", 5),
        ("35 to 40 s", 5),
        ("40 to 45 s", 4),
        ("45 s and more", 1),
    ][1:]


def test_of_many_choices_the_most_frequent_and_the_right_one_are_shown() -> None:
    form = PollForm("?", tuple(f"J{i}" for i in range(30)), tuple(range(30)))
    votes = [number for number in range(10) for _ in range(number)]
    rows = histogram(form, votes)
    shown = main_bars(rows, {25})
    assert [row.text for row in shown] == [*(f"J{i}" for i in range(2, 10)), "J25", "21 others"]
    assert sum(row.votes for row in shown) == len(votes)
    assert bar_of(shown, 25.0) == 8
    assert bar_of(shown, 29.0) == -1


def test_of_many_right_choices_no_more_are_shown() -> None:
    form = PollForm("?", tuple(f"M{i}" for i in range(90)), tuple(range(90)))
    rows = histogram(form, [3, 20, 20])
    assert len(main_bars(rows, set(range(18, 90)))) == MAX_BARS + 1
    assert [row.text for row in main_bars(rows, {60, 70})][-2:] == ["M60", "81 others"]


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**How long** does *it* take?", "How long does it take?"),
        ("`a_b` and 2 * 3 * 4, my_job_name", "a_b and 2 * 3 * 4, my_job_name"),
        ("See [the paper](https://example.org) now", "See the paper now"),
        ("<b>&amp;", "<b>&amp;"),
        ("two\n\nlines\u202e", r"two lines\u202e"),
    ],
)
def test_markdown_becomes_plain_text(markdown: str, text: str) -> None:
    assert plain(markdown) == text


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    @override
    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_names_are_text_on_the_page_and_nothing_is_loaded() -> None:
    evil = '"><script>alert(1)</script><img src=//x onerror=y>'
    page = Page(poll_page(PollForm(evil, (evil, "b & c"), ("x", "y")), "NONCE"))
    tags = [tag for tag, _ in page.tags]
    assert tags.count("script") == 1
    assert "img" not in tags
    assert page.words.count(evil) == 2
    assert "b & c" in page.words
    for tag, attributes in page.tags:
        assert not attributes.keys() & {"src", "href", "action", "onerror"}, tag
        if tag in ("script", "style"):
            assert attributes["nonce"] == "NONCE"
    assert [tag for tag, _ in page.tags if tag == "input"] == ["input"] * 2


def test_many_choices_are_a_list_that_opens() -> None:
    form = PollForm("Which slot?", tuple(f"M{i}" for i in range(90)), tuple(range(90)))
    page = Page(poll_page(form, "N"))
    values = [attributes["value"] for tag, attributes in page.tags if tag == "option"]
    assert values == ["", *map(str, range(90))]


def test_the_policy_of_the_page_allows_its_own_script_alone() -> None:
    rules = dict(rule.strip().split(" ", 1) for rule in poll_policy("N").split(";"))
    assert rules == {
        "default-src": "'none'",
        "style-src": "'nonce-N'",
        "script-src": "'nonce-N'",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }


@pytest.mark.parametrize("name", ["why-order-matters", "idle-slots-next-door", "fairness-costs"])
def test_questions_are_polled_and_right_answers_found(name: str) -> None:
    taught = find_lesson(name)
    for number, step in enumerate(taught.steps):
        question = step.question
        if question is None or question.kind == "order":
            continue
        simulated = SimulatedStep(shown_step(taught, number))
        form = poll_form(question, question.options(simulated))
        answers = [question.right_answer(simulated), question.wrong_answer(simulated)]
        votes = answers if form.takes_number else [form.values.index(answer) for answer in answers]
        given = range(len(form.choices)) if form.choices else votes
        plainly = {vote for vote in given if question.judge(simulated, form.value(vote)).is_right}
        assert right_votes(form, votes, question, simulated) == plainly
        assert votes[0] in plainly
        assert votes[1] not in plainly


@pytest.mark.parametrize("kind", ["order", "by-hand"])
def test_what_no_phone_can_answer_says_why_there_is_no_poll(kind: str) -> None:
    with pytest.raises(InputError, match="there is no poll on this question: its answer is a"):
        poll_form(QUESTION_TYPES[kind](text="Better?"), [])


def test_names_keep_their_stars_and_hide_nothing() -> None:
    options = [Option("*a*", "*a*"), Option("b\u202ec", "b\u202ec")]
    form = poll_form(QUESTION_TYPES["next-job"](text="*Who?*"), options)
    assert form == PollForm("Who?", ("*a*", r"b\u202ec"), ("*a*", "b\u202ec"))


@pytest.mark.parametrize("count", [1, 201])
def test_too_few_or_too_many_options_are_no_poll(count: int) -> None:
    question = QUESTION_TYPES["next-job"](text="Who?")
    with pytest.raises(InputError, match=f"it has {count} answers"):
        poll_form(question, [Option(str(i), str(i)) for i in range(count)])


def test_rows_of_choices_hold_their_number_alone() -> None:
    for row, number in zip(histogram(CHOICES, []), range(3), strict=True):
        assert (row.begin, row.end) == (number, number + 1)
        assert math.isfinite(row.end)
