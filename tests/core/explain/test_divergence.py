"""Two schedules of one workload part at one decision; by brute force, and by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.divergence import both_decisions, divergence_sentences, first_divergence
from core.explain.replay import Replay
from core.model.cluster import Cluster
from core.model.errors import InputError
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.core.engine.strategies import Case, cases
from tests.core.explain.runs import EVERY, finished
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.schedule import Schedule


def starts(schedule: Schedule) -> list[tuple[int, float, int]]:
    return [(int(task), float(schedule.start[task]), int(schedule.slot[task])) for task in schedule.sequence]


@examples(37)
@given(case=cases(policies=EVERY), policy=st.sampled_from(EVERY))
def test_by_brute_force(case: Case, policy: str) -> None:
    one = finished(case)
    other = finished(Case(case.workload, case.cluster, policy, None))
    found = first_divergence(one, other)
    differing = [
        i for i, (mine, theirs) in enumerate(zip(starts(one), starts(other), strict=True)) if mine != theirs
    ]
    if not differing:
        assert found is None
        return
    assert found is not None
    assert found.start == differing[0]
    assert [found.tasks[0], found.times[0], found.slots[0]] == list(starts(one)[found.start])
    assert [found.tasks[1], found.times[1], found.slots[1]] == list(starts(other)[found.start])
    assert found.time == min(found.times)
    check_both_lists(one, other)


def check_both_lists(one: Schedule, other: Schedule) -> None:
    """Who starts a task there has it as the winner; who starts one later has declined or had no slot."""
    divergence = first_divergence(one, other)
    assert divergence is not None
    reasons = both_decisions(divergence, Replay(one), Replay(other))
    for schedule, reason, task, time in zip(
        (one, other), reasons, divergence.tasks, divergence.times, strict=True
    ):
        if time == divergence.time:
            assert reason is not None
            assert reason.winner is not None
            assert reason.winner.job == schedule.workload.columns.job[task]
        elif reason is not None:
            assert reason.winner is None


def test_five_jobs_by_hand() -> None:
    """FIFO gives the first 30 slots to J1, Johnson to J2."""
    workload = two_stage_workload(FIVE_JOBS)
    fifo = run(workload, Cluster(30, 30, slowstart=1.0))
    johnson = run(workload, Cluster(30, 30, slowstart=1.0), "johnson")
    found = first_divergence(fifo, johnson)
    assert found is not None
    assert (found.start, found.time, found.tasks) == (0, 0, (0, 60))
    assert divergence_sentences(found, fifo, johnson) == (
        "They part with their first start, at 0:00.",
        "FIFO: map 1 of J1 starts at 0:00 on M1.",
        "Johnson: map 1 of J2 starts at 0:00 on M1.",
    )
    mine, theirs = both_decisions(found, Replay(fifo), Replay(johnson))
    assert mine is not None
    assert theirs is not None
    assert [candidate.job for candidate in mine.candidates] == [0, 1, 2, 3, 4]
    assert [candidate.job for candidate in theirs.candidates] == [1, 4, 0, 3, 2]


def test_one_declines_what_the_other_gives() -> None:
    workload = make_workload(make_job("J1", (3, 4.0)))
    fifo, limited = run(workload, Cluster(2, 1)), run(workload, Cluster(2, 1), "at-most")
    found = first_divergence(fifo, limited)
    assert found is not None
    assert (found.start, found.time, found.times) == (1, 0, (0, 4))
    mine, theirs = both_decisions(found, Replay(fifo), Replay(limited))
    assert mine is not None
    assert mine.winner is not None
    assert theirs is not None
    assert theirs.winner is None
    assert theirs.candidates[0].admits is False
    assert (
        divergence_sentences(found, fifo, limited)[0]
        == "The first start is the same; then they part, at 0:00."
    )


def test_the_same_schedule() -> None:
    workload = two_stage_workload(FIVE_JOBS)
    assert first_divergence(run(workload, Cluster(30, 30)), run(workload, Cluster(30, 30), "edf-max")) is None


def test_different_clusters() -> None:
    """With 3 map slots instead of 2 the third map starts at once; the reduce slots have other numbers."""
    workload = make_workload(make_job("J1", (3, 4.0), (1, 1.0)))
    few, many = run(workload, Cluster(2, 1, 0.0)), run(workload, Cluster(3, 1, 0.0))
    found = first_divergence(few, many)
    assert found is not None
    assert (found.start, found.tasks) == (2, (3, 2))
    wider = run(make_workload(make_job("J1", (2, 4.0), (1, 1.0))), Cluster(2, 1))
    widest = run(make_workload(make_job("J1", (2, 4.0), (1, 1.0))), Cluster(3, 2))
    assert first_divergence(wider, widest) is None


def test_different_workloads() -> None:
    one, other = run(two_stage_workload([(1, 2)]), Cluster()), run(two_stage_workload([(1, 3)]), Cluster())
    with pytest.raises(InputError, match="only be compared decision by decision if their jobs are the same"):
        first_divergence(one, other)
