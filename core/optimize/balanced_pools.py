"""The pools of BalancedPools, found by runs in two passes: a start of searches on map and reduce slots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.optimize.chains import QuickTrials
from core.planning.pool_searches import search_pools

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.workload import Workload
    from core.optimize.search_columns import Tasks

POOLED_TASKS = 40_000_000
"""So many tasks are run to find pools, which takes about two seconds."""
MIN_SPLITS = 8


def balanced_pools(
    workload: Workload,
    cluster: Cluster,
    tasks: Tasks,
    usual: NDArray[np.int64],
    compiled: bool,
    most_tasks: int,
    should_stop: Callable[[], bool],
) -> Partition:
    """Return the pools that BalancedPools finds.

    Parameters
    ----------
    usual : complete maps that let the reduces of each job start, (jobs,)
    most_tasks : so many tasks may be run: of many jobs not all splits in two are tried then

    Raises
    ------
    Cancelled
        `should_stop` said so
    """

    def trials() -> list[QuickTrials]:
        return [QuickTrials(tasks, usual, compiled) for _ in range(2 if compiled else 1)]

    sizes = max(tasks.slots).bit_length()  # that are tried for each split
    splits = max(MIN_SPLITS, most_tasks // (sizes * max(1, tasks.tasks)))
    return search_pools(workload, cluster, trials, most_splits=splits, should_stop=should_stop).partition
