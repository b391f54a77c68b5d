"""The ring of keyboard focus: shown where the focus came by keyboard, not after a click."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

QUIET_REASONS = (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.ActiveWindowFocusReason)


class FocusRing(QObject):
    """Follows the focus of one widget.

    Attributes
    ----------
    is_shown : whether the ring is to be painted
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.is_shown = False
        self._widget = widget
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show or hide the ring."""
        if isinstance(event, QFocusEvent):
            came = event.type() == QEvent.Type.FocusIn
            self.is_shown = came and event.reason() not in QUIET_REASONS
            self._widget.update()
        return super().eventFilter(watched, event)
