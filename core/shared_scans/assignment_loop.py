"""A run under shared scans: the engine goes on to the next plan, the plan is made, the engine goes on.

Plain functions over columns or lists; `core.engine.jit` makes their compiled twins. A plan is made where a
job has arrived, a map stage has ended or a window ends, and tells the engine only what is new in it: so a
policy asks again only the jobs that it concerns.

Source: 003 appendices A.4 (epochs) and C.3 (drivers and sharing jobs).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from core.engine.loop import INF, REPLAN, note_change
from core.engine.replanning import advance_to_plan
from core.engine.stage_steps import run_fewer_tasks
from core.model.task_types import MAP
from core.shared_scans.fluid_loop import board, leave, plan
from core.shared_scans.priority_loop import leads
from core.shared_scans.scan_jobs import MAX, MAY_START, MIN, TARGET

if TYPE_CHECKING:
    from core.engine.state import State
    from core.shared_scans.plan_columns import Boarding, Progress

NEXT, ACTIVE = 0, 1
ENTRIES_PER_INSTANT = 4
"""A plan counts against the instants of a slice: a look at four entries takes about as long as an instant."""


class ScanEntries(NamedTuple):
    """The entries of a run beside what is planned on: the jobs, when they board, and how far that is.

    Attributes
    ----------
    order : entries in the order in which they board
    boards : when each entry can first be served, seconds
    job : the workload's job of each entry
    blocks : of its dataset, what it asks for
    block_seconds : of one block, for one job alone, as it is planned on
    shares : whether the entry shares scans
    written : written, (entries, 4); what a job's memory holds
    alone : written; what one block really takes for one job alone, seconds
    is_served : written; others scan everything for it
    seconds : written; what its next blocks take, 0 before anything else than the workload's was said
    count : written; [how many have boarded, how many of those still scan]
    next_plan : written; [when there is a new plan even if nothing happens]
    """

    order: Any
    boards: Any
    job: Any
    blocks: Any
    block_seconds: Any
    shares: Any
    written: Any
    alone: Any
    is_served: Any
    seconds: Any
    count: Any
    next_plan: Any


def advance_by_plans(
    advance: Any,
    choose: Any,
    until: float,
    instants: int,
    s: State,
    b: Boarding,
    p: Progress,
    a: ScanEntries,
    duration: Any,
    slots: float,
    rule: int,
) -> int:
    """Advance as `core.engine.loop.advance` does, with new plans in between.

    Parameters
    ----------
    advance, choose, until, instants, s : the engine, and what it is called with
    b, p, a : who boards, the plan, and what scans
    duration : the durations of the state's tasks, to be changed
    slots, rule : as of `core.shared_scans.fluid_loop.plan`
    """
    begun = s.cluster.released + s.cluster.arrived
    while True:
        left = max(instants + begun - s.cluster.released - s.cluster.arrived, 0)
        status = advance_to_plan(advance, choose, until, a.next_plan[0], left, s)
        if status != REPLAN:
            return status
        a.next_plan[0] = replan(s, b, p, a, duration, slots, rule)
        begun -= a.count[ACTIVE] // ENTRIES_PER_INSTANT


def replan(
    s: State, b: Boarding, p: Progress, a: ScanEntries, duration: Any, slots: float, rule: int
) -> float:
    """Let entries leave and board, plan, and write what is new; return when to plan again at the latest."""
    let_leave(s, b, p, a)
    while a.count[NEXT] < len(a.order) and a.boards[a.order[a.count[NEXT]]] <= s.cluster.now:
        let_board(s, b, p, a, a.order[a.count[NEXT]], duration)
        a.count[NEXT] += 1
    active = a.count[ACTIVE]
    if active > 0:
        note_remaining(b, p, a)
        plan(b, p, active, s.cluster.now, slots, rule)
        for i in range(active):
            write(s, b, p, a, i, duration)
    return a.boards[a.order[a.count[NEXT]]] if a.count[NEXT] < len(a.order) else INF


def let_leave(s: State, b: Boarding, p: Progress, a: ScanEntries) -> None:
    """Note how many maps each still has to complete, and let those leave that have none."""
    complete = 0
    for i in range(a.count[ACTIVE]):
        entry = p.active[i]
        p.remaining[entry] = float(incomplete_maps(s, a.job[entry]))
        complete += p.remaining[entry] == 0
    if complete > 0:
        a.count[ACTIVE] = leave(b, p, a.count[ACTIVE], s.cluster.now)


def incomplete_maps(s: State, j: int) -> int:
    """Return how many of a job's maps have not ended."""
    return s.job[j].tasks[MAP] - s.job[j].done[MAP]


