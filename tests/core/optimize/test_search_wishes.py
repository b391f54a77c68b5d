"""What one may ask of a search: where to start, what to keep, what for, on which durations."""

from __future__ import annotations

import itertools
import math
import threading
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.samples import load_sample
from core.model.cluster import SHUFFLE_MODELS, Cluster
from core.model.error_factors import COMMON_SHARE, ERRORS_PER
from core.model.errors import InputError, UnknownName
from core.model.estimates import DurationEstimates
from core.model.job import Job
from core.model.levers import LEVERS, TASK_ORDERS, JobPlan, StagePlan
from core.model.objectives import OBJECTIVES
from core.model.overheads import Overheads
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan
from core.model.progress import never_stop, no_progress
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from core.optimize import balanced_pools, plan_search
from core.optimize.checked_plans import CheckedPlans
from core.optimize.constraints import Constraints
from core.optimize.evaluate import alone_seconds, finishes, makespans
from core.optimize.objectives import Objective, Robust
from core.optimize.runs import EngineRuns
from core.optimize.search import Search, _is_surely_better, optimize
from core.optimize.search_columns import noisy_tasks, tasks_of
from core.planning.estimated_workload import estimated_workload
from core.planning.pool_searches import search_pools
from core.policies.policy import SearchControl
from core.policies.registry import POLICIES
from core.policies.resolved_policy import follow
from core.simulation.fifo_trials import isolated_runtimes
from core.simulation.simulate import simulate
from tests import random_tests
from tests.builders import run
from tests.random_tests import examples

CLUSTER = Cluster(4, 4, 0.05)


def jobs_of(seed, count=6, arrives=False):
    """Return jobs with deadlines, most of which cannot all be kept."""
    random = np.random.default_rng(seed)
    jobs = []
    for i in range(count):
        maps, reduces = random.integers(3, 8, 2)
        arrival = float(random.integers(0, 60)) * arrives
        jobs.append(
            Job(
                f"J{i}",
                Stage.of(maps, random.integers(5, 60, maps)),
                Stage.of(reduces, random.integers(5, 60, reduces), 2.0, 5.0),
                arrival=arrival,
                deadline=arrival + float(random.integers(100, 300)),
                weight=float(random.integers(1, 4)),
            )
        )
    return Workload("jobs", tuple(jobs))


def test_five_jobs_of_two_sizes_end_with_pools_as_no_list_lets_them():
    workload, cluster = load_sample("five-jobs-pools"), Cluster(30, 30, 1.0)
    pools = run(workload, cluster, "balanced-pools").makespan
    assert Search(workload, cluster).advance(3).best > pools
    for steps in (3, 400):  # what BalancedPools finds is tried in the end
        found = optimize(workload, cluster, steps=steps)
        assert found.steps <= steps
        assert found.best <= pools
        assert makespans(workload, cluster, [found.plan])[0] == found.best


def three_jobs(seed):
    """Return jobs of which some orders end later than the same orders with caps."""
    random = np.random.default_rng(seed)
    jobs = []
    for i in range(3):
        maps, reduces = random.integers(1, 4, 2)
        times = random.integers(1, 9, maps), random.integers(1, 9, reduces)
        jobs.append(Job(f"J{i}", Stage.of(maps, times[0]), Stage.of(reduces, times[1], 1.0, 2.0)))
    return Workload("three", tuple(jobs)), Cluster(2, 2, 0.5)


@pytest.mark.parametrize("seed", [4, 22, 40])
def test_caps_alone_reach_the_best_of_all_caps_in_all_orders(seed, monkeypatch):
    workload, cluster = three_jobs(seed)
    names = [job.name for job in workload.jobs]
    caps = itertools.product((1, None), repeat=6)
    plans = [
        Plan(
            tuple(
                JobPlan(names[j], StagePlan(place, cap=cap[j]), StagePlan(place, cap=cap[j + 3]))
                for place, j in enumerate(order)
            )
        )
        for cap in caps
        for order in itertools.permutations(range(3))
    ]
    values = makespans(workload, cluster, plans)
    best, best_of_orders = values.min(), values[-6:].min()
    monkeypatch.setattr(plan_search, "moves_of", lambda *_, **__: frozenset({"order", "caps"}))
    found = optimize(workload, cluster, steps=1500)
    assert found.best == best < best_of_orders
    assert found.plan.partition is None
    assert any(stage.cap is not None for job in found.plan.jobs for stage in job.stages)
    assert optimize(workload, cluster, steps=1500, levers=("order", "pools")).best <= best


