"""Stage bounds against tables computed by hand, and against the simulator."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.generate.deadlines import with_random_deadlines
from core.model.cluster import Cluster
from core.model.errors import StalledError
from core.model.job import Job
from core.model.stages import Stage, StageGraph
from core.model.task_types import MAP
from core.model.workload import Workload
from core.planning.aria import (
    Estimate,
    StageProfiles,
    fewest_slots,
    last_shuffle_seconds,
    stage_estimates,
)
from core.simulation.fifo_trials import isolated_runtimes
from tests import naive, naive_sharing
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import clusters, jobs, workloads
from tests.random_tests import examples

MAPS = (4, [2.0, 4.0, 6.0, 8.0])  # average 5, longest 8
REDUCES = (4, [2.0, 4.0, 6.0, 8.0], [1.0, 3.0], [2.0, 6.0])  # first 2 and 3, typical 4 and 6


def bounds(maps: tuple[object, ...], reduces: tuple[object, ...], cluster: Cluster) -> tuple[float, ...]:
    """Lower and upper bound of both stages of one job among others."""
    others = make_job("other", (7, 100.0), (7, 100.0, 100.0, 100.0)), make_job("map-only", (1, 1.0))
    workload = make_workload(others[0], make_job("J1", maps, reduces), others[1])
    profiles = StageProfiles.of(workload, cluster)
    map_slots, reduce_slots = cluster.stage_slots
    of_maps, of_reduces = profiles.maps.bounds(map_slots), profiles.reduces.bounds(reduce_slots)
    return tuple(float(column[1]) for column in (*of_maps, *of_reduces))


@pytest.mark.parametrize(
    ("slots", "low", "up"),
    [
        (1, 20, 15 + 8),
        (2, 10, 7.5 + 8),
        (3, 20 / 3, 5 + 8),
        (4, 5, 15 / 4 + 8),  # one wave, as printed too
        (9, 20 / 9, 15 / 9 + 8),
    ],
)
def test_map_stage(slots: int, low: float, up: float) -> None:
    found = bounds(MAPS, (0,), Cluster(slots, 1))
    assert found == pytest.approx((low, up, 0, 0))


@pytest.mark.parametrize(
    ("slots", "low", "up"),
    [
        (1, 2 + 3 * 4 + 20, 3 + 2 * 4 + 6 + 15 + 8),
        (2, 2 + 1 * 4 + 10, 3 + 0.5 * 4 + 6 + 7.5 + 8),
        (3, 2 + 4 / 3 + 20 / 3, 3 + 0 + 6 + 5 + 8),  # (N - 1) / S - 1 is 0
        (4, 2 + 0 + 5, 3 + 0 + 0 + 15 / 4 + 8),  # one wave: no later shuffle, no last one
        (9, 2 + 0 + 20 / 9, 3 + 0 + 0 + 15 / 9 + 8),  # both terms would be negative: clamped at 0
    ],
)
def test_reduce_stage(slots: int, low: float, up: float) -> None:
    found = bounds((0,), REDUCES, Cluster(1, slots))
    assert found == pytest.approx((0, 0, low, up))


def test_without_shuffles_the_reduce_stage_is_like_the_map_stage() -> None:
    assert bounds(MAPS, REDUCES, Cluster(3, 3, shuffle_model="mumak")) == pytest.approx((20 / 3, 13) * 2)


def test_containers_serve_either_stage_with_all() -> None:
    typed = bounds(MAPS, REDUCES, Cluster(3, 3))
    assert bounds(MAPS, REDUCES, Cluster(0, 0, containers=3)) == typed


def test_a_job_without_stages_of_a_type_takes_no_time_for_it() -> None:
    """Its only stage is a map stage of two tasks of 5 s on as many slots: between 5 and 7.5 s."""
    alone = Job("last", stages=(Stage.of(2, 5.0),), graph=StageGraph((MAP,), ()))
    maps, reduces = stage_estimates(make_workload(make_job("J1", MAPS, REDUCES), alone), Cluster(2, 2))
    assert (len(maps), len(reduces)) == (2, 2)
    assert (maps[1], reduces[1]) == (6.25, 0.0)


def test_samples_repeat() -> None:
    """Three tasks of two samples last 2, 8, 2: the average is 4, not 5."""
    assert bounds((3, [2.0, 8.0]), (0,), Cluster(1, 1)) == pytest.approx((12, 16, 0, 0))


def test_the_estimate_is_the_middle() -> None:
    maps, reduces = stage_estimates(make_workload(make_job("J1", MAPS, REDUCES)), Cluster(2, 3))
    assert maps.tolist() == pytest.approx([(10 + 15.5) / 2])
    assert reduces.tolist() == pytest.approx([(10 + 22) / 2])


@examples(25)
@given(
    seconds=st.lists(st.integers(0, 20), min_size=1, max_size=12),
    slots=st.integers(1, 6),
)
def test_the_simulated_map_stage_lies_between_the_bounds(seconds: list[int], slots: int) -> None:
    workload = make_workload(make_job("J1", (len(seconds), seconds)))
    low, up = StageProfiles.of(workload, Cluster(slots, 0)).maps.bounds(slots)[:2]
    makespan = run(workload, Cluster(slots, 0)).makespan
    assert low[0] * (1 - 1e-12) <= makespan <= up[0] * (1 + 1e-12)


@examples(30)
@given(workload=workloads(), slots=st.integers(1, 9), mumak=st.booleans())
def test_no_estimate_rises_when_slots_are_added(workload: Workload, slots: int, mumak: bool) -> None:
    """Neither of a stage on one slot more, nor of a job for any of the three estimates."""
    profiles = StageProfiles.of(workload, Cluster(shuffle_model="mumak" if mumak else "simmr"))
    for bounds in (profiles.maps.bounds, profiles.reduces.bounds):
        for few, many in zip(bounds(slots), bounds(slots + 1), strict=True):
            assert (many <= few * (1 + 1e-12)).all()
    for estimate_ in get_args(Estimate):
        stages = (profiles.durations(each, each, estimate_) for each in (slots, slots + 1))
        for few, many in zip(*stages, strict=True):
            assert (many <= few * (1 + 1e-12)).all()


ALL = Cluster(30, 20)


def slots_for(job: Job, cluster: Cluster = ALL, estimate: Estimate = "mean") -> list[int]:
    found: list[int] = fewest_slots(make_workload(job), cluster, estimate)[0].tolist()
    return found


@pytest.mark.parametrize(("deadline", "maps"), [(105.0, 10), (104.4, 11), (55.0, 20), (15.0, 30), (5.0, 30)])
def test_maps_alone(deadline: float, maps: int) -> None:
    """100 maps of 10 s: the estimate is 995 / S + 5, so 105 s need 9.95 slots and 55 s 19.9."""
    assert slots_for(make_job("J1", (100, 10.0), deadline=deadline)) == [maps, 0]


def test_no_more_slots_than_tasks() -> None:
    """Three reduces of 60 s on three slots leave 21 s for the maps: 197.5 / S + 2.5 on 11 slots are 20.5 s.

    Without that limit Lagrange's point is (7.6, 6.6): 5 waves of maps on 8 slots and the reduces end at 85.
    """
    job = make_job("J1", (40, 5.0), (3, 60.0), deadline=81.0)
    assert slots_for(job, Cluster(30, 30)) == [11, 3]
    schedule = run(make_workload(job), Cluster(30, 30, slowstart=1.0), "edf-min", estimate="mean")
    assert schedule.makespan == 80
    assert len({*schedule.slot[:40].tolist()}) == 11


def test_the_fewest_are_not_those_above_the_point_of_the_curve() -> None:
    """Lagrange's point is (26.3, 12.3); 25 + 23 slots meet the estimate, and so do 27 + 8.

    27 maps of 20 s last 20 s on a slot each, and 23 reduces of 5 s on 8 slots are estimated 16.6 s. They
    take 3 waves, so that the job ends at 35; on 25 slots the maps take two waves, and it would end at 45.
    """
    job = make_job("J", (27, 20.0), (23, 5.0), deadline=37.0)
    cluster = Cluster(30, 30, slowstart=1.0)
    assert slots_for(job, cluster) == [27, 8]
    schedule = run(make_workload(job), cluster, "edf-min", estimate="mean")
    assert schedule.makespan == 35
    assert run(make_workload(job), cluster, "edf-min").makespan == 35  # "up" asks for 27 + 10


def test_of_as_few_slots_the_fewest_for_reduces() -> None:
    """4 tasks of 10 s each: 2 + 1 and 1 + 2 slots last 60 s alike."""
    assert slots_for(make_job("J", (4, 10.0), (4, 10.0), deadline=65.0), estimate="low") == [2, 1]


@pytest.mark.parametrize(
    ("deadline", "estimate", "slots"),
    [
        (190.0, "low", [2, 1]),  # 200 / 2 + 90 / 1 = 190
        (190.0, "mean", [3, 1]),  # 197.5 / 2 + 2.5 + 82.5 / 1 + 7.5 = 191.25 is too much
        (150.0, "mean", [2, 2]),  # 197.5 / 2 + 2.5 + 82.5 / 2 + 7.5 = 150
        (150.0, "up", [4, 1]),  # 195 / 2 + 5 + 75 / 2 + 15 = 155 is too much
    ],
)
def test_which_bound_is_the_estimate(deadline: float, estimate: Estimate, slots: list[int]) -> None:
    job = make_job("J1", (40, 5.0), (6, 15.0), deadline=deadline)
    assert fewest_slots(make_workload(job), ALL, estimate)[0].tolist() == slots


def test_the_time_allowed_begins_with_the_arrival() -> None:
    assert slots_for(make_job("J1", (100, 10.0), arrival=50.0, deadline=155.0)) == [10, 0]


def test_both_stages_by_lagranges_point() -> None:
    """398 / S_M + 99.5 / S_R + 2.5: with 99.5 s more than that the point is (2 (2 + 1), 1 (2 + 1)), whole."""
    assert slots_for(make_job("J1", (100, 4.0), (100, 1.0), deadline=102.0)) == [6, 3]


def test_slots_that_do_not_help_are_given_back() -> None:
    """Two maps of 10 s in 21 s are just in time one after the other."""
    assert slots_for(make_job("J1", (2, 10.0), deadline=21.0)) == [1, 0]


def test_a_stage_cut_short_makes_the_other_one_take_more() -> None:
    """995 / 10 s for the maps on all ten map slots leave 30.5 s for the reduces: 995 / 30.5 is 32.6."""
    job = make_job("J1", (100, 10.0), (100, 10.0), deadline=140.0)
    assert slots_for(job, Cluster(1000, 1000)) == [17, 14]
    assert slots_for(job, Cluster(10, 1000)) == [10, 33]


def test_without_a_deadline_a_job_takes_what_it_gets() -> None:
    assert slots_for(make_job("J1", (100, 10.0), (1, 1.0))) == [30, 1]


def test_shuffles_count() -> None:
    """Reduces of 6 s that shuffle 4 s first are like reduces of 10 s; without shuffle it is 597 / S + 3."""
    reduces = make_job("J1", (0,), (100, 6.0, 2.0, 4.0), deadline=105.0)
    assert slots_for(reduces) == [0, 10]
    assert slots_for(reduces, Cluster(30, 20, shuffle_model="mumak")) == [0, 6]


@examples(60)
@given(
    jobs_=st.lists(jobs("J"), min_size=1, max_size=4),
    map_slots=st.integers(1, 9),
    reduce_slots=st.integers(0, 9),
    mumak=st.booleans(),
    estimate=st.sampled_from(get_args(Estimate)),
)
def test_no_pair_that_meets_the_deadline_has_fewer_slots(
    jobs_: list[Job], map_slots: int, reduce_slots: int, mumak: bool, estimate: Estimate
) -> None:
    """Every pair of slots that a job can have is tried."""
    cluster = Cluster(map_slots, reduce_slots, shuffle_model="mumak" if mumak else "simmr")
    workload = make_workload(*(replace(job, name=f"J{i}") for i, job in enumerate(jobs_)))
    wanted = [
        naive_sharing.fewest_slots(naive.Job(i, job, cluster), cluster, estimate)
        for i, job in enumerate(workload.jobs)
    ]
    found = fewest_slots(workload, cluster, estimate).tolist()
    assert found == [[slots[naive.MAP], slots[naive.REDUCE]] for slots in wanted]


@examples(30)
@given(data=st.data())
def test_when_no_deadline_can_be_met_it_is_maxedf(data: st.DataObject) -> None:
    workload = data.draw(workloads())
    cluster = data.draw(clusters(workload))
    low = StageProfiles.of(workload, cluster).durations(*cluster.stage_slots, "low")
    shortest = low[0] + low[1]
    assume(shortest.min() > 0)
    tight = workload.with_jobs(
        replace(job, deadline=job.arrival + seconds * 0.45)
        for job, seconds in zip(workload.jobs, shortest, strict=True)
    )
    assert outcome(tight, cluster, "edf-min") == outcome(tight, cluster, "edf-max")


def outcome(workload: Workload, cluster: Cluster, policy: str) -> list[float] | None:
    """Return when every task started, None if the run stalls."""
    try:
        return [float(start) for start in run(workload, cluster, policy).start]
    except StalledError:
        return None


def test_jobs_that_need_all_slots_make_it_maxedf() -> None:
    """001 section V.B: deadlines as short as on the whole cluster leave nothing to spare."""
    five = [(4, 5), (1, 4), (30, 4), (6, 30), (2, 3)]
    jobs_ = [
        make_job(f"J{i}", (30, m), (30, r), arrival=3.0 * i, deadline=3.0 * i + m + r)
        for i, (m, r) in enumerate(five)
    ]
    workload, cluster = make_workload(*jobs_), Cluster(30, 30)
    # df = 1: the time alone, in whole ms
    drawn = with_random_deadlines(workload, cluster, 1.0, 1, isolated_runtimes)
    assert [job.deadline for job in drawn.jobs] == pytest.approx([job.deadline for job in jobs_], abs=0.002)
    for given_deadlines in (workload, drawn):
        eager, sparing = (run(given_deadlines, cluster, policy) for policy in ("edf-max", "edf-min"))
        assert eager.start.tolist() == sparing.start.tolist()


@examples(25)
@given(data=st.data())
def test_by_the_upper_bound_deadlines_of_factor_1_leave_nothing_to_spare(data: st.DataObject) -> None:
    """001 Figures 7a and 8a: no job alone is faster than its upper bound, so each wants all it can use."""
    drawn = data.draw(workloads())
    plain = drawn.with_jobs(  # no task of no time: one slot is enough for a stage of those
        replace(
            job,
            stages=(
                Stage.of(job.maps.count, job.maps.durations + 1),
                Stage.of(job.reduces.count, job.reduces.durations + 1),
            ),
        )
        for job in drawn.jobs
    )
    cluster = data.draw(clusters(plain))
    assume(not cluster.has_containers)
    workload = with_random_deadlines(plain, cluster, 1.0, 1, isolated_runtimes)
    eager = run(workload, cluster, "edf-max")
    assert run(workload, cluster, "edf-min", estimate="up").start.tolist() == eager.start.tolist()


@pytest.mark.parametrize(
    ("reduces", "shuffled", "seconds"),
    [(4, 400e6, 2.0), (1, 400e6, 8.0), (0, 400e6, 0.0), (4, None, 3.0), (1, 0.0, 0.0)],
)
def test_the_last_shuffle_takes_the_bytes_of_one_reduce_through_the_network(reduces, shuffled, seconds):
    """At 50 MB/s: 400 MB for four reduces are 2 s each; else the typical shuffle counts."""
    job = Job("J1", Stage.of(3, 1.0), Stage.of(reduces, 5.0, 1.0, 3.0), shuffle_bytes=shuffled)
    found = last_shuffle_seconds(Workload("w", (job,)), Cluster(1, 1), bandwidth=50.0)
    assert found.tolist() == [seconds]
    assert last_shuffle_seconds(Workload("w", (job,)), Cluster(1, 1, shuffle_model="mumak"), 50.0) == [0.0]


@pytest.mark.parametrize(("deadline", "maps"), [(1 - 5e-10, 1), (1 - 2e-9, 2)])
def test_a_deadline_missed_by_a_rounding_is_met(deadline: float, maps: int) -> None:
    """Two maps of half a second take a second on one slot, by the lower bound."""
    assert slots_for(make_job("J1", (2, 0.5), deadline=deadline), estimate="low") == [maps, 0]
