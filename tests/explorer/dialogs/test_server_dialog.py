"""Opening from a server: the dialog, and what the window makes of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from explorer.dialogs.server_dialog import ServerDialog
from tests.core.servers.recorded_server import Answer, as_json, serving
from tests.core.servers.spark_answers import ended, job, listed, log_of, night, zipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.core.servers.recorded_server import Recorded


@pytest.fixture
def server(tmp_path) -> Iterator[Recorded]:
    with serving(night(tmp_path)) as recorded:
        yield recorded


@pytest.fixture
def dialog(qtbot) -> ServerDialog:
    shown = ServerDialog()
    shown.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)  # the test looks at it afterwards
    qtbot.addWidget(shown)
    shown.show()
    return shown


def list_by_keys(dialog: ServerDialog, qtbot, address: str) -> None:
    """Type an address and press Enter, and wait for what comes of it."""
    dialog.address.setFocus()
    dialog.address.lineEdit().selectAll()
    QTest.keyClicks(dialog.address, address)
    QTest.keyClick(dialog.address, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not dialog.worker.is_busy)


def names(dialog: ServerDialog) -> list[str]:
    return [each.id for each in dialog.model.rows]


def query_of(dialog: ServerDialog, qtbot):
    with qtbot.waitSignal(dialog.chosen) as caught:
        dialog.accept()
    return caught.args[0]


def test_what_a_server_has_is_listed(dialog, qtbot, server):
    assert not dialog.open_button.isEnabled()
    list_by_keys(dialog, qtbot, server.url)
    assert names(dialog) == ["app-3", "app-2", "app-1"]
    assert dialog.sentence.text() == (
        "Spark History Server: 3 applications; select some, or open all: they become one workload, each at "
        "the time at which it arrived."
    )
    assert dialog.open_button.text() == "&Open all 3"
    assert dialog.model.texts(1) == (
        *("nightly app-2", "bob", "", "2023-11-14 23:13:20", "20 s", "Spark"),
        "app-2 attempt 1",
    )
    assert dialog.model.texts(0)[4] == "runs"
    assert [path.partition("?")[0] for path in server.asked] == ["/api/v1/version", "/api/v1/applications"]


def test_filters_narrow_the_table(dialog, qtbot, server):
    list_by_keys(dialog, qtbot, server.url)
    QTest.keyClicks(dialog.filter, "BOB")
    assert names(dialog) == ["app-2"]
    dialog.filter.clear()
    dialog.state.setCurrentIndex(dialog.state.findData("running"))
    assert names(dialog) == ["app-3"]
    dialog.state.setCurrentIndex(0)
    QTest.keyClicks(dialog.begin, "2023-11-14 23:00")
    assert names(dialog) == ["app-3", "app-2"]
    QTest.keyClicks(dialog.end, "2023-11-15")
    assert names(dialog) == ["app-2"]
    assert "1 of 3 application" in dialog.sentence.text()
    QTest.keyClicks(dialog.end, "x")
    assert "give a date like" in dialog.sentence.text()
    dialog.end.clear()
    dialog.filter.setText("nothing")
    assert "No application fits the filters" in dialog.sentence.text()
    assert not dialog.open_button.isEnabled()


def test_selected_rows_stay_selected_when_they_are_sorted_or_filtered(dialog, qtbot, server):
    list_by_keys(dialog, qtbot, server.url)
    QTest.keyClick(dialog.table, Qt.Key.Key_Down)
    assert dialog.open_button.text() == "&Open 1"
    chosen = dialog.table.selectionModel().selectedRows()[0].row()
    title = dialog.model.rows[chosen].title
    dialog.table.sortByColumn(3, Qt.SortOrder.AscendingOrder)
    assert names(dialog) == ["app-1", "app-2", "app-3"]
    (selected,) = dialog.table.selectionModel().selectedRows()
    assert dialog.model.rows[selected.row()].title == title
    dialog.filter.setText("nightly")
    (selected,) = dialog.table.selectionModel().selectedRows()
    assert dialog.model.rows[selected.row()].title == title
    assert query_of(dialog, qtbot).wanted.ids == (title,)


def test_all_that_fits_is_opened_where_nothing_is_selected(dialog, qtbot, server):
    list_by_keys(dialog, qtbot, server.url)
    dialog.filter.setText("app")
    query = query_of(dialog, qtbot)
    assert (query.wanted.ids, query.wanted.text) == ((), "app")
    assert query.addresses == (server.url,)


def test_keys_alone_choose_and_open(dialog, qtbot, server):
    list_by_keys(dialog, qtbot, server.url)
    assert dialog.focusWidget() is dialog.table
    QTest.keyClick(dialog.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert dialog.open_button.text() == "&Open 3"
    with qtbot.waitSignal(dialog.chosen) as caught:
        QTest.keyClick(dialog.table, Qt.Key.Key_Return)
    assert len(caught.args[0].wanted.ids) == 3


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({}, "it is no server that keeps logs; it answered with error 404"),
        ({"/api/v1/version": Answer(b"", 401)}, "it asks who you are"),
        (
            {"/api/v1/version": as_json({"spark": "3"}), "/api/v1/applications": as_json([])},
            "0 applications. No",
        ),
    ],
)
def test_what_a_server_does_not_have_is_a_sentence(dialog, qtbot, answers, sentence):
    with serving(answers) as server:
        list_by_keys(dialog, qtbot, server.url)
    assert sentence in dialog.sentence.text()
    assert not dialog.open_button.isEnabled()
    assert dialog.list_button.isEnabled()


def test_addresses_that_are_none_are_not_asked(dialog, qtbot):
    for text, sentence in (
        ("ftp://x", "begins with http"),
        ("  ", "Give the address"),
        ("a:b@c", "leave name"),
    ):
        list_by_keys(dialog, qtbot, text)
        assert sentence in dialog.sentence.text()


def test_asking_can_be_stopped(dialog, qtbot, server):
    server.answers["/api/v1/version"] = lambda: Answer(
        (b" " for _ in iter(lambda: QTest.qWait, None)), length=-1
    )
    dialog.address.setEditText(server.url)
    dialog.list_them()
    qtbot.waitUntil(lambda: bool(server.asked))
    assert dialog.stop_button.isVisible()
    QTest.mouseClick(dialog.stop_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dialog.worker.is_busy)
    assert dialog.sentence.text() == "Stopped."
    assert dialog.stop_button.isHidden()


def test_a_token_is_typed_unseen_and_kept_nowhere(dialog, qtbot, server):
    assert dialog.token.echoMode() is QLineEdit.EchoMode.Password
    dialog.token.setText("secret-token")
    with qtbot.waitSignal(dialog.listed) as caught:
        list_by_keys(dialog, qtbot, server.url)
    assert caught.args == [server.url]
    assert set(server.tokens) == {"Bearer secret-token"}
    query = query_of(dialog, qtbot)
    assert query.token == "secret-token"
    assert "secret-token" not in repr(query)


# ---- in the window


def open_dialog(window, qtbot, url: str) -> ServerDialog:
    window.actions_by_id["server"].trigger()
    (dialog,) = window.findChildren(ServerDialog)
    list_by_keys(dialog, qtbot, url)
    return dialog


def opened(window, qtbot) -> list[float]:
    """Wait until what is opened is there, and return the arrivals of its jobs."""
    qtbot.waitUntil(lambda: not window.files.is_busy)
    return [each.arrival for each in window.document.workload.jobs]


def test_the_window_opens_a_night_and_refreshes_it(window, qtbot, server, tmp_path):
    dialog = open_dialog(window, qtbot, server.url)
    dialog.state.setCurrentIndex(dialog.state.findData("completed"))
    dialog.accept()
    assert opened(window, qtbot) == [0.0, 3600.0]
    assert window.document.workload.recorded is not None
    assert window.settings.server_addresses == (server.url,)
    server.asked.clear()
    window.actions_by_id["refresh"].trigger()
    assert opened(window, qtbot) == [0.0, 3600.0]
    assert not any(path.endswith("/logs") for path in server.asked)
    # one that ran has ended
    server.answers["/api/v1/applications"] = as_json(
        [
            listed("app-1", 0, 10),
            listed("app-2", 3600, 3620, user="bob", attempt="1"),
            listed("app-3", 7200, 7300, stamp=2),
        ]
    )
    whole = ended(log_of(tmp_path, "app-3", job(7200), job(7250, stage=1)))
    server.answers["/api/v1/applications/app-3/logs"] = zipped(whole, "app-3")
    window.actions_by_id["refresh"].trigger()
    assert opened(window, qtbot)[:3] == [0.0, 3600.0, 7200.0]
    assert len(window.document.workload.jobs) == 4
    window.editor.undo_stack.undo()
    assert len(window.document.workload.jobs) == 2


def test_what_fails_is_said_and_leaves_the_document(window, qtbot, server):
    before = window.document.state
    dialog = open_dialog(window, qtbot, server.url)
    for name in ("app-1", "app-2/1", "app-3"):
        del server.answers[f"/api/v1/applications/{name}/logs"]
    with qtbot.waitSignal(window.files.failed) as caught:
        dialog.accept()
    assert "it gives no event log of" in str(caught.args[0])
    assert window.document.state is before


def test_logs_lie_in_a_folder_that_goes_with_the_window(window, qtbot, server):
    open_dialog(window, qtbot, server.url).accept()
    opened(window, qtbot)
    folder = window.files.servers._folder
    assert len(list(folder.rglob("*.zip"))) == 3
    window.close()
    assert not folder.exists()


def test_addresses_are_remembered_and_tokens_are_not(window, qtbot, server):
    dialog = open_dialog(window, qtbot, server.url)
    dialog.token.setText("secret-token")
    dialog.list_them()
    qtbot.waitUntil(lambda: not dialog.worker.is_busy)
    dialog.accept()
    opened(window, qtbot)
    store = window.settings._store
    kept = json.dumps({key: str(store.value(key)) for key in store.allKeys()})
    assert server.url in kept
    assert "secret-token" not in kept
    window.actions_by_id["server"].trigger()
    again = window.findChildren(ServerDialog)[-1]
    assert again.address.currentText() == server.url
    assert again.token.text() == ""
    again.reject()


def test_a_document_that_was_made_here_cannot_be_refreshed(window, qtbot):
    window.files._again = None
    with qtbot.waitSignal(window.files.failed) as caught:
        window.actions_by_id["refresh"].trigger()
    assert "no file or server to read it from again" in str(caught.args[0])
