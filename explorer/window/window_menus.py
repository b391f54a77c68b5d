"""The menus: filled from the table of actions, with submenus for recent files, panels and appearance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from core.measures.job_classes import ClassedBy
from core.model.execution_history import SlotsBy
from core.model.visible_text import visible
from explorer.document.view_state import Arrangement, RowsBy, ThemeChoice
from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from enum import StrEnum

    from PySide6.QtWidgets import QMainWindow, QMenuBar

    from explorer.document.undo_in_turn import UndoInTurn
    from explorer.document.view_state import ViewState
    from explorer.session.settings import WindowSettings


@dataclass(frozen=True)
class ActionSpec:
    """One action.

    Attributes
    ----------
    menu : the menu it stands in
    id : how code refers to it, such as "zoom_in"; SEPARATOR for a line between two others
    text : with its mnemonic
    key : its shortcut in portable form, or empty
    callback : what it does; None for a submenu, which `WindowMenus` fills
    tip : a sentence that says what it does
    checkable : whether it is on or off
    """

    menu: str
    id: str
    text: str = ""
    key: str = ""
    callback: Callable[[], object] | None = None
    tip: str = ""
    checkable: bool = False


SEPARATOR = "-"
MENUS = ("&File", "&Edit", "&Scenario", "&View", "&Why", "&Policy", "&Lessons", "&Author", "&Help")
FILE, EDIT, SCENARIO, VIEW, WHY, POLICY, LESSONS, AUTHOR, HELP = MENUS
EXPORT = "E&xport"
"""A submenu, which has the text of its action."""


TEXTS: dict[StrEnum, str] = {
    ThemeChoice.SYSTEM: "As the &system",
    ThemeChoice.LIGHT: "&Light",
    ThemeChoice.DARK: "&Dark",
    ClassedBy.BEST: "What tells &most apart",
    ClassedBy.JOB: "&Job",
    ClassedBy.USER: "&User",
    ClassedBy.POOL: "&Pool or queue",
    ClassedBy.DATASET: "&Dataset",
    ClassedBy.SIZE: "&Size of the job",
    ClassedBy.STAGE: "Stag&e",
    ClassedBy.OUTCOME: "&Outcome",
    ClassedBy.WAIT: "&Wait before start",
    ClassedBy.DEVIATION: "O&ff from the record",
    Arrangement.STACKED: "&One above the other",
    Arrangement.SIDE_BY_SIDE: "Side by &side",
    RowsBy.SLOT: "By &slot",
    RowsBy.POOL: "By &pool",
    SlotsBy.JOB: "By the &job that held them longest",
    SlotsBy.HOST: "By &host",
}

CHOICES: dict[str, type[StrEnum]] = {
    "theme": ThemeChoice,
    "colour_by": ClassedBy,
    "arrangement": Arrangement,
    "rows": RowsBy,
    "record_rows": SlotsBy,
}
"""What one may choose, under the names that settings and the view's state have for it."""


class WindowMenus(QObject):
    """Builds the submenus and keeps them in step with what they show.

    Signals:
        recent_chosen: a path
    """

    recent_chosen = Signal(str)

    def __init__(
        self, settings: WindowSettings, view_state: ViewState, window: QMainWindow, speeds: QMenu
    ) -> None:
        super().__init__(window)
        self._settings, self._view_state, self._window = settings, view_state, window
        self.menus = {name: QMenu(window) for name in ("recent", "export", *CHOICES, "panels")}
        self.menus["speed"] = speeds
        for menu in self.menus.values():
            menu.setToolTipsVisible(True)
        self.menus["recent"].aboutToShow.connect(self._fill_recent)
        self.menus["panels"].aboutToShow.connect(self._fill_panels)
        for name, choices in CHOICES.items():
            self._fill_choices(name, choices, getattr(view_state, name))

    def _fill_recent(self) -> None:
        menu = self.menus["recent"]
        menu.clear()
        for path in self._settings.recent_files:
            action = QAction(_plain(visible(Path(path).name)), menu, toolTip=tooltip(str(path)))
            action.triggered.connect(partial(self.recent_chosen.emit, str(path)))
            menu.addAction(action)
        if menu.isEmpty():
            menu.addAction("No file was opened yet").setEnabled(False)

    def _fill_panels(self) -> None:
        menu = self.menus["panels"]
        menu.clear()
        popup = self._window.createPopupMenu()
        if popup is not None:
            menu.addActions(popup.actions())

    def _fill_choices(self, name: str, choices: type[StrEnum], current: StrEnum) -> None:
        group = QActionGroup(self.menus[name])
        for choice in choices:
            action = QAction(TEXTS[choice], group, checkable=True, checked=choice == current)
            action.setData(choice.value)
            self.menus[name].addAction(action)
        group.triggered.connect(partial(self._on_chosen, name))
        getattr(self._view_state, f"{name}_changed").connect(partial(self._on_changed, name, group))

    def _on_chosen(self, name: str, action: QAction) -> None:
        setattr(self._view_state, name, CHOICES[name](action.data()))

    def _on_changed(self, name: str, group: QActionGroup) -> None:
        """Remember what was chosen, wherever that was, and check it here."""
        chosen = getattr(self._view_state, name)
        setattr(self._settings, name, chosen)
        for action in group.actions():
            action.setChecked(action.data() == chosen.value)


def fill_menu_bar(
    bar: QMenuBar, owner: QObject, specs: Sequence[ActionSpec], submenus: dict[str, QMenu]
) -> dict[str, QAction]:
    """Fill the menu bar from the table and return the actions by id; `submenus` take the place of theirs."""
    used = {spec.menu for spec in specs}
    menus = {title: bar.addMenu(title) for title in MENUS if title in used}
    menus |= {spec.text: submenus[spec.id] for spec in specs if spec.id in submenus}
    actions: dict[str, QAction] = {}
    for spec in specs:
        menu = menus[spec.menu]
        if spec.id == SEPARATOR:
            menu.addSeparator()
        elif spec.callback is None:
            submenus[spec.id].setTitle(spec.text)
            menu.addMenu(submenus[spec.id])
        else:
            actions[spec.id] = _action(spec, owner)
            actions[spec.id].triggered.connect(spec.callback)
            menu.addAction(actions[spec.id])
    return actions


def _action(spec: ActionSpec, owner: QObject) -> QAction:
    action = QAction(spec.text, owner, checkable=spec.checkable)
    action.setObjectName(spec.id)
    if spec.key:
        action.setShortcut(QKeySequence(spec.key))
    action.setToolTip(spec.tip or spec.text.replace("&", ""))
    return action


def follow_undo(steps: UndoInTurn, actions: Mapping[str, QAction]) -> None:
    """Let the actions "undo" and "redo" show what they would do, and be there while there is something."""
    steps.changed.connect(partial(_name_steps, steps, actions))
    _name_steps(steps, actions)


def _name_steps(steps: UndoInTurn, actions: Mapping[str, QAction]) -> None:
    undoing, redoing = steps.undoing, steps.redoing
    for name, verb, can, text in (
        ("undo", "&Undo", undoing.canUndo(), undoing.undoText()),
        ("redo", "&Redo", redoing.canRedo(), redoing.redoText()),
    ):
        actions[name].setEnabled(can)
        actions[name].setText(f"{verb}: {_plain(text)}" if text else verb)


def _plain(text: str) -> str:
    """Keep an ampersand from becoming a mnemonic."""
    return text.replace("&", "&&")
