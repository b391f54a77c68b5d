"""The cheapest mixes of ends that have room on the slots, by a linear program, and what slots are worth then.

A climb to good prices (`core.optimize.smooth_prices`) stops short of the best ones where few ends of few jobs
cost about the same. There a program over some ends of each job says both: in what parts ends are mixed, and
prices. Ends that are cheaper at these prices join in, until hardly any is. Whatever the program
says, prices prove what they prove.

Source: columns that are generated as they are needed (Dantzig and Wolfe 1960); HiGHS solves the program
(Huangfu and Hall 2018).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.model.progress import never_stop

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.optimize.job_ends import Ends

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]

NEVER = 1e30
"""What an end costs that is not allowed."""
FIRST_ENDS, MAX_PROGRAMS = 6, 12
"""Ends of each job in the first program, the cheapest ones, and programs that are solved at most."""
NEAR = 1e-3
"""Programs are solved until prices prove all of what the last one costs but this part."""
SOLVED = 0
"""What HiGHS says of a program that it has solved."""
MORE_SLOTS = 100.0
"""What twice the slots would cost, in parts of what is known to be proved: where no mix has room, prices are
no more than that allows."""


class Mix(NamedTuple):
    """Ends in parts, and prices of slots.

    Attributes
    ----------
    falls : by how much slots are cheaper after each time, (machines, times)
    part : of each end; those of a job together are 1, or 0 where none is known, (ends,)
    """

    falls: Floats
    part: Floats


def cheapest_mix(
    ends: Ends,
    capacity: Floats,
    begin: Mix,
    known: float,
    look: Callable[[], None],
    is_enough: Callable[[], bool] = never_stop,
) -> Mix:
    """Return a mix of ends that costs about as little as any, and the best prices found.

    Parameters
    ----------
    ends : that there are; of each job one at least is allowed
    capacity : seconds of each machine by each time, (machines, times)
    begin : a mix of other ends or none, and prices, which are returned if no others prove more
    known : what is proved, above 0
    look : called before each program; what it raises is raised
    is_enough : whether to solve no more of them
    """
    allowed, falls = ends.cost < NEVER, begin.falls
    paid = ends.paid(falls)
    some = allowed & ((begin.part > 0) | (_ranks(ends, paid) < FIRST_ENDS))
    some[_latest(ends, allowed)] = True
    best, reached = falls, _proved(ends, paid, falls, capacity)
    part = begin.part
    for _ in range(MAX_PROGRAMS):
        look()
        cost, part, prices = _program(ends, capacity, np.flatnonzero(some), MORE_SLOTS * known)
        joins = []
        for each in (prices, (prices + best) / 2):
            paid = ends.paid(each)
            joins.append(np.flatnonzero(allowed & (_ranks(ends, paid) == 0)))
            if (value := _proved(ends, paid, each, capacity)) > reached:
                best, reached = each, value
        new = np.concatenate(joins)
        if some[new].all() or cost - reached <= NEAR * cost or is_enough():
            break
        some[new] = True
    return Mix(best, part)


def _program(ends: Ends, capacity: Floats, some: Ints, more: float) -> tuple[float, Floats, Floats]:
    """Return what the cheapest mix of some ends costs, the parts of all ends, and the prices of slots.

    Parameters
    ----------
    more : what twice the slots would cost
    """
    from scipy.optimize import linprog  # 0.2 s, and only deadlines need it
    from scipy.sparse import csr_array

    jobs, count = len(ends.first), len(some)
    needs, room = ends.needed(some, capacity.shape), capacity.ravel()
    rows = np.flatnonzero((needs.max(axis=0) > 0) & (room > 0))
    of_job: Any = csr_array((np.ones(count), (ends.job[some], np.arange(count))), shape=(jobs, count + 1))
    solved: Any = linprog(
        np.append(ends.cost[some], more),
        A_ub=np.vstack([needs[:, rows] / room[rows], np.full(len(rows), -1.0)]).T,
        b_ub=np.ones(len(rows)),
        A_eq=of_job,
        b_eq=np.ones(jobs),
        method="highs-ds",
        options={"presolve": False},  # which takes longer than it saves
    )
    part, prices = np.zeros(len(ends.job)), np.zeros(capacity.size)
    if solved.status != SOLVED:
        return np.inf, part, prices.reshape(capacity.shape)
    part[some] = np.maximum(solved.x[:-1], 0.0)
    prices[rows] = np.maximum(-solved.ineqlin.marginals, 0.0) / room[rows]
    return float(solved.fun), part, prices.reshape(capacity.shape)


def _proved(ends: Ends, paid: Floats, falls: Floats, capacity: Floats) -> float:
    """Return about what prices prove, at which ends cost so much with their slots, (ends,)."""
    return float(ends.least(paid)[0]) - float((falls * capacity).sum())


def _latest(ends: Ends, allowed: Flags) -> Ints:
    """Return the last end of each job that is allowed, (jobs,): it needs least of the slots."""
    places = np.where(allowed, np.arange(len(allowed)), -1)
    latest: Ints = np.maximum.reduceat(places, ends.first)
    return latest


def _ranks(ends: Ends, paid: Floats) -> Ints:
    """Return how many ends of the same job each is behind, by what they cost with slots, (ends,)."""
    order = np.lexsort((paid, ends.job))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order)) - ends.first[ends.job[order]]
    return ranks
