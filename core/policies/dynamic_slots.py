"""Dynamic slots on the Fair Scheduler and on FIFO: idle map slots run reduces and the other way round (002).

Pool-independent (PI, Algorithm 1): slots serve their own type first, then the cluster decides how many are
lent to the other type. Pool-dependent (PD, Algorithm 2): the highest-priority pool takes any idle slot for
either type before other pools get one.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from core.model.parameters import Parameter
from core.policies.explains import ARRIVAL, ARRIVED, SINCE
from core.policies.policy import MAP, NONE, REDUCE, Explains, Policy
from core.policies.sharing import HELD, OF_SHARE, OF_WEIGHT, POOL_WEIGHT, RUNNING, SHARE, WEIGHT, Fair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.policies.policy import ClusterRow, JobRow, PoolRow

BORROWED = (
    Parameter(
        "pct_borrowed_map",
        "number",
        100.0,
        "Part of the map slots that reduces may borrow (percentageOfBorrowedMapSlots of the paper).",
        0,
        100,
        "%",
    ),
    Parameter(
        "pct_borrowed_reduce",
        "number",
        100.0,
        "Part of the reduce slots that maps may borrow (percentageOfBorrowedReduceSlots of the paper).",
        0,
        100,
        "%",
    ),
)


# ---- Algorithm 1, for the whole cluster. As in Hadoop, tasks are counted, not where each one runs: running
# ---- tasks of a type use slots of that type first; what is above those uses slots of the other type.


def used(slot: int, cluster: ClusterRow) -> int:
    """Return how many slots of a type are in use (`clusterUsedMapSlots` for map slots)."""
    own = min(cluster.running[slot], cluster.slots[slot])
    return own + max(cluster.running[1 - slot] - cluster.slots[1 - slot], 0)


def demand(slot: int, cluster: ClusterRow) -> int:
    """Return the demand for slots of a type: its pending tasks plus its slots in use."""
    return cluster.pending[slot] + used(slot, cluster)


def to_lend(slot: int, cluster: ClusterRow, percentage: float) -> int:
    """Return how many more slots of a type the other type may borrow (lines 2 to 16 of Algorithm 1)."""
    other = 1 - slot
    enough = demand(slot, cluster) < cluster.slots[slot]
    short = demand(other, cluster) > cluster.slots[other]
    if not (enough and short):
        return 0
    borrowed = used(slot, cluster) - cluster.running[slot]
    most = math.floor(cluster.slots[slot] * percentage / 100 + 1e-9)
    return min(max(most - borrowed, 0), demand(other, cluster) - cluster.slots[other])


def may_start(kind: int, cluster: ClusterRow, pct_borrowed_map: float, pct_borrowed_reduce: float) -> bool:
    """Whether one more task of this kind has a slot of its type, or one to borrow (line 18)."""
    if cluster.containers > 0 or used(kind, cluster) < cluster.slots[kind]:
        return True
    percentage = pct_borrowed_map if kind == REDUCE else pct_borrowed_reduce
    return to_lend(1 - kind, cluster, percentage) > 0


NO_SLOT = "every {kind} slot is in use, and no other slot may be borrowed for a {kind}"
OWN_FIRST = "{kind}s take the free {kind} slots first"


class PIDHFS(Fair):
    """Share slots as the Fair Scheduler does, and lend those that a phase leaves over to the other phase."""

    id = "dhfs-pi"
    title = "PI-DHFS"
    parameters = (*Fair.parameters, *BORROWED)
    explains = replace(
        Fair.explains,
        rule=Fair.explains.rule + " Slots that one kind of task leaves over are lent to the other.",
        pool_admits=NO_SLOT,
        lends=OWN_FIRST,
    )

    @staticmethod
    def pool_admits(
        kind: int, cluster: ClusterRow, pct_borrowed_map: float, pct_borrowed_reduce: float
    ) -> bool:
        """The cluster decides how many tasks of a kind may run; the pools share them."""
        return may_start(kind, cluster, pct_borrowed_map, pct_borrowed_reduce)

    @staticmethod
    def lends(kind: int, cluster: ClusterRow) -> bool:
        """Own slots come first."""
        return cluster.free[kind] == 0


class DynamicFifoPI(Policy):
    """Serve the earliest job first, and lend slots that a phase leaves over to the other phase."""

    id = "dynamic-fifo-pi"
    title = "Dynamic FIFO (PI)"
    parameters = BORROWED
    explains = Explains(
        f"The job that arrived first goes first; {SINCE}. Slots that one kind of task leaves over are "
        "lent to the other.",
        (ARRIVAL,),
        ARRIVED,
        pool_admits=NO_SLOT,
        lends=OWN_FIRST,
    )
    pool_admits = PIDHFS.pool_admits
    lends = PIDHFS.lends


class PDDHFS(Policy):
    """Let the highest-priority pool use any idle slot for tasks of either type before other pools get one."""

    id = "dhfs-pd"
    title = "PD-DHFS"
    explains = Explains(
        "The pool that runs least goes first, by its minimum share of all slots, then by its weight: it may "
        "use any free slot for its maps and its reduces before another pool gets one.",
        (
            replace(
                HELD, meaning="Tasks of both kinds that the pool runs", value=lambda pool: sum(pool.running)
            ),
            replace(SHARE, value=lambda pool: sum(pool.share)),
            POOL_WEIGHT,
            RUNNING,
            WEIGHT,
        ),
        Fair.explains.job,
        lambda held, guaranteed: (
            "runs {held:task}" + (f" {OF_WEIGHT}" if held >= guaranteed else f", {OF_SHARE}")
        ),
    )
    parameters = Fair.parameters
    pool_first = True
    key = Fair.key

    @staticmethod
    def pool_key(pool: PoolRow) -> tuple[int, float]:
        """Pools below their minimum share of all slots first, furthest below; then lowest running/weight."""
        running, share = pool.running[MAP] + pool.running[REDUCE], pool.share[MAP] + pool.share[REDUCE]
        if running < share:
            return 0, running / share
        return 1, running / pool.weight

    @staticmethod
    def lends() -> bool:
        """A slot runs either kind; which one comes first is the template's (cases 1 to 4)."""
        return True


