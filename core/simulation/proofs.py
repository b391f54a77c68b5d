"""What may be called proved: a plan that the simulator has replayed, with a certificate that was checked.

The search says that a plan meets a bound. That is no proof: it is called one only when the ordinary
simulator has run the plan to the same value, and a checker that shares no code with either has seen the
schedule, task by task, and has worked out the bound from its numbers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.engine.fresh_state import planned_needs
from core.model.objectives import DEADLINES_FIRST, LATE_JOB, MIX
from core.model.progress import never_stop
from core.model.schedule import PolicyChoice
from core.model.slots_that_stay import with_slots_that_stay
from core.model.submissions import follow_one_another
from core.optimize.bounds import makespan_bound, refined_bound
from core.optimize.cluster_sizes import cluster_of_size
from core.optimize.constraints import Constraints
from core.optimize.evaluate import alone_seconds
from core.optimize.exact_starts import may_search_starts
from core.optimize.job_questions import with_arrival
from core.optimize.objective_bounds import bound_of_stretch, proof_of_stretch
from core.optimize.objectives import Objective, with_arrivals
from core.optimize.priced import Priced
from core.optimize.short_searches import is_longer
from core.simulation.proof import AT_BOUND, NOT_PROVED, Proof
from core.verify.certificate import late_certificate, optimal_certificate, why_no_certificate
from core.verify.check import NOT_SHOWN, OPTIMAL, WITHIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.optimize.bounds import Bound
    from core.optimize.fewest_slots import Fewest
    from core.optimize.found import Found
    from core.optimize.job_questions import LatestArrival
    from core.optimize.lever_worths import LeverWorth
    from core.simulation.simulate import Engine
    from core.verify.certificate import Certificate

    Floats = NDArray[np.float64]

SURELY = 1 - 1e-12
RESULTS = "the recorded times of submission are results of that run"
BY_ALL = "all schedules were tried, which the checker does not confirm"
ALONE = {"rule": "alone"}


def proof_of(
    workload: Workload,
    cluster: Cluster,
    found: Found,
    *,
    objective: Objective | None = None,
    constraints: Constraints | None = None,
    engine: Engine = "auto",
    should_stop: Callable[[], bool] = never_stop,
    **_others: object,
) -> Proof:
    """Return whether what a search has found is proved to be optimal.

    Parameters
    ----------
    objective, constraints, _others : what was wished, as of `core.optimize.plan_search.Search`

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    if not found.proved:
        return NOT_PROVED
    searched = with_arrivals(workload, (constraints or Constraints()).arrivals)
    given = searched, cluster, objective or Objective(), found.plan, found.best, found.bound
    return certify(*given, engine=engine, should_stop=should_stop)


def proved_worths(
    workload: Workload, cluster: Cluster, worths: Iterable[LeverWorth], bound: float, **wishes: Any
) -> tuple[LeverWorth, ...]:
    """Return what levers are worth, "proved" only where all orders were tried or a certificate confirms it.

    Parameters
    ----------
    bound : value that no schedule is below
    wishes : as of `proof_of`
    """

    def checked(worth: LeverWorth) -> LeverWorth:
        if not worth.proved or worth.gap > AT_BOUND or worth.plan is None:
            return worth
        searched = with_arrivals(workload, wishes.get("constraints", Constraints()).arrivals)
        objective = wishes.get("objective", Objective())
        proof = certify(searched, cluster, objective, worth.plan, worth.best, bound)
        return replace(worth, proved=bool(proof))

    return tuple(map(checked, worths))


