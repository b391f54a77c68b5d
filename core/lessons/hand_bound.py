"""What no continuation of a game can beat: a lower bound of an aim, from one state of a run by hand on.

A job ends no sooner than what runs of it, than each task that is left would alone, and than all of them
spread evenly over all slots of their type. For the makespan, also Johnson's optimum of what is left (1954;
see `core.optimize.bounds`): spread over the slots, in whichever order map stages end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.lessons.hand_aims import MAKESPAN, value_at
from core.model.task_types import MAP
from core.optimize.objectives import Objective
from core.optimize.stage_demands import shortest_shuffle
from core.planning.johnson import johnson_order, two_stage_makespan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.simulation.simulate import Simulation

    Floats = NDArray[np.float64]

SURELY = 1 - 1e-12
"""Sums of durations may be wrong by what is left."""


class LeastFrom:
    """Bounds an aim from states of one game.

    Parameters
    ----------
    from_the_start : whether the game begins at time 0: then the bound of all schedules holds, too
    """

    def __init__(self, workload: Workload, cluster: Cluster, aim: str, *, from_the_start: bool) -> None:
        self._aim, self._value = aim, value_at(aim, workload)
        self._columns, self._slots = workload.columns, cluster.stage_slots
        self._is_typed = workload.is_map_reduce and not cluster.has_containers
        self._is_steady = not (cluster.contention or cluster.reduce_load)
        self._shuffle = shortest_shuffle(workload, cluster)
        self._root = Objective.of(aim).bound(workload, cluster) * SURELY if from_the_start else 0.0

    def __call__(self, run: Simulation) -> float:
        """Return a value that no continuation of a run is below."""
        if not self._is_steady:
            return self._root
        schedule, now = run.schedule(), run.now
        ends, busy = self._ends(schedule, now)
        least = self._value(ends * SURELY)
        if self._aim == MAKESPAN and self._is_typed:
            maps, reduces = busy
            johnson = two_stage_makespan(johnson_order(maps, reduces), maps, reduces)
            least = max(least, (now + johnson) * SURELY)
        return max(least, self._root)

    def _ends(self, schedule: Schedule, now: float) -> tuple[Floats, tuple[Floats, Floats]]:
        """Return before when no job ends, (jobs,), and seconds of all slots that each one's stages need."""
        columns, jobs = self._columns, len(schedule.finish)
        arrival = np.maximum(columns.links.fixed, now)
        started, is_map = schedule.slot >= 0, columns.kind == MAP
        known = started & np.isfinite(schedule.end)
        alone = columns.duration + np.where(is_map & self._is_typed, 0.0, self._shuffle)
        task_end = np.where(known, schedule.end, arrival[columns.job] + columns.duration)
        left = np.where(known, np.maximum(schedule.end - now, 0.0), alone)
        if not self._is_typed:
            ends = arrival.copy()
            np.maximum.at(ends, columns.job, task_end)
            return self._with_finished(schedule, ends), (np.zeros(jobs), np.zeros(jobs))
        maps, reduces = (
            np.bincount(columns.job[some], left[some], jobs) / max(slots, 1)
            for some, slots in zip((is_map, ~is_map), self._slots, strict=True)
        )
        has_maps = np.bincount(columns.job[is_map & (left > 0)], minlength=jobs) > 0
        maps_end = np.where(has_maps, arrival + maps, now)
        np.maximum.at(maps_end, columns.job[is_map], task_end[is_map])
        since = np.maximum(maps_end, arrival)
        ends = since + reduces
        later = ~is_map & ~known
        np.maximum.at(ends, columns.job[later], (since[columns.job] + alone)[later])
        np.maximum.at(ends, columns.job[known], schedule.end[known])
        return self._with_finished(schedule, ends), (maps, reduces)

    @staticmethod
    def _with_finished(schedule: Schedule, ends: Floats) -> Floats:
        done = np.isfinite(schedule.finish)
        return np.where(done, schedule.finish, ends)
