"""A list that drops down, with a few faint words before what is chosen: "Along  Map slots"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QComboBox, QSizePolicy, QStyle, QStyleOptionComboBox
from typing_extensions import override

from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

MIN_LETTERS, MAX_WIDTH = 7, 300
GAP_PX = 6


class TitledBox(QComboBox):
    """As wide as its words; where there is less room the title goes first, then the end of what is chosen.

    Attributes
    ----------
    title : the faint words
    """

    def __init__(self, title: str = "") -> None:
        super().__init__()
        self.title = title
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    @property
    def _title_width(self) -> int:
        return self.fontMetrics().horizontalAdvance(self.title) + GAP_PX if self.title else 0

    @override
    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(min(hint.width(), MAX_WIDTH) + self._title_width + 2 * GAP_PX, hint.height())

    @override
    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        least = self.fontMetrics().horizontalAdvance("x" * MIN_LETTERS) + 2 * hint.height()
        return QSize(min(least, super().sizeHint().width()), hint.height())

    @property
    def shows_title(self) -> bool:
        """Whether there is room for the title beside what is chosen."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return self._title_width + self.fontMetrics().horizontalAdvance(self.currentText()) <= self._room(
            option
        )

    def _room(self, option: QStyleOptionComboBox) -> int:
        part = QStyle.SubControl.SC_ComboBoxEditField
        area = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        return area.width() - GAP_PX

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        control, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        area = self.style().subControlRect(control, option, part, self).adjusted(GAP_PX // 2, 0, 0, 0)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        colours, metrics = theme_of(self), self.fontMetrics()
        with QPainter(self) as painter:
            self.style().drawComplexControl(control, option, painter, self)
            if self.title and self.shows_title:
                painter.setPen(colours.second_text)
                painter.drawText(area, flags, self.title)
                area.setLeft(area.left() + self._title_width)
            painter.setPen(colours.text if self.isEnabled() else colours.third_text)
            shown = metrics.elidedText(self.currentText(), Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(area, flags | Qt.TextFlag.TextSingleLine, shown)
