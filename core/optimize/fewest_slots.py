"""The fewest slots, or nodes, with which a workload ends by a time; and the proof that fewer cannot.

Two answers come towards one another: with so many slots the lower bound is above the time, so no schedule
ends by then; with so many a schedule that does was found. Where they meet, the answer is proved.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, get_args

from core.model.errors import InputError, UnknownName
from core.model.limits import MOST_SLOTS
from core.model.progress import tell_nobody
from core.model.time_text import exact_clock
from core.optimize.bounds import lower_bound
from core.optimize.short_searches import is_longer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.optimize.short_searches import Searching, ShortSearches

Varied = Literal["maps", "reduces", "both", "total", "containers", "nodes"]
VARIED: tuple[Varied, ...] = get_args(Varied)
"""What may be varied: slots of one kind, the other kind as it is; as many of both; all slots, however they
are split; untyped containers; nodes of one size."""

NOUNS: dict[Varied, str] = {
    "maps": "map slots",
    "reduces": "reduce slots",
    "both": "map and reduce slots",
    "total": "slots",
    "containers": "containers",
    "nodes": "nodes",
}


@dataclass(frozen=True)
class Fewest:
    """What is known of the fewest.

    Attributes
    ----------
    varied : what was varied
    until : the time by which the workload is to end, seconds
    too_few : so many are proved to be too few, and all that are fewer; 0 if nothing is
    most : more than so many are of no use: every task can run at once
    enough : with so many there is a schedule; None if none is found
    cluster, makespan, plan : of that schedule; infinity and None without one
    """

    varied: Varied
    until: float
    too_few: int
    most: int
    enough: int | None = None
    cluster: Cluster | None = None
    makespan: float = math.inf
    plan: Plan | None = None

    @property
    def is_proved(self) -> bool:
        """Whether no fewer can."""
        return self.enough == self.too_few + 1

    @property
    def is_hopeless(self) -> bool:
        """Whether no number of them can: the bound is above the time even if every task runs at once."""
        return self.too_few >= self.most

    @property
    def sentence(self) -> str:
        """What is known, in words: "52 + 52 slots; fewer are proved to be too few"."""
        by = f"by {exact_clock(self.until)}"
        if self.is_hopeless:
            return f"No number of {NOUNS[self.varied]} ends {by}, even if no task has to wait."
        least = self._count(self.too_few + 1)
        if self.enough is None:
            return f"At least {least}: fewer are proved to be too few; no schedule is found that ends {by}."
        enough = self._count(self.enough)
        if self.is_proved:
            return f"{enough}; fewer are proved to be too few to end {by}."
        return f"Between {least} and {enough}: fewer are proved to be too few, and {enough} end {by}."

    def _count(self, size: int) -> str:
        if self.varied == "both":
            return f"{size} + {size} slots"
        split = self.cluster if self.varied == "total" and size == self.enough else None
        return f"{size} {NOUNS[self.varied]}" + (
            f" ({split.map_slots} map + {split.reduce_slots} reduce)" if split else ""
        )


def usual_varied(cluster: Cluster) -> Varied:
    """Return what is varied where nothing is said."""
    return "nodes" if cluster.has_nodes else "containers" if cluster.has_containers else "both"


def fewest(
    workload: Workload,
    cluster: Cluster,
    until: float,
    varied: Varied,
    searches: ShortSearches,
    tell: Callable[[Fewest], None] = tell_nobody,
) -> Fewest:
    """Look for the fewest with which the workload ends by `until` seconds.

    Parameters
    ----------
    varied : of VARIED; all else of the cluster stays as it is
    searches : how long schedules are searched; when these are over, what is known so far is returned
    tell : called with what is known whenever it is more

    Raises
    ------
    InputError
        the cluster has none of what is to be varied, or `until` is no time
    """
    if not until > 0:
        raise InputError(f"the time to end by is {until:g} s; give a time above 0 s")
    sizes = _sizes(workload, cluster, until, varied)
    search = _FewestSearch(workload, sizes, until, searches, tell)
    search.prove_too_few()
    if not search.known.is_hopeless:
        search.find_enough()
    return search.known


@dataclass(frozen=True)
class _Sizes:
    """Clusters by their size.

    Attributes
    ----------
    varied : what a size counts
    most : the largest of use
    clusters : yields the clusters of a size
    """

    varied: Varied
    most: int
    clusters: Callable[[int], Iterator[Cluster]]


def _sizes(workload: Workload, cluster: Cluster, until: float, varied: Varied) -> _Sizes:
    """Return the clusters among which the smallest is looked for."""
    _check(cluster, varied)
    maps, reduces = workload.map_count, workload.reduce_count
    if varied == "total":
        return _Sizes(varied, min(maps + reduces, 2 * MOST_SLOTS), _Splits(workload, cluster, until).clusters)
    most = {"maps": maps, "reduces": reduces, "both": max(maps, reduces)}.get(varied, maps + reduces)
    return _Sizes(varied, max(1, min(most, MOST_SLOTS)), partial(_one_of_size, cluster, varied))


def _check(cluster: Cluster, varied: Varied) -> None:
    if varied not in VARIED:
        raise UnknownName("number to vary", varied, VARIED, all_known=True)
    kind = (
        "nodes" if cluster.has_nodes else "containers" if cluster.has_containers else "map and reduce slots"
    )
    has = varied if varied in ("nodes", "containers") else "map and reduce slots"
    if has != kind:
        raise InputError(f"the cluster has {kind}, so the fewest {has} cannot be asked; ask for the {kind}")
    if varied == "nodes" and len(cluster.nodes) > 1:
        raise InputError("the fewest nodes can be asked where all are of one size; give nodes of one size")


def _one_of_size(cluster: Cluster, varied: Varied, size: int) -> Iterator[Cluster]:
    """Yield the one cluster that has so many."""
    if varied == "nodes":
        yield replace(cluster, nodes=(replace(cluster.nodes[0], count=size),))
        return
    maps = size if varied in ("maps", "both") else cluster.map_slots
    reduces = size if varied in ("reduces", "both") else cluster.reduce_slots
    containers = size if varied == "containers" else 0
    yield replace(cluster, map_slots=maps, reduce_slots=reduces, containers=containers)


class _Splits:
    """Every cluster with so many slots in all that the lower bound of each kind alone allows."""

    def __init__(self, workload: Workload, cluster: Cluster, until: float) -> None:
        self._cluster = cluster
        most = max(1, min(MOST_SLOTS, max(workload.map_count, workload.reduce_count)))
        wide = replace(cluster, map_slots=most, reduce_slots=most)
        kinds: tuple[tuple[Varied, int], ...] = (
            ("maps", workload.map_count),
            ("reduces", workload.reduce_count),
        )
        self._maps, self._reduces = (
            _least(partial(_is_too_small, workload, until, partial(_one_of_size, wide, varied)), most)
            if tasks > 0
            else 0
            for varied, tasks in kinds
        )

    def clusters(self, size: int) -> Iterator[Cluster]:
        """Yield them, those in the middle first."""
        first, last = self._maps, size - self._reduces
        middle = (first + last) // 2
        for maps in sorted(range(first, last + 1), key=lambda maps: abs(maps - middle)):
            if max(maps, size - maps) <= MOST_SLOTS:
                yield replace(self._cluster, map_slots=maps, reduce_slots=size - maps)


def _is_too_small(
    workload: Workload, until: float, clusters: Callable[[int], Iterator[Cluster]], size: int
) -> bool:
    """Whether no cluster of a size ends by then, by the lower bound; one without slots is of no use."""
    return not any(_allows(workload, until, cluster) for cluster in clusters(size))


def _allows(workload: Workload, until: float, cluster: Cluster) -> bool:
    """Whether the lower bound of a cluster lets the workload end by then."""
    needed = (workload.map_count, workload.reduce_count)
    if any(tasks > 0 and slots == 0 for tasks, slots in zip(needed, cluster.stage_slots, strict=True)):
        return False
    return not is_longer(lower_bound(workload, cluster), until)


def _least(is_too_small: Callable[[int], bool], most: int) -> int:
    """Return the smallest size that is not too small, from 1; `most + 1` if all are."""
    too_small, reached, step = 0, 1, 1
    while reached < most and is_too_small(reached):
        too_small, reached, step = reached, min(most, reached + 2 * step), 2 * step
    if is_too_small(reached):
        return most + 1
    while reached - too_small > 1:
        middle = (reached + too_small) // 2
        if is_too_small(middle):
            too_small = middle
        else:
            reached = middle
    return reached


class _FewestSearch:
    """The two answers, coming towards one another."""

    def __init__(
        self,
        workload: Workload,
        sizes: _Sizes,
        until: float,
        searches: ShortSearches,
        tell: Callable[[Fewest], None],
    ) -> None:
        self._workload, self._sizes, self._searches, self._tell = workload, sizes, searches, tell
        self._begun: dict[Cluster, Searching] = {}
        self.known = Fewest(sizes.varied, until, 0, sizes.most)

    def prove_too_few(self) -> None:
        """Find the largest size that the lower bound rules out."""
        is_too_small = partial(_is_too_small, self._workload, self.known.until, self._sizes.clusters)
        self._note(replace(self.known, too_few=_least(is_too_small, self._sizes.most) - 1))

    def find_enough(self) -> None:
        """Search schedules: upwards until there is one, then between it and the largest size without."""
        without, size = self.known.too_few, self.known.too_few + 1
        while self.known.enough is None and not self._searches.is_over():
            longer = self._try(size)
            if self.known.enough is None:
                if size == self._sizes.most or self._searches.is_over():
                    return
                without = size
                size = min(self._sizes.most, size + max(1, math.ceil(size * longer)))
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
            if not _allows(self._workload, until, cluster):
                continue
            if cluster not in self._begun:
                self._begun[cluster] = self._searches.begin(self._workload, cluster)
            found = self._searches.go_on(self._begun[cluster], enough=until, is_short=is_short)
            if not is_longer(found.best, until):
                self._note(
                    replace(self.known, enough=size, cluster=cluster, makespan=found.best, plan=found.plan)
                )
                return 0.0
            least, are_proved = min(least, found.best), are_proved and is_longer(found.bound, until)
            if self._searches.is_over():
                return math.inf
        if are_proved and size == self.known.too_few + 1:
            self._note(replace(self.known, too_few=size))
        return least / until - 1

    def _note(self, known: Fewest) -> None:
        self.known = known
        self._tell(known)
