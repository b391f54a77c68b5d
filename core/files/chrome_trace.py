"""A schedule in the Chrome trace format (JSON), for Perfetto and chrome://tracing.

A process per kind of slot, a thread per slot, a slice per task. Viewers colour slices by name, so a slice has
its job's name, and a reduce's shuffle is a slice inside it. Times are microseconds.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from core.files.atomic import packed_for, replace_file
from core.workload import MAP

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from core.schedule import Schedule

KINDS = ("map", "reduce")
PROCESSES = ("Map slots", "Reduce slots", "Containers")


def chrome_events(schedule: Schedule) -> Iterator[dict[str, Any]]:
    """Yield the events of a complete schedule: names of processes and threads, then the tasks."""
    used = {_process(schedule, slot) for slot in range(schedule.cluster.slots)}
    for process in sorted(used):
        yield _note("process_name", process, 0, name=PROCESSES[process])
        yield _note("process_sort_index", process, 0, sort_index=process)
    for slot in range(schedule.cluster.slots):
        process = _process(schedule, slot)
        yield _note("thread_name", process, slot, name=schedule.cluster.slot_name(slot))
        yield _note("thread_sort_index", process, slot, sort_index=slot)
    for task in schedule.sequence.tolist():
        yield from _slices(schedule, task)


def chrome_trace(schedule: Schedule) -> dict[str, Any]:
    """Return the whole document."""
    about = {
        "workload": schedule.workload.name,
        "policy": schedule.choice.id,
        "makespan_s": schedule.makespan,
    }
    return {"traceEvents": list(chrome_events(schedule)), "displayTimeUnit": "ms", "otherData": about}


def write_chrome_trace(schedule: Schedule, path: str | os.PathLike[str]) -> None:
    """Write the document in one step, gzipped when the name ends in .gz."""
    text = json.dumps(chrome_trace(schedule), separators=(",", ":"), allow_nan=False)
    replace_file(path, packed_for(path, text.encode()))


def _process(schedule: Schedule, slot: int) -> int:
    if schedule.cluster.has_containers:
        return 2
    return int(slot >= schedule.cluster.map_slots)


def _note(what: str, process: int, thread: int, **about: str | int) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": process, "tid": thread, "args": about}


def _slices(schedule: Schedule, task: int) -> Iterator[dict[str, Any]]:
    columns, slot = schedule.workload.columns, int(schedule.slot[task])
    kind, job = int(columns.kind[task]), schedule.workload.jobs[int(columns.job[task])]
    place = {"pid": _process(schedule, slot), "tid": slot, "ph": "X"}
    start, shuffled, end = (float(c[task]) for c in (schedule.start, schedule.shuffled, schedule.end))

    def lasts(until: float) -> dict[str, float]:
        return {"ts": 1e6 * start, "dur": 1e6 * (until - start)}

    number = task - int(columns.first[columns.job[task], kind])
    about = {"task": f"{KINDS[kind]} {number}", "pool": job.pool}
    yield {"name": job.name, "cat": KINDS[kind], **lasts(end), **place, "args": about}
    if kind != MAP and shuffled > start:
        yield {"name": "shuffle", "cat": "shuffle", **lasts(shuffled), **place, "args": {}}
