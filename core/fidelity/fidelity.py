"""How true a simulation is: execution histories simulated on their own clusters, job by job against the logs.

001 section IV compares SimMR and Mumak with a real cluster in this way; here jobs arrive when they were
submitted. What counts is a replay that read nothing but its tasks and its cluster (slots, hosts, how many
maps one is given at once) from the log that it is held against: with the overheads of `core.model.cluster`
as other logs of the same cluster have them, and without overheads where there are none. What is read from
the log itself, its own overheads and its host stalls (`core.fidelity.host_stalls`), is replayed apart: that
shows what the model could do, and proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.fidelity.lent_overheads import DRAWS, FEW_JOBS
from core.fidelity.log_replays import DrawnRuns, LogReplays, Work
from core.fidelity.overheads_fit import fitted_overheads, lenders_among, tried_intervals
from core.fidelity.twin_logs import twins_left_out
from core.model.errors import InputError
from core.model.progress import never_stop, no_progress
from core.model.recorded_run import lacking_ends

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.fidelity.host_stalls import HostStall
    from core.fidelity.log_replays import LogRun
    from core.model.cluster import Cluster
    from core.model.overheads import Overheads
    from core.model.workload import Workload

FAR_OFF = 0.25
"""Jobs with a larger error are named one by one."""

MUMAK, SIMMR = "mumak", "simmr"
OTHERS, OTHERS_STALLS = "others' overheads", "others' + stalls"
OWN, OWN_STALLS = "own fit", "own fit + stalls"
"""Titles of the models: with the overheads of other logs, or those fitted to the log; and its stalls."""
APART = (OTHERS_STALLS, OWN, OWN_STALLS)
"""Models that read more than tasks and the cluster from the log that they are held against."""


@dataclass(frozen=True, eq=False)
class ModelReplay:
    """A log simulated by one model.

    Attributes
    ----------
    title : of the model
    cluster : with its shuffle model and overheads
    jobs : names of the jobs that the log has whole
    submitted, arrival : when each job came, by the log and in the simulation, where one that follows another
        comes when that has ended; seconds from the first submission, (jobs,)
    recorded, simulated : from then to its finish, seconds, (jobs,)
    makespan, recorded_makespan : from the first submission to the last finish, seconds
    spread : of replays that were drawn, of which this has the medians; None for a single replay
    """

    title: str
    cluster: Cluster
    jobs: tuple[str, ...]
    submitted: NDArray[np.float64]
    arrival: NDArray[np.float64]
    recorded: NDArray[np.float64]
    simulated: NDArray[np.float64]
    makespan: float
    recorded_makespan: float
    spread: DrawnRuns | None = None

    @property
    def is_apart(self) -> bool:
        """Whether it read from the log what it should have foretold: no proof of anything."""
        return self.title in APART

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
    def ranges(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Between what each job takes in the replays that were drawn; twice what it takes in a single one."""
        return (self.spread.least, self.spread.most) if self.spread else (self.simulated, self.simulated)

    @property
    def jobs_in_range(self) -> int:
        """How many jobs took as long as one of the replays says, or between two: of 20, 90 % should."""
        low, high = self.ranges
        return int(np.count_nonzero((low <= self.recorded) & (self.recorded <= high)))

    @property
    def worst_first(self) -> NDArray[np.int64]:
        """The jobs, those with the largest errors first, (jobs,)."""
        order: NDArray[np.int64] = np.argsort(-np.abs(self.errors), kind="stable")
        return order

    @property
    def far_off(self) -> tuple[str, ...]:
        """Names of the jobs whose error is larger than `FAR_OFF`, the farthest first."""
        errors = np.abs(self.errors)
        return tuple(self.jobs[i] for i in self.worst_first if errors[i] > FAR_OFF)


