"""Two pools of jobs that end at about the same time: the BalancedPools search.

Source: 000 section 3.3, Algorithm 2. As printed its binary search does not end when SizeEnd is
SizeBegin + 1: here it stops at 1 apart, and both sizes are tried. What is kept is the best of everything
tried, the single pool included; the printed text keeps the last trial of each split.

Trials are not cut short when they can no longer be the best: it was tried, and gains nothing, as most pools
end close to each other.
"""

from __future__ import annotations

import threading
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import Cancelled
from core.model.job import MAP, REDUCE
from core.model.partition import Partition, SlotPool
from core.planning.aria import StageProfiles
from core.planning.johnson import johnson_order

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload

    Jobs = NDArray[np.int64]
    Slots = tuple[int, int]
    Simulator = Callable[[Jobs, Slots, Callable[[], bool]], float]
    """Returns the makespan of jobs, served in this order, on so many map and reduce slots of their own.

    Asks its last argument now and then whether to stop, and then raises Cancelled.
    """

SMALL, LARGE, ALL = "Small jobs", "Large jobs", "All jobs"
LOOK_EVERY = 0.03
"""Seconds between two looks at progress and cancel."""


@dataclass(frozen=True, slots=True, order=True)
class Trial:
    """One way to cut the cluster in two, simulated.

    Attributes
    ----------
    split : the pool of small jobs has the first so many by number of maps
    size : its slots, counted in the kind that the cluster has more of
    small, large : when each pool's last job departs, in seconds
    """

    split: int
    size: int
    small: float
    large: float

    @property
    def makespan(self) -> float:
        """When both pools are done, in seconds."""
        return max(self.small, self.large)


@dataclass(frozen=True)
class PoolSearch:
    """Everything the search has tried, and the best of it.

    Attributes
    ----------
    jobs : all jobs by number of maps, (jobs,)
    single : makespan of Johnson's order in one pool, in seconds
    trials : sorted by split, then size
    best : the trial with the shortest makespan, or None where the single pool is as good
    partition : the best as pools
    """

    jobs: Jobs
    single: float
    trials: tuple[Trial, ...]
    best: Trial | None
    partition: Partition

    @property
    def makespan(self) -> float:
        """The best makespan, in seconds."""
        return self.single if self.best is None else self.best.makespan


def balanced_pools(
    workload: Workload,
    cluster: Cluster,
    simulators: Sequence[Simulator],
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    on_trials: Callable[[Sequence[Trial]], None] | None = None,
) -> PoolSearch:
    """Search the split of the jobs and the size of the pools with the shortest makespan.

    Parameters
    ----------
    workload, cluster : what to schedule and on what; typed slots
    simulators : one for each thread to use; the result does not depend on how many there are
    progress : called with the fraction done, 0 to 1
    should_stop : asked now and then; True cancels
    on_trials : called with the single pool (a trial of split 0), then with the trials of one split after the
        other, in whatever order they are done

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    cut = PoolCut(workload, cluster)
    single = simulators[0](cut.johnson(cut.jobs, cut.slots), cut.slots, should_stop or _never)
    if on_trials is not None:
        on_trials([Trial(0, 0, 0.0, single)])
    splits = range(1, len(cut.jobs) if cut.sizes else 1)
    found = _Splits(cut, simulators).search(splits, progress, should_stop, on_trials)
    trials = tuple(sorted(found))
    better = [trial for trial in trials if trial.makespan < single]
    best = min(better, key=lambda trial: (trial.makespan, trial), default=None)
    return PoolSearch(cut.jobs, single, trials, best, cut.partition(best))


class PoolCut:
    """How a workload and its cluster are cut in two.

    Attributes
    ----------
    jobs : all jobs by number of maps, ties in input order, (jobs,)
    slots : map and reduce slots of the cluster
    sizes : the sizes that the pool of small jobs may have; empty where the slots cannot be cut
    """

    def __init__(self, workload: Workload, cluster: Cluster) -> None:
        self._names = [job.name for job in workload.jobs]
        self._profiles = StageProfiles.of(workload, cluster)
        self._estimates: dict[tuple[int, int], NDArray[np.float64]] = {}
        self.jobs: Jobs = np.argsort(workload.columns.count[:, MAP], kind="stable")
        self.slots: Slots = (cluster.map_slots, cluster.reduce_slots)
        needed = workload.map_count > 0, workload.reduce_count > 0
        can = all(slots > 1 or not need for slots, need in zip(self.slots, needed, strict=True))
        self.sizes = range(1, max(self.slots)) if can else range(0)

    def pools(self, size: int) -> tuple[Slots, Slots]:
        """Return the slots of the small jobs' pool and of the other: both kinds cut in proportion."""
        whole = max(self.slots)
        maps, reduces = (_share(slots, size, whole) for slots in self.slots)
        return (maps, reduces), (self.slots[MAP] - maps, self.slots[REDUCE] - reduces)

    def johnson(self, jobs: Jobs, slots: Slots) -> Jobs:
        """Return the jobs in Johnson's order, by stage estimates for these slots."""
        jobs = np.sort(jobs)  # ties keep input order
        maps, reduces = self._estimate(MAP, slots[MAP]), self._estimate(REDUCE, slots[REDUCE])
        return jobs[johnson_order(maps[jobs], reduces[jobs])]

    def _estimate(self, kind: int, slots: int) -> NDArray[np.float64]:
        key = (kind, slots)
        if key not in self._estimates:
            bounds = self._profiles.map_bounds if kind == MAP else self._profiles.reduce_bounds
            self._estimates[key] = bounds(slots).mean
        return self._estimates[key]

    def partition(self, trial: Trial | None) -> Partition:
        """Return the pools of a trial; for None the single pool."""
        if trial is None:
            return Partition((self._pool(ALL, self.jobs, self.slots),))
        small, large = self.pools(trial.size)
        return Partition(
            (
                self._pool(SMALL, self.jobs[: trial.split], small),
                self._pool(LARGE, self.jobs[trial.split :], large),
            )
        )

    def _pool(self, name: str, jobs: Jobs, slots: Slots) -> SlotPool:
        return SlotPool(name, *slots, tuple(self._names[j] for j in self.johnson(jobs, slots)))


