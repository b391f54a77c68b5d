"""Values that are copied or go to another process: read-only columns stay so, and what is cached stays here.

A pickled array comes back writable, and to compiled code a read-only array is of another type than a writable
one: a value that had been pickled could not be simulated any more.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

Array = TypeVar("Array", bound="NDArray[Any]")


def read_only(array: Array) -> Array:
    """Return the array, which cannot be written to from now on."""
    array.flags.writeable = False
    return array


class KeptReadOnly:
    """Base of a dataclass that holds arrays or caches what it has computed.

    Copied, deeply or not, or pickled, it is rebuilt from its fields. Its read-only arrays stay read-only,
    those in tuples too; cached properties are computed anew, among them hashes of texts, which differ from
    process to process.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Return how the value is rebuilt: `rebuilt`, and what it is given."""
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]  # every subclass is a dataclass
        values = tuple(getattr(self, name) for name in names)
        read_only = tuple(array for array in _arrays_in(values) if not array.flags.writeable)
        return rebuilt, (type(self), values, read_only)


def _arrays_in(values: tuple[Any, ...]) -> Iterator[NDArray[Any]]:
    """Yield the arrays among values, and those in tuples; other values look after theirs."""
    for value in values:
        if isinstance(value, np.ndarray):
            yield value
        elif type(value) is tuple and value and isinstance(value[0], np.ndarray | tuple):
            yield from _arrays_in(value)


def rebuilt(kind: type, values: tuple[Any, ...], read_only: tuple[NDArray[Any], ...]) -> Any:
    """Return a value that was sound when it was taken apart; `read_only` are some of its arrays."""
    for array in read_only:
        array.flags.writeable = False
    value: Any = object.__new__(kind)
    for field, given in zip(fields(kind), values, strict=True):
        object.__setattr__(value, field.name, given)
    return value