def test_five_jobs_of_two_sizes_end_with_caps_alone_as_with_pools(monkeypatch):
    workload, cluster = load_sample("five-jobs-pools"), Cluster(30, 30, 1.0)
    monkeypatch.setattr(plan_search, "moves_of", lambda *_, **__: frozenset({*LEVERS, "caps"} - {"pools"}))
    found = optimize(workload, cluster, steps=6000)
    assert found.best == 40
    assert found.plan.partition is None
    assert simulate(workload, cluster, PolicyChoice("critical"), plan=found.plan).makespan == 40


AS_PLANS = (
    "fifo",
    "spark-fifo",
    "sjf",
    "longest-task",
    "johnson",
    "johnson-reverse",
    "edf-max",
    "edf-min",
    "critical",
    "balanced-pools",
)
"""Policies whose schedule a plan replays."""
SHARING = "fair", "capacity", "dynamic-priority", "spark-fair"
LENDING = "dhfs-pi", "dhfs-pd", "dynamic-fifo-pi", "dynamic-fifo-pd", "fresh", "omo"


@examples(8)
@given(st.integers(0, 2**31), st.booleans())
def test_it_is_never_worse_than_a_policy_that_a_plan_replays(seed, arrives):
    workload, random = jobs_of(seed, 4, arrives=arrives), np.random.default_rng(seed)
    maps, reduces = random.integers(1, 5, 2).tolist()
    cluster = Cluster(maps, reduces, float(random.choice([0.05, 0.5, 1.0])))
    found = optimize(workload, cluster, steps=60)
    for policy in AS_PLANS:
        assert found.best <= run(workload, cluster, policy).makespan * (1 + 1e-12)


@pytest.mark.parametrize("cluster", [CLUSTER, Cluster(0, 0, 0.05, containers=6)])
def test_no_policy_that_shares_slots_is_better(cluster):
    for seed in range(3):
        workload = jobs_of(seed, 4, arrives=True)
        found = optimize(workload, cluster, steps=60)
        for policy in (*SHARING, *AS_PLANS[:-1]):
            assert found.best <= run(workload, cluster, policy).makespan * (1 + 1e-12)


def test_every_policy_is_compared_with_but_those_that_lend_share_scans_or_are_told():
    others = {policy.id for policy in POLICIES if hasattr(policy, "replanner")}
    others |= {"order", "by-hand", "optimized", "rolling"}
    assert {policy.id for policy in POLICIES} - others == {*AS_PLANS, *SHARING, *LENDING}


def test_of_many_jobs_some_splits_in_two_pools_are_tried(monkeypatch):
    workload = jobs_of(20, 24)
    tried = []

    def noted(*given, **wishes):
        tried.append(search_pools(*given, **wishes))
        return tried[-1]

    monkeypatch.setattr(balanced_pools, "search_pools", noted)
    search = Search(workload, CLUSTER)
    search.pooled_tasks = 0
    search.advance(3)
    search.try_pools()
    found = search.found
    assert not search.wants_pools
    [pools] = tried
    assert sorted({trial.split for trial in pools.trials}) == [3, 5, 8, 11, 13, 16, 19, 21]
    assert found.best <= pools.makespan


def test_it_is_never_worse_than_the_plan_to_start_from():
    workload = jobs_of(1)
    good = optimize(workload, CLUSTER, steps=300)
    again = optimize(workload, CLUSTER, steps=5, start=good.plan, seed=9)
    assert again.best <= good.best == again.start


def test_pinned_jobs_stay_as_the_plan_has_them():
    workload = jobs_of(2)
    start = Plan.of_order(["J3", "J0", "J5", "J1", "J4", "J2"])
    found = optimize(
        workload, CLUSTER, steps=200, start=start, constraints=Constraints(frozenset({"J0", "J4"}))
    )
    for name in ("J0", "J4"):
        assert found.plan.of(name) == replace(start.of(name), pinned=True)
    assert found.plan.pinned == ("J0", "J4")
    assert found.best < found.start


