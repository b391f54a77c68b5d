"""Plans to begin with: every order that a policy makes before the run, with each lever that is allowed."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.levers import NO_CAP
from core.model.partition import pool_of_jobs
from core.optimize.levers import GIVEN, LATEST_START, LONGEST, PlanColumns, blank_plans
from core.optimize.objective_bounds import bound_of_stretch
from core.optimize.search_columns import usual_after
from core.planning.aria import fewest_slots, stage_estimates
from core.planning.johnson import johnson_order
from core.policies.critical import constructed_figures

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.workload import Workload
    from core.optimize.cycles import Judged
    from core.optimize.search_columns import Tasks

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

DEADLINES = "earliest deadline first"
AFTER_ALL = 8
"""So many starts of ends, the last ones, let reduces start after all maps; as a rule the first is best."""
MAX_WAIT = 8
"""Reduces wait for the last map alone up to so many times what the first shuffle saves them."""
STRETCHES, ENDS, TIE = (1.0, 1.05, 1.2, 1.5), (np.inf, 1.0, 1.1, 1.3), 1e-6
"""Of starts in which jobs are in time: the largest stretch, and the end of all, in parts of the least that
there can be; and by what part of its own end a job is later than the end of all."""
LONGEST_AFTER = "jobs that need the longest after their first stages first"


class PlanStart(NamedTuple):
    """A plan to begin with, as columns.

    Attributes
    ----------
    how : where it comes from, in a few words
    due : of each stage, seconds, (jobs, stages)
    tasks : GIVEN, LONGEST or LATEST_START, (jobs, stages)
    after : complete maps that let the reduces start, (jobs,)
    pool, slots : of each job, (jobs,), and of each pool, (pools, types); None for one pool
    ties : the jobs, of equal due dates the first one first; None for as the workload has them
    cap : slots that a stage of each job holds at most, (jobs, stages); None for any number
    room : 1 where free room on nodes is kept for the task that goes first, else 0
    """

    how: str
    due: Floats
    tasks: Ints
    after: Ints
    pool: Ints | None = None
    slots: Ints | None = None
    ties: Ints | None = None
    cap: Ints | None = None
    room: int = 0

    @property
    def served(self) -> Ints:
        """The jobs by due dates of their stages, the first one first, (jobs,)."""
        if self.ties is not None:
            return self.ties
        served: Ints = np.lexsort(self.due.T[::-1])
        return served


def orders_of_policies(workload: Workload, cluster: Cluster, t: Tasks) -> dict[str, Ints]:
    """Return the orders of jobs that policies make before a run, by name, each (jobs,)."""
    columns = workload.columns
    maps, reduces = stage_estimates(workload, cluster)
    by_arrival = np.argsort(columns.arrival, kind="stable")
    by_number = np.arange(len(by_arrival))  # which some policies go by, whatever came first
    numbered = {} if np.array_equal(by_arrival, by_number) else {"jobs as they stand first": by_number}
    return {
        LONGEST_AFTER: np.argsort(-t.tail[0], kind="stable"),
        "Johnson's order": johnson_order(maps, reduces),
        "Johnson's order backwards": johnson_order(maps, reduces)[::-1],
        "shortest jobs first": np.argsort(maps + reduces, kind="stable"),
        "first come, first served": by_arrival,
        **numbered,
        DEADLINES: np.lexsort((columns.arrival, columns.deadline)),
        "jobs with the longest later stages first": np.argsort(-reduces, kind="stable"),
    }


def constructive_starts(
    workload: Workload,
    cluster: Cluster,
    t: Tasks,
    levers: Collection[str],
    horizon: float,
    alone: Floats | None = None,
    *,
    by_deadlines: bool = False,
) -> list[PlanStart]:
    """Return the starts that are made at once; the most promising come first.

    Parameters
    ----------
    t : the workload's tasks
    levers : what may be changed
    horizon : about when the last job departs, seconds
    alone : how long each job takes alone, seconds, (jobs,), where the largest stretch counts
    by_deadlines : whether some jobs have deadlines, and these count
    """
    usual = usual_after(t, cluster)
    policies = orders_of_policies(workload, cluster, t)
    in_time: list[tuple[str, Floats]] = []
    if by_deadlines:
        deadline = workload.columns.deadline
        some = np.isfinite(deadline)
        last = horizon + deadline.max(where=some, initial=0.0)
        in_time.append(("each job in time for its deadline", np.where(some, deadline, last)))
    if alone is not None:
        takes = np.where(np.isfinite(alone), alone, 0.0) * bound_of_stretch(workload, cluster, alone)
        ends = [workload.columns.arrival + stretch * takes for stretch in STRETCHES]
        in_time += [("each job in time for the same stretch", each) for each in ends]
    starts: list[PlanStart] = []
    for how, by in in_time:
        starts += starts_in_time(how, by, t, (usual, t.count[:, t.root]), levers, horizon)
    if "across" in levers:
        starts += starts_of_dues(LONGEST_AFTER, -t.tail[0], t, (usual, t.count[:, t.root]))
        figures = constructed_figures(workload, cluster)
        ties, tasks = np.argsort(figures["place_in_plan"]), figures["tasks_of"]
        starts.append(PlanStart("critical path first", figures["due_of"], tasks, usual, ties=ties))
    for how, order in policies.items():
        starts += starts_of_order(how, order, t, usual, levers, horizon)
    if "caps" in levers and workload.has_deadlines:
        wanted = fewest_slots(workload, cluster, "mean")
        [start] = starts_of_order(DEADLINES, policies[DEADLINES], t, usual, (), horizon)
        how = f"{DEADLINES}, each job on the fewest slots that it needs"
        starts.append(start._replace(how=how, cap=np.where(wanted > 0, wanted, NO_CAP)))
    return starts


def starts_of_order(
    how: str, order: Ints, t: Tasks, usual: Ints, levers: Collection[str], horizon: float
) -> list[PlanStart]:
    """Return the starts that serve the jobs in an order, with each lever that is allowed.

    Parameters
    ----------
    usual : complete maps that let reduces start as the cluster has it
    """
    jobs, shape = len(order), t.count.shape
    place = np.empty(jobs)
    place[order] = np.arange(jobs)
    due = np.broadcast_to((place / jobs - 1)[:, None] * horizon, shape)
    counts = [(how, usual)]
    if "slowstart" in levers or "across" in levers:
        counts.append((f"{how}, later stages after all tasks that they wait for", t.count[:, t.root]))
    starts = []
    for text, count in counts:
        starts.append(PlanStart(text, due, np.full(shape, GIVEN), count))
        if "tasks" in levers or "across" in levers:
            starts.append(
                PlanStart(f"{text}, in each job the longest tasks first", due, np.full(shape, LONGEST), count)
            )
        if "across" in levers:
            last = due.copy()
            last[:, t.child] = 0
            tasks = np.full(shape, LONGEST)
            tasks[:, t.child] = LATEST_START
            starts.append(PlanStart(f"{text}, longest later stages of all jobs first", last, tasks, count))
    return starts


def starts_of_dues(how: str, due: Floats, t: Tasks, after: Sequence[Ints]) -> list[PlanStart]:
    """Return the starts that serve tasks of all jobs by due dates of their map stages, seconds, (jobs,).

    Parameters
    ----------
    after : complete maps that let reduces start, in turn, (jobs,) each
    """
    both = np.broadcast_to(due[:, None], t.count.shape)
    maps_only = both.copy()
    maps_only[:, t.child] = 0
    tasks = np.full(both.shape, LATEST_START)
    return [
        PlanStart(f"{how}, {reduces}", dues, tasks, count)
        for count in after
        for reduces, dues in (
            ("longest later stages of all jobs first", maps_only),
            ("later stages in the same turn", both),
        )
    ]


def starts_of_due_dates(
    due: Floats, t: Tasks, usual: Ints, levers: Collection[str], horizon: float
) -> list[PlanStart]:
    """Return the starts that due dates of map stages lead to, seconds, (jobs,); others as of an order."""
    order = np.argsort(due, kind="stable")
    starts = starts_of_order("the order of due dates", order, t, usual, levers, horizon)
    if "across" in levers:
        starts = starts_of_dues("giving each job a due date", due, t, (usual, t.count[:, t.root])) + starts
    return starts


def starts_of_prices(
    ends: Floats, t: Tasks, usual: Ints, levers: Collection[str], horizon: float
) -> list[PlanStart]:
    """Return the starts that let jobs end when it is cheapest for them, seconds, (jobs,).

    Tasks of a job should end together: the longest ones start first, and each as late as it may. On nodes
    free room is kept for them, since small tasks of others would always be there first.
    """
    how = "ends by what slots are worth when"
    starts = starts_of_order(how, np.argsort(ends, kind="stable"), t, usual, levers, horizon)
    if "across" not in levers:
        return [start._replace(room=1) for start in starts]
    for after, part in itertools.product((usual, t.count[:, t.root]), (1.0, 0.5)):
        due = np.broadcast_to(ends[:, None], t.count.shape).copy()
        due[:, t.root] -= part * t.tail[0]
        for orders in itertools.product((LATEST_START, LONGEST), repeat=2):
            tasks = np.full(due.shape, GIVEN)
            tasks[:, t.root], tasks[:, t.child] = orders
            starts.append(PlanStart(how, due, tasks, after))
    return [start._replace(room=1) for start in starts]


def unless_one_map_is_late(t: Tasks, usual: Ints) -> Ints:
    """Return after how many maps reduces may start, (jobs,): as usual, or after all where one is late.

    A reduce that holds a slot when its map stage ends has the first shuffle. That is worth some waiting, but
    not for one map that takes far longer than all others of its job.
    """
    after: Ints = t.count[:, t.root].copy()
    for j in np.flatnonzero((after > 1) & (t.count[:, t.child] > 0)).tolist():
        maps, reduces = (slice(t.first[j, k], t.first[j, k] + t.count[j, k]) for k in (t.root, t.child))
        others, last = np.partition(t.duration[0, maps], -2)[-2:]
        saved = (t.typical_shuffle[0, reduces] - t.first_shuffle[0, reduces]).mean()
        if last - others <= MAX_WAIT * saved:
            after[j] = usual[j]
    return after


def promising(starts: Sequence[PlanStart], after: Ints, cluster: Cluster) -> list[PlanStart]:
    """Return what is the best as a rule of the starts of some ends: each task as late as it may start.

    On nodes with free room kept, and with free room for all.

    Parameters
    ----------
    after : complete maps that let reduces start, (jobs,)
    """
    best = starts[-min(AFTER_ALL, len(starts))]._replace(after=after)
    return [best, best._replace(room=0)] if cluster.has_nodes else [best]


def of_the_best(
    starts: Sequence[Sequence[PlanStart]], after: Ints, tried: Sequence[Judged]
) -> list[list[PlanStart]]:
    """Return the starts of those ends of which a promising one was the best, with free room used as there.

    Parameters
    ----------
    after : as of `promising`: these are among them, too
    tried : the promising ones of all, in turn
    """
    best = min(range(len(tried)), key=lambda place: tried[place].value)
    room = int(tried[best].row.room.max(initial=0))
    some = starts[best * len(starts) // len(tried)]
    also = [start._replace(after=after) for start in some[-AFTER_ALL:]]
    return [[start._replace(room=room) for start in [*some, *also]]]


def starts_in_time(
    how: str, by: Floats, t: Tasks, after: Sequence[Ints], levers: Collection[str], horizon: float
) -> list[PlanStart]:
    """Return the starts that give each job until some time, or until all are to be over.

    Where tasks of several jobs may mix, those of a job end together: each starts as late as it may.

    Parameters
    ----------
    by : when jobs are to end, seconds, (jobs,)
    after : complete maps that let reduces start, in turn, (jobs,) each
    """
    starts: list[PlanStart] = []
    for until in ENDS:
        ends = np.minimum(by, until * horizon + TIE * by)
        if "across" not in levers:
            starts += starts_of_order(how, np.argsort(ends, kind="stable"), t, after[0], (), horizon)
            continue
        due = np.broadcast_to(ends[:, None], t.count.shape).copy()
        due[:, t.root] -= t.tail[0]
        starts += [PlanStart(how, due, np.full(due.shape, LATEST_START), count) for count in after]
    return starts


def row_of(start: PlanStart, t: Tasks, pools: int) -> PlanColumns:
    """Return a start as the only row of plans, with room for so many pools."""
    row = blank_plans(1, t, pools)
    row.served[0], row.due[0], row.tasks[0], row.reduces_after[0] = (
        start.served,
        start.due,
        start.tasks,
        start.after,
    )
    row.room[0] = start.room
    if start.cap is not None:
        row.cap[0] = start.cap
    if start.pool is not None and start.slots is not None:
        row.pool[0], row.slots[0] = start.pool, 0
        row.slots[0, : len(start.slots)] = start.slots
    return row


def starts_in_pools(
    partition: Partition,
    workload: Workload,
    t: Tasks,
    usual: Ints,
    levers: Collection[str],
    horizon: float,
) -> list[PlanStart]:
    """Return the starts that serve each pool's jobs in its order, with each lever that is allowed."""
    order = np.array([workload.job_index[name] for name in partition.jobs], np.int64)
    pool = pool_of_jobs(partition, workload).astype(np.int64)
    slots = np.array([each.slots for each in partition.pools], np.int64)
    starts = starts_of_order("the pools of BalancedPools", order, t, usual, levers, horizon)
    if "across" in levers:
        starts += starts_of_dues(f"the pools of BalancedPools, {LONGEST_AFTER}", -t.tail[0], t, (usual,))
    return [start._replace(pool=pool, slots=slots) for start in starts]
