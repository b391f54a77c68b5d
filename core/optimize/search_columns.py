"""What a search works on, as named columns: tasks, what passes write, and the state of an annealing.

Plans, the fourth of them, are in `core.optimize.levers`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.model.error_factors import COMMON_SHARE, spread_of
from core.model.stages import MAP_REDUCE, stage_columns
from core.model.task_types import TASK_TYPES
from core.optimize.stage_demands import waits_for_tasks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.stages import StageColumns
    from core.model.workload import TaskColumns, Workload

INF = float("inf")
KEPT, TRIED = 0, 1
"""Rows of `Passes`: what was accepted, and what was run last."""
NOW, LAST, BEST = 0, 1, 2
"""Rows of a chain's plans: tried, kept last, best."""
STEP, LENGTH, TIED, LOW, HIGH, EVALUATIONS, FOUND, RANDOM = range(8)
"""Of `Chain.count`: steps done and in all; whether reduces are due as their maps; the two orders of tasks
that moves choose from; plans that were run; the step that found the best one; state of the random numbers."""
TEMPERATURE, COOLING, COST, VALUE, MIN, STOP, HORIZON, SCALE, STRIDE = range(9)
"""Of `Chain.level`: now, and by what it falls in a step, parts of the scale; cost of the plan kept last;
value of the plan tried and of the best one; value that need not be improved; seconds that moves of due dates
are measured by; the value that temperatures are measured by; and the longest gentle shift of a due date,
seconds, 0 where moves are not gentle."""
JOB, OTHER, POOL = 0, 1, 2
"""Of `Chain.moved`."""


class Tasks(NamedTuple):
    """What is to be scheduled; read only.

    The columns of tasks hold every task twice: first as given, then, from `tasks` on, the longest first of
    each stage. Those with a first axis have one row for each copy of the durations that a plan is judged by.

    Attributes
    ----------
    tasks : number of tasks
    count, first : number of tasks of each stage and the index of its first one as given, (jobs, stages)
    task_type : of each stage: the type of slots that it runs on
    root, child : the stage that waits for no other, the maps, and the one that waits for it, the reduces
    arrival : seconds, (jobs,)
    released : whether jobs arrive at different times, so that a task may have to wait for its job
    overlap : whether a filler's own shuffle may end later than its first shuffle (model "overlap")
    length : seconds that keys are made from, (2 tasks,)
    duration, first_shuffle, typical_shuffle : true seconds, (copies, 2 tasks)
    tail : the least time that a job takes after its map stage, seconds, (copies, jobs)
    slots : of the cluster, of each type
    block : so many tasks are between two snapshots
    begun : how many tasks of each stage, the first ones, run already and go before all others, (jobs,
        stages); 0 but in what is left of a schedule (`core.optimize.rest`)
    done : how many maps of each job had ended before, (jobs,); 0 likewise
    """

    tasks: int
    count: Any
    first: Any
    task_type: tuple[int, ...]
    root: int
    child: int
    arrival: Any
    released: int
    overlap: int
    length: Any
    duration: Any
    first_shuffle: Any
    typical_shuffle: Any
    tail: Any
    slots: tuple[int, ...]
    block: int
    begun: Any
    done: Any


class Starts(NamedTuple):
    """The reduces in the order in which they start, pool by pool; first axes of two are as of `Passes`.

    Attributes
    ----------
    begin : where those of each pool begin, (2, pools + 1)
    again : place of each pool from which on they were run last, (pools,)
    job, time, key, end : of each start: the job, when it is and when the task ends, seconds, and the key that
        won the slot, infinity where the slot had waited for the job, (2, reduces)
    first : place of each job's first one, (2, jobs)
    slot_ends, started, finish : snapshots of the columns of `Passes`, (2, blocks, 2 slots or jobs)
    """

    begin: Any
    again: Any
    job: Any
    time: Any
    key: Any
    end: Any
    first: Any
    slot_ends: Any
    started: Any
    finish: Any


