"""Histories of Apache Tez as JSON, in three equal forms of DAGs, vertices, tasks and attempts.

- The files of `SimpleHistoryLoggingService` (``history.txt.appattempt_...``): an entity with its events each
  record, ended by the byte 1 and a line end. Keys as of Tez 0.5 to 0.10 (``entitytype``, ``otherinfo``) and
  as of its main branch since 2026 (``entityType``, ``otherInfo``).
- A DAG downloaded from the Tez UI or by `ATSImportTool`, a zip of ``dag.json``, ``vertices_part_0.json`` and
  so on: entities of the YARN timeline server (version 1), many in a value. Since Tez 0.9 the plan of
  the DAG is in ``dag-extra-info.json``.
- The events of `ProtoHistoryLoggingService` (Tez 0.9.2 and later) as JSON lines, as a dump of Hive's table
  ``sys.dag_data`` gives them (``event_type``, ``event_time``, ``event_data``) or protobuf itself does
  (``eventType``).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from core.logs.byte_source import until_noise
from core.logs.job_profile import PROFILE_ASSUMPTIONS
from core.logs.json_values import Decoded, Fields, decode_values, fields_of, objects_in
from core.logs.logged_job import ENDS_EARLY, NO_ID, JobConfiguration, LoggedJob, plain_text
from core.logs.reader import Reader
from core.logs.tez_dag import ENTITY_ID, Entity, TezDag, job_of_dag
from core.model.errors import Problem, shorten
from core.model.in_parts import most_at_once

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values


_ENTITY = re.compile(rb'"entity_?type"\s*:\s*"TEZ_(?:APPLICATION|DAG|VERTEX|TASK|CONTAINER)', re.IGNORECASE)
_EVENT = re.compile(
    rb'"[\w.]*event_?type"\s*:\s*"(?:APP_LAUNCHED|(?:AM|DAG|VERTEX|TASK|TASK_ATTEMPT|CONTAINER)_[A-Z_]+)"',
    re.IGNORECASE,
)
_EVENT_ID = re.compile(rb'"[\w.]*(?:app|dag)_?id"\s*:\s*"(?:application|dag)_\d', re.IGNORECASE)
_PART = re.compile(rb'\s*\{\s*"(?:application|dag|dag-extra-info|vertices|tasks|task_attempts)"\s*:\s*[\[{]')
_MASTER = re.compile(rb'"(?:tez_)?appattempt_(\d+_\d+_\d+)"')
_DAG_ID = re.compile(rb'"(?:dag|vertex|task|attempt)_(\d+_\d+_\d+)[_"]')

_FILTERS = ("nodeId", "containerId", "user", "dagName", "queueName")
"""What may stand beside the other facts, as a filter or a related entity."""
_KINDS = (  # of an event: how its name begins, what it is about, and where the id stands
    ("TASK_ATTEMPT_", "TEZ_TASK_ATTEMPT_ID", "taskattemptid"),
    ("TASK_", "TEZ_TASK_ID", "taskid"),
    ("VERTEX_", "TEZ_VERTEX_ID", "vertexid"),
    ("DAG_", "TEZ_DAG_ID", "dagid"),
    ("CONTAINER_", "TEZ_CONTAINER_ID", ""),
    ("APP_", "TEZ_APPLICATION", "appid"),
)


def _recognises(head: bytes) -> bool:
    return bool(_ENTITY.search(head) or (_EVENT.search(head) and _EVENT_ID.search(head)))


def _completes(head: bytes, neighbour: bytes) -> bool:
    """Whether both files are about the same DAG: as parts of one download, or by two application masters."""
    if set(_DAG_ID.findall(head)).isdisjoint(_DAG_ID.findall(neighbour)):
        return False
    mine, others = set(_MASTER.findall(head)), set(_MASTER.findall(neighbour))
    are_two = bool(mine and others) and mine.isdisjoint(others)
    return are_two or bool(_PART.match(head) and _PART.match(neighbour))


def _read(sources: Iterable[ByteSource], _values: Values) -> Iterator[Item]:
    dags = TezDags()
    for source in sources:
        yield from until_noise(_take_all(source, dags))
    yield from dags.jobs()


def _take_all(source: ByteSource, dags: TezDags) -> Iterator[Problem]:
    """Take what is in a file; yield what is wrong with it."""
    for decoded in decode_values(chunk.replace(b"\x01", b" ") for chunk in source.chunks()):
        if not isinstance(decoded, Decoded):
            yield decoded
            continue
        where = f"line {decoded.line}"
        records = list(_records(decoded.value))
        if not records and not _is_empty(decoded.value):
            yield Problem(where, shorten(decoded.value), "not an event; it is left out")
        for fields in records:
            entity = _entity(fields)
            if entity and not dags.take(entity):
                yield Problem(where, shorten(entity.name or entity.kind), NO_ID)


def _records(value: object, levels: int = 2) -> Iterator[Fields]:
    """Yield the records in a value, with plain keys: itself, or those in its lists and objects."""
    if isinstance(value, dict):
        fields = {_plain(key): each for key, each in value.items()}
        if "entitytype" in fields or "eventtype" in fields:
            yield fields
            return
        value = list(value.values())
    if isinstance(value, list) and levels:
        for each in value:
            yield from _records(each, levels - 1)


def _is_empty(value: object) -> bool:
    """Whether a value is a part of a download without entities."""
    return isinstance(value, dict) and len(value) == 1 and list(value.values()) == [[]]


@lru_cache(maxsize=1 << 10)
def _plain(key: str) -> str:
    """Return a key as all forms have it; a dump of a table may put the table's name before it."""
    return key.rpartition(".")[2].replace("_", "").lower()


