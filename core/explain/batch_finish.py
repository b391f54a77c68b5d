"""Which maps a batch finish pulled forward, read from the finished schedule (004 section IV.D, Algorithm 2).

A map was pulled forward if its job's reduces had started before it and if, when it started, a map of another
job waited that the fair share would have preferred: a job with fewer containers for its weight, or with as
many and before it in the queue. Only the batch finish serves a map past such a job, so that nothing has to
be known of the rates that the policy had observed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.explain.decided_parts import at_timeless_instants, places_of
from core.model.job import MAP, REDUCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.explain.decided_parts import DecidedPart
    from core.model.schedule import Schedule

MOST_CELLS = 500_000
"""Counts, of jobs by starts, that are held at a time."""


class _Waits(NamedTuple):
    """From when and up to which start each job has maps that wait, both (jobs,)."""

    arrival: NDArray[np.float64]
    last_map: NDArray[np.int64]


def pulled_forward(schedule: Schedule, part: DecidedPart) -> NDArray[np.int64]:
    """Return the tasks that a batch finish pulled forward.

    Starts at an instant at which another task takes no time are left out: how many containers a job held
    between them cannot be told from the schedule.

    Parameters
    ----------
    schedule : complete
    part : decided by a policy with batch finish
    """
    columns, place_of = schedule.workload.columns, places_of(schedule)
    last_map = np.full(len(columns.arrival), -1)
    with_maps = np.flatnonzero(columns.count[:, MAP])
    last_map[with_maps] = place_of[schedule.by_stage[(columns.first + columns.count)[with_maps, MAP] - 1]]
    waits = _Waits(columns.arrival, last_map)
    candidates = _after_own_reduces(schedule, part, place_of)
    passed = [
        places[_prefers_another(schedule, waits, places, held)]
        for places, held in _held_before(schedule, candidates)
    ]
    pulled: NDArray[np.int64] = schedule.sequence[np.concatenate([candidates[:0], *passed])].astype(np.int64)
    return pulled


def _after_own_reduces(
    schedule: Schedule, part: DecidedPart, place_of: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the places in the sequence of maps whose job's reduces have started, in order."""
    columns, sequence = schedule.workload.columns, schedule.sequence
    first_reduce = np.full(len(columns.arrival), schedule.tasks)
    with_reduces = np.flatnonzero(columns.count[:, REDUCE])
    first_reduce[with_reduces] = place_of[schedule.by_stage[columns.first[with_reduces, REDUCE]]]
    tasks = sequence[part.first : part.last]
    is_after = np.arange(part.first, part.last) > first_reduce[columns.job[tasks]]
    places = part.first + np.flatnonzero((columns.kind[tasks] == MAP) & is_after)
    return places[~at_timeless_instants(schedule, schedule.start[sequence[places]])]


def _held_before(
    schedule: Schedule, candidates: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32]]]:
    """Yield some candidates at a time, and how many containers each job held before each, (jobs, starts)."""
    sequence, of_task = schedule.sequence, schedule.workload.columns.job
    jobs = len(schedule.finish)
    by_end = np.argsort(schedule.end, kind="stable")
    ended = np.searchsorted(schedule.end[by_end], schedule.start[sequence[candidates]], "right")
    length = max(16, MOST_CELLS // jobs)
    holds = np.zeros(jobs, np.int32)
    begun = over = 0
    for at in range(0, len(candidates), length):
        places, ends = candidates[at : at + length], ended[at : at + length]
        held = np.zeros((jobs, len(places)), np.int32)
        held[:, 0] = holds
        # what begins before a candidate, or is over by then, changes the counts from that one on
        begins, stops = np.arange(begun, places[-1]), np.arange(over, ends[-1])
        np.add.at(held, (of_task[sequence[begins]], np.searchsorted(places, begins, "right")), 1)
        np.subtract.at(held, (of_task[by_end[stops]], np.searchsorted(ends, stops, "right")), 1)
        np.cumsum(held, axis=1, out=held)
        holds, begun, over = held[:, -1].copy(), int(places[-1]), int(ends[-1])
        yield places, held


def _prefers_another(
    schedule: Schedule, waits: _Waits, places: NDArray[np.int64], held: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """Return at which starts the fair share would have served a waiting map of another job, (starts,)."""
    columns, rank = schedule.workload.columns, schedule.rank
    tasks = schedule.sequence[places]
    job, time = columns.job[tasks], schedule.start[tasks]
    others = np.flatnonzero((waits.arrival <= time[-1]) & (waits.last_map >= places[0]))
    own = held[job, np.arange(len(places))] / columns.weight[job]
    share = held[others] / columns.weight[others, None]
    first = (share < own) | ((share == own) & (rank[others, None] < rank[job]))
    first &= (waits.arrival[others, None] <= time) & (waits.last_map[others, None] >= places)
    prefers: NDArray[np.bool_] = first.any(axis=0)
    return prefers
