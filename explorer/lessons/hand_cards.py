"""Jobs that may have the slot that is offered: a card for each, searched and sorted where there are many."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QWidget,
)
from typing_extensions import override

from core.model.task_types import KIND_WORDS, MAP, REDUCE, STAGE_WORDS
from core.model.time_text import duration_text
from core.model.visible_text import short_names
from explorer.widgets.layouts import NO_MARGINS, column, named, row
from explorer.widgets.painted_lists import row_of
from explorer.widgets.search_field import SearchField
from explorer.widgets.tables import Column, RowsModel
from explorer.widgets.theme import theme_of, write_with

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtCore import QPersistentModelIndex
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from core.lessons.hand_game import HandCandidate
    from core.model.workload import Workload

    Index = QModelIndex | QPersistentModelIndex

WIDTH, AIR, SWATCH = 172, 6, 5
FEW = 9
"""So many cards have a key of their own; where there are more, they can be searched and sorted."""
MAX_ROWS = 2
"""Of cards in view at once; the others are scrolled to."""


class Card(NamedTuple):
    """One job that may have the slot: the candidate with its name and its colour."""

    candidate: HandCandidate
    name: str
    colour: QColor
    is_map_reduce: bool = True

    @property
    def lines(self) -> tuple[str, str]:
        """What is left of its maps and of its reduces, or of its first and its later stages."""
        left, seconds = self.candidate.left, self.candidate.seconds
        if not self.is_map_reduce:
            first, later = (
                f"{word}s: {left[kind]} × {duration_text(seconds[kind])}" if left[kind] else f"{word}s: none"
                for kind, word in enumerate(STAGE_WORDS)
            )
            return first, later
        maps, reduces = (
            f"{left[kind]} {word}{'' if left[kind] == 1 else 's'} of {duration_text(seconds[kind])}"
            if left[kind]
            else f"no {word} left"
            for kind, word in ((MAP, "map"), (REDUCE, "reduce"))
        )
        return maps, reduces

    @property
    def sentence(self) -> str:
        """Everything in a sentence."""
        maps, reduces = self.lines
        kind = KIND_WORDS[self.candidate.kind] if self.is_map_reduce else "task"
        return f"{self.name}: starts its next {kind} on the slot; {maps}, {reduces} (on average)"


def cards_of(
    workload: Workload, candidates: Sequence[HandCandidate], tones: Sequence[int] | NDArray[np.int64]
) -> list[Card]:
    """Return the cards of jobs that may have a slot; `tones` are the colours of all jobs."""
    names, is_two = short_names(tuple(workload.job_index)), workload.is_map_reduce
    return [Card(each, names[each.job], QColor.fromRgb(int(tones[each.job])), is_two) for each in candidates]


SORTS: dict[str, Callable[[Card], float | str]] = {
    "As they came": lambda _card: 0,
    "By name": lambda card: card.name.casefold(),
    "Shortest maps first": lambda card: card.candidate.left[MAP] * card.candidate.seconds[MAP],
    "Longest reduces first": lambda card: -card.candidate.left[REDUCE] * card.candidate.seconds[REDUCE],
    "Fewest tasks first": lambda card: sum(card.candidate.left),
}
"""By what cards may be sorted; equal ones stay as they came."""
OF_MAP_REDUCE = ("Shortest maps first", "Longest reduces first")
"""Those of jobs that are maps and reduces."""


CARD: Column[Card] = Column(
    "Job", lambda card: card.name, tip=lambda card: card.sentence, spoken=lambda card: card.sentence
)


class CardPainter(QStyledItemDelegate):
    """Paints a card: colour, key, name, and what is left."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(WIDTH, 3 * option.fontMetrics.height() + 2 * AIR + 2)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        card, theme = row_of(index), theme_of(option.widget)
        rect = option.rect.adjusted(2, 2, -2, -2)
        is_near = bool(option.state & (QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_HasFocus))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.accent if is_near else theme.line)
        painter.setBrush(theme.surface)
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        painter.fillRect(rect.left() + AIR, rect.top() + AIR, SWATCH, rect.height() - 2 * AIR, card.colour)
        self._write(painter, option, card, index.row(), rect.adjusted(2 * AIR + SWATCH, AIR - 2, -AIR, 0))
        painter.restore()

    def _write(
        self, painter: QPainter, option: QStyleOptionViewItem, card: Card, place: int, room: QRect
    ) -> None:
        theme, height = theme_of(option.widget), option.fontMetrics.height()
        painter.setFont(option.font)
        line, left = QRect(room.left(), room.top(), room.width(), height), Qt.AlignmentFlag.AlignLeft
        if place < FEW:
            painter.setPen(theme.third_text)
            painter.drawText(line, int(Qt.AlignmentFlag.AlignRight), str(place + 1))
            line.setWidth(line.width() - 2 * option.fontMetrics.averageCharWidth())
        bold = option.font
        bold.setBold(True)
        write_with(painter, bold, theme.text)
        name = painter.fontMetrics().elidedText(card.name, Qt.TextElideMode.ElideMiddle, line.width())
        painter.drawText(line, int(left), name)
        bold.setBold(False)
        painter.setFont(bold)
        line.setWidth(room.width())
        for kind, text in enumerate(card.lines):
            line.translate(0, height)
            painter.setPen(theme.text if kind == card.candidate.kind else theme.second_text)
            painter.drawText(line, int(left), text)


