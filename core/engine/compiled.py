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
    links,
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
def state_type(
    hosts: bool = False,
    gives_up: bool = False,
    located: bool = False,
    copies: bool = False,
    fails: bool = False,
) -> Any:
    """Return numba's type of a state."""
    return numba().typeof(_example(hosts, gives_up, located, copies, fails))


@cache
def advance_signature(
    hosts: bool = False,
    gives_up: bool = False,
    located: bool = False,
    copies: bool = False,
    fails: bool = False,
) -> Any:
    """Return numba's signature of `core.engine.loop.advance`, or of another loop."""
    types = numba().types
    choose = types.FunctionType(choose_signature())
    return types.int64(
        choose, types.float64, types.int64, state_type(hosts, gives_up, located, copies, fails)
    )


@Kept
def compiled_advance(
    plain: bool = False,
    hosts: bool = False,
    gives_up: bool = False,
    located: bool = False,
    copies: bool = False,
    fails: bool = False,
) -> Kernel:
    """Return the compiled twin of `core.engine.loop.advance` (3 s once, then 0.2 s from the cache).

    The policy comes through a typed function pointer: the engine is compiled once for all policies; and
    once more for plain runs, which it serves without asking the policy (see `core.engine.loop.PLAIN`), for
    clusters with overheads, whose hosts ask for work (`core.engine.heartbeats`), for policies that give
    running tasks up (`core.engine.preemption`), for those that let second copies of tasks run
    (`core.engine.speculation`), for jobs that say on which nodes their input lies (`core.engine.locality`),
    and for nodes that fail (`core.engine.failures`).
    """
    constants = {"PLAIN": plain, "move": job_queues.move_each} | (_called_by_hosts() if hosts else {})
    engine = engine_function(plain, hosts, gives_up, located, copies, fails)
    return compiled(engine, advance_signature(hosts, gives_up, located, copies, fails), constants)


def _called_by_hosts() -> dict[str, Any]:
    """Return what the loop of hosts calls at many places: inlined, it takes half as long again to compile."""
    steps = (loop.job_arrives, slot_trees.set_finish, slot_trees.put_slot, slot_trees.take_slot)
    return {step.__name__: apart(named_by_sources(step)) for step in steps}  # copies: others inline them


def engine_function(
    plain: bool = False,
    hosts: bool = False,
    gives_up: bool = False,
    located: bool = False,
    copies: bool = False,
    fails: bool = False,
) -> types.FunctionType:
    """Return what is compiled, under the name that the cache has for it."""
    sources = (loop, contention, placement, job_queues, slot_changes, slot_trees, stage_steps, links)
    if hosts:
        return named_by_sources(heartbeats.advance_on_hosts, heartbeats, next_beats, *sources)
    if gives_up:
        return named_by_sources(preemption.advance_giving_up, preemption, *sources)
    if located:
        return named_by_sources(locality.advance_by_node, locality, *sources)
    if copies:
        return named_by_sources(speculation.advance_with_copies, speculation, preemption, *sources)
    if fails:
        return named_by_sources(failures.advance_with_failures, failures, preemption, *sources)
    engine = named_by_sources(loop.advance, *sources)
    engine.__qualname__ += "_plain" if plain else ""
    return engine


def _example(hosts: bool, gives_up: bool, located: bool, copies: bool, fails: bool) -> State:
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
    if gives_up:
        return with_giving_up(state, suspends=False)
    if located:
        return with_inputs(state, InputColumns(workload.jobs, workload.columns.stages), None)
    if copies:
        return with_copies(state)
    if fails:
        return with_failures(state, replace(cluster, events=NodeEvents(1)))
    return with_hosts(state, Overheads(), NO_CIRCUMSTANCES) if hosts else state
