"""The lower bound holds against every permutation, and is reached where it can be."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measures.metrics import bound_of
from core.model.cluster import SHUFFLE_MODELS, Cluster, ShuffleModel
from core.model.errors import StalledError
from core.model.job import Dataset, Job, scan_stage
from core.model.nodes import NodeGroup
from core.model.overheads import Overheads
from core.model.stages import Stage
from core.model.task_types import REDUCE
from core.model.workload import Workload
from core.optimize.bounds import lower_bound, makespan_bound
from core.optimize.premise import Premise
from core.optimize.stage_demands import shortest_shuffle
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.core.engine.strategies import clusters, jobs, workloads
from tests.core.optimize.all_schedules import shortest
from tests.core.optimize.tiny_workloads import tiny_workloads
from tests.random_tests import examples

LENT, SHARED = Premise(lends=True), Premise(shares_scans=True)


def best_makespan(workload: Workload, cluster: Cluster) -> float:
    """The shortest of all orders."""
    names = [job.name for job in workload.jobs]
    return min(run(workload, cluster, order=order).makespan for order in permutations(names))


@examples(25)
@given(data=st.data())
def test_no_permutation_beats_the_bound(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 4))
    workload = Workload("random", tuple(data.draw(jobs(f"J{i}")) for i in range(count)))
    cluster = data.draw(clusters(workload))
    assert lower_bound(workload, cluster) <= best_makespan(workload, cluster) * (1 + 1e-12)


@examples(25)
@given(data=st.data())
def test_no_lent_slot_beats_the_bound_for_lenders(data: st.DataObject) -> None:
    workload = data.draw(workloads())
    cluster = data.draw(clusters(workload))
    bound = lower_bound(workload, cluster, LENT)
    assert bound <= lower_bound(workload, cluster) * (1 + 1e-12)
    for policy in ("dhfs-pi", "dhfs-pd", "dynamic-fifo-pi", "dynamic-fifo-pd"):
        try:
            schedule = run(workload, cluster, policy)
        except StalledError:
            continue
        assert bound <= schedule.makespan * (1 + 1e-12)


def test_lenders_beat_the_typed_bound_and_reach_theirs() -> None:
    """002 section IV.B: 108 maps of 10 s and 108 reduces of 7 s on 90 + 18 slots."""
    workload = make_workload(make_job("J1", (108, 10.0), (108, 7.0)))
    cluster = Cluster(90, 18, slowstart=1.0)
    typed, lent = run(workload, cluster, "fair"), run(workload, cluster, "dhfs-pi")
    assert (typed.makespan, bound_of(typed)) == (62, 62)  # two waves of maps, six of reduces
    assert (lent.makespan, bound_of(lent)) == (17, 17)


@pytest.mark.parametrize("model", SHUFFLE_MODELS)
@pytest.mark.parametrize("containers", [0, 3])
def test_five_jobs_of_all_orders(model: str, containers: int) -> None:
    workload = make_workload(
        make_job("J1", (3, [2.0, 5.0]), (2, 3.0, 1.0, 2.0)),
        make_job("J2", (5, 1.0), (1, 7.0, 0.0, 1.0)),
        make_job("J3", (2, 6.0), arrival=2.0),
        make_job("J4", (0,), (4, 2.0, 3.0, 1.0)),
        make_job("J5", (1, 1.0), (3, [1.0, 4.0], 2.0, 5.0), arrival=1.0),
    )
    typed = Cluster(2, 2, 0.05, model)  # type: ignore[arg-type]
    cluster = Cluster(0, 0, 0.05, model, containers) if containers else typed  # type: ignore[arg-type]
    bound, best = lower_bound(workload, cluster), best_makespan(workload, cluster)
    assert 0.5 * best < bound <= best


def test_equal_tasks_that_fill_the_slots_reach_it() -> None:
    workload = two_stage_workload(FIVE_JOBS)
    assert lower_bound(workload, Cluster(30, 30)) == 47
    assert run(workload, Cluster(30, 30), "johnson").makespan == 47


@pytest.mark.parametrize(
    ("job", "bound"),
    [
        (make_job("J1", (4, 3.0)), 6),  # work: 12 s on 2 slots
        (make_job("J1", (2, [1.0, 9.0]), (1, 4.0, 5.0, 2.0), arrival=3.0), 3 + 9 + 2 + 4),  # chain
        (make_job("J1", (0,), (1, 4.0, 1.0, 2.0)), 6),  # no map stage, no first shuffle
        (
            make_job("J1", (1, 1.0), (4, 4.0, 1.0, 2.0)),
            1 + 5 + 6,
        ),  # two fillers, two that pay the typical shuffle
        (make_job("J1", (3, 4.0)), 8),  # of three maps one slot runs two
    ],
)
def test_by_hand(job: object, bound: float) -> None:
    assert lower_bound(make_workload(job), Cluster(2, 2)) == bound  # type: ignore[arg-type]


def test_in_containers_all_the_work_counts() -> None:
    workload = make_workload(make_job("J1", (4, 3.0), (4, 2.0)))
    assert lower_bound(workload, Cluster(0, 0, containers=2)) == 10
    assert lower_bound(workload, Cluster(0, 0, containers=8)) == 5


def test_the_shortest_shuffle() -> None:
    workload = make_workload(
        make_job("J1", (1, 1.0), (2, 1.0, [1.0, 5.0], [3.0, 2.0])), make_job("J2", (0,), (1, 1.0, 1.0, 3.0))
    )
    assert shortest_shuffle(workload, Cluster()).tolist() == [0, 1, 2, 3]
    assert shortest_shuffle(workload, Cluster(shuffle_model="mumak")).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("cluster", [Cluster(0, 0, containers=4), Cluster(2, 2)])
def test_behind_the_last_map_somebody_has_still_to_reduce(cluster: Cluster) -> None:
    """Eight jobs of 80 s of maps: the last of all ends at 160 s (320 s on two slots), its job 45 s later.

    All work on four containers would be done in 250 s, the longest chain of one job takes 49 s.
    """
    jobs = tuple(make_job(f"J{i}", (20, 4.0), (1, 40.0, 5.0, 9.0)) for i in range(8))
    assert lower_bound(Workload("w", jobs), cluster) == (250 if cluster.has_containers else 365)
    one_less = Workload("w", (*jobs[:-1], make_job("J7", (20, 4.0), (1, 20.0, 5.0, 9.0))))
    assert lower_bound(one_less, Cluster(2, 2)) == 345
    heavier = Workload("w", tuple(make_job(f"J{i}", (20, 4.0), (1, 190.0, 5.0, 9.0)) for i in range(8)))
    assert lower_bound(heavier, Cluster(0, 0, containers=16)) == 640 / 16 + 195
    lent = lower_bound(heavier, Cluster(8, 8), LENT)
    assert lent == 640 / 16 + 195


def test_who_comes_late_has_all_its_work_before_it() -> None:
    """J2 and J3 come at 10 s with 12 s of maps each for two slots; the shorter of their reduces takes 3 s."""
    late = (make_job(f"J{i}", (6, 2.0), (1, 1.0 + i), arrival=10.0) for i in (2, 3))
    workload = make_workload(make_job("J1", (2, 3.0)), *late)
    assert lower_bound(workload, Cluster(2, 1)) == 10 + 24 / 2 + 3


@pytest.mark.parametrize(
    ("jobs_", "cluster", "why"),
    [
        (
            [make_job("J1", (2, 50.0), (1, 20.0), arrival=60.0)],
            Cluster(2, 2),
            "J1, here from 1 min 00 s on, needs 50 s for its maps and then 20 s for its reduces even alone",
        ),
        (
            [make_job(f"J{i}", (3, 10.0 + i), (1, 5.0)) for i in range(4)],
            Cluster(2, 4),
            "the maps keep all 2 map slots busy until 1 min 09 s, and then at least 5 s of reduces are left",
        ),
        (
            [make_job(f"J{i}", (1, 5.0), (3, 10.0 + i)) for i in range(4)],
            Cluster(4, 2),
            "up to 5 s too few maps can have ended, and then the reduces that are left keep all 2 reduce "
            "slots busy for 1 min 09 s",
        ),
        (
            [make_job(f"J{i}", (1, 20.0)) for i in range(3)],
            Cluster(2, 0),
            "long maps have to follow one another on some slot until 40 s",
        ),
        (
            [make_job(f"J{i}", (1, 20.0)) for i in range(4)],
            Cluster(0, 0, containers=2),
            "the tasks keep all 2 containers busy until 40 s",
        ),
    ],
)
def test_it_says_why(jobs_: list[Job], cluster: Cluster, why: str) -> None:
    assert makespan_bound(make_workload(*jobs_), cluster).why == why


def test_scenarios_that_differ_in_slowstart_or_overheads_share_it() -> None:
    workload = two_stage_workload(FIVE_JOBS)
    later = Cluster(30, 30, 0.7, overheads=Overheads(setup=3.0))
    assert makespan_bound(workload, later) is makespan_bound(workload, Cluster(30, 30))
    assert makespan_bound(workload, later).seconds == 47
    assert makespan_bound(workload, Cluster(30, 29)).seconds > 47


# ---- against everything that can be done


@examples(15)
@given(tiny_workloads(), st.integers(1, 3), st.integers(1, 2), st.sampled_from(SHUFFLE_MODELS))
def test_no_schedule_at_all_beats_the_bound(
    workload: Workload, maps: int, reduces: int, model: ShuffleModel
) -> None:
    typed = Cluster(maps, reduces, shuffle_model=model)
    containers = Cluster(0, 0, shuffle_model=model, containers=maps)
    assert lower_bound(workload, typed) <= shortest(workload, typed) * (1 + 1e-12)
    assert lower_bound(workload, containers) <= shortest(workload, containers) * (1 + 1e-12)
    lent = lower_bound(workload, typed, LENT)
    assert lent <= shortest(workload, typed, lends=True) * (1 + 1e-12)


# ---- shared scans


HUNDRED = Dataset("d", 100, 1.0)
SCANS = tuple(Job(f"J{i}", scan_stage(HUNDRED), arrival=a, dataset="d") for i, a in enumerate((0.0, 0.0)))


def test_a_block_that_jobs_share_counts_once() -> None:
    """Two scans of 100 s on 10 slots: 20 s if everybody scans for himself, 10 s if they share."""
    workload = Workload("w", SCANS, datasets=(HUNDRED,))
    cluster = Cluster(10, 0)
    flex, circumflex = (run(workload, cluster, policy) for policy in ("flex", "circumflex"))
    assert (flex.makespan, bound_of(flex)) == (20, 20)
    assert (circumflex.makespan, bound_of(circumflex)) == (10, 10)


def test_the_part_that_is_not_shared_and_the_arrival_count() -> None:
    half = Dataset("d", 100, 1.0, 0.5)
    late = replace(SCANS[1], arrival=25.0)
    cluster = Cluster(10, 0)
    assert lower_bound(Workload("w", SCANS, datasets=(half,)), cluster, SHARED) == 15
    assert lower_bound(Workload("w", (SCANS[0], late), datasets=(half,)), cluster, SHARED) == 35


def test_reduces_come_behind_the_maps_that_are_left() -> None:
    """All five reduces of 2 s come behind the first scan of 10 s."""
    jobs = tuple(
        job.with_stage(REDUCE, Stage.of(count, 2.0)) for job, count in zip(SCANS, (4, 1), strict=True)
    )
    workload = Workload("w", jobs, datasets=(HUNDRED,))
    assert lower_bound(workload, Cluster(10, 1), SHARED) == 20
    assert lower_bound(workload, Cluster(10, 4), SHARED) == 14  # two of five follow one another


@examples(20)
@given(st.integers(0, 2**32), st.sampled_from(["circumflex", "batch", "ako"]))
def test_no_sharing_beats_the_bound_with_sharing(seed: int, policy: str) -> None:
    random = np.random.default_rng(seed)
    datasets = tuple(
        Dataset(f"d{d}", int(random.integers(1, 40)), 1.0, float(random.choice([1, 0.5]))) for d in range(2)
    )
    jobs = tuple(
        Job(
            f"J{i}",
            scan_stage(datasets[i % 2]),
            Stage.of(int(random.integers(0, 5)), 2.0, 1.0, 1.0),
            arrival=float(random.integers(0, 6)),
            dataset=f"d{i % 2}",
        )
        for i in range(int(random.integers(1, 6)))
    )
    workload = Workload("w", jobs, datasets=datasets)
    for cluster in (Cluster(6, 2), Cluster(0, 0, containers=7)):
        schedule = run(workload, cluster, policy)
        assert bound_of(schedule) <= schedule.makespan * (1 + 1e-12)


def test_maps_that_slow_one_another_get_no_more_done_than_at_their_best() -> None:
    """Two nodes of 4: three maps at full speed do 3 s of work in a second, four at 0.5 do 2 s.

    48 maps of 4 s need 48 * 4 / 6 = 32 s at least; filled with four maps each, the nodes take 48 s.
    """
    workload = make_workload(make_job("J1", (48, 4.0)))
    cluster = Cluster(0, 0, nodes=(NodeGroup(2, 4096, 4),), contention=(1.0, 1.0, 1.0, 0.5))
    assert lower_bound(workload, cluster) == pytest.approx(32)
    assert run(workload, cluster).makespan == 48
    assert lower_bound(workload, replace(cluster, reduce_load=2.0)) == pytest.approx(32), "no reduce need run"
    assert lower_bound(workload, replace(cluster, contention=())) == 24
    # alone at 0.5, and four as fast: 48 * 4 / (8 * 0.5)
    assert lower_bound(workload, replace(cluster, contention=(0.5,))) == 48
