"""Values as data: a JSON text and columns of numbers, from which a value is built without running anything.

What a policy's process sends is read so. Reading it makes texts, numbers, columns and our own values, whose
constructors are not called; it imports nothing that is not ours and calls no function that the text names.
A tagged list stands for what JSON has no word for: ``["tuple", 1, 2]``, ``["column", 0, "<f8", [3], true]``.
"""

from __future__ import annotations

import builtins
import importlib
import json
import math
import re
import sys
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path, PurePath
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from core.model.errors import SlotscopeError
from core.model.kept_read_only import rebuilt
from core.policies.policy import Policy
from core.policies.user_files.stand_in import arguments_of, not_here, policy_facts, stand_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

T = TypeVar("T")
OURS = re.compile(r"core(\.[a-z_0-9]+)+")
"""Modules whose values are built."""
NUMBER_KINDS = "biufSU"
"""Of columns: truths, whole numbers, floats, and texts of one length."""
CONTAINERS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
}


class BadData(ValueError):
    """What was sent is no value of ours."""


class Known(Protocol):
    """Numbers of both sides for large things that were sent before."""

    def number_of(self, thing: Any, /) -> int | None:
        """Return the number of a thing on the other side, or None."""

    def numbered(self, thing: Any, /) -> int:
        """Return the number under which a thing may be referred to later; -1 for all but large ones."""

    def recall(self, number: int, /) -> Any:
        """Return the thing under a number."""

    def keep(self, thing: Any, number: int, /) -> Any:
        """Keep a thing under a number, and return it."""


def encode(value: object, known: Known) -> tuple[bytes, list[NDArray[Any]]]:
    """Return a value as JSON, and the columns that it refers to."""
    encoder = _Encoder(known)
    tree = encoder.node(value)
    return json.dumps(tree, separators=(",", ":")).encode("utf-8", "surrogatepass"), encoder.columns


def decode(text: bytes, columns: Sequence[memoryview], known: Known) -> Any:
    """Return the value that `encode` wrote, from its text and the bytes of each column; else BadData."""
    try:
        return _Decoder(columns, known).value(json.loads(text.decode("utf-8", "surrogatepass")))
    except BadData:
        raise
    except Exception as error:  # a list for a text, a column of no such size: there is no end to it
        raise BadData(f"what was sent is no value: {error!r}") from error


def _name(thing: Any) -> str:
    return f"{thing.__module__}:{thing.__qualname__}"


def _can_be_imported(thing: Any) -> bool:
    """Whether a class or function is ours, and found under its own name."""
    module = thing.__module__ or ""
    return OURS.fullmatch(module) is not None and _found(sys.modules.get(module), thing.__qualname__) is thing


def _found(module: object, qualname: str) -> Any:
    found = module
    for part in qualname.split("."):
        found = getattr(found, part, None)
    return found


