"""Where Slotscope's own files lie: schemas, icons and samples, installed or in a checkout.

They are originals: read, shown and copied, but never written (`is_original`, for `core.files.atomic`).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from core.model.errors import InputError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGES = Path(__file__).resolve().parents[2]
"""The folder that holds the packages: site-packages, or the checkout."""
OWN_FOLDERS = ("core", "explorer", "slotscope", "resources", "sample_workloads")
"""Folders in it whose files come with Slotscope; a wheel has the last two inside `explorer`."""


def resource_path(*parts: str) -> Path:
    """Return the path of a resource, for instance ``resource_path("schemas", "workload.schema.json")``."""
    return _folder("resources").joinpath(*parts)


def sample_folder() -> Path:
    """Return the folder of the sample workloads."""
    return _folder("sample_workloads")


def is_original(path: str | os.PathLike[str]) -> bool:
    """Whether a file comes with Slotscope, or would lie among those that do; these are never written."""
    try:
        place = Path(path).resolve()
    except (OSError, ValueError, RuntimeError):
        return False  # no file has this name
    return any(place.is_relative_to((PACKAGES / name).resolve()) for name in OWN_FOLDERS)


def manual_path(*parts: str) -> Path:
    """Return the file of a page that the program reads, ``manual_path("reference", "glossary.md")``."""
    return _folder("docs").joinpath(*parts)


def file_or_shipped(source: str, shipped: Mapping[str, Path], kind: str, known_as: str) -> Path:
    """Return the file of this name, or the one that comes with Slotscope under it.

    Parameters
    ----------
    source : a path, or a name
    shipped : what comes with Slotscope, by name
    kind : of the document, for messages
    known_as : what may be named, for messages

    Raises
    ------
    UnknownName
        neither a file nor anything of Slotscope's has this name
    InputError
        it is the path of a file that is not there
    """
    if os.path.exists(source):
        return Path(source)
    if source in shipped:
        return shipped[source]
    if source.endswith(".json") or os.path.dirname(source):
        raise InputError(f"there is no file '{source}'; name a {kind} document, or one of Slotscope's own")
    raise UnknownName(known_as, source, shipped)


def _folder(name: str) -> Path:
    """Return a data folder: inside the wheel's `explorer` package, else beside the packages."""
    candidates = (PACKAGES / "explorer" / "_data" / name, PACKAGES / name)
    for folder in candidates:
        if folder.is_dir():
            return folder
    places = " nor ".join(str(folder) for folder in candidates)
    raise InputError(f"Slotscope's folder '{name}' is neither at {places}; install Slotscope again")
