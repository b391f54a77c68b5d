"""What may be called proved: the plan is replayed, the certificate is checked, or it is not said."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.files.samples import load_sample
from core.model.cluster import SHUFFLE_MODELS, Cluster, ShuffleModel
from core.model.job import Job
from core.model.nodes import NodeGroup
from core.model.overheads import Overheads
from core.model.plan import Plan
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize.bounds import lower_bound
from core.optimize.constraints import Constraints
from core.optimize.lever_worths import LeverWorth
from core.optimize.objectives import Objective
from core.optimize.search import optimize
from core.simulation.proofs import certify, certify_too_late, proof_of, proved_worths
from core.verify.check import check
from tests.builders import FIVE_JOBS, make_job, make_workload, two_stage_workload

if TYPE_CHECKING:
    from core.simulation.proof import Proof

FIVE = two_stage_workload(FIVE_JOBS)
BEST = Plan.of_order(["J2", "J5", "J1", "J4", "J3"])
SLOTS = Cluster(30, 30)
GOALS = (
    "makespan",
    "makespan",
    "makespan",
    "makespan=1,mean-response=2",
    "mean-response",
    "tardiness",
    "late-jobs",
    "deadlines-makespan",
)


def random_workload(draw: random.Random) -> Workload:
    """Few jobs, of which half lack a stage; lengths are whole seconds or not."""
    jobs = []
    for place in range(draw.randint(1, 4)):
        maps, reduces = draw.choice(((0, 1), (1, 0), (1, 1), (1, 1)))
        maps, reduces = maps * draw.randint(1, 5), reduces * draw.randint(1, 4)
        arrival = float(draw.choice((0, 0, draw.randint(0, 9))))

        def seconds() -> list[float]:
            return [draw.randint(0, 9) + draw.choice((0, 0.1, 0.37)) for _ in range(3)]

        stages = Stage.of(maps, seconds()), Stage.of(reduces, seconds(), seconds(), seconds())
        deadline = arrival + draw.randint(1, 60) if draw.random() < 0.5 else None
        weight = draw.choice((1.0, 2.5))
        jobs.append(Job(f"J{place}", *stages, arrival=arrival, deadline=deadline, weight=weight))
    return Workload("random", tuple(jobs))


def random_cluster(draw: random.Random, model: ShuffleModel) -> Cluster:
    """Typed slots, or containers in a third of the cases."""
    if draw.random() < 1 / 3:
        return Cluster(0, 0, containers=draw.randint(1, 4), shuffle_model=model)
    return Cluster(draw.randint(1, 4), draw.randint(1, 4), shuffle_model=model)


def searched(draw: random.Random, model: ShuffleModel) -> tuple[str, Proof | None]:
    """Search a random case; return what was to be small, and its proof where the bound is met."""
    workload, cluster, goal = random_workload(draw), random_cluster(draw, model), draw.choice(GOALS)
    found = optimize(workload, cluster, objective=Objective.of(goal), steps=6, compiled=False)
    proof = proof_of(workload, cluster, found, objective=Objective.of(goal), engine="interpreted")
    return goal, proof if found.proved else None


@pytest.mark.parametrize("model", SHUFFLE_MODELS)
def test_what_a_search_calls_proved_has_a_certificate(model: ShuffleModel) -> None:
    """Only of late jobs the checker does not know the rule that gives up the largest."""
    draw, seen = random.Random(f"proofs-{model}"), Counter[str]()
    for _ in range(35):
        goal, proof = searched(draw, model)
        if proof is not None:
            seen[goal] += 1
            assert proof or (goal in ("late-jobs", "deadlines-makespan") and "not 1" in proof.why_not)
    assert seen["makespan"] >= 4
    assert len(seen) >= 4


def test_the_makespan_of_the_five_jobs_is_proved() -> None:
    proof = certify(FIVE, SLOTS, Objective(), BEST, 47.0, 47.0, engine="interpreted")
    assert proof.certificate is not None
    assert proof.certificate.verdict.value == proof.certificate.verdict.bound == 47
    assert check(proof.certificate.document) == proof.certificate.verdict
    assert proof.certificate.document["plan"]["jobs"][0]["name"] == "J2"


@pytest.mark.parametrize(
    ("plan", "value", "bound", "why"),
    [
        (BEST, 46.0, 46.0, "the plan takes 47.0 s when it is replayed, not 46.0 s"),
        (BEST, 47.0, 48.0, "the proof gives the bound 47.0, not 48.0"),
        (
            Plan.of_order(["J3", "J4", "J1", "J5", "J2"]),
            78.0,
            78.0,
            "the proof gives the bound 47.0, not 78.0",
        ),
    ],
)
def test_a_false_proof_is_seen(plan: Plan, value: float, bound: float, why: str) -> None:
    """As if search or bounds were wrong: a value that no replay has, a bound that no numbers give."""
    proof = certify(FIVE, SLOTS, Objective(), plan, value, bound, engine="interpreted")
    assert not proof
    assert proof.why_not.endswith(why)


@pytest.mark.parametrize(
    ("cluster", "objective", "unknown"),
    [
        (Cluster(0, 0, nodes=(NodeGroup(4, 4096, 4),)), "makespan", "nodes"),
        (replace(SLOTS, overheads=Overheads(setup=1.0)), "makespan", "overheads"),
    ],
)
def test_of_what_the_checker_does_not_know_nothing_is_proved(
    cluster: Cluster, objective: str, unknown: str
) -> None:
    proof = certify(FIVE, cluster, Objective.of(objective), BEST, 47.0, 47.0)
    assert (bool(proof), proof.why_not) == (False, f"none is made for {unknown}")


def test_arrivals_that_a_rule_gives_are_those_of_the_proof() -> None:
    workload = make_workload(make_job("A", (2, 2.0)), make_job("B", (1, 3.0)))
    rules = Constraints(arrivals={"B": 10.0})
    found = optimize(workload, Cluster(1, 1), steps=4, compiled=False, constraints=rules)
    assert (found.best, found.proved) == (13.0, True)
    proof = proof_of(workload, Cluster(1, 1), found, constraints=rules, engine="interpreted")
    assert proof.certificate.document["jobs"]["arrival"] == [0.0, 10.0]
    assert not proof_of(workload, Cluster(1, 1), found, engine="interpreted")


def test_that_nothing_ends_by_a_time() -> None:
    bound = lower_bound(FIVE, SLOTS)
    proof = certify_too_late(FIVE, SLOTS, bound - 0.001)
    assert proof.certificate.verdict.claim == "nothing ends by"
    assert proof.certificate.verdict.bound == bound
    assert "schedule" not in proof.certificate.document
    assert certify_too_late(FIVE, SLOTS, bound).why_not.endswith("excludes no end by 47.0")
    nodes = Cluster(0, 0, nodes=(NodeGroup(1, 4096, 4),))
    assert certify_too_late(FIVE, nodes, 1.0).why_not == "none is made for nodes"


def test_of_levers_only_what_is_confirmed_is_proved() -> None:
    """Where all orders were tried the gap is above 0: there is nothing to confirm."""
    worths = (
        LeverWorth("order", 50.0, 3 / 47, True, BEST),
        LeverWorth("tasks", 47.0, 0.0, True, BEST),
        LeverWorth("across", 46.0, 0.0, True, BEST),
    )
    checked = proved_worths(FIVE, SLOTS, worths, 47.0, objective=Objective(), seed=1)
    assert [worth.proved for worth in checked] == [True, True, False]


def test_of_durations_that_are_guesses_nothing_is_proved() -> None:
    workload = load_sample("five-jobs")
    found = optimize(workload, workload.cluster, steps=4, compiled=False)
    assert found.proved
    assert proof_of(workload, workload.cluster, replace(found, proved=False)).why_not == ""
