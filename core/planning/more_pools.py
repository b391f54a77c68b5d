"""Three pools or four that end together: no paper of ours has them, so this search is ours.

As with two, a pool has jobs that follow one another by number of maps, in Johnson's order. Asked is whether
all pools can end before a time T. A pool of given jobs then needs some least number of slots, found by
bisection (more slots are taken to end no later), and the cuts that need fewest slots in all are found from
pool to pool:

    least(p, c) = min over b < c of  least(p - 1, b) + slots that the jobs b to c need to end before T

The last pool has all slots that are left; if it ends in time, what the pools take is the next time to beat. T
is halved towards what the work alone takes, until no pools seem to end sooner than the best.

Jobs are cut at `MAX_CUTS` places of equal work at most; around the best cuts all places are looked at then.
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate
from math import ceil, nextafter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.planning.pool_cut import Trial, shares

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.model.workload import Workload
    from core.planning.pool_cut import PoolCut, Slots
    from core.planning.trial_threads import Simulate, TrialThreads

MAX_CUTS = 48
NEAR = 0.002
"""As soon as the times to try are so near to each other, the last one is tried."""
MAX_ROUNDS = 60
ROUNDING = 1e-9
ROUND = 0.25
"""Of what is still to be done, as progress is told: nobody knows how many rounds there will be."""


class MorePools:
    """A search for a number of pools that ends sooner than what is known."""

    def __init__(self, cut: PoolCut, workload: Workload, threads: TrialThreads) -> None:
        self._cut, self._threads = cut, threads
        self._ends: dict[tuple[int, int, Slots], float] = {}
        columns = workload.columns
        seconds = np.zeros((len(cut.jobs), 2))
        np.add.at(seconds, (columns.job, columns.kind), columns.duration)
        self._work = np.concatenate([np.zeros((1, 2)), np.cumsum(seconds[cut.jobs], axis=0)])

    def search(
        self,
        pools: int,
        best: Trial,
        progress: Callable[[float], None],
        on_trials: Callable[[Sequence[Trial]], None],
    ) -> list[Trial]:
        """Return trials of so many pools that end sooner and sooner, all before the best that is known."""
        found: list[Trial] = []
        self._fraction = 0.0
        places = self._places(best)
        while True:
            more = self._beat(pools, places, best, progress, on_trials)
            found += more
            best = more[-1] if more else best
            wider = sorted({*places, *self._around(places, best)})
            if wider == places:
                progress(1.0)
                return found
            places = wider

    def _places(self, best: Trial) -> list[int]:
        """Return where jobs may be cut: 0, places of equal work, the best cuts, and behind the last job."""
        jobs = len(self._cut.jobs)
        if jobs - 1 <= MAX_CUTS:
            return list(range(jobs + 1))
        work = self._work.sum(axis=1)
        even = np.searchsorted(work, np.linspace(0, work[-1], MAX_CUTS + 2))
        return sorted({0, jobs, *even.tolist(), *best.splits})

    def _around(self, places: Sequence[int], best: Trial) -> list[int]:
        """Return all places between the neighbours of the best cuts, but no more than `MAX_CUTS`."""
        near: list[int] = []
        for split in best.splits:
            at = places.index(split)
            near += range(places[max(at - 1, 0)], places[min(at + 1, len(places) - 1)] + 1)
        near.sort(key=lambda place: min(abs(place - split) for split in best.splits))
        return near[:MAX_CUTS]

    def _beat(
        self,
        pools: int,
        places: Sequence[int],
        best: Trial,
        progress: Callable[[float], None],
        on_trials: Callable[[Sequence[Trial]], None],
    ) -> list[Trial]:
        """Return trials with cuts at these places, each of which ends sooner than the one before it."""
        found: list[Trial] = []
        low = max(self._work[-1, kind] / slots for kind, slots in enumerate(self._cut.slots) if slots)
        until = nextafter(best.makespan, 0)
        for _ in range(MAX_ROUNDS):
            if best.makespan <= low:
                break
            trial = self._pools_before(until, pools, places, progress)
            if trial is not None and trial.makespan < best.makespan:
                best = trial
                found.append(trial)
                on_trials([trial])
            elif until >= nextafter(best.makespan, 0):
                break
            else:
                low = until
            is_near = best.makespan - low <= NEAR * best.makespan
            until = nextafter(best.makespan, 0) if is_near else (low + best.makespan) / 2
        return found

    def _pools_before(
        self, until: float, pools: int, places: Sequence[int], progress: Callable[[float], None]
    ) -> Trial | None:
        """Return the best pools that end before a time, or None if there seem to be none."""
        states = [_State(0, (), 0, (), (0, 0), ())]
        for left in reversed(range(pools)):
            reached: list[_State] = []

            def note(state: _State | None, fraction: float, left: int = left, into: Any = reached) -> None:
                into += [] if state is None else [state]
                done = (pools - left - 1 + fraction) / pools
                progress(self._fraction + (1 - self._fraction) * ROUND * done)

            step = partial(self._extended if left else self._completed, states, left, until)
            self._threads.each(step, places[1:-1] if left else places[-1:], note)
            states = sorted(reached)
        self._fraction += (1 - self._fraction) * ROUND
        return None if not states else Trial(states[0].splits, states[0].sizes, states[0].ends)

    def _extended(
        self, states: Sequence[_State], left: int, until: float, behind: int, simulate: Simulate
    ) -> _State | None:
        """Return the state with one more pool, of the jobs up to `behind`, that takes fewest slots in all.

        None if the pools that are left would then have too few.
        """
        best, most = None, self._cut.whole - self._least_of_rest(behind, left, until)
        chances = [(s.used + self._least(s.place, behind, until), s) for s in states if s.place < behind]
        for least, state in sorted(chances):
            found = self._smallest(state, behind, range(least, most + 1), left, until, simulate)
            if found is not None:
                best, most = found, found.used - 1
        return best

    def _smallest(
        self, state: _State, behind: int, used: range, left: int, until: float, simulate: Simulate
    ) -> _State | None:
        """Return the state with a pool that takes as few slots as jobs need to end before a time, or None."""
        found = None
        while used:
            # the most first: if they do not do, nothing will
            tried = used[-1] if found is None else used[len(used) // 2]
            taken = self._taken(state, tried, left)
            end = self._end(state.place, behind, state.taken, taken, simulate)
            if end <= until:
                found = state.extended(behind, tried, taken, end)
                used = range(used.start, tried)
            elif found is None:
                return None
            else:
                used = range(tried + 1, used.stop)
        return found

    def _completed(
        self, states: Sequence[_State], _left: int, until: float, behind: int, simulate: Simulate
    ) -> _State | None:
        """Return the best state with all other jobs in the last pool, None if none ends in time."""
        whole, slots = self._cut.whole, self._cut.slots
        ends = [
            state.extended(behind, whole, slots, self._end(state.place, behind, state.taken, slots, simulate))
            for state in states
            if state.used + self._least(state.place, behind, until) <= whole
        ]
        best = min(ends, key=lambda state: max(state.ends), default=None)
        if best is None or max(best.ends) > until:
            return None
        return best._replace(splits=best.splits[:-1], sizes=best.sizes[:-1])

    def _least(self, first: int, behind: int, until: float) -> int:
        """Return a size below which the work alone of jobs does not fit before a time."""
        return self._size_of(self._work[behind] - self._work[first], 1, until)

    def _least_of_rest(self, first: int, pools: int, until: float) -> int:
        """Return the same for all jobs from `first` on in so many pools."""
        return self._size_of(self._work[-1] - self._work[first], pools, until)

    def _size_of(self, work: NDArray[np.float64], pools: int, until: float) -> int:
        """Return the slots that work, in seconds of both kinds, needs at least in so many pools."""
        sizes = [pools]
        for seconds, slots in zip(work.tolist(), self._cut.slots, strict=True):
            if slots:
                # of the kind with fewer slots each pool may have been given one more than its part
                rounded = 0 if slots == self._cut.whole else pools
                needed = ceil(seconds / until - ROUNDING) - rounded
                sizes.append(ceil(needed * self._cut.whole / slots - ROUNDING))
        return max(sizes)

    def _taken(self, state: _State, used: int, left: int) -> Slots:
        """Return the slots of all pools up to one that ends at a size; so many pools are still to come."""
        ends = [*accumulate(state.sizes), used, *range(used + 1, used + left)]
        maps, reduces = (sum(shares(slots, ends, self._cut.whole)[:-left]) for slots in self._cut.slots)
        return maps, reduces

    def _end(self, first: int, behind: int, begin: Slots, end: Slots, simulate: Simulate) -> float:
        """Return when jobs end on the slots from `begin` to `end`."""
        slots = end[0] - begin[0], end[1] - begin[1]
        key = (first, behind, slots)
        if key not in self._ends:
            self._ends[key] = simulate(self._cut.johnson(self._cut.jobs[first:behind], slots), slots)
        return self._ends[key]


class _State(NamedTuple):
    """Pools of the jobs before a place: the slots they take, by size and of either kind; when they end."""

    used: int
    splits: tuple[int, ...]
    place: int
    sizes: tuple[int, ...]
    taken: Slots
    ends: tuple[float, ...]

    def extended(self, behind: int, used: int, taken: Slots, end: float) -> _State:
        """Return the state with one more pool."""
        sizes = (*self.sizes, used - self.used)
        return _State(used, (*self.splits, behind), behind, sizes, taken, (*self.ends, end))
