"""Schedules in the Chrome trace format (JSON), for Perfetto and chrome://tracing.

A process per kind of slot (of each schedule, where there are several), a thread per slot, a slice per task.
Perfetto takes no colours from a file: it colours slices by their names, of which it drops the digits. So a
slice has its job's name, with letters behind it where names would be alike without digits, and a reduce's
shuffle is a slice inside it. Times are microseconds. Processes and threads are counted from 1, as 0 is the
idle thread of a traced computer.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from core.files.atomic import UNWATCHED, packed_for, replace_file
from core.model.task_types import KIND_WORDS

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from core.files.atomic import Watch
    from core.model.schedule import Schedule, Titled

_DIGITS = re.compile(" ?[0-9]+")
SLICES_PART = 0.7
"""Of the time that writing takes; the rest is for the text."""
PROCESSES = ("Map slots", "Reduce slots", "Containers")


def chrome_events(
    schedule: Schedule, watch: Watch = UNWATCHED, title: str = "", first: int = 0
) -> Iterator[dict[str, Any]]:
    """Yield the events of a complete schedule: names of processes and threads, then the tasks.

    `title` stands before the names of its processes, which are counted from `first` on.
    """
    slots = schedule.cluster.slots
    process_of = [first + _process(schedule, slot) for slot in range(slots)]
    for process in sorted(set(process_of)):
        name = PROCESSES[process - first]
        yield _note("process_name", process, 0, name=f"{title}: {name}" if title else name)
        yield _note("process_sort_index", process, 0, sort_index=process)
    for slot, process in enumerate(process_of):
        yield _note("thread_name", process, slot, name=schedule.cluster.slot_name(slot))
        yield _note("thread_sort_index", process, slot, sort_index=slot)
    names = slice_names([job.name for job in schedule.workload.jobs])
    for task in watch.over(schedule.sequence.tolist(), 0.0, SLICES_PART):
        yield from _slices(schedule, task, names, process_of)


def slice_names(jobs: Sequence[str]) -> list[str]:
    """Return what the slices of each job are called: names that differ also without their digits."""
    alike = Counter(_DIGITS.sub("", name) for name in jobs)
    names = []
    for number, name in enumerate(jobs):
        is_alone = alike[_DIGITS.sub("", name)] == 1
        names.append(name if is_alone else f"{name} ({_letters(number)})")
    return names


def _letters(number: int) -> str:
    """Count with letters: A to Z, AA, AB and so on."""
    text = ""
    number += 1
    while number:
        number, place = divmod(number - 1, 26)
        text = ascii_uppercase[place] + text
    return text


def chrome_trace(titled: Sequence[Titled], watch: Watch = UNWATCHED) -> dict[str, Any]:
    """Return the whole document; where there are several schedules, each has processes of its own."""
    if len(titled) == 1:
        (_, schedule), events = titled[0], list(chrome_events(titled[0][1], watch))
        about = {"workload": schedule.workload.name, **_about(schedule)}
        return {"traceEvents": events, "displayTimeUnit": "ms", "otherData": about}
    events = []
    for place, (title, schedule) in enumerate(titled):
        part = watch.part(place / len(titled), (place + 1) / len(titled))
        events += chrome_events(schedule, part, title, place * len(PROCESSES))
    scenarios = [{"title": title, **_about(schedule)} for title, schedule in titled]
    about = {"workload": titled[0][1].workload.name, "scenarios": scenarios}
    return {"traceEvents": events, "displayTimeUnit": "ms", "otherData": about}


def _about(schedule: Schedule) -> dict[str, Any]:
    about: dict[str, Any] = {"policy": schedule.choice.id, "makespan_s": schedule.makespan}
    if schedule.choice.estimates is not None:
        about["planned_on"] = schedule.choice.estimates.figures
    return about


def write_chrome_trace(
    titled: Sequence[Titled], path: str | os.PathLike[str], watch: Watch = UNWATCHED
) -> None:
    """Write the document in one step, gzipped when the name ends in .gz; may raise Cancelled."""
    text = json.dumps(chrome_trace(titled, watch), separators=(",", ":"), allow_nan=False)
    watch.check(1.0)
    replace_file(path, packed_for(path, text.encode()))


def _process(schedule: Schedule, slot: int) -> int:
    return 2 if schedule.cluster.has_containers else schedule.cluster.slot_type(slot)


def _note(what: str, process: int, thread: int, **about: str | int) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": process + 1, "tid": thread + 1, "args": about}


def _slices(
    schedule: Schedule, task: int, names: Sequence[str], process_of: Sequence[int]
) -> Iterator[dict[str, Any]]:
    columns, slot = schedule.workload.columns, int(schedule.slot[task])
    kind, job = int(columns.kind[task]), schedule.workload.jobs[int(columns.job[task])]
    place = {"pid": process_of[slot] + 1, "tid": slot + 1, "ph": "X"}
    start, shuffled, end = (float(c[task]) for c in (schedule.start, schedule.shuffled, schedule.end))

    def lasts(until: float) -> dict[str, float]:
        return {"ts": 1e6 * start, "dur": 1e6 * (until - start)}

    number = task - int(columns.stages.first[columns.stage[task]])
    kind_word, task_name = KIND_WORDS[kind], f"{KIND_WORDS[kind]} {number}"
    if not schedule.workload.is_map_reduce:
        kind_word = f"stage {columns.stages.number[columns.stage[task]]}"
        task_name = f"task {number} of {kind_word}"
    about = {"job": job.name, "task": task_name, "pool": job.pool}
    yield {
        "name": names[int(columns.job[task])],
        "cat": kind_word,
        **lasts(end),
        **place,
        "args": about,
    }
    if shuffled > start:
        yield {"name": "shuffle", "cat": "shuffle", **lasts(shuffled), **place, "args": {}}
