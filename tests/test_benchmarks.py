"""What the benchmarks compare with does the same work: SimPy's schedule equals ours to the last bit."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from benchmarks import application_runs, optimize, pools, scan_orders
from benchmarks.million import packed_schedule
from benchmarks.simpy_model import run
from benchmarks.workloads import arriving, facebook
from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from tests.paths import DATA


@pytest.mark.parametrize("workload", [facebook(1, 256), arriving(30, 8)], ids=["a", "small b"])
def test_the_simpy_model_agrees(workload):
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    columns = workload.columns
    first = columns.first[columns.job, columns.kind]
    index = [i - int(begin) for i, begin in enumerate(first)]
    ours = zip(columns.job, columns.kind, index, schedule.slot, schedule.start, schedule.end, strict=True)
    assert sorted(run(workload, workload.cluster)) == sorted(ours)


def test_the_packed_schedule_is_one():
    schedule = packed_schedule(20_000)
    order = schedule.by_slot
    for slot in range(schedule.cluster.slots):
        tasks = order.tasks[order.offsets[slot] : order.offsets[slot + 1]]
        assert (schedule.start[tasks][1:] >= schedule.end[tasks][:-1] - 1e-6).all()


def test_no_two_pools_are_better_than_the_best_of_all():
    workload, cluster = (
        generate("synthetic1", seed=1, parameters={"jobs": 10, "bimodal": True}),
        Cluster(12, 12),
    )
    halving, everything = (
        search(workload, cluster)[0] for search in (pools.best_by_halving, pools.best_of_all)
    )
    assert everything <= halving


@pytest.mark.parametrize("metric", scan_orders.SUMS, ids=lambda metric: metric.id)
def test_the_best_order_of_scans_is_the_best_of_all_permutations(metric):
    for seed in range(5):
        jobs, chain = scan_orders.random_case(4, 3, seed)
        least = min(
            metric.value(jobs, scan_orders.SLOTS, np.cumsum(jobs.work[list(order)])[np.argsort(order)] / 10)
            * 4
            for order in itertools.permutations(range(4))
            if all(a < b for a, b in itertools.combinations(order, 2) if chain[a] == chain[b])
        )
        assert scan_orders.least_cost(jobs, chain, jobs.work, metric) == pytest.approx(least)


def test_two_runs_of_an_application_make_a_pair(capsys, monkeypatch):
    log = str(DATA / "jobtracker-0.20.log")
    monkeypatch.setattr("sys.argv", ["application_runs", log, "--samples", "1"])
    application_runs.main()
    printed = capsys.readouterr().out
    rows = [line.strip("| ").split(" | ") for line in printed.splitlines() if line.startswith("| ")][2:]
    assert [row[0] for row in rows] == ["map", "shuffle", "reduce"]
    assert int(rows[0][2]) + int(rows[0][5]) == 1  # two runs make one pair
    least, average, largest = map(float, (rows[0][1] or rows[0][4]).split(" / "))
    assert 0 <= least == average == largest < 14


def test_the_table_of_the_best_schedules(capsys, monkeypatch):
    cells = ["--panels", "12c", "--sizes", "32", "128"]
    words = ["optimize", "--parts", "papers", *cells, "--seconds", "0.05", "--no-pools"]
    monkeypatch.setattr("sys.argv", words)
    optimize.main()
    lines = capsys.readouterr().out.splitlines()
    assert "| bound, s | fifo, % | johnson, % | order only, % | all levers, % |" in lines[3]
    assert lines[6].startswith(
        "| Synthetic2, bimodal, 10 jobs, 128+128 | 5690 | 2.04 | 5.24 | proved | proved |"
    )
    assert [line.split("**")[1] for line in lines[7:]] == ["mean", "largest", "under 5 %", "proved"]
