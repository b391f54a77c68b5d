"""Plans that a search begins with, by hand: three jobs on one map slot and one reduce slot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.levers import LEVERS, NO_CAP
from core.model.nodes import NodeGroup, Request
from core.model.partition import Partition, SlotPool
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize.cycles import Judged
from core.optimize.evaluate import alone_seconds
from core.optimize.levers import GIVEN, LATEST_START, LONGEST
from core.optimize.objective_bounds import bound_of_stretch
from core.optimize.objectives import Objective
from core.optimize.search import optimize
from core.optimize.search_columns import noisy_tasks, tasks_of, usual_after
from core.optimize.starts import (
    DEADLINES,
    LONGEST_AFTER,
    PlanStart,
    constructive_starts,
    of_the_best,
    orders_of_policies,
    promising,
    row_of,
    starts_in_pools,
    starts_of_due_dates,
    starts_of_dues,
    starts_of_order,
    starts_of_prices,
    unless_one_map_is_late,
)
from core.planning.aria import fewest_slots
from tests.builders import make_job

CLUSTER = Cluster(1, 1, 0.5)
WORKLOAD = Workload(
    "w",
    (
        make_job("A", (4, 2.0), (4, 2.5), arrival=3.0, deadline=50.0),
        make_job("B", (1, 2.0), (1, 3.0), arrival=2.0),
        make_job("C", (3, 2.0), (1, 1.0), deadline=60.0),
    ),
)
"""Maps of 8, 2 and 6 s in all; reduces of 10, 3 and 1 s, the longest of 2.5, 3 and 1."""
T = tasks_of(WORKLOAD, CLUSTER)
USUAL = usual_after(T, CLUSTER)
ALL = T.count[:, T.root]


def test_orders_that_policies_make_before_a_run() -> None:
    orders = {how: order.tolist() for how, order in orders_of_policies(WORKLOAD, CLUSTER, T).items()}
    assert orders == {
        LONGEST_AFTER: [1, 0, 2],
        "Johnson's order": [1, 0, 2],
        "Johnson's order backwards": [2, 0, 1],
        "shortest jobs first": [1, 2, 0],
        "first come, first served": [2, 1, 0],
        "jobs as they stand first": [0, 1, 2],
        DEADLINES: [0, 2, 1],
        "jobs with the longest later stages first": [0, 1, 2],
    }


def test_reduces_usually_wait_for_a_part_of_the_maps() -> None:
    assert USUAL.tolist() == [2, 1, 2]  # half of 4, 1 and 3
    many = Workload("m", (make_job("A", (20, 1.0), (1, 1.0)),))
    assert usual_after(tasks_of(many, Cluster(1, 1)), Cluster(1, 1, 0.05)).tolist() == [1]


@pytest.mark.parametrize(
    ("levers", "said"),
    [
        ((), [(USUAL, GIVEN, GIVEN)]),
        (("slowstart",), [(USUAL, GIVEN, GIVEN), (ALL, GIVEN, GIVEN)]),
        (("tasks",), [(USUAL, GIVEN, GIVEN), (USUAL, LONGEST, LONGEST)]),
        (
            ("across",),
            [
                (USUAL, GIVEN, GIVEN),
                (USUAL, LONGEST, LONGEST),
                (USUAL, LONGEST, LATEST_START),
                (ALL, GIVEN, GIVEN),
                (ALL, LONGEST, LONGEST),
                (ALL, LONGEST, LATEST_START),
            ],
        ),
    ],
)
def test_an_order_leads_to_a_start_with_each_lever(levers: tuple[str, ...], said: list[object]) -> None:
    """Due dates before 0, a third of the horizon apart; reduces of all jobs together are due at 0."""
    starts = starts_of_order("so", np.array([2, 0, 1]), T, USUAL, levers, 30.0)
    found = [(start.after.tolist(), *start.tasks[0].tolist()) for start in starts]
    assert found == [(after.tolist(), *tasks) for after, *tasks in said]  # type: ignore[misc,has-type]
    for start in starts:
        assert start.due[:, T.root] == pytest.approx([-20.0, -10.0, -30.0])
        across = LATEST_START in start.tasks
        assert start.due[:, T.child] == pytest.approx([0.0] * 3 if across else [-20.0, -10.0, -30.0])
        assert start.served.tolist() == [2, 0, 1]
        assert start.how.startswith("so")
        assert "after all maps" in start.how if start.after is ALL else True
    assert len({start.how for start in starts}) == len(starts)


def test_of_equal_due_dates_of_maps_those_of_reduces_decide() -> None:
    due = np.array([[1.0, 5.0], [1.0, 4.0], [0.0, 9.0]])
    start = PlanStart("so", due, np.full((3, 2), GIVEN), USUAL)
    assert start.served.tolist() == [2, 1, 0]
    assert start._replace(ties=np.array([0, 1, 2])).served.tolist() == [0, 1, 2]


def test_due_dates_lead_to_starts_whose_reduces_are_due_alike_or_in_the_same_turn() -> None:
    due = np.array([-4.0, -9.0, -1.0])
    starts = starts_of_dues("so", due, T, (USUAL, ALL))
    assert [start.after.tolist() for start in starts] == [USUAL.tolist()] * 2 + [ALL.tolist()] * 2
    assert [start.due[:, T.child].tolist() for start in starts] == [[0.0] * 3, due.tolist()] * 2
    assert all(start.due[:, T.root].tolist() == due.tolist() for start in starts)
    assert all((start.tasks == LATEST_START).all() for start in starts)
    plain = starts_of_due_dates(due, T, USUAL, (), 30.0)
    assert [start.served.tolist() for start in plain] == [[1, 0, 2]]
    assert len(starts_of_due_dates(due, T, USUAL, ("across",), 30.0)) == 4 + 6


def test_all_policies_are_begun_with_and_the_most_promising_first() -> None:
    plain = constructive_starts(WORKLOAD, CLUSTER, T, (), 30.0)
    assert [start.how for start in plain] == list(orders_of_policies(WORKLOAD, CLUSTER, T))
    across = constructive_starts(WORKLOAD, CLUSTER, T, ("across",), 30.0)
    assert len(across) == 4 + 1 + 8 * 6
    assert across[4].how == "critical path first"
    assert [start.how.startswith(LONGEST_AFTER) for start in across[:4]] == [True] * 4
    assert across[1].due[:, T.root].tolist() == [-2.5, -3.0, -1.0]


def test_where_the_stretch_counts_jobs_are_first_in_time_for_the_same_one() -> None:
    alone = np.array([4.0, 8.0, 2.0])
    starts = constructive_starts(WORKLOAD, CLUSTER, T, ("across",), 30.0, alone)
    plain = constructive_starts(WORKLOAD, CLUSTER, T, ("across",), 30.0)
    new = starts[: len(starts) - len(plain)]
    assert len(new) == 4 * 4 * 2
    assert {start.how for start in new} == {"each job in time for the same stretch"}
    least = bound_of_stretch(WORKLOAD, CLUSTER, alone)
    ends = WORKLOAD.columns.arrival + least * alone
    assert new[0].due[:, T.child].tolist() == ends.tolist()
    assert new[0].due[:, T.root].tolist() == (ends - T.tail[0]).tolist()
    assert [start.after.tolist() for start in new[:2]] == [usual_after(T, CLUSTER).tolist(), ALL.tolist()]
    assert (new[2].due[:, T.child] <= 30.0 + 1e-3).all()  # all are to be over by then
    orders = constructive_starts(WORKLOAD, CLUSTER, T, (), 30.0, alone)
    assert orders[0].served.tolist() == np.argsort(ends, kind="stable").tolist()


def test_where_deadlines_count_jobs_are_first_in_time_for_them() -> None:
    """J1 and J3 are due at 9 and 6; J2, which is due at no time, comes last."""
    due = (9.0, None, 6.0)
    jobs = [replace(job, deadline=each) for job, each in zip(WORKLOAD.jobs, due, strict=True)]
    plain = constructive_starts(WORKLOAD.with_jobs(jobs), CLUSTER, T, ("across",), 30.0)
    starts = constructive_starts(WORKLOAD.with_jobs(jobs), CLUSTER, T, ("across",), 30.0, by_deadlines=True)
    new = starts[: len(starts) - len(plain)]
    assert len(new) == 4 * 2
    assert {start.how for start in new} == {"each job in time for its deadline"}
    assert new[0].due[:, T.child].tolist() == [9.0, 39.0, 6.0]
    assert new[0].due[:, T.root].tolist() == (np.array([9.0, 39.0, 6.0]) - T.tail[0]).tolist()


def test_a_batch_that_can_be_in_time_is_at_once() -> None:
    workload = generate("synthetic2", seed=94, parameters={"jobs": 64})
    cluster = Cluster(128, 128)
    alone = alone_seconds(workload, cluster)
    pairs = zip(workload.jobs, alone.tolist(), strict=True)
    due = workload.with_jobs(replace(job, deadline=job.arrival + 2.4 * each) for job, each in pairs)
    late = optimize(due, cluster, steps=40, objective=Objective.of("late-jobs"), compiled=False)
    assert late.best == 0
    assert late.proved


@pytest.mark.parametrize(("family", "jobs"), [("facebook", 30), ("synthetic1", 20), ("synthetic2", 30)])
def test_with_these_starts_the_stretch_is_near_its_bound(family: str, jobs: int) -> None:
    workload = generate(family, seed=5, parameters={"jobs": jobs})
    found = optimize(workload, Cluster(32, 32), steps=40, objective=Objective.of("stretch"))
    assert found.gap < 0.02


def test_jobs_on_the_fewest_slots_that_their_deadlines_need() -> None:
    """Without deadlines there is no such start; a stage without tasks has no limit."""
    jobs = (make_job("A", (4, 2.0), (4, 2.5), deadline=9.0), make_job("B", (2, 2.0)))
    workload, cluster = Workload("d", jobs), Cluster(4, 4)
    capped = constructive_starts(workload, cluster, tasks_of(workload, cluster), ("caps",), 30.0)
    assert len(capped) == 8
    assert capped[-1].how.startswith(DEADLINES)
    cap = capped[-1].cap
    assert cap is not None
    assert cap.tolist() == [fewest_slots(workload, cluster, "mean")[0].tolist(), [2, NO_CAP]]
    assert all(start.cap is None for start in capped[:-1])
    hasty = Workload("h", (make_job("A", (4, 2.0), (4, 2.5)),))
    assert len(constructive_starts(hasty, CLUSTER, tasks_of(hasty, CLUSTER), ("caps",), 30.0)) == 7


def test_of_ends_that_promise_the_most_all_starts_are_run() -> None:
    """First two of each on nodes; then the others of those whose second one was the best."""
    asked = Request(1, 1), Request(2, 1)
    nodes = Cluster(0, 0, nodes=(NodeGroup(1, 4, 4),), map_request=asked[0], reduce_request=asked[1])
    given = T, USUAL, LEVERS, 30.0
    starts = [starts_of_prices(np.array(ends), *given) for ends in ([3.0, 2.0, 1.0], [1.0, 2.0, 3.0])]
    after = np.array([4, 0, 3])
    first = [start for some in starts for start in promising(some, after, nodes)]
    assert [start.room for start in first] == [1, 0, 1, 0]
    alone = [start for some in starts for start in promising(some, after, CLUSTER)]
    assert [start.due.tolist() for start in alone] == [start.due.tolist() for start in first[::2]]
    assert {start.room for start in alone} == {1}
    assert all(start.after is after for start in first)
    assert all((start.tasks == LATEST_START).all() for start in first)
    values = 9.0, 8.0, 7.0, 6.0
    tried = [Judged(v, row_of(start, T, 1), "") for v, start in zip(values, first, strict=True)]
    (others,) = of_the_best(starts, after, tried)
    assert [start.due.tolist() for start in others[:-8]] == [start.due.tolist() for start in starts[1]]
    assert [start.after.tolist() for start in others[-8:]] == [[4, 0, 3]] * 8
    assert {start.room for start in others} == {0}
    assert {start.room for start in of_the_best(starts, after, [*tried[:3], tried[0]])[0]} == {1}


def test_reduces_do_not_wait_for_one_map_that_is_late() -> None:
    """The first shuffle saves 2 s of 3: as usual up to 16 s between the last two maps, else after all."""
    reduces = Stage.of(2, 1.0, 1.0, 3.0)
    maps = [4.0, 20.0, 4.0], [4.0, 20.5, 4.0], [9.0]
    jobs = [Job(f"J{i}", Stage.of(len(each), each), reduces) for i, each in enumerate(maps)]
    jobs += [Job("J3", Stage.of(2, [1.0, 9.0]), Stage.of(0)), Job("J4", Stage.of(0), reduces)]
    t = tasks_of(Workload("late", tuple(jobs)), CLUSTER)
    assert unless_one_map_is_late(t, np.zeros(5, np.int64)).tolist() == [0, 3, 1, 2, 0]


def test_a_start_is_a_row_with_room_for_pools() -> None:
    cap = np.array([[1, 1], [2, 2], [3, 3]])
    start = starts_of_order("so", np.array([2, 0, 1]), T, USUAL, (), 30.0)[0]
    row = row_of(start._replace(cap=cap, room=1), T, 3)
    assert row.served.tolist() == [[2, 0, 1]]
    assert row.due[0].tolist() == start.due.tolist()
    assert row.reduces_after.tolist() == [USUAL.tolist()]
    assert row.cap[0].tolist() == cap.tolist()
    assert row.room[0].tolist() == [1, 1, 1]
    assert row.slots[0].tolist() == [[1, 1], [0, 0], [0, 0]]
    pools = np.array([1, 0, 1])
    apart = row_of(start._replace(pool=pools, slots=np.array([[0, 1], [1, 0]])), T, 3)
    assert apart.pool.tolist() == [[1, 0, 1]]
    assert apart.slots[0].tolist() == [[0, 1], [1, 0], [0, 0]]


def test_pools_of_jobs_keep_their_order_jobs_and_slots() -> None:
    partition = Partition((SlotPool("P", 2, 1, ("C",)), SlotPool("Q", 1, 2, ("B", "A"))))
    cluster = Cluster(3, 3, 0.5)
    starts = starts_in_pools(partition, WORKLOAD, tasks_of(WORKLOAD, cluster), USUAL, (), 30.0)
    (start,) = starts
    assert start.served.tolist() == [2, 1, 0]
    assert start.pool is not None
    assert start.slots is not None
    assert (start.pool.tolist(), start.slots.tolist()) == ([1, 1, 0], [[2, 1], [1, 2]])
    assert len(starts_in_pools(partition, WORKLOAD, T, USUAL, ("across",), 30.0)) == 6 + 2


# ---- copies of durations


@pytest.mark.parametrize(("per", "factors"), [("job", 3), ("task", T.tasks), ("correlated", 3)])
def test_copies_of_durations_share_a_factor_as_asked(per: str, factors: int) -> None:
    noisy = noisy_tasks(T, 5, 0.3, 7, per)
    assert noisy.duration.shape == (5, 2 * T.tasks)
    factor = noisy.duration / T.duration
    jobs = np.repeat(np.arange(3), T.count.sum(axis=1))
    for copy in factor:
        assert len(np.unique(copy.round(12))) == factors
        for job in range(3):
            assert per == "task" or np.ptp(copy[: T.tasks][jobs == job]) < 1e-12
    # each task comes twice, the second time by length, and has one factor
    given, sorted_ = np.sort(noisy.duration[:, : T.tasks]), np.sort(noisy.duration[:, T.tasks :])
    assert given == pytest.approx(sorted_)
    assert noisy.length.tolist() == T.length.tolist()
    again = noisy_tasks(T, 5, 0.3, 7, per)
    assert again.duration.tolist() == noisy.duration.tolist()
    assert noisy_tasks(T, 5, 0.3, 8, per).duration.tolist() != noisy.duration.tolist()


@pytest.mark.parametrize("per", ["job", "task", "correlated"])
def test_factors_have_a_mean_of_one_and_spread_as_asked(per: str) -> None:
    factor = noisy_tasks(T, 4000, 0.3, 1, per).duration / T.duration
    assert factor[:, 0].mean() == pytest.approx(1.0, abs=0.02)
    assert factor[:, 0].std() == pytest.approx(0.3, abs=0.02)
    together = np.corrcoef(factor[:, 0], factor[:, 5])[0, 1]  # a map of A and a reduce of A, or of B
    other = np.corrcoef(np.log(factor[:, 0]), np.log(factor[:, 8]))[0, 1]  # A's first, B's first
    assert together == pytest.approx(1.0 if per != "task" else 0.0, abs=0.05)
    assert other == pytest.approx(0.5 if per == "correlated" else 0.0, abs=0.06)
    assert noisy_tasks(T, 2, 0.0, 1, per).duration == pytest.approx(np.tile(T.duration, (2, 1)))


def test_the_least_time_after_a_map_stage_has_the_shorter_of_both_shuffles() -> None:
    jobs = (make_job("A", (2, 1.0), (2, [3.0, 4.0], [5.0, 1.0], [2.0, 6.0])),)
    workload = Workload("w", jobs)
    assert tasks_of(workload, Cluster(1, 1)).tail.tolist() == [[5.0]]  # 3 + 2, and 4 + 1
    assert tasks_of(workload, Cluster(1, 1, shuffle_model="mumak")).tail.tolist() == [[4.0]]
