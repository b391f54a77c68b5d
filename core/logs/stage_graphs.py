"""The stages of a job as its log has them: which waits for which, and the tasks of each."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from core.model.limits import MAX_STAGES
from core.model.stages import EMPTY, MAP_REDUCE, Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE, TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.logs.logged_job import LoggedStage
    from core.model.job import Job

BARRIER = 1.0
"""The slowstart of an edge: all tasks of the parent are complete before the child's start."""
MAX_KEPT = 1 << 12
"""Forms of jobs of which the graph is kept: the jobs of a large log are mostly of few forms."""


class LoggedGraph(NamedTuple):
    """The stages of a job of a log as a graph.

    Attributes
    ----------
    graph : which stage waits for which
    places : where the log's list has each stage, (stages,)
    """

    graph: StageGraph
    places: tuple[int, ...]


@lru_cache(MAX_KEPT)
def logged_graph(stages: tuple[LoggedStage, ...]) -> LoggedGraph | None:
    """Return the graph of the stages of a job, which are numbered in the order of their numbers in the log.

    None where the log has no stages, or one of them waits for a later one, as only in a damaged log, or a job
    has more of them than a document may have.
    """
    places = sorted(range(len(stages)), key=lambda place: stages[place].number)
    number = {place: k for k, place in enumerate(places)}
    edges = [
        Edge(
            number[parent],
            k,
            None if parent in stages[place].early else BARRIER,
            stages[place].infers_parents,
        )
        for k, place in enumerate(places)
        for parent in sorted(stages[place].parents, key=number.__getitem__)
    ]
    if not 0 < len(places) <= MAX_STAGES or any(edge.parent >= edge.child for edge in edges):
        return None
    types = tuple(MAP if stages[place].is_map else REDUCE for place in places)
    names = tuple(stages[place].name for place in places)
    graph = StageGraph(types, tuple(edges), names if any(names) else ())
    return LoggedGraph(MAP_REDUCE if graph == MAP_REDUCE else graph, tuple(places))


def with_stages(job: Job, logged: tuple[LoggedStage, ...]) -> Job:
    """Return a job whose maps and reduces, of which every task has its own duration, are stages of a log.

    Parameters
    ----------
    job : its reduces have no shuffle
    logged : its stages as the log lists them
    """
    found = logged_graph(logged)
    if found is None:
        return job
    stages = [
        Stage(stage.tasks, job.stages[kind].durations[tasks]) if stage.tasks else EMPTY
        for stage, kind, tasks in tasks_of_stages(logged)
    ]
    return replace(job, stages=tuple(stages[place] for place in found.places), graph=found.graph)


def tasks_of_stages(logged: Iterable[LoggedStage]) -> Iterator[tuple[LoggedStage, int, slice]]:
    """Yield the stages with their type, and where their tasks are among those of this type."""
    taken = [0 for _ in TASK_TYPES]
    for stage in logged:
        kind = MAP if stage.is_map else REDUCE
        yield stage, kind, slice(taken[kind], taken[kind] + stage.tasks)
        taken[kind] += stage.tasks
