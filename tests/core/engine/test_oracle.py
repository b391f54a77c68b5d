"""Compiled, interpreted and naive simulators agree to the last bit."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given

from core.model.cluster import SHUFFLE_MODELS, Cluster
from core.model.errors import StalledError
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from tests import naive, random_tests
from tests.builders import run
from tests.core.engine.compared import ENGINES, columns, naive_columns
from tests.core.engine.strategies import POLICIES, SLOWSTARTS, Case, cases
from tests.random_tests import examples


def agree(case: Case) -> None:
    """Check one case on both engines."""
    twin = naive.Run(case.workload, case.cluster, case.policy, case.order).run()
    for engine in ENGINES:
        if twin.stalled:
            with pytest.raises(StalledError, match="no task can end"):
                run(case.workload, case.cluster, case.policy, order=case.order, engine=engine)
        else:
            schedule = run(case.workload, case.cluster, case.policy, order=case.order, engine=engine)
            assert columns(schedule) == naive_columns(twin), engine


@examples(50)
@given(case=cases())
def test_random_small_workloads(case: Case) -> None:
    agree(case)


@pytest.mark.parametrize("model", SHUFFLE_MODELS)
@pytest.mark.parametrize("policy", POLICIES)
def test_larger_workloads(policy: str, model: str) -> None:
    """Enough jobs for queues, heaps and the winner tree to grow deep, on slots that are no power of two."""
    source = random.Random(f"{policy} {model}")

    def seconds(most: int) -> list[int]:
        return [source.randint(0, most) for _ in range(source.randint(1, 9))]

    def stage() -> Stage:
        return Stage.of(source.randint(0, 25), seconds(9), seconds(3), seconds(6))

    jobs = (Job(f"J{i}", stage(), stage(), float(source.randint(0, 60))) for i in range(25))
    workload = Workload("larger", tuple(job for job in jobs if job.task_count))
    order = source.sample([job.name for job in workload.jobs], 9) if policy == "order" else None
    for slowstart in SLOWSTARTS if random_tests.is_thorough else source.sample(SLOWSTARTS, 1):
        cluster = Cluster(source.randint(3, 21), source.randint(3, 13), slowstart, model)  # type: ignore[arg-type]
        agree(Case(workload, cluster, policy, tuple(order) if order else None))


def test_fractions_of_a_second() -> None:
    """Sums of decimal fractions round; both engines and the twin add in the same order."""
    source = np.random.default_rng(7)
    jobs = tuple(
        Job(
            f"J{i}",
            Stage.of(40, source.lognormal(2, 1, 40)),
            Stage.of(20, source.lognormal(3, 1, 20), source.lognormal(0, 1, 20), source.lognormal(1, 1, 20)),
            arrival=float(source.uniform(0, 100)),
            weight=float(source.uniform(0.1, 3)),
        )
        for i in range(8)
    )
    for policy in POLICIES:
        agree(Case(Workload("fractions", jobs), Cluster(7, 5, 0.3), policy, None))
