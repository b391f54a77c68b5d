"""The event loop where jobs have `input_nodes`; compiled as `loop` is.

The nodes are offered one after the other, from the lowest on, each until the policy declines it or it is
full: as if all of them sent their heartbeats at once. Of a job that is picked for a node, the first map
starts whose input lies there, else its first one, which takes longer by what reading from another node takes.
A policy that declines may say when it wants to be asked again, though nothing happens before: at `wake`.

Source: M. Zaharia et al., "Delay scheduling", EuroSys 2010, section 3; that all nodes are offered at each
instant is ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.engine.apart import apart
from core.engine.job_queues import tasks_wait
from core.engine.loop import (
    BAD_PICK,
    DECIDED,
    DONE,
    GOES_ON,
    decide,
    happen,
    may_start,
    next_instant,
    start_task,
    stops_before,
    take_row,
    watch_instant,
)
from core.engine.placement import show_nodes
from core.engine.slot_trees import set_finish
from core.engine.stage_steps import next_task
from core.model.task_types import MAP, REDUCE

if TYPE_CHECKING:
    from core.engine.state import State

NONE = -1
INF = float("inf")


def advance_by_node(choose: Any, until: float, instants: int, s: State) -> int:
    """Advance the cluster as `core.engine.loop.advance` does."""
    while True:
        if not s.cluster.offered:
            status = offer_nodes(choose, s)
            if status != DONE:
                return status
            s.cluster.offered = 1
        now = next_instant(s)
        if s.cluster.now < s.cluster.wake < now:
            now = s.cluster.wake
        stopped = stops_before(s, now, until, instants)
        if stopped != GOES_ON:
            return stopped
        instants -= 1
        watch_instant(choose, s, now)
        happen(s, now)


@apart
def offer_nodes(choose: Any, s: State) -> int:
    """Offer every node with room, until the policy declines it; return DONE, or why it stopped."""
    c = s.cluster
    if c.held < 0:
        c.wake = INF
        c.turn = 0
    n = c.turn >> 1
    while n < c.nodes:
        c.turn = 2 * n
        while may_offer_node(s, n):
            if c.held < 0:
                show_node(s, n)
            pick = c.held if c.held >= 0 else decide(choose, MAP, s)
            if pick < 0:
                break
            if not may_start(s, pick >> 1, pick & 1, MAP):
                c.bad_pick = pick
                return BAD_PICK
            if c.started == c.pause_at:
                c.held = pick
                return DECIDED
            c.held = NONE
            starts_on(s, n, pick >> 1, pick & 1)
        n += 1
    c.turn = 0
    show_all(s)
    return DONE


def may_offer_node(s: State, n: int) -> bool:
    """Whether a node has room for some task, and a job waits for that kind."""
    c = s.cluster
    leaf = (len(s.fits[MAP]) >> 1) + n
    if not tasks_wait(c, MAP):
        return False
    return bool(s.fits[MAP][leaf] > 0 or s.fits[REDUCE][leaf] > 0)


@apart
def show_node(s: State, n: int) -> None:
    """Let the policy see the node that is offered: no other one counts, and what jobs have there."""
    c = s.cluster
    leaf = (len(s.fits[MAP]) >> 1) + n
    for kind in range(2):
        fits = s.fits[kind][leaf] > 0
        c.room[kind] = s.fits[kind][1] if fits else 0
        c.node[kind] = n if fits else NONE
        c.node_memory[kind] = s.node[n].memory if fits else 0
        c.node_cores[kind] = s.node[n].cores if fits else 0
    if c.shows_node:
        show_inputs(s, n)


@apart
def show_inputs(s: State, n: int) -> None:
    """Let the policy see what is local to a node of the maps of each job that waits."""
    c = s.cluster
    for place in range(c.head[MAP], c.head[MAP] + c.waiting[MAP]):
        j = s.queue[MAP][place]
        at = place_on(s, j, n)
        s.job[j].local = s.inputs.place[at].waiting if at != NONE else 0
        is_remote = s.inputs.of[j].says > 0 and s.job[j].local == 0
        s.job[j].remote = s.inputs.of[j].remote_read if is_remote else 0.0


def show_all(s: State) -> None:
    """Let the room of all nodes count again; what is seen is then of the lowest one with room."""
    c = s.cluster
    for kind in range(2):
        c.room[kind] = s.fits[kind][1]
    show_nodes(s)
    if c.shows_node and c.node[MAP] != NONE:
        show_inputs(s, c.node[MAP])


def place_on(s: State, j: int, n: int) -> int:
    """Return which place is a job's on a node; NONE if none of its input lies there."""
    first = s.inputs.of[j].begin
    last = s.inputs.of[j].end
    while first < last:
        middle = (first + last) >> 1
        if s.inputs.place[middle].node < n:
            first = middle + 1
        else:
            last = middle
    if first < s.inputs.of[j].end and s.inputs.place[first].node == n:
        return int(first)
    return NONE


@apart
def starts_on(s: State, n: int, j: int, kind: int) -> None:
    """Start a task of a job and kind on a node, of its maps one whose input lies there, if there is one."""
    c = s.cluster
    task = next_task(s, j, kind)
    says = kind == MAP and s.inputs.of[j].says > 0
    longer = 0.0
    if says:
        at = place_on(s, j, n)
        if at != NONE and s.inputs.place[at].waiting > 0:
            task = next_local(s, at)
        else:
            task = next_waiting(s, j)
            longer = s.inputs.of[j].remote_read
        for copy in range(s.inputs.begin[task], s.inputs.begin[task + 1]):
            s.inputs.place[s.inputs.places[copy]].waiting -= 1
    row = take_row(s, n, kind, MAP)
    start_task(s, row, task, j, kind, MAP)
    if longer > 0:
        s.end[task] += longer
        set_finish(s.tree, s.finish, row, s.end[task])
    if kind == MAP and s.job[j].next_stage[MAP] == NONE:
        s.job[j].local = 0
        s.job[j].remote = 0.0
    if says and c.keyed and s.job[j].next_stage[MAP] != NONE:
        s.job[j].next[MAP] = s.task_key[next_waiting(s, j)]


def next_waiting(s: State, j: int) -> int:
    """Return the first map of a job that has not started; there must be one."""
    task = s.inputs.of[j].next
    while s.slot[task] != NONE:
        task += 1
    s.inputs.of[j].next = task
    return int(task)


def next_local(s: State, at: int) -> int:
    """Return the first map that waits of those whose input lies at a place; there must be one."""
    copy = s.inputs.place[at].next
    while s.slot[s.inputs.copy[copy]] != NONE:
        copy += 1
    s.inputs.place[at].next = copy
    return int(s.inputs.copy[copy])
