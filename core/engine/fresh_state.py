"""The state of a run before anything has happened: records, free slots, and what only some runs have.

What is on nodes, slots that pools own, and the selection trees of policies that keep the jobs' answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.records import CLUSTER, EDGE, JOB, LINK, NODE, POOL, SLOT_CHANGE, STAGE
from core.engine.slot_trees import CLOSED, OPEN
from core.engine.state import (
    END,
    NO_PAUSE,
    NO_STAGE,
    UNCHANGED,
    State,
    idle_tree,
    job_column,
    leaves_for,
    state_of,
)
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.links import LinkColumns
    from core.model.workload import TaskColumns, Workload


def fresh_state(
    columns: TaskColumns,
    cluster: Cluster,
    rank: NDArray[np.int32],
    *,
    pools: int,
    lends: bool,
    parameters: Mapping[str, float] | None = None,
    linked: bool = False,
) -> State:
    """Return the state before anything has happened.

    Parameters
    ----------
    columns : the workload's tasks
    cluster : slots, slowstart and shuffle model
    rank : place of each job in the policy's order, (jobs,)
    pools : number of pools
    lends : whether the policy lets slots run the other kind of task
    parameters : the policy's numeric parameters, in order
    linked : whether jobs wait for those that they follow; else each arrives at the earliest that is possible
    """
    tasks, slots, own = len(columns.duration), cluster.slots, cluster.typed_slots
    without_shuffle = cluster.shuffle_model == "mumak"
    leaves = leaves_for(slots)
    state = state_of(
        arrivals=np.lexsort((rank, columns.arrival)).astype(np.int32),
        duration=columns.duration,
        first_shuffle=_zeros(tasks) if without_shuffle else columns.first_shuffle,
        typical_shuffle=_zeros(tasks) if without_shuffle else columns.typical_shuffle,
        task_key=_zeros(0),
        slot=np.full(tasks, -1, np.int32),
        sequence=np.zeros(tasks, np.int32),
        start=np.full(tasks, np.nan),
        shuffled=np.full(tasks, np.nan),
        end=np.full(tasks, np.nan),
        tree=idle_tree(leaves),
        finish=np.full(leaves, np.inf),
        slot_stage=np.full(slots, -1, np.int32),
        free=free_slots(own, max(own)),
        there=np.zeros(slots, np.int32),
        change=np.zeros(0, SLOT_CHANGE),
        **_nodes_of(cluster),
        queue=np.zeros((2, _most_of_a_type(columns)), np.int32),
        trees=np.zeros((2, 0), np.int32),
        keys=np.zeros((2, 0, 1)),
        job=_job_records(columns, cluster, rank),
        stage=_stage_records(columns),
        edge=_edge_records(columns, cluster),
        link=np.zeros(len(columns.links), LINK),
        stack=np.zeros(len(columns.stages.job), np.int32),
        pool=_pool_records(pools),
        cluster=_cluster_record(own, cluster, lends, parameters or {}),
    )
    if cluster.slot_times:
        state = with_slot_times(state, cluster)
    return with_links(state, columns.links) if linked and len(columns.links) else state


def free_slots(own: Sequence[int], width: int) -> NDArray[np.int32]:
    """Return the slots of each type, all free, those of one after those of the other, (types, width)."""
    free = np.zeros((len(own), width), np.int32)
    first = 0
    for row, slots in zip(free, own, strict=True):
        row[:slots] = np.arange(first, first + slots)
        first += slots
    return free


def with_slot_times(state: State, cluster: Cluster) -> State:
    """Return a fresh state, as columns, whose slots come and go."""
    opens, closes = cluster.slot_intervals
    late, leave = np.flatnonzero(opens), np.flatnonzero(np.isfinite(closes))
    change = np.zeros(len(late) + len(leave), SLOT_CHANGE)
    change["at"] = np.concatenate([closes[leave], opens[late]])
    change["slot"] = np.concatenate([leave, late])
    change["opens"][len(leave) :] = 1
    change = change[np.argsort(change["at"], kind="stable")]  # closes first
    there = np.where(opens, CLOSED, OPEN).astype(np.int32)
    maps = int(state.cluster["first_reduce"])
    for kind, slots in enumerate((range(maps), range(maps, len(there)))):
        free = [slot for slot in slots if there[slot] == OPEN]
        state.free[kind, : len(free)] = free
        state.cluster["free"][kind] = state.cluster["slots"][kind] = len(free)
    both = state.cluster["free"].sum()
    state.cluster["room"] = both if state.cluster["lends"] else state.cluster["free"]
    state.cluster["changes"] = len(change)
    return state._replace(there=there, change=change)


def with_wakes(state: State, times: Sequence[float]) -> State:
    """Return a fresh state, as columns, in which free slots are also offered at these times, in seconds."""
    if not times:
        return state
    wakes = np.zeros(len(times), SLOT_CHANGE)
    wakes["at"], wakes["slot"] = times, -1
    change = np.concatenate([state.change, wakes])
    change = change[np.argsort(change["at"], kind="stable")]
    state.cluster["changes"] = len(change)
    return state._replace(change=change)


def with_held_slots(state: State, held: Sequence[tuple[int, float]]) -> State:
    """Return a fresh state, as columns, of which some slots are closed until a time.

    Parameters
    ----------
    held : each such slot, and when it opens, seconds
    """
    opening = np.zeros(len(held), SLOT_CHANGE)
    there = np.array(state.there)
    for place, (slot, opens) in enumerate(held):
        opening["slot"][place], opening["at"][place], opening["opens"][place] = slot, opens, 1
        there[slot] = CLOSED
        state.cluster["slots"][int(slot >= state.cluster["first_reduce"])] -= 1
    change = np.concatenate([state.change, opening])
    change = change[np.argsort(change["at"], kind="stable")]
    state.cluster["changes"] = len(change)
    return state._replace(there=there, change=change)


def _zeros(tasks: int) -> NDArray[np.float64]:
    zeros = np.zeros(tasks)
    zeros.flags.writeable = False  # as the workload's columns: the compiled engine has one type for both
    return zeros


def usual_reduce_after(columns: TaskColumns, cluster: Cluster) -> NDArray[np.int32]:
    """Return how many complete maps let each job's reduces start by the cluster's slowstart, (jobs,)."""
    stages = columns.stages
    needed = np.zeros(len(columns.arrival), np.int32)
    np.maximum.at(needed, stages.job[stages.child], usual_needs(columns, cluster))
    return needed


def usual_needs(columns: TaskColumns, cluster: Cluster) -> NDArray[np.int32]:
    """Return how many complete tasks of the parent each edge waits for by its slowstart, (edges,)."""
    stages = columns.stages
    slowstart = np.where(np.isnan(stages.slowstart), cluster.slowstart, stages.slowstart)
    # NOTE: the small term keeps 0.05 * 20 from needing two maps.
    needed: NDArray[np.int32] = np.ceil(slowstart * stages.count[stages.parent] - 1e-9).astype(np.int32)
    return needed


def planned_needs(
    columns: TaskColumns, cluster: Cluster, reduce_after: NDArray[np.int32] | None
) -> NDArray[np.int32]:
    """Return how many complete tasks of the parent each edge waits for, (edges,).

    Parameters
    ----------
    reduce_after : as of a schedule: how many maps of each MapReduce job a plan lets its reduces wait for, or
        None, (jobs,)
    """
    needed, stages = usual_needs(columns, cluster), columns.stages
    if reduce_after is None:
        return needed
    job = stages.job[stages.parent]
    return np.where(np.diff(stages.begin)[job] == len(TASK_TYPES), reduce_after[job], needed)


def unusual_reduce_after(state: State, workload: Workload, cluster: Cluster) -> NDArray[np.int32] | None:
    """Return how many complete maps let each job's reduces start, (jobs,); None for the slowstart."""
    needed = job_column(state, "reduce_after").astype(np.int32)
    needed.flags.writeable = False
    usual = usual_reduce_after(workload.columns, cluster)
    return None if np.array_equal(needed, usual) else needed


