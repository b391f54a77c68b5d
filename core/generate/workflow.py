"""Scientific workflows: fork-join, Montage, in-trees and out-trees, whose tasks run programs on files.

Montage has the programs, their numbers and times of the generator that the authors of the characterization
published, for one square degree of 50 images: four differences for each image, a fit and a model whose times
grow with the differences, tables and mosaics that grow with the images. There every difference waits for two
images; here, as stages wait for stages, all of them wait for all images. The other shapes are the structures
that the characterization calls distribution and aggregation, put together; their times are ours.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from core.generate.family import (
    SHORTEST_MS,
    Drawn,
    Family,
    arrivals,
    container_cluster,
    container_parameter,
    in_milliseconds,
    interarrival_parameter,
    redrawn,
)
from core.model.errors import InputError
from core.model.job import Job
from core.model.parameters import Parameter
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import default_type

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

MAX_WIDTH, MAX_DEPTH, MAX_BRANCHING, MAX_WORKFLOWS = 2000, 1000, 100, 1000
MAX_TASKS = 1_000_000
"""Of all workflows together: each task of a tree is a stage."""
PROJECTION_SECONDS = 13.59
"""Mean of one reprojection of Montage, of which its other times are multiples."""
IMAGES_OF_A_DEGREE = 50
DIFFERENCES = 4
"""Of each image to those beside it."""
JPEG_SECONDS = 173465280 / 24.99 / 4 / 549291
"""A mosaic's bytes, how much smaller it is made, how much smaller JPEG is, bytes per second."""
BARRIER = 1.0


class WorkflowStep(NamedTuple):
    """A stage of a workflow before its times are drawn.

    Attributes
    ----------
    tasks : how many
    factor : how long they are on average, in mean task times
    parents : the steps that it waits for
    name : the program
    """

    tasks: int
    factor: float = 1.0
    parents: tuple[int, ...] = ()
    name: str = ""


def fork_join(width: int, depth: int, _branching: int) -> list[WorkflowStep]:
    """Return rounds of so many tasks between single ones: 3 rounds of 8 have 28 tasks."""
    steps = [WorkflowStep(1, name="split")]
    for number in range(1, depth + 1):
        steps.append(WorkflowStep(width, parents=(len(steps) - 1,), name=f"work {number}"))
        steps.append(WorkflowStep(1, parents=(len(steps) - 1,), name=f"join {number}"))
    return steps


def montage(width: int, _depth: int, _branching: int) -> list[WorkflowStep]:
    """Return the mosaic of so many images: with 50 images 306 tasks in nine steps."""
    degree = math.sqrt(width / IMAGES_OF_A_DEGREE)
    differences = DIFFERENCES * width
    seconds = (
        ("mProjectPP", width, PROJECTION_SECONDS, ()),
        ("mDiffFit", differences, 10.59, (0,)),
        ("mConcatFit", 1, 0.08 * differences, (1,)),
        ("mBgModel", 1, 0.13 * differences, (2,)),
        ("mBackground", width, 10.74, (0, 3)),
        ("mImgTbl", 1, 0.37 * width, (4,)),
        ("mAdd", 1, 30.11 * degree**2, (5,)),
        ("mShrink", 1, 12.21 * degree, (6,)),
        ("mJPEG", 1, JPEG_SECONDS * degree, (7,)),
    )
    return [
        WorkflowStep(tasks, time / PROJECTION_SECONDS, parents, name)
        for name, tasks, time, parents in seconds
    ]


def in_tree(width: int, _depth: int, branching: int) -> list[WorkflowStep]:
    """Return a tree that ends in one task: 8 leaves that join in pairs are 15 tasks."""
    steps = [WorkflowStep(1) for _ in range(width)]
    level = list(range(width))
    while len(level) > 1:
        groups = [tuple(level[begin : begin + branching]) for begin in range(0, len(level), branching)]
        level = list(range(len(steps), len(steps) + len(groups)))
        steps += [WorkflowStep(1, parents=group) for group in groups]
    return steps


