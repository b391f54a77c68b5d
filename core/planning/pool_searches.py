"""Searches for balanced pools: remembered by what they depend on, and shared while they are under way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.errors import InputError
from core.model.progress import never_stop, no_progress
from core.model.slots_that_stay import check_slots_stay
from core.planning.balanced_pools import PoolSearch, balanced_pools
from core.planning.kept_searches import KeptSearches

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.planning.kept_searches import UnderWay
    from core.planning.pool_cut import Trial
    from core.planning.trial_threads import Simulator


def search_pools(
    workload: Workload,
    cluster: Cluster,
    simulators: Callable[[], Sequence[Simulator]],
    *,
    pools: int = 2,
    most_splits: int | None = None,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
    on_trials: Callable[[Sequence[Trial]], None] = no_progress,
) -> PoolSearch:
    """Return what BalancedPools finds; at once if it was found before.

    If the same search is under way in another thread, its result is waited for. Parameters as those of
    `core.planning.balanced_pools.balanced_pools`; `simulators` are made when they are needed.

    Raises
    ------
    InputError
        the cluster has untyped containers
    Cancelled
        `should_stop` said so
    """
    check_slots_stay(cluster, "a search for pools")
    if cluster.has_containers:
        raise InputError(
            "BalancedPools divides map and reduce slots; this cluster has untyped containers, so give it "
            "map and reduce slots"
        )

    def search(news: UnderWay[Trial]) -> PoolSearch:
        return balanced_pools(
            workload,
            cluster,
            simulators(),
            news.note_fraction,
            should_stop,
            news.note_news,
            pools,
            most_splits,
        )

    if most_splits is not None and most_splits >= len(workload.jobs) - 1:
        most_splits = None
    return _kept.find(
        (workload.digest, cluster, pools, most_splits), search, progress, should_stop, on_trials
    )


def known_search(workload: Workload, cluster: Cluster, pools: int = 2) -> PoolSearch | None:
    """Return what an earlier search for so many pools has found, or None."""
    return _kept.known((workload.digest, cluster, pools, None))


_kept: KeptSearches[PoolSearch, Trial] = KeptSearches("the search for balanced pools")
