"""The lessons that come with Slotscope, to choose from: subject, duration and questions of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from core.files.json_text import parse_json, read_bytes
from core.lessons.lesson_document import lesson_paths
from explorer.widgets.fuzzy_match import ranked
from explorer.widgets.layouts import named, push_button
from explorer.widgets.search_field import NOTHING_FOUND, Gallery
from explorer.widgets.tables import EmptyText, bold_font

if TYPE_CHECKING:
    from pathlib import Path

Index = QModelIndex | QPersistentModelIndex
HEAD = Qt.ItemDataRole.UserRole
AIR_PX, GAP_PX = 8, 4
ABOUT = "Each step is a text beside the charts; some ask what comes next. Enter or a double click opens one."


@dataclass(frozen=True)
class LessonHead:
    """The description of a lesson before it is opened."""

    path: Path
    name: str
    summary: str
    minutes: int
    steps: int
    questions: int

    @property
    def size(self) -> str:
        """How long it is."""
        questions = f"{self.questions} question{'' if self.questions == 1 else 's'}"
        parts = [f"{self.minutes} min"] if self.minutes else []
        return " · ".join((*parts, f"{self.steps} steps", questions))


@cache
def lesson_heads() -> tuple[LessonHead, ...]:
    """Return the lessons that come with Slotscope, in the order in which they are taught."""
    return tuple(_head(path) for path in lesson_paths().values())


def _head(path: Path) -> LessonHead:
    document = parse_json(read_bytes(path), path.name)
    steps = document["steps"]
    questions = sum("question" in step for step in steps)
    about = document["name"], document.get("summary", ""), int(document.get("minutes", 0))
    return LessonHead(path, *about, len(steps), questions)


class LessonGallery(Gallery):
    """Lists the lessons.

    Signals
    -------
    chosen : the path of the lesson to open
    file_wanted : a lesson from another file
    """

    chosen = Signal(str)
    file_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Lessons", 720, 620, parent)
        self.list = named(QListWidget(), "Lessons")
        self.list.setItemDelegate(LessonCard(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemDoubleClicked.connect(self.accept)
        EmptyText(self.list, lambda: NOTHING_FOUND)
        file_button = push_button("From a &file…", "Open a lesson from a file", self._ask_for_file)
        self.lay_out(ABOUT, self.list, file_button)

    @override
    def narrow(self, typed: str) -> None:
        self.list.clear()
        for head in ranked(typed, lesson_heads(), lambda head: (head.name, head.summary)):
            item = QListWidgetItem(f"{head.name}. {head.summary} {head.size}")
            item.setData(HEAD, head)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.open_button.setEnabled(self.list.count() > 0)

    def _ask_for_file(self) -> None:
        self.reject()
        self.file_wanted.emit()

    @override
    def accept(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            path = str(item.data(HEAD).path)
            super().accept()
            self.chosen.emit(path)


class LessonCard(QStyledItemDelegate):
    """Draws a lesson: its name, how long it is, and what one learns in up to two lines."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, 4 * option.fontMetrics.height() + 2 * GAP_PX + 2 * AIR_PX)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        head, option.text = index.data(HEAD), ""
        option.widget.style().drawControl(
            QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget
        )
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if is_chosen else QPalette.ColorRole.Text
        faint = role if is_chosen else QPalette.ColorRole.PlaceholderText
        room: QRect = option.rect.adjusted(AIR_PX, AIR_PX, -AIR_PX, -AIR_PX)
        line = option.fontMetrics.height()
        painter.save()
        painter.setPen(option.palette.color(role))
        painter.setFont(bold_font(option.font))
        painter.drawText(room, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, head.name)
        painter.setFont(option.font)
        text = room.adjusted(0, line + GAP_PX, 0, -line - GAP_PX)
        painter.drawText(text, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft, head.summary)
        painter.setPen(option.palette.color(faint))
        painter.drawText(room, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, head.size)
        painter.restore()
