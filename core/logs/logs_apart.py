"""Several logs, each a workload of its own: named one by one, or in a folder or an archive of logs.

Importing a folder makes one workload of all its logs (`core.logs.open_log`); here every file that is a log by
itself is opened by itself. Files that need one another, and files of one job each, are parts of one log.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.logs.archives import is_archive, members
from core.logs.assemble import assemble
from core.logs.byte_source import ByteSource
from core.logs.import_progress import ImportProgress
from core.logs.log_files import LogFile, log_files, log_name
from core.logs.open_log import ImportPipeline, open_trace
from core.logs.reader import HEAD_BYTES
from core.logs.readers import reader_of
from core.logs.scratch_folder import scratch_folder
from core.model.errors import Cancelled, InputError
from core.model.in_parts import collector_at_rest
from core.model.progress import never_stop, no_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from core.model.workload import Workload

MIN_LOGS = 2
"""So many files have several jobs each, or all files are one log: histories are often kept a job a file."""


class _Place(NamedTuple):
    """Where logs are looked for, what is called meanwhile, and the parameters of their formats."""

    folder: Path
    progress: Callable[[float], None]
    should_stop: Callable[[], bool]
    parameters: Mapping[str, object]

    def is_log(self, head: bytes) -> bool:
        """Whether a file that begins like this may be a log; parameters may give the columns of a table."""
        return bool(self.parameters) or reader_of(head) is not None


def open_logs(
    path: Path,
    *,
    parameters: Mapping[str, object] | None = None,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> list[tuple[str, Workload]]:
    """Open a log, or each log of a folder or an archive, each with the path that it is at.

    Parameters
    ----------
    path : a log, or a folder or an archive of logs; files that are no logs are passed over
    parameters : values for the parameters of the formats, as `core.logs.open_log.open_trace` takes them
    progress : called with the fraction done, from 0 to 1
    should_stop : called now and then: whether to give up

    Raises
    ------
    InputError
        as `core.logs.open_log.open_trace` does
    Cancelled
        `should_stop` said so
    """
    with scratch_folder() as folder, collector_at_rest():
        place = _Place(folder, progress, should_stop, parameters or {})
        apart = _opened_apart(list(_files(path, place)), place)
    if sum(len(workload.jobs) > 1 for _, workload in apart) >= MIN_LOGS:
        return apart
    imported = open_trace([path], parameters=parameters, progress=progress, should_stop=should_stop)
    return [(str(path), imported.workload)]


def _files(path: Path, place: _Place) -> Iterator[LogFile]:
    """Yield the files of a folder, and in the place of archives their members."""
    for number, file in enumerate(log_files([path], place.should_stop)):
        try:
            head = _head(file, place)
        except InputError:
            continue
        if not is_archive(head):
            yield file
            continue
        inside = place.folder / str(number)
        inside.mkdir()
        for member in members(file, head, inside, place.is_log, place.should_stop):
            if isinstance(member, LogFile) and place.is_log(_head(member, place)):
                yield member


def _opened_apart(files: Sequence[LogFile], place: _Place) -> list[tuple[str, Workload]]:
    """Return the logs among files; none if some are parts of one, or cannot be read by themselves."""
    if len(files) < MIN_LOGS:
        return []
    opened: list[tuple[str, Workload]] = []
    for number, file in enumerate(files):
        reader = reader_of(_head(file, place))
        place.progress(number / len(files))
        if reader is None and not place.parameters:  # which may say how a table is to be read
            continue
        if reader and (reader.is_one_log or reader.completes or reader.part_began):
            return []
        try:
            opened.append((_path(file), _opened(file, place)))
        except Cancelled:
            raise
        except InputError:
            continue
    return opened


def _head(file: LogFile, place: _Place) -> bytes:
    return ByteSource(file.path, opened=file.opened, should_stop=place.should_stop).head(HEAD_BYTES)


def _path(file: LogFile) -> str:
    """Return where a file is; a member of an archive is called after both."""
    archive, _, inside = file.member_name.partition(": ")
    place = next((each for each in file.path.parents if each.name == archive), file.path)
    return f"{place}: {inside}" if inside else str(file.path)


def _opened(file: LogFile, place: _Place) -> Workload:
    name = log_name([Path(file.member_name.rpartition(": ")[2] or file.path)])
    alone = replace(file, is_named=False)
    pipeline = ImportPipeline(name, place.folder, ImportProgress(no_progress), place.should_stop)
    return assemble(pipeline.read([alone], place.parameters))[0]
