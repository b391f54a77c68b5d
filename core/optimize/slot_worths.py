"""When slots are worth most: what one more for a while would take off the bound, and that in a sentence.

The bound of prices (`core.optimize.slot_prices`) is what all jobs pay at least, less the sum of d(t) cap(t):
cap(t) are the seconds of all n slots of a kind that can have been used by t, and d(t) >= 0 is paid for each.
Jobs pay the same if there is a slot more from a to b. Let cap(t) be all time since tau and what can have been
done by tau, which is limited by jobs and not by slots. Then cap(t) grows by the part of a to b between tau
and t, over n, and no more: a second of one slot at s is worth the sum of d(t) / n over all t, tau <= s < t.
What reduces can have done by tau is limited by the maps before it: a second of a map slot more before tau
allows some seconds of reduces more (`reduces_by_a_map_second`), worth d(t) each.

The bound of the best prices is the largest over all prices, and these remain allowed. So it falls by no more
than what they say, however many slots come and for however long, and by about that for a few. This holds
while each job is to have done as much by any time as it has to now; a job that has a kind of slots for itself
needs less with one more. It is said of the bound, not of any schedule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.objectives import OBJECTIVES
from core.model.progress import never_stop
from core.model.time_text import clock_text, duration_text, fine_percent
from core.optimize.price_ascent import price_slots
from core.optimize.slot_capacities import most_done, reduces_by_a_map_second
from core.optimize.slot_prices import priceable

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.objectives import Objective
    from core.optimize.slot_prices import Priceable, Prices

    Floats = NDArray[np.float64]

PRICED = ("mean-response", "weighted-response", "tardiness")
"""Objectives of seconds in which each job counts by itself: only of these slots have prices in seconds."""
SPARE = 0.05
"""Prices are those where so much of a slot more is there: slots of which one more is of no use have none,
even where each is needed."""
HIGH = 0.75
"""The part of the highest price from which on slots are said to be worth most."""
NOTHING, HARDLY = 1e-9, 1e-5
"""The part of a time that sums of times may be wrong by, and of the bound that is hardly anything."""
MEANING = (
    "What a slot for one second more takes off the bound, if little is added and each job needs as much as "
    "now. It is said of the bound: no schedule is promised to be better by that."
)
NO_PRICES = "Slots have prices where responses or tardiness are to be small; choose one of these goals."
LINKED = "Slots have no prices where jobs follow others."


class KindWorth(NamedTuple):
    """What a slot of one kind is worth when.

    Attributes
    ----------
    slots : how many there are
    name : what they are called: "map slots"
    times : from when on each value holds, s, ascending from 0, (steps,)
    worth : of a second of one slot, in seconds of all jobs together, (steps,); the last is 0 and holds on
    """

    slots: int
    name: str
    times: Floats
    worth: Floats

    def at(self, time: float) -> float:
        """Return what a second of one slot is worth at a time from 0 on, in seconds of all jobs together."""
        return float(self.worth[max(int(np.searchsorted(self.times, time, "right")) - 1, 0)])

    def between(self, begin: float, end: float) -> float:
        """Return what one more slot is worth from one time to another, in seconds of all jobs together."""
        edges = np.clip(self.times, begin, max(begin, end))
        return float((np.diff(edges) * self.worth[:-1]).sum())

    @property
    def dearest(self) -> tuple[float, float]:
        """From when to when it is worth `HIGH` of the most, around the first such time, s; else 0 and 0."""
        if not self.worth.any():
            return 0.0, 0.0
        is_high = self.worth >= HIGH * self.worth.max()
        top = int(self.worth.argmax())
        ends = np.flatnonzero(~is_high[top:])
        begins = np.flatnonzero(~is_high[:top])
        begin = int(begins[-1]) + 1 if len(begins) else 0
        return float(self.times[begin]), float(self.times[top + int(ends[0])])


class SlotWorths(NamedTuple):
    """What slots are worth when.

    Attributes
    ----------
    objective : what is to be small, one of `PRICED`
    bound : that the prices prove, in its unit
    parts : by what seconds of all jobs together are divided to be seconds of the objective
    kinds : of slots that have work
    """

    objective: str
    bound: float
    parts: float
    kinds: tuple[KindWorth, ...]

    @property
    def unit(self) -> str:
        """What a second of one slot is worth in, in words."""
        of = {"tardiness": "tardiness", "weighted-response": "responses by weight"}
        return f"s of all {of.get(self.objective, 'responses')} for 1 slot-second"

    @property
    def highest(self) -> float:
        """What any slot is worth at most."""
        return max((float(kind.worth.max()) for kind in self.kinds), default=0.0)

    def saved(self, kind: KindWorth, begin: float, end: float) -> float:
        """Return by how much one more slot for a time lowers the bound, in seconds of the objective."""
        return kind.between(begin, end) / self.parts

    @property
    def sentence(self) -> str:
        """When slots of each kind are worth most, the dearest first, and what one more then saves at most."""
        title = OBJECTIVES[self.objective].title.lower()
        if self.bound <= 0:
            return f"The bound on the {title} is 0: more slots cannot lower it."
        worthy = [kind for kind in self.kinds if self._is_something(kind)]
        if not worthy:
            return f"Slots have no price: jobs do not compete for them where the {title} is to be small."
        first, *others = sorted(worthy, key=self._in_turn)
        parts = [
            f"{_begun(first.name)} are worth most {self._when(first)}: one more then lowers the bound on the "
            f"{title} by at most about {self._how_much(first)}."
        ]
        parts += [f"{_begun(each.name)}: {self._when(each)}, by {self._how_much(each)}." for each in others]
        free = [_begun(each.name) for each in self.kinds if each not in worthy]
        return " ".join([*parts, *[f"{name} have no price: jobs do not compete for them." for name in free]])

    @property
    def dearest(self) -> KindWorth | None:
        """The kind of which one more saves most when it is worth most; None where none has a price."""
        return min(filter(self._is_something, self.kinds), key=self._in_turn, default=None)

    def _in_turn(self, kind: KindWorth) -> float:
        return -self.saved(kind, *kind.dearest)

    def _is_something(self, kind: KindWorth) -> bool:
        return self.saved(kind, 0.0, float(kind.times[-1])) > HARDLY * self.bound

    def _when(self, kind: KindWorth) -> str:
        begin, end = kind.dearest
        return f"from {clock_text(begin, largest=end)} to {clock_text(end)}"

    def _how_much(self, kind: KindWorth) -> str:
        saved = self.saved(kind, *kind.dearest)
        return f"{duration_text(saved)} ({fine_percent(saved / self.bound)})"


def why_no_worths(workload: Workload, objective: Objective) -> str:
    """Return why slots have no prices for what is to be small; empty where they have."""
    if objective.name not in PRICED:
        return NO_PRICES
    return LINKED if len(workload.columns.links) else ""


def slot_worths(
    workload: Workload,
    cluster: Cluster,
    objective: Objective,
    should_stop: Callable[[], bool] = never_stop,
) -> SlotWorths | None:
    """Return the worth of one more slot of each kind over time; None where `why_no_worths` has a reason.

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    if why_no_worths(workload, objective):
        return None
    costs = objective.job_costs(workload)
    assert costs is not None  # jobs are there that count by themselves
    prices = price_slots(workload, cluster, costs, should_stop, spare=SPARE)
    bound = max(prices.bound - float((costs.second * workload.columns.arrival).sum()), 0.0)
    parts = 1.0 if objective.name == "tardiness" else float(len(workload.jobs))
    what = priceable(workload, cluster)
    falls = prices.falls * parts
    worths = _worths(what, prices, falls)
    kinds = []
    for place, machine in enumerate(what.demands.machines):
        if machine.slots and any(load.machine == place and load.work.any() for load in what.loads):
            name = machine.name.removeprefix(f"all {machine.slots} ")
            kinds.append(KindWorth(machine.slots, name, *_steps(*worths[place], machine.slots)))
    return SlotWorths(objective.name, bound, parts, tuple(kinds))


