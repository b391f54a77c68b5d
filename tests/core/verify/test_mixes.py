"""Certificates of mixes with the makespan: prices say something of all that is weighed together."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.generate.families import generate
from core.model.cluster import Cluster
from core.optimize.objectives import Objective
from core.optimize.search import optimize
from core.simulation.proofs import certify_gap
from core.verify.check import check
from core.verify.check_front import checker_of
from tests.builders import run
from tests.core.optimize.all_schedules import cheapest
from tests.core.optimize.tiny_workloads import tiny_workloads
from tests.core.verify.made import certificate_of
from tests.core.verify.test_check import prices_of, worth
from tests.random_tests import examples

if TYPE_CHECKING:
    from collections.abc import Callable
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

    until = random.randint(4, 60) / 4
    goals: dict[str, Callable[[np.ndarray], float]] = {
        "mean-response": lambda finish: float((finish - columns.arrival).mean()),
        "tardiness": lambda finish: float(np.maximum(finish - columns.deadline, 0).sum()),
        "late-jobs": lambda finish: float((finish > columns.deadline).sum()),
    }

    def by_then(goal: str, finish: np.ndarray) -> float:
        return goals[goal](finish) if finish.max() <= until else np.inf

    best = cheapest(workload, cluster, partial(worth, value)) * (1 + 1e-12)
    least = {
        goal: cheapest(workload, cluster, partial(worth, partial(by_then, goal))) * (1 + 1e-12)
        for goal in goals
    }
    shortest = cheapest(workload, cluster, partial(worth, lambda finish: float(finish.max())))
    weights = {"makespan": weight, "mean-response": 1.0, "tardiness": 0.5}
    known = [{"of": "makespan", "rule": "alone"}] * random.randint(0, 1)
    for _ in range(4):
        [drawn] = prices_of(random, 2 if slots[0] else 1, len(jobs))
        levels = [random.randint(0, 60) / 4 for _ in range(random.randint(0, 6))]
        proof = [*known, {"of": "mix", "levels": levels, **drawn}]
        assert check(document | {"objective": weights, "proof": proof}).bound <= best
        if until >= shortest:
            ranges = [{"of": goal, "until": until, **drawn} for goal in goals]
            for _, goal, proved in checker_of(document | {"ranges": ranges}).by_end:
                assert proved <= least[goal]


@examples(25)
@given(
    tiny_workloads(),
    st.sampled_from(((1, 1, 0), (2, 1, 0), (0, 0, 2))),
    st.sampled_from(((0.0, 1.0), (0.0, 3.0), (1.0, 0.5))),
    st.randoms(use_true_random=False),
)
def test_nor_of_the_largest_stretch(
    workload: Workload, slots: tuple[int, int, int], counts: tuple[float, float], random: Random
) -> None:
    """Times alone, stretches that are excluded, levels and prices are drawn; beside a makespan or not."""
    jobs = [replace(j, deadline=j.arrival + 3 + i, weight=i + 1.0) for i, j in enumerate(workload.jobs)]
    workload, cluster = workload.with_jobs(jobs), Cluster(*slots[:2], containers=slots[2])
    columns, (of_last, of_stretch) = workload.columns, counts
    alone = [random.choice((0.0, 1.0, 2.5, 4.0, float("inf"))) for _ in jobs]
    document = deepcopy(dict(certificate_of(run(workload, cluster)).document))
    document["jobs"]["alone"] = [None if each == float("inf") else each for each in alone]

    def stretch(finish: np.ndarray) -> float:
        pairs = zip(finish - columns.arrival, alone, strict=True)
        return max([response / each for response, each in pairs if each > 0], default=0.0)

    def value(finish: np.ndarray) -> float:
        late = np.maximum(finish - columns.deadline, 0).sum()
        worst = of_last * finish.max() + of_stretch * stretch(finish)
        return float(worst + (finish - columns.arrival).mean() + late / 2)

    until = random.randint(4, 60) / 4

    def stretch_by_then(finish: np.ndarray) -> float:
        return stretch(finish) if finish.max() <= until else np.inf

    best, least, least_by_then = (
        cheapest(workload, cluster, partial(worth, f)) * (1 + 1e-12)
        for f in (value, stretch, stretch_by_then)
    )
    weights = {"stretch": of_stretch, "mean-response": 1.0, "tardiness": 0.5}
    weights |= {"makespan": of_last} if of_last else {}
    kinds = ("maps", "reduces") if slots[0] else ("maps", "reduces", "all")
    for _ in range(4):
        window: dict[str, Any] = {
            "begin": random.randint(0, 8) / 2,
            "rest": random.randint(0, 20) / 2,
            "held": False,
        }
        window |= {"slots": random.choice(kinds), "backwards": random.random() < 0.5}
        known = {"of": "stretch", "rule": "stretched", "stretch": random.randint(0, 40) / 8, **window}
        simple = {"of": "stretch", "rule": "alone"}
        assert check(document | {"objective": {"stretch": 1.0}, "proof": [known, simple]}).bound <= least
        ranges = [known | {"until": until}, simple | {"until": until}, known | {"until": None}]
        ranges += [known | {"until": None, "stretch": 0.0}]
        by_end = [value for *_, value in checker_of(document | {"ranges": ranges}).by_end]
        assert max(by_end[:2]) <= least_by_then
        assert by_end[2] <= least
        assert by_end[3] == 0
        [drawn] = prices_of(random, 2 if slots[0] else 1, len(jobs))
        levels = [random.randint(0, 60) / 8 for _ in range(random.randint(0, 6))]
        proof = [known, simple, {"of": "mix", "levels": levels, **drawn}]
        assert check(document | {"objective": weights, "proof": proof}).bound <= best


def test_the_largest_stretch_has_a_certificate_that_loses_nothing() -> None:
    """By itself and in mixes: the checker proves what the search does, and refuses any larger number."""
    workload = generate("synthetic2", seed=5, parameters={"jobs": 20})
    cluster = Cluster(64, 64)
    for text in ("stretch", "stretch=2,mean-response=0.1", "makespan=0.1,stretch=30,mean-response=1"):
        objective = Objective.of(text)
        found = optimize(workload, cluster, steps=40, objective=objective, compiled=False)
        certificate = certify_gap(workload, cluster, found, objective=objective).certificate
        assert certificate is not None
        assert found.bound * (1 - 1e-9) <= certificate.verdict.bound <= found.best
        document = deepcopy(dict(certificate.document))
        [part] = [part for part in document["proof"] if part["rule"] == "stretched"]
        part["stretch"] *= 1.01
        assert check(document).problems
        document = deepcopy(dict(certificate.document))
        longest = max(range(20), key=document["jobs"]["alone"].__getitem__)
        document["jobs"]["alone"][longest] /= 10
        assert check(document).problems


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