def out_tree(width: int, depth: int, branching: int) -> list[WorkflowStep]:
    """Return a tree that begins with one task: the in-tree from its end to its beginning."""
    turned = in_tree(width, depth, branching)
    last = len(turned) - 1
    before = {last - parent: last - child for child, step in enumerate(turned) for parent in step.parents}
    return [
        WorkflowStep(1, parents=(before[place],) if place in before else ()) for place in range(len(turned))
    ]


SHAPES = {"fork-join": fork_join, "montage": montage, "in-tree": in_tree, "out-tree": out_tree}


def draw_workflow(random: np.random.Generator, parameters: Mapping[str, Any]) -> Drawn:
    """Draw the times of workflows of one shape."""
    shape = SHAPES[parameters["shape"]]
    steps = shape(parameters["width"], parameters["depth"], parameters["branching"])
    tasks, count = sum(step.tasks for step in steps), parameters["jobs"]
    if tasks * count > MAX_TASKS:
        raise InputError(
            f"workflow: {count} jobs of {tasks} tasks are more than {MAX_TASKS} tasks; give a smaller width "
            "or depth, or fewer jobs"
        )
    graph = graph_of(steps)
    times = arrivals(random, count, parameters["mean_interarrival"])
    jobs = [
        Job(
            f"W{number + 1:0{len(str(count))}d}",
            stages=tuple(_stage(random, step, parameters) for step in steps),
            graph=graph,
            arrival=times[number],
        )
        for number in range(count)
    ]
    return Drawn(jobs, cluster=container_cluster(parameters))


def graph_of(steps: list[WorkflowStep]) -> StageGraph:
    """Return the graph of the steps: each waits for all tasks of those before it."""
    types = tuple(default_type(has_parents=bool(step.parents)) for step in steps)
    edges = tuple(Edge(parent, child, BARRIER) for child, step in enumerate(steps) for parent in step.parents)
    names = tuple(step.name for step in steps)
    return StageGraph(types, edges, names if any(names) else ())


def _stage(random: np.random.Generator, step: WorkflowStep, parameters: Mapping[str, Any]) -> Stage:
    spread = parameters["spread"]
    middle = math.log(parameters["seconds"] * 1000 * step.factor) - spread**2 / 2
    drawn = redrawn(lambda some: random.lognormal(middle, spread, some), step.tasks, SHORTEST_MS)
    return Stage.of(step.tasks, in_milliseconds(drawn))


WORKFLOW = Family(
    id="workflow",
    title="Workflows",
    summary="Scientific workflows of one shape: fork-join, Montage, in-tree or out-tree.",
    source=(
        "Bharathi, Chervenak, Deelman, Mehta, Su, Vahi: Characterization of Scientific Workflows, WORKS "
        "2008, and the generator published with it (github.com/pegasus-isi/WorkflowGenerator)"
    ),
    parameters=(
        Parameter("jobs", "integer", 4, "Number of workflows.", 1, MAX_WORKFLOWS, "jobs"),
        Parameter(
            "shape", "choice", "montage", "What waits for what in each of them.", choices=tuple(SHAPES)
        ),
        Parameter(
            "width",
            "integer",
            50,
            "Tasks beside one another: of a fork, leaves, or images.",
            1,
            MAX_WIDTH,
            "tasks",
        ),
        Parameter(
            "depth", "integer", 3, "Rounds of fork-join; the other shapes have no use for it.", 1, MAX_DEPTH
        ),
        Parameter(
            "branching",
            "integer",
            2,
            "Tasks that join into one, or that one is split into, of trees.",
            2,
            MAX_BRANCHING,
            "tasks",
        ),
        Parameter(
            "seconds",
            "number",
            PROJECTION_SECONDS,
            "Mean time of a task; of Montage that of a projection, and the others in proportion.",
            0.01,
            1e6,
            "s",
        ),
        Parameter("spread", "number", 0.1, "Deviation of the natural logarithm of a task's time.", 0, 3),
        interarrival_parameter(),
        container_parameter(32),
    ),
    draw=draw_workflow,
)