def _entity(fields: Fields) -> Entity | None:
    return _of_timeline(fields) if "entitytype" in fields else _of_event(fields)


def _of_timeline(fields: Fields) -> Entity:
    info: Fields = {}
    related, filters = fields.get("relatedentities"), fields_of(fields.get("primaryfilters"))
    for each in objects_in(related):
        plain = {_plain(key): value for key, value in each.items()}
        filters.setdefault(str(plain.get("entitytype")), plain.get("entityid", plain.get("entity")))
    for key in _FILTERS:
        value = filters.get(key)
        info[key] = value[0] if isinstance(value, list) and value else value
    events = []
    for each in objects_in(fields.get("events")):
        event = {_plain(key): value for key, value in each.items()}
        events.append((str(event.get("eventtype")), event.get("ts", event.get("timestamp"))))
        info |= fields_of(event.get("eventinfo"))
    info |= fields_of(fields.get("otherinfo"))
    name = fields.get("entityid", fields.get("entity"))
    return Entity(str(fields["entitytype"]), name if isinstance(name, str) else "", events, info)


def _of_event(fields: Fields) -> Entity | None:
    event = str(fields["eventtype"])
    kind, place = next((each[1:] for each in _KINDS if event.startswith(each[0])), ("", ""))
    if not kind:
        return None
    data = fields.get("eventdata")
    info = {str(pair.get("key")): pair.get("value") for pair in objects_in(data)} or dict(fields_of(data))
    info.setdefault("user", fields.get("user"))
    name = fields.get(place) if place else info.get("containerId")
    return Entity(kind, name if isinstance(name, str) else "", [(event, fields.get("eventtime"))], info)


READER = Reader(
    "tez",
    "Apache Tez history",
    _recognises,
    _read,
    (
        PROFILE_ASSUMPTIONS[0],
        "A job is a DAG, its stages are the vertices. Tasks of vertices that read no other, or only what "
        "maps broadcast, are maps, tasks of all other vertices are reduces.",
        "The shuffle of a reduce ends when its last input was fetched and merged, as its counters say.",
    ),
    completes=_completes,
)


