"""A job's time alone is what simulating it alone gives."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from core.model.cluster import Cluster
from core.model.workload import Workload
from core.simulation import fifo_trials as alone
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import Case, cases
from tests.random_tests import examples

both_engines = pytest.mark.parametrize("compiled", [False, True])


@pytest.fixture
def nothing_kept() -> None:
    alone.isolated_runtimes.cache_clear()


@both_engines
def test_against_single_runs(compiled: bool) -> None:
    @examples(20)
    @given(case=cases(policies=("fifo",)))
    def check(case: Case) -> None:
        alone.isolated_runtimes.cache_clear()
        found = alone.isolated_runtimes(case.workload, case.cluster)
        expected = [
            run(Workload("one", (replace(job, arrival=0.0, deadline=None),)), case.cluster).makespan
            for job in case.workload.jobs
        ]
        assert found.tolist() == expected

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alone, "use_compiled", lambda workload, typed: compiled)
        check()


@pytest.mark.usefixtures("nothing_kept")
def test_kept_for_equal_workloads_only() -> None:
    workload = make_workload(make_job("J1", (4, 1.0)))
    longer = make_workload(make_job("J1", (4, 2.0)))
    first = alone.isolated_runtimes(workload, Cluster(2, 0))
    assert alone.isolated_runtimes(make_workload(make_job("J1", (4, 1.0))), Cluster(2, 0)) is first
    assert alone.isolated_runtimes(longer, Cluster(2, 0)).tolist() == [4]
    assert alone.isolated_runtimes(workload, Cluster(4, 0)).tolist() == [1]
    assert first.tolist() == [2]


def test_nobody_can_change_what_is_kept() -> None:
    with pytest.raises(ValueError, match="read-only"):
        alone.isolated_runtimes(make_workload(make_job("J1", (1, 1.0))), Cluster(1, 0))[0] = 2.0
