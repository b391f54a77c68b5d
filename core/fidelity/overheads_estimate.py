"""What a log says of its cluster's overheads: a few numbers for the log as a whole, never for single jobs."""

from __future__ import annotations

from dataclasses import fields
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from core.model.cluster import Overheads, overheads_of
from core.model.errors import InputError
from core.model.execution_history import CLEANUP, SETUP, most_at_once
from core.model.workload import MAP, REDUCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.execution_history import RecordedRun
    from core.model.workload import Workload

HEARTBEATS = (0.0, 0.3, 1.0, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 10.0)
"""Intervals that are tried, 0 for none; Hadoop 0.20 waits 3 s at least, and then for the answer."""


def pooled(estimates: Sequence[Overheads]) -> Overheads:
    """Return what the estimates of several logs of one cluster say together: the medians, field by field.

    A 0 is what a log has not shown, such as the time between launches where no two jobs waited; the heartbeat
    is given to all estimates alike.
    """
    names = [field.name for field in fields(Overheads)]
    shown = {name: [value for each in estimates if (value := getattr(each, name))] for name in names}
    return overheads_of({name: round(median(values), 3) for name, values in shown.items() if values})


def estimate_overheads(workload: Workload, heartbeat: float) -> Overheads:
    """Return what the log says of its cluster, given the interval of heartbeats in seconds.

    Setup and cleanup are the medians of those tasks. The first task of a job is its setup: it starts when
    some host has asked (half of the interval divided by the hosts, on average) and fetched the job. Without
    heartbeats nothing is told apart as fetching. Launches: see `launch_pace`.
    """
    run = run_of(workload)
    delay, interval = launch_pace(workload)
    hosts = max(len(run.hosts), 1)
    seconds = run.end - run.start
    return Overheads(
        launch_delay=delay,
        launch_interval=interval,
        setup=_median(seconds[run.kind == SETUP]),
        cleanup=_median(seconds[run.kind == CLEANUP]),
        fetch=round(max(_median(first_waits(run)) - heartbeat / (2 * hosts), 0.0), 3) if heartbeat else 0.0,
        heartbeat=heartbeat,
        hosts=hosts,
    )


MOST_BETWEEN_LAUNCHES = 60.0
"""Seconds between two launches that are believed; if more pass, the cluster stood still."""


def launch_pace(workload: Workload) -> tuple[float, float]:
    """Return how long a job's launch takes and how far launches are apart while several jobs wait, seconds.

    The first is the median time from submission to launch of the jobs that were alone in waiting, the second
    the mean time between two launches of which the later job was submitted before the earlier one (two may
    come at once). Each is 0 where the log has no such jobs; the delay is then that of its first job.
    """
    run = run_of(workload)
    known = np.flatnonzero(np.isfinite(run.launch) & np.isfinite(run.submit))
    known = known[np.argsort(run.launch[known], kind="stable")]
    submit, launch = run.submit[known], run.launch[known]
    between = np.diff(launch)
    waited = submit[1:] < launch[:-1]
    alone = (launch - submit)[np.r_[True, ~waited][: len(known)]]
    apart = between[waited & (between <= MOST_BETWEEN_LAUNCHES)]
    return max(_median(alone), 0.0), round(float(apart.mean()), 3) if len(apart) else 0.0


def run_of(workload: Workload) -> RecordedRun:
    """Return what a log recorded; InputError if there is none."""
    if workload.recorded is None:
        raise InputError(
            f"{workload.name} does not say what really ran; give a log, or a document imported from one"
        )
    return workload.recorded


def _median(values: NDArray[np.float64]) -> float:
    known = values[np.isfinite(values)]
    return round(float(np.median(known)), 3) if len(known) else 0.0


def first_waits(run: RecordedRun) -> NDArray[np.float64]:
    """Return how long jobs waited from their launch to their first task, seconds, (such jobs,).

    Queueing is not fetching: none of these waited longer than any job at whose launch a host had a free map
    slot. Where there is no such job (no host has shown itself before a log's first one), it is the shortest.
    """
    waits = _first_start(run) - run.launch
    known = np.isfinite(waits)
    free = known & _has_free_map_slot(run, run.launch)
    longest = waits[free].max() if free.any() else max(np.min(waits, initial=np.inf, where=known), 0.0)
    first: NDArray[np.float64] = waits[known & (waits <= longest)]
    return first


def _first_start(run: RecordedRun) -> NDArray[np.float64]:
    """Return when each job's setup started, or its first task if it has none, nan if not known, (jobs,)."""
    first = np.full((2, len(run.jobs)), np.inf)
    for place, kinds in enumerate(((SETUP,), (MAP, REDUCE))):
        known = np.isin(run.kind, kinds) & np.isfinite(run.start)
        np.minimum.at(first[place], run.job[known], run.start[known])
    begin = np.where(np.isfinite(first[0]), *first)
    return np.where(np.isfinite(begin), begin, np.nan)


def _has_free_map_slot(run: RecordedRun, times: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return whether hosts had a free map slot at each time, by what they ran before and after, (times,).

    A host is there from its first start to its last end, with as many map slots as it ever used at once.
    """
    on_maps = np.flatnonzero(run.has_ended & (run.kind != REDUCE) & (run.host >= 0))
    on_maps = on_maps[np.argsort(run.host[on_maps], kind="stable")]
    hosts = np.split(on_maps, np.flatnonzero(np.diff(run.host[on_maps])) + 1)
    slots = [most_at_once(run.start[mine], run.end[mine]) for mine in hosts if len(mine)]
    there = [(run.start[mine].min(), run.end[mine].max()) for mine in hosts if len(mine)]
    come, gone = np.repeat(np.array(there).reshape(-1, 2), slots, axis=0).T
    return _at(come, gone, times) > _at(run.start[on_maps], run.end[on_maps], times)


def _at(
    begins: NDArray[np.float64], ends: NDArray[np.float64], times: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return how many of the intervals hold each time, (times,)."""
    held: NDArray[np.int64] = np.searchsorted(np.sort(begins), times, "right") - np.searchsorted(
        np.sort(ends), times, "right"
    )
    return held
