"""Small policies that misbehave, each in its own way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.model.parameters import Parameter
from core.policies.policy import MAP, REDUCE, Policy

if TYPE_CHECKING:
    from core.policies.policy import JobRow

STEP = 2


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


class TooEarly(Policy):
    id = "too-early"

    @staticmethod
    def choose() -> int:
        return 2


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


class WritesFirst(Policy):
    id = "writes-first"

    @staticmethod
    def admits(job: Any) -> bool:
        job.first[MAP] = 0
        return True


class WritesTasks(Policy):
    id = "writes-tasks"

    @staticmethod
    def admits(job: Any) -> bool:
        job.tasks[REDUCE] = 1
        return True


class WritesStage(Policy):
    id = "writes-stage"

    @staticmethod
    def admits(job: Any) -> bool:
        job.next_stage[MAP] = 10_000
        return True


class WritesWaiting(Policy):
    id = "writes-waiting"

    @staticmethod
    def admits(cluster: Any) -> bool:
        cluster.waiting[REDUCE] = 0
        cluster.active = 0
        return True


class PlansProgress(Policy):
    id = "plans-progress"

    @staticmethod
    def plan(jobs: Any) -> None:
        jobs["wanted"], jobs["memo"] = 3, 1
        jobs["first"][1] = 0


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
    TooEarly,
    DividesByZero,
    OutOfRange,
    Raises,
    UnknownField,
    UnknownName,
    WritesFirst,
    WritesTasks,
    WritesStage,
    WritesWaiting,
    PlansProgress,
    UnknownArgument,
    AsksForText,
    TooManyParameters,
    UnknownOrder,
    OrderOfOne,
    OrderTwice,
    OrderDivides,
    PlanAsks,
    NeverServes,
    ReduceFirst,
)
