"""When slots would come and go on another cluster, where the application asks for its executors itself.

What Spark's dynamic allocation does (`ExecutorAllocationManager.scala`, `ExecutorMonitor.scala`), followed
in time: the application is simulated on the executors that are decided on so far, up to the first moment at
which one more is asked for or an idle one is given up; with that it is simulated anew. What is decided
changes nothing before it, so each run holds up to the next decision. Ours: which executors idle is not looked
up among slots, as Spark spreads tasks over all that are there; of three executors and two running tasks one
is idle.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from core.model.cluster import Cluster
from core.model.slot_times import SlotTime

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.executors_on_demand import ExecutorsOnDemand
    from core.model.schedule import Schedule

GRID = 0.1
"""The application looks after its executors so often, s; as Spark does."""
MAX_CHANGES = 400
"""After so many decisions what is there stays, in an application that runs for days."""
FAR = 1e11
"""Where all executors are given up, tasks wait until then, s, for the one that is asked for next."""


def slots_on_demand(
    simulated: Callable[[Cluster], Schedule], demand: ExecutorsOnDemand, size: int, most: int, first: float
) -> Cluster:
    """Return the cluster of the executors that an application asks for and gives up.

    Parameters
    ----------
    simulated : runs the application on a cluster
    demand : when executors are asked for and given up
    size : slots of an executor, at least 1
    most : executors at once at most, at least 1
    first : when the executors take tasks that are asked for at the start, s

    Examples
    --------
    Eight tasks of 10 s wait for an executor of two slots: another one is asked for after 1 s, two more after
    2 s, and all take tasks 2 s later.

    >>> from core.model.executors_on_demand import ExecutorsOnDemand
    >>> from core.model.job import Job
    >>> from core.model.schedule import PolicyChoice
    >>> from core.model.stages import Stage
    >>> from core.model.workload import Workload
    >>> from core.simulation.simulate import simulate
    >>> work = Workload("one stage", jobs=(Job("a", Stage.of(8, 10.0)),))
    >>> found = slots_on_demand(
    ...     lambda cluster: simulate(work, cluster, PolicyChoice("fifo")),
    ...     ExecutorsOnDemand(initial=1, start=2.0), size=2, most=9, first=0.0)
    >>> [(each.slots, each.opens) for each in found.slot_times]
    [(2, 3.0), (4, 4.0)]
    >>> found.containers
    2
    """
    there = _Executors(demand, size, most, target=min(max(demand.initial, demand.least, 1), most))
    there.add(there.target, first)
    for _ in range(MAX_CHANGES):
        if not there.change(_Load(simulated(there.cluster()))):
            return there.cluster()
    there.stay()
    return there.cluster()


class _Load:
    """How many tasks of a schedule wait, run, and write for other stages, at any time."""

    def __init__(self, schedule: Schedule) -> None:
        columns = schedule.workload.columns
        writes = np.isin(columns.stage, columns.stages.parent)
        ready, start, end = schedule.parents_end[columns.stage], schedule.start, schedule.end
        whole = np.concatenate([ready, start, end])
        self.times: NDArray[np.float64] = np.unique(np.ceil(whole / GRID - 1e-6) * GRID)
        came, begun, ended = (self._by_then(each) for each in (ready, start, end))
        self._waiting, self._running = came - begun, begun - ended
        self._writing = self._by_then(start[writes]) - self._by_then(end[writes])

    def _by_then(self, moments: NDArray[np.float64]) -> NDArray[np.int64]:
        return np.searchsorted(np.sort(moments), self.times + GRID / 1000, "right")

    def at(self, time: float) -> tuple[int, int, int]:
        """Return how many tasks wait, run, and write for other stages."""
        place = int(np.searchsorted(self.times, time + GRID / 1000, "right")) - 1
        if place < 0:
            return 0, 0, 0
        return int(self._waiting[place]), int(self._running[place]), int(self._writing[place])

    def after(self, time: float) -> float:
        """Return when any of this changes next; infinity if nothing does."""
        place = int(np.searchsorted(self.times, time + GRID / 1000, "right"))
        return float(self.times[place]) if place < len(self.times) else inf


@dataclass(slots=True)
class _Asked:
    """One executor: its time, since when it has been idle, and whether it keeps what others have to read."""

    opens: float
    closes: float = inf
    idle: float = inf
    keeps: bool = False


@dataclass(slots=True)
class _Executors:
    """The executors of an application up to a moment, and what it is about to ask for.

    Attributes
    ----------
    demand, size, most : as of `slots_on_demand`
    target : how many it wants now
    now : up to here it has decided
    step : so many more it asks for next
    asks : when it does, infinity while no task waits
    """

    demand: ExecutorsOnDemand
    size: int
    most: int
    target: int
    now: float = 0.0
    step: int = 1
    asks: float = inf
    all: list[_Asked] = field(default_factory=list)

    def add(self, count: int, opens: float) -> None:
        """Let so many more take tasks from a time on."""
        self.all += [_Asked(opens) for _ in range(count)]

    def stay(self) -> None:
        """Let those that are there last stay."""
        last = max(each.closes for each in self.all)
        for each in self.all:
            each.closes = inf if each.closes == last else each.closes

    def cluster(self) -> Cluster:
        """Return the slots of all executors; those that take tasks at one time, for as long, as one entry."""
        often: dict[tuple[float, float], int] = {}
        for each in self.all:
            if each.closes > (opens := each.opens + (self.demand.warm_up if each.opens else 0.0)):
                often[opens, each.closes] = often.get((opens, each.closes), 0) + self.size
        fixed = often.pop((0.0, inf), 0)
        if not fixed and all(closes < inf for _, closes in often):
            often[FAR, inf] = self.size
        times = tuple(SlotTime(slots, *when) for when, slots in sorted(often.items()))
        return Cluster(0, 0, 1.0, containers=fixed, slot_times=times, slots_per_executor=self.size)

    def change(self, load: _Load) -> bool:
        """Go on in time to the first change of the executors; return whether there is one."""
        while True:
            waiting, running, writing = load.at(self.now)
            there = self._there()
            self._look(there, waiting, running, writing)
            leaves = self._leaves(there)
            then = max(self.now, min(self.asks, min((each.idle for each in leaves), default=inf)))
            later = min(load.after(self.now), self._next_opening())
            if later == inf:  # all tasks have ended
                return False
            if then >= later:
                self.now = later
                continue
            self.now = then
            if self.asks <= then:
                if self._ask(len(there), -(-(waiting + running) // self.size)):
                    return True
            else:
                min(leaves, key=lambda each: each.idle).closes = then
                return True

    def _there(self) -> list[_Asked]:
        """Return those that take tasks now, first those that are kept busy first."""
        there = [each for each in self.all if each.opens <= self.now < each.closes]
        return sorted(there, key=lambda each: not each.keeps)

    def _next_opening(self) -> float:
        return min((each.opens for each in self.all if each.opens > self.now), default=inf)

    def _look(self, there: list[_Asked], waiting: int, running: int, writing: int) -> None:
        """Update which executors are idle or hold output, and how many are wanted."""
        for place, each in enumerate(there):
            if place < running:
                each.idle = inf
            elif each.idle == inf:
                each.idle = self.now + self.demand.idle
            each.keeps |= place < writing and self.demand.keeps_shuffles
        if not waiting:
            self.asks, self.step = inf, 1
        elif self.asks == inf:
            self.asks = self.now + self.demand.backlog
        self.target = max(min(self.target, -(-(waiting + running) // self.size)), self.demand.least)

    def _leaves(self, there: list[_Asked]) -> list[_Asked]:
        """Return those that are given up once idle for long enough; none of those wanted is idle."""
        if len(there) <= self.demand.least:
            return []
        return [each for each in there if each.idle < inf and not each.keeps]

    def _ask(self, there: int, needed: int) -> bool:
        """Ask for more executors, twice as many as the last time if those were not enough."""
        was = self.target
        self.target = max(min(max(was, there) + self.step, needed, self.most), self.demand.least)
        self.step = self.step * 2 if self.target - was == self.step else 1
        self.asks = self.now + self.demand.sustained
        more = self.target - sum(each.closes > self.now for each in self.all)
        if more > 0:
            self.add(more, self.now + self.demand.start)
        return more > 0
