"""The policy lab in the window: trace, profile, differences, checks, editor; the menu of what can be done."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from explorer.policy_files.own_policies import NEW_SCENARIO
from explorer.window.window_menus import POLICY, ActionSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from explorer.widgets.theme import Theme
    from explorer.window.parts import Parts


class LabArea(QObject):
    """Builds the parts and connects them.

    Signals
    -------
    told : what was done
    failed : something could not be done; the exception
    """

    told = Signal(str)
    failed = Signal(object)

    def __init__(self, parts: Parts, window: QMainWindow) -> None:
        super().__init__(window)
        self._parts, self._window = parts, window

    def specs(self) -> tuple[ActionSpec, ...]:
        """Return the actions of the menu."""
        own = self._parts.own_policies.actions
        policy = partial(ActionSpec, POLICY)
        # fmt: off
        return (
            policy("open_policy", "&Open policy file…", "Ctrl+Shift+O",
                partial(own.choose_file, NEW_SCENARIO), "Use a policy of your own as a scenario"),
            policy("new_policy", "&New policy file…", "", partial(own.begin_new, NEW_SCENARIO),
                "Write a policy of your own, beginning from a commented template"),
        )
        # fmt: on

    def place(self, actions: Mapping[str, QAction]) -> None:
        """Put the panels where they wait, out of sight, until their actions ask for them."""

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""

    def close(self) -> None:
        """End what runs: the window closes."""
