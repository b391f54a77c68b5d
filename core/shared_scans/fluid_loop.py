"""The loop of the fluid model over chains: at each arrival a new plan, followed until the next one.

Plain functions over columns; `core.engine.jit` makes their compiled twins. Nothing is allocated here. An
active entry of the list is at once the job (or batch) that boarded and the subjob that completes it:
`remaining` ascends along a chain, so the link before an entry ends where its own subjob begins.

Source: 003 sections 2.2, 3.2, 3.3 and appendix B.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.shared_scans.priority_loop import ends_chain, leads, put_in_order

if TYPE_CHECKING:
    from core.shared_scans.plan_columns import Boarding, Progress

INF = float("inf")


def follow(b: Boarding, s: Progress, slots: float, rule: int) -> int:
    """Run to the end; return the number of pieces, of which as many were written as fit.

    Parameters
    ----------
    slots : map slots of the cluster
    rule : that makes the order (`core.shared_scans.priority_loop`)
    """
    arrived, active, pieces = 0, 0, 0
    now = 0.0
    entries = len(b.arrival)
    while arrived < entries or active > 0:
        if active == 0:
            now = max(now, b.arrival[arrived])
        while arrived < entries and b.arrival[arrived] <= now:
            board(b, s, arrived, active)
            active += 1
            arrived += 1
        form_subjobs(b, s, active)
        put_in_order(b, s, active, now, slots, rule)
        until = b.arrival[arrived] if arrived < entries else INF
        while active > 0 and now < until:
            allocate(b, s, active, slots)
            end = min(first_completion(b, s, active, now), until)
            pieces = note_pieces(b, s, active, now, end, pieces)
            scan(b, s, active, now, end)
            now = end
            active = leave(b, s, active, now)
    return pieces


def plan(b: Boarding, s: Progress, active: int, now: float, slots: float, rule: int) -> None:
    """Plan for this moment only: order the active entries and share out the slots."""
    form_subjobs(b, s, active)
    put_in_order(b, s, active, now, slots, rule)
    allocate(b, s, active, slots)


def board(b: Boarding, s: Progress, entry: int, active: int) -> None:
    """Insert an entry behind the others of its chain; in `order` it comes last until there is a plan."""
    i = active
    while i > 0 and b.chain[s.active[i - 1]] > b.chain[entry]:
        s.active[i] = s.active[i - 1]
        i -= 1
    s.active[i] = entry
    for k in range(active):
        s.order[k] += s.order[k] >= i
    s.order[active] = i
    s.remaining[entry] = b.length[entry]


def length_of(b: Boarding, s: Progress, i: int) -> float:
    """Return the scan's length from the link before to this one."""
    if leads(b, s, i):
        return float(s.remaining[s.active[i]])
    return float(s.remaining[s.active[i]] - s.remaining[s.active[i - 1]])


def cost_of_length(b: Boarding, s: Progress, entry: int) -> float:
    """Return the slot-seconds per length of scan: sharing jobs share only the scan fraction."""
    return float(b.fraction[entry] + (1 - b.fraction[entry]) * s.shared[entry])


def form_subjobs(b: Boarding, s: Progress, active: int) -> None:
    """Find sharing jobs, work and slots of every link, from the end of each chain to its front."""
    for i in range(active - 1, -1, -1):
        entry = s.active[i]
        s.shared[entry] = b.sharing_jobs[entry]
        s.least[entry] = b.lowest[entry]
        s.most[entry] = b.highest[entry]
        if not ends_chain(b, s, i, active):
            behind = s.active[i + 1]
            s.shared[entry] += s.shared[behind]
            s.least[entry] = max(s.least[entry], s.least[behind])
            s.most[entry] = min(s.most[entry], s.most[behind])
        s.most[entry] = max(s.most[entry], s.least[entry])
        s.work[entry] = length_of(b, s, i) * cost_of_length(b, s, entry)
    for i in range(active):
        entry = s.active[i]
        s.place[entry] = 1 if leads(b, s, i) else s.place[s.active[i - 1]] + 1


def allocate(b: Boarding, s: Progress, active: int, slots: float) -> None:
    """Give the first link of each chain its minimum, then the rest by priority up to the maxima."""
    wanted = 0.0
    for i in range(active):
        s.slots[i] = 0.0
        if leads(b, s, i):
            wanted += s.least[s.active[i]]
    scale = min(1.0, slots / wanted) if wanted > 0 else 1.0
    slack = slots - wanted * scale
    for k in range(active):
        i = s.order[k]
        if leads(b, s, i):
            given = s.least[s.active[i]] * scale
            more = max(0.0, min(slack, s.most[s.active[i]] - given))
            s.slots[i] = given + more
            slack -= more


def end_of(b: Boarding, s: Progress, i: int, now: float) -> float:
    """Return when the link at position i completes with the slots it has."""
    if s.slots[i] <= 0:
        return INF
    return float(now + length_of(b, s, i) * cost_of_length(b, s, s.active[i]) / s.slots[i])


def first_completion(b: Boarding, s: Progress, active: int, now: float) -> float:
    """Return when the next link completes."""
    end = INF
    for i in range(active):
        end = min(end, end_of(b, s, i, now))
    return end


def scan(b: Boarding, s: Progress, active: int, now: float, end: float) -> None:
    """Move every chain's scan on: all its jobs need that much less."""
    i = 0
    while i < active:
        entry = s.active[i]
        length = s.remaining[entry]
        done = (
            length if end_of(b, s, i, now) <= end else s.slots[i] * (end - now) / cost_of_length(b, s, entry)
        )
        s.total[0] += s.slots[i] * (end - now)
        first = i
        while i < active and b.chain[s.active[i]] == b.chain[s.active[first]]:
            s.remaining[s.active[i]] = max(s.remaining[s.active[i]] - done, 0.0)
            i += 1


def leave(b: Boarding, s: Progress, active: int, now: float) -> int:
    """Let the jobs that need no more leave; keep `order` for the rest. Return how many stay."""
    stay = 0
    for i in range(active):
        s.placed[i] = -1
        entry = s.active[i]
        if s.remaining[entry] > 0.0:
            s.placed[i] = stay
            s.active[stay] = entry
            stay += 1
        else:
            s.finish[entry] = now
    k = 0
    for turn in range(active):
        if s.placed[s.order[turn]] >= 0:
            s.order[k] = s.placed[s.order[turn]]
            k += 1
    return stay


def note_pieces(b: Boarding, s: Progress, active: int, now: float, end: float, pieces: int) -> int:
    """Record which job has how many slots, as far as there is room."""
    for i in range(active):
        if s.slots[i] > 0:
            if pieces < len(s.piece_entry):
                entry = s.active[i]
                s.piece_entry[pieces] = entry
                s.piece_place[pieces] = s.place[entry]
                s.piece_shared[pieces] = s.shared[entry]
                s.piece_start[pieces] = now
                s.piece_end[pieces] = end
                s.piece_slots[pieces] = s.slots[i]
            pieces += 1
    return pieces
