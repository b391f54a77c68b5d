"""Words follow what was loaded: who opens a Spark application never reads of maps, reduces or slowstart."""

from __future__ import annotations

import re
from functools import partial

import pytest
from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMenu, QTabBar, QTabWidget, QWidget

from explorer.lab.editor_pane import EditorPane
from explorer.lab.watch_list import WatchList
from explorer.window.search.settings import settings_of
from tests.explorer.shown_texts import OF_MAP_REDUCE, ShownTexts
from tests.explorer.window_fixtures import open_window, settle
from tests.paths import TRACES

OF_OTHERS = (
    "stop",
    "open",
    "samples",
    "import",
    "import_folder",
    "server",
    "refresh",
    "library",
    "recent",
    "generate",
    "shared_scans",
)
OF_THE_PROGRAM = (
    "about",
    "first_steps",
    "glossary",
    "search",
    "shortcuts",
    "save",
    "save_as",
    "stop",
    "quit",
)
NOT_OF_THE_DOCUMENT = {*OF_OTHERS, *OF_THE_PROGRAM}
"""Actions that show other documents, say what the program is, write or leave."""
OF_LESSONS = re.compile("lesson|_step|lift_veil|scores|present|take_view")
STUDIES_OF_PAPERS = re.compile(r"^\d{3}-")
"""Documents that ship, named after what a paper asked."""
SQL_LOG = TRACES / "spark-truth" / "sql-N4.eventlog.gz"
CODE = (EditorPane, WatchList)
"""Policies are Python, with names of their own."""
MAX_WAIT_MS = 450
"""Of what goes on for good, such as a search, we do not wait for the end."""


def test_the_windows_of_an_application(qtbot, tmp_path, monkeypatch):
    window = open_window(qtbot, tmp_path, "spark-application")
    assert read_everything(window, qtbot, monkeypatch) == {}


@pytest.mark.skipif(not SQL_LOG.exists(), reason="needs the real logs of Spark")
def test_the_windows_of_a_log_of_spark(qtbot, tmp_path, monkeypatch):
    window = open_window(qtbot, tmp_path)
    with qtbot.waitSignal(window.document.reset):
        window.files.open(SQL_LOG)
    assert window.runner.wait_until_idle(60_000)
    assert read_everything(window, qtbot, monkeypatch) == {}


def test_settings_that_can_be_typed(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path, "spark-application")
    window.view_state.select_job(window.document.workload.jobs[0].name)
    texts = [text for each in settings_of(window) for text in (each.title, each.parameter.help, each.where)]
    assert "Containers" in texts
    assert [text for text in texts if OF_MAP_REDUCE.search(text)] == []


def test_a_window_of_maps_says_so(qtbot, tmp_path, monkeypatch):
    """The words that are looked for are those of MapReduce."""
    open_window(qtbot, tmp_path)
    texts = ShownTexts(monkeypatch)
    texts.look("at first")
    found = {match.group(0).lower() for text in texts.found for match in OF_MAP_REDUCE.finditer(text)}
    assert found >= {"map", "maps", "reduce", "reduces", "slowstart"}


def read_everything(window, qtbot, monkeypatch):
    """Use every action of the menus and read what it opens; return what speaks of MapReduce, and where."""
    texts = ShownTexts(monkeypatch, lambda widget: isinstance(widget, CODE))
    for ask in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, ask, staticmethod(lambda *_given, **_options: ("", "")))
    window.view_state.select_job(window.document.workload.jobs[1].name)
    window.view_state.time_cursor.show_at(20.0)
    texts.look("at first")
    for name, action in window.actions_by_id.items():
        if name in NOT_OF_THE_DOCUMENT or OF_LESSONS.search(name) or action.menu() is not None:
            continue
        if action.isEnabled():
            answering = QTimer(window, interval=10)  # one without a pause would keep a processor busy
            answering.timeout.connect(partial(_answer, window, texts, name))
            answering.start()
            action.trigger()
            settle(window, MAX_WAIT_MS)
            answering.stop()
            assert window.runner.wait_until_idle(60_000)
            texts.look(name)
            _close_others(window, texts, name)
    for tabs in window.findChildren(QTabBar):
        _turn(window, tabs, texts, "the panels")
    _point_at_charts(window, texts)
    _ask_for_menus(window, texts)
    found = texts.found.items()
    return {
        text: where
        for text, where in found
        if OF_MAP_REDUCE.search(text) and not STUDIES_OF_PAPERS.match(text)
    }


def _answer(window, texts, name):
    """Read a dialog that waits for an answer, and leave it."""
    dialog = QApplication.activeModalWidget()
    if isinstance(dialog, QDialog) and dialog.isVisible() and dialog not in _being_read:
        _being_read.append(dialog)  # what is waited for here lets the timer go on
        settle(window, MAX_WAIT_MS)
        texts.look(name)
        for tabs in dialog.findChildren(QTabWidget):
            _turn(window, tabs, texts, name)
        _being_read.pop()
        dialog.reject()


_being_read: list[QDialog] = []


def _close_others(window, texts, name):
    for top in QApplication.topLevelWidgets():
        if top.isVisible() and top is not window:
            for tabs in top.findChildren(QTabBar):
                _turn(window, tabs, texts, name)
            top.close()


def _turn(window, tabs, texts, name):
    if tabs.isVisible():
        for place in range(tabs.count()):
            tabs.setCurrentIndex(place)
            settle(window, MAX_WAIT_MS)
            texts.look(name, tabs.window())


def _point_at_charts(window, texts):
    """Read the chart at each point, and what else follows the pointer once in each row."""
    for view in window.charts.views.values():
        for y in range(20, view.height(), 60):
            for x in range(5, view.width(), 120):
                QTest.mouseMove(view, QPoint(x, y))
                texts.look("the charts", view)
            texts.look("the charts")


def _ask_for_menus(window, texts):
    """Read the menus that a click with the right button opens, on every widget that is in view."""
    for section in window.side_dock.bar.sections.values():
        section.open(True)
    asked = [window]

    def read_and_close():  # many menus return only when they are closed
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            texts.look(f"the menu of {asked[0].accessibleName() or type(asked[0]).__name__}", menu)
            menu.close()

    timer = QTimer(interval=0)
    timer.timeout.connect(read_and_close)
    timer.start()
    for asked[0] in [window, *window.findChildren(QWidget)]:
        if not asked[0].isVisible():
            continue
        for place in (QPoint(5, 5), asked[0].rect().center()):
            reason = QContextMenuEvent.Reason.Mouse
            QApplication.sendEvent(asked[0], QContextMenuEvent(reason, place, asked[0].mapToGlobal(place)))
            read_and_close()
    timer.stop()
