"""Jobs dragged from the library land where they are dropped: in the jobs panel, or on a chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt

from core.trace_database.trace_database import Library
from explorer.widgets.template_mime import TEMPLATES_MIME, dragged_templates, pack_templates
from tests.explorer.trace_database.test_library_window import drop, settle
from tests.explorer.window_fixtures import open_window

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from explorer.window.main_window import MainWindow

LEFT, NO_KEYS, COPY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction


@pytest.fixture
def main(qtbot: QtBot, tmp_path: Path, filled: Path) -> MainWindow:
    assert filled.exists()
    window = open_window(qtbot, tmp_path)
    window.actions_by_id["library"].trigger()
    settle(qtbot, window.library)
    qtbot.waitUntil(lambda: window.library.model.rowCount() > 0)
    return window


def dragged(main: MainWindow, rows: int) -> QMimeData:
    model = main.library.model
    return model.mimeData([model.index(row, column) for row in range(rows) for column in (0, 1)])


def test_dropped_between_rows_of_the_jobs_panel(qtbot: QtBot, main: MainWindow) -> None:
    table = main.jobs_panel.table
    main.view_state.activate_scenario(1)
    below = table.visualRect(table.model().index(1, 0))
    assert drop(table.viewport(), below.topLeft() + QPoint(5, 1), dragged(main, 2))
    settle(qtbot, main.library)
    with Library.open(main.library._library) as library:
        added = [template.name for template in library.search(limit=2)]
    names = [job.name for job in main.document.workload.jobs]
    before = main.jobs_panel.model.rows
    assert [name for name in names if not name.startswith("J")] == added
    assert names.index(added[1]) == names.index(added[0]) + 1
    assert names[names.index(added[1]) + 1] in before
    assert main.editor.undo_stack.count() == 1
    main.editor.undo_stack.undo()
    assert [job.name for job in main.document.workload.jobs] == ["J1", "J2", "J3", "J4", "J5"]


def test_dropped_below_the_rows_they_come_last(qtbot: QtBot, main: MainWindow) -> None:
    table = main.jobs_panel.table
    viewport = table.viewport()
    assert drop(viewport, QPoint(20, viewport.height() - 4), dragged(main, 1))
    settle(qtbot, main.library)
    assert main.document.workload.jobs[-1].name == main.library.model.row(0).name
    assert main.centre.foot.note.text().startswith("Added ")


def test_dropped_on_the_window_they_come_last(qtbot: QtBot, main: MainWindow) -> None:
    assert drop(main, QPoint(700, 400), dragged(main, 3))
    settle(qtbot, main.library)
    assert len(main.document.workload.jobs) == 8


def test_jobs_of_another_window_s_library(qtbot: QtBot, main: MainWindow, tmp_path: Path) -> None:
    from core.trace_database.trace_database import import_into

    path = tmp_path / "other.sqlite"
    with Library.open(path) as other:
        import_into(other, "facebook")
        ids = other.ids()[:2]
    assert drop(main, QPoint(700, 400), pack_templates(path, ids))
    settle(qtbot, main.library)
    assert len(main.document.workload.jobs) == 7


NO_IDS, NO_PATH = b'{"library": "x", "ids": []}', b'{"library": 1, "ids": 2}'


def test_what_is_no_job_is_not_taken(main: MainWindow) -> None:
    for sent in (b"", b"[]", b"{}", b"\xff", NO_IDS, NO_PATH):
        data = QMimeData()
        data.setData(TEMPLATES_MIME, sent)
        assert dragged_templates(data) is None
        assert not drop(main, QPoint(700, 400), data)


def test_a_library_that_is_gone_is_told(qtbot: QtBot, main: MainWindow, tmp_path: Path) -> None:
    drop(main, QPoint(700, 400), pack_templates(tmp_path / "gone.sqlite", [1]))
    settle(qtbot, main.library)
    assert "there is no trace library" in main.library.messages.message.sentence
    assert len(main.document.workload.jobs) == 5


def test_closing_the_application_s_window_ends_the_library(qtbot: QtBot, main: MainWindow) -> None:
    main.close()
    assert not main.library.isVisible()
