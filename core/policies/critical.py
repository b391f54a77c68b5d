"""Tasks of all jobs by due dates: of a plan, of the best schedule found, or by the longest path behind them.

Sources: earliest due date first, J. R. Jackson 1955, where what follows a stage makes its due date; longest
tasks first, R. L. Graham 1969. That tasks compete across jobs by their latest starts is ours. What follows a
stage are the stages that wait for it, and the jobs that follow its job, with their think times: the longest
path through them, each stage as long as ARIA's model has it on all slots.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.levers import (
    ALL_LEVERS,
    AS_THE_CLUSTER,
    JOB_FIELDS,
    LEVERS,
    STAGE_FIELDS,
    TASK_ORDERS,
)
from core.model.objectives import OBJECTIVES
from core.model.parameters import Parameter, check_parameters
from core.model.partition import in_pools
from core.model.plan_columns import blank_columns
from core.model.stages import MAP_REDUCE
from core.model.task_types import MAP, REDUCE
from core.planning.aria import stage_estimates, stage_seconds
from core.planning.kept_searches import KeptSearches
from core.policies.explains import IN_POOL, POOL, STAGES
from core.policies.policy import Explains, Number, Policy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.parameters import ParameterValue
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.planning.kept_searches import UnderWay
    from core.policies.policy import JobRow, PoolRow, SearchControl

    Floats = NDArray[np.float64]
    Figures = dict[str, NDArray[Any]]

GIVEN, LONGEST, LATEST_START = range(len(TASK_ORDERS))
"""The orders of tasks as figures have them."""

PATH = "the longest path from its next {kind} on, through stages, think times and further jobs, takes {path}"
TAIL = "{reduces} of reduces follow its maps, the {turn:nth longest} of {jobs:job}"
ALL_DUE = "all reduces are due together, the longest first"
DUE = "due at {due} by the plan, the {turn:nth} of {jobs:job}"
IN_TURN = "the {turn:nth} of {jobs:job} by the plan"
"""Plans that only say an order have dates before time 0: no times that anything could be due at."""
STARTS = "; its next {kind} takes {length}, so it starts by {start} at the latest"
AT_CAP = "it holds the {wanted} that the plan lets it have at most"
MAPS_FIRST = "not all of its maps have begun, and untyped slots would run out before them"
UNPLANNED = "the plan does not name it, so it comes behind all that are named"


def planned_figures(workload: Workload, cluster: Cluster, plan: Plan) -> Figures:
    """Return the columns of a plan; a job that it does not name is due at infinity."""
    served, plan_columns = plan.columns(workload)
    columns: Figures = {
        "place_in_plan": np.argsort(served),
        "is_planned": np.ones(len(served), np.bool_),
        "is_map_reduce": _are_map_reduce(workload),
        "reduces": stage_estimates(workload, cluster)[REDUCE],
        **figures_of(plan_columns),
        "path_end": np.full(len(served), np.inf),
    }
    return columns | _turns(columns) | ({} if plan.partition is None else _pools_of(workload, plan))


def _are_map_reduce(workload: Workload) -> NDArray[np.bool_]:
    """Return whether each job has maps, and reduces that wait for all of them, and nothing else, (jobs,)."""
    return np.array([job.graph == MAP_REDUCE for job in workload.jobs], np.bool_)


def figures_of(columns: Mapping[str, NDArray[Any]]) -> Figures:
    """Return the columns of a plan by the names that hooks use."""
    return {f"{name}_of": columns[name] for name in (*STAGE_FIELDS, *JOB_FIELDS)}


def _pools_of(workload: Workload, plan: Plan) -> Figures:
    assert plan.partition is not None
    columns = in_pools(workload, plan.partition)
    return {name: columns[name] for name in ("pool_maps", "pool_reduces")}


def _turns(columns: Figures) -> Figures:
    """Return each job's place among the maps, and among the reduces, by due date, from 1, (jobs, 2)."""
    order = [np.lexsort((columns["place_in_plan"], columns["due_of"][:, kind])) for kind in (MAP, REDUCE)]
    return {"turn_of": 1 + np.argsort(np.array(order), axis=1).T}


