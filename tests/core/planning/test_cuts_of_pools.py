"""Where the search for balanced pools cuts the jobs: splits of two, and places of more."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from core.model.cluster import Cluster
from core.planning.balanced_pools import PoolSearch, balanced_pools
from core.planning.more_pools import MAX_CUTS, MorePools
from core.planning.pool_cut import PoolCut, Trial
from core.planning.pool_searches import known_search, search_pools
from core.simulation.fifo_trials import pool_trials
from tests.builders import make_job, make_workload, two_stage_workload

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.model.workload import Workload

CLUSTER = Cluster(6, 6)


def equal_jobs(count: int) -> Workload:
    return two_stage_workload([(3.0, 2.0)] * count, 4)


def search(workload: Workload, **wished: Any) -> PoolSearch:
    return balanced_pools(workload, CLUSTER, pool_trials(workload, CLUSTER, False), **wished)


def splits(found: PoolSearch) -> list[int]:
    return sorted({trial.split for trial in found.trials if trial.pools == 2})


@pytest.mark.parametrize(
    ("jobs", "most", "tried"),
    [
        (8, 1, [4]),
        (8, 3, [2, 4, 6]),
        (10, 4, [2, 4, 6, 8]),
        (5, 3, [1, 2, 4]),  # at 1.25, 2.5 and 3.75; a half goes to the even number
        (5, 4, [1, 2, 3, 4]),
        (5, 9, [1, 2, 3, 4]),
        (5, None, [1, 2, 3, 4]),
    ],
)
def test_so_many_splits_are_spread_evenly(jobs: int, most: int | None, tried: list[int]) -> None:
    assert splits(search(equal_jobs(jobs), most_splits=most)) == tried


def test_as_many_splits_as_there_are_is_the_search_of_all() -> None:
    """What is limited to all of them is found again without a limit; what leaves one out is not."""
    workload = equal_jobs(5)
    find = partial(search_pools, workload, CLUSTER, partial(pool_trials, workload, CLUSTER, False))
    some = find(most_splits=3)
    assert known_search(workload, CLUSTER) is None
    assert splits(some) == [1, 2, 4]
    whole = find(most_splits=4)
    assert known_search(workload, CLUSTER) is whole
    assert splits(whole) == [1, 2, 3, 4]
    assert find() is find(most_splits=5) is whole
    assert find(most_splits=3) is some


@pytest.mark.parametrize("pools", [2, 3, 4])
def test_every_number_of_pools_has_an_equal_part_of_progress(pools: int) -> None:
    """Two pools end at 1 / (pools - 1), three at 2 / (pools - 1)."""
    workload = two_stage_workload([(4, 5), (1, 4), (30, 4), (6, 30), (2, 3)], (4, 1, 5, 2, 3))
    fractions: list[float] = []
    search(workload, progress=fractions.append, pools=pools)
    assert fractions[:4] == pytest.approx([part / 4 / (pools - 1) for part in (1, 2, 3, 4)])
    for part in range(1, pools):
        assert fractions.count(part / (pools - 1)) >= 1
    assert fractions == sorted(fractions)


class Places:
    """Threads that find nothing, and keep the places at which they were to cut."""

    def __init__(self) -> None:
        self.rounds: list[list[int]] = []

    def each(self, _work: object, items: Iterable[int], _on_done: object) -> None:
        self.rounds.append(list(items))


def places(workload: Workload, best: Trial, pools: int = 3) -> list[list[int]]:
    """Return where a search that finds nothing better would cut, look after look."""
    threads: Any = Places()
    more = MorePools(PoolCut(workload, Cluster(64, 64)), workload, threads)
    told: list[Sequence[Trial]] = []
    fractions: list[float] = []
    assert more.search(pools, best, fractions.append, told.append) == []
    assert told == []
    # of each time that is tried: the cuts, once for each pool but the last, then the end of all jobs
    assert threads.rounds[pools - 1 :: pools] == [[len(workload.jobs)]] * (len(threads.rounds) // pools)
    assert all(threads.rounds[i] == threads.rounds[i + 1] for i in range(0, len(threads.rounds), pools))
    return threads.rounds[::pools]  # where nothing ends sooner than the best, no other time is tried


SINGLE = Trial((), (), (1e6,))


def test_few_jobs_are_cut_everywhere() -> None:
    """Also next to a job that has nearly all work."""
    count = MAX_CUTS + 1
    workload = two_stage_workload([(3.0, 2.0)] * (count - 1) + [(9e3, 2.0)], 4)
    assert places(workload, SINGLE) == [list(range(1, count))]


def test_many_jobs_are_cut_at_places_of_equal_work() -> None:
    """100 equal jobs: each of 49 parts ends with the job in which its work is done."""
    parts = MAX_CUTS + 1
    assert places(equal_jobs(100), SINGLE) == [[math.ceil(100 * part / parts) for part in range(1, parts)]]


def test_work_is_maps_and_reduces_of_all_tasks() -> None:
    """98 jobs of 2 s with one map, and two that have half of all work each in maps and in reduces."""
    small = [make_job(f"S{i}", (1, 1.0), (1, 1.0)) for i in range(98)]
    large = make_job("L1", (4, 49.0), (1, 0.0)), make_job("L2", (5, 0.2), (3, 65.0))
    workload = make_workload(*small, *large)
    (found,) = places(workload, SINGLE)
    work = [sum(float(stage.task_durations.sum()) for stage in job.stages) for job in workload.jobs]
    done = [sum(work[:behind]) for behind in range(101)]
    wanted = [part * done[-1] / (MAX_CUTS + 1) for part in range(1, MAX_CUTS + 1)]
    assert found == sorted({next(b for b in range(101) if done[b] >= each) for each in wanted} - {100})
    assert len(found) < 20


@pytest.mark.parametrize("cuts", [(50,), (30, 50), (50, 99)])
def test_around_the_best_cuts_all_places_are_looked_at(cuts: tuple[int, ...]) -> None:
    """49 and 52 are places of equal work: with a cut at 50, then 51 is looked at too; 29 to 31 are."""
    even = {math.ceil(100 * part / 49) for part in range(1, 49)}
    first, last = places(equal_jobs(100), Trial(cuts, (20,) * len(cuts), (1e6,) * (len(cuts) + 1)))
    assert set(first) == even | set(cuts)
    assert set(last) == {*first, 51}


def test_the_nearest_places_around_a_cut_come_first() -> None:
    """300 jobs of one task, but for two that have nearly all work: their neighbours are far apart."""
    small = [make_job(f"S{i}", (1, 0.001), (1, 0.001)) for i in range(298)]
    large = make_job("L1", (9, 100.0), (1, 1.0)), make_job("L2", (10, 100.0), (1, 1.0))
    rounds = places(make_workload(*small, *large), Trial((150,), (20,), (1e6, 1e6)))
    assert rounds[0] == [150, 299]
    assert len(rounds[1]) == len({*rounds[0], *range(126, 174)})
    assert set(rounds[1]) - {299} <= set(range(126, 175))
    assert set(range(127, 174)) <= set(rounds[1])


def test_the_best_that_was_found_last_is_looked_around() -> None:
    """Cuts at 20, then better ones at 50 are found: 51, which is no place of equal work, is looked at."""
    looked: list[list[int]] = []

    class Scripted(MorePools):
        def _beat(self, _pools: int, places: Sequence[int], best: Trial, *_: Any) -> list[Trial]:
            looked.append([*places])
            assert best == (SINGLE if len(looked) == 1 else later)
            return [Trial((21,), (20,), (9.0, 9.0)), later] if len(looked) == 1 else []

    threads: Any = Places()
    workload, later = equal_jobs(100), Trial((49,), (20,), (8.0, 8.0))
    more = Scripted(PoolCut(workload, Cluster(64, 64)), workload, threads)
    fractions: list[float] = []
    assert more.search(3, SINGLE, fractions.append, lambda _: None)[-1] == later
    assert set(looked[1]) - set(looked[0]) == {48, 50, 51}
    assert fractions == [1.0]
