"""Dropping jobs of the trace library anywhere on the application's window: they join the workload."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent

from explorer.widgets.template_mime import dragged_templates

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the drags that carry jobs of a library."""
        if not isinstance(event, QDragEnterEvent | QDragMoveEvent | QDropEvent):
            return False
        dragged = dragged_templates(event.mimeData())
        if dragged is None:
            return False
        event.acceptProposedAction()
        if event.type() == QEvent.Type.Drop:
            self.dropped.emit(dragged)
        return True
