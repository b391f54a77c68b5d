"""The lessons that come with Slotscope, to choose from: subject, duration and questions of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect, QSize, Qt, Signal
from typing_extensions import override

from core.files.json_text import parse_json, read_bytes
from core.lessons.lesson_document import lesson_paths
from core.model.errors import InputError
from explorer.lessons.scores import read_scores, right_steps
from explorer.widgets.fuzzy_match import ranked
from explorer.widgets.layouts import push_button
from explorer.widgets.painted_lists import Gallery, Index, PaintedRow, inks, row_of
from explorer.widgets.tables import Column, bold_font

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

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


class ListedLesson(NamedTuple):
    """A lesson, and how far a student is; empty for not begun."""

    head: LessonHead
    done: str

    @property
    def text(self) -> str:
        """All of it in a line."""
        done = f". {self.done}" if self.done else ""
        return f"{self.head.name}. {self.head.summary} {self.head.size}{done}"


LESSON: Column[ListedLesson] = Column("Lesson", lambda listed: listed.text, tip=lambda _listed: "")


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
        super().__init__("Lessons", QSize(720, 620), LESSON, LessonCard(), parent)
        self._right = _right_steps()
        file_button = push_button("From a &file…", "Open a lesson from a file", self._ask_for_file)
        scores_button = push_button("My &scores…", "Show every answer that was checked", self._ask_for_scores)
        self.lay_out(ABOUT, file_button, scores_button)

    @override
    def fitting(self, typed: str) -> Sequence[ListedLesson]:
        heads = ranked(typed, lesson_heads(), lambda head: (head.name, head.summary))
        return [ListedLesson(head, head.done(self._right)) for head in heads]

    @override
    def open_row(self, row: ListedLesson) -> None:
        self.chosen.emit(str(row.head.path))

    def _ask_for_file(self) -> None:
        self.reject()
        self.file_wanted.emit()

    def _ask_for_scores(self) -> None:
        self.reject()
        self.scores_wanted.emit()


def _right_steps() -> dict[str, frozenset[int]]:
    """Return which steps were answered rightly, by lesson; none where scores cannot be read."""
    try:
        return right_steps(read_scores())
    except InputError:
        return {}


class LessonCard(PaintedRow):
    """Draws a lesson: name, how much of it is done, what one learns in up to two lines, how long it is."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, 4 * option.fontMetrics.height() + 2 * GAP_PX + 2 * AIR_PX)

    @override
    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        (head, done), (ink, faint) = row_of(index), inks(option)
        room: QRect = option.rect.adjusted(AIR_PX, AIR_PX, -AIR_PX, -AIR_PX)
        line = option.fontMetrics.height()
        painter.setPen(ink)
        painter.setFont(bold_font(option.font))
        painter.drawText(room, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, head.name)
        painter.setFont(option.font)
        painter.drawText(room, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight, done)
        text = room.adjusted(0, line + GAP_PX, 0, -line - GAP_PX)
        painter.drawText(text, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft, head.summary)
        painter.setPen(faint)
        painter.drawText(room, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, head.size)
