"""The page of a poll in a real Chromium, as wide as a phone: it sends answers, and loads nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.lessons.poll import PollForm
from explorer.lessons.poll_server import TAKEN, PollServer
from tests.browser import MISSING, Browser, chromium

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(chromium() is None, reason=MISSING)
LONG = (
    "Let J2 go first, whose long reduces then run beside the long maps of J1: "
    + "they_need_different_slots" * 3
)
FORMS = {
    "buttons": PollForm("Which <b>one</b>?", ("first", LONG, "third"), ("a", "b", "c")),
    "list": PollForm("Which slot?", tuple(f"M{number}" for number in range(90)), tuple(range(90))),
    "number": PollForm("After how many seconds?", unit="s"),
}
CHOOSE = {
    "buttons": ("document.querySelectorAll('input')[{}].click()", (1, 2)),
    "list": ("document.querySelector('select').value = '{}'", (7, 89)),
    "number": ("document.querySelector('input').value = '{}'", (42.5, 24)),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser(390, 844) as one:
        yield one


def show(browser: Browser, url: str) -> None:
    browser.call("Page.navigate", {"url": url})
    browser.wait_for(f"location.href.startsWith({url!r}) && document.readyState === 'complete'")


def said(browser: Browser) -> str:
    return str(browser.evaluate("document.querySelector('output').textContent"))


def answer(browser: Browser, choose: str) -> None:
    browser.evaluate(f"document.querySelector('output').textContent = ''; {choose}; 0")
    browser.evaluate("document.querySelector('button').click()")
    browser.wait_for("document.querySelector('output').textContent !== ''")


@pytest.mark.parametrize("kind", FORMS)
def test_a_phone_answers_and_answers_otherwise(browser: Browser, kind: str) -> None:
    choose, (first, second) = CHOOSE[kind]
    poll = PollServer(FORMS[kind], "127.0.0.1")
    try:
        show(browser, poll.url)
        browser.messages.clear()
        assert browser.evaluate("document.querySelector('h1').textContent") == FORMS[kind].question
        assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")
        answer(browser, "0")
        assert said(browser) == "Give an answer first."
        for value in (first, second):
            answer(browser, choose.format(value))
            assert said(browser) == TAKEN
            assert list(poll.votes.values()) == [value]
        voter = next(iter(poll.votes))
        browser.call("Page.reload")
        browser.wait_for(
            "document.readyState === 'complete' && document.querySelector('output').textContent === ''"
        )
        answer(browser, choose.format(first))
        assert poll.votes == {voter: first}
        assert browser.evaluate(
            "performance.getEntriesByType('resource').every(each => each.initiatorType === 'fetch')"
        )
        assert browser.evaluate("document.cookie === '' && localStorage.length + sessionStorage.length === 0")
    finally:
        poll.stop()
    answer(browser, "0")
    assert " is over" in said(browser)  # also of a connection that was open before


def test_every_phone_is_one_of_its_own(browser: Browser) -> None:
    poll = PollServer(FORMS["number"], "127.0.0.1")
    try:
        show(browser, "about:blank")
        browser.messages.clear()
        for number in range(3):
            show(browser, "about:blank")
            show(browser, poll.url)
            answer(browser, CHOOSE["number"][0].format(number))
        assert sorted(poll.votes.values()) == [0, 1, 2]
        assert browser.messages == []
    finally:
        poll.stop()