class Passes(NamedTuple):
    """What passes write, of one thread; what has a first axis of two has a row `KEPT` and one `TRIED`.

    Attributes
    ----------
    begin : where the maps of each pool begin in `task`, (2, pools + 1)
    rerun : [place in `task` from which on maps were run last]
    task, turn, turn_key : the maps in the order in which they start, pool by pool, and of each the place of
        its job, as in `place`, and its key, (2, maps)
    end : when each map ends, seconds, (2, 2 tasks)
    stage_end : when each map stage ends, seconds, (2, jobs)
    enabled : from when on the reduces of each job may start, seconds, (2, jobs)
    finish : when each job ends, seconds, (2, jobs)
    busy : sum of the times at which the reduce slots of each pool are free for good, seconds, (2, pools)
    slot_ends : snapshots of `slots`, (2, blocks, 2 slots)
    stage_ends : snapshots of `stage_end`, (2, blocks, jobs)
    slots : tree of the times at which the slots of a pool are free, and which slots these are, (2 slots,)
    started : tasks of each stage that have started, (jobs,)
    same : maps of each job that start as in what was accepted, (jobs,)
    key, place : heap of the jobs that wait: their next task's key, and their place among equal keys, (jobs,)
    by_time : places of the jobs in the order in which they may start, (jobs,)
    ready : from when on each job may start its next task, seconds, (jobs,)
    lanes : when the slots are free that a job with a cap may hold, a heap where its tasks are, (tasks,)
    held : [whether something may hold maps back, such that they are run like reduces]
    seconds, least : scratch: for one map stage, and when each job ends at the earliest, (jobs,)
    stop : [whether to give up at once: another thread may set it while a pass runs]
    starts : of the reduces
    """

    begin: Any
    rerun: Any
    task: Any
    turn: Any
    turn_key: Any
    end: Any
    stage_end: Any
    enabled: Any
    finish: Any
    busy: Any
    slot_ends: Any
    stage_ends: Any
    slots: Any
    started: Any
    same: Any
    key: Any
    place: Any
    by_time: Any
    ready: Any
    lanes: Any
    held: Any
    seconds: Any
    least: Any
    stop: Any
    starts: Starts


def fresh_passes(t: Tasks, pools: int = 1, stop: NDArray[np.int64] | None = None) -> Passes:
    """Return room for the passes of one thread, and what stops them."""
    jobs, maps, slots = len(t.count), int(t.count[:, t.root].sum()), max(1, *t.slots)
    reduces = int(t.count[:, t.child].sum())
    blocks = maps // t.block + 1 if t.released == 0 and len(t.duration) == 1 else 1
    reduce_blocks = reduces // t.block + 1 if len(t.duration) == 1 else 1
    return Passes(
        begin=np.zeros((2, pools + 1), np.int64),
        rerun=np.zeros(1, np.int64),
        task=np.zeros((2, maps), np.int64),
        turn=np.zeros((2, maps), np.int64),
        turn_key=np.zeros((2, maps)),
        end=np.zeros((2, 2 * t.tasks)),
        stage_end=np.zeros((2, jobs)),
        enabled=np.zeros((2, jobs)),
        finish=np.zeros((2, jobs)),
        busy=np.zeros((2, pools)),
        slot_ends=np.zeros((2, blocks, 2 * slots)),
        stage_ends=np.zeros((2, blocks, jobs)),
        slots=np.zeros(2 * slots),
        started=np.zeros(jobs, np.int64),
        same=np.zeros(jobs, np.int64),
        key=np.zeros(jobs),
        place=np.zeros(jobs, np.int64),
        by_time=np.zeros(jobs, np.int64),
        ready=np.zeros(jobs),
        lanes=np.zeros(t.tasks),
        held=np.zeros(1, np.int64),
        seconds=np.zeros(max(1, int(t.count[:, t.root].max()))),
        least=np.zeros(jobs),
        stop=np.zeros(1, np.int64) if stop is None else stop,
        starts=Starts(
            begin=np.zeros((2, pools + 1), np.int64),
            again=np.zeros(pools, np.int64),
            job=np.zeros((2, reduces), np.int64),
            time=np.zeros((2, reduces)),
            key=np.zeros((2, reduces)),
            end=np.zeros((2, reduces)),
            first=np.zeros((2, jobs), np.int64),
            slot_ends=np.zeros((2, reduce_blocks, 2 * slots)),
            started=np.zeros((2, reduce_blocks, jobs), np.int64),
            finish=np.zeros((2, reduce_blocks, jobs)),
        ),
    )