class CardList(QListView):
    """Cards side by side, in as many rows as they need; a click takes one.

    Signals
    -------
    taken : the place of the card
    """

    taken = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: RowsModel[Card] = RowsModel((CARD,), self)
        self.setModel(self.cards)
        self.setItemDelegate(CardPainter(self))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.clicked.connect(lambda index: self.taken.emit(index.row()))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_taken = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if is_taken and self.currentIndex().isValid():
            self.taken.emit(self.currentIndex().row())
            return
        super().keyPressEvent(event)

    @property
    def card_height(self) -> int:
        """Pixels."""
        return 3 * self.fontMetrics().height() + 2 * AIR + 2


class HandCards(QWidget):
    """The cards with a field that searches them and what sorts them.

    Signals
    -------
    taken : the candidate whose card was taken
    """

    taken = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[Card, ...] = ()
        self.field = SearchField("Search jobs", "Show only jobs whose names have these letters")
        self.sort = named(
            QComboBox(), "Sort the jobs", "Which jobs stand first; keys 1 to 9 take the first nine"
        )
        self._offer_sorts(is_map_reduce=True)
        self.list = named(CardList(), "Jobs that may have the slot")
        self._tools = QWidget()
        row((self.field, 1), self.sort, parent=self._tools, margins=NO_MARGINS)
        column(self._tools, (self.list, 1), parent=self, margins=NO_MARGINS, spacing=4)
        self.field.textChanged.connect(self._refresh)
        self.sort.currentIndexChanged.connect(self._refresh)
        self.list.taken.connect(self.take)

    def show_cards(self, cards: Sequence[Card]) -> None:
        """Show which jobs may have the slot now."""
        self._all = tuple(cards)
        if self._all:
            self._offer_sorts(is_map_reduce=self._all[0].is_map_reduce)
        self._tools.setVisible(len(self._all) > FEW or bool(self.field.text()))
        self._refresh()

    def _offer_sorts(self, *, is_map_reduce: bool) -> None:
        offered = [each for each in SORTS if is_map_reduce or each not in OF_MAP_REDUCE]
        if self.sort.count() != len(offered):
            with QSignalBlocker(self.sort):
                self.sort.clear()
                self.sort.addItems(offered)

    def take(self, place: int) -> None:
        """Take the card at a place, from 0, if there is one."""
        if 0 <= place < len(self.list.cards.rows):
            self.taken.emit(self.list.cards.rows[place].candidate)

    def _refresh(self) -> None:
        letters = self.field.text().casefold().strip()
        shown = [card for card in self._all if letters in card.name.casefold()]
        shown.sort(key=SORTS[self.sort.currentText()])
        self.list.cards.show_rows(shown)
        self._fit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Be as high as the rows of cards, up to two."""
        per_row = max(1, self.width() // WIDTH)
        rows = -(-max(1, len(self._all)) // per_row)
        self.list.setFixedHeight(min(rows, MAX_ROWS) * self.list.card_height + 4)
