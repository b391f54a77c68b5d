"""What a window says of files that are dragged over it: what a drop would do, or why it would do nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from core.model.visible_text import visible
from core.policies.user_files.source import is_policy_file
from explorer.widgets.tables import bold_font
from explorer.widgets.theme import theme_of, translucent

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QDragEnterEvent, QPaintEvent

NOT_HERE = "Only files on this computer can be opened; save it first"
EDGE_PX, CORNER_PX, VEIL_ALPHA = 3.0, 8.0, 214
CARD_HEIGHT_PX, CARD_AIR_PX = 56.0, 28.0


def dropped_paths(data: QMimeData) -> list[Path]:
    """Return the files that are dragged; none if some of them are not on this computer."""
    if not data.hasUrls() or not all(url.isLocalFile() for url in data.urls()):
        return []
    return [Path(url.toLocalFile()) for url in data.urls()]


def welcome_text(paths: list[Path]) -> str:
    """Return what a drop of these files would do."""
    if not paths:
        return NOT_HERE
    if len(paths) > 1:
        return f"Drop to import {len(paths)} logs as one workload"
    name = visible(paths[0].name)
    if paths[0].is_dir():
        return f"Drop to import the logs in {name}"
    return f"Drop to use the policy {name}" if is_policy_file(paths[0].name) else f"Drop to open {name}"


class DropWelcome(QWidget):
    """Lies over all of a window while files are dragged over it; the mouse passes through.

    Attributes
    ----------
    text : what it says
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.text = ""
        self.hide()

    def take(self, event: QDragEnterEvent) -> None:
        """Let files come, and say over everything what a drop would do."""
        if not event.mimeData().hasUrls():
            return
        paths = dropped_paths(event.mimeData())
        event.setDropAction(event.proposedAction() if paths else Qt.DropAction.IgnoreAction)
        event.accept()  # or nothing would say that the drag has left
        self.text = welcome_text(paths)
        self.setAccessibleName(self.text)
        self.setGeometry(self._window.rect())
        self.raise_()
        self.show()
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colours, area = theme_of(self), QRectF(self.rect())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            veil = translucent(colours.window, VEIL_ALPHA)
            painter.fillRect(area, veil)
            painter.setPen(QPen(colours.link, EDGE_PX, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area.adjusted(8, 8, -8, -8), CORNER_PX, CORNER_PX)
            painter.setFont(bold_font(self.font()))
            letters, room = painter.fontMetrics(), area.width() - 4 * CARD_AIR_PX
            text = letters.elidedText(self.text, Qt.TextElideMode.ElideMiddle, int(room))
            width = letters.horizontalAdvance(text) + 2 * CARD_AIR_PX
            card = QRectF(0, 0, width, CARD_HEIGHT_PX)
            card.moveCenter(area.center())
            painter.setPen(QPen(colours.link, 1))
            painter.setBrush(colours.surface)
            painter.drawRoundedRect(card, CORNER_PX, CORNER_PX)
            painter.setPen(colours.text)
            painter.drawText(card, Qt.AlignmentFlag.AlignCenter, text)
