"""Lists whose rows are painted, and a dialog of such a list below a field that narrows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialogButtonBox,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from explorer.widgets.layouts import Dialog, closing, column, named, push_button
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.search_field import NOTHING_FOUND, SearchField
from explorer.widgets.tables import Column, EmptyText, RowsModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QColor

Index = QModelIndex | QPersistentModelIndex
ColorGroup = QPalette.ColorGroup


class PaintedRow(QStyledItemDelegate):
    """Paints rows; a subclass has `paint_row` and `sizeHint`."""

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint what stands on the background of a row."""
        raise NotImplementedError

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        option.text = ""
        element = QStyle.ControlElement.CE_ItemViewItem
        option.widget.style().drawControl(element, option, painter, option.widget)
        painter.save()
        painter.setFont(option.font)
        self.paint_row(painter, option, index)
        painter.restore()


def is_marked(option: QStyleOptionViewItem) -> bool:
    """Return whether a row is the one that is chosen."""
    return bool(option.state & QStyle.StateFlag.State_Selected)


def inks(option: QStyleOptionViewItem, group: ColorGroup = ColorGroup.Current) -> tuple[QColor, QColor]:
    """Return the colours of letters in a row, and of those that stand back; marked rows have one for both."""
    role = QPalette.ColorRole.HighlightedText if is_marked(option) else QPalette.ColorRole.Text
    faint = role if is_marked(option) else QPalette.ColorRole.PlaceholderText
    return option.palette.color(group, role), option.palette.color(group, faint)


def row_of(index: Index) -> Any:
    """Return the row of a `RowsModel` that an index is of."""
    model = index.model()
    assert isinstance(model, RowsModel)
    return model.rows[index.row()]


def painted_list(model: RowsModel[Any], painted: PaintedRow, name: str) -> QListView:
    """Return a list of the rows of a model, which have one column."""
    shown = named(QListView(), name)
    shown.setModel(model)
    painted.setParent(shown)
    shown.setItemDelegate(painted)
    shown.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    shown.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    EmptyText(shown, lambda: NOTHING_FOUND)
    return shown


class Gallery(Dialog):
    """Lists what can be opened; what is typed narrows it, and Enter or a double click opens one.

    A subclass says in `fitting` what is listed, and opens it in `open_row`.

    Attributes
    ----------
    model, list : the rows, and what shows them
    """

    def __init__(
        self,
        title: str,
        size: QSize,
        row: Column[Any],
        painted: PaintedRow,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, parent, (size.width(), size.height()))
        self.field = SearchField(f"Search {title.lower()}")
        self.model: RowsModel[Any] = RowsModel((row,), self)
        self.list = painted_list(self.model, painted, title)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.doubleClicked.connect(self.accept)
        self.open_button = push_button("&Open", f"Open the marked {title.lower()[:-1]}", self.accept)

    def lay_out(self, about: str, *buttons: QPushButton) -> None:
        """Put a sentence and the field above the list, buttons below it, and begin with all there is."""
        foot = closing(self, *buttons)
        foot.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        column(PlainLabel(about, wraps=True, is_faint=True), self.field, (self.list, 1), foot, parent=self)
        self.open_button.setDefault(True)
        self.field.leave_keys_to(self.list)
        self.field.textChanged.connect(self._narrow)
        self._narrow("")

    def fitting(self, typed: str) -> Sequence[Any]:
        """Return the rows that fit what is typed, the best first."""
        raise NotImplementedError

    def open_row(self, row: Any) -> None:
        """Open what was chosen; the dialog is closed."""
        raise NotImplementedError

    def _narrow(self, typed: str) -> None:
        """Show what fits, the first one marked."""
        self.model.show_rows(self.fitting(typed))
        self.list.setCurrentIndex(self.model.index(0, 0))
        self.open_button.setEnabled(bool(self.model.rows))

    @override
    def accept(self) -> None:
        index = self.list.currentIndex()
        if index.isValid():
            row = self.model.rows[index.row()]
            super().accept()
            self.open_row(row)
