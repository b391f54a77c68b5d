"""Where a dragged job may be dropped: between which jobs a time lies; pure, without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from explorer.gantt.geometry.rows import ScheduleRows


def stage_starts(rows: ScheduleRows, kind: int) -> dict[str, float]:
    """Return when each job starts its maps or reduces, by name; its first task where it has none of them."""
    schedule = rows.schedule
    columns = schedule.workload.columns
    starts = {}
    for index, job in enumerate(schedule.workload.jobs):
        first, count = columns.first[index, kind], columns.count[index, kind]
        times = schedule.start[first : first + count]
        starts[job.name] = float(times.min() if count else schedule.job_start[index])
    return starts


def drop_order(
    order: Sequence[str], moved: str, time: float, starts: Mapping[str, float], end: float
) -> tuple[str, ...]:
    """Return the order in which `moved` has gone to the place nearest to `time`.

    Places lie where the other jobs start, the last one at `end`; the place where the job is reaches from its
    own start to the next job's.
    """
    others = [name for name in order if name != moved]
    home = list(order).index(moved)
    places = [starts[name] for name in others] + [end]
    distances = np.abs(np.array(places) - time)
    low, high = starts[moved], max(starts[moved], places[home])
    distances[home] = max(low - time, time - high, 0.0)
    place = home if distances[home] == 0 else int(np.argmin(distances))
    return (*others[:place], moved, *others[place:])


def describe_move(before: Sequence[str], after: Sequence[str], moved: str) -> str:
    """Say where a job goes: "move J2 before J4", "move J2 to the end", "J2 stays"."""
    if tuple(before) == tuple(after):
        return f"{moved} stays where it is"
    place = list(after).index(moved)
    if place == len(after) - 1:
        return f"move {moved} to the end"
    return f"move {moved} before {after[place + 1]}"
