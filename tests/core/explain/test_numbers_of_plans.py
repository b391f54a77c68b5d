"""The numbers that a policy tells are those of its plan, worked out once more by the naive twins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.explain.decisions import decision_reason
from core.files.samples import load_sample, sample_paths
from core.model.cluster import Cluster
from core.model.estimates import DurationEstimates
from core.model.partition import Partition, SlotPool
from core.model.schedule import PolicyChoice
from core.model.task_types import MAP
from core.model.time_text import exact_duration
from core.planning.estimated_workload import estimated_workload
from core.simulation.simulate import Simulation, simulate
from tests import naive, naive_sharing
from tests.builders import FIVE_JOBS, make_job, make_workload, two_stage_workload

if TYPE_CHECKING:
    from core.explain.decisions import Candidate
    from core.model.workload import Workload

TYPED = tuple(
    name
    for name in sorted(sample_paths())
    if not load_sample(name).datasets and load_sample(name).columns.stages.are_map_reduce
)


def asked(
    workload: Workload,
    choice: PolicyChoice,
    start: int = 0,
    cluster: Cluster | None = None,
    partition: Partition | None = None,
) -> tuple[Candidate, ...]:
    """Return the candidates for the first slot, or before a later start."""
    run = Simulation(workload, cluster or workload.cluster, choice, partition=partition)
    run.advance_to_start(start)
    reason = decision_reason(run)
    assert reason is not None
    return reason.candidates


def ordinal(place: int) -> str:
    like = {1: "1st", 2: "2nd", 3: "3rd"}.get(place % 10, "4th") if place not in (11, 12, 13) else "4th"
    return f"{place}{like[1:]}"


def superlative(place: int, word: str) -> str:
    return word if place == 1 else f"{ordinal(place)} {word}"


def johnson_sentences(jobs: list[naive.Job], cluster: Cluster) -> dict[str, str]:
    """Place job after job as the naive twin does, and say why."""
    said, front, back = {}, 0, 0
    for job in sorted(jobs, key=lambda job: min(naive.estimates(job, cluster))):
        maps, reduces = naive.estimates(job, cluster)
        text = f"maps estimated {exact_duration(maps)}, reduces {exact_duration(reduces)}; "
        if maps <= reduces:
            front += 1
            text += "maps are not longer than reduces, so it goes to the front, "
            text += f"{superlative(front, 'shortest')} there"
        else:
            back += 1
            text += "reduces are shorter than maps, so it goes to the back, "
            text += f"{superlative(back, 'shortest')} there: served {superlative(back, 'last')}"
        said[job.name] = text
    return said


@pytest.mark.parametrize("name", TYPED)
def test_johnson_says_front_or_back_and_the_place_there(name: str) -> None:
    workload = load_sample(name)
    cluster = workload.cluster
    jobs = [naive.Job(i, given, cluster) for i, given in enumerate(workload.jobs)]
    expected = johnson_sentences(jobs, cluster)
    for candidate in asked(workload, PolicyChoice("johnson")):
        assert candidate.standing.job == expected[workload.jobs[candidate.job].name]
    lengths = sorted(sum(naive.estimates(job, cluster)) for job in jobs)
    for candidate in asked(workload, PolicyChoice("sjf")):
        maps, reduces = naive.estimates(jobs[candidate.job], cluster)
        numbers = candidate.standing.numbers
        assert numbers["length"] == pytest.approx(maps + reduces)
        assert lengths[candidate.rank] == pytest.approx(maps + reduces)
        assert f"together {exact_duration(maps + reduces)}: " in candidate.standing.job


def test_a_plan_made_on_estimates_tells_the_estimates() -> None:
    workload = two_stage_workload(FIVE_JOBS)
    estimates = DurationEstimates(error=0.5, seed=3)
    told = estimated_workload(workload, estimates)
    cluster = Cluster(30, 30)
    jobs = [naive.Job(i, given, cluster) for i, given in enumerate(told.jobs)]
    expected = johnson_sentences(jobs, cluster)
    candidates = asked(workload, PolicyChoice("johnson", estimates=estimates), cluster=cluster)
    assert {workload.jobs[c.job].name: c.standing.job for c in candidates} == expected
    assert expected != johnson_sentences(
        [naive.Job(i, given, cluster) for i, given in enumerate(workload.jobs)], cluster
    )


@pytest.mark.parametrize("estimate", ["low", "mean", "up"])
def test_deadlines_tell_the_slots_that_meet_them_and_the_slack(estimate: str) -> None:
    workload = load_sample("three-pools")
    cluster = workload.cluster
    for start in (0, 5, 20):
        for candidate in asked(workload, PolicyChoice("edf-min", {"estimate": estimate}), start):
            job = naive.Job(candidate.job, workload.jobs[candidate.job], cluster)
            wanted = naive_sharing.fewest_slots(job, cluster, estimate)
            length = naive_sharing.completion(job, wanted, estimate)
            numbers = candidate.standing.numbers
            kind = naive.MAP if candidate.kind == MAP else naive.REDUCE
            assert (numbers["needs"], numbers["deadline"]) == (wanted[kind], job.deadline)
            assert numbers["length"] == pytest.approx(length)
            assert numbers["slack"] == pytest.approx(job.deadline - job.arrival - length)
            maps, reduces = (f"{wanted[k]} {k}" + "s" * (wanted[k] != 1) for k in (naive.MAP, naive.REDUCE))
            assert (
                f"with {maps} and {reduces} at a time it takes {exact_duration(length)}"
                in candidate.standing.job
            )


def test_the_earliest_deadline_tells_how_long_the_job_takes_alone() -> None:
    workload = load_sample("three-pools")
    for candidate in asked(workload, PolicyChoice("edf-max")):
        job = naive.Job(candidate.job, workload.jobs[candidate.job], workload.cluster)
        slots = {kind: naive.most_at_once(workload.cluster, kind) for kind in (naive.MAP, naive.REDUCE)}
        slots = {kind: min(slots[kind], len(job.tasks(kind))) for kind in slots}
        if all(slots[kind] == len(job.tasks(kind)) for kind in slots):
            alone = naive_sharing.completion(job, slots, "mean")
            assert candidate.standing.numbers["length"] == pytest.approx(alone)
        assert candidate.standing.numbers["deadline"] == job.deadline


def test_pools_tell_their_slots_and_johnsons_place_in_them() -> None:
    """J2, J5, J1 on 10 + 10 slots, J4 and J3 on 20 + 20 (000 Figure 9)."""
    workload = load_sample("five-jobs-pools")
    found = {}
    schedule = simulate(workload, workload.cluster, PolicyChoice("balanced-pools"))
    assert schedule.partition is not None
    for start in (0, schedule.partition.pools[0].map_slots):  # the first slot of either pool
        for candidate in asked(workload, PolicyChoice("balanced-pools"), start, partition=schedule.partition):
            found[workload.jobs[candidate.job].name] = candidate.standing.job
    for pool in schedule.partition.pools:
        members = [job for job in workload.jobs if job.name in pool.jobs]
        own = Cluster(*pool.slots, slowstart=1.0)
        expected = johnson_sentences([naive.Job(i, job, own) for i, job in enumerate(members)], own)
        slots = f"{pool.map_slots} map slots and {pool.reduce_slots} reduce slots"
        for name in pool.jobs:
            assert found[name] == f"in pool {pool.name} with {slots}: {expected[name]}"
    assert {pool.slots for pool in schedule.partition.pools} == {(10, 10), (20, 20)}


def test_pools_made_by_hand_are_told_as_such() -> None:
    workload = two_stage_workload(FIVE_JOBS)
    pools = Partition((SlotPool("one", 10, 10, ("J3", "J2")), SlotPool("two", 20, 20, ("J1", "J4", "J5"))))
    choice = PolicyChoice("balanced-pools")
    candidates = asked(workload, choice, cluster=Cluster(30, 30), partition=pools)
    assert [candidate.standing.job for candidate in candidates] == [
        "in pool one with 10 map slots and 10 reduce slots: 1st of 2 jobs in the order made by hand",
        "in pool one with 10 map slots and 10 reduce slots: 2nd of 2 jobs in the order made by hand",
    ]


def test_flex_tells_the_priority_by_its_metric_and_the_work_left() -> None:
    """By Smith's rule: less work left for its weight goes first and gets slots up to its maximum."""
    workload = load_sample("ten-scans")
    schedule = simulate(workload, workload.cluster, PolicyChoice("flex"))
    columns = workload.columns
    seen = 0
    for time in sorted({job.arrival for job in workload.jobs}):
        starts = [s for s, task in enumerate(schedule.sequence) if schedule.start[task] == time]
        if not starts:
            continue
        left = {}
        for j, job in enumerate(workload.jobs):
            tasks = slice(columns.first[j, MAP], columns.first[j, MAP] + columns.count[j, MAP])
            unfinished = schedule.end[tasks] > time
            if job.arrival <= time and unfinished.any():
                left[j] = float(columns.duration[tasks][unfinished].sum()) / job.weight
        served = sorted(left, key=lambda j: left[j])
        room, slots = float(workload.cluster.map_slots), {}
        for j in served:
            most = workload.jobs[j].max_slots
            slots[j] = room if most is None else min(room, float(most))
            room -= slots[j]
        for candidate in asked(workload, PolicyChoice("flex"), starts[0]):
            numbers, j = candidate.standing.numbers, candidate.job
            assert numbers["ratio"] == pytest.approx(left[j])
            assert numbers["target"] == pytest.approx(slots[j])
            assert left[served[int(numbers["priority"]) - 1]] == left[j]  # type: ignore[call-overload]
            assert f"of {len(left)} job" in candidate.standing.job
            assert "by average response with " in candidate.standing.job
            seen += 1
    assert seen > 10


def test_an_undecided_order_is_told_where_jobs_tie() -> None:
    workload = make_workload(make_job("A", (1, 4.0)), make_job("B", (1, 4.0)), make_job("C", (1, 4.0)))
    run = Simulation(workload, Cluster(1, 0), PolicyChoice("fair"))
    reason = decision_reason(run) if run.advance_to_start(0) else None
    assert reason is not None
    assert reason.sentences[1:] == (
        "A: runs 0 maps for its weight of 1.",
        "B would have been next: runs 0 maps for its weight of 1, as A, which is before it in the queue.",
    )
