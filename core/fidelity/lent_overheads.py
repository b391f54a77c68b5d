"""What several logs of one cluster say together of its overheads, and what of that is drawn anew each time.

A log counts by its jobs: one of two jobs says less than one of fifty. How long a job waits for its launch,
and for its first task, differs from job to job by when it happens to come; a run of a simulation has one of
these times for all jobs, drawn from those of all jobs of the logs.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.model.overheads import LONGEST_OVERHEAD, Overheads, overheads_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.fidelity.overheads_estimate import Estimate

    Seconds = NDArray[np.float64]

FEW_JOBS = 5
"""A log of fewer jobs says little, of its cluster as of how far it is off."""
DRAWS, SEED = 20, 1
"""So often is drawn what varies, from this seed: one more draw lies outside these in a tenth of cases."""
USUALLY_AHEAD = 2
"""So many jobs Hadoop's capacity scheduler prepares ahead unless it is told otherwise."""


@dataclass(frozen=True, eq=False)
class LentOverheads:
    """Overheads by several logs.

    Attributes
    ----------
    overheads : the medians
    delays, fetches : by what the launch delay and fetching are drawn, seconds, (jobs of the logs,); none
        where they are not
    """

    overheads: Overheads
    delays: Seconds
    fetches: Seconds

    def drawn(self, draw: int) -> Overheads:
        """Return the overheads of one of `DRAWS` runs: each has another part of the delays and fetches."""
        delay, fetch = self._places[:, draw].tolist()
        usual = self.overheads
        return replace(
            usual,
            launch_delay=_quantile(self.delays, delay) if len(self.delays) else usual.launch_delay,
            fetch=_quantile(self.fetches, fetch) if len(self.fetches) else usual.fetch,
        )

    @property
    def varies(self) -> bool:
        """Whether one draw differs from another, by when hosts ask first if by nothing else."""
        return self.overheads.heartbeat > 0 or any(len(np.unique(x)) > 1 for x in (self.delays, self.fetches))

    @cached_property
    def _places(self) -> Seconds:
        """At which part of the sorted delays and fetches each draw is, 0 to 1, (2, draws): each part once."""
        orders = [np.random.default_rng([SEED, DRAWS, i]).permutation(DRAWS) for i in range(2)]
        return (np.array(orders) + 0.5) / DRAWS


def _quantile(values: Seconds, place: float) -> float:
    """Return a quantile of what such values are drawn from.

    Few values do not reach as far as what they are drawn from: evenly drawn ones (n - 1) / (n + 1) as far.
    """
    middle = float(np.median(values))
    further = (len(values) + 1) / max(len(values) - 1, 1)
    quantile = middle + (float(np.quantile(values, place)) - middle) * further
    return round(min(max(quantile, 0.0), LONGEST_OVERHEAD), 3)


def lent_overheads(
    estimates: Sequence[Estimate], heartbeat: float, *, assumes_line: bool = False
) -> LentOverheads:
    """Return the estimates of several logs of one cluster together: medians by jobs, field by field.

    A 0 is what a log has not shown, such as the time between launches where no two jobs waited, but for when
    ends become known. How long hosts fetch is said by those logs alone in which jobs waited in line, if any
    did: what a job fetches all behind it wait for, so that a longer time of another log adds up.

    Parameters
    ----------
    estimates : at least one
    heartbeat : the interval, seconds
    assumes_line : whether jobs are to wait in line as is usual where all logs have too few jobs to show one;
        then the shortest fetching counts, and no more than a heartbeat
    """
    shown = [(each, each.at(heartbeat)) for each in estimates]
    lines = [(each, at) for each, at in shown if at.launched_ahead]
    numbers: dict[str, float] = {}
    for name in (field.name for field in fields(Overheads)):
        values = [
            (getattr(at, name), each.jobs)
            for each, at in (lines if name == "fetch" and lines else shown)
            if name == "ends_known_after" or getattr(at, name)
        ]
        if values:
            numbers[name] = round(weighted_median(*zip(*values, strict=True)), 3)
    delays = np.concatenate([each.delays for each in estimates])
    fetches = np.concatenate([each.fetches(heartbeat) for each, _ in lines or shown])
    if assumes_line and not lines and _are_too_few(estimates):
        shortest = min(heartbeat, *(at.fetch for _, at in shown))
        numbers |= {"launched_ahead": USUALLY_AHEAD, "fetch": shortest}
        fetches = fetches[:0]
    return LentOverheads(overheads_of(numbers), delays, fetches)


def _are_too_few(estimates: Sequence[Estimate]) -> bool:
    """Whether logs have too few jobs to show a line, and none shows that there is none."""
    return all(each.jobs < FEW_JOBS and each.taskless <= USUALLY_AHEAD for each in estimates)


def weighted_median(values: Sequence[float], weights: Sequence[int]) -> float:
    """Return the weighted median of values."""
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(np.asarray(weights)[order])
    low, high = np.searchsorted(sums, [(sums[-1] - 1) // 2, sums[-1] // 2], "right")
    return (float(values[order[low]]) + float(values[order[high]])) / 2