@dataclass(frozen=True, eq=False)
class Fidelity:
    """A log against several models.

    Attributes
    ----------
    log : its name
    others : names of the logs whose overheads it was judged with; none if it stood alone
    replays : by mumak and simmr; with the overheads of the others, if there are any; then the models of
        `APART`, as far as there are overheads or stalls
    stalls : host stalls while the log was written
    models_overheads : whether overheads are modelled for clusters like this log's, and for the policy
    lacking : what is missing of the log, and what it does not say of ends of attempts and jobs, as sentences
    shows_its_cluster : whether it shows a slot for each host; if not, it is judged alone
    """

    log: str
    others: tuple[str, ...]
    replays: tuple[ModelReplay, ...]
    stalls: tuple[HostStall, ...] = ()
    models_overheads: bool = True
    lacking: tuple[str, ...] = ()
    shows_its_cluster: bool = True

    def replay(self, title: str) -> ModelReplay | None:
        """Return the replay by a model, None if there is none."""
        return next((each for each in self.replays if each.title == title), None)

    @property
    def plain(self) -> ModelReplay:
        """The replay without overheads."""
        (plain,) = (each for each in self.replays if each.title == SIMMR)
        return plain

    @property
    def headline(self) -> ModelReplay:
        """The replay that counts: with the overheads of the other logs, or else without any."""
        return self.replay(OTHERS) or self.plain

    @property
    def offered(self) -> Overheads | None:
        """Overheads that bring simulations of this log nearer than none, None if there are none.

        Those of the other logs; where there are no other logs, those that fit this one.
        """
        best = self.replay(OTHERS if self.others else OWN)
        return best.cluster.overheads if best and best.mean_error < self.plain.mean_error else None

    @property
    def few_jobs(self) -> bool:
        """Whether it has so few jobs that their mean means little."""
        return len(self.plain.jobs) < FEW_JOBS


@dataclass(frozen=True, eq=False)
class JudgedLogs:
    """Several logs, each held against the models.

    Attributes
    ----------
    logs : the logs, in their order
    left_out : names of logs that could not be replayed, and why
    """

    logs: tuple[Fidelity, ...]
    left_out: tuple[tuple[str, str], ...] = ()

    def mean(self, of: Callable[[Fidelity], float]) -> float:
        """Return the mean over the logs of a number of each."""
        return sum(map(of, self.logs)) / len(self.logs)

    def mean_by_jobs(self, of: Callable[[Fidelity], float]) -> float:
        """Return the mean over the logs of a number of each, in which a log counts by its jobs."""
        jobs = [len(each.plain.jobs) for each in self.logs]
        return sum(of(each) * count for each, count in zip(self.logs, jobs, strict=True)) / sum(jobs)

    @property
    def in_range(self) -> tuple[int, int]:
        """How many jobs lie between the draws of the headlines, and of how many; see `jobs_in_range`.

        Those of logs of which there is a single replay do not count.
        """
        drawn = [each.headline for each in self.logs if each.headline.spread]
        return sum(each.jobs_in_range for each in drawn), sum(len(each.jobs) for each in drawn)


