"""Stages numbered in another order: the same graph, as far as it lets them."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from core.model.job import Job
from core.model.stage_order import places_of, renumbered
from core.model.stages import Edge, Stage, StageGraph
from tests.core.engine.slow_graphs import random_graph

GRAPH = StageGraph((0, 0, 1, 1), (Edge(2, 3, 0.5),))
JOB = Job("J1", stages=tuple(Stage.of(1, seconds) for seconds in (6.0, 5.0, 2.0, 8.0)), graph=GRAPH)


def test_a_stage_stands_between_its_parents_and_children() -> None:
    assert [list(places_of(GRAPH, stage)) for stage in range(4)] == [
        [0, 1, 2, 3],
        [0, 1, 2, 3],
        [0, 1, 2],
        [3],
    ]


def test_it_takes_its_tasks_type_and_edges_along_and_keeps_what_it_is_called() -> None:
    moved = renumbered(JOB, (2, 0, 1, 3))
    assert [float(stage.durations[0]) for stage in moved.stages] == [2.0, 6.0, 5.0, 8.0]
    assert moved.graph.task_types == (1, 0, 0, 1)
    assert moved.graph.edges == (Edge(0, 3, 0.5),)
    assert moved.graph.names == ("2", "0", "1", "3")
    assert renumbered(moved, (1, 2, 0, 3)) == JOB


@pytest.mark.parametrize("order", [(3, 0, 1, 2), (0, 1, 2), (0, 1, 2, 2)])
def test_what_cannot_be_is_refused(order: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"waits for|each once"):
        renumbered(JOB, order)


def test_places_are_those_that_the_graph_takes() -> None:
    """Of any random graph a stage moved to each place is accepted just where it may stand."""
    draw = np.random.default_rng(4)
    for _ in range(60):
        graph = random_graph(draw)
        job = Job("J1", stages=tuple(Stage.of(1, 1.0) for _ in range(len(graph))), graph=graph)
        for stage in range(len(graph)):
            others = [number for number in range(len(graph)) if number != stage]
            for place in range(len(graph)):
                order = (*others[:place], stage, *others[place:])
                if place in places_of(graph, stage):
                    assert len(renumbered(job, order).graph.edges) == len(graph.edges)
                else:
                    with pytest.raises(ValueError, match="waits for"):
                        renumbered(job, order)


def test_every_order_of_independent_stages_is_one() -> None:
    free = Job("J1", stages=JOB.stages[:3], graph=StageGraph((0, 0, 0)))
    found = {tuple(float(s.durations[0]) for s in renumbered(free, p).stages) for p in permutations(range(3))}
    assert len(found) == 6