NO_DAG = "its tasks are there but not the DAG itself; give the other files of this log, too"
SLOWSTART = 0.25
"""Of the maps that must be complete before reduces start, Tez's default for `SLOWSTART_KEY`."""
SLOWSTART_KEY = "tez.shuffle-vertex-manager.min-src-fraction"
_DEPTH = {
    "TEZ_APPLICATION": 0,
    "TEZ_DAG_ID": 1,
    "TEZ_DAG_EXTRA_INFO": 1,
    "TEZ_VERTEX_ID": 2,
    "TEZ_TASK_ID": 3,
    "TEZ_TASK_ATTEMPT_ID": 4,
}
"""How many numbers the id of an entity has behind that of its application."""


class TezDags:
    """All DAGs of the logs of an import, with the users and containers of their applications."""

    def __init__(self) -> None:
        self._dags: dict[tuple[str, int], TezDag] = {}
        self._users: dict[str, str] = {}
        self._slowstarts: dict[str, float] = {}
        self._containers: dict[str, tuple[int, int]] = {}

    def take(self, entity: Entity) -> bool:
        """Take a record; return whether its id is one."""
        if entity.kind == "TEZ_CONTAINER_ID":
            name = entity.name.removeprefix("tez_")
            self._hold(name, entity.time("CONTAINER_LAUNCHED"), entity.time("CONTAINER_STOPPED"))
            return bool(name)
        depth = _DEPTH.get(entity.kind)
        if depth is None:
            return True  # what else is written does not concern times
        found = ENTITY_ID.match(entity.name)
        if not found or found[depth + 1] is None:
            return False
        if depth == 0:
            self._take_application(found[1], entity)
            return True
        application, numbers = found[1], [int(number) for number in found.groups()[1 : depth + 1]]
        dag = self._dags.setdefault((application, numbers[0]), TezDag(f"dag_{application}_{found[2]}"))
        if depth == 1:
            dag.take(entity)
        elif depth == 2:
            dag.take_vertex(numbers[1], entity)
        elif depth == 3:
            dag.tasks.setdefault(numbers[1], {}).setdefault(numbers[2], {})
        else:
            dag.attempt(*numbers[1:]).take(entity)
        return True

    def jobs(self) -> Iterator[LoggedJob | Problem]:
        """Yield the jobs by application and number, and what is wrong with them."""
        containers = self._most_containers()
        for (application, _), dag in sorted(self._dags.items(), key=lambda item: item[0]):
            if not dag.is_listed:
                yield Problem(dag.name, "", NO_DAG)
            elif dag.finish is None:
                yield Problem(dag.name, "", ENDS_EARLY)
            settings = JobConfiguration(
                containers=containers,
                containers_are="containers at once",
                slowstart=self._slowstarts.get(application),
                usual_slowstart=(SLOWSTART, "Tez's default"),
            )
            yield job_of_dag(dag, self._users.get(application, ""), settings)

    def _take_application(self, application: str, entity: Entity) -> None:
        if user := plain_text(entity.info.get("user")):
            self._users[application] = user
        try:
            fraction = float(fields_of(entity.info.get("config")).get(SLOWSTART_KEY, "nan"))
        except (TypeError, ValueError, OverflowError):
            return
        if 0 <= fraction <= 1:
            self._slowstarts[application] = fraction

    def _hold(self, container: str, *times: int | None) -> None:
        """Note that a container was there at these times."""
        known = [time for time in (*self._containers.get(container, ()), *times) if time is not None]
        if known:
            self._containers[container] = min(known), max(known)

    def _most_containers(self) -> int:
        """Return how many containers there were at once; each runs one attempt at a time."""
        for key, dag in self._dags.items():
            for vertex, tasks in dag.tasks.items():
                for task, attempts in tasks.items():
                    for number, attempt in attempts.items():
                        name = attempt.container or f"{key, vertex, task, number}"
                        self._hold(name, attempt.start, attempt.finish)
        spans = np.array(list(self._containers.values()), np.int64).reshape(-1, 2)
        return most_at_once(*spans.T)
