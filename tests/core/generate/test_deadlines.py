"""Random deadlines lie where the model says, are recorded, and can be made again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.workload_document import workload_from_json
from core.files.workload_writing import workload_to_json
from core.generate.deadlines import FACTOR, SEED, with_random_deadlines
from core.generate.families import generate
from core.measures.metrics import measure
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.nodes import NodeGroup
from core.simulation.fifo_trials import isolated_runtimes
from tests.builders import make_job, make_workload, regenerate, run
from tests.core.engine.strategies import clusters, workloads
from tests.random_tests import examples

SMALL = {"jobs": 12, "mean_interarrival": 50}


@examples(30)
@given(data=st.data(), factor=st.sampled_from((1.0, 1.5, 3.0)), seed=st.integers(0, 2**53 - 1))
def test_deadlines_are_within_the_interval(data: st.DataObject, factor: float, seed: int) -> None:
    workload = data.draw(workloads())
    cluster = data.draw(clusters(workload))
    drawn = with_random_deadlines(workload, cluster, factor, seed, isolated_runtimes)
    again = with_random_deadlines(drawn, cluster, factor, seed, isolated_runtimes)
    assert again == drawn  # the old ones, and their note, are replaced
    for job, alone in zip(drawn.jobs, isolated_runtimes(workload, cluster), strict=True):
        if alone == 0:
            assert job.deadline is None
        else:
            assert job.deadline is not None
            assert alone <= job.deadline - job.arrival <= factor * alone + 0.0011


def test_deadlines_are_uniform() -> None:
    """The mean and the spread of 2000 draws between 10 and 30 s."""
    workload = make_workload(*(make_job(f"J{i}", (1, 10.0), arrival=float(i)) for i in range(2000)))
    drawn = with_random_deadlines(workload, Cluster(1, 1), 3.0, 7, isolated_runtimes)
    allowed = drawn.columns.deadline - drawn.columns.arrival
    assert abs(allowed.mean() - 20) < 0.5
    assert abs(allowed.std() - 20 / np.sqrt(12)) < 0.3
    other = with_random_deadlines(workload, Cluster(1, 1), 3.0, 8, isolated_runtimes)
    assert abs(np.corrcoef(allowed, other.columns.deadline - other.columns.arrival)[0, 1]) < 0.1


def test_an_undisturbed_job_is_in_time() -> None:
    """With factor 1, whatever fractions of seconds its tasks take: these jobs never meet."""
    maps, reduces = (7, [0.101, 0.7]), (3, [1 / 3], 0.1, 0.2)
    jobs = [make_job(f"J{i}", maps, reduces, arrival=20.3 * i) for i in range(50)]
    drawn = with_random_deadlines(make_workload(*jobs), Cluster(2, 2), 1.0, 1, isolated_runtimes)
    metrics = measure(run(drawn, Cluster(2, 2)))
    assert (metrics["late_jobs"], metrics["deadline_utility"]) == (0, 0)


def test_utility_is_how_much_of_the_time_allowed_was_exceeded() -> None:
    """J2 is allowed 10 s and takes 20; J3 is allowed 40."""
    jobs = [
        make_job(name, (1, 10.0), deadline=end) for name, end in (("J1", 10.0), ("J2", 10.0), ("J3", 40.0))
    ]
    metrics = measure(run(make_workload(*jobs), Cluster(1, 0)))
    assert (metrics["late_jobs"], metrics["deadline_utility"]) == (1, 1.0)


def test_the_draw_is_recorded() -> None:
    workload = generate("synthetic1", seed=3, parameters=SMALL)
    drawn = with_random_deadlines(workload, workload.cluster, 1.5, 9, isolated_runtimes)
    assert drawn.source.splitlines()[0] == workload.source
    assert "Random deadlines with seed 9: from T to 1.5 T after the arrival" in drawn.source
    assert "100 map and 100 reduce slots (slowstart 0.05, shuffle simmr)" in drawn.source
    assert drawn.origin is not None
    parameters = dict(drawn.origin.parameters)
    factor, seed = parameters.pop(FACTOR), parameters.pop(SEED)
    again = regenerate(replace(drawn.origin, parameters=tuple(parameters.items())))
    assert again == workload
    assert with_random_deadlines(again, again.cluster, factor, seed, isolated_runtimes) == drawn
    read = workload_from_json(workload_to_json(drawn), "x")
    assert (read.source, read.origin) == (drawn.source, drawn.origin)
    assert read.columns.deadline.tolist() == drawn.columns.deadline.tolist()


def test_a_cluster_without_reduce_slots_is_refused() -> None:
    workload = make_workload(make_job("J1", (1, 1.0), (1, 1.0)))
    with pytest.raises(InputError, match="job 'J1' never ends on 3 map and 0 reduce slots"):
        with_random_deadlines(workload, Cluster(3, 0), 2.0, 1, isolated_runtimes)


def test_on_another_cluster_only_the_note_is_written() -> None:
    workload = generate("synthetic1", seed=3, parameters=SMALL)
    drawn = with_random_deadlines(workload, Cluster(0, 0, containers=9), 2, 0, isolated_runtimes)
    assert drawn.origin == workload.origin
    assert "9 containers" in drawn.source
    again = with_random_deadlines(drawn, Cluster(3, 2), 2, 0, isolated_runtimes)
    assert again.source.count("Random deadlines") == 1
    assert "3 map and 2 reduce slots" in again.source
    nodes = Cluster(0, 0, nodes=(NodeGroup(2, 4096, 3),))
    note = with_random_deadlines(drawn, nodes, 2, 0, isolated_runtimes).source.splitlines()[-1]
    assert "nodes 2x4GB,3, 1GB,1 a map, 1GB,1 a reduce (slowstart 0.05, shuffle simmr)" in note


@pytest.mark.parametrize(
    ("factor", "seed", "sentence"),
    [
        (0.5, 1, "the deadline factor is 0.5; give a number from 1"),
        (float("nan"), 1, "the deadline factor is nan"),
        (1e7, 1, "the deadline factor is 10000000"),
        (2.0, -1, "the seed of the deadlines is -1; give a whole number from 0"),
        (2.0, True, "the seed of the deadlines is true"),
    ],
)
def test_what_is_refused(factor: float, seed: int, sentence: str) -> None:
    workload = make_workload(make_job("J1", (1, 1.0)))
    with pytest.raises(InputError, match=sentence):
        with_random_deadlines(workload, Cluster(1, 1), factor, seed, isolated_runtimes)
