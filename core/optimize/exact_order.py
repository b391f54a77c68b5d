"""The best order of up to ten jobs, proved: no other order of them ends sooner.

All orders are searched depth first (`core.optimize.exact_order_loop`): what an order begins
with is run once for all that begin so, and left as soon as it cannot become better than the best one known.
Each job has one place for its maps and its reduces, as with the policy `order`; when reduces may start, and
the order of tasks inside a job, are fixed. So the best order may still be far from the lower bound: then no
order can do better, and only another lever can.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.engine import jit
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.job import Job
from core.model.plan import Plan
from core.model.progress import never_stop
from core.model.stages import Stage
from core.model.task_types import KIND_WORDS
from core.model.workload import Workload
from core.optimize import exact_order_loop, numbers_loop
from core.optimize.bounds import lower_bound
from core.optimize.checked_plans import check_makespan
from core.optimize.exact_order_loop import NODES, ROUNDING, OrderJobs, OrderSearch, search_orders
from core.optimize.search_columns import by_number, stages_in_turn
from core.optimize.wrong_results import PROVED
from core.planning.johnson import johnson_order

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.workload import TaskColumns

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

MAX_ORDERED = 10
"""Jobs whose orders can all be searched: seconds for most tens of jobs, a minute for some."""
STEPS = {True: 150_000, False: 1_500}
"""Tasks placed between two looks at whether to stop, compiled and interpreted: about 10 ms."""


@dataclass(frozen=True)
class BestOrder:
    """What a search of all orders has found.

    Attributes
    ----------
    makespan : seconds, of the best order found; infinity if none ends by the time asked for
    order : the names of the jobs, first served first; empty if there is none
    proved : whether all orders were searched; False if the search was stopped
    nodes : beginnings of orders that were looked at
    """

    makespan: float
    order: tuple[str, ...]
    proved: bool
    nodes: int

    def sentence(self, bound: float) -> str:
        """Return what all orders are worth beside the bound of any schedule; empty if not all were tried."""
        if not self.proved or self.makespan < bound / PROVED:
            return ""
        if self.makespan > bound * (1 + ROUNDING):
            return "All orders were tried, and none is better; another lever may be."
        return "It meets the lower bound of all schedules."


def why_no_exact_order(workload: Workload, cluster: Cluster) -> str:
    """Return a sentence on why the best order cannot be proved here; empty if it can be."""
    columns = workload.columns
    if len(workload.jobs) > MAX_ORDERED:
        return (
            f"the best order is searched for at most {MAX_ORDERED} jobs, and there are {len(workload.jobs)}"
        )
    if cluster.has_containers:
        return "the best order is searched on map and reduce slots only, and these are untyped"
    if cluster.overheads is not None:
        return "the best order is searched without overheads of the cluster; leave them out"
    if cluster.events is not None:
        return "the best order is searched on nodes that stay; leave the events on nodes out"
    if cluster.slot_times:
        return "the best order is searched on slots that stay, and some of these come and go"
    if reason := _why_not_of_these_jobs(columns):
        return reason
    for task_type, (name, slots) in enumerate(zip(KIND_WORDS, cluster.stage_slots, strict=True)):
        if slots == 0 and (columns.kind == task_type).any():
            return f"the workload has {name} tasks and the cluster no {name} slot; give it at least one"
    return ""


def _why_not_of_these_jobs(columns: TaskColumns) -> str:
    """Return what of jobs their best order is not searched with; empty if nothing."""
    if len(columns.links):
        return "the best order is searched for jobs that follow no others; cut the links between jobs"
    if not columns.stages.are_map_reduce:
        return "the best order is searched for jobs of maps and reduces, and some of these have other stages"
    if columns.arrival.any():
        return "the best order is searched for jobs that are all there at 0 s, and some arrive later"
    if (columns.duration <= 0).any():
        return "the best order is searched for tasks that take longer than 0 s, and some take none"
    return ""


def best_order(
    workload: Workload,
    cluster: Cluster,
    should_stop: Callable[[], bool] = never_stop,
    *,
    at_most: float = math.inf,
    compiled: bool = True,
) -> BestOrder:
    """Search all orders of the jobs for the one that ends first.

    Parameters
    ----------
    should_stop : asked every 10 ms or so; if True, the best so far is returned, not proved
    at_most : seconds; orders that end later are not of interest, so that a good schedule that is known
        makes the search short
    compiled : whether to use compiled code

    Raises
    ------
    InputError
        `why_no_exact_order` says so
    WrongResult
        simulating the best order gives something else
    """
    reason = why_no_exact_order(workload, cluster)
    if reason:
        raise InputError(reason)
    by_place = _first_tried(workload, cluster)
    jobs = _jobs_in_order(workload, cluster, by_place)
    state = _beginning(jobs, cluster, at_most * (1 + 2 * ROUNDING))
    search = compiled_search() if compiled else search_orders
    is_done, is_stopped = False, False
    while not (is_done or is_stopped):
        is_done = bool(search(jobs, state, STEPS[compiled]))
        is_stopped = should_stop()
    found = state.best_order[0] >= 0
    names = [workload.jobs[j].name for j in by_place[state.best_order]] if found else []
    makespan = float(state.best[0]) if found else math.inf
    if found:
        plan, bound = Plan.of_order(names), lower_bound(workload, cluster)
        check_makespan(workload, cluster, plan, makespan, bound, compiled=compiled)
    return BestOrder(makespan, tuple(names), is_done, int(state.at[NODES]))


@cache
def compiled_search() -> Any:
    """Return the compiled twin of `core.optimize.exact_order_loop.search_orders`; some seconds once."""
    search = jit.compiled(jit.named_by_sources(search_orders, exact_order_loop, numbers_loop))
    one = Workload("one", (Job("J1", Stage.of(1, 1.0)),))
    jobs = _jobs_in_order(one, Cluster(1, 1), np.zeros(1, np.int64))
    search(jobs, _beginning(jobs, Cluster(1, 1), math.inf), 1)
    return search


def _first_tried(workload: Workload, cluster: Cluster) -> Ints:
    """Return the jobs in the order that is tried first: Johnson's by the work of the stages, (jobs,)."""
    columns, stages = workload.columns, workload.columns.stages
    work = np.bincount(columns.stage, columns.duration + columns.typical_shuffle, len(stages.job))
    shares = work / np.maximum(cluster.stage_slots, 1)[stages.task_type]
    root, child = stages_in_turn(stages)
    return johnson_order(shares[stages.number == root], shares[stages.number == child])


