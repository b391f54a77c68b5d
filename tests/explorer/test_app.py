"""The application: the first picture, the files asked for, the theme, and what a crash left."""

from __future__ import annotations

import errno
import sys
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.files.file_mark import mark_of
from core.files.journal import Journal
from core.files.samples import sample_paths
from explorer import app
from explorer.app import WindowSession, make_application
from explorer.dialogs.columns_dialog import ColumnsDialog
from explorer.dialogs.recovery_dialog import RecoveryDialog
from explorer.document.view_state import ThemeChoice
from explorer.session import starts
from explorer.session.session_folder import JOURNAL, recoverable_sessions, sessions_folder
from explorer.session.settings import WindowSettings
from explorer.session.starts import Start
from explorer.warm_up import WarmUp
from explorer.window.files.opening_cover import OpeningCover
from explorer.window.recovery import about_window
from tests.paths import DATA

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(autouse=True)
def _not_the_very_first_start(monkeypatch):
    monkeypatch.setattr(WindowSettings, "was_greeted", True, raising=False)


@pytest.fixture
def open_session(qtbot, tmp_path, monkeypatch) -> Callable[..., WindowSession]:
    def open_one(*sources: str) -> WindowSession:
        monkeypatch.setattr(WarmUp, "start", _nothing)  # compiling has tests of its own
        session = WindowSession(make_application(), WindowSettings(tmp_path / "settings.ini"), sources)
        session.window.runner.use_compiled()
        qtbot.addWidget(session.window, before_close_func=_forget)
        session.window.show()
        qtbot.waitExposed(session.window)
        session.start()
        session.window.runner.wait_until_idle()
        return session

    return open_one


def _nothing(_warm_up: WarmUp, _first: tuple[str, ...]) -> None:
    """Start nothing."""


def _forget(window) -> None:
    window.editor.undo_stack.setClean()


def test_opens_on_the_five_jobs_without_a_file(open_session):
    window = open_session().window
    assert window.document.workload.name == "Five jobs"
    assert [scenario.choice.id for scenario in window.document.scenarios] == ["fifo", "johnson"]
    assert window.messages.message is None


def test_the_very_first_start_offers_first_steps_unless_a_file_is_opened(open_session, monkeypatch):
    monkeypatch.setattr(WindowSettings, "was_greeted", False, raising=False)
    assert not open_session("two-jobs-order").window.first_steps.isVisible()
    card = open_session().window.first_steps
    assert card.isVisible()
    assert card.title.text() == "New here?"


def test_threads_give_the_window_its_turn_in_less_than_a_millisecond(open_session):
    open_session()
    assert sys.getswitchinterval() < 0.001


def test_opens_a_sample_or_a_file_first(open_session):
    window = open_session("two-jobs-order").window
    assert [job.name for job in window.document.workload.jobs] == ["J1", "J2"]
    assert window.messages.message is None


def test_a_sample_opens_with_the_scenarios_that_make_its_point(open_session):
    window = open_session("dynamic-slots").window
    assert [scenario.choice.id for scenario in window.document.scenarios] == ["fair", "dhfs-pi"]
    assert window.document.baseline == 1


def test_a_file_that_cannot_be_opened_leaves_the_sample_and_a_sentence(open_session, tmp_path):
    path = tmp_path / "empty.workload.json"
    path.write_bytes(b"")
    window = open_session(str(path)).window
    assert "empty.workload.json" in window.messages.message.sentence
    assert window.document.workload.name == "Five jobs"


@pytest.mark.parametrize("content", ["", None])
def test_a_large_file_is_read_behind_a_cover_and_not_behind_the_example(
    open_session, tmp_path, monkeypatch, qtbot, content
):
    monkeypatch.setattr(app, "OPEN_AT_ONCE_BYTES", 0)
    path = tmp_path / "large.workload.json"
    path.write_text(sample_paths()["two-jobs-order"].read_text() if content is None else content)
    session = WindowSession(make_application(), WindowSettings(tmp_path / "settings.ini"), [str(path)])
    qtbot.addWidget(session.window, before_close_func=_forget)
    (cover,) = session.window.findChildren(OpeningCover)
    session.window.resize(1100, 700)
    session.window.show()
    assert cover.text() == "Reading large.workload.json…"
    assert cover.isVisible()
    assert cover.geometry() == session.window.centralWidget().rect()
    qtbot.waitUntil(lambda: not session.window.files.is_busy)
    qtbot.waitUntil(lambda: not session.window.findChildren(OpeningCover))
    assert (session.window.document.workload.name == "Five jobs") == (content == "")
    session.window.runner.wait_until_idle()


