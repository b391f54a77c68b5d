"""Searches for balanced pools: remembered by what they depend on, and shared while they are under way."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from core.model.errors import Cancelled, InputError
from core.model.progress import never_stop, tell_nobody
from core.planning.balanced_pools import PoolSearch, balanced_pools
from core.planning.trial_threads import LOOK_EVERY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.planning.pool_cut import Trial
    from core.planning.trial_threads import Simulator

    Key = tuple[str, Cluster, int]

MOST_KEPT = 16


def search_pools(
    workload: Workload,
    cluster: Cluster,
    simulators: Callable[[], Sequence[Simulator]],
    *,
    pools: int = 2,
    progress: Callable[[float], None] = tell_nobody,
    should_stop: Callable[[], bool] = never_stop,
    on_trials: Callable[[Sequence[Trial]], None] = tell_nobody,
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
    if cluster.has_containers:
        raise InputError(
            "BalancedPools divides map and reduce slots; this cluster has untyped containers, so give it "
            "map and reduce slots"
        )
    key = (workload.digest, cluster, pools)
    while True:
        found, search, is_ours = _memory.look(key)
        if found is not None:
            return found
        if is_ours:
            break
        search.follow(progress, should_stop, on_trials)
    try:
        search.tell(progress, on_trials)
        found = balanced_pools(
            workload, cluster, simulators(), search.note_fraction, should_stop, search.note_trials, pools
        )
        return found
    finally:
        _memory.end(key, found)


def known_search(workload: Workload, cluster: Cluster, pools: int = 2) -> PoolSearch | None:
    """Return what an earlier search for so many pools has found, or None."""
    return _memory.known((workload.digest, cluster, pools))


class _Search:
    """A search under way; other threads may follow it."""

    def __init__(self) -> None:
        self._fraction = 0.0
        self._trials: list[Trial] = []
        self._progress: Callable[[float], None] = tell_nobody
        self._on_trials: Callable[[Sequence[Trial]], None] = tell_nobody
        self._ended = threading.Event()

    def tell(self, progress: Callable[[float], None], on_trials: Callable[[Sequence[Trial]], None]) -> None:
        """Say to whom it belongs: who began it is told everything at once."""
        self._progress, self._on_trials = progress, on_trials

    def note_fraction(self, fraction: float) -> None:
        """Note how much is done."""
        self._fraction = fraction
        self._progress(fraction)

    def note_trials(self, trials: Sequence[Trial]) -> None:
        """Note what was tried."""
        self._trials += trials
        self._on_trials(trials)

    def end(self) -> None:
        """Let those who follow go on."""
        self._ended.set()

    def follow(
        self,
        progress: Callable[[float], None],
        should_stop: Callable[[], bool],
        on_trials: Callable[[Sequence[Trial]], None],
    ) -> None:
        """Tell how it goes until it ends, found or given up."""
        told = 0
        while True:
            has_ended = self._ended.wait(LOOK_EVERY)
            trials = self._trials[told:]
            told += len(trials)
            on_trials(trials)
            progress(self._fraction)
            if has_ended:
                return
            if should_stop():
                raise Cancelled("the search for balanced pools was cancelled")


class _Memory:
    """What was found, the least recently used leaving first, and what is under way."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: OrderedDict[Key, PoolSearch] = OrderedDict()
        self._running: dict[Key, _Search] = {}

    def known(self, key: Key) -> PoolSearch | None:
        """Return what was found."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def look(self, key: Key) -> tuple[PoolSearch | None, _Search, bool]:
        """Return what was found, else the search under way, and whether it is the caller's to do."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key], _Search(), False
            is_new = key not in self._running
            return None, self._running.setdefault(key, _Search()), is_new

    def end(self, key: Key, found: PoolSearch | None) -> None:
        """Remember what was found, if anything was, and end the search."""
        with self._lock:
            if found is not None:
                self._found[key] = found
                while len(self._found) > MOST_KEPT:
                    self._found.popitem(last=False)
            self._running.pop(key).end()


_memory = _Memory()
