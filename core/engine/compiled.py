"""The compiled engine and the types that a policy's kernel must have; built once per process."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from core.engine import contention, job_queues, loop, placement
from core.engine.jit import Kept, Kernel, compiled, named_by_sources, numba
from core.engine.state import CLUSTER, JOB, POOL, State

if TYPE_CHECKING:
    import types


@cache
def choose_signature() -> Any:
    """Return numba's signature of ``choose(slot, queue, trees, keys, job, pool, cluster) -> pick``."""
    types, from_dtype = numba().types, numba().from_dtype
    return types.int64(
        types.int64,
        types.Array(types.int32, 2, "C"),
        types.Array(types.int32, 2, "C"),
        types.Array(types.float64, 3, "C"),
        types.Array(from_dtype(JOB), 1, "C"),
        types.Array(from_dtype(POOL), 1, "C"),
        from_dtype(CLUSTER),
    )


@cache
def state_type() -> Any:
    """Return numba's type of a state."""
    return numba().typeof(_example())


@cache
def advance_signature() -> Any:
    """Return numba's signature of `core.engine.loop.advance`."""
    types = numba().types
    choose = types.FunctionType(choose_signature())
    return types.int64(choose, types.float64, types.int64, state_type())


@Kept
def compiled_advance(plain: bool = False) -> Kernel:
    """Return the compiled twin of `core.engine.loop.advance` (3 s once, then 0.2 s from the cache).

    The policy comes through a typed function pointer: the engine is compiled once for all policies; and
    once more for plain runs, which it serves without asking the policy (see `core.engine.loop.PLAIN`).
    """
    constants = {"PLAIN": plain, "move": job_queues.move_each}
    return compiled(engine_function(plain), advance_signature(), constants)


def engine_function(plain: bool) -> types.FunctionType:
    """Return what is compiled, under the name that the cache has for it."""
    engine = named_by_sources(loop.advance, loop, contention, placement, job_queues)
    engine.__qualname__ += "_plain" if plain else ""
    return engine


def _example() -> State:
    """Return some state: what matters is its type. Only compiling asks for it."""
    import numpy as np

    from core.engine.fresh_state import fresh_state
    from core.model.cluster import Cluster
    from core.model.workload import Job, Stage, Workload

    workload = Workload("example", (Job("J1", Stage.of(1, 1.0)),))
    return fresh_state(workload.columns, Cluster(1, 1), np.zeros(1, np.int32), pools=1, lends=False)
