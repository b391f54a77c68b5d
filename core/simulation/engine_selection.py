"""Which engine a run uses, compiled or interpreted, and how far it goes between two looks at progress.

The first compiled code of a process takes time to load, more of it hardly any, and compiling takes seconds:
only long runs are worth that. What is long by its tasks alone is compiled at once, and what is in the cache
is loaded once it would have been worth it for the runs so far. Any other run begins interpreted, and how far
it got soon tells what is left, whatever its policy, its pools and the jobs that wait at once make of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from core.engine.compile_cache import is_cached
from core.engine.compiled import compiled_advance, engine_function
from core.engine.variants import TYPED, EngineVariant, RunKind
from core.policies.composing.hooks import hooks_of
from core.policies.composing.kernel import kernel_name, kernels_are_loaded, variant_for
from core.policies.critical import Critical
from core.policies.critical_by_starts import planned_policy
from core.policies.policy import Policy
from core.policies.pools import BalancedPools, Partitioned
from core.policies.registry import policy_class

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.model.cluster import Cluster
    from core.model.schedule import Forkable, PolicyChoice
    from core.model.workload import Workload

Engine = Literal["auto", "compiled", "interpreted"]
WORTH_COMPILING = 500_000
"""Tasks from which compiling once (seconds) beats interpreting."""
TASK_SECONDS = 12e-6
"""That interpreting takes for each task, about, with a policy that is nothing but an order."""
LOADING_SECONDS, LOADING_MORE_SECONDS = 0.6, 0.03
"""Of a processor, about: loading the first compiled code of a process, nearly all of it the compiler itself,
and loading more."""
ENGINE_SECONDS, KERNEL_SECONDS, PLANS_SECONDS = 11.0, 4.0, 13.0
VARIANT_SECONDS = {EngineVariant.PLAIN: 6.0, EngineVariant.HOSTS: 9.0}
"""Of a processor, about: compiling the engine, a policy's kernel, and what plans the sharing of scans; and
the variants of the engine that take less."""
PLANS_OF_PAIR = 6e-6
"""Seconds that interpreted plans of shared scans take for each pair of jobs that arrive at once."""
TRIAL_OF_TASK = 0.3e-6
"""Seconds of a processor that a search for pools takes for each task of a trial, compiled."""
TRIAL_SECONDS, SHORT_TRIAL_SECONDS = 1.0, 0.1
"""A run that is done by then was not worth compiling, or loading what is in the cache."""
INSTANTS_PER_SLICE = 20_000
"""Compiled: about 5 ms with the policies that come with Slotscope."""
INTERPRETED_INSTANTS_PER_SLICE = 500
CAUTIOUS_INSTANTS = 16
"""One decision may take a second, interpreted or of a user's policy: the first slices are short."""
LONG_SECONDS, SHORT_SECONDS = 0.05, 0.01

_interpreted = 0
"""Tasks of the runs that this process has interpreted though it might have compiled them."""


def note_interpreted(workload: Workload) -> None:
    """Count the tasks of a run that is interpreted: many short ones are worth loading compiled code, too."""
    global _interpreted
    _interpreted += workload.map_count + workload.reduce_count


def loading_seconds() -> float:
    """Return about how long it takes to load compiled code that is in the cache."""
    return LOADING_MORE_SECONDS if compiled_advance.has_any else LOADING_SECONDS


def is_loaded(policy: type[Policy], kind: RunKind) -> bool:
    """Whether this process has all compiled code of a run."""
    if hasattr(policy, "replanner"):
        from core.shared_scans.assignment import compiled_advance_by_plans

        if not compiled_advance_by_plans.is_loaded():
            return False
    return kernels_are_loaded(policy, kind)


def all_is_loaded(followed: Forkable, cluster: Cluster) -> bool:
    """Whether it has that of the policy, and of what is followed instead: an order, pools or a plan."""
    return all(is_loaded(policy, kind) for policy, kind in _needed(followed, cluster))


def is_worth_loading(followed: Forkable, cluster: Cluster, tasks: int) -> bool:
    """Whether all compiled code of a run is loaded or cached, and interpreting takes longer than loading."""
    return TASK_SECONDS * tasks > LOADING_SECONDS and all(
        compiling_seconds(policy, kind) <= LOADING_SECONDS for policy, kind in _needed(followed, cluster)
    )


