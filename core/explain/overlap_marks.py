"""What OMO did to single tasks: reduces that it held back, and maps that it pulled forward.

Both are read from the finished schedule, so they are known of any schedule that OMO decided, or that it
decided up to a fork or from one on.

- **Lazy start** (004 section IV.C, Algorithm 1): a job's reduces that OMO admits go before every map. So
  where a container was given to a map while a job's reduces were ready, and the first of them started only
  later, they were not admitted: they were held. A container that stayed free meanwhile shows the same. (While
  no map runs at all, OMO lets a map go first whichever job is due; that is no lazy start.) As many containers
  as were declined in this way could have had a reduce of the job at the same time; as many of its reduces,
  the first ones, were held. The others would have waited for a container in any case.
- **Batch finish** (004 section IV.D, Algorithm 2): a map was pulled forward if its job's reduces had started
  before it and if, when it started, a map of another job waited that the fair share would have preferred: a
  job with fewer containers for its weight, or with as many and before it in the queue. Only the batch finish
  serves a map past such a job, so that nothing has to be known of the rates that the policy had observed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.explain.slots import free_steps, running_at
from core.explain.start_cause import ready_times
from core.model.kept_with_schedule import kept_with_schedule
from core.model.schedule import forks_of, is_made_by_hand
from core.model.task_types import REDUCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.model.schedule import Forkable, PolicyChoice, Schedule

MAX_CELLS = 500_000
"""Counts, of jobs by starts, that are held at a time."""
LOOKED_AT_ONCE = 4096
"""Starts of maps that are looked at together."""


@dataclass(frozen=True)
class OverlapMarks:
    """The tasks that were held or pulled forward; all arrays are read-only.

    Attributes
    ----------
    is_held : whether each task is a reduce that a lazy start held back, (tasks,)
    held_since : from when on each job's reduces were held, in seconds, nan for none, (jobs,)
    is_pulled : whether each task is a map that a batch finish pulled forward, (tasks,)
    """

    is_held: NDArray[np.bool_]
    held_since: NDArray[np.float64]
    is_pulled: NDArray[np.bool_]

    @property
    def is_moved(self) -> NDArray[np.bool_]:
        """Whether each task was held or pulled forward, (tasks,)."""
        return self.is_held | self.is_pulled


@kept_with_schedule
def overlap_marks(schedule: Schedule) -> OverlapMarks:
    """Return what OMO did to the tasks of a schedule; nothing where another policy decided.

    Kept with the schedule: a chart asks in every frame. Without a known policy (a log's run, an order made by
    hand), on clusters with overheads, where tasks wait for the cluster too, and in a game that is not over
    yet nothing is marked.
    """
    is_judged = schedule.cluster.overheads is None and len(schedule.sequence) == schedule.tasks
    parts = [part for part in decided_parts(schedule) if is_judged and _is_omo(part.choice.id)]
    is_held, is_pulled = np.zeros(schedule.tasks, bool), np.zeros(schedule.tasks, bool)
    stages = schedule.workload.columns.stages
    since = np.full(len(schedule.finish), np.nan)
    lazy = [part for part in parts if _switched(part.choice, "lazy_start")]
    if lazy:
        found = HeldReduces(schedule)
        for part in lazy:
            found.look(part)
        np.fmin.at(since, stages.job, found.since)
        columns = schedule.workload.columns
        is_held[schedule.by_stage] = columns.number < found.held[columns.stage]
    for part in parts:
        if _switched(part.choice, "batch_finish"):
            is_pulled[pulled_forward(schedule, part)] = True
    for column in (is_held, since, is_pulled):
        column.flags.writeable = False
    return OverlapMarks(is_held, since, is_pulled)


def _is_omo(policy_id: str) -> bool:
    from core.policies.overlap import OMO  # charts need no policies to be drawn
    from core.policies.registry import policy_class

    return issubclass(policy_class(policy_id), OMO)


def _switched(choice: PolicyChoice, name: str) -> bool:
    """Whether a technique is switched on, by the choice or else by its default."""
    return bool(choice.parameters.get(name, True))


class DecidedPart(NamedTuple):
    """A stretch of a schedule in which one policy decides.

    Attributes
    ----------
    choice : the policy with its parameters
    first, last : the starts it decides: places ``first`` to ``last - 1`` of `Schedule.sequence`
    begin, end : the time in which it decides, seconds; the last part has no end
    """

    choice: PolicyChoice
    first: int
    last: int
    begin: float
    end: float


def decided_parts(schedule: Schedule) -> tuple[DecidedPart, ...]:
    """Return the stretches in which a policy decides, the earliest first.

    An order or pools made by hand decide instead of a policy, and a log's run by something unknown:
    such stretches are left out.
    """
    if schedule.choice.is_record:
        return ()
    forks = forks_of(schedule)
    starts = schedule.start[schedule.sequence]
    edges = [int(np.searchsorted(starts, fork.time)) + fork.decisions for fork in forks]
    firsts, lasts = [0, *edges], [*edges, len(starts)]
    begins, ends = [0.0, *(fork.time for fork in forks)], [*(fork.time for fork in forks), np.inf]
    followed: tuple[Forkable, ...] = (*forks, schedule)
    return tuple(
        DecidedPart(part.choice, first, last, begin, end)
        for part, first, last, begin, end in zip(followed, firsts, lasts, begins, ends, strict=True)
        if not is_made_by_hand(part)
    )


def at_timeless_instants(schedule: Schedule, times: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which times are the start of a task that takes no time.

    What ran at the single decisions of such an instant cannot be read from the finished schedule.
    """
    timeless = schedule.start[schedule.start == schedule.end]
    return np.isin(times, timeless)


