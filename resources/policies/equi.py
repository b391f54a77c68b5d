"""Equipartition: every job that is there may hold its part of the slots, and no more.

J. Edmonds: Scheduling in the dark. STOC 1999.

With n jobs each may hold 1/n of the slots; what jobs cannot use stays free, unlike with max-min fairness.
Left out here: parts of slots; a job may hold its part rounded up.
"""

from core.policies.policy import Policy


class Equipartition(Policy):
    """Jobs are served as they came, each on its part of the slots."""

    id = "equi"

    def admits(job, kind, slot, cluster):
        """Whether a job holds less than its part of the slots of this kind."""
        slots = max(cluster.slots[kind], cluster.slots[slot])
        return job.running[kind] * max(cluster.active, 1) < slots

    def key(job):
        """Serve jobs as they came."""
        return job.arrival
