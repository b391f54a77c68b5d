"""The fewest slots or nodes with which a scenario ends by a time, in so many of its draws; the best split.

`core.optimize.fewest_slots` looks for what the best schedule needs; here a policy, or what was made by hand,
is run as it is. Its schedules have anomalies: more slots may end later (Graham 1966). So the halving of an
interval finds a size that is enough and one below that is not, and then all sizes below are tried that a
lower bound does not rule out. What could not be tried is said.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from core.model.cluster import slots_text
from core.model.errors import Cancelled, InputError
from core.model.progress import never_stop, no_progress
from core.model.schedule import choices_of
from core.model.time_text import clock_text, exact_clock
from core.optimize.bounds import lower_bound
from core.optimize.cluster_sizes import NOUNS, least, size_of, size_text, sizes_of
from core.optimize.premise import PLAIN, premise_on
from core.optimize.short_searches import is_longer
from core.optimize.split_ranges import SplitRanges
from core.policies.composing.hooks import hooks_of
from core.policies.registry import policy_class
from core.study.draws import NO_RECORD, Draws, drawn, engine_of, simulated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.workload import Workload
    from core.optimize.cluster_sizes import Sizes, Varied
    from core.optimize.premise import Premise
    from core.simulation.simulate import Engine

DEFAULT_TRIALS = 20
"""Clusters that an answer takes: whether compiling is worth it goes by that."""
MAX_BELOW = 256
"""Sizes that are tried below the one found."""
TRIED_ABOVE = 5
"""Sizes that are tried above it: they should do as well, and it is said where they do not."""
MAX_SPLITS = 256
"""Splits that are tried."""
MAX_NAMED = 3
"""Sizes that a sentence names one by one."""


@dataclass(frozen=True)
class SlotsNeeded:
    """What is known of the fewest.

    Attributes
    ----------
    varied : what was varied
    until : the time by which all is to end, seconds
    draws : of these at least `draws.needed` have to end by then
    too_few : so many are proved to be too few for any schedule, and all that are fewer; 0 if nothing is
    most : more are of no use: every task can run at once
    enough : with so many it ends in time; None if no such number is found
    cluster : that cluster
    ends : when all has ended there, seconds, in each draw, ascending, (draws,); empty without one
    failed : the numbers that were tried and do not end in time, ascending
    premise : of which schedules it is that too few are proved to be too few
    """

    varied: Varied
    until: float
    draws: Draws
    too_few: int
    most: int
    enough: int | None = None
    cluster: Cluster | None = None
    ends: tuple[float, ...] = ()
    failed: tuple[int, ...] = ()
    premise: Premise = PLAIN

    @property
    def in_time(self) -> int:
        """In how many draws it ends by the time."""
        return sum(not is_longer(end, self.until) for end in self.ends)

    @property
    def untried(self) -> int:
        """How many smaller numbers might do although the one below does not: untried."""
        below = self.most if self.enough is None else self.enough - 1
        tried = sum(self.too_few < size <= below for size in self.failed)
        return max(0, below - self.too_few - tried)

    @property
    def is_proved(self) -> bool:
        """Whether every smaller number was tried, or is ruled out by a bound."""
        return self.enough is not None and self.untried == 0 and not self.premise.as_submitted

    @property
    def larger_that_fail(self) -> tuple[int, ...]:
        """Numbers above the fewest that do not end in time: anomalies of the schedules."""
        return tuple(size for size in self.failed if self.enough is not None and size > self.enough)

    @property
    def sentence(self) -> str:
        """What is known, in words, without the policy's name."""
        by = f"by {exact_clock(self.until)}"
        if self.enough is None:
            return self._nothing_found(by)
        ends = f"ends {by} with {size_text(self.varied, self.enough, self.cluster)}"
        if self.draws.varies:
            ends += f" in {_share(self.in_time, self.draws)}"
        else:
            ends += f", at {clock_text(self.ends[-1])}"
        return " ".join(filter(None, (f"It {ends};", f"{self._fewer()}.", self._anomaly())))

    def _fewer(self) -> str:
        assert self.enough is not None
        if self.enough == 1:
            return "fewer there cannot be"
        least = self.too_few + 1
        if self.untried:
            tried = f"{self.enough - 1} {_do_not(1)}, and {self.untried} smaller numbers were not tried"
            return f"{tried}: with fewer slots a schedule may be shorter"
        if least == self.enough:
            return "with fewer no schedule can"
        last = self.enough - 1
        span = f"{least}" if least == last else f"{least} {'and' if last == least + 1 else 'to'} {last}"
        can = f", and fewer than {least} cannot under any schedule" if self.too_few else ""
        return f"{span} {_do_not(self.enough - least)}, all tried{can}"

    def _anomaly(self) -> str:
        larger = self.larger_that_fail
        if not larger:
            return ""
        named = ", ".join(map(str, larger[:MAX_NAMED])) + ", …" * (len(larger) > MAX_NAMED)
        return f"But {named} {_do_not(len(larger))}: with more slots a schedule may be longer."

    def _nothing_found(self, by: str) -> str:
        noun = NOUNS[self.varied]
        if self.too_few >= self.most:
            return f"No number of {noun} ends {by}, even if no task has to wait."
        needs = f" in {_share(self.draws.needed, self.draws)}" if self.draws.varies else ""
        tried = f"{len(self.failed)} numbers from {self.too_few + 1} to {self.most} were tried"
        return f"No number of {noun} is found that ends {by}{needs}: {tried}."