def _job_records(columns: TaskColumns, cluster: Cluster, rank: NDArray[np.int32]) -> NDArray[np.void]:
    job = np.zeros(len(rank), JOB)
    job["rank"] = rank
    for name in ("pool", "weight", "arrival", "deadline"):
        job[name] = getattr(columns, name)
    stages = columns.stages
    places = stages.job, stages.task_type
    np.add.at(job["tasks"], places, stages.count)
    job["first"] = len(columns.duration)
    np.minimum.at(job["first"], places, stages.first)
    job["next_stage"] = NO_STAGE
    job["first_stage"], job["end_stage"] = stages.begin[:-1], stages.begin[1:]
    job["stages_left"] = np.diff(stages.begin)
    np.add.at(job["parents_left"], stages.job, stages.has_children)
    job["reduce_after"] = usual_reduce_after(columns, cluster)
    job["stage_end"] = job["finish"] = np.inf
    job["wanted"] = np.iinfo(np.int32).max
    job["changed"] = UNCHANGED
    return job


def _stage_records(columns: TaskColumns) -> NDArray[np.void]:
    stages = columns.stages
    stage = np.zeros(len(stages.job), STAGE)
    for name in ("job", "task_type", "first"):
        stage[name] = getattr(stages, name)
    stage["place"] = stages.number
    stage["tasks"] = stages.count
    stage["closed"] = stage["parents"] = np.bincount(stages.child, minlength=len(stage))
    stage["edges"] = np.bincount(stages.parent, minlength=len(stage))
    stage["edge"] = np.cumsum(stage["edges"]) - stage["edges"]
    stage["released"] = np.where(stage["parents"], np.inf, -np.inf)
    return stage


