"""Weighted shortest processing time: the least weighted sum of end times on one machine.

W. E. Smith: Various optimizers for single-stage production. Naval Research Logistics Quarterly 3, 1956.

On one machine the order of work / weight is the best there is for the sum of weight times end.
Left out here: a job has two stages and many slots, where the order is a rule of thumb and no more.
"""

from core.policies.policy import MAP, Policy


class WeightedShortest(Policy):
    """The job with the least work for its weight goes first."""

    id = "wspt"

    def plan(jobs, workload):
        """Write down the work of each job, in slot-seconds."""
        for index, job in enumerate(workload.jobs):
            jobs["memo"][index, MAP] = job.maps.durations.sum() + job.reduces.durations.sum()

    def key(job):
        """Return the work of a job for each unit of its weight."""
        return job.memo[MAP] / job.weight
