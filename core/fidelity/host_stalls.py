"""Host stalls: hosts that started nothing for a while, and then at once what they had been given meanwhile.

Seen in logs of Hadoop 0.20: a host starts nothing on its map slots for minutes; then tasks of several jobs
start on them at once, as many as there are, each of which could have run long before on other hosts. The host
had been handed them and could not start them. Maps (with setups and cleanups) and reduces are started by
different threads of a host, so either may stand still while the other goes on. No scheduler did that, so no
simulation of one will find it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from core.model.in_parts import most_at_once
from core.model.task_types import CLEANUP, KINDS, MAP, REDUCE, SETUP

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.recorded_run import RecordedRun

    Times = NDArray[np.float64]

MIN_SECONDS = 60.0
"""Shorter waits are those of heartbeats, and of other work of a cluster."""
AT_ONCE = 10.0
"""What a host was given starts within so many seconds after it goes on."""
MIN_HELD = {MAP: 3, REDUCE: 2}
"""So many attempts on slots of each kind: fewer may have waited for reasons of their own."""
MIN_JOBS = 2
"""Maps of so many jobs; tasks of one job will do where others of its tasks show that they could start."""


@dataclass(frozen=True, slots=True)
class HostStall:
    """One stall of one host.

    Attributes
    ----------
    host : its name
    kind : whose starts stood still: `MAP` (setups and cleanups, too) or `REDUCE`
    begin, end : since when such starts stood still, to the first one after, seconds on the log's clock
    held : the attempts that waited for it, indices into the run
    """

    host: str
    kind: int
    begin: float
    end: float
    held: tuple[int, ...]


def host_stalls(run: RecordedRun) -> tuple[HostStall, ...]:
    """Find the host stalls of a history, the earliest first.

    A host stalled if it started nothing on its map slots, or on its reduce slots, for `MIN_SECONDS`, and
    then, within `AT_ONCE`, at least `MIN_HELD` attempts that had waited as long, although other hosts had a
    free slot of their kind at every time meanwhile. Setups and cleanups that it still started before do not
    end a stall of its maps; see `stood_still_since`. The maps are of at least `MIN_JOBS` jobs, or of one of
    which other maps began elsewhere as long before, if a JobTracker handed them out: it lets a setup run
    before the maps, while YARN gives a job containers of one host together. Of a reduce's job another reduce
    began elsewhere as long before.
    """
    search = _StallSearch(run)
    has_setups = bool((run.kind == SETUP).any())
    found = []
    for kind in (MAP, REDUCE):
        began = np.flatnonzero(np.isfinite(run.start) & (run.host >= 0) & _is_on(run, kind))
        began = began[np.lexsort((run.start[began], run.host[began]))]
        for mine in np.split(began, np.flatnonzero(np.diff(run.host[began])) + 1):
            starts = run.start[mine]
            for place in np.flatnonzero(np.diff(starts) >= MIN_SECONDS).tolist():
                begin, end = float(starts[place]), float(starts[place + 1])
                held = search.held(mine[(starts >= end) & (starts <= end + AT_ONCE)], begin, end)
                jobs = set(run.job[held].tolist())
                if len(held) and kind == MAP and len(jobs) < MIN_JOBS:
                    held = search.began_elsewhere(held, end) if has_setups else held[:0]
                if len(held):
                    host = run.hosts[run.host[mine[0]]]
                    since = search.stood_still_since(mine, held, begin)
                    found.append(HostStall(host, kind, since, end, tuple(held.tolist())))
    return tuple(sorted(found, key=lambda stall: (stall.begin, stall.host, stall.kind)))


def _is_on(run: RecordedRun, kind: int) -> NDArray[np.bool_]:
    """Return which attempts took slots of a kind: all but reduces took map slots, (attempts,)."""
    on: NDArray[np.bool_] = (run.kind == REDUCE) == (kind == REDUCE)
    return on


class _StallSearch:
    """Looks for attempts that could have started on other hosts."""

    def __init__(self, run: RecordedRun) -> None:
        self._run = run
        self._ready = _ready(run)
        self._in_use = (_SlotsInUse(run, MAP), _SlotsInUse(run, REDUCE))
        order = np.lexsort((run.kind, run.job))
        self._alike = order
        """Attempts by job and kind."""
        self._keys = run.job[order].astype(np.int64) * len(KINDS) + run.kind[order]

    def held(self, attempts: NDArray[np.int64], begin: float, end: float) -> NDArray[np.int64]:
        """Return which attempts of one kind waited for their host from `begin` to `end`, or nearly.

        None if fewer than `MIN_HELD` did.
        """
        least = MIN_HELD[int(self._run.kind[attempts[0]] == REDUCE)]
        since = np.maximum(self._ready[attempts], begin)
        late = end - since >= MIN_SECONDS
        if late.sum() < least:
            return attempts[:0]
        waited = [
            self._could_start(attempt, start, end)
            for attempt, start in zip(attempts[late].tolist(), since[late].tolist(), strict=True)
        ]
        held = attempts[late][waited]
        return held if len(held) >= least else held[:0]

    def began_elsewhere(self, held: NDArray[np.int64], end: float) -> NDArray[np.int64]:
        """Return those of the attempts of which others alike began on other hosts as long before.

        None if fewer than `MIN_HELD` are left.
        """
        left = held[[self._has_begun_elsewhere(attempt, end) for attempt in held.tolist()]]
        return left if len(left) >= MIN_HELD[MAP] else left[:0]

    def _has_begun_elsewhere(self, attempt: int, end: float) -> bool:
        """Whether another task of its job and kind began on another host as long before as stalls last."""
        run = self._run
        key = int(run.job[attempt]) * len(KINDS) + int(run.kind[attempt])
        low, high = np.searchsorted(self._keys, [key, key + 1])
        alike = self._alike[low:high]
        return bool((run.start[alike[run.host[alike] != run.host[attempt]]] <= end - MIN_SECONDS).any())

    def stood_still_since(self, mine: NDArray[np.int64], held: NDArray[np.int64], begin: float) -> float:
        """Return when a host had been given the first of these, at the earliest; `begin` is its last start.

        A setup or cleanup takes a reduce slot where map slots are taken, so its start does not show that map
        slots went on. What starts none of its tasks has been given them since its last one, or since they
        were ready.
        """
        run = self._run
        tasks = run.start[mine[(run.kind[mine] <= REDUCE) & (run.start[mine] <= begin)]]
        return min(begin, max(float(tasks.max(initial=-np.inf)), float(self._ready[held].min())))

    def _could_start(self, attempt: int, begin: float, end: float) -> bool:
        """Whether an attempt could have started on another host at any time between."""
        host, is_reduce = int(self._run.host[attempt]), self._run.kind[attempt] == REDUCE
        if is_reduce and not self._has_begun_elsewhere(attempt, end):
            return False
        return self._in_use[int(is_reduce)].others_had_room(host, begin, end)


class _SlotsInUse:
    """How many slots of one kind were in use at any time, on all hosts and on each."""

    def __init__(self, run: RecordedRun, kind: int) -> None:
        alike = np.flatnonzero(run.has_ended & _is_on(run, kind))
        self._starts, self._ends = np.sort(run.start[alike]), np.sort(run.end[alike])
        self._running = self._at(self._starts, self._starts, self._ends)
        alike = alike[np.argsort(run.host[alike], kind="stable")]
        edges = np.flatnonzero(np.diff(run.host[alike], prepend=-2))
        self._hosts: dict[int, tuple[Times, Times]] = {
            int(run.host[mine[0]]): (np.sort(run.start[mine]), np.sort(run.end[mine]))
            for mine in np.split(alike, edges)[1:]
        }
        self._slots = {host: most_at_once(*times) for host, times in self._hosts.items()}
        self._all = sum(self._slots.values())

    @staticmethod
    def _at(times: Times, starts: Times, ends: Times) -> NDArray[np.int64]:
        """Return how many attempts ran at these times; one runs from its start until just before its end."""
        running: NDArray[np.int64] = np.searchsorted(starts, times, "right")
        running -= np.searchsorted(ends, times, "right")
        return running

    def others_had_room(self, host: int, begin: float, end: float) -> bool:
        """Whether hosts beside this one had a free slot at every time between.

        They have as many slots as were ever in use at once on each.
        """
        low, high = np.searchsorted(self._starts, [begin, end])
        times = np.r_[begin, self._starts[low:high]]
        running = np.r_[self._at(times[:1], self._starts, self._ends), self._running[low:high]]
        slots = self._all - self._slots.get(host, 0)
        if running.max() < slots:
            return True
        if host in self._hosts:
            running -= self._at(times, *self._hosts[host])
        return bool(running.max() < slots)


def _ready(run: RecordedRun) -> Times:
    """Return from when on each attempt could have started, as far as its own job goes, (attempts,).

    A setup task from the job's launch on, a cleanup task from the end of its last task, maps from the end of
    the setup, reduces from the end of the first map.
    """
    ready: Times = np.where(np.isfinite(run.launch), run.launch, run.submit)[run.job]
    order = np.argsort(run.job, kind="stable")
    edges = np.searchsorted(run.job[order], np.arange(len(run.jobs) + 1)).tolist()
    for job, (low, high) in enumerate(pairwise(edges)):
        mine = order[low:high]
        ends = {kind: run.end[mine[run.kind[mine] == kind]] for kind in (SETUP, MAP, REDUCE)}
        setup = float(np.nanmax(ends[SETUP], initial=-np.inf))
        maps, reduces = mine[run.kind[mine] == MAP], mine[run.kind[mine] == REDUCE]
        cleanup = mine[run.kind[mine] == CLEANUP]
        ready[maps] = np.fmax(ready[maps], setup)
        ready[reduces] = np.fmax(ready[reduces], np.nanmin(ends[MAP], initial=np.inf) if len(maps) else setup)
        ready[cleanup] = np.nanmax(np.r_[ends[MAP], ends[REDUCE]], initial=float(run.submit[job]))
    return ready
