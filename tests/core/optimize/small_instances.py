"""Random instances that `exact_solver` proves in some milliseconds: a kind, a seed, the same bits again."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.cluster import SHUFFLE_MODELS, Cluster
from core.model.job import Dataset, Job, Link, scan_stage
from core.model.nodes import NodeGroup, Request
from core.model.slot_times import CONTAINER, SlotTime
from core.model.stages import Edge, Stage, StageGraph
from core.model.workload import Workload

if TYPE_CHECKING:
    from collections.abc import Sequence

    Instance = tuple[Workload, Cluster]

ARRIVING = ("arrivals", "containers with arrivals")
UNTYPED = ("containers", "containers with arrivals")
MODELS = ("overlap", "mumak")
KINDS = ("typed", *ARRIVING[:1], *UNTYPED, *MODELS, "nodes")
MANY = "many jobs"
"""More than ten, so that bounds are refined."""
SCANS = "shared scans"
GRAPHS = ("graphs", "graphs on containers", "graphs on nodes")
COME_AND_GO = ("slots that come and go", "containers that come and go")
LINKED = "linked jobs"
"""MapReduce jobs that follow others."""
APPLICATIONS = (*GRAPHS, LINKED, *COME_AND_GO)
"""Jobs as graphs of stages, half of them with links and think times, and slots that come and go."""
EVERY_KIND = (*KINDS, MANY, SCANS, *APPLICATIONS)


def instance(kind: str, seed: int) -> Instance:
    """Draw one; of an odd seed some jobs, or all, lack maps or reduces."""
    random = np.random.default_rng([EVERY_KIND.index(kind), seed])
    if kind in APPLICATIONS:
        return _application(random, kind, seed)
    arrives = kind in ARRIVING or (kind in (*MODELS, "nodes", SCANS) and random.random() < 0.4)
    many = kind == MANY
    sizes = _sizes(random, int(random.integers(11, 13)) if many else int(random.integers(1, 5)), many=many)
    if seed % 2:
        sizes = _lacking(random, sizes)
    jobs = [_job(random, f"J{place}", size, arrives=arrives) for place, size in enumerate(sizes)]
    datasets: list[Dataset] = []
    if kind == SCANS:
        datasets = _datasets(random)
        jobs = [_scanning(random, job, datasets) for job in jobs]
    return Workload(f"{kind} {seed}", tuple(jobs), datasets=tuple(datasets)), _cluster(random, kind)


def _sizes(random: np.random.Generator, jobs: int, *, many: bool) -> list[tuple[int, int]]:
    """Draw how many maps and reduces jobs have: some ten of all jobs together, or one or two of many."""
    most = (1, 1) if many else ((6, 5), (4, 3), (2, 2), (2, 1))[jobs - 1]
    return [(int(random.integers(1, most[0] + 1)), int(random.integers(1, most[1] + 1))) for _ in range(jobs)]


def _lacking(random: np.random.Generator, sizes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Take the maps or the reduces from one job at least, of one kind for all in a third of cases."""
    kinds = random.integers(0, 2, len(sizes))
    if random.random() < 1 / 3:
        kinds[:] = kinds[0]
    takes = random.random(len(sizes)) < 0.5
    takes[int(random.integers(len(sizes)))] = True
    return [
        (maps * (not take or kind == 1), reduces * (not take or kind == 0))
        for (maps, reduces), kind, take in zip(sizes, kinds, takes, strict=True)
    ]


def _job(random: np.random.Generator, name: str, size: tuple[int, int], *, arrives: bool) -> Job:
    def seconds(count: int, least: int, most: int) -> list[int]:
        samples = 1 if random.random() < 0.3 else count
        return [int(each) for each in random.integers(least, most + 1, max(1, samples))]

    maps, reduces = size
    arrival = int(random.integers(0, 8)) * arrives
    deadline = arrival + int(random.integers(2, 20)) if random.random() < 0.7 else None
    return Job(
        name,
        Stage.of(maps, seconds(maps, 1, 6)) if maps else Stage(),
        Stage.of(reduces, seconds(reduces, 0, 6), seconds(reduces, 0, 4), seconds(reduces, 0, 5))
        if reduces
        else Stage(),
        arrival=float(arrival),
        deadline=None if deadline is None else float(deadline),
        weight=float(random.integers(1, 5)),
    )


def _cluster(random: np.random.Generator, kind: str) -> Cluster:
    model = kind if kind in MODELS else "simmr"
    if kind in UNTYPED and random.random() < 0.3:
        model = str(random.choice(SHUFFLE_MODELS))
    given: dict[str, Any] = {"slowstart": float(random.choice([0.0, 0.05, 0.5, 1.0])), "shuffle_model": model}
    if kind == "nodes":
        return _nodes(random, given)
    if kind in UNTYPED or (kind in MODELS and random.random() < 0.3):
        return Cluster(0, 0, containers=int(random.integers(1, 5)), **given)
    return Cluster(int(random.integers(1, 4)), int(random.integers(1, 4)), **given)


