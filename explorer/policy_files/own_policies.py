"""All that a window has for users' policy files: what its actions do, and the question of trust."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from core.files.atomic import replace_file
from core.files.resources import is_original
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.policies.user_files.own_copy import own_copy
from core.policies.user_files.policy_file import DEFAULT_NAME, file_name, policy_template
from core.policies.user_files.policy_process import PROCESSES
from core.policies.user_files.source import (
    ENDING,
    PolicySource,
    is_policy_file,
    policy_id_of,
    read_policy_file,
)
from explorer.policy_files.notices import Notices
from explorer.policy_files.policy_files import PolicyFiles
from explorer.policy_files.system_editor import SystemEditor
from explorer.policy_files.trust import Trust
from explorer.policy_files.trust_dialog import TrustDialog
from explorer.session.session_folder import trusted_folder
from explorer.widgets.save_dialog import ask_where_to_copy, ask_where_to_save

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from explorer.document.editor import Editor
    from explorer.document.view_state import ViewState
    from explorer.panels.scenario_headers import ScenarioHeaders
    from explorer.session.settings import WindowSettings
    from explorer.simulation.runner import Runner


POLICY_FILTER = f"Policy files (*{ENDING})"
NEW_SCENARIO = -1


class OwnPolicies(QObject):
    """Builds the parts and connects them.

    Attributes
    ----------
    files : what is known of each policy file
    actions : what the user does with them
    notices : what charts say about them
    """

    def __init__(
        self,
        editor: Editor,
        runner: Runner,
        view_state: ViewState,
        charts: Callable[[], Mapping[int, QWidget]],
        settings: WindowSettings,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self.files = PolicyFiles(editor.document, Trust(settings, trusted_folder()), self)
        self.actions = PolicyActions(editor, view_state, self.files, window)
        self.notices = Notices(editor.document, runner, self.files, charts, self)
        self.files.changed.connect(lambda _policy_id: runner.look_again())
        self.notices.look_wanted.connect(self.actions.look)
        self.notices.editor_wanted.connect(self.actions.edit)
        self.notices.all_wanted.connect(lambda: self.files.switch(on=True))
        self.notices.find_wanted.connect(self.actions.find)

    def join(
        self,
        headers: ScenarioHeaders,
        show_error: Callable[[Exception], object],
        show_message: Callable[[str], object],
    ) -> None:
        """Do what the user requests at the scenarios; show what went wrong, and what was done."""
        headers.policy_file_wanted.connect(self.actions.choose_file)
        headers.new_policy_wanted.connect(self.actions.begin_new)
        self.actions.failed.connect(show_error)
        self.actions.reported.connect(show_message)
        self.notices.failed.connect(
            lambda scenario_id, error: headers.set_error(scenario_id, getattr(error, "brief", str(error)))
        )


class PolicyActions(QObject):
    """Everything between the user and policy files.

    Signals
    -------
    failed : an InputError to show
    reported : a sentence on what was done
    pane_wanted : the path of a file that is to be edited beside the charts, and why no other program opens
        it; empty if it is edited there already
    """

    failed = Signal(object)
    reported = Signal(str)
    pane_wanted = Signal(str, str)

    def __init__(self, editor: Editor, view_state: ViewState, files: PolicyFiles, window: QWidget) -> None:
        super().__init__(window)
        self._editor, self._view_state, self._files, self._window = editor, view_state, files, window
        self.system_editor = SystemEditor(self)
        self.system_editor.not_opened.connect(self.pane_wanted)
        self.is_in_pane: Callable[[str], bool] = lambda _path: False

    def choose_file(self, scenario_id: int) -> None:
        """Let the user choose a policy file for a scenario (or NEW_SCENARIO), and use it there."""
        title = "Open policy file"
        chosen, _ = QFileDialog.getOpenFileName(self._window, title, self._folder(), POLICY_FILTER)
        if chosen:
            self.use(Path(chosen), scenario_id)

    def use(self, path: Path, scenario_id: int = NEW_SCENARIO) -> None:
        """Use a policy file in a scenario, after its content has been agreed to."""
        source = self._read(path.absolute())
        if source is None:
            return
        then = partial(self._put, policy_id_of(source.path), scenario_id)
        if self._files.trust.may_run(source):
            self._files.follow(policy_id_of(source.path))
            then()
        else:
            self._ask(source, then)

    def find(self, policy_id: str) -> None:
        """Let the user choose where a file that is gone lies now; agreed to, scenarios use it there."""
        title, start = f"Where is {Path(policy_id).name}?", str(Path(self._folder()) / Path(policy_id).name)
        chosen, _ = QFileDialog.getOpenFileName(self._window, title, start, POLICY_FILTER)
        source = self._read(Path(chosen).absolute()) if chosen else None
        if source is None:
            return
        found = policy_id_of(source.path)

        def use() -> None:
            self._editor.move_policy_file(policy_id, found)

        if self._files.trust.may_run(source):
            use()
        else:
            self._ask(source, use)

    def look(self, policy_id: str) -> None:
        """Show a file that a scenario refers to, and run it if the user trusts it."""
        source = self._read(Path(policy_id))
        if source is not None:
            self._ask(source, lambda: None)

    def may_run_all(self, sources: Sequence[PolicySource]) -> bool:
        """Whether the user has agreed to run all of these."""
        return all(map(self._files.trust.may_run, sources))

    def ask_for_all(
        self, sources: Sequence[PolicySource], then: Callable[[], object], parent: QWidget
    ) -> None:
        """Show, one after the other, each file that was not agreed to; do something once all are."""
        trust = self._files.trust
        waiting = [source for source in sources if not trust.may_run(source)]
        if not waiting:
            then()
            return
        source, is_followed = waiting[0], trust.trusts_edits_in(waiting[0].path.parent)

        def agree(with_folder: bool) -> None:
            trust.agree(source, with_folder=with_folder)
            self.ask_for_all(waiting[1:], then, parent)

        dialog = TrustDialog(source, trust.last(source.path), parent, trusts_edits=is_followed)
        dialog.agreed.connect(agree)
        dialog.open()

    def _read(self, path: Path) -> PolicySource | None:
        """Read a file; None if that cannot be done, which is shown."""
        try:
            return read_policy_file(path)
        except InputError as error:
            self.failed.emit(error)
            return None

    def _ask(self, source: PolicySource, then: Callable[[], object]) -> None:
        PROCESSES.prepare()
        trust = self._files.trust
        is_followed = trust.trusts_edits_in(source.path.parent)
        dialog = TrustDialog(source, trust.last(source.path), self._window, trusts_edits=is_followed)
        dialog.agreed.connect(lambda with_folder: self._on_agreed(source, then, with_folder=with_folder))
        dialog.open()

    def _on_agreed(
        self, source: PolicySource, then: Callable[[], object], *, with_folder: bool = False
    ) -> None:
        self._files.agree(source, with_folder=with_folder)
        then()

    def _put(self, policy_id: str, scenario_id: int) -> None:
        """Give a scenario the policy of a file; a new one where none is named or it is gone."""
        choice = PolicyChoice(policy_id)
        try:
            if self._editor.document.has_scenario(scenario_id):
                self._editor.choose_policy(scenario_id, choice)
            else:
                self._editor.add_scenario(choice)
        except InputError as error:
            self.failed.emit(error)

    def begin_new(self, scenario_id: int) -> None:
        """Let the user name a policy file, write it from the template, use it and open it in the editor."""
        start = str(Path(self._folder()) / file_name(DEFAULT_NAME))
        path = ask_where_to_save(self._window, "New policy file", start, POLICY_FILTER, only=True)
        if path is not None:
            self.begin(path, scenario_id)

    def begin_copy(self, policy_id: str) -> None:
        """Let the user name a file, write what does the same as a policy of Slotscope, and use and open it.

        That is one of its policy files, by its path, or a built-in policy.
        """
        source = self._read(Path(policy_id)) if is_policy_file(policy_id) else None
        name = f"my_{policy_id.replace('-', '_')}{ENDING}" if source is None else source.path.name
        path = ask_where_to_copy(self._window, name, POLICY_FILTER, only=True)
        if path is not None:
            self.begin(path, text=own_copy(policy_id) if source is None else source.text)

    def begin(self, path: Path, scenario_id: int = NEW_SCENARIO, text: str = "") -> None:
        """Write a policy file, from the template if no text is given, use it and open it in the editor.

        Our own texts are trusted.
        """
        try:
            replace_file(path, (text or policy_template(path.stem)).encode())
            source = read_policy_file(path.absolute())
        except InputError as error:
            self.failed.emit(error)
            return
        is_followed = self._files.trust.trusts_edits_in(source.path.parent)
        put = partial(self._put, policy_id_of(source.path), scenario_id)
        self._on_agreed(source, put, with_folder=is_followed)
        self.edit(policy_id_of(source.path))
        self.reported.emit(f"{path.name} runs; if another program changes it, you are asked first")

    def edit(self, path: str) -> None:
        """Open a file in the system's editor for it, or beside the charts if it is there or none opens."""
        if self.is_in_pane(path) or is_original(path):
            self.pane_wanted.emit(path, "")
        else:
            self.system_editor.open(path)

    def _folder(self) -> str:
        """Return where the file of the active scenario lies, or the session's, to begin looking there."""
        document = self._editor.document
        active = self._view_state.active_scenario
        if document.has_scenario(active) and self._files.state(document.scenario(active).choice.id):
            return str(Path(document.scenario(active).choice.id).parent)
        return "" if document.path is None else str(document.path.parent)
