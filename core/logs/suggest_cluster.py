"""Guess the cluster that a log was recorded on: from the jobs' configurations, else from what ran at once."""

from __future__ import annotations

import math
from collections import Counter
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.logs.logged_job import HADOOP_SLOWSTART, LATEST
from core.model.cluster import Cluster
from core.model.in_parts import most_at_once
from core.model.limits import MAX_SLOTS
from core.model.many_jobs import are_map_reduce, tasks_by_type
from core.model.slot_times import SlotTime, most_open
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from core.logs.attempt_columns import AttemptColumns
    from core.logs.logged_job import ExecutorTime, JobConfiguration
    from core.model.job import Job
    from core.model.stages import Stage

DEFAULT_SLOWSTART, _ = HADOOP_SLOWSTART
BUSY = 0.5
LATE_REPORT = 1.25
"""Tasks seem to run at once with their successors because their end is reported late; up to this factor."""
LITTLE = 0.05
"""Tasks start before the end of others is reported: no larger part of what they take is beyond the slots.

Of busy machines up to 2 %; with half of the true slots it would be some 40 %.
"""
LAUNCHED_BEFORE, LAUNCHED_PART = 50, 20
"""Milliseconds, and the part of a task's time, by which its slot may be given on before its end is known."""
_WHY_BUSY = (
    "The log does not say what ran, so its cluster is unknown: these slots are busy for half of the time in "
    "which jobs arrive."
)


class Suggestion(NamedTuple):
    """A suggested cluster.

    Attributes
    ----------
    cluster, why : the cluster, and where it comes from
    peaks : the most map and the most reduce attempts that ran at once
    executors : how many executors there were at once at most; 0 where the log has none
    host_slots : of each machine with executors the slots that these had at once at most; empty where that is
        not known
    """

    cluster: Cluster
    why: str
    peaks: tuple[int, int]
    executors: int = 0
    host_slots: Mapping[str, int] = {}


class RunTime(NamedTuple):
    """When the first job that is kept was submitted, and when the last one ended, ms on the log's clock."""

    started: int
    ended: int


def suggest_cluster(
    jobs: Sequence[Job], settings: Sequence[JobConfiguration], attempts: AttemptColumns, ran: RunTime
) -> Suggestion:
    """Suggest slots and slow start for the jobs of a log, by arrival, of which these are all attempts.

    The configuration is believed where all jobs agree and what ran at once does not contradict it. A
    task that takes several slots is one task here, so the suggestion has so many fewer slots. Executors that
    come or go while jobs run are slots that do.
    """
    machines = {each.machine_slots for each in settings}
    if len(machines) == 1 and 0 not in machines:
        return _machine(machines.pop(), attempts)
    if not len(attempts) and not all(each.containers for each in settings):
        why = f" Slow start {DEFAULT_SLOWSTART:g}, Hadoop's default." if _has_reduces(jobs) else ""
        return Suggestion(_busy_cluster(jobs), _WHY_BUSY + why, (0, 0))
    if all(each.containers or each.has_containers for each in settings):
        return _containers(jobs, attempts, settings, ran)
    peaks = _peaks(attempts)
    hosts = len(attempts.hosts)
    maps, how_maps, doubt = _configured(
        "map", {(s.map_slots, s.slots_per_map) for s in settings}, hosts, peaks[0]
    )
    reduces, how_reduces, other_doubt = _configured(
        "reduce", {(s.reduce_slots, s.slots_per_reduce) for s in settings}, hosts, peaks[1]
    )
    slots, why = (maps, reduces), f"As the jobs are configured: {how_maps}; {how_reduces}."
    if doubt := doubt or other_doubt:
        what = "map and reduce" if all(peaks) else "reduce" if peaks[1] else "map"
        slots, why = peaks, f"As many {what} attempts ran at once; {doubt}."
    map_slots, reduce_slots = _at_least_one(slots, jobs)
    if max(slots) > MAX_SLOTS:
        why = f"{why} {MAX_SLOTS} are the most that a cluster can have."
    slowstart, why_slowstart = _slowstart(settings)
    if _has_reduces(jobs):
        why = f"{why} {why_slowstart}"
    return Suggestion(Cluster(map_slots, reduce_slots, slowstart), why, peaks)


def _has_reduces(jobs: Sequence[Job]) -> bool:
    """Whether slow start decides when any task starts."""
    _, reduces = tasks_by_type(jobs)
    return not are_map_reduce(jobs) or reduces > 0


