"""How far the makespans of scenarios spread over draws of the jobs that a generator made."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.study.draws import Draws, drawn, simulated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.workload import Workload
    from core.simulation.simulate import Engine

DRAWS = Draws(20, redraw=True)
LOW, HIGH = 5, 95
"""Per cent of the draws below the ends of a whisker."""


class DrawnSpread(NamedTuple):
    """Makespans over draws, in seconds: the 5th percentile, the median, the 95th, and how many draws."""

    low: float
    middle: float
    high: float
    draws: int


def makespan_spreads(
    workload: Workload,
    scenarios: Sequence[tuple[Scenario, Cluster]],
    should_stop: Callable[[], bool],
    draws: Draws = DRAWS,
    engine: Engine = "auto",
) -> tuple[DrawnSpread, ...]:
    """Return for each scenario how its makespan spreads over draws of the workload's jobs.

    Parameters
    ----------
    workload : one that a generator made, as it is
    scenarios : each with the cluster that it runs on
    should_stop : asked now and then; True cancels

    Raises
    ------
    InputError
        no generator made the jobs as they are, or a scenario cannot run on some draw
    Cancelled
        `should_stop` said so
    """
    jobs = [draw.workload for draw in drawn(workload, draws)]
    found = []
    for scenario, cluster in scenarios:
        runs = (simulated(each, cluster, scenario, engine=engine, should_stop=should_stop) for each in jobs)
        low, middle, high = np.percentile([run.makespan for run in runs], (LOW, 50, HIGH)).tolist()
        found.append(DrawnSpread(low, middle, high, len(jobs)))
    return tuple(found)
