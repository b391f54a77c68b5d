"""The policy files of a window: run when they are trusted, watched, and run again when they change.

What of that runs unasked says `Trust`; a content that is asked about waits, and the version before stays in
use.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from core.model.document_state import MAX_SCENARIOS
from core.model.errors import InputError
from core.model.schedule import choices_of
from core.policies.own_policies import own_policy, register_policy
from core.policies.user_files.policy_process import PROCESSES, load_apart
from core.policies.user_files.source import is_policy_file, policy_id_of, read_policy_file
from explorer.widgets.file_watch import FileWatch
from explorer.widgets.worker import Call, Order, Worker

if TYPE_CHECKING:
    from core.policies.user_files.source import PolicySource
    from explorer.document.document import Document
    from explorer.policy_files.trust import Trust


SOON_MS = 15
"""So soon after the first sign of a change a file is looked at."""
SETTLE_MS = 80
"""Editors that write in several steps have written all after so long: a file that is gone, empty or no Python
is believed to be so only then."""
READY = 2
"""Processes: one compiles what was saved last while the other one answers the next save."""
SLOW_MS = 2000
"""A file that has not been run after so long may never end; the user is told that it still runs."""


class Status(Enum):
    """How a file stands: to be confirmed, on its way, in use, wrong, or gone."""

    UNTRUSTED = auto()
    RUNNING = auto()
    GOOD = auto()
    BROKEN = auto()
    MISSING = auto()


@dataclass(frozen=True)
class FileState:
    """What is known of one policy file.

    Attributes
    ----------
    path : where it lies
    status : how its newest content stands
    source : the newest content, None if none could be read
    error : what is wrong with it: of a BROKEN or MISSING file
    works : whether some version of it is in use
    is_slow : whether it has been RUNNING for longer than anybody expects
    is_off : whether it waits because policy files are switched off
    """

    path: Path
    status: Status
    source: PolicySource | None = None
    error: Exception | None = None
    works: bool = False
    is_slow: bool = False
    is_off: bool = False


class PolicyFiles(QObject):
    """Keeps every policy file that a scenario refers to.

    A file is run in a process of its own, which is ended if it does not end by itself. The registry keeps
    the last version that could be loaded.

    Attributes
    ----------
    trust : what the user has agreed to run

    Signals
    -------
    changed : the state of the file with this policy id is another one
    switched : policy files are switched on or off
    """

    changed = Signal(str)
    switched = Signal(bool)

    def __init__(self, document: Document, trust: Trust, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self.trust = document, trust
        self._states: dict[str, FileState] = {}
        self._loads: dict[str, Call] = {}
        self._worker = Worker(self, Order.EACH, MAX_SCENARIOS, ended=self._on_loaded)
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self._note_slow)
        self._ids_by_path: dict[str, set[str]] = {}
        self._unsure: set[str] = set()
        self._settling = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settling.timeout.connect(self._look_at_unsure)
        self._watch = FileWatch(self, SOON_MS)
        self._watch.touched.connect(self._on_touched)
        for signal in (document.scenarios_changed, document.scenario_changed, document.reset):
            signal.connect(self._follow_document)
        self._follow_document()

    def state(self, policy_id: str) -> FileState | None:
        """Return what is known of a file; None for policies of ours."""
        return self._states.get(policy_id)

    def agree(self, source: PolicySource, *, with_folder: bool = False) -> str:
        """Run a content that the user agreed to, watch its file, and return its policy id.

        `with_folder` is whether later changes in its folder run without being asked about.
        """
        self.trust.agree(source, with_folder=with_folder)
        policy_id = policy_id_of(source.path)
        self._take(policy_id, source)
        return policy_id

    def follow(self, policy_id: str) -> None:
        """Look at a file and watch it; it runs if it may."""
        if policy_id not in self._states:
            self._states[policy_id] = FileState(Path(policy_id), Status.MISSING)
            self._look(policy_id)

    @property
    def are_off(self) -> bool:
        """Whether no file runs that was not agreed to in this window."""
        return self.trust.is_off

    def switch(self, on: bool) -> None:
        """Switch policy files off, or on again: then those run that may, and the others are asked about."""
        self.trust.is_off = not on
        for policy_id, state in tuple(self._states.items()):
            if state.status is Status.UNTRUSTED and state.source is not None:
                self._take(policy_id, state.source)
        self.switched.emit(on)

    def close(self) -> None:
        """Follow nothing any more: the window closes."""
        self._watch.close()
        self._patience.stop()
        self._settling.stop()
        self._worker.cancel()

    # Following the document and the disk

    def _follow_document(self) -> None:
        for scenario in self._document.scenarios:
            for choice in choices_of(scenario):
                if is_policy_file(choice.id):
                    self.follow(choice.id)

    def _on_touched(self, path: str) -> None:
        for policy_id in sorted(self._ids_by_path.get(path, ())):
            self._look(policy_id, is_whole=False)

    def _look_at_unsure(self) -> None:
        for policy_id in sorted(self._unsure):
            self._look(policy_id)

    def _watch_files(self, policy_id: str, source: PolicySource | None) -> None:
        """Watch a policy file, its helpers, and where it looks for others."""
        helpers = () if source is None else (*(file.path for file in source.files), *source.missing)
        for path in (policy_id, *map(str, helpers)):
            self._ids_by_path.setdefault(path, set()).add(policy_id)
            self._watch.watch(path)

    def _look(self, policy_id: str, *, is_whole: bool = True) -> None:
        """Read a file and, if its content is new, take it; later where it may be written just now."""
        before = self._states[policy_id]
        self._watch_files(policy_id, before.source)
        source, error = None, None
        try:
            source = read_policy_file(Path(policy_id))
        except InputError as raised:
            error = raised
        if not is_whole and not (source and all(file.is_program for file in source.files)):
            self._unsure.add(policy_id)
            self._settling.start()
            return
        self._unsure.discard(policy_id)
        if source is None:
            self._set(policy_id, replace(before, status=Status.MISSING, error=error))
            return
        self._watch_files(policy_id, source)
        is_new = before.source is None or source.digest != before.source.digest
        if is_new or before.status is Status.MISSING:
            self._take(policy_id, source)

    def _take(self, policy_id: str, source: PolicySource) -> None:
        """Run a content, or wait until the user agrees."""
        self._watch_files(policy_id, source)
        before = self._states.get(policy_id, FileState(source.path, Status.MISSING))
        may_run = self.trust.may_run(source)
        status = Status.RUNNING if may_run else Status.UNTRUSTED
        state = replace(before, status=status, source=source, error=None, is_slow=False)
        self._set(policy_id, replace(state, is_off=self.are_off and not may_run))
        if may_run:
            self._run(policy_id, source)

    def _set(self, policy_id: str, state: FileState) -> None:
        if state != self._states.get(policy_id):
            self._states[policy_id] = state
            self.changed.emit(policy_id)

    # Running

    def _run(self, policy_id: str, source: PolicySource) -> None:
        if policy_id in self._loads:  # of an older content
            self._worker.drop(self._loads[policy_id])
        self._loads[policy_id] = self._worker.follow(
            lambda _progress, should_stop: load_apart(source, should_stop), policy_id
        )
        self._patience.start(SLOW_MS)

    def _note_slow(self) -> None:
        for policy_id, state in tuple(self._states.items()):
            if state.status is Status.RUNNING:
                self._set(policy_id, replace(state, is_slow=True))

    def _on_loaded(self, run: Call) -> None:
        policy_id = run.about
        if not any(state.status is Status.RUNNING for i, state in self._states.items() if i != policy_id):
            self._patience.stop()
        state = replace(self._states[policy_id], is_slow=False)
        PROCESSES.prepare(READY)
        if run.error is None:
            register_policy(policy_id, run.answer)
            self._set(policy_id, replace(state, status=Status.GOOD, error=None, works=True))
        else:
            works = own_policy(policy_id) is not None
            self._set(policy_id, replace(state, status=Status.BROKEN, error=run.error, works=works))
