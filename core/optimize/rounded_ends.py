"""When jobs might end, each at one time, if that is to have room on the slots: plans where deadlines count.

Prices of slots leave a job several ends that cost about the same: in time, and late by much. Their mean is
neither. Here each job takes one of its ends: in turns, the one that costs least itself, with a fine for all
that the jobs then need by any time and is not there. The fine grows until hardly anything is missing.

Source: rounding by descent along one coordinate after another, with a penalty that grows (Courant 1943).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.optimize.job_costs import JobCosts
    from core.optimize.job_ends import Ends

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

MAX_ENDS = 64
"""Ends of a job that are looked at: those that are cheapest with what they pay for slots."""
TURNS, FIRST_FINE, GROWTH = 20, 0.5, 1.26
"""Turns of all jobs, and by how much the fine is above the prices in the first one, and grows."""
SPREAD, MIN_FINE = 3, 0.02
"""A fine is the mean of so many prices on both sides, and no less than this part of the largest one."""
MISSING_AND_SOONER = (0.03, 0.1), (0.0, 0.1), (0.03, 0.03), (0.0, 0.03)
"""In turn: a part of the slots that is taken to be missing, since tasks that may not be cut need more room;
and what a second costs before the deadline, too, in parts of what it costs after it: who is early leaves room
to others."""
MAX_LOOKS, MAX_CASES = 12_000, 6
"""So often ends of a job are looked at, for all cases together, unless one case takes more."""


def rounded_ends(
    ends: Ends,
    costs: JobCosts,
    falls: Floats,
    capacity: Floats,
    about: Floats,
    look: Callable[[], None],
) -> Floats:
    """Return ends of all jobs that have nearly room together, s, (cases, jobs).

    Parameters
    ----------
    ends : that there are
    costs : of each job
    falls : the prices, (machines, times)
    capacity : seconds of each machine by each time, (machines, times)
    about : ends from which to begin, s, (cases, jobs)
    look : called for each job; what it raises is raised
    """
    jobs = len(ends.first)
    cases = int(np.clip(MAX_LOOKS // (TURNS * jobs), 1, MAX_CASES))
    fine = _fines(falls)
    choices = _choices(ends, falls, look)
    second = np.where(np.isfinite(costs.due), costs.late_second + costs.late / ends.seconds.max(), 0.0)
    found = []
    for case in range(cases):
        missing, sooner = MISSING_AND_SOONER[case % len(MISSING_AND_SOONER)]
        begin = about[case // len(MISSING_AND_SOONER) % len(about)]
        room = (capacity * (1 - missing)).ravel()
        random = np.random.default_rng(case)
        found.append(_descend(choices, sooner * second, begin, room, fine, random, look))
    return np.stack(found)


Choices = list[tuple["Floats", "Floats", "Floats"]]
"""Of each job some ends, s, what they cost, and what they need by each time, (ends, machines times)."""


def _choices(ends: Ends, falls: Floats, look: Callable[[], None]) -> Choices:
    """Return the ends of each job that are cheapest with what they pay."""
    paid, last = ends.paid(falls), np.append(ends.first, len(ends.job))
    choices = []
    for j, begin in enumerate(ends.first.tolist()):
        look()
        mine = begin + np.sort(np.argsort(paid[begin : last[j + 1]], kind="stable")[:MAX_ENDS])
        choices.append((ends.seconds[mine], ends.cost[mine], ends.needed(mine, falls.shape)))
    return choices


def _fines(falls: Floats) -> Floats:
    """Return what a second that is missing costs by each time, (machines times,)."""
    wide = np.pad(falls, ((0, 0), (SPREAD, SPREAD)), mode="edge")
    fine = np.lib.stride_tricks.sliding_window_view(wide, 2 * SPREAD + 1, axis=1).mean(axis=2).ravel()
    return np.asarray(np.maximum(fine, MIN_FINE * fine.max(initial=0.0)))


def _descend(
    choices: Choices,
    second: Floats,
    begin: Floats,
    room: Floats,
    fine: Floats,
    random: np.random.Generator,
    look: Callable[[], None],
) -> Floats:
    """Return an end of each job, s, (jobs,): near `begin` at first, then whatever costs least with the fine.

    Parameters
    ----------
    second : what a second costs besides, (jobs,)
    """
    fees = [cost + second[j] * seconds for j, (seconds, cost, _) in enumerate(choices)]
    chosen = [int(np.abs(seconds - begin[j]).argmin()) for j, (seconds, _, _) in enumerate(choices)]
    short = -room
    for place, (_, _, needs) in zip(chosen, choices, strict=True):
        short = short + needs[place]
    for turn in range(TURNS):
        fines = FIRST_FINE * GROWTH**turn * fine
        for j in random.permutation(len(choices)).tolist():
            look()
            needs = choices[j][2]
            short -= needs[chosen[j]]
            chosen[j] = int((fees[j] + (np.maximum(needs + short, 0.0) * fines).sum(axis=1)).argmin())
            short += needs[chosen[j]]
    return np.array([seconds[place] for place, (seconds, _, _) in zip(chosen, choices, strict=True)])
