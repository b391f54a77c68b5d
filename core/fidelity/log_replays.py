"""The replays of one log: its jobs arrive when they were submitted and run on the cluster that it shows.

A replay takes the jobs' tasks and the cluster's slots and hosts from the log; what the cluster spends
besides, its overheads, is given, and each replay is made once however often it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.engine.variants import RunKind
from core.fidelity.failed_attempts import with_failures
from core.fidelity.host_stalls import host_stalls
from core.fidelity.lent_overheads import DRAWS, SEED
from core.fidelity.maps_given_together import maps_given_together
from core.fidelity.overheads_estimate import estimate_overheads, run_of, seen_heartbeat
from core.model.circumstances import Circumstances, Stall
from core.model.errors import Cancelled, InputError
from core.model.progress import never_stop, no_progress
from core.model.schedule import PolicyChoice
from core.model.task_types import CLEANUP, OUTCOMES, SETUP
from core.policies.registry import policy_class
from core.policies.user_files.apart import where_policies_live
from core.simulation.engine_selection import use_compiled
from core.simulation.simulate import Simulation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from core.fidelity.host_stalls import HostStall
    from core.fidelity.lent_overheads import LentOverheads
    from core.fidelity.overheads_estimate import Estimate
    from core.model.cluster import Cluster, ShuffleModel
    from core.model.overheads import Overheads
    from core.model.recorded_run import RecordedRun
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.simulation.engine_selection import Engine

MIN_SECONDS = 1e-3
"""A job, and all of them, take so long at least: clocks of machines differ, and errors are parts of this."""

SUCCEEDED = OUTCOMES.index("succeeded")


@dataclass(frozen=True, eq=False)
class SubmittedLog:
    """A log as it is simulated: its jobs arrive when they were submitted, at time 0 the first one.

    A job that follows another one comes its think time after that one's end instead.

    Attributes
    ----------
    workload, cluster : the jobs that the log has whole, and the cluster that it shows, without overheads
    with_failures : the same jobs with what failed of them, see `with_failures`
    setup, cleanup : how long those of each job took, nan where the log does not say, seconds (jobs,)
    hosts : machines that the log shows, 1 at least
    submit, finish : when each job was submitted and when it was done, (jobs,)
    host_stalls : on the log's clock
    stalls : the same as a replay knows them, on its clock
    """

    workload: Workload
    with_failures: Workload
    setup: NDArray[np.float64]
    cleanup: NDArray[np.float64]
    cluster: Cluster
    hosts: int
    submit: NDArray[np.float64]
    finish: NDArray[np.float64]
    host_stalls: tuple[HostStall, ...]
    stalls: tuple[Stall, ...]

    @property
    def recorded(self) -> NDArray[np.float64]:
        """From submission to finish, seconds, (jobs,)."""
        taken: NDArray[np.float64] = np.maximum(self.finish - self.submit, MIN_SECONDS)
        return taken

    @property
    def makespan(self) -> float:
        """From the first submission to the last finish, seconds."""
        return max(float(self.finish.max()), MIN_SECONDS)


def submitted_log(workload: Workload) -> SubmittedLog:
    """Return the log of a workload as it is simulated; InputError if there is none with times of jobs."""
    run = run_of(workload)
    place = {name: i for i, name in enumerate(run.jobs)}
    index = [place.get(job.name, -1) for job in workload.jobs]
    known = [i for i, at in enumerate(index) if at >= 0 and np.isfinite(run.finish[at])]
    if not known:
        raise InputError(f"{workload.name}: the log does not say when its jobs finished")
    at = np.array([index[i] for i in known])
    begins = np.where(np.isfinite(run.submit[at]), run.submit[at], run.launch[at])
    origin = float(np.nanmin(begins)) if np.isfinite(begins).any() else 0.0
    begins = np.maximum(np.nan_to_num(begins, nan=origin) - origin, 0.0)
    jobs = [
        replace(job, arrival=job.arrival if job.after else float(begin), deadline=None)
        for job, begin in zip((workload.jobs[i] for i in known), begins, strict=True)
    ]
    found, submitted, longer = host_stalls(run), workload.with_jobs(jobs), with_failures(jobs, run, at)
    return SubmittedLog(
        submitted,
        submitted if longer == jobs else workload.with_jobs(longer),
        _longest(run, SETUP)[at],
        _longest(run, CLEANUP)[at],
        replace(workload.cluster, overheads=None),
        max(len(run.hosts), 1),
        begins,
        run.finish[at] - origin,
        found,
        tuple(_stalls(run, found, origin)),
    )


def _longest(run: RecordedRun, kind: int) -> NDArray[np.float64]:
    """Return how long each job's longest attempt of a kind took that succeeded, nan for none, (jobs,)."""
    took = np.full(len(run.jobs), np.nan)
    known = run.has_ended & (run.kind == kind) & (run.outcome == SUCCEEDED)
    np.fmax.at(took, run.job[known], np.maximum(run.end - run.start, 0.0)[known])
    return took


