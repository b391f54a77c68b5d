"""Shrinking reaches known smallest workloads, within its budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.model.pool import Pool
from core.policy_checks.evidence import Evidence
from core.policy_checks.random_workloads import random_workload
from core.policy_checks.shrinking import smallest
from tests.builders import make_job

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.workload import Workload


def finder(is_found: Callable[[Workload], bool]) -> Callable[[Workload], Evidence | None]:
    return lambda workload: Evidence("found", workload) if is_found(workload) else None


def three_maps_and_a_reduce(workload: Workload) -> bool:
    maps = [job.maps.count >= 3 for job in workload.jobs]
    return any(job.reduces.count and any(maps[:i]) for i, job in enumerate(workload.jobs))


def first(is_found: Callable[[Workload], bool]) -> Workload:
    return next(w for w in (random_workload(7, i) for i in range(99)) if is_found(w))


def test_jobs_tasks_times_and_slots_are_as_small_as_can_be() -> None:
    begin = first(three_maps_and_a_reduce)
    best = smallest(Evidence("found", begin), finder(three_maps_and_a_reduce)).workload
    sizes = [(job.maps.count, job.reduces.count, job.arrival) for job in best.jobs]
    assert sizes == [(3, 0, 0.0), (0, 1, 0.0)]
    assert {*best.jobs[0].maps.durations.tolist(), *best.jobs[1].reduces.durations.tolist()} == {1.0}
    assert best.cluster.slots == 1
    assert (best.pool_settings, best.datasets, best.pools) == ((), (), ("default",))


def test_what_it_takes_stays() -> None:
    job = make_job("J1", (4, 2.5), (2, 1.0), arrival=3.25, pool="red", weight=2.0)
    workload = first(lambda _: True).with_jobs([job]).with_pools([Pool("red", weight=3.0)])

    def needs(workload: Workload) -> bool:
        (one,) = workload.jobs
        return one.weight == 2.0 and one.arrival > 2 and workload.every_pool[0].weight == 3.0

    best = smallest(Evidence("found", workload), finder(needs)).workload
    (left,) = best.jobs
    assert (left.weight, left.arrival, left.task_count, best.every_pool[0].weight) == (2.0, 3.0, 1, 3.0)


@pytest.mark.parametrize("most", [0, 1, 5])
def test_it_stops_within_its_budget(most: int) -> None:
    asked: list[Workload] = []

    def find(workload: Workload) -> Evidence:
        asked.append(workload)
        return Evidence("found", workload)

    smallest(Evidence("found", first(lambda w: len(w.jobs) == 6)), find, most)
    assert len(asked) == most
    assert len({(w.digest, w.cluster) for w in asked}) == most
