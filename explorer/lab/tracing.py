"""The traced run behind the active scenario, with what the user wants to be watched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from core.explain.trace import Trace, Wanted, WatchFor
from core.explain.traced_run import traced_run
from core.explain.vocabulary import TRACED_HOOKS, Vocabulary, completions
from core.policies.own_policies import own_policy
from explorer.lab.run_follower import RunFollower

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from explorer.lab.run_follower import RunRequest

WINNER, ALL, STOP = "winner", "all", "stop"
"""Of whom something is asked: of the job that gets the slot, of every candidate; or where to stop."""
DICE = "This run took other decisions than the chart shows: the policy does not depend on the run alone."


class Tracing(RunFollower):
    """Traces the active scenario.

    Attributes
    ----------
    items : what is watched, and where it stops: pairs of whom, and the text
    """

    not_yet = "Tracing …"
    items: tuple[tuple[str, str], ...] = ()

    @property
    def trace(self) -> Trace | None:
        """The newest trace."""
        trace: Trace | None = self.answer
        return trace

    def watch(self, items: Sequence[tuple[str, str]]) -> None:
        """Watch these expressions and stop at these conditions."""
        self.items = tuple(items)
        self._soon.soon()

    @override
    def more(self) -> Wanted:
        return Wanted(
            tuple(WatchFor(text, whom == ALL) for whom, text in self.items if whom != STOP),
            tuple(text for whom, text in self.items if whom == STOP),
        )

    @staticmethod
    @override
    def compute(run: RunRequest, progress: Callable[[float], None], should_stop: Callable[[], bool]) -> Trace:
        request, output = run.request, run.more
        assert isinstance(output, Wanted)
        return traced_run(
            request.workload,
            request.cluster,
            request.choice,
            output,
            order=request.order,
            partition=request.partition,
            plan=request.plan,
            fork=request.fork,
            progress=progress,
            should_stop=should_stop,
        )

    @override
    def beside(self, answer: Any) -> str:
        if answer.fault is not None:
            return str(answer.fault.sentence)
        schedule = None if self.is_stale else self.schedule
        return DICE if schedule is not None and answer.differs_from(schedule) else ""

    def words(self) -> tuple[str, ...]:
        """Return what may be typed into an expression about the active scenario."""
        request = self.request
        policy = own_policy(request.choice.id)
        parameters = () if policy is None else (each.name for each in policy.parameters)
        values = dict.fromkeys((*request.choice.parameters, *parameters))
        jobs = tuple(job.name for job in self._document.workload.jobs)
        local = {} if self.trace is None else self.trace.locals
        return completions(Vocabulary(jobs, (), dict.fromkeys(TRACED_HOOKS), values, local))
