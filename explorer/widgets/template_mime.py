"""Jobs dragged from the trace library: ids of templates with their library's file, and their drop."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QMimeData, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget


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


class TemplateDrops(QObject):
    """Watches a window that accepts drops; what is not ours is left to it.

    Signals
    -------
    dropped : `DraggedTemplates`
    """

    dropped = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QDragEnterEvent | QDragMoveEvent | QDropEvent):
            return False
        dragged = dragged_templates(event.mimeData())
        if dragged is None:
            return False
        event.acceptProposedAction()
        if event.type() == QEvent.Type.Drop:
            self.dropped.emit(dragged)
        return True
