"""How many maps a host is given at once, on logs made by hand and on simulations that know it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.fidelity.log_replays import LogReplays, Work
from core.fidelity.maps_given_together import maps_given_together
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.overheads import Overheads
from core.model.recorded_run import RecordedRun
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE, SETUP
from core.model.workload import Workload
from core.simulation.simulate import simulate

Attempt = tuple[int, int, int, float, float]
"""Job, kind, host, start and end."""


def run_of(attempts: list[Attempt]) -> RecordedRun:
    job, kind, host, start, end = map(list, zip(*attempts, strict=True))
    jobs, count = max(job) + 1, len(attempts)
    nothing = np.full(count, np.nan)
    return RecordedRun(
        jobs=tuple(f"J{j}" for j in range(jobs)),
        titles=("",) * jobs,
        hosts=tuple(f"h{h}" for h in range(max(host) + 1)),
        submit=np.zeros(jobs),
        launch=np.zeros(jobs),
        finish=np.full(jobs, max(end)),
        job=np.array(job, np.int32),
        kind=np.array(kind, np.int8),
        task=np.full(count, -1, np.int32),
        counts=np.zeros(count, np.bool_),
        outcome=np.zeros(count, np.int8),
        host=np.array(host, np.int32),
        start=np.array(start, float),
        shuffle_end=nothing,
        sort_end=nothing.copy(),
        end=np.array(end, float),
    )


SETUP_OF_0: Attempt = (0, SETUP, 3, 1.0, 2.0)


def maps(host: int, *starts: float, job: int = 0, end: float = 90.0) -> list[Attempt]:
    return [(job, MAP, host, start, end) for start in starts]


@pytest.mark.parametrize(
    ("attempts", "expected"),
    [
        # all at once, within a heartbeat of the setup's end: as many as were given
        ([*maps(0, 4.1, 4.1, 4.15, 4.1), *maps(1, 2.0, 2.02, 2.0, 2.0)], 4),
        # one, and the next with the next heartbeat
        ([*maps(0, 4.1, 7.1, 10.1), *maps(1, 2.0, 5.0)], 1),
        # more than a heartbeat after the setup: they may have waited for what is fetched
        ([*maps(0, 5.1, 5.1), *maps(1, 6.0, 6.0)], 0),
        # something ended on the host since the setup, so that it asked twice
        ([*maps(0, 4.1, 4.1), (1, REDUCE, 0, 1.0, 3.0)], 0),
        # what ended there before does not matter
        ([*maps(0, 4.1, 4.1), (1, REDUCE, 0, 1.0, 2.0)], 2),
        # a host with one free slot cannot begin two: it shows nothing, whatever it begins later
        ([*maps(0, 0.0, job=1), *maps(0, 4.1), *maps(0, 95.0), (0, MAP, 1, 4.0, 9.0)], 0),
        ([*maps(0, 0.0, job=1), *maps(0, 4.1, 7.1)], 1),
        # a single map of the job shows nothing either
        ([*maps(0, 4.1), *maps(1, 4.2)], 0),
        # of four hosts one may have begun fewer, of three none
        ([*maps(0, 4.1, 4.1), *maps(1, 4, 4, 4), *maps(2, 4, 4), *maps(3, 4, 8), *maps(4, 3, 3)], 3),
        ([*maps(0, 4.1, 4.1), *maps(1, 4, 4, 4), *maps(2, 4, 8)], 1),
    ],
)
def test_what_a_host_begins_when_it_asked_once_it_was_given_at_once(
    attempts: list[Attempt], expected: int
) -> None:
    assert maps_given_together(run_of([SETUP_OF_0, *attempts])) == expected


def test_without_a_setup_a_job_is_ready_at_its_launch() -> None:
    assert maps_given_together(run_of([*maps(0, 2.0, 2.0), *maps(1, 3.0, 3.0)])) == 2
    assert maps_given_together(run_of([*maps(0, 2.0, 5.0), *maps(1, 4.0, 4.0)])) == 1
    assert maps_given_together(run_of([*maps(0, 40.0, 40.0)])) == 0
    unknown = replace(run_of(maps(0, 2.0, 2.0)), launch=np.array([np.nan]))
    assert maps_given_together(unknown) == 2
    assert maps_given_together(replace(unknown, submit=np.array([np.nan]))) == 0
    assert maps_given_together(run_of([(0, REDUCE, 0, 1.0, 2.0)])) == 0
    assert maps_given_together(run_of([(0, MAP, -1, 1.0, 2.0), (0, MAP, 0, np.nan, 2.0)])) == 0


HOSTS, SLOTS = 6, 4


def simulated(seed: int, overheads: Overheads) -> Workload:
    """Return a workload with a record of what it does with these overheads: it knows what hosts are given."""
    draw = np.random.default_rng(seed)
    counts = draw.integers(3, 40, 6).tolist()
    jobs = tuple(
        Job(f"J{i}", Stage.of(count, draw.uniform(5, 30, count)), Stage.of(0, 1.0), arrival=40.0 * i)
        for i, count in enumerate(counts)
    )
    workload = Workload("log", jobs, Cluster(HOSTS * SLOTS, HOSTS))
    schedule = simulate(workload, replace(workload.cluster, overheads=overheads), PolicyChoice("fifo"))
    owner = workload.columns.job
    rows = [
        (int(owner[i]), MAP, int(schedule.slot[i]) // SLOTS, float(schedule.start[i]), float(schedule.end[i]))
        for i in range(schedule.tasks)
    ]
    launch = workload.columns.arrival
    return replace(workload, recorded=replace(run_of(rows), submit=launch, launch=launch))


@pytest.mark.parametrize("given", [1, 2, SLOTS])
@pytest.mark.parametrize("fetch", [0.0, 1.6, 2.5, 2.95, 5.0, 8.0])
def test_it_is_found_again_in_simulations_however_long_hosts_fetch(given: int, fetch: float) -> None:
    """Two or more that began together were once taken for given together where hosts fetch for 5 s."""
    spent = Overheads(heartbeat=3.0, hosts=HOSTS, fetch=fetch, maps_per_heartbeat=given)
    runs = [simulated(seed, spent).recorded for seed in range(3)]
    found = {maps_given_together(run) for run in runs if run is not None}
    assert found == ({given} if fetch <= 2.5 else {0})


def test_a_log_is_replayed_with_what_its_own_hosts_are_given() -> None:
    spent = Overheads(heartbeat=3.0, hosts=HOSTS, fetch=1.0, maps_per_heartbeat=SLOTS)
    log = LogReplays(simulated(1, spent), "fifo", Work())
    lent = replace(spent, maps_per_heartbeat=1, hosts=9)
    assert log.replay(lent).cluster.overheads == spent
    assert log.mean_error(lent) == log.mean_error(spent)
