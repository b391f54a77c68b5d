"""When stages open and end, and jobs come that follow others: what complete tasks let others do.

Compiled with the loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.engine.apart import apart
from core.engine.job_queues import enter_queue
from core.engine.slot_trees import set_finish
from core.model.task_types import MAP, REDUCE

if TYPE_CHECKING:
    from core.engine.state import State

NONE = -1
NO_NEED = int(np.iinfo(np.int32).max)
"""Of a stage of which no edge waits for more complete tasks."""
PLAIN = False
"""As in `core.engine.loop`."""


@apart
def let_children_start(s: State, g: int) -> None:
    """Let stages start that wait for as many complete tasks of a stage as it has."""
    need = NO_NEED
    for e in range(s.stage[g].edge, s.stage[g].edge + s.stage[g].edges):
        if s.edge[e].met:
            continue
        if s.edge[e].need <= s.stage[g].done:
            s.edge[e].met = 1
            child = s.edge[e].child
            s.stage[child].closed -= 1
            if not s.stage[child].closed:
                stage_opens(s, child)
        else:
            need = min(need, s.edge[e].need)
    s.stage[g].next_need = need


@apart
def stage_opens(s: State, g: int) -> None:
    """Let the tasks of a stage wait for slots."""
    j = s.stage[g].job
    kind = s.stage[g].task_type
    if not s.stage[g].tasks:
        return
    count_pending(s, j, kind, s.stage[g].tasks)
    before = s.job[j].next_stage[kind]
    if before == NONE:
        enter_queue(s, kind, j)
    if before == NONE or s.stage[g].place < s.stage[before].place:
        set_next_stage(s, j, kind, g)


@apart
def find_next_stage(s: State, j: int, kind: int) -> None:
    """Find the stage that is served first of those of a job that have a task of a kind that may start."""
    best = NONE
    for g in range(s.job[j].first_stage, s.job[j].end_stage):
        stage = s.stage[g]
        if stage.task_type == kind and not stage.closed and stage.started < stage.tasks:
            if best == NONE or stage.place < s.stage[best].place:
                best = g
            if not s.cluster.staged:
                break
    s.job[j].next_stage[kind] = NONE
    if best != NONE:
        set_next_stage(s, j, kind, best)


def set_next_stage(s: State, j: int, kind: int, g: int) -> None:
    """Take the next task of a kind that a job starts from a stage."""
    s.job[j].next_stage[kind] = g
    s.job[j].stage_place[kind] = s.stage[g].place
    if not PLAIN and s.cluster.keyed:
        s.job[j].next[kind] = s.task_key[s.stage[g].first + s.stage[g].started]


def next_task(s: State, j: int, kind: int) -> int:
    """Return the task of a kind that a job starts next; there must be one."""
    stage = s.stage[s.job[j].next_stage[kind]]
    return stage.first + stage.started


@apart
def run_fewer_tasks(s: State, g: int, count: int) -> None:
    """Let a stage that waits have fewer tasks, at least one; what waits for some of them waits for all.

    With a slowstart of 0 its children wait for none, and may have started.
    """
    j, kind, change = s.stage[g].job, s.stage[g].task_type, count - s.stage[g].tasks
    count_pending(s, j, kind, change)
    s.job[j].tasks[kind] += change
    s.stage[g].tasks = count
    for e in range(s.stage[g].edge, s.stage[g].edge + s.stage[g].edges):
        if s.edge[e].need:
            s.edge[e].need = count
            s.stage[g].next_need = count
    if s.job[j].reduce_after:
        s.job[j].reduce_after = count


@apart
def stage_ends(s: State, last: int, now: float) -> None:
    """End a stage, and with it, perhaps, stages without tasks that wait for it, and the job."""
    j = s.stage[last].job
    s.stack[0] = last
    height = 1
    while height:
        height -= 1
        g = s.stack[height]
        s.job[j].stages_left -= 1
        if s.stage[g].edges:
            s.cluster.due = 1
            s.job[j].parents_left -= 1
            if not s.job[j].parents_left:
                s.job[j].stage_end = now
        for e in range(s.stage[g].edge, s.stage[g].edge + s.stage[g].edges):
            child = s.edge[e].child
            s.stage[child].parents -= 1
            if not s.stage[child].parents:
                fillers_go_on(s, child, now)
                if not s.stage[child].tasks:
                    s.stack[height] = child
                    height += 1
    if not s.job[j].stages_left:
        job_departs(s, j, now)


def fillers_go_on(s: State, g: int, now: float) -> None:
    """Note when the shuffle of tasks ends that hold slots of a stage whose parents have ended.

    Fillers have a first shuffle. One is none that started in this very instant, before tasks that take no
    time, or is still fetching. Where a stage ends once more, what has fetched all goes on as it does.
    """
    s.stage[g].released = now
    s.cluster.fillers -= s.stage[g].started
    first = s.stage[g].first
    for task in range(first, first + s.stage[g].started):
        if not PLAIN and s.cluster.forgets and s.shuffled[task] <= now:
            s.cluster.fillers += 1  # it is none
            continue
        own = s.start[task] + at_pace(s, task, s.typical_shuffle[task])
        filler = now + at_pace(s, task, s.first_shuffle[task])
        if s.cluster.overlap:
            filler = max(filler, own)
        time = filler if s.start[task] < now else own
        shuffle_ends(s, task, time)


def shuffle_ends(s: State, task: int, time: float) -> None:
    """Note when the task's shuffle ends; its own phase follows."""
    s.shuffled[task] = time
    s.end[task] = time + at_pace(s, task, s.duration[task])
    set_finish(s.tree, s.finish, s.slot[task], s.end[task])


