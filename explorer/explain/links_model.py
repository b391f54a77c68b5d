"""The links of a makespan's chain as rows of a table, in the order of time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core.explain.link_sentence import link_sentence
from core.model.time_text import clock_text, duration_text
from explorer.explain.cause_bar import swatch
from explorer.widgets.cause_style import LOOKS
from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from core.explain.critical_path import Link
    from explorer.explain.chains import Explained

Index = QModelIndex | QPersistentModelIndex
HEADINGS = ("From", "Lasts", "Cause", "What happens")
ROOT = QModelIndex()
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class LinksModel(QAbstractTableModel):
    """One row per link."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._explained: Explained | None = None

    def show(self, explained: Explained | None) -> None:
        """Show the chain of a schedule, or nothing."""
        self.beginResetModel()
        self._explained = explained
        self.endResetModel()

    @property
    def links(self) -> tuple[Link, ...]:
        """What is shown."""
        return self._explained[1].links if self._explained is not None else ()

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return how many links there are."""
        return 0 if parent.isValid() else len(self.links)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # Any: by role
        """Name the columns."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section < 2:
            return RIGHT
        return None

    def data(self, index: Index, role: int = 0) -> Any:  # Any: by role
        """Return text, swatch, alignment or tooltip of a cell."""
        link = self.links[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.texts(link)[index.column()]
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 2:
            return swatch(link.cause)
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() < 2:
            return RIGHT
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(LOOKS[link.cause].meaning if index.column() == 2 else self.texts(link)[3])
        return None

    def texts(self, link: Link) -> tuple[str, str, str, str]:
        """Return what a row says."""
        assert self._explained is not None  # or there would be no link
        schedule = self._explained[0]
        begin = clock_text(link.begin, 0.1 if schedule.makespan < 600 else 1.0, schedule.makespan)
        return begin, duration_text(link.seconds), link.cause.value, link_sentence(schedule, link)
