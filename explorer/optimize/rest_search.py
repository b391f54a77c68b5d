"""The search of the window from the time cursor on: what starts before it stays as it is."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from core.simulation.fifo_trials import isolated_runtimes
from explorer.optimize.compiling import THEN_ASK
from explorer.optimize.search_run import Prepared
from explorer.optimize.wish_search import is_slow, objective_of, unit_of
from explorer.optimize.wishes import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.optimize.found import Found
    from explorer.optimize.wishes import Wish

FOR_THE_WHOLE = (
    "From the cursor on there are no rules, and no durations that may be wrong; leave them out, or search "
    "the whole."
)
GUESSES = "This scenario plans on guesses, and what is left of it is not searched; leave its estimates out."
AS_BEFORE = "Nothing better was found than to go on as before."
NOTE = "What starts before the cursor is fixed; the bound is of what can still be changed."


def rest_search_for(
    wish: Wish,
    workload: Workload,
    cluster: Cluster,
    scenario: Scenario,
    seconds: float,
    now: Schedule | None,
    *,
    compiled: bool,
) -> Prepared:
    """Return a search of the rest of a scenario from a time on; InputError for one that cannot be.

    Parameters
    ----------
    seconds : where the time cursor is
    now : the scenario's schedule as it is, if it is there
    """
    if wish.rules != Rules() or wish.sigma:
        raise InputError(FOR_THE_WHOLE)
    if scenario.choice.estimates is not None:
        raise InputError(GUESSES)
    if not compiled and is_slow(workload, wish):
        raise InputError(THEN_ASK)
    objective = objective_of(wish)
    alone = isolated_runtimes(workload, cluster) if objective.needs_alone else None

    def value_of(schedule: Schedule) -> float:
        return objective.value(schedule.given, schedule.finish, alone)

    effort = {
        "seconds": math.inf if wish.seconds is None else wish.seconds,
        "seed": wish.seed,
        "compiled": compiled,
        "levers": wish.levers,
        "objective": objective,
    }
    search = partial(_search_rest, workload, cluster, scenario, seconds, effort)
    start = None if now is None else value_of(now)
    return Prepared(search, unit_of(wish), value_of, start, is_weak=objective.is_weak, note=NOTE)


def _search_rest(
    workload: Workload,
    cluster: Cluster,
    scenario: Scenario,
    seconds: float,
    effort: dict[str, Any],
    on_found: Callable[[Found], None],
    should_stop: Callable[[], bool],
) -> Found:
    from core.simulation.best_rest import optimize_rest  # only what searches loads it

    best = optimize_rest(
        workload, cluster, scenario, seconds, on_found=on_found, should_stop=should_stop, **effort
    )
    if best.plan is None:
        raise InputError(AS_BEFORE)
    return best.found
