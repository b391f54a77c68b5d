"""Random workloads: the same from the same seed, and full of corner cases."""

from __future__ import annotations

from core.policy_checks.random_workloads import are_apart, random_workload, workload_apart

SOME = [random_workload(1, number) for number in range(60)]


def test_the_same_seed_gives_the_same_workloads() -> None:
    assert [random_workload(1, number) for number in range(5)] == SOME[:5]
    assert random_workload(2, 0) != SOME[0]
    assert workload_apart(1, 3) == workload_apart(1, 3) != workload_apart(2, 3)


def test_corner_cases_are_among_them() -> None:
    jobs = [job for workload in SOME for job in workload.jobs]
    assert any(job.maps.count == 0 for job in jobs)
    assert any(job.reduces.count == 0 for job in jobs)
    assert any((job.maps.durations == 0).any() for job in jobs)
    assert any(job.dataset for job in jobs)
    assert any(job.deadline is None for job in jobs)
    assert any(job.deadline is not None for job in jobs)
    assert any(len(workload.jobs) == 1 for workload in SOME)
    assert any(workload.pool_settings for workload in SOME)
    assert any(len(workload.pools) == 2 for workload in SOME)
    assert any(workload.cluster.has_containers for workload in SOME)
    assert any(workload.cluster.slots == 1 for workload in SOME)
    assert any({job.arrival for job in workload.jobs} == {0.0} for workload in SOME)
    assert {workload.cluster.shuffle_model for workload in SOME} == {"simmr", "overlap", "mumak"}


def test_no_two_jobs_that_are_apart_are_alike() -> None:
    apart = [workload_apart(1, number) for number in range(12)]
    assert all(are_apart(workload.jobs) for workload in apart)
    assert {len(workload.pools) for workload in apart} == {1, 2}
    jobs = apart[0].jobs
    assert not are_apart((*jobs, jobs[0].placed("again", jobs[0].arrival + 1)))
