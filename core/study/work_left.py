"""Which rows of a study are still to be run, in the order of work, and which are there from earlier runs."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from core.study.batches import rows_of
from core.study.cell_run import CellRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import pyarrow as pa
    from numpy.typing import NDArray

    from core.study.batches import Spans
    from core.study.cells import Cells
    from core.study.parts import PartsFolder

CHUNK = 1 << 16
"""Places in the order of work that are looked at at once."""
ADOPTED_AT_ONCE = 4096


class WorkLeft:
    """Hands out what is not done, from the first place in the order of work to the last.

    `done` says of each row, ``cell * repetitions + repetition``, whether it is there already.
    """

    def __init__(self, cells: Cells, done: NDArray[np.bool_]) -> None:
        self._cells, self._done = cells, done
        self._spans = self._all_spans()
        self._ahead: deque[tuple[int, int]] = deque()
        self.count = int(len(done) - done.sum())

    def _all_spans(self) -> Iterator[tuple[int, int]]:
        if not self._done.any():
            yield 0, len(self._done)
            return
        for works in self.chunks():
            if len(works):
                breaks = np.flatnonzero(np.diff(works) != 1)
                firsts = works[np.r_[0, breaks + 1]]
                lasts = works[np.r_[breaks, len(works) - 1]]
                yield from zip(firsts.tolist(), (lasts + 1).tolist(), strict=True)

    def chunks(self) -> Iterator[NDArray[np.int64]]:
        """Yield the places in the order of work that are not done, some at a time."""
        for first in range(0, len(self._done), CHUNK):
            works = np.arange(first, min(first + CHUNK, len(self._done)))
            number, repetition = self._cells.row_of_work(works)
            yield works[~self._done[number * self._cells.study.repetitions + repetition]]

    def take(self, rows: int) -> Spans:
        """Return the next places, at most so many; none where nothing is left."""
        taken: list[tuple[int, int]] = []
        while rows > 0:
            span = self._ahead.popleft() if self._ahead else next(self._spans, None)
            if span is None:
                break
            first, end = span
            if end - first > rows:
                self._ahead.appendleft((first + rows, end))
                end = first + rows
            taken.append((first, end))
            rows -= end - first
            self.count -= end - first
        return tuple(taken)


def row_count(spans: Spans) -> int:
    """Return how many rows spans have."""
    return sum(end - first for first, end in spans)


def halves(spans: Spans) -> tuple[Spans, Spans]:
    """Return the first and the second half of spans of at least two rows."""
    left, room = list(spans), row_count(spans) // 2
    first_half = []
    while room:
        first, end = left.pop(0)
        taken = min(end - first, room)
        first_half.append((first, first + taken))
        if taken < end - first:
            left.insert(0, (first + taken, end))
        room -= taken
    return tuple(first_half), tuple(left)


# ---- rows of earlier runs


def mark_done(parts: PartsFolder, cells: Cells, done: NDArray[np.bool_], *, retry: bool) -> int:
    """Mark the rows that parts of the present state have; return how many of them failed.

    Where failed ones are to be tried again, they do not count as done.
    """
    repetitions = cells.study.repetitions
    failed = np.zeros(len(done), np.bool_)
    for table in parts.read(list(parts.own), ["cell", "repetition", "error"]):
        rows = table["cell"].to_numpy() * repetitions + table["repetition"].to_numpy()
        done[rows] = True
        failed[rows] = table["error"].is_valid().to_numpy(zero_copy_only=False)
    if retry:
        done[failed] = False
        return 0
    return int(failed.sum())


def adopt(
    parts: PartsFolder,
    cells: Cells,
    digests: Mapping[str, str],
    done: NDArray[np.bool_],
    should_stop: Callable[[], bool],
) -> int:
    """Take over rows of earlier states of the study whose cells it still has; return how many.

    What a row depends on is in its key, so that it does not matter which number its cell has now.
    """
    if not parts.foreign:
        return 0
    earlier = _EarlierRows(parts)
    measures, repetitions = cells.study.measures, cells.study.repetitions
    adopted = 0
    for works in WorkLeft(cells, done).chunks():
        for first in range(0, len(works), ADOPTED_AT_ONCE):
            if should_stop():
                return adopted
            found = []
            for work in works[first : first + ADOPTED_AT_ONCE].tolist():
                cell = cells.cell(*cells.row_of_work(work))
                if (row := earlier.row(cells.key(cell, digests), measures)) is not None:
                    found.append((cell, row))
                    done[cell.number * repetitions + cell.repetition] = True
            if found:
                parts.add(rows_of(cells, found, digests))
                parts.flush()
                adopted += len(found)
    parts.flush(now=True)
    earlier.forget_all_used(parts)
    return adopted


class _EarlierRows:
    """Rows of other states by their keys; parts of which every row has been used can go."""

    def __init__(self, parts: PartsFolder) -> None:
        self._tables: list[pa.Table] = list(parts.read(list(parts.foreign)))
        self._paths = list(parts.foreign)
        self._place = {
            key: (number, row)
            for number, table in enumerate(self._tables)
            for row, key in enumerate(table["key"].to_pylist())
        }
        self._unused = [set(range(table.num_rows)) for table in self._tables]

    def row(self, key: bytes, measures: tuple[str, ...]) -> CellRow | None:
        """Return the row with this key, or None; failed ones are run again."""
        if key not in self._place:
            return None
        number, row = self._place[key]
        table = self._tables[number]
        if table["error"][row].as_py() is not None or not set(measures) <= set(table.column_names):
            return None
        self._unused[number].discard(row)
        return CellRow(tuple(float(table[name][row].as_py()) for name in measures))

    def forget_all_used(self, parts: PartsFolder) -> None:
        """Remove the parts that have nothing left that is not elsewhere, too."""
        for path, unused in zip(self._paths, self._unused, strict=True):
            if not unused:
                parts.forget(path)
