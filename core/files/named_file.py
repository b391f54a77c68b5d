"""Open a workload that a document names; messages of failures quote nothing of the file.

A lesson or a study comes from anybody and may name any file, an SSH key as well as a workload. That it is
missing or may not be read is said; what stands in it is not, for messages are copied into reports and mails.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.files.json_text import read_head
from core.model.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.workload import Workload


def open_named(folder: str, name: str, read: Callable[[Path], Workload]) -> Workload:
    """Return the workload in a file that a document names; InputError quotes nothing of the file.

    Parameters
    ----------
    folder : of the document, from where the name is seen
    name : as the document has it
    read : opens a file, or a folder of logs
    """
    path = Path(folder, name)
    if not path.is_dir():
        read_head(path, 0)  # says that it is not there, or may not be read
    try:
        return read(path)
    except InputError:
        rule = "it cannot be read as a workload; open it by itself to see why, or name another file"
        raise InputError(f"file '{path}' is named here, but {rule}") from None
