"""Runs of every policy, built in or example, for the tests of explanations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import assume

from core.files.samples import sample_paths
from core.model.errors import InputError, StalledError
from core.policies.policy import MAP, ClusterRow, JobRow, Policy
from core.policies.registry import POLICIES
from tests.builders import run
from tests.core.policies.example_policies import GOOD

if TYPE_CHECKING:
    from core.model.overheads import Overheads
    from core.model.schedule import Schedule
    from tests.core.engine.strategies import Case


SAMPLES = sorted(sample_paths())
NOT_WITH_EVENTS = "optimized", "balanced-pools", "flex", "circumflex", "batch", "ako"
"""Policies that are not modelled where nodes fail."""
EVENING = 5.0


class HeldReduces(Policy):
    """FIFO that starts no reduce before its job's map stage has ended, however free the slots are."""

    id = "held-reduces"

    @staticmethod
    def admits(job: JobRow, kind: int) -> bool:
        return kind == MAP or job.done[MAP] == job.tasks[MAP]


class EveningReduces(Policy):
    """FIFO that starts no reduce before 5 s, unless its job has no maps."""

    id = "evening-reduces"

    @staticmethod
    def admits(job: JobRow, kind: int, cluster: ClusterRow) -> bool:
        return kind == MAP or job.tasks[MAP] == 0 or cluster.now >= EVENING


class OneLevelFair(Policy):
    """Give every job an equal, weighted share."""

    id = "one-level-fair"
    title = "Plain fair"

    @staticmethod
    def key(job: JobRow, kind: int) -> float:
        """Lowest running/weight first."""
        return job.running[kind] / job.weight


class LongestFirst(Policy):
    """FIFO that starts the longest tasks of a job first."""

    id = "longest-first"

    @staticmethod
    def task_key(duration: float) -> float:
        return -duration


EXAMPLES = (*GOOD, HeldReduces, EveningReduces, OneLevelFair, LongestFirst)
BUILT_IN = tuple(policy.id for policy in POLICIES)
EVERY = (*BUILT_IN, *(policy.id for policy in EXAMPLES))  # type: ignore[attr-defined]


def with_overheads(case: Case, overheads: Overheads | None) -> Case:
    """Give a case overheads, if its cluster can have any.

    The auditor gets no setup and no cleanup: they hold slots that run no task, and it cannot see them.
    """
    if overheads is None or case.cluster.has_containers:
        return case
    if case.policy == "auditor":
        overheads = replace(overheads, setup=0.0, cleanup=0.0)
    return replace(case, cluster=replace(case.cluster, overheads=overheads))


def finished(case: Case) -> Schedule:
    """Run a case to its end, interpreted, or give the example up if that cannot be.

    No policy of ours may stall but on nodes, where reduces may hold the memory or the cores that a map needs;
    it may need typed slots, or know no overheads.
    """
    try:
        return run(case.workload, case.cluster, case.policy, order=case.order)
    except (StalledError, InputError) as error:
        assume(case.policy in BUILT_IN and isinstance(error, StalledError) and not case.cluster.nodes)
        raise
