"""A run that is planned anew as it goes: each plan knows only what is known when it is made.

Known are the jobs that have arrived, when their tasks started and ended, and estimates of durations. What
has ended of a job corrects the estimates of its other tasks; of a task that runs longer than it was thought
to, it is known that it does. A plan is searched for so many steps, no clock, from the plan before it, so that
the same run gives the same bits. It is followed until the next one: at arrivals, every so many seconds, and
at times that are given, as those at which a node fails.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from core.forecast.task_draws import workload_with
from core.model.errors import Cancelled, InputError
from core.model.estimates import DurationEstimates
from core.model.levers import LEVERS
from core.model.plan import Plan
from core.model.progress import never_stop, no_progress
from core.model.schedule import Fork, PolicyChoice
from core.model.task_types import MAP
from core.optimize.chains import plain_chain
from core.optimize.levers import columns_of
from core.optimize.objectives import Objective
from core.optimize.plan_search import Search
from core.optimize.rest import RestOnSlots, rest_of, restricted
from core.optimize.search_columns import usual_after
from core.planning.estimated_workload import estimated_workload
from core.simulation.best_rest import NOT_FROM_A_TIME, check_objective
from core.simulation.fork import standing_at
from core.simulation.other_times import TaskTimes
from core.simulation.simulate import Simulation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.optimize.rest import Rest
    from core.simulation.simulate import Engine

    Floats = NDArray[np.float64]

DEFAULT_STEPS = 100
OVERDUE = 0.1
"""A task that has run longer than it was thought to is thought to take this part of its estimate more."""
LEAST = 1e-3
"""Seconds that a task takes more at least."""
MAX_PLANS = 10_000


@dataclass(frozen=True)
class Rolling:
    """When plans are made, and how.

    Attributes
    ----------
    at_arrivals : whether when a job arrives
    every : seconds between plans beside these; 0 for none
    also_at : other times at which there is a plan, seconds: when nodes fail, for instance
    steps : of the search for each plan
    objective : what is to be small
    levers : what plans may change
    seed : of the searches
    """

    at_arrivals: bool = True
    every: float = 0.0
    also_at: tuple[float, ...] = ()
    steps: int = DEFAULT_STEPS
    objective: Objective = field(default_factory=Objective)
    levers: tuple[str, ...] = tuple(LEVERS)
    seed: int = 1

    def next_time(self, arrivals: Floats, now: float) -> float:
        """Return when the next plan is made after a time, seconds; infinity for never."""
        times = [*self.also_at, *(arrivals.tolist() if self.at_arrivals else [0.0])]
        if self.every > 0:
            times.append(self.every * (np.floor(max(now, 0.0) / self.every) + 1))
        return float(min((time for time in times if time > now), default=np.inf))


def simulate_rolling(
    workload: Workload,
    cluster: Cluster,
    rolling: Rolling,
    estimates: DurationEstimates | None = None,
    *,
    engine: Engine = "auto",
    compiled: bool = True,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> Schedule:
    """Return the schedule of a run that is planned anew as it goes; each plan is a fork of it.

    Parameters
    ----------
    estimates : of the durations that plans are made with; None for exact ones
    engine : of the run, as of `core.simulation.simulate.simulate`
    compiled : whether searches use compiled code; both find the same

    Raises
    ------
    InputError
        plans for what is left are not searched on this cluster or for these jobs (`core.optimize.rest`), or
        there would be more than `MAX_PLANS` plans
    Cancelled
        `should_stop` said so
    """
    check_objective(rolling.objective)
    told = estimated_workload(workload, estimates)
    run = Simulation(workload, cluster, PolicyChoice("fifo"), engine=engine)
    arrivals, time = np.unique(workload.columns.arrival), -1.0
    plan, forks = Plan(()), 0
    fork: Fork | None = None
    choice, followed = PolicyChoice("fifo"), None
    while (time := rolling.next_time(arrivals, time)) < np.inf:
        stands = standing_at(run, time, 0, should_stop)
        schedule = stands.schedule()
        if (schedule.finish <= time).all():
            break
        if not (~(schedule.finish <= time) & (workload.columns.arrival <= time)).any():
            continue
        if (forks := forks + 1) > MAX_PLANS:
            raise InputError(f"there would be more than {MAX_PLANS} plans; let more time pass between them")
        believed, knows = beliefs(schedule, time, told)
        rest = rest_of(knows, time, believed, knows_all=False)
        plan = plan_anew(rest, rolling, plan, compiled=compiled, should_stop=should_stop)
        fork = Fork(time, 0, choice, fork=fork, plan=followed)
        choice = PolicyChoice("critical", estimates=DurationEstimates(profile=believed))
        followed = plan
        run = stands.with_policy(choice, plan=plan)
        progress(run.progress)
    run.advance_until(np.inf, should_stop)
    return replace(run.schedule(), fork=fork, in_order=False)


def plan_anew(
    rest: Rest, rolling: Rolling, plan: Plan, *, compiled: bool, should_stop: Callable[[], bool]
) -> Plan:
    """Return the best plan of the whole that is found for what is left, by what is believed of it.

    It begins with the plan before it, so that by what is believed it is no worse.
    """
    t, workload, cluster = rest.tasks, rest.workload, rest.cluster
    chain, usual = plain_chain(t, 1, compiled), usual_after(t, cluster)

    def finishes(found: Plan) -> Floats:
        ends: Floats = chain.worths(columns_of([rest.plan_of_whole(found)], workload, usual, t))[1][0]
        return ends

    known = restricted(plan, workload)
    search = Search(
        workload,
        cluster,
        objective=rolling.objective,
        levers=[lever for lever in rolling.levers if lever not in NOT_FROM_A_TIME],
        start=known if known.jobs else None,
        seed=rolling.seed,
        horizon=rolling.steps,
        compiled=compiled,
        rest=RestOnSlots(t, finishes),
    )
    search.go_on(rolling.steps, should_stop)
    if should_stop():
        raise Cancelled(f"the run of {workload.name} was cancelled")
    return rest.plan_of_whole(search.found.plan)


def beliefs(schedule: Schedule, time: float, told: Workload) -> tuple[Workload, Schedule]:
    """Return the workload with the times that tasks are believed to take, and the schedule with such ends.

    Parameters
    ----------
    schedule : what has been scheduled until a time; when tasks end that run is not looked at
    time : seconds
    told : the workload with estimated durations
    """
    columns, given = told.columns, schedule.workload.columns
    has_ended = schedule.end <= time
    runs = (schedule.start < time) & ~has_ended
    factor = corrections(given.job, given.duration, columns.duration, has_ended)
    times = {
        name: getattr(columns, name) * factor for name in ("duration", "first_shuffle", "typical_shuffle")
    }
    for name, seconds in times.items():
        seconds[has_ended] = getattr(given, name)[has_ended]
    ends = np.where(runs, _believed_ends(schedule, times), schedule.end)
    late = runs & (ends <= time)
    ends[late] = time + np.maximum(OVERDUE * times["duration"][late], LEAST)
    return workload_with(schedule.workload, TaskTimes(**times)), replace(schedule, end=ends)


def _believed_ends(schedule: Schedule, times: Mapping[str, Floats]) -> Floats:
    """Return when tasks end that have started, by the times that they are believed to take, (tasks,)."""
    columns, model = schedule.workload.columns, schedule.cluster.shuffle_model
    shuffles = 0.0 if model == "mumak" else 1.0
    shuffled = schedule.start + shuffles * np.where(columns.kind == MAP, 0.0, times["typical_shuffle"])
    over = schedule.stage_end[columns.job]
    after = over + shuffles * times["first_shuffle"]
    filler = np.maximum(after, shuffled) if model == "overlap" else after
    is_filler = (columns.kind != MAP) & (schedule.start < over)
    ends: Floats = np.where(is_filler, filler, shuffled) + times["duration"]
    return ends


def corrections(job: NDArray[np.int32], took: Floats, told: Floats, ended: NDArray[np.bool_]) -> Floats:
    """Return by what the estimate of each task is multiplied, (tasks,): what its job's ended tasks show.

    As if one task more, as long as those, had taken as long as it was thought to: of one task that took twice
    as long the factor is 1.5, of nine such tasks 1.9.
    """
    jobs = int(job.max(initial=-1)) + 1
    count = np.bincount(job, ended, jobs)
    was, thought = np.bincount(job, took * ended, jobs), np.bincount(job, told * ended, jobs)
    one = np.divide(thought, count, out=np.zeros(jobs), where=count > 0)
    factor = np.divide(was + one, thought + one, out=np.ones(jobs), where=thought + one > 0)
    each: Floats = factor[job]
    return each
