"""Stepping through a schedule: against a plain list of everything that happens."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.measures.event_times import (
    decisions_at,
    next_decision,
    next_event,
    place_of_start,
    previous_decision,
    previous_event,
)
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice, Schedule
from core.model.workload import Job, Stage, Workload
from core.simulation.simulate import simulate


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
    forward, at = [], next_event(schedule, -1.0)
    while at is not None:
        forward.append(at)
        at = next_event(schedule, at)
    backward, at = [], previous_event(schedule, float("inf"))
    while at is not None:
        backward.append(at)
        at = previous_event(schedule, at)
    assert forward == times
    assert backward == times[::-1]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_stepping_through_decisions_meets_every_start_in_order(seed):
    schedule = schedule_of(seed)
    starts = schedule.start[schedule.sequence].tolist()
    forward, place = [], next_decision(schedule, -1.0)
    while place is not None:
        forward.append(place)
        place = next_decision(schedule, *place)
    backward, place = [], previous_decision(schedule, float("inf"))
    while place is not None:
        backward.append(place)
        place = previous_decision(schedule, *place)
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
    following = next_decision(schedule, seconds)
    assert following == ((min(later), 0) if later else None)
