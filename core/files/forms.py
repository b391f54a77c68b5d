"""How values stand in documents: one declaration for each class, by which they are read and written.

A class whose fields are called as the keys of its object, with texts, numbers and lists in them, is declared
by a value with its defaults alone: ``Form(Pool, Pool(""))``. What a document leaves out is as in that value,
and what is as in that value is left out. Reading follows the schema's check and finds nothing wrong any more.
"""

from __future__ import annotations

import math
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

T = TypeVar("T")
NUMBERS: dict[str, type[float]] = {"int": int, "float": float, "int | None": int, "float | None": float}
"""Types of fields, as classes say them, and what a number of a document becomes: JSON may write 2 for 2.0."""
LARGEST_WHOLE = 1e18
"""Larger numbers keep their exponent."""
NOTHING: Mapping[str, Any] = MappingProxyType({})
ALWAYS = object()
"""In the place of a plain value: no value equals it."""


class FieldForm(Protocol):
    """How the value of one field stands in a document."""

    def read(self, given: Any, /) -> Any:
        """Return the value of a JSON value."""

    def write(self, value: Any, /) -> Any:
        """Return the JSON value of a value."""


class InJson(NamedTuple):
    """A part that two functions make."""

    read: Callable[[Any], Any]
    write: Callable[[Any], Any]


def shortest(value: Any) -> Any:
    """Return a whole number without a fraction, tuples as lists; -0.0 has no other form."""
    if isinstance(value, float):
        is_whole = value.is_integer() and abs(value) <= LARGEST_WHOLE
        return int(value) if is_whole and (value or math.copysign(1, value) > 0) else value
    return [shortest(each) for each in value] if isinstance(value, tuple) else value


def frozen(given: Any) -> Any:
    """Return lists as tuples."""
    return tuple(map(frozen, given)) if isinstance(given, list) else given


PLAIN = InJson(frozen, shortest)
"""Texts, numbers and lists of them."""
BY_NAME = InJson(
    lambda given: tuple((name, frozen(value)) for name, value in given.items()),
    lambda pairs: {name: shortest(value) for name, value in pairs},
)
"""Pairs of a name and a value; in documents an object."""


def each(part: FieldForm) -> InJson:
    """Return how several values stand in a list, one by one."""
    return InJson(lambda given: tuple(map(part.read, given)), lambda values: list(map(part.write, values)))


def numbers(kind: type[float]) -> InJson:
    """Return how lists of numbers of one type stand in a document, also lists of such lists."""

    def read(given: Any) -> Any:
        return tuple(map(read, given)) if isinstance(given, list) else kind(given)

    return InJson(read, shortest)


class Form(Generic[T]):
    """How values of a class of two fields or more stand in documents, as objects.

    Parameters
    ----------
    kind : the class
    plain : the value that an empty object means; None where all fields are written
    parts : how fields stand there that are more than texts, numbers and lists of them, by field
    keys : what fields are called there, where that is another name
    always : fields that are written even where they are as in the plain value
    order : the fields that documents have, as they are written; all of them by default
    """

    def __init__(
        self,
        kind: type[T],
        plain: T | None = None,
        parts: Mapping[str, FieldForm] = NOTHING,
        keys: Mapping[str, str] = NOTHING,
        always: Collection[str] = (),
        order: Sequence[str] = (),
    ) -> None:
        types = kind.__annotations__
        known = {
            name: parts.get(name) or (numbers(NUMBERS[types[name]]) if types[name] in NUMBERS else PLAIN)
            for name in order or types
        }
        self._kind = kind
        self._missing = {} if plain is None else {name: getattr(plain, name) for name in known}
        self._read = {keys.get(name, name): (name, part.read) for name, part in known.items()}
        self._values = attrgetter(*known)
        self._written = [
            (keys.get(name, name), ALWAYS if name in always else self._missing.get(name, ALWAYS), part.write)
            for name, part in known.items()
        ]

    def given(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of the fields that an object has; null is None."""
        found = ((self._read[key], value) for key, value in document.items() if key in self._read)
        return {name: None if value is None else read(value) for (name, read), value in found}

    def read(self, document: Mapping[str, Any]) -> T:
        """Return the value of an object."""
        return self._kind(**self._missing | self.given(document))

    def write(self, value: T) -> dict[str, Any]:
        """Return the object of a value; reading it gives the same one."""
        return {
            key: None if field is None else write(field)
            for (key, plain, write), field in zip(self._written, self._values(value), strict=True)
            if field != plain
        }
