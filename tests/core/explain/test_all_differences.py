"""All decisions in which two schedules of one workload differ; by brute force, and by hand."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.all_differences import (
    Differences,
    all_differences,
    both_decisions,
    difference_sentences,
    summary_of,
)
from core.explain.replay import Replay
from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.core.engine.strategies import Case, cases
from tests.core.explain.runs import EVERY, finished
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.schedule import Schedule

    Start = tuple[int, float, int]


def starts(schedule: Schedule) -> list[Start]:
    return [(int(task), float(schedule.start[task]), int(schedule.slot[task])) for task in schedule.sequence]


def turns(schedule: Schedule, slot_type: int) -> list[int]:
    """Return the tasks that start on slots of a type, in turn."""
    cluster = schedule.cluster
    return [
        int(schedule.given_task[task])
        for task, _, slot in starts(schedule)
        if (not cluster.has_containers and slot >= cluster.map_slots) == bool(slot_type)
    ]


def most_in_common(one: list[int], other: list[int]) -> int:
    """Return how many tasks two lists have in common in one order: the textbook's table."""
    row = [0] * (len(other) + 1)
    for mine in one:
        before = 0
        for i, theirs in enumerate(other):
            before, row[i + 1] = row[i + 1], before + 1 if mine == theirs else max(row[i + 1], row[i])
    return row[-1]


@examples(20)
@given(case=cases(policies=EVERY), policy=st.sampled_from(EVERY))
def test_by_brute_force(case: Case, policy: str) -> None:
    one = finished(case)
    other = finished(Case(case.workload, case.cluster, policy, None))
    found = all_differences(one, other)
    differing = [
        i for i, (mine, theirs) in enumerate(zip(starts(one), starts(other), strict=False)) if mine != theirs
    ]
    assert len(found) <= found.decisions <= len(one.sequence) + len(other.sequence)
    assert found.decisions == len({*one.given_task.tolist(), *other.given_task.tolist()})
    if one.tasks == other.tasks:
        assert (found.parted is None) == (not differing)
        assert found.same == (differing[0] if differing else len(one.sequence))
    check_turns(one, other, found)
    check_both_lists(one, other, found)


def check_turns(one: Schedule, other: Schedule, found: Differences) -> None:
    """Outside of what differs every task has its turn, and no smaller set would do."""
    both = [[turns(schedule, slot_type) for schedule in (one, other)] for slot_type in (0, 1)]
    moved = sum(len(mine) - most_in_common(mine, theirs) for mine, theirs in both)
    pairs = [
        tuple(pair) for pair, side in zip(found.starts.tolist(), found.leaves_free, strict=True) if side < 0
    ]
    assert max(Counter(pairs).values(), default=0) <= 1
    assert bool(pairs) == any(mine != theirs for mine, theirs in both)
    missing = sum(len(theirs) - most_in_common(mine, theirs) for mine, theirs in both)
    assert (moved + 1) // 2 <= len(pairs) <= moved + missing
    assert found.starts.tolist() == sorted(found.starts.tolist())


def check_both_lists(one: Schedule, other: Schedule, found: Differences) -> None:
    """Who starts a task there has it as the winner; who leaves a slot free has declined it."""
    replays = Replay(one), Replay(other)
    for number in range(min(len(found), 3)):
        reasons = both_decisions(found, number, *replays)
        assert all(difference_sentences(found, number, one, other))
        for side, (schedule, reason) in enumerate(zip((one, other), reasons, strict=True)):
            if found.leaves_free[number] == side:
                assert reason is None or reason.winner is None
                continue
            assert reason is not None
            assert reason.winner is not None
            task = schedule.sequence[found.starts[number, side]]
            assert reason.winner.job == schedule.workload.columns.job[task]


def test_five_jobs_by_hand() -> None:
    """FIFO gives the first 30 slots to J1, Johnson to J2; four of the jobs' turns differ, in both stages."""
    workload = two_stage_workload(FIVE_JOBS)
    fifo = run(workload, Cluster(30, 30, slowstart=1.0))
    johnson = run(workload, Cluster(30, 30, slowstart=1.0), "johnson")
    found = all_differences(fifo, johnson)
    assert summary_of(found) == ("180 of 300 decisions differ, first at 0:00.",)
    assert (found.same, found.parted, found.starts[0].tolist()) == (0, 0.0, [0, 0])
    assert difference_sentences(found, 0, fifo, johnson) == (
        "FIFO: map 1 of J1 starts at 0:00 on M1, map 1 of J2 at 0:04.",
        "Johnson: map 1 of J2 starts at 0:00 on M1, map 1 of J1 at 0:03.",
    )
    mine, theirs = both_decisions(found, 0, Replay(fifo), Replay(johnson))
    assert mine is not None
    assert theirs is not None
    assert [candidate.job for candidate in mine.candidates] == [0, 1, 2, 3, 4]
    assert [candidate.job for candidate in theirs.candidates] == [1, 4, 0, 3, 2]


