"""Guess the cluster that a log was recorded on: from the jobs' configurations, else from what ran at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.cluster import MOST_SLOTS, Cluster

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from core.traces.profile import JobProfile
    from core.traces.recorded_job import Settings

DEFAULT_SLOWSTART = 0.05


class Suggestion(NamedTuple):
    """A cluster, why its slots and its slow start are what they are, and the most that ran at once."""

    cluster: Cluster
    why: str
    peaks: tuple[int, int]


class _Slots(NamedTuple):
    """Slots of one kind and the sentence that explains them."""

    number: int
    why: str


def suggest_cluster(profiles: Sequence[JobProfile]) -> Suggestion:
    """Suggest slots and slow start for the jobs of a log.

    The configuration is believed where all jobs agree and the log does not contradict it; a task that
    takes several slots counts as one, so there are fewer slots in the suggestion.
    """
    peaks = (peak(p.map_spans for p in profiles), peak(p.reduce_spans for p in profiles))
    hosts = len(frozenset().union(*(p.hosts for p in profiles)))
    maps = _slots("map", [(s.map_slots, s.slots_per_map) for s in _settings(profiles)], hosts, peaks[0])
    reduces = _slots(
        "reduce", [(s.reduce_slots, s.slots_per_reduce) for s in _settings(profiles)], hosts, peaks[1]
    )
    maps, reduces = _at_least_one(maps, reduces, profiles)
    slowstart, why = _slowstart(_settings(profiles))
    cluster = Cluster(min(maps.number, MOST_SLOTS), min(reduces.number, MOST_SLOTS), slowstart)
    return Suggestion(cluster, f"{maps.why} {reduces.why} {why}", peaks)


def peak(spans: Iterable[NDArray[np.int64]]) -> int:
    """Return the most attempts that ran at once; an attempt runs from its start until just before its end."""
    together = np.concatenate([np.zeros((0, 2), np.int64), *spans])
    if not len(together):
        return 0
    starts, ends = np.sort(together[:, 0]), np.sort(together[:, 1])
    running = np.arange(1, len(starts) + 1) - np.searchsorted(ends, starts, side="right")
    return int(running.max())


def _settings(profiles: Iterable[JobProfile]) -> list[Settings]:
    return [profile.settings for profile in profiles]


def _slots(kind: str, known: Sequence[tuple[int | None, int]], hosts: int, seen: int) -> _Slots:
    """Return the slots of one kind from what each job's (slots per host, slots per task) says."""
    per_hosts, weights = ({pair[i] for pair in known} for i in (0, 1))
    observed = f"{seen} {kind} slots: as many {kind} attempts ran at once"
    if per_hosts == {None}:
        return _Slots(seen, f"{observed}; the log does not hold the configuration.")
    if len(per_hosts) > 1 or len(weights) > 1:
        return _Slots(seen, f"{observed}; the jobs' configurations differ.")
    per_host, weight = known[0][0] or 0, known[0][1]
    says = f"{per_host} on each of {hosts} hosts" + (f", {weight} taken by every task" if weight > 1 else "")
    slots = per_host * hosts // weight
    if slots < seen:
        return _Slots(seen, f"{observed}; the configuration ({says}) does not explain them.")
    return _Slots(slots, f"{slots} {kind} slots: {says}, as configured.")


def _at_least_one(maps: _Slots, reduces: _Slots, profiles: Iterable[JobProfile]) -> tuple[_Slots, _Slots]:
    """Give each kind that has tasks a slot, also where no attempt lasted long enough to be seen."""
    jobs = [profile.job for profile in profiles if profile.job]
    has_maps = any(job.maps.count for job in jobs)
    has_reduces = any(job.reduces.count for job in jobs)
    return (
        maps._replace(number=max(maps.number, has_maps)),
        reduces._replace(number=max(reduces.number, has_reduces)),
    )


def _slowstart(settings: Iterable[Settings]) -> tuple[float, str]:
    known = {each.slowstart for each in settings} - {None}
    if len(known) == 1:
        slowstart = known.pop() or 0.0
        return slowstart, f"Slow start {slowstart:g} as configured."
    reason = "the jobs differ" if known else "the log does not say"
    return DEFAULT_SLOWSTART, f"Slow start {DEFAULT_SLOWSTART:g}, Hadoop's default ({reason})."