def let_board(s: State, b: Boarding, p: Progress, a: ScanEntries, entry: int, duration: Any) -> None:
    """Share what others still wait for; run the rest, or one task of no length if nothing is left."""
    j = a.job[entry]
    if s.job[j].stage_end < INF:
        return  # a job without maps
    a.alone[entry] = duration[s.job[j].first[MAP]]
    own = a.blocks[entry] - (pending_of_chain(s, b, p, a, entry) if a.shares[entry] else 0)
    if own < a.blocks[entry]:
        let_run(s, j, max(own, 1))
    if own <= 0:
        set_map_seconds(s, a, entry, 0.0, duration)
        a.is_served[entry] = 1
    board(b, p, entry, a.count[ACTIVE])
    p.remaining[entry] = float(incomplete_maps(s, j))
    a.count[ACTIVE] += 1


def pending_of_chain(s: State, b: Boarding, p: Progress, a: ScanEntries, entry: int) -> int:
    """Return how many blocks the active entries of an entry's chain have yet to start."""
    blocks = 0
    for i in range(a.count[ACTIVE]):
        other = p.active[i]
        if b.chain[other] == b.chain[entry] and a.is_served[other] == 0:
            blocks += s.job[a.job[other]].tasks[MAP] - s.job[a.job[other]].started[MAP]
    return blocks


def let_run(s: State, j: int, count: int) -> None:
    """Let a job that waits run fewer maps than it has, at least one; its reduces wait for all of them.

    With slowstart 0 they wait for none, and may have started before it boards.
    """
    run_fewer_tasks(s, s.job[j].first_stage, count)
    note_change(s, j)


def set_map_seconds(s: State, a: ScanEntries, entry: int, seconds: float, duration: Any) -> None:
    """Change the duration of the maps that have not started."""
    j = a.job[entry]
    first = s.job[j].first[MAP]
    for task in range(first + s.job[j].started[MAP], first + s.job[j].tasks[MAP]):
        duration[task] = seconds
    a.seconds[entry] = seconds


def note_remaining(b: Boarding, p: Progress, a: ScanEntries) -> None:
    """Turn maps into seconds of scan: an entry needs its own and those of all before it in its chain."""
    needs = 0.0
    for i in range(a.count[ACTIVE]):
        entry = p.active[i]
        needs = 0.0 if leads(b, p, i) else needs
        if a.is_served[entry] == 0:
            needs += p.remaining[entry] * a.block_seconds[entry]
        p.remaining[entry] = needs


def write(s: State, b: Boarding, p: Progress, a: ScanEntries, i: int, duration: Any) -> None:
    """Write what is new for the entry at position i: its part of the slots, and what its blocks take."""
    entry = p.active[i]
    may_start = INF if leads(b, p, i) else 0.0
    least = p.least[entry] if leads(b, p, i) else 0.0
    known = a.written[entry]
    is_new = known[TARGET] != p.slots[i] or known[MAX] != p.most[entry]
    if is_new or known[MAY_START] != may_start or known[MIN] != least:
        known[TARGET] = p.slots[i]
        known[MAX] = p.most[entry]
        known[MAY_START] = may_start
        known[MIN] = least
        remember(s, a.job[entry], known)
    if b.fraction[entry] < 1 and a.is_served[entry] == 0:
        seconds = a.alone[entry] * (b.fraction[entry] + (1 - b.fraction[entry]) * p.shared[entry])
        if seconds != a.seconds[entry]:
            set_map_seconds(s, a, entry, seconds, duration)


def remember(s: State, j: int, known: Any) -> None:
    """Write what is known of a job into its memory."""
    for place in range(4):
        s.job[j].memo[place] = known[place]
    note_change(s, j)