def constructed_dues(workload: Workload, cluster: Cluster) -> tuple[Floats, float]:
    """Return when each stage is due so that all jobs end together, in s, (stages,), and when they end."""
    columns, stages = workload.columns, workload.columns.stages
    alone = stage_seconds(workload, cluster)
    spans = stages.spans(alone)
    after = columns.links.rests(spans)
    work = np.bincount(columns.kind, columns.duration + columns.typical_shuffle, minlength=2)
    end = max(work / np.maximum(cluster.stage_slots, 1)) + float(
        (spans + after).max()
    )  # as good as any later
    return end - stages.tails(alone, after), end


def stage_dues(workload: Workload, cluster: Cluster, due_of: Floats, is_planned: NDArray[np.bool_]) -> Floats:
    """Return when each stage is due, in s, (stages,).

    Parameters
    ----------
    due_of : when the stages of either type of each job are due by a plan, and in MapReduce jobs, (jobs, 2)
    is_planned : whether that is said by a plan, (jobs,)
    """
    stages = workload.columns.stages
    if is_planned.any() or stages.are_map_reduce:
        return due_of[stages.job, stages.task_type]
    return constructed_dues(workload, cluster)[0]


def constructed_figures(workload: Workload, cluster: Cluster) -> Figures:
    """Return due dates by which all jobs would end together: maps as much earlier as their reduces take."""
    maps, reduces = stage_estimates(workload, cluster)
    jobs, columns = len(reduces), workload.columns
    dues, end = constructed_dues(workload, cluster)
    due_of = np.full((jobs, 2), end)
    np.minimum.at(due_of, (columns.stages.job, columns.stages.task_type), dues)
    found: Figures = {
        "place_in_plan": np.argsort(np.lexsort((columns.arrival, maps, -reduces))),
        **figures_of(blank_columns(jobs)),
        "due_of": due_of,
        "tasks_of": np.full((jobs, 2), LATEST_START),
        "is_planned": np.zeros(jobs, np.bool_),
        "is_map_reduce": _are_map_reduce(workload),
        "reduces": reduces,
    }
    path_end = np.inf if columns.stages.are_map_reduce else end
    return found | _turns(found) | {"path_end": np.full(jobs, path_end)}


