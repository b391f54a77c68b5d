"""Questions about one job: how late it may arrive, and which job's halving would help all most."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.model.errors import InputError, UnknownName
from core.model.progress import no_progress
from core.model.slots_that_stay import check_slots_stay
from core.model.stages import Stage
from core.model.time_text import clock_text, duration_text, exact_clock
from core.optimize.bounds import lower_bound
from core.optimize.short_searches import counts_for, is_longer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.cluster import Cluster
    from core.model.job import Job
    from core.model.plan import Plan
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.optimize.short_searches import ShortSearches

FINEST = 1e-3
"""Arrivals are told apart to this part of the time by which all is to end."""
HALF = 0.5


@dataclass(frozen=True)
class LatestArrival:
    """What is known of how late a job may arrive.

    Attributes
    ----------
    job : its name
    until : the time by which the workload is to end, seconds
    latest : if it arrives then, a schedule that ends by `until` is found, seconds; None if none is
    too_late : if it arrives later than this, none can end by then, seconds; below 0 if it is too late anyway
    makespan, plan : of the schedule found; infinity and None without one
    has_certificate : whether a certificate confirms what is `too_late` (`core.simulation.proofs`)
    """

    job: str
    until: float
    latest: float | None
    too_late: float
    makespan: float = math.inf
    plan: Plan | None = None
    has_certificate: bool = False

    @property
    def is_proved(self) -> bool:
        """Whether it can arrive no later by the lower bound, to the precision of arrivals."""
        return self.latest is not None and self.too_late - self.latest <= FINEST * self.until

    @property
    def sentence(self) -> str:
        """What is known, in words: "J3 may arrive at 1:20 at the latest"."""
        by = f"by {exact_clock(self.until)}"
        if self.too_late < 0:
            return f"Nothing ends {by}, even if {self.job} arrives at 0:00."
        too_late = f"if it arrives after {clock_text(self.too_late)}, nothing ends {by}"
        if self.latest is None:
            return f"No schedule that ends {by} is found, even if {self.job} arrives at 0:00; {too_late}."
        if self.is_proved:
            return f"{self.job} may arrive at {clock_text(self.latest)} at the latest for all to end {by}."
        return f"{self.job} may arrive at {clock_text(self.latest)} for all to end {by}; {too_late}."


def latest_arrival(
    workload: Workload,
    cluster: Cluster,
    job: str,
    until: float,
    searches: ShortSearches,
    on_known: Callable[[LatestArrival], None] = no_progress,
    at_hand: Sequence[Schedule] = (),
) -> LatestArrival:
    """Look for the latest arrival of a job with which the workload still ends by `until` seconds.

    The other jobs arrive when they do. When the searches are over, what is known so far is returned. A
    schedule `at_hand`, of the workload on this cluster, that ends in time is an answer: the job may arrive
    as it does there.

    Raises
    ------
    UnknownName
        there is no such job
    InputError
        `until` is no time
    """
    if job not in workload.job_index:
        raise UnknownName(f"job of {workload.name}", job, workload.job_index)
    check_slots_stay(cluster, "the latest arrival")
    if not 0 < until < math.inf:
        raise InputError(f"the time to end by is {until:g} s; give a time above 0 s")
    wanted, finest = workload.jobs[workload.job_index[job]], FINEST * until

    def is_too_late(time: float) -> bool:
        return is_longer(lower_bound(with_arrival(workload, job, time), cluster), until)

    if is_too_late(0.0):
        return LatestArrival(job, until, None, -1.0)
    known = LatestArrival(job, until, None, _last(lambda time: not is_too_late(time), 0.0, until, finest / 8))
    low, high, time = -math.inf, known.too_late, max(0.0, known.too_late - finest / 2)
    if in_time := [each for each in at_hand if each.cluster == cluster and _ends(each, workload, until)]:
        low, makespan, plan = wanted.arrival, in_time[0].makespan, in_time[0].plan
        known = replace(known, latest=low, makespan=makespan, plan=plan)
    while not searches.is_over():
        searches.trying(f"{job} arriving at {clock_text(time)}")
        found = searches.best(with_arrival(workload, job, time), cluster, enough=until)
        if is_longer(found.best, until):
            high = time
        else:
            low, known = time, replace(known, latest=time, makespan=found.best, plan=found.plan)
            on_known(known)
        if high - low <= finest or high == 0.0:
            return known
        time = 0.0 if low < 0 else (low + high) / 2
    return known


def with_arrival(workload: Workload, job: str, time: float) -> Workload:
    """Return the workload with a job that arrives at a time, without its deadlines: they may be before it."""
    moved = workload.jobs[workload.job_index[job]]
    return _with_job(workload, replace(moved, arrival=time, deadline=None, service_levels=()))


def _ends(schedule: Schedule, workload: Workload, until: float) -> bool:
    """Whether a schedule is an answer for a workload that is to end by a time."""
    return counts_for(schedule, workload) and not is_longer(schedule.makespan, until)


def _last(holds: Callable[[float], bool], low: float, high: float, finest: float) -> float:
    """Return a time after which something does not hold that holds at `low`, found by halving."""
    if holds(high):
        return high
    while high - low > finest:
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return high


def _with_job(workload: Workload, changed: Job) -> Workload:
    """Return the workload with the job of the same name replaced."""
    return workload.with_jobs(changed if job.name == changed.name else job for job in workload.jobs)


@dataclass(frozen=True)
class HalvedJob:
    """What it would be worth if all tasks of one job took half their time.

    Attributes
    ----------
    name : of the job
    bound : seconds; no schedule is shorter then
    makespan, plan : of the best schedule found then; infinity and None where none was searched
    """

    name: str
    bound: float
    makespan: float = math.inf
    plan: Plan | None = None


@dataclass(frozen=True)
class Halving:
    """What is known of all jobs' halving.

    Attributes
    ----------
    makespan : of the best schedule as it is, seconds
    bound : seconds; no schedule is shorter as it is
    jobs : of each job, those whose halving helps most first
    """

    makespan: float
    bound: float
    jobs: tuple[HalvedJob, ...]

    def gain(self, job: HalvedJob) -> float:
        """Return how many seconds sooner all ends by the schedule found for a halved job; at least 0."""
        return max(0.0, self.makespan - job.makespan)

    def most_gain(self, job: HalvedJob) -> float:
        """Return how many seconds sooner all can end at most."""
        return max(0.0, self.makespan - job.bound)

    @property
    def is_proved(self) -> bool:
        """Whether no other job's halving can help more than that of the first."""
        return all(not is_longer(self.jobs[0].makespan, job.bound) for job in self.jobs[1:])

    @property
    def sentence(self) -> str:
        """What is known, in words: "Halving J3 helps most: all ends 4 min 10 s sooner"."""
        best = self.jobs[0]
        gain = self.gain(best)
        if gain == 0.0:
            none = all(self.most_gain(job) == 0.0 for job in self.jobs)
            return f"Halving one job {'does not help' if none else 'is not found to help'}."
        others = "no other job's can help more" if self.is_proved else "others' may help more"
        of = f"{duration_text(gain)} of {duration_text(self.makespan)}"
        return f"Halving {best.name} helps most, {of}; {others}."