class _Times(NamedTuple):
    """Seconds of the tasks as they start, job by job, maps before reduces, (tasks,) each."""

    duration: Floats
    first_shuffle: Floats
    typical_shuffle: Floats


def _jobs_in_order(workload: Workload, cluster: Cluster, by_place: Ints) -> OrderJobs:
    """Return the columns of the jobs, numbered by where they are tried first."""
    columns = workload.columns
    first, count = (
        by_number(columns.stages, each)[by_place] for each in (columns.stages.first, columns.stages.count)
    )
    map_count, _ = count.T
    times = _times(workload, cluster)
    after = np.ceil(cluster.slowstart * map_count - 1e-9).astype(np.int64)
    rows = [_Demand.of(times, *each, cluster) for each in zip(first, count, strict=True)]
    demands = _Demand(*map(np.array, zip(*rows, strict=True)))
    return OrderJobs(
        first,
        count,
        after,
        *times,
        *demands,
        by_tail=np.argsort(-demands.tail, kind="stable"),
        twin=_twins(times, first, count),
        overlaps=np.array([cluster.shuffle_model == "overlap"], np.int64),
    )


def _times(workload: Workload, cluster: Cluster) -> _Times:
    columns = workload.columns
    has_shuffle = float(cluster.shuffle_model != "mumak")
    first, typical = (has_shuffle * each for each in (columns.first_shuffle, columns.typical_shuffle))
    return _Times(np.array(columns.duration), first, typical)


class _Demand(NamedTuple):
    """What bounds need to know of one job, or columns of all; as in `OrderJobs`."""

    map_share: Any
    reduce_share: Any
    longest_map: Any
    tail: Any

    @classmethod
    def of(cls, times: _Times, first: Ints, count: Ints, cluster: Cluster) -> _Demand:
        """Return what a job demands; its shuffles take the shorter of both times where it has maps."""
        maps, reduces = (slice(begin, begin + some) for begin, some in zip(first, count, strict=True))
        shuffle = times.typical_shuffle[reduces]
        if maps.stop > maps.start:
            shuffle = np.minimum(shuffle, times.first_shuffle[reduces])
        seconds = times.duration[reduces] + shuffle
        map_slots, reduce_slots = np.maximum(cluster.stage_slots, 1)
        share = seconds.sum() / reduce_slots
        return cls(
            times.duration[maps].sum() / map_slots,
            share,
            times.duration[maps].max(initial=0.0),
            max(share, seconds.max(initial=0.0)),
        )


def _twins(times: _Times, first: Ints, count: Ints) -> Ints:
    """Return of each job the equal one tried before it, -1 if there is none: their order does not matter."""
    twin = np.full(len(first), -1)
    seen: dict[tuple[bytes, ...], int] = {}
    for j, (begin, some) in enumerate(zip(first, count, strict=True)):
        tasks = slice(begin[0], begin[0] + some.sum())
        key = (some.tobytes(), *(column[tasks].tobytes() for column in times))
        twin[j] = seen.get(key, -1)
        seen[key] = j
    return twin


def _beginning(jobs: OrderJobs, cluster: Cluster, best: float) -> OrderSearch:
    """Return the search before its first step; only orders that end before `best` are looked for."""
    count = len(jobs.tail)
    map_slots, reduce_slots = cluster.stage_slots
    map_count, _ = jobs.count.T
    return OrderSearch(
        at=np.zeros(2, np.int64),
        order=np.zeros(count, np.int64),
        next=np.zeros(count + 1, np.int64),
        used=np.zeros(count, np.int64),
        map_slots=np.zeros((count + 1, max(map_slots, 1))),
        reduce_slots=np.zeros(max(reduce_slots, 1)),
        ends=np.zeros(max(1, map_count.max())),
        enabled=np.zeros(count),
        stage_end=np.zeros(count),
        started=np.zeros(count, np.int64),
        best=np.array([best]),
        best_order=np.full(count, -1),
    )
