"""The menu in which the user chooses what decides of the colours of tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from typing_extensions import override

from explorer.gantt.geometry.chart_frame import colour
from explorer.widgets.layouts import column
from explorer.widgets.popup_frame import PopupFrame
from explorer.widgets.theme import fill_with, translucent, write_with

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QPaintEvent

    from core.measures.job_classes import ClassedBy
    from explorer.widgets.theme import Theme

WIDTH, ROW = 304, 27
SWATCH_WIDTH, SWATCH_HEIGHT = 10, 10
SWATCHES = 50
"""Pixels that five swatches take."""
CHECK, SIDE, AIR = 28, 14, 10


class ColourOffer(NamedTuple):
    """One thing that may decide.

    Attributes
    ----------
    by : what it is
    name, amount : "Size of the job", "5 classes"
    swatches : some of its colours, 0xRRGGBB; none where all tasks are alike, which cannot be chosen
    """

    by: ClassedBy
    name: str
    amount: str
    swatches: Sequence[int]


class ColourMenu(PopupFrame):
    """Rows with a check, a name, what there is of it, and colours.

    Signals:
        chosen: the value of what was chosen
    """

    chosen = Signal(str)

    def __init__(
        self, owner: QWidget, offers: Sequence[ColourOffer], current: ClassedBy, theme: Theme
    ) -> None:
        super().__init__(owner)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(WIDTH)
        self.setAccessibleName("Colour tasks by")
        title = QLabel("Colour tasks by")
        title.setForegroundRole(title.palette().ColorRole.PlaceholderText)
        title.setContentsMargins(8, 0, 0, 4)
        self.rows = [_OfferRow(offer, offer.by is current, theme) for offer in offers]
        for row in self.rows:
            row.clicked.connect(self._on_clicked)
        column(title, *self.rows, parent=self, margins=(6, 8, 6, 6), spacing=0)
        self.setFocusProxy(next((row for row in self.rows if row.isChecked()), self.rows[0]))

    def show_above(self, place: QPoint) -> None:
        """Open with the lower left corner at a place on the screen."""
        self.adjustSize()
        self.move(place - QPoint(0, self.height()))
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def _go(self, step: int) -> None:
        offered = [row for row in self.rows if row.isEnabled()]
        at = next((place for place, row in enumerate(offered) if row is self.focusWidget()), -step)
        offered[(at + step) % len(offered)].setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_clicked(self) -> None:
        row = self.sender()
        assert isinstance(row, _OfferRow)
        self.chosen.emit(row.offer.by.value)
        self.close()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go up and down by arrow keys."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        if (step := steps.get(Qt.Key(event.key()))) is not None:
            self._go(step)
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)


class _OfferRow(QAbstractButton):
    def __init__(self, offer: ColourOffer, is_current: bool, theme: Theme) -> None:
        super().__init__(checkable=True, checked=is_current, text=offer.name, autoExclusive=True)
        self.offer, self._theme = offer, theme
        self.setEnabled(bool(offer.swatches))
        self.setAccessibleDescription(offer.amount)
        self.setFixedHeight(ROW)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    @override
    def sizeHint(self) -> QSize:
        return QSize(WIDTH - 12, ROW)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()  # the menu goes on
        else:
            super().keyPressEvent(event)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.HoverEnter and self.isEnabled():
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        return super().event(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme, place = self._theme, QRectF(self.rect())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.hasFocus():
                fill_with(painter, translucent(theme.cursor, 40))
                painter.drawRoundedRect(place, 5, 5)
            if self.isChecked():
                painter.setPen(QPen(theme.cursor, 1.8))
                middle = place.center().y()
                painter.drawPolyline(
                    [QPoint(9, int(middle)), QPoint(12, int(middle) + 3), QPoint(18, int(middle) - 4)]
                )
            painter.setPen(theme.text if self.isEnabled() else theme.third_text)
            font = self.font()
            font.setBold(self.isChecked())
            painter.setFont(font)
            across = place.adjusted(CHECK, 0, -SIDE, 0)
            middle_left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(across, int(middle_left), self.offer.name)
            write_with(painter, self.font(), theme.second_text if self.isEnabled() else theme.third_text)
            beside = across.adjusted(0, 0, -SWATCHES - AIR, 0)
            beside.setLeft(beside.left() + QFontMetricsF(font).horizontalAdvance(self.offer.name) + AIR)
            middle_right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(beside, int(middle_right), self.offer.amount)
            left, top = across.right() - SWATCHES, place.center().y() - SWATCH_HEIGHT / 2
            for number, one in enumerate(self.offer.swatches):
                swatch = QRectF(left + number * SWATCH_WIDTH, top, SWATCH_WIDTH, SWATCH_HEIGHT)
                painter.fillRect(swatch, colour(one))
