"""Least attained service: who has had the least goes first, without knowing what anybody needs.

M. Nuyens, A. Wierman: The foreground-background queue: a survey. Performance Evaluation 65, 2008.
J. Gu et al.: Tiresias: a GPU cluster manager for distributed deep learning. NSDI 2019 (with slots: "2D-LAS").

Left out here: running tasks are not given up; what is chosen is who gets the next free slot.
"""

from core.policies.policy import MAP, REDUCE, Policy


class LeastAttained(Policy):
    """The job whose tasks have held the fewest slot-seconds goes first."""

    id = "las"

    def key(job, cluster):
        """Return the slot-seconds that a job has had so far."""
        return job.slot_time + (job.running[MAP] + job.running[REDUCE]) * cluster.now
