"""The cluster a workload runs on: its slots and how reduces overlap with maps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from core.errors import DocumentError, Problem, did_you_mean, shorten

ShuffleModel = Literal["simmr", "overlap", "mumak"]
SHUFFLE_MODELS: tuple[str, ...] = get_args(ShuffleModel)
MOST_SLOTS = 100_000
"""Slots of one kind; a larger cluster is refused with a sentence."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Slots, slowstart and shuffle model.

    Attributes
    ----------
    map_slots, reduce_slots : typed slots; both 0 when the cluster has untyped containers
    containers : untyped slots that run tasks of either kind; 0 for a typed cluster
    slowstart : fraction of a job's maps that must be complete before its reduces may start, 0 to 1
    shuffle_model : "simmr", "overlap" or "mumak" (see `core.simulate`)

    Slots are numbered from 0: map slots first, then reduce slots (or the containers alone).
    """

    map_slots: int = 30
    reduce_slots: int = 30
    slowstart: float = 0.05
    shuffle_model: ShuffleModel = "simmr"
    containers: int = 0

    def __post_init__(self) -> None:
        problems = list(cluster_problems(self))
        if problems:
            raise DocumentError("cluster", problems)

    @property
    def slots(self) -> int:
        """All slots of the cluster."""
        return self.containers or self.map_slots + self.reduce_slots

    @property
    def has_containers(self) -> bool:
        """Whether slots are untyped."""
        return self.containers > 0

    @property
    def stage_slots(self) -> tuple[int, int]:
        """Slots that the map stage and the reduce stage of one job may use at most."""
        return (self.containers, self.containers) if self.containers else (self.map_slots, self.reduce_slots)

    def slot_name(self, slot: int) -> str:
        """Name a slot as the charts do: M1.. and R1.. (or C1..), counted from 1."""
        if self.containers:
            return f"C{slot + 1}"
        return f"M{slot + 1}" if slot < self.map_slots else f"R{slot - self.map_slots + 1}"


def cluster_problems(cluster: Cluster) -> list[Problem]:
    """Return every rule the cluster breaks (none for a valid one)."""
    problems = []
    for name in ("map_slots", "reduce_slots", "containers"):
        value = getattr(cluster, name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_SLOTS:
            problems.append(
                Problem(name, shorten(value), f"slots must be a whole number from 0 to {MOST_SLOTS}")
            )
    if problems:
        return problems
    if cluster.slots == 0:
        problems.append(Problem("map_slots", "0", "a cluster needs at least one slot"))
    if cluster.containers and cluster.map_slots + cluster.reduce_slots:
        rule = "a cluster has either containers or typed slots; set map_slots and reduce_slots to 0"
        problems.append(Problem("containers", str(cluster.containers), rule))
    slowstart = cluster.slowstart
    if (
        isinstance(slowstart, bool)
        or not isinstance(slowstart, int | float)
        or not 0 <= slowstart <= 1
        or not math.isfinite(slowstart)
    ):
        problems.append(Problem("slowstart", shorten(slowstart), "slowstart is a fraction from 0 to 1"))
    if cluster.shuffle_model not in SHUFFLE_MODELS:
        hint = did_you_mean(str(cluster.shuffle_model), SHUFFLE_MODELS)
        problems.append(
            Problem("shuffle_model", shorten(cluster.shuffle_model), f"not a shuffle model{hint}")
        )
    return problems