def _stalls(run: RecordedRun, stalls: Iterable[HostStall], origin: float) -> Iterator[Stall]:
    """Yield host stalls on the clock of a replay."""
    for stall in stalls:
        yield Stall(run.hosts.index(stall.host), stall.kind, stall.begin - origin, stall.end - origin)


@dataclass
class Work:
    """How much of a check is done, and whether it is to go on.

    Attributes
    ----------
    total : all of it, in tasks that are simulated; at least what is added later
    progress : called with the fraction that is done
    should_stop : asked now and then; True cancels
    """

    progress: Callable[[float], None] = no_progress
    should_stop: Callable[[], bool] = never_stop
    total: float = 1.0
    done: float = field(default=0.0, init=False)

    def add(self, amount: float) -> None:
        """Note that so much more is done."""
        self.done += amount
        self.report(0.0)

    def report(self, amount: float) -> None:
        """Report that so much more is nearly done."""
        self.progress(min((self.done + amount) / self.total, 1.0))
        self.raise_if_stopped()

    def raise_if_stopped(self) -> None:
        """Raise Cancelled if the check is to stop."""
        if self.should_stop():
            raise Cancelled("the check was cancelled")


@dataclass(frozen=True, eq=False)
class LogRun:
    """What a simulation of a log gave.

    Attributes
    ----------
    cluster : with its shuffle model and overheads
    arrival : when each job came, seconds from the first submission, (jobs,)
    simulated : from then to its finish, seconds, (jobs,)
    errors : simulated / recorded - 1, (jobs,)
    makespan : from the first submission to the last finish, seconds
    """

    cluster: Cluster
    arrival: NDArray[np.float64]
    simulated: NDArray[np.float64]
    errors: NDArray[np.float64]
    makespan: float

    @property
    def mean_error(self) -> float:
        """Mean of the jobs' errors without their signs."""
        return float(np.abs(self.errors).mean())


class DrawnRuns(NamedTuple):
    """Replays that differ by when hosts begin to request work, and by launch delays and fetching.

    Attributes
    ----------
    median : each job, and the makespan, takes the median of what it takes in the replays
    mean_error, makespan_error : the least and the largest of the replays
    least, most : between what each job takes from submission to finish, seconds, (jobs,)
    """

    median: LogRun
    mean_error: tuple[float, float]
    makespan_error: tuple[float, float]
    least: NDArray[np.float64]
    most: NDArray[np.float64]


MAX_HOSTS = 3
"""Logs of one cluster differ by this factor of hosts at most: 834 are not those of a cluster of 8."""
EVENLY = -1
"""The phase of hosts that are spread evenly over the interval of heartbeats."""