def at_pace(s: State, task: int, seconds: float) -> float:
    """Return how long something of a task that has started takes on its node now."""
    if not PLAIN and s.cluster.paced:
        return seconds / s.node[s.node_of[s.slot[task]]].speed
    return seconds


def job_departs(s: State, j: int, now: float) -> None:
    """Note that the job is complete."""
    s.job[j].finish = now
    s.cluster.active -= 1
    s.pool[s.job[j].pool].active -= 1
    if s.cluster.linked and not s.job[j].cleans:
        let_followers_come(s, j, now)


def count_pending(s: State, j: int, kind: int, change: int) -> None:
    """Keep the two counts of tasks that could start now: of the cluster and the job's pool."""
    s.cluster.pending[kind] += change
    s.pool[s.job[j].pool].pending[kind] += change


def count_backlog(s: State, j: int, kind: int, change: int) -> None:
    """Keep count of the maps that wait of jobs whose reduces have started.

    A task has started (1), or is about to be counted as not started (-1).
    """
    if kind == MAP:
        s.cluster.backlog -= change * (s.job[j].started[REDUCE] > 0)
    elif s.job[j].started[REDUCE] == 1:
        s.cluster.backlog += change * (s.job[j].tasks[MAP] - s.job[j].started[MAP])


# ---- jobs that follow others, and the places of all in the order of arrivals


@apart
def let_followers_come(s: State, j: int, now: float) -> None:
    """Note that a job has ended: a job that follows no other open one arrives when its think time is over."""
    for k in range(s.job[j].link, s.job[j].link + s.job[j].links):
        f = s.link[k].follower
        s.job[f].not_before = max(s.job[f].not_before, now + s.link[k].think)
        s.job[f].before -= 1
        if not s.job[f].before:
            s.job[f].arrival = s.job[f].not_before
            enter_arrivals(s, f)


def enter_arrivals(s: State, j: int) -> None:
    """Put a job into the order of arrivals, behind those that come earlier; of one time by number."""
    arrival = s.job[j].arrival
    place = len(s.arrivals) - s.cluster.unknown
    while place > s.cluster.arrived:
        other = s.arrivals[place - 1]
        if s.job[other].arrival < arrival or (s.job[other].arrival == arrival and other < j):
            break
        s.arrivals[place] = other
        place -= 1
    s.arrivals[place] = j
    s.cluster.unknown -= 1


def take_arrival(s: State) -> int:
    """Return the job that arrives next, and count it."""
    place = s.cluster.arrived
    j = s.arrivals[place]
    s.cluster.arrived += 1
    if s.cluster.numbers:
        take_number(s, j, place)
    return j


@apart
def take_number(s: State, j: int, place: int) -> None:
    """Let a job that arrives have the next rank, and the next leaf in the selection tree of its group."""
    s.job[j].rank = place
    if not len(s.trees[0]):
        return
    p = s.job[j].pool if s.cluster.pooled else 0
    s.job[j].leaf = s.pool[p].next_leaf
    s.pool[p].next_leaf += 1
    if s.cluster.outlooks:
        s.keys[0][len(s.job) + s.job[j].leaf][s.cluster.outlooks] = j
