"""A run that goes on with other times of the tasks that run or wait: for what is not known yet."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.copies import Copies, looks_of
from core.engine.loop import INF
from core.engine.slot_trees import set_finish
from core.engine.stage_steps import shuffle_ends
from core.engine.state import jobs_on_slots, records_of, stage_column
from core.model.errors import InputError
from core.model.node_events import HAPPENINGS
from core.model.stages import Stage
from core.policies.composing.hooks import hooks_of
from core.policies.rolling import Rolling

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.engine.state import State
    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.policies.policy import Policy


COLUMNS = ("duration", "first_shuffle", "typical_shuffle")
"""The times of a task."""


@dataclass(frozen=True)
class TaskTimes:
    """How long each task takes, by its number.

    Attributes
    ----------
    duration, first_shuffle, typical_shuffle : seconds, (tasks,); see `core.model.workload.TaskColumns`
    copy, copy_shuffle : how long a second copy of each task takes after its shuffle, and the shuffle,
        seconds, (tasks,); None where those that run take as long as they did, and others the median
    """

    duration: NDArray[np.float64]
    first_shuffle: NDArray[np.float64]
    typical_shuffle: NDArray[np.float64]
    copy: NDArray[np.float64] | None = None
    copy_shuffle: NDArray[np.float64] | None = None

    def on(self, cluster: Cluster) -> TaskTimes:
        """Return the times that count on a cluster: one without shuffles has none."""
        if cluster.shuffle_model != "mumak":
            return self
        none = np.zeros(len(self.duration))
        return TaskTimes(self.duration, none, none, self.copy, None if self.copy is None else none)

    def in_order(self, order: NDArray[np.int32] | None) -> TaskTimes:
        """Return the times of tasks that lie in another order, (tasks,); None for by number."""
        return self if order is None else self._of(order)

    def first(self, count: int) -> TaskTimes:
        """Return the times of the first tasks."""
        return self._of(slice(count))

    def _of(self, some: NDArray[np.int32] | slice) -> TaskTimes:
        columns: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(self)}
        for name, column in columns.items():
            columns[name] = column if column is None else column[some]
        return TaskTimes(**columns)


def workload_with(workload: Workload, times: TaskTimes) -> Workload:
    """Return a workload whose tasks take other times; of data sets that jobs scan nothing is left."""
    stages = workload.columns.stages
    jobs = []
    for number, job in enumerate(workload.jobs):
        drawn = list(job.stages)
        for place, stage in enumerate(job.stages):
            if stage.count:
                g = int(stages.begin[number]) + place
                mine = slice(int(stages.first[g]), int(stages.first[g] + stages.count[g]))
                drawn[place] = Stage.of(stage.count, *(getattr(times, name)[mine] for name in COLUMNS))
        jobs.append(replace(job, stages=tuple(drawn), dataset=None, blocks=()))
    return replace(workload, jobs=tuple(jobs), datasets=(), recorded=None)


def check_times_may_change(policy: type[Policy], workload: Workload, cluster: Cluster) -> None:
    """Raise InputError where a run cannot go on with other times than it began with."""
    hooks = hooks_of(policy)
    reasons = {
        "a cluster with overheads": cluster.overheads is not None,
        "nodes whose tasks slow one another": bool(cluster.contention or cluster.reduce_load),
        "jobs that say on which nodes their input lies": workload.inputs is not None,
        "a policy that shares scans": hasattr(policy, "replanner"),
        "a policy that plans anew": issubclass(policy, Rolling),
        "a policy that suspends running tasks": hooks.gives_up and policy.suspends,
    }
    for what, is_there in reasons.items():
        if is_there:
            raise InputError(f"what is still to come is not forecast for {what}; leave that out")


def with_times(state: State, times: TaskTimes) -> State:
    """Return a copied state whose tasks take other times; of those that run what is left of them.

    Parameters
    ----------
    state : of a run that no other one shares, columns or rows; changed in place
    times : in the order in which the state's tasks lie, where nodes fail as they lay before the run. What has
        happened does not change, so that the times of tasks and shuffles that have ended must be as they
        were, and others end after the state's time
    """
    if state.given_up:
        times = times.in_order(np.asarray(state.given_up.task, np.int32))
    columns: dict[str, Any] = {}
    for name in COLUMNS:
        values: Any = getattr(times, name)
        if isinstance(state.duration, np.ndarray):
            values = values.copy()
            # as the workload's: the compiled engine has one type for both
            values.flags.writeable = bool(state.given_up)
        else:
            values = values.tolist()
        columns[name] = values
    new = state._replace(**columns)
    if hasattr(state.given_up, "event"):
        end_on_nodes(state, new)
        return new
    if isinstance(new.given_up, Copies):
        new = new._replace(given_up=_looks(new, times))
    _end_anew(new, has_copies=times.copy is not None)
    return new


def _end_anew(state: State, *, has_copies: bool) -> None:
    """Work out anew when what runs ends; of second copies where they have times of their own."""
    s, last = records_of(state), state.given_up.on if state.given_up else _last_on_slots(state)
    seconds = state.given_up.second if isinstance(state.given_up, Copies) else ()
    for slot, _ in jobs_on_slots(state):
        task = int(last[slot])
        if len(seconds) and seconds[slot]:
            if has_copies:
                _copy_ends(s, slot, task)
            continue
        released = s.stage[int(state.slot_stage[slot])].released
        if released == INF:
            continue  # a filler: its end is worked out when its stage's parents have ended
        own = state.start[task] + state.typical_shuffle[task]
        ends = own
        if state.start[task] < released:
            ends = released + state.first_shuffle[task]
            if s.cluster.overlap:
                ends = max(ends, own)
        shuffle_ends(s, task, ends)


def _looks(state: State, times: TaskTimes) -> Copies:
    """Return what is kept of copies, with what follows from the times of the tasks, as they lie."""
    stage: Any = {name: stage_column(state, name) for name in ("first", "tasks")}
    found = looks_of(stage, times.typical_shuffle, times.duration)
    if times.copy is not None and times.copy_shuffle is not None:
        found |= {"copy": times.copy.copy(), "copy_shuffle": times.copy_shuffle.copy()}
    kept: Copies = state.given_up
    is_columns = isinstance(state.duration, np.ndarray)
    looks: dict[str, Any] = {name: each if is_columns else each.tolist() for name, each in found.items()}
    return kept._replace(**looks)


def _copy_ends(s: State, slot: int, task: int) -> None:
    """Note when the second copy of a task on a slot ends."""
    u = s.given_up
    u.fetched[slot] = u.since[slot] + u.copy_shuffle[task]
    set_finish(s.tree, s.finish, slot, u.fetched[slot] + u.copy[task])


def _last_on_slots(state: State) -> NDArray[np.int64]:
    """Return the task that each slot ran last, as tasks lie; -1 for none, (slots,)."""
    started = int(records_of(state).cluster.started)
    tasks = np.asarray(state.sequence[:started], np.int64)
    last = np.full(len(state.slot_stage), -1, np.int64)
    last[np.asarray(state.slot)[tasks]] = tasks
    return last


SPEED = HAPPENINGS.index("speed")


def end_on_nodes(before: State, state: State) -> None:
    """Work out anew when tasks end that run; those whose times are as before end as they would have.

    Parameters
    ----------
    before, state : of either form, with the times so far and with other ones; their columns of what happens
        are shared, and changed
    """
    s, now = records_of(state), records_of(state).cluster.now
    changes: dict[int, list[tuple[float, float]]] = {}
    for at in range(s.given_up.happening.next):
        event = s.given_up.event[at]
        if event.kind == SPEED:
            changes.setdefault(int(event.node), []).append((float(event.at), float(event.speed)))
    for slot, _ in jobs_on_slots(state):
        task = int(s.given_up.on[slot])
        released, has_fetched = s.stage[int(s.slot_stage[slot])].released, s.shuffled[task] <= now
        if (released == INF and not has_fetched) or _times(before, task) == _times(state, task):
            continue  # a filler, or nothing new
        mine = changes.get(int(s.node_of[slot]), [])
        if not has_fetched:
            own = later(s.start[task], s.typical_shuffle[task], mine)
            ends = own
            if s.start[task] < released:
                ends = later(released, s.first_shuffle[task], mine)
                if s.cluster.overlap:
                    ends = max(ends, own)
            s.shuffled[task] = ends
        s.end[task] = later(s.shuffled[task], s.duration[task], mine)
        set_finish(s.tree, s.finish, slot, s.end[task])


def later(time: float, seconds: float, changes: list[tuple[float, float]]) -> float:
    """Return when something ends that begins at a time and takes so long at full speed.

    Parameters
    ----------
    changes : from when on the node runs how fast, by time; of speed 1 before

    Examples
    --------
    >>> later(10.0, 8.0, [(0.0, 0.5), (20.0, 1.0)])
    23.0
    """
    speed = 1.0
    end = time + seconds
    for at, new in changes:
        if at <= time:
            end = time + seconds / new
        elif at < end:
            end = at + (end - at) * speed / new
        speed = new
    return float(end)


def _times(state: State, task: int) -> tuple[float, float, float]:
    return state.duration[task], state.first_shuffle[task], state.typical_shuffle[task]
