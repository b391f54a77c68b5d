"""What is found in a schedule by typing: jobs by their names, tasks by their numbers, and slots by theirs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.model.stages import MAP_REDUCE
from core.model.task_types import KIND_WORDS
from core.model.time_text import clock_text
from core.model.visible_text import visible
from explorer.window.search.job_names import JobNames

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.model.schedule import Schedule

MAX_FOUND = 10_000
"""So many are found at most; nobody steps through more."""
_TASK = re.compile(
    r"(?:(?P<before>.+?)[\s·,]+)?(?P<kind>m|map|r|reduce|t|task)\s*#?\s*(?P<number>\d+)"
    r"(?:\s+of\s+(?P<after>.+))?",
    re.IGNORECASE,
)
_SLOT = re.compile(r"(?:slot\s+)?(?P<name>[mrcn]\d+(?:\.\d+)?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FoundInSchedule:
    """A place in a schedule.

    Attributes
    ----------
    job : its index in the schedule's workload
    task : the task that is meant, or the job's first one where the job is
    is_job : whether the whole job is meant
    text : what it is, in a line
    """

    job: int
    task: int
    is_job: bool
    text: str


class ScheduleFinder:
    """Finds jobs, tasks and slots of one schedule.

    "J3" finds jobs of that name, exact names first; "J3 map 12" and "map 12 of J3" a task, "map 12" that of
    every job; "M5" and "N2.1" what runs on a slot, and the name of a host what a log recorded there.
    """

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._columns = schedule.workload.columns
        self._names = JobNames([job.name for job in schedule.workload.jobs])

    def found(self, typed: str) -> list[FoundInSchedule]:
        """Return what fits, in the order in which one steps through it; nothing where nothing is typed."""
        typed = typed.strip()
        if not typed:
            return []
        tasks = dict.fromkeys([*self._on_slot(typed), *self._on_host(typed), *self._numbered(typed)])
        jobs = [self._of_job(job) for job in self._jobs(typed)]
        return [*jobs, *(self._of_task(task) for task in tasks)][:MAX_FOUND]

    def _jobs(self, typed: str) -> list[int]:
        """Return the jobs that run and have all words in their names: exact names first, then by start."""
        start = self._schedule.job_start
        runs = [job for job in self._names.having(typed) if np.isfinite(start[job])]
        names = self._schedule.workload.jobs
        return sorted(runs, key=lambda job: (names[job].name.lower() != typed.lower(), start[job], job))

    def _on_slot(self, typed: str) -> Iterator[int]:
        slot = _SLOT.fullmatch(typed)
        if slot is None:
            return
        name, cluster = slot["name"].upper(), self._schedule.cluster
        named = [number for number in range(cluster.slots) if cluster.slot_name(number) == name]
        if named:
            yield from self._by_start(self._schedule.slot == named[0])

    def _on_host(self, typed: str) -> Iterator[int]:
        record = self._schedule.record
        if record is None:
            return
        hosts = [place for place, host in enumerate(record.run.hosts) if typed.lower() in host.lower()]
        if hosts:
            slots = np.flatnonzero(np.isin(record.slot_host, hosts))
            yield from self._by_start(np.isin(self._schedule.slot, slots))

    def _numbered(self, typed: str) -> Iterator[int]:
        task = _TASK.fullmatch(typed)
        if task is None or _SLOT.fullmatch(typed):
            return
        columns, job = self._columns, task["before"] or task["after"]
        wanted = columns.number == int(task["number"]) - 1
        kind = "mr".find(task["kind"][0].lower())
        if kind >= 0:
            wanted &= columns.kind == kind
        if job is not None:
            wanted &= np.isin(columns.job, self._jobs(job))
        yield from self._by_start(wanted)

    def _by_start(self, wanted: NDArray[np.bool_]) -> list[int]:
        """Return the tasks that are wanted and have started, the earliest first."""
        tasks = np.flatnonzero(wanted & np.isfinite(self._schedule.start))
        ordered: list[int] = tasks[np.argsort(self._schedule.start[tasks], kind="stable")].tolist()
        return ordered

    def _of_job(self, job: int) -> FoundInSchedule:
        mine = np.flatnonzero(self._columns.job == job)
        first = int(mine[np.argmin(self._schedule.start[mine])]) if len(mine) else -1
        begin, end = float(self._schedule.job_start[job]), float(self._schedule.finish[job])
        name = visible(self._schedule.workload.jobs[job].name)
        return FoundInSchedule(
            job, first, True, f"{name}, {clock_text(begin, largest=end)} to {clock_text(end)}"
        )

    def _of_task(self, task: int) -> FoundInSchedule:
        columns, schedule = self._columns, self._schedule
        job, stage = int(columns.job[task]), int(columns.stage[task])
        owner = schedule.workload.jobs[job]
        kind = KIND_WORDS[int(columns.kind[task])] if owner.graph == MAP_REDUCE else "task"
        number, count = int(columns.number[task]) + 1, int(columns.stages.count[stage])
        where = schedule.cluster.slot_name(int(schedule.slot[task]))
        text = f"{visible(owner.name)} · {kind} {number} of {count} on {where}"
        return FoundInSchedule(job, task, False, text)
