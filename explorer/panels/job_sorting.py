"""Rows of the jobs table sorted by what a column shows, instead of by the order of the scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.document.edited_fields import job_field
from explorer.panels.job_columns import CHANGE, COLUMNS, END, PLACE, JobColumn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.model.job import Job
    from core.model.workload import Workload


class RowSorting(NamedTuple):
    """By which column rows are sorted, and whether the largest comes first."""

    column: int
    is_descending: bool


def can_sort(column: int) -> bool:
    """Whether rows can be sorted by a column; by their places they stand anyway."""
    return 0 <= column < len(COLUMNS) and column != PLACE and _has_key(COLUMNS[column], column)


def _has_key(column: JobColumn, place: int) -> bool:
    return bool(column.field_id) or place in (END, CHANGE)


def sorted_names(
    names: Sequence[str],
    workload: Workload,
    sorting: RowSorting,
    ends: Mapping[str, float],
    changes: Mapping[str, float],
) -> list[str]:
    """Return names of jobs sorted by a column; those that have nothing there come last, in their order."""
    known: Mapping[str, float | str]
    if sorting.column == END:
        known = ends
    elif sorting.column == CHANGE:
        known = changes
    else:
        known = _values(names, workload, COLUMNS[sorting.column])
    there = [name for name in names if name in known]
    ordered = sorted(there, key=lambda name: known[name], reverse=sorting.is_descending)
    return [*ordered, *(name for name in names if name not in known)]


def _values(names: Sequence[str], workload: Workload, column: JobColumn) -> dict[str, float | str]:
    """Return what a column has of each job: numbers, the mean of several, or words in small letters."""
    jobs = {name: workload.jobs[workload.job_index[name]] for name in names}
    read = {name: _value(job, column) for name, job in jobs.items() if column.is_of(job)}
    return {name: value for name, value in read.items() if value is not None}


def _value(job: Job, column: JobColumn) -> float | str | None:
    value = job_field(column.field_id).read(job)
    if isinstance(value, np.ndarray):
        return float(value.mean())
    if isinstance(value, int | float):
        return float(value)
    return None if value is None or column.is_number else str(value).casefold()
