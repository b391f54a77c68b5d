"""The event loop where nodes fail, return and change their speed; compiled as `loop` is.

After the tasks that end at an instant, and before jobs arrive, its events happen in their order. What runs on
a node that fails is lost, slot by slot, and is the next task of its stage; of several that of the last slot.
Where outputs are lost with their node, too, then of each job of which a reduce has not fetched all the maps
that had ended there, and whose node has failed since, run again, the lowest number first. Their stage has not
ended any more, and reduces that fetch wait for it as fillers. What runs on a node whose speed changes has so
much longer or shorter to go. The definition is in `core.model.node_events`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.engine.apart import apart
from core.engine.loop import (
    DONE,
    GOES_ON,
    give_place_back,
    job_arrives,
    next_arrival,
    next_instant,
    note_change,
    stops_before,
    task_departs,
    watch_instant,
)
from core.engine.placement import fitting, set_fits, show_nodes
from core.engine.preemption import FULL, exchange, give_up, offer_slots, wait_again
from core.engine.slot_changes import slot_closes, slot_opens, slot_type, slots_change
from core.engine.slot_trees import CLOSED, OPEN, set_finish
from core.engine.stage_steps import count_backlog, take_arrival
from core.model.execution_history import ENDED, RUNNING

if TYPE_CHECKING:
    from core.engine.state import State

NONE = -1
FAILS, RETURNS, SPEED = 0, 1, 2
INF, NAN = float("inf"), float("nan")


def advance_with_failures(choose: Any, until: float, instants: int, s: State) -> int:
    """Advance the cluster as `core.engine.loop.advance` does; FULL: more was lost than is noted."""
    while True:
        if not s.cluster.offered:
            status = offer_in_turn(choose, s)
            if status != DONE:
                return status
            s.cluster.offered = 1
        now = next_instant_or_event(s)
        stopped = stops_before(s, now, until, instants)
        if stopped != GOES_ON:
            return stopped
        instants -= 1
        watch_instant(choose, s, now)
        if not happen_with_events(s, now):
            return FULL


@apart
def offer_in_turn(choose: Any, s: State) -> int:
    """Offer every free slot; return DONE, or why it stopped."""
    c = s.cluster
    while c.turn < 2 + c.lends:
        status = offer_slots(choose, s, c.turn & 1)
        if status != DONE:
            return status
        c.turn += 1
    c.turn = 0
    return DONE


def next_event(s: State) -> float:
    """Return when something happens to a node next, infinity if nothing does."""
    u = s.given_up
    return u.event[u.happening.next].at if u.happening.next < len(u.event) else INF


@apart
def next_instant_or_event(s: State) -> float:
    """Return when something happens next; nodes fail and return as long as there are jobs."""
    event = next_instant(s)
    return min(event, next_event(s)) if event < INF or s.cluster.active else event


def happen_with_events(s: State, now: float) -> bool:
    """Apply every departure, event and arrival of one instant; return whether all could be noted."""
    s.cluster.now = now
    s.cluster.offered = 0
    while s.finish[s.tree[1]] == now:
        slot = s.tree[1]
        give_place_back(s, slot, s.stage[s.slot_stage[slot]].task_type, slot_type(s, slot))
        task_departs(s, slot, now)
    if next_event(s) == now and not events_happen(s, now):
        return False
    if s.cluster.changes:
        slots_change(s, now)
    while next_arrival(s) == now:
        job_arrives(s, take_arrival(s), now)
    return True


@apart
def events_happen(s: State, now: float) -> bool:
    """Let happen what does to nodes now; return whether all that is lost could be noted."""
    u = s.given_up
    failed = False
    while next_event(s) == now:
        event = u.event[u.happening.next]
        u.happening.next += 1
        n = event.node
        if event.kind == FAILS and not s.node[n].down:
            failed = True
            s.node[n].down = 1
            s.node[n].failed = now
            if not lose_running(s, n):
                return False
            node_goes(s, n, 1)
        elif event.kind == RETURNS and s.node[n].down:
            s.node[n].down = 0
            node_goes(s, n, 0)
        elif event.kind == SPEED:
            speed_changes(s, n, event.speed)
    if failed and u.happening.loses:
        for j in range(len(s.job)):
            if not lose_outputs(s, j):
                return False
    return True


def runs_task(s: State, slot: int) -> bool:
    """Whether a task runs on a slot, or waits there for its map stage."""
    place = s.given_up.on[slot]
    return place != NONE and s.slot[place] == slot and not s.end[place] <= s.cluster.now


def lose_running(s: State, n: int) -> bool:
    """Take what runs on a node off its slots; return whether all could be noted."""
    u = s.given_up
    for slot in range(len(s.slot_stage)):
        if s.node_of[slot] == n and runs_task(s, slot):
            if u.now.lines == len(u.line):
                return False
            u.line[u.now.lines].lost = RUNNING
            give_up(s, slot, NONE)
    return True


@apart
def node_goes(s: State, n: int, down: int) -> None:
    """Take the slots of a node away, all of them free, or give them back."""
    c = s.cluster
    if not c.nodes:
        for slot in range(len(s.slot_stage)):
            if s.node_of[slot] == n and down:
                slot_closes(s, slot, slot_type(s, slot))
            elif s.node_of[slot] == n:
                slot_opens(s, slot, slot_type(s, slot))
        return
    for slot in range(s.node[n].first, s.node[n].first + s.node[n].rows):
        s.there[slot] = CLOSED if down else OPEN
        c.free[slot_type(s, slot)] += 1 - 2 * down
        c.slots[slot_type(s, slot)] += 1 - 2 * down
    for kind in range(2):
        count = 0
        if not down:
            count = fitting(s.node[n].memory, s.node[n].cores, c.memory[kind], c.cores[kind])
        c.room[kind] = set_fits(s.fits[kind], n, count)
    if c.shows_node:
        show_nodes(s)


def speed_changes(s: State, n: int, speed: float) -> None:
    """Let a node run tasks at another speed from now on."""
    now, before = s.cluster.now, s.node[n].speed
    s.node[n].speed = speed
    if speed == before:
        return
    for slot in range(len(s.slot_stage)):
        if s.node_of[slot] == n and runs_task(s, slot) and s.finish[slot] < INF:
            place = s.given_up.on[slot]
            if s.shuffled[place] > now:
                s.shuffled[place] = now + (s.shuffled[place] - now) * before / speed
            s.end[place] = now + (s.end[place] - now) * before / speed
            set_finish(s.tree, s.finish, slot, s.end[place])


# ---- what maps have put out


@apart
def lose_outputs(s: State, j: int) -> bool:
    """Let the maps of a job run again whose output is gone and needed; return whether all could be noted.

    Such a job has a stage of maps and one of reduces.
    """
    u, now = s.given_up, s.cluster.now
    g = s.job[j].first_stage
    child = g + 1
    if not s.job[j].stages_left or child >= s.job[j].end_stage or not needs_outputs(s, child):
        return True
    first, had_ended = s.stage[g].first, s.stage[g].done == s.stage[g].tasks
    for place in range(first, first + s.stage[g].tasks):
        u.where[u.task[place]] = place
    for task in range(first + s.stage[g].tasks - 1, first - 1, -1):
        place = u.where[task]
        if s.end[place] <= now and s.node[s.node_of[s.slot[place]]].failed >= s.end[place]:
            if u.now.lines == len(u.line):
                return False
            last = first + s.stage[g].started - 1
            u.where[u.task[last]] = place
            u.where[task] = last
            lose_output(s, g, place)
    if had_ended and s.stage[g].done < s.stage[g].tasks:
        stage_opens_again(s, g, child)
    return True


def needs_outputs(s: State, g: int) -> bool:
    """Whether a task of a stage has not fetched all that its parents put out."""
    if s.stage[g].started < s.stage[g].tasks:
        return True
    for task in range(s.stage[g].first, s.stage[g].first + s.stage[g].started):
        if not s.shuffled[task] <= s.cluster.now:
            return True
    return False


def lose_output(s: State, g: int, place: int) -> None:
    """Let a map that has ended wait again; it is the next one of its stage."""
    c, u = s.cluster, s.given_up
    j, kind, slot = s.stage[g].job, s.stage[g].task_type, s.slot[place]
    at = u.now.lines
    u.line[at].task = u.task[place]
    u.line[at].slot = slot
    u.line[at].rival = NONE
    u.line[at].lost = ENDED
    u.line[at].place = u.began[place]
    u.line[at].start = s.start[place]
    u.line[at].shuffled = s.shuffled[place]
    u.line[at].end = s.end[place]
    u.now.lines += 1
    if u.on[slot] == place:
        u.on[slot] = NONE
    count_backlog(s, j, kind, -1)
    c.started -= 1
    c.released -= 1
    s.job[j].started[kind] -= 1
    s.job[j].done[kind] -= 1
    s.stage[g].started -= 1
    s.stage[g].done -= 1
    exchange(s, place, s.stage[g].first + s.stage[g].started)
    wait_again(s, g, j, kind)


def stage_opens_again(s: State, g: int, child: int) -> None:
    """Let a stage that had ended go on, and let what fetches from it wait for its end."""
    c = s.cluster
    j = s.stage[g].job
    s.job[j].stages_left += 1
    s.job[j].parents_left += 1
    s.job[j].stage_end = INF
    s.stage[child].parents += 1
    s.stage[child].released = INF
    for task in range(s.stage[child].first, s.stage[child].first + s.stage[child].started):
        if s.shuffled[task] > c.now:
            c.fillers += 1
            s.shuffled[task] = NAN
            s.end[task] = NAN
            set_finish(s.tree, s.finish, s.slot[task], INF)
    note_change(s, j)
