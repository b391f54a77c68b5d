"""A monkey at the window: random actions from a seed, as quick as hands can be, in all that the window opens.

    python -m tests.explorer.window.monkey --seed 7 --actions 5000

It uses every action of the menus, and every widget of every window, dialog, list and menu that is open: with
clicks, keys, drags, drops, wheel, typed text and context menus. Questions that wait are answered as randomly.
Whatever it does, nothing is raised, the window's thread is held for no half second, undoing all of it gives
the first state again and redoing all the last; and another document leaves nothing of what was there.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import sys
import tempfile
import traceback
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from shutil import copytree
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QEvent,
    QEventLoop,
    QModelIndex,
    QObject,
    QPoint,
    QPointF,
    Qt,
    QTimer,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QDesktopServices,
    QDrag,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QInputDialog,
    QLineEdit,
    QListView,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QSlider,
    QTabBar,
    QTableView,
    QTreeView,
    QWidget,
)
from shiboken6 import isValid

from core.files.samples import load_sample
from core.files.session_document import Session, session_to_bytes
from core.model.document_state import DocumentState
from core.model.errors import SlotscopeError
from core.model.schedule import PolicyChoice, Schedule
from core.model.workload import Workload
from core.policies.registry import policies
from explorer.policy_files.system_editor import SystemEditor
from explorer.session.autosave import Autosave
from explorer.simulation.outcome import Outcome
from explorer.window.files.document_work import OpenedDocument, new_document
from explorer.window.recovery import about_window
from tests.explorer.window.watchdog import Watchdog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from explorer.window.main_window import MainWindow

LEFT, NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
BUTTONS = (LEFT, LEFT, LEFT, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton)
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
MODIFIERS = (NO_KEYS, NO_KEYS, SHIFT, CONTROL, SHIFT | CONTROL, Qt.KeyboardModifier.AltModifier)
KEYS = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Space,
    Qt.Key.Key_Return,
    Qt.Key.Key_Escape,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Insert,
    Qt.Key.Key_F2,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_Plus,
    Qt.Key.Key_Minus,
    Qt.Key.Key_7,
    Qt.Key.Key_X,
    Qt.Key.Key_Backspace,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Menu,
    Qt.Key.Key_Period,
    Qt.Key.Key_A,
    Qt.Key.Key_F,
    Qt.Key.Key_V,
    Qt.Key.Key_Z,
)
TEXTS = (
    "",
    "0",
    "1",
    "7",
    "2.5",
    "-3",
    "1e3",
    "x",
    "J1",
    "J2",
    "30 × 4",
    "fair",
    "1GB",
    "1e309",
    "nan",
    "½",
    "\N{RIGHT-TO-LEFT OVERRIDE}evil",
    "no such thing",
    "def key(job):\n    return job.arrival\n",
    "99999",
)
LISTS = (QListView, QTableView, QTreeView)
QUIT = frozenset({"quit"})
OPENING = frozenset(
    {"open", "samples", "import", "import_folder", "server", "refresh", "library", "generate"}
)
"""Actions that show another document, whose steps of undo are its own; so do all of lessons but these."""
OF_LESSONS = frozenset({"lift_veil", "present"})
EVER_NEXT_ID = 1_000_000
"""More scenarios than any monkey adds."""
NESTED_MS = 5
"""Between two looks whether a question waits in an event loop of its own."""
CLOSES = 0.12
"""How often a dialog or list is left, not used."""
LAST_TOLD = 30
ROOT = Path(__file__).parents[3]
MAX_LEFT = 30
"""Documents, workloads and schedules of each kind that are still there when another document is open."""


class Monkey:
    """Does one random thing after another to a window, and to all that it opens.

    Each action has dice of its own, so that it is the same however many throws those before it took.

    Attributes
    ----------
    done : what it did, the last one last
    """

    def __init__(
        self, window: MainWindow, seed: int, folder: Path, beat: Callable[[], None], *, stays: bool
    ) -> None:
        self._window, self._seed, self._folder, self._beat = window, seed, folder, beat
        leaves = OPENING | {spec.id for spec in window.lessons.specs()} - OF_LESSONS
        not_taken = QUIT | leaves if stays else QUIT
        self._actions = [name for name in window.actions_by_id if name not in not_taken]
        self._random = Random(seed)
        self._held: QWidget | None = None
        self._is_acting = False
        self.done: list[str] = []
        self._nested = QTimer(interval=NESTED_MS)
        self._nested.timeout.connect(self._answer_nested)
        self._nested.start()
        self._ways: dict[Callable[[], str], int] = {
            self._action: 8,
            self._undo: 3,
            self._press: 3,
            self._move: 4,
            self._release: 3,
            self._click: 8,
            self._drag: 3,
            self._wheel: 2,
            self._context: 3,
            self._key: 6,
            self._type: 3,
            self._field: 5,
            self._button: 6,
            self._tab: 2,
            self._item: 4,
            self._cell: 4,
            self._drop: 2,
            self._policy: 2,
            self._order: 2,
            self._pause: 4,
        }

    def act(self) -> None:
        """Do something, and let the window take notice."""
        self._random = Random(f"{self._seed} {len(self.done)}")
        root = self._root()
        way = self._random.choices(list(self._ways), list(self._ways.values()))[0]
        if root is not self._window and root.windowType() in (Qt.WindowType.Popup, Qt.WindowType.Dialog):
            way = self._leave if self._random.random() < CLOSES else way
        self.done.append(way.__name__)
        number = len(self.done) - 1
        self._is_acting = True
        try:
            self.done[number] = f"{way.__name__} {way()}"
        except SlotscopeError as error:
            self.done[number] += f" refused: {error}"
        finally:
            self._is_acting = False
        self._let_window()

    def rest(self) -> None:
        """Let go of everything, close all that is open, and let the window catch up."""
        self._release()
        for _ in range(100):
            tops = [top for top in self._tops() if top is not self._window]
            if not tops:
                break
            tops[-1].close()
            self._let_window()
        self._window.runner.wait_until_idle(60_000)
        self._let_window()

    def stop(self) -> None:
        """Answer nothing any more."""
        self._nested.stop()

    def _let_window(self) -> None:
        self._beat()
        QCoreApplication.processEvents()
        self._beat()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self._beat()

    # ---- where

    def _tops(self) -> list[QWidget]:
        """Return the windows that are open, in the order in which they were made."""
        found = [top for top in QApplication.topLevelWidgets() if top.isVisible()]
        ours = [top for top in found if top.windowType() != Qt.WindowType.ToolTip]
        known = {id(widget): place for place, widget in enumerate(self._window.findChildren(QWidget))}
        return sorted(ours, key=lambda top: known.get(id(top), -1))

    def _root(self) -> QWidget:
        """Return the window that a hand can reach: a list that popped up, the newest dialog, or any."""
        popup = QApplication.activePopupWidget()
        if popup is not None and popup.isVisible():
            return popup
        modal = QApplication.activeModalWidget()
        if modal is not None:
            return modal
        return self._random.choice([self._window, *self._tops()])

    def _is_modal(self) -> bool:
        root = self._root()
        return root.isModal() or QApplication.activePopupWidget() is not None

    def _widgets(self, *kinds: type[QWidget]) -> list[QWidget]:
        root = self._root()
        return [
            widget
            for kind in kinds
            for widget in (root, *root.findChildren(kind))
            if isinstance(widget, kind) and widget.isVisible() and widget.isEnabled() and widget.width() > 0
            if widget.window() is root and widget.height() > 0
        ]

    def _one(self, *kinds: type[QWidget]) -> Any:  # Any: a widget of these kinds, or None
        """Return a widget; each class is as likely, however many there are of it."""
        found: dict[str, list[QWidget]] = {}
        for widget in self._widgets(*kinds):
            found.setdefault(type(widget).__name__, []).append(widget)
        return self._random.choice(found[self._random.choice(sorted(found))]) if found else None

    def _point(self, widget: QWidget) -> QPoint:
        return QPoint(self._random.randrange(widget.width()), self._random.randrange(widget.height()))

    # ---- what there is to do

    def _leave(self) -> str:
        root = self._root()
        name, accepts = _named(root), self._random.random() < 0.5
        if not isinstance(root, QDialog):
            root.close()
            return name
        (root.accept if accepts else root.reject)()
        return f"{name} {'accepted' if accepts else 'rejected'}"

    def _action(self) -> str:
        if self._is_modal():
            return "none beside a dialog"
        name = self._random.choice(self._actions)
        self._window.actions_by_id[name].trigger()
        return name

    def _undo(self) -> str:
        if self._is_modal():
            return "none beside a dialog"
        stack, steps = self._window.editor.undo_stack, self._random.randint(-3, 4)
        for _ in range(abs(steps)):
            (stack.undo if steps > 0 else stack.redo)()
            self._beat()
        return str(steps)

    def _chart(self) -> QWidget | None:
        charts = [view for view in self._window.charts.views.values() if view.width() and view.height()]
        return None if self._is_modal() or not charts else self._random.choice(charts)

    def _press(self) -> str:
        if self._held is None and (chart := self._chart()) is not None:
            self._held = chart
            QTest.mousePress(self._held, LEFT, self._random.choice(MODIFIERS), self._point(self._held))
        return "held"

    def _move(self) -> str:
        widget = self._held if self._is_held() else self._chart()
        for _ in range(self._random.randint(1, 5)):
            if widget is None or not isValid(widget) or not widget.width() or not widget.height():
                break
            QTest.mouseMove(widget, self._point(widget))
            self._beat()
        return "held" if self._held else "free"

    def _release(self) -> str:
        if self._is_held():
            assert self._held is not None
            QTest.mouseRelease(self._held, LEFT, NO_KEYS, self._point(self._held))
        self._held = None
        return ""

    def _is_held(self) -> bool:
        """Whether the chart where the button was pressed is still there."""
        return any(self._held is view for view in self._window.charts.views.values())

    def _click(self) -> str:
        widget = self._one(QWidget)
        if widget is None:
            return "nothing"
        name, button = _named(widget), self._random.choice(BUTTONS)
        click = QTest.mouseDClick if self._random.random() < 0.2 else QTest.mouseClick
        click(widget, button, self._random.choice(MODIFIERS), self._point(widget))
        return f"{name} with {button.name}"

    def _drag(self) -> str:
        widget = self._one(QWidget)
        if widget is None:
            return "nothing"
        name, stops = _named(widget), [self._point(widget) for _ in range(4)]
        QTest.mousePress(widget, LEFT, self._random.choice(MODIFIERS), stops[0])
        for stop in stops:
            if isValid(widget):
                QTest.mouseMove(widget, stop)
            self._beat()
        if isValid(widget):
            QTest.mouseRelease(widget, LEFT, NO_KEYS, stops[-1])
        return name

    def _wheel(self) -> str:
        widget = self._one(QWidget)
        if widget is None:
            return "nothing"
        place, turned = QPointF(self._point(widget)), QPoint(0, self._random.choice((-120, 120, 360, -720)))
        event = QWheelEvent(
            place,
            QPointF(widget.mapToGlobal(place)),
            QPoint(),
            turned,
            Qt.MouseButton.NoButton,
            self._random.choice(MODIFIERS),
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, event)
        return _named(widget)

    def _context(self) -> str:
        widget = self._one(QWidget)
        if widget is None:
            return "nothing"
        place, name = self._point(widget), _named(widget)
        reason = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(widget, QContextMenuEvent(reason, place, widget.mapToGlobal(place)))
        return name

    def _key(self) -> str:
        root = self._root()
        focused = root.focusWidget() or root
        widget = focused if self._random.random() < 0.6 else self._one(QWidget) or root
        key, name = self._random.choice(KEYS), _named(widget)
        QTest.keyClick(widget, key, self._random.choice(MODIFIERS))
        return f"{key.name} on {name}"

    def _type(self) -> str:
        widget = self._one(QLineEdit, QPlainTextEdit, QAbstractSpinBox)
        if widget is None:
            return "nothing"
        name, text = _named(widget), self._random.choice(TEXTS)
        widget.setFocus()
        self._write(widget, text)
        if isValid(widget) and self._random.random() < 0.5:
            QTest.keyClick(widget, Qt.Key.Key_Return)
        return f"{text!r} into {name}"

    def _write(self, widget: QWidget, text: str) -> None:
        for letter in text:
            if not isValid(widget):
                return
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                key = Qt.Key.Key_Return if letter == "\n" else Qt.Key.Key_unknown
                QApplication.sendEvent(widget, QKeyEvent(kind, key, NO_KEYS, letter))
            self._beat()

    def _field(self) -> str:
        field = self._one(QAbstractSpinBox, QComboBox, QLineEdit, QSlider)
        if field is None:
            return "nothing"
        name = _named(field)
        if isinstance(field, QComboBox) and field.count():
            field.setCurrentIndex(self._random.randrange(field.count()))
            field.activated.emit(field.currentIndex())
        elif isinstance(field, QSlider):
            field.setValue(self._random.randint(field.minimum(), field.maximum()))
        elif isinstance(field, QAbstractSpinBox) and self._random.random() < 0.7:
            field.stepBy(self._random.randint(-3, 3))
        else:
            field.setFocus()
            QTest.keySequence(field, "Ctrl+A")
            text = self._random.choice(TEXTS)
            self._write(field, text)
            if isValid(field):
                QTest.keyClick(field, Qt.Key.Key_Return)
            return f"{name} = {text!r}"
        return name

    def _button(self) -> str:
        button = self._one(QAbstractButton)
        if button is None:
            return "nothing"
        name = _named(button)
        button.click()
        return name

    def _tab(self) -> str:
        bar = self._one(QTabBar)
        if bar is None or not bar.count():
            return "nothing"
        bar.setCurrentIndex(self._random.randrange(bar.count()))
        return f"{bar.tabText(bar.currentIndex())} of {_named(bar)}"

    def _item(self) -> str:
        """Click or activate a row of a list or table, or take an entry of a menu."""
        root = self._root()
        if isinstance(root, QMenu):
            entries = [entry for entry in root.actions() if entry.isEnabled() and not entry.isSeparator()]
            if not entries:
                return "an empty menu"
            entry = self._random.choice(entries)
            name = entry.text()
            root.setActiveAction(entry)
            if isValid(root) and entry is not self._window.actions_by_id["quit"]:
                QTest.keyClick(root, Qt.Key.Key_Return)
            return f"menu {name}"
        view = self._one(*LISTS)
        index = self._index(view)
        if index is None:
            return "nothing"
        view.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
        name = f"{index.row()}, {index.column()} of {_named(view)}"
        place = view.visualRect(index).center()
        modifiers = self._random.choice(MODIFIERS)
        QTest.mouseClick(view.viewport(), LEFT, modifiers, place)
        self._beat()
        if isValid(view) and self._random.random() < 0.3:
            QTest.mouseDClick(view.viewport(), LEFT, NO_KEYS, place)
        return name

    def _index(self, view: QAbstractItemView | None) -> Any:  # Any: an index, or None
        model, top = (None if view is None else view.model()), QModelIndex()
        is_list = isinstance(model, QAbstractListModel)  # whose columns are private
        rows, columns = (0, 0) if model is None else (model.rowCount(top), is_list or model.columnCount(top))
        if model is None or not rows or not columns:
            return None
        return model.index(self._random.randrange(rows), self._random.randrange(columns), top)

    def _cell(self) -> str:
        view = self._one(*LISTS)
        index = self._index(view)
        if index is None or not index.flags() & Qt.ItemFlag.ItemIsEditable:
            return "not to be edited"
        value, name = self._random.choice(TEXTS), f"{_named(view)} {index.row()}, {index.column()}"
        view.model().setData(index, value, Qt.ItemDataRole.EditRole)
        return f"{name} = {value!r}"

    def _drop(self) -> str:
        """Drop rows of a list somewhere."""
        view = self._one(*LISTS)
        index = self._index(view)
        targets = [widget for widget in self._widgets(QWidget) if widget.acceptDrops()]
        mime = None if index is None else view.model().mimeData([index])
        if mime is None or not targets:
            return "nothing"
        target = self._random.choice(targets)
        names = f"a row of {_named(view)} on {_named(target)}"
        place, buttons = self._point(target), (LEFT, NO_KEYS)
        move = Qt.DropAction.MoveAction | Qt.DropAction.CopyAction
        entering = QDragEnterEvent(place, move, mime, *buttons)
        entering.ignore()
        QApplication.sendEvent(target, entering)
        if entering.isAccepted():
            QApplication.sendEvent(target, QDragMoveEvent(place, move, mime, *buttons))
            self._beat()
            QApplication.sendEvent(target, QDropEvent(QPointF(place), move, mime, *buttons))
        return names

    def _policy(self) -> str:
        if self._is_modal():
            return "none beside a dialog"
        scenario = self._random.choice(self._window.document.scenarios)
        policy = self._random.choice([policy.id for policy in policies()])
        self._window.editor.choose_policy(scenario.id, PolicyChoice(policy))
        return f"{scenario.id} {policy}"

    def _order(self) -> str:
        """Drag rows of the jobs panel: a drag of Qt itself would wait for a real mouse."""
        if self._is_modal():
            return "none beside a dialog"
        panel, scenario = self._window.jobs_panel, self._window.view_state.active_scenario
        shown = self._window.charts.job_order(scenario)
        names = list(shown)
        name = names.pop(self._random.randrange(len(names)))
        names.insert(self._random.randint(0, len(names)), name)
        panel.table.dragged = (name,)
        panel.order_previewed.emit(tuple(names))
        panel.table.dragged = ()
        if self._random.random() < 0.5:
            return f"{name} previewed"
        panel.preview_ended.emit()
        self._window.editor.drop_order(scenario, names, shown)
        return f"{name} dropped"

    def _pause(self) -> str:
        self._is_acting = False
        if self._random.random() < 0.5:
            self._window.runner.wait_until_idle(60_000)
        return ""

    # ---- what waits for an answer

    def _answer_nested(self) -> None:
        """Use or leave the menu or question whose own event loop an action waits in."""
        if not self._is_acting:
            return
        waiting = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if waiting is None:
            return
        self._is_acting = False  # what is done here may ask as well
        try:
            self._beat()
            self._is_acting = True
            self.done.append("nested")
            if self._random.random() < 0.5:
                said = self._item() if isinstance(waiting, QMenu) else self._button()
            else:
                said = self._leave()
            self.done[-1] = f"nested {said}"
        except SlotscopeError as error:
            self.done[-1] = f"nested refused: {error}"
        finally:
            self._is_acting = True

    def file_to_open(self, *arguments: object) -> tuple[str, str]:
        """Return a file, or none, as the system's dialog does."""
        wanted = str(arguments[3]) if len(arguments) > 3 else ""
        files = sorted(path for path in self._folder.rglob("*") if path.is_file())
        fitting = [path for path in files if any(ending in wanted for ending in path.suffixes)] or files
        chosen = self._random.choice(fitting if self._random.random() < 0.9 else files)
        return ("" if self._random.random() < 0.2 else str(chosen)), ""

    def files_to_open(self, *arguments: object) -> tuple[list[str], str]:
        """Return some files, or none."""
        chosen = {self.file_to_open(*arguments)[0] for _ in range(self._random.randint(1, 2))}
        return sorted(chosen - {""}), ""

    def file_to_save(self, *arguments: object) -> tuple[str, str]:
        """Return a name in the folder, perhaps of a file that is there, or none."""
        name = Path(str(arguments[2]) if len(arguments) > 2 else "x").name or "x"
        filters = str(arguments[3] if len(arguments) > 3 else "").split(";;")
        place = self._folder / "written" / self._random.choice((name, f"{self._random.randint(1, 5)}-{name}"))
        return ("" if self._random.random() < 0.2 else str(place)), self._random.choice(filters)

    def folder_to_use(self, *_arguments: object) -> str:
        """Return a folder, or none."""
        folders = [self._folder / "written", self._folder / "data", ""]
        return str(self._random.choice(folders))


