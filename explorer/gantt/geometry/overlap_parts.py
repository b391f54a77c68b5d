"""Which of the tasks that OMO held back or pulled forward are marked in a view; pure, without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from explorer.gantt.geometry.row_layout import RowLayout
    from explorer.gantt.geometry.rows import ScheduleRows
    from explorer.gantt.geometry.time_scale import TimeScale

MOST_LOOKED_AT = 200_000
"""Marks of the rows in view; more are not looked at one by one: it would cost too much in every frame."""

MOST_MARKS = 2000
LEAST_WIDTH = 5.0
"""Narrower tasks have no room for a mark."""


class MarkedTasks(NamedTuple):
    """Tasks with a mark: row, left and right in pixels of the plot, place in the row columns."""

    row: NDArray[np.int64]
    left: NDArray[np.float64]
    right: NDArray[np.float64]
    place: NDArray[np.int64]


def marked_tasks(
    rows: ScheduleRows,
    places: NDArray[np.int64],
    layout: RowLayout,
    scale: TimeScale,
    selected: int = -1,
    *,
    begin: bool = True,
) -> MarkedTasks:
    """Return those of some tasks (ascending places in the row columns) that are in view and have room.

    Only those that `begin` in view, unless that does not matter.
    Only the selected job's while one is selected; none where there would be too many to be told apart.
    """
    columns = rows.columns
    places = np.concatenate([places[:0], *(_in(rows, places, *span) for span in _rows_in_view(layout))])
    if len(places) > MOST_LOOKED_AT:
        places = places[:0]
    start, end = columns.start[places], columns.end[places]
    shown = ((start if begin else end) >= scale.start) & (start < scale.start + scale.span)
    shown &= (end - start) * scale.pixels_per_second >= LEAST_WIDTH
    if selected >= 0:
        shown &= columns.code[places] >> 1 == selected
    places = places[shown]
    if len(places) > MOST_MARKS:
        places = places[:0]
    return MarkedTasks(
        np.searchsorted(columns.offsets, places, side="right") - 1,
        np.asarray(scale.x(columns.start[places]), float),
        np.asarray(scale.x(columns.end[places]), float),
        places,
    )


def _rows_in_view(layout: RowLayout) -> list[tuple[int, int]]:
    """Return the first row in view of each pool and the one after the last."""
    found = []
    for index in range(len(layout.pools)):
        top, bottom = layout.pool_span(index)
        if bottom > top:
            found.append((layout.slots_at(top)[0], layout.slots_at(bottom - 1)[-1] + 1))
    return found


def _in(rows: ScheduleRows, places: NDArray[np.int64], first: int, last: int) -> NDArray[np.int64]:
    offsets = rows.columns.offsets
    return places[slice(*np.searchsorted(places, (offsets[first], offsets[last])))]
