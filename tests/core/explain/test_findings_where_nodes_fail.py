"""Idle slots, findings and differences where nodes fail: against plain counts between events."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.explain.all_differences import all_differences, difference_sentences, summary_of
from core.explain.lint import lint
from core.explain.lints.finding import NO_SLOT, Limits
from core.explain.lints.idle_slots import IdleCause, idle_gap, idle_reasons, idle_times
from core.explain.lints.starvation import _long_waits
from core.explain.slots import occupancies_of
from core.explain.start_cause import NO_TASK, ready_times
from core.model.cluster import Cluster
from core.model.event_nodes import down_spans
from core.model.lost_attempts import eras_of
from core.model.schedule import PolicyChoice
from core.model.task_types import TASK_TYPES
from core.simulation.simulate import simulate
from tests.core.engine.test_failures import CHOICES, ONE, TWICE
from tests.core.engine.test_failures import _known as _known
from tests.core.explain.test_paths_where_nodes_fail import attempts_of
from tests.core.simulation.test_fork_with_events import drawn, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.model.schedule import Schedule


def some(seed: int, count: int) -> Iterator[Schedule]:
    """Yield schedules of policies that never decline, on slots and not on memory and cores."""
    for place, (workload, cluster, _) in enumerate(drawn(seed, count)):
        if not cluster.has_nodes:
            schedule = whole(workload, cluster, CHOICES[place % len(CHOICES)])
            if schedule is not None and schedule.makespan > 0:
                yield schedule


def moments(schedule: Schedule) -> list[tuple[float, float]]:
    """Return the middle of each stretch in which nothing happens, up to the end, and its length."""
    away, edges = down_spans(schedule.cluster), [schedule.makespan, *schedule.arrival, 0.0]
    edges += [time for each in attempts_of(schedule) for time in (each.start, each.end)]
    edges += [*away.begin.tolist(), *away.end.tolist(), *eras_of(schedule).lost_at, *ready_times(schedule)]
    times = sorted({each for each in edges if each <= schedule.makespan})
    return [((one + other) / 2, other - one) for one, other in pairwise(times)]


def idle_at(schedule: Schedule, time: float) -> list[int]:
    """Return the slots that run nothing at a time and are there."""
    away = down_spans(schedule.cluster)
    gone = set(away.slot[(away.begin <= time) & (time < away.end)].tolist())
    busy = {each.slot for each in attempts_of(schedule) if each.start <= time < each.end}
    return [slot for slot in range(schedule.cluster.slots) if slot not in gone | busy]


def waiting_at(schedule: Schedule, time: float) -> list[int]:
    """Return how many tasks of each stage have not started, or have been lost, at a time."""
    until = {(each.task, each.start): np.inf for each in attempts_of(schedule)}
    history = schedule.given_up
    if history is not None and history.given_up is not None:
        for part, task in enumerate(history.given_up.task.tolist()):
            until[task, float(history.run.start[part])] = float(eras_of(schedule).lost_at[part])
    begun = {task for (task, start), end in until.items() if start <= time < end}
    stage = schedule.workload.columns.stage
    left = np.delete(stage, sorted(begun))
    return np.bincount(left, minlength=len(schedule.workload.columns.stages.job)).tolist()


def test_a_slot_that_is_away_is_not_idle() -> None:
    """The sum over time, and what tasks wait then; a policy that never declines has no slot idle for one."""
    compared = 0
    for schedule in some(51, 40):
        stages, ready = schedule.workload.columns.stages, ready_times(schedule)
        whole_time, is_untyped = [0.0, 0.0], schedule.cluster.has_containers
        for time, seconds in moments(schedule):
            idle, waiting = idle_at(schedule, time), waiting_at(schedule, time)
            for kind in TASK_TYPES[: 1 + (not is_untyped)]:
                own = [slot for slot in idle if is_untyped or schedule.cluster.slot_type(slot) == kind]
                whole_time[kind] += seconds * len(own)
                wanted = is_untyped | (stages.task_type == kind)
                assert not own or not (np.array(waiting)[wanted & (ready <= time)] > 0).any()
        for found in idle_times(schedule):
            slots = slots_of(schedule, found.kind)
            assert found.total * slots == pytest.approx(whole_time[found.kind], abs=1e-6)
            assert IdleCause.DECLINED not in found.seconds
            compared += 1
    assert compared > 30


def slots_of(schedule: Schedule, kind: int) -> int:
    groups = {each.group.kinds[0]: each.group.slots for each in occupancies_of(schedule)}
    return len(groups[kind])


def test_each_gap_of_a_slot_is_what_it_runs_nothing_in() -> None:
    compared = away = 0
    for schedule in some(52, 15):
        groups = [each.group.slots for each in occupancies_of(schedule)]
        for time, _ in moments(schedule)[::3]:
            idle = idle_at(schedule, time)
            for slot in range(schedule.cluster.slots):
                gap = idle_gap(schedule, slot, time)
                assert (gap is not None) == (slot in idle)
                if gap is None:
                    away += not any(
                        each.slot == slot and each.start <= time < each.end for each in attempts_of(schedule)
                    )
                    continue
                assert gap.begin <= time < gap.end
                edges = [each for each in moments(schedule) if gap.begin < each[0] < gap.end]
                assert all(slot in idle_at(schedule, middle) for middle, _ in edges)
                if any(slot in group for group in groups):
                    assert idle_reasons(schedule, slot, gap.begin, gap.end)
                compared += 1
    assert compared > 100
    assert away > 20


def test_long_waits_are_those_of_a_plain_count() -> None:
    """A stage waits where one of its tasks is ready and none of them runs, however often that was lost."""
    compared = 0
    for schedule in some(53, 25):
        stages, ready = schedule.workload.columns.stages, ready_times(schedule)
        allowed = np.zeros(len(schedule.workload.jobs))
        found = [
            (job, begin, end)
            for kind in TASK_TYPES
            for _, begin, job, end in _long_waits(schedule, kind, ready, allowed)
        ]
        expected = [0.0] * len(allowed)
        for time, seconds in moments(schedule):
            runs = {
                int(schedule.workload.columns.stage[each.task])
                for each in attempts_of(schedule)
                if each.start <= time < each.end
            }
            for stage, waits in enumerate(waiting_at(schedule, time)):
                if waits and ready[stage] <= time and stage not in runs:
                    expected[stages.job[stage]] += seconds
        for job, seconds in enumerate(expected):
            total = sum(end - begin for of, begin, end in found if of == job)
            assert total == pytest.approx(seconds, abs=1e-6)
        compared += bool(found)
    assert compared > 5


def test_findings_are_where_and_when_they_say() -> None:
    seen = 0
    for schedule in some(54, 20):
        for finding in lint(schedule, Limits(starvation_multiple=0.1, least_share=0.0)):
            assert 0 <= finding.begin < finding.end <= schedule.makespan
            assert finding.cost > 0
            if finding.slot != NO_SLOT and "idle" in finding.sentence:
                assert idle_gap(schedule, finding.slot, finding.begin) is not None
            seen += 1
    assert seen > 50


def test_policies_that_never_decline_leave_no_slot_free() -> None:
    compared = 0
    for place, (workload, cluster, _) in enumerate(drawn(55, 40)):
        pair = CHOICES[place % 2], CHOICES[2 + place % 2]
        one, other = (whole(workload, cluster, choice) for choice in pair)
        if one is None or other is None or cluster.has_nodes:
            continue
        found = all_differences(one, other)
        assert (found.leaves_free == -1).all(), (one.workload, one.cluster)
        assert not len(all_differences(one, one))
        compared += len(found) > 0
        for number in range(len(found)):
            assert all(difference_sentences(found, number, one, other))
    assert compared > 5


def test_the_night_of_one_job_beside_a_quiet_one() -> None:
    cluster = Cluster(2, 1, 1.0, events=replace(TWICE, map_outputs="lost"))
    night = simulate(ONE, cluster, PolicyChoice("fifo"))
    quiet = simulate(ONE, replace(cluster, events=None), PolicyChoice("fifo"))
    assert summary_of(all_differences(quiet, night))[0] == "2 of 5 decisions differ, first at 0:00."
    maps, reduces = idle_times(night)
    assert maps.seconds == {IdleCause.NONE_LEFT: 10.0}  # M2 from 30 s, M1 from 40 s, to 45 s
    assert reduces.seconds == {IdleCause.NOT_READY: 25.0}  # R1 is away from 15 s to 30 s
    assert idle_gap(night, 2, 20.0) is None
    assert idle_gap(night, 2, 31.0) == (30, 40, NO_TASK, 4)
