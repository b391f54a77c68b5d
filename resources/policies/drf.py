"""Dominant resource fairness: the next task to the job whose largest part of memory or cores is the smallest.

A. Ghodsi et al.: Dominant resource fairness: fair allocation of multiple resource types. NSDI 2011.

Left out here: a map asks for as much in every job, and so does a reduce; jobs differ by how many they run
of each.
"""

from core.policies.policy import MAP, REDUCE, Policy


def part(job, need, total):
    """Return which part of a resource a job's running tasks hold."""
    return (job.running[MAP] * need[MAP] + job.running[REDUCE] * need[REDUCE]) / max(total, 1)


class DominantResource(Policy):
    """The job with the smallest dominant share for its weight goes first."""

    id = "drf"

    def key(job, kind, cluster):
        """Return the larger of a job's parts of all memory and of all cores; its maps before its reduces."""
        memory = part(job, cluster.memory, cluster.all_memory)
        cores = part(job, cluster.cores, cluster.all_cores)
        return max(memory, cores) / job.weight, job.arrival, kind
