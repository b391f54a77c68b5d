"""One field that finds everything: what is typed narrows a list, Enter runs what the foot shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPalette, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from explorer.dialogs.choices import Choice, found_choices
from explorer.widgets.fuzzy_match import marks
from explorer.widgets.layouts import column, named
from explorer.widgets.plain_labels import ElidedLabel, tooltip
from explorer.widgets.popup_frame import PopupFrame
from explorer.widgets.search_field import NOTHING_FOUND, SearchField
from explorer.widgets.tables import EmptyText, bold_font

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QPainter

    from explorer.dialogs.choices import Ranked

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
ROOT = QModelIndex()
WIDTH_PX, ROWS_SHOWN, AIR_PX, GAP_PX = 640, 12, 8, 12
HINT = "Find or set: reset zoom, slots 200, a job, a policy, a word"


def _nothing_more(_typed: str) -> Iterable[Ranked]:
    return ()


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
        self.found = _Found(self)
        self.list = self._make_list()
        self.foot = ElidedLabel(is_faint=True)
        column(self.field, (self.list, 1), self.foot, parent=self, margins=(8, 8, 8, 8), spacing=6)
        self.field.textChanged.connect(self._narrow)
        self.list.selectionModel().currentChanged.connect(self._on_current_changed)
        self.list.clicked.connect(self._on_clicked)

    def _make_list(self) -> QListView:
        shown = named(QListView(), "What was found")
        shown.setModel(self.found)
        shown.setItemDelegate(_OneLine(self.field, shown))
        shown.setUniformItemSizes(True)
        shown.setFrameShape(QFrame.Shape.NoFrame)
        shown.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        EmptyText(shown, lambda: NOTHING_FOUND)
        shown.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        shown.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return shown

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
        return self.found.choices[index.row()] if index.isValid() else None

    def _narrow(self, typed: str) -> None:
        self.found.show_choices(found_choices(typed, self._choices, self._more))
        self.list.setCurrentIndex(self.found.index(0))
        self.list.scrollToTop()
        if not self.found.choices:
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
        key, count = event.key(), len(self.found.choices)
        page = max(1, self.list.viewport().height() // max(1, self.list.sizeHintForRow(0)) - 1)
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -page, Qt.Key.Key_PageDown: page}
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._do(also=bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
        elif key in steps and count:
            place, step = self.list.currentIndex().row(), steps[Qt.Key(key)]
            place = (place + step) % count if abs(step) == 1 else max(0, min(place + step, count - 1))
            self.list.setCurrentIndex(self.found.index(place))
        else:
            return False
        return True


class _Found(QAbstractListModel):
    """The choices that fit."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.choices: Sequence[Choice] = ()

    def show_choices(self, choices: Sequence[Choice]) -> None:
        """Show other choices."""
        self.beginResetModel()
        self.choices = choices
        self.endResetModel()

    @override
    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.choices)

    @override
    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        choice = self.choices[index.row()]
        if role == Role.DisplayRole:
            return choice.name
        if role == Role.AccessibleTextRole:
            return f"{choice.kind}: {choice.name}. {choice.foot}"
        return tooltip(choice.about) if role == Role.ToolTipRole else None


class _OneLine(QStyledItemDelegate):
    """Draws a choice in one line: its name with what was typed in bold, what it is about, key and kind."""

    def __init__(self, field: QLineEdit, parent: QListView) -> None:
        super().__init__(parent)
        self._field = field

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, QFontMetrics(option.font).height() + AIR_PX)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        choice: Choice = index.model().choices[index.row()]  # type: ignore[attr-defined]
        option.text = ""
        option.widget.style().drawControl(
            QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget
        )
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        is_grey = choice.because and not is_chosen  # grey could not be read on the colour of what is marked
        group = QPalette.ColorGroup.Disabled if is_grey else QPalette.ColorGroup.Active
        role = QPalette.ColorRole.HighlightedText if is_chosen else QPalette.ColorRole.Text
        faint = role if is_chosen else QPalette.ColorRole.PlaceholderText
        rect, letters = option.rect.adjusted(AIR_PX, 0, -AIR_PX, 0), QFontMetrics(option.font)
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.save()
        painter.setFont(option.font)
        painter.setPen(option.palette.color(group, faint))
        right = f"{choice.key}   {choice.kind}" if choice.key else choice.kind
        painter.drawText(rect, middle | Qt.AlignmentFlag.AlignRight, right)
        rect.setRight(rect.right() - letters.horizontalAdvance(right) - GAP_PX)
        painter.setPen(option.palette.color(group, role))
        name = letters.elidedText(choice.name, Qt.TextElideMode.ElideMiddle, rect.width())
        top = rect.topLeft()
        top.setY(top.y() + AIR_PX // 2)
        rect.setLeft(rect.left() + _draw_name(painter, top, name, self._field.text()) + GAP_PX)
        about = choice.because or choice.about
        if rect.width() > 4 * GAP_PX:
            painter.setPen(option.palette.color(group, faint))
            about = letters.elidedText(about, Qt.TextElideMode.ElideRight, rect.width())
            painter.drawText(rect, middle, about)
        painter.restore()


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
