"""Slots that pools lend and borrow where they share all slots: the share of each pool, and its use.

No slot belongs to a pool, and the simulator lends none: what is lent follows from how many tasks of each pool
run. So it is the same for every policy, and comes out of its schedule alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.measures.rows_by_pool import shares_slots
from core.model.kept_read_only import KeptReadOnly, read_only
from core.model.kept_with_schedule import kept_with_schedule
from core.model.partition import pools_in_use
from core.model.slot_order import comings_and_goings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.pool import Pool
    from core.model.schedule import Schedule


MAX_TASKS = 30_000
"""Of more tasks nobody should wait for the loans at once: of so many it takes 0.2 s."""


class Loan(NamedTuple):
    """One slot that a pool uses of another one's share, for one of its tasks.

    Attributes
    ----------
    task : index of the task that runs on it
    lender, borrower : indices of the pools
    begin, end : from when to when, in seconds
    """

    task: int
    lender: int
    borrower: int
    begin: float
    end: float


@dataclass(frozen=True)
class PoolLoans(KeptReadOnly):
    """All loans of a schedule.

    Attributes
    ----------
    names : of all pools
    share : slots of each pool, of both kinds together; all slots in sum, int64 (pools,)
    loans : by begin
    """

    names: tuple[str, ...]
    share: NDArray[np.int64]
    loans: tuple[Loan, ...]

    @cached_property
    def times(self) -> NDArray[np.float64]:
        """When each loan begins, and when it ends, in seconds, (2, loans)."""
        return read_only(np.array([(loan.begin, loan.end) for loan in self.loans]).reshape(-1, 2).T)

    @cached_property
    def seconds(self) -> NDArray[np.float64]:
        """The slot seconds that each pool lent each other one, (lenders, borrowers)."""
        seconds = np.zeros((len(self.names), len(self.names)))
        for loan in self.loans:
            seconds[loan.lender, loan.borrower] += loan.end - loan.begin
        return seconds

    @property
    def lent(self) -> NDArray[np.float64]:
        """The slot seconds that each pool lent, (pools,)."""
        lent: NDArray[np.float64] = self.seconds.sum(axis=1)
        return lent

    @property
    def borrowed(self) -> NDArray[np.float64]:
        """The slot seconds that each pool borrowed, (pools,)."""
        borrowed: NDArray[np.float64] = self.seconds.sum(axis=0)
        return borrowed

    @property
    def balance(self) -> NDArray[np.float64]:
        """The slot seconds that each pool borrowed less those that it lent; 0 in sum, (pools,)."""
        return self.borrowed - self.lent

    def at(self, time: float) -> list[Loan]:
        """Return the loans in force at a time; one that ends at that very time is none any more."""
        begin, end = self.times
        return [self.loans[place] for place in np.flatnonzero((begin <= time) & (time < end)).tolist()]

    def net_at(self, time: float) -> list[Loan]:
        """Return the loans in force at a time but those that two pools have from one another.

        Where the first lends the second three slots and the second lends the first one, the two oldest of the
        three are left.
        """
        found = self.at(time)
        counts = Counter((loan.lender, loan.borrower) for loan in found)
        left = {pair: number - counts[pair[::-1]] for pair, number in counts.items()}
        net = []
        for loan in found:
            pair = loan.lender, loan.borrower
            if left[pair] > 0:
                left[pair] -= 1
                net.append(loan)
        return net


def pool_shares(pools: Sequence[Pool], cluster: Cluster) -> NDArray[np.int64]:
    """Return how many slots each pool would have if all wanted more than they get, int64 (pools,).

    Of each kind of slot the pools get their minimum, and more by their weights: the least part of its weight
    is as large as can be (max-min fair, as of 002 section II). Parts of slots go to those that miss most.
    """
    if cluster.has_containers:
        least = [pool.min_map_slots + pool.min_reduce_slots for pool in pools]
        return np.array(_shared(cluster.slots, least, pools), np.int64)
    maps = _shared(cluster.map_slots, [pool.min_map_slots for pool in pools], pools)
    reduces = _shared(cluster.reduce_slots, [pool.min_reduce_slots for pool in pools], pools)
    return np.array(maps, np.int64) + np.array(reduces, np.int64)


def _shared(slots: int, least: Sequence[int], pools: Sequence[Pool]) -> list[int]:
    """Return whole slots of one kind for each pool; minimums that are too many are cut in proportion."""
    if sum(least) > slots:
        return _in_whole(slots, [Fraction(slots * each, sum(least)) for each in least])
    weights, served = [Fraction(pool.weight) for pool in pools], set(range(len(pools)))
    part = Fraction(0)
    while (
        served
    ):  # those whose minimum is more than their part by weight have it, and the others share the rest
        rest = slots - sum(each for place, each in enumerate(least) if place not in served)
        part = rest / sum((weights[place] for place in served), Fraction(0))
        content = {place for place in served if least[place] > weights[place] * part}
        if not content:
            break
        served -= content
    exact = [weights[place] * part if place in served else Fraction(each) for place, each in enumerate(least)]
    return _in_whole(slots, exact)


def _in_whole(slots: int, exact: Sequence[Fraction]) -> list[int]:
    """Return whole numbers of the same sum: one more where most is missing, the first of equals."""
    whole = [int(each) for each in exact]
    by_loss = sorted(range(len(exact)), key=lambda place: (whole[place] - exact[place], place))
    for place in by_loss[: slots - sum(whole)]:
        whole[place] += 1
    return whole


@kept_with_schedule
def pool_loans(schedule: Schedule) -> PoolLoans:
    """Return the loans of slots between pools in a schedule; none unless its pools share all slots.

    A task that starts while its pool uses and lends less than its share is on a slot of its own. Else the
    pool borrows one until the task ends, from the pool that has most to spare, the first of equals: there is
    one, as all shares together are all slots. So a pool that gets its share back late may lend a slot to one
    of which it has borrowed: each loan lasts as long as its task. Kept with the schedule for the next call.
    """
    names, pool_of = pools_in_use(schedule.workload, schedule.partition)
    if not shares_slots(schedule) or len(names) < 2:
        return PoolLoans(names, np.zeros(len(names), np.int64), ())
    share = pool_shares(schedule.workload.every_pool, schedule.cluster)
    spare, owner = share.tolist(), pool_of[schedule.workload.columns.job].tolist()
    start, end = schedule.start.tolist(), schedule.end.tolist()
    lender, loans = list(owner), []
    for task in comings_and_goings(schedule.sequence, schedule.start, schedule.end).tolist():
        if task < 0:
            spare[lender[~task]] += 1
            continue
        pool = owner[task]
        if spare[pool] == 0:
            lender[task] = spare.index(max(spare))
            loans.append(Loan(task, lender[task], pool, start[task], end[task]))
        spare[lender[task]] -= 1
    return PoolLoans(names, share, tuple(loans))
