"""Which column of a table of tasks is what: a choice for each meaning, the first rows, what comes of it."""

from __future__ import annotations

from functools import partial
from shlex import quote
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QWidget,
)
from typing_extensions import override

from core.logs.column_map import (
    DATES,
    DURATION_UNITS,
    MEANINGS,
    UNITS,
    ColumnMap,
    column_word,
    own_place,
    place_of,
)
from core.logs.unknown_table import outcome_text
from core.model.errors import InputError
from explorer.dialogs.preview_dialog import PreviewDialog
from explorer.widgets.layouts import NO_MARGINS, column, named, push_button, resize_on_screen, row
from explorer.widgets.plain_labels import PlainLabel, tooltip, without_mnemonic
from explorer.widgets.tables import Column, ReadTable, RowsModel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent

    from core.logs.unknown_table import TableOutcome, TablePreview

TITLES = {
    "job": "&Job",
    "start": "&Start",
    "end": "&End",
    "duration": "or &duration",
    "kind": "&Map or reduce",
    "outcome": "&Outcome",
    "task": "&Task",
    "submit": "Su&bmitted",
    "host": "&Host",
    "user": "Use&r",
    "pool": "&Pool",
    "shuffle_end": "Shu&ffle ends",
    "sort_end": "Sort e&nds",
    "count": "Co&unt of tasks",
    "processors": "&Processors",
}
"""The meanings in the order of the form."""
NONE = "–"
ROWS_SHOWN = 50
MAX_VALUES = 30
LETTERS_SHOWN = 24
LETTERS_OF_VALUE = 60
MAX_LETTERS = 200
VALUES_WIDTH = 180
"""Letters of a column's name and of a value in a menu; pixels of the values on their button."""
HELP = "Job, start, and end or duration are needed. What is guessed from header and values can be wrong."


class ChoiceField(QComboBox):
    """A choice that the wheel changes only where the keys go, so that a form can be scrolled over it."""

    def __init__(self) -> None:
        super().__init__(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumContentsLength(LETTERS_SHOWN)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class _StayingMenu(QMenu):
    """A menu that stays open while its entries are checked."""

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.actionAt(event.position().toPoint())
        if action is None:
            super().mouseReleaseEvent(event)
        else:
            action.trigger()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self.activeAction()
        if event.key() == Qt.Key.Key_Space and action is not None:
            action.trigger()
        else:
            super().keyPressEvent(event)


class ValuesField(QPushButton):
    """Values of a column, of which some are checked in a menu.

    Signals
    -------
    changed : other values are checked
    """

    changed = Signal()

    def __init__(self, usual: str) -> None:
        super().__init__(autoDefault=False)
        self._usual = usual
        self.menu_of_values = _StayingMenu(self)
        self.setMenu(self.menu_of_values)
        self.offer(())

    def offer(self, values: Sequence[str]) -> None:
        """Offer these values; those of them that were checked stay so."""
        checked = self.values
        self.menu_of_values.clear()
        for value in values:
            action = self.menu_of_values.addAction(without_mnemonic(value[:LETTERS_OF_VALUE]))
            action.setData(value)
            action.setCheckable(True)
            action.setChecked(value in checked)
            action.toggled.connect(self._on_toggled)
        self.setEnabled(bool(values))
        self._show()

    def check(self, values: Sequence[str]) -> None:
        """Check these values; those that are not offered are added."""
        offered = [action.data() for action in self.menu_of_values.actions()]
        self.offer([*offered, *(value for value in values if value not in offered)])
        for action in self.menu_of_values.actions():
            action.blockSignals(True)
            action.setChecked(action.data() in values)
            action.blockSignals(False)
        self._show()

    @property
    def values(self) -> tuple[str, ...]:
        """The values that are checked."""
        return tuple(action.data() for action in self.menu_of_values.actions() if action.isChecked())

    def _on_toggled(self) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        text = ", ".join(self.values) or self._usual
        letters = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, VALUES_WIDTH)
        self.setText(without_mnemonic(letters))


