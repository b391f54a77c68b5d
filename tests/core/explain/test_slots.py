"""The room on nodes over time is what a plain count gives at every instant."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from core.explain.slots import room_at
from core.model.cluster import Cluster
from core.model.errors import StalledError
from core.model.nodes import NodeGroup, Request
from core.model.task_types import MAP, REDUCE
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import node_clusters, workloads
from tests.random_tests import examples


@examples(30)
@given(data=st.data())
def test_every_instant(data: st.DataObject) -> None:
    cluster = data.draw(node_clusters())
    try:
        schedule = run(data.draw(workloads()), cluster)
    except StalledError:
        assume(False)
    kinds, asked = schedule.workload.columns.kind, (cluster.map_request, cluster.reduce_request)
    times = np.unique(np.concatenate([[0.0], schedule.start, schedule.end]))
    for kind in (MAP, REDUCE):
        counted = []
        for time in times:
            running = [t for t in range(schedule.tasks) if schedule.start[t] <= time < schedule.end[t]]
            count, groups = 0, [group for group in cluster.nodes for _ in range(group.count)]
            for node, group in enumerate(groups):
                mine = [asked[kinds[t]] for t in running if cluster.node_of(int(schedule.slot[t])) == node]
                memory = group.memory_mb - sum(request.memory_mb for request in mine)
                count += asked[kind].fitting(memory, group.cores - sum(each.cores for each in mine))
            counted.append(count)
        assert room_at(schedule, times, kind).tolist() == counted


def test_by_hand() -> None:
    """Two nodes of 4 GB and 2 GB; a map of 2 GB runs from 0 to 3 on the first, one from 0 to 1 beside it."""
    nodes = (NodeGroup(1, 4, 9), NodeGroup(1, 2, 9))
    cluster = Cluster(0, 0, nodes=nodes, map_request=Request(2, 0), reduce_request=Request(1, 3))
    schedule = run(make_workload(make_job("J1", (2, [3.0, 1.0]))), cluster)
    times = np.array([0.0, 1.0, 3.0])
    assert room_at(schedule, times, MAP).tolist() == [1, 2, 3]
    assert room_at(schedule, times, REDUCE).tolist() == [2, 4, 5]
