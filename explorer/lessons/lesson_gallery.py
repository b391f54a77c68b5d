"""The lessons that come with Slotscope, to choose from: subject, duration and questions of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
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
from core.model.errors import InputError
from explorer.lessons.scores import read_scores, right_steps
from explorer.widgets.fuzzy_match import ranked
from explorer.widgets.layouts import named, push_button
from explorer.widgets.search_field import NOTHING_FOUND, Gallery
from explorer.widgets.tables import EmptyText, bold_font

if TYPE_CHECKING:
    from collections.abc import Mapping

Index = QModelIndex | QPersistentModelIndex
HEAD = Qt.ItemDataRole.UserRole
DONE = Qt.ItemDataRole.UserRole + 1
AIR_PX, GAP_PX = 8, 4
ABOUT = "Each step is a text beside the charts; some ask what comes next. Enter or a double click opens one."


@dataclass(frozen=True)
class LessonHead:
    """The description of a lesson before it is opened; `asking` has its steps with a question, from 1."""

    path: Path
    name: str
    summary: str
    minutes: int
    steps: int
    asking: frozenset[int]

    @property
    def questions(self) -> int:
        """How many questions it has."""
        return len(self.asking)

    def done(self, right: Mapping[str, frozenset[int]]) -> str:
        """Return how far a student is; empty for not begun.

        Parameters
        ----------
        right : the steps that were answered rightly, from 1, by the name of the lesson
        """
        count = len(self.asking & right.get(self.name, frozenset()))
        if count == 0:
            return ""
        return "✔ done" if count == self.questions else f"part done, {count} of {self.questions} questions"

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
    asking = frozenset(number for number, step in enumerate(steps, 1) if "question" in step)
    about = document["name"], document.get("summary", ""), int(document.get("minutes", 0))
    return LessonHead(path, *about, len(steps), asking)


def lesson_after(source: str) -> LessonHead | None:
    """Return the lesson that comes after one of Slotscope's; None for the last one and for other files."""
    heads = lesson_heads()
    places = [place for place, head in enumerate(heads) if source and head.path == Path(source)]
    return heads[places[0] + 1] if places and places[0] + 1 < len(heads) else None


class LessonGallery(Gallery):
    """Lists the lessons.

    Signals
    -------
    chosen : the path of the lesson to open
    file_wanted : a lesson from another file
    scores_wanted : all scores are to be shown
    """

    chosen = Signal(str)
    file_wanted = Signal()
    scores_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Lessons", 720, 620, parent)
        self.list = named(QListWidget(), "Lessons")
        self.list.setItemDelegate(LessonCard(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemDoubleClicked.connect(self.accept)
        EmptyText(self.list, lambda: NOTHING_FOUND)
        self._right = _right_steps()
        file_button = push_button("From a &file…", "Open a lesson from a file", self._ask_for_file)
        scores_button = push_button("My &scores…", "Show every answer that was checked", self._ask_for_scores)
        self.lay_out(ABOUT, self.list, file_button, scores_button)

    @override
    def narrow(self, typed: str) -> None:
        self.list.clear()
        for head in ranked(typed, lesson_heads(), lambda head: (head.name, head.summary)):
            done = head.done(self._right)
            item = QListWidgetItem(f"{head.name}. {head.summary} {head.size}{done and f'. {done}'}")
            item.setData(HEAD, head)
            item.setData(DONE, done)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.open_button.setEnabled(self.list.count() > 0)

    def _ask_for_file(self) -> None:
        self.reject()
        self.file_wanted.emit()

    def _ask_for_scores(self) -> None:
        self.reject()
        self.scores_wanted.emit()

    @override
    def accept(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            path = str(item.data(HEAD).path)
            super().accept()
            self.chosen.emit(path)


def _right_steps() -> dict[str, frozenset[int]]:
    """Return which steps were answered rightly, by lesson; none where scores cannot be read."""
    try:
        return right_steps(read_scores())
    except InputError:
        return {}


class LessonCard(QStyledItemDelegate):
    """Draws a lesson: name, how much of it is done, what one learns in up to two lines, how long it is."""

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
        painter.drawText(room, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight, index.data(DONE))
        text = room.adjusted(0, line + GAP_PX, 0, -line - GAP_PX)
        painter.drawText(text, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft, head.summary)
        painter.setPen(option.palette.color(faint))
        painter.drawText(room, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, head.size)
        painter.restore()