def task_keys(length: Floats, due: Floats, tasks: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return what tasks are compared by, and what breaks ties: due dates or latest starts, then lengths.

    Parameters
    ----------
    length, due : how long each task takes, and when its stage is due, s, (tasks,)
    tasks : the order of its stage, GIVEN, LONGEST or LATEST_START, (tasks,)
    """
    return due - np.where(tasks == LATEST_START, length, 0.0), np.where(tasks == GIVEN, 0.0, -length)


def as_time(seconds: float) -> float:
    """Return a date as it may be shown: one before time 0 is no time, only a place in a plan's order."""
    return seconds if seconds >= 0 else np.nan


def length_of(key: tuple[float, ...], due_of: tuple[float, ...], kind: int) -> float:
    """Return what a job's next task takes, seconds, where latest starts are compared; else nan."""
    return due_of[kind] - key[0] if key[0] < due_of[kind] < np.inf else np.nan


def why(kind: int, is_planned: bool, due_of: tuple[float, ...], start: float, path: float) -> str:
    """Return why a job's task stands where it does."""
    due = due_of[kind]
    if path < np.inf:
        return PATH
    if due == np.inf:
        return UNPLANNED
    words = (DUE if due >= 0 else IN_TURN) if is_planned else TAIL if kind == MAP else ALL_DUE
    return words + STARTS if start >= 0 else words


def why_held(job: JobRow, kind: int) -> str:
    """Return why a job may have no more tasks of a kind."""
    return AT_CAP if job.running[kind] >= job.wanted[kind] else MAPS_FIRST


class Critical(Policy):
    """Start the tasks first that the longest path follows: the longest later stages, and further jobs.

    Long tasks go before short ones of any job. With a plan, the tasks go by the plan's due dates.
    """

    id = "critical"
    title = "Critical path first"
    explains = Explains(
        "The task with the earliest due date goes first, or with the earliest time at which it may start to "
        "be done by then. The dates are the plan's; without a plan, the last stages of all jobs are due "
        "together, and every other stage as much earlier as the longest path behind it takes.",
        (
            Number(
                "path",
                "s",
                meaning="Its next task and the longest path of stages, think times and jobs behind it",
                value=lambda key, path_end: path_end - key[0],
            ),
            STAGES[REDUCE],
            Number("due", "at", "Due", "When the stage is due", lambda due_of, kind: as_time(due_of[kind])),
            Number("turn", value=lambda turn_of, kind: turn_of[kind]),
            Number("length", "s", "Length", "What its next task takes", length_of),
            Number(
                "start",
                "at",
                "Start by",
                "When its next task has to start at the latest",
                lambda key, length: as_time(key[0]) if length > 0 else np.nan,
            ),
            Number("wanted", "slot", value=lambda job, kind: job.wanted[kind]),
        ),
        why,
        admits=why_held,
    )

    @staticmethod
    def figures(workload: Workload, cluster: Cluster, plan: Plan | None) -> Figures:
        """Return due dates and what else a plan has of each job."""
        if plan is None:
            return constructed_figures(workload, cluster)
        return planned_figures(workload, cluster, plan)

    @staticmethod
    def order(place_in_plan: NDArray[np.int64]) -> NDArray[np.int64]:
        """Let the jobs that stand first in the plan win ties."""
        return np.argsort(place_in_plan)

    @staticmethod
    def plan(
        jobs: NDArray[np.void],
        cluster: Cluster,
        cap_of: NDArray[np.int64],
        reduces_after_of: NDArray[np.int64],
        is_map_reduce: NDArray[np.bool_],
        room_of: NDArray[np.int64],
    ) -> None:
        """Write caps, how many maps let the reduces start, and whether untyped slots are kept for maps.

        They are not for those of a graph, which may wait for what its reduces do.
        """
        jobs["memo"][:, 0] = cluster.has_containers & is_map_reduce
        jobs["memo"][:, 3] = room_of
        jobs["wanted"] = cap_of
        after = np.where(reduces_after_of == AS_THE_CLUSTER, jobs["reduce_after"], reduces_after_of)
        after = np.minimum(after, jobs["tasks"][:, MAP])
        jobs["reduce_after"] = np.where(is_map_reduce, after, jobs["reduce_after"])

    @staticmethod
    def task_key(
        workload: Workload,
        cluster: Cluster,
        duration: Floats,
        typical_shuffle: Floats,
        kind: NDArray[np.int8],
        job: NDArray[np.int32],
        stage: NDArray[np.int32],
        due_of: Floats,
        is_planned: NDArray[np.bool_],
        tasks_of: NDArray[np.int64],
    ) -> tuple[Floats, Floats]:
        """Return due dates, or latest starts; inside a stage the longest first, or as given."""
        due = stage_dues(workload, cluster, due_of, is_planned)[stage]
        return task_keys(duration + typical_shuffle, due, tasks_of[job, kind])

    @staticmethod
    def stage_key(
        workload: Workload, cluster: Cluster, due_of: Floats, is_planned: NDArray[np.bool_]
    ) -> Floats:
        """Return due dates: of stages of equal dates the first one goes first."""
        return stage_dues(workload, cluster, due_of, is_planned)

    @staticmethod
    def admits(job: JobRow, kind: int) -> bool:
        """Keep to the caps; on untyped slots, let no reduce hold what the job's maps have to run on."""
        waits = kind == REDUCE and job.memo[0] > 0 and job.started[MAP] < job.tasks[MAP]
        return job.running[kind] < job.wanted[kind] and not waits

    @staticmethod
    def key(job: JobRow, kind: int) -> tuple[float, int]:
        """Compare the keys of the next tasks; of equal ones maps go first."""
        return job.next[kind], kind

    @staticmethod
    def reserves(job: JobRow) -> bool:
        """Keep what is free on nodes where the plan says so."""
        return job.memo[3] > 0


class CriticalInPools(Critical):
    """Start tasks by a plan's due dates, each job's on the slots of its own pool only."""

    id = "critical-in-pools"
    title = "Critical path first in pools"
    explains = Explains(
        "Each pool has slots of its own; in each the task with the earliest due date of the plan goes first, "
        "or with the earliest time at which it may start to be done by then.",
        (*POOL, *Critical.explains.numbers),
        lambda kind, is_planned, due_of, start, path: (
            f"{IN_POOL}: {why(kind, is_planned, due_of, start, path)}"
        ),
        admits=Critical.explains.admits,
    )

    @staticmethod
    def pool_admits(pool: PoolRow, kind: int) -> bool:
        """Take slots while the pool has free ones."""
        return pool.free[kind] > 0


# ---- the best schedule that a search finds, as a policy: it stands beside the others in every table

MAX_STEPS, MIN_STEPS, TASK_STEPS = 2000, 20, 50_000_000
"""Of a usual search: about 3 s of two processors for 25 000 tasks and more, a moment for few tasks."""


@dataclass(frozen=True)
class Wishes:
    """What is searched, and for how long.

    Attributes
    ----------
    objective : of `core.model.objectives.OBJECTIVES`
    levers : what may be changed, separated by commas, or "all"
    steps : of the search; they give the same plan on every machine; 0 for as many as `usual_steps` says
    seconds : by the clock instead; 0 for by steps
    seed : of what is drawn
    """

    objective: str
    levers: str
    steps: int
    seconds: float
    seed: int


class Optimised(Policy):
    """Search the best schedule, and follow its plan: which task goes first, on which slots, and when.

    How far from optimal it may be is the gap to the lower bound.
    """

    id = "optimized"
    title = "Optimised"
    parameters = (
        Parameter(
            "steps",
            "integer",
            0,
            "How long to search; the same number finds the same schedule on every machine. 0: 2000, fewer "
            "for more than 25 000 tasks: some 3 s.",
            0,
            10_000_000,
            "steps",
        ),
        Parameter(
            "seconds",
            "number",
            0.0,
            "Search so long by the clock instead; a faster machine then finds more. 0: by steps.",
            0.0,
            86_400.0,
            "s",
        ),
        Parameter(
            "levers",
            "text",
            ALL_LEVERS,
            f"What may be changed: {', '.join(LEVERS)}, separated by commas; or {ALL_LEVERS}.",
        ),
        Parameter(
            "objective",
            "choice",
            "makespan",
            "What is to be as small as possible.",
            choices=tuple(OBJECTIVES),
        ),
        Parameter("seed", "integer", 1, "Another one finds another schedule that is about as good.", 0),
    )
    explains = Critical.explains

    @staticmethod
    def search(
        workload: Workload,
        cluster: Cluster,
        effort: SearchControl,
        objective: str,
        levers: str,
        steps: int,
        seconds: float,
        seed: int,
    ) -> Plan:
        """Search, or return what the same search has found before."""
        wishes = Wishes(objective, levers, steps, seconds, seed)

        def find(news: UnderWay[object]) -> Plan:
            assert effort.optimize is not None
            return effort.optimize(workload, cluster, wishes, news.note_fraction, effort.should_stop)

        return _kept.find((workload.digest, cluster, wishes), find, effort.progress, effort.should_stop)


def usual_steps(workload: Workload) -> int:
    """Return how many steps a search has by default: it depends on the workload alone."""
    tasks = max(1, workload.map_count + workload.reduce_count)
    return max(MIN_STEPS, min(MAX_STEPS, TASK_STEPS // tasks))


def known_plan(workload: Workload, cluster: Cluster, parameters: Mapping[str, ParameterValue]) -> Plan | None:
    """Return what an earlier search with these parameters has found, or None."""
    values: dict[str, Any] = check_parameters(Optimised.parameters, parameters, "policy optimized")
    wishes = Wishes(**values)
    return _kept.known((workload.digest, cluster, wishes))


_kept: KeptSearches[Plan, object] = KeptSearches("the search for the best schedule")
