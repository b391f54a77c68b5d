"""The linter: what is wrong by hand is found, what is right is left alone."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

from core.explain.lint import lint
from core.explain.lints import starvation
from core.explain.lints.finding import Finding, Limits, Rule
from core.explain.slots import occupancy, room_at, slot_groups
from core.explain.start_cause import ready_times
from core.files.samples import load_sample
from core.model.cluster import Cluster, ShuffleModel
from core.model.job import Job
from core.model.partition import Partition, SlotPool
from core.model.schedule import PolicyChoice, Schedule
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.simulation.fork import fork_of, simulate_fork
from core.simulation.simulate import simulate
from tests.builders import make_job, make_workload, run
from tests.core.engine.rules import reduces_allowed
from tests.core.engine.strategies import Case, cases
from tests.core.explain.runs import BUILT_IN, EVERY, SAMPLES, finished
from tests.random_tests import examples, some_jobs

if TYPE_CHECKING:
    from core.model.workload import Workload

EVERYTHING = Limits(starvation_multiple=0.0, least_share=0.0, most=1000)
"""Report whatever there is, however small."""


def found(schedule: Schedule, rule: Rule, limits: Limits = EVERYTHING) -> list[Finding]:
    return [finding for finding in lint(schedule, limits) if finding.rule is rule]


# ---- no false alarms


@examples(25)
@given(case=cases(policies=("fifo",)))
def test_fifo_wastes_nothing(case: Case) -> None:
    """It is work-conserving and serves by arrival: at the lowest limits only fillers can be in the way."""
    assert {finding.rule for finding in lint(finished(case), EVERYTHING)} <= {Rule.HOLD, Rule.NOTHING_TO_RUN}


def test_who_starts_before_a_job_is_ready_at_that_instant_does_not_overtake_it() -> None:
    """At 1 s K's reduce starts as J's second map does, which takes no time; then J's reduce is ready."""
    first = Job("J", Stage.of(2, [1.0, 0.0]), Stage.of(1, [0.0], [0.0], [2.0]))
    bare = Job("K", Stage.of(0, 0.0), Stage.of(1, [0.0], [0.0], [3.0]), arrival=1.0)
    schedule = simulate(make_workload(first, bare), Cluster(1, 1, 1.0), PolicyChoice("fifo"))
    assert schedule.start.tolist() == [0.0, 1.0, 4.0, 1.0]
    assert found(schedule, Rule.STARVATION) == []
    longer = replace(first, stages=(Stage.of(2, [0.5, 0.5]), first.stages[1]))
    taken = simulate(make_workload(longer, bare), Cluster(1, 1, 1.0), PolicyChoice("order"), order=("K", "J"))
    assert [finding.begin for finding in found(taken, Rule.STARVATION)] == [
        1.0
    ]  # it was ready, and passed over


@examples(25)
@given(case=cases(policies=("fifo", "fair", "sjf", "edf-max")))
def test_without_fillers_nothing_is_held(case: Case) -> None:
    cluster = replace(case.cluster, slowstart=1.0)
    schedule = finished(Case(case.workload, cluster, case.policy, None))
    assert {finding.rule for finding in lint(schedule, EVERYTHING)} <= {Rule.STARVATION, Rule.NOTHING_TO_RUN}


@pytest.mark.parametrize("policy", ["fifo", "johnson", "fair"])
@pytest.mark.parametrize("sample", SAMPLES)
def test_samples_with_work_conserving_policies(sample: str, policy: str) -> None:
    workload = load_sample(sample)
    schedule = simulate(workload, workload.cluster, PolicyChoice(policy), engine="compiled")
    one_overtakes = policy != "fifo" and bool(workload.columns.arrival.any())  # by whoever comes later
    expected = {Rule.HOLD, Rule.NOTHING_TO_RUN} | ({Rule.STARVATION} if one_overtakes else set())
    assert {finding.rule for finding in lint(schedule)} <= expected


@examples(25)
@given(case=cases(policies=EVERY))
def test_every_policy_gives_findings_that_make_sense(case: Case) -> None:
    schedule = finished(case)
    for finding in lint(schedule, EVERYTHING):
        assert 0 <= finding.begin < finding.end <= schedule.makespan
        assert finding.cost > 0
        assert math.isfinite(finding.cost)
        assert -1 <= finding.job < len(schedule.workload.jobs)
        assert -1 <= finding.slot < schedule.cluster.slots
        assert finding.sentence.endswith(".")


