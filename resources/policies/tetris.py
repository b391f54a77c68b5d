"""Tetris: the task goes first that is most like what the node has free, so that little of it is left over.

R. Grandl et al.: Multi-resource packing for cluster schedulers. SIGCOMM 2014.

Left out here: network and disks; how much work a job has left, which the paper weighs in: of equals the job
that came first goes first. The node is the lowest one with room for the task. Nodes are taken to be equal.
"""

from core.policies.policy import Policy


class Tetris(Policy):
    """The task goes first whose needs, multiplied by what its node has free and added up, are the most."""

    id = "tetris"

    def key(job, kind, cluster):
        """Return the paper's alignment, turned round; each resource is a part of all there is of it."""
        memory = cluster.memory[kind] * cluster.node_memory[kind] / max(cluster.all_memory, 1) ** 2
        cores = cluster.cores[kind] * cluster.node_cores[kind] / max(cluster.all_cores, 1) ** 2
        return -(memory + cores), job.arrival
