"""Undoable edits: one small command per intention, each calling the document's own methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtGui import QUndoCommand

from core.model.cluster import Cluster
from core.model.partition import Partition
from core.model.pool import Pool
from core.model.schedule import PolicyChoice
from core.model.workload import Job, Workload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.document_state import Scenario
    from explorer.document.document import Document

Value = TypeVar("Value")
Order = tuple[str, ...]
ByHand = tuple[Order | None, Partition | None]
PoolsAndJobs = tuple[tuple[Pool, ...], tuple[Job, ...]]
PolicyAndByHand = tuple[PolicyChoice, Order | None, Partition | None]

MERGING_ID = 1
"""All merging commands share it; whether two of them merge is decided by what they edit."""


class Step(QUndoCommand):
    """One undoable edit of a document.

    The editor performs it first, where an error can still reach the caller, and pushes it then: an
    exception inside the stack's own call of `redo` would be lost, with the command on the stack.
    """

    def __init__(self, document: Document, text: str) -> None:
        super().__init__(text)
        self._document = document
        self._is_performed = False

    def perform(self) -> bool:
        """Edit the document before the push; return whether anything changed. Raises InputError."""
        before = self._document.state
        self.edit()
        self._is_performed = True
        return self._document.state is not before

    def edit(self) -> None:
        """Edit the document by calling one of its methods."""
        raise NotImplementedError

    def redo(self) -> None:
        """Edit again, except for the call that comes with the push."""
        if self._is_performed:
            self._is_performed = False
        else:
            self.edit()


class Change(Step, Generic[Value]):
    """An edit that replaces one value by another; subclasses say how a value is put in place."""

    def __init__(self, document: Document, text: str, before: Value, after: Value) -> None:
        super().__init__(document, text)
        self._before = before
        self._after = after

    def apply(self, value: Value) -> None:
        """Put a value in place by calling the document."""
        raise NotImplementedError

    def edit(self) -> None:
        """Put the new value in place."""
        self.apply(self._after)

    def undo(self) -> None:
        """Put the old value back."""
        self.apply(self._before)


class MergingChange(Change[Value]):
    """A change that swallows the next one of the same thing, so that turning a spin box is one step.

    `what` names the thing and the gesture. Merged back to where it began, the command vanishes.
    """

    def __init__(
        self, document: Document, text: str, before: Value, after: Value, what: tuple[object, ...]
    ) -> None:
        super().__init__(document, text, before, after)
        self._what = what

    def id(self) -> int:
        """Return what the stack compares before it tries to merge."""
        return MERGING_ID

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over the newer change if it edits the same thing."""
        if type(other) is not type(self) or other._what != self._what:
            return False
        self._after = other._after
        self.setText(other.text())
        self.setObsolete(self._after == self._before)
        return True


class EditJob(MergingChange[Job]):
    """Give one job another value in one of its fields."""

    def __init__(
        self, document: Document, text: str, index: int, after: Job, what: tuple[object, ...]
    ) -> None:
        super().__init__(document, text, document.workload.jobs[index], after, (index, *what))
        self._index = index

    def apply(self, value: Job) -> None:
        """Replace the job."""
        self._document.replace_job(self._index, value)


class InsertJobs(Step):
    """Add jobs, new ones or copies, each at its place in the workload as it will be."""

    def __init__(self, document: Document, text: str, jobs: Sequence[tuple[int, Job]]) -> None:
        super().__init__(document, text)
        self._jobs = tuple(jobs)
        self._before = (document.workload.jobs, document.scenarios)

    def edit(self) -> None:
        """Insert the jobs."""
        jobs = list(self._before[0])
        for index, job in self._jobs:
            jobs.insert(index, job)
        self._document.set_jobs(jobs)

    def undo(self) -> None:
        """Take the jobs out again."""
        self._document.set_jobs(*self._before)


class RemoveJobs(Step):
    """Delete jobs; undo brings them back at their places, in every order too."""

    def __init__(self, document: Document, text: str, indices: Sequence[int]) -> None:
        super().__init__(document, text)
        self._indices = frozenset(indices)
        self._before = (document.workload.jobs, document.scenarios)

    def edit(self) -> None:
        """Remove the jobs."""
        self._document.remove_jobs(self._indices)

    def undo(self) -> None:
        """Bring them back."""
        self._document.set_jobs(*self._before)


class RenameWorkload(Change[str]):
    """Give the workload another name."""

    def apply(self, value: str) -> None:
        """Use a name."""
        self._document.rename_workload(value)


