"""Small policies that together use every hook of the mechanism."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.model.parameters import Parameter
from core.policies.policy import MAP, NONE, REDUCE, Policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.policies.policy import ClusterRow, JobRow, PoolRow

STEP = 2


class AtMost(Policy):
    """No job holds more than some slots of a kind: `plan` writes what `admits` reads."""

    id = "at-most"
    parameters = (Parameter("most", "integer", 1, "Slots of a kind.", min=1),)

    @staticmethod
    def plan(jobs: Any, most: int) -> None:
        jobs["wanted"] = most

    @staticmethod
    def admits(job: JobRow, kind: int) -> bool:
        return job.running[kind] < job.wanted[kind]


class HeaviestPool(Policy):
    """A key of three numbers of different types."""

    id = "tuple-key"

    @staticmethod
    def key(job: JobRow, kind: int, cluster: ClusterRow) -> tuple[int, float, bool]:
        return job.pool, -job.weight, job.running[kind] > cluster.slots[kind] // STEP


class Weighted(Policy):
    """Numeric parameters of every type, by name, in a key and in a condition."""

    id = "parameters"
    parameters = (
        Parameter("label", "text", "", "Not numeric: no hook may ask for it."),
        Parameter("most", "integer", 3, "Slots of a kind.", min=1),
        Parameter("exponent", "number", 2.0, "Power of the weight."),
        Parameter("longest_first", "boolean", False, "The job with the most tasks first."),
    )

    @staticmethod
    def admits(job: JobRow, kind: int, most: float) -> bool:
        return job.running[kind] < most

    @staticmethod
    def key(job: JobRow, kind: int, longest_first: float, exponent: float) -> float:
        if longest_first:
            return -float(job.tasks[kind])
        return float(job.running[kind] / job.weight**exponent)


class SharedByPools(Policy):
    """Pools below their minimum share first, then by running tasks; fair inside a pool."""

    id = "by-pool"

    @staticmethod
    def plan(pools: Any, workload: Any, cluster: Any) -> None:
        pools["share"][:, MAP] = cluster.stage_slots[MAP] // len(workload.pools)
        pools["weight"] = 2.0

    @staticmethod
    def pool_key(pool: PoolRow, kind: int) -> tuple[int, float]:
        if pool.running[kind] < pool.share[kind]:
            return 0, pool.running[kind] / pool.share[kind]
        return 1, pool.running[kind] / pool.weight

    @staticmethod
    def key(job: JobRow, kind: int) -> float:
        return float(job.running[kind])


class LentByPools(SharedByPools):
    """The same, and half of the slots of a type are lent to the other phase."""

    id = "by-pool-lends"

    @staticmethod
    def lends(slot: int, kind: int, cluster: ClusterRow) -> bool:
        return cluster.free[kind] == 0 and STEP * cluster.lent[slot] < cluster.lend_max[slot]


class PoolsFirst(Policy):
    """The pool with the fewest tasks of both kinds; its own kind of task first, then the other one."""

    id = "pool-first"
    pool_first = True

    @staticmethod
    def pool_key(pool: PoolRow) -> int:
        return pool.running[MAP] + pool.running[REDUCE]

    @staticmethod
    def lends() -> bool:
        return True


class CappedPools(Policy):
    """No pool above its cap, no job above half of it; what the first pool declines goes to the next."""

    id = "capped-pools"

    @staticmethod
    def plan(pools: Any) -> None:
        pools["cap"] = 2

    @staticmethod
    def pool_admits(pool: PoolRow, kind: int) -> bool:
        return pool.running[kind] < pool.cap[kind]

    @staticmethod
    def pool_key(pool: PoolRow, kind: int) -> float:
        return -float(pool.pending[kind])

    @staticmethod
    def admits(job: JobRow, kind: int, pool: PoolRow) -> bool:
        return STEP * job.running[kind] < pool.cap[kind]


class CappedPoolsFirst(CappedPools):
    """The same with pools before kinds of task, and every slot lent."""

    id = "capped-pools-first"
    pool_first = True

    @staticmethod
    def lends() -> bool:
        return True


class CappedJobs(Policy):
    """A cap of pools without an order among them."""

    id = "capped-jobs"
    parameters = (Parameter("most", "integer", 1, "Slots of a kind for each pool.", min=1),)

    @staticmethod
    def pool_admits(pool: PoolRow, kind: int, most: float) -> bool:
        return pool.running[kind] < most


class CappedFair(CappedJobs):
    """The same, and those jobs first that have least for their weight."""

    id = "capped-fair"

    @staticmethod
    def key(job: JobRow, kind: int) -> tuple[float, int]:
        return job.running[kind] / job.weight, -job.tasks[kind]


class Remembering(Policy):
    """`watch` counts in the memory of jobs and pools; `key` prefers whoever has been seen less often."""

    id = "remembering"

    @staticmethod
    def watch(job: Sequence[JobRow], pool: Sequence[PoolRow], cluster: ClusterRow) -> None:
        for j in range(len(job)):
            if job[j].arrival <= cluster.now:
                job[j].memo[3] += 1 + job[j].running[MAP]
                pool[job[j].pool].memo[3] += job[j].running[REDUCE]

    @staticmethod
    def key(job: JobRow, pool: PoolRow) -> tuple[float, float]:
        return pool.memo[3], job.memo[3]


class ByCrowd(Policy):
    """Keys that read the cluster: `watch` tells when the number of active jobs has changed."""

    id = "by-crowd"

    @staticmethod
    def watch(cluster: ClusterRow) -> bool:
        changed = cluster.memo[0] != cluster.active
        cluster.memo[0] = cluster.active
        return changed

    @staticmethod
    def admits(job: JobRow, kind: int, cluster: ClusterRow) -> bool:
        return job.running[kind] < 1 + cluster.slots[kind] // cluster.active

    @staticmethod
    def key(job: JobRow, kind: int, cluster: ClusterRow) -> tuple[bool, float]:
        return (job.rank + cluster.active) % STEP == 0, job.running[kind] / job.weight


class TurnedByPools(SharedByPools):
    """Keys that read a memo of the job's pool, which `watch` writes now and then."""

    id = "turned-by-pools"

    @staticmethod
    def watch(pool: Sequence[PoolRow], cluster: ClusterRow) -> bool:
        turned = False
        for p in range(len(pool)):
            if pool[p].memo[1] != pool[p].active:
                pool[p].memo[1] = pool[p].active
                turned = True
        return turned

    @staticmethod
    def key(job: JobRow, kind: int, pool: PoolRow) -> float:  # type: ignore[override]
        return job.started[kind] if pool.memo[1] % STEP == 0 else -job.started[kind]

    @staticmethod
    def lends() -> bool:
        return True


