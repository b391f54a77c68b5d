"""Which files an import reads: those that were named, and what lies in the folders that were named."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.logs.recorded_job import one_line
from core.model.errors import Cancelled, InputError
from core.model.natural_order import by_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MOST_FILES = 10_000
"""Files of the folders of one import; a folder that holds more is hardly one of logs."""

ShouldStop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file to import.

    Attributes
    ----------
    path : the file
    is_named : whether the user named it, rather than a folder that it lies in
    size : bytes as it is packed
    """

    path: Path
    is_named: bool
    size: int

    @property
    def name(self) -> str:
        """The file's name as the report shows it."""
        return one_line(self.path.name)


def log_files(paths: Sequence[Path], should_stop: ShouldStop | None = None) -> list[LogFile]:
    """Return the files to look at: named ones in their order, those of a folder by name.

    Raises
    ------
    InputError
        a path is no file or folder, cannot be read, or its folder holds more than `MOST_FILES` files
    Cancelled
        `should_stop` said so
    """
    if not paths:
        raise InputError("no file to import; name at least one log or a folder of logs")
    return [file for path in paths for file in _files_of(path, should_stop)]


def neighbours(file: LogFile) -> list[LogFile]:
    """Return the other files of a file's own folder, or nothing where there are too many to look at."""
    try:
        paths = sorted(Path(entry.path) for entry in os.scandir(file.path.parent) if entry.is_file())
        found = [LogFile(path, False, path.stat().st_size) for path in paths if path != file.path]
    except OSError:
        return []
    return found if len(found) <= MOST_FILES // 10 else []


def _files_of(path: Path, should_stop: ShouldStop | None) -> Iterable[LogFile]:
    try:
        if path.is_dir():
            return list(_below(path, should_stop))
        if path.is_file():
            return [LogFile(path, True, path.stat().st_size)]
    except (OSError, ValueError) as problem:
        raise InputError(f"{path}: cannot be read ({problem})") from problem
    if path.exists():
        raise InputError(f"{path}: not a regular file; give a log file or a folder of logs")
    raise InputError(f"{path}: there is no such file or folder")


def _below(folder: Path, should_stop: ShouldStop | None) -> Iterator[LogFile]:
    """Yield the regular, visible files of a folder and its subfolders, by name; links are not followed."""
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted((name for name in folders if not name.startswith(".")), key=by_number)
        for name in sorted(names, key=by_number):
            path = Path(place, name)
            if name.startswith(".") or not path.is_file():
                continue
            count += 1
            if count > MOST_FILES:
                raise InputError(
                    f"{folder}: holds more than {MOST_FILES} files; "
                    "give the folder that holds the logs, or the logs themselves"
                )
            if should_stop is not None and should_stop():
                raise Cancelled(f"import of {folder.name} stopped")
            yield LogFile(path, False, path.stat().st_size)