class Chain(NamedTuple):
    """The state of an annealing.

    Attributes
    ----------
    count, level : numbers with names, see above
    chance : up to which random number each of `core.optimize.levers.MOVES` is made, and the two behind them
    moved : the job whose plan was changed, another one or the same, and the first pool that differs, (3,)
    floor : [key from which on maps start differently]
    movable : jobs that may be changed
    heavy : those of them that are many times the work of others
    before, behind : pairs of jobs: all tasks of one go before those of the other
    usual : complete maps that let the reduces of each job start on this cluster, (jobs,)
    values : scratch, one for each copy of the durations
    """

    count: Any
    level: Any
    chance: Any
    moved: Any
    floor: Any
    movable: Any
    heavy: Any
    before: Any
    behind: Any
    usual: Any
    values: Any


# ---- the tasks of a workload

HEAVY = 5
"""A job of more than so many times the mean work is heavy: which of two such goes first matters to all."""

MAX_BLOCKS = 512
"""Snapshots of one pass at most: each holds the ends of all slots and map stages."""
BLOCK = 128


def tasks_of(workload: Workload, cluster: Cluster) -> Tasks:
    """Return the tasks of a workload on typed slots; where only the engine runs plans, on any.

    All stages of a graph that run on slots of one type are then one, since a plan says the same of them.
    """
    columns, stages = workload.columns, workload.columns.stages
    if not stages.are_map_reduce:
        columns, stages = _by_type(columns)
    order = longest_first(columns)
    root, child = stages_in_turn(stages)
    count = by_number(stages, stages.count)
    without_shuffle = cluster.shuffle_model == "mumak"
    first, typical = (
        np.zeros_like(each) if without_shuffle else each
        for each in (columns.first_shuffle, columns.typical_shuffle)
    )
    return Tasks(
        tasks=len(order),
        count=count,
        first=by_number(stages, stages.first),
        task_type=tuple(by_number(stages, stages.task_type)[0].tolist()),
        root=root,
        child=child,
        arrival=columns.arrival.copy(),
        released=int(columns.arrival.any()),
        overlap=int(cluster.shuffle_model == "overlap"),
        length=twice(lengths_of(columns), order),
        duration=twice(columns.duration, order)[None],
        first_shuffle=twice(first, order)[None],
        typical_shuffle=twice(typical, order)[None],
        tail=_tails(columns, first, typical, overlap=cluster.shuffle_model == "overlap")[None],
        slots=cluster.stage_slots,
        block=max(BLOCK, -(-int(count.sum(axis=0).max()) // MAX_BLOCKS)),
        begun=np.zeros_like(count),
        done=np.zeros(len(count), np.int64),
    )


def _by_type(columns: TaskColumns) -> tuple[TaskColumns, StageColumns]:
    """Return tasks job by job, type by type, as if each job had one stage of each, and these stages."""
    jobs, types = len(columns.arrival), len(TASK_TYPES)
    stages = stage_columns([MAP_REDUCE] * jobs, columns.count.ravel())
    order = np.lexsort((columns.kind, columns.job))
    of_task = {
        name: getattr(columns, name)[order]
        for name in ("duration", "first_shuffle", "typical_shuffle", "job", "kind")
    }
    stage = (types * of_task["job"] + of_task["kind"]).astype(np.int32)
    return replace(columns, stage=stage, stages=stages, **of_task), stages


def stages_in_turn(stages: StageColumns) -> tuple[int, int]:
    """Return the two stages of all jobs by number: the one that waits for no other, and its child."""
    [edge] = {*zip(stages.number[stages.parent].tolist(), stages.number[stages.child].tolist(), strict=True)}
    return edge


def by_number(stages: StageColumns, values: NDArray[Any]) -> NDArray[np.int64]:
    """Return a number of each stage by job and its number there, (jobs, stages)."""
    table = np.zeros((len(stages.begin) - 1, int(stages.number.max()) + 1), np.int64)
    table[stages.job, stages.number] = values
    return table


def usual_after(t: Tasks, cluster: Cluster) -> NDArray[np.int64]:
    """Return how many complete maps let the reduces of each job start on this cluster, (jobs,)."""
    # NOTE: the small term keeps 0.05 * 20 from needing two maps.
    maps = t.count[:, t.root] + t.done
    after: NDArray[np.int64] = np.ceil(cluster.slowstart * maps - 1e-9).astype(np.int64) - t.done
    return after.clip(0)


def lengths_of(columns: TaskColumns) -> NDArray[np.float64]:
    """Return how long each task is for its key: its duration and its typical shuffle, seconds, (tasks,)."""
    lengths: NDArray[np.float64] = columns.duration + columns.typical_shuffle
    return lengths


def longest_first(columns: TaskColumns) -> NDArray[np.int64]:
    """Return the tasks with the longest of each stage first, of equal ones the first one given, (tasks,)."""
    return np.lexsort((-lengths_of(columns), columns.stage))


def twice(seconds: NDArray[np.float64], order: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return seconds of tasks as given, then in another order, (2 tasks,)."""
    return np.concatenate([seconds, seconds[order]])


def _tails(
    columns: TaskColumns, first: NDArray[np.float64], typical: NDArray[np.float64], *, overlap: bool
) -> NDArray[np.float64]:
    """Return how long the longest reduce of each job takes at least after its map stage, (jobs,)."""
    stages = columns.stages
    least = np.minimum(first, typical)
    least = columns.duration + np.where(waits_for_tasks(stages)[columns.stage], least, typical)
    tails = np.zeros(len(columns.arrival))
    waits = stages.has_parents[columns.stage]
    np.maximum.at(tails, columns.job[waits], least[waits])
    return tails


def noisy_tasks(t: Tasks, copies: int, sigma: float, seed: int, per: str = "job") -> Tasks:
    """Return the tasks with several copies of their true durations; the keys' lengths stay.

    Every task takes a log-normal factor of mean 1 and standard deviation `sigma` times as long, its shuffles
    too; `per` says which tasks share a factor, as `DurationEstimates` has it.
    """
    draw = np.random.default_rng(seed).normal
    jobs = np.repeat(np.arange(len(t.count)), t.count.sum(axis=1))
    normal = draw(size=(copies, t.tasks if per == "task" else len(t.count)))
    normal = normal if per == "task" else normal[:, jobs]
    if per == "correlated":
        normal = np.sqrt(1 - COMMON_SHARE) * normal + np.sqrt(COMMON_SHARE) * draw(size=(copies, 1))
    spread = spread_of(sigma)
    given = np.exp(spread * normal - spread**2 / 2)
    stages = np.repeat(np.arange(t.count.size), t.count.ravel())
    order = np.lexsort((-t.length[: t.tasks], stages))
    factor = np.concatenate([given, given[:, order]], axis=1)
    drawn_anew = {
        name: np.multiply(getattr(t, name), factor, order="C")  # else it would be compiled once more
        for name in ("duration", "first_shuffle", "typical_shuffle")
    }
    return t._replace(**drawn_anew, tail=np.zeros((copies, len(t.count))))


def heavy_jobs(t: Tasks, jobs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return those of some jobs that take more than `HEAVY` times as long as the mean of all on all slots."""
    slots = np.maximum(np.array([t.slots[each] for each in t.task_type]), 1)
    before = np.append(0.0, np.cumsum(t.length[: t.tasks]))
    work = ((before[t.first + t.count] - before[t.first]) / slots).sum(axis=1)
    heavy: NDArray[np.int64] = jobs[work[jobs] > HEAVY * work.mean()]
    return heavy


def why_no_passes(workload: Workload, cluster: Cluster) -> str:
    """Return why the fast way of two passes is not the same as a simulation here; empty if it is."""
    if cluster.has_containers:
        return "slots are untyped"
    if cluster.overheads is not None:
        return "the cluster has overheads"
    if cluster.slot_times:
        return "slots come and go"
    if cluster.events is not None:
        return "nodes fail, return or change their speed"
    columns = workload.columns
    if not columns.stages.are_map_reduce:
        return "jobs are graphs of stages"
    if len(columns.links):
        return "jobs follow others"
    maps = columns.duration[~columns.stages.has_parents[columns.stage]]
    horizon = columns.arrival.max() + maps.sum()
    if len(maps) and maps.min() <= np.spacing(horizon):
        return "some maps take no time"
    return ""