def test_all_tasks_of_one_job_go_before_those_of_another():
    workload = jobs_of(3)
    pairs = (("J5", "J0"), ("J4", "J2"))
    plan = optimize(workload, CLUSTER, steps=200, constraints=Constraints(before=pairs)).plan
    assert plan.partition is None
    assert all(stage.cap is None for job in plan.jobs for stage in job.stages)

    def keys(name, kind):
        stage, job = plan.of(name).stages[kind], workload.jobs[workload.job_index[name]]
        times = (job.maps, job.reduces)[kind]
        lengths = times.task_durations + times.task_typical_shuffle
        return stage.due - (lengths if stage.tasks == "latest-start" else 0 * lengths)

    for first, then in pairs:
        for kind in (MAP, REDUCE):
            assert keys(first, kind).max() < keys(then, kind).min()


def test_jobs_cannot_each_go_before_the_other():
    with pytest.raises(InputError, match="'J1' is to go before 'J2', and 'J2' is to go before 'J1'; no"):
        optimize(jobs_of(3), CLUSTER, steps=1, constraints=Constraints(before=(("J1", "J2"), ("J2", "J1"))))
    with pytest.raises(UnknownName):
        optimize(jobs_of(3), CLUSTER, steps=1, constraints=Constraints(before=(("J1", "J9"),)))


def test_fixed_pools_stay():
    workload = jobs_of(4)
    pools = Partition((SlotPool("a", 1, 3, ("J0", "J1", "J2")), SlotPool("b", 3, 1, ("J3", "J4", "J5"))))
    found = optimize(workload, CLUSTER, steps=150, constraints=Constraints(partition=pools))
    kept = found.plan.partition
    assert [(pool.slots, set(pool.jobs)) for pool in kept.pools] == [
        (pool.slots, set(pool.jobs)) for pool in pools.pools
    ]
    assert found.best <= run(workload, CLUSTER, partition=pools).makespan


def test_jobs_may_arrive_at_other_times():
    workload = jobs_of(5)
    late = float(workload.jobs[1].deadline) - 1
    found = optimize(workload, CLUSTER, steps=60, constraints=Constraints(arrivals={"J1": late}))
    assert found.best > late


@pytest.mark.parametrize(
    ("arrives", "name"), list(zip(itertools.cycle((False, True)), OBJECTIVES, strict=False))
)
def test_every_objective_is_what_it_says_and_above_its_bound(name, arrives):
    workload, objective = jobs_of(6, arrives=arrives), Objective.of(name)
    found = optimize(workload, CLUSTER, steps=150, objective=objective)
    [finish] = finishes(workload, CLUSTER, [found.plan])
    alone = alone_seconds(workload, CLUSTER)
    assert found.best == pytest.approx(objective.value(workload, finish, alone))
    assert found.bound <= found.best * (1 + 1e-9)
    for policy in ("fifo", "edf-max", "sjf", "johnson"):
        assert found.best <= objective.value(workload, run(workload, CLUSTER, policy).finish, alone) + 1e-6


def test_a_mix_weighs_its_objectives():
    mix = Objective.of("makespan=2, mean-response=0.5")
    workload = jobs_of(7)
    finish: np.ndarray = np.arange(6) * 100.0
    assert mix.value(workload, finish) == pytest.approx(2 * 500 + 0.5 * 250)
    with pytest.raises(InputError, match="weight of makespan"):
        Objective.of("makespan=much")


def test_deadlines_that_can_be_kept_are_kept():
    workload = jobs_of(8)
    free = optimize(workload, CLUSTER, steps=300)
    early = 1.3 * alone_seconds(workload, CLUSTER)[0]
    loose = workload.with_jobs(
        replace(job, deadline=1.1 * free.best if i else early) for i, job in enumerate(workload.jobs)
    )
    assert finishes(workload, CLUSTER, [free.plan])[0, 0] > early
    found = optimize(loose, CLUSTER, steps=300, constraints=Constraints(keep_deadlines=True))
    [finish] = finishes(loose, CLUSTER, [found.plan])
    assert (finish <= loose.columns.deadline).all()


