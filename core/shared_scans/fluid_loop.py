"""The loop of the fluid model over chains: at each arrival a new plan, followed until the next one.

Plain functions over columns; `core.engine.jit` makes their compiled twins. Nothing is allocated here. An
active entry of the list is at once the job (or batch) that boarded and the subjob that completes it:
`remaining` ascends along a chain, so the link before an entry ends where its own subjob begins.

Source: 003 sections 2.2, 3.2, 3.3 and appendix B.
"""

from __future__ import annotations

from typing import Any, NamedTuple

INF = float("inf")
SMITH = -1
COMPLETION, RESPONSE, TARDY, TARDINESS, LATENESS, STEPS = 0, 1, 2, 3, 4, 5


class Boarding(NamedTuple):
    """What arrives: single jobs, or batches of them. One entry each, by arrival.

    Attributes
    ----------
    arrival : seconds
    chain : entries of one chain share their scans
    length : slot-seconds of its scan for one job alone
    fraction : part of it that sharing jobs share
    sharing_jobs : number of jobs in it
    weight : for Smith's rule, the sum over its jobs
    lowest, highest : slots
    first_member : its jobs are ``since[first_member[i]:first_member[i + 1]]`` and so on, (entries + 1,)
    since, deadline, factor : of each member: arrival, deadline, weight of its penalty
    step_times, step_costs : of service levels
    """

    arrival: Any
    chain: Any
    length: Any
    fraction: Any
    sharing_jobs: Any
    weight: Any
    lowest: Any
    highest: Any
    first_member: Any
    since: Any
    deadline: Any
    factor: Any
    step_times: Any
    step_costs: Any


class Progress(NamedTuple):
    """What a run writes; columns of entries unless said otherwise.

    Attributes
    ----------
    active : the entries that scan, by chain, then arrival
    place : link of each active entry in its chain at the last plan, from 1
    order : positions in `active`, first served first
    placed : scratch of the dynamic program
    remaining : slot-seconds of scan that each entry still needs
    shared : how many jobs share the entry's subjob
    work, ratio, least, most : of the entry's subjob: slot-seconds, Smith's ratio, slots
    sum_work, sum_weight, sum_begin : scratch of Smith's rule
    slots : slots of each position now
    finish : seconds
    piece_entry, piece_place, piece_shared : one row per stretch of constant slots
    piece_start, piece_end, piece_slots : likewise
    total : [slot-seconds used]
    """

    active: Any
    place: Any
    order: Any
    placed: Any
    remaining: Any
    shared: Any
    work: Any
    ratio: Any
    least: Any
    most: Any
    sum_work: Any
    sum_weight: Any
    sum_begin: Any
    slots: Any
    finish: Any
    piece_entry: Any
    piece_place: Any
    piece_shared: Any
    piece_start: Any
    piece_end: Any
    piece_slots: Any
    total: Any


def follow(b: Boarding, s: Progress, slots: float, penalty: int) -> int:
    """Run to the end; return the number of pieces, of which as many were written as fit.

    Parameters
    ----------
    slots : map slots of the cluster
    penalty : SMITH for sums of responses, else what is to be small at its largest
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
        put_in_order(b, s, active, now, slots, penalty)
        until = b.arrival[arrived] if arrived < entries else INF
        while active > 0 and now < until:
            allocate(b, s, active, slots)
            end = min(first_completion(b, s, active, now), until)
            pieces = note_pieces(b, s, active, now, end, pieces)
            scan(b, s, active, now, end)
            now = end
            active = leave(b, s, active, now)
    return pieces


def plan(b: Boarding, s: Progress, active: int, now: float, slots: float, penalty: int) -> None:
    """Plan for this moment only: order the active entries and share out the slots."""
    put_in_order(b, s, active, now, slots, penalty)
    allocate(b, s, active, slots)


def put_in_order(b: Boarding, s: Progress, active: int, now: float, slots: float, penalty: int) -> None:
    """Form the subjobs and put them in order of priority."""
    form_subjobs(b, s, active)
    if penalty == SMITH:
        smith_order(b, s, active)
    else:
        backwards_order(b, s, active, now, slots, penalty)


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


def leads(b: Boarding, s: Progress, i: int) -> bool:
    """Whether the entry at position i is the first of its chain."""
    return i == 0 or b.chain[s.active[i - 1]] != b.chain[s.active[i]]


def ends_chain(b: Boarding, s: Progress, i: int, active: int) -> bool:
    """Whether the entry at position i is the last of its chain."""
    return i == active - 1 or b.chain[s.active[i + 1]] != b.chain[s.active[i]]


def length_of(b: Boarding, s: Progress, i: int) -> float:
    """Return the scan's length from the link before to this one."""
    if leads(b, s, i):
        return s.remaining[s.active[i]]  # type: ignore[no-any-return]
    return s.remaining[s.active[i]] - s.remaining[s.active[i - 1]]  # type: ignore[no-any-return]


