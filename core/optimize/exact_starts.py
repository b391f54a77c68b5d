"""The best schedule of a few tasks on typed slots: no other schedule has a smaller value.

All of them are searched depth first in time (`core.optimize.exact_starts_loop`), slots that idle and reduces
that start early or late included. What is found is a plan that says when each task may start.

Where a filler's slot would only be free in the very instant in which the map stage ends, no schedule is the
best: the stage can end a moment later, and the shorter the moment, the better. A moment is `MOMENT` then.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine import jit
from core.model.cluster import Cluster
from core.model.errors import Cancelled
from core.model.job import Job
from core.model.levers import MAX_TIMED_TASKS, JobPlan, StagePlan
from core.model.plan import Plan
from core.model.progress import never_stop
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize import (
    exact_starts_choices,
    exact_starts_loop,
    exact_starts_pruning,
    exact_starts_state,
)
from core.optimize.exact_starts_loop import come_to, search_starts
from core.optimize.exact_starts_pruning import is_makespan
from core.optimize.exact_starts_state import (
    NODES,
    STARTS,
    STARTS_LATE,
    TOO_LITTLE,
    FewTasks,
    StartSearch,
)
from core.optimize.plan_costs import Goal
from core.optimize.search_columns import why_no_passes

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

SOURCES = (exact_starts_loop, exact_starts_choices, exact_starts_pruning, exact_starts_state)
MAX_STATES = 400_000
"""States that are looked at before the search gives up."""
KEPT_STATES = 60_000
STEPS = {True: 50_000, False: 500}
"""States between two looks at whether to stop, compiled and interpreted."""
MOMENT = 2.0**-44
"""The part of the makespan by which a map stage ends later than a slot is free that gets a filler."""


@dataclass(frozen=True)
class BestStarts:
    """What a search of all schedules has found.

    Attributes
    ----------
    plan : of the best schedule; None if none is better than asked for
    bound : value that no schedule is below, 0 if not all were searched
    states : that were looked at
    """

    plan: Plan | None
    bound: float
    states: int


def may_search_starts(workload: Workload, cluster: Cluster) -> bool:
    """Whether all schedules can be searched: of few tasks on typed slots that stay."""
    tasks = workload.map_count + workload.reduce_count
    return 0 < tasks <= MAX_TIMED_TASKS and not why_no_passes(workload, cluster)


def best_starts(
    workload: Workload,
    cluster: Cluster,
    goal: Goal,
    below: float,
    enough: float,
    *,
    should_stop: Callable[[], bool] = never_stop,
    compiled: bool = True,
) -> BestStarts:
    """Search all schedules whose value is below `below`, until one has `enough`.

    `may_search_starts` says whether that is possible.

    Parameters
    ----------
    goal : what a schedule costs, without guidance; never less when a job ends later

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    batch, order = _batch(workload, cluster, goal)
    state = _beginning(batch, cluster, below * (1 - TOO_LITTLE), enough)
    search = compiled_search() if compiled else search_starts
    is_done = False
    while not (is_done or state.at[NODES] >= MAX_STATES):
        if should_stop():
            raise Cancelled("the search of all schedules was stopped")
        is_done = bool(search(batch, state, STEPS[compiled]))
    plan = _plan(workload, batch, state, order) if state.length[0] else None
    return BestStarts(plan, float(state.limit[0]) if is_done else 0.0, int(state.at[NODES]))


def _plan(workload: Workload, b: FewTasks, s: StartSearch, order: Ints) -> Plan:
    """Return the plan of the best schedule: when each task may start."""
    starts = np.zeros(len(order))
    starts[order] = _Replayed(b, s).starts
    stages = workload.columns.stages

    def stage(j: int, kind: int) -> StagePlan:
        g = stages.begin[j] + kind
        tasks = slice(stages.first[g], stages.first[g] + stages.count[g])
        each = tuple(starts[tasks].tolist())
        return StagePlan(min(each, default=0.0), "longest", starts=each)

    jobs = workload.jobs
    return Plan(tuple(JobPlan(job.name, stage(j, 0), stage(j, 1), 0) for j, job in enumerate(jobs)))


