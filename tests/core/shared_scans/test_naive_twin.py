"""Policies that share scans: compiled, interpreted and naive simulators agree to the last bit."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.job import Dataset, Job, scan_stage
from core.model.stages import Stage
from core.model.workload import Workload
from core.shared_scans.windows import SCAN_POLICIES, ScanPolicy
from tests.builders import run
from tests.core.engine.compared import ENGINES, columns, naive_columns
from tests.naive_scans import COSTS, ScanRun
from tests.random_tests import examples

METRICS = ("average-response", "weighted-average-response", *COSTS)
NAMES = {"weighted-average-response": "weighted-response"}
"""Ours where the twin's name says more: it looks for "average" and "weighted"."""


@st.composite
def workloads(draw: st.DrawFn) -> Workload:
    return drawn(random.Random(draw(st.integers(0, 2**32))), draw(st.integers(1, 7)))


def drawn(source: random.Random, jobs: int) -> Workload:
    """Datasets of few blocks, full of ties; all sums are exact, so that twins may add up in any order."""
    fraction = source.choice((1.0, 0.5))
    datasets = tuple(
        Dataset(f"d{d}", source.randint(1, 9), source.choice((1.0, 0.5)), fraction)
        for d in range(source.randint(1, 3))
    )
    made = []
    for i in range(jobs):
        dataset = source.choice((None, *datasets, *datasets))
        least = source.choice((0, 0, 1, 2))
        maps = Stage.of(source.randint(0, 5), 2.0) if dataset is None else scan_stage(dataset)
        reduces = Stage.of(source.randint(0 if maps.count else 1, 2), 1.0, 0.0, 1.0)
        made.append(
            Job(
                f"J{i}",
                maps,
                reduces,
                arrival=float(source.randint(0, 12)),
                weight=source.choice((1.0, 2.0, 0.5)),
                dataset=None if dataset is None else dataset.name,
                min_slots=least,
                max_slots=source.choice((None, least + 1, least + 3)),
            )
        )
    return Workload("scans", tuple(made), datasets=datasets)


def agree(workload: Workload, cluster: Cluster, policy: ScanPolicy, metric: str, window: float) -> None:
    """Check one case on both engines."""
    twin = ScanRun(workload, cluster, policy, metric, window=window).run()
    assert not twin.stalled
    given_values = {"metric": NAMES.get(metric, metric)} | ({"window": window} if policy == "batch" else {})
    for engine in ENGINES:
        schedule = run(workload, cluster, policy, engine=engine, **given_values)  # type: ignore[arg-type]
        assert columns(schedule) == naive_columns(twin), engine


@examples(30)
@given(
    workload=workloads(),
    policy=st.sampled_from(SCAN_POLICIES),
    metric=st.sampled_from(METRICS),
    slots=st.sampled_from(((1, 1), (2, 1), (4, 2))),
    slowstart=st.sampled_from((0.0, 0.5, 1.0)),
)
def test_random_small_workloads(
    workload: Workload, policy: ScanPolicy, metric: str, slots: tuple[int, int], slowstart: float
) -> None:
    agree(workload, Cluster(*slots, slowstart), policy, metric, window=4.0)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("policy", SCAN_POLICIES)
def test_larger_workloads(policy: ScanPolicy, metric: str) -> None:
    """So many jobs that more wait than a policy asks one by one."""
    workload = drawn(random.Random(f"{policy} {metric}"), 40)
    agree(workload, Cluster(3, 2, 0.5), policy, metric, window=8.0)
