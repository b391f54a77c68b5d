"""Open a workload from whatever names one: a workload document, a log of a supported format, or a sample."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.files.json_text import read_bytes
from core.files.samples import load_sample, samples
from core.files.workload_document import is_workload_document, read_workload
from core.logs.byte_source import ByteSource
from core.logs.open_log import open_trace, reader_of
from core.logs.reader import HEAD_BYTES
from core.model.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.logs.report import ImportReport
    from core.model.workload import Workload

Kind = Literal["document", "log", "sample"]


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


def open_workload(
    source: str | Path,
    *,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Opened:
    """Open a file or folder by its content, else a sample by its name.

    Parameters
    ----------
    source : path of a workload document, of a log or of a folder of logs; or the name of a sample
    progress : called with the fraction of a log that is read, from 0 to 1
    should_stop : asked now and then whether to give up the import of a log

    Raises
    ------
    UnknownName
        neither a file nor a sample has this name
    InputError
        the file cannot be read, is of no known format, or breaks rules (see its subclasses)
    Cancelled
        `should_stop` said so
    """
    if not os.path.exists(source):
        return _sample(str(source))
    path = Path(source)
    if path.is_file() and _is_document(path):
        return Opened(read_workload(path), "document")
    imported = open_trace([path], progress=progress, should_stop=should_stop)
    return Opened(imported.workload, "log", imported.report)


def _sample(name: str) -> Opened:
    names = [sample.name for sample in samples()]
    if name not in names:
        raise UnknownName("file or sample", name, names)
    return Opened(load_sample(name), "sample")


def _is_document(path: Path) -> bool:
    """Whether a file is a workload document; its beginning tells, unless "format" stands far behind."""
    head = ByteSource(path).head(HEAD_BYTES)
    if is_workload_document(head):
        return True
    return reader_of(head) is None and len(head) == HEAD_BYTES and is_workload_document(read_bytes(path))
