"""The trace library's window as a person uses it: search, sort, import, delete, add to the workload."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from core.logs.unknown_table import first_table
from core.trace_database.connection import default_library
from core.trace_database.search import RunSearch
from core.trace_database.trace_database import Library, import_into
from explorer.forecast.hand_job_dialog import HandJobDialog
from explorer.trace_database.library_window import EMPTY, NO_MATCH
from explorer.trace_database.templates_table import COLUMNS
from explorer.widgets.template_mime import dragged_templates
from tests.explorer.window_fixtures import open_window
from tests.paths import DATA

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from explorer.document.editor import Editor
    from explorer.trace_database.library_window import LibraryWindow

LEFT = Qt.MouseButton.LeftButton
TITLES = [column.title for column in COLUMNS]


def settle(qtbot: QtBot, window: LibraryWindow) -> None:
    """Wait until nothing is being looked for, changed or imported."""
    changing = (window.trash._worker, window.import_bar._worker)
    parts = (window._search, window._taking, window._comparing, *changing)
    qtbot.waitUntil(lambda: not any(part.is_busy for part in parts))


def column(window: LibraryWindow, title: str) -> list[str]:
    place = TITLES.index(title)
    rows = range(window.model.rowCount())
    return [window.model.data(window.model.index(row, place)) for row in rows]


def found(search: RunSearch | None = None) -> list[int]:
    with Library.open(default_library()) as library:
        return library.ids(search)


def drop(target: QWidget, place: QPoint, data: QMimeData) -> bool:
    """Drag over a widget and let go, as the window system tells it; whether it was taken."""
    action, keys = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    for kind in (QDragEnterEvent, QDragMoveEvent):
        event = kind(place, action, data, LEFT, keys)
        event.setAccepted(False)
        QGuiApplication.sendEvent(target, event)
        if kind is QDragEnterEvent and not event.isAccepted():
            return False
    QGuiApplication.sendEvent(target, QDropEvent(QPointF(place), action, data, LEFT, keys))
    return True


def press_header(window: LibraryWindow, title: str) -> None:
    header = window.table.horizontalHeader()
    x = header.sectionViewportPosition(TITLES.index(title)) + 8
    QTest.mouseClick(header.viewport(), LEFT, pos=QPoint(x, header.height() // 2))


def select(window: LibraryWindow, *rows: int) -> None:
    """Click on rows, with Ctrl after the first."""
    for number, row in enumerate(rows):
        place = window.table.visualRect(window.model.index(row, 0)).center()
        keys = Qt.KeyboardModifier.ControlModifier if number else Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(window.table.viewport(), LEFT, keys, place)


def test_an_empty_library_says_what_to_do(empty: LibraryWindow) -> None:
    assert empty.model.rowCount() == 0
    assert empty.table.empty_text == EMPTY
    assert not empty.buttons.add_button.isEnabled()
    assert default_library().exists()


def test_everything_is_listed(window: LibraryWindow) -> None:
    assert list(window.model.ids) == found()
    with Library.open(default_library()) as library:
        assert column(window, "Job") == [template.name for template in library.search()]
    assert window.status.text().startswith(f"{len(found())} jobs in the library.")


def test_typing_words_searches(qtbot: QtBot, window: LibraryWindow) -> None:
    every = column(window, "Job")
    QTest.keyClicks(window.filters.text_field, every[0][-4:].upper())
    settle(qtbot, window)
    assert column(window, "Job") == [name for name in every if every[0][-4:] in name]
    assert f"of {len(every)} jobs in the library" in window.status.text()
    QTest.keyClicks(window.filters.text_field, "zzz")
    settle(qtbot, window)
    assert window.model.rowCount() == 0
    assert window.table.empty_text == NO_MATCH
    qtbot.mouseClick(window.filters.clear_button, LEFT)
    settle(qtbot, window)
    assert column(window, "Job") == every


def test_user_size_and_dates(qtbot: QtBot, window: LibraryWindow) -> None:
    with Library.open(default_library()) as library:
        dated = next(template for template in library.search() if template.submitted and template.user)
    QTest.keyClicks(window.filters.user_field, dated.user)
    QTest.keyClicks(window.filters.min_field, f"x{dated.tasks}")
    day = column(window, "Submitted")[window.model.ids.index(dated.id)][:10]
    QTest.keyClicks(window.filters.since_field, day)
    QTest.keyClicks(window.filters.until_field, day)
    settle(qtbot, window)
    assert dated.id in window.model.ids
    assert set(column(window, "User")) == {dated.user}
    assert {text[:10] for text in column(window, "Submitted")} == {day}
    QTest.keyClicks(window.filters.max_field, f"{dated.tasks - 1}")
    settle(qtbot, window)
    assert dated.id not in window.model.ids


def test_what_is_no_date_is_said_and_does_not_count(qtbot: QtBot, window: LibraryWindow) -> None:
    QTest.keyClicks(window.filters.since_field, "monday")
    settle(qtbot, window)
    assert "'monday' is no date; give one as 2011-02-10" in window.status.text()
    assert list(window.model.ids) == found()


def test_a_click_on_a_heading_sorts(qtbot: QtBot, window: LibraryWindow) -> None:
    for title, key in (("Maps", "maps"), ("Job", "name"), ("Map", "map-mean"), ("Title", "title")):
        press_header(window, title)
        settle(qtbot, window)
        first = list(window.model.ids)
        press_header(window, title)
        settle(qtbot, window)
        both = [found(RunSearch(sort=key, descending=descending)) for descending in (False, True)]
        assert sorted([first, list(window.model.ids)]) == sorted(both), title


def test_a_third_click_on_a_heading_brings_the_first_order_back(qtbot: QtBot, window: LibraryWindow) -> None:
    for _ in range(3):
        press_header(window, "Work")
        settle(qtbot, window)
    assert list(window.model.ids) == found()


def test_runs_of_one_application(qtbot: QtBot, window: LibraryWindow) -> None:
    texts = [window.applications.item(i).text() for i in range(window.applications.count())]
    assert texts[0] == f"All applications ({len(found())} jobs)"
    with Library.open(default_library()) as library:
        application, runs = library.applications()[-1]
    row = next(i for i, text in enumerate(texts) if text == f"{runs} × {application}")
    place = window.applications.visualItemRect(window.applications.item(row)).center()
    qtbot.mouseClick(window.applications.viewport(), LEFT, pos=place)
    settle(qtbot, window)
    assert list(window.model.ids) == found(RunSearch(application=application))
    assert len(window.model.ids) == runs
    assert window.applications.currentRow() == row


def test_the_selection_stays_with_its_jobs(qtbot: QtBot, window: LibraryWindow) -> None:
    select(window, 1, 3)
    chosen = window.table.selected_ids()
    press_header(window, "Work")
    settle(qtbot, window)
    assert sorted(window.table.selected_ids()) == sorted(chosen)
    assert window.buttons.compare_button.isEnabled()


# ---- into the workload


def test_enter_adds_the_selected_jobs_as_one_step(
    qtbot: QtBot, window: LibraryWindow, editor: Editor
) -> None:
    before = editor.document.workload
    select(window, 0, 2)
    ids = window.table.selected_ids()
    qtbot.keyClick(window.table, Qt.Key.Key_Return)
    settle(qtbot, window)
    with Library.open(default_library()) as library:
        assert editor.document.workload.jobs == (*before.jobs, *library.jobs(ids))
    assert editor.undo_stack.undoText() == "Add 2 jobs from the library"
    assert "Added 2 jobs from the library to Five jobs" in window.status.text()
    editor.undo_stack.undo()
    assert editor.document.workload == before


def test_the_same_job_twice_gets_a_number(qtbot: QtBot, window: LibraryWindow, editor: Editor) -> None:
    select(window, 0)
    for _ in range(2):
        qtbot.mouseClick(window.buttons.add_button, LEFT)
        settle(qtbot, window)
    name = column(window, "Job")[0]
    assert [job.name for job in editor.document.workload.jobs[-2:]] == [name, f"{name} (2)"]


class FakeDrag:
    """Stands for a drag, which cannot be had without a real display; keeps what would be carried."""

    carried: ClassVar[list[QMimeData]] = []

    def __init__(self, _source: QWidget) -> None:
        pass

    def setMimeData(self, data: QMimeData) -> None:  # (Qt's own name)
        self.carried.append(data)

    def exec(self, actions: Qt.DropAction, _default: Qt.DropAction) -> None:
        assert actions == Qt.DropAction.CopyAction


def test_selected_rows_are_dragged_away(
    qtbot: QtBot, window: LibraryWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("explorer.trace_database.templates_table.QDrag", FakeDrag)
    select(window, 0, 3, 2)
    viewport = window.table.viewport()
    start = window.table.visualRect(window.model.index(3, 0)).center()
    QTest.mousePress(viewport, LEFT, Qt.KeyboardModifier.NoModifier, start)
    for step in range(1, 6):
        QTest.mouseMove(viewport, start + QPoint(12 * step, 0))
    QTest.mouseRelease(viewport, LEFT, Qt.KeyboardModifier.NoModifier, start)
    (data,) = FakeDrag.carried
    ids = found()
    assert dragged_templates(data) == (default_library(), (ids[0], ids[2], ids[3]))


def test_pressing_enter_again_and_again_loses_nothing(
    qtbot: QtBot, window: LibraryWindow, editor: Editor
) -> None:
    select(window, 0)
    for _ in range(5):
        qtbot.keyClick(window.table, Qt.Key.Key_Return)
    settle(qtbot, window)
    assert len(editor.document.workload.jobs) == 10
    assert editor.undo_stack.count() == 5


# ---- importing


def test_logs_that_are_dropped_are_imported(qtbot: QtBot, empty: LibraryWindow) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(DATA / name)) for name in ("tasks.csv", "sls.json")])
    assert drop(empty, QPoint(300, 300), data)
    settle(qtbot, empty)
    assert empty.status.text().startswith("2 logs: ")
    assert set(column(empty, "Log")) == {"tasks", "sls"}


def test_the_same_log_again_says_so_and_what_is_no_log_is_told(
    qtbot: QtBot, window: LibraryWindow, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("nothing of interest\n")
    window.import_bar.import_logs([DATA / "swim.tsv", tmp_path / "notes.txt"])
    settle(qtbot, window)
    assert "nothing new" in window.status.text()
    assert "1 could not be imported" in window.status.text()
    assert window.messages.message is not None
    assert "not of a known format" in window.messages.message.sentence


def test_a_table_is_taken_once_somebody_said_which_column_is_what(qtbot: QtBot, empty: LibraryWindow) -> None:
    path = DATA / "mapped" / "export.psv"
    empty.import_bar.import_logs([path])
    settle(qtbot, empty)
    assert empty.messages.message is not None
    assert "open it once to name them" in empty.messages.message.sentence
    table = first_table([path])
    empty.import_bar.columns_of_tables = lambda: {table.shape.digest: table.guess.text()}
    empty.import_bar.import_logs([path])
    settle(qtbot, empty)
    assert set(column(empty, "Log")) == {"export"}


def test_logs_are_chosen_in_a_dialog(
    qtbot: QtBot, empty: LibraryWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "explorer.trace_database.library_window.QFileDialog.getOpenFileNames",
        lambda *_: ([str(DATA / "spark.log")], ""),
    )
    empty.buttons.logs_action.trigger()
    settle(qtbot, empty)
    assert set(column(empty, "Log")) == {"spark"}


def test_the_open_workload_is_imported(qtbot: QtBot, empty: LibraryWindow, editor: Editor) -> None:
    empty.buttons.workload_action.trigger()
    settle(qtbot, empty)
    assert column(empty, "Job") == [job.name for job in editor.document.workload.jobs]
    assert set(column(empty, "Log")) == {"Five jobs"}


def test_a_stopped_import_adds_nothing(qtbot: QtBot, empty: LibraryWindow, tmp_path: Path) -> None:
    log = tmp_path / "many.tsv"
    log.write_text("".join(f"job{i}\t{i}\t1\t{i}\t{i}\t{i}\n" for i in range(20_000)))
    empty.import_bar.import_logs([log])
    empty.import_bar.show()
    qtbot.mouseClick(empty.import_bar.stop_button, LEFT)
    settle(qtbot, empty)
    assert empty.status.text() == "Stopped; nothing was added"
    assert found() == []


def test_what_another_window_imports_appears(qtbot: QtBot, window: LibraryWindow) -> None:
    before = window.model.rowCount()
    with Library.open(default_library()) as other:
        added, _ = import_into(other, DATA / "tasks.csv")
    qtbot.waitUntil(lambda: window.model.rowCount() == before + added.added)


# ---- the trash


def test_delete_undo_and_restore(qtbot: QtBot, window: LibraryWindow) -> None:
    every = found()
    select(window, 0, 1)
    qtbot.keyClick(window.table, Qt.Key.Key_Delete)
    settle(qtbot, window)
    assert list(window.model.ids) == every[2:]
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, window)
    assert list(window.model.ids) == every
    select(window, 2)
    qtbot.mouseClick(window.buttons.delete_button, LEFT)
    settle(qtbot, window)
    assert window.buttons.trash_button.text() == "&Trash (1)"
    qtbot.mouseClick(window.buttons.trash_button, LEFT)
    settle(qtbot, window)
    assert list(window.model.ids) == [every[2]]
    assert window.status.text() == "1 job in the trash. Select jobs to take them back"
    assert window.buttons.trash_button.text() == "&Back to the library"
    select(window, 0)
    qtbot.mouseClick(window.buttons.restore_button, LEFT)
    settle(qtbot, window)
    assert window.model.rowCount() == 0
    assert found() == every


def test_deleting_quickly_loses_nothing_and_is_undone_step_by_step(
    qtbot: QtBot, window: LibraryWindow
) -> None:
    every = found()
    for row in (3, 1, 0):
        select(window, row)
        qtbot.keyClick(window.table, Qt.Key.Key_Delete)
    settle(qtbot, window)
    assert len(found(RunSearch(trashed=True))) == 3
    for left in (2, 1, 0):
        qtbot.mouseClick(window.buttons.undo_button, LEFT)
        settle(qtbot, window)
        assert len(found(RunSearch(trashed=True))) == left
    assert found() == every
    assert not window.buttons.undo_button.isVisible()


def test_the_trash_is_emptied_only_when_people_mean_it(qtbot: QtBot, window: LibraryWindow) -> None:
    select(window, 0)
    qtbot.keyClick(window.table, Qt.Key.Key_Delete)
    settle(qtbot, window)
    qtbot.mouseClick(window.buttons.trash_button, LEFT)
    settle(qtbot, window)
    for text, left in (("&Keep", 1), ("&Forget", 0)):
        qtbot.mouseClick(window.buttons.empty_button, LEFT)
        box = window.findChild(QMessageBox, "empty-trash")
        next(button for button in box.buttons() if button.text() == text).click()
        settle(qtbot, window)
        assert len(found(RunSearch(trashed=True))) == left
        qtbot.waitUntil(lambda: window.findChild(QMessageBox, "empty-trash") is None)


# ---- what goes wrong


@pytest.mark.parametrize(
    "content", [b"no database at all, but long enough to be read as one", b"SQLite format 3\0" * 99]
)
def test_a_file_that_is_no_library_is_told_and_left_alone(
    qtbot: QtBot, editor: Editor, content: bytes
) -> None:
    from tests.explorer.trace_database.conftest import make_window

    path = default_library()
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    for window in make_window(qtbot, editor):
        settle(qtbot, window)
        assert "is not a trace library" in window.messages.message.sentence
        window.import_bar.import_logs([DATA / "swim.tsv"])
        settle(qtbot, window)
    assert path.read_bytes() == content


def test_a_library_that_goes_bad_while_it_is_open(
    qtbot: QtBot, window: LibraryWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(*_: object) -> Callable[..., None]:
        from core.model.errors import InputError

        raise InputError("the trace library is damaged")

    monkeypatch.setattr(Library, "listed", damaged)
    press_header(window, "Job")
    press_header(window, "Job")
    settle(qtbot, window)
    assert window.model.data(window.model.index(0, 0)) is None
    assert window.messages.message.sentence == "the trace library is damaged"


def test_cells_say_what_they_are(window: LibraryWindow) -> None:
    role = Qt.ItemDataRole
    index = window.model.index(0, TITLES.index("Map"))
    name = column(window, "Job")[0]
    assert window.model.data(index, role.AccessibleTextRole) == f"Map of {name}: {window.model.data(index)}"
    assert "Duration of a map on average" in window.model.data(index, role.ToolTipRole)
    assert window.model.data(index).endswith("s")
    for part in (window.table, window.applications, window.filters.text_field, window.filters.since_field):
        assert part.accessibleName()


def test_escape_closes_the_window_and_lets_go_of_the_file(qtbot: QtBot, window: LibraryWindow) -> None:
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()
    assert window.reader._library is None
    window.show()
    settle(qtbot, window)
    assert list(window.model.ids) == found()


def test_selected_jobs_are_submitted_in_the_forecast(qtbot, tmp_path):
    """From the dialog into the library and back: the job comes at the time cursor."""
    with Library.open(default_library()) as library:
        import_into(library, str(DATA / "jobtracker-0.20.log"))
    main = open_window(qtbot, tmp_path)
    main.actions_by_id["forecast"].trigger()
    forecast = main.questions.forecast
    forecast.panel.runs_field.setValue(20)
    QTest.mouseClick(forecast.panel.jobs_button, LEFT)
    (dialog,) = main.findChildren(HandJobDialog)
    QTest.mouseClick(dialog.library_button, LEFT)
    window = main.library
    settle(qtbot, window)
    assert window.isVisible()
    name = column(window, "Job")[0]
    select(window, 0)
    QTest.mouseClick(window.buttons.submit_button, LEFT)
    qtbot.waitUntil(lambda: [job.name for job in forecast.panel.place.value.jobs] == [name], timeout=20_000)
    qtbot.waitUntil(lambda: forecast.panel.submission is not None, timeout=30_000)
    assert forecast.panel.submission.forecast.known.schedule.workload.jobs[-1].name == name
