"""The tasks of a schedule as columns sorted by row: what rasters paint and hit tests search, without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
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
