"""The search for the best schedule, by the clock or by steps; a `Search` goes on step by step."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.errors import Cancelled
from core.model.levers import LEVERS
from core.model.progress import never_stop, no_progress
from core.optimize.balanced_pools import POOLED_TASKS
from core.optimize.chains import load_compiled
from core.optimize.cycles import FIRST_LENGTH
from core.optimize.exact_starts import compiled_search, may_search_starts
from core.optimize.plan_search import Search
from core.optimize.priced import PricingTime

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.found import Found
    from core.optimize.objectives import Robust

    Effort = dict[str, Any]
    Floats = NDArray[np.float64]

__all__ = ["Search", "optimize"]
SHORT_SLICE, LONG_SLICE = 0.05, 0.15
"""Seconds between two looks at what was found."""
SEARCHED_PER_LOOK = 9
"""Seconds of search after each second of looking at what was found, which is simulated to be shown."""
POOLS_BY = 0.5
"""The part of the time after which the pools of BalancedPools are tried, if they have not been by then."""
PRICES_BY = 0.3
"""The part of the time that is for prices of slots."""
ORDER_ONLY = ("order",)
FOR_ESTIMATES = "the best plan for the durations as told"
SEARCHING_ESTIMATES = "searching with the durations as told"
FRESH_COPIES, FRESH_TASKS = 100, 4_000_000
"""Copies of the durations that the best plans for guesses are judged on at the end, and tasks of them all."""
UNSEEN, SURE = 16, 2.0
"""Another plan than that without guesses is taken if it would be better in the mean of so many new draws as
well, with a certainty of so many standard deviations: of a hundred such means two at most are worse."""
ORDER_PART, ALL_PART, ORDER_SECONDS, ALL_SECONDS = 1 / 8, 1 / 2, 3.0, 30.0
"""Parts of the time, and seconds at most, in which plans for the durations as told are searched."""


def optimize(
    workload: Workload,
    cluster: Cluster,
    *,
    seconds: float | None = None,
    steps: int | None = None,
    on_found: Callable[[Found], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
    clock: Callable[[], float] = time.monotonic,
    prices_by: float = PRICES_BY,
    **wishes: Any,
) -> Found:
    """Search for so many seconds, 3 by default, or for so many steps.

    The seconds begin when what runs plans has been compiled: where nothing is in the cache yet, that takes
    45 to 75 s of a processor more, and minutes where others use it. Prices of slots that are begun are found:
    what they take beyond their part of the seconds comes on top, since without them plans of many jobs are
    poor.

    The best is no worse than what BalancedPools finds on map and reduce slots, if pools are among the levers
    and neither `should_stop` nor less than about two seconds ended the search before its pools were tried. Of
    many jobs it tries only as many splits in two as take two thirds of the time, or two seconds if that is
    measured in steps: of a hundred jobs of the papers all.

    For guesses, plans for the durations as told are searched first: with the order alone, then with all
    levers that are allowed, by the clock in an eighth and in half of the time. What is best on the copies
    that were searched for may be so by chance. So these two and the best are judged at the end on copies that
    nothing was fitted to. The plan with all levers, which is that of the same steps without guesses, is
    returned with its value and spread there, unless another one is surely better.

    Parameters
    ----------
    seconds, steps : one of them; what so many steps find does not depend on the machine
    on_found : called whenever something better was found, the bound has risen or another part of the search
        begins, and at the end
    should_stop : asked every few milliseconds
    clock : what counts the seconds; `time.process_time` those of the processor, which others cannot take away
    prices_by : the part of the seconds after which better prices of slots are not looked for any further
    wishes : as of `Search`
    """
    if steps is None and wishes.get("compiled", True):
        _load_all_compiled(workload, cluster)
    search = Search(workload, cluster, horizon=steps, **wishes)
    if steps is not None:
        efforts = [{"steps": steps, "should_stop": should_stop}] * 2
        others = _begin_with_estimates(search, workload, cluster, wishes, efforts)
        search.go_on(steps, should_stop)
        search.try_pools(should_stop)
    else:
        timed = 3.0 if seconds is None else seconds, on_found, should_stop, clock, prices_by
        others = _for_seconds(search, workload, cluster, wishes, *timed)
    found = _judged_anew(search.found, others, workload, cluster, wishes) if others else search.found
    on_found(found)
    return found


def _for_seconds(
    search: Search,
    workload: Workload,
    cluster: Cluster,
    wishes: dict[str, Any],
    seconds: float,
    on_found: Callable[[Found], None],
    should_stop: Callable[[], bool],
    clock: Callable[[], float],
    prices_by: float,
) -> list[Found]:
    """Search for so many seconds; return what `_begin_with_estimates` does. Arguments as of `optimize`."""
    begun = clock()
    end = begun + seconds

    def is_late() -> bool:
        return clock() >= end or should_stop()

    def priced() -> None:
        nonlocal end
        end = max(end, clock() + (1 - PRICES_BY) * seconds)

    search.pricing = PricingTime(lambda: clock() >= begun + prices_by * seconds, should_stop, priced)
    search.pooled_tasks = int(POOLED_TASKS * min(max(1.0, seconds / 3), 1000.0))
    on_found(replace(search.found, doing=SEARCHING_ESTIMATES) if wishes.get("robust") else search.found)
    parts = min(ORDER_SECONDS, ORDER_PART * seconds), min(ALL_SECONDS, ALL_PART * seconds)
    efforts = [{"seconds": part, "should_stop": is_late, "clock": clock} for part in parts]
    others = _begin_with_estimates(search, workload, cluster, wishes, efforts)
    _by_the_clock(search, lambda: end - clock(), (1 - POOLS_BY) * seconds, on_found, is_late, clock)
    return others


def _load_all_compiled(workload: Workload, cluster: Cluster) -> None:
    """Compile what runs plans, and what searches starts where that may be."""
    load_compiled()
    if may_search_starts(workload, cluster):
        compiled_search()


def _by_the_clock(
    search: Search,
    left: Callable[[], float],
    pooled: float,
    on_found: Callable[[Found], None],
    is_late: Callable[[], bool],
    clock: Callable[[], float],
) -> None:
    """Let a search go on until it is late.

    Parameters
    ----------
    left : how many seconds are left
    pooled : with fewer than so many left pools are tried
    """
    found, slice_, next_look = search.found, 4, 0.0
    shown = found.best, found.bound, found.doing
    with ThreadPoolExecutor(1, "bound") as beside:
        refined = beside.submit(_refine, search, lambda: search.is_over or is_late())
        while not (search.is_over or is_late()):
            begun, before, measures = clock(), search.steps, search.is_measuring
            search.go_on(slice_ if not measures else FIRST_LENGTH, is_late)
            took = clock() - begun
            if measures and np.isfinite(left()):
                search.horizon = int(left() / max(took, 1e-6) * (search.steps - before))
            if left() < pooled:
                search.try_pools(is_late)
            slice_ = max(
                1, slice_ // 2 if took > LONG_SLICE else 2 * slice_ if took < SHORT_SLICE else slice_
            )
            if (look := clock()) < next_look:
                continue
            found = search.found
            next_look = clock() + (clock() - look) * SEARCHED_PER_LOOK
            if (found.best, found.bound, found.doing) != shown:
                shown = found.best, found.bound, found.doing
                on_found(found)
        refined.result()


def _begin_with_estimates(
    search: Search, workload: Workload, cluster: Cluster, wishes: dict[str, Any], efforts: Sequence[Effort]
) -> list[Found]:
    """Begin a search for guesses at the best plans for the estimated durations, too; return these."""
    if wishes.get("robust") is None:
        return []
    found = []
    allowed = tuple(wishes.get("levers", LEVERS))
    tried = ((ORDER_ONLY, allowed), efforts) if allowed != ORDER_ONLY else ((allowed,), efforts[1:])
    for levers, effort in zip(*tried, strict=True):
        trusting = wishes | {"robust": None, "levers": levers}
        found.append(replace(optimize(workload, cluster, **effort, **trusting), how=FOR_ESTIMATES))
        search.try_plan(found[-1].plan, FOR_ESTIMATES)
    search.wants_pools = False  # they have been tried on the durations as told, if there was time
    return found


def _judged_anew(
    best: Found, others: list[Found], workload: Workload, cluster: Cluster, wishes: dict[str, Any]
) -> Found:
    """Return the best plan on copies of the durations that no search has seen, with its value there.

    The last of the others is what would be searched without guesses. Another one takes its place if it is so
    much better that new draws would say so, too.
    """
    most = FRESH_TASKS // max(1, workload.map_count + workload.reduce_count)
    robust: Robust = wishes["robust"]
    robust = replace(robust, copies=max(robust.copies, min(FRESH_COPIES, most)))
    jury = Search(workload, cluster, **wishes | {"robust": robust, "seed": wishes.get("seed", 1) + 1})
    *others, chosen = others
    values = jury.values_of(chosen.plan)
    for each in (best, *others):
        judged = jury.values_of(each.plan)
        if _is_surely_better(judged, values, robust):
            chosen, values = each, judged
    value = robust.value_of(values)
    gap = max(0.0, value / best.bound - 1) if best.bound > 0 else float(value > 0)
    spread = tuple(np.sort(values).tolist())
    return replace(best, best=value, gap=gap, plan=chosen.plan, how=chosen.how, spread=spread)


def _is_surely_better(one: Floats, other: Floats, robust: Robust) -> bool:
    """Whether a plan is better than another one, by their values on the same copies, (copies,).

    In the mean it has to be by so much that the mean of `UNSEEN` new draws would be better as well, with a
    certainty of `SURE` standard deviations.
    """
    if robust.judge != "mean":
        return robust.value_of(one) < robust.value_of(other)
    saved = other - one
    error = float(saved.std(ddof=1)) * np.sqrt(1 / UNSEEN + 1 / len(saved)) if len(saved) > 1 else np.inf
    return bool(saved.mean() > SURE * error)


def _refine(search: Search, should_stop: Callable[[], bool]) -> None:
    """Raise the bound while others search; what they write must not be read here, nor run."""
    if not (search.is_refined or should_stop()):
        with suppress(Cancelled):
            search.refine_bound(should_stop)
