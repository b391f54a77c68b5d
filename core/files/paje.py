"""A schedule in the Paje trace format (text), for ViTE, PajeNG and pj_dump: one container per slot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.files.atomic import UNWATCHED, packed_for, replace_file
from core.model.workload import MAP

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from core.files.atomic import Watch
    from core.model.schedule import Schedule

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


def paje_lines(schedule: Schedule, watch: Watch = UNWATCHED) -> Iterator[str]:
    """Yield the lines of a complete schedule; times are seconds with microseconds."""
    for number, (event, said) in enumerate(EVENTS.items()):
        yield f"%EventDef Paje{event} {number}"
        yield from (f"% {name} {FIELD_TYPES.get(name, 'string')}" for name in said.split())
        yield "%EndEventDef"
    yield '0 Cluster 0 "Cluster"'
    yield '0 Slot Cluster "Slot"'
    yield '1 Task Slot "Task"'
    yield f'2 {IDLE} Task "idle" "1.0 1.0 1.0"'
    for j, job in enumerate(schedule.workload.jobs):
        hue = HUES[j % len(HUES)]
        pale = " ".join(f"{0.5 + 0.5 * float(part):.2f}" for part in hue.split())
        yield f'2 j{j} Task {_quoted(job.name)} "{hue}"'
        yield f'2 s{j} Task {_quoted(job.name + ", shuffle")} "{pale}"'
    yield '3 0.000000 all Cluster 0 "Cluster"'
    for slot in range(schedule.cluster.slots):
        yield f'3 0.000000 slot{slot} Slot all "{schedule.cluster.slot_name(slot)}"'
    yield from _states(schedule, watch)
    for slot in range(schedule.cluster.slots):
        yield f"4 {schedule.makespan:.6f} Slot slot{slot}"
    yield f"4 {schedule.makespan:.6f} Cluster all"


def write_paje(schedule: Schedule, path: str | os.PathLike[str], watch: Watch = UNWATCHED) -> None:
    """Write the trace in one step, gzipped when the name ends in .gz; may raise Cancelled."""
    replace_file(path, packed_for(path, ("\n".join(paje_lines(schedule, watch)) + "\n").encode()))


def _states(schedule: Schedule, watch: Watch) -> Iterator[str]:
    """Yield what each slot does from when on, by time; at one time what ends comes before what begins."""
    columns = schedule.workload.columns
    changes: list[tuple[float, int, int, str]] = []
    for task in watch.over(range(schedule.tasks), 0.0, 0.5):
        job, slot = int(columns.job[task]), int(schedule.slot[task])
        start, shuffled, end = (float(c[task]) for c in (schedule.start, schedule.shuffled, schedule.end))
        if columns.kind[task] != MAP and shuffled > start:
            changes.append((start, 1, slot, f"s{job}"))
            start = shuffled
        changes.append((start, 1, slot, f"j{job}"))
        changes.append((end, 0, slot, IDLE))
    order = np.lexsort(([change[1] for change in changes], [change[0] for change in changes]))
    for i in watch.over(order.tolist(), 0.5, 1.0):
        time, _, slot, value = changes[i]
        yield f"5 {time:.6f} Task slot{slot} {value}"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', "'") + '"'
