"""Rows are read in pages, only where somebody looks, and not all are kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from core.model.errors import InputError
from core.trace_database.template import Template
from explorer.trace_database.templates_table import (
    COLUMNS,
    FLAGS,
    MAX_PAGES,
    PAGE,
    TemplatesModel,
    TemplatesTable,
)
from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest
    from pytestqt.qtbot import QtBot

ALIGN = Qt.ItemDataRole.TextAlignmentRole


def template(number: int) -> Template:
    return Template(
        number, f"job{number}", "", "", "", "default", None, 0.0, 1, 0, 2.0, 0.0, 0.0, "log", "any"
    )


class Reader:
    """Counts what is read."""

    def __init__(self) -> None:
        self.pages: list[Sequence[int]] = []

    def read(self, ids: Sequence[int]) -> dict[int, Template]:
        self.pages.append(ids)
        return {number: template(number) for number in ids if number % 7}


def model_of(rows: int, reader: Reader) -> TemplatesModel:
    model = TemplatesModel(Path("library.sqlite"))
    model.show(list(range(1, rows + 1)), reader.read)
    return model


def test_a_page_is_read_when_one_of_its_rows_is_shown() -> None:
    reader = Reader()
    model = model_of(1000, reader)
    assert model.rowCount() == 1000
    assert reader.pages == []
    assert model.data(model.index(3 * PAGE + 4, 0)) == f"job{3 * PAGE + 5}"
    assert model.data(model.index(3 * PAGE, 0)) == f"job{3 * PAGE + 1}"
    assert reader.pages == [list(range(3 * PAGE + 1, 4 * PAGE + 1))]
    assert model.data(model.index(900, 0), ALIGN) is not None
    assert len(reader.pages) == 1


def test_a_job_that_is_gone_leaves_its_row_empty() -> None:
    model = model_of(20, Reader())
    assert model.row(6) is None
    assert model.data(model.index(6, 0)) is None


def test_not_all_pages_are_kept() -> None:
    reader = Reader()
    model = model_of((MAX_PAGES + 5) * PAGE, reader)
    for page in range(MAX_PAGES + 5):
        model.row(page * PAGE)
    model.row((MAX_PAGES + 4) * PAGE + 1)
    assert len(reader.pages) == MAX_PAGES + 5
    model.row(0)
    assert len(reader.pages) == MAX_PAGES + 6


def test_the_same_jobs_again_are_read_anew_without_a_reset(qtbot: QtBot) -> None:
    reader = Reader()
    model = model_of(10, reader)
    model.row(0)
    with qtbot.waitSignal(model.dataChanged), qtbot.assertNotEmitted(model.modelReset):
        model.show(list(range(1, 11)), reader.read)
    model.row(0)
    assert len(reader.pages) == 2


def test_a_page_that_cannot_be_read_is_told_once(qtbot: QtBot) -> None:
    def fail(_ids: Sequence[int]) -> dict[int, Template]:
        raise InputError("damaged")

    model = TemplatesModel(Path("library.sqlite"))
    model.show([1, 2], fail)
    with qtbot.waitSignal(model.failed) as told:
        assert model.data(model.index(0, 0)) is None
    assert str(told.args[0]) == "damaged"
    with qtbot.assertNotEmitted(model.failed):
        assert model.data(model.index(1, 0)) is None


def test_every_column_has_a_heading_a_help_and_a_text() -> None:
    model = model_of(2, Reader())
    for place, column in enumerate(COLUMNS):
        assert model.headerData(place, Qt.Orientation.Horizontal) == column.title
        help_text = model.headerData(place, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        assert help_text.startswith(tooltip(column.help))
        assert model.data(model.index(0, place)) == column.text(template(1))


def test_a_whole_large_selection_is_painted_without_asking_for_every_cell(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(TemplatesModel, "flags", lambda _self, _index: asked.append(1) or FLAGS)
    model = model_of(5000, Reader())
    table = TemplatesTable(model)
    qtbot.addWidget(table)
    table.resize(900, 400)
    table.show()
    table.selectAll()
    table.grab()
    assert table.selected_count() == 5000
    assert table.selected_ids() == tuple(model.ids)
    assert len(asked) < 5000
