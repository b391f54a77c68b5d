"""All that a window has for users' policy files, wired to its document, runner and charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from explorer.policy_files.notices import Notices
from explorer.policy_files.policy_actions import PolicyActions
from explorer.policy_files.policy_files import PolicyFiles
from explorer.policy_files.trust import Trust

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from explorer.document.editor import Editor
    from explorer.document.view_state import ViewState
    from explorer.panels.scenario_bar import ScenarioBar
    from explorer.policy_files.notices import Charts
    from explorer.session.settings import Settings
    from explorer.simulation.runner import Runner


class OwnPolicies(QObject):
    """Builds the parts and connects them.

    Attributes
    ----------
    files : what is known of each policy file
    actions : what people do with them
    notices : what charts say about them
    """

    def __init__(
        self,
        editor: Editor,
        runner: Runner,
        view_state: ViewState,
        charts: Charts,
        settings: Settings,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._runner = runner
        self.files = PolicyFiles(editor.document, Trust(settings), self)
        self.actions = PolicyActions(editor, view_state, self.files, window)
        self.notices = Notices(editor.document, runner, self.files, charts, self)
        self.files.changed.connect(self._on_changed)
        self.notices.look_wanted.connect(self.actions.look)
        self.notices.editor_wanted.connect(self.actions.edit)

    def join(
        self,
        bar: ScenarioBar,
        show_error: Callable[[Exception], object],
        say: Callable[[str], object],
    ) -> None:
        """Answer what people ask for at the scenarios; say what went wrong, and what was done."""
        bar.policy_file_wanted.connect(self.actions.choose_file)
        bar.new_policy_wanted.connect(self.actions.begin_new_for)
        self.actions.failed.connect(show_error)
        self.actions.said.connect(say)

    def slots(self) -> dict[str, Callable[[], object]]:
        """Return what the menu's actions do, by the action's id."""
        return {"open_policy": self.actions.open_file, "new_policy": self.actions.begin_new}

    def close(self) -> None:
        """Follow no file any more: the window closes."""
        self.files.close()

    def _on_changed(self, _policy_id: str) -> None:
        self._runner.look_again()
