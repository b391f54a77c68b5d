"""Earliest deadline first, with every slot or with the fewest that are needed (001 section V)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.parameters import Parameter
from core.planning.aria import fewest_slots
from core.policies.policy import Explains, Number, Policy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.planning.aria import Estimate
    from core.policies.policy import JobRow


DEADLINE = (
    Number("deadline", "s", "Deadline", "When the job should have ended", lambda job: job.deadline),
    Number(
        *("left", "s", "Left", "How long it still is until then, below 0 where it has passed"),
        value=lambda deadline, cluster: deadline - cluster.now,
    ),
)
NO_DEADLINE = "has no deadline, so it comes after those that have one"


def until_deadline(left: float) -> str:
    """Return the phrase for a job whose deadline is so far away, in seconds."""
    if left == float("inf"):
        return NO_DEADLINE
    return "deadline at {deadline}, " + ("{left} from now" if left >= 0 else "which has passed")


class MaxEDF(Policy):
    """Serve the job with the earliest deadline, with every slot it can get; jobs without one come last."""

    id = "edf-max"
    title = "MaxEDF"
    explains = Explains(
        "The job with the earliest deadline goes first and takes every slot it can use; jobs without one "
        "come last.",
        DEADLINE,
        until_deadline,
    )
    order = "deadline"


class MinEDF(MaxEDF):
    """Serve the job with the earliest deadline, but with no more slots than it needs to meet it."""

    id = "edf-min"
    title = "MinEDF"
    explains = Explains(
        "Jobs that hold fewer slots than they need to meet their deadline go first, the earliest deadline "
        "first; no job holds more, unless idle slots are handed out.",
        (
            *DEADLINE,
            Number(
                *(
                    "wanted",
                    "",
                    "Needs",
                    "The fewest slots of that kind with which the job meets its deadline",
                ),
                value=lambda job, kind: job.wanted[kind],
            ),
            Number(
                *("running", "", "Holds", "The slots of that kind that it holds"),
                value=lambda job, kind: job.running[kind],
            ),
        ),
        lambda left: until_deadline(left) + "; holds {running} of the {wanted:slot} it needs",
        admits="the job holds the {wanted:slot} that it needs to meet its deadline",
    )
    parameters = (
        Parameter(
            "estimate",
            "choice",
            "mean",
            "What a job is taken to last on so many slots: a lower bound, an upper bound or their mean. The "
            "lower it is, the fewer slots the job gets, and the more often it is late.",
            choices=("low", "mean", "up"),
        ),
        Parameter(
            "work_conserving",
            "boolean",
            False,
            "Hand slots that no job needs to jobs that have what they need, earliest deadline first, "
            "instead of keeping them free for jobs to come.",
        ),
    )

    @staticmethod
    def plan(jobs: NDArray[np.void], workload: Workload, cluster: Cluster, estimate: Estimate) -> None:
        """Compute the fewest slots of each job once; those without a deadline take what is left."""
        jobs["wanted"] = fewest_slots(workload, cluster, estimate)

    @staticmethod
    def admits(job: JobRow, kind: int, work_conserving: bool) -> bool:
        """A job holds its wanted slots, and more only where that is allowed."""
        return work_conserving or job.running[kind] < job.wanted[kind]

    @staticmethod
    def key(job: JobRow, kind: int) -> tuple[bool, int]:
        """Jobs that lack slots first; among them, and then among the others, the earliest deadline."""
        return job.running[kind] >= job.wanted[kind], job.rank
