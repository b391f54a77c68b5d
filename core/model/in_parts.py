"""Work on millions of values in parts, between which other threads, the window's too, get Python's lock.

One call of C keeps the lock until it returns, and so does a search for circular garbage; between two such
calls the lock is given to others. numpy gives it back by itself, but not for arrays below 500 values.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import DTypeLike, NDArray

SLICE = 1 << 15
"""Values of a list that are looked at without a pause."""
GROUP = 64
"""Arrays that are joined without a pause: where numpy keeps the lock they have less than 500 values each."""
MAX_YOUNG = 1 << 14
"""Values that are searched for circular garbage without a pause."""


def slices(values: Any) -> Iterator[Any]:  # Any: a list or a column, and what is in it
    """Yield a long list in parts; each step over a part may take the lock for itself."""
    return (values[begin : begin + SLICE] for begin in range(0, len(values), SLICE))


def column(values: Sequence[Any], dtype: DTypeLike) -> NDArray[Any]:
    """Return the numbers of a list as an array, in slices; errors are those of numpy."""
    return np.concatenate([np.array(part, dtype) for part in slices(values)] or [np.empty(0, dtype)])


def joined(arrays: Sequence[NDArray[Any]], dtype: DTypeLike) -> NDArray[Any]:
    """Return arrays of one type behind one another, (sum of their lengths,)."""
    groups = [arrays[begin : begin + GROUP] for begin in range(0, len(arrays), GROUP)]
    ends = list(accumulate((sum(map(len, group)) for group in groups), initial=0))
    whole = np.empty(ends[-1], dtype)
    for group, (begin, end) in zip(groups, pairwise(ends), strict=True):
        np.concatenate(group, out=whole[begin:end])
    return whole


def take_apart(*values: Any) -> None:
    """Empty all lists and objects of JSON values; freeing millions of values at once takes the lock long."""
    left = list(values)
    while left:
        each = left.pop()
        if isinstance(each, dict):
            left.extend(part for part in each.values() if isinstance(part, list | dict))
            each.clear()
        while isinstance(each, list) and each:
            left.extend(part for part in each[-SLICE:] if isinstance(part, list | dict))
            del each[-SLICE:]


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Leave out the search for circular garbage: of a hundred thousand new values none is, and it takes long.

    What is no longer referred to is freed at once all the same. If much was made meanwhile, it counts
    as old afterwards: as young all of it would be searched at once.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled and gc.get_count()[0] > MAX_YOUNG:
            gc.freeze()
            gc.unfreeze()
        if was_enabled:
            gc.enable()


def most_at_once(starts: NDArray[Any], ends: NDArray[Any]) -> int:
    """Return how many attempts ran at once at most; one runs from its start until just before its end."""
    starts, ends = np.sort(starts), np.sort(ends)
    most = 0
    for begin in range(0, len(starts), SLICE):
        ended = np.searchsorted(ends, starts[begin : begin + SLICE], side="right")
        most = max(most, int((np.arange(begin + 1, begin + 1 + len(ended)) - ended).max()))
    return most
