"""The list of policies under their headings, which typing narrows: in popups and dialogs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QWidget,
)
from typing_extensions import override

from core.model.schedule import RECORDED
from core.policies.registry import PolicyDescription, file_policies, policies
from explorer.document.titles import policy_title
from explorer.widgets.fuzzy_match import ranked
from explorer.widgets.painted_lists import Index, PaintedRow, inks
from explorer.widgets.search_field import LIST_KEYS, SearchField
from explorer.widgets.tables import bold_font

if TYPE_CHECKING:
    from collections.abc import Set

    from PySide6.QtWidgets import QStyleOptionViewItem

RECORD_SUMMARY = (
    "No policy: what really ran, as the log tells it, with hosts and failed attempts. Edits do not change it."
)
RECORD_GROUP = "What a log recorded"
ID_ROLE = Qt.ItemDataRole.UserRole
SUMMARY_ROLE = Qt.ItemDataRole.UserRole + 1
AIR_PX = 6
TEXT_WIDTH_PX = 370
WIDTH_PX = TEXT_WIDTH_PX + 2 * AIR_PX + 18
"""Of the list: its texts, air, and a scroll bar where the screen is low."""


class PolicyList(QListWidget):
    """Every policy under the heading of its group; a click or Enter chooses one.

    What is typed in `field`, which stands above the list, narrows it to what fits, the best first.

    Signals
    -------
    chosen : the user chose the policy with this id
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
        self.field = SearchField("Search policies")
        self.field.leave_keys_to(self, (*LIST_KEYS, Qt.Key.Key_Return, Qt.Key.Key_Enter))
        self.field.textChanged.connect(self._show)
        self._described: list[PolicyDescription] = []
        self.fill()
        self.itemClicked.connect(self._on_clicked)

    def fill(self, *, with_record: bool = False, of_graphs: bool = False) -> None:
        """List our policies, those of files that have been run, and what a log recorded if there is one.

        With `of_graphs` only those that serve jobs of other stages than maps and reduces.
        """
        described = [*policies(), *map(_with_file_name, file_policies())]
        self._described = [each for each in described if not (of_graphs and each.needs_map_reduce)]
        if with_record:
            title = policy_title(RECORDED)
            self._described.append(
                PolicyDescription(RECORDED, title, RECORD_SUMMARY, (), False, RECORD_GROUP)
            )
        self.field.clear()
        self._show()

    def _show(self) -> None:
        """Show what fits, with headings while nothing is typed; the first one is marked."""
        typed, heading = self.field.text().strip(), ""
        self.clear()
        for each in ranked(typed, self._described, lambda each: (each.title, f"{each.group} {each.summary}")):
            if each.group != heading and not typed:
                heading = each.group
                self.addItem(_heading(heading))
            self.addItem(_item(each.id, each.title, each.summary))
        if not self.count():
            self.addItem(_heading("No policy is called so"))
        self._step(1)

    def select(self, policy_id: str) -> None:
        """Mark the policy that holds now."""
        for place in range(self.count()):
            if self.item(place).data(ID_ROLE) == policy_id:
                self.setCurrentRow(place)

    def select_other_than(self, policy_ids: Set[str]) -> None:
        """Mark the first policy that is none of some, if there is one."""
        ids = [self.item(place).data(ID_ROLE) for place in range(self.count())]
        others = (place for place, policy_id in enumerate(ids) if policy_id and policy_id not in policy_ids)
        self.setCurrentRow(next(others, self.currentRow()))

    def _step(self, by: int) -> None:
        """Mark the next policy, or the one before; headings are passed over."""
        place = self.currentRow() + by
        while 0 <= place < self.count() and not self.item(place).data(ID_ROLE):
            place += by
        if 0 <= place < self.count():
            self.setCurrentRow(place)
        if place <= 1:
            self.scrollToTop()  # with its heading

    @override
    def sizeHint(self) -> QSize:
        height = sum(self.sizeHintForRow(place) for place in range(self.count()))
        return QSize(WIDTH_PX, height + 2 * self.frameWidth())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        item, key = self.currentItem(), event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if item is not None:
                self._on_clicked(item)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step(1 if key == Qt.Key.Key_Down else -1)
        elif event.text().isprintable() and event.text():
            self.field.setFocus()
            self.field.insert(event.text())
        else:
            super().keyPressEvent(event)

    def _on_clicked(self, item: QListWidgetItem) -> None:
        if item.data(ID_ROLE):
            self.chosen.emit(item.data(ID_ROLE))


def _with_file_name(description: PolicyDescription) -> PolicyDescription:
    """Show which file a policy comes from."""
    name = Path(description.id).name
    summary = f"{description.summary} ({name})" if description.summary else name
    return replace(description, summary=summary)


def _heading(text: str) -> QListWidgetItem:
    item = QListWidgetItem(text)
    item.setFlags(Qt.ItemFlag.NoItemFlags)
    item.setData(SUMMARY_ROLE, "")
    return item


def _item(policy_id: str, title: str, summary: str) -> QListWidgetItem:
    item = QListWidgetItem(title)
    item.setData(ID_ROLE, policy_id)
    item.setData(SUMMARY_ROLE, summary)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{title}. {summary}")
    return item


class _TwoLines(PaintedRow):
    """Draws the title in bold and the summary below it."""

    @override
    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        ink, faint = inks(option)
        title, summary = _places(option.rect, option.font)
        painter.setPen(ink if index.data(ID_ROLE) else faint)
        painter.setFont(bold_font(option.font))
        painter.drawText(title, Qt.AlignmentFlag.AlignLeft, index.data(Qt.ItemDataRole.DisplayRole))
        painter.setFont(option.font)
        painter.drawText(summary, Qt.TextFlag.TextWordWrap, index.data(SUMMARY_ROLE))

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        metrics = QFontMetrics(option.font)
        if not index.data(ID_ROLE):
            return QSize(TEXT_WIDTH_PX + 2 * AIR_PX, metrics.height() + 2 * AIR_PX)
        room = QRect(0, 0, TEXT_WIDTH_PX, 1000)
        summary = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, index.data(SUMMARY_ROLE))
        title = QFontMetrics(bold_font(option.font))
        return QSize(TEXT_WIDTH_PX + 2 * AIR_PX, title.height() + summary.height() + 2 * AIR_PX)


def _places(rect: QRect, font: QFont) -> tuple[QRect, QRect]:
    inner = rect.adjusted(AIR_PX, AIR_PX, -AIR_PX, -AIR_PX)
    line = QFontMetrics(bold_font(font)).height()
    title = QRect(inner.left(), inner.top(), TEXT_WIDTH_PX, line)
    return title, QRect(inner.left(), inner.top() + line, TEXT_WIDTH_PX, inner.height() - line)
