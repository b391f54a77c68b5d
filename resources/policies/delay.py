"""Delay scheduling: a job that has no input on the node that is offered waits a while for one that has.

M. Zaharia et al.: Delay scheduling: a simple technique for achieving locality and fairness in cluster
scheduling. EuroSys 2010, Algorithm 2 with one level, nodes.

Left out here: racks; and a job counts as passed over whenever a node is offered that has none of its input,
whether or not its turn had come. Jobs that do not say where their input lies never wait.
"""

import math

from core.policies.policy import MAP, REDUCE, Parameter, Policy

SINCE, STARTED, WAS_REMOTE = 0, 1, 2
"""A job's memo: since when it is passed over, its maps started, what the last offer would have cost."""


class Delay(Policy):
    """The job with the fewest running tasks goes first, and waits for a node that has its input."""

    id = "delay"
    parameters = (Parameter("wait", "number", 5.0, "Seconds that a job waits for a local node.", min=0.0),)

    def plan(jobs):
        """Note that no job has been passed over."""
        jobs["memo"][:, SINCE] = math.inf

    def watch(job, cluster, wait):
        """Note which jobs are passed over now, and forget it of those that had a local start."""
        for row in job:
            if row.started[MAP] > row.memo[STARTED] and row.memo[WAS_REMOTE] == 0:
                row.memo[SINCE] = math.inf
            row.memo[STARTED] = row.started[MAP]
            row.memo[WAS_REMOTE] = row.remote
            if row.remote > 0:
                row.memo[SINCE] = min(row.memo[SINCE], cluster.now)
                if row.memo[SINCE] + wait > cluster.now:
                    cluster.wake = min(cluster.wake, row.memo[SINCE] + wait)

    def admits(job, kind, cluster, wait):
        """Let a map start where its input lies, and elsewhere once its job has waited."""
        return kind == REDUCE or job.remote == 0 or cluster.now >= job.memo[SINCE] + wait

    def key(job, kind):
        """Return how many tasks run, as fair sharing counts."""
        return job.running[MAP] + job.running[REDUCE], job.arrival, kind
