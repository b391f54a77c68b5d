"""The card at the pointer of a picture: what lies there, beside it and never outside of the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QFrame

from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

CARD_GAP = 14


class PointerCard(PlainLabel):
    """Stands beside a place of its page, and does not cover it where there is room.

    Attributes
    ----------
    at : that place
    """

    def __init__(self, page: QWidget) -> None:
        super().__init__(parent=page)
        self._page, self.at = page, QPoint()
        self.setFrameShape(QFrame.Shape.Box)
        self.setMargin(6)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(self.palette().ColorRole.ToolTipBase)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_at(self, at: QPoint, text: str) -> None:
        """Show a text beside a pixel of the page; lines that are too long for the page wrap."""
        page = self._page.size()
        self.setWordWrap(False)
        self.setText(text)
        self.adjustSize()
        if self.width() > page.width():
            self.setWordWrap(True)
            self.resize(page.width(), self.heightForWidth(page.width()))
        size = self.size()
        left = at.x() + CARD_GAP
        if left + size.width() > page.width():
            left = max(at.x() - CARD_GAP - size.width(), 0)
        top = max(min(at.y() + CARD_GAP, page.height() - size.height()), 0)
        above = at.y() - CARD_GAP - size.height()
        if above >= 0 and QRect(QPoint(left, top), size).contains(at):
            top = above
        self.at = at
        self.move(left, top)
        self.show()
        self.raise_()

    def stay(self) -> None:
        """Keep within the page, which has another size."""
        if not self.isHidden():
            self.show_at(self.at, self.text())
