"""The rules of one job and of datasets: what is wrong, as sentences with the path of each value."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.errors import Problem, name_problems, repeated_name, shorten
from core.model.limits import MAX_BYTES, MAX_SECONDS, MAX_SLOTS, MAX_STAGES, MAX_TASKS, is_number, is_whole
from core.model.stages import MAP_REDUCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.job import Dataset, Job
    from core.model.stages import Stage, StageGraph

MAX_DATASETS = 10_000
MAX_BLOCKS = 1_000_000
MAX_LEVELS = 100
TYPES = ("maps", "reduces")
"""What documents call the stages of a MapReduce job."""
_TIMES = ("durations", "first_shuffle", "typical_shuffle")
MAX_INPUT_PROBLEMS = 5
"""Of one job's nodes: the others are of the same kind."""


def job_problems(job: Job, where: str, stages_are_sound: bool = False) -> list[Problem]:
    """Return every rule that one job breaks, except those that concern other jobs.

    Its stages are not looked at where they are known to be sound.
    """
    problems, is_two = _name_problems(job, where), job.graph == MAP_REDUCE
    if not 0 <= job.arrival <= MAX_SECONDS:
        rule = f"arrival must be 0 s or later, and at most {MAX_SECONDS:g} s"
        problems.append(Problem(f"{where}.arrival", str(job.arrival), rule))
    if job.deadline is not None and not job.arrival < job.deadline <= MAX_SECONDS:
        rule = (
            f"a deadline must be later than the job's arrival, and at most {MAX_SECONDS:g} s (null for none)"
        )
        problems.append(Problem(f"{where}.deadline", str(job.deadline), rule))
    problems += _level_problems(job, f"{where}.service_levels") + _input_problems(job, where)
    if not 0 < job.weight <= MAX_SECONDS:
        rule = f"weight must be above 0 and at most {MAX_SECONDS:g}"
        problems.append(Problem(f"{where}.weight", str(job.weight), rule))
    most = MAX_SLOTS if job.max_slots is None else job.max_slots
    if not 0 <= job.min_slots <= most <= MAX_SLOTS or most < 1:
        rule = f"give 0 <= min_slots <= max_slots, and max_slots from 1 to {MAX_SLOTS} (null for no limit)"
        problems.append(Problem(f"{where}.max_slots", shorten(job.max_slots), rule))
    if job.shuffle_bytes is not None and not 0 <= job.shuffle_bytes <= MAX_BYTES:
        rule = f"give the bytes of the whole shuffle, from 0 to {MAX_BYTES:g} (null where not known)"
        problems.append(Problem(f"{where}.shuffle_bytes", str(job.shuffle_bytes), rule))
    if job.task_count == 0:
        rule = "a job needs at least one map or reduce task" if is_two else "a job needs at least one task"
        problems.append(Problem(where, "", rule))
    if not stages_are_sound:
        for number, stage in enumerate(job.stages):
            problems += _stage_problems(stage, f"{where}.{TYPES[number] if is_two else f'stages[{number}]'}")
    if not is_two:
        problems += graph_problems(job.graph, f"{where}.stages")
    return problems


def graph_problems(graph: StageGraph, where: str) -> list[Problem]:
    """Return every rule that the stages of a job break together, by what they are called and wait for.

    Parameters
    ----------
    graph : the stages
    where : what to call the list of them
    """
    if not 1 <= len(graph) <= MAX_STAGES:
        return [Problem(where, f"{len(graph)} stages", f"give a job from 1 to {MAX_STAGES} stages")]
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    for number, name in enumerate(graph.names):
        problems += name_problems(f"{where}[{number}].name", name)
        if name and (first := seen.setdefault(name, number)) != number:
            rule = f"stage names are unique in a job; stages[{first}] has it already"
            problems.append(Problem(f"{where}[{number}].name", shorten(name), rule))
    for number in range(len(graph)):
        problems += _edge_problems(graph, number, f"{where}[{number}].after")
    return problems


def _edge_problems(graph: StageGraph, number: int, where: str) -> list[Problem]:
    problems = []
    edges = graph.edges_to(number)
    for place, edge in enumerate(edges):
        if place and edges[place - 1].parent == edge.parent:
            rule = "the stage is named twice; name each stage that this one waits for once"
            problems.append(Problem(where, shorten(graph.name(edge.parent)), rule))
        if edge.slowstart is not None and not 0 <= edge.slowstart <= 1:
            rule = "the slowstart is the part of that stage's tasks to wait for, from 0 to 1"
            problems.append(Problem(f"{where}[{place}].slowstart", str(edge.slowstart), rule))
    return problems


def _level_problems(job: Job, where: str) -> list[Problem]:
    if len(job.service_levels) > MAX_LEVELS:
        return [Problem(where, f"{len(job.service_levels)} levels", f"give at most {MAX_LEVELS}")]
    time, cost = job.arrival, 0.0
    for i, level in enumerate(job.service_levels):
        if not (time < level[0] <= MAX_SECONDS and cost < level[1] <= MAX_SECONDS):
            rule = "give [seconds, cost]: times after the job's arrival, costs above 0, both ascending, up to"
            return [Problem(f"{where}[{i}]", shorten(list(level)), f"{rule} {MAX_SECONDS:g}")]
        time, cost = level
    return []


