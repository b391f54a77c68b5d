"""Which engine a run uses, compiled or interpreted, and how far it goes between two looks at progress.

The compiled engine takes time to load and more to compile: only long runs are worth that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from core.engine import jit
from core.policies.composing.kernel import kernels_are_loaded
from core.policies.policy import Policy

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.workload import Workload

Engine = Literal["auto", "compiled", "interpreted"]
WORTH_LOADING, WORTH_COMPILING = 50_000, 500_000
"""Tasks from which loading compiled code (0.5 s), or compiling it once (seconds), beats interpreting."""
INSTANTS_PER_SLICE = 20_000
"""Compiled: about 5 ms with the policies that come with Slotscope."""
INTERPRETED_INSTANTS_PER_SLICE = 500
CAUTIOUS_INSTANTS = 16
"""A user's policy may take a second for one decision: its first slices are short."""
LONG_SECONDS, SHORT_SECONDS = 0.05, 0.01


def is_loaded(policy: type[Policy], *, typed: bool) -> bool:
    """Whether this process has all compiled code of a run under a policy, on typed slots or on others."""
    if hasattr(policy, "replanner"):
        from core.shared_scans.assignment import compiled_advance_by_plans

        if not compiled_advance_by_plans.is_loaded():
            return False
    return kernels_are_loaded(policy, typed=typed)


def use_compiled(
    workload: Workload, policy: type[Policy] = Policy, *, typed: bool = True, runs: int = 1
) -> bool:
    """Whether the compiled engine is in use already, or worth loading or even compiling for so many runs."""
    if is_loaded(policy, typed=typed):
        return True
    tasks = runs * (workload.map_count + workload.reduce_count)
    return tasks > (WORTH_LOADING if jit.compiled_is_ready() else WORTH_COMPILING)


def search_compiled(engine: Engine, workload: Workload, cluster: Cluster) -> bool:
    """Whether what a policy tries before the run is worth the compiled engine: it may be hundreds of runs."""
    if engine == "auto":
        return use_compiled(workload, runs=len(workload.jobs) * cluster.slots.bit_length())
    return engine == "compiled"


def first_slice(*, compiled: bool, cautious: bool) -> int:
    """Return how many instants the first slice has."""
    return CAUTIOUS_INSTANTS if cautious else most_instants(compiled=compiled)


def next_slice(instants: int, seconds: float, *, compiled: bool) -> int:
    """Return how many instants fit the next slice, after one of so many took so long."""
    if seconds > LONG_SECONDS:
        return max(1, instants // 4)
    return min(2 * instants, most_instants(compiled=compiled)) if seconds < SHORT_SECONDS else instants


def most_instants(*, compiled: bool) -> int:
    """Return how many instants any slice has at most."""
    return INSTANTS_PER_SLICE if compiled else INTERPRETED_INSTANTS_PER_SLICE