def halving(
    workload: Workload,
    cluster: Cluster,
    searches: ShortSearches,
    on_known: Callable[[Halving], None] = no_progress,
) -> Halving:
    """Look for the job whose halving helps most, in schedules as good as they are found.

    Jobs are searched by what they could gain at most, each from the schedule that is best without; when the
    searches are over, what is known so far is returned. A halved job scans no dataset: its maps are half as
    long, whatever others share.
    """
    searches.trying("all jobs as they are")
    base = searches.best(workload, cluster)
    halved = {job.name: _with_job(workload, _half(job)) for job in workload.jobs}
    jobs = [HalvedJob(name, lower_bound(changed, cluster)) for name, changed in halved.items()]
    jobs.sort(key=lambda job: job.bound)
    for place, job in enumerate(jobs):
        if searches.is_over() or not is_longer(base.best, job.bound):
            break
        searches.trying(f"{job.name} halved")
        found = searches.best(halved[job.name], cluster, enough=job.bound, start=base.plan)
        bound = max(job.bound, found.bound)
        jobs[place] = HalvedJob(job.name, bound, min(found.best, base.best), found.plan)
        on_known(_ranked(base.best, base.bound, jobs))
    return _ranked(base.best, base.bound, jobs)


def _ranked(makespan: float, bound: float, jobs: list[HalvedJob]) -> Halving:
    return Halving(makespan, bound, tuple(sorted(jobs, key=lambda job: (job.makespan, job.bound))))


def _half(job: Job) -> Job:
    """Return the job with all its tasks half as long."""
    halves = tuple(
        Stage.of(
            stage.count,
            HALF * stage.durations,
            HALF * stage.first_shuffle,
            HALF * stage.typical_shuffle,
        )
        for stage in job.stages
    )
    return replace(job, stages=halves, dataset=None, blocks=(), min_slots=0, max_slots=None)