def _nodes(random: np.random.Generator, given: dict[str, Any]) -> Cluster:
    """Draw one to three nodes of one or two sizes, each with room for a task of either kind."""
    requests = [Request(int(random.integers(1, 4)), int(random.integers(0, 3))) for _ in range(2)]
    groups = []
    for _ in range(int(random.integers(1, 3))):
        size = int(random.integers(6, 10)), int(random.integers(3, 6))
        groups.append(NodeGroup(int(random.integers(1, 3)) if not groups else 1, *size))
    assert all(request.fitting(group.memory_mb, group.cores) for group in groups for request in requests)
    maps, reduces = requests
    return Cluster(0, 0, nodes=tuple(groups), map_request=maps, reduce_request=reduces, **given)


def _datasets(random: np.random.Generator) -> list[Dataset]:
    """Draw one or two; a scan takes whole seconds, what is shared of it and what is not."""
    return [
        Dataset(f"d{i}", int(random.integers(1, 4)), 2.0, float(random.choice([0.0, 0.5, 1.0])))
        for i in range(int(random.integers(1, 3)))
    ]


def _scanning(random: np.random.Generator, job: Job, datasets: Sequence[Dataset]) -> Job:
    """Let the maps of a job scan a dataset, or a part of it; one in five keeps its own."""
    if random.random() < 0.2:
        return job
    dataset = datasets[int(random.integers(len(datasets)))]
    first = int(random.integers(dataset.blocks))
    blocks = ((first, int(random.integers(first, dataset.blocks)) + 1),)
    return Job(
        job.name,
        scan_stage(dataset, blocks),
        job.reduces,
        arrival=job.arrival,
        deadline=job.deadline,
        weight=job.weight,
        dataset=dataset.name,
        blocks=blocks,
    )


# ---- applications


def _application(random: np.random.Generator, kind: str, seed: int) -> Instance:
    """Draw one to four jobs of some eight tasks; of an odd seed they follow one another."""
    jobs = [_graph_job(random, f"J{j}", size) for j, size in enumerate(_task_counts(random))]
    if kind == LINKED:
        sizes = [(int(random.integers(1, 4)), int(random.integers(0, 3))) for _ in range(3)]
        jobs = [_job(random, f"J{place}", size, arrives=True) for place, size in enumerate(sizes)]
    if seed % 2 or kind == LINKED:
        jobs = _linked(random, jobs)
    given: dict[str, Any] = {
        "slowstart": float(random.choice([0.0, 0.5, 1.0])),
        "shuffle_model": str(random.choice(SHUFFLE_MODELS)),
    }
    return Workload(f"{kind} {seed}", tuple(jobs)), _cluster_of_application(random, kind, given)


def _task_counts(random: np.random.Generator) -> list[list[int]]:
    """Draw how many tasks the stages of each job have: some have none, though not all of a job."""
    jobs = int(random.integers(1, 4))
    counts = []
    for _ in range(jobs):
        stages = random.integers(0, 4, int(random.integers(1, 6 - jobs))).tolist()
        counts.append(stages if any(stages) else [1])
    return counts


def _graph_job(random: np.random.Generator, name: str, counts: list[int]) -> Job:
    """Draw a job of stages with so many tasks, each of which waits for some of those before it."""
    slowstarts = (None, 0.0, 0.5, 1.0)
    edges = tuple(
        Edge(parent, child, slowstarts[int(random.integers(4))])
        for child in range(len(counts))
        for parent in range(child)
        if random.random() < 0.5
    )
    # what others wait for takes some time, so that no filler begins and ends while it runs
    stages = tuple(
        Stage.of(count, random.integers(1, 6, count), *random.integers(0, 5, (2, count)))
        if count
        else Stage()
        for count in counts
    )
    arrival = float(random.integers(0, 8)) * (random.random() < 0.4)
    return Job(
        name,
        stages=stages,
        graph=StageGraph(tuple(random.integers(0, 2, len(counts)).tolist()), edges),
        arrival=arrival,
        deadline=arrival + float(random.integers(4, 24)) if random.random() < 0.7 else None,
        weight=float(random.integers(1, 5)),
    )


def _linked(random: np.random.Generator, jobs: list[Job]) -> list[Job]:
    """Let jobs follow others in a random order, in seconds of thinking or none."""
    order = random.permutation(len(jobs)).tolist()
    linked = list(jobs)
    for place, j in enumerate(order):
        before = [other for other in order[:place] if random.random() < 0.7]
        after = tuple(Link(jobs[other].name, float(random.integers(0, 4))) for other in before)
        linked[j] = replace(jobs[j], after=after)
    return linked


def _cluster_of_application(random: np.random.Generator, kind: str, given: dict[str, Any]) -> Cluster:
    if kind == "graphs on nodes":
        return _nodes(random, given)
    if kind == "graphs on containers":
        return Cluster(0, 0, containers=int(random.integers(1, 5)), **given)
    maps, reduces = random.integers(1, 4, 2).tolist()
    if kind not in COME_AND_GO:
        return Cluster(maps, reduces, **given)
    untyped = kind.startswith("containers")
    entries = []
    for _ in range(int(random.integers(1, 4))):
        opens = int(random.integers(0, 12))
        closes = opens + int(random.integers(1, 6)) if random.random() < 0.7 else math.inf
        slots, of_kind = random.integers(1, 3), CONTAINER if untyped else random.integers(0, 2)
        entries.append(SlotTime(int(slots), float(opens), float(closes), int(of_kind)))
    if untyped:
        return Cluster(0, 0, containers=1, slot_times=tuple(entries), **given)
    return Cluster(1, 1, slot_times=tuple(entries), **given)
