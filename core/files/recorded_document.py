"""A recorded run as a part of a workload document: one list for each column; a time not known is null."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.errors import Problem, name_problems, shorten
from core.model.execution_history import KINDS, OUTCOMES, RecordedRun
from core.model.in_parts import column, slices
from core.model.limits import MAX_SECONDS
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

NAMES = ("jobs", "titles", "hosts")
TIMES_OF_JOBS = ("submit", "launch", "finish")
WHOLE_NUMBERS: dict[str, type[np.generic]] = {
    "job": np.int32,
    "kind": np.int8,
    "task": np.int32,
    "counts": np.bool_,
    "outcome": np.int8,
    "host": np.int32,
}
TIMES = ("start", "shuffle_end", "sort_end", "end")
MAY_BE_UNKNOWN = ("task", "host")
"""Columns of whole numbers in which -1 stands for one that is not known."""
MAX_ATTEMPTS = 1 << 31
"""More than any list that fits into memory; task numbers stay below it."""


def recorded_to_json(run: RecordedRun) -> dict[str, Any]:
    """Return the run as a JSON value; reading it gives the same run to the last bit."""
    document: dict[str, Any] = {name: list(getattr(run, name)) for name in NAMES}
    for name in (*TIMES_OF_JOBS, *WHOLE_NUMBERS, *TIMES):
        column = getattr(run, name)
        document[name] = (
            column.astype(np.int32).tolist()
            if name in WHOLE_NUMBERS
            else [None if math.isnan(time) else time for time in column.tolist()]
        )
    return document


def recorded_from_json(document: Any, problems: list[Problem]) -> RecordedRun | None:
    """Build the run of a document that the schema has let pass; what is wrong with it goes to `problems`."""
    if document is None:
        return None
    found = list(_name_problems(document))
    columns: dict[str, Any] = {name: tuple(document[name]) for name in NAMES}
    attempts, jobs = len(document["job"]), len(document["jobs"])
    highest = (jobs - 1, len(KINDS) - 1, MAX_ATTEMPTS - 1, 1, len(OUTCOMES) - 1, len(document["hosts"]) - 1)
    limits = dict(zip(WHOLE_NUMBERS, highest, strict=True))
    for name in (*WHOLE_NUMBERS, *TIMES_OF_JOBS, *TIMES):
        count, whom = (jobs, "job") if name in TIMES_OF_JOBS else (attempts, "attempt")
        rule = f"numbers of seconds, or null where a time is not known, one per {whom}"
        column: NDArray[Any] | None
        if name in limits:
            low, high = -(name in MAY_BE_UNKNOWN), limits[name]
            rule = f"whole numbers from {low} to {high}, one per {whom}"
            column = _whole_numbers(document[name], low, high)
        else:
            column = _times_from_json(document[name])
        if column is None or len(column) != count:
            found.append(Problem(f"recorded.{name}", shorten(document[name]), f"give {count} {rule}"))
        else:
            columns[name] = column.astype(WHOLE_NUMBERS.get(name, np.float64))
    problems += found or _counting_problems(columns)
    return None if problems else RecordedRun(**columns)


def _name_problems(document: dict[str, Any]) -> Iterator[Problem]:
    for name in NAMES:
        for i, text in enumerate(document[name]):
            where = f"recorded.{name}[{i}]"
            if isinstance(text, str):
                yield from name_problems(where, text)
            else:
                yield Problem(where, shorten(text), "give a text")
    if len(document["titles"]) != len(document["jobs"]):
        yield Problem("recorded.titles", "", f"give {len(document['jobs'])} texts, one per job")
    if len(set(map(str, document["jobs"]))) != len(document["jobs"]):
        yield Problem("recorded.jobs", "", "job names are unique")


def _whole_numbers(values: list[Any], low: int, high: int) -> NDArray[np.int64] | None:
    for part in slices(values):
        if not set(map(type, part)) <= {int} or not (low <= min(part) and max(part) <= high):
            return None
    return column(values, np.int64)


def _times_from_json(values: list[Any]) -> NDArray[np.float64] | None:
    if not all(set(map(type, part)) <= {int, float, type(None)} for part in slices(values)):
        return None
    try:
        times = column(values, np.float64)
    except OverflowError:
        return None
    known = np.array([value is not None for value in values], np.bool_)
    return times if (np.abs(times[known]) <= MAX_SECONDS).all() else None


def _counting_problems(columns: dict[str, NDArray[Any]]) -> list[Problem]:
    """Check that the attempts that count are those of tasks 0, 1, 2 … of each job and kind, with times."""
    counting = np.flatnonzero(columns["counts"])
    job, kind, task = (columns[name][counting].astype(np.int64) for name in ("job", "kind", "task"))
    order = np.lexsort((task, kind, job))
    job, kind, task = job[order], kind[order], task[order]
    begins = np.r_[True, (job[1:] != job[:-1]) | (kind[1:] != kind[:-1])][: len(job)]
    places = np.arange(len(job))
    expected = places - np.maximum.accumulate(np.where(begins, places, 0)) if len(job) else places
    ended = np.isfinite(columns["start"][counting]) & np.isfinite(columns["end"][counting])
    if (kind < len(TASK_TYPES)).all() and (task == expected).all() and ended.all():
        return []
    rule = (
        "attempts that count have a start and an end, and are of tasks 0, 1, 2 … of a job's maps or reduces"
    )
    return [Problem("recorded.counts", "", rule)]
