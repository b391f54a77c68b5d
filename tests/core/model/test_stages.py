"""Stages and their graphs: what waits for what, and the columns of all stages of a workload."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.model.job import Job
from core.model.stages import MAP_REDUCE, Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload

DIAMOND = StageGraph((MAP, MAP, REDUCE, REDUCE), (Edge(1, 3), Edge(0, 1, 0.5), Edge(0, 2), Edge(2, 3, 1.0)))


def diamond(name: str) -> Job:
    return Job(name, stages=tuple(Stage.of(k + 1, 1.0 + k, 2.0, 3.0) for k in range(4)), graph=DIAMOND)


def test_a_graph_knows_what_waits_for_what() -> None:
    assert [DIAMOND.parents(stage) for stage in range(4)] == [(), (0,), (0,), (1, 2)]
    assert (len(MAP_REDUCE), MAP_REDUCE.parents(MAP), MAP_REDUCE.parents(REDUCE)) == (2, (), (MAP,))


@pytest.mark.parametrize("edge", [Edge(1, 0), Edge(1, 1), Edge(0, 2), Edge(-1, 1)])
def test_a_stage_waits_for_stages_with_lower_numbers(edge: Edge) -> None:
    with pytest.raises(ValueError, match="waits for stages with lower numbers"):
        StageGraph((MAP, REDUCE), (edge,))


def test_a_jobs_stages_fit_its_graph() -> None:
    with pytest.raises(ValueError, match="J1: 2 stages do not fit a graph of 4"):
        Job("J1", Stage.of(1), Stage.of(1), graph=DIAMOND)


def test_maps_and_reduces_are_names_of_two_stages() -> None:
    job = Job("J1", Stage.of(2, 3.0), Stage.of(1, 4.0))
    assert job.stages == (job.maps, job.reduces)
    assert job == Job("J1", stages=job.stages)
    more = job.with_stage(REDUCE, Stage.of(5, 6.0))
    assert (more.maps, more.reduces.count, more.task_count) == (job.maps, 5, 7)
    assert replace(job, arrival=3.0).stages == job.stages


def test_columns_of_jobs_of_different_graphs() -> None:
    """A MapReduce job of 2 + 1 tasks before a graph of 1 + 2 + 3 + 4."""
    workload = Workload("w", (Job("J1", Stage.of(2, 3.0), Stage.of(1, 4.0, 5.0, 6.0)), diamond("J2")))
    columns, stages = workload.columns, workload.columns.stages
    assert stages.begin.tolist() == [0, 2, 6]
    assert stages.job.tolist() == [0, 0, 1, 1, 1, 1]
    assert stages.number.tolist() == [0, 1, 0, 1, 2, 3]
    assert stages.task_type.tolist() == [MAP, REDUCE, MAP, MAP, REDUCE, REDUCE]
    assert stages.first.tolist() == [0, 2, 3, 4, 6, 9]
    assert stages.count.tolist() == [2, 1, 1, 2, 3, 4]
    edges = zip(stages.parent.tolist(), stages.child.tolist(), stages.slowstart.tolist(), strict=True)
    assert str(list(edges)) == "[(0, 1, nan), (2, 3, 0.5), (2, 4, nan), (3, 5, nan), (4, 5, 1.0)]"
    assert stages.has_parents.tolist() == [False, True, False, True, True, True]
    assert stages.has_children.tolist() == [True, False, True, True, True, False]
    assert columns.number.tolist() == [0, 1, 0, 0, 0, 1, 0, 1, 2, 0, 1, 2, 3]
    assert columns.job.tolist() == [0] * 3 + [1] * 10
    assert columns.kind.tolist() == [0, 0, 1, 0, 0, 0] + [1] * 7
    assert np.flatnonzero(columns.typical_shuffle == 0).tolist() == [0, 1, 3]  # they wait for no stage
    assert (
        workload.digest
        != workload.with_jobs((workload.jobs[0], Job("J2", stages=diamond("").stages[:2]))).digest
    )


def test_an_equal_graph_is_the_same_to_a_digest() -> None:
    one = Workload("w", (Job("J1", Stage.of(1, 1.0)),))
    other = Workload(
        "w", (Job("J1", Stage.of(1, 1.0), graph=StageGraph(MAP_REDUCE.task_types, MAP_REDUCE.edges)),)
    )
    assert one.digest == other.digest
