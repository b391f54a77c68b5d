"""Every test of the window: no display needed, nobody's settings touched, nothing left behind."""

from __future__ import annotations

import gc
import os
import sys
import threading
import weakref
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QStandardPaths, Qt, QThread, QThreadPool, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from core.model.cluster import Cluster
from core.model.document_state import DocumentState
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.document.document import Document
from explorer.document.editor import Editor
from explorer.document.view_state import ViewState
from explorer.widgets.type_face import use_type_face

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from explorer.window.main_window import MainWindow


@pytest.fixture(autouse=True)
def _one_application(qapp: QApplication) -> None:
    """Have the application of windows first: one that only draws pictures cannot become it later."""
    use_type_face(qapp)


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Point settings and application data to a folder of this test."""
    # not the cache: compiled code is found there
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    if sys.platform != "linux":  # elsewhere Qt does not ask the environment
        QStandardPaths.setTestModeEnabled(True)


_made: weakref.WeakValueDictionary[int, QObject] = weakref.WeakValueDictionary()
"""What could be left running, noted as it is made: to find it among all objects takes longer."""


def _note(kind: type[QObject]) -> None:
    make = kind.__init__

    def make_and_note(self: QObject, *arguments: object, **options: object) -> None:
        make(self, *arguments, **options)  # type: ignore[arg-type]
        _made[id(self)] = self

    kind.__init__ = make_and_note  # type: ignore[method-assign]


for _kind in (QTimer, QThread, QThreadPool):
    _note(_kind)


@pytest.fixture(autouse=True)
def _hands_off() -> Iterator[None]:
    """Let go of the buttons that a drag without an end has left pressed: Qt remembers them for all tests."""
    yield
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton):
        if QGuiApplication.mouseButtons() & button:
            QTest.mouseRelease(QWidget(), button)


@pytest.fixture(autouse=True)
def _nothing_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a top-level widget, a running thread or an active timer."""
    threads = set(threading.enumerate())
    yield
    if QCoreApplication.instance() is None:
        return
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = _newly_left()
    if left:
        # only what somebody can still reach counts
        del left
        gc.collect()
        left = _newly_left()
    _blamed.extend(left)
    names = [_described(thing) for thing in left] + [
        thread.name
        for thread in threading.enumerate()
        if thread not in threads and not isinstance(thread, threading._DummyThread)
    ]
    if names:
        pytest.fail(f"left behind: {', '.join(names)}")


ENDING_MS = 300
"""A thread that has told its answer takes a moment to end."""

_blamed: list[object] = []
"""What an earlier test left behind is not the fault of later ones."""


def _newly_left() -> list[object]:
    return [thing for thing in _running() if not any(thing is other for other in _blamed)]


def _running() -> list[object]:
    known = [QThreadPool.globalInstance(), *(reference() for reference in _made.valuerefs())]
    found: list[object] = [
        thing for thing in known if thing is not None and isValid(thing) and _is_running(thing)
    ]
    if isinstance(QCoreApplication.instance(), QApplication):
        found += QApplication.topLevelWidgets()
    return found


def _is_running(thing: object) -> bool:
    if isinstance(thing, QTimer):
        return thing.isActive()
    if isinstance(thing, QThread):
        return thing.isRunning() and thing is not QCoreApplication.instance().thread()
    if isinstance(thing, QThreadPool):
        return not thing.waitForDone(ENDING_MS)
    return True


def _described(thing: object) -> str:
    name, parent = thing.objectName(), thing.parent()  # type: ignore[attr-defined]
    of = f" of {type(parent).__name__}" if parent is not None else ""
    return f"{type(thing).__name__}{of} '{name}'" if name else f"{type(thing).__name__}{of}"


PATIENCE_MS = 60_000
"""How long what must happen may take; on a busy machine that is many times as long as on an idle one."""


@pytest.fixture
def qtbot(qtbot: QtBot) -> QtBot:
    """Return pytest-qt's hands, but more patient: that a machine is slow is no fault."""
    for name in ("waitUntil", "waitSignal", "waitSignals", "waitExposed", "waitActive"):
        setattr(qtbot, name, partial(getattr(qtbot, name), timeout=PATIENCE_MS))
    return qtbot


@pytest.fixture
def shown(qtbot: QtBot) -> Callable[[QWidget], QWidget]:
    """Show a widget so that keys reach it: without a window manager nothing gets the focus by itself."""

    def show(widget: QWidget) -> QWidget:
        qtbot.addWidget(widget)
        with qtbot.waitExposed(widget):
            widget.show()
        widget.activateWindow()
        qtbot.waitUntil(widget.isActiveWindow)
        return widget

    return show