class DynamicFifoPD(Policy):
    """Let the earliest job use any idle slot for tasks of either type before later jobs get one."""

    id = "dynamic-fifo-pd"
    title = "Dynamic FIFO (PD)"
    explains = Explains(
        "The job that arrived first may use any free slot for its maps and its reduces before a later job "
        f"gets one; {SINCE}.",
        (ARRIVAL,),
        ARRIVED,
    )

    @staticmethod
    def lends() -> bool:
        """A slot runs either kind."""
        return True

    @staticmethod
    def choose(slot: int, queue: Sequence[Sequence[int]], job: Sequence[JobRow], cluster: ClusterRow) -> int:
        """Algorithm 2 with jobs in the place of pools."""
        first = earliest(queue, job, cluster)
        for case in range(
            4
        ):  # map on map slot, reduce on reduce slot, map on reduce slot, reduce on map slot
            kind = case & 1
            on = kind if case < 2 else 1 - kind
            if cluster.free[on] > 0 and some_may_start(kind, cluster) and queue[kind][0] == first:
                return 2 * first + kind if on == slot else NONE
        return NONE


def some_may_start(kind: int, cluster: ClusterRow) -> bool:
    """Whether a job needs a slot for a task of this kind, and there is room for one."""
    return cluster.waiting[kind] > 0 and cluster.room[kind] > 0


def earliest(queue: Sequence[Sequence[int]], job: Sequence[JobRow], cluster: ClusterRow) -> int:
    """Return the first job that needs a slot of either type and, on nodes, finds room."""
    if not some_may_start(MAP, cluster):
        return queue[REDUCE][0]
    if not some_may_start(REDUCE, cluster) or job[queue[MAP][0]].rank < job[queue[REDUCE][0]].rank:
        return queue[MAP][0]
    return queue[REDUCE][0]
