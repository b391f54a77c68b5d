"""What a log says of its cluster's overheads, on logs made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from core.fidelity.overheads_estimate import estimate_overheads
from core.model.cluster import Cluster
from core.model.execution_history import CLEANUP, SETUP, RecordedRun
from core.model.job import MAP, REDUCE
from core.model.workload import Job, Stage, Workload

HOSTS = 2
Attempt = tuple[int, int, int, float, float]
"""Job, kind, host, start and end."""


def logged(submit: list[float], launch: list[float], attempts: list[Attempt]) -> Workload:
    """Return a workload whose log has these jobs and attempts; jobs finish 0.1 s after their last attempt."""
    job, kind, host, start, end = map(list, zip(*attempts, strict=True))
    count = len(submit)
    finish = [max(a[4] for a in attempts if a[0] == j) + 0.1 for j in range(count)]
    nothing = np.full(len(attempts), np.nan)
    run = RecordedRun(
        jobs=tuple(f"J{j}" for j in range(count)),
        titles=("",) * count,
        hosts=tuple(f"h{h}" for h in range(HOSTS)),
        submit=np.array(submit),
        launch=np.array(launch),
        finish=np.array(finish),
        job=np.array(job, np.int32),
        kind=np.array(kind, np.int8),
        task=np.full(len(attempts), -1, np.int32),
        counts=np.zeros(len(attempts), np.bool_),
        outcome=np.zeros(len(attempts), np.int8),
        host=np.array(host, np.int32),
        start=np.array(start),
        shuffle_end=nothing,
        sort_end=nothing.copy(),
        end=np.array(end),
    )
    jobs = tuple(Job(f"J{j}", Stage.of(1, 1.0), arrival=at) for j, at in enumerate(submit))
    return Workload("log", jobs, Cluster(2, 2), recorded=run)


def whole_job(job: int, setup: float, host: int = 0) -> list[Attempt]:
    """Return the attempts of a job: a setup of 1 s, a map of 5 s, a reduce of 3 s, a cleanup of 2 s."""
    return [
        (job, SETUP, host, setup, setup + 1),
        (job, MAP, host, setup + 1, setup + 6),
        (job, REDUCE, host, setup + 6, setup + 9),
        (job, CLEANUP, host, setup + 9, setup + 11),
    ]


def test_queueing_is_not_fetching() -> None:
    """J0 waits for hosts to come up, J3 to J6 for slots; J1 and J2 found a free one."""
    setups = [300.0, 322.0, 343.0, 354.0, 365.0, 376.0, 387.0]
    launch = [0.0, 320.0, 340.0, 345.0, 346.0, 347.0, 348.0]
    attempts = [each for j, setup in enumerate(setups) for each in whole_job(j, setup)]
    found = estimate_overheads(logged(launch, launch, attempts), 2.0)
    assert found.fetch == pytest.approx(2.5 - 2 / 4)
    assert (found.setup, found.cleanup) == (1, 2)


def test_the_only_job_tells_its_own_wait() -> None:
    attempts = whole_job(0, 4.0)
    assert estimate_overheads(logged([0.0], [1.0], attempts), 2.0).fetch == 3 - 2 / 4
    assert estimate_overheads(logged([0.0], [4.5], attempts), 2.0).fetch == 0
