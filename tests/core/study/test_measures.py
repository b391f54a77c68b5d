"""Numbers that a study measures, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from core.files.samples import load_sample
from core.measures.release_rate import release_rates
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.nodes import NodeGroup
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate
from core.study.cell_run import CellRunner
from core.study.cells import settings_of
from core.study.measures import MEASURES
from core.study.run_study import open_files
from core.study.study_document import preset_paths, read_study


def measured(schedule, *names):
    return [MEASURES[name].value(schedule, {}) for name in names]


def test_the_five_jobs_of_the_paper_and_their_pools():
    workload = load_sample("five-jobs-pools")
    johnson = simulate(workload, workload.cluster, PolicyChoice("johnson"))
    pools = simulate(workload, workload.cluster, PolicyChoice("balanced-pools"))
    makespan, bound, gain = measured(johnson, "makespan", "lower_bound", "possible_gain")
    assert gain == pytest.approx(1 - bound / makespan)
    small = min(pools.partition.pools, key=lambda pool: pool.map_slots)
    assert measured(pools, "makespan", "small_pool_slots", "small_pool_jobs") == [
        40,
        small.map_slots,
        len(small.jobs),
    ]
    assert all(value != value for value in measured(johnson, "small_pool_slots", "small_pool_jobs"))


def test_map_phase_shuffle_after_it_and_last_batches():
    maps = [10.0, 5.0, 12.0, 30.0]
    job = Job("A", Stage.of(4, maps), Stage.of(1, 6.0, 2.0, 4.0))
    schedule = simulate(Workload("w", (job,)), Cluster(4, 1, 1.0), PolicyChoice("fifo"))
    assert measured(schedule, "map_phase", "shuffle_tail", "makespan") == [30, 4, 40]
    assert measured(schedule, "last_batch_largest", "last_batch_small") == [1, 1]
    level = simulate(
        Workload("w", (Job("A", Stage.of(6, 10.0), Stage()), Job("B", Stage.of(1, 10.0), Stage()))),
        Cluster(7, 1),
        PolicyChoice("fifo"),
    )
    assert measured(level, "last_batch_largest", "last_batch_small") == [6, 0.5]


def test_only_policies_that_predict_releases_have_their_rate():
    job = Job("A", Stage.of(8, 10.0), Stage())
    nodes = Cluster(0, 0, 0.0, "overlap", nodes=(NodeGroup(2, 2048, 2),))
    omo, fresh = (simulate(Workload("w", (job,)), nodes, PolicyChoice(policy)) for policy in ("omo", "fresh"))
    rate, error = measured(omo, "release_rate", "release_error")
    assert rate > 0
    assert error >= 0
    assert all(value != value for value in measured(fresh, "release_rate", "release_error"))


def test_parts_of_the_map_and_shuffling_phase_are_all_of_it():
    job = Job("A", Stage.of(4, [10.0, 5.0, 12.0, 30.0]), Stage.of(1, 6.0, 2.0, 4.0))
    names = ("map_only", "map_overlap", "shuffle_tail")
    for slowstart, parts in ((1.0, [30, 0, 4]), (0.25, [5, 25, 2])):
        schedule = simulate(Workload("w", (job,)), Cluster(4, 1, slowstart), PolicyChoice("fifo"))
        assert measured(schedule, *names) == parts
        assert sum(parts) == schedule.shuffled.max()


def test_releases_in_windows_and_what_the_windows_before_let_expect():
    job = Job("A", Stage.of(40, 4.0), Stage())
    schedule = simulate(Workload("w", (job,)), Cluster(4, 1), PolicyChoice("fair"))
    real, expected = [
        [MEASURES[name].value(schedule, {"look.time": time}) for time in (0.0, 15.0, 20.0, 30.0, 40.0)]
        for name in ("released", "release_estimate")
    ]
    # four maps every 4 s: two, two, three and three times in windows of 10 s; always four are available
    assert real[:4] == pytest.approx([0.8, 0.8, 1.2, 1.2])
    assert expected[1:4] == pytest.approx([0.8, 0.8, 0.5 * 1.2 + 0.5 * 0.8])
    assert [value != value for value in (expected[0], real[4], expected[4])] == [True] * 3


def test_the_last_batch_is_that_of_the_job_looked_at():
    jobs = (Job("A", Stage.of(6, 10.0), Stage()), Job("B", Stage.of(1, 10.0), Stage()))
    schedule = simulate(Workload("w", jobs), Cluster(7, 1), PolicyChoice("fifo"))
    sizes = [MEASURES["last_batch"].value(schedule, {"look.job": job}) for job in (1, 2, 3)]
    assert sizes[:2] == [6, 1]
    assert sizes[2] != sizes[2]


def test_the_printed_estimate_does_not_know_that_one_wave_lasts_as_long_as_its_longest_task():
    workload = Workload("w", (Job("A", Stage.of(30, 4.0), Stage()),))
    schedule = simulate(workload, Cluster(30, 1), PolicyChoice("johnson"))
    assert measured(schedule, "makespan", "estimated") == [4, 4]
    assert measured(schedule, "estimated_as_printed") == pytest.approx([(4 + 29 / 30 * 4 + 4) / 2])


def test_a_schedule_that_is_looked_at_in_many_places_is_simulated_once(monkeypatch):
    study = read_study(preset_paths()["002-figure-5"])
    runner, runs = CellRunner(open_files(study)), []
    once = runner.simulate
    monkeypatch.setattr(runner, "simulate", lambda asked: runs.append(asked) or once(asked))
    rows = [runner.run(settings_of(study, number, 0), study.measures).values for number in (0, 1, 30, 9, 60)]
    assert len(runs) == 2, "two policies"
    assert rows[0] == (54, 0)
    assert rows[3] == (26, 0)


def test_the_rate_estimated_from_a_schedule_is_the_one_that_omo_predicted_as_it_ran():
    study = read_study(preset_paths()["004-figures-7-and-8"])
    runner = CellRunner({})
    schedule = runner.simulate(runner.scenario_of(settings_of(study, 6, 0)))
    assert schedule.choice.id == "omo"
    rates = release_rates(schedule)
    estimate = MEASURES["release_estimate"].value
    ours = np.array([estimate(schedule, {"look.time": time}) for time in rates.times])
    known = np.isfinite(ours) & np.isfinite(rates.predicted)
    assert known.sum() > 90
    assert np.abs(ours - rates.predicted)[known].mean() < 0.05 * rates.predicted[known].mean()
