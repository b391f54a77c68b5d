"""The state of a run before anything has happened, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.engine.fresh_state import (
    divide,
    fresh_state,
    planned_needs,
    usual_reduce_after,
    wait_as_planned,
    with_selection_trees,
    with_task_keys,
)
from core.engine.state import State, leaves_for
from core.model.cluster import Cluster
from core.model.job import Job, Link
from core.model.nodes import NodeGroup, Request
from core.model.slot_times import SlotTime
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from tests.builders import make_job

INF = float("inf")


def fresh(*jobs: Job, cluster: Cluster | None = None, rank: Any = None, **given: Any) -> Any:
    columns = Workload("w", jobs).columns
    ranks = np.arange(len(jobs)) if rank is None else np.array(rank)
    settings = {"pools": 1, "lends": False, **given}
    return fresh_state(columns, cluster or Cluster(1, 1), ranks.astype(np.int32), **settings)


def two_jobs() -> tuple[Job, Job]:
    """A has three maps, then two reduces; B, which comes first, two reduces alone."""
    return make_job("A", (3, 1.0), (2, 4.0), arrival=2.0), make_job("B", (0,), (2, [5.0, 6.0]), arrival=1.0)


@pytest.mark.parametrize(
    ("count", "leaves"), [(1, 1), (2, 2), (3, 4), (4, 4), (5, 8), (8, 8), (9, 16), (1000, 1024)]
)
def test_a_tree_has_a_power_of_two_of_leaves(count: int, leaves: int) -> None:
    assert leaves_for(count) == leaves


def test_nothing_has_started_and_every_slot_is_free() -> None:
    state = fresh(*two_jobs(), cluster=Cluster(3, 2))
    assert state.free.tolist() == [[0, 1, 2], [3, 4, 0]]
    assert state.finish.tolist() == [INF] * 8
    assert state.tree[1] == 0
    assert state.slot.tolist() == [-1] * 7
    assert state.slot_stage.tolist() == [-1] * 5
    assert all(np.isnan(times).all() for times in (state.start, state.shuffled, state.end))
    c = state.cluster
    assert [c[name].tolist() for name in ("slots", "free", "room")] == [[3, 2]] * 3
    assert [int(c[name]) for name in ("first_reduce", "lends", "nodes", "bad_pick", "held")] == [
        3,
        0,
        0,
        -1,
        -1,
    ]


@pytest.mark.parametrize(("cluster", "lends"), [(Cluster(0, 0, containers=5), False), (Cluster(3, 2), True)])
def test_where_slots_run_either_kind_there_is_room_for_as_many_of_both(cluster: Cluster, lends: bool) -> None:
    state = fresh(*two_jobs(), cluster=cluster, lends=lends)
    assert (state.cluster["room"].tolist(), int(state.cluster["lends"])) == ([5, 5], 1)


def test_jobs_arrive_by_time_and_then_by_rank() -> None:
    jobs = [make_job(name, (1, 1.0), arrival=time) for name, time in zip("ABCD", (2, 1, 2, 1), strict=True)]
    assert fresh(*jobs, rank=[3, 1, 2, 0]).arrivals.tolist() == [3, 1, 2, 0]


def test_jobs_that_follow_others_come_last_until_it_is_known_when() -> None:
    jobs = (
        Job("A", Stage.of(1, 1.0), after=(Link("B", 3.0), Link("C", 4.0))),
        Job("B", Stage.of(1, 1.0), arrival=2.0),
        Job("C", Stage.of(1, 1.0), arrival=1.0),
    )
    state = fresh(*jobs, linked=True)
    assert state.arrivals.tolist() == [2, 1, 0]
    assert (int(state.cluster["linked"]), int(state.cluster["unknown"])) == (1, 1)
    assert (state.job["before"].tolist(), state.job["links"].tolist()) == ([2, 0, 0], [0, 1, 1])
    followed = [state.link[state.job["link"][j]] for j in (1, 2)]
    assert [(int(link["follower"]), float(link["think"])) for link in followed] == [(0, 3.0), (0, 4.0)]


def test_what_is_known_of_jobs_and_stages() -> None:
    state = fresh(*two_jobs(), cluster=Cluster(2, 2, slowstart=0.5))
    job = state.job
    assert job["tasks"].tolist() == [[3, 2], [0, 2]]
    assert (job["first"][0].tolist(), job["first"][1][REDUCE]) == ([0, 3], 5)
    assert (job["first_stage"].tolist(), job["end_stage"].tolist()) == ([0, 2], [2, 4])
    assert (job["stages_left"].tolist(), job["parents_left"].tolist()) == ([2, 2], [1, 1])
    assert job["next_stage"].tolist() == [[-1, -1]] * 2
    assert state.stage["closed"].tolist() == state.stage["parents"].tolist() == [0, 1, 0, 1]
    assert state.stage["released"].tolist() == [-INF, INF, -INF, INF]
    assert (state.stage["edges"].tolist(), state.stage["edge"][[0, 2]].tolist()) == ([1, 0, 1, 0], [0, 1])
    assert (state.edge["child"].tolist(), state.edge["need"].tolist()) == ([1, 3], [2, 0])


@pytest.mark.parametrize(
    ("slowstart", "maps", "needed"), [(0.05, 20, 1), (0.05, 21, 2), (0.0, 9, 0), (1.0, 9, 9), (0.5, 3, 2)]
)
def test_a_slowstart_is_rounded_up_to_whole_maps(slowstart: float, maps: int, needed: int) -> None:
    columns = Workload("w", (make_job("A", (maps, 1.0), (1, 1.0)),)).columns
    assert usual_reduce_after(columns, Cluster(1, 1, slowstart)).tolist() == [needed]


def graph_and_map_reduce() -> Workload:
    """A has maps and reduces, B three stages of 4, 6 and 2 tasks in a row; the second waits for a half."""
    graph = StageGraph((MAP, MAP, REDUCE), (Edge(0, 1, 0.5), Edge(1, 2)))
    stages = Stage.of(4, 1.0), Stage.of(6, 1.0), Stage.of(2, 1.0)
    return Workload("w", (make_job("A", (4, 1.0), (1, 1.0)), Job("B", stages=stages, graph=graph)))


def test_a_plan_says_for_how_many_maps_reduces_wait_but_nothing_of_other_stages() -> None:
    columns, cluster = graph_and_map_reduce().columns, Cluster(1, 1, 1.0)
    assert planned_needs(columns, cluster, None).tolist() == [4, 2, 6]
    assert planned_needs(columns, cluster, np.array([3, 1], np.int32)).tolist() == [3, 2, 6]
    state = fresh(*graph_and_map_reduce().jobs, cluster=cluster)
    assert state.edge["need"].tolist() == [4, 2, 6]
    state.job["reduce_after"] = 3, 1
    wait_as_planned(state)
    assert state.edge["need"].tolist() == [3, 2, 6]


def test_slots_that_come_and_go_close_before_others_open() -> None:
    """Two fixed map slots, one until 5 s, one from 5 s and one from 3 to 7 s; a reduce slot from 2 s on."""
    times = (SlotTime(1, 0.0, 5.0, MAP), SlotTime(1, 5.0, INF, MAP), SlotTime(1, 3.0, 7.0, MAP))
    cluster = Cluster(2, 0, slot_times=(*times, SlotTime(1, 2.0, INF, REDUCE)))
    state = fresh(*two_jobs(), cluster=cluster)
    changes = [(float(each["at"]), int(each["slot"]), int(each["opens"])) for each in state.change]
    assert changes == [(2.0, 5, 1), (3.0, 4, 1), (5.0, 2, 0), (5.0, 3, 1), (7.0, 4, 0)]
    assert int(state.cluster["changes"]) == 5
    assert state.there.tolist() == [0, 0, 0, 2, 2, 2]
    assert state.free[MAP, :3].tolist() == [0, 1, 2]
    assert [state.cluster[name].tolist() for name in ("slots", "free", "room")] == [[3, 0]] * 3
    lent = fresh(*two_jobs(), cluster=cluster, lends=True)
    assert lent.cluster["room"].tolist() == [3, 3]


def test_room_on_nodes_is_summed_up_a_tree() -> None:
    """Two nodes of 2 GB and one of 5 GB; a map takes 1 GB, a reduce 2 GB. A node has a row for each map."""
    nodes = (NodeGroup(2, 2048, 9), NodeGroup(1, 5120, 9))
    cluster = Cluster(0, 0, nodes=nodes, map_request=Request(1024, 1), reduce_request=Request(2048, 1))
    state = fresh(*two_jobs(), cluster=cluster)
    assert state.fits[MAP].tolist() == [0, 9, 4, 5, 2, 2, 5, 0]
    assert state.fits[REDUCE].tolist() == [0, 4, 2, 2, 1, 1, 2, 0]
    assert (state.cluster["room"].tolist(), int(state.cluster["nodes"])) == ([9, 4], 3)
    assert state.node_of.tolist() == [0, 0, 1, 1, 2, 2, 2, 2, 2]
    assert [state.node[name].tolist() for name in ("first", "rows", "free")] == [
        [0, 2, 4],
        [2, 2, 5],
        [2, 2, 5],
    ]


@pytest.mark.parametrize(
    ("contention", "load", "contends"), [((), 0.0, 0), ((1.0, 0.5), 0.0, 1), ((1.0, 0.5), 0.5, 2)]
)
def test_what_slows_maps_on_nodes(contention: tuple[float, ...], load: float, contends: int) -> None:
    nodes = (NodeGroup(1, 2048, 2),)
    state = fresh(*two_jobs(), cluster=Cluster(0, 0, nodes=nodes, contention=contention, reduce_load=load))
    assert int(state.cluster["contends"]) == contends


def test_pools_of_a_divided_cluster_have_their_parts_of_the_free_slots() -> None:
    state = fresh(*two_jobs(), cluster=Cluster(5, 3), pools=2)
    divide(state, np.array([1, 0], np.int32), np.array([[2, 2], [3, 1]], np.int32))
    assert state.pool["region"].tolist() == [[0, 0], [2, 2]]
    assert (state.pool["free"].tolist(), state.job["pool"].tolist()) == ([[2, 2], [3, 1]], [1, 0])


def test_the_next_task_of_each_job_has_its_key() -> None:
    """A has tasks 0 to 2 and 3 to 4, B has 5 to 6."""
    state: Any = with_task_keys(fresh(*two_jobs()), np.arange(10.0, 17.0))
    assert state.job["next"].tolist() == [[10.0, 13.0], [0.0, 15.0]]
    assert (state.task_key.tolist(), int(state.cluster["keyed"])) == (np.arange(10.0, 17.0).tolist(), 1)


def selection_trees(pooled: bool, outlook: int) -> State:
    """Return a state of five jobs whose ranks are 4, 3, 2, 1 and 0, with keys of two numbers."""
    jobs = [make_job(name, (1, 1.0), pool=pool) for name, pool in zip("ABCDE", "xxyxx", strict=True)]
    return with_selection_trees(fresh(*jobs, rank=[4, 3, 2, 1, 0], pools=2), pooled, 2, outlook)


def test_jobs_have_leaves_by_rank_in_the_tree_of_all() -> None:
    state: Any = selection_trees(pooled=False, outlook=0)
    assert state.trees.tolist() == [[-1] * 16] * 2
    assert (state.job["root"].tolist(), state.job["leaf"].tolist()) == ([0] * 5, [12, 11, 10, 9, 8])
    assert (state.pool["next_leaf"].tolist(), state.keys.shape) == ([8, 8], (2, 5, 2))


def test_each_pool_has_a_tree_of_its_own() -> None:
    """Four jobs have one of four leaves, in 8 nodes; the job of the other pool two leaves behind."""
    state: Any = selection_trees(pooled=True, outlook=0)
    assert state.trees.tolist() == [[-1] * 12] * 2
    assert (state.job["root"].tolist(), state.job["leaf"].tolist()) == ([0, 0, 8, 0, 0], [7, 6, 2, 5, 4])
    assert (state.pool["root"].tolist(), state.pool["next_leaf"].tolist()) == ([0, 8], [4, 2])


def test_a_tree_of_outlooks_follows_the_keys() -> None:
    state: Any = selection_trees(pooled=False, outlook=2)
    assert state.keys.shape == (2, 5 + 16, 3)
    leaves = state.keys[MAP, 5 + state.job["leaf"]]
    assert leaves.tolist() == [[-INF, -INF, float(job)] for job in range(5)]
    assert (state.keys[MAP, 5:7] == -INF).all()
    assert int(state.cluster["outlooks"]) == 2
