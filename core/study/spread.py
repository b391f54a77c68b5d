"""How far the makespans of scenarios spread over draws of the jobs that a generator made."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.draw_bands import band_of
from core.study.draws import Draws, drawn, simulated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.workload import Workload
    from core.simulation.simulate import Engine

DRAWS = Draws(20, redraw=True)
PART = 0.9
"""The chance that one more draw lies in the band."""


class DrawnSpread(NamedTuple):
    """Makespans over draws, in seconds: the ends of a band, the median in it, and how many draws."""

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
        ends = np.array([run.makespan for run in runs])
        low, high = band_of(ends, PART)
        found.append(DrawnSpread(float(low), float(np.median(ends)), float(high), len(jobs)))
    return tuple(found)
