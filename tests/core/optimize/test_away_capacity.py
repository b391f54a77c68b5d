"""The bound where nodes fail, return and run slower: by hand, second by second, and below every schedule."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.event_nodes import down_spans, speed_before
from core.model.job import Job
from core.model.node_events import NodeEvent, NodeEvents
from core.model.stages import EMPTY, Stage
from core.model.workload import Workload
from core.optimize.away_capacity import away_windows, capacity_of, slots_of
from core.optimize.bounds import lower_bound, makespan_bound
from core.optimize.stage_demands import Demands, Machine, Pieces
from tests.core.engine.test_failures import CHOICES
from tests.core.engine.test_failures import _known as _known
from tests.core.simulation.test_fork_with_events import drawn, whole

STEP = 1 / 8


def test_one_of_two_nodes_is_away_at_first() -> None:
    """40 s of maps: M2 alone until 10 s, then both, M1 at half its speed from 20 s on."""
    happen = (NodeEvent(0.0, 0), NodeEvent(10.0, 0, "returns"), NodeEvent(20.0, 0, "speed", 0.5))
    workload = Workload("one", (Job("A", Stage.of(4, 10.0), EMPTY),))
    cluster = Cluster(2, 0, events=NodeEvents(2, happen))
    capacity = capacity_of(cluster, Demands.of(workload, cluster, lends=False, scans=None).machines[0])
    assert capacity.rate.tolist() == [1.0, 0.5, 1.0, 0.75]
    assert [capacity.by(each) for each in (5.0, 10.0, 15.0, 24.0)] == [2.5, 5.0, 10.0, 18.0]
    assert capacity.earliest(np.array([2.5, 5.0, 18.0])).tolist() == [5.0, 10.0, 24.0]
    bound = makespan_bound(workload, cluster)
    assert bound.seconds == pytest.approx(20 + 5 / 0.75)
    assert bound.why == "the maps need all that is there of 2 map slots until 27 s"
    assert lower_bound(workload, replace(cluster, events=None)) == 20


def test_what_can_never_be_done_says_nothing() -> None:
    cluster = Cluster(2, 0, events=NodeEvents(1, (NodeEvent(5.0, 0),)))
    workload = Workload("one", (Job("A", Stage.of(4, 10.0), EMPTY),))
    assert lower_bound(workload, cluster) == 20


def test_a_spare_second_of_capacity_never_counts_twice() -> None:
    """What can have been done by a time, and when so much can have been, are each other's opposite."""
    for _, cluster, _ in drawn(61, 16):
        if cluster.has_nodes:
            continue
        machine = Machine((1 / cluster.slots, 1 / cluster.slots), cluster.slots, "all slots")
        capacity = capacity_of(cluster, machine)
        for time in np.arange(0.0, 24.0, 1.75).tolist():
            work = capacity.by(time)
            assert work == pytest.approx(plain_capacity(cluster, machine, 0.0, time), abs=1e-9)
            then = float(capacity.earliest(np.array([work]))[0])
            assert then <= time + 1e-9
            assert capacity.by(then) == pytest.approx(work)


def plain_capacity(cluster: Cluster, machine: Machine, begin: float, end: float) -> float:
    """Sum what each slot does, step by step."""
    away, whole_work = down_spans(cluster), 0.0
    slots = range(cluster.slots)[slots_of(cluster, machine)]
    for middle in np.arange(begin + STEP / 2, end, STEP).tolist():
        gone = set(away.slot[(away.begin <= middle) & (middle < away.end)].tolist())
        whole_work += STEP * sum(speed_before(cluster, slot, middle) for slot in slots if slot not in gone)
    return whole_work / machine.slots


def plain_due(kinds: tuple[Pieces, ...], machine: Machine, begin: float, rest: float) -> float:
    """Sum task by task what must be done from a time on, by so long before the end."""
    due = 0.0
    for pieces in kinds:
        left, share = pieces.left_at(begin), machine.shares[pieces.task_type]
        for length, group in zip(left.lengths.tolist(), left.group.tolist(), strict=True):
            due += share * min(length, max(0.0, length + float(left.tails[group]) - rest))
        due += share * float(left.fluid[left.tails >= rest].sum())
    return due


def test_windows_are_what_a_plain_sum_says() -> None:
    compared = 0
    for workload, cluster, _ in drawn(62, 16):
        if cluster.has_nodes:
            continue
        demands = Demands.of(workload, cluster, lends=False, scans=None)
        stages = demands.stages_to_the_end
        for machine in demands.machines:
            if not machine.slots:
                continue
            capacity = capacity_of(cluster, machine)
            for window, is_backwards in away_windows(stages, machine, capacity):
                until = window.begin + window.busy
                kinds, begin, rest = stages, window.begin, window.rest
                if is_backwards:
                    kinds, begin, rest = tuple(each.mirrored for each in stages), 0.0, window.begin
                due = plain_due(kinds, machine, begin, rest)
                could = plain_capacity(cluster, machine, window.begin, min(until, 60.0))
                assert until > 60 or could == pytest.approx(due, abs=1.01 * STEP)
                compared += window.busy > 0
    assert compared > 20


def test_no_schedule_is_shorter() -> None:
    """And on most drawn nights it says more than slots that are always there."""
    compared = better = 0
    for workload, cluster, _ in drawn(63, 40):
        bound = lower_bound(workload, cluster)
        plain = lower_bound(workload, replace(cluster, events=None))
        assert bound >= plain
        for choice in CHOICES:
            schedule = whole(workload, cluster, choice)
            if schedule is not None:
                assert bound <= schedule.makespan * (1 + 1e-9)
                compared, better = compared + 1, better + (bound > plain * 1.001)
    assert compared > 80
    assert better > compared / 3
