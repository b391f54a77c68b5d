"""The bound over sets of jobs, against all orders one by one."""

from __future__ import annotations

from itertools import count, permutations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from core.model.cluster import Cluster
from core.model.errors import Cancelled
from core.optimize.bounds import makespan_bound, refined_bound
from core.optimize.set_bound import bound_of_sets
from core.optimize.stage_demands import Demands
from tests.builders import make_job, make_workload
from tests.core.engine.strategies import workloads
from tests.random_tests import examples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.workload import Workload

CLUSTER = Cluster(2, 2)


def of_order(demands: Demands, order: Sequence[int]) -> float:
    """The bound if map stages end in this order: the longest that remains behind one of them."""
    maps, reduces = (
        stage.work * machine.shares[k]
        for k, (stage, machine) in enumerate(zip(demands.stages, demands.machines, strict=True))
    )
    longest = 0.0
    for place, job in enumerate(order):
        ended, done = 0.0, sorted(order[: place + 1], key=lambda j: demands.arrival[j])
        for each in done:
            ended = max(ended, demands.arrival[each]) + maps[each]
        ended = max(ended, *(demands.heads[each] for each in done))
        behind = sum(reduces[each] for each in order[place:])
        longest = max(longest, ended + max(demands.tails[job], behind))
    return longest


@examples(20)
@given(workloads())
def test_it_is_that_of_the_best_order(workload: Workload) -> None:
    demands = Demands.of(workload, CLUSTER)
    every = permutations(range(len(workload.jobs)))
    assert bound_of_sets(demands) == pytest.approx(min(of_order(demands, order) for order in every))


def many_jobs(number: int) -> Workload:
    """Long reduces behind short maps, and one long map stage: no order suits all of them."""
    jobs = [make_job(f"J{i}", (2, 1.0 + i % 3), (2, 5.0 - i % 4)) for i in range(number)]
    return make_workload(*jobs, make_job("long", (4, 20.0), (1, 20.0)))


def test_more_jobs_are_looked_at_when_there_is_time() -> None:
    few, more = many_jobs(9), many_jobs(11)
    assert refined_bound(few, CLUSTER) == makespan_bound(few, CLUSTER)
    of_sets = bound_of_sets(Demands.of(more, CLUSTER))
    assert refined_bound(more, CLUSTER).seconds == of_sets > makespan_bound(more, CLUSTER).seconds
    in_containers = Cluster(0, 0, containers=3)
    assert refined_bound(more, in_containers) == makespan_bound(more, in_containers)


def test_it_can_be_stopped() -> None:
    with pytest.raises(Cancelled):
        refined_bound(many_jobs(11), CLUSTER, should_stop=lambda: True)


def test_it_looks_whether_to_stop_again_and_again() -> None:
    looks = count()
    assert bound_of_sets(Demands.of(many_jobs(11), CLUSTER), lambda: next(looks) < 0) > 0
    assert next(looks) >= 4 * 12  # while it gathers sums, and for each size of the sets