class SetWorkload(Change[Workload]):
    """Put a version of the workload in its place: the same jobs with other values, and their origin."""

    def apply(self, value: Workload) -> None:
        """Use a version."""
        self._document.set_workload(value)


class SetPools(MergingChange[PoolsAndJobs]):
    """Change the settings of the pools that share the slots, or the name of one (which its jobs carry)."""

    def apply(self, value: PoolsAndJobs) -> None:
        """Use settings and jobs."""
        self._document.set_pools(*value)


class SetCluster(MergingChange[Cluster]):
    """Change the document's cluster."""

    def apply(self, value: Cluster) -> None:
        """Use a cluster."""
        self._document.set_cluster(value)


class SetScenarioCluster(MergingChange[Cluster | None]):
    """Give a scenario a cluster of its own, or the document's again (None)."""

    def __init__(
        self,
        document: Document,
        text: str,
        scenario: Scenario,
        after: Cluster | None,
        what: tuple[object, ...],
    ) -> None:
        super().__init__(document, text, scenario.cluster, after, (scenario.id, *what))
        self._scenario_id = scenario.id

    def apply(self, value: Cluster | None) -> None:
        """Use a cluster."""
        self._document.set_scenario_cluster(self._scenario_id, value)


class AddScenario(Step):
    """Add a scenario, a new one or a copy."""

    def __init__(self, document: Document, text: str, scenario: Scenario, place: int) -> None:
        super().__init__(document, text)
        self._scenario = scenario
        self._place = place

    def edit(self) -> None:
        """Add it."""
        self._document.add_scenario(self._scenario, self._place)

    def undo(self) -> None:
        """Remove it again; its id stays taken."""
        self._document.remove_scenario(self._scenario.id)


class RemoveScenario(Step):
    """Remove a scenario; undo brings it back where it was, as the baseline if it was that."""

    def __init__(self, document: Document, text: str, scenario: Scenario) -> None:
        super().__init__(document, text)
        self._scenario = scenario
        self._place = document.place_of(scenario.id)
        self._baseline = document.baseline

    def edit(self) -> None:
        """Remove it."""
        self._document.remove_scenario(self._scenario.id)

    def undo(self) -> None:
        """Bring it back."""
        self._document.add_scenario(self._scenario, self._place)
        self._document.set_baseline(self._baseline)


class SetBaseline(Change[int]):
    """Compare with another scenario."""

    def apply(self, value: int) -> None:
        """Use a baseline."""
        self._document.set_baseline(value)


class ScenarioChange(Change[Value]):
    """A change of one scenario."""

    def __init__(self, document: Document, text: str, scenario_id: int, before: Value, after: Value) -> None:
        super().__init__(document, text, before, after)
        self._scenario_id = scenario_id


class MoveScenario(ScenarioChange[int]):
    """Show a scenario at another place."""

    def apply(self, value: int) -> None:
        """Move it to a place."""
        self._document.move_scenario(self._scenario_id, value)


class SetTitle(ScenarioChange[str]):
    """Call a scenario something else."""

    def apply(self, value: str) -> None:
        """Use a title."""
        self._document.set_title(self._scenario_id, value)


class SetByHand(ScenarioChange[ByHand]):
    """Give a scenario an order or pools made by hand (one drag), or the policy's own again (two Nones)."""

    def apply(self, value: ByHand) -> None:
        """Use an order or pools."""
        order, partition = value
        if partition is None:
            self._document.set_order(self._scenario_id, order)
        else:
            self._document.set_partition(self._scenario_id, partition)


class ChoosePolicy(ScenarioChange[PolicyAndByHand]):
    """Give a scenario another policy; an order or pools made by hand end, and undo brings them back."""

    def apply(self, value: PolicyAndByHand) -> None:
        """Use a policy, and an order or pools."""
        self._document.set_policy(self._scenario_id, *value)


class SetParameter(MergingChange[PolicyAndByHand]):
    """Change one parameter of a scenario's policy."""

    def __init__(
        self,
        document: Document,
        text: str,
        scenario: Scenario,
        after: PolicyAndByHand,
        what: tuple[object, ...],
    ) -> None:
        before = (scenario.choice, scenario.order, scenario.partition)
        super().__init__(document, text, before, after, (scenario.id, *what))
        self._scenario_id = scenario.id

    def apply(self, value: PolicyAndByHand) -> None:
        """Use the parameters."""
        self._document.set_policy(self._scenario_id, *value)
