"""Overheads of a cluster by its log: a few numbers for the log as a whole, never for single jobs."""

from __future__ import annotations

from dataclasses import replace
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.fidelity.host_stalls import host_stalls
from core.fidelity.maps_given_together import AT_ONCE, maps_given_together
from core.model.errors import InputError
from core.model.in_parts import most_at_once
from core.model.overheads import LONGEST_OVERHEAD, Overheads
from core.model.task_types import CLEANUP, SETUP, TASK_TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.recorded_run import RecordedRun
    from core.model.workload import Workload

    Seconds = NDArray[np.float64]

HEARTBEATS = (0.0, 0.3, 1.0, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 10.0, 15.0)
"""Intervals that are tried where logs show none, 0 for none at all; Hadoop 0.20 waits 3 s, or longer."""
ALIKE, MAX = 0.02, 0.5
"""Distances are alike if they differ from their median by such a part of it at most; so many must be."""


class Estimate(NamedTuple):
    """What a log shows of its cluster, but for the interval of heartbeats.

    Attributes
    ----------
    overheads : what does not depend on it
    jobs : how many it has: it counts by them
    first_waits : how long jobs waited for their first task, seconds, (such jobs,)
    delays : how long jobs waited from when they left the line to their launch, seconds, (such jobs,)
    taskless : the most jobs that were ever launched and had no task
    late_ends : how long after the end of its last attempt a job finished, seconds
    """

    overheads: Overheads
    jobs: int
    first_waits: Seconds
    delays: Seconds
    taskless: int
    late_ends: float

    def at(self, heartbeat: float) -> Overheads:
        """Return the overheads, given the interval of heartbeats in seconds.

        The first task of a job is its setup: it starts when some host has asked (half of the interval divided
        by the hosts, on average) and fetched the job. Without heartbeats nothing is told apart as fetching.
        Where jobs finish a quarter of the interval or more after their last attempt, ends become known with a
        host's heartbeats.
        """
        return replace(
            self.overheads,
            fetch=_median(self.fetches(heartbeat)),
            heartbeat=heartbeat,
            ends_known_after=int(0 < heartbeat <= 4 * self.late_ends),
        )

    def fetches(self, heartbeat: float) -> Seconds:
        """Return how long hosts seem to have fetched each job, given the interval, seconds, (such jobs,)."""
        if not heartbeat:
            return np.zeros(0)
        fetches: Seconds = np.maximum(self.first_waits - heartbeat / (2 * self.overheads.hosts), 0.0)
        return fetches


def estimate_overheads(workload: Workload) -> Estimate:
    """Return what the log shows of its cluster; setup and cleanup are the medians of those tasks.

    Launches: see `launch_pace`; the wait for a first task: see `first_waits`.
    """
    run = run_of(workload)
    pace = launch_pace(workload)
    seconds = np.maximum(run.end - run.start, 0.0)  # clocks differ
    overheads = Overheads(
        launch_delay=pace.delay,
        launch_interval=pace.interval,
        launched_ahead=pace.ahead,
        setup=_median(seconds[run.kind == SETUP]),
        cleanup=_median(seconds[run.kind == CLEANUP]),
        hosts=max(len(run.hosts), 1),
        maps_per_heartbeat=max(maps_given_together(run), 1),
    )
    late_ends = _median(run.finish - _ends(run))
    return Estimate(overheads, len(workload.jobs), first_waits(run), pace.delays, pace.taskless, late_ends)


class LaunchPace(NamedTuple):
    """How jobs of a log were launched.

    Attributes
    ----------
    delays : from when a job left the line until its launch, seconds, (such jobs,); where nothing keeps jobs
        in line, of those that were submitted after the launch of the one before
    interval : between two launches, seconds, if the later job had left the line before the earlier launch:
        three of four are as far apart at least; 0 where there are none
    ahead : the most jobs that were launched and had no task, if others waited in line for that; else 0
    taskless : that number in any case
    """

    delays: Seconds
    interval: float
    ahead: int
    taskless: int

    @property
    def delay(self) -> float:
        """The median of the delays, seconds."""
        return _median(self.delays)


