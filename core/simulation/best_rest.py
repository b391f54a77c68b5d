"""The best rest of a schedule: what starts before a time stays as it is, to the bit, the rest is searched."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.fresh_state import usual_reduce_after
from core.model.errors import InputError, StalledError
from core.model.levers import LEVERS, levers_from_a_time
from core.model.objectives import DEADLINES_FIRST
from core.model.progress import never_stop, no_progress
from core.model.schedule import PolicyChoice
from core.model.task_types import MAP, REDUCE
from core.optimize.objectives import Objective
from core.optimize.rest import RestOnSlots, jobs_left, rest_of, restricted
from core.optimize.search import optimize
from core.optimize.search_columns import why_no_passes
from core.policies.user_files.apart import where_policies_live
from core.simulation.fifo_trials import isolated_runtimes
from core.simulation.fork import fork_of, run_before, simulate_fork, standing_at
from core.simulation.proof import NOT_PROVED
from core.simulation.proofs import certify_gap_of
from core.verify.certificate import why_no_certificate

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.schedule import Fork, Forkable, Schedule
    from core.model.workload import Workload
    from core.optimize.found import Found
    from core.optimize.rest import Rest
    from core.simulation.proof import Proof
    from core.simulation.simulate import Engine, Simulation

    Floats = NDArray[np.float64]

BY_PLAN = PolicyChoice("critical")


@dataclass(frozen=True)
class BestRest:
    """The best rest of a schedule that was found.

    Attributes
    ----------
    fork : where what is searched leaves the schedule as it was
    plan : what is followed from there on; None where nothing better was found than to go on as before
    schedule, before : the whole with the rest that was found, and as it would have gone on
    value, value_before : of both by the objective
    proof : the certificate, of what is left at that time as a workload of its own, that the bound holds
    bound : value below which no rest can bring the whole; None where no checker has confirmed it
    found : of the search, in values of the whole
    """

    fork: Fork
    plan: Plan | None
    schedule: Schedule
    before: Schedule
    value: float
    value_before: float
    proof: Proof
    bound: float | None
    found: Found

    @property
    def gap(self) -> float | None:
        """By which part the value is above the bound; None where there is none."""
        return None if not self.bound else max(0.0, self.value / self.bound - 1)


@dataclass(frozen=True)
class _Searched:
    """What is searched from a time on, and what comes of it for the whole.

    Attributes
    ----------
    workload : what is left, where plans for it can be run by two passes; else all jobs, and each plan is
        simulated from that time on
    objective : of its schedules; what is missing of the value of the whole is `offset`
    on_slots : how it stands on its slots, and what simulates plans from there on
    rest : what is left; None where all jobs are searched
    """

    workload: Workload
    objective: Objective
    offset: float
    on_slots: RestOnSlots
    rest: Rest | None

    def plan_of_whole(self, plan: Plan) -> Plan:
        """Return a plan that was found as one of all jobs."""
        return plan if self.rest is None else self.rest.plan_of_whole(plan)

    def of_whole(self, found: Found) -> Found:
        """Return what was found in values of the whole, with a bound that is not checked."""
        values = {name: self.offset + getattr(found, name) for name in ("best", "start")}
        plan = self.plan_of_whole(found.plan)
        return replace(found, **values, bound=0.0, gap=1.0, proved=False, plan=plan)


@where_policies_live
def optimize_rest(
    workload: Workload,
    cluster: Cluster,
    followed: Forkable,
    time: float,
    *,
    objective: Objective | None = None,
    levers: Collection[str] = tuple(LEVERS),
    engine: Engine = "auto",
    on_found: Callable[[Found], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
    **effort: Any,
) -> BestRest:
    """Search the best rest of a schedule from a time on.

    Parameters
    ----------
    workload, cluster : of the schedule
    followed : what decides before the time: a scenario, a schedule, or what else has a policy
    time : seconds; starts at exactly that time are searched, too
    objective : what is to be small of the whole
    levers : what may be changed, of those that can be from a time on
    on_found : called with what was found, in values of the whole, whose bounds nobody has checked yet: 0
    effort : `seconds` or `steps`, `seed` and `compiled` as of `core.optimize.search.optimize`

    Raises
    ------
    InputError
        the schedule cannot be left there, nothing is left, or jobs share scans
    Cancelled
        `should_stop` said so before there was anything
    """
    objective = objective or Objective()
    allowed = levers_from_a_time(levers)
    fork = fork_of(followed, time)
    fast: Engine = "compiled" if effort.get("compiled", True) else engine
    run = standing_at(run_before(workload, cluster, fork, fast, should_stop), time, 0, should_stop)
    stands = run.schedule()
    if stands.shares_scans:
        raise InputError("what is left of a schedule is not searched where jobs share scans")
    searched = _searched(run, stands, time, objective)
    found = optimize(
        searched.workload,
        cluster,
        objective=searched.objective,
        levers=allowed,
        start=None if followed.plan is None else restricted(followed.plan, searched.workload),
        rest=searched.on_slots,
        on_found=lambda found: on_found(searched.of_whole(found)),
        should_stop=should_stop,
        **effort,
    )
    before = _as_before(workload, cluster, followed, fork, engine, should_stop)
    plan = searched.plan_of_whole(found.plan)
    how: dict[str, Any] = {"should_stop": should_stop, "engine": engine}
    schedule = simulate_fork(workload, cluster, BY_PLAN, fork, plan=plan, **how)
    best = _better((workload, cluster), objective, fork, (schedule, before), replace(found, plan=plan))
    return _with_bound(best, stands, objective, 0.0 if searched.rest is None else found.bound)


def _better(
    given: tuple[Workload, Cluster],
    objective: Objective,
    fork: Fork,
    schedules: tuple[Schedule, Schedule],
    found: Found,
) -> BestRest:
    """Return the rest that was found or, where it is no better, what would have been, without a bound."""
    alone = isolated_runtimes(*given) if objective.needs_alone else None
    value, as_before = (objective.value(given[0], each.finish, alone) for each in schedules)
    best = BestRest(fork, found.plan, *schedules, value, as_before, NOT_PROVED, None, found)
    if as_before <= value:
        best = replace(best, plan=None, schedule=best.before, value=as_before)
    return replace(best, found=replace(found, best=best.value, start=as_before, proved=False))


def _with_bound(best: BestRest, stands: Schedule, objective: Objective, of_rest: float) -> BestRest:
    """Return what was found with what the checker confirms of it; `of_rest` is the bound of the search."""
    proof, bound = _proof_and_bound(best, stands, objective, of_rest)
    best = replace(best, proof=proof, bound=bound)
    gap = 1.0 if best.gap is None else best.gap
    return replace(best, found=replace(best.found, bound=bound or 0.0, gap=gap))


def _searched(run: Simulation, stands: Schedule, time: float, objective: Objective) -> _Searched:
    """Return what is searched from a time on, at which a run stands so."""
    workload, cluster = run.workload, run.cluster
    job = jobs_left(stands, time)
    if objective.needs_alone or why_no_passes(workload, cluster):
        on_slots = RestOnSlots(None, _ends_by(run, np.arange(len(workload.jobs)), lambda plan: plan))
        return _Searched(workload, objective, 0.0, on_slots, None)
    rest = rest_of(stands, time)
    on_slots = RestOnSlots(rest.tasks, _ends_by(run, job, rest.plan_of_whole))
    return _Searched(rest.workload, *_of_rest(stands, rest, objective), on_slots, rest)


def _ends_by(
    run: Simulation, job: NDArray[np.int64], plan_of_whole: Callable[[Plan], Plan]
) -> Callable[[Plan, Callable[[], bool]], Floats]:
    """Return what simulates a plan from there on, and returns when some jobs end; infinity if it stalls."""

    def ends(plan: Plan, should_stop: Callable[[], bool]) -> Floats:
        after = run.with_policy(BY_PLAN, plan=plan_of_whole(plan))
        try:
            after.advance_until(np.inf, should_stop)
        except StalledError:
            return np.full(len(job), np.inf)
        finish: Floats = after.schedule().finish[job]
        return finish

    return ends


def _as_before(
    workload: Workload,
    cluster: Cluster,
    followed: Forkable,
    fork: Fork,
    engine: Engine,
    should_stop: Callable[[], bool],
) -> Schedule:
    """Return the schedule that nothing is changed of."""
    from core.simulation.simulate import simulate

    given = {"order": followed.order, "partition": followed.partition, "plan": followed.plan}
    how: dict[str, Any] = {**given, "engine": engine, "should_stop": should_stop}
    if followed.fork is None:
        return simulate(workload, cluster, followed.choice, **how)
    return simulate_fork(workload, cluster, followed.choice, followed.fork, **how)


def rest_schedule(schedule: Schedule, rest: Rest) -> Schedule:
    """Return what a schedule does from a time on, as a schedule of what was left then."""
    workload, task = rest.workload, rest.task
    columns = workload.columns
    start = np.maximum(schedule.start[task], rest.time)
    is_under_way = schedule.start[task] < rest.time
    has_maps = columns.count[columns.job, MAP] > 0
    knows_end = is_under_way & ((columns.kind == MAP) | ~has_maps)  # all of it counts as duration
    shuffled = np.where(knows_end, rest.time, schedule.shuffled[task])
    after = schedule.reduce_after
    needed = usual_reduce_after(schedule.given.columns, schedule.cluster) if after is None else after
    needed = np.maximum(needed[rest.job] - rest.done, 0)
    needed = np.where(rest.begun[:, REDUCE] > 0, 0, np.minimum(needed, columns.count[:, MAP]))
    return replace(
        schedule,
        workload=workload,
        slot=schedule.slot[task],
        start=start,
        shuffled=shuffled,
        end=schedule.end[task],
        stage_end=schedule.stage_end[rest.job],
        finish=schedule.finish[rest.job],
        reduce_after=needed.astype(np.int32),
        fork=None,
        plan=None,
    )


def _proof_and_bound(
    best: BestRest, stands: Schedule, objective: Objective, bound: float
) -> tuple[Proof, float | None]:
    """Return what the checker confirms of what was found, and the bound of the whole that it gives, if any.

    Of what is left by itself where it can be said; else of the whole, whatever was before: no rest can be
    better than that, either.

    Parameters
    ----------
    stands : the schedule at that time
    bound : of what is left, by the search; 0 where it has none
    """
    workload, cluster = best.schedule.given, best.schedule.cluster
    is_plain = workload.columns.stages.are_map_reduce and not len(workload.columns.links)
    if is_plain and not objective.needs_alone and not why_no_certificate(cluster, ()):
        rest = rest_of(stands, best.fork.time)
        part, offset = _of_rest(best.schedule, rest, objective)
        shown = rest_schedule(best.schedule, rest)
        proof = certify_gap_of(shown, part, bound or part.value(rest.workload, shown.finish))
        if proof.certificate is not None:
            return proof, offset + proof.certificate.verdict.bound
    proof = certify_gap_of(best.schedule, objective, 0.0)
    return proof, None if proof.certificate is None else proof.certificate.verdict.bound


def _of_rest(schedule: Schedule, rest: Rest, objective: Objective) -> tuple[Objective, float]:
    """Return the objective of the rest, and what is missing of the value of the whole."""
    parts = {name: _in_whole(schedule, rest, name) for name, _ in objective.weights}
    weights = tuple((name, weight * parts[name][1]) for name, weight in objective.weights)
    offset = sum(weight * parts[name][0] for name, weight in objective.weights)
    return replace(objective, weights=weights), offset


def _in_whole(schedule: Schedule, rest: Rest, name: str) -> tuple[float, float]:
    """Return what a value of the rest is in the whole: so much, and the value times a factor."""
    workload = schedule.workload
    weight = workload.columns.weight
    over = np.ones(len(weight), np.bool_)
    over[rest.job] = False
    due = workload.columns.deadline
    late = np.maximum(schedule.finish[over] - due[over], 0.0)
    has_due = np.isfinite(due[rest.job])
    passed = float(rest.workload.columns.deadline[has_due].sum() - due[rest.job][has_due].sum())
    waited = np.where(over, schedule.finish, np.maximum(workload.columns.arrival, rest.time))
    waited = waited - workload.columns.arrival
    if name == "mean-response":
        return float(waited.mean()), len(rest.job) / len(weight)
    if name == "weighted-response":
        whole = float(weight.sum())
        return float((weight * waited).sum()) / whole, float(weight[rest.job].sum()) / whole
    if name == "tardiness":
        return float(late.sum()) + passed, 1.0
    if name in ("late-jobs", DEADLINES_FIRST):
        counts = Objective.of(name).mix()[3]
        return float(counts * (late > 0).sum()), 1.0
    return 0.0, 1.0
