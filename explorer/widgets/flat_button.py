"""A button without a frame: sign, words, and a field behind them while it is pointed at or on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QPainter, QPalette, QPen
from PySide6.QtWidgets import QToolButton
from typing_extensions import override

from explorer.widgets.plain_labels import tooltip
from explorer.widgets.theme import icon, theme_of, translucent

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QPaintEvent
    from PySide6.QtWidgets import QWidget

HEIGHT = 24
CORNER_PX, RING_PX = 5, 2
AIR_PX, GAP_PX, SIGN_PX = 8, 6, 14
"""Pixels beside the content, between sign and words, and of the sign."""
CHECKED_ALPHA = 28
"""Of the link's colour behind what is switched on."""
CHEVRON = QSize(8, 4)


class FlatButton(QToolButton):
    """Shows a sign (the name of an icon), words, or both; where it opens something, a chevron may follow.

    Attributes
    ----------
    sign_px : size of the sign in pixels
    words : shown instead of the action's text, "" for the sign alone
    """

    def __init__(self, words: str = "", sign: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words, self.sign_px = words, SIGN_PX
        self._has_chevron = False
        self._sign = sign
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFixedHeight(HEIGHT)

    @property
    def sign(self) -> QIcon:
        """Its own sign, else that of its action."""
        return icon(self._sign) if self._sign else self.icon()

    def show_sign(self, sign: str) -> None:
        """Show another sign."""
        self._sign = sign
        self.update()

    def show_words(self, words: str) -> None:
        """Show other words."""
        if words != self.words:
            self.words = words
            self.updateGeometry()
            self.update()

    def show_chevron(self) -> None:
        """Say that it opens something below it."""
        self._has_chevron = True
        self.updateGeometry()

    def take(self, action: QAction, sign: str = "") -> None:
        """Do what an action does; its tooltip names the key."""
        self.setDefaultAction(action)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._sign = sign or self._sign
        key = action.shortcut().toString()
        self.setToolTip(tooltip(f"{action.toolTip()} ({key})" if key else action.toolTip()))
        self.setAccessibleName(self.words or action.text().replace("&", ""))

    @override
    def sizeHint(self) -> QSize:
        parts = []
        if not self.sign.isNull():
            parts.append(self.sign_px)
        if self.words:
            parts.append(self.fontMetrics().horizontalAdvance(self.words))
        if self._has_chevron:
            parts.append(CHEVRON.width())
        air = AIR_PX if self.words else max((self.height() - self.sign_px) // 2, 2)
        return QSize(sum(parts) + GAP_PX * max(len(parts) - 1, 0) + 2 * air, self.height())

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme_of(self)
        ink = colours.text if self.isEnabled() else colours.third_text
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            if self.isChecked():
                ink = colours.link
                behind = translucent(colours.link, CHECKED_ALPHA)
                painter.setBrush(behind)
                painter.drawRoundedRect(self.rect(), CORNER_PX, CORNER_PX)
            elif self.isEnabled() and (self.underMouse() or self.isDown()):
                painter.setBrush(colours.line if self.isDown() else colours.faint_line)
                painter.drawRoundedRect(self.rect(), CORNER_PX, CORNER_PX)
            if self.hasFocus():
                paint_ring(painter, self.rect(), colours.link)
            self._paint_content(painter, ink)

    def _paint_content(self, painter: QPainter, ink: QColor) -> None:
        left = AIR_PX if self.words else (self.width() - self.sign_px) // 2
        if not self.sign.isNull():
            box = QRect(left, (self.height() - self.sign_px) // 2, self.sign_px, self.sign_px)
            self.sign.paint(painter, box, mode=_mode(self))
            left = box.right() + 1 + GAP_PX
        painter.setPen(ink)
        right = self.width() - AIR_PX
        if self.words:
            right -= (CHEVRON.width() + GAP_PX) if self._has_chevron else 0
            room = QRect(left, 0, right - left + 1, self.height())
            metrics = QFontMetrics(self.font())
            shown = metrics.elidedText(self.words, Qt.TextElideMode.ElideRight, room.width())
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(room, flags | Qt.TextFlag.TextSingleLine, shown)
            left = room.left() + metrics.horizontalAdvance(shown) + GAP_PX
        elif self.sign.isNull():
            left = (self.width() - CHEVRON.width()) // 2
        if self._has_chevron:
            paint_chevron(painter, left, self.height() // 2, theme_of(self).second_text)


def _mode(button: QToolButton) -> QIcon.Mode:
    if not button.isEnabled():
        return QIcon.Mode.Disabled
    return QIcon.Mode.Active if button.isChecked() else QIcon.Mode.Normal


def paint_ring(painter: QPainter, box: QRect, colour: QColor) -> None:
    """Draw the ring of what has the keyboard, inside of its box."""
    painter.save()
    painter.setPen(QPen(colour, RING_PX))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inset = RING_PX / 2
    painter.drawRoundedRect(box.toRectF().adjusted(inset, inset, -inset, -inset), CORNER_PX, CORNER_PX)
    painter.restore()


def paint_chevron(painter: QPainter, left: int, middle: int, colour: QColor) -> None:
    """Draw the sign of what opens something below it."""
    top, size = middle - CHEVRON.height() // 2, CHEVRON
    painter.setPen(QPen(colour, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawLine(left, top, left + size.width() // 2, top + size.height())
    painter.drawLine(left + size.width() // 2, top + size.height(), left + size.width(), top)


def raised(widget: QWidget) -> None:
    """Give a bar the background of raised parts."""
    widget.setAutoFillBackground(True)
    widget.setBackgroundRole(QPalette.ColorRole.Button)
