"""Rows of a table that stand for several tasks: instances that are alike, or processors of one task."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.logs.attempt_columns import FEW_TASKS, FINISH, MISSING, START, slots_of
from core.logs.column_map import TASKS_PER_SLOT
from core.logs.table_cells import MAX_COPIES, NOTHING, BadCell
from core.model.errors import InputError, shorten
from core.model.limits import MAX_SLOTS, MAX_TASKS
from core.model.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.logs.table_jobs import TableRows

COPIES = ("count", "processors")
"""Meanings of columns by which a row stands for several tasks."""
PARAMETER = Parameter(
    TASKS_PER_SLOT,
    "integer",
    0,
    "Tasks that one task and one slot stand for where a row of a table has several (count, processors); 0: "
    "one, or as many as a large table needs.",
    0,
    MAX_COPIES,
)
_ABOUT = {
    "count": "A row stands for as many tasks as its column for count says; all have its times.",
    "processors": "A task that takes several processors is as many tasks, one for each: in a simulation they "
    "need not start together.",
}


class Copied(NamedTuple):
    """Rows of which each is one task, and sentences on how they came about."""

    rows: TableRows
    remarks: tuple[str, ...]


def counts_of(name: str, cells: Sequence[str]) -> NDArray[np.int64]:
    """Return whole numbers from 1 on, 0 for an empty cell; BadCell for any other cell."""
    counts = np.zeros(len(cells), np.int64)
    for row, cell in enumerate(cells):
        if cell.lower() not in NOTHING:
            number = cell[:-2] if cell.endswith(".0") else cell
            if not (number.isascii() and number.isdigit() and 0 < int(number[:12]) <= MAX_COPIES):
                raise BadCell(f"{name} is {shorten(cell)}, which is no whole number from 1 to {MAX_COPIES}")
            counts[row] = int(number)
    return counts


def copied(rows: TableRows, counts: dict[str, NDArray[np.int64]], tasks_per_slot: int) -> Copied:
    """Return a row for each task that a row stands for.

    Parameters
    ----------
    rows : as they stand in the table
    counts : for each column that says so how many tasks a row stands for; 0 where it does not say it
    tasks_per_slot : how many of them one task stands for; 0 to have it chosen

    Raises
    ------
    InputError
        the number of tasks per slot is given, and gives too many tasks
    """
    copies = np.ones(len(rows.job), np.int64)
    remarks = [_ABOUT[name] for name in COPIES if name in counts]
    for name, count in counts.items():
        if unknown := int(np.count_nonzero(count == 0)):
            remarks.append(f"{unknown} rows have nothing in their column for {name}; 1 is taken.")
        copies *= np.maximum(count, 1)
    scale = _scale(rows, copies, tasks_per_slot)
    sizes = slots_of(copies, scale)
    if scale > 1:
        remarks.append(
            f"A task and a slot stand for {scale} (tasks_per_slot): {copies.sum()} tasks become "
            f"{sizes.sum()}, at least one for each row."
        )
    return Copied(_repeated(rows, sizes), tuple(remarks))


def _scale(rows: TableRows, copies: NDArray[np.int64], given: int) -> int:
    """Return how many tasks one stands for: as given, or the fewest doubled that fit."""
    most = max(FEW_TASKS, 4 * len(copies))
    for scale in (given,) if given else (1 << power for power in range(MAX_COPIES.bit_length())):
        sizes = slots_of(copies, scale)
        tasks, slots = int(sizes.sum()), _peak(rows, sizes)
        if not given and tasks <= most and slots <= MAX_SLOTS:
            break
    if tasks > MAX_TASKS or slots > MAX_SLOTS:
        raise InputError(
            f"tasks_per_slot {scale} gives {tasks} tasks on {slots} slots; at most {MAX_TASKS} tasks and "
            f"{MAX_SLOTS} slots fit in one workload; give a larger number, or 0 to have it chosen"
        )
    return scale


def _peak(rows: TableRows, sizes: NDArray[np.int64]) -> int:
    """Return how many tasks there are at once at most."""
    start, finish = rows.times[START], rows.times[FINISH]
    held = (start != MISSING) & (start < finish)
    times = np.concatenate([finish[held], start[held]])
    change = np.concatenate([-sizes[held], sizes[held]])
    return int(np.cumsum(change[np.argsort(times, kind="stable")]).max(initial=0))


def _repeated(rows: TableRows, sizes: NDArray[np.int64]) -> TableRows:
    """Return each row so many times; the k-th of rows with the same task are attempts at its k-th one."""
    of = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(len(of)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    order = rows.task_order()[of].astype(np.int64) * (int(sizes.max(initial=0)) + 1) + place
    _, task = np.unique(order, return_inverse=True)
    columns = {name: getattr(rows, name)[of] for name in ("job", "kind", "outcome", "host", "user", "pool")}
    names = {**rows.names, "task": range(int(task.max(initial=-1)) + 1)}
    return replace(
        rows,
        names=names,
        times=tuple(column[of] for column in rows.times),
        task=task.astype(np.int32),
        **columns,
    )