class AllLent(Policy):
    """Any idle slot runs any task."""

    id = "all-lent"

    @staticmethod
    def lends(kind: int, cluster: ClusterRow) -> bool:
        return cluster.free[kind] == 0


class Alternating(Policy):
    """`watch` counts decisions in the cluster's memory; `key` turns with it."""

    id = "alternating"

    @staticmethod
    def watch(cluster: ClusterRow) -> None:
        cluster.memo[0] = 1.0 - cluster.memo[0]

    @staticmethod
    def admits(job: JobRow, kind: int) -> bool:
        return job.running[kind] < STEP

    @staticmethod
    def key(job: JobRow, cluster: ClusterRow) -> float:
        return job.rank if cluster.memo[0] > 0 else -float(job.rank)


def last_of(queue: Sequence[int], count: int) -> int:
    """A function that a hook calls."""
    return queue[count - 1]


class LastInFirstOut(Policy):
    """The free form: the job at the end of the queue."""

    id = "last-in"

    @staticmethod
    def choose(slot: int, queue: Sequence[Sequence[int]], cluster: ClusterRow) -> int:
        if cluster.waiting[slot] == 0 or cluster.room[slot] == 0:
            return NONE
        return 2 * last_of(queue[slot], cluster.waiting[slot]) + slot


class MostTasks(Policy):
    """An order by numpy that asks for a parameter."""

    id = "most-tasks"
    parameters = (Parameter("fewest", "boolean", False, "The other way round."),)

    @staticmethod
    def order(workload: Any, fewest: bool) -> Any:
        counts = workload.columns.count.sum(axis=1)
        return (counts if fewest else -counts).argsort(kind="stable")


def disagree(kept: float, counted: float) -> None:
    """Complain about a count that the simulator keeps."""
    if kept != counted:
        raise ValueError("the simulator has counted wrongly")


class Auditor(Policy):
    """Counts again, before every decision, what the simulator keeps count of."""

    id = "auditor"

    @staticmethod
    def watch(job: Sequence[JobRow], pool: Sequence[PoolRow], cluster: ClusterRow) -> None:
        fillers = active = released = 0
        for j in range(len(job)):
            released += job[j].done[MAP] + job[j].done[REDUCE]
            if job[j].arrival <= cluster.now:
                ended = job[j].done[MAP] == job[j].tasks[MAP] and job[j].done[REDUCE] == job[j].tasks[REDUCE]
                active += 0 if ended else 1
                if job[j].stage_end > cluster.now:
                    fillers += job[j].running[REDUCE]
        disagree(cluster.fillers, fillers)
        disagree(cluster.active, active)
        disagree(cluster.released, released)
        audit_slots(cluster)
        for kind in range(2):
            audit_kind(kind, job, pool, cluster)

    @staticmethod
    def lends() -> bool:
        return True


def audit_slots(cluster: ClusterRow) -> None:
    for kind in range(2):
        own = cluster.slots[kind] - cluster.free[kind] - cluster.lent[kind]
        disagree(cluster.running[kind], own + cluster.lent[1 - kind])


def audit_kind(kind: int, job: Sequence[JobRow], pool: Sequence[PoolRow], cluster: ClusterRow) -> None:
    everywhere = 0
    for p in range(len(pool)):
        running = waiting = pending = 0
        for j in range(len(job)):
            if job[j].pool == p:
                running += job[j].running[kind]
                if may_start(kind, job[j], cluster):
                    waiting += 1
                    pending += job[j].tasks[kind] - job[j].started[kind]
                disagree(job[j].started[kind], job[j].running[kind] + job[j].done[kind])
        disagree(pool[p].running[kind], running)
        disagree(pool[p].waiting[kind], waiting)
        disagree(pool[p].pending[kind], pending)
        everywhere += pending
    disagree(cluster.pending[kind], everywhere)


def may_start(kind: int, job: JobRow, cluster: ClusterRow) -> bool:
    allowed = kind == MAP or job.done[MAP] >= job.reduce_after
    return allowed and job.arrival <= cluster.now and job.started[kind] < job.tasks[kind]


GOOD: tuple[type[Policy], ...] = (
    AtMost,
    HeaviestPool,
    Weighted,
    SharedByPools,
    LentByPools,
    PoolsFirst,
    CappedPools,
    CappedPoolsFirst,
    CappedJobs,
    CappedFair,
    Remembering,
    ByCrowd,
    TurnedByPools,
    AllLent,
    Alternating,
    LastInFirstOut,
    MostTasks,
    Auditor,
)
