"""Small policies with one fault each: the check of that name finds it, and no other check finds anything."""

from __future__ import annotations

from random import random
from typing import TYPE_CHECKING, Any

from core.policies.policy import MAP, Policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.policies.policy import ClusterRow, JobRow

MUCH = 1e308
LARGE = 2**61


class Divides(Policy):
    """Divides by zero once a job runs two tasks of a kind."""

    id = "errors"

    @staticmethod
    def key(job: JobRow, kind: int) -> float:
        return 1.0 / (job.running[kind] - 2)


class Stalls(Policy):
    """Gives the reduces nothing while there is a map slot."""

    id = "errors-2"

    @staticmethod
    def admits(kind: int) -> bool:
        return kind == MAP


class NoNumber(Policy):
    """The time between two deadlines, which for jobs without one is no number."""

    id = "numbers"

    @staticmethod
    def key(job: JobRow) -> float:
        return job.deadline - job.deadline


class TooLarge(Policy):
    """A number that is too large, and so infinite for every job."""

    id = "numbers-2"

    @staticmethod
    def key(job: JobRow, kind: int) -> float:
        return MUCH * (job.tasks[kind] + 9.0)


class MostTasksFirst(Policy):
    """The job with the most tasks goes first, maps before reduces."""

    id = "starvation"

    @staticmethod
    def key(job: JobRow, kind: int) -> tuple[int, float]:
        return kind, -float(job.tasks[kind])


class HalfForEach(Policy):
    """No job holds more than one slot, also when it is alone."""

    id = "idle"

    @staticmethod
    def admits(job: JobRow, kind: int) -> bool:
        return job.running[kind] < 1


class Alphabet(Policy):
    """By arrival; jobs that arrive together by the alphabet."""

    id = "names"

    @staticmethod
    def order(workload: Any) -> Sequence[int]:
        jobs = workload.jobs
        return sorted(range(len(jobs)), key=lambda i: (jobs[i].arrival, jobs[i].name))


class AsDeclared(Policy):
    """In the order of the file, whoever arrives first."""

    id = "order"

    @staticmethod
    def order(workload: Any) -> Sequence[int]:
        return range(len(workload.jobs))


class Forgetful(Policy):
    """By arrival, but every second run begins with another job."""

    id = "repeat"
    runs = 0

    @staticmethod
    def order(workload: Any) -> Sequence[int]:
        Forgetful.runs += 1
        jobs = sorted(range(len(workload.jobs)), key=lambda i: workload.jobs[i].arrival)
        return [*jobs[:2][::-1], *jobs[2:]] if Forgetful.runs % 2 else jobs


class RollsDice(Policy):
    """Maps before reduces, and otherwise by chance."""

    id = "repeat-2"

    @staticmethod
    def key(kind: int) -> tuple[int, float]:
        return kind, random()


class AsksEverybody(Policy):
    """Fair, but asks every job at every decision."""

    id = "cost"

    @staticmethod
    def key(job: JobRow, kind: int, cluster: ClusterRow) -> float:
        return job.running[kind] / job.weight + 0.0 * cluster.now


class WholeNumbers(Policy):
    """Whole numbers that compiled code has no room for."""

    id = "compiled"

    @staticmethod
    def key(job: JobRow) -> int:
        return (job.rank + 1) * LARGE


FAULTY = (
    Divides,
    Stalls,
    NoNumber,
    TooLarge,
    MostTasksFirst,
    HalfForEach,
    Alphabet,
    AsDeclared,
    Forgetful,
    RollsDice,
    AsksEverybody,
    WholeNumbers,
)
