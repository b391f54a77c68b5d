"""The seconds of slots that there are by a time: all, and fewer where jobs can have had no more yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.optimize.slot_prices import Priceable

    Floats = NDArray[np.float64]

RAMP_POINTS = 160
MAX_AT_ONCE = 1 << 16
"""Numbers of an array that are worked on at once."""


def capacities(what: Priceable, times: Floats) -> tuple[Floats, list[float]]:
    """Return the seconds of each machine that can have been used for work by times, (machines, times).

    And those of the times tau below that say so.

    All of them; and less at the beginning, since no more is done by tau than the jobs allow whose stage can
    have begun, each no faster than alone: their tasks begin behind what comes before them, and take the
    longer shuffle at most. Where reduces wait for maps, those before tau belong to jobs whose maps are over
    by then, and of jobs no more can be than have room on the map slots: the most reduces for the maps first,
    the last job in part (Dantzig 1957).
    """
    caps = np.tile(times, (what.machines, 1))
    if not what.rises:
        return caps, []
    taus = _ramp_times(what, times)
    done = np.zeros((what.machines, len(taus)))
    for place, load in enumerate(what.loads):
        done[load.machine] += _most_done_by(what, place, taus)
    least = np.full(caps.shape, -1)
    for some in _at_once(len(taus), len(times)):
        later = times - taus[some, None]
        then = np.where(later >= 0, done[:, some, None] + later, np.inf)
        first = then.argmin(axis=1)
        then = np.take_along_axis(then, first[:, None], axis=1)[:, 0]
        is_less = then < caps
        least[is_less] = some.start + first[is_less]
        caps[is_less] = then[is_less]
    return caps, taus[np.unique(least[least >= 0])].tolist()


def _at_once(rows: int, width: int) -> Iterator[slice]:
    """Yield which rows of an array are worked on at once: few where they are long."""
    count = max(MAX_AT_ONCE // max(width, 1), 1)
    return (slice(begin, begin + count) for begin in range(0, rows, count))


def _ramp_times(what: Priceable, times: Floats) -> Floats:
    """Return when it is looked how much can be done: the times, heads of stages, and some more."""
    heads = np.unique(np.concatenate([stage.heads[stage.work > 0] for stage in what.demands.stages]))
    if len(heads) == 0:
        return np.zeros(0)
    top = max(float(heads[-1]), max(float(load.work.sum()) for load in what.loads) / 4)
    if len(heads) > RAMP_POINTS:
        heads = heads[np.unique(np.linspace(0, len(heads) - 1, RAMP_POINTS).round().astype(int))]
    even = np.linspace(0, top, RAMP_POINTS)
    return np.unique(np.concatenate([heads, even, times]))


def most_done(what: Priceable, place: int, tau: float) -> float:
    """Return the seconds of its machine for which a load can have been worked on by a time."""
    return float(_most_done_by(what, place, np.array([tau]))[0])


def _most_done_by(what: Priceable, place: int, taus: Floats) -> Floats:
    """Return the seconds of its machine for which a load can have been worked on by times, (times,)."""
    most = np.zeros(len(taus))
    for some in _at_once(len(taus), len(what.group[place])):
        done = _done_alone(what, place, taus[some])
        if what.is_two_stage and place:
            pairs = zip(taus[some], done, strict=True)
            most[some] = [np.interp(tau, *_reduces_by_maps(what, of_jobs)) for tau, of_jobs in pairs]
        else:
            most[some] = done.sum(axis=1)
    return most


def reduces_by_a_map_second(what: Priceable, tau: float) -> float:
    """Return how many seconds of all reduce slots more can be used by a time if maps get one more before."""
    used, most = _reduces_by_maps(what, _done_alone(what, 1, np.array([tau]))[0])
    place = int(np.searchsorted(used, tau, "right"))
    if place == len(used):
        return 0.0
    return float((most[place] - most[place - 1]) / (used[place] - used[place - 1]))


def _done_alone(what: Priceable, place: int, taus: Floats) -> Floats:
    """Return for how many seconds of its machine each job can have been worked on by times, (times, jobs)."""
    load, group = what.loads[place], what.group[place]
    stage = next(s for s in what.demands.stages if s.tails is load.tails)
    had = np.maximum(taus[:, None] - stage.heads, 0.0)
    worked = np.minimum(what.longer[place], had[:, group])
    bins = what.jobs * np.arange(len(taus))[:, None] + group
    tasks = np.bincount(bins.ravel(), worked.ravel(), had.size).reshape(had.shape)
    return np.where(load.work > 0, np.minimum(load.share * tasks, had), 0.0)


def _reduces_by_maps(what: Priceable, done: Floats) -> tuple[Floats, Floats]:
    """Return seconds of all map slots, ascending from 0, and of all reduce slots that jobs need done by then.

    Parameters
    ----------
    done : of all reduce slots that each job can have had, (jobs,)
    """
    maps, some = what.loads[0].work, done > 0
    order = np.argsort(np.divide(maps[some], done[some]), kind="stable")
    used, most = np.cumsum(maps[some][order]), np.cumsum(done[some][order])
    return np.append(0.0, used), np.append(0.0, most)