@dataclass(frozen=True)
class PolicySplit:
    """What is known of the ways to split a number of slots.

    Attributes
    ----------
    draws : a split counts by the time at which `draws.needed` of these have ended
    best : the cluster with the best split found; None before any
    end : that time of it, seconds
    ends : when all has ended there in each draw, ascending, (draws,)
    tried : how many splits were run
    others_bound : seconds that no split which was not run is shorter than
    premise : of which schedules that is so
    """

    draws: Draws
    best: Cluster | None = None
    end: float = math.inf
    ends: tuple[float, ...] = ()
    tried: int = 0
    others_bound: float = 0.0
    premise: Premise = PLAIN

    @property
    def is_proved(self) -> bool:
        """Whether no other split ends sooner."""
        return self.is_best and not self.premise.as_submitted

    @property
    def is_best(self) -> bool:
        """Whether no other split ends sooner, as far as the premise holds."""
        return self.best is not None and not is_longer(self.end, self.others_bound)

    @property
    def sentence(self) -> str:
        """What is known, in words."""
        if self.best is None:
            return "No split was tried yet."
        ends = f"It ends at {clock_text(self.end)}"
        if self.draws.varies:
            ends = f"It ends by {clock_text(self.end)} in {_share(self.draws.needed, self.draws)}"
        ends += f" with {slots_text(self.best)}"
        splits = f"{self.tried} split{'s' * (self.tried > 1)} tried"
        if self.is_best:
            return f"{ends}; no other split ends sooner: {splits}, the rest ruled out by lower bounds."
        return f"{ends}, the best of {splits}; none ends before {clock_text(self.others_bound)}."


def _share(count: int, draws: Draws) -> str:
    return f"{count} of {draws.count} draw{'s' * (draws.count > 1)}"


def _do_not(count: int) -> str:
    return "does not" if count == 1 else "do not"


