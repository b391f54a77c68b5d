"""The plans of a run that is planned anew as it goes: each knows only what is known when it is made.

Known are the jobs that have arrived, when their tasks started and ended, and estimates of durations. What
has ended of a job corrects the estimates of its other tasks; of a task that runs longer than it was thought
to, it is known that it does. A plan is searched for so many steps, no clock, from the plan before it, so that
the same run gives the same bits. It is followed until the next one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import Cancelled, InputError
from core.model.event_nodes import count_of_nodes, down_spans
from core.model.levers import levers_from_a_time, levers_in
from core.model.plan import Plan
from core.model.progress import no_progress
from core.model.task_types import TASK_TYPES
from core.optimize.chains import plain_chain
from core.optimize.levers import columns_of
from core.optimize.objectives import Objective, check_responses
from core.optimize.plan_search import Search
from core.optimize.rest import RestOnSlots, known_jobs, open_jobs, releases, rest_of, restricted
from core.optimize.search_columns import usual_after, why_no_passes
from core.planning.kept_searches import KeptSearches
from core.policies.rolling import NewPlans, new_plans
from core.simulation.other_times import TaskTimes, workload_with

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.parameters import ParameterValue
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.optimize.rest import Rest
    from core.policies.resolved_policy import ResolvedPolicy

    Floats = NDArray[np.float64]

OVERDUE = 0.1
"""A task that has run longer than it was thought to is thought to take this part of its estimate more."""
MIN_LEFT = 1e-3
"""Seconds that a task takes more at least."""
MAX_PLANS = 2000
NO_PLAN = Plan(())
MAX_KEPT_PLANS = 2000


@dataclass(frozen=True)
class PlansOfRun:
    """The plans of a run so far, and when the next one is made.

    Attributes
    ----------
    told : the workload with the durations that plans are made with before anything has run
    cluster : what it runs on
    how : when plans are made, and how
    happenings : when something happens to a node, s, ascending
    should_stop : asked during searches; True cancels
    next_time : when the next plan is made, seconds: at once at first; infinity for never
    plan : the last one
    count : how many were made
    """

    told: Workload
    cluster: Cluster
    how: NewPlans
    happenings: Floats
    should_stop: Callable[[], bool]
    next_time: float = -np.inf
    plan: Plan = NO_PLAN
    count: int = 0

    @classmethod
    def of(
        cls,
        told: Workload,
        cluster: Cluster,
        parameters: Mapping[str, ParameterValue],
        should_stop: Callable[[], bool],
    ) -> PlansOfRun:
        """Return the plans of a run that has not begun; InputError where there is nothing to plan it by."""
        how = new_plans(parameters)
        if told.inputs is not None:
            raise InputError(
                "a run is not planned anew as it goes where jobs say on which nodes their input lies; choose "
                "another policy"
            )
        check_responses(Objective.of(how.objective), told)
        levers_from_a_time(levers_in(how.levers))
        events = () if cluster.events is None else cluster.events.in_order(count_of_nodes(cluster))
        happenings = np.array([event.time for event in events])
        return cls(told, cluster, how, happenings, should_stop)

    def after(
        self, schedule: Schedule, time: float, followed: ResolvedPolicy
    ) -> tuple[PlansOfRun, ResolvedPolicy]:
        """Return the plans with that of a time, and what is followed from then on.

        Parameters
        ----------
        schedule : what has been scheduled until then
        time : seconds
        followed : what was followed so far; it still is where no job is there to be planned, or no slot

        Raises
        ------
        InputError
            plans for what is left are not searched on this cluster or for these jobs, or there would be more
            than `MAX_PLANS`
        Cancelled
            `should_stop` said so
        """
        is_there = open_jobs(schedule, time) & known_jobs(self.told, time)
        there = _slots_at(self.cluster, time)
        if not is_there.any() or there is None:
            then = self._next_time(time, is_idle=not is_there.any())
            return replace(self, next_time=then), followed
        if self.count >= MAX_PLANS:
            raise InputError(f"there would be more than {MAX_PLANS} plans; let more time pass between them")
        believed, knows = beliefs(schedule, time, self.told)
        rest = replace(rest_of(knows, time, believed, knows_all=False), cluster=there)
        plan = plan_anew(rest, self.how, self.plan, self.should_stop)
        then = self._next_time(time, is_idle=False)
        plans = replace(self, next_time=then, plan=plan, count=self.count + 1)
        return plans, followed.planned_anew(plan, believed, self.cluster, time)

    def _next_time(self, now: float, *, is_idle: bool) -> float:
        """Return when the next plan is made after a time, seconds; infinity for never.

        While no job is there, none is made before the next one arrives.
        """
        arrivals = self.told.columns.links.fixed
        arrival = float(arrivals[arrivals > now].min(initial=np.inf))
        times = [arrival] if self.how.at_arrivals or (not self.count and is_idle) else []
        if self.how.at_failures:
            times.append(float(self.happenings[self.happenings > now].min(initial=np.inf)))
        if self.how.every > 0:
            begun = arrival if is_idle else now
            times.append(_next_multiple(self.how.every, begun) if begun < np.inf else begun)
        return float(min(times, default=np.inf))


def _next_multiple(every: float, after: float) -> float:
    """Return the first multiple of so many seconds that is later than a time, however it is rounded."""
    turn = np.floor(after / every)
    while every * turn <= after:
        turn += 1
    return float(every * turn)


def _slots_at(cluster: Cluster, time: float) -> Cluster | None:
    """Return the slots that are there at a time, as a cluster on which nothing will happen; None for none.

    What will happen to nodes is not known. Those with memory and cores count as if all were there.
    """
    if cluster.events is None:
        return cluster
    stays, spans = replace(cluster, events=None), down_spans(cluster)
    away = spans.slot[(spans.begin <= time) & (time < spans.end)]
    if cluster.has_nodes:
        return stays
    left = [len(np.setdiff1d(np.arange(cluster.slots)[cluster.slots_of(kind)], away)) for kind in TASK_TYPES]
    if not all(left):
        return None
    maps, reduces = left
    if cluster.has_containers:
        return replace(stays, containers=maps)
    return replace(stays, map_slots=maps, reduce_slots=reduces)


def plan_anew(rest: Rest, how: NewPlans, plan: Plan, should_stop: Callable[[], bool]) -> Plan:
    """Return the best plan of the whole that is found for what is left, by what is believed of it.

    It begins with the plan before it, so that by what is believed it is no worse. The search is compiled in
    any case: interpreted it finds the same, and takes a hundred times as long.
    """
    key = rest.workload.digest, rest.time, rest.begun.tobytes(), rest.done.tobytes(), rest.cluster, how, plan

    def search(_: object) -> Plan:
        found = _search(rest, how, plan, should_stop)
        if should_stop():
            raise Cancelled(f"the run of {rest.workload.name} was cancelled")
        return found

    return _kept.find(key, search, no_progress, should_stop)


def _search(rest: Rest, how: NewPlans, plan: Plan, should_stop: Callable[[], bool]) -> Plan:
    known = restricted(plan, rest.workload)
    search = Search(
        rest.workload,
        rest.cluster,
        objective=Objective.of(how.objective),
        levers=levers_from_a_time(levers_in(how.levers)),
        start=known if known.jobs else None,
        seed=how.seed,
        horizon=how.steps,
        compiled=True,
        rest=_on_slots(rest),
    )
    search.wants_cases = False  # nobody sees the bound
    search.go_on(how.steps, should_stop)
    return rest.plan_of_whole(search.found.plan)


def _on_slots(rest: Rest) -> RestOnSlots | None:
    """Return how what is left stands on its slots, and what runs plans from there by two passes.

    None where two passes are not the same as a simulation, on untyped slots for instance: what is left of
    tasks that run is then to be placed as if it waited, each plan is simulated, and a search takes longer.
    """
    workload, cluster = rest.workload, rest.cluster
    if why_no_passes(workload, cluster):
        return None
    t = rest.tasks
    chain, usual = plain_chain(t, 1, compiled=True), usual_after(t, cluster)

    def finishes(found: Plan, _: Callable[[], bool]) -> Floats:
        ends: Floats = chain.worths(columns_of([rest.plan_of_whole(found)], workload, usual, t))[1][0]
        return ends

    return RestOnSlots(t, finishes)


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
    ends = np.where(runs, _believed_ends(schedule, time, times), schedule.end)
    late = runs & (ends <= time)
    ends[late] = time + np.maximum(OVERDUE * times["duration"][late], MIN_LEFT)
    return workload_with(schedule.workload, TaskTimes(**times)), replace(schedule, end=ends)


def _believed_ends(schedule: Schedule, time: float, times: Mapping[str, Floats]) -> Floats:
    """Return when tasks end that have started, by the times that they are believed to take, (tasks,)."""
    model, over = schedule.cluster.shuffle_model, releases(schedule, time)
    shuffles = 0.0 if model == "mumak" else 1.0
    shuffled = schedule.start + shuffles * np.where(np.isneginf(over), 0.0, times["typical_shuffle"])
    after = over + shuffles * times["first_shuffle"]
    filler = np.maximum(after, shuffled) if model == "overlap" else after
    is_filler = schedule.start < over
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


_kept: KeptSearches[Plan, object] = KeptSearches("the search for a plan of what is left", MAX_KEPT_PLANS)