def _busy_cluster(jobs: Sequence[Job]) -> Cluster:
    """Return a cluster that jobs of unknown tasks keep busy for a part of the time in which they arrive."""
    span = max(jobs[-1].arrival, 1.0)
    works = (_work(job.stages[task_type] for job in jobs) for task_type in TASK_TYPES)
    maps, reduces = (math.ceil(work / span / BUSY) for work in works)
    return Cluster(*_at_least_one((maps, reduces), jobs), DEFAULT_SLOWSTART)


def _containers(
    jobs: Sequence[Job], attempts: AttemptColumns, settings: Sequence[JobConfiguration], ran: RunTime
) -> Suggestion:
    """Suggest slots for tasks of either kind: as many as there were in the log, if it bears that out."""
    spans = np.concatenate([attempts.spans(task_type) for task_type in TASK_TYPES])
    slowstart, why_slowstart = _slowstart(settings)
    executors = [time for of_one in dict.fromkeys(each.executors for each in settings) for time in of_one]
    slots, slot_times = _slots_of_executors(executors, ran) if all(s.executors for s in settings) else (0, ())
    known = {(each.containers, each.containers_are) for each in settings}
    most = slots + most_open(slot_times)
    if most:
        words = {each.containers_are for each in settings}
        what = words.pop() if len(words) == 1 else "tasks that executors can run"
    else:
        most, what = known.pop() if len(known) == 1 else (0, "")
        slots = most
    if not what:
        why = "As many tasks ran at once; the logs differ in what slots there were."
    elif not most:
        why = f"As many tasks ran at once; the log has no {what}."
    elif _are_contradicted(spans, most):
        most, why = 0, f"As many tasks ran at once; {most} {what} do not explain them."
    elif slot_times:
        why = f"There were at most {most} {what} at once; some came or went while jobs ran."
    else:
        why = f"There were {most} {what}."
    if not most:
        slots, slot_times, executors = max(_lasting_peak(spans), 1), (), []
    sizes = {executor.slots for executor in executors}
    cluster = Cluster(
        0,
        0,
        slowstart,
        containers=min(slots, MAX_SLOTS),
        slot_times=slot_times,
        slots_per_executor=sizes.pop() if len(sizes) == 1 else 0,
    )
    if _has_reduces(jobs) and (slowstart < 1 or are_map_reduce(jobs)):  # else stages wait for whole stages
        why = f"{why} {why_slowstart}"
    there = [executor for executor in executors if _is_there(executor, ran)]
    return Suggestion(cluster, why, _peaks(attempts), _most_executors(executors), _slots_of_hosts(there))


def _is_there(executor: ExecutorTime, ran: RunTime) -> bool:
    """Whether an executor is there at any time at which jobs are."""
    return executor.added <= ran.ended and (
        executor.removed is None or executor.removed > max(executor.added, ran.started)
    )


def _slots_of_hosts(executors: Iterable[ExecutorTime]) -> dict[str, int]:
    """Return the most slots that executors have at once on each machine; none if any of these is unknown."""
    changes: list[tuple[int, int, str]] = []
    for each in executors:
        changes.append((each.added, each.slots, each.host))
        if each.removed is not None:
            changes.append((each.removed, -each.slots, each.host))
    now, most = Counter[str](), Counter[str]()
    for _, slots, host in sorted(changes):  # what goes makes place for what comes then
        now[host] += slots
        most[host] = max(most[host], now[host])
    return {} if "" in most or most.total() > MAX_SLOTS else dict(most)


def _slots_of_executors(executors: Iterable[ExecutorTime], ran: RunTime) -> tuple[int, tuple[SlotTime, ...]]:
    """Return the slots of executors that are there as long as jobs are, and those that come and go.

    Too many for a cluster, one after the other, are as many as there are at once at most, all the time.
    """
    often: Counter[tuple[float, float]] = Counter()
    for executor in executors:
        opens = max(executor.added - ran.started, 0) / 1000
        stays = executor.removed is None or executor.removed >= ran.ended
        closes = inf if stays else ((executor.removed or 0) - ran.started) / 1000
        if _is_there(executor, ran):
            often[opens, closes] += executor.slots
    fixed = often.pop((0.0, inf), 0)
    times = tuple(SlotTime(min(often[each], MAX_SLOTS), *each) for each in sorted(often))
    if fixed + sum(time.slots for time in times) > MAX_SLOTS:
        return min(fixed + most_open(times), MAX_SLOTS), ()
    return fixed, times


def _most_executors(executors: Sequence[ExecutorTime]) -> int:
    """Return how many executors there were at once at most; one that goes as another comes is not with it."""
    ends = [LATEST if each.removed is None else each.removed for each in executors]
    return most_at_once(np.array([each.added for each in executors]), np.array(ends))