def capacity(
    workload: Workload,
    cluster: Cluster,
    scenario: Scenario,
    until: float,
    varied: Varied,
    draws: Draws | None = None,
    *,
    on_known: Callable[[SlotsNeeded], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
    engine: Engine = "auto",
) -> SlotsNeeded:
    """Look for the fewest with which a scenario ends by `until` seconds, as sure as the draws need.

    Parameters
    ----------
    cluster : what else is to be as it is
    scenario : its policy, or what was made by hand there; its own cluster does not count
    varied : of `core.optimize.cluster_sizes.VARIED`
    draws : what chance may change; one run of the workload as it is by default
    on_known : called with what is known whenever it is more
    should_stop : asked now and then; True ends it with what is known so far

    Raises
    ------
    InputError
        the cluster has none of what is to be varied, `until` is no time, or the scenario cannot be run
    """
    if not until > 0:
        raise InputError(f"the time to end by is {until:g} s; give a time above 0 s")
    runs = _Runs(workload, cluster, scenario, draws or Draws(), engine, should_stop)
    sizes = sizes_of(runs.workloads, cluster, varied, lambda each: not is_longer(runs.bound(each), until))
    search = _CapacitySearch(runs, sizes, until, on_known)
    try:
        search.prove_too_few()
        search.try_as_it_is(cluster)
        search.find_enough()
        search.try_below()
        search.try_above()
    except Cancelled:
        pass
    return search.known


def best_policy_split(
    workload: Workload,
    cluster: Cluster,
    scenario: Scenario,
    total: int,
    draws: Draws | None = None,
    *,
    on_known: Callable[[PolicySplit], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
    engine: Engine = "auto",
) -> PolicySplit:
    """Look for the split of `total` slots into map and reduce slots on which a scenario ends soonest.

    Splits are run by their lower bounds, the lowest first, until the bounds of all others are no lower than
    the best end. Parameters and errors as of `capacity`.
    """
    runs = _Runs(workload, cluster, scenario, draws or Draws(), engine, should_stop)
    needed = tuple(any(count) for count in zip(*runs.counts, strict=True))
    splits = SplitRanges(cluster, total, (needed[0], needed[1]), runs.bound)
    known = PolicySplit(runs.draws, others_bound=splits.bound, premise=runs.premise)
    try:
        while is_longer(known.end, splits.bound) and known.tried < MAX_SPLITS:
            taken = splits.take_lowest()
            if taken is None:
                break
            ends = runs.ends(splits.slots(taken[1]), known.end)
            known = replace(known, tried=known.tried + 1, others_bound=splits.bound)
            if ends is not None and (end := ends[runs.draws.needed - 1]) < known.end:
                known = replace(known, best=splits.slots(taken[1]), end=end, ends=ends)
            on_known(known)
    except Cancelled:
        pass
    return known


def premise_of_scenario(workload: Workload, cluster: Cluster, scenario: Scenario) -> Premise:
    """Return the premise of the bounds that a scenario's schedules are measured by on a cluster."""
    policies = [policy_class(choice.id) for choice in choices_of(scenario)]
    shares = any(hasattr(policy, "replanner") for policy in policies)
    lends = not shares and any(hooks_of(policy).lends for policy in policies)
    copies = any(hooks_of(policy).copies for policy in policies)
    return premise_on(workload, cluster, lends=lends, shares_scans=shares, copies=copies)


class _Runs:
    """The draws of a scenario, run on any cluster; those that took longest last time go first."""

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        scenario: Scenario,
        draws: Draws,
        engine: Engine,
        should_stop: Callable[[], bool],
    ) -> None:
        if scenario.choice.is_record:
            raise InputError(NO_RECORD)
        self.draws = draws
        self._drawn = drawn(workload, draws)
        self._scenario = scenario
        self._longest_first = list(range(draws.count))
        engine = engine_of(scenario, workload, DEFAULT_TRIALS * draws.count) if engine == "auto" else engine
        self._simulated = partial(simulated, engine=engine, should_stop=should_stop)
        self.premise = premise_of_scenario(workload, cluster, scenario)

    @property
    def workloads(self) -> tuple[Workload, ...]:
        """What is run, (draws,)."""
        return tuple(draw.workload for draw in self._drawn)

    @property
    def counts(self) -> Iterable[tuple[int, int]]:
        """Maps and reduces of every draw."""
        return [(each.map_count, each.reduce_count) for each in self.workloads]

    def bound(self, cluster: Cluster) -> float:
        """Return a time before which too few draws can end, whatever is done: seconds."""
        bounds = sorted(lower_bound(each, cluster, self.premise) for each in self.workloads)
        return bounds[self.draws.needed - 1]

    def ends(self, cluster: Cluster, until: float) -> tuple[float, ...] | None:
        """Return when each draw ends, ascending; None as soon as too many end after `until`."""
        may_fail = self.draws.count - self.draws.needed
        ends: dict[int, float] = {}
        late = 0
        for place in self._longest_first:
            draw = self._drawn[place]
            ends[place] = self._simulated(draw.workload, cluster, draw.as_planned(self._scenario)).makespan
            late += is_longer(ends[place], until)
            if late > may_fail:
                break
        self._longest_first.sort(key=lambda place: -ends.get(place, 0.0))
        return tuple(sorted(ends.values())) if late <= may_fail else None


class _CapacitySearch:
    """Sizes that are enough and sizes that are not, coming towards one another."""

    def __init__(
        self, runs: _Runs, sizes: Sizes, until: float, on_known: Callable[[SlotsNeeded], None]
    ) -> None:
        self._runs, self._sizes, self._on_known = runs, sizes, on_known
        self._enough: set[int] = set()
        self.known = SlotsNeeded(sizes.varied, until, runs.draws, 0, sizes.most, premise=runs.premise)

    def prove_too_few(self) -> None:
        """Find the largest size that the lower bound rules out."""
        self._note(replace(self.known, too_few=min(self._sizes.too_few(), self._sizes.most)))

    def try_as_it_is(self, cluster: Cluster) -> None:
        """Run it on the cluster that there is, if that is one of those looked at."""
        known, size = self.known, size_of(cluster, self._sizes.varied, cluster) or 0
        is_looked_at = known.too_few < size <= known.most and cluster in self._sizes.clusters(size)
        if is_looked_at and (ends := self._runs.ends(cluster, known.until)) is not None:
            self._enough.add(size)
            self._note(replace(known, enough=size, cluster=cluster, ends=ends))

    def find_enough(self) -> None:
        """Run more and more until it ends in time, then halve the interval to the largest that did not."""
        if self.known.too_few < self._sizes.most:
            least(self._is_late, self.known.enough or self._sizes.most, self.known.too_few)

    def try_below(self) -> None:
        """Run all sizes below: one of them may be enough although its neighbour above is not."""
        known = self.known
        top = known.most if known.enough is None else known.enough - 1
        for size in range(top, max(known.too_few, top - MAX_BELOW), -1):
            if size not in self.known.failed:
                self._is_late(size)

    def try_above(self) -> None:
        """Run some sizes above: one of them may be late although there are fewer that are enough."""
        known = self.known
        if known.enough is not None:
            for size in range(known.enough + 1, min(known.enough + TRIED_ABOVE, known.most) + 1):
                self._is_late(size)

    def _is_late(self, size: int) -> bool:
        """Whether it does not end in time on any cluster of a size."""
        known = self.known
        if size in known.failed or size in self._enough:
            return size in known.failed
        for cluster in filter(self._sizes.allows, self._sizes.clusters(size)):
            ends = self._runs.ends(cluster, known.until)
            if ends is not None:
                self._enough.add(size)
                if known.enough is None or size < known.enough:
                    self._note(replace(known, enough=size, cluster=cluster, ends=ends))
                return False
        self._note(replace(known, failed=tuple(sorted((*known.failed, size)))))
        return True

    def _note(self, known: SlotsNeeded) -> None:
        self.known = known
        self._on_known(known)
