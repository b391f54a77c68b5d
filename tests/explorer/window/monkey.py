"""A monkey at the window: random actions from a seed, as quick as hands can be, also with a button held down.

    python -m tests.explorer.window.monkey --seed 7 --actions 5000

Whatever it does, nothing is raised; undoing all of it gives the first state again, and redoing all the last.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import traceback
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from unittest.mock import patch

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QSlider,
    QTableView,
    QToolButton,
    QWidget,
)

from core.files.session_document import Session, session_to_bytes
from core.model.errors import SlotscopeError
from core.model.schedule import PolicyChoice
from core.policies.registry import policies
from explorer.policy_files.system_editor import SystemEditor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.model.document_state import DocumentState
    from explorer.window.main_window import MainWindow

POPS_UP = QToolButton.ToolButtonPopupMode.InstantPopup
LEFT, NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
LEAVES = frozenset({"open", "import", "import_folder", "library", "generate", "quit", "fidelity", "optimize"})
"""Actions that show another document or no window, or take long; so do all of lessons but these."""
OF_LESSONS = frozenset({"lesson_pane", "lift_veil", "present"})
KEYS = (
    *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Tab, Qt.Key.Key_Space),
    *(Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Delete, Qt.Key.Key_Insert, Qt.Key.Key_F2),
    *(Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_7, Qt.Key.Key_X),
)
MOST_SCENARIOS = 1_000_000
"""More than any monkey adds."""
VALUES = ("", "0", "1", "7", "2.5", "-3", "1e3", "x", "J1", "J2", "30 × 4", "fair", "1GB")
MODIFIERS = (NO_KEYS, NO_KEYS, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier)


class Monkey:
    """Does one random thing after another to a window.

    Attributes
    ----------
    done : what it did, the last one last
    """

    def __init__(self, window: MainWindow, seed: int) -> None:
        self._window, self._random = window, Random(seed)
        self._held: QWidget | None = None
        self.done: list[str] = []
        self._ways: dict[Callable[[], str], int] = {
            self._menu: 6,
            self._undo: 3,
            self._press: 4,
            self._move: 6,
            self._release: 4,
            self._key: 4,
            self._field: 5,
            self._button: 3,
            self._cell: 6,
            self._policy: 4,
            self._order: 3,
            self._pause: 3,
        }

    def act(self) -> None:
        """Do something, and answer what it asks."""
        self.done.append("?")
        way = self._random.choices(list(self._ways), list(self._ways.values()))[0]
        self.done[-1] = way.__name__
        try:
            self.done[-1] = f"{way.__name__} {way()}"
        except SlotscopeError as error:
            self.done[-1] += f" refused: {error}"
        self._answer()

    def rest(self) -> None:
        """Let go of everything, and let the window catch up."""
        self._release()
        self._window.runner.wait_until_idle(60_000)
        QCoreApplication.processEvents()

    def _answer(self) -> None:
        """Close menus; accept or reject dialogs."""
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        for dialog in self._window.findChildren(QDialog):
            if dialog.isVisible():
                accepts = self._random.random() < 0.5
                self.done.append(f"dialog {type(dialog).__name__} {'accepted' if accepts else 'rejected'}")
                (dialog.accept if accepts else dialog.reject)()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    # ---- what there is to do

    def _one(self, *kinds: type[QWidget]) -> QWidget | None:
        found = [
            widget
            for kind in kinds
            for widget in self._window.findChildren(kind)
            if widget.isVisible() and widget.isEnabled() and not widget.window().isModal()
        ]
        return self._random.choice(found) if found else None

    def _menu(self) -> str:
        actions = self._window.actions_by_id
        lessons = {spec.id for spec in self._window.lessons.specs()} - OF_LESSONS
        name = self._random.choice([name for name in actions if name not in LEAVES | lessons])
        actions[name].trigger()
        return name

    def _undo(self) -> str:
        stack, steps = self._window.editor.undo_stack, self._random.randint(-3, 4)
        for _ in range(abs(steps)):
            (stack.undo if steps > 0 else stack.redo)()
        return str(steps)

    def _chart(self) -> QWidget:
        return self._random.choice(list(self._window.charts.views.values()))

    def _point(self, widget: QWidget) -> QPoint:
        return QPoint(self._random.randrange(widget.width()), self._random.randrange(widget.height()))

    def _press(self) -> str:
        if self._held is None:
            self._held = self._chart()
            QTest.mousePress(self._held, LEFT, self._random.choice(MODIFIERS), self._point(self._held))
        return "held"

    def _move(self) -> str:
        widget = self._held if self._is_held() else self._chart()
        assert widget is not None
        for _ in range(self._random.randint(1, 5)):
            QTest.mouseMove(widget, self._point(widget))
        return "held" if self._held else "free"

    def _release(self) -> str:
        if self._is_held():
            assert self._held is not None
            QTest.mouseRelease(self._held, LEFT, NO_KEYS, self._point(self._held))
        self._held = None
        return ""

    def _is_held(self) -> bool:
        """Whether the chart where the button was pressed is still there."""
        return self._held in self._window.charts.views.values()

    def _key(self) -> str:
        widget = QApplication.focusWidget() or self._chart()
        if self._random.random() < 0.5:
            widget = self._chart()
        key = self._random.choice(KEYS)
        QTest.keyClick(widget, key, self._random.choice(MODIFIERS))
        return f"{key.name} on {type(widget).__name__}"

    def _field(self) -> str:
        field = self._one(QAbstractSpinBox, QComboBox, QLineEdit, QSlider)
        if isinstance(field, QComboBox) and field.count():
            field.setCurrentIndex(self._random.randrange(field.count()))
            field.activated.emit(field.currentIndex())
        elif isinstance(field, QSlider):
            field.setValue(self._random.randint(field.minimum(), field.maximum()))
        elif isinstance(field, QAbstractSpinBox) and self._random.random() < 0.7:
            field.stepBy(self._random.randint(-3, 3))
        elif field is not None:
            field.setFocus()
            QTest.keySequence(field, "Ctrl+A")
            QTest.keyClicks(field, self._random.choice(VALUES))
            QTest.keyClick(field, Qt.Key.Key_Return)
        return f"{type(field).__name__} {field.accessibleName() if field else ''}"

    def _button(self) -> str:
        button = self._one(QAbstractButton)
        if not isinstance(button, QAbstractButton):
            return ""
        name = button.accessibleName() or button.text()
        if isinstance(button, QToolButton) and button.popupMode() is POPS_UP:
            return f"{name}: a menu that waits for a real mouse"
        button.click()
        return name

    def _cell(self) -> str:
        table = self._one(QTableView)
        model = table.model() if isinstance(table, QTableView) else None
        if model is None or not model.rowCount() or not model.columnCount():
            return ""
        index = model.index(
            self._random.randrange(model.rowCount()), self._random.randrange(model.columnCount())
        )
        if not index.flags() & Qt.ItemFlag.ItemIsEditable:
            return "not to be edited"
        value = self._random.choice(VALUES)
        model.setData(index, value, Qt.ItemDataRole.EditRole)
        return f"{index.row()}, {index.column()} = {value}"

    def _policy(self) -> str:
        scenario = self._random.choice(self._window.document.scenarios)
        policy = self._random.choice([policy.id for policy in policies()])
        self._window.editor.choose_policy(scenario.id, PolicyChoice(policy))
        return f"{scenario.id} {policy}"

    def _order(self) -> str:
        """Drag rows of the jobs panel: a drag of Qt itself would wait for a real mouse."""
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
        if self._random.random() < 0.5:
            self._window.runner.wait_until_idle(60_000)
        QCoreApplication.processEvents()
        return ""


@contextmanager
def nobody_answers() -> Iterator[list[BaseException]]:
    """Give up every question that waits for an answer, and return what is raised meanwhile."""
    raised: list[BaseException] = []

    def note(_kind: type[BaseException], error: BaseException, _trace: object) -> None:
        raised.append(error)

    cancel = QMessageBox.StandardButton.Cancel
    with (
        patch.object(sys, "excepthook", note),
        patch.object(QFileDialog, "getSaveFileName", lambda *_: ("", "")),
        patch.object(QFileDialog, "getOpenFileName", lambda *_: ("", "")),
        patch.object(QFileDialog, "getOpenFileNames", lambda *_: ([], "")),
        patch.object(QFileDialog, "getExistingDirectory", lambda *_: ""),
        patch.object(QMessageBox, "exec", lambda _box: cancel),
        patch.object(SystemEditor, "open", lambda _self, _path: None),
    ):
        yield raised


def let_loose(window: MainWindow, seed: int, actions: int) -> int:
    """Let a monkey do so many things, and undo and redo all of it; return the steps of undo.

    Raises AssertionError that tells what was done before something went wrong.
    """
    first, monkey = window.document.state, Monkey(window, seed)
    with nobody_answers() as raised:

        def check(what: str, holds: bool = True) -> None:
            trace = "".join("".join(traceback.format_exception(error)) for error in raised)
            assert not raised, f"seed {seed}, {what}: {monkey.done[-12:]}\n{trace}"
            assert holds, f"seed {seed}, {what}: {monkey.done[-12:]}"

        for number in range(actions):
            try:
                monkey.act()
            except Exception as error:  # told with what was done before
                raised.append(error)
            check(f"action {number}")
        monkey.rest()
        check("at rest")
        stack, last = window.editor.undo_stack, window.document.state
        for index, wanted in ((0, first), (stack.index(), last), (stack.count(), None), (0, first)):
            while stack.index() != index:
                (stack.undo if stack.index() > index else stack.redo)()
                check(f"step {stack.index()} of {stack.count()}")
            monkey.rest()
            same = wanted is None or _content(window.document.state) == _content(wanted)
            check(f"all steps to {index} of {stack.count()}", same)
        return stack.count()


def _content(state: DocumentState) -> tuple[DocumentState, bytes]:
    """Return a state as it is compared: ids of scenarios stay taken for ever."""
    state = replace(state, next_id=MOST_SCENARIOS)
    return state, session_to_bytes(Session(state))


def main() -> None:
    """Let monkeys loose, one seed after the other."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--actions", type=int, default=2000)
    parser.add_argument("--sample", default="five-jobs")
    options = parser.parse_args()
    from tests.explorer.window_fixtures import forget_changes, make_window

    application = QApplication([])
    for seed in range(options.seed, options.seed + options.seeds):
        with tempfile.TemporaryDirectory() as folder:
            window = make_window(Path(folder), options.sample)
            steps = let_loose(window, seed, options.actions)
            sys.stdout.write(f"seed {seed}: {options.actions} actions, {steps} steps of undo\n")
            forget_changes(window)
            window.close()
            window.deleteLater()
            application.processEvents()


if __name__ == "__main__":
    main()
