"""Where the time of a policy's run goes: calls and seconds of each hook, interpreted and compiled.

Interpreted, a clock stands around each call of a hook in a run of its own; what the clock itself takes is
measured and taken off. Compiled hooks are inlined into the simulator, so that no clock can stand around them:
each is compiled once more on its own and called upon records of the middle of the run, over and over.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from core.explain.hook_clocks import PER_JOB, Clocks
from core.model.errors import Cancelled
from core.model.number_text import grouped
from core.model.progress import never_stop, no_progress
from core.model.time_text import duration_text
from core.policies.user_files.apart import where_policies_live
from core.simulation.simulate import Simulation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.explain.hook_clocks import HookCost, WaitingCost
    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.plan import Plan
    from core.model.schedule import PolicyChoice
    from core.model.workload import Workload

FEW_DECISIONS = 20
"""Fewer of them say nothing about what one takes."""
SHORT_SECONDS = 0.2
BEFORE, REST = "before the run", "the simulator"


@dataclass(frozen=True)
class RunProfile:
    """Where the time of a run goes.

    Attributes
    ----------
    jobs, tasks, decisions : how large it is; decisions are the times that the policy was asked
    looked_at : how many jobs waited at all decisions together
    hooks : of the policy, the costliest first
    before : seconds until the first decision: order, plan, searches
    rest : seconds of everything else: the simulator itself
    seconds : of the whole run, interpreted, without any clock
    compiled_seconds : of the whole run, compiled; nan where it is not
    compiling_seconds : until the compiled code was there
    interpreted_because : why it is not compiled; "" where it is
    groups : decisions by the number of jobs that waited
    """

    jobs: int
    tasks: int
    decisions: int
    looked_at: int
    hooks: tuple[HookCost, ...]
    before: float
    rest: float
    seconds: float
    compiled_seconds: float
    compiling_seconds: float
    interpreted_because: str
    groups: tuple[WaitingCost, ...]

    @property
    def shares(self) -> dict[str, float]:
        """Parts of the interpreted run: of each hook, of what was before it, of the simulator; 1 in all."""
        parts = {hook.name: hook.seconds for hook in self.hooks} | {BEFORE: self.before, REST: self.rest}
        total = sum(parts.values())
        return {name: seconds / total if total > 0 else 1 / len(parts) for name, seconds in parts.items()}

    def sentences(self) -> tuple[str, ...]:
        """Return what made it slow."""
        return (*self._of_hooks(), *self._of_compiling(), *self._of_growth())

    def _of_hooks(self) -> list[str]:
        if not self.hooks:
            return ["The policy has no hook that is asked during the run: its order says it all."]
        shares = self.shares
        sentences = []
        for hook in self.hooks[:2]:
            took = f"took {_percent(shares[hook.name])} of the run{self._looks(hook)}"
            sentences.append(f"{hook.name} was called {grouped(hook.calls)} times and {took}.")
        if shares[BEFORE] > shares[self.hooks[0].name]:
            sentences.insert(0, f"What is asked {BEFORE} took {_percent(shares[BEFORE])} of it.")
        return sentences

    def _looks(self, hook: HookCost) -> str:
        if hook.name not in PER_JOB or not self.decisions or self.looked_at <= self.decisions:
            return ""
        if hook.calls >= 0.9 * self.looked_at:
            return "; it looks at every waiting job each time"
        return f"; it is asked {hook.calls / self.decisions:.1f} times for a decision, not about every job"

    def _of_compiling(self) -> list[str]:
        if self.interpreted_because:
            return [f"It runs interpreted: {self.interpreted_because}."]
        if math.isnan(self.compiled_seconds):
            return []
        return [
            f"Compiled, the run takes {duration_text(self.compiled_seconds)} instead of "
            f"{duration_text(self.seconds)}."
        ]

    def _of_growth(self) -> list[str]:
        groups = [group for group in self.groups if group.decisions >= FEW_DECISIONS and group.seconds > 0]
        if len(groups) < 2:
            return []
        few, many = groups[0], groups[-1]
        factor = many.seconds / few.seconds
        if factor < 1.5:
            return ["A decision takes about as long however many jobs wait."]
        return [
            f"A decision upon {_range(many)} waiting jobs takes {factor:.1f} times as long as one upon "
            f"{_range(few)}."
        ]


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _range(group: WaitingCost) -> str:
    return f"{group.least} to {group.most}" if group.most > group.least else str(group.least)


@where_policies_live
def profile_run(
    workload: Workload,
    cluster: Cluster,
    choice: PolicyChoice,
    *,
    order: Sequence[str] | None = None,
    partition: Partition | None = None,
    plan: Plan | None = None,
    compile_it: bool = True,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> RunProfile:
    """Run a policy twice interpreted, with clocks around its hooks and without, and once compiled.

    Parameters
    ----------
    workload, cluster, choice, order, partition, plan : as of `simulate`; before a fork nothing is measured
    compile_it : whether the compiled run and hooks are measured, too; that may take seconds
    progress, should_stop : as of `simulate`

    Raises what `simulate` raises.
    """
    begin = partial(Simulation, workload, cluster, choice, order=order, partition=partition, plan=plan)
    begin = partial(begin, should_stop=should_stop)
    ran = partial(_seconds_of, progress, should_stop)
    plain = ran(begin(engine="interpreted"), 0.0, 0.3)
    run, before = _timed(lambda: begin(engine="interpreted"))  # what is kept of the workload was made before
    clocks = Clocks(run)
    ran(clocks.run, 0.3, 0.7)
    hooks = clocks.costs()
    compiled, compiling, because = math.nan, 0.0, clocks.run.schedule().interpreted_because
    if compile_it and not because:
        (compiled_run, compiling) = _timed(lambda: begin(engine="compiled"))
        compiled = ran(compiled_run, 0.7, 0.9)
        if compiled < SHORT_SECONDS:  # the first one wakes everything up
            compiled = ran(begin(engine="compiled"), 0.9, 0.95)
        because = compiled_run.schedule().interpreted_because
        hooks = hooks if because else [clocks.with_compiled(hook, should_stop) for hook in hooks]
    return RunProfile(
        jobs=len(workload.jobs),
        tasks=workload.map_count + workload.reduce_count,
        decisions=len(clocks.waiting),
        looked_at=sum(clocks.waiting),
        hooks=tuple(sorted(hooks, key=lambda hook: -hook.seconds)),
        before=before,
        rest=max(plain - sum(hook.seconds for hook in hooks), 0.0),
        seconds=before + plain,
        compiled_seconds=math.nan if because else compiled,
        compiling_seconds=compiling,
        interpreted_because=because,
        groups=clocks.groups(),
    )


def _seconds_of(
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
    run: Simulation,
    first: float,
    last: float,
) -> float:
    """Run to the end and return the seconds; `first` and `last` are how far the whole profile is by then."""
    began = perf_counter()
    while not run.advance():
        progress(first + (last - first) * run.progress)
        if should_stop():
            raise Cancelled(f"the profile of {run.workload.name} was cancelled")
    return perf_counter() - began


def _timed(make: Callable[[], Simulation]) -> tuple[Simulation, float]:
    began = perf_counter()
    return make(), perf_counter() - began
