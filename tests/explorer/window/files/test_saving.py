"""No file is overwritten that the user did not mean: names without an ending, and files of two windows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QToolButton

from core.files.session_document import Session, read_session, write_session
from explorer.document.document import Document
from explorer.document.editor import Editor
from explorer.document.view_state import SelectedTask
from explorer.policy_files.own_policies import NEW_SCENARIO
from explorer.window.files.document_work import OpenedDocument
from explorer.window.files.export_dialogs import PictureDialog, ScenariosDialog
from tests.explorer.window_fixtures import forget_changes
from tests.paths import ROOT

SAVED = "week.slotscope"


@pytest.fixture
def answers(monkeypatch):
    """Answer questions by the texts of their buttons; return the questions."""
    given, asked = [], []

    def answer(box):
        asked.append(box.text())
        button = next(each for each in box.buttons() if each.text().replace("&", "") == given[0])
        given.pop(0)
        button.click()
        return box.standardButton(button)

    monkeypatch.setattr(QMessageBox, "exec", answer)
    return given, asked


@pytest.fixture
def names(monkeypatch):
    """Give names in dialogs, the last one ever again."""
    given = []

    def choose(*_arguments):
        return (str(given.pop(0) if len(given) > 1 else given[0]), "")

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    return given


def save_tasks(window):
    window.exports.ask_and_write("tasks")
    press_save(window, ScenariosDialog)


def save_picture(window):
    window.pictures.open_dialog()
    press_save(window, PictureDialog)


def press_save(window, kind):
    (dialog,) = window.findChildren(kind)
    dialog.save_button.click()
    dialog.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def write_chart(window):
    window.comparison.export_button.png_action.trigger()


@pytest.mark.only_looks
@pytest.mark.parametrize(
    ("save", "ending"),
    [
        (lambda w: w.files.save_as(), ".slotscope"),
        (lambda w: w.files.export_workload(), ".workload.json"),
        (lambda w: w.exports.ask_and_report(), ".html"),
        (lambda w: w.exports.ask_and_write_page(), ".html"),
        (save_tasks, ".csv"),
        (save_picture, ".png"),
        (lambda w: w.own_policies.actions.begin_new(NEW_SCENARIO), ".py"),
    ],
)
def test_a_name_without_an_ending_replaces_no_file_unasked(window, answers, names, tmp_path, save, ending):
    given, asked = answers
    old = tmp_path / f"week{ending}"
    old.write_text("precious")
    names[:] = [tmp_path / "week", ""]
    given[:] = ["Cancel"]
    save(window)
    assert asked == [f"week{ending} is there already. Replace it?"]
    assert old.read_text() == "precious"
    assert [path for path in tmp_path.iterdir() if path.is_file() and path.name != "settings.ini"] == [old]


def test_every_file_is_asked_for_in_one_way():
    asking = [path for path in ROOT.glob("explorer/**/*.py") if "getSaveFileName" in path.read_text()]
    assert asking == [ROOT / "explorer/widgets/save_dialog.py"]


def test_a_file_that_is_to_be_replaced_is(window, answers, names, tmp_path):
    (tmp_path / SAVED).write_text("old")
    names[:] = [tmp_path / "week"]
    answers[0][:] = ["Replace"]
    assert window.files.save_as()
    assert read_session(tmp_path / SAVED).state == window.document.state
    assert window.document.path == tmp_path / SAVED


class OtherProgram:
    """Edits and saves the same session."""

    def __init__(self, path):
        self.path = path
        self.editor = Editor(Document(read_session(path).state))

    def save(self):
        write_session(Session(self.editor.document.state), self.path)


@pytest.fixture
def two(window, names, tmp_path):
    """Return another program and a window on one session; both have an edit that is not saved."""
    names[:] = [tmp_path / SAVED]
    assert window.files.save_as()
    other = OtherProgram(tmp_path / SAVED)
    other.editor.rename_scenario(1, "theirs")
    window.editor.rename_scenario(1, "mine")
    yield other, window
    other.editor.undo_stack.clear()


def titles(window):
    return window.document.scenarios[0].title


def saved_title(path):
    return read_session(path).state.scenarios[0].title


@pytest.mark.parametrize(
    ("answer", "on_disk", "shown"),
    [
        ("Keep mine", {SAVED: "mine"}, "mine"),
        ("Keep both", {SAVED: "theirs", "week (2).slotscope": "mine"}, "mine"),
        ("Take theirs", {SAVED: "theirs"}, "theirs"),
        ("Cancel", {SAVED: "theirs"}, "mine"),
    ],
)
def test_the_second_save_says_that_the_file_was_changed(
    two, answers, qtbot, tmp_path, answer, on_disk, shown
):
    other, window = two
    other.save()
    answers[0][:] = [answer]
    is_saved = window.files.save()
    qtbot.waitUntil(lambda: titles(window) == shown)
    assert answers[1] == [
        f"{SAVED} was changed by another window or program since this window read or saved it."
    ]
    assert is_saved == (answer in ("Keep mine", "Keep both"))
    assert {path.name: saved_title(path) for path in tmp_path.glob("*.slotscope")} == on_disk
    assert window.editor.is_modified == (answer == "Cancel")
    if answer == "Take theirs":
        window.editor.undo_stack.undo()
        assert titles(window) == "mine"
        assert window.editor.is_modified
    if answer == "Keep both":
        assert window.document.path.name == "week (2).slotscope"


def test_a_change_at_the_last_moment_is_seen(two, answers, monkeypatch):
    other, window = two
    sync, steps = os.fsync, [lambda: other.save()]

    def late(descriptor):
        sync(descriptor)
        if steps:
            steps.pop()()

    monkeypatch.setattr(os, "fsync", late)
    answers[0][:] = ["Cancel"]
    assert not window.files.save()
    assert saved_title(window.document.path) == "theirs"


def choose(window, text):
    """Click a button of the message."""
    found = [button for button in window.messages.findChildren(QToolButton) if button.text() == text]
    found[-1].click()


def test_a_window_is_told_of_a_change_and_reloads(two, qtbot):
    other, window = two
    with qtbot.waitSignal(window.files.disk.reported):
        other.save()
    assert window.messages.message.sentence.startswith(f"{SAVED} was changed by another window or program")
    choose(window, "Reload")
    qtbot.waitUntil(lambda: titles(window) == "theirs")
    assert window.messages.message is None
    assert not window.editor.is_modified
    window.editor.undo_stack.undo()
    assert titles(window) == "mine"


def test_a_reload_of_another_document_can_be_undone(two, qtbot, tmp_path):
    other, window = two
    before = window.document.state
    other.editor.add_job()
    other.editor.remove_scenario(1)
    with qtbot.waitSignal(window.files.disk.reported):
        other.save()
    choose(window, "Reload")
    qtbot.waitUntil(lambda: len(window.document.workload.jobs) == 6)
    assert window.runner.wait_until_idle()
    assert list(window.charts.views) == [2]
    window.editor.undo_stack.undo()
    assert window.runner.wait_until_idle()
    assert (list(window.charts.views), window.document.state) == ([1, 2], before)


def test_who_keeps_theirs_is_not_asked_again(two, qtbot, answers):
    other, window = two
    with qtbot.waitSignal(window.files.disk.reported):
        other.save()
    window.editor.undo_stack.undo()
    assert not window.editor.is_modified
    choose(window, "Keep mine")
    assert window.editor.is_modified  # from what is in the file
    assert window.messages.message is None
    assert window.files.save()
    assert answers[1] == []


def test_what_a_window_saves_itself_and_equal_content_are_no_news(two, qtbot, answers, tmp_path):
    told = []
    _other, window = two
    window.files.disk.reported.connect(told.append)
    assert window.files.save()
    status = (tmp_path / SAVED).stat()
    with qtbot.waitSignal(window.files.disk.looked):
        os.utime(tmp_path / SAVED, ns=(0, status.st_mtime_ns + 10**9))
    window.editor.rename_scenario(1, "mine again")
    assert window.files.save()
    assert (told, answers[1]) == ([], [])


def test_a_file_that_is_gone_is_said_when_it_is_saved(two, tmp_path):
    _other, window = two
    (tmp_path / SAVED).unlink()
    assert window.files.save()
    assert window.messages.message.sentence == f"{SAVED} was gone; it is written anew in {tmp_path}"
    assert saved_title(tmp_path / SAVED) == "mine"


def test_a_pipe_in_the_place_of_a_file_is_neither_opened_nor_replaced(two, qtbot, answers, tmp_path):
    _other, window = two
    with qtbot.waitSignal(window.files.disk.looked):
        (tmp_path / SAVED).unlink()
        os.mkfifo(tmp_path / SAVED)
    answers[0][:] = ["Keep mine"]
    assert not window.files.save()
    assert "is a named pipe" in window.messages.message.sentence
    assert (tmp_path / SAVED).is_fifo()


def test_a_table_of_tasks_that_grew_is_read_again(window, qtbot, tmp_path):
    log = tmp_path / "tasks.csv"
    log.write_text("job,kind,start,end\nJ1,map,0,4\nJ1,reduce,4,6\n")
    with qtbot.waitSignal(window.files.opened):
        window.files.open(log)
    with qtbot.waitSignal(window.files.disk.reported), log.open("a") as file:
        file.write("J2,map,0,3\nJ2,reduce,3,5\n")
    choose(window, "Reload")
    qtbot.waitUntil(lambda: len(window.document.workload.jobs) == 2)
    assert not window.editor.is_modified
    window.editor.undo_stack.undo()
    assert len(window.document.workload.jobs) == 1


def test_what_is_watched_by_a_relative_name_stays_the_same_file(window, qtbot, names, tmp_path, monkeypatch):
    names[:] = [tmp_path / SAVED]
    assert window.files.save_as()
    monkeypatch.chdir(tmp_path)
    with qtbot.waitSignal(window.files.opened):
        window.files.open(SAVED)
    assert window.document.path == Path(tmp_path / SAVED)


def test_a_session_remembers_what_is_looked_at(window, names, qtbot, tmp_path):
    """Selection, active scenario, time cursor and notes come back with the session."""
    view_state = window.view_state
    view_state.activate_scenario(2)
    view_state.select_job("J4")
    view_state.select_task(SelectedTask(2, 200))
    view_state.time_cursor.show_at(12.5, 1)
    window.editor.set_notes("J4 is in the way")
    seen = view_state.values()
    names[:] = [tmp_path / "week.slotscope"]
    assert window.files.save_as()
    window.editor.set_notes("")
    forget_changes(window)
    window.files.open("two-jobs-order")
    qtbot.waitUntil(lambda: len(window.document.workload.jobs) == 2)
    assert view_state.selected_job is None
    window.files.open(tmp_path / "week.slotscope")
    qtbot.waitUntil(lambda: len(window.document.workload.jobs) == 5)
    assert window.runner.wait_until_idle()
    assert view_state.values() == seen
    assert window.notes_panel.toPlainText() == "J4 is in the way"


@pytest.mark.only_looks
def test_dialogs_begin_beside_the_file_that_was_opened(window, qtbot, tmp_path, monkeypatch):
    """Not in the folder that the program was started in; and then where something was saved last."""
    (tmp_path / "jobs").mkdir()
    (tmp_path / "out").mkdir()
    begun, given = [], [str(tmp_path / "out" / "report.html"), ""]

    def choose(*arguments):
        begun.append(Path(arguments[2]))
        return given.pop(0), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    window.files._follow(OpenedDocument(window.document.state, marks={tmp_path / "jobs" / "week.json": None}))
    with qtbot.waitSignal(window.exports.done):
        window.exports.ask_and_report()
    window.exports.ask_and_report()
    assert begun == [tmp_path / "jobs" / "report.html", tmp_path / "out" / "report.html"]
