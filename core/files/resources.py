"""Where Slotscope's own files lie: schemas, icons and samples, installed or in a checkout."""

from __future__ import annotations

from pathlib import Path

from core.model.errors import InputError

PACKAGES = Path(__file__).resolve().parents[2]
"""The folder that holds the packages: site-packages, or the checkout."""


def resource_path(*parts: str) -> Path:
    """Return the path of a resource, for instance ``resource_path("schemas", "workload.schema.json")``."""
    return _folder("resources").joinpath(*parts)


def sample_folder() -> Path:
    """Return the folder of the sample workloads."""
    return _folder("sample_workloads")


def glossary_path() -> Path:
    """Return the file of the glossary, a page of the manual."""
    return _folder("docs").joinpath("glossary.md")


def _folder(name: str) -> Path:
    """Return a data folder: inside the wheel's `explorer` package, else beside the packages."""
    candidates = (PACKAGES / "explorer" / "_data" / name, PACKAGES / name)
    for folder in candidates:
        if folder.is_dir():
            return folder
    places = " nor ".join(str(folder) for folder in candidates)
    raise InputError(f"Slotscope's folder '{name}' is neither at {places}; install Slotscope again")
