"""The line at the foot of the window: what colours mean, and at its right what was done or read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QPainter, QPalette
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from explorer.widgets.layouts import row
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.theme import theme_of, write_with

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from explorer.gantt.layers.legend import Legend

HEIGHT, SIDE = 24, 10
NOTE_MS = 5000
DETAILS_TIP = "Show what was kept, left out and assumed"
MIN_FOR_LONG_LINE = 1000
"""Pixels of the foot from which what was read is said in full."""
MAX_SHARE, MIN_NOTE = 0.45, 240
"""How much of the foot is for what was done or read, at most, and its pixels where the legend wants all."""


class Note(PlainLabel):
    """Shows what was done, for some seconds; else what goes on; else what stands there for longer.

    Signals
    -------
    changed : it shows something else
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._note = self._going_on = self._standing = ""
        self._timer = QTimer(self, singleShot=True, interval=NOTE_MS)
        self._timer.timeout.connect(lambda: self.show_note(""))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
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

    def stand(self, text: str) -> None:
        """Show a text where nothing else is to be said."""
        self._standing = text
        self._show()

    @property
    def is_standing(self) -> bool:
        """Whether it shows what stands there for longer."""
        return not (self._note or self._going_on)

    def _show(self) -> None:
        text = self._note or self._going_on or self._standing
        self.setVisible(bool(text))
        self.setText(text)
        self.setToolTip(text)
        self.changed.emit()
        if text != self.accessibleName():
            self.setAccessibleName(text)
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(1, super().minimumSizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        # a path keeps its end, what was read its beginning: how much of it, and what was left out
        mode = Qt.TextElideMode.ElideRight if self.is_standing else Qt.TextElideMode.ElideMiddle
        text = self.fontMetrics().elidedText(self.text(), mode, self.width())
        with QPainter(self) as painter:
            painter.setPen(theme_of(self).second_text)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, text)


class WordsLink(QToolButton):
    """Words to be clicked, in the colour of links."""

    def __init__(self, text: str, tip: str) -> None:
        super().__init__(autoRaise=True)
        self.setText(text)
        self.setToolTip(tip)
        self.setAccessibleName(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @override
    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 4, HEIGHT - 4)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colours, font = theme_of(self), self.font()
        font.setUnderline(self.underMouse() or self.hasFocus())
        with QPainter(self) as painter:
            write_with(painter, font, colours.link)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())


class Foot(QWidget):
    """Legend, then a note; what a log brought stands there until it is another log.

    It is a line below the charts, or the foot of open details at their right, which costs the charts no line.

    Attributes
    ----------
    note : says what was done, what goes on, or what was read
    details : leads to the whole account of what was read

    Signals
    -------
    details_wanted : the user wants to see that account
    """

    details_wanted = Signal()

    def __init__(self, legend: Legend) -> None:
        super().__init__(accessibleName="Foot of the window")
        self._legend = legend
        self._long = self._short = ""
        self.note, self.details = Note(), WordsLink("Details", DETAILS_TIP)
        self.details.clicked.connect(self.details_wanted)
        self.note.changed.connect(self._show_details)
        self._line = row((legend, 1), parent=self, margins=(0, 0, 10, 0), spacing=4)
        self._line.addLayout(row(self.note, self.details, spacing=4))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.details.hide()

    def stand_below_one_another(self, *, is_column: bool) -> None:
        """Let the legend take several lines, with the note below them; else stand side by side."""
        self._legend.show_in_rows(has_rows=is_column)
        way = QBoxLayout.Direction.TopToBottom if is_column else QBoxLayout.Direction.LeftToRight
        self._line.setDirection(way)
        self._line.setContentsMargins(0, 0, 0 if is_column else SIDE, 6 * is_column)
        self._fit()

    def show_read(self, long: str, short: str) -> None:
        """Say what was read, in a wide and in a narrow window; nothing for empty texts."""
        self._long, self._short = long, short
        self.details.setToolTip(f"{long}\n{DETAILS_TIP}" if long else DETAILS_TIP)
        self._fit()

    def _fit(self) -> None:
        is_long = self.width() >= MIN_FOR_LONG_LINE
        self.note.stand(self._long if is_long else "")
        self._share_room()
        words = "Details" if is_long else self._short
        self.details.setText(words)
        self.details.setAccessibleName(words if is_long else f"{words}, details")
        self.details.updateGeometry()
        self._show_details()

    def _share_room(self) -> None:
        """Give the legend what it needs, if that leaves the note enough to be understood."""
        if self._line.direction() == QBoxLayout.Direction.TopToBottom:
            self.note.setMaximumWidth(self.width())
            return
        rest = self.width() - self._legend.sizeHint().width()
        self.note.setMaximumWidth(min(round(self.width() * MAX_SHARE), max(rest, MIN_NOTE)))

    def _show_details(self) -> None:
        self.details.setVisible(bool(self._long) and self.note.is_standing)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._share_room()  # the legend may list other things
        return super().event(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
