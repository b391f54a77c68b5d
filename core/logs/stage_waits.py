"""How much of the recorded time is due to stages that wait for one another, which the model does not have.

The model knows one such wait: the reduces of a job wait for its maps. Logs of Spark, Tez and others have
jobs of more stages, each of which waits for those that it reads. What that costs is found by a small replay:
every task as long as recorded, from when it had what it waits for, on the suggested cluster, first come first
served. It is run twice: with the one wait of the model, and with those of the log beside it. By how much
longer the jobs take the second time, from submission to end and all together, is what the waits explain, out
of what they took in the log. Nothing but the waits differs, so overheads, pauses of a driver and slow hosts
are in neither.

A reader takes part by giving its jobs `stages` (`core.logs.logged_job.LoggedStage`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.logs.attempt_columns import FINISH, START, AttemptColumns
from core.logs.logged_job import LoggedStage, in_seconds
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from core.logs.job_batch import JobBatch
    from core.model.cluster import Cluster


Stages = tuple[LoggedStage, ...]
"""Of a job."""
MAX_REPLAYED = 200_000
"""Attempts; of a log with more only the first jobs are replayed, which takes a few seconds."""


class StageWaits(NamedTuple):
    """What the waits of stages explain.

    Attributes
    ----------
    stages : how many stages wait otherwise than reduces for maps, which the model does not have
    explained : how much less time all jobs together take in a replay without these waits, s; at least 0
    recorded : how much time they took in the log, each from its submission to its end, s
    first : of a large log, how many jobs were replayed, the first ones; 0 where all were
    """

    stages: int
    explained: float
    recorded: float
    first: int = 0

    @property
    def share(self) -> float:
        """The part of the recorded time that is explained, 0 to 1."""
        return self.explained / self.recorded if self.recorded else 0.0


def stage_waits(
    batch: JobBatch, attempts: AttemptColumns, finish: NDArray[np.int64], cluster: Cluster
) -> StageWaits | None:
    """Return what the waits of stages explain; None for logs without stages.

    Parameters
    ----------
    batch : the jobs in the order of submission; those without `stages` are maps and reduces as ever
    attempts : the attempts of all of them, one after the other
    finish : when each job ended, ms on the log's clock, (jobs,)
    cluster : on which they are replayed
    """
    if not any(account.stages for account in batch.accounts):
        return None
    late = sum(waits_beyond_model(account.stages) for account in batch.accounts)
    ends = np.cumsum(batch.size)
    some = max(int(np.searchsorted(ends, MAX_REPLAYED, side="right")), 1)
    first = some if some < len(ends) else 0
    submit, is_kept = batch.submit[:some], batch.is_kept[:some]
    recorded = int(np.maximum(finish[:some] - submit, 0)[is_kept].sum())
    longer = 0
    if late:
        jobs = zip(batch.accounts, ends[:some].tolist(), batch.size.tolist(), strict=False)
        stages = [each.stages or _kinds(attempts.what[end - size : end]) for each, end, size in jobs]
        last = ends[some - 1]
        replayed = AttemptColumns(attempts.what[:last], attempts.times[:last])
        without, with_waits = (
            sum(_Replay(submit.tolist(), stages, _took(stages, replayed, keeps), cluster, keeps).ends())
            for keeps in (False, True)
        )
        longer = min(max(with_waits - without, 0), recorded)
    return StageWaits(late, in_seconds(longer), in_seconds(recorded), first)


def waits_beyond_model(stages: Sequence[LoggedStage]) -> int:
    """Return how many stages of a job wait otherwise than reduces for maps."""
    return sum(
        bool(stage.parents) if stage.is_map else not all(stages[parent].is_map for parent in stage.parents)
        for stage in stages
    )


def _took(stages: Sequence[Stages], attempts: AttemptColumns, keeps_waits: bool) -> list[int]:
    """Return how long each attempt that counts ran, ms, not counting how long it idled for what it waits for.

    A reduce may start before that has ended, as Tez and Hadoop let it.
    """
    times = attempts.times[attempts.what[:, 2] == 1]
    sizes = [stage.tasks for of_job in stages for stage in of_job]
    place = np.repeat(np.arange(len(sizes)), sizes)
    ends = np.zeros(len(sizes), np.int64)
    np.maximum.at(ends, place, times[:, FINISH])
    begins: list[int] = []
    for of_job in stages:
        last = ends[len(begins) : len(begins) + len(of_job)].tolist()
        maps_end = max((end for end, stage in zip(last, of_job, strict=True) if stage.is_map), default=0)
        waits = keeps_waits and not _is_circular(of_job)
        for stage in of_job:
            parents = (last[parent] for parent in stage.parents if waits)
            begins.append(max(parents, default=0) if stage.is_map else max(maps_end, *parents, 0))
    starts = np.maximum(times[:, START], np.array(begins, np.int64)[place])
    took: list[int] = np.maximum(times[:, FINISH] - starts, 0).tolist()
    return took


@dataclass(slots=True)
class _Stage:
    """A stage of the replay.

    Attributes
    ----------
    job : its place among the jobs
    pool : whose slots its tasks take
    next, end : its next task to start, and the one behind its last
    running : how many tasks have not ended
    unmet : how many stages it still waits for
    after : stages that wait for it
    """

    job: int
    pool: int
    next: int
    end: int
    running: int
    unmet: int = 0
    after: list[int] = field(default_factory=list)


class _Replay:
    """Jobs run task by task, first come first served; times in ms.

    Each job has two stages more, both without a task: its arrival, for which its maps wait, and the end of
    its maps, for which all its other stages do.
    """

    def __init__(
        self,
        submit: Iterable[int],
        stages: Iterable[Stages],
        took: Sequence[int],
        cluster: Cluster,
        keeps_waits: bool,
    ) -> None:
        containers = [cluster.containers]
        self._free = containers if cluster.has_containers else [cluster.map_slots, cluster.reduce_slots]
        self._ready: list[list[int]] = [[] for _ in self._free]
        self._took = took
        self._stages: list[_Stage] = []
        self._ends: list[int] = []
        self._events: list[tuple[int, int]] = []
        """When what happens: a task of this stage ends or, as a complement, this arrival."""
        for job in zip(submit, stages, strict=True):
            self._add_job(*job, keeps_waits)

    def _add_job(self, submit: int, stages: Stages, keeps_waits: bool) -> None:
        arrival = self._add_stage(0, 0, ())
        place: dict[int, int] = {}
        for number, stage in enumerate(stages):
            if stage.is_map:
                place[number] = self._add_stage(stage.tasks, 0, (arrival,))
        maps_end = self._add_stage(0, 0, (arrival, *place.values()))
        for number, stage in enumerate(stages):
            if not stage.is_map:
                place[number] = self._add_stage(stage.tasks, len(self._free) - 1, (maps_end,))
        if keeps_waits and not _is_circular(stages):
            for number, stage in enumerate(stages):
                self._wait(place[number], {place[parent] for parent in stage.parents})
        heappush(self._events, (submit, ~arrival))
        self._ends.append(submit)

    def _add_stage(self, tasks: int, pool: int, before: Iterable[int]) -> int:
        number, first = len(self._stages), self._stages[-1].end if self._stages else 0
        self._stages.append(_Stage(len(self._ends), pool, first, first + tasks, tasks))
        self._wait(number, before)
        return number

    def _wait(self, number: int, before: Iterable[int]) -> None:
        for other in before:
            self._stages[other].after.append(number)
            self._stages[number].unmet += 1

    def ends(self) -> list[int]:
        """Return when each job ended."""
        while self._events:
            now = self._events[0][0]
            while self._events and self._events[0][0] == now:
                _, event = heappop(self._events)
                if event < 0:
                    self._finish(~event, now)
                    continue
                stage = self._stages[event]
                self._free[stage.pool] += 1
                stage.running -= 1
                if not stage.running:
                    self._finish(event, now)
            for pool in range(len(self._free)):
                self._start_tasks(pool, now)
        return self._ends

    def _finish(self, number: int, now: int) -> None:
        """Let those go on that waited for a stage; one without a task ends at once."""
        ended = [number]
        while ended:
            stage = self._stages[ended.pop()]
            self._ends[stage.job] = now
            for other in stage.after:
                follower = self._stages[other]
                follower.unmet -= 1
                if not follower.unmet and follower.running:
                    heappush(self._ready[follower.pool], other)
                elif not follower.unmet:
                    ended.append(other)

    def _start_tasks(self, pool: int, now: int) -> None:
        """Give free slots to the tasks that may start: those of the first job, and its first stage, first."""
        ready = self._ready[pool]
        while ready and self._free[pool]:
            stage = self._stages[ready[0]]
            last = min(stage.end, stage.next + self._free[pool])
            for took in self._took[stage.next : last]:
                heappush(self._events, (now + took, ready[0]))
            self._free[pool] -= last - stage.next
            stage.next = last
            if last == stage.end:
                heappop(ready)


def _kinds(what: NDArray[np.int32]) -> Stages:
    """Return the maps and the reduces that ran of a job whose log has no stages, by its attempts."""
    kind, _, counts, *_ = what.T
    return tuple(LoggedStage(not task_type, int(counts[kind == task_type].sum())) for task_type in TASK_TYPES)


def _is_circular(stages: Sequence[LoggedStage]) -> bool:
    """Whether stages wait for themselves, by way of others, as only in a damaged log."""
    try:
        TopologicalSorter({number: stage.parents for number, stage in enumerate(stages)}).prepare()
    except CycleError:
        return True
    return False
