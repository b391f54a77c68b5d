"""What a log says of its cluster's overheads: a few numbers for the log as a whole, never for single jobs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.cluster import Overheads
from core.model.errors import InputError
from core.model.execution_history import CLEANUP, SETUP

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.execution_history import RecordedRun
    from core.model.workload import Workload

HEARTBEATS = (0.3, 1.0, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 10.0)
"""Intervals that are tried; Hadoop 0.20 waits 3 s at least, and then for the answer."""


def overhead_candidates(workload: Workload) -> list[Overheads]:
    """Return what is tried: heartbeats of several intervals, no heartbeats, and no overheads at all."""
    beating = [estimate_overheads(workload, heartbeat) for heartbeat in HEARTBEATS]
    return [*beating, replace(beating[0], heartbeat=0.0, fetch=0.0), Overheads()]


def estimate_overheads(workload: Workload, heartbeat: float) -> Overheads:
    """Return what the log says of its cluster, given the interval of heartbeats in seconds.

    Setup and cleanup are the medians of those tasks. The first task of a job is its setup: it starts when
    some host has asked (half of the interval divided by the hosts, on average) and fetched the job. Launches
    are left out: a replay lets jobs arrive at their launch; see `launch_pace`.
    """
    run = run_of(workload)
    hosts = max(len(run.hosts), 1)
    seconds = run.end - run.start
    first = _first_start(run) - run.launch
    return Overheads(
        launch_delay=0.0,
        setup=_median(seconds[run.kind == SETUP]),
        cleanup=_median(seconds[run.kind == CLEANUP]),
        fetch=round(max(_median(first) - heartbeat / (2 * hosts), 0.0), 3),
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


def _first_start(run: RecordedRun) -> NDArray[np.float64]:
    """Return when the first attempt of each job started, nan if none is known, (jobs,)."""
    first = np.full(len(run.jobs), np.inf)
    known = np.isfinite(run.start)
    np.minimum.at(first, run.job[known], run.start[known])
    return np.where(np.isfinite(first), first, np.nan)
