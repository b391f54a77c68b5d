"""Clocks around the hooks of a run, and compiled hooks called on their own: what each call costs."""

from __future__ import annotations

import math
from copy import deepcopy
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.engine import jit
from core.engine.records import CLUSTER, JOB, POOL
from core.model.errors import PolicyError
from core.policies.composing import kernel as composing
from core.policies.composing.hooks import Hooks, hooks_of
from core.policies.composing.kernel import HOOK_OPTIONS
from core.policies.policy import OFFERED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.policies.policy import Policy
    from core.simulation.simulate import Simulation

MIN_SECONDS = 0.01
"""A compiled hook is called for so long."""
MAX_ROUNDS = 1 << 22
MIN_COST = 1e-9
"""Seconds of a call below which a measurement says nothing."""
MAX_GROUPS = 12
CALIBRATION_CALLS = 5_000
PER_JOB = {"key": "key({})[0]", "admits": "1.0 if admits({}) else 0.0"}
PER_POOL = {"pool_key": "pool_key({})[0]", "pool_admits": "1.0 if pool_admits({}) else 0.0"}
ONCE = {"lends": "1.0 if lends({}) else 0.0", "watch": "1.0 if watch({}) else 0.0", "choose": "choose({})"}
TIMED = """
def timed(queue, jobs, pools, clusters, rounds):
    total, cluster, kind, slot = 0.0, clusters[0], 0, 0
    for _ in range(rounds):
        for i in range(len({over})):
            clusters[0].now = total
            total += {call}
    return total
"""


def cost_text(seconds: float) -> str:
    """Return what something costs with its unit: "2.5 µs", "< 1 ns"; "" where it is not known."""
    if math.isnan(seconds):
        return ""
    units = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
    return next((f"{seconds / size:.3g} {unit}" for unit, size in units if seconds >= size), "< 1 ns")


@dataclass(frozen=True)
class HookCost:
    """What a hook cost.

    Attributes
    ----------
    name : of the hook
    calls : how often the simulator called it
    seconds : in all, interpreted
    compiled_each : seconds of a call, compiled and on its own; nan where that is not known
    """

    name: str
    calls: int
    seconds: float
    compiled_each: float = math.nan

    @property
    def each(self) -> float:
        """Seconds of a call, interpreted; 0 where there is none."""
        return self.seconds / self.calls if self.calls else 0.0

    @property
    def compiled_seconds(self) -> float:
        """Seconds of all calls, compiled, about."""
        return self.calls * self.compiled_each

    @property
    def compiled_text(self) -> str:
        """The same with its unit; "" where it is not known."""
        if self.compiled_each < MIN_COST:
            return f"< {cost_text(self.calls * MIN_COST)}"
        return cost_text(self.compiled_seconds)


class WaitingCost(NamedTuple):
    """Decisions upon about as many jobs.

    Attributes
    ----------
    least, most : jobs that waited for a slot of the type that was offered
    decisions : how many there were
    seconds : of one of them, interpreted: the median
    calls : of hooks, of one of them, on average
    """

    least: int
    most: int
    decisions: int
    seconds: float
    calls: float


