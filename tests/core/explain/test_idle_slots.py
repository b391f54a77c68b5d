"""Idle slots: their seconds add up to all that is idle, every cause by hand, and what is said of a gap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

from core.explain.lint import lint
from core.explain.lints.finding import Limits, Rule
from core.explain.lints.idle_slots import IdleCause, idle_gap, idle_intervals, idle_reasons, idle_times
from core.explain.slots import occupancies_of
from core.explain.start_cause import NO_TASK
from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.model.task_types import MAP, REDUCE
from core.simulation.simulate import simulate
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import Case, cases
from tests.core.explain.runs import EVERY, finished
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.schedule import Schedule

EVERYTHING = Limits(least_share=0.0)


def of_sample(name: str, policy: str = "fifo") -> Schedule:
    workload = load_sample(name)
    return simulate(workload, workload.cluster, PolicyChoice(policy))


def sentences(schedule: Schedule) -> list[str]:
    return [finding.sentence for finding in lint(schedule) if finding.rule is Rule.NOTHING_TO_RUN]


@examples(25)
@given(case=cases(policies=EVERY))
def test_the_causes_add_up_to_all_that_is_idle(case: Case) -> None:
    """Capacity less the time of the tasks: computed without counting over time."""
    schedule = finished(case)
    if schedule.cluster.has_nodes:
        assert idle_times(schedule) == ()
        return
    busy = np.bincount(schedule.slot, schedule.end - schedule.start, minlength=schedule.cluster.slots)
    groups = [each.group for each in occupancies_of(schedule)]
    for idle in idle_times(schedule):
        slots = [slot for group in groups if group.kinds[0] == idle.kind for slot in group.slots]
        expected = len(slots) * schedule.makespan - sum(busy[slots])
        assert idle.total * len(slots) == pytest.approx(expected, abs=1e-6 * (1 + expected))
        costs = [
            each.cost
            for each in idle_intervals(schedule, occupancies_of(schedule), EVERYTHING)
            if each.group.kinds[0] == idle.kind
        ]
        assert sum(costs) == pytest.approx(expected, abs=1e-6 * (1 + expected))


@examples(25)
@given(case=cases(policies=EVERY))
def test_every_gap_of_every_slot_has_a_reason(case: Case) -> None:
    schedule = finished(case)
    if schedule.cluster.has_nodes or schedule.makespan == 0:
        return
    used = [each.group for each in occupancies_of(schedule)]
    for slot in (slot for group in used for slot in group.slots):
        for time in np.linspace(0, schedule.makespan, 7)[:-1].tolist():
            runs = (schedule.slot == slot) & (schedule.start <= time) & (time < schedule.end)
            gap = idle_gap(schedule, slot, time)
            assert (gap is None) == bool(runs.any())
            if gap is not None:
                assert gap[0] <= time < gap[1]
                inside = (schedule.slot == slot) & (schedule.start < gap[1]) & (schedule.end > gap[0])
                assert not (inside & (schedule.end > schedule.start)).any()
                reasons = idle_reasons(schedule, slot, gap.begin, gap.end)
                assert min(each.begin for each in reasons) == gap[0]
                assert max(each.end for each in reasons) == gap[1]


# ---- by hand


def test_fifo_on_five_jobs_idles_28_of_74_seconds() -> None:
    """Map slots are done at 43 s; reduce slots run 5 + 4 + 4 + 30 + 3 = 46 s of 74 s."""
    maps, reduces = idle_times(of_sample("five-jobs"))
    assert (maps.kind, maps.seconds) == (MAP, {IdleCause.NONE_LEFT: 31.0})
    assert (reduces.kind, reduces.seconds) == (REDUCE, {IdleCause.NOT_READY: 28.0})


def test_it_says_why_the_maps_run_later() -> None:
    """J3 is third: its maps run from 4 + 1 = 5 s to 35 s, and the reduces of J2 end at 13 s."""
    assert sentences(of_sample("five-jobs"))[1] == (
        "From 0:13 to 0:35 reduce slots idle: no reduce is ready; those of J3 are the next, at 0:35, when "
        "its map stage ends. Its maps run from 0:05 on, after 30 maps of J1 and 30 maps of J2. That is 660 "
        "slot-seconds."
    )


def test_the_thirteenth_map_leaves_two_slots_idle() -> None:
    """Three map slots, 13 maps of 1 s: 12 in four waves, the last one from 4 s on, its reduce to 6 s."""
    sample = load_sample("overlap-waves")
    schedule = run(sample.with_jobs(sample.jobs[1:]), Cluster(3, 1, 0.05))
    maps, reduces = idle_times(schedule)
    assert maps.seconds == {IdleCause.NONE_LEFT: pytest.approx(5 / 3)}
    assert reduces.total == pytest.approx(1.0)
    assert sentences(schedule)[0] == (
        "From 0:04 to 0:06 map slots idle: every map has started, the last one, map 13 of B, at 0:04. "
        "That is 5 slot-seconds."
    )


def test_a_slot_idles_until_the_next_job_arrives() -> None:
    schedule = run(
        make_workload(make_job("J1", (1, 5.0)), make_job("J2", (1, 5.0), arrival=9.0)), Cluster(1, 0)
    )
    assert sentences(schedule) == [
        "From 0:05 to 0:09 map slots idle: no job that has arrived has a map left for them; J2 arrives "
        "at 0:09. That is 4 slot-seconds."
    ]


def test_a_declined_slot_and_one_that_nothing_is_left_for() -> None:
    """At most one map of a job at a time on four slots: beside 3, 2, 1 maps that are left."""
    schedule = run(make_workload(make_job("J1", (3, 4.0))), Cluster(4, 0), "at-most")
    (maps,) = idle_times(schedule)
    assert maps.seconds == {IdleCause.DECLINED: 3.0, IdleCause.NONE_LEFT: 6.0}
    assert idle_gap(schedule, 1, 6.0) == (0, 12, NO_TASK, NO_TASK)
    told = [(each.cause, each.begin, each.end) for each in idle_reasons(schedule, 1, 0.0, 12.0)]
    assert told == [(IdleCause.NONE_LEFT, 0, 12), (IdleCause.DECLINED, 0, 8)]
    assert sentences(schedule) == [
        "From 0:00 to 0:12 map slots idle: fewer maps are left than slots idle; the last one, map 3 of J1, "
        "starts at 0:08. That is 24 slot-seconds."
    ]


def test_no_job_has_a_reduce() -> None:
    assert sentences(run(make_workload(make_job("J1", (1, 5.0))), Cluster(1, 1))) == [
        "From 0:00 to 0:05 reduce slots idle: no job has a reduce for them. That is 5 slot-seconds."
    ]


def test_slots_of_a_pool_idle_although_another_pool_still_starts_maps():
    """Small jobs start their last map at 1:00, large ones at 1:20: what is said names the pool."""
    said = " ".join(sentences(of_sample("three-pools", "balanced-pools")))
    assert "map slots of the pool Small jobs idle: fewer maps of its jobs are left than slots idle" in said
    assert "map slots of the pool Large jobs idle: every map of its jobs has started, the last one" in said
