"""What a log says of its cluster's overheads, on logs made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.fidelity.overheads_estimate import estimate_overheads, launch_pace, seen_heartbeat
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.overheads import LONGEST_OVERHEAD
from core.model.recorded_run import RecordedRun
from core.model.stages import Stage
from core.model.task_types import CLEANUP, MAP, REDUCE, SETUP
from core.model.workload import Workload

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
        start=np.array(start, float),
        shuffle_end=nothing,
        sort_end=nothing.copy(),
        end=np.array(end, float),
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
    found = estimate_overheads(logged(launch, launch, attempts)).at(2.0)
    assert found.fetch == pytest.approx(2.5 - 2 / 4)
    assert (found.setup, found.cleanup) == (1, 2)


def test_the_only_job_tells_its_own_wait() -> None:
    attempts = whole_job(0, 4.0)
    assert estimate_overheads(logged([0.0], [1.0], attempts)).at(2.0).fetch == 3 - 2 / 4
    assert estimate_overheads(logged([0.0], [4.5], attempts)).at(2.0).fetch == 0


def tasks(job: int, host: int, *spans: tuple[float, float]) -> list[Attempt]:
    return [(job, MAP, host, start, end) for start, end in spans]


HELD = tasks(0, 0, (10, 90))
"""Its job has been on host 0 since; what follows there needs not fetch."""


@pytest.mark.parametrize(
    ("attempts", "interval"),
    [
        # one on another host, or behind an end, or of a job that is new there, tells nothing
        ([*tasks(0, 0, (20, 80), (23, 80), (26, 80)), *tasks(0, 1, (24, 80))], 3),
        (tasks(0, 0, (20, 24), (23, 80), (24, 80)), 3),
        ([*tasks(0, 0, (20, 80)), *tasks(1, 0, (21, 80), (22.5, 80), (25.5, 80), (28.5, 80))], 3),
        # two of three are alike, then one of three, then none can be told
        (tasks(0, 0, (20, 80), (23, 80), (26.01, 80), (28, 80)), 3),
        (tasks(0, 0, (20, 80), (23, 80), (25, 80), (26, 80)), 0),
        (tasks(0, 0, (20, 22), (23, 80)), 0),
        (tasks(0, 0, (20, 80), (20.05, 80)), 0),
    ],
)
def test_a_heartbeat_is_seen_between_starts_with_no_end_between(
    attempts: list[Attempt], interval: float
) -> None:
    log = logged([0.0, 0.0], [1.0, 1.0], [*HELD, *attempts, (1, CLEANUP, 1, 99, 100)])
    assert seen_heartbeat(log) == pytest.approx(interval, abs=0.02)


def test_jobs_wait_in_line_while_two_have_no_task() -> None:
    """Each is launched 5 s after it could be: the first two at once, then one for each that got a task."""
    firsts = [40.0, 50.0, 70.0, 90.0, 99.0]
    launch = [5.0, 5.2, 45.0, 55.0, 75.0]
    attempts = [(job, MAP, 0, first, first + 1) for job, first in enumerate(firsts)]
    pace = launch_pace(logged([0.0] * 5, launch, attempts))
    assert (pace.delay, pace.interval, pace.ahead, pace.taskless) == (5.0, 0.2, 2, 2)
    assert pace.delays == pytest.approx([5.0, 5.2, 5.0, 5.0, 5.0])
    # no waits that such a limit would explain: it is none
    alone = logged([0.0, 50, 60, 80, 90], [5.0, 55, 65, 85, 95], attempts)
    assert launch_pace(alone).ahead == 0


def test_what_a_host_is_given_at_once_is_a_setting() -> None:
    together = [attempt for host in range(2) for attempt in tasks(0, host, *(((3.0, 9.0),) * 4))]
    found = estimate_overheads(logged([0.0], [1.0], together)).at(3.0)
    assert (found.maps_per_heartbeat, found.reduces_per_heartbeat) == (4, 1)
    apart = [*tasks(0, 0, (3, 9), (3, 9)), *tasks(0, 1, (3, 9), (6, 9))]
    assert estimate_overheads(logged([0.0], [1.0], apart)).at(3.0).maps_per_heartbeat == 1
    nothing = tasks(0, 0, (3, 9))
    assert estimate_overheads(logged([0.0], [1.0], nothing)).at(3.0).maps_per_heartbeat == 1


def test_ends_known_late_are_told_from_ends_known_at_once() -> None:
    """Jobs finish 0.1 s after their last attempt."""
    log = logged([0.0], [1.0], whole_job(0, 4.0))
    assert estimate_overheads(log).at(3.0).ends_known_after == 0
    assert estimate_overheads(log).at(0.2).ends_known_after == 1
    assert estimate_overheads(log).at(0.0).ends_known_after == 0


def test_a_log_may_lack_any_of_its_times_and_its_hosts() -> None:
    firsts, launch = [40.0, 50.0, 70.0, 90.0, 99.0], [5.0, 5.2, 45.0, 55.0, 75.0]
    log = logged([0.0] * 5, launch, [(job, MAP, 0, first, first + 1) for job, first in enumerate(firsts)])
    run = log.recorded
    assert run is not None
    start, finish = np.where(run.job == 1, np.nan, run.start), run.finish.copy()
    finish[1] = np.nan
    assert launch_pace(replace(log, recorded=replace(run, start=start, finish=finish))).delay == 5
    for name in ("start", "end", "launch", "submit", "finish"):
        lacking = replace(run, **{name: np.full_like(getattr(run, name), np.nan)})
        assert estimate_overheads(replace(log, recorded=lacking))
        assert seen_heartbeat(replace(log, recorded=lacking)) == 0
    homeless = replace(log, recorded=replace(run, host=np.full_like(run.host, -1), hosts=()))
    assert estimate_overheads(homeless).overheads.hosts == 1
    assert seen_heartbeat(homeless) == 0


def test_a_setup_that_ends_before_it_starts_took_no_time() -> None:
    assert estimate_overheads(logged([0.0], [0.0], [(0, SETUP, 0, 5.0, 2.0)])).overheads.setup == 0.0


def test_waits_of_weeks_are_no_longer_than_overheads_may_be() -> None:
    weeks = 3e6
    attempts = [attempt for job in range(2) for attempt in whole_job(job, 2 * weeks + job)]
    found = estimate_overheads(logged([0.0, 1.0], [weeks, weeks + 1], attempts)).at(3.0)
    assert (found.launch_delay, found.fetch) == (LONGEST_OVERHEAD, LONGEST_OVERHEAD)
    long = estimate_overheads(logged([0.0, 1.0], [weeks, 2 * weeks], attempts)).overheads
    assert long.launch_interval == LONGEST_OVERHEAD
