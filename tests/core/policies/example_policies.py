"""Small policies that together use every piece of the mechanism, well and badly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.parameters import Parameter
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
        Parameter("label", "text", "", "Not numeric: no piece may ask for it."),
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
    """A function that a piece calls."""
    return queue[count - 1]


class LastInFirstOut(Policy):
    """The free form: the job at the end of the queue."""

    id = "last-in"

    @staticmethod
    def choose(slot: int, queue: Sequence[Sequence[int]], cluster: ClusterRow) -> int:
        if cluster.waiting[slot] == 0:
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


GOOD: tuple[type[Policy], ...] = (
    AtMost,
    HeaviestPool,
    Weighted,
    SharedByPools,
    LentByPools,
    PoolsFirst,
    AllLent,
    Alternating,
    LastInFirstOut,
    MostTasks,
)


# ---- policies that misbehave


class WrongJob(Policy):
    id = "wrong-job"

    @staticmethod
    def choose() -> int:
        return 2 * 99 + REDUCE


class Repeated(Policy):
    id = "repeated"

    @staticmethod
    def choose() -> int:
        return 0


class EarlyReduce(Policy):
    id = "early-reduce"

    @staticmethod
    def choose(slot: int) -> int:
        return slot


class OtherKind(Policy):
    id = "other-kind"

    @staticmethod
    def choose() -> int:
        return REDUCE


class DividesByZero(Policy):
    id = "divides"

    @staticmethod
    def key(job: JobRow, kind: int) -> float:
        return 1.0 / (job.running[kind] - 1)


class OutOfRange(Policy):
    id = "out-of-range"

    @staticmethod
    def key(job: JobRow, kind: int) -> float:
        return float(job.running[kind + STEP])


class Raises(Policy):
    id = "raises"

    @staticmethod
    def key(job: JobRow) -> float:
        if job.tasks[MAP] > 0:
            raise RuntimeError("no such luck")
        return 0.0


class UnknownField(Policy):
    id = "unknown-field"

    @staticmethod
    def key(job: JobRow) -> float:
        return float(job.size)  # type: ignore[attr-defined]


class UnknownName(Policy):
    id = "unknown-name"

    @staticmethod
    def key(job: JobRow) -> float:
        return float(size)  # type: ignore[name-defined]  # noqa: F821


class UnknownArgument(Policy):
    id = "unknown-argument"

    @staticmethod
    def key(jobs: Any) -> float:
        return 0.0


class AsksForText(Policy):
    id = "asks-for-text"
    parameters = (Parameter("label", "text", "", "Any."),)

    @staticmethod
    def key(label: str) -> float:
        return 0.0


class MixedKeys(Policy):
    id = "mixed-keys"

    @staticmethod
    def key(job: JobRow, kind: int) -> Any:
        if kind == MAP:
            return job.weight
        return job.weight, job.rank


class TooManyParameters(Policy):
    id = "too-many"
    parameters = tuple(Parameter(f"p{i}", "number", 0.0, "One.") for i in range(9))


class UnknownOrder(Policy):
    id = "unknown-order"
    order = "size"


class OrderOfOne(Policy):
    id = "order-of-one"

    @staticmethod
    def order() -> list[int]:
        return [0]


class OrderTwice(Policy):
    id = "order-twice"

    @staticmethod
    def order() -> list[int]:
        return [0, 0]


class OrderDivides(Policy):
    id = "order-divides"

    @staticmethod
    def order(workload: Any) -> list[int]:
        return [1 // (len(workload.jobs) - 2)]


class PlanAsks(Policy):
    id = "plan-asks"

    @staticmethod
    def plan(job: Any) -> None:
        """Ask for a job, where all are offered."""


class NeverServes(Policy):
    id = "never"

    @staticmethod
    def admits() -> bool:
        return False


class ReduceFirst(Policy):
    id = "reduce-first"

    @staticmethod
    def key(kind: int) -> int:
        return -kind


BAD: tuple[type[Policy], ...] = (
    WrongJob,
    Repeated,
    EarlyReduce,
    OtherKind,
    DividesByZero,
    OutOfRange,
    Raises,
    UnknownField,
    UnknownName,
    UnknownArgument,
    AsksForText,
    MixedKeys,
    TooManyParameters,
    UnknownOrder,
    OrderOfOne,
    OrderTwice,
    OrderDivides,
    PlanAsks,
    NeverServes,
    ReduceFirst,
)
