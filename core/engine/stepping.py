"""The compiled engine of runs that stand still wherever several jobs could have a free slot.

Handing a whole state to compiled code takes 9 microseconds, more than a step does: its arrays are looked at
one by one. `keep_state` therefore writes down once where they lie, and each step reads that.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine import (
    contention,
    job_queues,
    loop,
    placement,
    records,
    slot_changes,
    slot_trees,
    stage_steps,
    state,
)
from core.engine.compiled import state_type
from core.engine.jit import Kept, Kernel, compiled, named_by_sources, numba
from core.engine.loop import DECIDED, INF, STALLED, advance

if TYPE_CHECKING:
    import types

    from numpy.typing import NDArray

    from core.engine.state import State

ALL_INSTANTS = 1 << 62
NOW, LOST, ARRIVAL_SUM, FINISH_SUM, LAST_SEEN, DEPARTED, SLOT_KIND = range(7)
"""Places in the numbers that `step_on` keeps: the time; what has been lost up to then ; sums of
arrivals and departures, and of how many jobs; the type of the slot."""
NUMBERS = 7
SOURCES = loop, contention, placement, job_queues, slot_changes, slot_trees, stage_steps
LAYOUT = state, records
"""The modules that say what is where in a state: no signature does, as its arrays are not handed over."""


def features(job: Any, kind: int, now: float) -> tuple[float, ...]:
    """Return the numbers of `FEATURES` of a job's next task of a kind."""
    other = 1 - kind
    left = job.tasks[kind] - job.started[kind]
    other_left = job.tasks[other] - job.started[other]
    return (
        float(kind),
        now - job.arrival,
        float(left),
        float(other_left),
        float(job.running[0] + job.running[1]),
        job.memo[kind],
        left * job.memo[kind],
        other_left * job.memo[other],
    )


def first_in_line(slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Pick the first job of the queue, as the engine of plain runs does without asking."""
    return int(2 * queue[slot][cluster.head[slot]] + slot)


def step_on(place: int, of_response: int, memory: Any, seen: Any, jobs: Any, numbers: Any) -> int:
    """Give the slot to a candidate, and go on to the next one that several jobs could have.

    Parameters
    ----------
    place : of the candidate in `jobs`; -1 at the begin of a run
    of_response : whether what is lost is the mean response, not the makespan
    memory : what `keep_state` wrote
    seen : the `features` of the first candidates, then zeros; written, (most, features)
    jobs : the jobs of the first candidates; written, (most,)
    numbers : see `NOW`; written

    Returns
    -------
    int
        how many candidates there are, 0 if every task has started, -1 if nothing can go on
    """
    s = state_in(memory)
    c = s.cluster
    c.pause_at = 0
    if place >= 0:
        c.held = 2 * jobs[place] + (c.turn & 1)
        c.pause_at = c.started + 1
    while True:
        status = advance(first_in_line, INF, ALL_INSTANTS, s)
        own = c.turn & 1
        if status == DECIDED:
            numbers[SLOT_KIND] = own
        count = c.waiting[own] if status == DECIDED else -1 if status == STALLED else 0
        if count != 1:
            break
        c.pause_at = c.started + 1
    for row in range(len(jobs)):
        if row < count:
            jobs[row] = s.queue[own][c.head[own] + row]
            known = features(s.job[jobs[row]], own, c.now)
            for column in range(len(known)):
                seen[row, column] = known[column]
        else:
            seen[row] = 0.0
    numbers[NOW] = c.now
    numbers[LOST] = mean_response(s, numbers) if of_response else c.now
    return int(count)


def mean_response(s: State, numbers: Any) -> float:
    """Return the mean time of jobs in the system up to now, seconds; sums go on from those in `numbers`."""
    c = s.cluster
    while numbers[LAST_SEEN] < c.arrived:
        numbers[ARRIVAL_SUM] += s.job[s.arrivals[int(numbers[LAST_SEEN])]].arrival
        numbers[LAST_SEEN] += 1.0
    if c.arrived - c.active > numbers[DEPARTED]:
        numbers[DEPARTED] = c.arrived - c.active
        numbers[FINISH_SUM] = 0.0
        for j in range(len(s.job)):
            if s.job[j].finish < INF:
                numbers[FINISH_SUM] += s.job[j].finish
    return float((numbers[FINISH_SUM] - numbers[ARRIVAL_SUM] + c.active * c.now) / len(s.job))


def state_in(memory: Any) -> Any:
    """Stand for what reads a state where `store_state` has written it; see `_memory`."""
    raise NotImplementedError


def store_state(s: State, memory: Any) -> None:
    """Stand for what writes where the arrays of a state lie, as `keep_state` does; see `_memory`."""
    raise NotImplementedError


def write_state(s: State, memory: Any) -> None:
    """Write where the arrays of a state lie."""
    store_state(s, memory)


def keep_state(begun: State) -> NDArray[np.uint8]:
    """Return where the arrays of a state lie, for `compiled_step`; it is of use while they are there."""
    memory = np.zeros(_memory()["size"], np.uint8)
    _compiled_writer()(begun, memory)
    return memory


@Kept
def compiled_step() -> Kernel:
    """Return the compiled twin of `step_on` (some seconds once, then 0.2 s from the cache)."""
    types, memory = numba().types, _memory()
    signature = types.int64(
        types.int64,
        types.int64,
        types.uint8[::1],
        types.float64[:, ::1],
        types.int64[::1],
        types.float64[::1],
    )
    constants = {"PLAIN": True, "move": job_queues.move_each, "state_in": memory["load"]}
    return compiled(step_function(), signature, constants)


def step_function() -> types.FunctionType:
    """Return what is compiled, under the name that the cache has for it."""
    return named_by_sources(step_on, importlib.import_module(__name__), *SOURCES, *LAYOUT)


@cache
def _compiled_writer() -> Kernel:
    types = numba().types
    constants = {"store_state": _memory()["store"]}
    return compiled(write_state, types.void(state_type(), types.uint8[::1]), constants)


@cache
def _memory() -> dict[str, Any]:
    """Return what loads and stores the values of a state as compiled code has them, and how long they are."""
    from numba.core.registry import cpu_target
    from numba.extending import intrinsic

    known, void = state_type(), numba().types.void

    def place(context: Any, builder: Any, kind: Any, array: Any) -> Any:
        data = context.make_array(kind)(context, builder, array).data
        return builder.bitcast(data, context.get_value_type(known).as_pointer())

    @intrinsic
    def load(typing: Any, memory: Any) -> Any:
        def written(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.load(place(context, builder, signature.args[0], given[0]))

        return known(memory), written

    @intrinsic
    def store(typing: Any, s: Any, memory: Any) -> Any:
        def written(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            builder.store(given[0], place(context, builder, signature.args[1], given[1]))
            return context.get_dummy_value()

        return void(s, memory), written

    context = cpu_target.target_context
    return {"load": load, "store": store, "size": context.get_abi_sizeof(context.get_value_type(known))}
