"""Free slots of a state: in one heap per type, in one per type and pool of a divided cluster, or per node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.placement import lowest_with_room
from core.engine.state import Row
from core.model.job import MAP, REDUCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.engine.state import State


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


def free_slots(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of the free map slots and of the free reduce slots, ascending; of either form."""
    maps, reduces = (
        tuple(
            sorted(
                int(slot)
                for begin, count in _heaps(state, kind)
                for slot in state.free[kind][begin : begin + count]
            )
        )
        for kind in (MAP, REDUCE)
    )
    return maps, reduces


def lowest_free(state: State, job: int, kind: int, slot_kind: int) -> int:
    """Return the slot that a job's next task of a kind would get among the free ones of a type."""
    if _cluster(state).nodes:
        fits = state.fits[kind]
        node = state.node[lowest_with_room(fits)]
        return int(state.free[MAP][node["first"] if isinstance(node, np.void) else node.first])
    rows = state.job
    pool = int(rows["pool"][job]) if isinstance(rows, np.ndarray) else rows[job].pool
    heaps = _heaps(state, slot_kind)
    begin, _ = heaps[pool] if len(heaps) > 1 else heaps[0]
    return int(state.free[slot_kind][begin])


def put_free_slots(state: State, free: tuple[Sequence[int], Sequence[int]]) -> None:
    """Let exactly these slots be free, whichever pools they belong to; ascending, of either form."""
    cluster = _cluster(state)
    if cluster.nodes:
        return  # what is free on nodes is never divided otherwise
    for kind in (MAP, REDUCE):
        begins = [begin for begin, _ in _heaps(state, kind)]
        places = [slot - kind * cluster.slots[MAP] for slot in free[kind]]
        cuts = np.searchsorted(places, [*begins[1:], cluster.slots[kind]])
        for pool, (begin, low, high) in enumerate(zip(begins, [0, *cuts], cuts, strict=False)):
            state.free[kind][begin : begin + high - low] = free[kind][low:high]  # ascending: a heap
            if cluster.divided:
                _set_count(state.pool, pool, kind, int(high - low))
        _set_count(state.cluster, None, kind, len(free[kind]))
    _set_room(state.cluster, [len(slots) for slots in free])


def _set_count(records: Any, place: int | None, kind: int, count: int) -> None:
    """Write the number of free slots into a record."""
    if isinstance(records, np.ndarray):
        records["free"][place, kind] = count
    elif isinstance(records, np.void):
        records["free"][kind] = count
    else:
        (records if place is None else records[place]).free[kind] = count


def _set_room(cluster: Any, free: list[int]) -> None:
    """Write how many tasks of either kind free slots have room for."""
    is_column = isinstance(cluster, np.void)
    lends = cluster["lends"] if is_column else cluster.lends
    room = [sum(free)] * 2 if lends else free
    if is_column:
        cluster["room"] = room
    else:
        cluster.room = room


def _cluster(state: State) -> Any:
    return Row(state.cluster) if isinstance(state.cluster, np.void) else state.cluster


def _heaps(state: State, kind: int) -> list[tuple[int, int]]:
    """Return where each heap of a type begins and how many slots it holds."""
    cluster = _cluster(state)
    if cluster.nodes:
        nodes: list[Any] = [Row(n) for n in state.node] if isinstance(state.node, np.ndarray) else state.node
        return [(node.first, node.free) for node in nodes] if kind == MAP else []
    if not cluster.divided:
        return [(0, cluster.free[kind])]
    pools: list[Any] = [Row(p) for p in state.pool] if isinstance(state.pool, np.ndarray) else state.pool
    return [(pool.region[kind], pool.free[kind]) for pool in pools]
