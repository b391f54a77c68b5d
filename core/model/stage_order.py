"""In which order a job's stages are numbered: most policies serve those that may start by their numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.model.stages import Edge, StageGraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.job import Job


def places_of(graph: StageGraph, stage: int) -> range:
    """Return at which places among the others a stage may stand: behind its parents, before its children.

    In a graph of three stages of which the last waits for the first, stage 1 may stand at 0, 1 and 2, and
    stage 2 at 1 and 2.
    """
    others = [other for other in range(len(graph)) if other != stage]
    behind = [others.index(parent) + 1 for parent in graph.parents(stage)]
    before = [others.index(edge.child) for edge in graph.edges if edge.parent == stage]
    return range(max(behind, default=0), min(before, default=len(others)) + 1)


def renumbered(job: Job, order: Sequence[int]) -> Job:
    """Return a job whose stages are numbered in another order; each keeps what it is called.

    Parameters
    ----------
    order : the numbers of before, in the new order

    Raises
    ------
    ValueError
        a stage would have a lower number than one that it waits for, or these are not all stages once
    """
    graph = job.graph
    if sorted(order) != list(range(len(graph))):
        raise ValueError(f"{tuple(order)} are not the numbers 0 to {len(graph) - 1}, each once")
    place = {number: new for new, number in enumerate(order)}
    edges = [
        Edge(place[edge.parent], place[edge.child], edge.slowstart, edge.inferred) for edge in graph.edges
    ]
    names = graph.names or ("",) * len(graph)
    called = tuple(names[number] or str(number) for number in order)
    return replace(
        job,
        stages=tuple(job.stages[number] for number in order),
        graph=StageGraph(
            tuple(graph.task_types[number] for number in order),
            tuple(sorted(edges, key=lambda edge: (edge.child, edge.parent))),
            called if called != tuple(map(str, range(len(graph)))) else (),
        ),
    )