Stretches = tuple[list[float], list[float], list[float]]
"""From when, to when, and what a second of all slots of a kind is worth then: the sum of all that hold."""


def _worths(what: Priceable, prices: Prices, falls: Floats) -> list[Stretches]:
    """Return what seconds of all slots of each kind are worth when."""
    done = np.array([[_done(what, kind, tau) for tau in prices.looks] for kind in range(what.machines)])
    slopes = [reduces_by_a_map_second(what, tau) if what.is_two_stage else 0.0 for tau in prices.looks]
    worths: list[Stretches] = [([], [], []) for _ in range(what.machines)]
    for kind in range(what.machines):
        for time, fall in zip(prices.times.tolist(), falls[kind].tolist(), strict=True):
            if fall == 0:
                continue
            look = _narrowest_look(prices.looks, done[kind], time)
            since = 0.0 if look is None else prices.looks[look]
            _add(worths[kind], since, time, fall)
            if kind == 1 and look is not None and slopes[look] > 0:
                _add(worths[0], 0.0, since, fall * slopes[look])
    return worths


def _done(what: Priceable, kind: int, tau: float) -> float:
    return sum(most_done(what, place, tau) for place, load in enumerate(what.loads) if load.machine == kind)


def _narrowest_look(looks: list[float], done: Floats, time: float) -> int | None:
    """Return the look with the capacity until a time; None if it is all that has passed."""
    most, found = time, None
    for place, (tau, before) in enumerate(zip(looks, done.tolist(), strict=True)):
        if tau <= time and before + (time - tau) < most * (1 - NOTHING):
            most, found = before + (time - tau), place
    return found


def _add(worths: Stretches, begin: float, end: float, worth: float) -> None:
    for column, value in zip(worths, (begin, end, worth), strict=True):
        column.append(value)


def _steps(begins: list[float], ends: list[float], worth: list[float], slots: int) -> tuple[Floats, Floats]:
    """Return the sum of stretches as steps: from when on each value holds, and the values for one slot."""
    times, place = np.unique([0.0, *begins, *ends], return_inverse=True)
    changes = np.zeros(len(times))
    np.add.at(changes, place[1 : len(begins) + 1], worth)
    np.subtract.at(changes, place[len(begins) + 1 :], worth)
    values = np.maximum(np.cumsum(changes), 0.0) / slots
    values[-1] = 0.0
    return times, values


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]
