"""How long an application would take on another number of slots, predicted from the log of one run.

Its jobs are graphs of stages; each job comes its think time after the one that the driver waited for. They
are simulated on so many slots, under the policy that the log's configuration names. What may differ from run
to run is in the range, and what a log cannot show is listed as not known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.fidelity.failed_attempts import with_failures
from core.fidelity.opening_slots import opening_slots
from core.fidelity.other_links import relinked
from core.fidelity.slots_on_demand import slots_on_demand
from core.fidelity.stage_orders import has_other_orders, reordered
from core.fidelity.warm_ups import without_warm_ups
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.kept_answers import kept
from core.model.limits import MAX_SLOTS
from core.model.progress import never_stop, no_progress
from core.model.time_text import duration_text
from core.optimize.bounds import makespan_bound
from core.optimize.longest_path import longest_path
from core.policies.spark import SparkFair
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from core.model.executors_on_demand import ExecutorsOnDemand
    from core.model.job import Job
    from core.model.recorded_run import RecordedRun
    from core.model.schedule import PolicyChoice, Schedule
    from core.model.workload import Workload

ORDERS, SEED = 20, 1
"""So many other orders of stages that may run at once, and other links, are tried, drawn from this seed."""
SPREAD = 0.05
"""Runs of one application differ by 1 to 3 %, and its tasks are a little slower where more run at once."""
BOUND_SPREAD = 0.10
"""By so much shorter the tasks of another run may be, so that a bound from this one holds for it."""
CHANGING_BOUND_SPREAD = 0.25
"""The same where executors come while jobs run: the first tasks of each take longer (classes are loaded)."""

MAX_WORSE = 0.10
"""By so much of its time the recorded run may be worse explained by executors that are asked for."""
OTHER_STARTS = ((0.5, 0.0), (0.75, 0.5), (1.25, 2.0), (1.5, 3.0))
"""So many times as long as in the log executors may take to start, and their first tasks more than others."""

CONTENTION = "whether tasks slow one another down where more of them run at once on a machine"
DATA = "what moves between machines, spills to disk or has to be computed again when executors differ"
PARTITIONS = "whether the application would cut its data into more or fewer tasks on another cluster"
GUESSED = (
    "which job waited for which: several jobs ran at once, so each is taken to follow the last one that had "
    "ended and that none had followed"
)
WEIGHTS = (
    "weights and minimum shares of the pools: weights are those with which the recorded run comes out best, "
    "minimum shares are 0"
)
CHANGES = (
    "when executors would come and go: they are taken to come as in the log, more of them a second later, "
    "and to stay"
)
DEMAND = (
    "when executors would come and go: they are taken to be asked for and given up as the log's settings "
    "say, and to take as long to start as the first one"
)
FAILURES = "whether attempts that failed would fail again: they are taken to, after the same time"


@dataclass(frozen=True, slots=True)
class LoggedApplication:
    """The log of an application, ready to be run on other clusters.

    Attributes
    ----------
    workload : its jobs as graphs of stages, linked as the driver waited, with what failed of them, and its
        pools with the weights that it shows
    recorded_seconds : from the first submission to the end of the last job
    recorded_slots : how many tasks could run at once at most
    slots_per_executor : the same for one executor, 0 where the log has no executors
    policy : the policy that the log's configuration names, FIFO where it names none
    has_threads : whether jobs ran at once, so that links between them are guesses
    has_failures : whether attempts failed, or tasks ran again
    executors_change : whether executors came or went while jobs ran
    """

    workload: Workload
    recorded_seconds: float
    recorded_slots: int
    slots_per_executor: int
    policy: PolicyChoice
    has_threads: bool
    has_failures: bool
    executors_change: bool


@dataclass(frozen=True, slots=True)
class Prediction:
    """How long an application would take.

    Attributes
    ----------
    slots : how many tasks can run at once
    recorded_seconds, recorded_slots : of the run that the log is of
    predicted_seconds : from the first submission to the end of the last task
    low_seconds, high_seconds : between these it lies; the order of stages that may run at once is not known,
        nor which job waited for which where several ran at once, and runs of one application differ
    slot_seconds : how long slots are there until the end, all together: of executors that go, only while they
        are
    bound_seconds : no run on so many slots is shorter, if its tasks and think times are shorter than these by
        `bound_spread` at most
    why : what keeps it from being shorter
    not_known : what no prediction from this log can know
    """

    slots: int
    recorded_seconds: float
    recorded_slots: int
    predicted_seconds: float
    low_seconds: float
    high_seconds: float
    slot_seconds: float
    bound_seconds: float
    why: str
    not_known: tuple[str, ...]


def application_of(workload: Workload, policy: PolicyChoice) -> LoggedApplication:
    """Return the application that a workload is, to be run under a policy on other clusters.

    Of a workload that no log recorded, the recorded seconds and slots are those of no run: nan and 0.

    Parameters
    ----------
    workload : as a log was read or a document has it
    policy : decides in every run
    """
    run, cluster = workload.recorded, workload.cluster
    if run is None:
        return LoggedApplication(
            workload, math.nan, 0, cluster.slots_per_executor, policy, False, False, bool(cluster.slot_times)
        )
    mine = np.isin(run.jobs, [job.name for job in workload.jobs])
    return LoggedApplication(
        _run_again(workload, run),
        float(np.nanmax(run.finish[mine], initial=0.0)),
        cluster.most_open,
        cluster.slots_per_executor,
        policy,
        _has_threads(workload),
        bool((run.outcome != 0).any()),
        bool(cluster.slot_times),
    )


def _run_again(workload: Workload, run: RecordedRun) -> Workload:
    """Return what is run again: each task takes as much longer as its failed attempts took.

    What the first tasks on new executors took longer is left out, where the application asks for these.
    """
    place = {name: i for i, name in enumerate(run.jobs)}
    at = np.array([place.get(job.name, -1) for job in workload.jobs])
    jobs = without_warm_ups(workload.jobs, run, at, workload.cluster.slot_times)
    return workload.with_jobs(with_failures(jobs, run, at))


def _has_threads(workload: Workload) -> bool:
    """Whether a job was submitted before another one had ended."""
    run = workload.recorded
    if run is None:
        return False
    order = np.argsort(run.submit, kind="stable")
    latest = np.fmax.accumulate(run.finish[order])
    return bool((run.submit[order][1:] < latest[:-1]).any())


def slots_of_executors(application: LoggedApplication, executors: int) -> int:
    """Return how many tasks run at once on so many executors.

    Raises
    ------
    InputError
        the log does not say how many executors it had
    """
    if not application.slots_per_executor:
        raise InputError("the log does not say how many executors it had; give --slots instead")
    return executors * application.slots_per_executor


def predict(
    application: LoggedApplication,
    slots: int,
    *,
    should_stop: Callable[[], bool] = never_stop,
) -> Prediction:
    """Predict how long an application takes on so many slots.

    Raises
    ------
    InputError
        the number of slots is below 1 or above the largest cluster
    Cancelled
        `should_stop` said so
    """
    if not 1 <= slots <= MAX_SLOTS:
        raise InputError(f"{slots} slots: a cluster has 1 to {MAX_SLOTS} slots; give a number between")
    workload = application.workload
    cluster = cluster_of(application, slots, should_stop=should_stop)
    schedule = simulate(workload, cluster, application.policy, should_stop=should_stop)
    ends, draw = [schedule.makespan], np.random.default_rng(SEED)
    ends += [
        simulate(workload, other, application.policy, should_stop=should_stop).makespan
        for other in _other_clusters(application, slots, should_stop)
    ]
    varies = application.has_threads or any(has_other_orders(job.graph) for job in workload.jobs)
    for _ in range(ORDERS if varies else 0):
        other = replace(workload, jobs=_otherwise(application, draw), recorded=None)
        ends.append(simulate(other, cluster, application.policy, should_stop=should_stop).makespan)
    return Prediction(
        slots,
        application.recorded_seconds,
        application.recorded_slots,
        schedule.makespan,
        min(ends) * (1 - SPREAD),
        max(ends) * (1 + SPREAD),
        _slot_seconds(schedule),
        _bound(application, Cluster(0, 0, 1.0, containers=slots)),
        _why(application, schedule),
        _not_known(application),
    )


def cluster_of(
    application: LoggedApplication,
    slots: int,
    demand: ExecutorsOnDemand | None = None,
    *,
    should_stop: Callable[[], bool] = never_stop,
) -> Cluster:
    """Return a cluster of so many slots, with the executors that the application would ask for and give up.

    Where it does not, or the log does not say how large they are, slots open as they did in the log.

    Parameters
    ----------
    application : as `open_application` reads it
    slots : at least 1; of executors as many as are whole
    demand : when executors are asked for and given up, if not as the log says

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    workload = application.workload
    recorded = workload.cluster
    if demand is None:
        demand = _demand(application)
    if demand is None:
        return opening_slots(recorded, slots)
    size = min(application.slots_per_executor, slots)

    def simulated(cluster: Cluster) -> Schedule:
        return simulate(workload, cluster, application.policy, should_stop=should_stop)

    first = 0.0 if recorded.containers else min(each.opens for each in recorded.slot_times)
    return slots_on_demand(simulated, demand, size, slots // size, first)


@kept(4)
def _demand(application: LoggedApplication) -> ExecutorsOnDemand | None:
    """Return when executors are asked for and given up; None where they are not, or that is not how it was.

    On its own slots the application has to end about when it did, as it does with slots that open when they
    opened: who manages the cluster may have given executors before they were asked for.
    """
    demand, recorded = _asked(application), application.recorded_seconds
    if demand is None or not recorded > 0:
        return demand
    slots = application.recorded_slots
    asked, opened = (
        abs(simulate(application.workload, cluster, application.policy).makespan / recorded - 1)
        for cluster in (
            cluster_of(application, slots, demand),
            opening_slots(application.workload.cluster, slots),
        )
    )
    return demand if asked <= opened + MAX_WORSE else None


def _asked(application: LoggedApplication) -> ExecutorsOnDemand | None:
    """Return when executors are asked for and given up by the log's settings; None where they are not.

    What an executor takes to start is known better where one came after those that were there at first: it
    was asked for when tasks had waited for the first time.
    """
    run = application.workload.recorded
    demand = None if run is None else run.on_demand
    if demand is None or not application.slots_per_executor:
        return None
    cluster, size = application.workload.cluster, application.slots_per_executor
    opens = [each.opens for each in cluster.slot_times for _ in range(each.slots // size)]
    later = sorted([0.0] * (cluster.containers // size) + opens)[max(demand.initial, demand.least) :]
    took = later[0] - demand.backlog if later else 0.0
    return replace(demand, start=took) if 0 < took < demand.start else demand


def _other_clusters(
    application: LoggedApplication, slots: int, should_stop: Callable[[], bool]
) -> Iterator[Cluster]:
    """Yield clusters of so many slots whose executors start sooner or later, or are slow at first."""
    demand = _demand(application)
    if demand is not None:
        for start, warm_up in OTHER_STARTS:
            other = replace(demand, start=demand.start * start, warm_up=demand.warm_up * warm_up)
            yield cluster_of(application, slots, other, should_stop=should_stop)


def _otherwise(application: LoggedApplication, draw: np.random.Generator) -> tuple[Job, ...]:
    """Return the jobs as another run may have them: stages in another order, links guessed otherwise."""
    jobs, run = application.workload.jobs, application.workload.recorded
    if application.has_threads and run is not None:
        jobs = relinked(jobs, run, draw)
    return tuple(reordered(job, draw) for job in jobs)


def bound_spread(application: LoggedApplication) -> float:
    """Return by which part the tasks and think times of another run may be shorter, so that a bound holds."""
    return CHANGING_BOUND_SPREAD if application.executors_change else BOUND_SPREAD


def _bound(application: LoggedApplication, cluster: Cluster) -> float:
    """Return a bound for other runs of the application, s.

    Where links are guesses, none counts: every job might have come at once.
    """
    workload = application.workload
    if application.has_threads:
        jobs = tuple(replace(job, arrival=0.0, after=()) for job in workload.jobs)
        workload = replace(workload, jobs=jobs, recorded=None)
    return makespan_bound(workload, cluster).seconds * (1 - bound_spread(application))


def _slot_seconds(schedule: Schedule) -> float:
    """Return how long the slots of a schedule's cluster are there until its end, all together, s."""
    opens, closes = schedule.cluster.slot_intervals
    there = np.minimum(closes, schedule.makespan) - np.minimum(opens, schedule.makespan)
    return float(there.sum())


def _why(application: LoggedApplication, schedule: Schedule) -> str:
    """Return what keeps a schedule from being shorter: what has to follow one another, and the work.

    Another run's tasks may take less, so that the range of predictions may reach below it.
    Where links are guesses, no limit is claimed of other clusters.
    """
    workload, slots = schedule.workload, schedule.cluster.most_open
    path = longest_path(workload, schedule.cluster)
    limit = f"With the task times of this log {path.sentence[0].lower()}{path.sentence[1:]}"
    if application.has_threads:
        follows = "Jobs and stages that follow one another, as far as the log shows, take"
        limit = f"{follows} {path.text} on any number of slots{path.thinks}."
    work = float((workload.columns.duration + workload.columns.typical_shuffle).sum())
    busy = f"{slots} slots are" if slots > 1 else "1 slot is"
    return f"{limit} {busy} busy for {duration_text(work / slots)} with the tasks alone."


def _not_known(application: LoggedApplication) -> tuple[str, ...]:
    found = [CONTENTION, DATA, PARTITIONS]
    if application.has_threads:
        found.append(GUESSED)
    if application.policy.id == SparkFair.id and len(application.workload.pools) > 1:
        found.append(WEIGHTS)
    if _demand(application) is not None:
        found.append(DEMAND)
    elif application.executors_change:
        found.append(CHANGES)
    if application.has_failures:
        found.append(FAILURES)
    return tuple(found)


# ---- from few slots to many

NEARLY = 0.10
"""A cluster is large enough when the application takes at most this part longer than on the largest tried."""
STILL = 0.01
"""No more slots are tried when twice as many save less than this part of the time, twice in a row."""


def predictions(
    application: LoggedApplication,
    unit: int = 1,
    *,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> tuple[Prediction, ...]:
    """Return predictions for 1, 2, 3, 4, 6, 8, 12, 16 ... units, until more of them save nothing.

    Parameters
    ----------
    application : as `open_application` reads it
    unit : slots of one unit, an executor's for instance

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    found: list[Prediction] = []
    whole = application.workload.columns.stages.count.sum()
    count, saves_nothing = 1, 0
    while count * unit <= MAX_SLOTS and saves_nothing < 2:
        found.append(predict(application, count * unit, should_stop=should_stop))
        if len(found) > 2:  # the last but two has half as many
            was, now = found[-3].predicted_seconds, found[-1].predicted_seconds
            saves_nothing = saves_nothing + 1 if now > was * (1 - STILL) else 0
        progress(min(count * unit / max(int(whole), 1), 1.0))
        count = _next_size(count)
    return tuple(found)


def _next_size(count: int) -> int:
    """Return the size after one of 1, 2, 3, 4, 6, 8, 12, 16 ..."""
    power = 1 << (count.bit_length() - 1)
    if count < 2:
        return count + 1
    return power + power // 2 if count == power else 2 * power


def large_enough(found: Sequence[Prediction]) -> Prediction:
    """Return the smallest cluster on which an application takes at most 10 % longer than on the best one."""
    best = min(each.predicted_seconds for each in found)
    return next(each for each in found if each.predicted_seconds <= best * (1 + NEARLY))
