"""The list of policies, each with its title and what it does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QWidget,
)

from core.model.execution_history import RECORDED
from core.policies.registry import file_policies, policies
from explorer.document.titles import policy_title

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from core.policies.registry import PolicyDescription

RECORD_SUMMARY = (
    "No policy: what really ran, as the log tells it, with hosts and failed attempts. Edits do not change it."
)
Index = QModelIndex | QPersistentModelIndex
ID_ROLE = Qt.ItemDataRole.UserRole
SUMMARY_ROLE = Qt.ItemDataRole.UserRole + 1
AIR_PX = 6
TEXT_WIDTH_PX = 370
WIDTH_PX = TEXT_WIDTH_PX + 2 * AIR_PX + 18
"""Of the list: its texts, air, and a scroll bar where the screen is low."""


class PolicyList(QListWidget):
    """Every policy; a click or Enter chooses one.

    Signals
    -------
    chosen : people chose the policy with this id
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Policies")
        self.setItemDelegate(_TwoLines(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setUniformItemSizes(False)
        self.setMinimumWidth(WIDTH_PX)
        self.fill()
        self.itemClicked.connect(self._on_clicked)

    def fill(self, *, with_record: bool = False) -> None:
        """List our policies, those of files that have been run, and what a log recorded if there is one."""
        self.clear()
        for description in (*policies(), *map(_with_file_name, file_policies())):
            self.addItem(_item(description.id, description.title, description.summary))
        if with_record:
            self.addItem(_item(RECORDED, policy_title(RECORDED), RECORD_SUMMARY))

    def select(self, policy_id: str) -> None:
        """Mark the policy that holds now."""
        for row in range(self.count()):
            if self.item(row).data(ID_ROLE) == policy_id:
                self.setCurrentRow(row)

    def sizeHint(self) -> QSize:
        """Ask for room for all policies, so that nothing scrolls where it fits."""
        height = sum(self.sizeHintForRow(row) for row in range(self.count()))
        return QSize(WIDTH_PX, height + 2 * self.frameWidth())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose with Enter or the space bar."""
        item = self.currentItem()
        if item is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._on_clicked(item)
        else:
            super().keyPressEvent(event)

    def _on_clicked(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.data(ID_ROLE))


def _with_file_name(description: PolicyDescription) -> PolicyDescription:
    """Say which file a policy comes from."""
    name = Path(description.id).name
    summary = f"{description.summary} ({name})" if description.summary else name
    return replace(description, summary=summary)


def _item(policy_id: str, title: str, summary: str) -> QListWidgetItem:
    item = QListWidgetItem(title)
    item.setData(ID_ROLE, policy_id)
    item.setData(SUMMARY_ROLE, summary)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{title}. {summary}")
    return item


class _TwoLines(QStyledItemDelegate):
    """Draws the title in bold and the summary below it."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        option.text = ""
        option.widget.style().drawControl(
            QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget
        )
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text
        title, summary = _places(option.rect, option.font)
        painter.save()
        painter.setPen(option.palette.color(role))
        painter.setFont(_bold(option.font))
        painter.drawText(title, Qt.AlignmentFlag.AlignLeft, index.data(Qt.ItemDataRole.DisplayRole))
        painter.setFont(option.font)
        painter.drawText(summary, Qt.TextFlag.TextWordWrap, index.data(SUMMARY_ROLE))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        metrics = QFontMetrics(option.font)
        room = QRect(0, 0, TEXT_WIDTH_PX, 1000)
        summary = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, index.data(SUMMARY_ROLE))
        title = QFontMetrics(_bold(option.font))
        return QSize(TEXT_WIDTH_PX + 2 * AIR_PX, title.height() + summary.height() + 2 * AIR_PX)


def _places(rect: QRect, font: QFont) -> tuple[QRect, QRect]:
    inner = rect.adjusted(AIR_PX, AIR_PX, -AIR_PX, -AIR_PX)
    line = QFontMetrics(_bold(font)).height()
    title = QRect(inner.left(), inner.top(), TEXT_WIDTH_PX, line)
    return title, QRect(inner.left(), inner.top() + line, TEXT_WIDTH_PX, inner.height() - line)


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setBold(True)
    return bold
