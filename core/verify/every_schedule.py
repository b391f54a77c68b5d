"""Whether a schedule of a few tasks is better than a number, for `core.verify.check`: all of them are tried.

In two parts, since the maps of a job matter to its reduces by when the last of them ends only.

First the maps: in every order, each map on the slot that is free first. No schedule has them earlier, as
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

from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Floats = NDArray[np.float64]
Times = tuple[float, ...]
MAX_TASKS, MAX_STEPS, MAKES = 20, 4_000_000, 30
"""Tasks, and the most that is done before the rule gives up: comparing two beginnings of schedules is a step,
and making one so many."""
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


class CostOfEnds(NamedTuple):
    """What ends of jobs cost: the last of all; of each its seconds; and those after its deadline, or any.

    None of it is ever less when a job ends later.
    """

    makespan: float
    second: Times
    late_second: float
    late: float
    arrival: Times
    due: Times

    @classmethod
    def of(cls, objective: Mapping[str, float], arrival: Floats, weight: Floats, due: Floats) -> CostOfEnds:
        """Return it by the weights of objectives, by their names."""
        mean, weighted = (objective.get(f"{name}-response", 0.0) for name in ("mean", "weighted"))
        second = mean / len(arrival) + weighted * weight / max(weight.sum(), 1e-300)
        makespan, late_second, late = (objective.get(f, 0.0) for f in ("makespan", "tardiness", "late-jobs"))
        columns = (tuple(each.tolist()) for each in (second, arrival, due))
        return cls(makespan, next(columns), late_second, late, *columns)

    def value(self, ends: Sequence[float]) -> float:
        """Return what it is when jobs end at these times."""
        value = self.makespan * max(ends)
        for end, second, came, due in zip(ends, self.second, self.arrival, self.due, strict=True):
            value += second * (end - came)
            if end > due:
                value += self.late + self.late_second * (end - due)
        return value

    def alike(self, ends: Sequence[float]) -> Times:
        """Return late times that do as well as these, as long as the value is low enough with these."""
        if not any(self.second):
            if not self.makespan:
                return tuple(
                    due if end <= due else end if self.late_second else np.inf
                    for end, due in zip(ends, self.due, strict=True)
                )
            if not (self.late or self.late_second):
                return ()
        return tuple(ends)


class FewJobs(NamedTuple):
    """What is scheduled.

    Attributes
    ----------
    maps, reduces : the tasks
    slots : for maps and for reduces
    has_maps : whether each job has some: only then a reduce can be there before its map stage ends
    overlaps : whether a shuffle takes the typical time at least from the start of the task on
    cost : of the ends of the jobs, with their arrivals
    """

    maps: list[Task]
    reduces: list[Task]
    slots: tuple[int, int]
    has_maps: tuple[bool, ...]
    overlaps: bool
    cost: CostOfEnds

    def least(self, task: Task) -> float:
        """Return what a reduce takes at least from the end of its map stage on."""
        shuffle = min(task.first, task.typical) if self.has_maps[task.job] else task.typical
        return shuffle + task.duration

    def end(self, task: Task, free: float, over: float, *, fills: bool = True) -> float:
        """Return when a reduce ends on a slot that is free from some time on, by the end of its map stage.

        It may be there before that, if it `fills` the slot.
        """
        late = max(free, over) + task.typical
        if free > over or not (fills and self.has_maps[task.job]):
            return late + task.duration
        early = over + task.first
        if self.overlaps:
            early = max(early, max(free, self.cost.arrival[task.job]) + task.typical)
        return min(late, early) + task.duration


_Key = tuple[int, Times, tuple[int, ...]]


class _Beginning(NamedTuple):
    """Reduces that have been placed: when each slot is free, and from when the last one counts.

    `over` is when each map stage ends: as soon as its maps allow, where none of its reduces has been placed;
    `ends` is when each job ends at least. At the end of a map stage a slot holds one reduce: where some take
    no time then, `fillers` counts them.
    """

    free: Times
    last: float
    over: Times
    ends: Times
    fillers: tuple[int, ...]


def rule_of_every_schedule(checker: Any, part: dict[str, Any]) -> float:  # Any: of `core.verify.check`
    """Return the number that a part of a proof gives if no schedule is below; NotShownError if one may be."""
    if not (checker.is_typed and checker.is_map_reduce) or len(checker.links.think) or checker.comes_and_goes:
        raise NotShownError("schedules are tried of maps and reduces on slots of both kinds that stay only")
    columns = checker.job, checker.duration, checker.first, checker.typical
    tasks = [Task(*each) for each in zip(*(each.tolist() for each in columns), strict=True)]
    of_kind = [[t for t, k in zip(tasks, checker.kind.tolist(), strict=True) if k == kind] for kind in (0, 1)]
    has_maps = tuple((checker.stages.tasks[0::2] > 0).tolist())
    cost = CostOfEnds.of(checker.document["objective"], checker.fixed, checker.weight, checker.deadline)
    batch = FewJobs(of_kind[0], of_kind[1], tuple(checker.slots), has_maps, checker.model == "overlap", cost)
    if is_any_better(batch, part["value"]):
        raise NotShownError(f"trying all schedules does not exclude that one is below {part['value']!r}")
    return float(part["value"])


def is_any_better(batch: FewJobs, than: float) -> bool:
    """Return whether a schedule may cost less than a number; NotShownError if there are too many to try."""
    if len(batch.maps) + len(batch.reduces) > MAX_TASKS:
        raise NotShownError(f"all schedules are tried of at most {MAX_TASKS} tasks")
    if (batch.maps and not batch.slots[0]) or (batch.reduces and not batch.slots[1]):
        return False
    search = _Search(batch, than * (1 - LESS))
    return any(search.reduces_fit(over) for over in search.map_stages())


class _Search:
    def __init__(self, batch: FewJobs, limit: float) -> None:
        self._batch, self._limit, self._steps = batch, limit, 0
        self._jobs = range(len(batch.cost.arrival))
        own = [[batch.least(task) for task in batch.reduces if task.job == j] for j in self._jobs]
        self._counts = {t.job for t in batch.reduces if t.first + t.duration == 0 < t.typical}
        self._tail = [max(*each, sum(each) / batch.slots[1]) if each else 0.0 for each in own]

    def _is_low(self, ends: Sequence[float]) -> bool:
        return self._batch.cost.value(ends) < self._limit

    # ---- maps

    def map_stages(self) -> list[Times]:
        """Return the lists of ends of map stages that no other list is below."""
        batch, slots = self._batch, self._batch.slots[0]
        known: dict[int, list[Times]] = {0: [(*(0.0,) * slots, *batch.cost.arrival)]}
        for _ in batch.maps:
            longer: dict[int, list[Times]] = {}
            for done, beginnings in known.items():
                for i in _next(batch.maps, done):
                    kept = longer.setdefault(done | 1 << i, [])
                    for beginning in beginnings:
                        if times := self._with_map(beginning, batch.maps[i], done | 1 << i):
                            self._keep(kept, times)
            known = longer
        stages: list[Times] = []
        for beginnings in known.values():
            for beginning in beginnings:
                self._keep(stages, beginning[slots:])
        return stages

    def _with_map(self, times: Times, task: Task, done: int) -> Times:
        """Return when slots are free, first ones first, and when map stages end at least, with one more map.

        Nothing, if the maps that are left, and the reduces, cannot end soon enough.
        """
        self._take(MAKES)
        batch, slots, arrival = self._batch, self._batch.slots[0], self._batch.cost.arrival
        over, work = list(times[slots:]), [0.0] * len(arrival)
        end = max(times[0], arrival[task.job]) + task.duration
        over[task.job] = max(over[task.job], end)
        free = (*sorted((*times[1:slots], end)),)
        for i, other in enumerate(batch.maps):
            if not done >> i & 1:
                begin = max(free[0], arrival[other.job])
                over[other.job] = max(over[other.job], begin + other.duration)
                work[other.job] += other.duration
        for j in self._jobs:
            if work[j]:
                over[j] = max(over[j], _filled(free, work[j]))
        is_low = self._is_low([each + tail for each, tail in zip(over, self._tail, strict=True)])
        return (*free, *over) if is_low else ()

    # ---- reduces

    def reduces_fit(self, over: Times) -> bool:
        """Return whether the reduces may cost less than the number if map stages can end at these times."""
        batch = self._batch
        beginning = _Beginning((0.0,) * batch.slots[1], 0.0, over, over, (0,) * len(over))
        known: dict[_Key, dict[Times, _Beginning]] = {(0, over, beginning.fillers): {(): beginning}}
        for _ in batch.reduces:
            longer: dict[_Key, list[Times]] = {}
            found: dict[_Key, dict[Times, _Beginning]] = {}
            for (done, *_), beginnings in known.items():
                for i in _next(batch.reduces, done):
                    for beginning in beginnings.values():
                        for after in self._with_reduce(beginning, i, done):
                            key = done | 1 << i, after.over, after.fillers
                            times = (*after.free, after.last, *batch.cost.alike(after.ends))
                            if self._keep(longer.setdefault(key, []), times):
                                found.setdefault(key, {})[times] = after
            known = {key: {times: found[key][times] for times in kept} for key, kept in longer.items()}
        return any(self._is_low(each.ends) for some in known.values() for each in some.values())

    def _with_reduce(self, b: _Beginning, i: int, done: int) -> Iterator[_Beginning]:
        """Yield the beginnings with one more reduce: on each slot, its map stage ending at each time."""
        batch, task = self._batch, self._batch.reduces[i]
        # the slot that is free first is no worse than any other, unless it counts how long a task is there
        places = range(len(b.free)) if batch.overlaps else (0,)
        for over in self._stage_ends(b, task, done):
            overs = (*b.over[: task.job], over, *b.over[task.job + 1 :])
            for place in places:
                counts = max(b.free[place], over)
                if counts < b.last:
                    continue
                self._take(MAKES)
                end = batch.end(task, b.free[place], over, fills=b.fillers[task.job] < len(b.free))
                fills = task.job in self._counts and end < counts + task.typical + task.duration
                free = [*b.free[:place], *b.free[place + 1 :], end]
                if not batch.overlaps:  # what is free before is as good as what is free then
                    free = [max(each, counts) for each in free]
                ends = [max(each, end) if j == task.job else each for j, each in enumerate(b.ends)]
                fillers = tuple(n + (fills and j == task.job) for j, n in enumerate(b.fillers))
                after = _Beginning((*sorted(free),), counts, overs, tuple(ends), fillers)
                if (least := self._least_ends(after, done | 1 << i)) is not None:
                    yield after._replace(ends=least)

    def _stage_ends(self, b: _Beginning, task: Task, done: int) -> list[float]:
        """Return when the map stage of a reduce may end: when its maps have, or when a slot is free."""
        batch, over = self._batch, b.over[task.job]
        own = [i for i, other in enumerate(batch.reduces) if other.job == task.job]
        gains = any(batch.reduces[i].first < batch.reduces[i].typical for i in own)
        if batch.overlaps or not gains or not batch.has_maps[task.job] or any(done >> i & 1 for i in own):
            return [over]
        return [over, *sorted({free for free in b.free if free > over})]

    def _least_ends(self, b: _Beginning, done: int) -> Times | None:
        """Return when jobs end at least with the reduces that are left; None if that is not soon enough."""
        batch, ends, work, left = self._batch, list(b.ends), 0.0, set[int]()
        for i, task in enumerate(batch.reduces):
            if not done >> i & 1:
                begin, least = max(b.over[task.job], b.free[0]), batch.least(task)
                ends[task.job], work = max(ends[task.job], begin + least), work + least
                left.add(task.job)
        if not self._is_low(ends):
            return None
        level = _filled(b.free, work)  # one of these jobs ends no sooner
        late = ([max(end, level) if j == last else end for j, end in enumerate(ends)] for last in left)
        return tuple(ends) if not left or any(map(self._is_low, late)) else None

    # ---- both

    def _take(self, steps: int) -> None:
        self._steps += steps
        if self._steps > MAX_STEPS:
            raise NotShownError("there are more schedules than it tries")

    def _keep(self, known: list[Times], times: Times) -> bool:
        """Add times unless others are no later in any place; drop those of which that is then true."""
        self._take(len(known))
        if any(_is_no_later(other, times) for other in known):
            return False
        known[:] = [other for other in known if not _is_no_later(times, other)]
        known.append(times)
        return True


def _is_no_later(one: Times, other: Times) -> bool:
    for a, b in zip(one, other, strict=True):  # noqa: SIM110 - a third of the time
        if a > b:
            return False
    return True


def _next(tasks: list[Task], done: int) -> Iterator[int]:
    """Yield the tasks that may come next; of equal ones the first."""
    seen: set[Task] = set()
    for i, task in enumerate(tasks):
        if not done >> i & 1 and task not in seen:
            seen.add(task)
            yield i


def _filled(free: Times, work: float) -> float:
    """Return when work is done at the earliest on slots that are free from some times on, in order."""
    return min((time + work) / slots for slots, time in enumerate(accumulate(free), 1))
