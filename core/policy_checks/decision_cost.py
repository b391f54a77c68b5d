"""What a decision costs, counted: lines of Python that are executed for it, with more and more jobs waiting.

Compiled code takes the same steps, only faster, so what grows here grows there; and no busy machine changes a
count. Lines are those of the policy's file, of what it calls that is written in Python, and of the form that
calls its hooks.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.number_text import grouped
from core.model.progress import never_stop
from core.model.stages import Stage
from core.model.workload import Workload
from core.policy_checks.evidence import Evidence
from core.policy_checks.watched_run import without_prints
from core.simulation.simulate import Simulation

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from core.model.schedule import PolicyChoice

JOBS = (10, 100, 1000)
SKIPPED, COUNTED = 12, 25
"""Decisions before it is counted, and those that are: at the first ones all jobs are new to the policy."""
GROWS = 3.0
"""From 100 to 1000 jobs; what a tree of jobs takes grows 1.5 times, what asks every job 10 times."""
CLUSTER = Cluster(8, 4)


@dataclass(frozen=True)
class DecisionCost:
    """Lines that a decision executes on average, by the number of jobs that wait.

    Attributes
    ----------
    lines : for each of `JOBS`
    """

    lines: tuple[float, ...]

    @property
    def growth(self) -> float:
        """How many times as many with the most jobs as with the second most."""
        return self.lines[-1] / max(self.lines[-2], 1.0)

    @property
    def sentence(self) -> str:
        """What was counted."""
        counts = ", ".join(
            f"{grouped(lines)} with {jobs}" for jobs, lines in zip(JOBS, self.lines, strict=True)
        )
        return f"lines of Python for a decision: {counts} jobs"

    @property
    def evidence(self) -> Evidence | None:
        """What is wrong with it; None where it does not grow."""
        if self.growth < GROWS:
            return None
        sentence = (
            f"The more jobs wait, the longer a decision takes: {self.growth:.0f} times as long with "
            f"{JOBS[-1]} as with {JOBS[-2]} ({self.sentence})."
        )
        return Evidence(sentence, crowd(JOBS[-2]))


def crowd(jobs: int) -> Workload:
    """Return so many jobs that wait at once, of three lengths, with weights, deadlines and two pools."""
    return Workload(
        f"{jobs} jobs at once",
        tuple(
            Job(
                f"J{i + 1}",
                Stage.of(4, 1.0 + i % 3),
                Stage.of(1, 1.0),
                deadline=1000.0 + i,
                weight=1.0 + i % 2,
                pool=("red", "blue")[i % 2],
            )
            for i in range(jobs)
        ),
        cluster=CLUSTER,
        description="Many jobs that wait at once, to count what a decision costs.",
    )


@without_prints
def decision_cost(choice: PolicyChoice, should_stop: Callable[[], bool] = never_stop) -> DecisionCost:
    """Count the lines of a decision; raises what a run raises."""
    return DecisionCost(tuple(_lines(choice, crowd(jobs), should_stop) for jobs in JOBS))


def _lines(choice: PolicyChoice, workload: Workload, should_stop: Callable[[], bool]) -> float:
    run = Simulation(workload, workload.cluster, choice, engine="interpreted")
    run.advance_to_start(SKIPPED, should_stop)
    count = _LineCount()
    run.with_kernel(count.of).advance_to_start(SKIPPED + COUNTED, should_stop)
    return count.lines / max(count.decisions, 1)


class _LineCount:
    """Counts the lines of decisions."""

    lines = decisions = 0

    def of(self, choose: Callable[..., int]) -> Callable[..., int]:
        """Return a policy's kernel, counted."""

        def decide(*given: Any) -> int:
            before = sys.gettrace()
            sys.settrace(self._call)
            try:
                pick = choose(*given)
            finally:
                sys.settrace(before)
            self.decisions += 1
            return pick

        return decide

    def _call(self, _frame: FrameType, _event: str, _argument: object) -> Any:
        return self._line

    def _line(self, _frame: FrameType, event: str, _argument: object) -> Any:
        self.lines += event == "line"
        return self._line
