"""All jobs of a workload at once: there may be a million, which as objects take hundreds of MB.

Those of a large log are columns, `JobColumns`, and become objects where somebody asks for them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import chain, repeat
from operator import attrgetter, itemgetter
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, overload

import numpy as np

from core.model.in_parts import slices
from core.model.job import Job
from core.model.stages import MAP_REDUCE
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.model.coded_values import CodedValues
    from core.model.stages import Stage

TimesOfTasks = tuple["NDArray[np.float64]", "NDArray[np.float64]", "NDArray[np.float64]"]
JOBS_AT_ONCE = 1 << 14
"""Jobs that are made together."""
_PLAIN = Job("")


class StagesOfJobs(Protocol):
    """The maps and reduces of many MapReduce jobs."""

    @property
    def counts(self) -> NDArray[np.int32]:
        """The number of maps and of reduces of each job, (jobs, 2)."""

    @property
    def seconds(self) -> Sequence[NDArray[np.float64]]:
        """Times that stages have, the shortest and the longest among them.

        Of stages of no job there may be more, if they break no rule.
        """

    def at(self, places: NDArray[np.int64]) -> StagesOfJobs:
        """Return those of some of the jobs."""

    def of(self, begin: int, end: int) -> list[tuple[Stage, Stage]]:
        """Return those of neighbouring jobs."""

    def task_times(self) -> TimesOfTasks:
        """Return durations, first and typical shuffles of tasks, s, (tasks,) each; maps before reduces."""


class JobColumns(Sequence[Job]):
    """MapReduce jobs that have a name, two stages, an arrival, a pool and a user, and nothing else.

    A job that was asked for is kept, so that it is the same one ever after. Copied or sent to another process
    they are a tuple.

    Attributes
    ----------
    names : of each
    arrivals : of each, s, (jobs,)
    pools, users : of each
    stages : of each
    """

    def __init__(
        self,
        names: Sequence[str],
        arrivals: NDArray[np.float64],
        pools: CodedValues[str],
        users: CodedValues[str],
        stages: StagesOfJobs,
    ) -> None:
        self.names, self.arrivals = names, arrivals
        self.pools, self.users, self.stages = pools, users, stages
        self._made: list[Job | None] = []
        self._lock = Lock()

    def placed(self, names: Sequence[str], arrivals: NDArray[np.float64]) -> JobColumns:
        """Return the jobs under these names, arriving at these times."""
        return JobColumns(names, arrivals, self.pools, self.users, self.stages)

    def at(self, places: NDArray[np.int64]) -> JobColumns:
        """Return the jobs at these places, in this order."""
        names = items_at(self.names, places)
        columns = (self.pools.at(places), self.users.at(places), self.stages.at(places))
        return JobColumns(names, self.arrivals[places], *columns)

    def with_stages(self, stages: StagesOfJobs) -> JobColumns:
        """Return the jobs with other stages."""
        return JobColumns(self.names, self.arrivals, self.pools, self.users, stages)

    def values(self, name: str) -> Iterable[Any]:  # Any: as the field is
        """Return the value of a field of each job, which makes no job."""
        if name == "arrival":
            return chain.from_iterable(part.tolist() for part in slices(self.arrivals))
        known = {"name": self.names, "pool": self.pools, "user": self.users}
        return known[name] if name in known else repeat(getattr(_PLAIN, name), len(self))

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, place: int) -> Job: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Job, ...]: ...
    def __getitem__(self, place: int | slice) -> Job | tuple[Job, ...]:
        """Return one job, or some."""
        if isinstance(place, slice):
            which = range(len(self))[place]
            low, high = (min(which), max(which) + 1) if which else (0, 0)
            made = self._some(low, high)
            return tuple([made[number - low] for number in which])
        number = range(len(self))[place]
        return self._some(number, number + 1)[0]

    def __iter__(self) -> Iterator[Job]:
        for begin in range(0, len(self), JOBS_AT_ONCE):
            yield from self._some(begin, min(begin + JOBS_AT_ONCE, len(self)))

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, JobColumns | tuple):
            return self is other
        return len(self) == len(other) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (list(self),)

    def _some(self, begin: int, end: int) -> list[Job]:
        """Return neighbouring jobs, of which those that were never asked for are made."""
        with self._lock:
            self._made = self._made or [None] * len(self)
            kept = self._made[begin:end]
            if not all(kept):
                some = slice(begin, end)
                columns = self.arrivals[some].tolist(), self.pools[some], self.users[some]
                made = plain_jobs(self.names[some], self.stages.of(begin, end), *columns)
                kept = [old or new for old, new in zip(kept, made, strict=True)]
                self._made[begin:end] = kept
            return [job for job in kept if job]


def items_at(items: Any, places: NDArray[np.int64]) -> Any:  # Any: a list, or values that have `at`
    """Return the items of a sequence at these places, in this order."""
    return items.at(places) if hasattr(items, "at") else list(map(items.__getitem__, places.tolist()))


def plain_jobs(
    names: Sequence[str],
    stages: Sequence[tuple[Stage, Stage]],
    arrivals: Sequence[float],
    pools: Sequence[str],
    users: Sequence[str],
) -> list[Job]:
    """Return MapReduce jobs that have only this; it takes a third of the time of making each by itself."""
    given = {"name": names, "stages": stages, "arrival": arrivals, "pool": pools, "user": users}
    jobs = list(map(Job.__new__, repeat(Job, len(names))))
    for each in fields(Job):
        values = given.get(each.name, repeat(getattr(_PLAIN, each.name)))
        deque(map(getattr(Job, each.name).__set__, jobs, values), maxlen=0)
    return jobs


def values_of(jobs: Iterable[Job], name: str) -> Iterable[Any]:  # Any: as the field is
    """Return the value of a field of each job; there may be a million jobs."""
    return jobs.values(name) if isinstance(jobs, JobColumns) else map(attrgetter(name), jobs)


def are_map_reduce(jobs: Sequence[Job]) -> bool:
    """Whether all jobs share the one graph of MapReduce."""
    return all(map(id(MAP_REDUCE).__eq__, map(id, values_of(jobs, "graph"))))


def stages_of(jobs: Iterable[Job]) -> Iterator[Stage]:
    """Yield the stages of jobs, one job after the other; there may be a million jobs."""
    return chain.from_iterable(map(attrgetter("stages"), jobs))


def have_links(jobs: Iterable[Job]) -> bool:
    """Return whether any of these jobs follows another one; there may be a million."""
    return any(values_of(jobs, "after"))


def tasks_of(jobs: Sequence[Job]) -> int:
    """Return how many tasks all jobs have together; there may be a million jobs."""
    if isinstance(jobs, JobColumns):
        return int(jobs.stages.counts.sum(dtype=np.int64))
    return sum(map(attrgetter("count"), stages_of(jobs)))


def tasks_by_type(jobs: Sequence[Job]) -> tuple[int, int]:
    """Return how many tasks run on map slots and how many on reduce slots; there may be a million jobs."""
    if isinstance(jobs, JobColumns):
        maps, reduces = jobs.stages.counts.sum(axis=0, dtype=np.int64).tolist()
    elif are_map_reduce(jobs):
        of_type = (map(itemgetter(kind), map(attrgetter("stages"), jobs)) for kind in TASK_TYPES)
        maps, reduces = (sum(map(attrgetter("count"), stages)) for stages in of_type)
    else:
        maps, reduces = (sum(job.count_of(kind) for job in jobs) for kind in TASK_TYPES)
    return maps, reduces
