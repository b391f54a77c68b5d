"""What people can do to the document: one method per intention, each one step of undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from core.model.document_state import MOST_SCENARIOS
from explorer.document import cluster_steps, job_steps, pool_steps, scenario_steps

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from core.model.cluster import Cluster
    from core.model.document_state import DocumentState
    from core.model.partition import Partition
    from core.model.schedule import PolicyChoice
    from core.model.workload import Job, Workload
    from explorer.document.commands import Step
    from explorer.document.document import Document
    from explorer.document.pool_fields import PoolFieldInfo


class Editor(QObject):
    """A document and its undo stack; only the editor pushes steps.

    Bad values raise InputError with a sentence and change nothing; edits that change nothing push nothing.
    Spin boxes merge: consecutive edits of one field are one step until `end_gesture`.

    Attributes
    ----------
    document : what is edited
    undo_stack : the steps; make undo and redo actions from it

    Signals
    -------
    modified_changed : the document differs from the file (True) or equals it again (False)
    edited : an edit was committed, undone or redone
    dropped : a drag was dropped (and is on the stack); autosave writes at once
    """

    modified_changed = Signal(bool)
    edited = Signal()
    dropped = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._on_clean_changed)
        self.undo_stack.indexChanged.connect(self._on_index_changed)
        self._gesture = 0

    # The document as a whole

    def load(self, state: DocumentState, path: Path | None = None, modified: bool = False) -> None:
        """Show another document; what could be undone is forgotten. A recovered one starts as modified."""
        self.undo_stack.clear()
        self.document.load(state, path)
        if modified:
            self.undo_stack.resetClean()

    def mark_saved(self, path: Path) -> None:
        """Say that the document, as it is now, is in this file."""
        self.document.set_path(path)
        self.undo_stack.setClean()

    @property
    def is_modified(self) -> bool:
        """Whether the document differs from its file."""
        return not self.undo_stack.isClean()

    def end_gesture(self) -> None:
        """Let the next edit be a step of its own: a spin box lost the focus, a slider was released."""
        self._gesture += 1

    def rename_workload(self, name: str) -> None:
        """Give the workload another name."""
        self._push(job_steps.rename_workload(self.document, name))

    # Jobs

    def edit_job(self, index: int, field_id: str, value: object) -> None:
        """Write what was typed into one field (see `job_fields.JOB_FIELDS`) of one job."""
        self._push(job_steps.edit_field(self.document, index, field_id, value, self._gesture))

    def replace_job(self, index: int, job: Job) -> None:
        """Replace a job by another value of it: several fields in one step."""
        self.end_gesture()
        self._push(job_steps.replace_job(self.document, index, job, self._gesture))
        self.end_gesture()

    def add_job(self, job: Job | None = None, index: int | None = None) -> Job:
        """Add a job, at the end unless a place is given, and return it; by default a small new one."""
        job = job_steps.new_job(self.document) if job is None else job
        self._push(job_steps.add_job(self.document, job, index))
        return job

    def insert_jobs(self, jobs: Sequence[Job], index: int | None, text: str) -> None:
        """Add jobs from elsewhere in one step, at the end unless a place is given; `text` names it."""
        self._push(job_steps.insert_jobs(self.document, jobs, index, text))

    def move_to_pool(self, names: Collection[str], pool: str) -> None:
        """Let these jobs belong to a pool that shares the slots with others, in one step."""
        self._push(job_steps.move_to_pool(self.document, names, pool))

    def set_deadlines(self, workload: Workload, factor: float, seed: int) -> None:
        """Use a version of the workload with random deadlines (see `core.generate.deadlines`)."""
        text = f"Draw deadlines with factor {factor:g} and seed {seed}"
        self._push(job_steps.set_deadlines(self.document, workload, text))

    def scale_jobs(self, workload: Workload, factor: float, jobs: int) -> None:
        """Use a version of the workload in which so many jobs have `factor` times the input."""
        text = f"Scale {jobs} job{'' if jobs == 1 else 's'} by {factor:g}"
        self._push(job_steps.scale_jobs(self.document, workload, text))

    def remove_deadlines(self) -> None:
        """Take every job's deadline away."""
        self._push(job_steps.remove_deadlines(self.document))

    def duplicate_jobs(self, indices: Collection[int]) -> None:
        """Put a copy behind each of these jobs."""
        self._push(job_steps.duplicate_jobs(self.document, indices))

    def delete_jobs(self, indices: Collection[int]) -> None:
        """Delete these jobs."""
        self._push(job_steps.delete_jobs(self.document, indices))

    # Clusters

    def edit_cluster(self, scenario_id: int | None = None, **changes: Any) -> None:  # Any: Cluster checks it
        """Change fields of the document's cluster, or of a scenario's own: ``edit_cluster(map_slots=40)``."""
        before = cluster_steps.cluster_in(self.document, scenario_id)
        self.set_cluster(cluster_steps.changed_cluster(before, changes), scenario_id)

    def set_cluster(self, cluster: Cluster, scenario_id: int | None = None) -> None:
        """Replace the document's cluster, or give a scenario one of its own."""
        self._push(cluster_steps.set_cluster(self.document, cluster, scenario_id, self._gesture))

    def reset_scenario_cluster(self, scenario_id: int) -> None:
        """Let a scenario run on the document's cluster again."""
        self._push(cluster_steps.reset_cluster(self.document, scenario_id, self._gesture))

    # Scenarios

    @property
    def can_add_scenario(self) -> bool:
        """Whether there is room for one more."""
        return len(self.document.scenarios) < MOST_SCENARIOS

    def add_scenario(self, choice: PolicyChoice, place: int | None = None) -> int:
        """Add a scenario with this policy and return its id."""
        scenario_id = self.document.state.next_id
        self._push(scenario_steps.add_scenario(self.document, choice, place))
        return scenario_id

    def duplicate_scenario(self, scenario_id: int) -> int:
        """Put a copy of a scenario behind it and return the copy's id."""
        copy_id = self.document.state.next_id
        self._push(scenario_steps.duplicate_scenario(self.document, scenario_id))
        return copy_id

    def fork_scenario(
        self, scenario_id: int, seconds: float, choice: PolicyChoice, decisions: int = 0
    ) -> int:
        """Add a scenario that leaves this one at an instant, after so many decisions; return its id."""
        fork_id = self.document.state.next_id
        self._push(scenario_steps.fork_scenario(self.document, scenario_id, seconds, decisions, choice))
        return fork_id

    def remove_scenario(self, scenario_id: int) -> None:
        """Remove a scenario; the last one stays."""
        self._push(scenario_steps.remove_scenario(self.document, scenario_id))

    def move_scenario(self, scenario_id: int, place: int) -> None:
        """Show a scenario at another place, from 0."""
        self._push(scenario_steps.move_scenario(self.document, scenario_id, place))

    def make_baseline(self, scenario_id: int) -> None:
        """Compare the others with this scenario."""
        self._push(scenario_steps.make_baseline(self.document, scenario_id))

    def rename_scenario(self, scenario_id: int, title: str) -> None:
        """Call a scenario something; an empty title brings the policy's back."""
        self._push(scenario_steps.rename_scenario(self.document, scenario_id, title))

    def choose_policy(self, scenario_id: int, choice: PolicyChoice) -> None:
        """Give a scenario a policy; an order made by hand ends with the old one."""
        self._push(scenario_steps.choose_policy(self.document, scenario_id, choice))

    def set_parameter(self, scenario_id: int, name: str, value: object) -> None:
        """Set one parameter of a scenario's policy."""
        self._push(scenario_steps.set_parameter(self.document, scenario_id, name, value, self._gesture))

    # Orders

    def move_job(self, scenario_id: int, name: str, place: int, shown: Sequence[str] | None = None) -> None:
        """Move one job to a place (0 is first) in a scenario's order.

        `shown` is the order people see there, as the policy computed it; without it the order made by
        hand counts, else the input order.
        """
        self._drop(scenario_steps.move_job(self.document, scenario_id, name, place, shown))

    def drop_order(
        self,
        scenario_id: int,
        names: Sequence[str],
        shown: Sequence[str] | None = None,
        moved: str | None = None,
    ) -> None:
        """Commit a drag: the whole new order, the order it began with, and which job was dragged."""
        self._drop(scenario_steps.drop_order(self.document, scenario_id, names, shown, moved))

    def reset_order(self, scenario_id: int) -> None:
        """Go back to what the policy does, from an order or pools made by hand."""
        self._push(scenario_steps.reset_order(self.document, scenario_id))

    # Pools that share the slots

    def edit_pool(self, name: str, field: PoolFieldInfo, text: str) -> None:
        """Write what was typed into one setting (see `pool_fields.POOL_FIELDS`) of a pool."""
        self._push(pool_steps.edit_pool(self.document, name, field, text, self._gesture))

    def rename_pool(self, old: str, new: str) -> None:
        """Give a pool another name, in its settings and in all its jobs."""
        self._push(pool_steps.rename_pool(self.document, old, new))

    def add_pool(self) -> None:
        """Add a pool without jobs."""
        self._push(pool_steps.add_pool(self.document))

    def remove_pool(self, name: str) -> None:
        """Remove a pool without jobs, or forget the settings of one that has some."""
        self._push(pool_steps.remove_pool(self.document, name))

    # Pools with slots of their own

    def drop_partition(self, scenario_id: int, partition: Partition, text: str) -> None:
        """Commit a drag or another edit of pools; `text` says what was done: "Move J1 to Pool 2"."""
        self._drop(scenario_steps.set_partition(self.document, scenario_id, partition, text))

    # The stack

    def _push(self, step: Step) -> bool:
        """Perform a step and put it on the stack, unless it changes nothing."""
        if not step.perform():
            return False
        self.undo_stack.push(step)
        return True

    def _drop(self, step: Step) -> None:
        if self._push(step):
            self.dropped.emit()

    def _on_clean_changed(self, clean: bool) -> None:
        self.modified_changed.emit(not clean)

    def _on_index_changed(self, _index: int) -> None:
        self.edited.emit()
