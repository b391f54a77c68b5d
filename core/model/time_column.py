"""Moments of millions of attempts as columns of few bytes, used as arrays are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from core.model.in_parts import SLICE, slices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

MISSING = -1
"""Stands for a moment that is not known."""
_SECOND = 1000
"""ms"""
_MAX_SHORT = (1 << 31) - 1


class TimeColumn(NDArrayOperatorsMixin):
    """Moments on the clock of a log, kept as how many ms or seconds they are after the first one.

    Its parts are arrays: of ms as int64 with `MISSING`, or of seconds since a time 0 as float64 with nan.
    So is all of it where numpy needs an array.
    """

    __slots__ = ("_after", "_first", "_time_0", "_unit")

    def __init__(
        self, after: NDArray[np.signedinteger[Any]], first: int, unit: int, time_0: int | None = None
    ) -> None:
        """Keep numbers of `unit` ms after `first`, or `MISSING`; parts are in s if `time_0` is given."""
        self._after, self._first, self._unit, self._time_0 = after, first, unit, time_0

    @classmethod
    def of(cls, times: NDArray[np.int64]) -> TimeColumn:
        """Return moments in ms, `MISSING` where not known, in as few bytes as they need."""
        known = times if times.min(initial=0) >= 0 else times[times != MISSING]
        first, last = int(known.min(initial=1 << 62)), int(known.max(initial=0))
        first = min(first, last)
        unit = _SECOND if not ((known - first) % _SECOND).any() else 1
        if (last - first) // unit > _MAX_SHORT or (len(known) and known.min() < MISSING):
            return cls(times, 0, 1)
        after = np.where(times == MISSING, MISSING, (times - first) // unit)
        return cls(after.astype(np.int32), first, unit)

    @classmethod
    def joined(cls, parts: list[TimeColumn]) -> TimeColumn:
        """Return columns of ms behind one another, and let go of them: `parts` is empty then."""
        known = [part for part in parts if part._after.max(initial=MISSING) != MISSING]
        first = min((part._first for part in known), default=0)
        last = max((part._first + part._unit * int(part._after.max()) for part in known), default=0)
        is_whole = all(part._unit == _SECOND and not (part._first - first) % _SECOND for part in known)
        unit = _SECOND if is_whole else 1
        is_short = (last - first) // unit <= _MAX_SHORT and all(part._after.itemsize == 4 for part in parts)
        whole: NDArray[Any] = np.empty(sum(map(len, parts)), np.int32 if is_short else np.int64)
        parts.reverse()
        at = 0
        while parts:
            for times in slices(parts.pop()):
                part = whole[at : at + len(times)]
                part[:] = np.where(times == MISSING, MISSING, (times - first) // unit) if is_short else times
                at += len(part)
        return cls(whole, first, unit) if is_short else cls(whole, 0, 1)

    def in_seconds(self, time_0: int) -> TimeColumn:
        """Return the moments in seconds since a moment, ms; both share their memory."""
        self._after.flags.writeable = False
        return TimeColumn(self._after, self._first, self._unit, time_0)

    def repeated(self, times: NDArray[np.int64]) -> TimeColumn:
        """Return each moment so many times."""
        return TimeColumn(np.repeat(self._after, times), self._first, self._unit, self._time_0)

    @property
    def as_array(self) -> NDArray[Any]:
        """The same, under the name that numpy calls."""
        return cast("NDArray[Any]", self)

    def put_in_order(self, rows: NDArray[np.integer[Any]]) -> None:
        """Bring the moments into this order, in their place."""
        self._after[:] = self._after[rows]

    def is_known(self) -> NDArray[np.bool_]:
        """Return whether each moment is known."""
        known: NDArray[np.bool_] = self._after != MISSING
        return known

    def forget(self, time: int) -> None:
        """Let a moment, ms, be one that is not known, wherever it stands."""
        place, odd = divmod(time - self._first, self._unit)
        if not odd and 0 <= place <= _MAX_SHORT:
            self._after[self._after == place] = MISSING

    def last(self, where: NDArray[np.bool_], begins: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the last moment of each group of neighbours, ms, `MISSING` where none is known.

        Parameters
        ----------
        where : which moments count
        begins : the first of each group
        """
        counted = np.where(where, self._after, self._after.dtype.type(MISSING))
        moments: NDArray[np.int64] = self._decoded(np.maximum.reduceat(counted, begins))
        return moments

    def sorted_between(self, begin: int, end: int, where: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return those of some moments that are not before one and before another, all in ms, in order."""
        low, high = (-((self._first - time) // self._unit) for time in (begin, end))
        after = self._after[where & (self._after >= low) & (self._after < high)]
        after.sort()
        moments: NDArray[np.int64] = self._decoded(after)
        return moments

    def __len__(self) -> int:
        return len(self._after)

    @property
    def shape(self) -> tuple[int]:
        """As that of an array."""
        return (len(self),)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of its parts."""
        return np.dtype(np.int64 if self._time_0 is None else np.float64)

    def __getitem__(self, places: Any) -> Any:  # Any: whatever an array is indexed by, and gives
        return self._decoded(self._after[places])

    def __iter__(self) -> Iterator[Any]:
        return iter(self[:])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("the moments are not kept as an array")
        moments: NDArray[Any] = self[:]
        return moments if dtype is None else moments.astype(dtype, copy=False)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """Return what numpy makes of it as an array."""
        arrays = (each[:] if isinstance(each, TimeColumn) else each for each in inputs)
        return getattr(ufunc, method)(*arrays, **options)

    def __reduce__(self) -> tuple[Any, ...]:
        return TimeColumn, (self._after, self._first, self._unit, self._time_0)

    def copy(self) -> NDArray[Any]:
        """Return the moments as an array."""
        return self.__array__()

    def tolist(self) -> list[Any]:
        """Return the moments as a list."""
        values: list[Any] = self[:].tolist()
        return values

    def astype(self, dtype: Any) -> NDArray[Any]:
        """Return the moments as an array of another type."""
        return self.__array__(dtype)

    def min(self, initial: float | None = None) -> Any:
        """Return the least, as an array does."""
        return self._least_or_most(np.min, initial)

    def max(self, initial: float | None = None) -> Any:
        """Return the greatest, as an array does."""
        return self._least_or_most(np.max, initial)

    @property
    def strides(self) -> tuple[int]:
        """Those of its memory: 0 where all moments are the same."""
        (step,) = self._after.strides
        return (step,)

    def _least_or_most(self, of: Any, initial: float | None) -> Any:
        parts = [of(self[begin : begin + SLICE]) for begin in range(0, len(self), SLICE)]
        return of(parts if initial is None else [*parts, initial])

    def _decoded(self, after: Any) -> Any:  # Any: a number of numpy, or an array of them
        times = after * np.int64(self._unit) + self._first
        if self._time_0 is None:
            return np.where(after == MISSING, np.int64(MISSING), times)[()]
        return np.where(after == MISSING, np.nan, (times - self._time_0) / 1000)[()]
