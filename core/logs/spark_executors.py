"""The executors of a Spark application: when each was there, and how many tasks it ran at once.

An executor runs as many tasks at once as its cores allow. A task takes ``spark.task.cpus`` of them, or what
the resource profile of its executor says.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from core.logs.executor_demand import ExecutorDemand
from core.logs.json_values import fields_of
from core.logs.logged_job import (
    LATEST,
    ExecutorTime,
    JobConfiguration,
    host_name,
    milliseconds,
    plain_text,
)

if TYPE_CHECKING:
    from core.logs.json_values import Fields

PAIR = 2
MAX_CORES = 1 << 20
DEFAULT_PROFILE = 0
"""The resource profile of executors that no profile was asked for."""
CORES = "cores of executors"
FIFO = "FIFO"
"""The order in which Spark serves jobs where nothing is configured."""


class _Executor(NamedTuple):
    """An executor: its cores, resource profile and machine, when it was added and removed, ms."""

    cores: int
    profile: int
    host: str
    added: int
    removed: int | None = None


class Executors:
    """The executors of an application; every `take` returns "", as no such event is refused.

    Attributes
    ----------
    demand : when it asks for executors and gives them up
    """

    def __init__(self) -> None:
        self._there: dict[str, _Executor] = {}
        self._gone: list[_Executor] = []
        self._task_cores = 1
        self._profiles: dict[int, int] = {}
        self._mode = FIFO
        self._most: int | None = None
        self.demand = ExecutorDemand()

    def take_settings(self, fields: Fields) -> str:
        """Take how many cores a task occupies, and the order in which jobs are served."""
        properties = fields.get("Spark Properties")
        if isinstance(properties, list):  # pairs, before Spark 3
            pairs = [each for each in properties if isinstance(each, list) and len(each) == PAIR]
            properties = {str(name): value for name, value in pairs}
        if isinstance(properties, dict):
            self.demand.take_settings(properties)
            self._task_cores = _cores(properties.get("spark.task.cpus")) or 1
            self._most = milliseconds(properties.get("spark.dynamicAllocation.maxExecutors"), 1)
            self._mode = plain_text(properties.get("spark.scheduler.mode")).upper() or FIFO
        return ""

    def take_profile(self, fields: Fields) -> str:
        """Take how many cores a task of a resource profile occupies."""
        number = milliseconds(fields.get("Resource Profile Id"))
        requests = fields_of(fields.get("Task Resource Requests"))
        cores = _cores(fields_of(requests.get("cpus")).get("Amount"))
        if number is not None and cores is not None:
            self._profiles[number] = cores
        return ""

    def take(self, fields: Fields) -> str:
        """Take an executor that is added."""
        info = fields_of(fields.get("Executor Info"))
        cores = milliseconds(info.get("Total Cores"))
        if cores is not None and cores <= MAX_CORES:
            profile = milliseconds(info.get("Resource Profile Id")) or DEFAULT_PROFILE
            added = milliseconds(fields.get("Timestamp")) or 0
            name = str(fields.get("Executor ID"))
            if (same := self._there.get(name)) is not None and same.added != added:
                self._gone.append(same._replace(removed=added))
            self._there[name] = _Executor(cores, profile, host_name(info.get("Host")), added)
            self.demand.take_executor(name, cores // self._cores_of_a_task(profile), added)
        return ""

    def take_away(self, fields: Fields) -> str:
        """Take an executor that is removed."""
        executor = self._there.pop(str(fields.get("Executor ID")), None)
        if executor is not None:
            self._gone.append(executor._replace(removed=milliseconds(fields.get("Timestamp"))))
        return ""

    def settings(self) -> JobConfiguration:
        """Return what is known of the cluster now."""
        times = [
            ExecutorTime(
                each.cores // self._cores_of_a_task(each.profile), each.added, each.removed, each.host
            )
            for each in (*self._gone, *self._there.values())
        ]
        each_takes = {self._cores_of_a_task(each.profile) for each in (*self._gone, *self._there.values())}
        per_task = " and ".join(map(str, sorted(each_takes))) or "1"
        return JobConfiguration(
            has_containers=True,
            containers_are=CORES if per_task == "1" else f"{CORES} / {per_task} per task",
            usual_slowstart=(1.0, "as in Spark"),
            executors=_at_most(sorted(times, key=_turn), self._most),
            scheduler=self._mode,
            on_demand=self.demand.found(),
        )

    def _cores_of_a_task(self, profile: int) -> int:
        if profile == DEFAULT_PROFILE:
            return self._task_cores
        return self._profiles.get(profile, self._task_cores)


def _at_most(times: list[ExecutorTime], most: int | None) -> tuple[ExecutorTime, ...]:
    """Return executors with slots, of which no more than so many are there at once.

    That an executor is gone is reported late: where another one is added in its place before, it goes then.

    Parameters
    ----------
    times : by when they were added
    most : None for any number
    """
    mended = [time for time in times if time.slots]
    there: list[tuple[int, int]] = []
    for place, time in enumerate(mended):
        while there and there[0][0] <= time.added:
            heappop(there)
        if most is not None and len(there) >= most and there[0][0] < LATEST:
            _, gone = heappop(there)
            mended[gone] = mended[gone]._replace(removed=time.added)
        heappush(there, (LATEST if time.removed is None else time.removed, place))
    return tuple(time for time in mended if time.removed is None or time.removed > time.added)


def _turn(time: ExecutorTime) -> tuple[int, int, int]:
    return time.added, LATEST if time.removed is None else time.removed, time.slots


def _cores(value: object) -> int | None:
    cores = milliseconds(value, 1)
    return cores if cores is not None and cores <= MAX_CORES else None
