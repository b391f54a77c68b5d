"""In which order subjobs are served: by a rule for sums of responses, one for maxima, a search for the rest.

Plain functions over the columns of `core.shared_scans.plan_columns`; `core.engine.jit` makes their compiled
twins. Nothing is allocated here.

Source: 003 appendix B for the first two rules. Of sums of other penalties (tardy jobs, tardiness, service
levels) the paper says that there may be heuristics; the search is ours. Up to ten subjobs it is a dynamic
program over their subsets, which is exact; of more it starts from three orders, the third of which is Moore
and Hodgson's rule, exact for the number of tardy jobs that share nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.engine.apart import apart
from core.shared_scans.metric import PROGRAM, SEARCH, SMITH

if TYPE_CHECKING:
    from core.shared_scans.plan_columns import Boarding, Progress

INF = float("inf")
MAX_EXACT = 10
"""Subjobs of which the best order of all is found: of so many that takes as long as the search."""
SHORT_RUN = 3
"""Of two runs of subjobs that are exchanged one has at most so many."""
MAX_LOOKS = 50_000
"""Penalties that the search looks at from one start at most; enough for a local optimum of 30 subjobs."""
MIN_GAIN = 1e-9
WAITS, KEPT, DROPPED = 0, 1, 2


def leads(b: Boarding, s: Progress, i: int) -> bool:
    """Whether the entry at position i is the first of its chain."""
    return i == 0 or b.chain[s.active[i - 1]] != b.chain[s.active[i]]


def ends_chain(b: Boarding, s: Progress, i: int, active: int) -> bool:
    """Whether the entry at position i is the last of its chain."""
    return i == active - 1 or b.chain[s.active[i + 1]] != b.chain[s.active[i]]


@apart
def put_in_order(b: Boarding, s: Progress, active: int, now: float, slots: float, rule: int) -> None:
    """Put the subjobs in order of priority.

    The search finds the best order of a few. Of more it improves three orders, as far as a look around goes,
    and keeps the best; of equal ones the first.
    """
    if rule == SEARCH and active <= MAX_EXACT:
        best_order(b, s, active, now, slots)
        return
    least, start = INF, SMITH if rule == SEARCH else rule
    while start <= SEARCH:
        if start == PROGRAM:
            backwards_order(b, s, active, now, slots, rule)
        else:
            if start == SMITH:
                smith_ratios(b, s, active)
            else:
                due_times(b, s, active)
            sort_by_ratio(s, active)
        if rule != SEARCH:
            return
        if start == SEARCH:
            drop_late(b, s, active, now, slots)
        cost = improve(b, s, active, now, slots)
        if cost < least - MIN_GAIN * (1.0 + cost):
            least = cost
            copy_turns(s.order, s.best, active)
        start = start + 1 if least > 0.0 else SEARCH + 1  # at 0 nothing is late
    copy_turns(s.best, s.order, active)


@apart
def penalty_at(b: Boarding, entry: int, time: float, rule: int) -> float:
    """Return what an entry costs that completes at a time: its jobs' largest penalty, or their sum."""
    worst, total = -INF, 0.0
    for j in range(b.first_member[entry], b.first_member[entry + 1]):
        cost = max(time - b.due[j], b.floor[j])
        for step in range(b.first_step[j], b.first_step[j + 1]):
            if time > b.step_time[step]:
                cost += b.step_cost[step]
        worst = max(worst, b.factor[j] * cost)
        total += b.factor[j] * cost
    return worst if rule == PROGRAM else total


# ---- sums of responses


