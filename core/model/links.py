"""Links between jobs: a job that follows others arrives when they have ended and some time has passed.

What one driver submits one after the other is a chain of linked jobs; the time between is its think time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.job import Link
from core.model.kept_read_only import KeptReadOnly, read_only
from core.model.limits import MAX_SECONDS
from core.model.many_jobs import have_links, values_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from core.model.job import Job


@dataclass(frozen=True, slots=True)
class LinkColumns(KeptReadOnly):
    """All links of a workload; every array is read-only.

    Attributes
    ----------
    before, follower : the job that ends first and the one that follows it, by both, int32 (links,)
    think : seconds between, (links,)
    fixed : before when each job does not arrive, whatever it follows, (jobs,)
    """

    before: NDArray[np.int32]
    follower: NDArray[np.int32]
    think: NDArray[np.float64]
    fixed: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.before)

    @property
    def follows(self) -> NDArray[np.bool_]:
        """Whether each job follows another one, (jobs,)."""
        linked = np.zeros(len(self.fixed), bool)
        linked[self.follower] = True
        return linked

    def arrivals(self, finish: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return when each job arrives, in s, (jobs,).

        Parameters
        ----------
        finish : when each job ends, infinity while that is not known, (jobs,)
        """
        if not len(self):
            return self.fixed
        arrival = self.fixed.copy()
        np.maximum.at(arrival, self.follower, finish[self.before] + self.think)
        return read_only(arrival)

    def earliest_arrivals(self, alone: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return when each job arrives if every job takes as long as it does alone, in s, (jobs,).

        Parameters
        ----------
        alone : seconds from each job's arrival to its end, (jobs,)
        """
        arrival = self.fixed.copy()
        for place in _in_turn(self.before, self.follower, len(arrival)) or ():
            before, follower = self.before[place], self.follower[place]
            arrival[follower] = max(arrival[follower], arrival[before] + alone[before] + self.think[place])
        return read_only(arrival)

    def rests(self, alone: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how long what follows each job takes at least, from its end on, in s, (jobs,).

        Parameters
        ----------
        alone : seconds from each job's arrival to its end, (jobs,)
        """
        rest = np.zeros(len(self.fixed))
        for place in reversed(_in_turn(self.before, self.follower, len(rest)) or ()):
            before, follower = self.before[place], self.follower[place]
            rest[before] = max(rest[before], self.think[place] + alone[follower] + rest[follower])
        return rest


def link_columns(jobs: Sequence[Job]) -> LinkColumns:
    """Return the links of jobs as columns."""
    fixed = np.fromiter(values_of(jobs, "arrival"), np.float64, len(jobs))
    found: list[tuple[int, int, float]] = []
    if have_links(jobs):
        index = {job.name: i for i, job in enumerate(jobs)}
        found = sorted(
            (index[link.job], follower, link.think) for follower, job in enumerate(jobs) for link in job.after
        )
    before, follower, think = zip(*found, strict=True) if found else ((), (), ())
    arrays = (
        np.array(before, np.int32),
        np.array(follower, np.int32),
        np.array(think, np.float64),
        fixed,
    )
    for array in arrays:
        read_only(array)
    return LinkColumns(*arrays)


def _in_turn(before: Iterable[int], follower: Iterable[int], jobs: int) -> list[int] | None:
    """Return the links in an order in which all that lead to a job come before those that begin at it.

    None if they go round in a circle.
    """
    ends = list(map(int, follower))
    links: dict[int, list[int]] = {}
    for place, begin in enumerate(before):
        links.setdefault(int(begin), []).append(place)
    open_links = np.bincount(np.array(ends, np.int64), minlength=jobs).tolist()
    ready, turn = [job for job in links if not open_links[job]], list[int]()
    while ready:
        for place in links.get(ready.pop(), ()):
            turn.append(place)
            open_links[ends[place]] -= 1
            if not open_links[ends[place]]:
                ready.append(ends[place])
    return turn if len(turn) == len(ends) else None


# ---- what becomes of links when jobs do


def renamed_links(jobs: Iterable[Job], names: Mapping[str, str]) -> tuple[Job, ...]:
    """Return jobs whose links know other jobs by their new names, `names` of old ones."""
    return tuple(
        replace(job, after=tuple(replace(link, job=names.get(link.job, link.job)) for link in job.after))
        if any(link.job in names for link in job.after)
        else job
        for job in jobs
    )


def named_apart(jobs: Iterable[Job], taken: Iterable[str] = ()) -> tuple[Job, ...]:
    """Return the jobs with names that differ from each other and from those taken: J1, J1 (2), J1 (3).

    Who followed a job follows it under its new name, and the first one of several of one name.
    """
    names = set(taken)
    numbers: dict[str, int] = {}
    first: dict[str, str] = {}
    apart = []
    for job in jobs:
        name, number = job.name, numbers.get(job.name, 1)
        while name in names:
            number += 1
            name = f"{job.name} ({number})"
        numbers[job.name] = number
        names.add(name)
        first.setdefault(job.name, name)
        apart.append(job if name == job.name else replace(job, name=name))
    return renamed_links(apart, first)


def links_among(jobs: Sequence[Job]) -> tuple[Job, ...]:
    """Return jobs that follow only one another: a link to any other job is cut, to arrive at a fixed time."""
    names = {job.name for job in jobs if job.name} if have_links(jobs) else set[str]()
    return tuple(
        replace(job, after=kept)
        if len(kept := tuple(link for link in job.after if link.job in names)) < len(job.after)
        else job
        for job in jobs
    )


def linked_past(jobs: Sequence[Job], before: Sequence[Job]) -> tuple[Job, ...]:
    """Return jobs of which none follows a job that is gone.

    A job follows instead what the job that is gone followed, the think times added, and arrives no earlier
    than that one's own time of arrival and the think time say. So of A, B 5 s after A, and C 2 s after B, C
    comes 7 s after A when B is taken away, and 2 s after the time at which B came when B followed none.

    Parameters
    ----------
    before : the jobs as they were, those that are gone among them
    """
    if not have_links(jobs):
        return tuple(jobs)
    names = {job.name for job in jobs}
    gone = {job.name: job for job in before if job.name not in names}
    if not gone:
        return tuple(jobs)
    return tuple(_past(job, gone) if any(link.job in gone for link in job.after) else job for job in jobs)


def _past(job: Job, gone: Mapping[str, Job]) -> Job:
    arrival, open_links, kept = job.arrival, list(job.after), dict[str, Link]()
    while open_links:
        link = open_links.pop(0)
        if link.job in gone:
            lost = gone[link.job]
            if lost.arrival or not lost.after:
                arrival = max(arrival, min(lost.arrival + link.think, MAX_SECONDS))
            open_links += [_longer(each, link) for each in lost.after]
        elif link.job not in kept or kept[link.job].think < link.think:
            kept[link.job] = link
    return replace(job, arrival=arrival, after=tuple(kept.values()))


def _longer(link: Link, by: Link) -> Link:
    return Link(link.job, min(link.think + by.think, MAX_SECONDS), link.inferred or by.inferred)
