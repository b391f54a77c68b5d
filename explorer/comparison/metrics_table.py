"""All figures of all scenarios in one table, the best of each marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from explorer.comparison.figures import FIGURES, best, figures_table
from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from explorer.comparison.results import Result, Results
    from explorer.document.view_state import ViewState
    from explorer.widgets.export import ChartTable
    from explorer.widgets.theme import Theme

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
BEST = "● "


class FiguresModel(QAbstractTableModel):
    """Rows are scenarios, columns figures."""

    def __init__(self, results: Results, colours: Theme) -> None:
        super().__init__()
        self._results = results
        self._rows: list[Result] = []
        self._best: list[set[int]] = []
        self.colours = colours
        results.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the results as they are now; the selection stays if there are as many."""
        rows = self._results.rows
        same = len(rows) == len(self._rows)
        if not same:
            self.beginResetModel()
        self._rows = rows
        self._best = [best(figure, rows) for figure in FIGURES]
        if not same:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(FIGURES)))

    def result(self, row: int) -> Result:
        """Return the result in a row."""
        return self._rows[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        """Return the number of results."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        """Return the number of figures, and one for the title."""
        return 0 if parent.isValid() else len(FIGURES) + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        """Return the heading of a column and what it means."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        figure = FIGURES[section - 1] if section else None
        if role == Role.DisplayRole:
            return figure.heading.capitalize() if figure else "Scenario"
        if role == Role.ToolTipRole and figure:
            wish = {-1: "; less is better", 1: "; more is better", 0: ""}[figure.better]
            return tooltip(figure.help + wish)
        if role == Role.TextAlignmentRole:
            return _alignment(section)
        return None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return text, weight and colour of a cell."""
        row, column = index.row(), index.column()
        is_best = column > 0 and row in self._best[column - 1]
        if role == Role.DisplayRole:
            return self._text(row, column, is_best)
        if role == Role.AccessibleTextRole:
            return self._spoken(row, column, is_best)
        if role == Role.TextAlignmentRole:
            return _alignment(column)
        if role == Role.ForegroundRole and is_best:
            return self.colours.good
        if role == Role.FontRole and (is_best or (column == 0 and self._rows[row].is_active)):
            bold = QFont()
            bold.setBold(True)
            return bold
        if role == Role.ToolTipRole and column == 0:
            return tooltip(self._rows[row].title)
        return None

    def _text(self, row: int, column: int, is_best: bool) -> str:
        result = self._rows[row]
        if column == 0:
            return f"{result.title} (baseline)" if result.is_baseline else result.title
        return (BEST if is_best else "") + FIGURES[column - 1].text(result)

    def _spoken(self, row: int, column: int, is_best: bool) -> str:
        result = self._rows[row]
        if column == 0:
            return self._text(row, column, is_best)
        figure = FIGURES[column - 1]
        return f"{figure.heading} of {result.title}: {figure.text(result)}{', the best' if is_best else ''}"


class MetricsTable(QTableView):
    """Shows the figures; the row of the active scenario is selected."""

    export_name = "metrics"

    def __init__(
        self, results: Results, view_state: ViewState, colours: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._results = results
        self._view_state = view_state
        self.figures = FiguresModel(results, colours)
        self.figures.setParent(self)
        self.setModel(self.figures)
        self.setAccessibleName("Metrics of all scenarios")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        view_state.active_scenario_changed.connect(self._show_active)
        self.figures.modelReset.connect(self._show_active)
        self._show_active()

    def set_theme(self, colours: Theme) -> None:
        """Mark the best in other colours."""
        self.figures.colours = colours
        self.viewport().update()

    def _show_active(self) -> None:
        for row in range(self.figures.rowCount()):
            if self.figures.result(row).scenario_id == self._view_state.active_scenario:
                self.selectRow(row)

    def _on_selection_changed(self, _selected: QItemSelection, _deselected: QItemSelection) -> None:
        for index in self.selectionModel().selectedRows():
            self._view_state.activate_scenario(self.figures.result(index.row()).scenario_id)

    # Export

    @property
    def background(self) -> QColor:
        """What is behind the table."""
        return self.figures.colours.field

    def export_size(self) -> QSize:
        """Return the size of the whole table, scrolled or not."""
        width = self.horizontalHeader().length()
        height = self.horizontalHeader().height() + self.verticalHeader().length()
        return QSize(max(width, 1), max(height, 1))

    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        """Draw headings and cells into an area, all of them."""
        painter.setFont(self.font())
        line = QRectF(area.left(), area.top(), 0, self.horizontalHeader().height())
        self._paint_line(painter, line, None)
        for row in range(self.figures.rowCount()):
            line = QRectF(area.left(), line.bottom(), 0, self.rowHeight(row))
            self._paint_line(painter, line, row)

    def _paint_line(self, painter: QPainter, line: QRectF, row: int | None) -> None:
        x = line.left()
        for column in range(self.figures.columnCount()):
            box = QRectF(x, line.top(), self.columnWidth(column), line.height()).adjusted(4, 0, -4, 0)
            if row is None:
                text = self.figures.headerData(column, Qt.Orientation.Horizontal)
                colour = self.figures.colours.muted
            else:
                index = self.figures.index(row, column)
                text, colour = index.data(), index.data(Role.ForegroundRole) or self.figures.colours.text
            painter.setPen(colour)
            painter.drawText(box, Qt.AlignmentFlag(_alignment(column)) | Qt.TextFlag.TextDontClip, text)
            x += self.columnWidth(column)

    def table(self) -> ChartTable:
        """Return all figures, unrounded."""
        return figures_table(self._results.rows)


def _alignment(column: int) -> int:
    side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)
