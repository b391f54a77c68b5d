"""How many maps of a job a host is given each time it requests work, as a log shows it.

A JobTracker hands a host one map per heartbeat, or as many as it has free slots: the capacity scheduler does
since Hadoop 0.20.204 (MAPREDUCE-517), the fair scheduler if it is told to. Which of the two is a setting of a
cluster, as slots are, and none of its jobs. Reduces are handed out one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.model.in_parts import most_at_once
from core.model.task_types import MAP, SETUP

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.recorded_run import RecordedRun

    Seconds = NDArray[np.float64]

AT_ONCE = 0.1
"""Tasks that a host begins within so many seconds begin together."""
MIN_HEARTBEAT = 3.0
"""Hadoop's hosts wait so long between two heartbeats, or longer, seconds."""
OTHER_HOSTS = 0.25
"""Maps are given several at once if all hosts but such a part began several together."""


def maps_given_together(run: RecordedRun) -> int:
    """Return how many maps of a job a host is given at most each time it asks, 0 if the log does not show it.

    What begins together need not have been given together: maps of several heartbeats wait for what a host
    fetches. So a host counts only if it asked once: it began its first maps of the job at most one heartbeat
    after the job was ready, and nothing ended on it between, as it asks then, too. And it counts only where
    it could have begun several: with two slots free, and two maps of the job in all.

    Parameters
    ----------
    run : the log's attempts

    Examples
    --------
    Six slots, and six maps that begin 2.1 s after the setup within 0.1 s: six are given at once. One map
    2.1 s after it and the next 3 s later: one is.
    """
    maps = np.flatnonzero((run.kind == MAP) & np.isfinite(run.start) & (run.host >= 0))
    maps = maps[np.lexsort((run.start[maps], run.host[maps], run.job[maps]))]
    if not len(maps):
        return 0
    is_new = np.r_[True, (np.diff(run.job[maps]) != 0) | (np.diff(run.host[maps]) != 0)]
    group, firsts = np.cumsum(is_new) - 1, maps[is_new]
    first, since = run.start[firsts], _ready(run)[run.job[firsts]]
    together = np.bincount(group, run.start[maps] <= first[group] + AT_ONCE)
    counted = np.flatnonzero((np.bincount(group) > 1) & (first - since < MIN_HEARTBEAT - AT_ONCE))
    if not len(counted):
        return 0
    counts = together[counted][_had_room(run, firsts[counted], since[counted])]
    if not len(counts):
        return 0
    return int(counts.max()) if np.quantile(counts, OTHER_HOSTS, method="lower") > 1 else 1


def _ready(run: RecordedRun) -> Seconds:
    """Return since when each job's maps may have been handed out, (jobs,).

    From the end of its setup on, or from its launch where there is none.
    """
    ready: Seconds = np.where(np.isfinite(run.launch), run.launch, run.submit)
    setups = run.has_ended & (run.kind == SETUP)
    np.fmax.at(ready, run.job[setups], run.end[setups])
    return ready


def _had_room(run: RecordedRun, firsts: NDArray[np.int64], since: Seconds) -> NDArray[np.bool_]:
    """Return whether the host of each map had two free map slots before, and nothing ended on it, (firsts,).

    A host has as many slots as it ever used at once.

    Parameters
    ----------
    firsts : maps, the first ones of their job on their host, (firsts,)
    since : from when on nothing may have ended there, (firsts,)
    """
    had = np.zeros(len(firsts), np.bool_)
    known = np.flatnonzero(run.has_ended & (run.host >= 0))
    known = known[np.argsort(run.host[known], kind="stable")]
    order = np.argsort(run.host[firsts], kind="stable")
    hosts, edges = np.unique(run.host[firsts[order]], return_index=True)
    for host, mine in zip(hosts.tolist(), np.split(order, edges[1:]), strict=True):
        begins = run.start[firsts[mine]]
        low, high = np.searchsorted(run.host[known], [host, host + 1])
        here = known[low:high]
        ends = np.sort(run.end[here])
        has_ended = np.searchsorted(ends, begins, "right") > np.searchsorted(ends, since[mine], "right")
        on_maps = here[run.slot_type[here] == MAP]
        starts, ends = np.sort(run.start[on_maps]), np.sort(run.end[on_maps])
        in_use = np.searchsorted(starts, begins) - np.searchsorted(ends, begins, "right")
        had[mine] = ~has_ended & (most_at_once(starts, ends) >= in_use + 2)
    return had