def _never() -> bool:
    return False


def _share(slots: int, size: int, whole: int) -> int:
    """Return `size` of `whole` in proportion to `slots`: whole slots, at least 1 for either pool."""
    rounded = (2 * size * slots + whole) // (2 * whole)
    return min(max(rounded, 1), slots - 1) if slots > 1 else 0


class _Splits:
    """Searches splits, each on its own, in as many threads as there are simulators."""

    def __init__(self, cut: PoolCut, simulators: Sequence[Simulator]) -> None:
        self._cut = cut
        self._idle = list(simulators)
        self._threads = len(simulators)
        self._stop = threading.Event()

    def search(
        self,
        splits: range,
        progress: Callable[[float], None] | None,
        should_stop: Callable[[], bool] | None,
        on_trials: Callable[[Sequence[Trial]], None] | None,
    ) -> list[Trial]:
        """Return the trials of all splits."""
        trials: list[Trial] = []
        with ThreadPoolExecutor(self._threads, "balanced pools") as pool:
            pending = {pool.submit(self._search_one, split) for split in splits}
            try:
                while pending:
                    done, pending = wait(pending, LOOK_EVERY, FIRST_COMPLETED)
                    for future in done:
                        trials += future.result()
                        if on_trials is not None:
                            on_trials(future.result())
                    if progress is not None:
                        progress(1 - len(pending) / len(splits))
                    if should_stop is not None and should_stop():
                        raise Cancelled("the search for balanced pools was cancelled")
            finally:
                self._stop.set()  # reached by an exception, what still runs is of no use
                pool.shutdown(cancel_futures=True)
        return trials

    def _search_one(self, split: int) -> list[Trial]:
        simulator = self._idle.pop()  # never empty: there are as many threads as simulators
        try:
            return self._balance(split, simulator)
        finally:
            self._idle.append(simulator)

    def _balance(self, split: int, simulate: Simulator) -> list[Trial]:
        """Search the size at which both pools end together (Algorithm 2, lines 5 to 18)."""
        begin, end = self._cut.sizes.start, self._cut.sizes.stop
        trials = []
        while end - begin > 1:
            trials.append(self._try(split, (begin + end) // 2, simulate))
            if trials[-1].small < trials[-1].large:
                end = trials[-1].size
            else:
                begin = trials[-1].size
        tried = {trial.size for trial in trials}
        left = [size for size in (begin, end) if size in self._cut.sizes and size not in tried]
        return trials + [self._try(split, size, simulate) for size in left]

    def _try(self, split: int, size: int, simulate: Simulator) -> Trial:
        if self._stop.is_set():
            raise Cancelled("the search for balanced pools was cancelled")
        cut = self._cut
        ends = [
            simulate(cut.johnson(jobs, slots), slots, self._stop.is_set)
            for jobs, slots in zip((cut.jobs[:split], cut.jobs[split:]), cut.pools(size), strict=True)
        ]
        return Trial(split, size, *ends)
