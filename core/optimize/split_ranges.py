"""The splits of a number of slots into map and reduce slots, those with the lowest bound first.

A schedule on any split of a range also runs on a cluster with the most map slots and the most reduce slots
of the range. So one lower bound speaks of all its splits, and ranges are halved where theirs is lowest.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from core.model.errors import InputError
from core.model.limits import MAX_SLOTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster

MAX_RANGES = 256
"""Into which the splits are divided: their bounds take a second at most."""


class _Range(NamedTuple):
    """Splits with `first` to `last` map slots, with the bound of all; the smallest is halved first."""

    bound: float
    from_middle: float
    first: int
    last: int


class SplitRanges:
    """All splits of a number of slots that were not taken yet, in ranges with a bound of each.

    Parameters
    ----------
    cluster : what else is to be as it is
    total : map and reduce slots together
    needed : whether there are maps, and whether there are reduces: at least one slot of each kind that is
    bound_of : a time that nothing on a cluster is shorter than, seconds

    Raises
    ------
    InputError
        there are too few slots, or too many
    """

    def __init__(
        self, cluster: Cluster, total: int, needed: tuple[bool, bool], bound_of: Callable[[Cluster], float]
    ) -> None:
        if not sum(needed) <= total <= 2 * MAX_SLOTS:
            raise InputError(
                f"{total} slots cannot be split; give a whole number from {sum(needed)} to {2 * MAX_SLOTS}"
            )
        self._cluster, self._total, self._bound_of = cluster, total, bound_of
        first = max(int(needed[0]), total - MAX_SLOTS)
        last = min(total - int(needed[1]), MAX_SLOTS)
        self._ranges = [self._range(first, last)]

    @property
    def bound(self) -> float:
        """Seconds that nothing on any of these splits is shorter than; infinity without any."""
        return self._ranges[0].bound if self._ranges else math.inf

    def slots(self, maps: int) -> Cluster:
        """Return the cluster with so many map slots, the rest being reduce slots."""
        return self._typed(maps, self._total - maps)

    def _typed(self, maps: int, reduces: int) -> Cluster:
        return replace(
            self._cluster,
            map_slots=maps,
            reduce_slots=reduces,
            containers=0,
            nodes=(),
            contention=(),
            reduce_load=0.0,
        )

    def take_lowest(self) -> tuple[float, int] | None:
        """Take out the split with the lowest bound: the bound, and its map slots; None if none is left."""
        while self._ranges:
            lowest = self._ranges[0]
            if lowest.first == lowest.last:
                heapq.heappop(self._ranges)
                return lowest.bound, lowest.first
            self._halve()
        return None

    def rule_out(self, is_above: Callable[[float], bool]) -> None:
        """Halve ranges until the bound of all is high enough, or that of a single split is not."""
        while len(self._ranges) < MAX_RANGES and self._ranges and not is_above(self.bound):
            if self._ranges[0].first == self._ranges[0].last:
                return
            self._halve()

    def _range(self, first: int, last: int) -> _Range:
        wide = self._typed(last, self._total - first)
        return _Range(self._bound_of(wide), abs(first + last - self._total) / 2, first, last)

    def _halve(self) -> None:
        """Halve the range with the lowest bound."""
        whole = heapq.heappop(self._ranges)
        middle = (whole.first + whole.last) // 2
        for first, last in ((whole.first, middle), (middle + 1, whole.last)):
            heapq.heappush(self._ranges, self._range(first, last))
