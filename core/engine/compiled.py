"""The compiled engine and the types that a policy's kernel must have; built once per process."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from core.engine import (
    contention,
    failures,
    heartbeats,
    job_queues,
    locality,
    loop,
    next_beats,
    placement,
    preemption,
    slot_changes,
    slot_trees,
    speculation,
    stage_steps,
)
from core.engine.apart import apart
from core.engine.jit import Kept, Kernel, compiled, named_by_sources, numba
from core.engine.records import CLUSTER, JOB, POOL
from core.engine.variants import EngineVariant

if TYPE_CHECKING:
    import types

    from core.engine.state import State


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
def state_type(variant: EngineVariant = EngineVariant.GENERAL) -> Any:
    """Return numba's type of a state."""
    return numba().typeof(_example(variant))


@cache
def advance_signature(variant: EngineVariant = EngineVariant.GENERAL) -> Any:
    """Return numba's signature of `core.engine.loop.advance`, or of another loop."""
    types = numba().types
    choose = types.FunctionType(choose_signature())
    return types.int64(choose, types.float64, types.int64, state_type(variant))


@Kept
def compiled_advance(variant: EngineVariant) -> Kernel:
    """Return the compiled twin of `core.engine.loop.advance` (3 s once, then 0.2 s from the cache).

    The policy comes through a typed function pointer: a variant is compiled once for all policies.
    """
    constants = {"PLAIN": variant is EngineVariant.PLAIN, "move": job_queues.move_each}
    if variant is EngineVariant.HOSTS:
        constants |= _called_by_hosts()
    return compiled(engine_function(variant), advance_signature(variant), constants)


def _called_by_hosts() -> dict[str, Any]:
    """Return what the loop of hosts calls at many places: inlined, it takes half as long again to compile."""
    steps = (loop.job_arrives, slot_trees.set_finish, slot_trees.put_slot, slot_trees.take_slot)
    return {step.__name__: apart(named_by_sources(step)) for step in steps}  # copies: others inline them


def engine_function(variant: EngineVariant) -> types.FunctionType:
    """Return what is compiled for a variant, under the name that the cache has for it."""
    sources = (loop, contention, placement, job_queues, slot_changes, slot_trees, stage_steps)
    match variant:
        case EngineVariant.HOSTS:
            return named_by_sources(heartbeats.advance_on_hosts, heartbeats, next_beats, *sources)
        case EngineVariant.GIVING_UP:
            return named_by_sources(preemption.advance_giving_up, preemption, *sources)
        case EngineVariant.LOCATED:
            return named_by_sources(locality.advance_by_node, locality, *sources)
        case EngineVariant.COPIES:
            return named_by_sources(speculation.advance_with_copies, speculation, preemption, *sources)
        case EngineVariant.FAILURES:
            return named_by_sources(failures.advance_with_failures, failures, preemption, *sources)
    engine = named_by_sources(loop.advance, *sources)
    engine.__qualname__ += "_plain" if variant is EngineVariant.PLAIN else ""
    return engine


def _example(variant: EngineVariant) -> State:
    """Return some state for its type, which compiling needs."""
    import numpy as np

    from core.engine.copies import with_copies
    from core.engine.fresh_state import fresh_state
    from core.engine.given_up import with_giving_up
    from core.engine.hosts import with_hosts
    from core.engine.inputs import with_inputs
    from core.engine.node_failures import with_failures
    from core.model.circumstances import NO_CIRCUMSTANCES
    from core.model.cluster import Cluster
    from core.model.input_nodes import InputColumns
    from core.model.job import Job
    from core.model.node_events import NodeEvents
    from core.model.overheads import Overheads
    from core.model.stages import Stage
    from core.model.workload import Workload

    workload, cluster = Workload("example", (Job("J1", Stage.of(1, 1.0)),)), Cluster(1, 1)
    state = fresh_state(workload.columns, cluster, np.zeros(1, np.int32), pools=1, lends=False)
    match variant:
        case EngineVariant.GIVING_UP:
            return with_giving_up(state, suspends=False)
        case EngineVariant.LOCATED:
            return with_inputs(state, InputColumns(workload.jobs, workload.columns.stages), None)
        case EngineVariant.COPIES:
            return with_copies(state)
        case EngineVariant.FAILURES:
            return with_failures(state, replace(cluster, events=NodeEvents(1)))
        case EngineVariant.HOSTS:
            return with_hosts(state, Overheads(), NO_CIRCUMSTANCES)
    return state
