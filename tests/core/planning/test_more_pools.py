"""The steps of the search for three pools and four; what it finds is in `test_balanced_pools.py`."""

from __future__ import annotations

from math import nextafter
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.progress import no_progress
from core.planning.more_pools import MorePools, _State
from core.planning.pool_cut import PoolCut, Trial, shares
from tests.builders import make_job, make_workload

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.planning.pool_cut import Jobs, Slots
    from core.planning.trial_threads import TrialThreads

WHOLE: Slots = (8, 4)
NOTHING = _State(0, (), 0, (), (0, 0), ())


def a_search(jobs: int = 4, maps: int = 8, reduces: int = 2, kind: type[MorePools] = MorePools) -> MorePools:
    """Of jobs with 8 maps and 2 reduces of 10 s each, on 8 map slots and 4 reduce slots."""
    workload = make_workload(*(make_job(f"J{i}", (maps, 10.0), (reduces, 10.0)) for i in range(jobs)))
    cut = SimpleNamespace(jobs=np.arange(jobs), slots=WHOLE, whole=8, johnson=lambda some, _slots: some)
    return kind(cast("PoolCut", cut), workload, cast("TrialThreads", SimpleNamespace()))


class Simulated:
    """Simulates jobs of 80 s of maps and 20 s of reduces as if work could be divided; keeps what was run."""

    def __init__(self) -> None:
        self.runs: list[tuple[tuple[int, ...], Slots]] = []

    def __call__(self, order: Jobs, slots: Slots) -> float:
        self.runs.append((tuple(order.tolist()), slots))
        return max(80 * len(order) / slots[0], 20 * len(order) / slots[1])


class Halving(MorePools):
    """Pools end at a part of a time, but not before an optimum."""

    optimum, part = 70.0, 0.9
    tried: tuple[float, ...] = ()

    def _pools_before(
        self, until: float, pools: int, places: Sequence[int], progress: Callable[[float], None]
    ) -> Trial | None:
        self.tried = (*self.tried, until)
        end = max(self.part * until, self.optimum)
        return Trial((1,), (4,), (end, end / 2)) if end <= until else None


@pytest.mark.parametrize("scale", [1.0, 1 / 128])
def test_times_to_beat_are_halved_towards_the_work_until_they_are_near(scale: float) -> None:
    """Known is 80 s, possible 70 s, and the work of 5 jobs is 400 s on 8 slots: 50 s."""
    search = cast("Halving", a_search(5, kind=Halving))
    search._work, search.optimum = search._work * scale, 70 * scale
    best = Trial((1,), (4,), (80 * scale, 10 * scale))
    found = search._beat(3, [0, 5], best, no_progress, lambda _trials: None)
    tried = [each / scale for each in search.tried]
    assert tried == pytest.approx([80, 61, 66.5, 69.25, 70.625, 69.625, 69.8125, 69.90625, 70])
    assert (search.tried[0], search.tried[-1]) == (nextafter(80 * scale, 0), nextafter(70 * scale, 0))
    assert [each.makespan / scale for each in found] == pytest.approx([72, 70])


def test_after_sixty_rounds_the_search_ends() -> None:
    """Each time is reached to the last bit, and beaten by one bit: this could go on for ever."""
    search = cast("Halving", a_search(5, kind=Halving))
    search.part, search.optimum = 1.0, 0.0
    found = search._beat(3, [0, 5], Trial((1,), (4,), (80.0, 10.0)), no_progress, lambda _trials: None)
    assert (len(search.tried), len(found)) == (60, 60)


def test_nothing_is_tried_where_the_best_takes_no_longer_than_the_work() -> None:
    search = a_search()
    best = Trial((2,), (4,), (40.0, 40.0))  # 4 x 80 s on 8 slots
    assert search._beat(3, [0, 4], best, no_progress, lambda _trials: None) == []


def test_the_least_size_of_a_pool_is_what_its_work_takes() -> None:
    """Two jobs have 160 s of maps: 8 slots until 20 s, 2 until 80 s; one slot at least."""
    search = a_search()
    assert [search._least(0, 2, until) for until in (20.0, 80.0, 1000.0)] == [8, 2, 1]
    assert search._least(1, 2, 20.0) == 4
    assert a_search(1, maps=1, reduces=8)._least(0, 1, 10.0) == 14  # 80 s of reduces: 8 slots less 1, twice


def test_all_jobs_that_are_left_need_what_their_work_takes() -> None:
    """The last two jobs until 20 s: 8 slots; all four 16; the last one a slot in each of two pools."""
    search = a_search()
    assert search._least_of_rest(2, 1, 20.0) == 8
    assert search._least_of_rest(0, 3, 20.0) == 16
    assert search._least_of_rest(3, 2, 1000.0) == 2


def test_a_pool_takes_as_few_slots_as_do() -> None:
    """Two jobs end at 40 s on 4 + 2 slots, and the other two need 4 as well; 39 s cannot be reached."""
    simulated = Simulated()
    found = a_search()._extended([NOTHING], 1, 40.0, 2, simulated)
    assert found == _State(4, (2,), 2, (4,), (4, 2), (40.0,))
    assert simulated.runs == [((0, 1), (4, 2))]
    assert a_search()._extended([NOTHING], 1, 39.0, 2, simulated) is None
    assert a_search()._extended([NOTHING], 1, 80.0, 2, Simulated()) == _State(
        2, (2,), 2, (2,), (2, 1), (80.0,)
    )