class LogReplays:
    """One log and what its simulations gave, each made at its first use.

    Attributes
    ----------
    name : of the log
    recorded : what really ran
    log : as it is simulated
    size : tasks that one replay simulates
    """

    def __init__(self, workload: Workload, policy: str, work: Work) -> None:
        self.name = workload.name
        self.recorded = run_of(workload)
        self.log = submitted_log(workload)
        self.size = self.log.workload.map_count + self.log.workload.reduce_count
        self._workload, self._policy, self._work = workload, policy, work
        self._engine: Engine = "auto"
        self._made: dict[tuple[ShuffleModel, Overheads | None, bool, int], LogRun] = {}

    @property
    def shows_its_cluster(self) -> bool:
        """Whether it shows a slot for each host; else it lacks jobs and slots of that cluster."""
        return self.log.cluster.slots >= self.log.hosts

    def may_share_a_cluster(self, other: LogReplays) -> bool:
        """Whether this and another log show about as many hosts; a short one does not show all."""
        few, many = sorted((self.log.hosts, other.log.hosts))
        return self.shows_its_cluster and many <= MAX_HOSTS * few

    @property
    def can_have_overheads(self) -> bool:
        """Whether overheads are modelled for the log's cluster and jobs, and for the policy.

        They are those of Hadoop: Spark, Tez and batch systems launch tasks otherwise.
        """
        if not self.log.workload.is_map_reduce:
            return False
        policy = policy_class(self._policy)
        has_own_slots = hasattr(policy, "partition") or hasattr(policy, "replanner")
        return not (self.log.cluster.has_nodes or self.log.cluster.slot_times or has_own_slots)

    def use_engine(self, replays: int) -> None:
        """Choose the engine for so many replays with overheads: loading compiled code pays for many."""
        kind = RunKind.of(self.log.cluster)._replace(hosts=True)
        if use_compiled(self.log.workload, policy_class(self._policy), kind, runs=replays):
            self._engine = "compiled"

    @cached_property
    def heartbeat(self) -> float:
        """The interval of heartbeats that the log shows, seconds; 0 if it shows none."""
        return seen_heartbeat(self._workload)

    @property
    def jobs(self) -> int:
        """How many jobs it has whole: it counts by them."""
        return len(self.log.workload.jobs)

    @cached_property
    def estimate(self) -> Estimate:
        """What the log shows of its cluster's overheads."""
        return estimate_overheads(self._workload)

    def mean_error(self, overheads: Overheads | None) -> float:
        """Return the mean job error of `simmr` with these overheads, or without; stalls are not known."""
        return self.replay(overheads).mean_error

    def replay(
        self,
        overheads: Overheads | None = None,
        shuffle_model: ShuffleModel = "simmr",
        *,
        knows_stalls: bool = False,
        phase: int = EVENLY,
    ) -> LogRun:
        """Simulate the log, or return what that gave before.

        Parameters
        ----------
        overheads : of the cluster, None for none; how many hosts there are, and how many maps one is given
            at once, are the log's own, like the slots
        shuffle_model : of the cluster
        knows_stalls : whether tasks wait for stalled hosts as the log shows it
        phase : number of a random beginning of the hosts' heartbeats, or `EVENLY`
        """
        if overheads is not None:
            overheads = self._of_this_cluster(overheads)
        key = (shuffle_model, overheads, knows_stalls, phase)
        if key not in self._made:
            self._made[key] = self._simulate(*key)
            self._work.add(self.size)
        return self._made[key]

    def _of_this_cluster(self, overheads: Overheads) -> Overheads:
        """Return overheads with the hosts of this log, and as many maps per heartbeat as it shows."""
        maps = self._maps_given_together or overheads.maps_per_heartbeat
        return replace(overheads, hosts=self.log.hosts, maps_per_heartbeat=maps)

    @cached_property
    def _maps_given_together(self) -> int:
        return maps_given_together(self.recorded)

    def spread(self, lent: LentOverheads, *, knows_stalls: bool = False) -> DrawnRuns | None:
        """Return how replays differ by what is drawn anew for each; None if nothing is."""
        if not lent.varies:
            return None
        made = [self.replay(lent.drawn(draw), knows_stalls=knows_stalls, phase=draw) for draw in range(DRAWS)]
        taken = np.array([each.simulated for each in made])
        usual = np.median(taken, axis=0)
        median = LogRun(
            replace(made[0].cluster, overheads=self._of_this_cluster(lent.overheads)),
            np.median([each.arrival for each in made], axis=0),
            usual,
            usual / self.log.recorded - 1,
            float(np.median([each.makespan for each in made])),
        )
        means = [each.mean_error for each in made]
        ends = [each.makespan / self.log.makespan - 1 for each in made]
        return DrawnRuns(
            median, (min(means), max(means)), (min(ends), max(ends)), taken.min(axis=0), taken.max(axis=0)
        )

    def _simulate(
        self, shuffle_model: ShuffleModel, overheads: Overheads | None, knows_stalls: bool, phase: int
    ) -> LogRun:
        log = self.log
        cluster = replace(log.cluster, shuffle_model=shuffle_model, overheads=overheads)
        given = Circumstances(
            phase=None if phase == EVENLY else np.random.default_rng([SEED, phase]).random(log.hosts),
            setup=log.setup,
            cleanup=log.cleanup,
            stalls=log.stalls if knows_stalls else (),
        )
        engine = "auto" if overheads is None else self._engine
        workload = log.workload if overheads is None else log.with_failures
        choice = PolicyChoice(self._policy)
        schedule = _simulated(
            workload,
            cluster,
            choice,
            given,
            engine,
            progress=lambda part: self._work.report(self.size * part),
        )
        arrival: NDArray[np.float64] = schedule.arrival
        taken = schedule.finish - arrival
        return LogRun(cluster, arrival, taken, taken / log.recorded - 1, schedule.makespan)


@where_policies_live
def _simulated(
    workload: Workload,
    cluster: Cluster,
    choice: PolicyChoice,
    given: Circumstances,
    engine: Engine,
    progress: Callable[[float], None] = no_progress,
) -> Schedule:
    """Simulate a log under what is known of it, where the policy lives."""
    run = Simulation(workload, cluster, choice, circumstances=given, engine=engine)
    while not run.advance():
        progress(run.progress)
    return run.schedule()
