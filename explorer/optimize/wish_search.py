"""The settings of a search in the window, as the search itself takes them."""

from __future__ import annotations

import math
from functools import partial
from time import sleep
from typing import TYPE_CHECKING, Any

from core.model.errors import Cancelled, InputError
from core.model.objectives import DEADLINES_FIRST, MIX
from core.model.submissions import ONE_AFTER_THE_OTHER
from core.optimize.constraints import Constraints
from core.optimize.exact_order import best_order, why_no_exact_order
from core.optimize.objectives import Objective, Robust, with_arrivals
from core.optimize.premise import premise_on
from core.optimize.slot_worths import slot_worths, why_no_worths
from core.simulation.fifo_trials import isolated_runtimes
from core.simulation.proofs import proof_of, proved_worths
from explorer.optimize.compiling import THEN_ASK
from explorer.optimize.result_words import LATE_FIRST
from explorer.optimize.search_run import Prepared
from explorer.optimize.wishes import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.plan import Plan
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.optimize.found import Found
    from core.optimize.lever_worths import LeverWorth
    from core.optimize.slot_worths import SlotWorths
    from core.simulation.proof import Proof
    from core.simulation.simulate import Engine
    from explorer.optimize.wishes import Wish
    from explorer.widgets.worker import Work

NOISY = "The chart shows it on the durations as told."
OTHER_ARRIVALS = (
    "The chart shows it with the arrivals that the jobs have; the plan is for those of the rules."
)
WAIT_STEP = 0.02
MAX_COMPARED = 3.0
"""Seconds of each search when levers are compared."""
MIN_SLOW = 120.0
"""Seconds that a search may take until compiled code is there: in few it would find nothing."""
MAX_SLOW = 5000
"""Tasks of all copies that a plan is tried on without compiled code; of more, one takes seconds."""


def search_for(
    wish: Wish,
    workload: Workload,
    cluster: Cluster,
    start: Plan | Sequence[str],
    pools: Partition | None,
    now: Schedule | None,
    *,
    compiled: bool,
) -> Prepared:
    """Return a search that is ready; InputError for a wish that cannot be searched for.

    Parameters
    ----------
    start : what the search begins with besides starts of its own
    pools : of the scenario, which a rule may keep
    now : the scenario's schedule as it is, if it is there
    """
    objective = objective_of(wish)
    alone = isolated_runtimes(workload, cluster) if objective.needs_alone else None

    def value_of(schedule: Schedule) -> float:
        keeps = wish.rules.keeps_deadlines
        return objective.value(schedule.given, schedule.finish, alone, keeps_deadlines=keeps)

    wishes = wishes_of(wish, pools) | {"start": start, "compiled": compiled}
    is_plain = wish.goal == "makespan" and not wish.sigma
    seconds = math.inf if wish.seconds is None else max(wish.seconds, 0 if compiled else MIN_SLOW)
    waits = not compiled and is_slow(workload, wish)
    search = _wait if waits else partial(_optimize, workload, cluster, seconds, wishes)
    premise, has_rules = premise_on(workload, cluster), wish.rules != Rules()
    can_order = is_plain and not (has_rules or premise.as_submitted or why_no_exact_order(workload, cluster))
    orders = partial(best_order, workload, cluster, compiled=compiled) if can_order else None
    note = NOISY if wish.sigma else OTHER_ARRIVALS if wish.rules.arrivals else ""
    now_value = None if now is None or note else value_of(now)
    shared = unit_of(wish), None if note else value_of, now_value, orders
    has_prices = not (wish.sigma or why_no_worths(workload, objective))
    note = " ".join(filter(None, (note, ONE_AFTER_THE_OTHER * premise.as_submitted)))
    return Prepared(
        search,
        *shared,
        is_weak=objective.is_weak,
        is_slow=not compiled,
        note=note,
        premise=premise,
        prices=prices_for(wish, workload, cluster) if has_prices else None,
        prove=partial(_prove, workload, cluster, wishes),
    )


def _prove(
    workload: Workload,
    cluster: Cluster,
    wishes: dict[str, Any],
    found: Found,
    should_stop: Callable[[], bool],
) -> Proof:
    engine: Engine = "auto" if wishes["compiled"] else "interpreted"
    return proof_of(workload, cluster, found, engine=engine, should_stop=should_stop, **wishes)


