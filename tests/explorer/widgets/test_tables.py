"""Tables to be read: cells by role, and the column that takes the rest keeps room for its text."""

from __future__ import annotations

from operator import itemgetter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from explorer.widgets.tables import Column, ReadTable, RowsModel

TYPICAL = ("J000 copy", "not admitted", "0.0000", "000.0000", "00000")


@pytest.fixture
def table(qtbot):
    titles = ("Job", "Answer", "Pool key", "Key", "Waiting")
    model = RowsModel(
        [Column(*each, typical=text) for each, text in zip(columns(titles), TYPICAL, strict=True)]  # type: ignore[misc]
    )
    model.show_rows([("J1",) * 5, ("J2",) * 5, ("", "", "", "", "")])
    table = ReadTable(model, "Candidates", widest=0)
    qtbot.addWidget(table)
    table.resize(800, 200)
    table.show()
    return table


def columns(titles):
    return [(title, itemgetter(place), f"What {title} means") for place, title in enumerate(titles)]


def test_cells_are_texts_with_tips_and_are_copied(table):
    model = table.model()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert model.index(1, 3).data() == "J2"
    assert model.index(1, 3).data(Qt.ItemDataRole.ToolTipRole) == "Key: J2"
    assert model.index(2, 3).data(Qt.ItemDataRole.ToolTipRole) == "Key: –"
    assert model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) == (
        "What Answer means"
    )
    assert model.to_text().splitlines()[1] == "J1\tJ1\tJ1\tJ1\tJ1"


def test_it_takes_what_the_others_leave(table):
    assert table.horizontalHeader().length() == table.viewport().width()
    table.resize(900, 200)
    assert table.horizontalHeader().length() == table.viewport().width()


def test_in_a_narrow_table_it_keeps_room_for_a_name(table):
    table.resize(250, 200)
    assert table.columnWidth(0) > table.fontMetrics().horizontalAdvance(TYPICAL[0])
    assert table.horizontalHeader().length() > table.viewport().width()
    table.resize(800, 200)
    assert table.horizontalHeader().length() == table.viewport().width()


def test_it_grows_when_others_are_hidden(table, qtbot):
    table.resize(320, 200)
    assert table.horizontalHeader().length() > table.viewport().width()
    table.setColumnHidden(2, True)
    table.setColumnHidden(3, True)
    qtbot.waitUntil(lambda: table.horizontalHeader().length() == table.viewport().width())


def test_other_columns_get_room_and_the_widest_gives_way(table):
    """As where candidates are listed: each policy decides by other numbers."""
    model, narrow = table.model(), table.columnWidth(0)
    rows = list(model.rows)
    model.show_rows(rows, model.columns[:3])
    assert table.columnWidth(0) > narrow
    model.show_rows(rows, [*model.columns, *model.columns[1:]])
    model.show_rows(rows, [*model.columns[:3], *model.columns[1:3]])
    assert table.horizontalHeader().length() == table.viewport().width()
