"""Values of a million things, of which most are alike or follow from a number: a number for each is kept."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np

from core.model.in_parts import SLICE, slices

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

Value = TypeVar("Value")
Other = TypeVar("Other")
MOST = 1 << 62
"""Numbers that stand for the values of several columns together stay below it."""


class CodedValues(Sequence[Value], Generic[Value]):
    """Values that follow from numbers: a million need not be there at once.

    Attributes
    ----------
    numbers : one for each value
    value_of : returns the value of a number
    """

    __slots__ = ("numbers", "value_of")

    def __init__(self, numbers: NDArray[np.integer[Any]], value_of: Callable[[int], Value]) -> None:
        self.numbers, self.value_of = numbers, value_of

    @classmethod
    def alike(cls, value: Value, count: int) -> CodedValues[Value]:
        """Return so many equal values."""
        return cls(np.broadcast_to(np.int8(0), count), [value].__getitem__)

    @property
    def are_numbers(self) -> bool:
        """Whether the values are numbers as they are written."""
        return self.value_of is str

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> Value: ...
    @overload
    def __getitem__(self, place: slice) -> list[Value]: ...
    def __getitem__(self, place: int | slice) -> Value | list[Value]:
        """Return one value, or some."""
        if isinstance(place, slice):
            return list(map(self.value_of, self.numbers[place].tolist()))
        return self.value_of(int(self.numbers[place]))

    def __iter__(self) -> Iterator[Value]:
        if len(self) and not self.numbers.strides[0]:
            return repeat(self[0], len(self))
        return chain.from_iterable(slices(self))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Sequence) and list(self) == list(other))

    __hash__ = None  # type: ignore[assignment]  # as that of a list

    def at(self, places: NDArray[np.int64]) -> CodedValues[Value]:
        """Return the values at these places, in this order."""
        return CodedValues(self.numbers[places], self.value_of)

    def used(self) -> list[tuple[Value, int]]:
        """Return the values that there are, in the order in which they first appear, and how often."""
        numbers, first, count = np.unique(self.numbers, return_index=True, return_counts=True)
        turn = np.argsort(first)
        return list(zip(map(self.value_of, numbers[turn].tolist()), count[turn].tolist(), strict=True))

    def compact(self) -> tuple[NDArray[np.int32], list[Value]]:
        """Return which of the values there are each is, and these."""
        used, which = _ranks(self.numbers)
        return which, list(map(self.value_of, used.tolist()))

    def replaced(self, places: NDArray[np.int64], values: Sequence[Value]) -> CodedValues[Value]:
        """Return the values with others at these places."""
        which, known = self.compact()
        which[places] = len(known) + np.arange(len(values))
        return CodedValues(which, [*known, *values].__getitem__)

    def other(self, made: Callable[[Value], Other]) -> CodedValues[Other]:
        """Return what is made of each value, made once for each number."""
        numbers = np.unique(self.numbers).tolist()
        known = {number: made(self.value_of(number)) for number in numbers}
        return CodedValues(self.numbers, known.__getitem__)


def coded(values: Sequence[Value]) -> CodedValues[Value]:
    """Return values, of which many are alike, by numbers."""
    if isinstance(values, CodedValues):
        return values
    numbers: dict[Value, int] = {}
    which = np.fromiter((numbers.setdefault(each, len(numbers)) for each in values), np.int32, len(values))
    return CodedValues(which, list(numbers).__getitem__)


def coded_rows(columns: Sequence[NDArray[Any]]) -> tuple[NDArray[np.int32], list[tuple[Any, ...]]]:
    """Return for each row of columns of whole numbers which of the different rows it is, and these.

    Parameters
    ----------
    columns : numbers or truths, (rows,) each
    """
    code, most = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        low, high = (int(end) for end in (column.min(initial=0), column.max(initial=0)))
        if most * (high - low + 1) >= MOST:
            known, which = _ranks(code)
            code, most = which.astype(np.int64), len(known)
        code *= high - low + 1
        code += column
        code -= low
        most *= high - low + 1
    known, which = _ranks(code)
    some = np.empty(len(known), np.int64)
    some[which] = np.arange(len(which), dtype=np.int32)
    rows = zip(*(column[some].tolist() for column in columns), strict=True)
    return which, list(rows)


def _ranks(numbers: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Return the different numbers, ascending, and which each is; in parts, for the sake of memory."""
    used = np.unique(np.concatenate([numbers[:0], *map(np.unique, slices(numbers))]))
    which = np.empty(len(numbers), np.int32)
    for begin, part in zip(range(0, len(numbers), SLICE), slices(numbers), strict=True):
        which[begin : begin + len(part)] = np.searchsorted(used, part)
    return used, which
