"""What the benchmarks compare with does the same work: SimPy's schedule equals ours to the last bit."""

from __future__ import annotations

import pytest

from benchmarks import application_runs, optimize, pools
from benchmarks.million import packed_schedule
from benchmarks.simpy_model import run
from benchmarks.studies import balanced_pools, deadlines, dynamic_slots, omo, planning, shared_scans
from benchmarks.studies.omo_published import GAINS
from benchmarks.studies.scan_experiment import Experiment, Setting, run_experiment
from benchmarks.workloads import arriving, facebook
from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.estimates import DurationEstimates
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


def test_the_study_of_dynamic_slots_prints_its_tables(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["dynamic_slots", "--seeds", "1"])
    dynamic_slots.main()
    printed = capsys.readouterr().out
    gains = [
        float(line.split(" | ")[1].rstrip(" %")) for line in printed.splitlines() if line.startswith("| J")
    ]
    assert len(gains) == 6
    assert all(30 < gain < 70 for gain in gains)
    assert printed.count("\n| 5 s | 54 | 0 | 54 | 0 |") == 2  # each pool has half of all slots at first
    assert "| map 0 %, reduce as given | 0.0 % |" in printed


def test_the_study_of_deadlines_prints_its_tables(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["deadlines", "--runs", "1"])
    monkeypatch.setattr(deadlines, "GAPS", (10,))
    monkeypatch.setattr(deadlines, "FACTORS", (1.0, 3.0))
    deadlines.main()
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| 10 s |")]
    assert len(rows) == 4
    greedy = [float(row.split(" | ")[1]) for row in rows]
    assert greedy[1] < greedy[0]
    assert greedy[3] < greedy[2]


def test_every_order_of_arrivals_has_the_same_jobs():
    workload = generate("dhfs", parameters={"mean_interarrival": 10})
    mixed = deadlines.permuted(workload, 3)
    assert [job.arrival for job in mixed.jobs] == [job.arrival for job in workload.jobs]
    assert sorted(job.name for job in mixed.jobs) == [job.name for job in workload.jobs]
    assert [job.name for job in mixed.jobs] != [job.name for job in workload.jobs]


def test_the_study_of_balanced_pools_prints_its_tables(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["balanced_pools", "--panels", "11b", "12c", "--sizes", "6", "12"])
    balanced_pools.main()
    cells = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()]
    rows = {(row[0], row[1]): row[2:] for row in cells if row[0] in ("11b", "12c") and row[1] in ("6", "12")}
    assert len(rows) == 4
    for row in rows.values():
        _, johnson, balanced, bound = (float(cell.rstrip(" h")) for cell in row[:4])
        assert bound <= balanced <= johnson
    gains = [row for row in cells if row[0] == "11b" and row[1].startswith("Synthetic1")]
    assert len(gains) == 4
    balanced, bound = (float(gains[which][2].rstrip(" %")) for which in (1, 2))
    assert 0 <= balanced <= bound


def test_no_two_pools_are_better_than_the_best_of_all():
    workload, cluster = (
        generate("synthetic1", seed=1, parameters={"jobs": 10, "bimodal": True}),
        Cluster(12, 12),
    )
    halving, everything = (
        search(workload, cluster)[0] for search in (pools.best_by_halving, pools.best_of_all)
    )
    assert everything <= halving


def test_the_study_of_omo_prints_its_tables(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["omo", "--seeds", "1", "--contention", "1"])
    monkeypatch.setattr(omo, "GAINS", {name: GAINS[name] for name in ("TeraSort", "Classification")})
    omo.main()
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    table = [row for row in rows if len(row) == 8 and row[1].endswith(" s")]
    lengths = {row[0]: [float(cell.split(" ")[0]) for cell in row[1:]] for row in table}
    best, fair_1, fresh, lazy, batch, both, bound = lengths["| TeraSort"]
    assert bound < lazy < min(batch, both)
    assert max(batch, both) < fresh < best < fair_1
    fresh, *_, bound = lengths["| Classification"][2:]
    assert fresh < 1.1 * bound, "without shuffles there is little to gain"
    containers = next(row for row in rows if row[0] == "| containers, 1 on 2 nodes")
    seconds = [float(cell.split(" ")[0]) for cell in containers[1:]]
    assert min(seconds) < min(seconds[0], seconds[-1]), "the best slowstart lies inside"


def small_grid(experiment, *, progress):
    """Run a corner of the grid on a small scale."""
    points = [Setting(1, 1, c) for c in range(9)] + [Setting(0, 1, 4)]
    small = Experiment(jobs=60, seconds=360, repetitions=2, maximum=experiment.maximum)
    return run_experiment(small, points, progress=progress)


def test_the_study_of_shared_scans_prints_its_tables_and_writes_its_file(capsys, monkeypatch, tmp_path):
    table = tmp_path / "ratios.csv"
    monkeypatch.setattr("sys.argv", ["shared_scans", "--max-slots", "none", "4", "--csv", str(table)])
    monkeypatch.setattr(shared_scans, "run_experiment", small_grid)
    assert shared_scans.main() == 0
    printed = capsys.readouterr().out
    assert "| correlation | no limit | at most 4 | paper |" in printed
    assert any(line.startswith("| 0 |") and line.endswith("| 0.81 |") for line in printed.splitlines())
    assert "| 0.98 and 0.97 |" in printed
    assert len(table.read_text().splitlines()) == 1 + 2 * 10 * 2


def test_a_study_that_is_stopped_writes_nothing(capsys, monkeypatch, tmp_path):
    asked = []

    def stopped(experiment, *, progress):
        def press(fraction):
            asked.append(fraction)
            if len(asked) == 2:
                raise KeyboardInterrupt

        return small_grid(experiment, progress=press)

    monkeypatch.setattr("sys.argv", ["shared_scans", "--csv", str(tmp_path / "ratios.csv")])
    monkeypatch.setattr(shared_scans, "run_experiment", stopped)
    assert shared_scans.main() == 130
    assert "nothing was written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


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


def test_the_study_of_planning_prints_its_tables(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["planning", "--jobs", "6", "--nodes", "8", "--seeds", "2"])
    planning.main()
    rows = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()]
    costs = [row for row in rows if len(row) == 7 and row[2] in ("job", "task")]
    assert len(costs) == 3 * 3 * 2
    workload = generate("synthetic1", seed=1, parameters={"jobs": 6, "bimodal": False})
    johnson, guess = (
        planning.makespan(workload, Cluster(8, 8, 1.0), PolicyChoice("johnson", {}, estimates))
        for estimates in (None, DurationEstimates(1.0, "task", 0))
    )
    other = planning.makespan(
        workload, Cluster(8, 8, 1.0), PolicyChoice("johnson", {}, DurationEstimates(1.0, "task", 1))
    )
    assert float(costs[1][-1].rstrip(" %")) == pytest.approx(
        100 * ((guess + other) / 2 / johnson - 1), abs=0.06
    )
    assert {guess, other} != {johnson}
    pools = [row for row in rows if len(row) == 6 and row[1][0].isdigit()]
    assert len(pools) == 3
    for row in pools:
        one, two, three, four, bound = map(float, row[1:])
        assert one >= two >= three >= four >= bound


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
