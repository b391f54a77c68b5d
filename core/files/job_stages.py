"""The stages of a job in documents: maps and reduces, or a list of stages that wait for one another.

In such a list a stage is called by its name, or by its place from 0 where it has none::

    [{"name": "orders", "count": 12, "durations": 3},
     {"name": "lines", "count": 40, "durations": [5, 6]},
     {"name": "join", "after": [{"stage": "orders"}, {"stage": "lines", "slowstart": 0.5}],
      "count": 20, "durations": 2, "typical_shuffle": 1}]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.files.forms import shortest
from core.model.circles import circle_in
from core.model.errors import Problem, did_you_mean, shorten
from core.model.in_parts import column, slices
from core.model.slot_times import KIND_NAMES
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import TASK_TYPES, default_type

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from core.model.job import Job

_SHUFFLES = ("first_shuffle", "typical_shuffle")
_TYPES = {KIND_NAMES[task_type]: task_type for task_type in TASK_TYPES}
BARRIER = 1.0
"""The slowstart of an edge of which a document has none: all tasks of the stage that is waited for."""
MAX_CIRCLE_NAMED = 20
"""Stages of a circle that a sentence names."""


# ---- reading


def stage_from_json(document: Mapping[str, Any]) -> Stage:
    """Build a stage from its number of tasks and their times."""
    given = (document.get(name, 0) for name in ("durations", *_SHUFFLES))
    samples = [column(each, np.float64) if isinstance(each, list) else each for each in given]
    return Stage.of(int(document.get("count", 0)), *samples)


def graph_from_json(
    documents: Sequence[Mapping[str, Any]], where: str, problems: list[Problem]
) -> StageGraph:
    """Build the graph of a list of stages.

    Parameters
    ----------
    documents : the stages, which the schema has let pass
    where : what to call the list
    problems : what is wrong with what the stages wait for is added here; such edges are left out
    """
    named = {name: number for number, each in reversed([*enumerate(documents)]) if (name := each.get("name"))}
    edges: list[Edge] = []
    waits: list[list[int]] = []
    found: list[Problem] = []
    for number, document in enumerate(documents):
        waits.append([])
        for place, edge in enumerate(document.get("after", ())):
            parent = _number(edge["stage"], named, len(documents))
            if parent is None:
                found.append(
                    _unknown(edge["stage"], named, len(documents), f"{where}[{number}].after[{place}]")
                )
                continue
            waits[-1].append(parent)
            if parent < number:
                edges.append(
                    Edge(parent, number, edge.get("slowstart", BARRIER), edge.get("inferred", False))
                )
        if not waits[-1]:
            found += _shuffle_problems(document, f"{where}[{number}]")
    problems += found + _order_problems(documents, waits, where)
    types = (_type(document, bool(parents)) for document, parents in zip(documents, waits, strict=True))
    names = tuple(document.get("name", "") for document in documents)
    return StageGraph(tuple(types), tuple(edges), names if any(names) else ())


def _number(stage: Any, named: Mapping[str, int], stages: int) -> int | None:
    if isinstance(stage, str):
        return named.get(stage)
    return int(stage) if stage < stages else None


def _unknown(stage: Any, named: Mapping[str, int], stages: int, where: str) -> Problem:
    if isinstance(stage, str):
        rule = f"no stage of this job has this name{did_you_mean(stage, named)}"
    else:
        rule = f"the job has {stages} stages, which are 0 to {stages - 1}"
    return Problem(f"{where}.stage", shorten(stage), rule)


def _shuffle_problems(document: Mapping[str, Any], where: str) -> list[Problem]:
    rule = "a stage that waits for no other one reads no shuffle; leave it out, or name what it waits for"
    return [Problem(f"{where}.{name}", "", rule) for name in _SHUFFLES if document.get(name, 0) != 0]


def _order_problems(
    documents: Sequence[Mapping[str, Any]], waits: Sequence[Sequence[int]], where: str
) -> list[Problem]:
    """Return why a stage cannot wait for what it waits for: a circle, or a stage that stands below it."""
    if circle := circle_in(waits):
        shown = [_called(documents, number) for number in (*circle[:MAX_CIRCLE_NAMED], circle[0])]
        rule = "stages wait for one another in a circle, so none of them could start; take one out"
        return [Problem(f"{where}[{circle[0]}].after", " after ".join(shown), rule)]
    return [
        Problem(
            f"{where}[{number}].after",
            _called(documents, parent),
            "a stage waits for stages that stand before it in the list; move that one up",
        )
        for number, parents in enumerate(waits)
        for parent in parents
        if parent > number
    ]


def _called(documents: Sequence[Mapping[str, Any]], number: int) -> str:
    return shorten(documents[number].get("name") or number)


def _type(document: Mapping[str, Any], waits: bool) -> int:
    return _TYPES[document["type"]] if "type" in document else default_type(has_parents=waits)


# ---- writing


def stage_to_json(stage: Stage, *, has_shuffle: bool = False) -> dict[str, Any]:
    """Return a stage; of one that waits for no other one without its shuffles, which it does not read."""
    document = {"count": stage.count, "durations": _samples_to_json(stage.durations)}
    if has_shuffle:
        shuffles = {name: _samples_to_json(getattr(stage, name)) for name in _SHUFFLES}
        document |= {name: samples for name, samples in shuffles.items() if repr(samples) != "0"}
    return document


def stages_to_json(job: Job) -> list[dict[str, Any]]:
    """Return the stages of a job as a list; reading it gives the same ones."""
    return [
        document | stage_to_json(stage, has_shuffle="after" in document)
        for document, stage in zip(graph_to_json(job.graph), job.stages, strict=True)
    ]


def graph_to_json(graph: StageGraph) -> list[dict[str, Any]]:
    """Return for each stage what it is called and waits for, without its tasks."""
    names = graph.names or ("",) * len(graph)
    stages = []
    for number, (task_type, name) in enumerate(zip(graph.task_types, names, strict=True)):
        edges = graph.edges_to(number)
        document: dict[str, Any] = {"name": name} if name else {}
        if edges:
            document["after"] = [_edge_to_json(edge, names[edge.parent]) for edge in edges]
        if task_type != default_type(has_parents=bool(edges)):
            document["type"] = KIND_NAMES[task_type]
        stages.append(document)
    return stages


def _edge_to_json(edge: Edge, name: str) -> dict[str, Any]:
    document: dict[str, Any] = {"stage": name or edge.parent}
    if edge.slowstart != BARRIER:
        document["slowstart"] = None if edge.slowstart is None else shortest(edge.slowstart)
    if edge.inferred:
        document["inferred"] = True
    return document


def _samples_to_json(samples: NDArray[np.float64]) -> float | list[float]:
    """Return one number if all are the same to the last bit, else the list; [2.0, 2.0] becomes 2."""
    if len(samples) == 1:
        only: float = shortest(samples.item())
        return only
    bits = samples.view(np.int64)  # 0.0 equals -0.0, but a document keeps which it was
    if len(samples) and (bits == bits[0]).all():
        one: float = shortest(samples.item(0))
        return one
    whole = samples.astype(np.int64)
    loses_nothing = (whole.astype(np.float64).view(np.int64) == bits).all()
    numbers: list[float] = []
    for part in slices(whole if loses_nothing else samples):
        numbers += part.tolist()
    return numbers
