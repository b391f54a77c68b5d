"""The path over stages: examples worked out by hand, and parts that add up to the end of any schedule."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.explain.stage_path import (
    NO_STAGE,
    PartKind,
    PathPart,
    StagePath,
    deciding_stages,
    path_words,
    stage_path,
    stage_waits,
)
from core.fidelity.history_schedule import history_schedule
from core.files.open_workload import open_workload
from core.measures.stage_spans import NO_JOB
from core.model.cluster import Cluster
from core.model.job import Job, Link
from core.model.schedule import PolicyChoice, Schedule
from core.model.slot_times import SlotTime
from core.model.stages import EMPTY, Edge, Stage, StageGraph
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests.core.measures.test_stage_spans import random_schedules
from tests.paths import DATA, TRACES, real_logs

if TYPE_CHECKING:
    from pathlib import Path

DIAMOND = StageGraph((0, 0, 0, 0), (Edge(0, 1, 1.0), Edge(0, 2, 1.0), Edge(1, 3, 1.0), Edge(2, 3, 1.0)))
STAGE, SLOT, CLOSED, AWAY, LOST, HELD, DRIVER, ARRIVAL = PartKind


def run(*jobs: Job, cluster: Cluster) -> Schedule:
    return simulate(Workload("test", jobs), cluster, PolicyChoice("fifo"), engine="interpreted")


def parts_of(schedule: Schedule) -> list[tuple[float, float, PartKind, int]]:
    return [(part.begin, part.end, part.kind, part.stage) for part in stage_path(schedule).parts]


def diamond(name: str, *seconds: float, **fields) -> Job:
    return Job(name, stages=tuple(Stage.of(1, each) for each in seconds), graph=DIAMOND, **fields)


def test_the_longer_branch_is_on_it() -> None:
    schedule = run(diamond("J1", 1, 4, 7, 2), cluster=Cluster(0, 0, 1.0, containers=2))
    assert parts_of(schedule) == [(0, 1, STAGE, 0), (1, 8, STAGE, 2), (8, 10, STAGE, 3)]
    assert stage_path(schedule).stages == (0, 2, 3)
    assert deciding_stages(schedule).tolist() == [True, False, True, True]


def test_on_one_slot_the_second_branch_waits_for_it() -> None:
    schedule = run(diamond("J1", 1, 4, 7, 2), cluster=Cluster(0, 0, 1.0, containers=1))
    assert parts_of(schedule) == [
        (0, 1, STAGE, 0),
        (1, 5, SLOT, 2),
        (5, 12, STAGE, 2),
        (12, 14, STAGE, 3),
    ]


def test_a_stage_whose_tasks_all_wait_meanwhile_does_not_run() -> None:
    """J1 has a task of 2 s and one of 3 s; J2, which comes at 1 s and goes first, takes 4 s."""
    jobs = Job("J1", Stage.of(2, [2.0, 3.0]), EMPTY), Job("J2", Stage.of(1, 4.0), EMPTY, arrival=1.0)
    workload = Workload("test", jobs)
    cluster = Cluster(0, 0, 1.0, containers=1)
    schedule = simulate(workload, cluster, PolicyChoice("fifo"), order=("J2", "J1"), engine="interpreted")
    assert schedule.start.tolist() == [0.0, 6.0, 2.0]
    assert parts_of(schedule) == [(0, 2, STAGE, 0), (2, 6, SLOT, 0), (6, 9, STAGE, 0)]


def test_think_times_and_arrivals_are_on_it() -> None:
    jobs = (
        Job("J1", Stage.of(1, 3.0), EMPTY, arrival=1.5),
        Job("J2", Stage.of(1, 2.0), EMPTY, after=(Link("J1", 2.5),)),
    )
    schedule = run(*jobs, cluster=Cluster(0, 0, 1.0, containers=1))
    path = stage_path(schedule)
    assert parts_of(schedule) == [
        (0.0, 1.5, ARRIVAL, NO_STAGE),
        (1.5, 4.5, STAGE, 0),
        (4.5, 7.0, DRIVER, NO_STAGE),
        (7.0, 9.0, STAGE, 2),
    ]
    assert [part.job for part in path.parts] == [0, 0, 1, 1]
    assert path.totals() == {
        STAGE: 5.0,
        SLOT: 0.0,
        CLOSED: 0.0,
        AWAY: 0.0,
        LOST: 0.0,
        HELD: 0.0,
        DRIVER: 2.5,
        ARRIVAL: 1.5,
    }


def test_a_slot_that_opens_is_waited_for() -> None:
    cluster = Cluster(0, 0, 1.0, containers=0, slot_times=(SlotTime(1, opens=6.0),))
    schedule = run(Job("J1", Stage.of(1, 3.0), EMPTY, arrival=2.0), cluster=cluster)
    assert parts_of(schedule) == [(0, 2, ARRIVAL, NO_STAGE), (2, 6, CLOSED, 0), (6, 9, STAGE, 0)]


def test_of_a_record_it_is_known_too() -> None:
    """A free slot beside a stage that waits: something held it back; the job ended later than its tasks."""
    schedule = run(diamond("J1", 1, 4, 7, 2), cluster=Cluster(0, 0, 1.0, containers=2))
    later = replace(
        schedule,
        start=np.array([0.0, 1.0, 1.0, 8.5]),
        end=np.array([1.0, 5.0, 8.0, 10.5]),
        finish=np.array([11.0]),
    )
    assert parts_of(later)[2:] == [(8.0, 8.5, HELD, 3), (8.5, 10.5, STAGE, 3), (10.5, 11.0, HELD, 3)]


def test_it_takes_a_complete_schedule() -> None:
    schedule = run(diamond("J1", 1, 4, 7, 2), cluster=Cluster(0, 0, 1.0, containers=2))
    part = replace(schedule, finish=np.array([np.inf]))
    assert not deciding_stages(part).any()
    with pytest.raises(ValueError, match="complete"):
        stage_path(part)


def test_parts_add_up_to_the_end() -> None:
    kinds = set()
    for schedule in random_schedules(11, 150):
        path = stage_path(schedule)
        begins, ends = [part.begin for part in path.parts], [part.end for part in path.parts]
        assert [*begins, schedule.makespan] == [0.0, *ends] or schedule.makespan == 0
        assert all(part.seconds > 0 for part in path.parts)
        assert sum(path.totals().values()) == pytest.approx(schedule.makespan, abs=1e-9)
        kinds |= {part.kind for part in path.parts}
    assert kinds >= {STAGE, SLOT, DRIVER, ARRIVAL}


def test_what_a_stage_waited_for() -> None:
    """J1 has two slots until 1 s, the second of J2's stages of 4 and 7 s gets one of them at 5 s."""
    jobs = diamond("J1", 1, 4, 7, 2), diamond("J2", 1, 1, 1, 1, after=(Link("J1", 2.5),))
    schedule = run(*jobs, cluster=Cluster(0, 0, 1.0, containers=1))
    root, second, last, follower = (stage_waits(schedule, stage) for stage in (0, 2, 3, 4))
    assert (root.ready, root.parent, root.job_before, root.waits) == (0.0, NO_STAGE, NO_JOB, ())
    assert (second.ready, second.parent) == (1.0, 0)
    assert [(part.begin, part.end, part.kind) for part in second.waits] == [(1.0, 5.0, SLOT)]
    assert (last.ready, last.parent, last.waits) == (12.0, 2, ())
    assert (follower.ready, follower.job_before, follower.think) == (16.5, 0, 2.5)


