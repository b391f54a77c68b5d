"""Open a workload from whatever names one: a workload document, a log of a supported format, or a sample."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.files.atomic import Watch
from core.files.json_text import head_of, read_bytes, read_head
from core.files.samples import load_sample
from core.files.workload_document import is_workload_document, read_workload
from core.model.progress import never_stop, no_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from core.logs.report import ImportReport
    from core.model.workload import Workload


Kind = Literal["document", "log", "sample"]
HEAD_BYTES = 1 << 18
"""A document names its format within so many bytes of its file, or else only its end may."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A workload and where it came from.

    Attributes
    ----------
    workload : the workload
    kind : "document", "log" or "sample"
    report : the account of a log's import, None for the other kinds
    """

    workload: Workload
    kind: Kind
    report: ImportReport | None = None

    @property
    def scheduler(self) -> str:
        """What the configuration in a log calls the scheduler; empty where nothing says it."""
        return self.report.scheduler if self.report else ""


def open_workload(
    source: str | Path,
    *,
    parameters: Mapping[str, object] | None = None,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> Opened:
    """Open a file or folder by its content, else a sample by its name.

    Parameters
    ----------
    source : path of a workload document, of a log or of a folder of logs; or the name of a sample
    parameters : values for the parameters of a log's format; with any, the source is a log
    progress : called with the fraction done, from 0 to 1
    should_stop : called now and then: whether to give up

    Raises
    ------
    UnknownName
        neither a file nor a sample has this name
    InputError
        the file cannot be read, is of no known format, or breaks rules (see its subclasses)
    Cancelled
        `should_stop` said so
    """
    path = Path(source)
    if not parameters and not os.path.exists(source):
        return Opened(load_sample(str(source), "file or sample"), "sample")
    if not parameters and path.is_file() and _is_document(path):
        return Opened(read_workload(path, Watch(progress, should_stop)), "document")
    from core.logs.open_log import open_trace  # a document needs no reader of logs

    imported = open_trace([path], parameters=parameters, progress=progress, should_stop=should_stop)
    return Opened(imported.workload, "log", imported.report)


def open_workloads(
    source: str | Path,
    *,
    parameters: Mapping[str, object] | None = None,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> list[tuple[str, Workload]]:
    """Open what names one workload as `open_workload` does, or each log of a folder or an archive of several.

    Each comes with its path, which of a member of an archive has the archive's before it.

    Raises
    ------
    UnknownName, InputError, Cancelled
        as `open_workload` does
    """
    path = Path(source)
    if path.is_dir() or (path.is_file() and _is_archive(path)):
        from core.logs.logs_apart import open_logs

        return open_logs(path, parameters=parameters, progress=progress, should_stop=should_stop)
    opened = open_workload(source, parameters=parameters, progress=progress, should_stop=should_stop)
    return [(str(source), opened.workload)]


def _is_archive(path: Path) -> bool:
    from core.logs.archives import is_archive
    from core.logs.byte_source import ByteSource

    return is_archive(ByteSource(path).head(HEAD_BYTES))


def _is_document(path: Path) -> bool:
    """Whether a file is a workload document, by its beginning, unless "format" stands far behind."""
    head = read_head(path, HEAD_BYTES)
    if is_workload_document(head):
        return True
    from core.logs.readers import reader_of

    is_log = reader_of(head_of(head, HEAD_BYTES)) is not None
    return not is_log and len(head) == HEAD_BYTES and is_workload_document(read_bytes(path))
