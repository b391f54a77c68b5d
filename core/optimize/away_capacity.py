"""A bound on the makespan where nodes fail, return and run slower: no more is done than what is there can do.

A slot does as much as its node's speed lets it, and nothing while that is away; what is lost is done in vain.
So the seconds of work that a machine can have done by a time are known beforehand, and what windows ask of it
(`core.optimize.windows`) takes at least until it can have done so much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.event_nodes import count_of_nodes, node_of_slots
from core.optimize.windows import NOTHING, Window, begins, work_due

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.optimize.stage_demands import Machine, Pieces

    Floats = NDArray[np.float64]


class WorkByTime(NamedTuple):
    """How much of its work a machine can have done, where all of it does one second in a second.

    Attributes
    ----------
    times : s, ascending from 0, (steps,)
    done : seconds of work by then, (steps,)
    rate : what it does in a second from each time on, 0 to 1, (steps,)
    """

    times: Floats
    done: Floats
    rate: Floats

    def by(self, time: float) -> float:
        """Return how much can have been done by a time, in s."""
        step = int(np.searchsorted(self.times, time, "right")) - 1
        return float(self.done[step] + (time - self.times[step]) * self.rate[step])

    def earliest(self, work: Floats) -> Floats:
        """Return when so much can have been done at the earliest; infinity for never, (work,)."""
        step = np.maximum(np.searchsorted(self.done, work, "left") - 1, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            more = np.where(work > self.done[step], (work - self.done[step]) / self.rate[step], 0.0)
        found: Floats = self.times[step] + more
        return found


def capacity_of(cluster: Cluster, machine: Machine) -> WorkByTime:
    """Return what a machine of slots can do over time, on a cluster on whose nodes something happens."""
    assert cluster.events is not None
    nodes = count_of_nodes(cluster)
    slots = np.bincount(node_of_slots(cluster)[slots_of(cluster, machine)], minlength=nodes)
    speed, is_there = np.ones(nodes), np.ones(nodes, np.bool_)
    times, rates = [0.0], [1.0]
    for event in cluster.events.in_order(nodes):
        if event.kind == "speed":
            speed[event.node] = event.speed
        else:
            is_there[event.node] = event.kind == "returns"
        times.append(event.time)
        rates.append(float(slots @ (speed * is_there)) / machine.slots)
    rate = np.array(rates)
    done = np.append(0.0, np.cumsum(np.diff(times) * rate[:-1]))
    return WorkByTime(np.array(times), done, rate)


def slots_of(cluster: Cluster, machine: Machine) -> slice:
    """Return the slots of which a machine is made."""
    kinds = [kind for kind, share in enumerate(machine.shares) if share]
    if len(kinds) > 1:
        return slice(0, cluster.slots)
    first = sum(cluster.stage_slots[: kinds[0]])
    return slice(first, first + cluster.stage_slots[kinds[0]])


def away_windows(
    stages: Sequence[Pieces], machine: Machine, capacity: WorkByTime
) -> Iterator[tuple[Window, bool]]:
    """Yield windows in which a machine is busy, and whether they are read backwards.

    What must be done from a time on and by so long before the end, or after a time up to the end, is done no
    sooner than the machine can have done so much from then on.
    """
    for begin in begins(stages, machine):
        points, due = work_due(stages, machine, begin)
        yield _longest(capacity, np.full(len(points), begin), due, points), False
    points, due = work_due(tuple(stage.mirrored for stage in stages), machine, 0.0)
    yield _longest(capacity, points, due, np.zeros(len(points))), True


def _longest(capacity: WorkByTime, begin: Floats, due: Floats, rest: Floats) -> Window:
    """Return the window that ends last, of those that are busy from `begin` on, with so much left."""
    if not len(due):
        return NOTHING
    had = np.array([capacity.by(each) for each in begin.tolist()])
    until = np.where(due > 0, capacity.earliest(had + due), begin)
    ends = np.where(np.isfinite(until), until + rest, 0.0)
    best = int(np.argmax(ends))
    if ends[best] <= 0:
        return NOTHING
    return Window(float(begin[best]), float(until[best] - begin[best]), float(rest[best]))
