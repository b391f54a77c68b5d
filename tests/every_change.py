"""Every way to change one field of a value, however deep: what a key must tell apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def every_change(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield ``(".jobs[0].maps.count", a copy that differs there alone)`` for every field inside of a value.

    Nothing is checked: a changed value may break rules. Fails for a type that it does not know to change.
    """
    if is_dataclass(value):
        for field in fields(value):
            for path, changed in every_change(getattr(value, field.name)):
                yield f".{field.name}{path}", _with(value, field.name, changed)
    elif isinstance(value, tuple):
        yield "[+]", (*value, *value[:1]) if value else ("something",)
        for i, item in enumerate(value[:1]):
            for path, changed in every_change(item):
                yield f"[{i}]{path}", (changed, *value[1:])
    elif isinstance(value, Mapping):
        yield "[+]", {**value, "something": 1}
        for key, item in value.items():
            yield from ((f"[{key}]{path}", {**value, key: changed}) for path, changed in every_change(item))
    else:
        yield "", _other(value)


def _with(value: Any, name: str, changed: Any) -> Any:
    """Return a copy with another value of one field, unchecked, and nothing that was derived from the old."""
    copy = object.__new__(type(value))
    for field in fields(value):
        new = changed if field.name == name else getattr(value, field.name)
        object.__setattr__(copy, field.name, new)
    return copy


def _other(value: Any) -> Any:
    if value is None:
        return "something"
    if isinstance(value, np.ndarray):
        first = ~value[:1] if value.dtype == bool else np.nan_to_num(value[:1]) + 1
        return np.concatenate([first, value[1:]])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    assert isinstance(value, str), f"say how a {type(value).__name__} is changed"
    return f"{value}?"


def kinds_in(value: Any) -> set[str]:
    """Return the names of all dataclasses inside of a value."""
    if is_dataclass(value):
        inner = [getattr(value, field.name) for field in fields(value)]
        return {type(value).__name__}.union(*map(kinds_in, inner))
    items = value if isinstance(value, tuple) else value.values() if isinstance(value, Mapping) else ()
    return set().union(*map(kinds_in, items))
