"""Multilevel feedback: a job sinks to the next queue when it has used up what its queue grants.

F. J. Corbató, M. Merwin-Daggett, R. C. Daley: An experimental time-sharing system. AFIPS Spring 1962.
M. Chowdhury, I. Stoica: Efficient coflow scheduling without prior knowledge. SIGCOMM 2015.

Inside a queue jobs are served as they came. Left out here: no job is lifted again after a time, as some
systems do so that nobody starves; and a task that runs is not given up when its job sinks.
"""

from math import inf

from core.policies.policy import MAP, REDUCE, Parameter, Policy


class FeedbackQueues(Policy):
    """The job in the highest queue goes first; queues are of growing size in slot-seconds."""

    id = "mlfq"
    parameters = (
        Parameter("first", "number", 60.0, "Slot-seconds that the first queue grants.", min=0.001, max=inf),
        Parameter("times", "number", 4.0, "How many times as much the next queue grants.", min=1.1),
    )

    def key(job, cluster, first, times):
        """Return the number of a job's queue, then when it came."""
        had = job.slot_time + (job.running[MAP] + job.running[REDUCE]) * cluster.now
        queue, limit = 0, first
        while had >= limit and queue < 20:
            queue, limit = queue + 1, limit * times
        return queue, job.arrival