@pytest.fixture
def window(request: pytest.FixtureRequest) -> MainWindow:
    """Show the whole window on the sample of five jobs, simulated under two policies.

    Tests share the one window of their module where they are marked so. One that `only_looks` may select
    and zoom, but not edit. One that `only_edits` may also edit and open panels; after it the sample is opened
    anew.
    """
    return request.getfixturevalue(window_fixture(request.node))


def window_fixture(test: pytest.Item) -> str:
    """Return the name of the fixture that a test's marks ask for."""
    if test.get_closest_marker("only_looks"):
        return "window_looked_at"
    is_shared = test.get_closest_marker("only_edits") and not test.get_closest_marker("own_window")
    return "window_edited" if is_shared else "window_of_its_own"


@pytest.fixture
def window_of_its_own(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """Show a window that a test may do anything with."""
    from tests.explorer.window_fixtures import open_window  # most tests of a part load no other part

    return open_window(qtbot, tmp_path)


@pytest.fixture(scope="module")
def window_of_module(
    request: pytest.FixtureRequest, qapp: QApplication, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MainWindow]:
    """Show one window for all tests of a module that only look; what it keeps running is no leftover.

    It shows the module's `SAMPLE` if there is one.
    """
    from tests.explorer.window_fixtures import forget_changes, make_window

    before = _newly_left()
    window = make_window(tmp_path_factory.mktemp("window"), getattr(request.module, "SAMPLE", "five-jobs"))
    of_window = [thing for thing in _newly_left() if not any(thing is other for other in before)]
    of_window += window.findChildren(QTimer)
    _blamed.extend(of_window)
    yield window
    forget_changes(window)
    window.close()
    window.deleteLater()
    _blamed[:] = [thing for thing in _blamed if not any(thing is other for other in of_window)]


@pytest.fixture
def window_looked_at(window_of_module: MainWindow) -> Iterator[MainWindow]:
    """Give a window to look at, and see that the test did not edit; what it selected is let go."""
    from tests.explorer.window_fixtures import SIZE

    window = window_of_module
    document, view_state = window.document.state, window.view_state
    yield window
    assert window.document.state is document, "the test was to look only"
    assert window.editor.undo_stack.count() == 0, "the test was to look only"
    view_state.hover(None)
    view_state.select_job(None)
    view_state.select_idle(None)
    view_state.activate_scenario(document.scenarios[0].id)
    view_state.time_cursor.hide()
    window.resize(*SIZE)
    next(iter(window.charts.views.values())).axis.fit()


@pytest.fixture(scope="module")
def first_layout(window_of_module: MainWindow) -> dict[str, Any]:
    """Return how the window of the module looks before any test."""
    return window_of_module._layout_and_view()


@pytest.fixture
def window_edited(
    request: pytest.FixtureRequest, window_of_module: MainWindow, first_layout: dict[str, Any]
) -> Iterator[MainWindow]:
    """Give a window to edit in; afterwards it shows its sample as it did before."""
    from tests.explorer.window_fixtures import begin_anew

    yield window_of_module
    begin_anew(window_of_module, getattr(request.module, "SAMPLE", "five-jobs"), first_layout)
    _blamed.extend(window_of_module.findChildren(QTimer))  # the charts are others now


@pytest.fixture
def view_state(document: Document) -> ViewState:
    """Return the selection that goes with the document."""
    return ViewState(document)


@pytest.fixture
def five_jobs() -> Workload:
    """Five small jobs whose order matters."""
    durations = {"J1": (4, 5), "J2": (1, 4), "J3": (30, 4), "J4": (6, 30), "J5": (2, 3)}
    jobs = tuple(Job(name, Stage.of(30, m), Stage.of(30, r)) for name, (m, r) in durations.items())
    return Workload("Five jobs", jobs, Cluster(30, 30, 1.0))


@pytest.fixture
def two_scenarios(five_jobs: Workload) -> DocumentState:
    """Five jobs under FIFO (id 1, the baseline) and Johnson (id 2)."""
    return DocumentState.new(five_jobs, (PolicyChoice("fifo"), PolicyChoice("johnson")))


@pytest.fixture
def document(qapp: QApplication, two_scenarios: DocumentState) -> Document:
    """Return an evented document of five jobs and two scenarios."""
    return Document(two_scenarios)


@pytest.fixture
def editor(document: Document) -> Iterator[Editor]:
    """Return an editor of that document."""
    editor = Editor(document)
    yield editor
    editor.undo_stack.clear()