def _needed(followed: Forkable, cluster: Cluster) -> Iterator[tuple[type[Policy], RunKind]]:
    """Yield the policies of which a run needs compiled code, with the kind of their runs."""
    kind = RunKind.of(cluster)
    if followed.plan is not None:
        has_pools = followed.plan.partition is not None
        yield planned_policy(followed.plan), RunKind.of(cluster, has_pools=has_pools)
        return
    policy = policy_class(followed.choice.id)
    if hasattr(policy, "search") and followed.order is None and followed.partition is None:
        yield Critical, kind
        return
    searches = hasattr(policy, "partition")
    if searches or followed.partition is not None:
        yield Partitioned, RunKind.of(cluster, has_pools=True)
    if searches or (followed.order is not None and followed.partition is None):
        yield Policy, kind
    if not searches:
        yield policy, kind


def use_compiled(
    workload: Workload, policy: type[Policy] = Policy, kind: RunKind = TYPED, *, runs: int = 1
) -> bool:
    """Whether the compiled engine is in use already, or worth loading or even compiling for so many runs."""
    if is_loaded(policy, kind):
        return True
    if hasattr(policy, "replanner"):
        together = int(
            np.bincount(np.unique(workload.columns.arrival, return_inverse=True)[1]).max(initial=0)
        )
        if PLANS_OF_PAIR * together**2 > compiling_seconds(policy, kind):
            return True
    tasks = runs * (workload.map_count + workload.reduce_count)
    before = 0 if compiled_advance.has_any else _interpreted
    if TASK_SECONDS * (before + tasks) <= loading_seconds():
        return False
    return tasks > WORTH_COMPILING or compiling_seconds(policy, kind) <= LOADING_SECONDS


def compiling_seconds(policy: type[Policy] = Policy, kind: RunKind = TYPED) -> float:
    """Return about how long it takes until the compiled code of a run is there; 0 if it is there already."""
    if is_loaded(policy, kind):
        return 0.0
    variant = variant_for(policy, kind)
    needed = [(engine_function(variant).__qualname__, VARIANT_SECONDS.get(variant, ENGINE_SECONDS))]
    if not hooks_of(policy).is_plain:  # that of a user's file is never in the cache
        needed.append((kernel_name(policy), KERNEL_SECONDS))
    if hasattr(policy, "replanner"):
        from core.shared_scans.assignment import plans_function

        needed.append((plans_function().__qualname__, PLANS_SECONDS))
    return loading_seconds() + sum(seconds for name, seconds in needed if not is_cached(name))


def announce_compiling(
    on_compiling: Callable[[float], None], policy: type[Policy] = Policy, kind: RunKind = TYPED
) -> None:
    """Call `on_compiling` with the seconds until a run's code is compiled, if it is not just loaded."""
    seconds = compiling_seconds(policy, kind)
    if seconds > LOADING_SECONDS:
        on_compiling(seconds)


def compiling_pays(seconds: float, fraction: float, compiling: Callable[[], float]) -> bool:
    """Whether compiling takes less time than what is left of an interpreted run.

    Parameters
    ----------
    seconds, fraction : how long it has run, and how much of it is done, 0 to 1
    compiling : returns the seconds until compiled code is there; asked where it matters
    """
    left = seconds * (1.0 - fraction)
    if seconds <= SHORT_TRIAL_SECONDS or left <= loading_seconds() * fraction:
        return False
    needed = compiling()
    return left > needed * fraction and (seconds > TRIAL_SECONDS or needed <= LOADING_SECONDS)


def search_seconds(workload: Workload, cluster: Cluster, choice: PolicyChoice) -> float:
    """Return about how many seconds of a processor a search for balanced pools takes, compiled; else 0."""
    if choice.id != BalancedPools.id:
        return 0.0
    runs = len(workload.jobs) * cluster.slots.bit_length()
    return TRIAL_OF_TASK * runs * (workload.map_count + workload.reduce_count)


def search_compiled(engine: Engine, workload: Workload, cluster: Cluster) -> bool:
    """Whether what a policy tries before the run is worth the compiled engine: it may be hundreds of runs."""
    if engine == "auto":
        return use_compiled(workload, runs=len(workload.jobs) * cluster.slots.bit_length())
    return engine == "compiled"


def first_slice(*, compiled: bool, cautious: bool) -> int:
    """Return how many instants the first slice has."""
    return CAUTIOUS_INSTANTS if cautious or not compiled else most_instants(compiled=compiled)


def next_slice(instants: int, seconds: float, *, compiled: bool) -> int:
    """Return how many instants fit the next slice, after one of so many took so long."""
    if seconds > LONG_SECONDS:
        return max(1, instants // 4)
    return min(2 * instants, most_instants(compiled=compiled)) if seconds < SHORT_SECONDS else instants


def most_instants(*, compiled: bool) -> int:
    """Return how many instants any slice has at most."""
    return INSTANTS_PER_SLICE if compiled else INTERPRETED_INSTANTS_PER_SLICE
