"""When slots that come and go are closed, or their node has failed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.charts.row_columns import kept_with_rows
from core.model.event_nodes import down_spans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.charts.schedule_rows import ScheduleRows


class Closed(NamedTuple):
    """Stretches of time in which slots are closed and run nothing, (stretches,)."""

    slot: NDArray[np.int64]
    begin: NDArray[np.float64]
    end: NDArray[np.float64]


@kept_with_rows
def closed_stretches(rows: ScheduleRows) -> Closed:
    """Return when slots are closed, in s, without the tasks that go on beyond the close of theirs.

    Where rows belong to pools of jobs no row is a slot, and nothing is closed.
    """
    schedule = rows.schedule
    if rows.are_slots and schedule.cluster.events is not None:
        away = down_spans(schedule.cluster)
        return Closed(away.slot, away.begin, away.end)
    if not rows.are_slots or not schedule.cluster.slot_times:
        return Closed(np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
    opens, closes = schedule.cluster.slot_intervals
    left = closes.copy()
    started = schedule.slot >= 0
    np.maximum.at(left, schedule.slot[started], schedule.end[started])
    late, gone = np.flatnonzero(opens > 0), np.flatnonzero(closes < np.inf)
    return Closed(
        np.concatenate([late, gone]),
        np.concatenate([np.zeros(len(late)), left[gone]]),
        np.concatenate([opens[late], np.full(len(gone), np.inf)]),
    )
