"""Long searches: remembered by what they depend on, and shared while they are under way."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

from core.model.errors import Cancelled
from core.model.progress import no_progress
from core.planning.trial_threads import LOOK_EVERY

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

MAX_KEPT = 16
Found = TypeVar("Found")
News = TypeVar("News")


class UnderWay(Generic[News]):
    """A search under way; other threads may follow it."""

    def __init__(self) -> None:
        self._fraction = 0.0
        self._news: list[News] = []
        self._progress: Callable[[float], None] = no_progress
        self._on_news: Callable[[Sequence[News]], None] = no_progress
        self._ended = threading.Event()

    def pass_to(self, progress: Callable[[float], None], on_news: Callable[[Sequence[News]], None]) -> None:
        """Pass it to its owner: all notifications go to the one that began it at once."""
        self._progress, self._on_news = progress, on_news

    def note_fraction(self, fraction: float) -> None:
        """Note how much is done."""
        self._fraction = fraction
        self._progress(fraction)

    def note_news(self, news: Sequence[News]) -> None:
        """Note what was tried."""
        self._news += news
        self._on_news(news)

    def end(self) -> None:
        """Let the followers go on."""
        self._ended.set()

    def follow(
        self,
        progress: Callable[[float], None],
        should_stop: Callable[[], bool],
        on_news: Callable[[Sequence[News]], None],
        what: str,
    ) -> None:
        """Report how it goes until it ends, found or given up."""
        delivered = 0
        while True:
            has_ended = self._ended.wait(LOOK_EVERY)
            news = self._news[delivered:]
            delivered += len(news)
            on_news(news)
            progress(self._fraction)
            if has_ended:
                return
            if should_stop():
                raise Cancelled(f"{what} was cancelled")


class KeptSearches(Generic[Found, News]):
    """What was found, the least recently used leaving first, and what is under way.

    Parameters
    ----------
    what : what is searched, as messages call it: "the search for balanced pools"
    most : how many results are remembered
    """

    def __init__(self, what: str, most: int = MAX_KEPT) -> None:
        self._what, self._most = what, most
        self._lock = threading.Lock()
        self._found: OrderedDict[Hashable, Found] = OrderedDict()
        self._running: dict[Hashable, UnderWay[News]] = {}

    def known(self, key: Hashable) -> Found | None:
        """Return what was found, or None."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def find(
        self,
        key: Hashable,
        search: Callable[[UnderWay[News]], Found],
        progress: Callable[[float], None],
        should_stop: Callable[[], bool],
        on_news: Callable[[Sequence[News]], None] = no_progress,
    ) -> Found:
        """Return what `search` finds; at once if it was found before.

        If the same search is under way in another thread, its result is waited for.

        Parameters
        ----------
        key : all that the result depends on
        search : is told where to note its progress and news; raises Cancelled if it is to stop
        progress, on_news : told how far it is, and what was tried
        should_stop : ends the waiting for another thread

        Raises
        ------
        Cancelled
            `should_stop` said so
        """
        while True:
            found, under_way, is_ours = self._look(key)
            if found is not None:
                return found
            if is_ours:
                break
            under_way.follow(progress, should_stop, on_news, self._what)
        try:
            under_way.pass_to(progress, on_news)
            found = search(under_way)
            return found
        finally:
            self._end(key, found)

    def _look(self, key: Hashable) -> tuple[Found | None, UnderWay[News], bool]:
        """Return what was found, else the search under way, and whether it is the caller's to do."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key], UnderWay(), False
            is_new = key not in self._running
            return None, self._running.setdefault(key, UnderWay()), is_new

    def _end(self, key: Hashable, found: Found | None) -> None:
        """Remember what was found, if anything was, and end the search."""
        with self._lock:
            if found is not None:
                self._found[key] = found
                while len(self._found) > self._most:
                    self._found.popitem(last=False)
            self._running.pop(key).end()
