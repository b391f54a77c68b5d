"""Sharing and deadline policies: compiled, interpreted and naive simulators agree to the last bit."""

from __future__ import annotations

import random
from os.path import basename
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.errors import StalledError
from core.model.job import Job
from core.model.pool import Pool
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies.registry import describe
from tests import random_tests
from tests.builders import run
from tests.core.engine.compared import ENGINES, columns, naive_columns
from tests.core.engine.strategies import SLOWSTARTS, clusters, values_of, workloads
from tests.core.policies.test_every_policy import LOGS, imported
from tests.naive_sharing import TWINS
from tests.paths import HAND_WRITTEN
from tests.random_tests import examples

SMALL_LOGS = (
    "trace_1m.json.gz",
    "trace_3m.json.gz",
    "highram_mr_jobs_case3.json.gz",
    "2m_stream_trace.json.gz",
    "JobHistory.log",
    "Hadoop18JobHistoryLog.txt",
    "inputsls.json",
    *(str(log) for log in HAND_WRITTEN),
)
"""Logs that the naive twin can follow."""
OF_MAPS_AND_REDUCES = [log for log in LOGS if log.endswith(SMALL_LOGS) and imported(log).is_map_reduce]
"""Those whose jobs are maps and reduces, which is what the twin knows; graphs have twins of their own."""


def agree(workload: Workload, cluster: Cluster, policy: str, **parameters: Any) -> None:
    """Check one case on both engines."""
    twin = TWINS[policy](workload, cluster, **parameters).run()
    for engine in ENGINES:
        if twin.stalled:
            with pytest.raises(StalledError, match="no task can end"):
                run(workload, cluster, policy, engine=engine, **parameters)
        else:
            schedule = run(workload, cluster, policy, engine=engine, **parameters)
            assert columns(schedule) == naive_columns(twin), engine


@pytest.mark.parametrize("policy", TWINS)
@examples(12)
@given(data=st.data())
def test_random_small_workloads(policy: str, data: st.DataObject) -> None:
    workload = data.draw(workloads())
    parameters = {p.name: data.draw(values_of(p)) for p in describe(policy).parameters}
    agree(workload, data.draw(clusters(workload)), policy, **parameters)


@pytest.mark.parametrize("policy", TWINS)
def test_larger_workloads(policy: str) -> None:
    """Enough jobs and pools for sharing to matter, on slots that are no power of two."""
    source = random.Random(policy)

    def stage() -> Stage:
        seconds = [[source.randint(0, most) for _ in range(source.randint(1, 9))] for most in (9, 3, 6)]
        return Stage.of(source.randint(0, 20), *seconds)

    def job(i: int) -> Job:
        arrival = float(source.randint(0, 30))
        deadline = arrival + source.randint(1, 90) if source.random() < 0.7 else None
        return Job(f"J{i}", stage(), stage(), arrival, deadline, pool=source.choice("abcd"))

    pools = (
        Pool("a", 2.0, 3, 1, 0.4, 0.5, 3.0, 150.0),
        Pool("c", 0.5, 0, 4, None, 1.0, 1.0, 90.0),
        Pool("d", 1.0, 1, 0, 0.3, 0.9, 2.0, 400.0),
    )
    jobs = tuple(job(i) for i in range(16))
    workload = Workload("larger", tuple(job for job in jobs if job.task_count), pool_settings=pools)
    for slowstart in SLOWSTARTS if random_tests.is_thorough else source.sample(SLOWSTARTS, 1):
        agree(workload, Cluster(source.randint(3, 17), source.randint(3, 9), slowstart), policy)
    agree(workload, Cluster(0, 0, 0.3, containers=11), policy)


@pytest.mark.parametrize("log", OF_MAPS_AND_REDUCES, ids=basename)
@pytest.mark.parametrize("policy", TWINS)
def test_logs(policy: str, log: str) -> None:
    workload = imported(log)
    agree(workload, workload.cluster, policy)