def test_packed_files_are_taken_to_be_ten_times_as_large(tmp_path):
    for name, size, is_small in (("a.json", 499_999, True), ("a.json", 500_000, False)):
        (tmp_path / name).write_bytes(bytes(size))
        assert app._is_small(tmp_path / name) == is_small
    for size, is_small in ((49_999, True), (50_000, False)):
        (tmp_path / "a.json.GZ").write_bytes(bytes(size))
        assert app._is_small(tmp_path / "a.json.GZ") == is_small
    assert not app._is_small(tmp_path)


def test_a_table_that_nobody_knows_is_asked_about_once_the_window_shows(open_session, qtbot):
    window = open_session(str(DATA / "mapped" / "export.psv")).window
    qtbot.waitUntil(lambda: bool(window.findChildren(ColumnsDialog)))
    (asked,) = window.findChildren(ColumnsDialog)
    assert asked.isVisible()
    assert window.messages.message is None
    asked.reject()


def test_the_theme_follows_the_choice(open_session):
    session = open_session()
    session.settings.theme = ThemeChoice.DARK
    session.window.view_state.theme = ThemeChoice.DARK
    assert session.window.charts.theme.is_dark
    session.settings.theme = ThemeChoice.LIGHT
    session.window.view_state.theme = ThemeChoice.LIGHT
    assert not session.window.charts.theme.is_dark


@pytest.fixture
def crashed(editor, two_scenarios, tmp_path) -> None:
    """Leave behind what two killed windows leave: sessions with edits and nobody's lock."""
    make_application()  # its name is part of the folder's
    for name in ("first", "second"):
        editor.load(two_scenarios, tmp_path / f"{name}.slotscope")
        editor.drop_order(2, ("J2", "J1", "J3", "J4", "J5"))
        editor.edit_cluster(map_slots=7)
        folder = sessions_folder() / name
        folder.mkdir(parents=True)
        view = {"active_scenario": 2, "cursor": [12.0, 1]}
        path = str(editor.document.path)
        about = {"name": name, "path": path, "modified": True, "edits": 2, "layout": {"view": view}}
        Journal.begin(folder / JOURNAL, editor.history, about)


def titles() -> set[str]:
    return {session.title for session in recoverable_sessions()}


def offered(session) -> RecoveryDialog:
    dialog = session.window.findChild(RecoveryDialog)
    assert dialog is not None
    return dialog


def choose(dialog: RecoveryDialog, name: str) -> None:
    names = [dialog.table.model().index(row, 0).data() for row in range(dialog.table.model().rowCount())]
    dialog.table.selectRow(names.index(name))


def test_one_of_two_crashed_sessions_is_restored_with_its_undo(open_session, crashed, qtbot):
    session = open_session()
    window, dialog = session.window, offered(session)
    assert dialog.table.model().index(0, 1).data().endswith(".slotscope")
    assert dialog.table.model().index(0, 3).data() == "2"
    choose(dialog, "first")
    qtbot.mouseClick(dialog.restore_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not (sessions_folder() / "first").exists())
    assert titles() == {"second"}
    assert window.document.path.name == "first.slotscope"
    assert window.isWindowModified()
    assert window.view_state.active_scenario == 2
    assert window.view_state.time_cursor.seconds == 12.0
    assert about_window(window)["layout"]["view"] == window.view_state.values()
    window.actions_by_id["undo"].trigger()
    assert window.document.cluster.map_slots == 30
    assert window.document.scenarios[1].order == ("J2", "J1", "J3", "J4", "J5")
    window.actions_by_id["undo"].trigger()
    assert window.document.scenarios[1].order is None
    window.actions_by_id["redo"].trigger()
    assert (window.editor.undo_stack.index(), window.editor.undo_stack.count()) == (1, 2)


