"""Numbers that a study measures, by hand."""

from __future__ import annotations

import pytest

from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.nodes import NodeGroup
from core.model.schedule import PolicyChoice
from core.model.workload import Job, Stage, Workload
from core.simulation.simulate import simulate
from core.study.measures import MEASURES


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