@pytest.mark.parametrize("policy", BUILT_IN)
def test_limits_leave_the_small_ones_out(policy: str) -> None:
    workload = some_jobs(load_sample("facebook"))
    schedule = simulate(workload, workload.cluster, PolicyChoice(policy), engine="compiled")
    every, few = lint(schedule, EVERYTHING), lint(schedule, Limits(most=2))
    assert set(few) <= set(every)
    for rule in Rule:
        own = [finding for finding in few if finding.rule is rule]
        assert len(own) <= 2
        assert [finding.cost for finding in own] == sorted((finding.cost for finding in own), reverse=True)


# ---- free slots and waiting tasks, by brute force


@examples(25)
@given(case=cases(policies=EVERY))
def test_occupancy_by_brute_force(case: Case) -> None:
    schedule = finished(case)
    columns, ready = schedule.workload.columns, ready_times(schedule).reshape(-1, 2)
    assert ready[:, MAP].tolist() == columns.arrival.tolist()
    for job in np.flatnonzero(columns.count[:, REDUCE]).tolist():
        assert ready[job, REDUCE] == reduces_allowed(schedule, job)
    for group in slot_groups(schedule):
        counted = occupancy(schedule, group, ready.ravel())
        assert (counted.times[0], counted.times[-1]) == (0, schedule.makespan)
        for i, time in enumerate(counted.times):
            runs = [
                task
                for task in range(schedule.tasks)
                if schedule.slot[task] in group.slots and schedule.start[task] <= time < schedule.end[task]
            ]
            left = [
                task
                for task in range(schedule.tasks)
                if columns.kind[task] in group.kinds
                and group.jobs[columns.job[task]]
                and time < schedule.start[task]
            ]
            arrived = [task for task in left if columns.arrival[columns.job[task]] <= time]
            waits = [task for task in arrived if ready[columns.job[task], columns.kind[task]] <= time]
            idle = len(group.slots) - len(runs)
            if case.cluster.has_nodes:
                idle = room_at(schedule, np.array([time]), group.kinds[0])[0]
            counts = counted.free[i], counted.waiting[i], counted.arrived[i], counted.left[i]
            assert counts == (idle, len(waits), len(arrived), len(left))


# ---- by hand


def test_an_idle_slot() -> None:
    """At most one map of a job at a time: of two slots one idles while maps 2 and 3 wait."""
    (finding,) = found(run(make_workload(make_job("J1", (3, 4.0))), Cluster(2, 1), "at-most"), Rule.IDLE_SLOT)
    assert (finding.begin, finding.end, finding.cost) == (0, 8, 8)
    assert (finding.job, finding.slot, finding.kind) == (0, 1, MAP)
    assert finding.sentence == (
        "From 0:00 to 0:08 map slots idle although tasks could run, first of all J1's. "
        "That is 8 slot-seconds."
    )


def test_a_slot_of_another_pool_is_not_idle() -> None:
    workload = make_workload(make_job("J1", (1, 5.0)), make_job("J2", (3, 5.0)))
    partition = Partition((SlotPool("one", 1, 0, ("J2",)), SlotPool("two", 2, 0, ("J1",))))
    schedule = simulate(workload, Cluster(3, 0), PolicyChoice("fifo"), partition=partition)
    assert {finding.rule for finding in lint(schedule, EVERYTHING)} == {Rule.NOTHING_TO_RUN}


def overtaken() -> Workload:
    """One slot; J1 takes 10 s alone, and behind a first job three short ones come before it under SJF."""
    return make_workload(
        make_job("J0", (1, 5.0)),
        make_job("J1", (1, 10.0), arrival=1.0),
        *(make_job(f"S{i}", (1, 8.0), arrival=2.0 + i) for i in range(3)),
    )