class _Encoder:
    def __init__(self, known: Known) -> None:
        self._known = known
        self.columns: list[NDArray[Any]] = []

    def node(self, value: Any) -> Any:
        """Return the JSON that stands for a value."""
        if value is None or value is True or value is False or type(value) in (int, str):
            return value
        if type(value) is float:
            return value if math.isfinite(value) else ["float", str(value)]
        if type(value).__name__ in CONTAINERS and type(value) is CONTAINERS[type(value).__name__]:
            return [type(value).__name__, *map(self.node, value)]
        return self._of_others(value)

    def _of_others(self, value: Any) -> Any:
        writers: tuple[tuple[Any, Callable[[Any], list[Any]]], ...] = (
            (np.ndarray, self._column),
            (np.generic, lambda number: ["scalar", number.dtype.str, self.node(number.item())]),
            (bytes | bytearray, lambda given: ["bytes", self._column(np.frombuffer(given, np.uint8))[1]]),
            (dict | MappingProxyType, self._mapping),
            (PurePath, lambda path: ["path", str(path)]),
            (slice, lambda part: ["slice", *map(self.node, (part.start, part.stop, part.step))]),
            (Enum, lambda member: ["enum", _name(type(member)), member.name]),
            (BaseException, self._error),
            (type, self._class),
            (FunctionType, self._function),
            (tuple, lambda parts: ["named tuple", _name(type(parts)), *map(self.node, parts)]),
        )
        for kind, write in writers:
            if isinstance(value, kind):
                return write(value)
        if is_dataclass(value):
            return self._dataclass(value)
        raise TypeError(f"a {type(value).__qualname__} is no data")

    def _mapping(self, given: Mapping[Any, Any]) -> list[Any]:
        return ["mapping", *([self.node(key), self.node(inner)] for key, inner in given.items())]

    def _column(self, column: NDArray[Any]) -> list[Any]:
        if column.dtype.kind not in NUMBER_KINDS:
            raise TypeError(f"a column of {column.dtype} is no data")
        self.columns.append(np.ascontiguousarray(column))
        place = len(self.columns) - 1
        return ["column", place, column.dtype.str, list(column.shape), not column.flags.writeable]

    def _error(self, error: BaseException) -> list[Any]:
        kind = type(error)
        if not _is_known_error(kind):
            return self._error(RuntimeError(f"{kind.__name__}: {error}"))
        values = error.__dict__ if isinstance(error, SlotscopeError) else {}
        return ["error", _name(kind), self.node(error.args), self.node(values)]

    def _class(self, kind: type) -> list[Any]:
        if not issubclass(kind, Policy):
            raise TypeError(f"the class {kind.__qualname__} is no data")
        return (
            ["class", _name(kind)]
            if _can_be_imported(kind)
            else ["policy", *map(self.node, policy_facts(kind))]
        )

    def _function(self, function: FunctionType) -> list[Any]:
        if _can_be_imported(function) and _is_hook(_name(function)):
            return ["hook", _name(function)]
        return ["function", function.__name__, *arguments_of(function)]

    def _dataclass(self, value: Any) -> list[Any]:
        if (number := self._known.number_of(value)) is not None:
            return ["known", number]
        parts = (self.node(getattr(value, field.name)) for field in fields(value))
        return ["value", _name(type(value)), self._known.numbered(value), *parts]


def _is_known_error(kind: type[BaseException]) -> bool:
    is_ours = issubclass(kind, SlotscopeError) and _can_be_imported(kind)
    return is_ours or (kind.__module__ == "builtins" and issubclass(kind, Exception))


def _is_hook(name: str) -> bool:
    """Whether a name is that of a function of one of our policies."""
    module, _, qualname = name.partition(":")
    owner = _found(sys.modules.get(module), qualname.rpartition(".")[0]) if "." in qualname else None
    return module.startswith("core.policies.") and isinstance(owner, type) and issubclass(owner, Policy)