def cost_of_length(b: Boarding, s: Progress, entry: int) -> float:
    """Return the slot-seconds per length of scan: sharing jobs share only the scan fraction."""
    return b.fraction[entry] + (1 - b.fraction[entry]) * s.shared[entry]  # type: ignore[no-any-return]


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


def smith_order(b: Boarding, s: Progress, active: int) -> None:
    """Order by the generalized Smith's rule: the best prefixes of a chain have ascending ratios.

    Merging a link with those before it while that lowers their ratio gives exactly those prefixes; then
    the chains are merged by ratio.
    """
    top = 0
    for i in range(active):
        entry = s.active[i]
        top = 0 if leads(b, s, i) else top
        s.sum_work[top] = s.work[entry]
        s.sum_weight[top] = b.weight[entry]
        s.sum_begin[top] = i
        top += 1
        while (
            top > 1
            and s.sum_work[top - 1] * s.sum_weight[top - 2] < s.sum_work[top - 2] * s.sum_weight[top - 1]
        ):
            s.sum_work[top - 2] += s.sum_work[top - 1]
            s.sum_weight[top - 2] += s.sum_weight[top - 1]
            top -= 1
        if ends_chain(b, s, i, active):
            spread_ratios(s, top, i)
    sort_by_ratio(s, active)


def spread_ratios(s: Progress, segments: int, last: int) -> None:
    """Give every link of a chain the ratio of its prefix."""
    end = last
    for segment in range(segments - 1, -1, -1):
        ratio = s.sum_work[segment] / s.sum_weight[segment]
        for i in range(s.sum_begin[segment], end + 1):
            s.ratio[s.active[i]] = ratio
        end = s.sum_begin[segment] - 1


def sort_by_ratio(s: Progress, active: int) -> None:
    """Insertion sort from the order of the last plan, which is nearly right; links of a chain keep theirs."""
    for turn in range(active):
        i = s.order[turn]
        ratio = s.ratio[s.active[i]]
        k = turn
        while k > 0 and goes_behind(s, s.order[k - 1], ratio, i):
            s.order[k] = s.order[k - 1]
            k -= 1
        s.order[k] = i


def goes_behind(s: Progress, other: int, ratio: float, i: int) -> bool:
    """Whether another position goes behind position i, whose entry has this ratio."""
    theirs = s.ratio[s.active[other]]
    return theirs > ratio or (theirs == ratio and other > i)


def backwards_order(b: Boarding, s: Progress, active: int, now: float, slots: float, penalty: int) -> None:
    """Order from the end: last comes the end of a chain whose job costs least there."""
    left = 0.0
    for i in range(active):
        s.placed[i] = 0
        left += s.work[s.active[i]]
    for turn in range(active - 1, -1, -1):
        best, least = -1, INF
        for i in range(active):
            if s.placed[i] == 0 and (ends_chain(b, s, i, active) or s.placed[i + 1] == 1):
                cost = worst_penalty(b, s.active[i], now + left / slots, penalty)
                if best < 0 or cost < least or (cost == least and s.active[i] > s.active[best]):
                    best, least = i, cost
        s.order[turn] = best
        s.placed[best] = 1
        left -= s.work[s.active[best]]


def worst_penalty(b: Boarding, entry: int, time: float, penalty: int) -> float:
    """Return the largest penalty of an entry's jobs if it completes at a time."""
    worst = -INF
    for j in range(b.first_member[entry], b.first_member[entry + 1]):
        worst = max(worst, b.factor[j] * member_penalty(b, j, time, penalty))
    return worst


def member_penalty(b: Boarding, j: int, time: float, penalty: int) -> float:
    """Return the unweighted penalty of one job that completes at a time."""
    if penalty == COMPLETION:
        return time
    if penalty == RESPONSE:
        return time - b.since[j]  # type: ignore[no-any-return]
    if penalty == STEPS:
        cost = 0.0
        for step in range(len(b.step_times)):
            if time - b.since[j] > b.step_times[step]:
                cost = b.step_costs[step]
        return cost
    if penalty == LATENESS:
        return time - b.deadline[j]  # type: ignore[no-any-return]
    if penalty == TARDY:
        return 1.0 if time > b.deadline[j] else 0.0
    return max(time - b.deadline[j], 0.0)  # type: ignore[no-any-return]


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
    return now + length_of(b, s, i) * cost_of_length(b, s, s.active[i]) / s.slots[i]  # type: ignore[no-any-return]


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
    """Let those who need no more leave; keep `order` for the rest. Return how many stay."""
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
    """Write down who has how many slots, as far as there is room."""
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
