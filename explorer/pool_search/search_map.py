"""The trials of a search as a map: one row per split, each as wide as its pool of small jobs may be large."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.planning.pool_cut import Trial


@dataclass(frozen=True)
class SearchMap:
    """What has been tried so far.

    Attributes
    ----------
    jobs : of the workload: splits go from 1 to one fewer
    slots : of the cluster, of the kind that it has more of: sizes go from 1 to one fewer
    tried : all trials of two pools, and that of the single pool (split 0)
    """

    jobs: int
    slots: int
    tried: tuple[Trial, ...] = ()

    @cached_property
    def single(self) -> float | None:
        """Makespan of one pool for all, in seconds; None while it is not known."""
        return next((trial.makespan for trial in self.tried if trial.split == 0), None)

    @cached_property
    def rows(self) -> dict[int, tuple[Trial, ...]]:
        """The trials of each split that was searched, by size."""
        rows: dict[int, list[Trial]] = {}
        for trial in sorted(self.tried):
            if trial.split:
                rows.setdefault(trial.split, []).append(trial)
        return {split: tuple(trials) for split, trials in rows.items()}

    @cached_property
    def best(self) -> Trial | None:
        """The shortest trial so far, if it is shorter than the single pool."""
        pools = [trial for trial in self.tried if trial.split]
        best = min(pools, key=lambda trial: (trial.makespan, trial), default=None)
        if best is None or (self.single is not None and best.makespan >= self.single):
            return None
        return best

    def spans(self, split: int) -> list[tuple[float, float, Trial]]:
        """Return from where to where in size each trial of a row stands for its neighbourhood."""
        row = self.rows.get(split, ())
        middles = [(a.size + b.size) / 2 for a, b in pairwise(row)]
        edges = [0.5, *middles, self.slots - 0.5]
        return [(low, high, trial) for (low, high), trial in zip(pairwise(edges), row, strict=False)]

    def nearest(self, split: int, size: float) -> Trial | None:
        """Return the trial of a row that is nearest in size; None in a row that was not searched yet."""
        return min(self.rows.get(split, ()), key=lambda trial: abs(trial.size - size), default=None)

    def beside(self, trial: Trial, step: int) -> Trial:
        """Return the next or the previous trial of the same row, at the ends the trial itself."""
        row = self.rows[trial.split]
        return row[min(max(row.index(trial) + step, 0), len(row) - 1)]

    def above(self, trial: Trial, step: int) -> Trial:
        """Return the trial nearest in size so many searched rows further, at the ends in the last one."""
        splits = sorted(self.rows)
        place = min(max(bisect_left(splits, trial.split) + step, 0), len(splits) - 1)
        return self.nearest(splits[place], trial.size) or trial

    def shade(self, makespan: float) -> float:
        """Return how good a makespan is: 1 the best, 0 as long as the single pool, towards -1 longer."""
        if self.single is None or self.single <= 0:
            return 0.0
        if makespan > self.single:
            return max(self.single / makespan - 1, -1.0)
        shortest = self.best.makespan if self.best is not None else self.single
        whole = self.single - shortest
        return (self.single - makespan) / whole if whole > 0 else 0.0

    def least(self, split: int) -> float | None:
        """Return the shortest makespan of a row, None while it was not searched."""
        return min((trial.makespan for trial in self.rows.get(split, ())), default=None)


def tried_map(jobs: int, slots: tuple[int, int], tried: Sequence[Trial]) -> SearchMap:
    """Make the map of so many jobs on so many map and reduce slots, with the trials of two pools at most."""
    return SearchMap(jobs, max(slots), tuple(trial for trial in tried if trial.pools <= 2))