def test_starvation() -> None:
    schedule = run(overtaken(), Cluster(1, 0), "sjf")
    (finding,) = found(schedule, Rule.STARVATION, Limits(starvation_multiple=2.7))
    assert (finding.begin, finding.end, finding.job, finding.kind, finding.cost) == (1, 29, 1, MAP, 28)
    assert finding.sentence == (
        "J1 waits 28 s for its next map, from 0:01 to 0:29; meanwhile 3 maps of later jobs started."
    )
    assert found(schedule, Rule.STARVATION, Limits(starvation_multiple=2.8)) == []
    assert found(run(overtaken(), Cluster(1, 0), "fifo"), Rule.STARVATION) == []


def test_jobs_that_arrive_together_do_not_overtake() -> None:
    workload = overtaken().with_jobs([*overtaken().jobs, make_job("T", (1, 2.0), arrival=1.0)])
    schedule = run(workload, Cluster(1, 0), "sjf")
    (finding,) = found(schedule, Rule.STARVATION, Limits(starvation_multiple=2.0))
    assert (finding.job, finding.end) == (1, 31)
    assert "meanwhile 3 maps of later jobs started" in finding.sentence


def test_a_job_with_a_running_task_does_not_starve() -> None:
    """J1's first map runs until 20 s, its second only until 1 s; its third starts at 11 s."""
    workload = make_workload(make_job("J1", (3, [20.0, 1.0, 1.0])), make_job("J2", (10, 1.0), arrival=0.5))
    schedule = run(workload, Cluster(2, 0), "sjf")
    assert schedule.start[:3].tolist() == [0, 0, 11]
    assert found(schedule, Rule.STARVATION) == []


def test_nobody_starves_for_jobs_of_another_pool() -> None:
    workload = make_workload(
        make_job("J0", (1, 10.0)),
        make_job("J1", (1, 1.0), arrival=1.0),
        make_job("J2", (1, 1.0), arrival=2.0),
    )
    partition = Partition((SlotPool("one", 1, 0, ("J0", "J1")), SlotPool("two", 1, 0, ("J2",))))
    schedule = simulate(workload, Cluster(2, 0), PolicyChoice("fifo"), partition=partition)
    assert schedule.start.tolist() == [0, 10, 2]
    assert found(schedule, Rule.STARVATION) == []


def test_nobody_starves_in_a_batch() -> None:
    workload = make_workload(*(make_job(f"J{i}", (1, 10.0 - i)) for i in range(9)))
    assert found(run(workload, Cluster(1, 0), "sjf"), Rule.STARVATION) == []


def test_windows_of_many_starts() -> None:
    """The search for a later job in a window agrees with reading the window."""
    values = np.random.default_rng(3).integers(0, 1000, 5000).astype(float)
    blocks = starvation._block_maxima(values)
    for first, last in ((0, 5000), (10, 900), (1000, 1024), (1024, 2048), (1023, 2049), (4000, 5000), (7, 7)):
        for limit in (500.0, 990.0, 998.0, 999.0):
            expected = bool((values[first:last] > limit).any())
            assert starvation._any_above(values, blocks, first, last, limit) == expected


def test_a_quota_that_is_not_kept() -> None:
    """The policy after the fork lets J1 have one slot; three of its maps run on until 6 s."""
    workload = make_workload(make_job("J1", (4, 6.0)))
    fifo = run(workload, Cluster(3, 0))
    schedule = simulate_fork(workload, fifo.cluster, PolicyChoice("at-most"), fork_of(fifo, 2.0))
    (finding,) = found(schedule, Rule.QUOTA)
    assert (finding.begin, finding.end, finding.cost, finding.job) == (2, 6, 8, 0)
    assert finding.sentence == (
        "J1 runs up to 3 maps between 0:02 and 0:06; its quota is 1: 8 slot-seconds above it."
    )
    assert found(run(workload, Cluster(3, 0), "at-most"), Rule.QUOTA) == []


def test_a_pool_above_its_cap() -> None:
    """Pools may have two slots; before the fork one had four."""
    workload = make_workload(make_job("J1", (6, 6.0), pool="red"))
    fifo = run(workload, Cluster(4, 0))
    schedule = simulate_fork(workload, fifo.cluster, PolicyChoice("capped-pools"), fork_of(fifo, 2.0))
    (finding,) = found(schedule, Rule.QUOTA)
    assert (finding.job, finding.begin, finding.end, finding.cost) == (-1, 2, 6, 8)
    assert finding.sentence.startswith("Pool red runs up to 4 maps between 0:02 and 0:06; its quota is 2")


