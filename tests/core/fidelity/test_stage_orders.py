"""Orders in which Spark may number the stages of a job."""

from __future__ import annotations

import numpy as np
import pytest

from core.fidelity.stage_orders import has_other_orders, reordered
from core.model.job import Job
from core.model.stages import MAP_REDUCE, Edge, Stage, StageGraph


def job_of(*edges: tuple[int, int], stages: int) -> Job:
    """Return a job whose stage k has one task of k seconds."""
    graph = StageGraph((0,) * stages, tuple(Edge(*edge, 1.0) for edge in edges))
    return Job("a", stages=tuple(Stage.of(1, [float(k)]) for k in range(stages)), graph=graph)


def numbers(job: Job) -> tuple[int, ...]:
    """Return which stage of `job_of` each stage is."""
    return tuple(int(stage.task_durations[0]) for stage in job.stages)


def orders(job: Job, draws: int = 200) -> set[tuple[int, ...]]:
    draw = np.random.default_rng(1)
    return {numbers(reordered(job, draw)) for _ in range(draws)}


def test_branches_are_walked_one_after_the_other() -> None:
    """Two branches of two stages are joined: one is numbered whole before the other."""
    joined = job_of((0, 1), (2, 3), (1, 4), (3, 4), stages=5)
    assert orders(joined) == {(0, 1, 2, 3, 4), (2, 3, 0, 1, 4)}


def test_what_is_read_twice_is_numbered_once() -> None:
    diamond = job_of((0, 1), (0, 2), (1, 3), (2, 3), stages=4)
    assert orders(diamond) == {(0, 1, 2, 3), (0, 2, 1, 3)}


def test_stages_that_nothing_reads_come_in_any_order() -> None:
    assert len(orders(job_of(stages=3))) == 6


def test_maps_and_reduces_and_chains_have_one_order() -> None:
    assert not has_other_orders(MAP_REDUCE)
    chain = job_of((0, 1), (1, 2), stages=3)
    assert not has_other_orders(chain.graph)
    assert reordered(chain, np.random.default_rng(1)) is chain


@pytest.mark.parametrize("seed", range(30))
def test_every_order_keeps_what_waits_for_what(seed: int) -> None:
    draw = np.random.default_rng(seed)
    count = int(draw.integers(2, 12))
    edges = sorted(
        (parent, child) for child in range(count) for parent in range(child) if draw.random() < 0.3
    )
    job = job_of(*sorted(edges, key=lambda edge: (edge[1], edge[0])), stages=count)
    other = reordered(job, draw)
    was = numbers(other)
    assert sorted(was) == list(range(count))
    assert sorted((was[edge.parent], was[edge.child]) for edge in other.graph.edges) == edges