def test_a_last_pool_that_its_work_forbids_is_not_simulated() -> None:
    """Behind job 2 the rest needs 4 of 8 slots until 40 s; behind job 1 it needs 6, and 3 are taken."""
    fits = _State(4, (2,), 2, (4,), (4, 2), (30.0,))
    does_not = _State(3, (1,), 1, (3,), (3, 1), (30.0,))
    simulated = Simulated()
    found = a_search()._completed([does_not, fits], 0, 40.0, 4, simulated)
    assert found is not None
    assert (found.splits, found.sizes, found.ends) == ((2,), (4,), (30.0, 40.0))
    assert simulated.runs == [((2, 3), (4, 2))]
    assert a_search()._completed([fits], 0, 39.0, 4, Simulated()) is None


def test_the_same_pool_is_simulated_once() -> None:
    search, simulated = a_search(), Simulated()
    ends = [search._end(0, 2, (0, 0), (4, 2), simulated), search._end(0, 2, (2, 1), (6, 3), simulated)]
    assert ends == [40.0, 40.0]
    assert len(simulated.runs) == 1
    assert search._end(0, 1, (0, 0), (4, 2), simulated) == 20.0


def test_cuts_are_looked_for_between_the_neighbours_of_the_best() -> None:
    search = a_search(20)
    around = search._around([0, 4, 8, 12, 20], Trial((8,), (4,), (1.0, 1.0)))
    assert sorted(around) == [4, 5, 6, 7, 8, 9, 10, 11, 12]
    assert around[0] == 8
    assert set(around[1:3]) == {7, 9}


def test_few_jobs_may_be_cut_anywhere_and_many_where_work_is_equal() -> None:
    best = Trial((30,), (4,), (1.0, 1.0))
    assert a_search(49)._places(best) == list(range(50))
    places = a_search(490)._places(best)
    assert (places[0], places[-1], 30 in places) == (0, 490, True)
    assert len(places) <= 51
    assert max(np.diff(places)) <= 11


def test_split_and_size_are_those_of_the_first_pool() -> None:
    trial = Trial((2, 4), (3, 1), (7.0, 8.0, 6.0))
    assert (trial.split, trial.size, trial.pools, trial.makespan) == (2, 3, 3, 8.0)


def test_a_single_pool_has_neither_split_nor_size() -> None:
    single, two = Trial((), (), (3.0,)), Trial((5,), (2,), (3.0, 4.0))
    assert (single.split, single.size, single.pools, single.makespan) == (0, 0, 1, 3)
    assert (two.split, two.size, two.pools, two.makespan) == (5, 2, 2, 4)


@pytest.mark.parametrize(
    ("slots", "ends", "whole", "parts"),
    [
        (10, (3, 6), 10, (3, 3, 4)),
        (5, (1,), 2, (3, 2)),  # a half is rounded up
        (4, (1,), 100, (1, 3)),  # one for every pool
        (4, (99,), 100, (3, 1)),
        (6, (1, 2), 100, (1, 1, 4)),
        (2, (3, 6), 8, (0, 0, 2)),  # too few for three
        (3, (3, 6), 8, (1, 1, 1)),
    ],
)
def test_slots_are_cut_in_proportion(
    slots: int, ends: tuple[int, ...], whole: int, parts: tuple[int, ...]
) -> None:
    assert shares(slots, ends, whole) == parts


@pytest.mark.parametrize(
    ("cluster", "most"), [(Cluster(8, 4), 3), (Cluster(8, 2), 2), (Cluster(1, 8), 1), (Cluster(2, 9), 2)]
)
def test_every_pool_has_a_job_and_a_slot_of_each_kind(cluster: Cluster, most: int) -> None:
    jobs = [make_job(f"J{i}", (4 - i % 2, 10.0), (1, 10.0)) for i in range(3)]
    cut = PoolCut(make_workload(*jobs), cluster)
    assert (cut.most_pools(4), cut.most_pools(1)) == (most, 1)
    assert cut.whole == max(cluster.map_slots, cluster.reduce_slots)
    assert cut.jobs.tolist() == [1, 0, 2]  # fewest maps first, else in input order
    assert cut.parts((1, 2)) == [(0, 1), (1, 2), (2, 3)]


def test_slots_that_no_job_needs_limit_no_pools() -> None:
    jobs = [make_job(f"J{i}", (4, 10.0)) for i in range(3)]
    assert PoolCut(make_workload(*jobs), Cluster(8, 1)).most_pools(4) == 3


def test_sizes_cut_both_kinds_of_slots() -> None:
    cut = PoolCut(make_workload(make_job("J1", (4, 10.0), (1, 10.0))), Cluster(8, 4))
    assert cut.pools((4, 2)) == ((4, 2), (2, 1), (2, 1))
    assert cut.pools(()) == ((8, 4),)
