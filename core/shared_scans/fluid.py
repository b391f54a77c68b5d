"""The fluid model of shared scans: slots are divisible, plans are followed exactly until the next arrival.

Four policies (003 sections 2 and 4): FLEX shares nothing, CIRCUMFLEX shares by cyclic piggybacking, BATCH
lets the jobs of a dataset wait for the end of a window and scans for them together, AKO is BATCH with a
window of its own for every dataset.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine import jit
from core.model.errors import InputError
from core.model.kept_read_only import read_only
from core.model.limits import MAX_SECONDS
from core.shared_scans import fluid_loop, plan_columns, priority_loop
from core.shared_scans.metric import check_metric
from core.shared_scans.plan_columns import Boarding, Progress
from core.shared_scans.priority_loop import MAX_EXACT
from core.shared_scans.windows import ScanPolicy, boarding_of, sharing_groups, window_ends

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.shared_scans.metric import ScanMetric
    from core.shared_scans.scan_jobs import ScanJobs


@dataclass(frozen=True, eq=False)
class ScanPieces:
    """Stretches of time in which a subjob held the same number of slots; arrays of one entry per stretch.

    Attributes
    ----------
    job : the job (of a batch: its first) whose scan the subjob completes, int32
    place : k of the subjob (d, k) when it was planned, int32
    concurrency : jobs it served, int32
    start, end : seconds
    slots : how many
    """

    job: NDArray[np.int32]
    place: NDArray[np.int32]
    concurrency: NDArray[np.int32]
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    slots: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScanSchedule:
    """What the fluid model gives, for whole datasets or for sets of blocks.

    Attributes
    ----------
    jobs, slots, policy, metric : what was scheduled
    boarded : when each job could first be served: its arrival, or the end of its window, (jobs,)
    finish : seconds, (jobs,)
    work : slot-seconds used in all
    """

    jobs: ScanJobs
    slots: float
    policy: ScanPolicy
    metric: ScanMetric
    boarded: NDArray[np.float64]
    finish: NDArray[np.float64]
    work: float

    @property
    def response(self) -> NDArray[np.float64]:
        """Seconds from arrival to completion, (jobs,)."""
        return self.finish - self.jobs.arrival

    def perceived_wait(self, until: float = np.inf) -> NDArray[np.float64]:
        """Return by how much longer each job takes than alone on the cluster, seconds, (jobs,).

        `until` is the instant up to which it is counted: a job's wait begins to grow once it has been there
        as long as it would take alone. Source: 003 section 1 (PWT).
        """
        there = np.minimum(self.finish, until) - self.jobs.arrival
        wait: NDArray[np.float64] = np.maximum(there - self.jobs.shortest_response(self.slots), 0.0)
        return wait

    @property
    def value(self) -> float:
        """The metric that was optimised."""
        return self.metric.value(self.jobs, self.slots, self.finish)

    @property
    def saved_work(self) -> float:
        """Slot-seconds that sharing saved."""
        return float(self.jobs.work.sum()) - self.work


@dataclass(frozen=True, eq=False)
class FluidSchedule(ScanSchedule):
    """The result of the fluid model for whole datasets; `pieces` are each one's slots over time, or None."""

    pieces: ScanPieces

    @cached_property
    def group(self) -> NDArray[np.int64]:
        """Jobs of one group share their scans, (jobs,)."""
        ends = self.boarded if self.policy in ("batch", "ako") else None
        return sharing_groups(self.jobs, self.policy, ends)


