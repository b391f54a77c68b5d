"""The middle of the window: the charts, and what floats over them without moving them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleEvent, QPainter
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from explorer.widgets.layouts import NO_MARGINS, column
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from explorer.widgets.error_messages import MessageBar
    from explorer.window.charts.chart_area import ChartArea

NOTE_MS = 5000
AIR_PX = 10
"""Between what floats and the edges of the charts."""


class Note(PlainLabel):
    """Shows what was done, for some seconds, or what goes on; the mouse reaches what is below it."""

    def __init__(self, parent: Centre) -> None:
        super().__init__(parent=parent)
        self._centre = parent
        self._note = self._going_on = ""
        self._timer = QTimer(self, singleShot=True, interval=NOTE_MS)
        self._timer.timeout.connect(lambda: self.show_note(""))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(self.palette().ColorRole.ToolTipBase)
        self.setMargin(6)
        self.hide()

    def show_note(self, text: str) -> None:
        """Show a text for some seconds, in front of what goes on."""
        self._note = text
        if text:
            self._timer.start()
        self._show()

    def go_on(self, text: str) -> None:
        """Show what goes on until that is another text, or none."""
        self._going_on = text
        self._show()

    def _show(self) -> None:
        text = self._note or self._going_on
        self.setVisible(bool(text))
        if text != self.accessibleName():
            self.setAccessibleName(text)
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))
        self.fit()

    def fit(self) -> None:
        """Lie at the bottom of the charts, as wide as the text if there is room."""
        room = self._centre.room
        frame = 2 * self.margin()
        text = self.fontMetrics().elidedText(
            self.accessibleName(), Qt.TextElideMode.ElideMiddle, room.width() - frame
        )
        self.setText(text)
        size = self.sizeHint().boundedTo(room.size())
        self.setGeometry(QRect(room.bottomLeft() - QPoint(0, size.height() + self._centre.taken), size))
        self.raise_()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setPen(theme_of(self).line)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


class Centre(QWidget):
    """The charts; messages float over their bottom, above the axis, and a note above them.

    Attributes
    ----------
    note : says what was done
    """

    def __init__(self, charts: ChartArea, messages: MessageBar) -> None:
        super().__init__()
        self._charts, self._messages = charts, messages
        self._column = column(charts, parent=self, margins=NO_MARGINS, spacing=0)
        self.note = Note(self)
        messages.setParent(self)
        for part in (messages, charts):
            part.installEventFilter(self)

    def show_above(self, part: QWidget) -> None:
        """Put something above the charts, which takes room only while it is shown."""
        self._column.insertWidget(0, part)

    @property
    def room(self) -> QRect:
        """Where things may float: over the charts but not their axis, with some air around."""
        shown = self._charts.stack.viewport()
        place = QRect(shown.mapTo(self, QPoint()), shown.size())
        return place.adjusted(AIR_PX, AIR_PX, -AIR_PX, -AIR_PX)

    @property
    def taken(self) -> int:
        """How many pixels at the bottom of the charts a message covers."""
        return 0 if self._messages.isHidden() else self._messages.height()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = (QEvent.Type.LayoutRequest, QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Resize)
        if event.type() in kinds and not (watched is self._messages and event.type() == QEvent.Type.Resize):
            self._place_messages()
        return super().eventFilter(watched, event)

    def _place_messages(self) -> None:
        bar, room = self._messages, self.room.marginsAdded(QMargins(AIR_PX, 0, AIR_PX, AIR_PX))
        width = room.width()
        height = bar.heightForWidth(width) if bar.hasHeightForWidth() else bar.sizeHint().height()
        height = max(0, min(height, room.height()))
        bar.setGeometry(QRect(room.left(), room.bottom() + 1 - height, width, height))
        bar.raise_()
        self.note.fit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_messages()