def is_slow(workload: Workload, wish: Wish) -> bool:
    """Whether trying a plan takes so long without compiled code that a search could not be stopped."""
    tasks = workload.map_count + workload.reduce_count
    return tasks * (wish.copies if wish.sigma else 1) > MAX_SLOW


def _wait(_on_found: Callable[[Found], None], should_stop: Callable[[], bool]) -> Found:
    """Wait until a search that can run takes the place of this one."""
    while not should_stop():
        sleep(WAIT_STEP)
    raise Cancelled("Nothing was searched yet.")


def comparison_for(
    wish: Wish, workload: Workload, cluster: Cluster, pools: Partition | None, *, compiled: bool
) -> tuple[Work, str]:
    """Return the function that computes what each lever is worth, for a thread, and the unit of its values.

    InputError while compiled code is missing that such a workload needs.
    """
    if not compiled and is_slow(workload, wish):
        raise InputError(THEN_ASK)
    seconds = MAX_COMPARED if wish.seconds is None else min(wish.seconds, MAX_COMPARED)
    wishes = wishes_of(wish, pools) | {"compiled": compiled}
    work = partial(_compare, workload, cluster, seconds, wishes)
    return work, unit_of(wish)


def _compare(
    workload: Workload,
    cluster: Cluster,
    seconds: float,
    wishes: dict[str, Any],
    _progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> tuple[LeverWorth, ...]:
    """Search with all levers, then with fewer of them in as much time again."""
    from core.optimize.lever_worths import lever_worths  # only what searches loads it
    from core.optimize.search import optimize

    found = optimize(workload, cluster, seconds=seconds, should_stop=should_stop, **wishes)
    worths = lever_worths(workload, cluster, found, seconds=2 * seconds, should_stop=should_stop, **wishes)
    if should_stop():
        raise Cancelled("comparing the levers was stopped")
    return proved_worths(workload, cluster, worths, found.bound, **wishes)


def prices_for(wish: Wish, workload: Workload, cluster: Cluster) -> Work:
    """Return what finds out, in a thread, what slots are worth when; InputError where they have no prices."""
    objective = objective_of(wish)
    if why := why_no_worths(workload, objective):
        raise InputError(why)
    return partial(_price, with_arrivals(workload, dict(wish.rules.arrivals)), cluster, objective)


def _price(
    workload: Workload,
    cluster: Cluster,
    objective: Objective,
    _progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> SlotWorths | None:
    return slot_worths(workload, cluster, objective, should_stop)


def unit_of(wish: Wish) -> str:
    """Return what the values of a search are counted in."""
    unit = objective_of(wish).unit
    is_late_first = wish.goal == DEADLINES_FIRST or wish.rules.keeps_deadlines
    return LATE_FIRST if is_late_first and unit == "s" else unit


def objective_of(wish: Wish) -> Objective:
    """Return what is to be small."""
    if wish.goal != MIX:
        return Objective.of(wish.goal)
    return Objective.of(",".join(f"{name}={weight:g}" for name, weight in wish.weights.items()))


def wishes_of(wish: Wish, pools: Partition | None) -> dict[str, Any]:
    """Return the arguments of a `Search` besides jobs, cluster and start, by the names of its parameters."""
    rules = wish.rules
    return {
        "objective": objective_of(wish),
        "levers": wish.levers,
        "constraints": Constraints(
            rules.pinned,
            rules.before,
            pools if rules.keeps_pools else None,
            rules.keeps_deadlines,
            dict(rules.arrivals),
        ),
        "robust": Robust(wish.copies, wish.sigma, wish.judge, wish.per) if wish.sigma else None,
        "seed": wish.seed,
    }


def _optimize(
    workload: Workload,
    cluster: Cluster,
    seconds: float,
    wishes: dict[str, Any],
    on_found: Callable[[Found], None],
    should_stop: Callable[[], bool],
) -> Found:
    from core.optimize.search import optimize  # only what searches loads it

    return optimize(workload, cluster, seconds=seconds, on_found=on_found, should_stop=should_stop, **wishes)