def test_sessions_are_discarded_one_by_one(open_session, crashed, qtbot):
    dialog = offered(open_session())
    choose(dialog, "second")
    qtbot.mouseClick(dialog.discard_button, Qt.MouseButton.LeftButton)
    assert titles() == {"first", "second"}
    assert "Discard second and its edits for good" in dialog.problem.text()
    choose(dialog, "first")
    assert not dialog.problem.text()
    choose(dialog, "second")
    for _ in range(2):  # asked anew, since another one was chosen meanwhile
        qtbot.mouseClick(dialog.discard_button, Qt.MouseButton.LeftButton)
    assert titles() == {"first"}
    for _ in range(2):
        qtbot.keyClick(dialog.table, Qt.Key.Key_Delete)
    assert titles() == set()
    assert not dialog.isVisible()


def test_settings_that_were_put_aside_are_said(open_session, tmp_path):
    (tmp_path / "settings.ini").write_bytes(b"[window]\nlayout=@ByteArray(x)\n")
    sentence = open_session().window.messages.message.sentence
    assert sentence.startswith("The settings were damaged")
    assert "settings.damaged" in sentence


def test_later_keeps_all(open_session, crashed, qtbot):
    session = open_session()
    qtbot.keyClick(offered(session), Qt.Key.Key_Escape)
    assert titles() == {"first", "second"}
    assert session.window.document.workload.name == "Five jobs"


