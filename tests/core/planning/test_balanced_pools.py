"""BalancedPools: the published example, the search against plain simulations, threads and cancel."""

from __future__ import annotations

import math
import threading
import time
from functools import partial
from itertools import combinations, pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError
from core.model.partition import check_partition
from core.model.schedule import PolicyChoice
from core.planning.balanced_pools import PoolSearch, _balance, balanced_pools
from core.planning.more_pools import MorePools
from core.planning.pool_cut import PoolCut, Trial, shares
from core.planning.pool_searches import known_search, search_pools
from core.planning.trial_threads import TrialThreads
from core.simulation.fifo_trials import PoolTrials, pool_trials
from core.simulation.simulate import simulate
from tests import random_tests
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.core.engine.strategies import clusters, workloads
from tests.lines_run import lines_run
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.workload import Workload
    from core.planning.pool_cut import Jobs, Slots

FIGURE_9 = two_stage_workload(FIVE_JOBS, (30, 30, 20, 20, 30))


def search(workload: Workload, cluster: Cluster, compiled: bool = True, threads: int = 1) -> PoolSearch:
    simulators = [PoolTrials(workload, cluster, compiled) for _ in range(threads)]
    return balanced_pools(workload, cluster, simulators)


@pytest.mark.parametrize("compiled", [False, True])
def test_the_search_of_figure_9(compiled: bool) -> None:
    """000 Figure 9: Johnson's order takes 47; {J2, J5, J1} on 10+10 slots 39, {J4, J3} on 20+20 slots 40."""
    found = search(FIGURE_9, Cluster(30, 30), compiled)
    assert found.single == 47
    assert found.makespan == 40
    assert found.best == Trial((2,), (20,), (40, 39))
    small, large = found.partition.pools
    assert (small.jobs, small.slots) == (("J4", "J3"), (20, 20))
    assert (large.jobs, large.slots) == (("J2", "J5", "J1"), (10, 10))
    schedule = run(FIGURE_9, Cluster(30, 30), "balanced-pools")
    assert (schedule.makespan, schedule.partition) == (40, found.partition)


@pytest.mark.parametrize(("first_ends_later", "sizes"), [(True, [4, 5, 6]), (False, [4, 2, 1])])
def test_sizes_are_halved_between_one_slot_and_all(first_ends_later: bool, sizes: list[int]) -> None:
    """000 Algorithm 2 on seven slots: begin is 1 and end 7, and the middle of both is tried next."""

    def simulate(jobs: Jobs, _slots: Slots) -> float:
        return 9.0 if (len(jobs) == 2) == first_ends_later else 1.0

    trials = _balance(PoolCut(FIGURE_9, Cluster(7, 7)), 2, simulate)
    assert [trial.size for trial in trials] == sizes


def test_the_steps_of_the_binary_search() -> None:
    """Between 1 and all 30: the size halves towards balance; where only 1 apart is left, both were tried."""
    found = search(FIGURE_9, Cluster(30, 30))
    sizes = {split: [t.size for t in found.trials if t.split == split] for split in (1, 2, 3, 4)}
    assert sizes[2] == [15, 18, 20, 21, 22]
    for split, tried in sizes.items():
        trials = {t.size: t for t in found.trials if t.split == split}
        begin = max((size for size in tried if trials[size].ends[0] >= trials[size].ends[1]), default=1)
        end = min((size for size in tried if trials[size].ends[0] < trials[size].ends[1]), default=30)
        assert end - begin <= 1, (split, tried)


@examples(20)
@given(data=st.data())
def test_every_trial_is_what_its_pools_take(data: st.DataObject) -> None:
    """The trials' quick simulator gives what `simulate` gives, and the best is the best of them."""
    workload = data.draw(workloads())
    cluster = data.draw(clusters(workload).filter(lambda c: not c.has_containers))
    found = search(workload, cluster)
    cut = PoolCut(workload, cluster)
    makespans = [found.single]
    for trial in found.trials:
        partition = cut.partition(trial)
        check_partition(partition, workload, cluster)
        schedule = run(workload, cluster, partition=partition)
        makespans.append(schedule.makespan)
        for pool, end in zip(partition.pools, trial.ends, strict=True):
            assert end == max(schedule.finish[workload.job_index[name]] for name in pool.jobs)
    assert found.single == run(workload, cluster, "johnson").makespan
    assert found.makespan == min(makespans)
    assert run(workload, cluster, partition=found.partition).makespan == found.makespan


def test_small_jobs_are_those_with_few_maps() -> None:
    found = search(FIGURE_9, Cluster(30, 30))
    assert [FIGURE_9.jobs[j].name for j in found.jobs] == ["J3", "J4", "J1", "J2", "J5"]


