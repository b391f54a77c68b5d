"""Schedules in the Paje trace format (text), for ViTE, PajeNG and pj_dump: one container per slot.

The slots of a schedule are inside the container of its cluster, which has the schedule's title where there
are several.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.files.atomic import UNWATCHED, packed_for, replace_file

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from core.files.atomic import Watch
    from core.model.schedule import Schedule, Titled

EVENTS = {
    "DefineContainerType": "Alias Type Name",
    "DefineStateType": "Alias Type Name",
    "DefineEntityValue": "Alias Type Name Color",
    "CreateContainer": "Time Alias Type Container Name",
    "DestroyContainer": "Time Type Name",
    "SetState": "Time Type Container Value",
}
"""The events that are used, in the order of their numbers, and what each says."""
FIELD_TYPES = {"Time": "date", "Color": "color"}
"""Of fields that are not text."""
HUES = (
    "0.00 0.45 0.70",
    "0.90 0.62 0.00",
    "0.00 0.62 0.45",
    "0.80 0.47 0.65",
    "0.34 0.71 0.91",
    "0.84 0.37 0.00",
)
"""Okabe and Ito's colours, in turn; a job's shuffle has the same, paler."""
IDLE = "idle"


def paje_lines(titled: Sequence[Titled], watch: Watch = UNWATCHED) -> Iterator[str]:
    """Yield the lines of complete schedules; times are seconds with microseconds."""
    for number, (event, fields) in enumerate(EVENTS.items()):
        yield f"%EventDef Paje{event} {number}"
        yield from (f"% {name} {FIELD_TYPES.get(name, 'string')}" for name in fields.split())
        yield "%EndEventDef"
    yield '0 Cluster 0 "Cluster"'
    yield '0 Slot Cluster "Slot"'
    yield '1 Task Slot "Task"'
    yield f'2 {IDLE} Task "idle" "1.0 1.0 1.0"'
    values = {name: j for j, name in enumerate(_job_names(titled))}
    for name, j in values.items():
        hue = HUES[j % len(HUES)]
        pale = " ".join(f"{0.5 + 0.5 * float(part):.2f}" for part in hue.split())
        yield f'2 j{j} Task {_quoted(name)} "{hue}"'
        yield f'2 s{j} Task {_quoted(name + ", shuffle")} "{pale}"'
    for place, (title, schedule) in enumerate(titled):
        name = _quoted(title) if len(titled) > 1 else '"Cluster"'
        yield f"3 0.000000 all{place} Cluster 0 {name}"
        for slot in range(schedule.cluster.slots):
            slot_name = schedule.cluster.slot_name(slot)
            yield f'3 0.000000 slot{place}.{slot} Slot all{place} "{slot_name}"'
    yield from _states(titled, values, watch)
    last = max(schedule.makespan for _, schedule in titled)
    for place, (_, schedule) in enumerate(titled):
        for slot in range(schedule.cluster.slots):
            yield f"4 {last:.6f} Slot slot{place}.{slot}"
        yield f"4 {last:.6f} Cluster all{place}"


def write_paje(titled: Sequence[Titled], path: str | os.PathLike[str], watch: Watch = UNWATCHED) -> None:
    """Write the trace in one step, gzipped when the name ends in .gz; may raise Cancelled."""
    replace_file(path, packed_for(path, ("\n".join(paje_lines(titled, watch)) + "\n").encode()))


def _job_names(titled: Sequence[Titled]) -> dict[str, None]:
    """Return the names of all jobs; what a log recorded may have others than what was edited since."""
    return dict.fromkeys(job.name for _, schedule in titled for job in schedule.workload.jobs)


def _states(titled: Sequence[Titled], values: dict[str, int], watch: Watch) -> Iterator[str]:
    """Yield what each slot does from when on, by time; at one time what ends comes before what begins."""
    changes: list[tuple[float, int, str, str]] = []
    for place, (_, schedule) in enumerate(titled):
        part = watch.part(0.5 * place / len(titled), 0.5 * (place + 1) / len(titled))
        for task in part.over(range(schedule.tasks), 0.0, 1.0):
            changes += _changes(schedule, task, f"slot{place}.", values)
    order = np.lexsort(([change[1] for change in changes], [change[0] for change in changes]))
    for i in watch.over(order.tolist(), 0.5, 1.0):
        time, _, slot, value = changes[i]
        yield f"5 {time:.6f} Task {slot} {value}"


def _changes(
    schedule: Schedule, task: int, before: str, values: dict[str, int]
) -> Iterator[tuple[float, int, str, str]]:
    """Yield the times at which a task's slot does something else, 0 for an end, the slot and what it does."""
    columns, slot = schedule.workload.columns, f"{before}{int(schedule.slot[task])}"
    job = values[schedule.workload.jobs[int(columns.job[task])].name]
    start, shuffled, end = (float(c[task]) for c in (schedule.start, schedule.shuffled, schedule.end))
    if shuffled > start:
        yield start, 1, slot, f"s{job}"
        start = shuffled
    yield start, 1, slot, f"j{job}"
    yield end, 0, slot, IDLE


def _quoted(text: str) -> str:
    return '"' + text.replace('"', "'") + '"'
