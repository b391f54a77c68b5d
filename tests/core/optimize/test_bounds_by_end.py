"""What no schedule that is over by a time is below: never above the best of all, more for early ends."""

from __future__ import annotations

import itertools
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks.optimize_small import batch
from core.model.cluster import Cluster
from core.model.errors import Cancelled
from core.optimize.bounds import lower_bound
from core.optimize.bounds_by_end import LITTLE, BoundsByEnd
from core.optimize.evaluate import alone_seconds
from core.optimize.objectives import Objective
from core.optimize.search import optimize
from core.verify.certificate import subject
from core.verify.check_front import checker_of
from tests.builders import make_job, make_workload

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.model.workload import Workload

RESPONSE, STRETCH, LATE = (Objective.of(name) for name in ("mean-response", "stretch", "late-jobs"))
STRETCHED = (1.05, 1.2, 1.5)


def found_by(
    workload: Workload, cluster: Cluster, ends: Iterable[float], goal: Objective = RESPONSE
) -> BoundsByEnd:
    """Return bounds by some ends."""
    alone = alone_seconds(workload, cluster) if goal.needs_alone else None
    found = BoundsByEnd(workload, cluster, goal, lower_bound(workload, cluster), alone=alone)
    for until in ends:
        found.add(until)
    return found


@pytest.mark.parametrize("goal", [RESPONSE, STRETCH, LATE], ids=["response", "stretch", "late"])
@pytest.mark.parametrize("nth", range(4))
def test_no_batch_has_a_schedule_below_it_and_the_checker_agrees(nth, goal):
    workload, cluster = batch(991, nth, whole=bool(nth % 2))
    alone, least = alone_seconds(workload, cluster), lower_bound(workload, cluster)
    pairs = zip(workload.jobs, alone.tolist(), strict=True)
    workload = workload.with_jobs(replace(job, deadline=1.2 * seconds) for job, seconds in pairs)
    found = found_by(workload, cluster, [least * part for part in STRETCHED], goal)
    weights = (0.2, 1.0, 3.0)
    for weight in weights:
        found.add(found.of_mix((weight, 1.0))[1])
    document = subject(workload, cluster, alone) | {
        "ranges": [each.proof(goal.name) for each in found.bounds]
    }
    checked = copy(found)
    checked.bounds = [
        each._replace(bound=value)
        for each, (*_, value) in zip(found.bounds, checker_of(document).by_end, strict=True)
    ]
    for one, other in itertools.pairwise(found.bounds):
        assert one.until < other.until or one == other
        assert one.bound >= other.bound
    for weight in weights:
        mix = Objective.of(f"makespan={weight},{goal.name}=1")
        best = optimize(workload, cluster, objective=mix, steps=200)
        assert best.proved
        for each in (found, checked):
            assert each.of_mix((weight, 1.0))[0] <= best.best * (1 + 1e-9)


def test_an_early_end_costs_what_the_last_job_has_to_wait_for():
    # One slot of each kind. A: 2 s of maps, 8 s of reduces; B: 1 s of maps alone. All is over by 10 only
    # where A goes first: responses 10 and 3. B first: 11 and 1.
    workload = make_workload(make_job("A", (1, 2.0), (1, 8.0, 0.0, 0.0)), make_job("B", (1, 1.0)))
    found = found_by(workload, Cluster(1, 1), [10.0])
    early, any_time = found.bounds
    assert any_time.bound <= 6.0 + 1e-9  # B first
    assert any_time.bound == pytest.approx(6.0, rel=0.02)
    assert early.bound <= 6.5 + 1e-9  # A first
    assert early.bound > any_time.bound + 0.2
    # between 10 and 10 the one, later the other
    assert found.least == 10
    bound, cut = found.of_mix((1.0, 1.0))
    assert bound == pytest.approx(10 + any_time.bound)
    assert cut == np.inf
    found.least = 8.0
    bound, cut = found.of_mix((0.1, 1.0))
    assert bound == pytest.approx(min(0.8 + early.bound, 1.0 + any_time.bound))
    assert cut == np.inf
    bound, cut = found.of_mix((1.0, 1.0))
    assert bound == pytest.approx(min(8 + early.bound, 10 + any_time.bound))
    assert cut == 9.0


def test_who_is_over_early_stretches_others():
    # One slot of each kind. A: 1 s of maps, 9 s of reduces; B: 2 s of maps. All is over by 10 only if A goes
    # first: B ends at 3, after 1.5 times what it takes. If B does, A ends at 12, after 1.2 times that.
    workload = make_workload(make_job("A", (1, 1.0), (1, 9.0, 0.0, 0.0)), make_job("B", (1, 2.0)))
    found = found_by(workload, Cluster(1, 1), [10.0, 11.0, 12.0], STRETCH)
    assert [each.bound for each in found.bounds] == pytest.approx([1.5, 1.5, 1.2, 1.2])
    assert found.of_mix((1.0, 2.0))[0] == pytest.approx(10 + 2 * 1.5)
    assert found.of_mix((1.0, 4.0))[0] == pytest.approx(11 + 4 * 1.2)


def test_early_ends_make_jobs_late_and_only_whole_ones_are():
    # One slot of each kind, jobs as above: B is due at 2.5, which it misses where A goes first.
    workload = make_workload(
        make_job("A", (1, 1.0), (1, 9.0, 0.0, 0.0)), replace(make_job("B", (1, 2.0)), deadline=2.5)
    )
    found = found_by(workload, Cluster(1, 1), [10.0, 12.0], LATE)
    assert [each.bound for each in found.bounds] == [1, 0, 0]


def test_ranges_that_no_mix_needs_are_left_out():
    workload, cluster = batch(991, 0, whole=True)
    found = found_by(workload, cluster, [1.1 * lower_bound(workload, cluster)])
    weights = (1.0, 1.0)
    for _ in range(6):
        if (cut := found.of_mix(weights)[1]) < np.inf:
            found.add(cut)
    before, many = found.of_mix(weights)[0], list(found.bounds)
    found.keep_needed([weights])
    assert found.of_mix(weights)[0] >= before * (1 - LITTLE)
    assert {each.until for each in found.bounds} <= {each.until for each in many}
    assert len(found.bounds) < len(many)
    found.keep_needed([])
    assert [each.until for each in found.bounds] == [np.inf]


def test_a_stop_ends_it():
    workload, cluster = batch(991, 0, whole=True)
    with pytest.raises(Cancelled):
        BoundsByEnd(workload, cluster, RESPONSE, 1.0, lambda: True)
