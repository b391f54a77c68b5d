"""All texts that a user can read in the windows that are open: shown, painted, in tips, and told aloud."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import QAccessible, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QMenu,
    QTabBar,
    QTableView,
    QWidget,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import pytest

OF_MAP_REDUCE = re.compile(r"\b(maps?|mappers?|mapreduce|reduces?|reducers?|slow ?starts?)\b", re.IGNORECASE)
"""Words that only those read who loaded maps and reduces."""
Role = Qt.ItemDataRole
ROLES = (Role.DisplayRole, Role.ToolTipRole, Role.StatusTipRole, Role.WhatsThisRole, Role.AccessibleTextRole)
TOLD = (
    QAccessible.Text.Name,
    QAccessible.Text.Description,
    QAccessible.Text.Help,
    QAccessible.Text.Value,
)
GETTERS = (
    "text",
    "title",
    "toolTip",
    "statusTip",
    "whatsThis",
    "placeholderText",
    "toPlainText",
    "windowTitle",
)
MAX_ROWS, MAX_DEPTH = 300, 3


class ShownTexts:
    """Collects texts: `look` adds all that is in view now, and what is painted then.

    Attributes
    ----------
    found : where each text was first seen, by text
    """

    def __init__(
        self, patch: pytest.MonkeyPatch, skip: Callable[[QWidget], bool] = lambda _widget: False
    ) -> None:
        self.found: dict[str, str] = {}
        self._where, self._skip = "", skip
        draw: Callable[..., Any] = QPainter.drawText  # Any: it has a dozen forms

        def draw_and_note(painter: QPainter, *given: object) -> Any:
            self._add(given)
            return draw(painter, *given)

        patch.setattr(QPainter, "drawText", draw_and_note)

    def look(self, where: str, only: QWidget | None = None) -> None:
        """Read and paint every window that is open, or only one widget with all that is in it."""
        self._where = where
        for top in QApplication.topLevelWidgets() if only is None else (only,):
            if top.isVisible():
                for widget in (top, *top.findChildren(QWidget)):
                    if widget.isVisible() and not self._is_skipped(widget):
                        self._add(_texts_of(widget))
                top.grab()

    def _is_skipped(self, widget: QWidget | None) -> bool:
        while widget is not None:
            if self._skip is not None and self._skip(widget):
                return True
            widget = widget.parentWidget()
        return False

    def _add(self, texts: Iterable[object]) -> None:
        for text in texts:
            if isinstance(text, str) and text:
                self.found.setdefault(text, self._where)


def _texts_of(widget: QWidget) -> Iterator[object]:
    for name in GETTERS:
        getter = getattr(widget, name, None)
        if callable(getter):
            yield getter()
    told = QAccessible.queryAccessibleInterface(widget)
    if told is not None:
        yield from (told.text(kind) for kind in TOLD)
    if isinstance(widget, QTabBar):
        yield from (widget.tabText(place) for place in range(widget.count()))
        yield from (widget.tabToolTip(place) for place in range(widget.count()))
    elif isinstance(widget, QMenu):
        yield from (text for action in widget.actions() for text in (action.text(), action.toolTip()))
    elif isinstance(widget, QComboBox):
        yield from _cells(widget.model(), lambda _column: False)
    elif isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView):
        hidden = widget.isColumnHidden if isinstance(widget, QTableView) else lambda _column: False
        if widget.model() is not None:
            yield from _heads(widget.model(), hidden)
            yield from _cells(widget.model(), hidden)


def _heads(model: QAbstractItemModel, hidden: Callable[[int], bool]) -> Iterator[object]:
    for column in range(_columns(model, QModelIndex())):
        if not hidden(column):
            yield from (model.headerData(column, Qt.Orientation.Horizontal, role) for role in ROLES)


def _cells(
    model: QAbstractItemModel,
    hidden: Callable[[int], bool],
    parent: QModelIndex | None = None,
    depth: int = 0,
) -> Iterator[object]:
    parent = QModelIndex() if parent is None else parent
    for row in range(min(model.rowCount(parent), MAX_ROWS)):
        for column in range(_columns(model, parent)):
            if not hidden(column):
                yield from (model.data(model.index(row, column, parent), role) for role in ROLES)
        if depth < MAX_DEPTH and model.rowCount(model.index(row, 0, parent)):
            yield from _cells(model, hidden, model.index(row, 0, parent), depth + 1)


def _columns(model: QAbstractItemModel, parent: QModelIndex) -> int:
    try:
        return model.columnCount(parent)
    except TypeError:  # of a list, where the method is private
        return 1
