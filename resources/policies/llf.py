"""Least laxity first: who can wait the least before its deadline is lost goes first.

A. K. Mok: Fundamental design problems of distributed systems for the hard-real-time environment.
PhD thesis, MIT, 1983.

A job's laxity is its deadline, less now, less what it still needs. Left out here: what it needs is its work
that has not ended over all slots, as if it had them alone; tasks that run are not given up.
"""

from core.policies.policy import MAP, REDUCE, Policy


class LeastLaxity(Policy):
    """The job with the least time to spare goes first."""

    id = "llf"

    def plan(jobs, workload):
        """Write down how long a map and a reduce of each job take on average."""
        for index, job in enumerate(workload.jobs):
            for kind, stage in ((MAP, job.maps), (REDUCE, job.reduces)):
                jobs["memo"][index, kind] = stage.durations.sum() / max(stage.count, 1)

    def key(job, cluster):
        """Return the seconds that a job can still wait."""
        maps = (job.tasks[MAP] - job.done[MAP]) * job.memo[MAP]
        reduces = (job.tasks[REDUCE] - job.done[REDUCE]) * job.memo[REDUCE]
        needs = (maps + reduces) / max(cluster.slots[MAP] + cluster.slots[REDUCE], 1)
        return job.deadline - cluster.now - needs
