"""The one document of a window: checks every change, stores it and announces what is different."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.model.document_state import MOST_SCENARIOS
from core.model.errors import DocumentError, InputError, Problem, shorten
from core.model.partition import job_problems as job_problems_of_pools
from core.model.workload import job_problems
from explorer.document.job_orders import check_order, fitted, renamed

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from core.model.cluster import Cluster
    from core.model.document_state import DocumentState, Scenario
    from core.model.partition import Partition
    from core.model.pool import Pool
    from core.model.schedule import PolicyChoice
    from core.model.workload import Job, Workload


class Document(QObject):
    """Holds one `DocumentState`; has one method per intention.

    Every method checks, builds the new state, returns at once if nothing differs, stores it, and only
    then announces: whoever hears a signal sees the whole new state. Undo knows nothing of this class,
    and this class nothing of undo.

    Signals
    -------
    workload_changed : jobs or the workload's name
    cluster_changed : the document's cluster (not those of single scenarios)
    scenarios_changed : scenarios were added, removed or reordered
    scenario_changed : the scenario with this id has another policy, order, cluster or title
    baseline_changed : another scenario is the one to compare with
    reset : another document was loaded; nothing of the old one holds any more
    path_changed : the file it belongs to
    """

    workload_changed = Signal()
    cluster_changed = Signal()
    scenarios_changed = Signal()
    scenario_changed = Signal(int)
    baseline_changed = Signal()
    reset = Signal()
    path_changed = Signal()

    def __init__(self, state: DocumentState, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._path = path

    # What it holds

    @property
    def state(self) -> DocumentState:
        """The whole document as a frozen value."""
        return self._state

    @property
    def workload(self) -> Workload:
        """What is scheduled."""
        return self._state.workload

    @property
    def cluster(self) -> Cluster:
        """The cluster of every scenario that has none of its own."""
        return self._state.cluster

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """The scenarios in display order."""
        return self._state.scenarios

    @property
    def baseline(self) -> int:
        """Id of the scenario that others are compared to."""
        return self._state.baseline

    @property
    def path(self) -> Path | None:
        """The file the document belongs to, or None."""
        return self._path

    def scenario(self, scenario_id: int) -> Scenario:
        """Return the scenario with this id; KeyError if there is none."""
        return self._state.scenario(scenario_id)

    def has_scenario(self, scenario_id: int) -> bool:
        """Whether there is a scenario with this id."""
        return any(scenario.id == scenario_id for scenario in self.scenarios)

    def place_of(self, scenario_id: int) -> int:
        """Return the place of a scenario among the others, from 0."""
        return self.scenarios.index(self.scenario(scenario_id))

    # The document as a whole

    def load(self, state: DocumentState, path: Path | None = None) -> None:
        """Replace everything by another document."""
        self._state = state
        self.reset.emit()
        self.set_path(path)

    def set_path(self, path: Path | None) -> None:
        """Say which file the document belongs to."""
        if path != self._path:
            self._path = path
            self.path_changed.emit()

    def rename_workload(self, name: str) -> None:
        """Give the workload another name."""
        if not name.strip():
            raise InputError("the workload's name is empty; give it a name")
        workload = replace(self.workload, name=name, checked_jobs=self.workload.jobs)
        self._store(replace(self._state, workload=workload))

    def set_workload(self, workload: Workload) -> None:
        """Replace the workload by a version of it: the same jobs, with other values."""
        scenarios = tuple(fitted(scenario, workload) for scenario in self.scenarios)
        self._store(replace(self._state, workload=workload, scenarios=scenarios))

    # Jobs

    def set_jobs(self, jobs: Sequence[Job], scenarios: tuple[Scenario, ...] | None = None) -> None:
        """Replace all jobs; hand-made orders lose unknown names and get new ones at their end.

        `scenarios` are those with orders that fit the jobs already: undo brings them back as they were.
        """
        workload = self.workload.with_jobs(jobs)
        if scenarios is None:
            scenarios = tuple(fitted(scenario, workload) for scenario in self.scenarios)
        self._store(replace(self._state, workload=workload, scenarios=scenarios))

    def replace_job(self, index: int, job: Job) -> None:
        """Replace one job; a new name is taken over into every order."""
        jobs = list(self.workload.jobs)
        old = jobs[index].name
        self._check_job(job, jobs[:index] + jobs[index + 1 :])
        jobs[index] = job
        scenarios = self.scenarios
        if job.name != old:
            scenarios = tuple(renamed(scenario, old, job.name) for scenario in scenarios)
        self.set_jobs(jobs, scenarios)

    def insert_job(self, index: int, job: Job) -> None:
        """Insert a job before the one at `index`."""
        jobs = list(self.workload.jobs)
        self._check_job(job, jobs)
        jobs.insert(index, job)
        self.set_jobs(jobs)

    def remove_jobs(self, indices: Collection[int]) -> None:
        """Remove the jobs at these places."""
        jobs = [job for i, job in enumerate(self.workload.jobs) if i not in indices]
        if not jobs:
            raise InputError("no job would be left; a workload needs at least one, so keep one of them")
        self.set_jobs(jobs)

    def _check_job(self, job: Job, others: Sequence[Job]) -> None:
        problems = job_problems(job, "job")
        if not job.name.strip():
            problems.append(Problem("name", shorten(job.name), "a job needs a name"))
        elif any(other.name == job.name for other in others):
            rule = "another job has this name; give every job its own"
            problems.append(Problem("name", shorten(job.name), rule))
        if problems:
            raise DocumentError(f"job {job.name}".rstrip(), [_without_owner(p) for p in problems])

    # Pools that share the slots

    def set_pools(self, pools: Sequence[Pool], jobs: Sequence[Job] | None = None) -> None:
        """Replace the settings of all pools, and with them, if given, the jobs (of other pools now)."""
        workload = self.workload if jobs is None else self.workload.with_jobs(jobs)
        self._store(replace(self._state, workload=workload.with_pools(pools)))

    # The cluster

    def set_cluster(self, cluster: Cluster) -> None:
        """Replace the cluster of all scenarios that have none of their own."""
        self._store(replace(self._state, cluster=cluster))

    # Scenarios

    def add_scenario(self, scenario: Scenario, place: int | None = None) -> None:
        """Insert a scenario, at the end unless a place is given; its id stays taken for ever."""
        if len(self.scenarios) >= MOST_SCENARIOS:
            raise InputError(
                f"there are {MOST_SCENARIOS} scenarios already, the most that fit; remove one first"
            )
        scenarios = list(self.scenarios)
        scenarios.insert(len(scenarios) if place is None else place, scenario)
        next_id = max(self._state.next_id, scenario.id + 1)
        self._store(replace(self._state, scenarios=tuple(scenarios), next_id=next_id))

    def remove_scenario(self, scenario_id: int) -> None:
        """Remove a scenario; if it was the baseline, the first of the others becomes it."""
        left = tuple(s for s in self.scenarios if s.id != self.scenario(scenario_id).id)
        if not left:
            raise InputError("this is the only scenario; a document needs one, so add another first")
        baseline = left[0].id if self.baseline == scenario_id else self.baseline
        self._store(replace(self._state, scenarios=left, baseline=baseline))

    def move_scenario(self, scenario_id: int, place: int) -> None:
        """Show a scenario at another place, from 0."""
        scenario = self.scenario(scenario_id)
        scenarios = [s for s in self.scenarios if s is not scenario]
        scenarios.insert(place, scenario)
        self._store(replace(self._state, scenarios=tuple(scenarios)))

    def set_baseline(self, scenario_id: int) -> None:
        """Compare the others with this scenario."""
        self._store(replace(self._state, baseline=self.scenario(scenario_id).id))

    def set_policy(
        self,
        scenario_id: int,
        choice: PolicyChoice,
        order: Sequence[str] | None = None,
        partition: Partition | None = None,
    ) -> None:
        """Give a scenario a policy and its parameters, and the hand-made order or pools to keep (or none)."""
        checked = None if order is None else check_order(order, self.workload)
        scenario = self.scenario(scenario_id)
        self._change(replace(scenario, choice=choice, order=checked, partition=partition))

    def set_order(self, scenario_id: int, names: Sequence[str] | None) -> None:
        """Give a scenario an order made by hand; None brings the policy's own back."""
        order = None if names is None else check_order(names, self.workload)
        self._change(replace(self.scenario(scenario_id), order=order, partition=None))

    def set_partition(self, scenario_id: int, partition: Partition | None) -> None:
        """Give a scenario pools made by hand; None brings back what the policy does."""
        problems = [] if partition is None else job_problems_of_pools(partition, self.workload)
        if problems:
            raise DocumentError("pools", problems)
        self._change(replace(self.scenario(scenario_id), order=None, partition=partition))

    def set_title(self, scenario_id: int, title: str) -> None:
        """Call a scenario something; an empty title brings the policy's back."""
        self._change(replace(self.scenario(scenario_id), title=title.strip()))

    def set_scenario_cluster(self, scenario_id: int, cluster: Cluster | None) -> None:
        """Give a scenario a cluster of its own; None brings the document's back."""
        self._change(replace(self.scenario(scenario_id), cluster=cluster))

    def _change(self, scenario: Scenario) -> None:
        self._store(self._state.with_scenario(scenario))

    # Storing and announcing

    def _store(self, state: DocumentState) -> None:
        before = self._state
        if state != before:
            self._state = state
            self._announce(before, state)

    def _announce(self, before: DocumentState, after: DocumentState) -> None:
        if after.workload != before.workload:
            self.workload_changed.emit()
        if after.cluster != before.cluster:
            self.cluster_changed.emit()
        old = {scenario.id: scenario for scenario in before.scenarios}
        if [scenario.id for scenario in after.scenarios] != list(old):
            self.scenarios_changed.emit()
        for scenario in after.scenarios:
            if scenario != old.get(scenario.id, scenario):
                self.scenario_changed.emit(scenario.id)
        if after.baseline != before.baseline:
            self.baseline_changed.emit()


def _without_owner(problem: Problem) -> Problem:
    return replace(problem, where=problem.where.removeprefix("job.").replace("job", "tasks", 1))
