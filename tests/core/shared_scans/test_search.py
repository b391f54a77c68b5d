"""Sums of tardy jobs, tardiness and service levels: by hand, and against the best order there is."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.job import Dataset, Job, scan_stage
from core.model.schedule import PolicyChoice
from core.model.workload import Workload
from core.shared_scans.fluid import fresh_progress, schedule_scans
from core.shared_scans.fluid_loop import board, form_subjobs
from core.shared_scans.metric import METRICS, SEARCH, metric_named
from core.shared_scans.priority_loop import MAX_EXACT, put_in_order
from core.shared_scans.scan_jobs import ScanJobs
from core.shared_scans.windows import SCAN_POLICIES, boarding_of
from core.simulation.simulate import simulate

SUMS = [metric.id for metric in METRICS if metric.rule == SEARCH]
SLOTS = 10.0


def test_the_long_job_is_late_so_that_two_are_in_time() -> None:
    # alone 6, 4 and 5 s; by deadlines the order is 0, 1, 2: all but the first are late
    jobs = ScanJobs.of([0, 0, 0], [0, 1, 2], [60, 40, 50], deadline=[7, 8, 9])
    tardy = schedule_scans(jobs, SLOTS, "flex", "tardy-jobs")
    assert tardy.value == pytest.approx(1 / 3)
    assert tardy.finish.tolist() == [15, 4, 9]
    assert schedule_scans(jobs, SLOTS, "flex", "max-lateness").finish.tolist() == [6, 10, 15]


def test_a_heavy_job_is_in_time_at_the_expense_of_two_light_ones() -> None:
    jobs = ScanJobs.of([0, 0, 0], [0, 1, 2], [60, 40, 50], deadline=[7, 8, 9], weight=[5, 1, 1])
    assert schedule_scans(jobs, SLOTS, "flex", "weighted-tardy-jobs").value == pytest.approx(2 / 3)


def test_service_levels_of_each_job_decide() -> None:
    # both take 5 s; who comes second pays its second step, the first job 9 and the other 2
    steps = [((4.0, 1.0), (6.0, 9.0)), ((4.0, 1.0), (6.0, 2.0))]
    jobs = ScanJobs.of([0, 0], [0, 1], 50, steps=steps)
    schedule = schedule_scans(jobs, SLOTS, "flex", "average-sla")
    assert schedule.finish.tolist() == [5, 10]
    assert schedule.value == pytest.approx((1 + 2) / 2)


# ---- against the best order there is


class Case:
    """Subjobs in chains, all there at time 0, with random deadlines, weights and service levels."""

    def __init__(self, seed: int, longest_chain: int) -> None:
        source = random.Random(seed)
        sizes = [
            source.randint(1, longest_chain) for _ in range(source.randint(2, 8 if longest_chain == 1 else 4))
        ]
        chain = [d for d, size in enumerate(sizes) for _ in range(size)]
        work = [float(source.randint(1, 20)) for _ in chain]
        span = 2 * sum(work) / SLOTS * source.choice((0.1, 0.4, 0.7))
        self.chain, self.work = chain, work
        self.jobs = ScanJobs.of(
            np.zeros(len(chain)),
            chain,
            work,
            weight=[source.choice((1.0, 2.0, 4.0, 8.0)) for _ in chain],
            deadline=[source.uniform(0.01, span) for _ in chain],
            steps=[
                tuple(zip(sorted(source.uniform(0.01, span) for _ in "123"), (1.0, 3.0, 9.0), strict=True))
                for _ in chain
            ],
        )

    def cost(self, order: list[int], metric: str) -> float:
        """The sum of what the jobs cost if the subjobs run one after the other on all slots."""
        finish = np.empty(len(order))
        finish[order] = np.cumsum([self.work[i] for i in order]) / SLOTS
        return metric_named(metric).value(self.jobs, SLOTS, finish) * len(order)

    def best(self, metric: str) -> float:
        """The least cost of any order that respects the chains, from one set of ended subjobs to the next."""
        links = [[i for i, d in enumerate(self.chain) if d == chain] for chain in sorted(set(self.chain))]
        least = {(0,) * len(links): 0.0}
        for done in itertools.product(*(range(len(chain) + 1) for chain in links)):
            end = sum(self.work[i] for chain, n in zip(links, done, strict=True) for i in chain[:n]) / SLOTS
            for d, n in enumerate(done):
                if n:
                    before = (*done[:d], n - 1, *done[d + 1 :])
                    finish = np.zeros(len(self.chain))
                    finish[links[d][n - 1]] = end
                    cost = least[before] + metric_named(metric).value(self.jobs, SLOTS, finish) * len(
                        self.chain
                    )
                    least[done] = min(least.get(done, cost), cost)
        return least[tuple(len(chain) for chain in links)]

    def planned(self, metric: str) -> list[int]:
        """The order in which the plan serves the subjobs."""
        columns = boarding_of(self.jobs, SLOTS, metric_named(metric), np.array(self.chain))
        boarding = type(columns)(*(column.tolist() for column in columns))
        filled = fresh_progress(len(self.chain), 0)
        progress = type(filled)(*(column.tolist() for column in filled))
        for i in range(len(self.chain)):
            board(boarding, progress, i, i)
            same = i > 0 and self.chain[i] == self.chain[i - 1]
            progress.remaining[i] = self.work[i] + (progress.remaining[i - 1] if same else 0.0)
        form_subjobs(boarding, progress, len(self.chain))
        put_in_order(boarding, progress, len(self.chain), 0.0, SLOTS, metric_named(metric).rule)
        return [progress.active[position] for position in progress.order]


@pytest.mark.parametrize("seed", range(60))
def test_tardy_jobs_that_share_nothing_are_as_few_as_possible(seed: int) -> None:
    case = Case(seed, 1)
    assert case.cost(case.planned("tardy-jobs"), "tardy-jobs") == pytest.approx(case.best("tardy-jobs"))


@pytest.mark.parametrize("longest_chain", [1, 3])
@pytest.mark.parametrize("metric", SUMS)
def test_up_to_ten_subjobs_have_the_best_order(metric: str, longest_chain: int) -> None:
    """And eleven or twelve one that costs a tenth more at most, all cases together."""
    found = best = 0.0
    for seed in range(60):
        case = Case(seed, longest_chain)
        order = case.planned(metric)
        assert sorted(order) == list(range(len(order)))
        assert all(a < b for a, b in itertools.combinations(order, 2) if case.chain[a] == case.chain[b])
        cost, least = case.cost(order, metric), case.best(metric)
        if len(order) <= MAX_EXACT:
            assert cost == pytest.approx(least)
        else:
            found, best = found + cost, best + least
    assert found <= 1.1 * best


@pytest.mark.parametrize("metric", [metric.id for metric in METRICS])
def test_no_permutation_is_better(metric: str) -> None:
    """Of five subjobs, alone and in chains, by every metric: each of the 120 orders is looked at."""
    compared = 0
    for seed in range(40):
        case = Case(seed, 1 + 2 * (seed % 2))
        links = range(len(case.chain))
        if len(case.chain) > 5:
            continue
        possible = (
            order
            for order in itertools.permutations(links)
            if all(a < b for a, b in itertools.combinations(order, 2) if case.chain[a] == case.chain[b])
        )
        least = min(case.cost(list(order), metric) for order in possible)
        assert case.cost(case.planned(metric), metric) == pytest.approx(least)
        compared += 1
    assert compared >= 15


# ---- every policy, every metric


@pytest.mark.parametrize("policy", SCAN_POLICIES)
@pytest.mark.parametrize("metric", SUMS)
def test_policies_simulate_with_every_sum(policy: str, metric: str) -> None:
    datasets = (Dataset("a", 30, 1.0), Dataset("b", 8, 1.0))
    jobs = tuple(
        Job(f"J{i}", scan_stage(datasets[i % 2]), arrival=i * 0.7, deadline=i * 0.7 + 6, dataset="ab"[i % 2])
        for i in range(8)
    )
    choice = PolicyChoice(policy, {"metric": metric})
    late = {}
    for chosen in (choice, PolicyChoice(policy)):
        schedule = simulate(
            Workload("w", jobs, datasets=datasets), Cluster(10, 0), chosen, engine="interpreted"
        )
        late[chosen] = int(np.count_nonzero(schedule.finish > schedule.workload.columns.deadline))
    if metric == "tardy-jobs" and policy == "flex":
        assert late[choice] <= late[PolicyChoice(policy)]
