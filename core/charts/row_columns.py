"""The tasks of a schedule as columns sorted by row: what rasters paint and hit tests search, without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

NONE_JOINED: NDArray[np.bool_] = np.zeros(0, np.bool_)
"""Where every task has a single row."""
NONE_JOINED.flags.writeable = False


class RowColumns(NamedTuple):
    """Tasks sorted by row, then start; all arrays are read-only.

    Attributes
    ----------
    offsets : tasks of row r are ``offsets[r]`` to ``offsets[r + 1]``, int64 (rows + 1,)
    shortest : the shortest task of each row that takes any time, in seconds, (rows,)
    start, shuffled, end : seconds, (tasks,)
    code : ``job << 1 | kind``, int32 (tasks,)
    stage_end : when each job's map stage ended, (jobs,)
    joined : whether a task goes on in the row below, (tasks,); empty where each has one row alone

    A task of several rows stands in each of them.
    """

    offsets: NDArray[np.int64]
    shortest: NDArray[np.float64]
    start: NDArray[np.float64]
    shuffled: NDArray[np.float64]
    end: NDArray[np.float64]
    code: NDArray[np.int32]
    stage_end: NDArray[np.float64]
    joined: NDArray[np.bool_] = NONE_JOINED


def shortest_of_rows(durations: NDArray[np.float64], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the shortest duration above zero of each row, infinity in rows without any."""
    positive = np.where(durations > 0, durations, np.inf)
    shortest: NDArray[Any] = np.full(len(offsets) - 1, np.inf)
    filled = np.flatnonzero(np.diff(offsets))
    if len(filled):
        shortest[filled] = np.minimum.reduceat(positive, offsets[filled])
    return shortest


class _KeepsAnswers(Protocol):
    """Rows of a schedule, beside which answers are kept."""

    @property
    def kept(self) -> dict[Any, Any]: ...


Found = TypeVar("Found")
Rows = TypeVar("Rows", bound=_KeepsAnswers)


def kept_with_rows(find: Callable[[Rows], Found]) -> Callable[[Rows], Found]:
    """Look something up of a schedule's rows once: it is kept with them, for every frame."""

    def found(rows: Rows) -> Found:
        if find not in rows.kept:
            rows.kept[find] = find(rows)
        known: Found = rows.kept[find]
        return known

    return found
