"""What takes long to write: the window paints meanwhile, and what is cancelled leaves the old file."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QProgressDialog, QPushButton

from core.files.session_document import Session, read_session, write_session
from explorer.document.document import Document
from explorer.document.editor import Editor
from explorer.widgets import progress
from explorer.window.files import document_work

PATIENCE = 1000
"""Steps of a hundredth of a second that the writer waits at most."""


class SlowWriter:
    """Writes when the gate opens, and looks now and then whether it was cancelled.

    Attributes
    ----------
    has_begun, gate : whether it waits, and whether it may go on
    """

    def __init__(self, monkeypatch):
        self.has_begun, self.gate, self._timers = threading.Event(), threading.Event(), []
        for name in ("write_session", "write_workload"):
            write = getattr(document_work, name)
            monkeypatch.setattr(document_work, name, lambda *given, write=write: self.write(write, *given))

    def write(self, write, *given):
        self.wait(given[-1])
        return write(*given)

    def wait(self, watch):
        self.has_begun.set()
        for step in range(PATIENCE):
            watch.check(step / PATIENCE)
            if self.gate.wait(0.01):
                return

    def meanwhile(self, window, act):
        """Do something in the window's thread as often as it takes: until it returns True."""
        timer = QTimer(window, interval=5)
        timer.timeout.connect(lambda: self.has_begun.is_set() and act() and timer.stop())
        timer.start()


@pytest.fixture
def saved(window, tmp_path, monkeypatch):
    """Return the path of a session that was saved and edited since."""
    path = tmp_path / "week.slotscope"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_given: (str(path), ""))
    assert window.files.save_as()
    window.editor.rename_scenario(1, "mine")
    return path


@pytest.fixture
def writer(saved, monkeypatch):
    monkeypatch.setattr(progress, "SHOW_AFTER_MS", 1)
    return SlowWriter(monkeypatch)


class Paints(QObject):
    """Opens a gate as soon as a widget is painted."""

    def __init__(self, widget, gate):
        super().__init__(widget)
        self._gate = gate
        widget.installEventFilter(self)

    def eventFilter(self, _watched, event):
        if event.type() == QEvent.Type.Paint:
            self._gate.set()
        return False


def title_in(path):
    return read_session(path).state.scenarios[0].title


def dialogs(window):
    return [dialog for dialog in window.findChildren(QProgressDialog) if dialog.isVisible()]


def press_cancel(window):
    """Press Cancel of the dialog, once it is there; whether it was."""
    for dialog in dialogs(window):
        dialog.findChild(QPushButton).click()
        return True
    return False


def test_the_window_paints_while_it_waits(window, writer, saved):
    (view, *_others) = window.charts.views.values()
    writer.meanwhile(window, lambda: Paints(view, writer.gate) and (view.update() or True))
    assert window.files.save()
    assert writer.gate.is_set()
    assert (title_in(saved), window.editor.is_modified) == ("mine", False)
    assert dialogs(window) == []


def test_nothing_can_be_done_in_the_window_meanwhile(window, writer, saved):
    seen = []

    def look():
        if dialogs(window):
            (dialog,) = dialogs(window)
            seen.append((QApplication.activeModalWidget() is dialog, dialog.labelText()))
            writer.gate.set()
        return bool(seen)

    writer.meanwhile(window, look)
    assert window.files.save()
    assert seen == [(True, "Writing week.slotscope")]


@pytest.mark.parametrize(
    "save",
    [
        lambda window: window.files.save(),
        lambda window: window.files.export_workload(),
        lambda window: window.files.export_packed(),
    ],
)
def test_what_is_cancelled_leaves_the_old_file(window, writer, saved, monkeypatch, save):
    monkeypatch.setattr(QMessageBox, "exec", lambda _box: QMessageBox.StandardButton.Yes)
    before = saved.read_bytes()
    writer.meanwhile(window, lambda: press_cancel(window))
    assert not save(window)
    assert not writer.gate.is_set()
    assert saved.read_bytes() == before
    assert {path.suffix for path in saved.parent.iterdir()} <= {".slotscope", ".ini"}
    assert window.editor.is_modified
    assert window.messages.message is None


def test_closing_waits_until_all_is_written(window, writer, saved, monkeypatch):
    monkeypatch.setattr(QMessageBox, "exec", lambda _box: QMessageBox.StandardButton.Save)
    seen = []

    def look():
        seen.append(window.isVisible())
        writer.gate.set()
        return True

    writer.meanwhile(window, look)
    assert window.close()
    assert seen == [True]
    assert title_in(saved) == "mine"


def test_a_window_that_writes_does_not_close(window, writer, saved):
    seen = []

    def close():
        seen.append(window.close())
        writer.gate.set()
        return True

    writer.meanwhile(window, close)
    assert window.files.save()
    assert seen == [False]
    assert window.isVisible()


def test_closing_is_given_up_with_the_save_that_is_cancelled(window, writer, saved, monkeypatch):
    monkeypatch.setattr(QMessageBox, "exec", lambda _box: QMessageBox.StandardButton.Save)
    writer.meanwhile(window, lambda: press_cancel(window))
    assert not window.close()
    assert window.isVisible()
    assert window.editor.is_modified


def test_what_came_meanwhile_is_not_taken_for_saved(window, writer, saved):
    def edit():
        window.editor.rename_scenario(1, "newer")
        writer.gate.set()
        return True

    writer.meanwhile(window, edit)
    assert not window.files.save()
    assert title_in(saved) == "mine"
    assert window.editor.is_modified


def test_its_own_change_is_not_told_as_that_of_another_program(window, writer, saved, monkeypatch):
    disk, touched, told = window.files.disk, [], []
    disk._watch.touched.connect(touched.append)
    disk.reported.connect(told.append)
    writer.gate.set()
    written = vars(document_work)["write_session"]

    def dawdle(*given):
        data = written(*given)
        writer.gate.clear()
        writer.wait(given[-1])
        return data

    def look():
        is_over = bool(touched) and not disk._worker.is_busy
        if is_over:
            writer.gate.set()
        return is_over

    monkeypatch.setattr(document_work, "write_session", dawdle)
    writer.has_begun.clear()
    writer.meanwhile(window, look)
    assert window.files.save()
    assert touched
    assert told == []


def test_a_change_of_another_program_meanwhile_is_told(window, writer, saved, qtbot):
    other = Editor(Document(read_session(saved).state))
    other.rename_scenario(1, "theirs")

    def change():
        if title_in(saved) != "theirs":
            write_session(Session(other.document.state), saved)
        return press_cancel(window)

    writer.meanwhile(window, change)
    with qtbot.waitSignal(window.files.disk.reported):
        assert not window.files.save()
    assert title_in(saved) == "theirs"
    other.undo_stack.clear()