class HeldReduces:
    """Finds held reduces in parts of one schedule that a policy with lazy start has decided.

    Attributes
    ----------
    held : how many of each stage's tasks, the first ones, were held, int64 (stages,); 0 where it waits for
        no other
    since : when the first of them was, in seconds, nan for none, (stages,)
    """

    def __init__(self, schedule: Schedule) -> None:
        stages = schedule.workload.columns.stages
        self.held = np.zeros(len(stages.count), np.int64)
        self.since = np.full(len(stages.count), np.nan)
        self._schedule = schedule
        self._reduces = np.where(stages.has_parents, stages.count, 0)
        self._ready = ready_times(schedule)
        first = schedule.by_stage[np.minimum(stages.first, schedule.tasks - 1)]
        self._first_start = np.where(self._reduces > 0, schedule.start[first], -1.0)
        self._find_maps()
        self._find_free()

    def _find_maps(self) -> None:
        """Note every start of a map that a reduce could have had in its place, by place in the sequence."""
        schedule, sequence = self._schedule, self._schedule.sequence
        columns = schedule.workload.columns
        places = np.flatnonzero(~columns.stages.has_parents[columns.stage[sequence]])
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
        self._times, free = free_steps(schedule, range(schedule.cluster.slots), REDUCE)
        maps_run = running_at(self._times, self._map_starts, self._map_ends) > 0
        self._free = np.where(maps_run, free, 0)

    def look(self, part: DecidedPart) -> None:
        """Find what was held in a part, besides what was found in earlier ones."""
        begins = np.maximum(self._ready, part.begin)
        ends = np.minimum(self._first_start, part.end)
        for stage in np.flatnonzero((self._reduces > 0) & (begins < ends)):
            self._look_at(int(stage), part, float(begins[stage]), float(ends[stage]))

    def _look_at(self, stage: int, part: DecidedPart, begin: float, end: float) -> None:
        served, first_served = self._served(stage, part, begin)
        low, high = np.searchsorted(self._times, (begin, end))
        free = self._free[low:high]
        most_free = int(free.max(initial=0))
        declined = min(max(served, most_free), int(self._reduces[stage]))
        if declined == 0:
            return
        first_free = float(self._times[low + int(np.argmax(free > 0))]) if most_free > 0 else np.inf
        self.held[stage] = max(self.held[stage], declined)
        self.since[stage] = np.fmin(self.since[stage], min(first_served, first_free))

    def _served(self, stage: int, part: DecidedPart, begin: float) -> tuple[int, float]:
        """Count the containers that went to maps instead, up to the stage's tasks, and when one first did."""
        schedule = self._schedule
        low = max(int(np.searchsorted(self._starts, begin)), int(np.searchsorted(self._places, part.first)))
        high = min(
            int(np.searchsorted(self._starts, self._first_start[stage])),
            int(np.searchsorted(self._places, part.last)),
        )
        if low >= high:
            return 0, float("inf")
        seen = np.zeros(schedule.cluster.slots, bool)
        most = min(int(self._reduces[stage]), len(seen))
        for at in range(low, high, LOOKED_AT_ONCE):
            tasks = schedule.sequence[self._places[at : min(high, at + LOOKED_AT_ONCE)]]
            seen[schedule.slot[tasks]] = True
            if np.count_nonzero(seen) >= most:
                break
        return int(np.count_nonzero(seen)), float(self._starts[low])


def _fits_like_a_map(schedule: Schedule) -> bool:
    """Whether a reduce has room wherever a map has; on nodes it may need more."""
    cluster = schedule.cluster
    if not cluster.has_nodes:
        return True
    had, wanted = cluster.requests
    return wanted.memory_mb <= had.memory_mb and wanted.cores <= had.cores


class _Waits(NamedTuple):
    """From when and up to which start each job has maps that wait, both (jobs,)."""

    arrival: NDArray[np.float64]
    last_map: NDArray[np.int64]


def pulled_forward(schedule: Schedule, part: DecidedPart) -> NDArray[np.int64]:
    """Return the tasks that a batch finish pulled forward.

    Starts at an instant at which another task takes no time are left out: how many containers a job held
    between them cannot be read from the schedule.

    Parameters
    ----------
    schedule : complete
    part : decided by a policy with batch finish
    """
    columns, place_of = schedule.workload.columns, np.argsort(schedule.sequence)
    last_map = np.full(len(columns.arrival), -1)
    stages = columns.stages
    with_maps = np.flatnonzero(~stages.has_parents & (stages.count > 0))
    last = place_of[schedule.by_stage[(stages.first + stages.count)[with_maps] - 1]]
    np.maximum.at(last_map, stages.job[with_maps], last)
    waits = _Waits(schedule.arrival, last_map)
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
    stages, waits = columns.stages, columns.stages.has_parents
    first_reduce = np.full(len(columns.arrival), schedule.tasks)
    late = np.flatnonzero(waits & (stages.count > 0))
    np.minimum.at(first_reduce, stages.job[late], place_of[schedule.by_stage[stages.first[late]]])
    tasks = sequence[part.first : part.last]
    is_after = np.arange(part.first, part.last) > first_reduce[columns.job[tasks]]
    places = part.first + np.flatnonzero(~waits[columns.stage[tasks]] & is_after)
    return places[~at_timeless_instants(schedule, schedule.start[sequence[places]])]


def _held_before(
    schedule: Schedule, candidates: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32]]]:
    """Yield some candidates at a time, and how many containers each job held before each, (jobs, starts)."""
    sequence, of_task = schedule.sequence, schedule.workload.columns.job
    jobs = len(schedule.finish)
    by_end = np.argsort(schedule.end, kind="stable")
    ended = np.searchsorted(schedule.end[by_end], schedule.start[sequence[candidates]], "right")
    length = max(16, MAX_CELLS // jobs)
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