def _named(widget: QWidget) -> str:
    name = widget.accessibleName() or widget.objectName()
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return f"{type(widget).__name__} '{name or text}' of {type(widget.window()).__name__}"


class _NeverClosed(QObject):
    """Keeps the main window open."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Close:
            event.ignore()
            return True
        return super().eventFilter(watched, event)


@contextmanager
def at_the_window(window: MainWindow, monkey: Monkey) -> Iterator[list[BaseException]]:
    """Let a monkey answer what waits for an answer, and yield what is raised meanwhile."""
    raised: list[BaseException] = []

    def note(_kind: type[BaseException], error: BaseException, _trace: object) -> None:
        raised.append(error)

    guard = _NeverClosed()
    window.installEventFilter(guard)
    with (
        patch.object(sys, "excepthook", note),
        patch.object(QFileDialog, "getSaveFileName", monkey.file_to_save),
        patch.object(QFileDialog, "getOpenFileName", monkey.file_to_open),
        patch.object(QFileDialog, "getOpenFileNames", monkey.files_to_open),
        patch.object(QFileDialog, "getExistingDirectory", monkey.folder_to_use),
        patch.object(QDesktopServices, "openUrl", lambda *_: True),
        patch.object(QDrag, "exec", lambda *_: Qt.DropAction.IgnoreAction),
        patch.object(SystemEditor, "open", lambda _self, _path: None),
    ):
        try:
            yield raised
        finally:
            monkey.stop()
            window.removeEventFilter(guard)


class Life:
    """What a monkey does in a window from its first action to the last, and what has to be true of it."""

    def __init__(self, window: MainWindow, seed: int, folder: Path, *, stays: bool) -> None:
        self._window, self._seed, self._stack = window, seed, window.editor.undo_stack
        self._first = window.document.state
        self._watchdog = Watchdog()
        self._monkey = Monkey(window, seed, folder, self._watchdog.beat, stays=stays)
        self._autosave = Autosave(window.editor, partial(about_window, window), folder / "sessions")
        self._autosave.failed.connect(window.messages.show_error)
        self._raised: list[BaseException] = []

    def live(self, actions: int) -> int:
        """Do so many things, and undo and redo all of it; return the steps of undo."""
        reset = self._window.document.reset
        reset.connect(self._on_reset)
        self._stack.indexChanged.connect(self._on_index_changed)
        self._autosave.start()
        self._watchdog.start()
        try:
            with at_the_window(self._window, self._monkey) as self._raised:
                lived(self._steps(actions))
                steps = self._stack.count()
                lived(self._end())
        finally:
            self._watchdog.stop()
            self._autosave.close()
            reset.disconnect(self._on_reset)
            self._stack.indexChanged.disconnect(self._on_index_changed)
        return steps

    def _on_reset(self) -> None:
        if self._stack.count() == 0:
            self._first = self._window.document.state

    def _on_index_changed(self, index: int) -> None:
        if (index, self._stack.count()) == (1, 1):  # an edit that changes all is a reset before it is a step
            self._first = self._window.editor.step(0).before

    def _steps(self, actions: int) -> Iterator[None]:
        for number in range(actions):
            try:
                self._monkey.act()
            except Exception as error:  # told with what was done before
                self._raised.append(error)
            follow(f"{number} {self._monkey.done[-1]}")
            yield
            self._check(f"action {number}")
        self._monkey.rest()
        self._check("at rest")
        stack, first, last = self._stack, self._first, self._window.document.state
        for index, wanted in ((0, first), (stack.index(), last), (stack.count(), None), (0, first)):
            while stack.index() != index:
                (stack.undo if stack.index() > index else stack.redo)()
                yield
                self._check(f"step {stack.index()} of {stack.count()}")
            self._monkey.rest()
            same = wanted is None or _content(self._window.document.state) == _content(wanted)
            self._check(f"all steps to {index} of {stack.count()}", same)

    def _end(self) -> Iterator[None]:
        """Open another document: nothing is left of all that was open."""
        # what the monkey did to the same jobs is remembered for good
        unseen = replace(load_sample("two-jobs-order"), name="No monkey has seen these jobs")
        for _ in range(2):  # what is seen of the one before goes with the next one
            self._window.files.show(OpenedDocument(new_document(unseen)))
            self._monkey.rest()
            yield
        gc.collect()
        kinds = (DocumentState, Workload, Schedule, Outcome)
        alive = [type(each) for each in gc.get_objects()]
        found = {kind.__name__: alive.count(kind) for kind in kinds}
        dialogs = self._window.findChildren(QMessageBox) + self._window.findChildren(QInputDialog)
        follow(f"left: {found}, {len(dialogs)} questions")
        few = max(found.values()) <= MAX_LEFT and not dialogs
        self._check(f"what is left: {found}, {dialogs}", few)

    def _check(self, what: str, holds: bool = True) -> None:
        wrong = ["".join(traceback.format_exception(error)) for error in self._raised]
        wrong += map(str, self._watchdog.holds)
        self._raised.clear()
        self._watchdog.holds.clear()
        if not holds or wrong:
            done = "\n".join(self._monkey.done[-LAST_TOLD:])
            report("\n".join((f"seed {self._seed}, {what}, after", done, *wrong)))


def let_loose(window: MainWindow, seed: int, actions: int, folder: Path, *, stays: bool) -> int:
    """Let a monkey do so many things, and undo and redo all of it; return the steps of undo.

    It may read and write in the folder; one that `stays` at its document has more to undo. Raises
    AssertionError that tells what was done before something went wrong.
    """
    for part in ("written", "data"):
        (folder / part).mkdir(exist_ok=True)
    copytree(ROOT / "tests/data", folder / "data", dirs_exist_ok=True)
    copytree(ROOT / "resources/policies", folder / "policies", dirs_exist_ok=True)
    copytree(ROOT / "sample_workloads", folder / "workloads", dirs_exist_ok=True)
    return Life(window, seed, folder, stays=stays).live(actions)


def lived(life: Iterator[None]) -> None:
    """Take all steps in an event loop, as those of hands are: what is deleted later goes between them."""
    loop, failures = QEventLoop(), []

    def step() -> None:
        try:
            next(life)
        except StopIteration:
            loop.quit()
        except BaseException as error:  # raised below, where somebody catches it
            failures.append(error)
            loop.quit()
        else:
            QTimer.singleShot(0, step)

    QTimer.singleShot(0, step)
    loop.exec()
    for error in failures:
        raise error


def report(told: str) -> None:
    """Fail."""
    raise AssertionError(told)


def follow(_done: str) -> None:
    """Do nothing with what was done."""


def _content(state: DocumentState) -> tuple[DocumentState, bytes]:
    """Return a state as it is compared: ids of scenarios stay taken for ever."""
    state = replace(state, next_id=EVER_NEXT_ID)
    return state, session_to_bytes(Session(state))


def main() -> None:
    """Let monkeys loose, one seed after the other."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--actions", type=int, default=2000)
    parser.add_argument("--sample", default="five-jobs")
    parser.add_argument("--stays", action="store_true", help="open no other document")
    parser.add_argument("--go-on", action="store_true", help="print what goes wrong, and go on")
    parser.add_argument("--verbose", action="store_true", help="print what is done")
    options = parser.parse_args()
    from tests.explorer.window_fixtures import forget_changes, make_window

    if options.go_on:
        globals()["report"] = lambda told: sys.stdout.write(f"\n======== {told}\n")
    if options.verbose:
        globals()["follow"] = lambda done: sys.stdout.write(f"{done}\n")
    application = QApplication([])
    for seed in range(options.seed, options.seed + options.seeds):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
                os.environ[name] = str(Path(folder) / name.lower())
            window = make_window(Path(folder), options.sample)
            steps = let_loose(window, seed, options.actions, Path(folder), stays=options.stays)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            sys.stdout.write(f"seed {seed}: {options.actions} actions, {steps} steps of undo, {memory} MB\n")
            forget_changes(window)
            window.close()
            window.deleteLater()
            application.processEvents()


if __name__ == "__main__":
    main()