def _edge_records(columns: TaskColumns, cluster: Cluster) -> NDArray[np.void]:
    stages = columns.stages
    edge = np.zeros(len(stages.parent), EDGE)
    by_parent = np.lexsort((stages.child, stages.parent))
    edge["child"] = stages.child[by_parent]
    edge["need"] = usual_needs(columns, cluster)[by_parent]
    return edge


def with_links(state: State, links: LinkColumns) -> State:
    """Return a fresh state, as columns, whose jobs wait for those that they follow."""
    job: Any = state.job
    follows = links.follows
    job["before"] = np.bincount(links.follower, minlength=len(job))
    job["not_before"] = links.fixed
    job["links"] = np.bincount(links.before, minlength=len(job))
    job["link"] = np.cumsum(job["links"]) - job["links"]
    state.link["follower"], state.link["think"] = links.follower, links.think  # they lie by job
    state.cluster["linked"], state.cluster["unknown"] = 1, int(follows.sum())
    arrivals: Any = state.arrivals
    waits = follows[arrivals]
    return state._replace(arrivals=np.concatenate([arrivals[~waits], arrivals[waits]]))


def _most_of_a_type(columns: TaskColumns) -> int:
    """Return how often jobs enter a queue at most: once for each stage of its type."""
    return int(np.bincount(columns.stages.task_type, minlength=len(TASK_TYPES)).max())


def wait_as_planned(state: State) -> None:
    """Let the reduces of each MapReduce job wait for as many maps as a plan has written; before the run."""
    jobs: Any = state.job
    stages: Any = state.stage
    edges: Any = state.edge
    parents = np.flatnonzero(stages["edges"])
    job = stages["job"][parents]
    two_stages = jobs["end_stage"][job] - jobs["first_stage"][job] == len(TASK_TYPES)
    edges["need"][stages["edge"][parents[two_stages]]] = jobs["reduce_after"][job[two_stages]]


def _pool_records(pools: int) -> NDArray[np.void]:
    pool = np.zeros(pools, POOL)
    pool["weight"] = 1
    pool["cap"] = np.iinfo(np.int32).max
    return pool


def _cluster_record(
    own: tuple[int, int], cluster: Cluster, lends: bool, parameters: Mapping[str, float]
) -> np.void:
    record = np.zeros(1, CLUSTER)
    record["slots"] = record["free"] = record["lend_max"] = own
    record["first_reduce"] = own[0]
    record["lends"] = lends or cluster.has_containers
    record["changed"] = END
    record["containers"] = cluster.has_containers
    record["nodes"] = sum(group.count for group in cluster.nodes)
    record["memory"] = [request.memory_mb for request in cluster.requests]
    record["cores"] = [request.cores for request in cluster.requests]
    record["all_memory"] = sum(group.count * group.memory_mb for group in cluster.nodes)
    record["all_cores"] = sum(group.count * group.cores for group in cluster.nodes)
    record["node"] = record["slot_number"] = record["executor"] = -1
    record["executor_slots"] = cluster.slots_per_executor
    record["room"] = cluster.slots if record["lends"] else own
    if cluster.has_nodes:
        record["room"] = cluster.stage_slots
    record["contends"] = bool(cluster.contention) + bool(cluster.reduce_load)
    record["reduce_load"] = cluster.reduce_load
    record["overlap"] = cluster.shuffle_model == "overlap"
    record["bad_pick"] = record["held"] = -1
    record["pause_at"] = NO_PAUSE
    record["wake"] = np.inf
    record["parameter"][0, : len(parameters)] = list(parameters.values())
    scalar: np.void = record[0]
    return scalar


def _nodes_of(cluster: Cluster) -> dict[str, NDArray[Any]]:
    """Return the columns `node` to `fits` of a fresh state."""
    if not cluster.has_nodes:
        return {
            "node": np.zeros(0, NODE),
            "node_of": np.zeros(cluster.slots, np.int32),
            "map_on": np.zeros(0, np.int32),
            "speeds": np.zeros(0),
            "fits": np.zeros((2, 0), np.int32),
        }
    rows = np.array(cluster.node_rows, np.int32)
    groups = [group for group in cluster.nodes for _ in range(group.count)]
    node = np.zeros(len(groups), NODE)
    node["first"] = rows[:-1]
    node["rows"] = node["free"] = np.diff(rows)
    node["memory"] = [group.memory_mb for group in groups]
    node["cores"] = [group.cores for group in groups]
    return {
        "node": node,
        "node_of": np.repeat(np.arange(len(groups), dtype=np.int32), np.diff(rows)),
        "map_on": np.full(cluster.slots, -1, np.int32),
        "speeds": np.array(cluster.contention or (1.0,)),
        "fits": _fits(cluster),
    }


