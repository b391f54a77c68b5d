"""Hypothesis strategies for workloads and for documents that are nearly right."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from math import inf
from typing import Any

from hypothesis import strategies as st

from core.files.samples import load_sample
from core.files.session_document import Session
from core.files.workload_writing import workload_to_json
from core.model.cluster import SHUFFLE_MODELS, Cluster
from core.model.document_state import DocumentState
from core.model.job import Job, Link
from core.model.limits import MAX_SECONDS
from core.model.nodes import NodeGroup, Request
from core.model.pool import Pool
from core.model.schedule import PolicyChoice
from core.model.slot_times import CONTAINER, SlotTime
from core.model.stages import MAP_REDUCE, Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE, TASK_TYPES
from core.model.workload import Origin, Workload

HEADER = {"format": "slotscope-workload", "version": 1}


def document_of(*jobs: Any, **fields: Any) -> dict[str, Any]:
    """Build a workload document from job objects and top-level fields."""
    return {**HEADER, "jobs": list(jobs), **fields}


def job_of(**fields: Any) -> dict[str, Any]:
    """Build a right job object with some fields changed."""
    return {"name": "J1", "maps": {"count": 2, "durations": 3}} | fields


def encoded(document: Any) -> bytes:
    """Write any JSON value as a file has it."""
    return json.dumps(document).encode()


names = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=12)
times = st.one_of(
    st.just(0.0),
    st.just(-0.0),
    st.integers(0, 20).map(float),
    st.floats(0, MAX_SECONDS, allow_subnormal=True),
)
samples = st.lists(times, min_size=1, max_size=6)


@st.composite
def stages(draw: st.DrawFn, *, has_shuffle: bool) -> Stage:
    """Draw a stage, sometimes without tasks."""
    shuffles = [draw(samples), draw(samples)] if has_shuffle else []
    return Stage.of(draw(st.integers(0, 9)), draw(samples), *shuffles)


@st.composite
def graphs(draw: st.DrawFn) -> StageGraph:
    """Draw up to five stages, some with names, each of which waits for some of those before it."""
    count = draw(st.integers(1, 5))
    edges = [
        Edge(parent, child, draw(st.none() | st.floats(0, 1)), draw(st.booleans()))
        for child in range(count)
        for parent in range(child)
        if draw(st.booleans())
    ]
    called = draw(st.lists(names, min_size=count, max_size=count, unique=True))
    types = draw(st.lists(st.sampled_from(TASK_TYPES), min_size=count, max_size=count))
    return StageGraph(tuple(types), tuple(edges), tuple(called) if any(called) else ())


MAX_PLACED = 6
"""Of more maps it is not said where their input lies."""


@st.composite
def jobs(draw: st.DrawFn) -> Job:
    """Draw a job with at least one task."""
    graph = draw(st.just(MAP_REDUCE) | graphs())
    run = [draw(stages(has_shuffle=bool(graph.parents(stage)))) for stage in range(len(graph))]
    if not any(stage.count for stage in run):
        run[0] = replace(run[0], count=1)
    arrival = draw(st.floats(0, 1e6))
    dataset = draw(st.none() | names)
    lies: tuple[tuple[int, ...], ...] = ()
    if dataset is None and graph is MAP_REDUCE and run[0].count <= MAX_PLACED and draw(st.booleans()):
        some = st.sets(st.integers(0, 99), min_size=1, max_size=3)
        lies = tuple(tuple(sorted(draw(some))) for _ in range(run[0].count))
    return Job(
        name=draw(names.filter(str.strip)),
        stages=tuple(run),
        graph=graph,
        arrival=arrival,
        deadline=draw(st.none() | st.floats(arrival + 0.5, 1e7)),
        pool=draw(names),
        user=draw(names),
        weight=draw(st.floats(1e-9, 1e9)),
        dataset=dataset,
        min_slots=(least := draw(st.integers(0, 9))),
        max_slots=draw(st.none() | st.integers(max(least, 1), 99)),
        shuffle_bytes=draw(st.none() | st.floats(0, 1e18)),
        service_levels=tuple((arrival + k, 2.5 * k) for k in range(1, draw(st.integers(1, 4)))),
        input_nodes=lies,
        remote_read=draw(st.floats(0, 1e6)) if lies else 0.0,
    )


@st.composite
def linked_jobs(draw: st.DrawFn) -> tuple[Job, ...]:
    """Draw a few jobs, of which some follow others."""
    drawn = draw(st.lists(jobs(), min_size=1, max_size=5, unique_by=lambda job: job.name))
    for place in range(1, len(drawn)):
        others = draw(st.lists(st.sampled_from(drawn[:place]), max_size=2, unique_by=lambda job: job.name))
        links = (Link(job.name, draw(st.floats(0, 1e6)), draw(st.booleans())) for job in others)
        drawn[place] = replace(drawn[place], after=tuple(links))
    return tuple(draw(st.permutations(drawn)))


@st.composite
def pools(draw: st.DrawFn, name: str) -> Pool:
    """Draw a pool; even nine of them guarantee no more than the whole cluster."""
    capacity = draw(st.none() | st.floats(0, 0.1))
    return Pool(
        name,
        weight=draw(st.floats(1e-9, 1e9)),
        min_map_slots=draw(st.integers(0, 99)),
        min_reduce_slots=draw(st.integers(0, 99)),
        capacity=capacity,
        max_capacity=draw(st.floats(capacity or 0.01, 1, exclude_min=True)),
        spending_rate=draw(st.floats(1e-9, 1e9)),
        budget=draw(st.none() | st.floats(0, 1e12)),
    )


@st.composite
def pool_lists(draw: st.DrawFn) -> tuple[Pool, ...]:
    """Draw the settings of up to four pools."""
    return tuple(draw(pools(name)) for name in draw(st.lists(names, max_size=4, unique=True)))


requests = st.builds(Request, st.integers(0, 64), st.integers(1, 9))
node_groups = st.builds(NodeGroup, st.integers(1, 9), st.integers(64, 9999), st.integers(9, 99))
node_clusters = st.builds(
    Cluster,
    st.just(0),
    st.just(0),
    st.floats(0, 1),
    st.sampled_from(SHUFFLE_MODELS),
    st.just(0),
    st.lists(node_groups, min_size=1, max_size=3).map(tuple),
    requests,
    requests,
    contention=st.lists(st.floats(0.001, 1), max_size=4).map(lambda s: tuple(sorted(s, reverse=True))),
)
clusters = st.one_of(
    node_clusters,
    st.builds(replace, node_clusters.filter(lambda c: c.contention), reduce_load=st.floats(0, 9)),
    st.builds(
        Cluster, st.integers(1, 99), st.integers(0, 99), st.floats(0, 1), st.sampled_from(SHUFFLE_MODELS)
    ),
    st.builds(
        Cluster,
        st.just(0),
        st.just(0),
        st.floats(0, 1),
        st.sampled_from(SHUFFLE_MODELS),
        st.integers(1, 99),
        slots_per_executor=st.integers(0, 9),
    ),
)
slot_times = st.builds(
    lambda slots, opens, lasts, kind: SlotTime(slots, opens, opens + lasts, kind),
    st.integers(1, 9),
    st.floats(0, 1e6),
    st.floats(1, 1e6) | st.just(inf),
    st.sampled_from((MAP, REDUCE)),
)
clusters = st.one_of(
    clusters,
    st.builds(Cluster, st.integers(0, 9), st.just(1), slot_times=st.lists(slot_times, max_size=3).map(tuple)),
    st.builds(
        lambda containers, times: Cluster(
            0, 0, containers=containers, slot_times=tuple(replace(time, kind=CONTAINER) for time in times)
        ),
        st.integers(0, 9),
        st.lists(slot_times, min_size=1, max_size=3),
    ),
)
parameters = st.dictionaries(
    names, st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e300, 1e300) | names, max_size=3
)
origins = st.builds(
    Origin, names, st.integers(0, 2**53 - 1), parameters.map(lambda given: tuple(given.items()))
)


def workload_on(name: str, jobs: tuple[Job, ...], cluster: Cluster, *given: Any) -> Workload:
    """Return a workload whose jobs have their input on nodes of its cluster, if that has nodes."""
    nodes = sum(group.count for group in cluster.nodes) or 100
    placed = tuple(
        replace(job, input_nodes=tuple(tuple(sorted({n % nodes for n in each})) for each in job.input_nodes))
        for job in jobs
    )
    return Workload(name, placed, cluster, *given)


workloads = st.builds(
    workload_on,
    names,
    linked_jobs(),
    clusters,
    st.text(st.sampled_from("ab\n\t<é"), max_size=9),
    names,
    st.none() | origins,
    pool_lists(),
)

odd_values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10**13),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=()), max_size=5),
    st.sampled_from(
        [[], {}, [[]], [1, -1], [1, True], 10**400, 20_000_001, 1.0, 2.5, "simmr", "", " ", "a\n"]
    ),
    st.lists(st.integers(-1, 3), max_size=3),
    st.dictionaries(
        st.sampled_from(["count", "durations", "name", "x", "memory_mb", "cores"]),
        st.integers(-1, 3),
        max_size=2,
    ),
).map(deepcopy)  # what is drawn is changed further


def _containers(document: Any) -> list[Any]:
    """Return every object and list of a document."""
    if not isinstance(document, dict | list):
        return []
    inner = document.values() if isinstance(document, dict) else document
    return [document] + [container for value in inner for container in _containers(value)]


@st.composite
def spoilt(draw: st.DrawFn, documents: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    """Draw a document and change, add or remove up to three of its values."""
    document: dict[str, Any] = json.loads(json.dumps(draw(documents)))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.sampled_from(_containers(document)))
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        action = draw(st.sampled_from(["change", "remove", "add"]))
        if action == "add" and isinstance(place, dict):
            place[
                draw(
                    st.sampled_from(
                        [
                            "jobz",
                            "weight",
                            "dataset",
                            "deadline",
                            "containers",
                            "nodes",
                            "map_request",
                            "contention",
                            "pools",
                            "capacity",
                            "datasets",
                            "blocks",
                            "service_levels",
                            "input_nodes",
                            "remote_read",
                            "maps",
                            "stages",
                            "after",
                        ]
                    )
                )
            ] = draw(odd_values)
        elif action == "add":
            place.append(draw(odd_values))
        elif keys and action == "remove":
            del place[draw(st.sampled_from(keys))]
        elif keys:
            place[draw(st.sampled_from(keys))] = draw(odd_values)
    return document


workload_documents = workloads.map(workload_to_json)

SESSION = Session(
    DocumentState.new(load_sample("five-jobs"), (PolicyChoice("fifo"), PolicyChoice("fair"))),
    {"main": "AAAA"},
)
