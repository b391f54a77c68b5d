"""Other orders of the stages of a job: Spark numbers those that may run at once differently from run to run.

A stage with a lower number is served first. Spark numbers a job's stages as it walks from the last one back
to all that are read, and the stages that one stage reads come in an order of chance
(`DAGScheduler.getMissingAncestorShuffleDependencies`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.model.stages import MAP_REDUCE, Edge, StageGraph

if TYPE_CHECKING:
    import numpy as np

    from core.model.job import Job


def has_other_orders(graph: StageGraph) -> bool:
    """Whether stages of a job may be numbered otherwise."""
    return graph is not MAP_REDUCE and any(
        stage - 1 not in graph.parents(stage) for stage in range(1, len(graph))
    )


def reordered(job: Job, draw: np.random.Generator) -> Job:
    """Return a job with its stages numbered as Spark may number them in another run."""
    graph = job.graph
    if not has_other_orders(graph):
        return job
    parents = [list(graph.parents(stage)) for stage in range(len(graph))]
    for each in parents:
        draw.shuffle(each)
    read = {edge.parent for edge in graph.edges}
    last = [stage for stage in range(len(graph)) if stage not in read]
    draw.shuffle(last)
    order: list[int] = []
    for stage in last:
        _number(stage, parents, order)
    place = {stage: k for k, stage in enumerate(order)}
    edges = tuple(
        Edge(place[edge.parent], place[edge.child], edge.slowstart, edge.inferred) for edge in graph.edges
    )
    types = tuple(graph.task_types[stage] for stage in order)
    stages = tuple(job.stages[stage] for stage in order)
    return replace(job, stages=stages, graph=StageGraph(types, edges))


def _number(stage: int, parents: list[list[int]], order: list[int]) -> None:
    """Add a stage to an order, and before it whatever it reads that is not there yet."""
    done = set(order)
    waiting = [(stage, 0)]
    while waiting:
        now, next_parent = waiting.pop()
        if now in done:
            continue
        while next_parent < len(parents[now]) and parents[now][next_parent] in done:
            next_parent += 1
        if next_parent < len(parents[now]):
            waiting += [(now, next_parent), (parents[now][next_parent], 0)]
        else:
            done.add(now)
            order.append(now)
