"""The rule of orders of ends: no more than the best of all schedules, and the same as what found it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.samples import load_sample
from core.generate.families import generate
from core.model.cluster import SHUFFLE_MODELS, Cluster, ShuffleModel
from core.model.job import Link
from core.optimize.bounds import makespan_bound
from core.optimize.objectives import Objective
from core.simulation.proofs import certify_gap_of
from core.verify.check import Checker, check
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import clusters, workloads
from tests.core.optimize.all_schedules import cheapest
from tests.core.optimize.tiny_workloads import tiny_workloads
from tests.core.verify.made import certificate_of
from tests.core.verify.test_check import worth
from tests.random_tests import examples

if TYPE_CHECKING:
    import numpy as np

    from core.model.workload import Workload

MIXES = (
    {"mean-response": 1.0},
    {"makespan": 1.0, "mean-response": 0.5},
    {"makespan": 0.5, "tardiness": 1.0, "late-jobs": 2.0},
    {"makespan": 0.1, "weighted-response": 1.0},
)


def proved(workload: Workload, cluster: Cluster, weights: dict[str, float]) -> float:
    """Return what the checker proves of a mix by orders of ends, with the makespan's own rule."""
    made = dict(certificate_of(run(workload, cluster)).document)
    shortest = makespan_bound(workload, cluster).proof or {"rule": "alone"}
    proof = [{"of": "mix", "rule": "orders"}, *[{"of": "makespan", **shortest}] * ("makespan" in weights)]
    checker = Checker(made | {"objective": weights, "proof": proof})
    return checker.bound(proof[0])


@examples(40)
@given(
    tiny_workloads(),
    st.sampled_from(((1, 1, 0), (2, 1, 0), (1, 2, 0), (0, 0, 2))),
    st.sampled_from(SHUFFLE_MODELS),
    st.sampled_from(MIXES),
)
def test_it_proves_no_more_than_the_best_of_all_schedules(
    workload: Workload, slots: tuple[int, int, int], model: ShuffleModel, weights: dict[str, float]
) -> None:
    jobs = [replace(j, deadline=j.arrival + 3 + i, weight=i + 1.0) for i, j in enumerate(workload.jobs)]
    workload = workload.with_jobs(jobs)
    cluster = Cluster(*slots[:2], shuffle_model=model, containers=slots[2])
    mix = Objective("mix", tuple(weights.items()))

    def value(finish: np.ndarray) -> float:
        return mix.value(workload, finish)

    best = cheapest(workload, cluster, partial(worth, value))
    assert proved(workload, cluster, weights) <= best * (1 + 1e-12)


@examples(25)
@given(st.data(), st.sampled_from(MIXES))
def test_it_works_out_the_same(data: st.DataObject, weights: dict[str, float]) -> None:
    workload = data.draw(workloads())
    cluster = data.draw(clusters(workload).filter(lambda c: not c.has_nodes and c.overheads is None))
    found = Objective("mix", tuple(weights.items())).bound_by_orders(workload, cluster)
    assert found == pytest.approx(proved(workload, cluster, weights), rel=1e-9, abs=1e-9)


def test_whole_waves_count_of_jobs_one_after_the_other() -> None:
    """12 and 13 maps of 1 s take three waves of six by themselves, five together: 3 s and 6 s, or 4 and 6."""
    workload = load_sample("overlap-waves")
    assert proved(workload, workload.cluster, {"mean-response": 1.0}) == pytest.approx((3 + 6) / 2)
    assert Objective.of("mean-response").bound(workload, workload.cluster) == pytest.approx(4.5)


def test_a_gap_is_certified_by_it() -> None:
    workload = load_sample("overlapping-scans")
    schedule = run(workload, workload.cluster, "fifo")
    certificate = certify_gap_of(schedule, Objective.of("mean-response"), 0.0).certificate
    assert certificate is not None
    assert certificate.is_confirmed
    assert "orders" in certificate.rules


def test_it_says_nothing_of_many_jobs_of_followers_or_of_stretch() -> None:
    cluster = Cluster(2, 2)
    three = [make_job(f"J{i}", (2, 1.0), (1, 1.0)) for i in range(3)]
    linked = make_workload(*three[:2], replace(three[2], after=(Link("J0"),)))
    many = generate("facebook", seed=1, parameters={"jobs": 13})
    part: dict[str, Any] = {"rule": "orders", "of": "mix"}
    cases = (
        (linked, {"mean-response": 1.0}),
        (many, {"mean-response": 1.0}),
        (make_workload(*three), {"mean-response": 1.0, "stretch": 1.0}),
    )
    for workload, weights in cases:
        assert Objective("mix", tuple(weights.items())).bound_by_orders(workload, cluster) == 0
        made = dict(certificate_of(run(workload, cluster)).document)
        made["jobs"] = made["jobs"] | {"alone": [1.0] * len(workload.jobs)}
        problems = check(made | {"objective": weights, "proof": [part]}).problems
        assert "orders of ends say nothing" in problems[0]
