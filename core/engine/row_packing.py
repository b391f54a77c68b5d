"""Gives tasks that run at once rows of their own, the lowest free one each; compiled when it pays."""

from __future__ import annotations

from typing import Any

from core.engine import heap
from core.engine.heap import put_slot, take_slot
from core.engine.jit import Kept, Kernel, compiled, named_by_sources, numba


def pack(
    by_start: Any,
    by_end: Any,
    start: Any,
    end: Any,
    group: Any,
    first: Any,
    free: Any,
    free_rows: Any,
    opened: Any,
    row: Any,
) -> None:
    """Give every task the lowest row of its group that no other one holds when it starts.

    A row is free again at the very time at which the task on it ends.

    Parameters
    ----------
    by_start, by_end : the tasks in the order of their starts, and of their ends
    start, end : seconds, (tasks,)
    group : of each task, (tasks,)
    first : where the free rows of each group begin in `free`, (groups,)
    free : room for the free rows of all groups
    free_rows : how many rows of each group are free, 0 at first; changed, (groups,)
    opened : how many rows each group has, 0 at first; written, (groups,)
    row : -1 at first; written: the row of each task in its group, (tasks,)
    """
    gone = 0
    for task in by_start:
        while gone < len(by_end) and end[by_end[gone]] <= start[task]:
            leaver = by_end[gone]
            g = group[leaver]
            # of those that take no time, the row is given back at once, below
            if row[leaver] >= 0 and end[leaver] > start[leaver]:
                put_slot(free, first[g], free_rows[g], row[leaver])
                free_rows[g] += 1
            gone += 1
        g = group[task]
        if free_rows[g] > 0:
            row[task] = take_slot(free, first[g], free_rows[g])
            free_rows[g] -= 1
        else:
            row[task] = opened[g]
            opened[g] += 1
        if end[task] <= start[task]:
            put_slot(free, first[g], free_rows[g], row[task])
            free_rows[g] += 1


@Kept
def compiled_pack() -> Kernel:
    """Return the compiled twin of `pack` (a second once, then from the cache)."""
    types = numba().types
    whole, floats, long = (
        types.Array(of, 1, "A", readonly=readonly)
        for of, readonly in ((types.int32, False), (types.float64, True), (types.int64, True))
    )
    orders = types.Array(types.int32, 1, "A", readonly=True)
    signature = types.void(orders, long, floats, floats, orders, long, whole, whole, whole, whole)
    return compiled(named_by_sources(pack, heap), signature)