def smith_ratios(b: Boarding, s: Progress, active: int) -> None:
    """Find the ratios of the generalized Smith's rule: the best prefixes of a chain have ascending ones.

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


# ---- the largest penalty


def backwards_order(b: Boarding, s: Progress, active: int, now: float, slots: float, rule: int) -> None:
    """Order from the end: last comes the end of a chain whose jobs cost least there."""
    left = 0.0
    for i in range(active):
        s.placed[i] = 0
        left += s.work[s.active[i]]
    for turn in range(active - 1, -1, -1):
        best, least = -1, INF
        for i in range(active):
            if s.placed[i] == 0 and (ends_chain(b, s, i, active) or s.placed[i + 1] == 1):
                cost = penalty_at(b, s.active[i], now + left / slots, rule)
                if best < 0 or cost < least or (cost == least and s.active[i] > s.active[best]):
                    best, least = i, cost
        s.order[turn] = best
        s.placed[best] = 1
        left -= s.work[s.active[best]]


# ---- other sums, of a few


@apart
def best_order(b: Boarding, s: Progress, active: int, now: float, slots: float) -> None:
    """Find the order that costs least of all: every set of subjobs ends with one of them.

    A set is a number whose bits are positions. It can be served first if it has, of each chain, the links up
    to one of them; the last of those can be served last. Of equal orders that of the positions counts.
    """
    s.set_work[0] = s.set_cost[0] = 0.0
    for chosen in range(1, 1 << active):
        first = 0
        while chosen >> first & 1 == 0:
            first += 1
        s.set_work[chosen] = s.set_work[chosen & (chosen - 1)] + s.work[s.active[first]]
        s.set_cost[chosen] = INF
        end = now + s.set_work[chosen] / slots
        for i in range(active - 1, first - 1, -1):
            if may_be_last(b, s, i, active, chosen):
                cost = s.set_cost[chosen ^ (1 << i)] + penalty_at(b, s.active[i], end, SEARCH)
                if cost < s.set_cost[chosen]:
                    s.set_cost[chosen], s.set_last[chosen] = cost, i
    chosen = (1 << active) - 1
    for turn in range(active - 1, -1, -1):
        s.order[turn] = s.set_last[chosen]
        chosen ^= 1 << s.order[turn]


def may_be_last(b: Boarding, s: Progress, i: int, active: int, chosen: int) -> bool:
    """Whether a set of positions has position i, the link before it, and not the one behind it."""
    return (
        chosen >> i & 1 == 1
        and (leads(b, s, i) or chosen >> (i - 1) & 1 == 1)
        and (ends_chain(b, s, i, active) or chosen >> (i + 1) & 1 == 0)
    )


# ---- other sums, of many


def copy_turns(source: Any, target: Any, count: int) -> None:
    """Copy the first positions of an order."""
    for turn in range(count):
        target[turn] = source[turn]


def due_times(b: Boarding, s: Progress, active: int) -> None:
    """Find the time up to which an entry, and each behind it in its chain, costs nothing; as its ratio."""
    for i in range(active - 1, -1, -1):
        entry = s.active[i]
        due = INF if ends_chain(b, s, i, active) else s.ratio[s.active[i + 1]]
        for j in range(b.first_member[entry], b.first_member[entry + 1]):
            due = min(due, b.due[j])
            if b.first_step[j] < b.first_step[j + 1]:
                due = min(due, b.step_time[b.first_step[j]])
        s.ratio[entry] = due


def drop_late(b: Boarding, s: Progress, active: int, now: float, slots: float) -> None:
    """Put last what cannot be in time: Moore and Hodgson's rule, here for chains and weights too.

    In the order of due times, whenever an entry is late, the one with the most work per weight so far, and
    what follows it in its chain, goes behind all others.
    """
    for i in range(active):
        s.placed[i] = WAITS
    end = now
    for turn in range(active):
        i = s.order[turn]
        if not leads(b, s, i) and s.placed[i - 1] == DROPPED:
            s.placed[i] = DROPPED
            continue
        s.placed[i] = KEPT
        end += s.work[s.active[i]] / slots
        while s.placed[i] == KEPT and end > s.ratio[s.active[i]]:
            end -= drop_heaviest(b, s, active) / slots
    kept, dropped = 0, 0
    for turn in range(active):
        if s.placed[s.order[turn]] == KEPT:
            s.order[kept], kept = s.order[turn], kept + 1
        else:
            s.sum_begin[dropped], dropped = s.order[turn], dropped + 1
    for turn in range(dropped):
        s.order[kept + turn] = s.sum_begin[turn]


def drop_heaviest(b: Boarding, s: Progress, active: int) -> float:
    """Drop what has the most work per weight of all that is kept, with its followers; return the work."""
    first, last, most, dropped = 0, 0, -INF, 0.0
    for i in range(active):
        work = weight = 0.0
        k = i
        while s.placed[k] == KEPT:
            work += s.work[s.active[k]]
            weight += b.weight[s.active[k]]
            k += 1
            if ends_chain(b, s, k - 1, active):
                break
        if k > i and work / weight >= most:
            first, last, most, dropped = i, k, work / weight, work
    for i in range(first, last):
        s.placed[i] = DROPPED
    return dropped


@apart
def improve(b: Boarding, s: Progress, active: int, now: float, slots: float) -> float:
    """Exchange neighbouring runs of the order as long as the sum of penalties gets smaller; return it."""
    cost, looks, quiet, begin = INF, 0, 0, -1
    while True:
        less = note_costs(b, s, active, now, slots)
        quiet = 0 if less < cost else quiet + 1
        cost = less
        if quiet == active or looks >= MAX_LOOKS or cost <= 0.0:
            return cost
        begin = (begin + 1) % active
        looks += look_from(b, s, active, begin, slots)


def look_from(b: Boarding, s: Progress, active: int, begin: int, slots: float) -> int:
    """Exchange the first two runs from a turn on that cost less the other way round; return the looks."""
    looks = 0
    for middle in range(begin + 1, active):
        for end in range(middle + 1, active + 1):
            is_long = middle - begin > SHORT_RUN and end - middle > SHORT_RUN
            if is_long or follows_one(b, s, begin, middle, end):
                break
            looks += end - begin
            before = s.sum_weight[end - 1] - (s.sum_weight[begin - 1] if begin > 0 else 0.0)
            if exchanged_cost(b, s, begin, middle, end, slots) < before - MIN_GAIN * (1.0 + before):
                exchange(s, begin, middle, end)
                return looks
    return looks


def note_costs(b: Boarding, s: Progress, active: int, now: float, slots: float) -> float:
    """Note when each turn of the order begins and what all up to it cost; return the sum."""
    cost = 0.0
    for turn in range(active):
        entry = s.active[s.order[turn]]
        s.sum_work[turn] = now
        now += s.work[entry] / slots
        cost += penalty_at(b, entry, now, SEARCH)
        s.sum_weight[turn] = cost
    return cost


def follows_one(b: Boarding, s: Progress, begin: int, middle: int, end: int) -> bool:
    """Whether the last of the second run follows one of the first in its chain."""
    chain = b.chain[s.active[s.order[end - 1]]]
    shared = 0
    for turn in range(begin, middle):
        shared += b.chain[s.active[s.order[turn]]] == chain
    return shared > 0


def exchanged_cost(b: Boarding, s: Progress, begin: int, middle: int, end: int, slots: float) -> float:
    """Return what two neighbouring runs would cost the other way round."""
    time, cost = s.sum_work[begin], 0.0
    for k in range(end - begin):
        turn = middle + k if k < end - middle else begin + k - (end - middle)
        entry = s.active[s.order[turn]]
        time += s.work[entry] / slots
        cost += penalty_at(b, entry, time, SEARCH)
    return cost


def exchange(s: Progress, begin: int, middle: int, end: int) -> None:
    """Let two neighbouring runs change places: turn each round, then both together."""
    turn_round(s, begin, middle)
    turn_round(s, middle, end)
    turn_round(s, begin, end)


def turn_round(s: Progress, begin: int, end: int) -> None:
    """Reverse a part of the order."""
    for k in range((end - begin) // 2):
        first, last = begin + k, end - 1 - k
        s.order[first], s.order[last] = s.order[last], s.order[first]
