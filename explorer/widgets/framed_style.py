"""Fusion, with frames that can be seen on dark windows: it derives them from the window, only darker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QProxyStyle, QStyle

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOption, QStyleOptionComplex, QWidget

FRAMED_PRIMITIVES = (QStyle.PrimitiveElement.PE_FrameLineEdit, QStyle.PrimitiveElement.PE_IndicatorCheckBox)
FRAMED_CONTROLS = (QStyle.ComplexControl.CC_SpinBox, QStyle.ComplexControl.CC_ComboBox)
DARK_BELOW = 128
"""Lightness of a window below which its frames need help."""
FRAME_ALPHA, CORNER_PX = 70, 2


class FramedStyle(QProxyStyle):
    """Draws a thin light frame around fields and check boxes of dark windows."""

    def __init__(self) -> None:
        super().__init__("Fusion")

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """Draw as Fusion does, then the frame."""
        super().drawPrimitive(element, option, painter, widget)
        if element in FRAMED_PRIMITIVES:
            _frame(option, painter)

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """Draw as Fusion does, then the frame."""
        super().drawComplexControl(control, option, painter, widget)
        if control in FRAMED_CONTROLS:
            _frame(option, painter)


def _frame(option: QStyleOption, painter: QPainter) -> None:
    palette = option.palette
    has_focus = bool(option.state & QStyle.StateFlag.State_HasFocus)
    if palette.color(QPalette.ColorRole.Window).lightness() >= DARK_BELOW or has_focus:
        return
    colour = QColor(palette.color(QPalette.ColorRole.Text))
    colour.setAlpha(FRAME_ALPHA)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(colour)
    painter.drawRoundedRect(option.rect.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), CORNER_PX, CORNER_PX)
    painter.restore()