def _name_problems(job: Job, where: str) -> list[Problem]:
    if not name_problems(where, f"{job.name}{job.pool}{job.user}{job.dataset or ''}"):
        return []  # as good as always
    problems = []
    for name in ("name", "pool", "user", "dataset"):
        if (value := getattr(job, name)) and name_problems(name, value):
            problems += name_problems(f"{where}.{name}", value)
    return problems


def _input_problems(job: Job, where: str) -> list[Problem]:
    """Return every rule that the `input_nodes` of a job break."""
    if not is_number(job.remote_read, 0, MAX_SECONDS):
        rule = f"give the seconds that a read from another node adds to a map, from 0 to {MAX_SECONDS:g}"
        return [Problem(f"{where}.remote_read", shorten(job.remote_read), rule)]
    if not job.input_nodes:
        if not job.remote_read:
            return []
        rule = "a map reads from another node where input_nodes says that its input lies on others; give them"
        return [Problem(f"{where}.remote_read", shorten(job.remote_read), rule)]
    if job.graph != MAP_REDUCE:
        rule = "where input lies is said of maps, and this job has stages of its own; leave it out"
        return [Problem(f"{where}.input_nodes", "", rule)]
    if len(job.input_nodes) != job.maps.count:
        maps, lists = job.maps.count, len(job.input_nodes)
        rule = f"the job has {maps} map{'s' * (maps != 1)}; give a list of nodes for each of them"
        return [Problem(f"{where}.input_nodes", f"{lists} list{'s' * (lists != 1)}", rule)]
    found = []
    for number, nodes in enumerate(job.input_nodes):
        if not _are_nodes(nodes):
            rule = f"give the nodes that have this map's input: ascending whole numbers from 0 to {MAX_SLOTS}"
            found.append(Problem(f"{where}.input_nodes[{number}]", shorten(list(nodes)), rule))
    return found[:MAX_INPUT_PROBLEMS]


def _are_nodes(nodes: tuple[int, ...]) -> bool:
    whole = all(is_whole(node, 0, MAX_SLOTS) for node in nodes)
    return bool(nodes) and whole and list(nodes) == sorted(set(nodes))


def are_sound(stages: Sequence[Stage]) -> bool:
    """Return whether no stage breaks a rule; there may be very many, and jobs may share them."""
    different = _different(stages)
    samples = _different([times for name in _TIMES for times in map(attrgetter(name), different)])
    times, counts = np.concatenate(samples), list(map(attrgetter("count"), different))
    within = all(map(len, samples)) and times.min() >= 0 and times.max() <= MAX_SECONDS
    return bool(within) and min(counts) >= 0 and max(counts) <= MAX_TASKS


def _different(values: Sequence[Any]) -> list[Any]:  # Any: stages, or arrays of samples
    return list(dict(zip(map(id, values), values, strict=True)).values())


def _stage_problems(stage: Stage, where: str) -> list[Problem]:
    if not 0 <= stage.count <= MAX_TASKS:
        return [Problem(f"{where}.count", str(stage.count), f"a stage has from 0 to {MAX_TASKS} tasks")]
    problems = []
    for name in _TIMES:
        samples = getattr(stage, name)
        if len(samples) == 0:
            problems.append(Problem(f"{where}.{name}", "[]", "give a number, or a list with at least one"))
            continue
        bad = np.flatnonzero(~((samples >= 0) & (samples <= MAX_SECONDS)))
        problems += [
            Problem(
                f"{where}.{name}[{i}]" if len(samples) > 1 else f"{where}.{name}",
                str(float(samples[i])),
                f"times are seconds from 0 to {MAX_SECONDS:g}",
            )
            for i in bad[:5]
        ]
    return problems


def datasets_problems(datasets: Sequence[Dataset]) -> list[Problem]:
    """Return every rule that datasets break (none for valid ones), with the path of each value."""
    if len(datasets) > MAX_DATASETS:
        rule = f"a workload has at most {MAX_DATASETS} datasets"
        return [Problem("datasets", f"{len(datasets)} datasets", rule)]
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    for i, dataset in enumerate(datasets):
        if (first := seen.setdefault(dataset.name, i)) != i:
            problems.append(repeated_name("dataset", dataset.name, i, first))
        problems += dataset_problems(dataset, f"datasets[{i}]")
    return problems


def dataset_problems(dataset: Dataset, where: str) -> list[Problem]:
    """Return every rule that one dataset breaks, except those that concern other datasets."""
    problems = name_problems(f"{where}.name", dataset.name)
    if not isinstance(dataset.blocks, int) or not 1 <= dataset.blocks <= MAX_BLOCKS:
        rule = f"a dataset has from 1 to {MAX_BLOCKS} blocks"
        problems.append(Problem(f"{where}.blocks", shorten(dataset.blocks), rule))
    if not 0 < dataset.block_seconds <= MAX_SECONDS:
        rule = f"give the seconds that one block takes, above 0 and at most {MAX_SECONDS:g}"
        problems.append(Problem(f"{where}.block_seconds", shorten(dataset.block_seconds), rule))
    if not 0 <= dataset.scan_fraction <= 1:
        rule = "the part of a scan that jobs share is a fraction from 0 to 1"
        problems.append(Problem(f"{where}.scan_fraction", shorten(dataset.scan_fraction), rule))
    if dataset.block_bytes is not None and not 0 < dataset.block_bytes <= MAX_BYTES:
        rule = f"give the bytes of one block, above 0 and at most {MAX_BYTES:g} (null where not known)"
        problems.append(Problem(f"{where}.block_bytes", shorten(dataset.block_bytes), rule))
    return problems
