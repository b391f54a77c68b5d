"""Which modules a policy file names in its import statements, and which of them are installed.

Installed are Slotscope itself, Python's standard library and what lies in a folder of installed packages
(`site-packages`). Neither the folder that somebody happens to be in nor `PYTHONPATH` gives modules to
policy files: what is not installed is a file beside the policy file, and is agreed to like it.
"""

from __future__ import annotations

import ast
import os
import sys
import sysconfig
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

OURS = frozenset(("core", "explorer", "slotscope"))
_STANDARD_FOLDERS = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib"))
_PACKAGE_FOLDERS = ("site-packages", "dist-packages")
_ZIPPED = f"python{sys.version_info.major}{sys.version_info.minor}.zip"
"""The standard library as some distributions ship it."""


def _is_of_packages(entry: str) -> bool:
    path = Path(entry)
    if path.name in _PACKAGE_FOLDERS:
        return True
    return path.name == _ZIPPED or any(path.is_relative_to(folder) for folder in _STANDARD_FOLDERS)


# read once: a policy file may change sys.path
_INSTALLED = [entry for entry in sys.path if Path(entry).is_absolute() and _is_of_packages(entry)]


_OURS_LIE_IN = str(Path(__file__).parents[3])


def is_installed_file(path: str) -> bool:
    """Whether a file is Slotscope's, Python's or an installed package's."""
    ours = tuple(os.path.join(_OURS_LIE_IN, name, "") for name in sorted(OURS))
    return path.startswith((*ours, *(os.path.join(entry, "") for entry in _INSTALLED)))


def is_standard(name: str) -> bool:
    """Whether a module is Slotscope's, or of Python's standard library."""
    top = name.partition(".")[0]
    return top in OURS or top in sys.stdlib_module_names


@cache
def installed_spec(top: str) -> ModuleSpec | None:
    """Find a module that is in no package among those installed; None for what is built into Python, too."""
    return PathFinder.find_spec(top, _INSTALLED)


def is_installed(name: str) -> bool:
    """Whether a module is standard, or belongs to an installed package."""
    return is_standard(name) or installed_spec(name.partition(".")[0]) is not None


def imported_names(tree: ast.Module, package: str) -> Iterator[str]:
    """Yield the dotted name of whatever may be a module in the import statements of a file.

    Parameters
    ----------
    tree : of the file
    package : what its relative imports begin with, "" for the policy file itself
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".") if package and node.level else []
            if node.level > len(parts) + 1:
                continue  # beyond the folder of the policy file: Python will say so
            parts = parts[: len(parts) - max(node.level - 1, 0)]
            module = ".".join([*parts, *([node.module] if node.module else [])])
            yield from [module] if module else []
            yield from (".".join([module, alias.name] if module else [alias.name]) for alias in node.names)
