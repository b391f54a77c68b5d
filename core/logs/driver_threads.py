"""Which job the driver waited for before it submitted another one, as far as a log can show it.

A driver submits a job when one before it has ended and some time has passed; the log has only when that was.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

NONE = -1
AT_ONCE = 50
"""Jobs that are submitted within so many ms of one another may follow the same job."""
MAX_DRAWN = 64
"""Of so many jobs that had ended last one is drawn."""


@dataclass(slots=True)
class _Thread:
    """Jobs of a driver that one thread may have submitted, or several that a log does not name.

    Attributes
    ----------
    longest : no thread idles longer between two jobs, ms
    running : end and place of each job that had not ended, a heap
    ended : those that had ended and that none has followed yet, the last one last
    last : the job that had ended last, whether one has followed it or not
    followed : when the last job was followed, ms, or `NONE`
    draw : draws which of those in `ended` is followed; None for the last one
    usual : of jobs that ended this much earlier one is drawn 1 / e times as often, ms
    """

    longest: float
    draw: np.random.Generator | None = None
    usual: float = 0.0
    running: list[tuple[int, int]] = field(default_factory=list)
    ended: list[tuple[int, int]] = field(default_factory=list)
    last: tuple[int, int] = (NONE, NONE)
    followed: int = NONE

    def job_before(self, submit: int) -> int:
        """Return the place of the job that one submitted now follows, or `NONE`."""
        while self.running and self.running[0][0] <= submit:
            self.last, self.followed = heappop(self.running), NONE
            self.ended.append(self.last)
        is_at_once = self.followed != NONE and submit - self.followed <= AT_ONCE
        if is_at_once or not self.ended:
            return self.last[1]
        if submit - self.ended[-1][0] > max(self.longest, submit - self.last[0]):
            return self.last[1]
        before = self.ended.pop(self._drawn(submit))
        if before == self.last:
            self.followed = submit
        return before[1]

    def _drawn(self, submit: int) -> int:
        """Return the place in `ended` of the job that is followed."""
        if self.draw is None:
            return -1
        idle = submit - np.array([end for end, _ in self.ended[-MAX_DRAWN:]], float)
        chances = np.where(idle > self.longest, 0.0, np.exp((idle[-1] - idle) / max(self.usual, 1.0)))
        chances[-1] = 1.0
        return int(self.draw.choice(len(idle), p=chances / chances.sum())) - len(idle)


def jobs_before(
    drivers: Sequence[str],
    pools: Sequence[str],
    submit: NDArray[np.int64],
    ends: NDArray[np.int64],
    *,
    draw: np.random.Generator | None = None,
    usual: float = 0.0,
) -> list[int]:
    """Return the place of the job that each one follows, or `NONE`.

    Each follows the job of its driver that had ended last when it was submitted, of those that no other has
    followed: where several threads submit jobs, each has one after the other. Only jobs that are submitted at
    once follow the same one, and those that come when all that had ended within the duration of a job have
    been followed.

    Parameters
    ----------
    drivers : of each job, empty where it has none
    pools : of each job
    submit, ends : ms on the log's clock, by submission, (jobs,)
    draw, usual : to draw another of the jobs that had ended, one that ended so many ms earlier 1 / e times as
        often; without `draw` it is the last one

    Examples
    --------
    Of two threads, A (ends at 10 s) and B (at 11 s) are followed by C (submitted at 12 s) and D (at 13 s):

    >>> clock = np.array([0, 0, 12, 13]) * 1000, np.array([10, 11, 20, 20]) * 1000
    >>> jobs_before(["app"] * 4, ["a"] * 4, *clock)
    [-1, -1, 1, 0]
    """
    threads: dict[tuple[str, ...], _Thread] = {}
    longest = float(np.maximum(ends - submit, 0).mean()) if len(submit) else 0.0
    found = []
    for place, (thread, begin, end) in enumerate(
        zip(_threads(drivers, pools, submit, ends), submit.tolist(), ends.tolist(), strict=True)
    ):
        if not thread:
            found.append(NONE)
            continue
        mine = threads.setdefault(thread, _Thread(longest, draw, usual))
        found.append(mine.job_before(begin))
        heappush(mine.running, (end, place))
    return found


def _threads(
    drivers: Sequence[str], pools: Sequence[str], submit: NDArray[np.int64], ends: NDArray[np.int64]
) -> list[tuple[str, ...]]:
    """Return of each job which thread of which driver submitted it, empty where it has no driver.

    A pool is a setting of the thread. So where jobs of several pools of a driver ran at once, each pool is a
    thread, as far as can be known; where they never did, one thread may have changed its pool.
    """
    several: set[str] = set()
    latest: dict[str, dict[str, int]] = {}
    for driver, pool, begin, end in zip(drivers, pools, submit.tolist(), ends.tolist(), strict=True):
        of_pools = latest.setdefault(driver, {})
        if any(other > begin for name, other in of_pools.items() if name != pool):
            several.add(driver)
        of_pools[pool] = max(of_pools.get(pool, end), end)
    return [
        () if not driver else (driver, pool) if driver in several else (driver,)
        for driver, pool in zip(drivers, pools, strict=True)
    ]