class _Decoder:
    def __init__(self, columns: Sequence[memoryview], known: Known) -> None:
        self.columns, self.known = columns, known

    def value(self, node: Any) -> Any:
        """Return the value that a node stands for."""
        if not isinstance(node, list):
            return node
        tag, *parts = node
        if tag in CONTAINERS:
            return CONTAINERS[tag]([self.value(part) for part in parts])
        read = READERS.get(tag)
        if read is None:
            raise BadData(f"a {tag!r} is no kind of value")
        return read(self, *parts)

    def column(self, place: int, kind: str, shape: list[int], is_read_only: bool) -> NDArray[Any]:
        """Return a column; its bytes are as many as its header gives, or it raises."""
        dtype = np.dtype(kind)
        if dtype.kind not in NUMBER_KINDS:
            raise BadData(f"a column of {dtype} is no data")
        column = np.frombuffer(self.columns[place], dtype).reshape(shape)
        column.flags.writeable = not is_read_only
        return column

    def scalar(self, kind: str, item: Any) -> Any:
        """Return a number of numpy's."""
        return np.dtype(kind).type(self.value(item))

    def mapping(self, *pairs: list[Any]) -> dict[Any, Any]:
        """Return a mapping."""
        return {self.value(key): self.value(inner) for key, inner in pairs}

    def error(self, name: str, given: Any, values: Any) -> BaseException:
        """Return an error, without its constructor, which may need other arguments than it was given."""
        module, _, qualname = name.partition(":")
        found = getattr(builtins, qualname, None) if module == "builtins" else _ours(name)
        kind = _class_of(found, Exception, f"{name} is no error")
        if not _is_known_error(kind):
            raise BadData(f"{name} is no error")
        error = kind.__new__(kind, *self.value(given))
        error.__dict__.update(self.value(values))
        return error

    def known_class(self, name: str) -> type:
        """Return the class of a policy that comes with Slotscope."""
        return _class_of(_ours(name), Policy, f"{name} is no policy")

    def policy(self, name: str, base: Any, facts: Any) -> type:
        """Return a stand-in for a policy of the user's."""
        return stand_in(self.value(name), self.value(base), self.value(facts))

    def hook(self, name: str) -> Any:
        """Return a function of one of our policies."""
        function = _ours(name)
        if not (isinstance(function, FunctionType) and _is_hook(name)):
            raise BadData(f"{name} is no hook")
        return function

    def enum(self, name: str, member: str) -> Any:
        """Return a member of an enumeration."""
        return _class_of(_ours(name), Enum, f"{name} is no enumeration")[member]

    def named_tuple(self, name: str, *parts: Any) -> Any:
        """Return a tuple with names."""
        wrong = f"{name} is no tuple of {len(parts)}"
        kind: Any = _class_of(_ours(name), tuple, wrong)
        if len(parts) != len(kind._fields):
            raise BadData(wrong)
        return tuple.__new__(kind, [self.value(part) for part in parts])

    def dataclass(self, name: str, number: int, *parts: Any) -> Any:
        """Return a value of ours, and remember it under a number that is not -1."""
        wrong = f"{name} is no value of {len(parts)} fields"
        kind = _class_of(_ours(name), object, wrong)
        if not is_dataclass(kind) or len(fields(kind)) != len(parts):
            raise BadData(wrong)
        value = rebuilt(kind, tuple(self.value(part) for part in parts), ())
        return value if number == -1 else self.known.keep(value, number)


READERS: Mapping[str, Callable[..., Any]] = {
    "float": lambda _, text: float(text),
    "path": lambda _, text: Path(text),
    "slice": lambda self, *parts: slice(*map(self.value, parts)),
    "function": lambda _, name, *arguments: not_here(name, arguments),
    "column": _Decoder.column,
    "scalar": _Decoder.scalar,
    "bytes": lambda self, place: bytes(self.columns[place]),
    "mapping": _Decoder.mapping,
    "error": _Decoder.error,
    "class": _Decoder.known_class,
    "policy": _Decoder.policy,
    "hook": _Decoder.hook,
    "enum": _Decoder.enum,
    "named tuple": _Decoder.named_tuple,
    "value": _Decoder.dataclass,
    "known": lambda self, number: self.known.recall(number),
}
"""What reads the node of each tag, beside `CONTAINERS`."""


def _ours(name: str) -> Any:
    """Return a class or function of this program by the name under which it was defined; or BadData."""
    module, _, qualname = name.partition(":")
    found = _found(importlib.import_module(module), qualname) if OURS.fullmatch(module) else None
    if not isinstance(found, type | FunctionType) or _name(found) != name:
        raise BadData(f"{name} is not ours")
    return found


def _class_of(found: object, base: type[T], wrong: str) -> type[T]:
    """Return what was found, which has to be a class of a kind; BadData says what is wrong."""
    if isinstance(found, type) and issubclass(found, base):
        return found
    raise BadData(wrong)
