"""Whether a run is long enough for the compiled engine, which takes time to load and more to compile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from core.engine import jit
from core.engine.compiled import compiled_advance

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.workload import Workload

Engine = Literal["auto", "compiled", "interpreted"]
WORTH_LOADING, WORTH_COMPILING = 50_000, 500_000
"""Tasks from which loading compiled code (0.5 s), or compiling it once (seconds), beats interpreting."""


def use_compiled(workload: Workload, runs: int = 1) -> bool:
    """Whether the compiled engine is in use already, or worth loading or even compiling for so many runs."""
    if compiled_advance.cache_info().currsize:
        return True
    tasks = runs * (workload.map_count + workload.reduce_count)
    return tasks > (WORTH_LOADING if jit.compiled_is_ready() else WORTH_COMPILING)


def search_compiled(engine: Engine, workload: Workload, cluster: Cluster) -> bool:
    """Whether what a policy tries before the run is worth the compiled engine: it may be hundreds of runs."""
    if engine == "auto":
        return use_compiled(workload, len(workload.jobs) * cluster.slots.bit_length())
    return engine == "compiled"
