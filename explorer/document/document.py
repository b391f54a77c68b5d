"""The one document of a window, what is different after each edit of it, and its undo."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand
from typing_extensions import override

from core.files.journal import History, Step
from explorer.document.undo_in_turn import UndoInTurn

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from pathlib import Path

    from core.model.cluster import Cluster
    from core.model.document_state import DocumentState, Scenario
    from core.model.workload import Workload

MERGING, ALONE = 1, -1
"""What the undo stack asks a step for: steps that may be merged with the one before, and others."""


class Document(QObject):
    """Holds one `DocumentState`; `Editor` makes the next one.

    A state is stored before anything is announced: whoever hears a signal sees the whole new state.

    Attributes
    ----------
    state : the whole document as a frozen value; `put` and `load` replace it
    path : the file that it belongs to, or None

    Signals
    -------
    workload_changed : jobs or the workload's name
    cluster_changed : the document's cluster (not those of single scenarios)
    scenarios_changed : scenarios were added, removed or reordered
    scenario_came : the scenario with this id is new, or back; `scenarios_changed` has been told before
    scenario_changed : the scenario with this id has another policy, order, cluster or title
    baseline_changed : another scenario is the one to compare with
    notes_changed : the notes
    reset : another document was loaded; nothing of the old one holds any more
    path_changed : the file it belongs to
    """

    workload_changed = Signal()
    cluster_changed = Signal()
    scenarios_changed = Signal()
    scenario_came = Signal(int)
    scenario_changed = Signal(int)
    baseline_changed = Signal()
    notes_changed = Signal()
    reset = Signal()
    path_changed = Signal()

    def __init__(self, state: DocumentState, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state, self.path = state, path

    @property
    def workload(self) -> Workload:
        """What is scheduled."""
        return self.state.workload

    @property
    def cluster(self) -> Cluster:
        """The cluster of every scenario that has none of its own."""
        return self.state.cluster

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """The scenarios in display order."""
        return self.state.scenarios

    @property
    def baseline(self) -> int:
        """Id of the scenario that others are compared to."""
        return self.state.baseline

    def scenario(self, scenario_id: int) -> Scenario:
        """Return the scenario with this id; KeyError if there is none."""
        return self.state.scenario(scenario_id)

    def has_scenario(self, scenario_id: int) -> bool:
        """Whether there is a scenario with this id."""
        return any(scenario.id == scenario_id for scenario in self.scenarios)

    def place_of(self, scenario_id: int) -> int:
        """Return the place of a scenario among the others, from 0."""
        return self.scenarios.index(self.scenario(scenario_id))

    # What replaces it

    def load(self, state: DocumentState, path: Path | None = None) -> None:
        """Replace everything by another document."""
        self.state = state
        self.reset.emit()
        self.set_path(path)

    def set_path(self, path: Path | None) -> None:
        """Set the file that the document belongs to."""
        if path != self.path:
            self.path = path
            self.path_changed.emit()

    def put(self, state: DocumentState) -> None:
        """Replace the state by one after or before an edit; ids of scenarios stay taken for ever."""
        before = self.state
        self.state = replace(state, next_id=max(state.next_id, before.next_id))
        self._announce(before, state)

    def _announce(self, before: DocumentState, after: DocumentState) -> None:
        ids = [[scenario.id for scenario in state.scenarios] for state in (before, after)]
        if after.workload != before.workload and ids[0] != ids[1]:
            self.reset.emit()  # nobody edits both: it is another document, or the one before it again
            return
        if after.workload != before.workload:
            self.workload_changed.emit()
        if after.cluster != before.cluster:
            self.cluster_changed.emit()
        old = {scenario.id: scenario for scenario in before.scenarios}
        if [scenario.id for scenario in after.scenarios] != list(old):
            self.scenarios_changed.emit()
        for scenario in after.scenarios:
            if scenario.id not in old:
                self.scenario_came.emit(scenario.id)
            if scenario != old.get(scenario.id, scenario):
                self.scenario_changed.emit(scenario.id)
        if after.baseline != before.baseline:
            self.baseline_changed.emit()
        if after.notes != before.notes:
            self.notes_changed.emit()


class UndoStep(QUndoCommand):
    """One edit on the undo stack: the states before and after it, which share whatever did not change.

    `merge` names the field that was edited and the gesture. The next step with the same name becomes part of
    this one, so that turning a spin box from 3 to 7 is one step; back at 3, the step vanishes. Without a
    document it does nothing.
    """

    def __init__(self, document: Document | None, step: Step, merge: Hashable | None = None) -> None:
        super().__init__(step.text)
        self.document, self.step, self._merge = document, step, merge

    @override
    def redo(self) -> None:
        if self.document is not None:
            self.document.put(self.step.after)

    @override
    def undo(self) -> None:
        if self.document is not None:
            self.document.put(self.step.before)

    @override
    def id(self) -> int:
        return ALONE if self._merge is None else MERGING

    @override
    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, UndoStep) or other._merge != self._merge:
            return False
        self.step = Step(other.step.text, self.step.before, other.step.after)
        other.forget()
        self.setText(other.text())
        if self.step.after == self.step.before:
            self.setObsolete(True)
            self.forget()
        return True

    def forget(self) -> None:
        """Let go of the states: the stack deletes this step, but keeps Python's side of it for ever."""
        del self.step


