"""Pools of jobs that end at about the same time: the BalancedPools search.

Source: 000 section 3.3, Algorithm 2. As printed its binary search does not end when SizeEnd is
SizeBegin + 1: here it stops at 1 apart, and both sizes are tried. What is kept is the best of everything
tried, the single pool included; the printed text keeps the last trial of each split. More than two pools are
ours (`core.planning.more_pools`).

Trials are not cut short when they can no longer be the best: it was tried, and gains nothing, as most pools
end close to each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from core.model.progress import never_stop, no_progress
from core.planning.more_pools import MorePools
from core.planning.pool_cut import PoolCut, Trial
from core.planning.trial_threads import TrialThreads

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.workload import Workload
    from core.planning.pool_cut import Jobs
    from core.planning.trial_threads import Simulate, Simulator


@dataclass(frozen=True)
class PoolSearch:
    """Everything the search has tried, and the best of it.

    Attributes
    ----------
    jobs : all jobs by number of maps, (jobs,)
    single : makespan of Johnson's order in one pool, in seconds
    trials : of two pools and more, sorted
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
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
    on_trials: Callable[[Sequence[Trial]], None] = no_progress,
    pools: int = 2,
    most_splits: int | None = None,
) -> PoolSearch:
    """Search the splits of the jobs and the sizes of the pools with the shortest makespan.

    Parameters
    ----------
    workload, cluster : what to schedule and on what; typed slots
    simulators : one for each thread to use; the result does not depend on how many there are
    progress : called with the fraction done, 0 to 1
    should_stop : asked now and then; True cancels
    on_trials : called with the single pool, then with the trials of one split in two after the other, in
        whatever order they are done, then with those of more pools
    pools : how many at most, from 2 on; fewer where fewer are as good
    most_splits : so many splits of the jobs in two are tried, spread evenly; None for all

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    cut = PoolCut(workload, cluster)
    single = Trial((), (), (simulators[0](cut.johnson(cut.jobs, cut.slots), cut.slots, should_stop),))
    on_trials([single])
    threads = TrialThreads(simulators, should_stop)
    trials: list[Trial] = []

    def note(tried: list[Trial], fraction: float) -> None:
        trials.extend(tried)
        on_trials(tried)
        progress(fraction / (pools - 1))

    most = cut.most_pools(pools)
    threads.each(partial(_balance, cut), _splits(len(cut.jobs), most_splits) if most > 1 else (), note)
    best = min(sorted([single, *trials]), key=lambda trial: trial.makespan)
    more = MorePools(cut, workload, threads)
    for count in range(3, most + 1):

        def follow(fraction: float, count: int = count) -> None:
            progress((count - 2 + fraction) / (pools - 1))

        better = more.search(count, best, follow, on_trials)
        trials += better
        best = better[-1] if better else best
    progress(1.0)
    return PoolSearch(
        cut.jobs,
        single.makespan,
        tuple(sorted(trials)),
        best if best is not single else None,
        cut.partition(best),
    )


def _splits(jobs: int, most: int | None) -> Sequence[int]:
    """Return how many jobs the first of two pools gets, of so many splits at most."""
    if most is None or most >= jobs - 1:
        return range(1, jobs)
    return [round(jobs * part / (most + 1)) for part in range(1, most + 1)]


def _balance(cut: PoolCut, split: int, simulate: Simulate) -> list[Trial]:
    """Search the size at which two pools end together (Algorithm 2, lines 5 to 18)."""
    begin, end = 1, cut.whole
    trials = []
    while end - begin > 1:
        trials.append(_try(cut, split, (begin + end) // 2, simulate))
        if trials[-1].ends[0] < trials[-1].ends[1]:
            end = trials[-1].size
        else:
            begin = trials[-1].size
    tried = {trial.size for trial in trials}
    left = [size for size in (begin, end) if size < cut.whole and size not in tried]
    return trials + [_try(cut, split, size, simulate) for size in left]


def _try(cut: PoolCut, split: int, size: int, simulate: Simulate) -> Trial:
    pools = zip((cut.jobs[:split], cut.jobs[split:]), cut.pools((size,)), strict=True)
    ends = tuple(simulate(cut.johnson(jobs, slots), slots) for jobs, slots in pools)
    return Trial((split,), (size,), ends)
