"""What tables of jobs at an instant have in common: names, colours as in the charts, figures at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QColor

    from core.model.workload import Workload

Index = QModelIndex | QPersistentModelIndex
JOB = 0
ROOT = QModelIndex()
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class HasJob(Protocol):
    """What a row is about."""

    @property
    def job(self) -> int:
        """Index of its job."""


class JobRows(QAbstractTableModel):
    """One row per job, its name first.

    Attributes
    ----------
    headings, help : of each column
    figures : columns of numbers
    """

    headings: ClassVar[Sequence[str]] = ()
    help: ClassVar[Sequence[str]] = ()
    figures: ClassVar[Sequence[int]] = ()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.workload: Workload | None = None
        self._colour_of: Callable[[int], QColor] | None = None

    # ---- what the tables fill in

    def rows(self) -> Sequence[HasJob]:
        """Return what the rows are about."""
        raise NotImplementedError

    def texts(self, row: int) -> tuple[str, ...]:
        """Return what a row says."""
        raise NotImplementedError

    # ---- what they share

    def job_name(self, row: int) -> str:
        """Return the name of a row's job."""
        assert self.workload is not None  # or there would be no row
        return self.workload.jobs[self.rows()[row].job].name

    def set_job_colours(self, colour_of: Callable[[int], QColor] | None) -> None:
        """Take the jobs' colours, by place in the workload."""
        self._colour_of = colour_of
        if self.rowCount():
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, JOB), last)

    def to_text(self) -> str:
        """Return headings and rows, separated by tabs."""
        rows = ("\t".join(self.texts(row)) for row in range(self.rowCount()))
        return "\n".join(["\t".join(self.headings), *rows])

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return how many jobs there are."""
        return 0 if parent.isValid() else len(self.rows())

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(self.headings)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # Any: by role
        """Name the columns and say what they mean."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.headings[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section in self.figures:
            return RIGHT
        return self.help[section] if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: Index, role: int = 0) -> Any:  # Any: by role
        """Return a cell's text, swatch, alignment or tooltip."""
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.texts(row)[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(f"{self.headings[column]}: {self.texts(row)[column] or '–'}")
        if role == Qt.ItemDataRole.DecorationRole and column == JOB and self._colour_of is not None:
            return self._colour_of(self.rows()[row].job)
        if role == Qt.ItemDataRole.TextAlignmentRole and column in self.figures:
            return RIGHT
        return None