def launch_pace(workload: Workload) -> LaunchPace:
    """Return how the jobs of a log were launched.

    A job leaves the line when it is submitted; or, where no more than some jobs may be launched and without a
    task, when one of those before it has got its first. That there is such a limit is believed if it explains
    more than half of the longest wait.
    """
    run = run_of(workload)
    known = np.flatnonzero(np.isfinite(run.launch) & np.isfinite(run.submit))
    if not len(known):
        return LaunchPace(np.zeros(0), 0.0, 0, 0)
    known = known[np.argsort(run.launch[known], kind="stable")]
    submit, launch = run.submit[known], run.launch[known]
    first = _firsts(run, TASK_TYPES)
    first = np.where(np.isfinite(first), first, run.finish)[known]
    first = np.where(np.isfinite(first), first, launch)  # nobody knows how long it kept others in line
    taskless = ahead = int(_at(launch, first, launch).max())
    left = _left_line(submit, first, ahead)
    if 2 * (launch - left).max() >= (launch - submit).max():
        ahead, left = 0, submit
    waited = np.r_[False, left[1:] < launch[:-1]]
    apart = np.diff(launch)[waited[1:]]
    interval = min(float(np.quantile(apart, 0.25)), LONGEST_OVERHEAD) if len(apart) else 0.0
    alone = np.maximum((launch - left)[~waited | (ahead > 0)], 0.0)
    return LaunchPace(alone, round(interval, 3), ahead, taskless)


def _left_line(submit: Seconds, first: Seconds, ahead: int) -> Seconds:
    """Return when each job left the line, in the order of their launches, (jobs,).

    Parameters
    ----------
    submit, first : when each was submitted and got its first task, (jobs,)
    ahead : so many of those before may not have theirs
    """
    left = submit.copy()
    latest: list[float] = []  # the heap of the latest first tasks so far, as many as may be without
    for job, time in enumerate(first.tolist()):
        if job >= ahead > 0:
            left[job] = max(left[job], latest[0])
        heappush(latest, time)
        if len(latest) > ahead:
            heappop(latest)
    return left


def seen_heartbeat(workload: Workload) -> float:
    """Return the interval of heartbeats that a log shows, seconds; 0 if it shows none.

    A host starts a task, nothing ends on it, and it starts another: it asked for that by a heartbeat, and
    their distance is the interval, if neither was its job's first on the host, which fetches. Such distances
    are believed if half of them are alike; else tasks waited for something besides.
    """
    run = run_of(workload)
    known = np.flatnonzero(run.has_ended & (run.host >= 0))
    known = known[np.lexsort((run.start[known], run.host[known]))]
    pair = known[:-1], known[1:]
    fetches = _is_first_of_job(run, known)
    begins, next_begins = (run.start[each] for each in pair)
    is_apart = (run.host[pair[0]] == run.host[pair[1]]) & ~fetches[:-1] & ~fetches[1:]
    is_apart &= (next_begins - begins > AT_ONCE) & (_next_end(run, known)[:-1] > next_begins)
    apart = (next_begins - begins)[is_apart]
    interval = _median(apart)
    is_alike = len(apart) > 0 and np.mean(np.abs(apart - interval) <= ALIKE * interval) >= MAX
    return interval if is_alike else 0.0


