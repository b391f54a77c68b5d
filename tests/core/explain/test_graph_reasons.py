"""Why tasks of graphs of stages, and of jobs that follow others, waited: sentences worked out by hand."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.explain.captions import captions
from core.explain.causes import Cause
from core.explain.critical_path import critical_path
from core.explain.lint import lint
from core.explain.lints.idle_slots import idle_sentence, idle_times
from core.explain.path_words import link_sentence
from core.explain.task_reason import task_reason
from core.explain.waiting_reason import waiting_reasons
from core.model.cluster import Cluster
from core.model.errors import StalledError
from core.model.job import Job, Link
from core.model.slot_times import SlotTime
from core.model.stages import Edge, Stage, StageGraph
from core.model.workload import Workload
from tests.builders import run
from tests.core.engine.slow_graphs import linked, random_workload

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.model.schedule import Schedule

GRAPH = StageGraph((0, 0, 0, 0), (Edge(0, 2, 1.0), Edge(1, 2, 1.0), Edge(2, 3, 1.0)))
STAGES = (Stage.of(2, 3.0), Stage.of(3, 2.0), Stage.of(2, 4.0), Stage.of(1, 5.0))
QUERY = Job("q", stages=STAGES, graph=GRAPH)
SINGLE = StageGraph((0,))
REPORT = Job("r", stages=(Stage.of(2, 3.0),), graph=SINGLE, after=(Link("q", 2.0),))
THREE = Cluster(0, 0, 1.0, containers=3)
MAP_REDUCE_WORDS = re.compile(r"\b(maps?|reduces?|slowstart)\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def schedule() -> Schedule:
    """Scans on three containers until 5 s, a join until 9 s, 5 s more; 2 s of thinking, then the report."""
    return run(Workload("queries", (QUERY, REPORT)), THREE)


def test_a_task_waited_for_a_barrier_and_the_task_that_ended_last(schedule: Schedule) -> None:
    reason = task_reason(schedule, 5)
    assert reason.why_then == (
        "Task 1 of stage 2 of q was ready at 0:05, when stage 0 and stage 1 were complete: "
        "task 3 of stage 1 of q ended last.",
        "It started at 0:05: task 3 of stage 1 of q ended, what its stage waits for was complete, "
        "and a container was free.",
    )
    assert reason.start.trigger == 4


def test_a_task_waited_for_the_driver(schedule: Schedule) -> None:
    assert task_reason(schedule, 8).why_then[0] == (
        "Task 1 of stage 0 of r was ready at 0:16, when r arrived, 2 s after q had ended: "
        "so long the driver thought."
    )


def test_a_task_waited_for_a_slot(schedule: Schedule) -> None:
    assert task_reason(schedule, 3).why_then[1:] == (
        "It waited 2 s; meanwhile the policy served 3 tasks of its own job first.",
        "It started at 0:02: task 1 of stage 1 of q ended and freed its slot.",
    )


def test_a_task_waited_for_an_executor() -> None:
    """Two containers come at 4 s: the second task of the first stage runs there."""
    workload = Workload("w", (Job("q", stages=(Stage.of(2, 6.0),), graph=SINGLE),))
    schedule = run(workload, Cluster(0, 0, containers=1, slot_times=(SlotTime(2, 4.0),)))
    assert task_reason(schedule, 1).why_then[-1] == "It started at 0:04: its slot opened."
    links = critical_path(schedule).links
    assert [(link.begin, link.end, link.cause) for link in links] == [
        (0.0, 4.0, Cause.CLOSED),
        (4.0, 10.0, Cause.WORK),
    ]


def test_stages_say_what_they_wait_for_at_a_time(schedule: Schedule) -> None:
    found = [reason.sentences for reason in waiting_reasons(schedule, 0, 2.5)]
    assert found[0] == ("Stage 0 of q has no waiting task: 0 of 2 tasks complete, 2 running.",)
    assert found[1][:2] == (
        "1 task of stage 1 of q waits: no container is free.",
        "The containers are held by q (3).",
    )
    assert found[2][0] == (
        "2 tasks of stage 2 of q wait for stage 0 (0 of 2 tasks complete) and "
        "stage 1 (1 of 3 tasks complete)."
    )
    assert found[3][0] == "1 task of stage 3 of q waits for stage 2 (0 of 2 tasks complete)."
    assert waiting_reasons(schedule, 1, 15.0)[0].sentences == (
        "r has not arrived yet; it does at 0:16, 2 s after q had ended: so long the driver thought.",
        "Its next task starts at 0:16.",
    )


def test_the_critical_path_goes_over_stages_barriers_and_think_times(schedule: Schedule) -> None:
    links = critical_path(schedule).links
    assert [(link.begin, link.end, link.cause, link_sentence(schedule, link)) for link in links] == [
        (0, 3, Cause.WORK, "task 1 of stage 0 of q runs on C1"),
        (3, 5, Cause.WORK, "task 3 of stage 1 of q runs on C1"),
        (5, 9, Cause.WORK, "task 1 of stage 2 of q runs on C1"),
        (9, 14, Cause.WORK, "task 1 of stage 3 of q runs on C1"),
        (14, 16, Cause.THINK, "The driver thinks for 2 s before it submits r"),
        (16, 19, Cause.WORK, "task 1 of stage 0 of r runs on C1"),
    ]


def test_slots_idle_for_barriers_and_for_the_driver(schedule: Schedule) -> None:
    driver, barrier, *_ = (finding.sentence for finding in lint(schedule))
    assert driver == (
        "From 0:09 to 0:16 containers idle: no job that has arrived has a task left for them; r arrives at "
        "0:16, 2 s after q had ended: so long the driver thought. That is 14 slot-seconds."
    )
    assert barrier == (
        "From 0:03 to 0:09 containers idle: no task is ready; those of stage 2 of q are the next, at 0:05, "
        "when task 3 of stage 1 of q ends. That is 7 slot-seconds."
    )


@pytest.mark.parametrize("slowstart", [0.0, 1.0])
def test_the_path_of_any_graph_adds_up_and_no_sentence_is_of_maps_and_reduces(slowstart: float) -> None:
    draw = np.random.default_rng(2026)
    looked_at = 0
    for _ in range(40):
        workload = linked(only_graphs(random_workload(draw)), draw)
        cluster = Cluster(0, 0, slowstart, containers=int(draw.integers(1, 5)))
        try:
            schedule = run(workload, cluster)
        except StalledError:
            continue
        links = critical_path(schedule).links
        assert sum(link.seconds for link in links) == pytest.approx(schedule.makespan)
        assert all(a.end == b.begin for a, b in itertools.pairwise(links))
        for sentence in sentences(schedule):
            assert not MAP_REDUCE_WORDS.search(sentence), sentence
            looked_at += 1
    assert looked_at > 1000


def only_graphs(workload: Workload) -> Workload:
    """The workload with a stage more in each job, so that none is of maps and reduces."""
    return workload.with_jobs(
        Job(
            job.name,
            stages=(*job.stages, Stage.of(1, 1.0)),
            graph=StageGraph((*job.graph.task_types, 0), (*job.graph.edges, Edge(0, len(job.stages)))),
            arrival=job.arrival,
        )
        for job in workload.jobs
    )


def sentences(schedule: Schedule) -> Iterator[str]:
    """All that is said of a schedule."""
    for task in range(len(schedule.slot)):
        reason = task_reason(schedule, task)
        yield from (*reason.why_then, *reason.why_here)
    for time in np.linspace(0, schedule.makespan, 5).tolist():
        for job in range(len(schedule.workload.jobs)):
            for waits in waiting_reasons(schedule, job, time):
                yield from waits.sentences
    yield from (finding.sentence for finding in lint(schedule))
    yield from (link_sentence(schedule, link) for link in critical_path(schedule).links)
    yield from (each.text for each in captions(schedule))
    yield idle_sentence(schedule, idle_times(schedule))