def test_with_a_full_disk_the_old_session_stays(open_session, crashed, qtbot, monkeypatch):
    session = open_session()
    session.autosave.flush()

    def full(*_arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("core.files.journal.sync_file", full)
    dialog = offered(session)
    choose(dialog, "first")
    qtbot.keyClick(dialog.table, Qt.Key.Key_Return)
    messages = session.window.messages
    qtbot.waitUntil(lambda: "no space left on device" in getattr(messages.message, "sentence", ""))
    assert (sessions_folder() / "first" / JOURNAL).exists()
    monkeypatch.undo()
    session.window.editor.edit_cluster(map_slots=9)
    qtbot.waitUntil(lambda: not (sessions_folder() / "first").exists())


def test_a_file_that_changed_since_the_crash_is_told(open_session, crashed, editor, tmp_path, qtbot):
    path = tmp_path / "second.slotscope"
    path.write_text("as it was")
    session = open_session()
    session.window.files.disk.follow({path: mark_of(path)})
    session.window.document.set_path(path)
    about = {"name": "third", "path": str(path), "mark": about_window(session.window)["mark"]}
    session.window.close()
    path.write_text("as somebody else has it")
    Journal.begin(sessions_folder() / "second" / JOURNAL, editor.history, about)
    again = open_session()
    choose(offered(again), "third")
    qtbot.keyClick(offered(again).table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: again.window.messages.message is not None)
    assert (
        "second.slotscope was changed by another window or program" in again.window.messages.message.sentence
    )


def test_a_changed_original_is_one_after_the_crash_too(open_session, crashed, editor, qtbot):
    window = open_session().window
    assert window.windowTitle() == "Five jobs (original)[*] — Slotscope"
    about = {"name": "third", "path": None, "original": about_window(window)["original"]}
    window.close()
    Journal.begin(sessions_folder() / "second" / JOURNAL, editor.history, about)
    again = open_session()
    again.window.files.set_original(None)
    choose(offered(again), "third")
    with qtbot.waitSignal(again.window.files.opened):
        qtbot.keyClick(offered(again).table, Qt.Key.Key_Return)
    assert again.window.files.original == sample_paths()["five-jobs"]
    assert (again.window.document.path, again.window.isWindowModified()) == (None, True)


def test_a_damaged_session_gives_what_is_intact_and_stays(open_session, crashed, qtbot):
    journal = sessions_folder() / "first" / JOURNAL
    data = bytearray(journal.read_bytes())
    data[-1] ^= 1
    journal.write_bytes(data)
    session = open_session()
    dialog = offered(session)
    choose(dialog, "first")
    qtbot.mouseClick(dialog.restore_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.window.messages.message is not None)
    assert "first: the session's journal is damaged" in session.window.messages.message.sentence
    assert session.window.document.scenarios[1].order == ("J2", "J1", "J3", "J4", "J5")
    assert session.window.document.cluster.map_slots == 30
    assert titles() == {"first", "second"}


def test_what_cannot_be_restored_says_why_and_the_list_stays(open_session, crashed, qtbot):
    (sessions_folder() / "first" / JOURNAL).write_bytes(b"no journal")
    dialog = offered(open_session())
    choose(dialog, "first")
    qtbot.mouseClick(dialog.restore_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.problem.isVisible)
    assert "is damaged" in dialog.problem.text()
    assert dialog.restore_button.isEnabled()
    dialog.reject()


# ---- safe starts


@pytest.fixture
def started(qtbot, tmp_path, monkeypatch):
    """Open a window as `open_window` does, look at it once it is shown, and close it."""
    monkeypatch.setattr(WarmUp, "start", _nothing)
    monkeypatch.setattr(app, "WindowSettings", lambda: WindowSettings(tmp_path / "settings.ini"))
    monkeypatch.setattr(app, "Start", partial(Start, tmp_path / "starts"))

    def start(look, *sources, safe=False):
        def use(_application):
            session = QApplication.instance().findChildren(WindowSession)[-1]
            qtbot.waitExposed(session.window)
            session.window.runner.wait_until_idle()
            look(session)
            _forget(session.window)
            session.window.close()
            session.window.deleteLater()
            return 0

        monkeypatch.setattr(QApplication, "exec", use)
        assert app.open_window(sources, safe=safe) == 0

    return start


def _fail(folder, times=1):
    """Leave what starts leave that were killed."""
    folder.mkdir(exist_ok=True)
    for _ in range(times):
        (folder / f"{len(list(folder.iterdir()))}.start").touch()


def _is_safe(session):
    return session.window.own_policies.files.are_off


def test_a_safe_start_says_so_and_runs_no_file(started, qtbot):
    def look(session):
        assert _is_safe(session)
        assert session.window.messages.message.sentence.startswith("This start is safe: policy files are")
        with qtbot.waitSignal(session.window.files.opened):  # which clears messages
            session.window.files.open("two-jobs-order")
        assert session.window.messages.message.sentence.startswith("This start is safe")
        session.window.own_policies.files.switch(on=True)
        assert session.window.messages.message is None, "it holds no more"

    started(look, safe=True)


@pytest.mark.parametrize(("failed", "safe"), [(0, False), (1, False), (2, True), (3, True)])
def test_two_failed_starts_make_the_next_one_safe(started, tmp_path, failed, safe):
    _fail(tmp_path / "starts", failed)
    heard = []

    def look(session):
        heard.append(_is_safe(session))
        if safe:
            assert "did not come through its last two starts" in session.window.messages.message.sentence
        else:
            assert session.window.messages.message is None

    started(look)
    started(lambda session: heard.append(_is_safe(session)))  # the one before was closed as usual
    assert heard == [safe, False]


def test_after_a_safe_start_one_more_failure_is_enough(started, tmp_path):
    heard = []
    _fail(tmp_path / "starts", 2)
    started(lambda session: heard.append(_is_safe(session)))
    _fail(tmp_path / "starts")
    started(lambda session: heard.append(_is_safe(session)))
    assert heard == [True, True]


def test_a_safe_start_lays_the_window_out_anew(started, tmp_path):
    started(lambda session: session.window.side_dock.show_section("pools"))
    heard = []
    for safe in (False, True):
        started(lambda session: heard.append(session.window.side_dock.isVisible()), safe=safe)
    assert heard == [True, False]  # at first it is folded in a window as narrow as this one


def test_a_window_in_use_has_come_through(started, tmp_path, qtbot, monkeypatch):
    monkeypatch.setattr(starts, "TICK_MS", 1)

    def look(session):
        qtbot.waitUntil(lambda: list((tmp_path / "starts").iterdir()) == [])

    _fail(tmp_path / "starts")
    started(look)


def test_a_question_at_the_start_keeps_the_mark(started, tmp_path, crashed, qtbot, monkeypatch):
    """The session that brought the window down may be the one that is offered back."""
    monkeypatch.setattr(starts, "TICK_MS", 1)

    def look(session):
        dialog = offered(session)
        qtbot.wait(50)
        assert len(list((tmp_path / "starts").iterdir())) == 1
        dialog.reject()
        qtbot.waitUntil(lambda: list((tmp_path / "starts").iterdir()) == [])

    started(look)
