"""Earliest deadline first, with preemption: who has to end sooner takes the slots of who need not.

C. L. Liu, J. W. Layland: Scheduling algorithms for multiprogramming in a hard-real-time environment.
Journal of the ACM 20, 1973.

On one processor that goes on where it was stopped, it meets all deadlines if any policy does. Left out here:
tasks that are given up begin again (`suspends = True` lets them go on), and there are many slots.
"""

from core.policies.policy import Policy


class EarliestDeadlinePreempting(Policy):
    """The job with the earliest deadline goes first, and takes slots of jobs with later ones."""

    id = "edf-preempting"

    def key(job):
        """Return the deadline of a job."""
        return job.deadline

    def preempt(job, rival, remaining):
        """Give up first what runs longest yet, of jobs with a later deadline."""
        return remaining if job.deadline > rival.deadline else 0
