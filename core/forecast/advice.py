"""What to do in a night under way: each lever tried on the same draws, ranked by what it saves.

A lever is a job moved to the front, a job or pool of more weight, another policy from now on, slots or nodes
added for an hour, or a second copy of a task that is killed. Saved are the minutes by which jobs end earlier,
all together; where jobs have deadlines, the minutes by which they are less late. A disturbance is every
minute by which another job ends later, that added slots are there, or that a killed copy has run; one at
least, since whatever is done has to be done.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.forecast.begin import begin_of, known_at, profiled
from core.forecast.forecast import check_forecast
from core.forecast.futures import drawn_futures, engine_for_draws, expected_times, gone_on
from core.forecast.more_slots import ADDED_SECONDS, added_words, with_more_slots
from core.forecast.relief import MIN_SAVED, Relief, TriedRelief
from core.forecast.task_draws import task_draws
from core.model.copied_tasks import copied_task, killed_copy
from core.model.errors import InputError
from core.model.pool import Pool
from core.model.progress import never_stop, no_progress
from core.model.schedule import PolicyChoice
from core.policies.composing.hooks import hooks_of
from core.policies.registry import describe, policy_class
from core.policies.user_files.apart import where_policies_live
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.forecast.begin import Begin
    from core.forecast.futures import Future
    from core.forecast.known import KnownRun
    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.simulation.other_times import TaskTimes
    from core.simulation.simulate import Engine, Simulation

    Floats = NDArray[np.float64]

DEFAULT_DRAWS = 40
MAX_MOVES = 6
"""Of so many jobs it is tried to move them to the front: those with the least left to do."""
MAX_KILLS = 12
"""Of so many second copies it is tried to kill them: those that have run the shortest."""
RAISED = 4.0
"""How many times its weight a job or a pool gets."""
POLICIES = ("fifo", "fair", "sjf", "edf-max")


@where_policies_live
def advise(
    schedule: Schedule,
    time: float,
    *,
    policy: PolicyChoice | None = None,
    error: float | None = None,
    history: Workload | None = None,
    runs: int = DEFAULT_DRAWS,
    seed: int = 1,
    engine: Engine = "auto",
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> tuple[TriedRelief, ...]:
    """Return what can be done at a time of a schedule and saves something, the best first.

    Parameters and errors are those of `core.forecast.forecast.forecast`; all levers have the same draws.
    """
    check_forecast(schedule, time, runs, error, seed)
    begin = begin_of(schedule, float(time), policy)
    draw = begin.late(task_draws(begin.known, error, history, seed), seed)
    engine = engine_for_draws(engine, schedule, runs)
    expected = expected_times(begin, draw, error, history)
    run = begin.standing(expected, engine, should_stop)
    futures = list(drawn_futures(begin, draw, runs, seed, no_progress, should_stop))
    levers = levers_at(begin, expected or futures[0].times)
    trial = _Trial(begin, expected, futures, seed, engine, should_stop)
    before = trial.ends(run)
    workload, steps = begin.known.schedule.workload, []
    whose, about = tuple(workload.job_index), (workload.columns.deadline, ~begin.known.job_has_ended)
    for place, lever in enumerate(levers):
        progress(place / len(levers))
        found = trial.with_lever(run, lever)
        if found is not None:
            steps.append(TriedRelief(lever, whose, before, trial.ends(found), *about))
    useful = [step for step in steps if step.saved >= MIN_SAVED]
    return tuple(sorted(useful, key=lambda step: -step.worth))


@dataclass(frozen=True)
class _Trial:
    """What all levers are tried with; `futures` as they were drawn."""

    begin: Begin
    expected: TaskTimes | None
    futures: Sequence[Future]
    seed: int
    engine: Engine
    should_stop: Callable[[], bool]

    def ends(self, run: Simulation) -> Floats:
        """Return when each job ends in each draw of a run that goes on, seconds, (draws, jobs)."""
        finish = np.array([gone_on(run, each, self.should_stop).finish for each in self.futures])
        return self.begin.ends(finish, self.seed)

    def with_lever(self, run: Simulation, lever: Relief) -> Simulation | None:
        """Return the run once something has been done; None where that cannot be."""
        try:
            if lever.cluster is not None:
                wider = begin_on(self.begin, lever.cluster, self.engine, self.should_stop)
                return wider.standing(self.expected, self.engine, self.should_stop)
            if lever.kind == "weight":
                heavier = begin_weighted(self.begin, lever, self.engine, self.should_stop)
                return heavier.standing(self.expected, self.engine, self.should_stop)
            choice = profiled(
                PolicyChoice(lever.policy) if lever.policy else self.begin.choice,
                self.begin.known.schedule.workload,
                self.expected,
            )
            return run.with_policy(choice, lever.order or None)
        except InputError:
            return None  # one that a policy or a cluster does not allow


def levers_at(begin: Begin, times: TaskTimes) -> list[Relief]:
    """Return what can be done where a forecast begins.

    Parameters
    ----------
    times : how long tasks may take, by which jobs are chosen
    """
    schedule = begin.known.schedule
    found = _fronts(begin, times) if schedule.plan is None and schedule.partition is None else []
    found += _weights(begin, times)
    for name in POLICIES:
        if name != begin.choice.id and (name != "edf-max" or schedule.workload.has_deadlines):
            found.append(Relief("policy", f"go on under {describe(name).title}", policy=name))
    wider = with_more_slots(schedule.cluster, begin.known.time)
    if wider is not None:
        words = added_words(wider, schedule.cluster)
        found.append(Relief("slots", words, cluster=wider, seconds=ADDED_SECONDS))
    return found + _kills(begin.known)


def _kills(known: KnownRun) -> list[Relief]:
    """Return the second copies that run and can be killed."""
    schedule, found = known.schedule, []
    for each in sorted(known.copies or (), key=lambda copy: (-copy.start, copy.slot))[:MAX_KILLS]:
        task = each.task if known.order is None else int(known.order[each.task])
        killed = killed_copy(schedule.workload, task, known.time)
        cluster = replace(schedule.cluster, killed_copies=(*schedule.cluster.killed_copies, killed))
        lost = known.time - each.start
        words = f"kill the second copy of {copied_task(schedule.workload, killed)}"
        found.append(Relief("kill", words, cluster=cluster, seconds=lost))
    return found


def _fronts(begin: Begin, times: TaskTimes) -> list[Relief]:
    """Return the moves of jobs to the front, where there is one: of policies that serve by an order."""
    schedule = begin.known.schedule
    if not hooks_of(policy_class(begin.choice.id)).in_order and schedule.order is None:
        return []
    jobs, may = schedule.workload.jobs, waiting_jobs(begin, times)
    queue = [jobs[j].name for j in np.argsort(schedule.rank, kind="stable").tolist()]
    if len(may) < 2:
        return []
    first = min(may, key=lambda j: int(schedule.rank[j]))
    chosen = [j for j in may if j != first]
    hooks = hooks_of(policy_class(begin.choice.id))
    without = ", without second copies" if hooks.copies else ", without killing tasks" * hooks.gives_up
    return [
        Relief(
            "front",
            f"move {jobs[j].name} to the front{without}",
            order=(jobs[j].name, *(name for name in queue if name != jobs[j].name)),
        )
        for j in chosen[:MAX_MOVES]
    ]


def waiting_jobs(begin: Begin, times: TaskTimes) -> list[int]:
    """Return the jobs with tasks that wait, by their number: those with the least left to do come first."""
    schedule, known = begin.known.schedule, begin.known
    waits = ~known.has_started
    owner = schedule.workload.columns.job[waits]
    left = np.bincount(owner, times.duration[waits], len(schedule.workload.jobs))
    may = np.flatnonzero((left > 0) & (schedule.arrival <= known.time))
    by_rest: list[int] = may[np.argsort(left[may], kind="stable")].tolist()
    return by_rest


def _weights(begin: Begin, times: TaskTimes) -> list[Relief]:
    """Return the weights of jobs and pools that can be raised: of policies that read them."""
    if not hooks_of(policy_class(begin.choice.id)).reads_weight:
        return []
    workload, may = begin.known.schedule.workload, waiting_jobs(begin, times)
    jobs = [workload.jobs[j] for j in may]
    waiting = {job.pool for job in jobs}
    pools = [pool for pool in workload.every_pool if pool.name in waiting]
    raised = [(job.name, job.weight * RAISED, False) for job in jobs[:MAX_MOVES]]
    if len(workload.every_pool) > 1:
        raised += [(pool.name, pool.weight * RAISED, True) for pool in pools[:MAX_MOVES]]
    return [
        Relief(
            "weight",
            f"raise the weight of {'pool ' * is_pool}{name} to {weight:g}",
            name=name,
            weight=weight,
            is_pool=is_pool,
        )
        for name, weight, is_pool in raised
    ]


def with_weight(workload: Workload, lever: Relief) -> Workload:
    """Return a workload in which the job or the pool of a lever has its weight."""
    if lever.is_pool:
        pools = workload.every_pool
        given = {pool.name: pool for pool in workload.pool_settings}
        each = [given.get(pool.name, Pool(pool.name)) for pool in pools]
        return workload.with_pools(
            replace(pool, weight=lever.weight) if pool.name == lever.name else pool for pool in each
        )
    index, jobs = workload.job_index[lever.name], list(workload.jobs)
    jobs[index] = replace(jobs[index], weight=lever.weight)
    return workload.with_jobs(jobs)


def begin_weighted(begin: Begin, lever: Relief, engine: Engine, should_stop: Callable[[], bool]) -> Begin:
    """Return where a forecast begins with the weight of a lever.

    Raises
    ------
    InputError
        the policy would have decided otherwise before, since it shared by that weight already
    """
    schedule = begin.known.schedule
    if begin.is_record:
        workload = with_weight(schedule.workload, lever)
        return replace(begin, known=replace(begin.known, schedule=replace(schedule, workload=workload)))
    return begin_changed(begin, with_weight(schedule.given, lever), schedule.cluster, engine, should_stop)


def begin_on(begin: Begin, cluster: Cluster, engine: Engine, should_stop: Callable[[], bool]) -> Begin:
    """Return where a forecast begins on a cluster with more slots from then on.

    Raises
    ------
    InputError
        the policy would have decided otherwise before, had it known of them
    """
    schedule = begin.known.schedule
    if begin.is_record:
        is_reduce = schedule.slot >= schedule.cluster.map_slots
        maps, _ = cluster.typed_slots
        shift = 0 if cluster.has_containers else maps - schedule.cluster.map_slots
        slot = np.where(is_reduce, schedule.slot + shift, schedule.slot).astype(np.int32)
        known = replace(begin.known, schedule=replace(schedule, cluster=cluster, slot=slot))
        copies, first = begin.known.copies, schedule.cluster.map_slots
        if copies is not None:
            copies = tuple(each._replace(slot=each.slot + shift * (each.slot >= first)) for each in copies)
        held = tuple(each._replace(slot=each.slot + shift * (each.slot >= first)) for each in known.held)
        return replace(begin, known=replace(known, copies=copies, held=held))
    return begin_changed(begin, schedule.given, cluster, engine, should_stop)


def begin_changed(
    begin: Begin, workload: Workload, cluster: Cluster, engine: Engine, should_stop: Callable[[], bool]
) -> Begin:
    """Return where the forecast of a simulated schedule begins on another workload or cluster.

    Raises
    ------
    InputError
        its past would have been another one, or it is of no single policy or order
    """
    schedule, time = begin.known.schedule, begin.known.time
    if schedule.fork is not None or schedule.partition is not None or schedule.plan is not None:
        raise InputError("what has a fork, pools or a plan cannot be changed from a time on")
    changed = simulate(
        workload, cluster, schedule.choice, order=schedule.order, engine=engine, should_stop=should_stop
    )
    known, before = known_at(changed, time), schedule.start < time
    if not np.array_equal(known.schedule.start[before], schedule.start[before]):
        raise InputError("had the policy known of it, it would have decided otherwise before")
    return replace(begin, known=known)
