"""The middle of the window: the charts, messages below them, and the line at the foot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from explorer.widgets.layouts import NO_MARGINS, column
from explorer.window.frame.foot import Foot

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from explorer.widgets.details import DetailsDock
    from explorer.widgets.error_messages import MessageBar
    from explorer.window.charts.chart_area import ChartArea

MAX_MESSAGE = 0.4
"""Of the height, for a message."""


class Centre(QWidget):
    """The charts; a message takes room below them, so that it covers none.

    Attributes
    ----------
    foot : the legend, and what was done or read
    """

    def __init__(self, charts: ChartArea, messages: MessageBar) -> None:
        super().__init__()
        self._charts, self._messages = charts, messages
        self.foot = Foot(charts.legend)
        self._inside = column((charts, 1), messages, self.foot, parent=self, margins=NO_MARGINS, spacing=0)

        messages.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give a message the height that its lines need."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show):
            self._fit_message()
        return super().eventFilter(watched, event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_message()

    def _fit_message(self) -> None:
        bar = self._messages
        wanted = bar.heightForWidth(self.width()) if bar.hasHeightForWidth() else bar.sizeHint().height()
        bar.setFixedHeight(min(wanted, round(self.height() * MAX_MESSAGE)))

    def follow(self, details: DetailsDock) -> None:
        """Let the legend stand at the foot of open details at the right, else below the charts."""

        def place() -> None:
            is_column = not (details.isHidden() or details.is_below)
            if is_column:
                details.show_below(self.foot)
            else:
                self._inside.addWidget(self.foot)
            self.foot.stand_below_one_another(is_column=is_column)

        details.toggled.connect(place)
        place()

    def show_above(self, part: QWidget) -> None:
        """Let a part stand above the charts; it takes room only while it is shown."""
        self._inside.insertWidget(0, part)
