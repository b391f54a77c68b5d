"""Histories of Apache Tez in all their forms, written from DAGs of which everything is known."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

STARTED = 1_700_000_000_000
Fields = dict[str, Any]


class Try(NamedTuple):
    """One attempt; times in ms since `STARTED`, `fetched` behind its start. Without a start it never ran."""

    status: str
    start: int
    end: int
    host: str
    fetched: int = 0


@dataclass(frozen=True)
class Vertex:
    """A vertex: those that it reads, by their place in the DAG and how, and the tries at each task."""

    name: str
    reads: tuple[tuple[int, str], ...]
    tasks: tuple[tuple[Try, ...], ...]


@dataclass(frozen=True)
class Dag:
    """One DAG of an application."""

    application: str
    number: int
    user: str
    queue: str
    submit: int
    end: int
    vertices: tuple[Vertex, ...]
    status: str = "SUCCEEDED"
    maps: frozenset[int] = field(default=frozenset(), compare=False)

    @property
    def id(self) -> str:
        """What all ids of the DAG have in common."""
        return f"{self.application}_{self.number}"


def draw_dags(seed: int, count: int = 6) -> list[Dag]:
    """Draw DAGs of one session, one after the other; some attempts fail, are killed or never run."""
    source = random.Random(seed)
    dags, submit = [], 0
    for number in range(1, count + 1):
        vertices: list[Vertex] = []
        maps: set[int] = set()
        time = end = submit + 500
        for place in range(source.randint(1, 6)):
            others = source.sample(range(place), source.randint(0, min(place, 2)))
            reads = tuple((other, source.choice(["BROADCAST", "SCATTER_GATHER"])) for other in others)
            if all(how == "BROADCAST" and other in maps for other, how in reads):
                maps.add(place)
            tasks = tuple(tuple(_tries(source, time)) for _ in range(source.randint(1, 5)))
            vertices.append(Vertex(f"v{place}", reads, tasks))
            end = max([end, *(each.end for task in tasks for each in task)])
            time += source.randint(0, 9000)
        user, queue = source.choice(["ann", "ben"]), source.choice(["default", "etl"])
        dag = Dag(
            f"{STARTED}_0042", number, user, queue, submit, end + 40, tuple(vertices), maps=frozenset(maps)
        )
        dags.append(dag)
        submit += source.randint(0, 30_000)
    return dags


def _tries(source: random.Random, time: int) -> Iterator[Try]:
    for _ in range(source.choice([0, 0, 0, 1, 2])):
        start = time + source.randint(1, 4000)
        if source.random() < 0.3:
            yield Try("KILLED", 0, start, "")
        else:
            time = start + source.randint(1, 5000)
            yield Try(source.choice(["FAILED", "KILLED"]), start, time, f"node{source.randrange(4)}")
    start, took = time + source.randint(1, 4000), source.randint(2, 20_000)
    host = f"node{source.randrange(4)}"
    yield Try("SUCCEEDED", start, start + took, host, source.randint(1, took - 1))


class Told(NamedTuple):
    """One thing that a log says: what happened, when, to what kind of thing of which id, and more of it."""

    event: str
    time: int
    kind: str
    id: str
    info: Fields


def told(dag: Dag) -> Iterator[Told]:
    """Yield what a history says of a DAG, in its order."""
    names = [vertex.name for vertex in dag.vertices]
    edges = [
        {
            "edgeId": f"{i}-{j}",
            "inputVertexName": names[i],
            "outputVertexName": names[j],
            "dataMovementType": how,
        }
        for j, vertex in enumerate(dag.vertices)
        for i, how in vertex.reads
    ]
    plan = {"dagName": f"dag {dag.number}", "vertices": [{"vertexName": name} for name in names]}
    who = {"user": dag.user, "dagName": f"dag {dag.number}"}
    own = ("TEZ_DAG_ID", f"dag_{dag.id}")
    submitted = {**who, "queueName": dag.queue, "dagPlan": plan | ({"edges": edges} if edges else {})}
    yield Told("DAG_SUBMITTED", dag.submit, *own, submitted)
    yield Told("DAG_STARTED", dag.submit + 1, *own, who)
    for i, vertex in enumerate(dag.vertices):
        facts = {"vertexName": vertex.name, "numTasks": len(vertex.tasks)}
        yield Told("VERTEX_INITIALIZED", dag.submit + 2, "TEZ_VERTEX_ID", f"vertex_{dag.id}_{i:02d}", facts)
        for t, tries in enumerate(vertex.tasks):
            task = f"{dag.id}_{i:02d}_{t:06d}"
            yield Told("TASK_STARTED", dag.submit + 3, "TEZ_TASK_ID", f"task_{task}", {})
            for a, each in enumerate(tries):
                yield from _told_of_try(f"attempt_{task}_{a}", each)
    yield Told("DAG_FINISHED", dag.end, *own, {**who, "status": dag.status})


def _told_of_try(name: str, ran: Try) -> Iterator[Told]:
    own = ("TEZ_TASK_ATTEMPT_ID", name)
    where = {"nodeId": f"{ran.host}:45454", "containerId": f"container_{name}"} if ran.start else {}
    times = {"startTime": STARTED + ran.start if ran.start else 0, "endTime": STARTED + ran.end}
    counted = [{"counterName": "SHUFFLE_PHASE_TIME", "counterValue": ran.fetched}] if ran.fetched else []
    counters = {"counterGroups": [{"counterGroupName": "TaskCounter", "counters": counted}]}
    if ran.start:
        yield Told("TASK_ATTEMPT_STARTED", ran.start, *own, {**where, "status": "RUNNING"})
    ended = {**where, **times, "status": ran.status, "counters": counters}
    yield Told("TASK_ATTEMPT_FINISHED", ran.end, *own, ended)


def history_record(each: Told, newer: bool = False) -> str:
    """Return a record of a history file, with the keys of a newer version or an older one."""
    kind, entity, info, event = (
        ("entityType", "entityId", "otherInfo", "eventType")
        if newer
        else ("entitytype", "entity", "otherinfo", "eventtype")
    )
    facts = dict(each.info)
    related = [{entity: facts.pop(key), kind: key} for key in ("user",) if key in facts]
    if each.event.endswith("STARTED"):
        related += [{entity: facts.pop(key), kind: key} for key in ("nodeId", "containerId") if key in facts]
    events = [{"ts": STARTED + each.time, event: each.event}]
    record = {entity: each.id, kind: each.kind, "relatedEntities": related, "events": events, info: facts}
    return json.dumps(record)


def event_row(each: Told) -> str:
    """Return a row of the table of events; whatever is no text is JSON in a text."""
    kinds = {"TEZ_DAG_ID": "dag_id", "TEZ_VERTEX_ID": "vertex_id", "TEZ_TASK_ID": "task_id"}
    facts = {key: value for key, value in each.info.items() if key not in ("user", "endTime")}
    data = {key: value if isinstance(value, str) else json.dumps(value) for key, value in facts.items()}
    row = {
        "event_type": each.event,
        "event_time": STARTED + each.time,
        "user": each.info.get("user"),
        "app_id": "application_1_1",
        kinds.get(each.kind, "task_attempt_id"): each.id,
        "event_data": data,
    }
    return json.dumps(row)


def download_parts(dag: Dag) -> dict[str, str]:
    """Return the files of a download of the Tez UI: entities with all that happened to each."""
    entities: dict[tuple[str, str], Fields] = {}
    for each in told(dag):
        blank = {"events": [], "entitytype": each.kind, "entity": each.id, "otherinfo": {}}
        entity = entities.setdefault((each.kind, each.id), blank)
        entity["events"].insert(
            0, {"timestamp": STARTED + each.time, "eventtype": each.event, "eventinfo": {}}
        )
        entity["otherinfo"] |= each.info
    own = entities[("TEZ_DAG_ID", f"dag_{dag.id}")]
    extra = own | {"entitytype": "TEZ_DAG_EXTRA_INFO", "events": []}
    extra["otherinfo"] = {"dagPlan": own["otherinfo"].pop("dagPlan")}
    parts: dict[str, Any] = {"dag": {"dag": own}, "dag-extra-info": {"dag-extra-info": extra}}
    for name, kind in (
        ("vertices", "TEZ_VERTEX_ID"),
        ("tasks", "TEZ_TASK_ID"),
        ("task_attempts", "TEZ_TASK_ATTEMPT_ID"),
    ):
        listed = [entity for (its, _), entity in entities.items() if its == kind]
        for part in range(0, len(listed), 4):
            parts[f"{name}_part_{part // 4}"] = {name: listed[part : part + 4]}
    return {f"{name}.json": json.dumps(value, indent=2) for name, value in parts.items()}


def write_history(dags: Sequence[Dag], folder: Path) -> None:
    """One file of all DAGs; records end as the logging service ends them."""
    records = (history_record(each) for dag in dags for each in told(dag))
    path = folder / f"history.txt.appattempt_{dags[0].application}_000001"
    path.write_text("".join(f"{record}\1\n" for record in records))


def write_events(dags: Sequence[Dag], folder: Path) -> None:
    """One table of all DAGs."""
    rows = (event_row(each) for dag in dags for each in told(dag))
    (folder / "dag_data.json").write_text("".join(f"{row}\n" for row in rows))


def write_download(dags: Sequence[Dag], folder: Path) -> None:
    """One folder for each DAG."""
    for dag in dags:
        inside = folder / f"dag_{dag.id}"
        inside.mkdir()
        for name, text in download_parts(dag).items():
            (inside / name).write_text(text)


FORMS: dict[str, Callable[[Sequence[Dag], Path], None]] = {
    "tez history": write_history,
    "tez download": write_download,
    "tez events": write_events,
}
"""Of each form what writes it; the first word is the id of the reader."""