def test_words_of_a_path_add_up() -> None:
    parts = [(0, 1.24, ARRIVAL), (1.24, 17.68, STAGE), (17.68, 19.16, SLOT), (19.16, 22.25, DRIVER)]
    path = StagePath(tuple(PathPart(*part, job=0) for part in parts), ())
    assert (
        path_words(path) == "stages run 16.4 s, driver 3.1 s, wait for slots 1.5 s, before an arrival 1.2 s"
    )
    longer = StagePath(tuple(PathPart(7 * begin, 7 * end, kind, 0) for begin, end, kind in parts), ())
    assert path_words(longer).startswith("stages run 1 min 55 s, driver 22 s, wait for slots 10 s, before")
    for seed in range(50):
        times = np.sort(np.random.default_rng(seed).uniform(0, 59, 5))
        kinds = (ARRIVAL, STAGE, SLOT, DRIVER, HELD)
        bounds = zip([0.0, *times[:-1]], times, kinds, strict=True)
        words = path_words(StagePath(tuple(PathPart(*part, job=0) for part in bounds), ()))
        figures = [float(part.split()[-2]) for part in words.split(", ")]
        assert sum(figures) == pytest.approx(round(float(times[-1]), 1))


def test_a_stage_on_it_runs_in_its_parts() -> None:
    """In a part of a stage one of its tasks runs at any time; in a wait none does."""
    for schedule in random_schedules(12, 80):
        stage = schedule.workload.columns.stage
        for part in stage_path(schedule).parts:
            if part.stage != NO_STAGE:
                tasks = np.flatnonzero(stage == part.stage)
                for time in np.linspace(part.begin, part.end, 9)[1:-1]:
                    runs = (schedule.start[tasks] <= time) & (time < schedule.end[tasks])
                    assert runs.any() == (part.kind is STAGE), (part, time)


def naive_driver_waits(schedule: Schedule, workload: Workload) -> list[tuple[float, float]]:
    """Return the driver's times on the way to the end of a record, walked by names."""
    finish = {job.name: float(end) for job, end in zip(schedule.workload.jobs, schedule.finish, strict=True)}
    came = {job.name: job.arrival for job in schedule.workload.jobs}
    after = {job.name: [link.job for link in job.after] for job in workload.jobs}
    name, waits = max(finish, key=finish.__getitem__), []
    while before := [each for each in after[name] if finish[each] <= came[name]]:
        last = max(before, key=finish.__getitem__)
        waits.append((finish[last], came[name]))
        name = last
    return waits[::-1]


REAL = real_logs("spark-truth/chain-N8.eventlog.gz", "spark-truth/dag-N4.eventlog.gz")
LOGS = [DATA / "spark.log", *(TRACES / name for name in REAL)]


@pytest.mark.parametrize(
    "path", [DATA / "spark.log", *(TRACES / name for name in LOGS)], ids=lambda p: p.name
)
def test_the_path_of_a_record_goes_by_what_its_driver_waited_for(path: Path) -> None:
    workload = open_workload(path).workload
    assert workload.recorded is not None
    schedule = history_schedule(workload, workload.recorded)
    parts = stage_path(schedule).parts
    assert all(one.end == other.begin for one, other in pairwise(parts))
    assert (parts[0].begin, parts[-1].end) == (0.0, schedule.makespan)
    waits = [(part.begin, part.end) for part in parts if part.kind is DRIVER]
    assert waits == [
        pytest.approx(each) for each in naive_driver_waits(schedule, workload) if each[0] < each[1]
    ]
    assert not any(part.kind is ARRIVAL for part in parts[1:])