def test_one_job_out_of_turn_is_all_that_differs_however_the_times_drift() -> None:
    """J3 in front of two long jobs moves all of their starts; still only its own two maps differ."""
    workload = make_workload(*(make_job(name, (2, 7.0)) for name in ("J1", "J2", "J3")))
    cluster = Cluster(2, 0)
    found = all_differences(run(workload, cluster), run(workload, cluster, order=("J3", "J1", "J2")))
    assert (len(found), found.decisions) == (2, 6)
    assert found.starts.tolist() == [[0, 0], [0, 1]]
    assert found.times.tolist() == [[0, 0], [0, 0]]


def test_of_two_slots_that_stay_free_the_one_that_differs_is_asked_about() -> None:
    """A job may have one slot of each kind: M2 stays free, and R2 does."""
    workload = make_workload(make_job("J1", (2, 4.0), (2, 1.0)))
    cluster = Cluster(2, 2, slowstart=0.0)
    fifo, limited = run(workload, cluster), run(workload, cluster, "at-most")
    found = all_differences(fifo, limited)
    replays = Replay(fifo), Replay(limited)
    answers = [both_decisions(found, number, *replays)[1] for number in range(len(found))]
    assert found.leaves_free.tolist() == [1, 1]
    assert [answer and (answer.slot, answer.winner) for answer in answers] == [(1, None), (3, None)]


def test_one_leaves_free_what_the_other_gives() -> None:
    workload = make_workload(make_job("J1", (3, 4.0)))
    fifo, limited = run(workload, Cluster(2, 1)), run(workload, Cluster(2, 1), "at-most")
    found = all_differences(fifo, limited)
    assert found.leaves_free.tolist() == [1, 1]
    assert found.starts.tolist() == [[1, 1], [2, 2]]
    assert found.times.tolist() == [[0, 0], [4, 4]]
    assert difference_sentences(found, 0, fifo, limited) == (
        "FIFO: map 2 of J1 starts at 0:00 on M2.",
        "at-most: leaves a map slot free from 0:00 on; map 2 of J1 starts at 0:04.",
    )
    mine, theirs = both_decisions(found, 0, Replay(fifo), Replay(limited))
    assert mine is not None
    assert mine.winner is not None
    assert theirs is not None
    assert theirs.winner is None
    assert theirs.candidates[0].admits is False


def test_the_same_schedule() -> None:
    workload = two_stage_workload(FIVE_JOBS)
    found = all_differences(run(workload, Cluster(30, 30)), run(workload, Cluster(30, 30), "edf-max"))
    assert (len(found), found.parted, found.same) == (0, None, 300)
    assert summary_of(found) == ("Both schedules are the same, start by start.",)


def test_different_clusters_move_times_and_no_decision() -> None:
    """With 3 map slots instead of 2 the third map starts at once; each task keeps its turn."""
    workload = make_workload(make_job("J1", (3, 4.0), (1, 1.0)))
    few, many = run(workload, Cluster(2, 1, 0.0)), run(workload, Cluster(3, 1, 0.0))
    found = all_differences(few, many)
    assert (len(found), found.same, found.parted) == (0, 2, 0.0)
    assert summary_of(found) == (
        "All 4 decisions are the same: each task has its turn. From 0:00 on they have other times or slots.",
    )
    wider = run(make_workload(make_job("J1", (2, 4.0), (1, 1.0))), Cluster(2, 1))
    widest = run(make_workload(make_job("J1", (2, 4.0), (1, 1.0))), Cluster(3, 2))
    assert all_differences(wider, widest).parted is None


def test_different_workloads() -> None:
    one, other = run(two_stage_workload([(1, 2)]), Cluster()), run(two_stage_workload([(1, 3)]), Cluster())
    with pytest.raises(InputError, match="only be compared decision by decision if their jobs are the same"):
        all_differences(one, other)


def test_it_can_be_cancelled() -> None:
    one = run(two_stage_workload(FIVE_JOBS), Cluster(30, 30))
    with pytest.raises(Cancelled):
        all_differences(one, one, lambda: True)