def test_a_plan_for_guesses_is_judged_on_copies_that_no_search_has_seen():
    workload = jobs_of(9)
    found = optimize(workload, CLUSTER, steps=100, robust=Robust(5, 0.3, "worst-90"))
    assert len(found.spread) == 100
    assert found.spread[89] == found.best
    fresh = Search(workload, CLUSTER, start=found.plan, robust=Robust(100, 0.3, "worst-90"), seed=2)
    assert fresh.advance(1).start == found.best
    assert not found.proved


@pytest.mark.parametrize("cluster", [Cluster(4, 4, 0.05), Cluster(0, 0, 0.05, containers=6)])
def test_the_engine_runs_plans_on_copies_too(cluster):
    given, robust = jobs_of(9, 3, arrives=True), Robust(3, 0.3)
    workload = given.with_jobs((*given.jobs[:2], replace(given.jobs[2], reduces=Stage.of(0))))
    search = Search(workload, cluster, robust=robust, compiled=False)
    found = search.advance(40)
    copies = noisy_tasks(tasks_of(workload, cluster), 3, 0.3, seed=1)
    ends = []
    for durations in copies.duration:
        at = iter(np.split(durations[: copies.tasks], np.cumsum(copies.count.ravel())[:-1]))
        true = workload.with_jobs(
            replace(job, maps=with_times(job.maps, next(at)), reduces=with_times(job.reduces, next(at)))
            for job in workload.jobs
        )
        ends.append(played(found.plan, workload, true, cluster))
    assert found.spread == pytest.approx(sorted(ends))
    assert found.best == pytest.approx(np.mean(ends))


def with_times(stage, durations):
    """Return a stage with all its times longer by the same factors."""
    factors = durations / stage.task_durations
    if stage.count == 0:
        return stage
    return Stage.of(
        stage.count, durations, stage.task_first_shuffle * factors, stage.task_typical_shuffle * factors
    )


def played(plan, told, true, cluster):
    """Return when the last job ends if the plan is made of the durations told, and others are true."""
    effort = SearchControl(False, no_progress, never_stop, lambda *_: ())
    followed = follow(PolicyChoice("critical"), told, cluster, None, None, effort, plan)
    return EngineRuns(told, cluster, compiled=False).finish(followed, true).max()


def unseen_mean(workload, plan, per):
    """Return the mean makespan of a plan over 16 draws of what is wrong, as the simulator has them."""
    draws = (estimated_workload(workload, DurationEstimates(0.3, per, seed)) for seed in range(5000, 5016))
    return np.mean([simulate(each, CLUSTER, PolicyChoice("optimized"), plan=plan).makespan for each in draws])


def robust_cases():
    cases = [(seed, per) for seed in (8, 9, 10, 11) for per in ERRORS_PER]
    return cases if random_tests.is_thorough else cases[::4]


@pytest.mark.parametrize(("seed", "per"), robust_cases())
def test_a_plan_for_guesses_is_no_worse_on_unseen_draws_than_the_plan_without(seed, per):
    workload = jobs_of(seed, 8)
    plain = optimize(workload, CLUSTER, steps=60)
    found = optimize(workload, CLUSTER, steps=60, robust=Robust(4, 0.3, per=per))
    assert unseen_mean(workload, found.plan, per) <= unseen_mean(workload, plain.plan, per)
    fresh = Robust(100, 0.3, per=per)
    judged = Search(workload, CLUSTER, robust=fresh, seed=2)
    assert found.best == judged.values_of(found.plan).mean() <= judged.values_of(plain.plan).mean()


def test_another_plan_is_taken_only_if_new_draws_would_say_so():
    told, robust = np.full(100, 100.0), Robust()
    noise = np.random.default_rng(1).normal(size=100)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    assert not _is_surely_better(told, told, robust)
    assert not _is_surely_better(99 + 2 * noise, told, robust)  # half a standard deviation
    assert _is_surely_better(99 + 1.8 * noise, told, robust)
    assert not _is_surely_better(np.array([1.0]), np.array([2.0]), robust)  # one draw says nothing
    assert _is_surely_better(99 + 2 * noise, 103 + 2 * noise, Robust(100, 0.3, "worst-90"))