def test_both_kinds_of_slots_are_cut_in_proportion() -> None:
    cut = PoolCut(FIGURE_9, Cluster(30, 12))
    assert cut.pools((10,)) == ((10, 4), (20, 8))
    assert cut.pools((1,)) == ((1, 1), (29, 11))
    assert cut.pools((29,)) == ((29, 11), (1, 1))
    assert PoolCut(FIGURE_9, Cluster(3, 30)).pools((20,)) == ((2, 20), (1, 10))


@pytest.mark.parametrize("cluster", [Cluster(1, 30), Cluster(30, 1), Cluster(1, 1)])
def test_a_cluster_that_cannot_be_cut_is_one_pool(cluster: Cluster) -> None:
    found = search(FIGURE_9, cluster)
    assert (found.trials, found.best) == ((), None)
    assert [(pool.name, pool.slots) for pool in found.partition.pools] == [
        ("All jobs", (cluster.map_slots, cluster.reduce_slots))
    ]
    assert found.makespan == run(FIGURE_9, cluster, "johnson").makespan


def test_slots_of_a_kind_that_nobody_needs() -> None:
    """Jobs of maps only can be cut on a cluster without reduce slots."""
    workload = make_workload(make_job("J1", (1, 10.0)), make_job("J2", (2, 5.0)))
    found = search(workload, Cluster(3, 0))
    assert all(pool.reduce_slots == 0 for pool in found.partition.pools)
    assert found.makespan == 10


def test_where_pools_gain_nothing_there_is_one() -> None:
    """Two equal jobs that each fill the cluster: side by side they take as long as one after the other."""
    workload = two_stage_workload([(10, 10), (10, 10)])
    found = search(workload, Cluster(30, 30))
    assert (found.best, found.makespan) == (None, 30)
    assert found.partition.names == ("All jobs",)


def test_one_job_is_one_pool() -> None:
    workload = two_stage_workload([(10, 10)])
    assert search(workload, Cluster(30, 30)).partition.names == ("All jobs",)


def test_threads_find_the_same() -> None:
    workload = generate("synthetic1", seed=3, parameters={"jobs": 20, "bimodal": True})
    one, three = (search(workload, Cluster(40, 30), threads=threads) for threads in (1, 3))
    assert one.trials == three.trials
    assert one.partition == three.partition
    assert len(one.trials) >= 19 * 5


def test_progress_and_what_was_tried_are_told() -> None:
    fractions: list[float] = []
    told: list[Trial] = []
    simulators = [PoolTrials(FIGURE_9, Cluster(30, 30), False)]
    found = balanced_pools(FIGURE_9, Cluster(30, 30), simulators, fractions.append, on_trials=told.extend)
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1
    assert told[0] == Trial((), (), (found.single,))
    assert sorted(told[1:]) == list(found.trials)


def test_a_search_can_be_stopped() -> None:
    """It ends soon, all threads with it, and leaves nothing behind."""
    before = threading.active_count()
    workload = generate("facebook", seed=1)
    cluster = Cluster(64, 64)
    with pytest.raises(Cancelled, match="was cancelled"):
        search_pools(
            workload, cluster, partial(pool_trials, workload, cluster, True), should_stop=lambda: True
        )
    assert threading.active_count() == before
    assert known_search(workload, cluster) is None


def test_a_search_is_made_once() -> None:
    cluster = Cluster(30, 30, 0.5)
    assert known_search(FIGURE_9, cluster) is None
    found = search_pools(FIGURE_9, cluster, partial(pool_trials, FIGURE_9, cluster, False))
    again = FIGURE_9.with_jobs(FIGURE_9.jobs)
    assert search_pools(again, cluster, partial(pool_trials, again, cluster, True)) is found
    assert known_search(FIGURE_9, cluster) is found
    assert known_search(FIGURE_9, Cluster(30, 29, 0.5)) is None


def test_who_asks_for_a_search_under_way_follows_it() -> None:
    """The second asker is told all trials, and gets the same result, without a search of its own."""
    cluster = Cluster(30, 30, 0.25)
    began, go_on = threading.Event(), threading.Event()
    told: list[Trial] = []
    results: list[PoolSearch] = []

    def wait_a_moment(_fraction: float) -> None:
        began.set()
        go_on.wait(10)

    def let_go(_fraction: float) -> None:
        go_on.set()

    def first() -> None:
        results.append(
            search_pools(
                FIGURE_9, cluster, partial(pool_trials, FIGURE_9, cluster, False), progress=wait_a_moment
            )
        )

    def second() -> None:
        results.append(
            search_pools(
                FIGURE_9,
                cluster,
                partial(pool_trials, FIGURE_9, cluster, False),
                progress=let_go,
                on_trials=told.extend,
            )
        )

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    threads[0].start()
    assert began.wait(10)
    threads[1].start()
    for thread in threads:
        thread.join(10)
    assert results[0] is results[1]
    assert sorted(told)[1:] == list(results[0].trials)