class Clocks:
    """Stand around the hooks of a run.

    Attributes
    ----------
    run : the run that is measured
    waiting : at each decision, how many jobs waited for such a slot
    """

    def __init__(self, run: Simulation) -> None:
        self._hooks: Hooks = hooks_of(run.policy)
        self._names = {function: name for name, function in self._hooks.functions.items()}
        self._calls = dict.fromkeys(self._hooks.functions, 0)
        self._seconds = dict.fromkeys(self._hooks.functions, 0.0)
        self._total_calls = 0
        self.waiting: list[int] = []
        self._per_decision: list[tuple[float, int]] = []
        self._kept: tuple[Any, ...] | None = None
        self._half = len(run.workload.columns.job) // 2
        self._clock = _seconds_of_clock()
        timed = composing._compose(self._hooks, self._hooks.uses_tree, self._around)
        self.run = run.with_kernel(lambda _kernel: self._noting(timed))

    def _around(self, hook: Callable[..., Any]) -> Callable[..., Any]:
        """Return a hook with a clock around it."""
        name = self._names[hook]
        calls, seconds = self._calls, self._seconds

        def called(*given: Any) -> Any:
            began = perf_counter()
            answer = hook(*given)
            seconds[name] += perf_counter() - began
            calls[name] += 1
            return answer

        return called

    def _noting(self, kernel: Callable[..., int]) -> Callable[..., int]:
        """Return a kernel that notes how many jobs wait, and what each decision takes."""

        def decide(slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
            if self._kept is None and cluster.started >= self._half:
                self._kept = deepcopy((queue, job, pool, cluster))
            before = sum(self._calls.values())
            began = perf_counter()
            pick = kernel(slot, queue, trees, keys, job, pool, cluster)
            took = perf_counter() - began
            calls = sum(self._calls.values()) - before
            self._per_decision.append((max(took - calls * self._clock, 0.0), calls))
            self.waiting.append(cluster.waiting[slot])
            return pick

        return decide

    def costs(self) -> list[HookCost]:
        """Return what each hook cost, without its clock."""
        return [
            HookCost(name, calls, max(self._seconds[name] - calls * self._clock, 0.0))
            for name, calls in self._calls.items()
        ]

    def groups(self) -> tuple[WaitingCost, ...]:
        """Return what decisions took by the number of jobs that waited, in a few groups of equal width."""
        if not self.waiting:
            return ()
        waiting, cost = np.array(self.waiting), np.array(self._per_decision)
        width = max(-(-int(waiting.max() + 1) // MAX_GROUPS), 1)
        found = []
        for group in np.unique(waiting // width):
            of_group = waiting // width == group
            seconds, calls = np.median(cost[of_group, 0]), cost[of_group, 1].mean()
            of = waiting[of_group]
            found.append(
                WaitingCost(int(of.min()), int(of.max()), int(of_group.sum()), float(seconds), float(calls))
            )
        return tuple(found)

    # ---- compiled hooks, each on its own

    def with_compiled(self, hook: HookCost, should_stop: Callable[[], bool]) -> HookCost:
        """Return a cost with the seconds of a call of the compiled hook."""
        if self._kept is None or should_stop():
            return hook
        try:
            each = self._compiled_each(hook.name)
        except PolicyError:
            raise
        except Exception:  # numba lets all kinds slip through; then it is not known
            return hook
        return HookCost(hook.name, hook.calls, hook.seconds, each)

    def _compiled_each(self, name: str) -> float:
        """Return the seconds of a call: those of a loop of calls without those of the loop."""
        assert self._kept is not None
        queue, job, pool, cluster = self._kept
        over, times, call = _loop_of(name, len(job), len(pool))
        records = _records(job, JOB), _records(pool, POOL), _records([cluster], CLUSTER)
        queues = np.array(queue, np.int32)
        loops = _loop_of_calls(self._hooks.policy, name, over, call), _empty_loop(over)
        full, empty = (_loop_seconds(loop, queues, records) for loop in loops)
        return max(full - empty, 0.0) / times


def _loop_of(name: str, jobs: int, pools: int) -> tuple[str, int, str]:
    """Return over what a hook is called, how often in a round, and the call."""
    if name in PER_JOB:
        return "jobs", jobs, PER_JOB[name].format("jobs[i], kind, slot, pools[jobs[i].pool], cluster")
    if name in PER_POOL:
        return "pools", pools, PER_POOL[name].format("pools[i], kind, cluster")
    given = (f"{each}s" if each in ("job", "pool") else each for each in OFFERED[name])
    return "clusters", 1, ONCE[name].format(", ".join(given))


@jit.Kept
def _loop_of_calls(policy: type[Policy], name: str, over: str, call: str) -> Any:
    """Return a loop of calls of a policy's hook, compiled the first time: that takes a second."""
    return _compiled_loop(over, call, {name: composing._filled(hooks_of(policy), _compiled_hook)[name]})


@jit.Kept
def _empty_loop(over: str) -> Any:
    """Return the same loop without calls, compiled the first time."""
    return _compiled_loop(over, "1.0", {})


def _compiled_loop(over: str, call: str, hook: dict[str, Any]) -> Any:
    names: dict[str, Any] = {"__name__": __name__, **hook}
    exec(TIMED.format(over=over, call=call), names)
    return jit.compiled(names["timed"], kept=False)


def _loop_seconds(timed: Any, queue: NDArray[np.int32], records: tuple[NDArray[Any], ...]) -> float:
    """Return the seconds of a round of compiled calls."""
    copies = [each.copy() for each in records]  # the loop writes: else nothing would be computed anew
    rounds, took = 1, 0.0
    timed(queue, *copies, 1)
    while took < MIN_SECONDS and rounds < MAX_ROUNDS:
        rounds *= 4
        began = perf_counter()
        timed(queue, *copies, rounds)
        took = perf_counter() - began
    return took / rounds


def _compiled_hook(hook: Callable[..., Any]) -> Any:
    return jit.compiled(hook, kept=False, **HOOK_OPTIONS)


def _records(rows: Sequence[Any], layout: np.dtype[Any]) -> NDArray[Any]:
    """Return rows as the records that compiled code has."""
    records = np.zeros(len(rows), layout)
    for name in layout.names or ():
        records[name] = [getattr(row, name) for row in rows]
    return records


def _seconds_of_clock() -> float:
    """Return what a clock around a call counts of itself."""
    total = 0.0
    for _ in range(CALIBRATION_CALLS):
        began = perf_counter()
        total += perf_counter() - began
    return total / CALIBRATION_CALLS
