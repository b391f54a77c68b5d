"""The tables of explanations: the column that takes the rest keeps room for its text."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QStandardItemModel

from explorer.widgets.tables import quiet_table

TYPICAL = ("J000 copy", "not admitted", "0.0000", "000.0000", "00000")


@pytest.fixture
def table(qtbot):
    model = QStandardItemModel(3, 5)
    model.setHorizontalHeaderLabels(["Job", "Answer", "Pool key", "Key", "Waiting"])
    table = quiet_table(model, "Candidates", TYPICAL, widest=0)
    qtbot.addWidget(table)
    table.resize(800, 200)
    table.show()
    return table


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