def test_who_follows_a_search_can_give_up() -> None:
    cluster = Cluster(30, 30, 0.75)
    caught: list[BaseException] = []

    def ask() -> None:
        try:
            search_pools(
                FIGURE_9, cluster, partial(pool_trials, FIGURE_9, cluster, False), should_stop=lambda: True
            )
        except Cancelled as error:
            caught.append(error)

    def follow(_fraction: float) -> None:
        """While the search waits for us, ask for the same in another thread, which is stopped at once."""
        if not caught:
            thread = threading.Thread(target=ask)
            thread.start()
            thread.join(10)

    search_pools(FIGURE_9, cluster, partial(pool_trials, FIGURE_9, cluster, False), progress=follow)
    assert len(caught) == 1


def test_untyped_containers_are_refused() -> None:
    with pytest.raises(InputError, match="divides map and reduce slots"):
        simulate(FIGURE_9, Cluster(0, 0, containers=5), PolicyChoice("balanced-pools"))


def test_progress_of_a_simulation_is_that_of_its_search() -> None:
    fractions: list[float] = []
    workload = generate("synthetic1", seed=5, parameters={"jobs": 10})
    simulate(workload, Cluster(20, 20), PolicyChoice("balanced-pools"), progress=fractions.append)
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1


# ---- more than two


def brute_force(workload: Workload, cluster: Cluster, pools: int) -> float:
    """Return the shortest makespan of all splits and sizes for exactly so many pools, each simulated."""
    cut = PoolCut(workload, cluster)
    splits = combinations(range(1, len(cut.jobs)), pools - 1)
    sizes = [
        tuple(b - a for a, b in pairwise((0, *ends))) for ends in combinations(range(1, cut.whole), pools - 1)
    ]
    trials = (Trial(at, size, (0.0,) * pools) for at in splits for size in sizes)
    return min(run(workload, cluster, partition=cut.partition(trial)).makespan for trial in trials)


CASES = range(12 if random_tests.is_thorough else 6)


@pytest.mark.parametrize("case", CASES)
def test_more_pools_are_as_good_as_all_splits_and_sizes(case: int) -> None:
    """Of four to six jobs on five to seven slots of a kind; three and four pools, and both kinds uneven."""
    random = Random(case)
    jobs = [
        make_job(
            f"J{i}",
            (random.randint(1, 7), [random.randint(1, 9) for _ in range(3)]),
            (random.randint(1, 4), [random.randint(1, 9) for _ in range(2)], 1.0, 2.0),
        )
        for i in range(random.randint(4, 5 if case % 2 else 6))
    ]
    workload, maps = make_workload(*jobs), random.randint(5, 6)
    cluster = Cluster(maps, maps if case % 3 else maps + 1, 1.0)
    pools = 4 if case % 2 else 3
    best = [brute_force(workload, cluster, count) for count in range(2, pools + 1)]
    found = balanced_pools(workload, cluster, pool_trials(workload, cluster, False), pools=pools)
    assert found.makespan == min(found.single, *best)
    assert found.makespan <= search(workload, cluster, compiled=False).makespan
    assert run(workload, cluster, partition=found.partition).makespan == found.makespan
    assert exactly(pools, workload, cluster).makespan == best[-1]


def exactly(pools: int, workload: Workload, cluster: Cluster) -> Trial:
    """Return the best trial of exactly so many pools, with nothing known that could be beaten or kept."""
    threads = TrialThreads(pool_trials(workload, cluster, False), lambda: False)
    begin = Trial((), (), (math.inf,))
    more = MorePools(PoolCut(workload, cluster), workload, threads)
    return more.search(pools, begin, lambda _fraction: None, lambda _trials: None)[-1]


