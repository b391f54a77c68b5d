"""On which slot each attempt of a log ran: the lowest of its kind that is free on its host.

A log does not say which one it really had. A host has the slots of its executors, those that ran nothing
among them. Where the log does not name these, it has its equal part of the cluster's, or, where this cannot
be, as many as attempts ran on it at once.

The end of an attempt may be reported after its slot has been given to the next one: a Spark executor of four
cores then seems to run five tasks. Where all of a host's slots are known, and more attempts lie on them only
for such a moment, the one whose end is reported first has held its slot until the next one started.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.errors import InputError
from core.model.limits import MAX_SLOTS, by_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.recorded_run import RecordedRun

LATE_REPORT = 0.2
"""Seconds by which the end of an attempt is reported late at most; in real logs of Spark up to 0.13."""


class AttemptSlots(NamedTuple):
    """Where each attempt of a log ran.

    Attributes
    ----------
    slot : of each attempt, -1 if it has none, int32 (attempts,)
    until : until when it held its slot, seconds; nan if that is not known, (attempts,)
    slot_host : host of each slot, int32 (slots,)
    map_slots : how many of them are map slots, or containers
    """

    slot: NDArray[np.int32]
    until: NDArray[np.float64]
    slot_host: NDArray[np.int32]
    map_slots: int


class _HostRows(NamedTuple):
    """The slot of each attempt on one host, until when it held it, and how many slots there are."""

    row: list[int]
    until: list[float]
    slots: int


def slots_of_attempts(run: RecordedRun, cluster: Cluster) -> AttemptSlots:
    """Give every attempt that started and ended a slot: map slots first, or containers for all.

    Parameters
    ----------
    run : what the log recorded
    cluster : on which it ran, as far as that is known

    Raises
    ------
    InputError
        the run needs more than `MAX_SLOTS` slots
    """
    slot_type = run.slot_type
    slot, until = np.full(run.attempts, -1, np.int32), np.array(run.held_until[:], np.float64)
    slot_host: list[int] = []
    slots_before = [0]
    known = (cluster.most_open,) if cluster.has_containers else cluster.stage_slots
    own = run.host_slots if cluster.has_containers else None
    for task_type, slots in enumerate(known):
        fits = cluster.has_containers or slot_type == task_type
        attempts = np.flatnonzero(np.isfinite(run.start) & np.isfinite(until) & fits)
        slot[attempts], until[attempts], added = _of_a_kind(run, attempts, slots, own)
        slot[attempts] += len(slot_host)
        slot_host += added
        slots_before.append(len(slot_host))
    if len(slot_host) > MAX_SLOTS:
        raise InputError(f"the log's attempts need {len(slot_host)} slots; at most {MAX_SLOTS} can be drawn")
    return AttemptSlots(slot, until, np.array(slot_host, np.int32), slots_before[1])


def numbered_by_job(run: RecordedRun, packed: AttemptSlots) -> AttemptSlots:
    """Return the same with slots of each type numbered by the job that held them longest."""
    held, slots = np.flatnonzero(packed.slot >= 0), len(packed.slot_host)
    begin, seconds = run.start[held], packed.until[held] - run.start[held]
    pair, of_attempt = np.unique(
        packed.slot[held].astype(np.int64) * len(run.jobs) + run.job[held], return_inverse=True
    )
    total = np.bincount(of_attempt, seconds, minlength=len(pair))
    slot, job = np.divmod(pair, len(run.jobs))
    counts, reduces = run.counts[held], packed.slot[held] >= packed.map_slots
    kind = reduces.astype(np.int64) * len(run.jobs) + run.job[held]
    with np.errstate(invalid="ignore"):  # jobs without a task on slots of a type come last
        start = np.bincount(kind, begin * counts, 2 * len(run.jobs)) / np.bincount(
            kind, counts, 2 * len(run.jobs)
        )
    start = np.where(np.isnan(start), np.inf, start).reshape(2, -1)
    longest = np.lexsort((job, -total, slot))
    longest = longest[np.flatnonzero(np.diff(slot[longest], prepend=-1))]  # of each slot that was used
    is_reduce = (np.arange(slots) >= packed.map_slots).astype(np.int64)
    used, holder = slot[longest], job[longest]
    place, later, time = np.full(slots, np.inf), np.full(slots, len(run.jobs)), np.zeros(slots)
    place[used], later[used], time[used] = start[is_reduce[used], holder], holder, total[longest]
    order = np.lexsort((np.arange(slots), -time, later, place, is_reduce))
    number = np.empty(slots, np.int32)
    number[order] = np.arange(slots)
    moved = packed.slot.copy()
    moved[held] = number[packed.slot[held]]
    return packed._replace(slot=moved, slot_host=packed.slot_host[order])


def _of_a_kind(
    run: RecordedRun, attempts: NDArray[np.int64], slots: int, own: NDArray[np.int32] | None
) -> tuple[NDArray[np.int32], NDArray[np.float64], list[int]]:
    """Return slot and end of each attempt of a kind, and the host of each slot, host by host.

    Parameters
    ----------
    slots : of the cluster, of that kind
    own : those of each host, as far as the log says, (hosts,)
    """
    row, until = np.empty(len(attempts), np.int32), np.empty(len(attempts))
    host, start, end = run.host[attempts], run.start[attempts], run.held_until[attempts]
    order = np.lexsort((end, start, host))
    known, begins = np.unique(host[order], return_index=True)
    places = dict(zip(known.tolist(), np.split(order, begins[1:]), strict=False))
    times = {each: (start[mine].tolist(), end[mine].tolist()) for each, mine in places.items()}
    found = {each: _rows_of_host(*of_host) for each, of_host in times.items()}
    part, rest = divmod(slots, max(len(run.hosts), 1))
    parts = dict.fromkeys(range(len(run.hosts)), part) if rest == 0 else {}
    if own is not None:
        parts = dict(enumerate(own.tolist()))
    if found.keys() <= parts.keys():
        fitted = {each: _rows_of_host(*of_host, parts[each]) for each, of_host in times.items()}
        fits = {each for each, rows in fitted.items() if rows.slots <= parts[each]}
        if own is None and len(fits) < len(fitted):  # then they have no equal parts
            parts, fits = {}, set()
        found |= {each: fitted[each] for each in fits}
    else:
        parts = {}
    for each, mine in places.items():
        row[mine], until[mine] = found[each].row, found[each].until
    counts = parts | {each: max(rows.slots, parts.get(each, 0)) for each, rows in found.items()}
    names = [by_number(name) for name in run.hosts]
    slot_host: list[int] = []
    first = {}
    for each in sorted(counts, key=lambda host: (names[host] if host >= 0 else [], host)):
        first[each] = len(slot_host)
        slot_host += [each] * counts[each]
    return row + np.array([first[each] for each in host.tolist()], np.int32), until, slot_host


def _rows_of_host(starts: list[float], ends: list[float], most: int = MAX_SLOTS) -> _HostRows:
    """Return the slot of each attempt on one host, the lowest that is free then.

    Parameters
    ----------
    starts, ends : of the attempts, in the order in which they start
    most : of so many slots one is given on before the end of its attempt, by `LATE_REPORT` at most
    """
    busy: list[tuple[float, int, int]] = []
    just_begun: list[tuple[float, int, int]] = []  # make no place for what begins with them
    free: list[int] = []
    rows, until, count, now = [], list(ends), 0, -np.inf
    for place, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if start > now:
            for each in just_begun:
                heapq.heappush(busy, each)
            just_begun, now = [], start
        while busy and busy[0][0] <= start:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if free:
            row = heapq.heappop(free)
        elif count >= most and busy and busy[0][0] <= start + LATE_REPORT:
            _, row, before = heapq.heappop(busy)
            until[before] = start
        else:
            row = count
            count += 1
        if end > start:
            just_begun.append((end, row, place))
        else:
            heapq.heappush(free, row)
        rows.append(row)
    return _HostRows(rows, until, count)
