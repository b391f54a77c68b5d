"""Rows of a study made up, and workers that run in this process."""

from __future__ import annotations

import itertools

import pandas as pd

from core.study.executors import InThisProcess
from core.study.study import Axis, Study

SLOTS = Axis("map slots", ("cluster.map_slots",), (16, 32, 64), unit="slots")
SLOWSTART = Axis("slowstart", ("cluster.slowstart",), (0.05, 1.0))
POLICIES = Axis("policy", ("policy.id",), ("fifo", "johnson"))
STUDY = Study(
    "Two policies",
    (("workload.sample", "five-jobs"),),
    (SLOTS, SLOWSTART, POLICIES),
    ("makespan", "mean_response", "gap"),
    repetitions=2,
    seeds=("workload.order_seed",),
)
MAKESPANS = {
    ("fifo", 0.05): (100.0, 60.0, 30.0),
    ("johnson", 0.05): (90.0, 54.0, 36.0),
    ("fifo", 1.0): (120.0, 80.0, 40.0),
    ("johnson", 1.0): (96.0, 64.0, 48.0),
}
"""By policy and slowstart, along the map slots. Johnson is better until 32 slots, FIFO at 64."""


def rows(study: Study = STUDY, repetitions: int = 2) -> pd.DataFrame:
    """Return rows as `StudyResults.frame` gives them; the second repetition takes 2 s longer."""
    found = []
    points = itertools.product(range(3), (0.05, 1.0), ("fifo", "johnson"))
    for cell, (slots, slowstart, policy) in enumerate(points):
        for repetition in range(repetitions):
            makespan = MAKESPANS[policy, slowstart][slots] + 2.0 * repetition - 1.0
            where = (cell, repetition, repetition + 1, SLOTS.values[slots], slowstart, policy)
            found.append((*where, makespan, makespan / 2, 0.1, None))
    columns = ["cell", "repetition", "seed", *(axis.name for axis in study.axes), *study.measures, "error"]
    return pd.DataFrame(found, columns=columns)


class HereWorkers(InThisProcess):
    """Runs everything in the thread that asks."""

    def __init__(self, workers: int = 1, _niceness: int = 0) -> None:
        self.workers = workers

    def share(self, share):
        return share

    def end(self) -> None:
        pass
