"""The best split of a number of slots into map and reduce slots, and how much any other could still gain.

Schedules are searched for the splits with the lowest bounds, the half of them with the better schedules going
on after each round. The bounds of the others say what these could gain at most.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.model.progress import no_progress
from core.model.slots_that_stay import check_slots_stay
from core.model.time_text import clock_text, percent
from core.optimize.bounds import lower_bound
from core.optimize.short_searches import STEPS_AT_ONCE, is_longer
from core.optimize.split_ranges import SplitRanges

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.optimize.short_searches import Searching, ShortSearches

MAX_SEARCHED = 8
"""Splits that schedules are searched for."""
FIRST_STEPS = 4 * STEPS_AT_ONCE
"""Of each split in the first round, where searches are measured by the clock."""


@dataclass(frozen=True)
class Split:
    """One way to split the slots.

    Attributes
    ----------
    map_slots, reduce_slots : how many of each
    bound : seconds; no schedule on them is shorter
    makespan, plan : of the best schedule found; infinity and None where none is
    """

    map_slots: int
    reduce_slots: int
    bound: float
    makespan: float = math.inf
    plan: Plan | None = None


def _slots_text(split: Split) -> str:
    return f"{split.map_slots} map + {split.reduce_slots} reduce slots"


@dataclass(frozen=True)
class BestSplit:
    """What is known of the splits.

    Attributes
    ----------
    best : the split with the shortest schedule found
    searched : the splits for which schedules were searched, those with the shortest first
    others_bound : seconds; no schedule on any other split than the best is shorter
    """

    best: Split
    searched: tuple[Split, ...]
    others_bound: float

    @property
    def others_gain(self) -> float:
        """By which part of the best makespan a schedule on another split can be shorter at most."""
        if not is_longer(self.best.makespan, self.others_bound):
            return 0.0
        return 1 - self.others_bound / self.best.makespan

    @property
    def sentence(self) -> str:
        """What is known, in words: "64 map + 64 reduce slots; no other split can end sooner"."""
        slots = _slots_text(self.best)
        if math.isinf(self.best.makespan):
            return f"{slots} have the lowest bound; no schedule is found yet."
        gain = self.others_gain
        can = f"be more than {percent(gain)} shorter" if round(gain, 3) > 0 else "end sooner"
        return f"{slots} end at {clock_text(self.best.makespan)}; on no other split can a schedule {can}."


def best_split(
    workload: Workload,
    cluster: Cluster,
    total: int,
    searches: ShortSearches,
    on_known: Callable[[BestSplit], None] = no_progress,
) -> BestSplit:
    """Look for the split of `total` slots whose schedule is shortest.

    Parameters
    ----------
    cluster : what else is to be as it is
    searches : how long schedules are searched; when these are over, what is known so far is returned
    on_known : called with what is known whenever a better schedule is

    Raises
    ------
    InputError
        there are too few slots, or too many
    """
    check_slots_stay(cluster, "the best split of slots")
    search = _SplitSearch(workload, cluster, total, on_known)
    search.choose(MAX_SEARCHED)
    search.search(searches)
    search.rule_out()
    return search.answer()


class _SplitSearch:
    """The splits: single ones that are searched, and all others in ranges."""

    def __init__(
        self, workload: Workload, cluster: Cluster, total: int, on_known: Callable[[BestSplit], None]
    ) -> None:
        self._workload, self._total, self._on_known = workload, total, on_known

        def bound_of(cluster: Cluster) -> float:
            return lower_bound(workload, cluster)

        needed = (workload.map_count > 0, workload.reduce_count > 0)
        self._others = SplitRanges(cluster, total, needed, bound_of)
        self._splits: list[Split] = []

    def choose(self, count: int) -> None:
        """Take so many splits with the lowest bounds."""
        while len(self._splits) < count and (lowest := self._others.take_lowest()) is not None:
            bound, maps = lowest
            self._splits.append(Split(maps, self._total - maps, bound))

    def search(self, searches: ShortSearches) -> None:
        """Search schedules for the splits taken out, in rounds; the better half of them goes on."""
        running = list(range(len(self._splits)))
        begun = {
            place: searches.begin(self._workload, self._others.slots(split.map_slots))
            for place, split in enumerate(self._splits)
        }
        steps = FIRST_STEPS if searches.steps is None else max(1, searches.steps // 4)
        while running and not searches.is_over():
            for place in running:
                self._advance(place, begun[place], steps, searches)
            if len(running) == 1 and searches.steps is not None:
                return
            best = min(split.makespan for split in self._splits)
            running.sort(key=lambda place: (self._splits[place].makespan, place))
            running = [
                place
                for place in running[: (len(running) + 1) // 2]
                if is_longer(best, self._splits[place].bound)
            ]
            steps *= 2

    def _advance(self, place: int, search: Searching, steps: int, searches: ShortSearches) -> None:
        """Search one split for so many steps, as long as it can still be the best one."""
        searches.trying(_slots_text(self._splits[place]))
        for _ in range(0, steps, STEPS_AT_ONCE):
            best = min(split.makespan for split in self._splits)
            if searches.is_over() or not is_longer(best, self._splits[place].bound):
                return
            found = search.advance(min(steps, STEPS_AT_ONCE), searches.is_over)
            bound = max(self._splits[place].bound, found.bound)
            self._splits[place] = replace(
                self._splits[place], bound=bound, makespan=found.best, plan=found.plan
            )
            if found.best < best:
                self._on_known(self.answer())

    def rule_out(self) -> None:
        """Look closer at the bounds of the others while one is below the best schedule."""
        best = self.answer().best.makespan
        self._others.rule_out(lambda bound: not is_longer(best, bound))

    def answer(self) -> BestSplit:
        """Return what is known."""
        ranked = sorted(self._splits, key=lambda split: (split.makespan, split.bound))
        others = [split.bound for split in ranked[1:]] + [self._others.bound]
        searched = tuple(split for split in ranked if split.plan is not None)
        return BestSplit(ranked[0], searched, min(others))
