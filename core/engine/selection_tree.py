"""The selection trees, from which a policy picks a job: one group of jobs after the other, by rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from core.engine.state import State


def with_selection_trees(state: State, pooled: bool, key_width: int) -> State:
    """Return a fresh state, as columns, with trees of jobs and place for their keys; all leaves are empty.

    Groups are the pools if `pooled`, else all jobs are one. The tree of a group of n jobs has 2 L nodes, L
    the next power of two. Node 1 is its root, 2 k and 2 k + 1 are below node k, and node L + i is the leaf of
    the group's i-th job by rank. A record's `root` says where node 0 is, a job's `leaf` which node it has.
    """
    job, pool = state.job, state.pool
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
    return state._replace(
        trees=np.full((2, 2 * int(leaves.sum())), -1, np.int32), keys=np.zeros((2, len(job), key_width))
    )
