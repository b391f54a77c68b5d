"""Which reduces a lazy start held back, read from the finished schedule (004 section IV.C, Algorithm 1).

With lazy start, a job's reduces that OMO admits go before every map. So where a container was given to a map
while a job's reduces were ready, and the first of them started only later, they were not admitted: they were
held. So does a container tell that stayed free meanwhile. (While no map runs at all, OMO lets a map go first
whoever is due; that is no lazy start.)

So many containers as were declined in this way could have had a reduce of the job at the same time; as many
of its reduces, the first ones, were held. The others would have waited for a container in any case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.explain.decided_parts import at_timeless_instants
from core.explain.lints.occupancy import ready_times
from core.measures.node_room import room_at
from core.model.job import MAP, REDUCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.explain.decided_parts import DecidedPart
    from core.model.schedule import Schedule

LOOKED_AT_ONCE = 4096
"""Starts of maps that are looked at together."""


class HeldReduces:
    """Finds held reduces in parts of one schedule that a policy with lazy start has decided.

    Attributes
    ----------
    held : how many of each job's reduces, the first ones, were held, int64 (jobs,)
    since : when the first of them was, in seconds, nan for none, (jobs,)
    """

    def __init__(self, schedule: Schedule) -> None:
        jobs = len(schedule.finish)
        self.held = np.zeros(jobs, np.int64)
        self.since = np.full(jobs, np.nan)
        self._schedule = schedule
        columns = schedule.workload.columns
        self._reduces = columns.count[:, REDUCE]
        self._ready = ready_times(schedule)[:, REDUCE]
        first = schedule.by_stage[np.minimum(columns.first[:, REDUCE], schedule.tasks - 1)]
        self._first_start = np.where(self._reduces > 0, schedule.start[first], -1.0)
        self._find_maps()
        self._find_free()

    def _find_maps(self) -> None:
        """Note every start of a map that a reduce could have had in its place, by place in the sequence."""
        schedule, sequence = self._schedule, self._schedule.sequence
        places = np.flatnonzero(schedule.workload.columns.kind[sequence] == MAP)
        began = schedule.start[sequence[places]]
        self._map_ends = np.sort(schedule.end[sequence[places]])
        run = np.arange(len(places)) - np.searchsorted(self._map_ends, began, "right")
        counts = (run > 0) & ~at_timeless_instants(schedule, began)
        self._map_starts = np.sort(began)
        self._places = places[counts] if _fits_like_a_map(schedule) else places[:0]
        self._starts = schedule.start[sequence[self._places]]

    def _find_free(self) -> None:
        """Count the containers that stay free after each instant."""
        schedule = self._schedule
        starts, ends = np.sort(schedule.start), np.sort(schedule.end)
        self._times = np.union1d(starts, ends)
        if schedule.cluster.has_nodes:
            free = room_at(schedule, self._times, REDUCE)
        else:
            free = schedule.cluster.slots - _running(self._times, starts, ends)
        maps_run = _running(self._times, self._map_starts, self._map_ends) > 0
        self._free = np.where(maps_run, free, 0)

    def look(self, part: DecidedPart) -> None:
        """Find what was held in a part, besides what was found in earlier ones."""
        begins = np.maximum(self._ready, part.begin)
        ends = np.minimum(self._first_start, part.end)
        for job in np.flatnonzero((self._reduces > 0) & (begins < ends)):
            self._look_at(int(job), part, float(begins[job]), float(ends[job]))

    def _look_at(self, job: int, part: DecidedPart, begin: float, end: float) -> None:
        served, first_served = self._served(job, part, begin)
        low, high = np.searchsorted(self._times, (begin, end))
        free = self._free[low:high]
        most_free = int(free.max(initial=0))
        declined = min(max(served, most_free), int(self._reduces[job]))
        if declined == 0:
            return
        first_free = float(self._times[low + int(np.argmax(free > 0))]) if most_free > 0 else np.inf
        self.held[job] = max(self.held[job], declined)
        self.since[job] = np.fmin(self.since[job], min(first_served, first_free))

    def _served(self, job: int, part: DecidedPart, begin: float) -> tuple[int, float]:
        """Count the containers that went to maps instead, up to the job's reduces, and when one first did."""
        schedule = self._schedule
        low = max(int(np.searchsorted(self._starts, begin)), int(np.searchsorted(self._places, part.first)))
        high = min(
            int(np.searchsorted(self._starts, self._first_start[job])),
            int(np.searchsorted(self._places, part.last)),
        )
        if low >= high:
            return 0, float("inf")
        seen = np.zeros(schedule.cluster.slots, bool)
        most = min(int(self._reduces[job]), len(seen))
        for at in range(low, high, LOOKED_AT_ONCE):
            tasks = schedule.sequence[self._places[at : min(high, at + LOOKED_AT_ONCE)]]
            seen[schedule.slot[tasks]] = True
            if np.count_nonzero(seen) >= most:
                break
        return int(np.count_nonzero(seen)), float(self._starts[low])


def _running(
    times: NDArray[np.float64], starts: NDArray[np.float64], ends: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Count what runs after each instant, from sorted starts and ends."""
    return np.searchsorted(starts, times, "right") - np.searchsorted(ends, times, "right")


def _fits_like_a_map(schedule: Schedule) -> bool:
    """Whether a reduce has room wherever a map has; on nodes it may ask for more."""
    cluster = schedule.cluster
    if not cluster.has_nodes:
        return True
    wanted, had = cluster.reduce_request, cluster.map_request
    return wanted.memory_mb <= had.memory_mb and wanted.cores <= had.cores
