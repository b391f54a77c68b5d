"""The fewest slots, or nodes, with which a workload ends by a time; and the proof that fewer cannot.

Two answers come towards one another: with so many slots the lower bound is above the time, so no schedule
ends by then; with so many a schedule that does was found. Where they meet, the answer is proved.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.model.cluster import slots_text
from core.model.errors import InputError
from core.model.progress import no_progress
from core.model.slots_that_stay import check_slots_stay
from core.model.time_text import exact_clock
from core.optimize.bounds import lower_bound
from core.optimize.cluster_sizes import NOUNS, size_of, size_text, sizes_of
from core.optimize.short_searches import counts_for, is_longer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.optimize.cluster_sizes import Sizes, Varied
    from core.optimize.short_searches import Schedules, Searching, ShortSearches


@dataclass(frozen=True)
class Fewest:
    """What is known of the fewest.

    Attributes
    ----------
    varied : what was varied
    until : the time by which the workload is to end, seconds
    too_few : so many are too few by the lower bound, and all that are fewer; 0 if nothing is
    most : more than so many are of no use: every task can run at once
    enough : with so many there is a schedule; None if none is found
    cluster, makespan, plan : of that schedule; infinity and None without one
    has_certificate : whether a certificate confirms that so many are `too_few` (`core.simulation.proofs`)
    """

    varied: Varied
    until: float
    too_few: int
    most: int
    enough: int | None = None
    cluster: Cluster | None = None
    makespan: float = math.inf
    plan: Plan | None = None
    has_certificate: bool = False

    def __repr__(self) -> str:
        return f"<Fewest {self.sentence}>"

    @property
    def is_proved(self) -> bool:
        """Whether no fewer can, by the lower bound."""
        return self.enough == self.too_few + 1

    @property
    def is_hopeless(self) -> bool:
        """Whether no number of them can: the bound is above the time even if every task runs at once."""
        return self.too_few >= self.most

    @property
    def sentence(self) -> str:
        """What is known, in words: "52 + 52 slots; fewer are proved to be too few".

        It says "proved" only with a certificate.
        """
        by = f"by {exact_clock(self.until)}"
        if self.is_hopeless:
            return f"No number of {NOUNS[self.varied]} ends {by}, even if no task has to wait."
        least = size_text(self.varied, self.too_few + 1)
        fewer = "fewer are proved to be too few"
        if not self.has_certificate:
            fewer = "by the lower bound fewer are too few"
        if self.enough is None:
            return f"At least {least}: {fewer}; no schedule is found that ends {by}."
        enough = size_text(self.varied, self.enough, self.cluster)
        if self.is_proved:
            return f"{enough}; {fewer} to end {by}."
        return f"Between {least} and {enough}: {fewer}, and {enough} end {by}."


def fewest(
    workload: Workload,
    cluster: Cluster,
    until: float,
    varied: Varied,
    searches: ShortSearches,
    on_known: Callable[[Fewest], None] = no_progress,
    at_hand: Sequence[Schedule] = (),
) -> Fewest:
    """Look for the fewest with which the workload ends by `until` seconds.

    Parameters
    ----------
    varied : of VARIED; all else of the cluster stays as it is
    searches : how long schedules are searched; when these are over, what is known so far is returned
    on_known : called with what is known whenever it is more
    at_hand : schedules that there are, on any clusters: one that ends in time is an answer

    Raises
    ------
    InputError
        the cluster has none of what is to be varied, or `until` is no time
    """
    check_slots_stay(cluster, "the fewest slots")
    if not until > 0:
        raise InputError(f"the time to end by is {until:g} s; give a time above 0 s")

    def may_end(cluster: Cluster) -> bool:
        return not is_longer(lower_bound(workload, cluster), until)

    sizes = sizes_of((workload,), cluster, varied, may_end)
    search = _FewestSearch(workload, sizes, until, searches, on_known)
    search.prove_too_few()
    for schedule in at_hand:
        if counts_for(schedule, workload):
            search.count_in(schedule, size_of(schedule.cluster, varied, cluster))
    if not search.known.is_hopeless:
        search.try_as_it_is(cluster)
        search.find_enough()
    return search.known


class _FewestSearch:
    """The two answers, coming towards one another."""

    def __init__(
        self,
        workload: Workload,
        sizes: Sizes,
        until: float,
        searches: ShortSearches,
        on_known: Callable[[Fewest], None],
    ) -> None:
        self._workload, self._sizes, self._searches, self._on_known = workload, sizes, searches, on_known
        self._begun: dict[Cluster, Searching] = {}
        self.known = Fewest(sizes.varied, until, 0, sizes.most)

    def prove_too_few(self) -> None:
        """Find the largest size that the lower bound rules out."""
        self._note(replace(self.known, too_few=self._sizes.too_few()))

    def count_in(self, schedule: Schedule, size: int | None) -> None:
        """Take a schedule that there is for an answer, if it ends in time and no smaller size is known."""
        known, ends = self.known, schedule.makespan
        size = self._sizes.most + 1 if size is None else min(size, self._sizes.most)
        if not is_longer(ends, known.until) and size < (known.enough or self._sizes.most + 1):
            cluster, plan = schedule.cluster, schedule.plan
            self._note(replace(known, enough=size, cluster=cluster, makespan=ends, plan=plan))

    def try_as_it_is(self, cluster: Cluster) -> None:
        """Search on the cluster that there is: the policies that a search begins with may do there."""
        size = size_of(cluster, self._sizes.varied, cluster)
        if self.known.enough is not None or size is None or self._searches.is_over():
            return
        if size > self._sizes.most:  # more are of no use
            size = self._sizes.most
            cluster = next(iter(self._sizes.clusters(size)), cluster)
        if self._sizes.allows(cluster):
            self._try_on(cluster, size, is_short=True)

    def find_enough(self) -> None:
        """Search schedules: upwards until there is one, then between it and the largest size without."""
        at_hand, most = self.known.enough, self._sizes.most
        without, size = self.known.too_few, self.known.too_few + 1
        while self.known.enough == at_hand and size < (at_hand or most + 1) and not self._searches.is_over():
            longer = self._try(size)
            if self.known.enough == at_hand:
                if size == most or self._searches.is_over():
                    return
                without = size
                size = min(most, size + max(1, math.ceil(min(size * longer, most))))
        while (enough := self.known.enough) is not None and enough - without > 1:
            if self._searches.is_over():
                return
            middle = (enough + without) // 2
            self._try(middle)
            if self.known.enough == enough:
                without = middle
        self._insist()

    def _insist(self) -> None:
        """Search longer where a short search found nothing, as long as there is time."""
        while (enough := self.known.enough) is not None and not self.known.is_proved:
            if self._searches.steps is not None or self._searches.is_over():
                return
            self._try(enough - 1, is_short=False)

    def _try(self, size: int, *, is_short: bool = True) -> float:
        """Search schedules on clusters of a size; return by which part the best was longer than it may be."""
        least, are_proved = math.inf, True
        until = self.known.until
        for cluster in self._sizes.clusters(size):
            if not self._sizes.allows(cluster):
                continue
            found = self._try_on(cluster, size, is_short=is_short)
            if not is_longer(found.best, until):
                return 0.0
            least, are_proved = min(least, found.best), are_proved and is_longer(found.bound, until)
            if self._searches.is_over():
                return math.inf
        if are_proved and size == self.known.too_few + 1:
            self._note(replace(self.known, too_few=size))
        return least / until - 1

    def _try_on(self, cluster: Cluster, size: int, *, is_short: bool) -> Schedules:
        """Search schedules on one cluster, and note one that ends in time as an answer of a size."""
        self._searches.trying(slots_text(cluster))
        if cluster not in self._begun:
            self._begun[cluster] = self._searches.begin(self._workload, cluster)
        found = self._searches.go_on(self._begun[cluster], enough=self.known.until, is_short=is_short)
        if not is_longer(found.best, self.known.until):
            ends = found.best
            self._note(replace(self.known, enough=size, cluster=cluster, makespan=ends, plan=found.plan))
        return found

    def _note(self, known: Fewest) -> None:
        self.known = known
        self._on_known(known)
