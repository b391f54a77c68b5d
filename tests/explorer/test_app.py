"""The application: the first picture, the files asked for, the theme, and what a crash left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QPushButton

from core.files.open_workload import load_sample
from explorer.app import WindowSession, make_application
from explorer.document.view_state import ThemeChoice
from explorer.session.autosave import Autosave
from explorer.session.session_folder import recoverable_sessions
from explorer.session.settings import WindowSettings
from explorer.warm_up import WarmUp
from explorer.window.document_files import new_document

if TYPE_CHECKING:
    from collections.abc import Callable


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


def test_opens_a_sample_or_a_file_first(open_session):
    window = open_session("two-jobs-order").window
    assert [job.name for job in window.document.workload.jobs] == ["J1", "J2"]
    assert window.messages.message is None


def test_a_file_that_cannot_be_opened_leaves_the_sample_and_a_sentence(open_session, tmp_path):
    path = tmp_path / "empty.workload.json"
    path.write_bytes(b"")
    window = open_session(str(path)).window
    assert "empty.workload.json" in window.messages.message.sentence
    assert window.document.workload.name == "Five jobs"


def test_the_theme_follows_the_choice(open_session):
    session = open_session()
    session.settings.theme = ThemeChoice.DARK
    session.window.view_state.theme = ThemeChoice.DARK
    assert session.window.charts.theme.is_dark
    session.settings.theme = ThemeChoice.LIGHT
    session.window.view_state.theme = ThemeChoice.LIGHT
    assert not session.window.charts.theme.is_dark


def crashed_session(editor) -> None:
    """Leave behind what a killed window leaves: a session with an edit and nobody's lock."""
    editor.load(new_document(load_sample("five-jobs")))
    autosave = Autosave(editor)
    autosave.start()
    editor.drop_order(1, ("J2", "J1", "J3", "J4", "J5"))
    autosave.flush()
    autosave._folder.unlock()
    editor.edited.disconnect(autosave._save_soon)


@pytest.mark.parametrize("answer", ["Restore", "Discard", "Later"])
def test_a_crashed_session_is_offered_back(open_session, editor, qtbot, answer):
    crashed_session(editor)
    assert len(recoverable_sessions()) == 1
    session = open_session()
    window = session.window
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "recovery") is not None)
    box = window.findChild(QMessageBox, "recovery")
    assert "Five jobs" in box.text()
    button = next(b for b in box.findChildren(QPushButton) if b.text().replace("&", "") == answer)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    edited = window.document.scenarios[0].order == ("J2", "J1", "J3", "J4", "J5")
    assert edited == (answer == "Restore")
    assert window.isWindowModified() == (answer == "Restore")
    assert len(recoverable_sessions()) == (1 if answer == "Later" else 0)
