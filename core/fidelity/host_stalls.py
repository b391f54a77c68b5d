"""Host stalls: hosts that started nothing for a while, and then at once what they had been given meanwhile.

Seen in logs of Hadoop 0.20: a host starts nothing for minutes; then tasks of several jobs start on it at
once, as many as it has map slots, each of which could have run long before on other hosts. The host had been
handed them and could not start them. No scheduler did that, so no simulation of one will find it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from core.model.execution_history import CLEANUP, SETUP, most_at_once
from core.model.workload import MAP, REDUCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.execution_history import RecordedRun

    Times = NDArray[np.float64]

LEAST_SECONDS = 60.0
"""Shorter waits are those of heartbeats, and of other work of a cluster."""
AT_ONCE = 10.0
"""What a host was given starts within so many seconds after it goes on."""
LEAST_HELD, LEAST_JOBS = 3, 2
"""So many attempts, of so many jobs: fewer may have waited for reasons of their own."""


@dataclass(frozen=True, slots=True)
class HostStall:
    """One stall of one host.

    Attributes
    ----------
    host : its name
    begin, end : from its last start before to its first one after, seconds on the log's clock
    held : the attempts that waited for it, indices into the run
    """

    host: str
    begin: float
    end: float
    held: tuple[int, ...]


def host_stalls(run: RecordedRun) -> tuple[HostStall, ...]:
    """Find the host stalls of a history, the earliest first.

    A host stalled if it started nothing for `LEAST_SECONDS`, and then, within `AT_ONCE`, at least
    `LEAST_HELD` attempts of at least `LEAST_JOBS` jobs that had waited as long, although other hosts had a
    free slot of their kind at every time meanwhile.
    """
    search = _StallSearch(run)
    began = np.flatnonzero(np.isfinite(run.start) & (run.host >= 0))
    began = began[np.lexsort((run.start[began], run.host[began]))]
    found = []
    for mine in np.split(began, np.flatnonzero(np.diff(run.host[began])) + 1):
        starts = run.start[mine]
        for place in np.flatnonzero(np.diff(starts) >= LEAST_SECONDS).tolist():
            begin, end = float(starts[place]), float(starts[place + 1])
            held = search.held(mine[(starts >= end) & (starts <= end + AT_ONCE)], begin, end)
            if len(held) >= LEAST_HELD and len(set(run.job[held].tolist())) >= LEAST_JOBS:
                found.append(HostStall(run.hosts[run.host[mine[0]]], begin, end, tuple(held.tolist())))
    return tuple(sorted(found, key=lambda stall: (stall.begin, stall.host)))


class _StallSearch:
    """Looks for attempts that could have started on other hosts."""

    def __init__(self, run: RecordedRun) -> None:
        self._run = run
        self._ready = _ready(run)
        self._slots: dict[tuple[bool, int], int] = {}

    def held(self, attempts: NDArray[np.int64], begin: float, end: float) -> NDArray[np.int64]:
        """Return which of a host's attempts waited for it from `begin` to `end`, or nearly as long."""
        since = np.maximum(self._ready[attempts], begin)
        late = end - since >= LEAST_SECONDS
        if late.sum() < LEAST_HELD:
            return attempts[:0]
        had_room = [
            self._others_had_room(attempt, start, end)
            for attempt, start in zip(attempts[late].tolist(), since[late].tolist(), strict=True)
        ]
        return attempts[late][had_room]

    def _others_had_room(self, attempt: int, begin: float, end: float) -> bool:
        """Whether other hosts had a free slot of an attempt's kind at every time between."""
        run, is_reduce = self._run, bool(self._run.kind[attempt] == REDUCE)
        alike = run.has_ended & ((run.kind == REDUCE) == is_reduce) & (run.host != run.host[attempt])
        meanwhile = np.flatnonzero(alike & (run.start < end) & (run.end > begin))
        return most_at_once(run.start[meanwhile], run.end[meanwhile]) < self._slots_of_others(
            int(run.host[attempt]), is_reduce
        )

    def _slots_of_others(self, host: int, is_reduce: bool) -> int:
        """Return how many slots of a kind all other hosts have: as many as were ever in use at once."""
        run = self._run
        if not self._slots:
            for kind in (False, True):
                alike = np.flatnonzero(run.has_ended & ((run.kind == REDUCE) == kind))
                alike = alike[np.argsort(run.host[alike], kind="stable")]
                for mine in np.split(alike, np.flatnonzero(np.diff(run.host[alike])) + 1):
                    if len(mine):
                        most = most_at_once(run.start[mine], run.end[mine])
                        self._slots[kind, int(run.host[mine[0]])] = most
        return sum(slots for (kind, each), slots in self._slots.items() if kind == is_reduce and each != host)


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