def _are_contradicted(spans: NDArray[np.int64], slots: int) -> bool:
    """Whether more tasks than slots ran at once, and not only as some were launched before others ended."""
    return _peak(spans) > LATE_REPORT * slots and _share_above(spans, slots) > LITTLE


def _lasting_peak(spans: NDArray[np.int64]) -> int:
    """Return how many tasks ran at once at most, but for those launched just before others were known to end.

    A task is taken to free its slot a twentieth of its time before its end is reported, at most 50 ms.
    """
    shorter = spans.copy()
    shorter[:, 1] -= np.minimum(LAUNCHED_BEFORE, (spans[:, 1] - spans[:, 0]) // LAUNCHED_PART)
    return _peak(shorter)


def _share_above(spans: NDArray[np.int64], slots: int) -> float:
    """Return which part of what all tasks take is taken by more tasks than there are slots, 0 to 1.

    Three tasks of 10 s at once on two slots: 10 / 30.
    """
    times = spans.T.reshape(-1)  # all starts, then all ends
    turn = np.argsort(times, kind="stable")
    running = np.cumsum(np.where(turn < len(spans), 1, -1))[:-1]
    lasts = np.diff(times[turn])
    return float((np.maximum(running - slots, 0) * lasts).sum() / max((running * lasts).sum(), 1))


def _machine(slots: int, attempts: AttemptColumns) -> Suggestion:
    """Suggest map slots for a whole machine whose size stands in a log, if the tasks bear it out."""
    at_once, _ = _peaks(attempts)
    why = f"As many slots as the log says that its machine has: {slots}."
    if slots > MAX_SLOTS:
        why = f"The most that a cluster can have; the log says that its machine has {slots}."
    if at_once > LATE_REPORT * slots:
        why = f"As many tasks ran at once; the {slots} slots that the log tells of do not explain them."
        slots = at_once
    return Suggestion(Cluster(min(slots, MAX_SLOTS), 0, DEFAULT_SLOWSTART), why, (at_once, 0))


def _work(stages: Iterable[Stage]) -> float:
    """Return the seconds that tasks hold slots."""
    return sum(
        (
            stage.count * (_mean(stage.durations) + _mean(stage.typical_shuffle))
            for stage in stages
            if stage.count
        ),
        0.0,
    )


def _mean(samples: NDArray[np.float64]) -> float:
    return samples.item() if len(samples) == 1 else float(samples.mean())


def _peak(spans: NDArray[np.int64]) -> int:
    return most_at_once(*spans.T)


def _peaks(attempts: AttemptColumns) -> tuple[int, int]:
    """Return the most map and the most reduce attempts that ran at once."""
    maps, reduces = map(attempts.most_at_once, TASK_TYPES)
    return maps, reduces


def _configured(
    kind: str, settings: set[tuple[int | None, int]], hosts: int, observed: int
) -> tuple[int, str, str]:
    """Return slots of one kind by the configuration, how they come about, and why not to believe it.

    The settings are those of all jobs: slots of each host, slots that a task takes.
    """
    if all(per_host is None for per_host, _ in settings):
        return 0, "", "the log does not hold the configuration"
    if len(settings) > 1:
        return 0, "", "the jobs' configurations differ"
    ((per_host, per_task),) = settings
    per_host = per_host or 0
    slots = per_host * hosts // per_task
    source = f"{per_host} {kind} slots on each of {hosts} hosts seen"
    if per_task > 1:
        source += f", of which every task takes {per_task}"
    if slots < observed:
        return 0, "", f"the configuration ({source}) does not explain them"
    return slots, source, ""


def _at_least_one(slots: tuple[int, int], jobs: Sequence[Job]) -> tuple[int, int]:
    """Give each kind that has tasks a slot, also where no attempt lasted long enough to be seen."""
    fewest = (min(tasks, 1) for tasks in tasks_by_type(jobs))
    maps, reduces = (min(max(*each), MAX_SLOTS) for each in zip(slots, fewest, strict=True))
    return maps, reduces


def _slowstart(settings: Sequence[JobConfiguration]) -> tuple[float, str]:
    known = {each.slowstart for each in settings if each.slowstart is not None}
    if len(known) == 1:
        slowstart = known.pop()
        return slowstart, f"Slow start {slowstart:g} as configured."
    reason = "the jobs differ" if known else "the log does not say"
    usual = {each.usual_slowstart for each in settings}
    slowstart, whose = usual.pop() if len(usual) == 1 else HADOOP_SLOWSTART
    return slowstart, f"Slow start {slowstart:g}, {whose} ({reason})."
