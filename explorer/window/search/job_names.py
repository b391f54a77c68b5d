"""The names of thousands of jobs, searched at every letter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from explorer.widgets.fuzzy_match import score

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MAX_FOUND = 100
"""So many jobs are found at most, those that fit best: nobody looks through more of them."""


class JobNames:
    """Finds jobs by a few letters or numbers of their names.

    Exact names come first, then those that begin with what is typed, have it as a word or number ("2" in
    "job_0002"), and those in which it stands anywhere.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._lower = [name.lower() for name in names]

    def having(self, typed: str) -> list[int]:
        """Return the places of all jobs whose names have every word that is typed; all of them for none."""
        places = list(range(len(self._names)))
        for word in typed.lower().split():
            places = [place for place in places if word in self._lower[place]]
        return places

    def found(self, typed: str) -> tuple[list[tuple[float, int]], int]:
        """Return (points, place of the job) of those that fit best, the best first, and how many others fit.

        Those are the first jobs where nothing is typed.
        """
        fitting = self.having(typed)
        places = self._likeliest(typed.lower(), fitting)
        points = [(score(typed, self._names[place]) or 0.0, place) for place in places]
        return sorted(points, key=lambda each: (-each[0], each[1])), len(fitting) - len(places)

    def _likeliest(self, typed: str, places: list[int]) -> list[int]:
        """Return so many of some places that all can be scored: exact names, beginnings, words first."""
        if len(places) <= MAX_FOUND or not typed.split():
            return places[:MAX_FOUND]
        lower, whole = self._lower, typed.strip()
        has_number = re.compile(rf"(?<![0-9])0*{re.escape(typed.split()[-1])}(?![0-9a-z])").search
        tiers: tuple[Callable[[str], object], ...] = (
            whole.__eq__,
            has_number if whole[-1].isdigit() else whole.__eq__,
            lambda name: name.startswith(whole),
            bool,
        )
        likeliest: dict[int, None] = {}
        for fits in tiers:
            likeliest |= dict.fromkeys(place for place in places if fits(lower[place]))
            if len(likeliest) >= MAX_FOUND:
                break
        return list(likeliest)[:MAX_FOUND]
