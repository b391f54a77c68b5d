"""When stages run and which jobs form threads, against hand-worked examples and plain loops."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from core.measures.stage_spans import NO_JOB, driver_threads, followed_jobs, stage_spans
from core.model.cluster import Cluster
from core.model.errors import StalledError
from core.model.job import Job, Link
from core.model.schedule import PolicyChoice, Schedule
from core.model.stages import EMPTY, Edge, Stage, StageGraph
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests.core.engine.slow_graphs import linked, random_workload

CHAIN = StageGraph((0, 0, 0), (Edge(0, 1, 1.0), Edge(1, 2, 1.0)))


def run(*jobs: Job, slots: int = 2) -> Schedule:
    cluster = Cluster(0, 0, 1.0, containers=slots)
    return simulate(Workload("test", jobs), cluster, PolicyChoice("fifo"), engine="interpreted")


def random_schedules(seed: int, wanted: int) -> list[Schedule]:
    """Return schedules of random graphs with links, those whose fillers hold all slots left out."""
    draw, found = np.random.default_rng(seed), []
    while len(found) < wanted:
        workload = linked(random_workload(draw), draw)
        maps, reduces = draw.integers(1, 5, 2).tolist()
        cluster = Cluster(maps, reduces, float(draw.integers(0, 3)) / 2)
        try:
            found.append(simulate(workload, cluster, PolicyChoice("fifo"), engine="interpreted"))
        except StalledError:
            continue
    return found


def test_a_stage_is_ready_when_its_parents_have_ended() -> None:
    graph = StageGraph((0, 0), (Edge(0, 1, 1.0),))
    job = Job("J1", arrival=2.0, stages=(Stage.of(2, [3.0, 5.0]), Stage.of(1, 1.0)), graph=graph)
    spans = stage_spans(run(job))
    assert spans.ready.tolist() == [2.0, 7.0]
    assert spans.start.tolist() == [2.0, 7.0]
    assert spans.end.tolist() == [7.0, 8.0]


def test_a_stage_without_tasks_ends_when_it_is_ready() -> None:
    job = Job("J1", stages=(Stage.of(1, 3.0), EMPTY, Stage.of(1, 2.0)), graph=CHAIN)
    spans = stage_spans(run(job))
    assert spans.start[1] == 3.0
    assert spans.end.tolist() == [3.0, 3.0, 5.0]


def test_spans_are_those_of_plain_loops() -> None:
    for schedule in random_schedules(20261126, 60):
        spans, task, known = stage_spans(schedule), 0, {}
        for j, job in enumerate(schedule.workload.jobs):
            for k, stage in enumerate(job.stages):
                tasks = range(task, task + stage.count)
                task += stage.count
                ready = max([schedule.arrival[j], *(known[j, p][1] for p in job.graph.parents(k))])
                starts, ends = ([each[i] for i in tasks] for each in (schedule.start, schedule.end))
                known[j, k] = (min(starts, default=ready), max(ends, default=ready), ready)
        assert list(zip(spans.start, spans.end, spans.ready, strict=True)) == list(known.values())


def test_a_thread_goes_on_with_the_job_that_came_first() -> None:
    one = Stage.of(1, 1.0), EMPTY
    j1, j4 = Job("J1", *one), Job("J4", *one, after=(Link("J3"),))
    j2, j3 = Job("J2", *one, after=(Link("J1", 1.0),)), Job("J3", *one, after=(Link("J1", 2.0),))
    schedule = run(j1, j2, j3, j4, Job("J5", *one, arrival=9.0))
    assert followed_jobs(schedule).tolist() == [NO_JOB, 0, 0, 2, NO_JOB]
    assert driver_threads(schedule) == ((0, 1), (2, 3), (4,))


def test_a_job_with_a_later_time_of_its_own_is_in_no_thread() -> None:
    one = Stage.of(1, 1.0), EMPTY
    schedule = run(Job("J1", *one), Job("J2", *one, arrival=7.0, after=(Link("J1", 2.0),)))
    assert followed_jobs(schedule).tolist() == [NO_JOB, NO_JOB]
    assert driver_threads(schedule) == ((0,), (1,))


def test_threads_have_every_job_once_and_follow_links() -> None:
    lengths = set()
    for schedule in random_schedules(3, 100):
        threads, arrival = driver_threads(schedule), schedule.arrival
        assert sorted(job for thread in threads for job in thread) == list(range(len(arrival)))
        begins = [(arrival[thread[0]], thread[0]) for thread in threads]
        assert begins == sorted(begins)
        names = [job.name for job in schedule.workload.jobs]
        for thread in threads:
            lengths.add(len(thread))
            for before, job in pairwise(thread):
                think = {link.job: link.think for link in schedule.workload.jobs[job].after}
                assert arrival[job] == schedule.finish[before] + think[names[before]]
    assert lengths >= {1, 2, 3}
