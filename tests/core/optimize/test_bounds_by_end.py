"""What no schedule that is over by a time is below: never above the best of all, more for early ends."""

from __future__ import annotations

import itertools

import pytest

from benchmarks.optimize_small import batch
from core.model.cluster import Cluster
from core.model.errors import Cancelled
from core.optimize.bounds import lower_bound
from core.optimize.bounds_by_end import bounds_by_end, mixed_bound
from core.optimize.objectives import Objective
from core.optimize.search import optimize
from core.verify.certificate import subject
from core.verify.check_front import checker_of
from tests.builders import make_job, make_workload

RESPONSE = Objective.of("mean-response")
STRETCHED = (1.05, 1.2, 1.5)


@pytest.mark.parametrize("nth", range(4))
def test_no_batch_has_a_schedule_below_it_and_the_checker_agrees(nth):
    workload, cluster = batch(991, nth, whole=bool(nth % 2))
    least = lower_bound(workload, cluster)
    bounds = bounds_by_end(workload, cluster, RESPONSE, [least * part for part in STRETCHED])
    document = subject(workload, cluster) | {"ranges": [each.proof("mean-response") for each in bounds]}
    checked = [
        each._replace(bound=value)
        for each, (*_, value) in zip(bounds, checker_of(document).by_end, strict=True)
    ]
    for one, other in itertools.pairwise(bounds):
        assert one.until < other.until
    assert min(each.bound for each in bounds) == pytest.approx(bounds[-1].bound)
    for weight in (0.2, 1.0, 3.0):
        mix = Objective.of(f"makespan={weight},mean-response=1")
        found = optimize(workload, cluster, objective=mix, steps=200)
        assert found.proved
        for each in (bounds, checked):
            assert mixed_bound(each, (weight, 1.0), least) <= found.best * (1 + 1e-9)


def test_an_early_end_costs_what_the_last_job_has_to_wait_for():
    # One slot of each kind. A: 2 s of maps, 8 s of reduces; B: 1 s of maps alone. All is over by 10 only
    # where A goes first: responses 10 and 3. B first: 11 and 1.
    workload = make_workload(make_job("A", (1, 2.0), (1, 8.0, 0.0, 0.0)), make_job("B", (1, 1.0)))
    cluster = Cluster(1, 1)
    early, any_time = bounds_by_end(workload, cluster, RESPONSE, [10.0])
    assert any_time.bound <= 6.0 + 1e-9  # B first
    assert any_time.bound == pytest.approx(6.0, rel=0.02)
    assert early.bound <= 6.5 + 1e-9  # A first
    assert early.bound > any_time.bound + 0.2
    # between 10 and 10 the one, later the other
    assert mixed_bound([early, any_time], (1.0, 1.0), 10.0) == pytest.approx(10 + any_time.bound)
    assert mixed_bound([early, any_time], (1.0, 1.0), 8.0) == pytest.approx(
        min(8 + early.bound, 10 + any_time.bound)
    )


def test_a_stop_ends_it():
    workload, cluster = batch(991, 0, whole=True)
    with pytest.raises(Cancelled):
        bounds_by_end(workload, cluster, RESPONSE, [10.0], lambda: True)
