"""The search for the best schedule, by the clock or by steps; a `Search` goes on as it is asked to."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.errors import Cancelled
from core.model.progress import never_stop, tell_nobody
from core.optimize.cycles import FIRST_LENGTH
from core.optimize.objectives import LEVERS, Found
from core.optimize.plan_search import POOLED_TASKS, Search

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.workload import Workload

__all__ = ["Found", "Search", "optimize"]
SHORT_SLICE, LONG_SLICE = 0.05, 0.15
"""Seconds between two looks at what was found."""
POOLS_BY = 0.5
"""The part of the time after which the pools of BalancedPools are tried, if they have not been by then."""
ORDER_ONLY = ("order",)
AS_TOLD = "the best plan for the durations as told"
SEARCHING_AS_TOLD = "searching with the durations as told"
FRESH_COPIES, FRESH_TASKS = 32, 4_000_000
"""Copies of the durations that the best plans for guesses are judged on at the end, and tasks of them all."""


def optimize(
    workload: Workload,
    cluster: Cluster,
    *,
    seconds: float | None = None,
    steps: int | None = None,
    on_found: Callable[[Found], None] = tell_nobody,
    should_stop: Callable[[], bool] = never_stop,
    **wishes: Any,
) -> Found:
    """Search for so many seconds, 3 if nothing is said, or for so many steps.

    The best is no worse than what BalancedPools finds on map and reduce slots, if pools are among the levers
    and neither `should_stop` nor less than about two seconds ended the search before its pools were tried. Of
    many jobs it tries only as many splits in two as take two thirds of the time, or two seconds if that is
    measured in steps: of a hundred jobs of the papers all.

    For guesses, plans for the durations as told are searched first: with the order alone, then with all
    levers that are allowed, by the clock in a quarter of the time each. What is best on the copies that were
    searched for may be so by chance. So these two and the best are judged at the end on copies that nothing
    was fitted to: the best of them is returned, with its value and spread there.

    Parameters
    ----------
    seconds, steps : one of them; what so many steps find does not depend on the machine
    on_found : called whenever something better was found, the bound has risen or another part of the search
        begins, and at the end
    should_stop : asked every few milliseconds
    wishes : as of `Search`
    """
    search = Search(workload, cluster, horizon=steps, **wishes)
    if steps is not None:
        told = _begin_as_told(search, workload, cluster, wishes, {"steps": steps, "should_stop": should_stop})
        search.advance(steps, should_stop)
        search.try_pools(should_stop)
    else:
        begun, seconds = time.monotonic(), 3.0 if seconds is None else seconds

        def is_late() -> bool:
            return time.monotonic() >= begun + seconds or should_stop()

        search.pooled_tasks = int(POOLED_TASKS * min(max(1.0, seconds / 3), 1000.0))
        on_found(replace(search.found, doing=SEARCHING_AS_TOLD) if wishes.get("robust") else search.found)
        effort = {"seconds": min(3.0, seconds / 4), "should_stop": is_late}
        told = _begin_as_told(search, workload, cluster, wishes, effort)
        _by_the_clock(search, (begun + POOLS_BY * seconds, begun + seconds), on_found, is_late)
    found = _judged_anew(search.found, told, workload, cluster, wishes) if told else search.found
    on_found(found)
    return found


def _by_the_clock(
    search: Search,
    ends: tuple[float, float],
    on_found: Callable[[Found], None],
    is_late: Callable[[], bool],
) -> None:
    """Let a search go on until it is late; `ends`: when pools are to be tried, and when it will be late."""
    found, slice_ = search.found, 4
    told = found.best, found.bound, found.doing
    with ThreadPoolExecutor(1, "bound") as beside:
        refined = beside.submit(_refine, search, lambda: search.is_over or is_late())
        while not (search.is_over or is_late()):
            begun, before, measures = time.monotonic(), found.steps, search.is_measuring
            found = search.advance(slice_ if not measures else FIRST_LENGTH, is_late)
            took = time.monotonic() - begun
            if measures and np.isfinite(ends[1]):
                search.horizon = int((ends[1] - time.monotonic()) / max(took, 1e-6) * (found.steps - before))
            if time.monotonic() > ends[0]:
                found = search.try_pools(is_late)
            slice_ = max(
                1, slice_ // 2 if took > LONG_SLICE else 2 * slice_ if took < SHORT_SLICE else slice_
            )
            if (found.best, found.bound, found.doing) != told:
                told = found.best, found.bound, found.doing
                on_found(found)
        refined.result()


def _begin_as_told(
    search: Search, workload: Workload, cluster: Cluster, wishes: dict[str, Any], effort: dict[str, Any]
) -> list[Found]:
    """Let a search for guesses begin at the best plans for the durations as told too; return these."""
    if wishes.get("robust") is None:
        return []
    found = []
    allowed = tuple(wishes.get("levers", LEVERS))
    for levers in (ORDER_ONLY, allowed) if allowed != ORDER_ONLY else (ORDER_ONLY,):
        as_told = wishes | {"robust": None, "levers": levers}
        found.append(replace(optimize(workload, cluster, **effort, **as_told), how=AS_TOLD))
        search.try_plan(found[-1].plan, AS_TOLD)
    search.wants_pools = False  # they have been tried on the durations as told, if there was time
    return found


def _judged_anew(
    best: Found, others: list[Found], workload: Workload, cluster: Cluster, wishes: dict[str, Any]
) -> Found:
    """Return the best plan on copies of the durations that no search has seen, with its value there."""
    most = FRESH_TASKS // max(1, workload.map_count + workload.reduce_count)
    copies = max(wishes["robust"].copies, min(FRESH_COPIES, most))
    fresh = {"robust": replace(wishes["robust"], copies=copies), "seed": wishes.get("seed", 1) + 1}
    jury = Search(workload, cluster, **wishes | fresh)
    for each in (best, *others):
        jury.try_plan(each.plan, each.how)
    judged = jury.found
    return replace(
        best, best=judged.best, gap=judged.gap, plan=judged.plan, how=judged.how, spread=judged.spread
    )


def _refine(search: Search, should_stop: Callable[[], bool]) -> None:
    """Raise the bound while others search; what they write must not be read here, nor run."""
    if not (search.is_refined or should_stop()):
        with suppress(Cancelled):
            search.refine_bound(should_stop)