def _is_first_of_job(run: RecordedRun, attempts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which attempts are the first of their job on their host, in the order of starts, (attempts,)."""
    pair = run.job[attempts].astype(np.int64) * len(run.hosts) + run.host[attempts]
    first = np.zeros(len(attempts), np.bool_)
    first[np.unique(pair, return_index=True)[1]] = True
    return first


def _next_end(run: RecordedRun, attempts: NDArray[np.int64]) -> Seconds:
    """Return when something ends next on its host after each attempt started, (attempts,).

    The attempts are all of their hosts, host by host.
    """
    ends = attempts[np.lexsort((run.end[attempts], run.host[attempts]))]
    edges = np.searchsorted(run.host[ends], np.arange(len(run.hosts) + 1))
    after = [
        np.searchsorted(run.end[ends[low:high]], run.start[attempts[low:high]], "right") + low
        for low, high in pairwise(edges.tolist())
    ]
    # each attempt ends after its own start, or when it starts: then what ends next is another's, or nothing
    place = np.concatenate(after) if after else np.zeros(0, np.int64)
    is_there = place < edges[run.host[attempts] + 1]
    return np.where(is_there, run.end[ends[np.minimum(place, len(ends) - 1)]], np.inf)


def _ends(run: RecordedRun) -> Seconds:
    """Return when the last attempt of each job ended, -inf if that is not known, (jobs,)."""
    last = np.full(len(run.jobs), -np.inf)
    known = np.isfinite(run.end)
    np.maximum.at(last, run.job[known], run.end[known])
    return last


def run_of(workload: Workload) -> RecordedRun:
    """Return what a log recorded; InputError if there is none."""
    if workload.recorded is None:
        raise InputError(
            f"{workload.name} does not say what really ran; give a log, or a document imported from one"
        )
    return workload.recorded


def _median(values: Seconds) -> float:
    known = values[np.isfinite(values)]
    return min(round(float(np.median(known)), 3), LONGEST_OVERHEAD) if len(known) else 0.0


def first_waits(run: RecordedRun) -> Seconds:
    """Return how long jobs waited from their launch to their first task, seconds, (such jobs,).

    Queueing is not fetching: none of these waited longer than any job at whose launch a host had a free map
    slot. Where there is no such job (no host has shown itself before a log's first one), it is the shortest.
    Nor are stalls of hosts: jobs that one held do not count.
    """
    waits = _first_start(run) - run.launch
    known = np.isfinite(waits)
    for stall in host_stalls(run):
        known[run.job[list(stall.held)]] = False
    free = known & _has_free_map_slot(run, run.launch)
    longest = waits[free].max() if free.any() else max(np.min(waits, initial=np.inf, where=known), 0.0)
    first: Seconds = waits[known & (waits <= longest)]
    return first


def _first_start(run: RecordedRun) -> Seconds:
    """Return when each job's setup started, or its first task if it has none, nan if not known, (jobs,)."""
    setup = _firsts(run, (SETUP,))
    begin = np.where(np.isfinite(setup), setup, _firsts(run, TASK_TYPES))
    return np.where(np.isfinite(begin), begin, np.nan)


def _firsts(run: RecordedRun, kinds: tuple[int, ...]) -> Seconds:
    """Return when the first attempt of these kinds of each job started, infinity if not known, (jobs,)."""
    first = np.full(len(run.jobs), np.inf)
    known = np.isin(run.kind, kinds) & np.isfinite(run.start)
    np.minimum.at(first, run.job[known], run.start[known])
    return first


def _has_free_map_slot(run: RecordedRun, times: Seconds) -> NDArray[np.bool_]:
    """Return whether hosts had a free map slot at each time, by what they ran before and after, (times,).

    A host is there from its first start to its last end, with as many map slots as it ever used at once.
    """
    on_maps = np.flatnonzero(run.has_ended & (run.slot_type == TASK_TYPES[0]) & (run.host >= 0))
    on_maps = on_maps[np.argsort(run.host[on_maps], kind="stable")]
    hosts = np.split(on_maps, np.flatnonzero(np.diff(run.host[on_maps])) + 1)
    slots = [most_at_once(run.start[mine], run.end[mine]) for mine in hosts if len(mine)]
    there = [(run.start[mine].min(), run.end[mine].max()) for mine in hosts if len(mine)]
    come, gone = np.repeat(np.array(there).reshape(-1, 2), slots, axis=0).T
    return _at(come, gone, times) > _at(run.start[on_maps], run.end[on_maps], times)


def _at(begins: Seconds, ends: Seconds, times: Seconds) -> NDArray[np.int64]:
    """Return how many of the intervals hold each time, (times,)."""
    held: NDArray[np.int64] = np.searchsorted(np.sort(begins), times, "right") - np.searchsorted(
        np.sort(ends), times, "right"
    )
    return held
