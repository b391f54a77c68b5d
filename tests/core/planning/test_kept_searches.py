"""Searches that are remembered: how many, which leave first, and what becomes of one that fails."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from core.model.errors import Cancelled
from core.model.progress import never_stop, no_progress
from core.planning.kept_searches import MAX_KEPT, KeptSearches

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.planning.kept_searches import UnderWay

Searches = KeptSearches[str, int]


def find(
    searches: Searches,
    key: int,
    made: list[int],
    should_stop: Callable[[], bool] = never_stop,
    on_news: Callable[[Sequence[int]], None] = no_progress,
) -> str:
    def search(_news: UnderWay[int]) -> str:
        made.append(key)
        return f"found {key}"

    return searches.find(key, search, no_progress, should_stop, on_news)


def test_as_many_as_said_are_kept_and_the_oldest_leaves_first() -> None:
    searches, made = Searches("the search"), list[int]()
    for key in range(MAX_KEPT):
        find(searches, key, made)
    assert [searches.known(key) for key in range(MAX_KEPT)] == [f"found {key}" for key in range(MAX_KEPT)]
    find(searches, MAX_KEPT, made)
    assert searches.known(0) is None
    assert [searches.known(key) for key in (1, MAX_KEPT)] == ["found 1", f"found {MAX_KEPT}"]


@pytest.mark.parametrize("again", ["find", "known"])
def test_what_is_used_again_stays(again: str) -> None:
    searches, made = Searches("the search"), list[int]()
    for key in range(MAX_KEPT):
        find(searches, key, made)
    if again == "find":
        assert find(searches, 0, made) == "found 0"
    else:
        assert searches.known(0) == "found 0"
    find(searches, MAX_KEPT, made)
    assert searches.known(0) == "found 0"
    assert searches.known(1) is None
    assert made == list(range(MAX_KEPT + 1)), "nothing is searched twice"


def test_a_search_that_fails_leaves_nothing_and_is_made_again() -> None:
    searches, made = Searches("the search"), list[int]()

    def fail(_news: UnderWay[int]) -> str:
        raise ValueError("no result")

    with pytest.raises(ValueError, match="no result"):
        searches.find(5, fail, no_progress, never_stop)
    assert searches.known(5) is None
    assert find(searches, 5, made) == "found 5"
    assert made == [5]


def followed(ended: BaseException | None, should_stop: Callable[[], bool] = never_stop) -> tuple[object, ...]:
    """Return what a second thread gets, is shown and searches itself while a first one is at work.

    The first one notes 1 and 2 and half of the way, and 3 as soon as the second has seen these.
    """
    searches, made, seen, fractions = Searches("the search"), list[int](), list[int](), list[float]()
    results: list[object] = []
    began, saw = threading.Event(), threading.Event()

    def slow(news: UnderWay[int]) -> str:
        news.note_news([1, 2])
        news.note_fraction(0.5)
        began.set()
        assert saw.wait(10)
        news.note_news([3])
        if ended is not None:
            raise ended
        return "found by the first"

    def note(news: Sequence[int]) -> None:
        seen.extend(news)

    def progress(fraction: float) -> None:
        fractions.append(fraction)
        saw.set()

    def own(_news: UnderWay[int]) -> str:
        made.append(7)
        return "found by the second"

    def first() -> None:
        try:
            results.append(searches.find(7, slow, no_progress, never_stop))
        except ValueError as error:
            results.append(error)

    thread = threading.Thread(target=first)
    thread.start()
    assert began.wait(10)
    try:
        second: object = searches.find(7, own, progress, should_stop, note)
    except Cancelled as cancelled:
        second = str(cancelled)
    thread.join(10)
    return second, seen, made, results[0], fractions[0]


def test_a_follower_sees_all_news_once_and_gets_the_same_result() -> None:
    assert followed(None) == ("found by the first", [1, 2, 3], [], "found by the first", 0.5)


def test_a_follower_searches_itself_when_the_search_that_it_follows_fails() -> None:
    error = ValueError("no result")
    assert followed(error) == ("found by the second", [1, 2, 3], [7], error, 0.5)


def test_a_follower_that_is_stopped_leaves_the_search_alone() -> None:
    second, seen, made, first, _ = followed(None, lambda: True)
    assert (second, seen, made) == ("the search was cancelled", [1, 2], [])
    assert first == "found by the first"
