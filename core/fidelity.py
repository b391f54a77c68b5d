"""How true a simulation is: a recorded workload on its recorded cluster, job by job against its log.

001 section IV compares SimMR and Mumak with a real cluster in this way; the third model adds the overheads of
`core.overheads`, whose few numbers are estimated from the log as a whole, never from single jobs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.errors import Cancelled, InputError
from core.overheads import Overheads
from core.recorded_run import CLEANUP, SETUP
from core.schedule import PolicyChoice
from core.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.cluster import Cluster
    from core.recorded_run import RecordedRun
    from core.workload import Workload

HEARTBEATS = (0.3, 1.0, 2.0, 3.0, 4.0, 5.0, 10.0)
"""Intervals that are tried; Hadoop 0.20's shortest one is 3 s."""
FAR_OFF = 0.25
"""Jobs with a larger error are named one by one."""


@dataclass(frozen=True, eq=False)
class Replay:
    """A log simulated by one model.

    Attributes
    ----------
    title : of the model
    cluster : with its shuffle model and overheads
    jobs : names of the jobs that the log has whole
    recorded, simulated : from launch to finish, seconds, (jobs,)
    makespan, recorded_makespan : from the first launch to the last finish, seconds
    """

    title: str
    cluster: Cluster
    jobs: tuple[str, ...]
    recorded: NDArray[np.float64]
    simulated: NDArray[np.float64]
    makespan: float
    recorded_makespan: float

    @property
    def errors(self) -> NDArray[np.float64]:
        """Simulated / recorded - 1, (jobs,)."""
        errors: NDArray[np.float64] = self.simulated / self.recorded - 1
        return errors

    @property
    def makespan_error(self) -> float:
        """Simulated / recorded - 1."""
        return self.makespan / self.recorded_makespan - 1

    @property
    def mean_error(self) -> float:
        """Mean of the jobs' errors without their signs."""
        return float(np.abs(self.errors).mean())

    @property
    def median_error(self) -> float:
        """Median of the jobs' errors without their signs."""
        return float(np.median(np.abs(self.errors)))

    @property
    def largest_error(self) -> float:
        """The largest error without its sign."""
        return float(np.abs(self.errors).max())

    @property
    def far_off(self) -> tuple[str, ...]:
        """Names of the jobs whose error is larger than `FAR_OFF`, the farthest first."""
        errors = np.abs(self.errors)
        return tuple(self.jobs[i] for i in np.argsort(-errors, kind="stable") if errors[i] > FAR_OFF)


@dataclass(frozen=True, eq=False)
class Fidelity:
    """A log against three models: mumak, simmr, and simmr with the overheads estimated from the log."""

    overheads: Overheads
    replays: tuple[Replay, ...]


def check_fidelity(
    workload: Workload,
    policy: str = "fifo",
    *,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Fidelity:
    """Simulate a recorded workload on its own cluster by every model.

    Jobs arrive when the log says that they were launched (submitted, if it does not know).

    Parameters
    ----------
    workload : with what the log recorded
    policy : of the cluster that wrote the log
    progress : called with the fraction that is done
    should_stop : asked after each simulation

    Raises
    ------
    InputError
        the workload was not imported from a log with the times of its jobs
    Cancelled
        `should_stop` said so
    """
    launched, recorded = _launched(workload)
    cluster = replace(launched.cluster, overheads=None)
    candidates = _candidates(workload)
    steps = len(candidates) + 2

    def report(done: int) -> None:
        if progress is not None:
            progress(done / steps)
        if should_stop is not None and should_stop():
            raise Cancelled(f"the check of {workload.name} was cancelled")

    replays = []
    for title in ("mumak", "simmr"):
        replays.append(_replay(title, launched, replace(cluster, shuffle_model=title), policy, recorded))
        report(len(replays))
    if cluster.has_containers:
        return Fidelity(Overheads(), tuple(replays))
    tried = []
    for overheads in candidates:
        title = "simmr with overheads"
        tried.append(_replay(title, launched, replace(cluster, overheads=overheads), policy, recorded))
        report(2 + len(tried))
    best = min(tried, key=lambda replay: (_mean_of_near_errors(replay), replay.mean_error))
    assert best.cluster.overheads is not None
    return Fidelity(best.cluster.overheads, (*replays, best))


def _candidates(workload: Workload) -> list[Overheads]:
    """Return what is tried: heartbeats of several intervals, no heartbeats, and no overheads at all."""
    beating = [estimate_overheads(workload, heartbeat) for heartbeat in HEARTBEATS]
    return [*beating, replace(beating[0], heartbeat=0.0, fetch=0.0), Overheads()]


def estimate_overheads(workload: Workload, heartbeat: float) -> Overheads:
    """Return what the log says of its cluster, given the interval of heartbeats in seconds.

    Setup and cleanup are the medians of those tasks. The first task of a job is its setup: it starts when
    some host has asked (half of the interval divided by the hosts, on average) and fetched the job. The
    launch delay is the median from submission to launch.
    """
    run = _run_of(workload)
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


def _mean_of_near_errors(replay: Replay) -> float:
    """Return the mean error; a job that is far off for other reasons counts no more than `FAR_OFF`."""
    return float(np.minimum(np.abs(replay.errors), FAR_OFF).mean())


def launch_delay(workload: Workload) -> float:
    """Return the median time from submission to launch in seconds; 0 if the log has none."""
    run = _run_of(workload)
    return max(_median(run.launch - run.submit), 0.0)


def _run_of(workload: Workload) -> RecordedRun:
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


def _launched(workload: Workload) -> tuple[Workload, NDArray[np.float64]]:
    """Return the workload whose jobs arrive at their launch, and the recorded finish of each, (jobs,)."""
    run = _run_of(workload)
    place = {name: i for i, name in enumerate(run.jobs)}
    index = [place.get(job.name, -1) for job in workload.jobs]
    known = [i for i, at in enumerate(index) if at >= 0 and np.isfinite(run.finish[at])]
    if not known:
        raise InputError(f"{workload.name}: the log does not say when its jobs finished")
    at = np.array([index[i] for i in known])
    begins = np.where(np.isfinite(run.launch[at]), run.launch[at], run.submit[at])
    origin = float(np.nanmin(begins))
    begins = np.maximum(np.nan_to_num(begins, nan=origin) - origin, 0.0)
    jobs = [
        replace(workload.jobs[i], arrival=float(begin), deadline=None)
        for i, begin in zip(known, begins, strict=True)
    ]
    return workload.with_jobs(jobs), run.finish[at] - origin


def _replay(
    title: str, workload: Workload, cluster: Cluster, policy: str, finish: NDArray[np.float64]
) -> Replay:
    schedule = simulate(workload, cluster, PolicyChoice(policy))
    arrival = workload.columns.arrival
    recorded = np.maximum(finish - arrival, 1e-3)  # clocks may differ
    return Replay(
        title=title,
        cluster=cluster,
        jobs=tuple(job.name for job in workload.jobs),
        recorded=recorded,
        simulated=schedule.finish - arrival,
        makespan=schedule.makespan,
        recorded_makespan=float(finish.max()),
    )
