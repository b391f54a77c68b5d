"""What can be done to the document: one method per edit, each one step of undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.errors import InputError
from core.model.partition_edits import (
    one_pool,
    with_job_moved,
    with_pool,
    with_pool_name,
    with_slots,
    without_pool,
)
from explorer.document.scenario_edits import ScenarioEdits
from explorer.document.titles import called, describe_job_move, describe_new_pool
from explorer.document.workload_edits import WorkloadEdits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.partition import Partition
    from core.planning.pool_cut import Trial


class Editor(WorkloadEdits, ScenarioEdits):
    """All edits of a document; only its editor changes it."""


class PoolEdits:
    """Adds, removes, renames and resizes pools, and moves jobs between them.

    Everything raises InputError with a sentence where it is impossible, and changes nothing then.
    """

    def __init__(
        self,
        editor: Editor,
        pools: Callable[[int], Partition | None],
        order: Callable[[int], Sequence[str]],
        report: Callable[[str], object],
    ) -> None:
        """Connect the owner of the pools and the order of jobs of a scenario, and what reports edits."""
        self._editor, self._document = editor, editor.document
        self.pools, self._order, self._report = pools, order, report

    def add(self, scenario_id: int, name: str = "") -> None:
        """Add a pool without jobs; where there are none yet, all jobs go into the first one."""
        before = self._begun(scenario_id)
        after = with_pool(before, self._document.workload, name)
        self._drop(scenario_id, after, f"Add {called(after.names[-1])}")
        self._report(describe_new_pool(before, after))

    def move_to_new(self, scenario_id: int, job: str) -> None:
        """Add a pool with a job in it."""
        workload, before = self._document.workload, self._begun(scenario_id)
        added = with_pool(before, workload)
        after = with_job_moved(added, workload, job, len(added.pools) - 1)
        self._drop(scenario_id, after, f"Move {job} to {after.names[-1]}")
        self._report(describe_new_pool(before, after))

    def remove(self, scenario_id: int, place: int) -> None:
        """Remove a pool; a neighbour gets its slots and jobs."""
        before = self._shown(scenario_id)
        self._drop(scenario_id, without_pool(before, place), f"Remove {called(before.names[place])}")

    def rename(self, scenario_id: int, place: int, name: str) -> None:
        """Rename a pool."""
        before = self._shown(scenario_id)
        after = with_pool_name(before, place, name)
        if after != before:
            self._drop(scenario_id, after, f"Rename {called(before.names[place])} to {after.names[place]}")

    def resize(self, scenario_id: int, place: int, slots: tuple[int, int]) -> None:
        """Give a pool so many map and reduce slots; its neighbour gives or takes them."""
        before = self._shown(scenario_id)
        after = with_slots(before, self._document.workload, place, slots)
        if after != before:
            size = f"{slots[0]} + {slots[1]} slots"
            self._drop(scenario_id, after, f"Resize {before.names[place]} to {size}")

    def move_jobs(self, scenario_id: int, jobs: Sequence[str], pool: int) -> None:
        """Put jobs at the end of a pool, in one step."""
        before = after = self._shown(scenario_id)
        moved = [job for job in jobs if before.place_of(job) != pool]
        for job in moved:
            after = with_job_moved(after, self._document.workload, job, pool)
        if moved:
            self._drop(scenario_id, after, describe_job_move(before, after, moved))

    def take(self, scenario_id: int, partition: Partition, trial: Trial) -> None:
        """Use pools that a search has tried."""
        small = "1 small job" if trial.split == 1 else f"{trial.split} small jobs"
        texts = {1: "Take one pool", 2: f"Take pools with {small}"}
        self._drop(scenario_id, partition, texts.get(trial.pools, f"Take {trial.pools} pools"))

    def _begun(self, scenario_id: int) -> Partition:
        """Return the pools that are shown, else all jobs in one."""
        state = self._document.state
        cluster = state.cluster_of(state.scenario(scenario_id))
        if cluster.has_containers:
            raise InputError("pools divide slots of two types, and this cluster has one kind of slots")
        return self.pools(scenario_id) or one_pool(self._order(scenario_id), cluster)

    def _shown(self, scenario_id: int) -> Partition:
        pools = self.pools(scenario_id)
        if pools is None:
            raise InputError("this scenario has no pools; add one first")
        return pools

    def _drop(self, scenario_id: int, partition: Partition, text: str) -> None:
        self._editor.drop_partition(scenario_id, partition, text)