def check_fidelity(
    workload: Workload,
    policy: str = "fifo",
    others: Sequence[Workload] = (),
    *,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> Fidelity:
    """Judge one log with the overheads of other logs of its cluster; see `judge`."""
    return judge([workload], policy, others, progress=progress, should_stop=should_stop).logs[0]


def judge(
    workloads: Sequence[Workload],
    policy: str = "fifo",
    others: Sequence[Workload] = (),
    *,
    paths: Sequence[str] = (),
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> JudgedLogs:
    """Simulate execution histories of one cluster by every model, each with overheads from other logs.

    Parameters
    ----------
    workloads : with what their logs recorded
    policy : of the cluster that wrote the logs
    others : logs of that cluster whose overheads are judged; if there are none, each log is judged with the
        overheads of the others among `workloads`. Logs that show three times as many hosts are of another
        cluster, and one that shows fewer slots than hosts is judged without. Those of few jobs lend nothing
        where one of more jobs does.
    paths : where the logs, and then the others, come from; what is left out is called so, by its name if
        none are given
    progress : called with the fraction that is done
    should_stop : asked now and then; True cancels

    Raises
    ------
    InputError
        no workload was imported from a log with the times of its jobs, or no other log is another one
    Cancelled
        `should_stop` said so
    """
    work = Work(progress, should_stop)
    called = list(paths) or [log.name for log in (*workloads, *others)]
    logs, left_out = _replayable(workloads, called[: len(workloads)], policy, work)
    replayed = {id(log.recorded) for log in logs}
    judged = [each for each in zip(called, workloads, strict=False) if id(each[1].recorded) in replayed]
    teachers, of_others = _replayable(others, called[len(workloads) :], policy, work, judged)
    if others and not teachers:
        raise InputError(of_others[0][1])
    beside = len(logs) - 1
    counts = {log: _replays_of(log, len(teachers) or beside, 0 if teachers else beside) for log in logs}
    counts |= {log: tried_intervals(log) + len(logs) for log in teachers}
    work.total = float(sum(log.size * count for log, count in counts.items()))
    for log in (*logs, *teachers):
        log.use_engine(int(work.total / log.size) if log.size else 1)
    checked = []
    for log in logs:
        lent = [each for each in teachers or logs if each is not log and log.may_share_a_cluster(each)]
        checked.append(_checked(log, lent))
    progress(1.0)
    strange = [(log.name, f"{log.name}: {ANOTHER_CLUSTER}") for log in teachers if not _teaches(log, logs)]
    return JudgedLogs(tuple(checked), (*left_out, *of_others, *strange))


ANOTHER_CLUSTER = "it shows over three times as many hosts, or less than a third: it is of another cluster"


def _teaches(teacher: LogReplays, logs: Sequence[LogReplays]) -> bool:
    """Whether a log is of the cluster of one of these that could use what it contains, or none could."""
    able = [log for log in logs if log.shows_its_cluster]
    return not able or any(log.may_share_a_cluster(teacher) for log in able)


def _replayable(
    workloads: Sequence[Workload],
    paths: Sequence[str],
    policy: str,
    work: Work,
    judged: Sequence[tuple[str, Workload]] = (),
) -> tuple[list[LogReplays], list[tuple[str, str]]]:
    """Return the logs that can be simulated, and why others cannot; InputError if none can.

    A log that is there twice is taken once: it would be judged with what was read from it; see `are_twins`.
    """
    logs: list[LogReplays] = []
    left_out: list[tuple[str, str]] = []
    twins = twins_left_out(workloads, paths, judged)
    for place, (workload, path) in enumerate(zip(workloads, paths, strict=True)):
        if place in twins:
            left_out.append(
                (workload.name, f"{path}: it has jobs of {twins[place]}, and each job counts once")
            )
            continue
        try:
            logs.append(LogReplays(workload, policy, work))
        except InputError as error:
            left_out.append((workload.name, str(error)))
    if workloads and not logs and not judged:
        more = f"; and {len(left_out) - 1} more logs" if len(left_out) > 1 else ""
        raise InputError(f"{left_out[0][1]}{more}")
    return logs, left_out


def _replays_of(log: LogReplays, lenders: int, learners: int) -> int:
    """Return about how many replays of a log there are.

    Parameters
    ----------
    lenders : logs of which it gets overheads
    learners : logs to which it lends its own
    """
    with_phases = bool(lenders) + bool(log.log.stalls) * (1 + bool(lenders))
    return 4 + DRAWS * with_phases + tried_intervals(log) + learners


def _checked(log: LogReplays, others: Sequence[LogReplays]) -> Fidelity:
    """Replay a log by every model."""
    replays = [_named(MUMAK, log, log.replay(None, "mumak")), _named(SIMMR, log, log.replay())]
    lent = fitted_overheads(others, are_lent=True) if log.can_have_overheads else None
    own = fitted_overheads([log])
    for found, titles in ((lent, (OTHERS, OTHERS_STALLS)), (own, (OWN, OWN_STALLS))):
        if found is None:
            continue
        drawn = log.spread(found) if titles[0] == OTHERS else None
        replays.append(_named(titles[0], log, drawn or log.replay(found.overheads)))
        if log.log.stalls:  # what a stall hits is chance
            drawn = log.spread(found, knows_stalls=True)
            replays.append(_named(titles[1], log, drawn or log.replay(found.overheads, knows_stalls=True)))
    names = tuple(other.name for other in (lenders_among(others) or others))
    return Fidelity(
        log.name,
        names,
        tuple(replays),
        log.log.host_stalls,
        log.can_have_overheads,
        (*filter(None, (log.log.workload.cut,)), *lacking_ends(log.recorded)),
        log.shows_its_cluster,
    )


def _named(title: str, log: LogReplays, made: LogRun | DrawnRuns) -> ModelReplay:
    drawn, replay = (made, made.median) if isinstance(made, DrawnRuns) else (None, made)
    return ModelReplay(
        title=title,
        cluster=replay.cluster,
        jobs=tuple(job.name for job in log.log.workload.jobs),
        submitted=log.log.submit,
        arrival=replay.arrival,
        recorded=log.log.recorded,
        simulated=replay.simulated,
        makespan=replay.makespan,
        recorded_makespan=log.log.makespan,
        spread=drawn,
    )
