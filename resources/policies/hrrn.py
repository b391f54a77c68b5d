"""Highest response ratio next: short jobs go first, and waiting makes every job more urgent.

P. Brinch Hansen: An analysis of response ratio scheduling. IFIP Congress 1971.

A job's ratio is (time waited + work) / work: 1 when it arrives, and the sooner large the less work it has.
Left out here: the paper has one processor that runs a job to its end; here a job is chosen for every slot.
"""

from core.policies.policy import MAP, Policy


class HighestRatioNext(Policy):
    """The job that has waited longest for its work goes first."""

    id = "hrrn"

    def plan(jobs, workload):
        """Write down the work of each job, in slot-seconds."""
        for index, job in enumerate(workload.jobs):
            jobs["memo"][index, MAP] = job.maps.durations.sum() + job.reduces.durations.sum()

    def key(job, cluster):
        """Return the ratio, turned round, as the smallest key goes first."""
        work = max(job.memo[MAP], 1e-9)
        return -(cluster.now - job.arrival + work) / work