class _Replayed:
    """The steps of the best schedule, with moments where fillers need them.

    Attributes
    ----------
    starts : of the tasks, seconds, (tasks,)
    """

    def __init__(self, b: FewTasks, s: StartSearch) -> None:
        self._b, self._moment = b, float(s.makespan[0]) * MOMENT
        self._slots = s.map_free.shape[1], s.reduce_free.shape[1]
        self._steps = s.found[:, 1 : s.length[0] + 1].T.tolist()
        self._ends_after = np.zeros(len(b.arrival))
        self.starts = np.zeros(len(b.job))
        for _ in self._steps:
            if self._is_replayed():
                break

    def _is_replayed(self) -> bool:
        """Run the steps; whether no map stage has to end later for a filler."""
        self._map_free, self._reduce_free = (np.zeros(some) for some in self._slots)
        self._stage_end, self._left = self._b.arrival.copy(), np.array(self._b.maps_of)
        self._last = dict.fromkeys(range(len(self._left)), (0.0, 0, 0))
        before = self._ends_after.copy()
        for what, i, slot in self._steps:
            if what == STARTS and i < self._b.maps[0]:
                self._run_map(i, slot)
            elif what in (STARTS, STARTS_LATE):
                self._run_reduce(i, slot, is_late=what == STARTS_LATE)
        return bool((before == self._ends_after).all())

    def _run_map(self, i: int, slot: int) -> None:
        b, j = self._b, int(self._b.job[i])
        self.starts[i] = max(self._map_free[slot], b.arrival[j])
        end = self.starts[i] + b.duration[i]
        self._map_free[slot] = self._free_behind(self.starts[i], end)
        self._last[j] = max(self._last[j], (float(end), i, slot))
        self._left[j] &= ~(1 << i)
        if self._left[j] == 0:
            end, last, slot = self._last[j]
            if end < self._ends_after[j]:
                self.starts[last] = self._ends_after[j] - b.duration[last]
                self._map_free[slot] = end = self.starts[last] + b.duration[last]
            self._stage_end[j] = end

    def _run_reduce(self, i: int, slot: int, *, is_late: bool) -> None:
        b, j = self._b, int(self._b.job[i])
        begin, ends = max(self._reduce_free[slot], b.arrival[j]), self._stage_end[j]
        filled = max(ends + b.first[i], begin + b.typical[i]) if b.overlaps[0] else ends + b.first[i]
        if is_late or b.maps_of[j] == 0 or filled >= ends + b.typical[i]:
            begin = max(begin, ends)
            filled = begin + b.typical[i]
        elif begin >= ends:
            self._ends_after[j] = begin + self._moment
        self.starts[i] = begin
        self._reduce_free[slot] = self._free_behind(begin, filled + b.duration[i])

    def _free_behind(self, begin: float, end: float) -> float:
        """Return when a slot is free behind a task; of one of no time a moment later: it goes first."""
        return end if end > begin else end + self._moment


@cache
def compiled_search() -> Any:
    """Return the compiled twin of `core.optimize.exact_starts_loop.search_starts`; some seconds once."""
    search = jit.compiled(jit.named_by_sources(search_starts, *SOURCES))
    one = Workload("one", (Job("J1", Stage.of(1, 1.0)),))
    batch, _ = _batch(one, Cluster(1, 1), Goal.of_makespan(1))
    search(batch, _beginning(batch, Cluster(1, 1), 2.0, 0.0), 1)
    return search


