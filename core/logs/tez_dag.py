"""One DAG of Apache Tez as a job: its vertices in the order of their edges, each as maps or as reduces.

What a log says of a DAG, vertex, task or attempt comes as any number of records, in any order and out of
several files; whichever comes first, the DAG is the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from core.logs.json_values import Fields, fields_of, objects_in
from core.logs.logged_job import (
    RESULTS,
    Attempt,
    JobConfiguration,
    LoggedJob,
    LoggedStage,
    LoggedTask,
    host_name,
    milliseconds,
    plain_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PARTS = ("SCATTER_GATHER", "")
"""How data moves where a task reads a part of what every task wrote: it may start when some are complete."""
NO_PLAN = "vertices of which the log does not tell what they read; their names tell what they are"

ENTITY_ID = re.compile(
    r"(?:tez_)?(?:application|dag|vertex|task|attempt)"
    r"_(\d{1,20}_\d{1,20})(?:_(\d{1,18})(?:_(\d{1,18})(?:_(\d{1,18})(?:_(\d{1,18}))?)?)?)?\Z"
)
"""Groups: the application, and the numbers of the DAG, vertex, task and attempt as far as the id has them."""
_ENDED = (*RESULTS, "ERROR")


class Entity(NamedTuple):
    """The contents of one record.

    Attributes
    ----------
    kind : what it is about, as `TEZ_DAG_ID`
    name : its id
    events : what happened to it, and when
    info : whatever else is said, by Tez's own keys
    """

    kind: str
    name: str
    events: Sequence[tuple[str, object]]
    info: Fields

    def time(self, *events: str) -> int | None:
        """Return when the first of these events was, ms; None if there was none."""
        times = (milliseconds(time, 1) for event, time in self.events if event in events)
        return min((time for time in times if time is not None), default=None)


@dataclass(slots=True)
class TezAttempt:
    """An attempt as far as it is known."""

    start: int | None = None
    finish: int | None = None
    status: str = ""
    host: str = ""
    container: str = ""
    fetched: int | None = None
    merged: int | None = None

    @property
    def was_launched(self) -> bool:
        """Whether it held a slot; one that ended before has no start."""
        return self.start is not None or self.status not in ("FAILED", "KILLED")

    def take(self, entity: Entity) -> None:
        """Take the fields of the attempt."""
        info, status = entity.info, _text(entity.info.get("status"))
        self.start = _earlier(self.start, entity.time("TASK_ATTEMPT_STARTED"))
        self.start = _earlier(self.start, milliseconds(info.get("startTime"), 1))
        self.finish = _earlier(self.finish, entity.time("TASK_ATTEMPT_FINISHED"))
        self.finish = _earlier(self.finish, milliseconds(info.get("endTime"), 1))
        # an attempt that succeeded may fail later, when what it wrote is lost
        if status in RESULTS and self.status in ("", "SUCCEEDED"):
            self.status = status
        node = info.get("nodeId") or info.get("nodeHttpAddress")
        self.host = host_name(_text(node).partition(":")[0]) or self.host
        self.container = _text(info.get("containerId")) or self.container
        fetched, merged = _phases(fields_of(info.get("counters")))
        self.fetched = self.fetched if fetched is None else fetched
        self.merged = self.merged if merged is None else merged

    def built(self) -> Attempt:
        """Return what is known now."""
        fetched, merged = (
            None if self.start is None or lasted is None else self.start + lasted
            for lasted in (self.fetched, self.merged)
        )
        if fetched is not None:
            latest = fetched if self.finish is None else self.finish
            fetched = min(fetched, latest)
            merged = min(max(merged or 0, fetched), latest)
        result = RESULTS.get(self.status, "unfinished")
        return Attempt(result, self.start, self.finish, fetched, merged, self.host)


@dataclass(slots=True)
class _Vertex:
    """A vertex as far as it is known; `sources` are those it reads, with how the data moves."""

    name: str = ""
    processor: str = ""
    tasks: int | None = None
    configured: int | None = None
    sources: dict[str, str] = field(default_factory=dict)

    @property
    def task_count(self) -> int | None:
        """How many tasks it announces; it may choose anew before it begins."""
        return self.tasks if self.configured is None else self.configured

    @property
    def is_named_reduce(self) -> bool:
        """Whether it reduces by its name or that of its program."""
        return "reduce" in f"{self.name} {self.processor}".lower()


@dataclass(slots=True)
class TezDag:
    """A DAG as far as it is known."""

    name: str
    is_listed: bool = False
    title: str = ""
    user: str = ""
    pool: str = ""
    outcome: str = ""
    submit: int | None = None
    launch: int | None = None
    finish: int | None = None
    plan: list[str] = field(default_factory=list)
    edges: list[tuple[str, str, str]] = field(default_factory=list)
    vertices: dict[int, _Vertex] = field(default_factory=dict)
    tasks: dict[int, dict[int, dict[int, TezAttempt]]] = field(default_factory=dict)

    def take(self, entity: Entity) -> None:
        """Take the fields of the DAG itself."""
        info = entity.info
        plan = fields_of(info.get("dagPlan"))
        self.is_listed |= entity.kind == "TEZ_DAG_ID"
        self.title = plain_text(info.get("dagName")) or plain_text(plan.get("dagName")) or self.title
        self.user = plain_text(info.get("user")) or self.user
        self.pool = plain_text(info.get("queueName")) or self.pool
        status = _text(info.get("status"))
        if status in _ENDED and self.outcome in ("", "SUCCEEDED"):
            self.outcome = status
        self.submit = _earlier(self.submit, entity.time("DAG_SUBMITTED"))
        self.launch = _earlier(self.launch, entity.time("DAG_STARTED"))
        self.finish = _earlier(self.finish, entity.time("DAG_FINISHED"))
        if vertices := objects_in(plan.get("vertices")):
            self.plan = [_text(vertex.get("vertexName")) for vertex in vertices]
            self.edges = [
                (
                    _text(edge.get("inputVertexName")),
                    _text(edge.get("outputVertexName")),
                    _text(edge.get("dataMovementType")),
                )
                for edge in objects_in(plan.get("edges"))
            ]

    def take_vertex(self, number: int, entity: Entity) -> None:
        """Take the fields of a vertex."""
        vertex = self.vertices.setdefault(number, _Vertex())
        info = entity.info
        vertex.name = _text(info.get("vertexName")) or vertex.name
        vertex.processor = _text(info.get("processorClassName")) or vertex.processor
        tasks = milliseconds(info.get("numTasks"))
        if tasks is not None and any(event == "VERTEX_CONFIGURE_DONE" for event, _ in entity.events):
            vertex.configured = tasks
        elif tasks is not None:
            vertex.tasks = tasks
        for name, edge in fields_of(info.get("updatedEdgeManagers")).items():
            vertex.sources[name] = _text(fields_of(edge).get("dataMovementType"))

    def attempt(self, vertex: int, task: int, number: int) -> TezAttempt:
        """Return an attempt; a new one if it was not known."""
        attempts = self.tasks.setdefault(vertex, {}).setdefault(task, {})
        return attempts.setdefault(number, TezAttempt())


class _Roles(NamedTuple):
    """What the vertices of a DAG are.

    Attributes
    ----------
    order : their numbers, maps first, else those that are read before their readers
    names : their names by number
    is_map : whether each is run as maps, by number
    reads : the numbers of those that each reads
    shuffles : those of them of which every task hands a part to every task
    unknown : of how many the log does not say what they read
    """

    order: list[int]
    names: dict[int, str]
    is_map: dict[int, bool]
    reads: dict[int, set[int]]
    shuffles: dict[int, set[int]]
    unknown: int


def _roles(dag: TezDag) -> _Roles:
    """Mark the vertices that are maps: those that read no other, or only what maps broadcast."""
    numbers = {name: i for i, name in enumerate(dag.plan)}
    numbers |= {vertex.name: number for number, vertex in dag.vertices.items() if vertex.name}
    edges = dag.edges or [
        (source, vertex.name, movement)
        for vertex in dag.vertices.values()
        for source, movement in vertex.sources.items()
    ]
    known = sorted({*numbers.values(), *dag.vertices, *dag.tasks})
    reads, shuffles = (dict[int, set[int]]((number, set()) for number in known) for _ in range(2))
    is_shuffled = set()
    for source, reader, movement in edges:
        if source in numbers and reader in numbers:
            reads[numbers[reader]].add(numbers[source])
            if movement != "BROADCAST":
                is_shuffled.add(numbers[reader])
            if movement in PARTS:
                shuffles[numbers[reader]].add(numbers[source])
    order = _by_edges(reads)
    maps: set[int] = set()
    unknown = 0
    for number in order:
        if dag.plan or reads[number]:
            is_map = number not in is_shuffled and maps.issuperset(reads[number])
        else:
            unknown += 1
            is_map = not dag.vertices.get(number, _Vertex()).is_named_reduce
        if is_map:
            maps.add(number)
    names = {number: name for name, number in numbers.items()}
    order.sort(key=lambda number: number not in maps)
    return _Roles(order, names, {number: number in maps for number in order}, reads, shuffles, unknown)


def _by_edges(reads: dict[int, set[int]]) -> list[int]:
    """Return vertices behind those that they read, else by number; what reads itself comes last."""
    readers: dict[int, list[int]] = {number: [] for number in reads}
    for number, sources in reads.items():
        for source in sources:
            readers[source].append(number)
    unmet = {number: len(sources) for number, sources in reads.items()}
    ready = [number for number, count in unmet.items() if not count]
    heapify(ready)
    order: list[int] = []
    while ready:
        order.append(number := heappop(ready))
        for reader in readers[number]:
            unmet[reader] -= 1
            if not unmet[reader]:
                heappush(ready, reader)
    return order + [number for number, count in unmet.items() if count]


def job_of_dag(dag: TezDag, user: str, settings: JobConfiguration) -> LoggedJob:
    """Return a DAG as a job.

    Parameters
    ----------
    dag : all that is known of it
    user : that of its application, for a DAG that has none
    settings : what is known of the cluster
    """
    roles = _roles(dag)
    place = {number: i for i, number in enumerate(roles.order)}
    tasks: tuple[list[LoggedTask], list[LoggedTask]] = [], []
    declared: list[int | None] = [None, None]
    stages: list[LoggedStage] = []
    for number in roles.order:
        is_map = roles.is_map[number]
        mine = list(_tasks(roles.names.get(number, f"vertex {number}"), dag.tasks.get(number, {})))
        tasks[not is_map].extend(mine)
        count = dag.vertices.get(number, _Vertex()).task_count
        if count is not None:
            declared[not is_map] = (declared[not is_map] or 0) + count
        counting = sum(task.counting is not None for task in mine)
        attempts = sum(len(task.attempts) for task in mine)
        parents, shuffled = (
            tuple(sorted(place[other] for other in sources[number]))
            for sources in (roles.reads, roles.shuffles)
        )
        running = sum(task.running is not None for task in mine)
        waiting = max(count or 0, len(mine)) - counting - running
        stage = LoggedStage(is_map, counting, attempts, parents, len(stages), shuffled, waiting=waiting)
        stages.append(stage)
    return LoggedJob(
        name=dag.name,
        title=dag.title,
        user=dag.user or user,
        pool=dag.pool or "default",
        outcome=dag.outcome,
        submit=dag.submit,
        launch=dag.launch,
        finish=dag.finish,
        tasks=(tuple(tasks[0]), tuple(tasks[1])),
        declared=(declared[0], declared[1]),
        settings=settings,
        notes=((NO_PLAN, roles.unknown),) if roles.unknown else (),
        stages=tuple(stages),
        is_under_way=dag.is_listed and dag.finish is None,
    )


def _tasks(vertex: str, tasks: dict[int, dict[int, TezAttempt]]) -> Iterator[LoggedTask]:
    for number, attempts in sorted(tasks.items()):
        tries = (attempt.built() for _, attempt in sorted(attempts.items()) if attempt.was_launched)
        yield LoggedTask(f"{vertex} task {number}", tuple(tries))


def _phases(counters: Fields) -> tuple[int | None, int | None]:
    """Return how long after its start an attempt had fetched and merged what it reads, ms.

    Where inputs are counted apart (``TaskCounter_Reducer_3_INPUT_Map_1``), the last one counts; the group for
    all of them then holds their sum.
    """
    found: dict[tuple[str, bool], int] = {}
    for group in objects_in(counters.get("counterGroups")):
        group_name = _text(group.get("counterGroupName"))
        if "TaskCounter" not in group_name:
            continue
        is_one = "_INPUT_" in group_name
        for counter in objects_in(group.get("counters")):
            name = counter.get("counterName")
            if name in ("SHUFFLE_PHASE_TIME", "MERGE_PHASE_TIME"):
                time = milliseconds(counter.get("counterValue"))
                if time is not None:
                    found[name, is_one] = max(found.get((name, is_one), 0), time)
    fetched, merged = (
        found.get((name, True), found.get((name, False)))
        for name in ("SHUFFLE_PHASE_TIME", "MERGE_PHASE_TIME")
    )
    return fetched, merged


def _earlier(known: int | None, time: int | None) -> int | None:
    return known if time is None or (known is not None and known <= time) else time


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