def schedule_scans(
    jobs: ScanJobs,
    slots: float,
    policy: ScanPolicy,
    metric: str = "average-response",
    *,
    window: float = 0.0,
    load: float = 0.9,
    with_pieces: bool = True,
    compiled: bool = True,
) -> FluidSchedule:
    """Schedule scans by the fluid model.

    Parameters
    ----------
    jobs : what arrives
    slots : map slots of the cluster
    policy : "flex", "circumflex", "batch" or "ako"
    metric : what to optimise (`core.shared_scans.metric`)
    window : seconds of BATCH's windows, 0 for `core.shared_scans.windows.usual_window`
    load : part of the slots that AKO plans its windows for
    with_pieces : whether to note who held how many slots when
    compiled : whether to run the compiled loop

    Raises
    ------
    UnknownName, InputError
        the metric does not exist or cannot be optimised; slots or window are not above 0
    """
    chosen = check_metric(metric)
    if not slots > 0:
        raise InputError(f"slots is {slots}; give a number above 0")
    if not 0 <= window <= MAX_SECONDS:
        raise InputError(f"window is {window}; give seconds above 0, or 0 for the usual window")
    if not 0 < load <= 1:
        raise InputError(f"load is {load}; give the part of the slots that AKO plans for, up to 1")
    ends = window_ends(jobs, slots, policy, chosen, window, load)
    boarding, members = _boarding(jobs, slots, policy, chosen, ends)
    progress, count = _run(boarding, (float(slots), chosen.rule), with_pieces, compiled)
    entry_of_job = np.empty(len(members), np.int64)
    entry_of_job[members] = np.repeat(np.arange(len(boarding.arrival)), boarding.sharing_jobs)
    return FluidSchedule(
        jobs=jobs,
        slots=slots,
        policy=policy,
        metric=chosen,
        boarded=read_only(boarding.arrival[entry_of_job]),
        finish=read_only(progress.finish[entry_of_job]),
        work=float(progress.total[0]),
        pieces=_pieces(progress, count, members[boarding.first_member[:-1]]),
    )


def _boarding(
    jobs: ScanJobs,
    slots: float,
    policy: ScanPolicy,
    metric: ScanMetric,
    ends: NDArray[np.float64] | None,
) -> tuple[Boarding, NDArray[np.int64]]:
    """Return what boards, and the jobs of every entry one after the other."""
    count = len(jobs.arrival)
    if ends is None:
        chain = jobs.dataset if policy == "circumflex" else np.arange(count)
        return boarding_of(jobs, slots, metric, chain), np.arange(count)
    members = np.lexsort((np.arange(count), jobs.dataset, ends))
    same = (np.diff(ends[members]) == 0) & (np.diff(jobs.dataset[members]) == 0)
    first = np.flatnonzero(np.r_[True, ~same])
    batches = (members, first)
    return boarding_of(jobs, slots, metric, np.arange(len(first)), batches, ends[members[first]]), members


def _run(
    boarding: Boarding, how: tuple[float, int], with_pieces: bool, compiled: bool
) -> tuple[Progress, int]:
    follow = compiled_follow() if compiled else fluid_loop.follow
    entries = len(boarding.arrival)
    room = 8 * entries if with_pieces else 0
    while True:
        progress = fresh_progress(entries, room)
        count = int(follow(boarding, progress, *how))
        if count <= room or not with_pieces:
            return progress, min(count, room)
        room = count


def fresh_progress(entries: int, pieces: int) -> Progress:
    """Return columns for so many entries, with room for so many pieces."""
    whole = {"active", "place", "order", "placed", "best", "set_last", "shared", "sum_begin", "piece_entry"}
    whole |= {"piece_place", "piece_shared"}
    sizes = {name: pieces if name.startswith("piece") else entries for name in Progress._fields}
    sizes |= {name: 1 << MAX_EXACT for name in sizes if name.startswith("set_")}
    sizes["total"] = 1
    return Progress(
        **{name: np.zeros(size, np.int32 if name in whole else np.float64) for name, size in sizes.items()}
    )


@cache
def compiled_follow() -> Any:
    """Return the compiled twin of `core.shared_scans.fluid_loop.follow`; some seconds once."""
    sources = (fluid_loop, priority_loop, plan_columns)
    return jit.compiled(jit.named_by_sources(fluid_loop.follow, *sources))


def _pieces(progress: Progress, count: int, leader: NDArray[np.int64]) -> ScanPieces:
    """Join stretches that follow each other with the same subjob and slots."""
    entry, place, shared, start, end, slots = (
        getattr(progress, f"piece_{name}")[:count]
        for name in ("entry", "place", "shared", "start", "end", "slots")
    )
    order = np.lexsort((start, entry))
    fresh = np.ones(count, np.bool_)
    same = [np.diff(column[order]) == 0 for column in (entry, place, shared, slots)]
    fresh[1:] = ~(np.logical_and.reduce(same) & (start[order][1:] == end[order][:-1]))
    heads = np.flatnonzero(fresh)
    tails = np.r_[heads[1:], count][: len(heads)] - 1
    first = order[heads]
    by_start = np.argsort(start[first], kind="stable")
    first, last = first[by_start], order[tails][by_start]
    return ScanPieces(
        job=read_only(leader[entry[first]].astype(np.int32)),
        place=read_only(place[first]),
        concurrency=read_only(shared[first]),
        start=read_only(start[first]),
        end=read_only(end[last]),
        slots=read_only(slots[first]),
    )
