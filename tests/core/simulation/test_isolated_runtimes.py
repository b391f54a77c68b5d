"""A job's time alone is what simulating it alone gives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

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
        patch.setattr(alone, "use_compiled", lambda workload, kind: compiled)
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


@pytest.mark.usefixtures("nothing_kept")
def test_jobs_that_find_slots_at_once_are_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call of the engine for each of many jobs takes longer than all that is measured of them."""
    ran: list[int] = []
    run_alone = alone._run_alone

    def counted(*given: Any) -> Any:
        ran.extend(given[-1].tolist())
        return run_alone(*given)

    monkeypatch.setattr(alone, "_run_alone", counted)
    workload = make_workload(make_job("J1", (2, 3.0), (1, 1.0, 0.5, 2.0)), make_job("J2", (3, 2.0)))
    assert alone.isolated_runtimes(workload, Cluster(2, 1)).tolist() == [6.0, 4.0]
    assert ran == [1]