class Edits(QObject):
    """A document and its undo stack: what the edits of all its parts have in common.

    Bad values raise InputError with a sentence and change nothing; edits that change nothing push nothing.

    Attributes
    ----------
    document : what is edited
    undo_stack : the steps
    in_turn : undoes them, and what is only tried, the last one first; make undo and redo actions from it

    Signals
    -------
    modified_changed : the document differs from the file (True) or equals it again (False)
    edited : an edit was committed, undone or redone
    reported : a sentence about where an edit went
    """

    modified_changed = Signal(bool)
    edited = Signal()
    reported = Signal(str)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.in_turn = UndoInTurn(self)
        self.undo_stack = self.in_turn.document
        self.undo_stack.cleanChanged.connect(self._on_clean_changed)
        self.undo_stack.indexChanged.connect(self._on_index_changed)
        self._is_loading = False
        self._gesture = 0

    def load(self, state: DocumentState, path: Path | None = None, history: History | None = None) -> None:
        """Show another document; what could be undone is forgotten.

        A recovered one has a history, which ends in this state: it can be undone, and starts as modified.
        """
        self._is_loading = True
        gone = self._commands(0)
        self.undo_stack.clear()
        self._forget(gone)
        if history is not None:
            self._remember(history)
        self._is_loading = False
        self.document.load(state, path)
        self.modified_changed.emit(self.is_modified)

    def _remember(self, history: History) -> None:
        """Put steps on the stack that have been done already."""
        commands = [UndoStep(None, step) for step in history.steps]
        for command in commands:
            self.undo_stack.push(command)
        self.undo_stack.setIndex(history.index)
        self.undo_stack.resetClean()
        for command in commands:
            command.document = self.document

    def _commands(self, begin: int) -> list[UndoStep]:
        """Return the steps from a place on."""
        return list(map(self._command, range(begin, self.undo_stack.count())))

    def _command(self, place: int) -> UndoStep:
        command = self.undo_stack.command(place)
        assert isinstance(command, UndoStep)
        return command

    @staticmethod
    def _forget(gone: Iterable[UndoStep]) -> None:
        """Let go of the states of steps that the stack has deleted."""
        for command in gone:
            command.forget()

    @property
    def history(self) -> History:
        """The document with all its steps of undo."""
        stack = self.undo_stack
        return History(self.document.state, list(map(self.step, range(stack.count()))), stack.index())

    def step(self, place: int) -> Step:
        """Return a step of undo, the oldest is 0."""
        return self._command(place).step

    def mark_saved(self, path: Path | None) -> None:
        """Mark the document, as it is now, as saved in this file; None for a workload that has none yet."""
        self.document.set_path(path)
        self.undo_stack.setClean()

    @property
    def is_modified(self) -> bool:
        """Whether the document differs from its file."""
        return not self.undo_stack.isClean()

    def end_gesture(self) -> None:
        """Let the next edit be a step of its own: a spin box lost the focus, a slider was released."""
        self._gesture += 1

    def commit(self, text: str, after: DocumentState, *field: Hashable) -> bool:
        """Replace the state in one step called `text`; False if it is the same, which pushes nothing.

        `field` names what is edited, for consecutive edits of it to be one step until `end_gesture`:
        ``commit("Set arrival of J2 to 5", after, "job", 1, "arrival")``. Without it a step stays alone.
        """
        if after == self.document.state:
            return False
        step = Step(text, self.document.state, after)
        gone = self._commands(self.undo_stack.index())
        # deletes them only after it has done the new one, on which the session may be written
        self.undo_stack.push(UndoStep(self.document, step, (*field, self._gesture) if field else None))
        self._forget(gone)
        return True

    # methods and no lambdas: Qt forgets them when this object goes before the stack does
    def _on_index_changed(self) -> None:
        if not self._is_loading:
            self.edited.emit()

    def _on_clean_changed(self, clean: bool) -> None:
        if not self._is_loading:
            self.modified_changed.emit(not clean)
