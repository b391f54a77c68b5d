"""Policies plan on estimates, and tasks take their true times."""

from __future__ import annotations

import hashlib
import math
from dataclasses import replace
from statistics import NormalDist, fmean, median, pstdev
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.state import job_column
from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.errors import InputError, StalledError
from core.model.estimates import DurationEstimates, estimate_texts, estimates_of
from core.model.job import Dataset, Job
from core.model.limits import MAX_SECONDS
from core.model.schedule import PolicyChoice
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import MAP
from core.model.workload import Workload
from core.planning.balanced_pools import balanced_pools
from core.planning.estimated_makespan import estimate_of
from core.planning.estimated_workload import estimate_factors, estimated_workload
from core.policies import resolved_policy
from core.policies.composing import before_run, hook_calls
from core.policies.registry import policies
from core.simulation.fifo_trials import pool_trials
from core.simulation.fork import fork_of, simulate_fork
from core.simulation.simulate import Simulation
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.core.engine.compared import bits
from tests.core.engine.strategies import clusters, workloads
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.schedule import Schedule

PLANNED = [policy.id for policy in policies() if policy.plans]
UNPLANNED = [policy.id for policy in policies() if not policy.plans]


def by_hand(error: float, seed: int, key: str, place: int = 0) -> float:
    """Return a factor as the docstrings say it is made, without the program."""
    word = hashlib.shake_128(f"{seed}\n{key}".encode()).digest(8 * place + 8)[8 * place :]
    uniform = (int.from_bytes(word, "little") // 2**11 + 0.5) / 2**53
    spread = math.sqrt(math.log(1 + error**2))
    return round(math.exp(spread * NormalDist().inv_cdf(uniform) - spread**2 / 2), 6)


def served(schedule: Schedule) -> list[str]:
    """Return the jobs in the order in which they were served."""
    jobs = schedule.workload.jobs
    return [jobs[i].name for i in np.argsort(schedule.rank)]


def test_johnson_serves_jobs_by_factors_drawn_by_hand() -> None:
    workload, orders = two_stage_workload(FIVE_JOBS), set()
    for seed in range(20):
        told = {
            f"J{i + 1}": tuple(by_hand(0.8, seed, f"job\nJ{i + 1}") * seconds for seconds in stages)
            for i, stages in enumerate(FIVE_JOBS)
        }
        front = sorted((m, name) for name, (m, r) in told.items() if m <= r)
        back = sorted((-r, name) for name, (m, r) in told.items() if m > r)
        expected = [name for _, name in front + back]
        schedule = run(workload, Cluster(30, 30), choice("johnson", DurationEstimates(0.8, "job", seed)))
        assert served(schedule) == expected
        orders.add(tuple(expected))
        done, maps = 0.0, 0.0
        for name in expected:  # the truth is executed: the two-stage recursion with the true seconds
            m, r = FIVE_JOBS[int(name[1:]) - 1]
            maps += m
            done = max(maps, done) + r
        assert run(workload, Cluster(30, 30, 1.0), schedule.choice).makespan == done
    assert len(orders) > 5


def choice(policy: str, estimates: DurationEstimates | None) -> PolicyChoice:
    return PolicyChoice(policy, {}, estimates)


def test_every_task_has_its_own_factor() -> None:
    job = make_job("J", (3, [2.0, 5.0]), (2, 4.0, 1.0, 3.0), shuffle_bytes=1000.0)
    told = estimated_workload(make_workload(job), DurationEstimates(0.5, "task", 9)).jobs[0]
    maps = [by_hand(0.5, 9, "maps\nJ", i) for i in range(3)]
    reduces = [by_hand(0.5, 9, "reduces\nJ", i) for i in range(2)]
    assert len({*maps, *reduces}) == 5
    assert told.maps.task_durations == pytest.approx([2 * maps[0], 5 * maps[1], 2 * maps[2]], rel=1e-15)
    assert told.reduces.task_durations == pytest.approx([4 * f for f in reduces], rel=1e-15)
    assert told.reduces.task_first_shuffle == pytest.approx(reduces, rel=1e-15)
    assert told.reduces.task_typical_shuffle == pytest.approx([3 * f for f in reduces], rel=1e-15)
    assert told.shuffle_bytes == pytest.approx(1000 * fmean(reduces), rel=1e-15)


@pytest.mark.parametrize("counts", [(2, 3, 4), (2, 0, 4), (3,)])
def test_tasks_of_a_graph_have_factors_by_their_stage_and_bytes_those_of_the_last(
    counts: tuple[int, ...],
) -> None:
    graph = StageGraph((MAP,) * len(counts), tuple(Edge(i - 1, i) for i in range(1, len(counts))))
    stages = tuple(Stage.of(count, 2.0) for count in counts)
    job = Job("J", stages=stages, graph=graph, shuffle_bytes=1000.0)
    told = estimated_workload(make_workload(job), DurationEstimates(0.5, "task", 9)).jobs[0]
    factors = [[by_hand(0.5, 9, f"stage {k}\nJ", i) for i in range(n)] for k, n in enumerate(counts)]
    for stage, drawn in zip(told.stages, factors, strict=True):
        assert stage.task_durations.tolist() == pytest.approx([2 * factor for factor in drawn], rel=1e-15)
    assert told.shuffle_bytes == pytest.approx(1000 * fmean(factors[-1]), rel=1e-15)


def test_bytes_of_a_job_without_reduces_are_as_they_are() -> None:
    job = make_job("J", (2, 2.0), shuffle_bytes=1000.0)
    told = estimated_workload(make_workload(job), DurationEstimates(0.5, "task", 9)).jobs[0]
    assert told.shuffle_bytes == 1000
    assert told.maps != job.maps


@pytest.mark.parametrize("error", [0.1, 0.3, 1.0])
def test_the_factors_are_log_normal_with_mean_one(error: float) -> None:
    """Limits are four standard errors; the logarithms are normal, so they are asked, too."""
    factors = estimate_factors(DurationEstimates(error), "many", 100_000)
    assert fmean(factors) == pytest.approx(1, abs=4 * error / math.sqrt(len(factors)))
    assert pstdev(factors) == pytest.approx(error, rel=0.05 * (1 + 2 * error))
    spread = math.sqrt(math.log(1 + error**2))
    logs = np.log(factors)
    assert pstdev(logs) == pytest.approx(spread, rel=4 / math.sqrt(2 * len(factors)))
    assert median(logs) == pytest.approx(-(spread**2) / 2, abs=5 * spread / math.sqrt(len(factors)))
    within = np.mean(np.abs(logs + spread**2 / 2) < spread)
    assert within == pytest.approx(NormalDist().cdf(1) - NormalDist().cdf(-1), abs=0.006)


def test_one_factor_per_job_is_unbiased_over_seeds() -> None:
    """The same job under many seeds, and many jobs under one."""
    over_seeds = [
        estimate_factors(DurationEstimates(0.3, seed=seed), "job\nJ1").item() for seed in range(4000)
    ]
    over_names = [estimate_factors(DurationEstimates(0.3), f"job\nJ{i}").item() for i in range(4000)]
    for factors in (over_seeds, over_names):
        assert fmean(factors) == pytest.approx(1, abs=4 * 0.3 / math.sqrt(4000))
        assert pstdev(factors) == pytest.approx(0.3, rel=0.1)


def test_correlated_factors_of_two_jobs_share_half_of_their_variance() -> None:
    told = [DurationEstimates(0.3, "correlated", seed) for seed in range(4000)]
    one, other = (
        np.array([estimate_factors(each, f"job\n{name}").item() for each in told]) for name in ("J1", "J2")
    )
    for factors in (one, other):
        assert fmean(factors) == pytest.approx(1, abs=4 * 0.3 / math.sqrt(4000))
        assert pstdev(factors) == pytest.approx(0.3, rel=0.1)
    assert np.corrcoef(np.log(one), np.log(other))[0, 1] == pytest.approx(0.5, abs=0.05)
    job = make_job("J1", (3, 2.0))
    slower = estimated_workload(make_workload(job), told[7]).jobs[0]
    assert len(set(slower.maps.durations.tolist())) == 1, "all tasks of a job have one factor"
    assert told[7].sentence.endswith("(one factor per job, 50 % of its variance common to all, seed 7)")


def test_a_job_keeps_its_factor_when_others_come_and_go() -> None:
    estimates = DurationEstimates(0.5, "job", 3)
    one, other = make_job("one", (2, 3.0)), make_job("other", (4, 1.0))
    alone = estimated_workload(make_workload(one), estimates).jobs[0]
    behind = estimated_workload(make_workload(other, one), estimates).jobs[1]
    assert alone == behind != one


def test_numbers_that_must_never_change() -> None:
    """A document has the seed alone: other numbers would make another schedule of it."""
    factors = estimate_factors(DurationEstimates(0.3, "job", 7), "job\nJ1", 3)
    assert factors.tolist() == [by_hand(0.3, 7, "job\nJ1", i) for i in range(3)]
    assert factors.tolist() == [2.116427, 1.53122, 0.946079]


def test_an_earlier_run_stands_for_the_job_of_its_name() -> None:
    ran = Workload("Monday", (make_job("J1", (2, [7.0, 9.0]), (1, 5.0, 1.0, 2.0)), make_job("J9", (1, 1.0))))
    now = (
        make_job("J1", (3, 1.0), (2, 1.0), arrival=4.0, shuffle_bytes=10.0),
        make_job("J2", (1, 6.0)),
        make_job("J3", (1, 6.0)),
    )
    told = estimated_workload(make_workload(*now), DurationEstimates(profile=ran)).jobs
    assert told[0].maps.task_durations.tolist() == [7, 9, 7]
    assert told[0].reduces.task_durations.tolist() == [5, 5]
    assert told[0].reduces.task_typical_shuffle.tolist() == [2, 2]
    assert (told[0].arrival, told[0].shuffle_bytes) == (4.0, None)
    assert told[1:] == now[1:]
    wrong = estimated_workload(make_workload(*now), DurationEstimates(0.5, "job", 2, ran)).jobs
    assert wrong[0] == told[0]
    assert wrong[1].maps.durations[0] == pytest.approx(6 * by_hand(0.5, 2, "job\nJ2"), rel=1e-15)


def test_a_stage_that_did_not_run_before_keeps_its_durations() -> None:
    ran = Workload("Monday", (make_job("J1", (2, 7.0)),))
    job = make_job("J1", (1, 1.0), (2, 3.0))
    told = estimated_workload(make_workload(job), DurationEstimates(profile=ran)).jobs[0]
    assert (told.maps.task_durations.tolist(), told.reduces) == ([7.0], job.reduces)


@pytest.mark.parametrize("per", ["job", "task", "correlated"])
def test_an_estimate_without_error_is_the_workload_itself(per: Any) -> None:
    """To its samples: maps of 2 s, 5 s and 2 s that are given as 2 s and 5 s are not given as three."""
    workload = make_workload(make_job("J", (3, [2.0, 5.0]), (0,), shuffle_bytes=7.0), make_job("K", (1, 1.0)))
    told = estimated_workload(workload, DurationEstimates(0.0, per, 3))
    assert told.jobs[0].maps.durations.tolist() == [2, 5]
    assert told.digest == workload.digest


def test_jobs_over_a_dataset_have_its_factor() -> None:
    dataset = Dataset("logs", 6, 2.0)
    jobs = [make_job(name, (6, 2.0), dataset="logs") for name in ("J1", "J2")]
    workload = Workload("scans", tuple(jobs), datasets=(dataset,))
    told = estimated_workload(workload, DurationEstimates(0.4, "task", 5))
    expected = 2 * by_hand(0.4, 5, "dataset\nlogs")
    assert told.datasets[0].block_seconds == pytest.approx(expected, rel=1e-15)
    for job in told.jobs:
        assert set(job.maps.task_durations) == {told.datasets[0].block_seconds}


def test_no_estimate_is_longer_than_a_time_may_be() -> None:
    workload = make_workload(*(make_job(f"J{i}", (1, MAX_SECONDS)) for i in range(9)))
    told = estimated_workload(workload, DurationEstimates(3.0))
    assert max(job.maps.durations[0] for job in told.jobs) == MAX_SECONDS


# ---- runs


CLUSTER = Cluster(3, 2)
WRONG = DurationEstimates(0.5, "task", 4)


def outcome(workload: Workload, cluster: Cluster, chosen: PolicyChoice) -> Any:
    """Return every column of a run, or the sentence by which it is refused."""
    try:
        return bits(run(workload, cluster, chosen))
    except (InputError, StalledError) as refused:
        return str(refused)


@pytest.mark.parametrize("policy", [*PLANNED, *UNPLANNED])
@examples(4)
@given(data=st.data())
def test_without_an_error_the_schedule_is_the_same_to_the_last_bit(policy: str, data: st.DataObject) -> None:
    workload = data.draw(workloads())
    cluster = data.draw(clusters(workload))
    exact = DurationEstimates(0.0, data.draw(st.sampled_from(("job", "task"))))
    known = DurationEstimates(profile=Workload("as it will be", workload.jobs))
    truth = outcome(workload, cluster, choice(policy, None))
    assert outcome(workload, cluster, choice(policy, exact)) == truth
    assert outcome(workload, cluster, choice(policy, known)) == truth


@pytest.mark.parametrize("policy", UNPLANNED)
@examples(3)
@given(data=st.data())
def test_a_policy_that_does_not_plan_does_the_same_on_any_estimates(policy: str, data: st.DataObject) -> None:
    workload = data.draw(workloads())
    cluster = data.draw(clusters(workload))
    truth = outcome(workload, cluster, choice(policy, None))
    assert outcome(workload, cluster, choice(policy, DurationEstimates(3.0, "task"))) == truth


@pytest.mark.parametrize("policy", PLANNED)
def test_no_hook_that_is_called_before_a_run_sees_a_true_duration(
    policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it is offered and however: as a workload, or as the duration of a task."""
    workload = make_workload(
        make_job("J1", (3, 5.0), (2, 7.0, 5.0, 7.0)), make_job("J2", (2, 7.0), (3, 5.0, 7.0, 5.0))
    )
    told, seen = estimated_workload(workload, WRONG), []
    call = hook_calls.call_hook

    def watched(owner: Any, hook: Any, offered: Any, parameters: Any) -> Any:
        seen.append(offered["workload"])
        if "duration" in offered:
            seen.append(offered["duration"].tolist())
        return call(owner, hook, offered, parameters)

    for module in (resolved_policy, before_run):
        monkeypatch.setattr(module, "call_hook", watched)
    run(workload, Cluster(2, 2), choice(policy, WRONG))
    assert seen
    for given_workload in seen:
        if isinstance(given_workload, list):
            assert given_workload == told.columns.duration.tolist()
        else:
            assert given_workload.digest == told.digest != workload.digest


@pytest.mark.parametrize("policy", PLANNED)
def test_plans_are_the_same_whatever_the_truth_is(policy: str) -> None:
    """Two workloads that are told alike have the same order, pools, wanted slots and memory at the start."""
    ran = Workload("before", tuple(make_job(f"J{i}", (4, 3.0 + i), (3, 9.0 - i, 1.0, 2.0)) for i in range(4)))
    plans = []
    for seconds in (1.0, 40.0):
        jobs = tuple(
            make_job(f"J{i}", (4, [seconds, 2.0 + i]), (3, seconds / (1 + i), 1.0, seconds), deadline=90.0)
            for i in range(4)
        )
        chosen = choice(policy, DurationEstimates(profile=ran))
        simulation = Simulation(Workload("now", jobs), CLUSTER, chosen)
        followed, state = simulation._followed, simulation._followed.first_state(simulation.workload, CLUSTER)
        order = followed.task_order
        plans.append(
            (
                followed.rank.tolist(),
                followed.partition,
                None if order is None else order.tolist(),
                job_column(state, "wanted").tolist(),
                job_column(state, "memo").tolist(),
            )
        )
    assert plans[0] == plans[1]


def test_pools_are_tried_on_estimates_and_run_on_the_truth() -> None:
    workload = two_stage_workload(FIVE_JOBS, (30, 30, 20, 20, 30))
    estimates, cluster = DurationEstimates(0.8, "job", 2), Cluster(30, 30, 1.0)
    told = estimated_workload(workload, estimates)
    found = balanced_pools(told, cluster, pool_trials(told, cluster, False))
    schedule = run(workload, cluster, choice("balanced-pools", estimates))
    assert schedule.partition == found.partition
    assert schedule.partition != run(workload, cluster, "balanced-pools").partition
    assert bits(schedule) == bits(run(workload, cluster, partition=found.partition))
    assert schedule.makespan != found.makespan == run(told, cluster, partition=found.partition).makespan


@pytest.mark.parametrize("sample", ["ten-scans", "overlapping-scans"])
@pytest.mark.parametrize("policy", ["flex", "circumflex", "batch", "ako"])
def test_shared_scans_take_their_true_times(policy: str, sample: str) -> None:
    workload = load_sample(sample)
    halves = tuple(replace(dataset, scan_fraction=0.5) for dataset in workload.datasets)
    workload = replace(workload, datasets=halves)
    wrong = run(workload, workload.cluster, choice(policy, DurationEstimates(1.0, "job", 3)))
    truth = run(workload, workload.cluster, policy)
    if sample == "ten-scans" and policy != "batch":  # whose windows hold few jobs: any order is the same
        assert bits(wrong) != bits(truth)
    alone = {dataset.name: dataset.block_seconds for dataset in workload.datasets}
    served = wrong.served
    seconds = wrong.end - wrong.start
    for task in np.flatnonzero((wrong.workload.columns.kind == MAP) & (seconds > 0)):
        block = alone[workload.jobs[wrong.workload.columns.job[task]].dataset or ""]
        shares = 1 if policy == "flex" else served[task]
        assert seconds[task] == pytest.approx(block * (0.5 + 0.5 * shares))


def test_each_policy_before_a_fork_has_its_own_estimates() -> None:
    workload, cluster = two_stage_workload(FIVE_JOBS), Cluster(30, 30, 1.0)
    first = run(workload, cluster, choice("johnson", DurationEstimates(0.8, "job", 1)))
    fork = fork_of(first, first.makespan)
    assert fork.choice.estimates == DurationEstimates(0.8, "job", 1)
    schedule = simulate_fork(workload, cluster, PolicyChoice("fifo"), fork)
    assert schedule.end.tolist() == first.end.tolist()


def test_the_estimate_without_simulating_is_made_of_what_the_policy_was_told() -> None:
    workload, estimates = two_stage_workload(FIVE_JOBS), DurationEstimates(0.8, "job", 2)
    schedule = run(workload, Cluster(30, 30, 1.0), choice("johnson", estimates))
    told = run(estimated_workload(workload, estimates), Cluster(30, 30, 1.0), "johnson")
    assert estimate_of(schedule) == estimate_of(told) == pytest.approx(told.makespan)
    assert schedule.makespan != pytest.approx(told.makespan)


# ---- texts


def test_estimates_as_text() -> None:
    assert estimate_texts("error=0.2, per=task,seed=8, profile=a=b.json") == {
        "error": "0.2",
        "per": "task",
        "seed": "8",
        "profile": "a=b.json",
    }
    assert estimates_of({"error": "0.2", "seed": "8"}) == DurationEstimates(0.2, "job", 8)
    assert estimates_of({}).error == 0.3
    ran = make_workload(make_job("J", (1, 1.0)))
    assert estimates_of({}, ran) == DurationEstimates(profile=ran)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("errr=0.3", "unknown part of estimates 'errr'; did you mean 'error'?"),
        ("error", "estimates: error has no value; write for example error=0.3"),
        ("error=much", "estimates: parameter error is 'much'; give a number"),
        ("error=4", "estimates: parameter error is '4'; give a number from 0.0 to 3.0"),
        ("per=stage", "estimates: parameter per is 'stage'; choose one of job, task, correlated"),
        ("seed=-1", f"estimates: parameter seed is '-1'; give a whole number from 0 to {2**53 - 1}"),
    ],
)
def test_wrong_texts_are_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        estimates_of(estimate_texts(text))
    assert str(refused.value) == sentence


def test_what_is_said_of_estimates() -> None:
    assert str(DurationEstimates(0.3)) == "estimates ±30 %"
    assert DurationEstimates(0.125, "task", 7).sentence == (
        "planned on estimates ±12.5 % (one factor per task, seed 7)"
    )
    ran = make_workload(make_job("J", (1, 1.0)))
    assert DurationEstimates(profile=ran).sentence == "planned on profile test"
    assert str(DurationEstimates(0.5, profile=ran)) == "profile test, else estimates ±50 %"
