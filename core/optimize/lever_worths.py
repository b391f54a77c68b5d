"""What each lever is worth: the best schedule with the first of them alone, with the first two, and so on.

Each search begins at the plan of the one before, so that one more lever is never worse. Of few jobs all
orders are searched: then it is known that no order can do better, and only another lever can.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from core.model.levers import LEVERS, levers_of
from core.model.plan import Plan
from core.model.progress import never_stop, no_progress
from core.optimize.constraints import Constraints
from core.optimize.exact_order import best_order, why_no_exact_order
from core.optimize.objectives import Objective
from core.optimize.search import optimize
from core.optimize.wrong_results import check_bound

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.found import Found


@dataclass(frozen=True)
class LeverWorth:
    """What a lever is worth together with those before it.

    Attributes
    ----------
    lever : of `core.model.levers.LEVERS`
    best : value of the best schedule found
    gap : best / bound - 1
    proved : whether no schedule is better with these levers: it meets the bound, or all orders were tried
    plan : of that schedule; None if it was not kept
    spread : its values on every copy of the durations, ascending; empty without copies
    """

    lever: str
    best: float
    gap: float
    proved: bool
    plan: Plan | None = None
    spread: tuple[float, ...] = ()

    @classmethod
    def of(cls, lever: str, found: Found) -> LeverWorth:
        """Return what a search with a lever, and those before it, has found."""
        return cls(lever, found.best, found.gap, found.proved, found.plan, found.spread)


def order_worth_text(worths: Sequence[LeverWorth]) -> str:
    """Return what all orders are worth beside other levers, where all were tried; else empty."""
    first = worths[0]
    if first.lever != "order" or not first.proved or first.gap <= 0:
        return ""
    is_beaten = any(each.best < first.best for each in worths)
    return f"All orders were tried, and none is better; another lever {'is' if is_beaten else 'may be'}."


def lever_worths(
    workload: Workload,
    cluster: Cluster,
    found: Found,
    *,
    levers: Collection[str] = LEVERS,
    seconds: float | None = None,
    steps: int | None = None,
    should_stop: Callable[[], bool] = never_stop,
    on_worth: Callable[[LeverWorth], None] = no_progress,
    **wishes: Any,
) -> tuple[LeverWorth, ...]:
    """Return what levers are worth, in the order of `LEVERS`; the last one with all of them is `found`.

    Levers that change nothing of these jobs are left out.

    No lever makes anything worse: if fewer of them have found more than all, `found` is what these have.

    Parameters
    ----------
    found : the best that is found with all these levers
    seconds, steps : for all of these searches, or for each of them
    should_stop : asked now and then; if True, what is known so far is returned, and the last one
    on_worth : called with each
    wishes : as of `core.optimize.search.Search`
    """
    allowed = levers_of(levers, workload)
    share = None if seconds is None else seconds / max(1, len(allowed) - 1)
    worths: list[LeverWorth] = []
    start = wishes.pop("start", None)
    for count, lever in enumerate(allowed[:-1], 1):
        if should_stop():
            break
        best = optimize(
            workload,
            cluster,
            seconds=share,
            steps=steps,
            levers=allowed[:count],
            start=start,
            should_stop=should_stop,
            **wishes,
        )
        worths.append(LeverWorth.of(lever, best))
        if lever == "order" and count == 1 and _only_makespan(wishes):
            worths[-1] = _among_orders(workload, cluster, best, share, should_stop)
        start = worths[-1].plan
        on_worth(worths[-1])
    for lever in allowed[-1:]:
        with_all, before = LeverWorth.of(lever, found), worths[-1:]
        if before and before[0].best < with_all.best:
            with_all = replace(before[0], lever=lever, proved=before[0].proved and before[0].gap <= 0)
        worths.append(with_all)
    return tuple(worths)


def best_of(found: Found, worths: Sequence[LeverWorth]) -> Found:
    """Return what was found with all levers, or what fewer of them have found if that is better."""
    best = min(worths, key=_value, default=LeverWorth.of("", found))
    if best.best >= found.best or best.plan is None:
        return found
    how = f"the search with fewer levers, up to {best.lever}"
    return replace(
        found,
        best=best.best,
        gap=best.gap,
        proved=best.proved and best.gap <= 0,
        plan=best.plan,
        how=how,
        spread=best.spread,
    )


def _value(worth: LeverWorth) -> float:
    return worth.best


def _only_makespan(wishes: dict[str, Any]) -> bool:
    """Whether the makespan alone counts, and any order is allowed."""
    is_plain = wishes.get("objective", Objective()) == Objective() and wishes.get("robust") is None
    return is_plain and wishes.get("constraints", Constraints()) == Constraints()


def _among_orders(
    workload: Workload, cluster: Cluster, found: Found, seconds: float | None, should_stop: Callable[[], bool]
) -> LeverWorth:
    """Return what the order is worth, by all orders where there is time for that."""
    worth = LeverWorth.of("order", found)
    if found.proved or why_no_exact_order(workload, cluster):
        return worth
    end = math.inf if seconds is None else time.monotonic() + seconds
    orders = best_order(
        workload,
        cluster,
        at_most=found.best,
        should_stop=lambda: should_stop() or time.monotonic() > end,
    )
    if orders.makespan >= found.best:
        return replace(worth, proved=orders.proved)
    plan = Plan.of_order(orders.order)
    check_bound(orders.makespan, found.bound, workload, cluster, plan)
    gap = orders.makespan / found.bound - 1 if found.bound > 0 else 0.0
    return LeverWorth("order", orders.makespan, gap, orders.proved, plan)
