"""How true a simulation is: an execution history simulated on its own cluster, job by job against its log.

001 section IV compares SimMR and Mumak with a real cluster in this way; the third model adds the overheads of
`core.model.cluster`, whose few numbers are estimated from the log as a whole, never from single jobs; the
fourth one host stalls (`core.fidelity.host_stalls`), which are nothing that a scheduler did.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from core.fidelity.host_stalls import host_stalls
from core.fidelity.overheads_estimate import overhead_candidates, run_of
from core.files.atomic import replace_file
from core.model.cell_text import cell_of
from core.model.circumstances import BOTH, NO_CIRCUMSTANCES, Circumstances, Stall
from core.model.cluster import Overheads
from core.model.errors import Cancelled, InputError
from core.model.progress import never_stop, tell_nobody
from core.model.schedule import PolicyChoice
from core.model.workload import MAP, REDUCE
from core.simulation.simulate import Simulation

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.fidelity.host_stalls import HostStall
    from core.model.cluster import Cluster
    from core.model.execution_history import RecordedRun
    from core.model.workload import Workload


FAR_OFF = 0.25
"""Jobs with a larger error are named one by one."""


@dataclass(frozen=True, eq=False)
class ModelReplay:
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
    """A log against several models, the most complete one last.

    Attributes
    ----------
    overheads : those that fit the log best, or those that were to be checked
    replays : by mumak and simmr; unless the cluster has containers, by simmr with these overheads; and last
        with the host stalls, if there were any
    stalls : host stalls while the log was written
    """

    overheads: Overheads
    replays: tuple[ModelReplay, ...]
    stalls: tuple[HostStall, ...] = ()


def check_fidelity(
    workload: Workload,
    policy: str = "fifo",
    overheads: Overheads | None = None,
    *,
    progress: Callable[[float], None] = tell_nobody,
    should_stop: Callable[[], bool] = never_stop,
) -> Fidelity:
    """Simulate an execution history on its own cluster by every model.

    Jobs arrive when the log says that they were launched (submitted, if it does not know).

    Parameters
    ----------
    workload : with what the log recorded
    policy : of the cluster that wrote the log
    overheads : to be checked; None for those that fit the log best. Those of another log of the same cluster
        show how far they carry.
    progress : called with the fraction that is done
    should_stop : asked now and then; True cancels

    Raises
    ------
    InputError
        the workload was not imported from a log with the times of its jobs
    Cancelled
        `should_stop` said so
    """
    log = launched_log(workload)
    candidates = [overheads] if overheads else overhead_candidates(workload)
    if log.cluster.has_containers:
        candidates = []

    def stop_if_asked() -> None:
        if should_stop():
            raise Cancelled(f"the check of {workload.name} was cancelled")

    steps, done = len(candidates) + 2 + bool(log.stalls and candidates), 0

    def replay(title: str, cluster: Cluster, given: Circumstances = NO_CIRCUMSTANCES) -> ModelReplay:
        nonlocal done
        replayed = _replay(title, log, cluster, policy, given, stop_if_asked)
        done += 1
        progress(done / steps)
        stop_if_asked()
        return replayed

    replays = [replay(title, replace(log.cluster, shuffle_model=title)) for title in ("mumak", "simmr")]
    if not candidates:
        return Fidelity(Overheads(), tuple(replays))
    last = STALLS if log.stalls else BEATING
    tried = [replay(last, replace(log.cluster, overheads=each), log.circumstances) for each in candidates]
    # a job that is far off for other reasons counts no more than that
    best = min(tried, key=lambda each: (np.minimum(np.abs(each.errors), FAR_OFF).mean(), each.mean_error))
    assert best.cluster.overheads is not None
    if log.stalls:
        replays.append(replay(BEATING, best.cluster))
    return Fidelity(best.cluster.overheads, (*replays, best), log.stalls)


BEATING = "simmr with overheads"
STALLS = "… and host stalls"
"""Titles of the models with overheads, without and with the host stalls of the log."""


@dataclass(frozen=True, eq=False)
class LaunchedLog:
    """A log as it is simulated: its jobs arrive when they were launched, at time 0 the first one.

    Attributes
    ----------
    workload, cluster : the jobs that the log has whole, and the cluster that it shows, without overheads
    finish : when each job was done, (jobs,)
    stalls : host stalls
    circumstances : what a replay takes over: the stalls, on its clock
    """

    workload: Workload
    cluster: Cluster
    finish: NDArray[np.float64]
    stalls: tuple[HostStall, ...]
    circumstances: Circumstances


def launched_log(workload: Workload) -> LaunchedLog:
    """Return the log of a workload as it is simulated; InputError if there is none with times of jobs."""
    run = run_of(workload)
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
    launched, stalls = workload.with_jobs(jobs), host_stalls(run)
    cluster = replace(workload.cluster, overheads=None)
    stalling = tuple(
        Stall(run.hosts.index(stall.host), _kind_of(run, stall), stall.begin - origin, stall.end - origin)
        for stall in stalls
    )
    return LaunchedLog(launched, cluster, run.finish[at] - origin, stalls, Circumstances(stalls=stalling))


def _kind_of(run: RecordedRun, stall: HostStall) -> int:
    """Return which kinds of tasks waited for a host; setups and cleanups wait with maps."""
    reduces = run.kind[list(stall.held)] == REDUCE
    if reduces.all():
        return REDUCE
    return BOTH if reduces.any() else MAP


def _replay(
    title: str,
    log: LaunchedLog,
    cluster: Cluster,
    policy: str,
    given: Circumstances,
    stop_if_asked: Callable[[], None],
) -> ModelReplay:
    run = Simulation(log.workload, cluster, PolicyChoice(policy), circumstances=given)
    while not run.advance():
        stop_if_asked()
    schedule, arrival = run.schedule(), log.workload.columns.arrival
    return ModelReplay(
        title=title,
        cluster=cluster,
        jobs=tuple(job.name for job in log.workload.jobs),
        recorded=np.maximum(log.finish - arrival, 1e-3),  # clocks may differ
        simulated=schedule.finish - arrival,
        makespan=schedule.makespan,
        recorded_makespan=float(log.finish.max()),
    )


Cell = str | float
MODEL_COLUMNS = {
    "model": "title",
    "makespan (s)": "makespan",
    "recorded makespan (s)": "recorded_makespan",
    "makespan error": "makespan_error",
    "mean job error": "mean_error",
    "median job error": "median_error",
    "largest job error": "largest_error",
}
"""What a table of models shows, and the attribute of a `ModelReplay` that it is; errors are fractions."""


def model_rows(checked: Fidelity) -> list[tuple[Any, ...]]:
    """Return a row of `MODEL_COLUMNS` for each model: a text and numbers."""
    return [tuple(getattr(each, name) for name in MODEL_COLUMNS.values()) for each in checked.replays]


def job_columns(checked: Fidelity) -> tuple[str, ...]:
    """Return the columns of `job_rows`."""
    titles = [replay.title for replay in checked.replays]
    return (
        "job",
        "recorded (s)",
        *(f"{title} (s)" for title in titles),
        *(f"{title} error" for title in titles),
    )


def job_rows(checked: Fidelity) -> list[tuple[Cell, ...]]:
    """Return a row for each job, from launch to finish; those that the last model misses most come first."""
    last = checked.replays[-1]
    return [
        (
            last.jobs[i],
            float(last.recorded[i]),
            *(float(replay.simulated[i]) for replay in checked.replays),
            *(float(replay.errors[i]) for replay in checked.replays),
        )
        for i in np.argsort(-np.abs(last.errors), kind="stable").tolist()
    ]


def fidelity_text(checked: Fidelity, separator: str = "\t") -> str:
    """Return both tables, with an empty line between; numbers unrounded."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    tables = ([MODEL_COLUMNS, *model_rows(checked), ()], [job_columns(checked), *job_rows(checked)])
    for row in chain(*tables):
        writer.writerow([cell_of(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


def write_fidelity(checked: Fidelity, path: str | os.PathLike[str]) -> None:
    """Write both tables as one CSV file; InputError if that cannot be done."""
    replace_file(path, fidelity_text(checked, ",").encode("utf-8", "backslashreplace"))
