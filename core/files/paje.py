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

HEADER = """\
%EventDef PajeDefineContainerType 0
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineStateType 1
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineEntityValue 2
% Alias string
% Type string
% Name string
% Color color
%EndEventDef
%EventDef PajeCreateContainer 3
% Time date
% Alias string
% Type string
% Container string
% Name string
%EndEventDef
%EventDef PajeDestroyContainer 4
% Time date
% Type string
% Name string
%EndEventDef
%EventDef PajeSetState 5
% Time date
% Type string
% Container string
% Value string
%EndEventDef
"""
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
    yield from HEADER.splitlines()
    yield '0 Cluster 0 "Cluster"'
    yield '0 Slot Cluster "Slot"'
    yield '1 Task Slot "Task"'
    yield f'2 {IDLE} Task "idle" "1.0 1.0 1.0"'
    for j, job in enumerate(schedule.workload.jobs):
        name, hue = _quoted(job.name), HUES[j % len(HUES)]
        yield f'2 j{j} Task {name} "{hue}"'
        yield f'2 s{j} Task {_quoted(job.name + ", shuffle")} "{_pale(hue)}"'
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


def _pale(hue: str) -> str:
    return " ".join(f"{0.5 + 0.5 * float(part):.2f}" for part in hue.split())


def _quoted(text: str) -> str:
    return '"' + text.replace('"', "'") + '"'