def _fits(cluster: Cluster) -> NDArray[np.int32]:
    """Return for either kind the tree of sums over the nodes; leaves begin in the middle."""
    nodes = [group for group in cluster.nodes for _ in range(group.count)]
    leaves = leaves_for(len(nodes))
    fits = np.zeros((2, 2 * leaves), np.int32)
    for tree, request in zip(fits, cluster.requests, strict=True):
        tree[leaves : leaves + len(nodes)] = [request.fitting(node.memory_mb, node.cores) for node in nodes]
        for at in range(leaves - 1, 0, -1):
            tree[at] = tree[2 * at] + tree[2 * at + 1]
    return fits


def divide(state: State, pool_of_job: NDArray[np.int32], slots: NDArray[np.int32]) -> None:
    """Give every pool slots of its own, before the run; typed slots only.

    Parameters
    ----------
    state : fresh, as columns, with as many pools; modified in place
    pool_of_job : (jobs,)
    slots : map and reduce slots of each pool, (pools, 2); together all of the cluster
    """
    state.cluster["divided"] = 1
    state.job["pool"] = pool_of_job
    state.pool["free"] = slots
    # a fresh state's free slots lie in order, so each part of them is a heap already
    state.pool["region"] = np.cumsum(slots, axis=0) - slots


def with_task_keys(state: State, task_key: NDArray[np.float64]) -> State:
    """Return a fresh state, as columns, with the key of each job's next task of each kind.

    Parameters
    ----------
    task_key : of the tasks as they start in their stages, (tasks,)
    """
    state.cluster["keyed"] = 1
    job: Any = state.job
    has_tasks = job["tasks"] > 0
    job["next"][has_tasks] = task_key[job["first"][has_tasks]]
    kept = task_key.copy()
    kept.flags.writeable = False  # as the other columns
    return state._replace(task_key=kept)


def serve_stages_in_order(state: State, place: NDArray[np.int32]) -> None:
    """Let the stages of every job be served in an order, before the run.

    Parameters
    ----------
    state : fresh, as columns; modified in place
    place : of each stage among those of its job, from 0, (stages,)
    """
    stage: Any = state.stage
    stage["place"] = place
    state.cluster["staged"] = 1


def with_selection_trees(state: State, pooled: bool, key_width: int, outlook_width: int) -> State:
    """Return a fresh state, as columns, with trees of jobs and place for their keys; all leaves are empty.

    Groups are the pools if `pooled`, else all jobs are one. The tree of a group of n jobs has 2 L nodes, L
    the next power of two. Node 1 is its root, 2 k and 2 k + 1 are below node k, and node L + i is the leaf of
    the group's i-th job by rank. A record's `root` says where node 0 is, a job's `leaf` which node it has.
    Where jobs have an outlook, the keys of the first kind are followed by a tree of outlooks of the same form
    over all of them; its leaves have the number of their job besides.
    """
    job: Any = state.job
    pool = state.pool
    group = job["pool"] if pooled else np.zeros(len(job), np.int32)
    by_rank = np.lexsort((job["rank"], group))
    sizes = np.bincount(group, minlength=len(pool) if pooled else 1)
    leaves = 1 << np.ceil(np.log2(np.maximum(sizes, 2))).astype(np.int64)
    roots = np.cumsum(2 * leaves) - 2 * leaves
    firsts = np.cumsum(sizes) - sizes
    job["root"] = roots[group]
    job["leaf"][by_rank] = (leaves - firsts)[group[by_rank]] + np.arange(len(job))
    if pooled:
        pool["root"] = roots
    pool["next_leaf"] = leaves if pooled else leaves[0]
    state.cluster["pooled"], state.cluster["outlooks"] = pooled, outlook_width
    nodes = 2 * int(leaves.sum())
    keys = np.zeros((2, len(job) + (nodes if outlook_width else 0), max(key_width, outlook_width + 1)))
    if outlook_width:
        keys[:, len(job) :] = -np.inf
        keys[0, len(job) + job["leaf"], outlook_width] = np.arange(len(job))
    return state._replace(trees=np.full((2, nodes), -1, np.int32), keys=keys)
