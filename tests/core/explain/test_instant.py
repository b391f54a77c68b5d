"""The state at a time agrees with the naive twin stopped there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.explain.explanation_words import decision_words
from core.explain.instant import (
    Instant,
    JobTasks,
    decision_beside,
    decisions_at,
    event_beside,
    event_near,
    instant_at,
    instant_of,
    place_of_start,
)
from core.explain.replay import Replay
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.partition import Partition, SlotPool
from core.model.schedule import PolicyChoice, Schedule
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests import naive
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.core.engine.strategies import Case, cases
from tests.core.explain.runs import finished
from tests.random_tests import examples

KINDS = (naive.MAP, naive.REDUCE)


def compare(instant: Instant, twin: naive.Run, cluster: Cluster) -> None:
    tasks = twin.tasks()
    number = {id(task): i for i, task in enumerate(tasks)}
    on_slots = [-1 if slot.task is None else number[id(slot.task)] for slot in twin.slots]
    assert instant.slot_task.tolist() == on_slots
    free = [slot.number for slot in twin.slots if slot.task is None]
    assert sorted((*instant.free[MAP], *instant.free[REDUCE])) == free
    assert all(cluster.has_containers or slot < cluster.map_slots for slot in instant.free[MAP])
    assert instant.decision == sum(task.slot is not None for task in tasks)
    for kind, word in enumerate(KINDS):
        waiting = {
            (job.index, sum(task.slot is None for task in job.tasks(word)))
            for job in twin.jobs
            if job.next_task(word) is not None
        }
        assert {(entry.job, entry.tasks) for entry in instant.queues[kind]} == waiting
        assert instant.running[kind::2].tolist() == [job.running(word) for job in twin.jobs]
        assert instant.done[kind::2].tolist() == [
            sum(task.ended for task in job.tasks(word)) for job in twin.jobs
        ]
    fillers = [i for i, task in enumerate(tasks) if task.is_running and task.end is None]
    assert instant.fillers.tolist() == fillers


@examples(30)
@given(case=cases(), time=st.sampled_from((0.0, 0.5, 1.0, 2.0, 3.5, 4.0, 7.0, 12.0, 30.0)))
def test_agrees_with_the_naive_twin(case: Case, time: float) -> None:
    schedule = finished(case)
    twin = naive.Run(case.workload, case.cluster, case.policy, case.order).run(until=time)
    compare(instant_at(schedule, time), twin, case.cluster)


def test_pools_and_queue_order() -> None:
    workload = make_workload(
        make_job("J1", (3, 5.0), pool="red"),
        make_job("J2", (2, 5.0), pool="blue"),
        make_job("J3", (1, 5.0), pool="red"),
    )
    schedule = run(workload, Cluster(2, 1), order=("J3", "J2", "J1"))
    instant = instant_at(schedule, 0.0)
    assert instant.queues[MAP] == (JobTasks(1, 1), JobTasks(0, 3))
    assert not any(array.flags.writeable for array in (instant.slot_task, instant.running, instant.done))
    before = instant_at(schedule, -1.0)
    assert before.decision == 0
    assert before.free == ((0, 1), (2,))
    assert np.all(before.running == 0)
    assert before.queues == ((), ())


def test_pools_with_slots_of_their_own() -> None:
    """Two pools that are not the workload's; the first has one map slot of three."""
    workload = make_workload(make_job("J1", (3, 5.0)), make_job("J2", (3, 5.0)), make_job("J3", (1, 5.0)))
    partition = Partition((SlotPool("one", 1, 0, ("J2",)), SlotPool("two", 2, 0, ("J1", "J3"))))
    schedule = simulate(workload, Cluster(3, 0), PolicyChoice("fifo"), partition=partition)
    for instant in (instant_at(schedule, 7.0), instant_of(Replay(schedule).at(7.0))):
        assert instant.slot_task.tolist() == [4, 2, 6]
        assert instant.queues == ((JobTasks(1, 1),), ())


def schedule_of(seed: int) -> Schedule:
    """A few jobs with whole-numbered durations, so that much happens at the same time."""
    random = np.random.default_rng(seed)
    jobs = tuple(
        Job(
            f"J{i}",
            Stage.of(int(random.integers(1, 7)), random.integers(1, 5, 3).astype(float)),
            Stage.of(int(random.integers(0, 5)), random.integers(1, 4, 2).astype(float)),
            arrival=float(random.integers(0, 9)),
        )
        for i in range(4)
    )
    workload = Workload("steps", jobs, Cluster(3, 2, 0.5))
    return simulate(workload, workload.cluster, PolicyChoice("fair"), engine="interpreted")


def happenings(schedule: Schedule) -> list[float]:
    times = set(schedule.start.tolist()) | set(schedule.end.tolist())
    return sorted(times | {job.arrival for job in schedule.workload.jobs})


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_stepping_through_events_meets_each_of_them_once_in_both_directions(seed):
    schedule = schedule_of(seed)
    times = happenings(schedule)
    forward, at = [], event_beside(schedule, -1.0, 1)
    while at is not None:
        forward.append(at)
        at = event_beside(schedule, at, 1)
    backward, at = [], event_beside(schedule, float("inf"), -1)
    while at is not None:
        backward.append(at)
        at = event_beside(schedule, at, -1)
    assert forward == times
    assert backward == times[::-1]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_stepping_through_decisions_meets_every_start_in_order(seed):
    schedule = schedule_of(seed)
    starts = schedule.start[schedule.sequence].tolist()
    forward, place = [], decision_beside(schedule, -1.0)
    while place is not None:
        forward.append(place)
        place = decision_beside(schedule, *place)
    backward, place = [], decision_beside(schedule, float("inf"), step=-1)
    while place is not None:
        backward.append(place)
        place = decision_beside(schedule, *place, -1)
    assert [seconds for seconds, _ in forward] == starts
    assert backward == forward[::-1]
    assert [place_of_start(schedule, start) for start in range(len(starts))] == forward
    for seconds, number in forward:
        assert decisions_at(schedule, seconds) == starts.count(seconds) > number


@pytest.mark.parametrize("seconds", [0.25, 3.5, 1e6])
def test_between_events_there_is_no_decision_and_the_next_is_the_first_one_later(seconds):
    schedule = schedule_of(3)
    assert decisions_at(schedule, seconds) == 0
    later = [start for start in schedule.start.tolist() if start > seconds]
    following = decision_beside(schedule, seconds)
    assert following == ((min(later), 0) if later else None)


@pytest.mark.parametrize(("seconds", "near"), [(-9.0, 0.0), (3.9, 4.0), (4.4, 4.0), (4.6, 5.0), (1e9, 74.0)])
def test_the_event_nearest_to_a_time(seconds, near):
    assert event_near(run(two_stage_workload(FIVE_JOBS), Cluster(30, 30, slowstart=1.0)), seconds) == near


@pytest.mark.parametrize(
    ("number", "decisions", "words"),
    [
        (0, 0, ""),
        (0, 1, ", before 1 decision"),
        (0, 3, ", before 3 decisions"),
        (1, 3, ", before decision 2 of 3"),
        (3, 3, ", after 3 decisions"),
        (9, 3, ", after 3 decisions"),
    ],
)
def test_before_or_after_the_decisions_of_a_time_in_words(number, decisions, words):
    assert decision_words(number, decisions) == words
