"""The card that floats over a chart and says what is wrong with its policy file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPainter, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from explorer.widgets.plain_labels import ElidedLabel, PlainLabel, tooltip
from explorer.widgets.widget_theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

    from explorer.policy_files.notice import Notice

WIDEST_PX = 620
AIR_PX = 8
CORNER_PX = 6.0
STRIPE_PX = 4
VEIL_ALPHA = 150


class NoticeCard(QFrame):
    """Shows one `Notice` upon a chart, which is greyed behind it while its schedule is an old one.

    Signals
    -------
    look_wanted : people want to look at the file and perhaps trust it
    editor_wanted : they want it in their editor
    """

    look_wanted = Signal()
    editor_wanted = Signal()

    def __init__(self, chart: QWidget, plot: Callable[[], QRect]) -> None:
        super().__init__(chart)
        self._chart, self._plot = chart, plot
        self._notice: Notice | None = None
        self.veil = _Veil(chart)
        self.heading = ElidedLabel()
        self.heading.setFont(_bold(self.font()))
        self.sentence = PlainLabel(wraps=True)
        self.sentence.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.code = PlainLabel()
        self.code.setAccessibleName("Line of the policy file")
        self.code.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.code.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.look_button = QPushButton("&Look at it and run …")
        self.look_button.setToolTip("Show the file, and run it if you trust it")
        self.look_button.clicked.connect(self.look_wanted)
        self.editor_button = QPushButton("Open in &editor")
        self.editor_button.setToolTip("Open the file in the program that your system uses for it")
        self.editor_button.clicked.connect(self.editor_wanted)
        self._lay_out()
        chart.installEventFilter(self)
        self.hide()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self.code, 1, Qt.AlignmentFlag.AlignVCenter)
        buttons.addWidget(self.editor_button)
        buttons.addWidget(self.look_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(AIR_PX + STRIPE_PX + 4, AIR_PX, AIR_PX, AIR_PX)
        layout.setSpacing(5)
        layout.addWidget(self.heading)
        layout.addWidget(self.sentence)
        layout.addLayout(buttons)

    @property
    def notice(self) -> Notice | None:
        """What is shown."""
        return self._notice

    def show_notice(self, notice: Notice | None) -> None:
        """Show another notice, or none."""
        if notice == self._notice:
            return
        self._notice = notice
        self.setVisible(notice is not None)
        self.veil.setVisible(notice is not None and notice.fades)
        if notice is None:
            return
        self.heading.setText(notice.heading)
        self.sentence.setText(notice.sentence)
        self.code.setText(notice.code)
        self.look_button.setVisible(notice.asks)
        self.setAccessibleName(f"{notice.heading}: {notice.sentence}")
        self.setToolTip(tooltip(str(notice.path)))
        self._place()
        self.veil.raise_()
        self.raise_()

    def _place(self) -> None:
        """Lie upon the plot: at its foot over a schedule, in its middle where there is none."""
        plot = self._plot()
        self.veil.setGeometry(plot)
        room = plot.adjusted(AIR_PX, 4, -AIR_PX, -4)
        width = min(WIDEST_PX, room.width())
        height = min(max(self.heightForWidth(width), self.minimumSizeHint().height()), self._chart.height())
        top = room.center().y() - height // 2
        if self._notice is not None and self._notice.fades:
            top = room.bottom() - height
        left = room.center().x() - width // 2
        self.setGeometry(left, max(min(top, self._chart.height() - height), 0), width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the chart's size."""
        if watched is self._chart and event.type() == QEvent.Type.Resize and self._notice is not None:
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a card with a stripe at its left, as messages have."""
        colours = theme_of(self)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colours.line, 1))
            painter.setBrush(colours.card)
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), CORNER_PX, CORNER_PX)
            painter.setPen(Qt.PenStyle.NoPen)
            asks = self._notice is not None and self._notice.asks
            painter.setBrush(colours.accent if asks else colours.bad)
            painter.drawRoundedRect(4, 5, STRIPE_PX, self.height() - 11, 2.0, 2.0)


class _Veil(QWidget):
    """Greys a chart out; the mouse goes through it."""

    def __init__(self, chart: QWidget) -> None:
        super().__init__(chart)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Lay the window's colour over everything."""
        colour = QColor(theme_of(self).window)
        colour.setAlpha(VEIL_ALPHA)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), colour)


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setBold(True)
    return bold