def test_a_filler_in_the_way() -> None:
    """J1's filler holds the only reduce slot from 1 s to 10 s; from 2 s on J2's reduce could have run."""
    workload = make_workload(
        make_job("J1", (2, [1.0, 9.0]), (1, 5.0, 3.0)), make_job("J2", (0,), (1, 7.0), arrival=2.0)
    )
    (finding,) = found(run(workload, Cluster(1, 1, slowstart=0.5)), Rule.HOLD)
    assert (finding.begin, finding.end, finding.cost) == (1, 10, 8)
    assert (finding.job, finding.slot, finding.kind) == (0, 1, REDUCE)
    assert finding.sentence == (
        "1 reduce of J1 held reduce slots between 0:01 and 0:10, waiting for its maps, while tasks that "
        "could have run waited for such slots: 8 slot-seconds."
    )
    assert found(run(workload, Cluster(1, 2, slowstart=0.5)), Rule.HOLD) == []


def test_fillers_in_the_way_of_reduces_whose_maps_end_between_two_starts() -> None:
    """J2's fillers hold both reduce slots from 0 s to 30 s; J1's reduces could have run from 4 s on."""
    workload = make_workload(make_job("J1", (2, 4.0), (2, 5.0)), make_job("J2", (2, 30.0), (2, 4.0)))
    schedule = run(workload, Cluster(4, 2, slowstart=0.0), order=("J2", "J1"))
    (finding,) = found(schedule, Rule.HOLD)
    assert (finding.job, finding.begin, finding.end, finding.cost) == (1, 0, 30, 2 * 26)


def test_a_filler_beside_a_free_slot_is_in_nobodys_way() -> None:
    """No job may hold more than one slot of a kind: J2's second reduce waits beside the free R3."""
    workload = make_workload(make_job("J1", (2, [1.0, 9.0]), (1, 5.0)), make_job("J2", (0,), (2, 7.0)))
    schedule = run(workload, Cluster(2, 3, slowstart=0.5), "at-most")
    assert schedule.is_filler[2]
    assert found(schedule, Rule.HOLD) == []
    assert len(found(schedule, Rule.IDLE_SLOT)) > 0


def test_two_fillers_in_the_way_of_one_task_share_the_cost() -> None:
    workload = make_workload(
        make_job("J1", (2, [1.0, 9.0]), (2, 5.0, 3.0)), make_job("J2", (0,), (1, 7.0), arrival=2.0)
    )
    (finding,) = found(run(workload, Cluster(1, 2, slowstart=0.5)), Rule.HOLD)
    assert finding.cost == pytest.approx(8)


def test_a_filler_in_the_way_of_maps_on_containers() -> None:
    """J1's filler holds one of two containers from 1 s to 9 s, its map the other; J2's maps wait."""
    workload = make_workload(make_job("J1", (2, [1.0, 9.0]), (1, 1.0)), make_job("J2", (4, 2.0)))
    (finding,) = found(run(workload, Cluster(0, 0, slowstart=0.5, containers=2)), Rule.HOLD)
    assert (finding.begin, finding.end, finding.job, finding.cost) == (1, 9, 0, 8)


@pytest.mark.parametrize(("model", "late"), [("overlap", 2), ("simmr", 4), ("mumak", 0)])
def test_a_lazy_start_that_did_not_pay(model: ShuffleModel, late: float) -> None:
    """The reduce could start at 2 s and is held until the last map ends at 4 s.

    Its shuffle then ends at 9 s. Without the hold it would, at 7 s where it takes 5 s from its start on, and
    at 5 s where only 1 s of it comes after the map stage.
    """
    workload = make_workload(make_job("J1", (2, [2.0, 4.0]), (1, 1.0, 1.0, 5.0)))
    schedule = run(workload, Cluster(2, 1, 0.5, model), "held-reduces")
    findings = found(schedule, Rule.HOLD)
    told = [(f.begin, f.end, f.cost, f.job, f.slot) for f in findings]
    assert told == ([(2, 4, late, 0, 2)] if late else [])
    if late == 2:
        assert findings[0].sentence == (
            "The reduces of J1 were held back for 2 s beside a free slot, until 0:04; its shuffle ended 2 s "
            "later for it."
        )
