"""The exact solver itself: cases worked out by hand, and complete enumeration where little is to be tried."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import SHUFFLE_MODELS, Cluster, ShuffleModel
from core.model.job import Dataset, Job, scan_stage
from core.model.nodes import NodeGroup, Request
from core.model.stages import Stage
from core.model.workload import Workload
from tests.builders import make_job, make_workload
from tests.core.optimize.all_schedules import shortest
from tests.core.optimize.exact_solver import Freedom, can_reach, exact_best
from tests.core.optimize.tiny_workloads import tiny_workloads
from tests.random_tests import examples

MAKESPAN = {"makespan": 1.0}


def best(*jobs: Job, cluster: Cluster, **freedom: Any) -> float:
    return exact_best(make_workload(*jobs), cluster, MAKESPAN, freedom=Freedom(**freedom))


@pytest.mark.parametrize(
    ("model", "end"),
    [
        ("simmr", 5 + 1 + 2),  # the filler that waits on the slot
        ("overlap", 6 + 2),  # it has to hold the slot for six seconds, from 0 on
        ("mumak", 5 + 2),
    ],
)
def test_a_filler(model: ShuffleModel, end: float) -> None:
    job = make_job("J", (1, 5.0), (1, 2.0, 1.0, 6.0))
    assert best(job, cluster=Cluster(1, 1, shuffle_model=model)) == end
    alone = make_job("J", (0,), (1, 2.0, 1.0, 6.0))
    assert best(alone, cluster=Cluster(1, 1, shuffle_model=model)) == (2 if model == "mumak" else 8)


def test_who_starts_when_the_maps_end_is_no_filler() -> None:
    """The slot is free at 5 s, when J's map may end: then 4 + 1 s more, or it ends a moment later."""
    jobs = make_job("I", (0,), (1, 5.0)), make_job("J", (1, 5.0), (1, 1.0, 0.0, 4.0))
    ends = [best(*jobs, cluster=Cluster(1, 1), parts=parts) for parts in (1, 2, 10)]
    assert ends == [7, 6.5, 6.1]


def test_a_container_that_a_filler_holds_runs_no_map() -> None:
    jobs = make_job("J", (2, 3.0), (1, 1.0, 0.0, 5.0))
    assert best(jobs, cluster=Cluster(0, 0, containers=1)) == 6 + 6
    # the second map begins a second late, so that the other container has a filler before it ends
    assert best(jobs, cluster=Cluster(0, 0, containers=2)) == 4 + 1
    assert best(jobs, cluster=Cluster(0, 0, containers=3)) == 3 + 1
    assert best(jobs, cluster=Cluster(1, 1)) == 6 + 1
    assert best(jobs, cluster=Cluster(2, 1), lends=True) == 3 + 1


def test_nodes_hold_memory_and_cores() -> None:
    """Two maps and two reduces of 3 s: side by side where a node has memory and cores for one of each."""
    jobs = make_job("J", (2, 3.0)), make_job("K", (0,), (2, 3.0))
    asked = {"map_request": Request(1, 2), "reduce_request": Request(3, 1)}
    ends = [
        best(*jobs, cluster=Cluster(0, 0, nodes=(NodeGroup(*group),), **asked))  # type: ignore[arg-type]
        for group in ((1, 4, 3), (2, 4, 3), (1, 8, 6), (2, 3, 3), (2, 4, 2), (1, 6, 4))
    ]
    assert ends == [6, 3, 3, 6, 6, 6]


def test_a_shared_scan_serves_all_that_are_there() -> None:
    """Two blocks of 2 s on one slot: shared 4 s if all of a scan is, 6 s if half of it; alone 8 s."""
    ends = []
    for fraction, shares in ((1.0, True), (0.5, True), (1.0, False)):
        dataset = Dataset("d", 2, 2.0, fraction)
        jobs = tuple(Job(f"J{i}", scan_stage(dataset), dataset="d") for i in range(2))
        workload = Workload("scans", jobs, datasets=(dataset,))
        ends.append(exact_best(workload, Cluster(1, 0), MAKESPAN, freedom=Freedom(shares_scans=shares)))
    assert ends == [4, 6, 8]
    late = tuple(Job(f"J{i}", scan_stage(dataset), arrival=3.0 * i, dataset="d") for i in range(2))
    workload = Workload("scans", late, datasets=(Dataset("d", 2, 2.0, 1.0),))
    assert exact_best(workload, Cluster(1, 0), MAKESPAN, freedom=Freedom(shares_scans=True)) == 7


@pytest.mark.parametrize(
    ("objective", "value"),
    [
        ("makespan", 9),
        ("mean-response", (2 + 5 + (9 - 1)) / 3),
        ("weighted-response", (4 * 3 + 5 + (9 - 1)) / 6),  # C first
        ("tardiness", 0 + 2 + 0),
        ("late-jobs", 1),
        ("stretch", (9 - 1) / 4),
        ("deadlines-makespan", 1e8 + 9),
    ],
)
def test_objectives(objective: str, value: float) -> None:
    """Jobs of 2, 4 and 3 s on one slot; B, the one of 4 s, arrives at 1 s."""
    workload = make_workload(
        make_job("A", (1, 2.0), deadline=9.0),
        make_job("B", (1, 4.0), arrival=1.0, deadline=5.0),
        make_job("C", (1, 3.0), deadline=3.0, weight=4.0),
    )
    alone = [2.0, 4.0, 3.0]
    assert exact_best(workload, Cluster(1, 0), {objective: 1.0}, alone) == pytest.approx(value)


@examples(15)
@given(tiny_workloads(), st.integers(1, 3), st.integers(1, 2), st.sampled_from(SHUFFLE_MODELS))
def test_it_agrees_with_complete_enumeration(
    workload: Workload, maps: int, reduces: int, model: ShuffleModel
) -> None:
    """Which lets a filler be one without holding its slot; where there is no shuffle, that is the same."""
    workload = workload.with_jobs(longer(job) for job in workload.jobs)
    cluster = Cluster(maps, reduces, shuffle_model=model)
    for lends in (False, True):
        least = shortest(workload, cluster, lends=lends)
        given = workload, cluster, MAKESPAN
        assert not can_reach(least - 1 / 8, *given, freedom=Freedom(lends=lends, parts=8))
        if model == "mumak":
            assert exact_best(*given, freedom=Freedom(lends=lends)) == least


def longer(job: Job) -> Job:
    """A job whose maps last: a map of no time may start and end while a reduce starts."""
    return Job(
        job.name,
        Stage.of(job.maps.count, job.maps.durations + 1) if job.maps.count else job.maps,
        job.reduces,
        arrival=job.arrival,
    )
