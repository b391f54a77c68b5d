"""What jobs pay at each of their ends where every instant of slots has a price of its own, whatever it is.

A stage that may run from its head to an end takes the cheapest instants between. With m seconds of them it
has at most run for so long on each slot: H(m) of its work is left, as of `core.optimize.slot_prices`. So in
the order of their prices each stretch of time costs its price for what H falls in it.

Plain functions over columns; `core.engine.jit` makes their compiled twins. Nothing is allocated here.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from core.engine.apart import apart

FAR, HARDLY = 25.0, 1e-5
"""An end that costs so many temperatures more than another one is not looked at; nor what it needs, where it
has so small a part."""
BEFORE, AFTER = 0, 1


class Sold(NamedTuple):
    """Jobs that pay for instants; read only.

    Attributes
    ----------
    edges : between times of one price each, s, the first 0, (cells,)
    machine, share : of each load, and the part of it that a task holds, (loads,)
    heads, tails, work : when stages can begin, what follows them, seconds of the machine, (loads, jobs)
    first : where tasks of each job begin, (loads, jobs + 1)
    lengths : of tasks, ascending in each job, s, (tasks,)
    behind : sum of each length and all behind it, (tasks + 1,)
    begins : where ends of each job begin, (jobs + 1,)
    ends, cost : that are looked at, ascending in each job, s, and what they cost without slots, (ends,)
    """

    edges: Any
    machine: Any
    share: Any
    heads: Any
    tails: Any
    work: Any
    first: Any
    lengths: Any
    behind: Any
    begins: Any
    ends: Any
    cost: Any


class Pays(NamedTuple):
    """What is worked out.

    Attributes
    ----------
    paid : of each end, with slots; infinity where it is too dear to be looked at, (ends,)
    slope : what a second more changes in what is paid for slots, before and after each end, (2, ends)
    used : seconds of each machine at each price, with the parts of ends, (machines, cells)
    mean : when each job ends on average, s, (jobs,)
    order : cells from the head of a stage on by their prices, (loads, cells)
    until : the first cell behind these, (loads,)
    """

    paid: Any
    slope: Any
    used: Any
    mean: Any
    order: Any
    until: Any


def all_pay(s: Sold, prices: Any, heat: float, p: Pays) -> float:
    """Return what all jobs pay at their cheapest ends; at some temperature in a mean, the cheaper the more.

    Parameters
    ----------
    prices : of a second of each machine, 0 in the last cell, (machines, cells)
    heat : 0 for the cheapest ends alone
    """
    total = 0.0
    for j in range(len(s.begins) - 1):
        least = job_pays(s, prices, j, FAR * heat, p)
        total += least
        if heat > 0:
            total -= heat * take_part(s, prices, j, least, heat, p)
    return total


@apart
def job_pays(s: Sold, prices: Any, j: int, reach: float, p: Pays) -> float:
    """Note what a job pays at its ends, and return the least; ends that cost `reach` more do not count."""
    least = math.inf
    begin_anew(s, j, p)
    for e in range(s.begins[j], s.begins[j + 1]):
        p.paid[e] = math.inf
        if e > s.begins[j] and s.cost[e - 1] > least + reach:
            continue
        p.paid[e] = s.cost[e]
        p.slope[BEFORE, e] = p.slope[AFTER, e] = 0.0
        for load in range(len(s.machine)):
            if s.work[load, j] > 0:
                p.paid[e] += stage_pays(s, prices, j, load, e, 0.0 if reach > 0 else -1.0, p)
        least = min(least, p.paid[e])
    return least


@apart
def take_part(s: Sold, prices: Any, j: int, least: float, heat: float, p: Pays) -> float:
    """Note what a job uses and when it ends, each end with its part; return the logarithm of their sum."""
    total, mean = 0.0, 0.0
    for e in range(s.begins[j], s.begins[j + 1]):
        part = math.exp((least - p.paid[e]) / heat)
        total += part
        mean += part * s.ends[e]
    p.mean[j] = mean / total
    begin_anew(s, j, p)
    for e in range(s.begins[j], s.begins[j + 1]):
        part = math.exp((least - p.paid[e]) / heat) / total
        if part > HARDLY:
            for load in range(len(s.machine)):
                if s.work[load, j] > 0:
                    stage_pays(s, prices, j, load, e, part, p)
    return math.log(total)


def begin_anew(s: Sold, j: int, p: Pays) -> None:
    """Let no cell be in order yet: each stage of a job begins at its head."""
    for load in range(len(s.machine)):
        cell = 0
        while cell + 1 < len(s.edges) and s.edges[cell + 1] <= s.heads[load, j]:
            cell += 1
        p.until[load] = cell
        p.order[load, len(s.edges)] = cell


@apart
def stage_pays(s: Sold, prices: Any, j: int, load: int, e: int, part: float, p: Pays) -> float:
    """Return what a stage pays for the cheapest instants until an end; note what is used by a part of it.

    Or note the slopes, with a part below 0: one second more is one of those with the price right there, so
    that as much less is left to do at all that are dearer.
    """
    head, end, machine = s.heads[load, j], s.ends[e] - s.tails[load, j], s.machine[load]
    cells = put_in_order(s, prices[machine], load, end, p)
    task, behind, work = s.first[load, j], s.first[load, j + 1], s.work[load, j]
    here = prices[machine, cell_at(s.edges, end, BEFORE)]
    then = prices[machine, cell_at(s.edges, end, AFTER)]
    paid, had, left, last = 0.0, 0.0, work, -math.inf
    tasks = s.behind[task] - s.behind[behind]
    for place in range(cells):
        cell = p.order[load, place]
        price = prices[machine, cell]
        if part < 0:
            rate = 1.0 if work - had >= s.share[load] * tasks else s.share[load] * (behind - task)
            p.slope[BEFORE, e] -= rate * max(0.0, price - max(last, here))
            p.slope[AFTER, e] -= rate * max(0.0, price - max(last, then))
        until = end if cell + 1 == len(s.edges) else min(s.edges[cell + 1], end)
        had += max(0.0, until - max(s.edges[cell], head))
        while task < behind and s.lengths[task] <= had:
            task += 1
        tasks = s.behind[task] - s.behind[behind] - (behind - task) * had
        rest = min(max(s.share[load] * tasks, work - had, 0.0), left)
        paid += price * (left - rest)
        if part > 0:
            p.used[machine, cell] += part * (left - rest)
        left, last = rest, price
        if left <= 0:
            break
    return paid


def put_in_order(s: Sold, prices: Any, load: int, end: float, p: Pays) -> int:
    """Put the cells up to an end among those that are in the order of their prices; return how many are."""
    first = p.order[load, len(s.edges)]
    while p.until[load] < len(s.edges) and (p.until[load] == first or s.edges[p.until[load]] < end):
        cell = p.until[load]
        place = cell - first
        while place > 0 and prices[p.order[load, place - 1]] > prices[cell]:
            p.order[load, place] = p.order[load, place - 1]
            place -= 1
        p.order[load, place] = cell
        p.until[load] += 1
    return int(p.until[load] - first)


def cell_at(edges: Any, time: float, side: int) -> int:
    """Return the cell right before or after a time."""
    low, high = 0, len(edges)
    while high - low > 1:
        middle = (low + high) >> 1
        if edges[middle] < time or (edges[middle] == time and side == AFTER):
            low = middle
        else:
            high = middle
    return low
