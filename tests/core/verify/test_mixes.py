"""Certificates of mixes with the makespan: prices say something of all that is weighed together."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.generate.families import generate
from core.model.cluster import Cluster
from core.optimize.objectives import Objective
from core.optimize.search import optimize
from core.simulation.proofs import certify_gap
from core.verify.check import check
from tests.builders import run
from tests.core.optimize.all_schedules import cheapest
from tests.core.optimize.tiny_workloads import tiny_workloads
from tests.core.verify.made import certificate_of
from tests.core.verify.test_check import prices_of, worth
from tests.random_tests import examples

if TYPE_CHECKING:
    from random import Random

    from core.model.workload import Workload


@examples(25)
@given(
    tiny_workloads(),
    st.sampled_from(((1, 1, 0), (2, 1, 0), (0, 0, 2))),
    st.sampled_from((0.25, 1.0, 3.0)),
    st.randoms(use_true_random=False),
)
def test_no_levels_and_prices_prove_more_than_the_best_of_all_schedules(
    workload: Workload, slots: tuple[int, int, int], weight: float, random: Random
) -> None:
    jobs = [replace(j, deadline=j.arrival + 3 + i, weight=i + 1.0) for i, j in enumerate(workload.jobs)]
    workload, cluster = workload.with_jobs(jobs), Cluster(*slots[:2], containers=slots[2])
    columns = workload.columns
    document = dict(certificate_of(run(workload, cluster)).document)

    def value(finish: np.ndarray) -> float:
        late = np.maximum(finish - columns.deadline, 0).sum()
        return float(weight * finish.max() + (finish - columns.arrival).mean() + late / 2)

    best = cheapest(workload, cluster, partial(worth, value)) * (1 + 1e-12)
    weights = {"makespan": weight, "mean-response": 1.0, "tardiness": 0.5}
    known = [{"of": "makespan", "rule": "alone"}] * random.randint(0, 1)
    for _ in range(4):
        [drawn] = prices_of(random, 2 if slots[0] else 1)
        levels = [random.randint(0, 60) / 4 for _ in range(random.randint(0, 6))]
        proof = [*known, {"of": "mix", "levels": levels, **drawn}]
        assert check(document | {"objective": weights, "proof": proof}).bound <= best


def test_a_gap_of_a_mix_is_certified_by_prices_of_all_of_it() -> None:
    workload = generate("synthetic2", seed=5, parameters={"jobs": 20})
    cluster = Cluster(64, 64)
    mix = Objective.of("makespan=0.5,mean-response=1")
    found = optimize(workload, cluster, steps=60, objective=mix, compiled=False)
    certificate = certify_gap(workload, cluster, found, objective=mix).certificate
    assert certificate is not None
    bound = certificate.verdict.bound
    assert bound > 1.01 * mix.bound(workload, cluster)
    assert found.bound * (1 - 1e-9) <= bound <= found.best
    for change in ("levels", "falls", "times"):
        document = deepcopy(certificate.document)
        [part] = [part for part in document["proof"] if part["of"] == "mix"]
        part[change] = part[change][:1] if change != "falls" else np.multiply(part[change], 1.1).tolist()
        assert check(document).problems, change
