"""Shortest remaining work first: an example that gives running tasks up.

A short job need not wait until a slot is free: it gets that of a job with twice its work left, whose task is
killed and runs again later. What it had done is lost, and hatched in the chart. With `suspends = True` below
it would go on with what is left instead.

    slotscope compare three-pools --policies johnson --policy-file srpt.py
"""

import numpy as np

from core.policies.policy import MAP, REDUCE, Parameter, Policy


def work_left(job):
    """Return the work of a job's tasks that have not ended, in slot-seconds."""
    maps, reduces = job.tasks[MAP] - job.done[MAP], job.tasks[REDUCE] - job.done[REDUCE]
    return maps * job.memo[MAP] + reduces * job.memo[REDUCE]


class ShortestRemaining(Policy):
    """The job with the least work left goes first, and takes the slots of jobs with more."""

    id = "srpt"
    title = "Shortest remaining work first"
    suspends = False
    parameters = (
        Parameter("times", "number", 2.0, "How many times as much work a job loses slots to.", min=1.0),
    )

    def plan(jobs, workload):
        """Write down how long a map and a reduce of each job take on average."""
        for index, job in enumerate(workload.jobs):
            for kind, stage in ((MAP, job.maps), (REDUCE, job.reduces)):
                jobs["memo"][index, kind] = np.sum(stage.durations) / max(stage.count, 1)

    def key(job, kind):
        """Serve the job with the least work left first."""
        return work_left(job)

    def preempt(job, rival, times):
        """Give up first what is of the job with the most work left, for one with much less."""
        return work_left(job) if work_left(job) > times * work_left(rival) else 0
