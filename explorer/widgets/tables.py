"""Tables to be read: rows of values, columns that format them, the view that shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView
from typing_extensions import override

from core.files.glossary import with_terms
from core.model.cell_text import cell_of
from core.model.visible_text import visible
from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

Row = TypeVar("Row")
Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
ROOT = QModelIndex()
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
ROW_AIR, EDITED_AIR, CELL_AIR = 6, 8, 18
MIN_FOR_COLUMNS = 460
"""Pixels from which a table that narrows has all columns."""
NARROW_LINES = 5
"""Lines of text of a row in a narrow table of more than `MAX_FITTED`."""
MAX_FITTED = 300
"""Rows of a narrow table that are as high as their texts; more have one height."""
MIN_TEXT = "MMM 00"
TEXTS = frozenset((Role.DisplayRole, Role.ToolTipRole, Role.AccessibleTextRole))


@dataclass(frozen=True)
class Column(Generic[Row]):
    """One column of a table: its cell for a row.

    Attributes
    ----------
    title, help : heading, and what it means
    text : of a row's cell
    is_number : whether heading and cells are set to the right
    typical : a text that it has room for at first
    tip, spoken : tooltip of a row's cell, the heading and the text if none is given; what is read out of it
    style : colour, icon or font of a row's cell by role, None for the usual one
    key : what the rows are sorted by upon a click on the heading; empty where they keep their order
    gives_way : whether it is left out where the table is narrow
    narrow, narrow_style : text and style there, where they say what the columns say that gave way
    value : of a row: the rows of a `SortedModel` are sorted by it, those of None last
    """

    title: str
    text: Callable[[Row], str]
    help: str = ""
    is_number: bool = False
    typical: str = ""
    tip: Callable[[Row], str] | None = None
    spoken: Callable[[Row], str] | None = None
    style: Callable[[Row, int], Any] | None = None  # Any: by role
    key: str = ""
    gives_way: bool = False
    narrow: Callable[[Row], str] | None = None
    narrow_style: Callable[[Row, int], Any] | None = None
    value: Callable[[Row], Any] | None = None  # Any: of one type in a column

    @property
    def alignment(self) -> int:
        """Where heading and cells stand."""
        return RIGHT if self.is_number else LEFT

    def tip_of(self, row: Row) -> str:
        """Return the tooltip of a row's cell."""
        return self.tip(row) if self.tip is not None else f"{self.title}: {self.text(row) or '–'}"


class RowsModel(QAbstractTableModel, Generic[Row]):
    """Rows under columns, to be read; `row` and `rowCount` may be replaced where rows are read in pages.

    Attributes
    ----------
    columns, rows : what is shown
    looks : colours and fonts of cells by row, column and role, where the column has no style
    is_narrow : whether columns that give way are left out
    """

    def __init__(self, columns: Sequence[Column[Row]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: Sequence[Column[Row]] = columns
        self.rows: Sequence[Row] = ()
        self.looks: Mapping[tuple[int, int, int], Any] = {}
        self.is_narrow = False

    def show_rows(self, rows: Sequence[Row], columns: Sequence[Column[Row]] | None = None) -> None:
        """Show other rows, and other columns if some are given."""
        self.beginResetModel()
        self.rows = rows
        self.columns = self.columns if columns is None else columns
        self.endResetModel()

    def refresh(self) -> None:
        """Write all cells anew: what their texts or colours depend on has changed."""
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, len(self.columns) - 1))

    def row(self, place: int) -> Row | None:
        """Return the row at a place, None if it cannot be read."""
        return self.rows[place]

    def texts(self, place: int) -> tuple[str, ...]:
        """Return the text of the row at a place."""
        return tuple(column.text(self.rows[place]) for column in self.columns)

    def to_text(self) -> str:
        """Return headings and rows, separated by tabs."""
        rows = ("\t".join(map(cell_of, self.texts(place))) for place in range(self.rowCount()))
        return "\n".join(["\t".join(column.title for column in self.columns), *rows])

    @override
    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    @override
    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == Role.DisplayRole:
            return column.title
        if role == Role.TextAlignmentRole:
            return column.alignment
        return tooltip(with_terms(column.title, column.help)) if role == Role.ToolTipRole else None

    @override
    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        column = self.columns[index.column()]
        if role == Role.TextAlignmentRole:
            return column.alignment
        style = (column.narrow_style if self.is_narrow else None) or column.style
        if role not in TEXTS and style is None:  # views ask hundreds of times while they paint
            return self.looks.get((index.row(), index.column(), role))
        row = self.row(index.row())
        if row is None:
            return None
        if role == Role.DisplayRole:
            text = (column.narrow if self.is_narrow else None) or column.text
            return visible(text(row), "\n")
        if role == Role.ToolTipRole:
            return tooltip(column.tip_of(row))
        if role == Role.AccessibleTextRole:
            return column.spoken(row) if column.spoken is not None else None
        return style(row, role) if style is not None else None


