"""What is dragged from the trace library: ids of templates, and the file of the library they are in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QMimeData

if TYPE_CHECKING:
    from collections.abc import Sequence

TEMPLATES_MIME = "application/x-slotscope-templates"


class DraggedTemplates(NamedTuple):
    """Templates on their way into a workload, perhaps of another window's library."""

    library: Path
    ids: tuple[int, ...]


def pack_templates(library: Path, ids: Sequence[int]) -> QMimeData:
    """Return the data of a drag."""
    data = QMimeData()
    data.setData(TEMPLATES_MIME, json.dumps({"library": str(library), "ids": list(ids)}).encode())
    return data


def dragged_templates(data: QMimeData) -> DraggedTemplates | None:
    """Return the templates of a drag, None if it is something else."""
    if not data.hasFormat(TEMPLATES_MIME):
        return None
    try:
        sent = json.loads(bytes(data.data(TEMPLATES_MIME).data()))
        dragged = DraggedTemplates(Path(sent["library"]), tuple(map(int, sent["ids"])))
    except (ValueError, TypeError, KeyError):
        return None
    return dragged if dragged.ids else None
