"""The fewest slots with which a job meets its deadline, by ARIA's estimate of its completion time.

Source: 001 section V.A. The estimate, the mean of both bounds, has the form ``a / S_M + b / S_R + C``; on
the curve where it equals the time allowed, S_M + S_R is smallest at a point that Lagrange's multipliers give.
Ours: a stage for which the cluster is too small gets all its slots, and the other stage then what the curve
asks of it; the whole slots above that point are then taken away again one by one, maps and reduces in turn,
while the finer estimate of `core.planning.aria` still meets the deadline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.job import MAP, REDUCE
from core.planning.aria import StageProfiles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload

    Floats = NDArray[np.float64]
    Slots = NDArray[np.int64]

ROUNDING = 1 + 1e-9
"""A deadline met but for rounding is met."""


class Hyperbola(NamedTuple):
    """The estimate ``a / S_M + b / S_R + c`` of every job, in seconds, (jobs,) each."""

    a: Floats
    b: Floats
    c: Floats


def fewest_slots(workload: Workload, cluster: Cluster) -> Slots:
    """Return the map and reduce slots that each job needs to meet its deadline, (jobs, 2).

    A job that cannot meet it, or has none, needs all slots of the cluster; a stage without tasks needs none.
    """
    columns = workload.columns
    profiles = StageProfiles.of(workload, cluster)
    curve = hyperbola(profiles)
    allowed = columns.deadline - columns.arrival
    solvable = np.isfinite(allowed) & (allowed > curve.c)
    most = np.where(columns.count > 0, cluster.stage_slots, 0)
    time = np.where(solvable, allowed - curve.c, 1.0)
    slots = np.where(solvable[:, None], _lagrange_minimum(curve, time, most), most)
    return _shrunk(slots, np.where(solvable, allowed, -np.inf) * ROUNDING, profiles)


def hyperbola(profiles: StageProfiles) -> Hyperbola:
    """Return the mean of both bounds of 001 equation (1) as coefficients of 1 / S_M and 1 / S_R."""
    maps, reduces, first, typical = profiles
    a = (maps.tasks + np.maximum(maps.tasks - 1, 0)) / 2 * maps.average
    waves = (reduces.tasks + np.maximum(reduces.tasks - 1, 0)) / 2
    b, c = waves * reduces.average, maps.longest + reduces.longest
    if first is not None and typical is not None:
        b = b + waves * typical.average
        c = c + first.average + first.longest - 2 * typical.average + typical.longest
    return Hyperbola(a, b, c / 2)


def _lagrange_minimum(curve: Hyperbola, time: Floats, most: Slots) -> Slots:
    """Return the whole slots above the point of the curve where S_M + S_R is smallest, (jobs, 2)."""
    root_a, root_b = np.sqrt(curve.a), np.sqrt(curve.b)
    maps = _whole(root_a * (root_a + root_b) / time, most[:, MAP])
    reduces = _whole(root_b * (root_a + root_b) / time, most[:, REDUCE])
    # Where the cluster cuts one stage short, the curve says what the other one needs then.
    cut_maps, cut_reduces = maps == most[:, MAP], reduces == most[:, REDUCE]
    more_reduces = _other_stage(curve.b, time, curve.a, maps, most[:, REDUCE])
    more_maps = _other_stage(curve.a, time, curve.b, reduces, most[:, MAP])
    return np.stack(
        [
            np.where(cut_reduces, np.maximum(maps, more_maps), maps),
            np.where(cut_maps, np.maximum(reduces, more_reduces), reduces),
        ],
        axis=1,
    )


def _other_stage(own: Floats, time: Floats, other: Floats, slots: Slots, most: Slots) -> Slots:
    """Solve ``own / S + other / slots = time`` for S; all slots if there is no such S."""
    left = time - other / np.maximum(slots, 1)
    needed = np.divide(own, left, out=np.full_like(own, np.inf), where=left > 0)
    return _whole(np.where(own > 0, needed, 0.0), most)


def _whole(slots: Floats, most: Slots) -> Slots:
    """Round up to whole slots: at least one where there are tasks, at most those of the cluster."""
    rounded: Slots = np.clip(np.ceil(slots / ROUNDING), np.minimum(most, 1), most).astype(np.int64)
    return rounded


def _shrunk(slots: Slots, allowed: Floats, profiles: StageProfiles) -> Slots:
    """Take slots away, a map and a reduce slot in turn, while the estimate still meets the deadline."""
    shrinking = True
    while shrinking:
        shrinking = False
        for kind in (MAP, REDUCE):
            fewer = slots.copy()
            fewer[:, kind] -= 1
            meets = (fewer[:, kind] > 0) & (_estimate(profiles, fewer) <= allowed)
            slots = np.where(meets[:, None], fewer, slots)
            shrinking = shrinking or bool(meets.any())
    return slots


def _estimate(profiles: StageProfiles, slots: Slots) -> Floats:
    """Return the estimated completion time of every job on slots of its own, (jobs,)."""
    maps, reduces = slots.T
    return profiles.map_bounds(maps).mean + profiles.reduce_bounds(reduces).mean
