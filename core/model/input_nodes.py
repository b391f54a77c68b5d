"""On which nodes the input of each map lies, and what it costs to read it from another one.

Source: M. Zaharia et al., "Delay scheduling", EuroSys 2010, section 2: a block lies on some nodes (three in
Hadoop), and a map that runs elsewhere reads it over the network. Here that takes a job's maps so many seconds
longer, whichever node they read from.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.errors import InputError, Problem, shorten
from core.model.many_jobs import values_of
from core.model.task_types import MAP

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.job import Job
    from core.model.stages import StageColumns


class InputColumns:
    """The nodes that have the input of each task; every array is read-only.

    Attributes
    ----------
    begin : nodes of task t are ``node[begin[t]:begin[t + 1]]``, int64 (tasks + 1,); none of a task whose
        job does not say
    node : int32
    remote_read : seconds that a map of each job takes longer on any other node, (jobs,)
    says : whether each job says where its input lies, (jobs,)
    of_task : whether that is said of each task: of the maps of these jobs, (tasks,)
    """

    def __init__(self, jobs: Sequence[Job], stages: StageColumns) -> None:
        count = np.zeros(int(stages.count.sum()), np.int64)
        self.says = np.array([bool(job.input_nodes) for job in jobs])
        self.remote_read = np.array([job.remote_read if job.input_nodes else 0.0 for job in jobs])
        first = stages.first[stages.begin[:-1] + MAP]
        for j in np.flatnonzero(self.says).tolist():
            nodes = jobs[j].input_nodes
            count[first[j] : first[j] + len(nodes)] = [len(each) for each in nodes]
        self.begin = np.concatenate([[0], np.cumsum(count)])
        every = chain.from_iterable(chain.from_iterable(job.input_nodes) for job in jobs)
        self.node = np.fromiter(every, np.int32, int(self.begin[-1]))
        self.of_task = count > 0
        for column in (self.says, self.remote_read, self.begin, self.node, self.of_task):
            column.flags.writeable = False

    def nodes_of(self, task: int) -> list[int]:
        """Return the nodes that have the input of a task, ascending."""
        nodes: list[int] = self.node[self.begin[task] : self.begin[task + 1]].tolist()
        return nodes

    def lie_on(self, node: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        """Return whether the input of each task lies on a node, one for each task, (tasks,)."""
        task = np.repeat(np.arange(len(node)), np.diff(self.begin))
        found = np.zeros(len(node), bool)
        np.logical_or.at(found, task, self.node == node[task])
        return found


def outside_problems(jobs: Sequence[Job], cluster: Cluster) -> list[Problem]:
    """Return where jobs name nodes that a cluster has not; none for one that has no nodes at all."""
    nodes = sum(group.count for group in cluster.nodes)
    return list(_outside(jobs, nodes)) if nodes and any(values_of(jobs, "input_nodes")) else []


def _outside(jobs: Sequence[Job], nodes: int) -> Iterator[Problem]:
    for j, job in enumerate(jobs):
        last = max((each[-1] for each in job.input_nodes if each), default=0)
        if last >= nodes:
            number = next(i for i, each in enumerate(job.input_nodes) if each and each[-1] >= nodes)
            known = "one node, 0" if nodes == 1 else f"{nodes} nodes, 0 to {nodes - 1}"
            rule = f"the cluster has {known}; name no others, or give it more"
            yield Problem(f"jobs[{j}].input_nodes[{number}]", shorten(list(job.input_nodes[number])), rule)


def check_input_nodes(jobs: Sequence[Job], cluster: Cluster) -> None:
    """Raise InputError where jobs have `input_nodes` that do not fit a cluster."""
    job = next((job for job in jobs if job.input_nodes), None)
    if job is None:
        return
    says = f"job {shorten(job.name)} says on which nodes its input lies"
    if not cluster.has_nodes:
        raise InputError(
            f"{says}, and the cluster has no nodes; give it nodes (4x4GB,2) instead of slots, "
            "or leave input_nodes and remote_read out of the workload"
        )
    problem = next(_outside(jobs, sum(group.count for group in cluster.nodes)), None)
    if problem is not None:
        raise InputError(str(problem))
    if cluster.contention:
        raise InputError(f"{says}, which is not modelled with contention; leave it out of the cluster")
