"""The sets of jobs of 004 as Fair, FRESH and OMO run them, for the study of OMO."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.nodes import NodeGroup, Request, contention_text
from core.model.schedule import PolicyChoice, Schedule
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.model.workload import Workload

SLOWSTARTS = (0.05, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Those that the paper tried for the Fair Scheduler."""

MAP_SECONDS, REDUCE_RATE = 70.0, 18.5
"""Map time at full speed, and MB/s of a reduce phase: see docs/paper-004-overlap.md."""

CONTAINERS = 4
"""Of a node; or two map and two reduce slots."""

Curve = tuple[float, ...]
ALWAYS_SLOW: Curve = (0.606,)
"""Every map of containers takes 1.65 times as long, whatever runs beside it."""


@dataclass(frozen=True)
class Setup:
    """One draw of a set of jobs, and the contention of the nodes whose containers FRESH and OMO share.

    So many containers `each` node has.
    """

    workload: Workload
    contention: Curve
    each: int = CONTAINERS

    def fair(self, slowstart: float) -> Schedule:
        """Return the Fair Scheduler's schedule on typed slots."""
        return run(self.workload, replace(self.workload.cluster, slowstart=slowstart), "fair")

    def best_fair(self) -> Schedule:
        """Return the shortest one over all values of slowstart."""
        return min(map(self.fair, SLOWSTARTS), key=lambda schedule: schedule.makespan)

    def containers(self, slowstart: float) -> Cluster:
        """Return the nodes of the typed slots, each with containers instead."""
        count = self.workload.cluster.slots // CONTAINERS
        return nodes_of(
            NodeGroup(count, self.each * 1024, self.each), Request(1024, 1), slowstart, self.contention
        )

    def fresh(self) -> Schedule:
        """Return FRESH's schedule."""
        return run(self.workload, self.containers(1.0), "fresh")

    def omo(self, slowstart: float = 0.0, **parameters: bool | str) -> Schedule:
        """Return OMO's schedule; its reduces start when it says so."""
        return run(self.workload, self.containers(slowstart), "omo", **parameters)

    def lazy(self) -> Schedule:
        """Return the schedule of *Lazy Start* alone."""
        return self.omo(batch_finish=False)

    def batch(self) -> Schedule:
        """Return the shortest schedule of *Batch Finish* alone over all values of slowstart."""
        return min(
            (self.omo(slowstart, lazy_start=False) for slowstart in SLOWSTARTS),
            key=lambda schedule: schedule.makespan,
        )


def drawn(name: str, seed: int, contention: Curve) -> Setup:
    """Draw a set of jobs."""
    parameters = {"job_set": name, "reduce_rate": REDUCE_RATE, "map_seconds": MAP_SECONDS}
    return Setup(generate("omo", seed=seed, parameters=parameters), contention)


def nodes_of(group: NodeGroup, asks: Request, slowstart: float, contention: Curve) -> Cluster:
    """Return a cluster of equal nodes on which every task asks for the same."""
    return Cluster(0, 0, slowstart, "overlap", 0, (group,), asks, asks, contention=contention)


def run(workload: Workload, cluster: Cluster, policy: str, **parameters: Any) -> Schedule:
    """Simulate with the compiled engine."""
    return simulate(workload, cluster, PolicyChoice(policy, parameters), engine="compiled")


def mean(values: Iterable[float]) -> float:
    """Return the mean."""
    return float(np.mean(list(values)))


def how(contention: Curve) -> str:
    """Say what tasks of containers take."""
    return "the same tasks for all" if contention == (1.0,) else f"contention {contention_text(contention)}"
