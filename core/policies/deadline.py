"""Earliest deadline first, with every slot or with the fewest that are needed (001 section V)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.model.parameters import Parameter
from core.planning.aria import StageProfiles, fewest_slots
from core.policies.policy import MAP, REDUCE, Explains, Number, Policy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.planning.aria import Estimate, Slots
    from core.policies.policy import JobRow


DEADLINE = (
    Number("deadline", "at", "Deadline", "When the job should have ended", lambda job: job.deadline),
    Number("length", "s", "Takes", "How long the job takes, by the estimate, with the slots planned for it"),
    Number("allowed", "s", value=lambda deadline, job: deadline - job.arrival),
    Number(
        "slack",
        "s",
        "Slack",
        "How much sooner than allowed it ends then; below 0 it is late",
        value=lambda allowed, length: allowed - length,
    ),
    Number("lack", "s", value=lambda slack: -slack),
)


def until_deadline(slack: float, with_slots: str) -> str:
    """Return the phrase for a job with so many seconds to spare if it has the slots planned for it."""
    if slack == float("inf"):
        return "has no deadline, so it comes after those that have one"
    margin = "of {allowed} allowed, slack {slack}" if slack >= 0 else ", {lack} more than allowed"
    return f"deadline at {{deadline}}; with {with_slots} it takes {{length}} {margin}".replace(" ,", ",")


def length_with(
    workload: Workload, cluster: Cluster, maps: Slots, reduces: Slots, estimate: Estimate = "mean"
) -> NDArray[np.float64]:
    """Estimate how long every job takes with so many slots of its own, in seconds, (jobs,)."""
    stages = StageProfiles.of(workload, cluster).durations(maps, reduces, estimate)
    return stages[0] + stages[1]


class MaxEDF(Policy):
    """Serve the job with the earliest deadline, with every slot it can get; jobs without one come last."""

    id = "edf-max"
    title = "MaxEDF"
    explains = Explains(
        "The job with the earliest deadline goes first and takes every slot it can use; jobs without one "
        "come last.",
        DEADLINE,
        lambda slack: until_deadline(slack, "all slots"),
    )
    order = "deadline"

    @staticmethod
    def figures(workload: Workload, cluster: Cluster) -> dict[str, NDArray[np.float64]]:
        """Estimate how long every job takes alone on the cluster."""
        return {"length": length_with(workload, cluster, *cluster.stage_slots)}


class MinEDF(MaxEDF):
    """Serve the job with the earliest deadline, but with no more slots than it needs to meet it."""

    id = "edf-min"
    title = "MinEDF"
    explains = Explains(
        "Jobs that hold fewer slots than they need to meet their deadline go first, the earliest deadline "
        "first; no job holds more, unless idle slots are handed out.",
        (
            *DEADLINE,
            Number("maps", "map", value=lambda wanted: wanted[MAP]),
            Number("reduces", "reduce", value=lambda wanted: wanted[REDUCE]),
            Number(
                "needs",
                "slot",
                "Needs",
                "The fewest slots of that kind with which it meets its deadline",
                value=lambda wanted, kind: wanted[kind],
            ),
            Number(
                "holds",
                "",
                "Holds",
                "The slots of that kind that it holds",
                value=lambda job, kind: job.running[kind],
            ),
        ),
        lambda slack: (
            until_deadline(slack, "{maps} and {reduces} at a time")
            + "; holds {holds} of the {needs} that it needs"
        ),
        admits="the job holds the {needs} that it needs to meet its deadline",
    )
    parameters = (
        Parameter(
            "estimate",
            "choice",
            "up",
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
    def figures(  # type: ignore[override]  # a namespace, not a method
        workload: Workload, cluster: Cluster, estimate: Estimate
    ) -> dict[str, NDArray[Any]]:
        """Compute the fewest slots of each job, and how long it takes with them."""
        wanted = fewest_slots(workload, cluster, estimate)
        return {
            "wanted": wanted,
            "length": length_with(workload, cluster, wanted[:, MAP], wanted[:, REDUCE], estimate),
        }

    @staticmethod
    def plan(jobs: NDArray[np.void], wanted: NDArray[np.int64]) -> None:
        """Note the fewest slots of each job; those without a deadline take what is left."""
        jobs["wanted"] = wanted

    @staticmethod
    def admits(job: JobRow, kind: int, work_conserving: bool) -> bool:
        """A job holds its wanted slots, and more only where that is allowed."""
        return work_conserving or job.running[kind] < job.wanted[kind]

    @staticmethod
    def key(job: JobRow, kind: int) -> tuple[bool, int]:
        """Jobs that lack slots first; among them, and then among the others, the earliest deadline."""
        return job.running[kind] >= job.wanted[kind], job.rank
