"""When the end of a task of a record had not been reported although its slot had the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.charts.closed_stretches import Closed
from core.charts.row_columns import kept_with_rows

if TYPE_CHECKING:
    from core.charts.schedule_rows import ScheduleRows


@kept_with_rows
def late_reports(rows: ScheduleRows) -> Closed:
    """Return from where to where the end of a task was not reported that another one had followed, in s."""
    record, schedule = rows.schedule.record, rows.schedule
    if record is None or record.until is None or not rows.are_slots:
        return Closed(np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
    reported = np.maximum(record.run.held_until[record.attempt], schedule.end)
    late = np.flatnonzero(reported > schedule.end)
    return Closed(schedule.slot[late].astype(np.int64), schedule.end[late], reported[late])
