"""One field that finds everything: what is typed narrows a list, Enter runs what the foot shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPalette, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QFrame, QLineEdit, QStyleOptionViewItem, QWidget
from typing_extensions import override

from explorer.dialogs.choices import Choice, found_choices
from explorer.widgets.fuzzy_match import marks
from explorer.widgets.layouts import column
from explorer.widgets.painted_lists import Index, PaintedRow, inks, is_marked, painted_list, row_of
from explorer.widgets.plain_labels import ElidedLabel
from explorer.widgets.popup_frame import PopupFrame
from explorer.widgets.search_field import NOTHING_FOUND, SearchField
from explorer.widgets.tables import Column, RowsModel, bold_font

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QPainter

    from explorer.dialogs.choices import Ranked

WIDTH_PX, ROWS_SHOWN, AIR_PX, GAP_PX = 640, 12, 8, 12
HINT = "Find or set: reset zoom, slots 200, a job, a policy, a word"


def _nothing_more(_typed: str) -> Iterable[Ranked]:
    return ()


CHOICE: Column[Choice] = Column(
    "Choice",
    lambda choice: choice.name,
    tip=lambda choice: choice.about,
    spoken=lambda choice: f"{choice.kind}: {choice.name}. {choice.foot}",
)


class CommandPalette(PopupFrame):
    """Drops down in the middle of a window's upper edge; Escape or a click elsewhere closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self.setAccessibleName("Search everything")
        self._choices: Sequence[Choice] = ()
        self._more: Callable[[str], Iterable[Ranked]] = _nothing_more
        self.field = SearchField("Search everything", hint=HINT)
        self.field.installEventFilter(self)
        self.found: RowsModel[Choice] = RowsModel((CHOICE,), self)
        self.list = painted_list(self.found, _OneLine(self.field), "What was found")
        self.list.setUniformItemSizes(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.foot = ElidedLabel(is_faint=True)
        column(self.field, (self.list, 1), self.foot, parent=self, margins=(8, 8, 8, 8), spacing=6)
        self.field.textChanged.connect(self._narrow)
        self.list.selectionModel().currentChanged.connect(self._on_current_changed)
        self.list.clicked.connect(self._on_clicked)

    def show_choices(
        self, choices: Sequence[Choice], more: Callable[[str], Iterable[Ranked]] = _nothing_more
    ) -> None:
        """Show these choices and let the user type; `more` finds others, as for `found_choices`."""
        self._choices, self._more = choices, more
        self.field.clear()
        self._narrow("")
        window = self._window
        row = self.list.sizeHintForRow(0) if choices else 20
        rest = self.field.sizeHint().height() + self.foot.sizeHint().height() + 40
        self.resize(min(WIDTH_PX, window.width() - 40), min(ROWS_SHOWN * row + rest, window.height() - 80))
        corner = window.mapToGlobal(window.rect().topLeft())
        self.move(corner.x() + (window.width() - self.width()) // 2, corner.y() + 40)
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    @property
    def chosen(self) -> Choice | None:
        """The choice that is marked."""
        index = self.list.currentIndex()
        return self.found.rows[index.row()] if index.isValid() else None

    def _narrow(self, typed: str) -> None:
        self.found.show_rows(found_choices(typed, self._choices, self._more))
        self.list.setCurrentIndex(self.found.index(0, 0))
        self.list.scrollToTop()
        if not self.found.rows:
            self.foot.setText(NOTHING_FOUND)

    def _on_current_changed(self) -> None:
        if (choice := self.chosen) is not None:
            self.foot.setText(choice.foot)
            self.list.setAccessibleDescription(choice.foot)

    def _on_clicked(self) -> None:
        self._do(also=False)

    def _do(self, *, also: bool) -> None:
        choice = self.chosen
        if choice is None:
            return
        run = choice.also_run if also else None if choice.because else choice.run
        if choice.fills is not None and not also and not choice.because:
            self._fill(choice.name, choice.fills)
        elif run is not None:
            self.close()
            run()

    def _fill(self, name: str, value: str) -> None:
        """Write a setting's name and its value into the field, the value marked to be typed over."""
        self.field.setText(f"{name} {value}")
        self.field.setSelection(len(name) + 1, len(value))

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._take_key(event)
        return super().eventFilter(watched, event)

    def _take_key(self, event: QKeyEvent) -> bool:
        key, count = event.key(), len(self.found.rows)
        page = max(1, self.list.viewport().height() // max(1, self.list.sizeHintForRow(0)) - 1)
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -page, Qt.Key.Key_PageDown: page}
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._do(also=bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
        elif key in steps and count:
            place, step = self.list.currentIndex().row(), steps[Qt.Key(key)]
            place = (place + step) % count if abs(step) == 1 else max(0, min(place + step, count - 1))
            self.list.setCurrentIndex(self.found.index(place, 0))
        else:
            return False
        return True


class _OneLine(PaintedRow):
    """Draws a choice in one line: its name with what was typed in bold, what it is about, key and kind."""

    def __init__(self, field: QLineEdit) -> None:
        super().__init__()
        self._field = field

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, QFontMetrics(option.font).height() + AIR_PX)

    @override
    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        choice: Choice = row_of(index)
        is_grey = choice.because and not is_marked(option)  # unreadable on the colour of what is marked
        ink, faint = inks(option, QPalette.ColorGroup.Disabled if is_grey else QPalette.ColorGroup.Active)
        rect, letters = option.rect.adjusted(AIR_PX, 0, -AIR_PX, 0), QFontMetrics(option.font)
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.setPen(faint)
        right = f"{choice.key}   {choice.kind}" if choice.key else choice.kind
        painter.drawText(rect, middle | Qt.AlignmentFlag.AlignRight, right)
        rect.setRight(rect.right() - letters.horizontalAdvance(right) - GAP_PX)
        painter.setPen(ink)
        name = letters.elidedText(choice.name, Qt.TextElideMode.ElideMiddle, rect.width())
        top = rect.topLeft()
        top.setY(top.y() + AIR_PX // 2)
        rect.setLeft(rect.left() + _draw_name(painter, top, name, self._field.text()) + GAP_PX)
        about = choice.because or choice.about
        if rect.width() > 4 * GAP_PX:
            painter.setPen(faint)
            about = letters.elidedText(about, Qt.TextElideMode.ElideRight, rect.width())
            painter.drawText(rect, middle, about)


def _draw_name(painter: QPainter, place: QPoint, name: str, typed: str) -> int:
    """Draw a name with what was typed in bold; return how wide it is, in pixels."""
    layout, bold = QTextLayout(name, painter.font()), QTextCharFormat()
    bold.setFont(bold_font(painter.font()))
    ranges = []
    for letter in marks(typed, name):
        found = QTextLayout.FormatRange()
        found.start, found.length, found.format = letter, 1, bold
        ranges.append(found)
    layout.setFormats(ranges)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    if not line.isValid():
        return 0
    layout.draw(painter, place.toPointF())
    return int(line.naturalTextWidth())
