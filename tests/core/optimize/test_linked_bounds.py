"""Bounds, searches and certificates of jobs that follow others: never above what a schedule does."""

from __future__ import annotations

import numpy as np
import pytest

from core.measures.metrics import explained_bound_of, response_times
from core.model.cluster import Cluster, ShuffleModel
from core.model.errors import InputError
from core.model.job import Job, Link
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize.bounds import makespan_bound
from core.optimize.evaluate import alone_seconds
from core.optimize.exact_order import why_no_exact_order
from core.optimize.objective_bounds import (
    bound_of_late_jobs,
    bound_of_mean_response,
    bound_of_stretch,
    bound_of_tardiness,
    bound_of_weighted_response,
)
from core.optimize.objectives import Objective
from core.optimize.search import optimize
from core.policies.registry import policies, policy_class
from core.simulation.proofs import certify_schedule
from core.simulation.simulate import simulate
from core.verify.check import check
from tests.core.engine.test_linked_jobs import choice_of, random_linked
from tests.core.verify.made import OPEN, certificate_of

MODELS: tuple[ShuffleModel, ...] = ("simmr", "overlap", "mumak")
ALL = [each.id for each in policies()]
UNTYPED = [each for each in ALL if not hasattr(policy_class(each), "partition")]
"""Those that can do without map and reduce slots."""


def chain(*thinks: float) -> Workload:
    """Return jobs of two maps of 3 s, each the think time after the one before it."""
    jobs = [Job("J0", Stage.of(2, 3.0))]
    for k, think in enumerate(thinks):
        jobs.append(Job(f"J{k + 1}", Stage.of(2, 3.0), after=(Link(f"J{k}", think),)))
    return Workload("chain", tuple(jobs))


def some_cluster(draw: np.random.Generator) -> Cluster:
    model: ShuffleModel = MODELS[draw.integers(len(MODELS))]
    if draw.random() < 0.25:
        return Cluster(0, 0, 0.0, model, containers=int(draw.integers(1, 6)))
    maps, reduces = draw.integers(1, 5, 2).tolist()
    return Cluster(maps, reduces, 1.0, model)


def test_no_bound_is_above_what_any_policy_does() -> None:
    draw = np.random.default_rng(2025)
    met = 0
    for _ in range(40):
        workload, cluster = random_linked(draw), some_cluster(draw)
        alone = alone_seconds(workload, cluster, compiled=False)
        bounds = (
            bound_of_mean_response(workload, cluster),
            bound_of_weighted_response(workload, cluster),
            bound_of_tardiness(workload, cluster),
            bound_of_late_jobs(workload, cluster),
            bound_of_stretch(workload, cluster, alone),
        )
        weight, due = workload.columns.weight, workload.columns.deadline
        best = np.inf
        for policy in draw.choice(UNTYPED if cluster.has_containers else ALL, 6, replace=False).tolist():
            schedule = simulate(workload, cluster, choice_of(policy))
            response = response_times(schedule)
            late = np.maximum(schedule.finish - due, 0.0)
            values = (
                response.mean(),
                (weight * response).sum() / weight.sum(),
                late.sum(),
                (late > 1e-9).sum(),
                (response / alone).max(),
            )
            pairs = zip(values, bounds, strict=True)
            assert schedule.lends or all(value >= bound - 1e-9 for value, bound in pairs), policy
            assert schedule.makespan >= explained_bound_of(schedule).seconds * (1 - 1e-12), policy
            best = min(best, schedule.makespan)
        met += best <= makespan_bound(workload, cluster).seconds * (1 + 1e-9)
    assert met > 5  # they say something: often a schedule is as short


def test_think_times_are_in_the_bound_and_no_cluster_makes_them_shorter() -> None:
    workload = chain(10.0, 4.0, 1.0)
    for slots in (2, 50):
        bound = makespan_bound(workload, Cluster(slots, 0))
        assert (
            bound.seconds
            == 4 * 3.0 + 15.0
            == simulate(workload, Cluster(slots, 0), choice_of("fifo")).makespan
        )
        assert bound.why == (
            "J0, J1, J2 and J3 follow one another, which takes 27 s on any number of slots: 15 s of it the "
            "driver thinks"
        )
        assert bound.limit == (
            "No cluster makes this faster than 27 s: 15 s of it the driver thinks, because J0, J1, J2 and J3 "
            "follow one another."
        )


def test_what_meets_its_bound_is_certified_and_a_task_that_comes_too_early_is_seen() -> None:
    schedule = simulate(chain(10.0, 4.0), Cluster(2, 0), PolicyChoice("fifo"))
    proof = certify_schedule(schedule, schedule.makespan)
    assert proof.certificate is not None
    document = dict(proof.certificate.document)
    assert document["jobs"]["links"] == {"before": [0, 1], "follower": [1, 2], "think": [10.0, 4.0]}
    early = {**document["schedule"]}
    early |= {
        name: [t - (1.0 if t >= 20 else 0.0) for t in early[name]] for name in ("start", "shuffled", "end")
    }
    said = check({**document, "schedule": early}).problems
    assert "task 4, a map of job 2, starts at 19.0, before its job arrives" in said
    longer = {**document["jobs"], "links": {**document["jobs"]["links"], "think": [11.0, 4.0]}}
    assert any("before its job arrives" in each for each in check({**document, "jobs": longer}).problems)
    round_about = {"before": [0, 1], "follower": [1, 0], "think": [1.0, 1.0]}
    circle = {**document["jobs"], "links": round_about}
    assert "circle" in check({**document, "jobs": circle}).problems[0]


def test_the_checker_finds_nothing_wrong_with_what_is_simulated() -> None:
    draw = np.random.default_rng(5)
    confirmed = 0
    for _ in range(60):
        workload, cluster = random_linked(draw), some_cluster(draw)
        schedule = simulate(workload, cluster, PolicyChoice(("fifo", "johnson", "fair")[draw.integers(3)]))
        made = certificate_of(schedule)
        confirmed += made.is_confirmed
        assert made.is_confirmed or all(each.endswith(OPEN) for each in made.verdict.problems)
    assert confirmed > 5


def test_a_search_finds_plans_that_hold_and_refuses_response_times() -> None:
    draw = np.random.default_rng(6)
    for _ in range(6):
        workload, cluster = random_linked(draw), Cluster(2, 2)
        found = optimize(workload, cluster, steps=30, compiled=False)
        fifo = simulate(workload, cluster, PolicyChoice("fifo"))
        replayed = simulate(workload, cluster, PolicyChoice("fifo"), plan=found.plan)
        assert found.bound * (1 - 1e-12) <= found.best == replayed.makespan <= fifo.makespan
    linked = chain(1.0)
    for name in ("mean-response", "stretch"):
        with pytest.raises(InputError, match="not searched for where jobs follow others"):
            optimize(linked, Cluster(2, 0), steps=2, objective=Objective.of(name), compiled=False)
    assert "follow no others" in why_no_exact_order(linked, Cluster(2, 0))
    assert alone_seconds(linked, Cluster(1, 0), compiled=False).tolist() == [6.0, 6.0]
