"""A schedule where tasks had second copies, as it looks when the first ones count."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.execution_history import FIRST, SECOND, GivenUpFor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule


def by_first_copies(schedule: Schedule) -> Schedule:
    """Return a schedule with every task as its first copy ran; its own if no second copy ended first.

    The second ones came to nothing there. Both copies of a task end at once, so all else is as it was.
    """
    history = schedule.given_up
    lost = None if history is None else history.given_up
    if history is None or lost is None or not (lost.outrun == FIRST).any():
        return schedule
    run, won = history.run, np.flatnonzero(lost.outrun == FIRST)
    task, extra_slot, outrun = lost.task[won], history.extra_slot.copy(), lost.outrun.copy()
    begin, fetched = run.start.copy(), run.shuffle_end.copy()
    extra_slot[won], outrun[won] = schedule.slot[task], SECOND
    begin[won], fetched[won] = schedule.start[task], schedule.shuffled[task]
    slot, start, shuffled = (_with(schedule, name) for name in ("slot", "start", "shuffled"))
    slot[task], start[task], shuffled[task] = history.extra_slot[won], run.start[won], run.shuffle_end[won]
    began = np.zeros(schedule.tasks, np.int32)
    began[schedule.sequence] = lost.began
    began[task], place = lost.place[won], np.where(lost.outrun == FIRST, began[lost.task], lost.place)
    order = np.lexsort((begin, extra_slot))
    sequence = schedule.sequence[np.argsort(began[schedule.sequence])]
    columns: dict[str, Any] = {
        name: _frozen(getattr(run, name)[order])
        for name in ("job", "kind", "task", "counts", "outcome", "host", "end")
    }
    fetched = _frozen(fetched[order])
    swapped = replace(
        history,
        run=replace(run, start=_frozen(begin[order]), shuffle_end=fetched, sort_end=fetched, **columns),
        extra_slot=_frozen(extra_slot[order]),
        given_up=GivenUpFor(
            task=lost.task[order],
            rival=lost.rival[order],
            began=_frozen(began[sequence]),
            outrun=outrun[order],
            place=place[order],
            lost=lost.lost[order],
        ),
    )
    return replace(
        schedule,
        given_up=swapped,
        slot=_frozen(slot),
        start=_frozen(start),
        shuffled=_frozen(shuffled),
        sequence=_frozen(sequence),
    )


def _with(schedule: Schedule, name: str) -> NDArray[Any]:
    column: NDArray[Any] = getattr(schedule, name).copy()
    return column


def _frozen(column: NDArray[Any]) -> NDArray[Any]:
    column.flags.writeable = False
    return column