def _batch(workload: Workload, cluster: Cluster, goal: Goal) -> tuple[FewTasks, Ints]:
    """Return the tasks as columns, and which task of the workload each of them is, (tasks,)."""
    columns = workload.columns
    jobs = len(columns.arrival)
    waits = columns.stages.has_parents[columns.stage]
    has_shuffle = float(cluster.shuffle_model != "mumak")
    first, typical = (has_shuffle * each for each in (columns.first_shuffle, columns.typical_shuffle))
    has_maps = np.bincount(columns.job[~waits], minlength=jobs) > 0
    late = columns.duration + np.where(waits, typical, 0.0)
    early = np.where(waits & has_maps[columns.job], np.minimum(first, typical), np.where(waits, typical, 0.0))
    early = early + columns.duration
    slots = max(1, cluster.stage_slots[1])
    tail = np.zeros(jobs)
    np.maximum.at(tail, columns.job[waits], early[waits])
    tail = np.maximum(tail, np.bincount(columns.job[waits], early[waits], jobs) / slots)
    order = np.lexsort((-late, -tail[columns.job], waits))
    bits = 1 << np.arange(len(order))
    job, is_map = columns.job[order].astype(np.int64), ~waits[order]
    maps_of, reduces_of = np.zeros(jobs, np.int64), np.zeros(jobs, np.int64)
    np.bitwise_or.at(maps_of, job[is_map], bits[is_map])
    np.bitwise_or.at(reduces_of, job[~is_map], bits[~is_map])
    may_hold = np.zeros(jobs, np.int64)
    if cluster.shuffle_model != "overlap":
        may_hold[job[(early < late)[order]]] = 1
    times = first[order], typical[order], np.array(columns.duration)[order]
    return FewTasks(
        goal,
        np.bincount(columns.job, minlength=jobs),
        np.array([is_map.sum()]),
        job,
        early[order],
        late[order],
        *times,
        _twins(job, is_map, *times),
        np.array(columns.arrival, np.float64),
        maps_of,
        reduces_of,
        tail,
        np.argsort(-tail, kind="stable"),
        may_hold,
        np.array([cluster.shuffle_model == "overlap"], np.int64),
    ), order


def _twins(*columns: NDArray[Any]) -> Ints:
    """Return of each task the equal one right before it, -1 if there is none."""
    twins: list[int] = []
    seen: dict[tuple[Any, ...], int] = {}
    for i, key in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        twins.append(seen.get(key, -1))
        seen[key] = i
    return np.array(twins, np.int64)


def _beginning(b: FewTasks, cluster: Cluster, below: float, enough: float) -> StartSearch:
    """Return the search before its first step."""
    tasks, jobs, maps = len(b.job), len(b.arrival), int(b.maps[0])
    slots = (min(cluster.stage_slots[0], maps), min(cluster.stage_slots[1], tasks - maps))
    map_slots, reduce_slots = (max(1, each) for each in slots)
    depths = 4 * tasks + 3 * jobs + 4
    s = StartSearch(
        at=np.zeros(3, np.int64),
        next=np.zeros(depths, np.int64),
        first=np.zeros(depths, np.int64),
        time=np.zeros(depths),
        left=np.full(depths, (1 << tasks) - 1),
        over=np.zeros(depths, np.int64),
        left_before=np.zeros(depths, np.int64),
        over_before=np.zeros(depths, np.int64),
        began=np.zeros(depths, np.int64),
        finish=np.zeros((depths, jobs)),
        map_free=np.zeros((depths, map_slots)),
        map_job=np.full((depths, map_slots), -1),
        reduce_free=np.zeros((depths, reduce_slots)),
        fillers=np.zeros((depths, reduce_slots), np.int64),
        map_end=np.zeros((depths, jobs)),
        stage_end=np.full((depths, jobs), np.inf),
        what=np.zeros(depths, np.int64),
        whose=np.zeros(depths, np.int64),
        slot=np.zeros(depths, np.int64),
        makespan=np.zeros(1),
        limit=np.array([below, enough]),
        found=np.zeros((3, depths), np.int64),
        length=np.zeros(1, np.int64),
        heads=np.zeros(jobs),
        ends=np.zeros(jobs),
        buckets=np.full(16_381, -1),
        following=np.zeros(KEPT_STATES, np.int64),
        keys=np.zeros((KEPT_STATES, 2), np.int64),
        states=np.zeros((KEPT_STATES, 1 + map_slots + reduce_slots + jobs * (1 if is_makespan(b) else 2))),
    )
    s.map_end[0] = s.finish[0] = b.arrival
    come_to(b, s, 0, float(b.arrival.min()))
    return s
