"""How true simulations are, estimated from a log that the engine itself made."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.fidelity.fidelity import check_fidelity
from core.fidelity.overheads_estimate import estimate_overheads, launch_pace
from core.model.cluster import Cluster, Overheads
from core.model.errors import Cancelled, InputError
from core.model.execution_history import CLEANUP, SETUP, RecordedRun
from core.model.schedule import PolicyChoice
from core.model.workload import Job, Stage, Workload
from core.simulation.simulate import simulate

TRUE = Overheads(setup=1.5, cleanup=1.0, fetch=1.8, heartbeat=3.0, hosts=4)


def recorded_workload() -> Workload:
    """Return jobs that ran with known overheads, as a log would tell it."""
    random = np.random.default_rng(3)
    jobs = tuple(
        Job(
            f"J{i}",
            Stage.of(int(random.integers(1, 12)), random.uniform(2, 5, 5)),
            Stage.of(2, 4.0),
            arrival=9.0 * i,
        )
        for i in range(12)
    )
    workload = Workload("log", jobs, Cluster(8, 4))
    schedule = simulate(workload, replace(workload.cluster, overheads=TRUE), PolicyChoice("fifo"))
    launch = workload.columns.arrival
    count = len(jobs)
    setup_start = launch + TRUE.heartbeat / (2 * TRUE.hosts) + TRUE.fetch
    start = np.concatenate([setup_start, schedule.finish - TRUE.cleanup])
    end = np.concatenate([setup_start + TRUE.setup, schedule.finish])
    nothing = np.full(2 * count, np.nan)
    run = RecordedRun(
        jobs=tuple(job.name for job in jobs),
        titles=("",) * count,
        hosts=tuple(f"h{i}" for i in range(TRUE.hosts)),
        submit=launch - 2.0,
        launch=launch.copy(),
        finish=schedule.finish.copy(),
        job=np.tile(np.arange(count, dtype=np.int32), 2),
        kind=np.repeat(np.array([SETUP, CLEANUP], np.int8), count),
        task=np.full(2 * count, -1, np.int32),
        counts=np.zeros(2 * count, np.bool_),
        outcome=np.zeros(2 * count, np.int8),
        host=np.zeros(2 * count, np.int32),
        start=start,
        shuffle_end=nothing,
        sort_end=nothing.copy(),
        end=end,
    )
    return replace(workload, recorded=run)


def test_overheads_are_found_again() -> None:
    workload = recorded_workload()
    assert estimate_overheads(workload, 3.0) == replace(TRUE, hosts=4)
    assert launch_pace(workload) == (2, 0)
    checked = check_fidelity(workload)
    assert checked.overheads == TRUE
    best = checked.replays[-1]
    assert best.largest_error < 1e-9
    assert best.far_off == ()
    assert [replay.title for replay in checked.replays] == ["mumak", "simmr", "simmr with overheads"]
    assert checked.replays[1].mean_error > 0.2
    assert len(checked.replays[1].far_off) > 3


def test_the_pace_of_launches_is_seen_while_jobs_wait_for_theirs() -> None:
    run = recorded_workload().recorded
    assert run is not None
    submit = np.array([0.0, 0.1, 0.2, 0.3, 100.0, 200.0, 200.1, 205.0, 400.0, 400.1, 400.2, 600.0])
    launch = np.array([5.0, 10.0, 10.0, 20.0, 104.0, 206.0, 211.0, 216.0, 404.0, 409.0, 500.0, 605.0])
    workload = replace(recorded_workload(), recorded=replace(run, submit=submit, launch=launch))
    # alone: 5, 4, 6, 4 and 5 s; apart: 5, 0, 10, 5, 5 and 5 s, and 91 s, in which the cluster stood still
    assert launch_pace(workload) == (5.0, 5.0)
    nowhere = replace(run, launch=np.full(12, np.nan))
    assert launch_pace(replace(workload, recorded=nowhere)) == (0, 0)


def test_given_overheads_are_checked_as_they_are() -> None:
    given = replace(TRUE, heartbeat=1.0)
    seen: list[float] = []
    checked = check_fidelity(recorded_workload(), overheads=given, progress=seen.append)
    assert checked.overheads == given
    assert checked.replays[-1].cluster.overheads == given
    assert seen == [1 / 3, 2 / 3, 1]
    assert checked.replays[-1].mean_error > 0.005


def test_clusters_with_containers_have_no_overheads() -> None:
    workload = recorded_workload()
    untyped = replace(workload, cluster=Cluster(0, 0, containers=12))
    checked = check_fidelity(untyped, overheads=TRUE)
    assert [replay.title for replay in checked.replays] == ["mumak", "simmr"]


def test_progress_and_cancel() -> None:
    seen: list[float] = []
    with pytest.raises(Cancelled):
        check_fidelity(recorded_workload(), progress=seen.append, should_stop=lambda: len(seen) == 4)
    assert len(seen) == 4


def test_a_workload_without_a_log_is_refused() -> None:
    with pytest.raises(InputError, match="does not say what really ran"):
        check_fidelity(Workload("w", (Job("J1", Stage.of(1, 1.0)),)))