class RowTable(QTableView):
    """A table of whole rows of one height, without a grid; `edits` if cells can be edited in place."""

    def __init__(self, model: QAbstractTableModel, name: str, *, edits: bool) -> None:
        super().__init__(showGrid=False, wordWrap=False, cornerButtonEnabled=False)
        self.setModel(model)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(False)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        trigger = QAbstractItemView.EditTrigger
        by_hand = trigger.DoubleClicked | trigger.EditKeyPressed | trigger.AnyKeyPressed
        self.setEditTriggers(by_hand if edits else trigger.NoEditTriggers)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setHighlightSections(False)
        if edits:
            self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
            self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
            self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + EDITED_AIR)
            self.horizontalHeader().setMinimumSectionSize(36)

    def is_free(self) -> bool:
        """Whether keys are for the rows: no cell is being edited."""
        return self.state() != QAbstractItemView.State.EditingState


class ReadTable(RowTable):
    """A table to read: whole rows, no grid; Enter chooses as a click does.

    The first columns have room for their typical texts; the column `widest` takes what is left, the last one
    if none is given; rows have so many `lines` of text. One that `narrows` leaves columns out that give way
    where it is narrow; its rows are as high as their texts then.

    Attributes
    ----------
    empty_text : what is said where there is no row

    Signals
    -------
    chosen : the row that was clicked, or current when Enter was pressed
    narrowed : the table became narrow, or is no longer
    """

    chosen = Signal(object)
    narrowed = Signal()

    def __init__(
        self,
        model: RowsModel[Any],
        name: str,
        widest: int | None = None,
        lines: int = 1,
        *,
        narrows: bool = False,
    ) -> None:
        super().__init__(model, name, edits=False)
        self._lines, self._narrows = lines, narrows
        self.empty_text = ""
        self._widest, self._least, self._is_sharing = -1, 0, False
        self._fitted: Sequence[Column[Any]] = ()
        EmptyText(self, lambda: self.empty_text)
        for signal in (self.clicked, self.activated):
            signal.connect(self._on_index_chosen)
        self.show_lines(lines)
        header = self.horizontalHeader()
        header.setStretchLastSection(widest is None)
        header.setMinimumSectionSize(self.fontMetrics().horizontalAdvance(MIN_TEXT))
        header.sectionResized.connect(self._share)
        self._fit_columns(model, widest)
        model.modelReset.connect(lambda: self._fit_columns(model, widest))
        if narrows:
            header.sectionResized.connect(self._fit_rows)
            model.modelReset.connect(self._fit_rows)

    def _fit_columns(self, model: RowsModel[Any], widest: int | None) -> None:
        """Give columns that were not there before room for their typical texts."""
        columns, letters = model.columns, self.fontMetrics()
        if columns is self._fitted:
            return
        self._fitted, self._widest = columns, -1  # nothing is shared until all have their room
        for place, column in enumerate(columns):
            if column.typical:
                heading = f"{column.title} ▾" if column.key else column.title
                longest = max(letters.horizontalAdvance(each) for each in (column.typical, heading))
                self.setColumnWidth(place, longest + CELL_AIR)
        if widest is not None:
            least = self.horizontalHeader().minimumSectionSize()
            self._widest = widest
            self._least = self.columnWidth(widest) if columns[widest].typical else least
            self._share()

    def _on_index_chosen(self, index: QModelIndex) -> None:
        model = self.model()
        assert isinstance(model, RowsModel)
        self.chosen.emit(model.row(index.row()))

    def _share(self) -> None:
        """Let the widest column take what the others leave, and its least width where they leave less."""
        if self._widest < 0 or self._is_sharing:
            return
        self._is_sharing = True
        columns = self.horizontalHeader()
        for _ in range(2):  # once more where a scroll bar has come or gone
            rest = self.viewport().width() - columns.length() + columns.sectionSize(self._widest)
            columns.resizeSection(self._widest, max(rest, self._least))
        self._is_sharing = False

    def _follow_width(self) -> None:
        """Leave columns out where the table is narrow now, or show them again."""
        model, is_narrow = self.model(), self.width() < MIN_FOR_COLUMNS
        assert isinstance(model, RowsModel)
        if is_narrow == model.is_narrow:
            return
        model.is_narrow = is_narrow
        self.setUpdatesEnabled(False)
        for place, column in enumerate(model.columns):
            if column.gives_way:
                self.setColumnHidden(place, is_narrow)
        self.show_lines(NARROW_LINES if is_narrow else self._lines)
        self._fit_rows()
        self.setUpdatesEnabled(True)
        self.narrowed.emit()

    def _fit_rows(self) -> None:
        """Make rows as high as their texts where the table is narrow, else all alike."""
        model, rows = self.model(), self.verticalHeader()
        assert isinstance(model, RowsModel)
        if model.rowCount() > MAX_FITTED:
            return
        if model.is_narrow:
            self.resizeRowsToContents()
        else:
            for place in range(model.rowCount()):
                self.setRowHeight(place, rows.defaultSectionSize())

    def sort_by_headings(self) -> None:
        """Let a click on a heading sort the rows of a `SortedModel`, and the third click give them back."""
        header = self.horizontalHeader()
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)

    def show_lines(self, lines: int) -> None:
        """Make rows so high that cells have so many lines of text."""
        self.setWordWrap(lines > 1)
        self.verticalHeader().setDefaultSectionSize(lines * self.fontMetrics().lineSpacing() + ROW_AIR)

    def fit_height(self) -> None:
        """Make the table just as high as its rows."""
        header = self.horizontalHeader().sizeHint().height()
        rows = sum(self.rowHeight(row) for row in range(self.model().rowCount()))
        self.setFixedHeight(header + rows + 2 * self.frameWidth())

    @override
    def setColumnHidden(self, column: int, hide: bool) -> None:
        super().setColumnHidden(column, hide)
        self._share()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._narrows:
            self._follow_width()
        super().resizeEvent(event)
        self._share()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.activated.emit(self.currentIndex())  # on every platform
        else:
            super().keyPressEvent(event)


class EmptyText(QObject):
    """Writes a text in the middle of a table or list while that has no rows; what paints rows stays Qt's own.

    The text keeps `aside` and `above` pixels from the table's edges.
    """

    def __init__(
        self, table: QAbstractItemView, text: Callable[[], str], aside: int = 8, above: int = 4
    ) -> None:
        super().__init__(table)
        self._table, self._text = table, text
        self._air = (aside, above, -aside, -above)
        table.viewport().installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and not self._table.model().rowCount():
            viewport = self._table.viewport()
            with QPainter(viewport) as painter:
                painter.setPen(self._table.palette().color(QPalette.ColorRole.PlaceholderText))
                flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
                painter.drawText(viewport.rect().adjusted(*self._air), flags, self._text())
        return False


def bold_font(font: QFont | None = None) -> QFont:
    """Return a font in bold, the application's for cells that stand out."""
    bold = QFont(font or QFont())
    bold.setWeight(QFont.Weight.DemiBold)
    return bold
