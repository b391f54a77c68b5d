"""Whether any schedule of a few tasks is better than a number, for `core.verify.check`: all of them are tried.

In two parts, since the maps of a job matter to its reduces by when the last of them ends only.

First the maps: of every order, each map on the slot that is free first. No schedule has them earlier, as
whoever takes the maps of any schedule in the order of their starts sees. What is kept are the ends of the map
stages, and of these no list that another one is below in all places.

Then the reduces, for each such list: in every order of the times from which they count, each behind what its
slot has run. A job's map stage may end later than its maps allow, but only when a slot is free that then gets
one of its reduces with the first shuffle; whether a map slot can be held for so long is not asked, so the
least value that is found here can be below that of any schedule, never above.

Of two beginnings with the same tasks and the same ends of map stages one is dropped if the other one has no
later time of any kind. What cannot be better than the number any more is dropped, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

Times = tuple[float, ...]
MAX_TRIED = 300_000
"""Beginnings of schedules that are looked at before the rule gives up."""
MAX_TASKS = 20
LESS = 1e-10
"""The part by which a schedule has to be better to count: sums of times can be added up in several orders."""


class NotShownError(Exception):
    """That nothing is better is not shown by trying all schedules: one may be, or there are too many."""


class Task(NamedTuple):
    """A task: its job, its duration, and of a reduce both shuffles, s."""

    job: int
    duration: float
    first: float
    typical: float


class Batch(NamedTuple):
    """What is scheduled.

    Attributes
    ----------
    arrival : of each job, s
    maps, reduces : the tasks
    slots : for maps and for reduces
    has_maps : whether each job has some: only then a reduce can be there before its map stage ends
    overlaps : whether a shuffle takes the typical time at least from the start of the task on
    cost : of the ends of the jobs, s; never less when one of them is later
    """

    arrival: Times
    maps: list[Task]
    reduces: list[Task]
    slots: tuple[int, int]
    has_maps: tuple[bool, ...]
    overlaps: bool
    cost: Callable[[Sequence[float]], float]

    def least(self, task: Task) -> float:
        """Return what a reduce takes at least from the end of its map stage on."""
        shuffle = min(task.first, task.typical) if self.has_maps[task.job] else task.typical
        return shuffle + task.duration


class _Beginning(NamedTuple):
    """Reduces that have been placed: when each slot is free, and from when the last one counts.

    `over` is when each map stage ends: not known to be later than its maps allow where none of its reduces
    has been placed; `ends` is when each job ends so far.
    """

    free: Times
    last: float
    over: Times
    ends: Times

    def times(self) -> Times:
        """Return all that a continuation depends on, but for `over`."""
        return (*self.free, self.last, *self.ends)


def rule_of_every_schedule(checker: Any, part: dict[str, Any]) -> float:  # Any: of `core.verify.check`
    """Return the number that a part of a proof gives if no schedule is better; NotShownError if one may be."""
    if not (checker.is_typed and checker.is_map_reduce) or len(checker.links.think) or checker.comes_and_goes:
        raise NotShownError("all schedules are tried of maps and reduces on slots of both kinds that stay only")
    columns = checker.job, checker.duration, checker.first, checker.typical
    tasks = [Task(*each) for each in zip(*(each.tolist() for each in columns), strict=True)]
    kinds = [[t for t, waits in zip(tasks, checker.waits.tolist(), strict=True) if waits == kind] for kind in (0, 1)]
    maps_of = checker.stages.tasks[0::2] > 0
    given = tuple(checker.fixed.tolist()), *kinds, tuple(checker.slots), tuple(maps_of.tolist())
    cost = cost_of(checker.document["objective"], checker.fixed, checker.weight, checker.deadline)
    if is_any_better(Batch(*given, checker.model == "overlap", cost), part["value"]):
        raise NotShownError(f"trying all schedules does not exclude that one is below {part['value']!r}")
    return float(part["value"])


def cost_of(
    objective: Mapping[str, float], arrival: Floats, weight: Floats, deadline: Floats
) -> Callable[[Sequence[float]], float]:
    """Return what ends of jobs cost: so much of each objective, by its name."""
    total, jobs = sum(weight), len(arrival)
    second = [
        objective.get("mean-response", 0.0) / jobs + objective.get("weighted-response", 0.0) * each / total
        for each in weight.tolist()
    ]
    makespan, late_second, late = (objective.get(f, 0.0) for f in ("makespan", "tardiness", "late-jobs"))
    columns = list(zip(second, arrival.tolist(), deadline.tolist(), strict=True))

    def cost(ends: Sequence[float]) -> float:
        value = makespan * max(ends)
        for end, (of_second, came, due) in zip(ends, columns, strict=True):
            value += of_second * (end - came)
            if end > due:
                value += late + late_second * (end - due)
        return value

    return cost


def is_any_better(batch: Batch, than: float) -> bool:
    """Return whether a schedule may cost less than a number; NotShownError if there are too many to try."""
    if len(batch.maps) + len(batch.reduces) > MAX_TASKS:
        raise NotShownError(f"all schedules are tried of at most {MAX_TASKS} tasks")
    for tasks, slots in zip((batch.maps, batch.reduces), batch.slots, strict=True):
        if tasks and not slots:
            return False
    search = _Search(batch, than * (1 - LESS))
    return any(search.reduces_fit(over) for over in search.map_stages())


class _Search:
    def __init__(self, batch: Batch, limit: float) -> None:
        self._batch, self._limit, self._tried = batch, limit, 0
        jobs = range(len(batch.arrival))
        own = [[batch.least(task) for task in batch.reduces if task.job == j] for j in jobs]
        self._tail = [max(*each, sum(each) / batch.slots[1]) if each else 0.0 for each in own]

    def _count(self) -> None:
        self._tried += 1
        if self._tried > MAX_TRIED:
            raise NotShownError(f"more than {MAX_TRIED} beginnings of schedules would have to be tried")

    # ---- maps

    def map_stages(self) -> list[Times]:
        """Return the lists of ends of map stages that no other list is below."""
        batch = self._batch
        known: dict[int, list[Times]] = {0: [(*(0.0,) * batch.slots[0], *batch.arrival)]}
        for _ in batch.maps:
            longer: dict[int, list[Times]] = {}
            for done, beginnings in known.items():
                for beginning in beginnings:
                    for i in _next(batch.maps, done):
                        self._count()
                        times = self._with_map(beginning, batch.maps[i])
                        if self._may_be_better(times, done | 1 << i):
                            _keep(longer.setdefault(done | 1 << i, []), times)
            known = longer
        stages: list[Times] = []
        for beginnings in known.values():
            for beginning in beginnings:
                _keep(stages, beginning[batch.slots[0] :])
        return stages

    def _with_map(self, times: Times, task: Task) -> Times:
        """Return when slots are free, first ones first, and when map stages end, with one more map."""
        slots = self._batch.slots[0]
        over, job = list(times[slots:]), task.job
        end = max(times[0], self._batch.arrival[job]) + task.duration
        over[job] = max(over[job], end)
        return (*sorted((*times[1:slots], end)), *over)

    def _may_be_better(self, times: Times, done: int) -> bool:
        """Return whether the maps that are left, and the reduces, can end soon enough."""
        batch, slots = self._batch, self._batch.slots[0]
        over, work = list(times[slots:]), [0.0] * len(batch.arrival)
        for i, task in enumerate(batch.maps):
            if not done >> i & 1:
                begin = max(times[0], batch.arrival[task.job])
                over[task.job] = max(over[task.job], begin + task.duration)
                work[task.job] += task.duration
        ends = [
            max(end, _filled(times[:slots], some) if some else 0.0) + tail
            for end, some, tail in zip(over, work, self._tail, strict=True)
        ]
        return batch.cost(ends) < self._limit

    # ---- reduces

    def reduces_fit(self, over: Times) -> bool:
        """Return whether the reduces may cost less than the number if map stages can end at these times."""
        batch = self._batch
        beginning = _Beginning((0.0,) * batch.slots[1], 0.0, over, over)
        known: dict[tuple[int, Times], list[_Beginning]] = {(0, over): [beginning]}
        for _ in batch.reduces:
            longer: dict[tuple[int, Times], list[_Beginning]] = {}
            for (done, _), beginnings in known.items():
                for beginning in beginnings:
                    for i in _next(batch.reduces, done):
                        for after in self._with_reduce(beginning, i, done):
                            self._count()
                            if self._may_end(after, done | 1 << i):
                                _keep_beginning(longer.setdefault((done | 1 << i, after.over), []), after)
            known = longer
        return any(batch.cost(beginning.ends) < self._limit for each in known.values() for beginning in each)

    def _with_reduce(self, b: _Beginning, i: int, done: int) -> Iterator[_Beginning]:
        """Yield the beginnings with one more reduce: on each slot, its map stage ending at each time."""
        batch, task = self._batch, self._batch.reduces[i]
        for over in self._stage_ends(b, task, done):
            for place in self._places(b, over):
                free = b.free[place]
                counts = max(free, over)
                if counts < b.last:
                    continue
                end = self._end(task, free, over)
                left = [*b.free[:place], *b.free[place + 1 :], end]
                if not batch.overlaps:  # what is free before is as good as what is free then
                    left = [max(each, counts) for each in left]
                overs, ends = list(b.over), list(b.ends)
                overs[task.job], ends[task.job] = over, max(ends[task.job], end)
                yield _Beginning(tuple(sorted(left)), counts, tuple(overs), tuple(ends))

    def _stage_ends(self, b: _Beginning, task: Task, done: int) -> list[float]:
        """Return when the map stage of a reduce may end: when its maps have, or when a slot is free."""
        batch, over = self._batch, b.over[task.job]
        own = [i for i, other in enumerate(batch.reduces) if other.job == task.job]
        gains = any(batch.reduces[i].first < batch.reduces[i].typical for i in own)
        if batch.overlaps or not gains or not batch.has_maps[task.job] or any(done >> i & 1 for i in own):
            return [over]
        return [over, *sorted({free for free in b.free if free > over})]

    def _places(self, b: _Beginning, over: float) -> Sequence[int]:
        """Return the slots to try: the one that is free first is no worse, unless waiting on it counts."""
        return range(len(b.free)) if self._batch.overlaps else (0,)

    def _end(self, task: Task, free: float, over: float) -> float:
        """Return when a reduce ends on a slot that is free from some time on."""
        late = max(free, over) + task.typical
        if free > over or not self._batch.has_maps[task.job]:
            return late + task.duration
        early = over + task.first
        if self._batch.overlaps:
            early = max(early, max(free, self._batch.arrival[task.job]) + task.typical)
        return min(late, early) + task.duration

    def _may_end(self, b: _Beginning, done: int) -> bool:
        """Return whether the reduces that are left can end soon enough."""
        batch, ends, work, left = self._batch, list(b.ends), 0.0, set[int]()
        for i, task in enumerate(batch.reduces):
            if not done >> i & 1:
                begin, least = max(b.over[task.job], b.free[0]), batch.least(task)
                ends[task.job], work = max(ends[task.job], begin + least), work + least
                left.add(task.job)
        if batch.cost(ends) >= self._limit or not left:
            return not left
        level = _filled(b.free, work)  # one of these jobs ends no sooner
        return any(
            batch.cost([max(end, level) if j == last else end for j, end in enumerate(ends)]) < self._limit
            for last in left
        )


def _next(tasks: list[Task], done: int) -> Iterator[int]:
    """Yield the tasks that may come next; of equal ones the first."""
    seen: set[Task] = set()
    for i, task in enumerate(tasks):
        if not done >> i & 1 and task not in seen:
            seen.add(task)
            yield i


def _filled(free: Times, work: float) -> float:
    """Return when work is done at the earliest on slots that are free from some times on, first ones first."""
    sums = accumulate(free)
    return min((time + work) / slots for slots, time in enumerate(sums, 1))


def _keep(known: list[Times], times: Times) -> None:
    """Add times unless others are no later in any place; drop those of which that is then true."""
    if any(all(a <= b for a, b in zip(other, times, strict=True)) for other in known):
        return
    known[:] = [
        other for other in known if not all(a <= b for a, b in zip(times, other, strict=True))
    ]
    known.append(times)


def _keep_beginning(known: list[_Beginning], beginning: _Beginning) -> None:
    times = beginning.times()
    if any(all(a <= b for a, b in zip(other.times(), times, strict=True)) for other in known):
        return
    known[:] = [
        other for other in known if not all(a <= b for a, b in zip(times, other.times(), strict=True))
    ]
    known.append(beginning)
