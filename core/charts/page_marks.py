"""What a page knows beside the times of tasks: remote reads, notes on attempts, stages, and of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.charts.closed_stretches import closed_stretches
from core.charts.late_reports import late_reports
from core.charts.node_marks import events_of, outcomes_of
from core.charts.row_columns import kept_with_rows
from core.charts.stage_boxes import stage_bands
from core.charts.stage_names import stage_names
from core.explain.attempt_notes import attempt_note
from core.explain.stage_path import PartKind, is_complete, stage_path
from core.files.packed_columns import in_ticks, packed_column
from core.model.event_nodes import node_of_slots
from core.model.node_events import HAPPENINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.charts.chart import DrawnChart
    from core.charts.closed_stretches import Closed
    from core.charts.schedule_rows import ScheduleRows
    from core.files.packed_columns import PackedColumn

MAX_STAGE_BOXES = 5000
"""Of more no box could be told from the next one, and a page would get long."""

MILLION = 1_000_000
"""Speeds of nodes are whole numbers of millionths."""


@kept_with_rows
def remote_places(rows: ScheduleRows) -> NDArray[np.int64]:
    """Return the places in the row columns of the maps that read longer for being on another node."""
    inputs, schedule = rows.schedule.workload.inputs, rows.schedule
    if inputs is None:
        return np.zeros(0, np.int64)
    longer = schedule.reads_remotely & (inputs.remote_read[schedule.workload.columns.job] > 0)
    return np.flatnonzero(longer[rows.task])


def remote_columns(
    content: DrawnChart,
    names: Sequence[str],
    tick: float,
    places: NDArray[np.int64],
    known: NDArray[np.bool_],
) -> dict[str, PackedColumn]:
    """Return what a remote read adds to a map of each job, in ticks, and a bit for each task that has one.

    Nothing where no map reads longer.

    Parameters
    ----------
    content : the chart
    names : of the jobs, in the order of the page
    places : where each task of the row columns stands among all that the page has of the rows, (tasks,)
    known : of all that it could have there what it has
    """
    rows = content.rows
    inputs = None if rows is None else rows.schedule.workload.inputs
    if rows is None or inputs is None or not len(found := remote_places(rows)):
        return {}
    found = found[rows.columns.end[found] <= content.veil]  # whether a map reads longer says when it ends
    is_remote = np.zeros(len(known), bool)
    is_remote[places[found]] = True
    index = rows.schedule.workload.job_index
    reads = np.append(inputs.remote_read, 0.0)[[index.get(name, -1) for name in names]]
    return {
        "remoteRead": packed_column(in_ticks(reads, tick)),
        "remote": packed_column(np.packbits(is_remote[known], bitorder="little")),
    }


def note_facts(content: DrawnChart) -> tuple[list[str], NDArray[np.int64]]:
    """Return the different notes on attempts that are no tasks, "" in front, and which each attempt has.

    Of an attempt that has not ended at a veil none is known. Both in the order of the rows, (extras,).
    """
    notes: dict[str, int] = {"": 0}
    rows = content.rows
    record = None if rows is None else rows.schedule.attempts
    if rows is None or record is None:
        return list(notes), np.zeros(0, np.int64)
    ended = (record.extra_times[1] <= content.veil).tolist()
    texts = [attempt_note(rows.schedule, each) if over else "" for each, over in enumerate(ended)]
    numbers = [notes.setdefault(text, len(notes)) for text in texts]
    return list(notes), np.array(numbers, np.int64)


def stage_facts(content: DrawnChart, names: Sequence[str], tick: float) -> dict[str, Any]:
    """Return the stages above the rows: bands, boxes, think times, and the boxes on the path to the end.

    None under a veil, where the rows of boxes would tell what comes, and of more than `MAX_STAGE_BOXES`.
    """
    rows = content.rows
    bands = None if rows is None or content.is_veiled else stage_bands(rows)
    if rows is None or bands is None or len(bands.boxes.stage) > MAX_STAGE_BOXES:
        return {}
    schedule, stages, boxes = rows.schedule, rows.schedule.workload.columns.stages, bands.boxes
    own = np.array([names.index(job.name) for job in schedule.workload.jobs], np.int64)
    path = stage_path(schedule) if is_complete(schedule) else None
    on_path = [int(bands.box_of[stage]) for stage in (path.stages if path else ())]
    thinks = {part.job for part in path.parts if part.kind is PartKind.DRIVER} if path else set()
    return {
        "bands": [
            {
                "name": each.name,
                "short": each.short_name,
                "rows": each.rows,
                "jobs": own[list(each.jobs)].tolist(),
            }
            for each in bands.bands
        ],
        "stage": boxes.stage.tolist(),
        "isSecond": (stages.number[boxes.stage] > 0).tolist(),
        "job": own[stages.job[boxes.stage]].tolist(),
        "name": [stage_names(rows)[stage] for stage in boxes.stage.tolist()],
        "count": stages.count[boxes.stage].tolist(),
        "start": in_ticks(boxes.start, tick).tolist(),
        "end": in_ticks(boxes.end, tick).tolist(),
        "band": boxes.band.tolist(),
        "row": boxes.row.tolist(),
        "links": bands.links.tolist(),
        "thinks": [
            [each.band, *in_ticks(np.array([each.begin, each.end]), tick).tolist(), each.job in thinks]
            for each in bands.thinks
        ],
        "path": [box for box in on_path if box >= 0],
    }


def closed_columns(rows: ScheduleRows, tick: float, veil: float) -> dict[str, PackedColumn]:
    """Return when slots are closed as far as a veil lets it be known: by row, then time; -1 for no end.

    Nothing where none is.

    Parameters
    ----------
    tick, veil : in s; infinity for no veil
    """
    return _stretch_columns("closed", closed_stretches(rows), tick, veil)


def late_columns(rows: ScheduleRows, tick: float, veil: float) -> dict[str, PackedColumn]:
    """Return the stretches in which the ends of tasks were not reported, as `closed_columns` does."""
    return _stretch_columns("late", late_reports(rows), tick, veil)


def _stretch_columns(name: str, stretches: Closed, tick: float, veil: float) -> dict[str, PackedColumn]:
    known = np.flatnonzero(stretches.begin < veil)
    if not len(known):
        return {}
    order = known[np.lexsort((stretches.begin[known], stretches.slot[known]))]
    ends = stretches.end[order]
    return {
        f"{name}Row": packed_column(stretches.slot[order]),
        f"{name}Begin": packed_column(in_ticks(stretches.begin[order], tick)),
        f"{name}End": packed_column(in_ticks(np.where(ends > veil, np.inf, ends), tick)),
    }


def event_columns(rows: ScheduleRows, tick: float, veil: float) -> dict[str, PackedColumn]:
    """Return what happens to nodes before a veil, by time, and on which node each row is; nothing for none.

    Parameters are those of `closed_columns`.
    """
    found = [
        (event, came)
        for event, came in zip(events_of(rows), outcomes_of(rows), strict=True)
        if event.time < veil
    ]
    if not found:
        return {}
    time = np.array([event.time for event, _ in found])
    back = np.array([came.back if came.back <= veil else np.inf for _, came in found])
    return {
        "eventTime": packed_column(in_ticks(time, tick)),
        "eventNode": packed_column([event.node for event, _ in found]),
        "eventKind": packed_column([HAPPENINGS.index(event.kind) for event, _ in found]),
        "eventSpeed": packed_column([round(event.speed * MILLION) for event, _ in found]),
        "eventBack": packed_column(in_ticks(back, tick)),
        "eventLost": packed_column([came.lost for _, came in found]),
        "nodeOf": packed_column(node_of_slots(rows.schedule.cluster)),
    }