class ColumnsDialog(PreviewDialog):
    """Lets the user choose which column is what, beginning with what is known or guessed.

    Signals
    -------
    chosen : the columns, as `ColumnMap` writes them; the table is to be read by them
    forgotten : what was remembered of this header is not wanted any more
    """

    chosen = Signal(str)
    forgotten = Signal()

    def __init__(
        self,
        table: TablePreview,
        known: str = "",
        parent: QWidget | None = None,
        *,
        is_remembered: bool = False,
    ) -> None:
        super().__init__("Which column is what?", "&Import", "Reading the table", parent)
        self.table = table
        self._names = [name or f"#{place}" for place, name in enumerate(table.shape.names, 1)]
        self._is_showing = True
        self.fields = {meaning: self._column_field(meaning) for meaning in TITLES}
        self._make_parts()
        self._lay_out(is_remembered)
        try:
            self.show_columns(ColumnMap.parse(known) if known else table.guess)
        except InputError:  # what was remembered was changed by hand
            self.show_columns(table.guess)

    # ---- building

    def _column_field(self, meaning: str) -> ChoiceField:
        meaning_text = MEANINGS[meaning]
        field = named(ChoiceField(), _bare(meaning), tooltip(f"{meaning_text[0].upper()}{meaning_text[1:]}"))
        field.addItem(NONE)
        field.addItems(self._names)
        field.currentIndexChanged.connect(partial(self._on_column, meaning))
        return field

    def _make_parts(self) -> None:
        tip = "Unit of all times; dates are of UTC where they do not say their zone"
        self.unit = named(ChoiceField(), "Unit of the times", tip)
        for unit, title in UNITS.items():
            self.unit.addItem(title, unit)
        self.duration_unit = named(ChoiceField(), "Unit of the durations", "Unit of the column of durations")
        for unit, title in DURATION_UNITS.items():
            self.duration_unit.addItem(title, unit)
        tip = "Which values mean reduce; all others but setup and cleanup are then maps"
        self.reduces = named(ValuesField("reduce, r"), "Values that mean reduce", tip)
        tip = "Which values mean that all went well; others are read by their words, else as failed"
        self.successes = named(ValuesField("success, succeeded"), "Values that mean success", tip)
        for field in (self.unit, self.duration_unit):
            field.currentIndexChanged.connect(self.on_changed)
        for values in (self.reduces, self.successes):
            values.changed.connect(self.on_changed)
        self.model = RowsModel[tuple[str, ...]](self._columns(), self)
        self.rows = ReadTable(self.model, "First rows of the table")
        self.rows.horizontalHeader().setStretchLastSection(False)
        self.model.show_rows(self.table.rows[:ROWS_SHOWN])
        self.summary = named(PlainLabel(wraps=True), "What comes of the table")
        self.summary.setMinimumHeight(3 * self.fontMetrics().lineSpacing())
        self.summary.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.option = named(QLineEdit(), "The same on the command line", "The same on the command line")
        self.option.setReadOnly(True)
        self.option.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.copy_button = push_button("Cop&y", "Copy the option for the command line", self._copy)

    def _lay_out(self, is_remembered: bool) -> None:
        area = QScrollArea()
        form = self._form()
        area.setWidget(form)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setMinimumWidth(form.sizeHint().width() + area.verticalScrollBar().sizeHint().width())
        about = PlainLabel(f"{self.table.name}: {self.table.shape.title}. {HELP}", wraps=True)
        option = row(self.option, self.copy_button)
        right = column((self.rows, 1), self.summary, option)
        self.forget_button = push_button(
            "For&get", "Ask again when a table with this header is opened", self._on_forget
        )
        self.buttons.addButton(self.forget_button, QDialogButtonBox.ButtonRole.ResetRole)
        self.forget_button.setVisible(is_remembered)
        self.lay_out(about, (row(area, (right, 1), spacing=16), 1))
        resize_on_screen(self, 1080, 660)

    def _form(self) -> QWidget:
        form = QWidget()
        grid = QGridLayout(form)
        grid.setContentsMargins(*NO_MARGINS)
        grid.setColumnStretch(1, 1)
        beside: dict[str, tuple[tuple[str, QWidget], ...]] = {
            "duration": (("Times &are", self.unit), ("D&urations are", self.duration_unit)),
            "kind": (("Redu&ces are", self.reduces),),
            "outcome": (("Done is", self.successes),),
        }
        for meaning, title in TITLES.items():
            rows: list[tuple[str, QWidget]] = [(title, self.fields[meaning]), *beside.get(meaning, ())]
            for text, field in rows:
                label = PlainLabel(text)
                label.setBuddy(field)
                label.setToolTip(field.toolTip())
                grid.addWidget(label, grid.rowCount(), 0)
                grid.addWidget(field, grid.rowCount() - 1, 1)
        grid.setRowStretch(grid.rowCount(), 1)
        return form

    def _columns(self) -> tuple[Column[tuple[str, ...]], ...]:
        """Return the table's columns; below each name stands what it means."""
        meanings: dict[int, list[str]] = {}
        for meaning, field in self.fields.items():
            meanings.setdefault(field.currentIndex() - 1, []).append(_bare(meaning).lower())
        return tuple(
            Column(
                f"{name[:LETTERS_SHOWN]}\n{', '.join(meanings.get(place, []))}",
                partial(_cell, place),
                name,
                typical=_longest(place, self.table.rows[:ROWS_SHOWN]),
            )
            for place, name in enumerate(self._names)
        )

    # ---- the fields

    def show_columns(self, columns: ColumnMap) -> None:
        """Show a mapping in the fields; names that the table has not are passed over."""
        self._is_showing = True
        named_columns = dict(columns.columns)
        for meaning, field in self.fields.items():
            column = named_columns.get(meaning)
            names = self.table.shape.names
            place = own_place(meaning, names) if column is None else place_of(column, names)
            field.setCurrentIndex(0 if place is None else place + 1)
        if self.fields["end"].currentIndex() and self.fields["duration"].currentIndex():
            self.fields["duration"].setCurrentIndex(0)
        self._show_values()
        self.reduces.check(columns.reduces)
        self.successes.check(columns.done)
        self.unit.setCurrentIndex(self.unit.findData(columns.unit))
        duration_unit = columns.duration_unit or ("s" if columns.unit in DATES else columns.unit)
        self.duration_unit.setCurrentIndex(self.duration_unit.findData(duration_unit))
        self._is_showing = False
        self.on_changed()

    @property
    def columns(self) -> ColumnMap:
        """The values of the fields."""
        names = self.table.shape.names
        places = {meaning: field.currentIndex() - 1 for meaning, field in self.fields.items()}
        values = tuple(
            (meaning, column_word(names, places[meaning]) if places[meaning] >= 0 else "")
            for meaning in MEANINGS
            if places[meaning] >= 0 or own_place(meaning, names) is not None
        )
        unit, duration_unit = self.unit.currentData(), self.duration_unit.currentData()
        has_own_unit = places["duration"] >= 0 and duration_unit != unit
        return ColumnMap(
            values,
            reduces=self.reduces.values if places["kind"] >= 0 else (),
            done=self.successes.values if places["outcome"] >= 0 else (),
            unit=unit,
            duration_unit=duration_unit if has_own_unit else "",
        )

    def _on_column(self, meaning: str, _place: int) -> None:
        """Keep one of end and duration; offer the values of another kind or outcome."""
        other = {"end": "duration", "duration": "end"}.get(meaning)
        if other is not None and self.fields[meaning].currentIndex() and not self._is_showing:
            self.fields[other].setCurrentIndex(0)
        if meaning in ("kind", "outcome"):
            self._show_values()
        self.on_changed()

    def _show_values(self) -> None:
        for meaning, field in (("kind", self.reduces), ("outcome", self.successes)):
            place = self.fields[meaning].currentIndex() - 1
            cells = dict.fromkeys(cells[place] for cells in self.table.rows) if place >= 0 else {}
            field.offer(list(filter(None, cells))[:MAX_VALUES])

    @override
    def on_changed(self) -> None:
        if self._is_showing:
            return
        self.duration_unit.setEnabled(self.fields["duration"].currentIndex() > 0)
        self.model.show_rows(self.model.rows, self._columns())
        self.option.setText(f"--columns {quote(self.columns.text())}")
        self.option.setCursorPosition(0)
        super().on_changed()

    # ---- what comes of it

    @override
    def work(self) -> Callable[[], TableOutcome]:
        return partial(self.table.outcome, self.columns)

    @override
    def show_waiting(self) -> None:
        self._show_sentence("Reading …")

    @override
    def show_preview(self, preview: TableOutcome) -> None:
        self._show_sentence(outcome_text(preview, self.table))

    @override
    def show_problem(self, sentence: str) -> None:
        is_of_file = sentence.startswith(self.table.name)
        text = sentence if is_of_file else f"{sentence[:1].upper()}{sentence[1:].removesuffix('.')}."
        self._show_sentence(text, is_problem=True)

    def _show_sentence(self, sentence: str, *, is_problem: bool = False) -> None:
        role = QPalette.ColorRole
        self.summary.setForegroundRole(role.BrightText if is_problem else role.WindowText)
        self.summary.setText(sentence)

    @override
    def hand_over(self, preview: TableOutcome) -> None:
        self.chosen.emit(self.columns.text())

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.option.text())

    def _on_forget(self) -> None:
        self.forget_button.setEnabled(False)
        self.forgotten.emit()


def _cell(place: int, cells: tuple[str, ...]) -> str:
    return cells[place][:MAX_LETTERS]


def _longest(place: int, rows: Sequence[tuple[str, ...]]) -> str:
    return max((cells[place][:LETTERS_SHOWN] for cells in rows), key=len, default="")


def _bare(meaning: str) -> str:
    """Return the title of a meaning without its key."""
    return TITLES[meaning].replace("&", "").removeprefix("or ").capitalize()
