"""Which rows of a study are still to be run, in the order of work, and which are there from earlier runs."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.study.cells import CellRow
from core.study.measures import MEASURES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from core.study.batches import Spans
    from core.study.cells import Cells
    from core.study.result_folder import PartsFolder

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
    """Mark the rows that are there; return how many of them failed.

    Where failed ones are to be tried again, the parts that have such are set aside; `adopt` takes over the
    other rows of these.
    """
    rows = failed = 0
    to_repeat = []
    for path in parts.own:
        table = pq.read_table(path, columns=["cell", "repetition", "error"])
        wrong = table.num_rows - table["error"].null_count
        if wrong and retry:
            to_repeat.append(path)
            continue
        done[table["cell"].to_numpy() * cells.study.repetitions + table["repetition"].to_numpy()] = True
        rows, failed = rows + table.num_rows, failed + wrong
    if rows > done.sum():  # an earlier version could leave a row twice when it was killed
        parts.set_aside()
        done[:] = False
        return 0
    parts.set_aside(to_repeat)
    return failed


def adopt(
    parts: PartsFolder,
    cells: Cells,
    digests: Mapping[str, str],
    done: NDArray[np.bool_],
    should_stop: Callable[[], bool],
) -> int:
    """Take over rows that were set aside whose cells the study still has; return how many.

    What a row depends on is in its key, so that it does not matter which number its cell has now.
    """
    from core.study.batches import rows_of  # only a study that goes on has rows of before

    paths = parts.earlier
    if not paths or done.all():
        return 0
    earlier = _EarlierRows(paths)
    measures, repetitions = cells.study.measures, cells.study.repetitions
    adopted = 0
    for works in WorkLeft(cells, done).chunks():
        for first in range(0, len(works), ADOPTED_AT_ONCE):
            if should_stop():
                return adopted
            found = []
            for work in works[first : first + ADOPTED_AT_ONCE].tolist():
                cell = cells.cell(*cells.row_of_work(work))
                if (row := earlier.take(cells.key(cell, digests), measures)) is not None:
                    found.append((cell, row))
                    done[cell.number * repetitions + cell.repetition] = True
            if found:
                parts.add(rows_of(cells, found, digests))
                parts.flush()
                adopted += len(found)
    parts.flush(now=True)
    for path in earlier.used_up():
        parts.forget(path)
    return adopted


class _EarlierRows:
    """Rows of earlier states by their keys, of equal ones that with more measures; no failed ones."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self._tables = {path: table for path in paths if (table := _read(path)) is not None}
        self._measures = {path: MEASURES.keys() & set(t.column_names) for path, t in self._tables.items()}
        self._place: dict[bytes, tuple[Path, int]] = {}
        self._used: set[bytes] = set()
        for path, table in self._tables.items():
            for row in np.flatnonzero(table["error"].is_null()).tolist():
                key = table["key"][row].as_py()
                known = self._place.get(key)
                if known is None or self._measures[known[0]] <= self._measures[path]:
                    self._place[key] = path, row

    def take(self, key: bytes, measures: tuple[str, ...]) -> CellRow | None:
        """Return the row with this key, or None."""
        if key not in self._place:
            return None
        path, row = self._place[key]
        if not self._measures[path] >= set(measures):
            return None
        if self._measures[path] == set(measures):
            self._used.add(key)
        return CellRow(tuple(float(self._tables[path][name][row].as_py()) for name in measures))

    def used_up(self) -> set[Path]:
        """Return the parts of which nothing is left that is not elsewhere, too."""
        return set(self._paths) - {path for key, (path, _) in self._place.items() if key not in self._used}


def _read(path: Path) -> pa.Table | None:
    """Return a part; None where a power failure has left a part of it."""
    try:
        return pq.read_table(path)
    except pa.ArrowInvalid:
        return None