def test_three_pools_by_hand() -> None:
    """On 4 + 4 slots. One pool: the maps of J3 and one of J2, then the others of J2, at 2 s that of J1, 12 s.

    Three pools: J1 on 1 + 1 slots takes 5 + 5 s, J3 on 1 + 1 takes 3 + 6, J2 on 2 + 2 takes 2 · 2 + 6.
    """
    workload = make_workload(
        make_job("J1", (1, 5.0), (1, 5.0)),
        make_job("J2", (4, 2.0), (1, 6.0)),
        make_job("J3", (3, 1.0), (1, 6.0)),
    )
    cluster = Cluster(4, 4, 1.0)
    assert run(workload, cluster, "johnson").makespan == 12
    assert run(workload, cluster, "balanced-pools").makespan == 11
    schedule = run(workload, cluster, PolicyChoice("balanced-pools", {"pools": 3}))
    assert schedule.makespan == 10
    assert schedule.partition is not None
    assert [(pool.name, pool.slots, pool.jobs) for pool in schedule.partition.pools] == [
        ("Small jobs", (1, 1), ("J1",)),
        ("Medium jobs", (1, 1), ("J3",)),
        ("Large jobs", (2, 2), ("J2",)),
    ]
    assert schedule.pool_finish.tolist() == [10, 9, 10]


def test_more_pools_are_never_worse_than_fewer() -> None:
    workload = generate("facebook", seed=3, parameters={"jobs": 25})
    cluster = Cluster(64, 64, 1.0)
    found = [
        balanced_pools(workload, cluster, pool_trials(workload, cluster, True), pools=pools)
        for pools in (2, 3, 4)
    ]
    assert found[0].makespan >= found[1].makespan >= found[2].makespan
    for search_of in found:
        check_partition(search_of.partition, workload, cluster)
        for trial in search_of.trials[-3:]:
            partition = PoolCut(workload, cluster).partition(trial)
            schedule = run(workload, cluster, partition=partition, engine="compiled")
            assert tuple(schedule.pool_finish) == trial.ends
    assert found[0].trials == tuple(trial for trial in found[2].trials if trial.pools == 2)


def test_more_pools_tell_progress_and_can_be_stopped_at_any_time() -> None:
    workload = generate("synthetic1", seed=3, parameters={"jobs": 30, "bimodal": True})
    cluster = Cluster(64, 64, 1.0)
    fractions: list[float] = []
    told: list[Trial] = []
    simulators = pool_trials(workload, cluster, True)
    found = balanced_pools(workload, cluster, simulators, fractions.append, on_trials=told.extend, pools=4)
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1
    assert sorted(told[1:]) == list(found.trials)
    again = [0.0]
    with pytest.raises(Cancelled, match="was cancelled"):
        balanced_pools(workload, cluster, simulators, again.append, lambda: again[-1] > 0.4, pools=4)
    assert 0.4 < again[-1] < 1


def test_threads_find_the_same_pools() -> None:
    workload = generate("facebook", seed=1, parameters={"jobs": 16})
    cluster = Cluster(40, 30)
    one, three = (
        balanced_pools(workload, cluster, [PoolTrials(workload, cluster, True) for _ in range(n)], pools=4)
        for n in (1, 3)
    )
    assert one.trials == three.trials
    assert one.partition == three.partition


def test_no_more_pools_than_jobs_or_slots() -> None:
    two_jobs = two_stage_workload([(10, 10), (5, 5)])
    for workload, cluster in (
        (two_jobs, Cluster(30, 30)),
        (FIGURE_9, Cluster(30, 2)),
        (FIGURE_9, Cluster(3, 3)),
    ):
        found = balanced_pools(workload, cluster, pool_trials(workload, cluster, False), pools=4)
        most = min(len(workload.jobs), cluster.map_slots, cluster.reduce_slots)
        assert max((trial.pools for trial in found.trials), default=1) <= most


def test_slots_are_shared_out_whole_and_every_pool_has_one() -> None:
    assert shares(30, (10, 20), 30) == (10, 10, 10)
    assert shares(12, (1, 2), 30) == (1, 1, 10)
    assert shares(12, (28, 29), 30) == (10, 1, 1)
    assert shares(12, (15, 20), 30) == (6, 2, 4)
    assert shares(2, (10, 20), 30) == (0, 0, 2)


def test_searches_for_other_numbers_of_pools_are_other_searches() -> None:
    cluster = Cluster(30, 30, 0.6)
    simulators = partial(pool_trials, FIGURE_9, cluster, False)
    two, three = (search_pools(FIGURE_9, cluster, simulators, pools=pools) for pools in (2, 3))
    assert known_search(FIGURE_9, cluster) is two
    assert known_search(FIGURE_9, cluster, 3) is three
    assert known_search(FIGURE_9, cluster, 4) is None


def test_waiting_for_trials_takes_as_long_for_each_however_many_are_to_come() -> None:
    def lines(items: int) -> int:
        simulators = [PoolTrials(FIGURE_9, Cluster(30, 30), False)]
        threads = TrialThreads(simulators, lambda: False)
        return lines_run(lambda: threads.each(lambda *_: time.sleep(1e-3), range(items), lambda *_: None))

    assert lines(400) < 6 * lines(100)
