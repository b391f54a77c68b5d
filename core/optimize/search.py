"""The search for the best schedule, by the clock or by steps; a `Search` goes on as it is asked to."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import Cancelled
from core.model.progress import never_stop, tell_nobody
from core.optimize.cycles import FIRST_LENGTH
from core.optimize.objectives import Found
from core.optimize.plan_search import Search

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.workload import Workload

__all__ = ["Found", "Search", "optimize"]
SHORT_SLICE, LONG_SLICE = 0.05, 0.15
"""Seconds between two looks at what was found."""


def optimize(
    workload: Workload,
    cluster: Cluster,
    *,
    seconds: float | None = None,
    steps: int | None = None,
    on_found: Callable[[Found], None] = tell_nobody,
    should_stop: Callable[[], bool] = never_stop,
    **wishes: object,
) -> Found:
    """Search for so many seconds, 3 if nothing is said, or for so many steps.

    Parameters
    ----------
    seconds, steps : one of them; what so many steps find does not depend on the machine
    on_found : called whenever something better was found, or the bound has risen, and at the end
    should_stop : asked every 10 ms or so
    wishes : as of `Search`
    """
    search = Search(workload, cluster, horizon=steps, **wishes)  # type: ignore[arg-type]
    if steps is not None:
        found = search.advance(steps, should_stop)
        on_found(found)
        return found
    ends = time.monotonic() + (3.0 if seconds is None else seconds)
    told: tuple[float, float] | None = None

    def is_late() -> bool:
        return time.monotonic() >= ends or should_stop()

    found, slice_ = search.found, 4
    with ThreadPoolExecutor(1, "bound") as beside:
        refined = beside.submit(_refine, search, lambda: search.is_over or is_late())
        while not (search.is_over or is_late()):
            begun, before, measures = time.monotonic(), found.steps, search.is_measuring
            found = search.advance(slice_ if not measures else FIRST_LENGTH, is_late)
            took = time.monotonic() - begun
            if measures and np.isfinite(ends):
                search.horizon = int((ends - time.monotonic()) / max(took, 1e-6) * (found.steps - before))
            slice_ = max(
                1, slice_ // 2 if took > LONG_SLICE else 2 * slice_ if took < SHORT_SLICE else slice_
            )
            if (found.best, found.bound) != told:
                told = (found.best, found.bound)
                on_found(found)
        refined.result()
    found = search.found
    on_found(found)
    return found


def _refine(search: Search, should_stop: Callable[[], bool]) -> None:
    """Raise the bound while others search."""
    if not (search.found.proved or search.is_refined or should_stop()):
        with suppress(Cancelled):
            search.refine_bound(should_stop)
