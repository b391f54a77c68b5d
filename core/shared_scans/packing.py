"""Ready-list malleable packing: from a priority order to slots over time (003 B.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.shared_scans.subjobs import Subjob

    ShareOut = Callable[[Sequence[int], Mapping[int, Subjob], float], dict[int, float]]

INFINITY = float("inf")


@dataclass(frozen=True, slots=True)
class Interval:
    """From one completion to the next: every ready subjob with its slots (by number)."""

    start: float
    end: float
    slots: Mapping[int, float]


def allocate(ready: Sequence[int], subjobs: Mapping[int, Subjob], slots: float) -> dict[int, float]:
    """Give each ready subjob its minimum, then the rest in priority order up to the maxima.

    Parameters
    ----------
    ready : by priority
    slots : of the cluster; minima that exceed them together are scaled down
    """
    wanted = sum(subjobs[j].minimum for j in ready)
    scale = min(1.0, slots / wanted) if wanted > 0 else 1.0
    given = {j: subjobs[j].minimum * scale for j in ready}
    slack = slots - sum(given.values())
    for j in ready:
        more = max(0.0, min(slack, subjobs[j].maximum - given[j]))
        given[j] += more
        slack -= more
    return given


def pack(
    priority: Sequence[int],
    subjobs: Mapping[int, Subjob],
    successors: Mapping[int, set[int]],
    slots: float,
    *,
    start: float = 0.0,
    until: float = INFINITY,
    share_out: ShareOut = allocate,
) -> list[Interval]:
    """Follow a priority order, interval by interval, to its end or to the time `until`.

    Parameters
    ----------
    priority : the subjobs, first served first
    successors : subjobs that may begin only when the key is complete
    start, until : seconds
    share_out : gives the ready subjobs, by priority, their slots
    """
    left = {j: subjobs[j].work for j in priority}
    intervals: list[Interval] = []
    now = start
    while left and now < until:
        behind = {follower for j in left for follower in successors[j]}
        ready = [j for j in priority if j in left and j not in behind]
        given = share_out(ready, subjobs, slots)
        ends = {j: now + left[j] / given[j] for j in ready if given[j] > 0}
        end = min(min(ends.values()), until)
        if end > now:
            intervals.append(Interval(now, end, given))
        for j in ready:
            left[j] -= given[j] * (end - now)
            if ends.get(j, INFINITY) <= end:
                del left[j]
        now = end
    return intervals
