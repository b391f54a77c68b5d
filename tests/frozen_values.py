"""The dataclasses of a package: what is found is shared by threads and kept, so that none may be changed."""

from __future__ import annotations

from dataclasses import is_dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def changeable(package: str) -> list[str]:
    """Return the names of a package's dataclasses whose fields can be set."""
    names = [module.name for module in iter_modules(import_module(package).__path__, f"{package}.")]
    classes = [(name, each) for name in names for each in vars(import_module(name)).values()]
    return [f"{name}.{each.__name__}" for name, each in classes if _can_be_changed(each, name)]


def _can_be_changed(value: Any, module: str) -> bool:
    is_ours = isinstance(value, type) and is_dataclass(value) and value.__module__ == module
    return is_ours and not value.__dataclass_params__.frozen
