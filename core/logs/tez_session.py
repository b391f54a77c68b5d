"""All DAGs in the logs of Apache Tez, with the users and containers of their applications.

Records are merged by the ids, which hold those of everything around what they name:
``attempt_<cluster>_<application>_<dag>_<vertex>_<task>_<attempt>``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.logs.json_values import fields_of
from core.logs.logged_job import ENDS_EARLY, JobConfiguration, LoggedJob, plain_text
from core.logs.tez_dag import ENTITY_ID, Entity, TezDag, job_of_dag
from core.model.errors import Problem
from core.model.execution_history import most_at_once

if TYPE_CHECKING:
    from collections.abc import Iterator

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