def certify(
    workload: Workload,
    cluster: Cluster,
    objective: Objective,
    plan: Plan,
    value: float,
    bound: float,
    *,
    engine: Engine = "auto",
    should_stop: Callable[[], bool] = never_stop,
) -> Proof:
    """Replay a plan, make its certificate, and check it.

    Parameters
    ----------
    workload, cluster : what the plan is for: with the arrivals that it was searched for
    value, bound : what the search says that the plan has, and that no schedule is below

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    from core.simulation.simulate import simulate  # only a proof is simulated again

    weights = _weights(objective)
    if follow_one_another(workload):
        return Proof(why_not=RESULTS)
    if unknown := why_no_certificate(cluster, tuple(weights)):
        return Proof(why_not=f"none is made for {unknown}")
    schedule = simulate(
        workload, cluster, PolicyChoice("fifo"), plan=plan, engine=engine, should_stop=should_stop
    )
    if weights == {"makespan": 1} and schedule.makespan != value:
        return Proof(why_not=f"the plan takes {schedule.makespan!r} s when it is replayed, not {value!r} s")
    return _certificate(schedule, weights, value, bound, should_stop)


def certify_gap(
    workload: Workload,
    cluster: Cluster,
    found: Found,
    *,
    objective: Objective | None = None,
    constraints: Constraints | None = None,
    robust: object = None,
    **_others: object,
) -> Proof:
    """Return the certificate of how far what a search has found may be from the best.

    Its bound is what the checker makes of the proof: that of the search has no rule where it is a mix.

    Parameters
    ----------
    objective, constraints, robust, _others : as of `proof_of`
    """
    from core.simulation.simulate import simulate  # only a proof is simulated again

    workload = with_arrivals(workload, (constraints or Constraints()).arrivals)
    weights = _weights(objective or Objective())
    if follow_one_another(workload):
        return Proof(why_not=RESULTS)
    if robust is not None:
        return Proof(why_not="durations are guesses")
    if unknown := why_no_certificate(cluster, tuple(weights)):
        return Proof(why_not=f"none is made for {unknown}")
    schedule = simulate(workload, cluster, PolicyChoice("fifo"), plan=found.plan)
    return _confirmed(certificate_within(schedule, weights, found.best, found.bound, found.priced))


def certify_gap_of(schedule: Schedule, objective: Objective, bound: float) -> Proof:
    """Return the certificate of how far a schedule may be from the best; others as of `certify_gap`."""
    weights, workload, alone = _weights(objective), schedule.workload, None
    if unknown := why_no_certificate(schedule.cluster, tuple(weights)):
        return Proof(why_not=f"none is made for {unknown}")
    if objective.needs_alone:
        alone = alone_seconds(workload, with_slots_that_stay(schedule.cluster))
    value = objective.value(workload, schedule.finish, alone)
    return _confirmed(certificate_within(schedule, weights, value, bound))


def certificate_within(
    schedule: Schedule, weights: dict[str, float], value: float, bound: float, priced: Priced | None = None
) -> Certificate:
    """Return the checked certificate of how far a schedule may be from the best.

    Parameters
    ----------
    schedule : complete, of a cluster that the checker knows
    weights : of each thing that is to be small, by its name
    value, bound : of the schedule; what the search says that no schedule is below. The certificate has what
        the checker makes of the proof
    priced : what the search knows that slots are worth
    """
    made = _made(schedule, weights, value, bound, never_stop, WITHIN, priced)
    return made.with_proved_bound()


def certify_schedule(schedule: Schedule, bound: float) -> Proof:
    """Return whether a schedule is proved to be the shortest, by a bound on the makespan that it meets."""
    if follow_one_another(schedule.given):
        return Proof(why_not=RESULTS)
    unknown = "shared scans" * schedule.shares_scans
    if unknown := unknown or why_no_certificate(schedule.cluster, ("makespan",)):
        return Proof(why_not=f"none is made for {unknown}")
    return _certificate(schedule, {"makespan": 1.0}, schedule.makespan, bound, never_stop)


def certify_too_late(workload: Workload, cluster: Cluster, until: float) -> Proof:
    """Return whether it is proved that no schedule on a cluster ends by a time, in seconds."""
    if follow_one_another(workload):
        return Proof(why_not=RESULTS)
    if unknown := why_no_certificate(cluster, ("makespan",)):
        return Proof(why_not=f"none is made for {unknown}")
    bound = makespan_bound(workload, cluster)
    if not is_longer(bound.seconds, until):
        bound = refined_bound(workload, cluster)
    return _confirmed(late_certificate(workload, cluster, until, bound.seconds, bound.proof, bound.why))


def prove_fewest(workload: Workload, cluster: Cluster, answer: Fewest) -> tuple[Fewest, Proof]:
    """Return the answer with whether it is proved that fewer are too few, and the certificate.

    Parameters
    ----------
    cluster : what else of it stays as it is, as of `core.optimize.fewest_slots.fewest`
    """
    if answer.too_few == 0:
        return answer, NOT_PROVED
    smaller = cluster_of_size(cluster, answer.varied, answer.too_few)
    if smaller is None:
        return answer, Proof(why_not="none is made for every split of the slots")
    proof = certify_too_late(workload, smaller, answer.until)
    return replace(answer, has_certificate=bool(proof)), proof


def prove_latest(workload: Workload, cluster: Cluster, answer: LatestArrival) -> tuple[LatestArrival, Proof]:
    """Return the answer with whether it is proved what is too late, and the certificate."""
    late = with_arrival(workload, answer.job, max(answer.too_late, 0.0))
    proof = certify_too_late(late, cluster, answer.until)
    return replace(answer, has_certificate=bool(proof)), proof


def _certificate(
    schedule: Schedule,
    weights: dict[str, float],
    value: float,
    bound: float,
    should_stop: Callable[[], bool],
) -> Proof:
    made = _made(schedule, weights, value, bound, should_stop, OPTIMAL)
    if made.is_confirmed or not may_search_starts(schedule.workload, schedule.cluster):
        return _confirmed(made)
    every = made.with_rule({"rule": "every schedule", "of": MIX, "value": bound})
    if every.is_confirmed:
        return Proof(every)
    return Proof(why_not=f"{BY_ALL}: {every.verdict.problems[0].removeprefix(NOT_SHOWN)}")


def _made(
    schedule: Schedule,
    weights: dict[str, float],
    value: float,
    bound: float,
    should_stop: Callable[[], bool],
    claim: str,
    priced: Priced | None = None,
) -> Certificate:
    workload, cluster = schedule.workload, schedule.cluster
    after = planned_needs(workload.columns, cluster, schedule.reduce_after)
    known = _makespan_bound(workload, cluster, bound, weights, should_stop)
    alone = alone_seconds(workload, with_slots_that_stay(cluster)) if "stretch" in weights else None
    proof = [part for name in weights for part in _parts(name, workload, cluster, known, alone)]
    proof += _by_prices(weights, workload, cluster, alone, priced)
    proof += _by_orders(weights, workload, cluster, bound)
    why = known.why if "makespan" in weights else ""
    given = schedule, after, value, bound, weights, proof, why
    return optimal_certificate(*given, claim=claim, alone=alone)


def _parts(
    name: str, workload: Workload, cluster: Cluster, known: Bound, alone: Floats | None
) -> list[dict[str, Any]]:
    """Return the rules that bound what is to be small, but for prices.

    Parameters
    ----------
    known : the bound on the makespan
    alone : how long each job takes alone, s, (jobs,), where that counts
    """
    if name == "makespan":
        return [{"of": name, **(known.proof or ALONE)}]
    rules: list[dict[str, Any]] = [ALONE]
    if name == "stretch" and alone is not None:
        least = bound_of_stretch(workload, cluster, alone)
        rules += [late] if (late := proof_of_stretch(workload, cluster, alone, least)) else []
    if name == "mean-response" and workload.columns.stages.are_map_reduce and not len(workload.columns.links):
        kinds = ("maps", "reduces", *["all"] * cluster.has_containers)
        rules += [{"rule": "shortest first", "slots": kind, "held": False} for kind in kinds]
    return [{"of": name, **rule} for rule in rules]


def _by_prices(
    weights: dict[str, float],
    workload: Workload,
    cluster: Cluster,
    alone: Floats | None,
    priced: Priced | None,
) -> list[dict[str, Any]]:
    """Return the rule that bounds by prices of slots all that is to be small, where there are any.

    Of what counts, only late jobs have prices of their own: a late one costs 1 in them.
    """
    names = [name for name in weights if name not in ("makespan", "stretch")]
    if not names:
        return []
    of = names[0] if names == ["late-jobs"] or len(weights) == 1 else MIX
    objective = Objective.of(of) if of != MIX else Objective(MIX, tuple(weights.items()))
    if priced is None or dict(priced.objective.weights) != dict(objective.weights):
        if objective.job_costs(workload) is None:
            return []
        priced = Priced.of(objective, None, workload, cluster, alone)
    return [{"of": of, **priced.proof}]


def _by_orders(
    weights: dict[str, float], workload: Workload, cluster: Cluster, bound: float
) -> list[dict[str, Any]]:
    """Return the rule of orders of ends where it proves as much as the search says."""
    proved = Objective(MIX, tuple(weights.items())).bound_by_orders(workload, cluster)
    if proved <= 0 or proved < bound * SURELY:
        return []
    return [{"of": MIX if len(weights) > 1 else next(iter(weights)), "rule": "orders"}]


def _weights(objective: Objective) -> dict[str, float]:
    """Return the weight of each thing that is to be small: late jobs first is a mix, too."""
    weights: dict[str, float] = {}
    for name, weight in objective.weights:
        parts = {"makespan": 1.0, "late-jobs": LATE_JOB} if name == DEADLINES_FIRST else {name: 1.0}
        for part, count in parts.items():
            weights[part] = weights.get(part, 0.0) + weight * count
    return {name: weight for name, weight in weights.items() if weight > 0}


def _makespan_bound(
    workload: Workload,
    cluster: Cluster,
    bound: float,
    weights: dict[str, float],
    should_stop: Callable[[], bool],
) -> Bound:
    """Return the bound on the makespan again, the refined one where the search has needed it."""
    quick = makespan_bound(workload, cluster)
    needs_more = weights == {"makespan": 1} and bound * SURELY > quick.seconds
    return refined_bound(workload, cluster, should_stop) if needs_more else quick


def _confirmed(certificate: Certificate) -> Proof:
    if certificate.is_confirmed:
        return Proof(certificate)
    return Proof(why_not=f"the checker refuses it: {certificate.verdict.problems[0]}")