def test_copies_are_wrong_as_estimates_are():
    tasks = tasks_of(jobs_of(12, 8), CLUSTER)
    job = np.repeat(np.arange(8), tasks.count.sum(axis=1))
    first = np.unique(job, return_index=True)[1]
    alike = {}
    for per in ERRORS_PER:
        copies = noisy_tasks(tasks, 4000, 0.3, 1, per)
        factor = (copies.duration / tasks.duration)[:, : tasks.tasks]
        assert factor.mean() == pytest.approx(1, abs=0.01)
        assert factor.std(axis=0).mean() == pytest.approx(0.3, abs=0.01)
        assert np.allclose(factor, factor[:, first][:, job]) == (per != "task")
        alike[per] = np.corrcoef(np.log(factor[:, first]).T)[0, 1:].mean()
    assert alike == pytest.approx({"job": 0, "task": 0, "correlated": COMMON_SHARE}, abs=0.03)


def test_only_the_thread_that_searches_runs_plans_on_copies(monkeypatch):
    threads, looks, values = set(), iter([False] * 40), CheckedPlans.values

    def noted(checked, plan):
        threads.add(threading.current_thread())
        return values(checked, plan)

    monkeypatch.setattr(CheckedPlans, "values", noted)
    optimize(
        jobs_of(13), CLUSTER, seconds=math.inf, robust=Robust(3, 0.3), should_stop=lambda: next(looks, True)
    )
    assert threads == {threading.current_thread()}


def test_looking_at_copies_does_not_change_the_search():
    workload, robust = jobs_of(13), Robust(3, 0.3)
    whole, parts = (Search(workload, CLUSTER, robust=robust) for _ in range(2))
    found = whole.advance(260)
    for _ in range(26):
        parts.advance(10)
    assert (parts.found.best, parts.found.plan) == (found.best, found.plan)


def test_an_arrival_after_the_deadline_is_refused_in_a_sentence():
    with pytest.raises(InputError, match="J1 is to arrive at 2:46:40, but its deadline"):
        Search(jobs_of(13), CLUSTER, constraints=Constraints(arrivals={"J1": 10_000.0}))


def test_pools_are_searched_once_for_guesses(monkeypatch):
    asked = []

    def noted(*given, **more):
        asked.append(given)
        return search_pools(*given, **more)

    monkeypatch.setattr("core.optimize.balanced_pools.search_pools", noted)
    optimize(jobs_of(13), CLUSTER, steps=20, robust=Robust(3, 0.3))
    assert len(asked) == 1


def test_how_long_a_job_takes_alone_is_as_the_engine_says():
    workload = jobs_of(10, arrives=True)
    assert alone_seconds(workload, CLUSTER) == pytest.approx(isolated_runtimes(workload, CLUSTER))


@pytest.mark.parametrize(
    "cluster",
    [
        Cluster(0, 0, 0.05, containers=6),
        Cluster(4, 4, 0.05, overheads=Overheads(fetch=1.0, setup=2.0)),
    ],
)
def test_where_slots_are_untyped_or_cost_time_the_engine_runs_the_plans(cluster):
    workload = jobs_of(11, 4, arrives=True)
    found = optimize(workload, cluster, steps=62, compiled=False)
    plan = simulate(workload, cluster, PolicyChoice("critical"), plan=found.plan)
    assert plan.makespan == found.best
    assert finishes(workload, cluster, [found.plan], compiled=False)[0].tolist() == plan.finish.tolist()
    assert found.bound <= found.best <= min(run(workload, cluster, each).makespan for each in ("fifo", "sjf"))


@examples(15)
@given(st.integers(0, 2**31), st.sampled_from(SHUFFLE_MODELS), st.booleans())
def test_any_plan_ends_as_in_the_engine(seed, model, arrives):
    workload, random = jobs_of(seed, 4, arrives=arrives), np.random.default_rng(seed)

    def stage():
        cap = int(random.integers(1, 6)) if random.random() < 0.4 else None
        return StagePlan(float(random.integers(-3, 4) * 20), str(random.choice(TASK_ORDERS)), cap)  # type: ignore[arg-type]

    jobs = [
        JobPlan(f"J{i}", stage(), stage(), None if random.random() < 0.4 else int(random.integers(0, 9)))
        for i in random.permutation(4)[: random.integers(2, 5)]
    ]
    plan = Plan(tuple(jobs))
    cluster = Cluster(2, 3, 0.4, model)
    [finish] = finishes(workload, cluster, [plan], compiled=False)
    assert finish.tolist() == simulate(workload, cluster, PolicyChoice("critical"), plan=plan).finish.tolist()
