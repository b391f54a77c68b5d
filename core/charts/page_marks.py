"""What a page knows of single tasks beside their times: remote reads, and notes on attempts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.charts.schedule_rows import kept_with_rows
from core.explain.attempt_notes import attempt_note
from core.files.packed_columns import in_ticks, packed_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.charts.chart import DrawnChart
    from core.charts.schedule_rows import ScheduleRows
    from core.files.packed_columns import PackedColumn


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
