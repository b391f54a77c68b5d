"""Earliest deadline first, with every slot or with the fewest that are needed (001 section V)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.parameters import Parameter
from core.planning.aria import fewest_slots
from core.policies.policy import Policy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.planning.aria import Estimate
    from core.policies.policy import JobRow


class MaxEDF(Policy):
    """Serve the job with the earliest deadline, with every slot it can get; jobs without one come last."""

    id = "edf-max"
    title = "MaxEDF"
    order = "deadline"


class MinEDF(MaxEDF):
    """Serve the job with the earliest deadline, but with no more slots than it needs to meet it."""

    id = "edf-min"
    title = "MinEDF"
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
