"""A run that goes on with other times of the tasks that run or wait: for what is not known yet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.loop import INF
from core.engine.stage_steps import shuffle_ends
from core.engine.state import jobs_on_slots, records_of
from core.model.errors import InputError
from core.model.stages import Stage
from core.policies.composing.hooks import hooks_of
from core.policies.rolling import Rolling
from core.simulation.times_on_nodes import end_on_nodes

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
    """

    duration: NDArray[np.float64]
    first_shuffle: NDArray[np.float64]
    typical_shuffle: NDArray[np.float64]

    def on(self, cluster: Cluster) -> TaskTimes:
        """Return the times that count on a cluster: one without shuffles has none."""
        if cluster.shuffle_model != "mumak":
            return self
        none = np.zeros(len(self.duration))
        return TaskTimes(self.duration, none, none)

    def in_order(self, order: NDArray[np.int32] | None) -> TaskTimes:
        """Return the times of tasks that lie in another order, (tasks,); None for by number."""
        if order is None:
            return self
        return TaskTimes(self.duration[order], self.first_shuffle[order], self.typical_shuffle[order])


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
        "a policy that gives running tasks up": hooks.gives_up,
        "a policy that lets second copies of tasks run": hooks.copies,
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
    if state.given_up:
        end_on_nodes(state, new)
        return new
    s = records_of(new)
    last = _last_on_slots(new)
    for slot, _ in jobs_on_slots(new):
        task = int(last[slot])
        released = s.stage[int(new.slot_stage[slot])].released
        if released == INF:
            continue  # a filler: its end is worked out when its stage's parents have ended
        own = new.start[task] + new.typical_shuffle[task]
        ends = own
        if new.start[task] < released:
            ends = released + new.first_shuffle[task]
            if s.cluster.overlap:
                ends = max(ends, own)
        shuffle_ends(s, task, ends)
    return new


def _last_on_slots(state: State) -> NDArray[np.int64]:
    """Return the task that each slot ran last, as tasks lie; -1 for none, (slots,)."""
    started = int(records_of(state).cluster.started)
    tasks = np.asarray(state.sequence[:started], np.int64)
    last = np.full(len(state.slot_stage), -1, np.int64)
    last[np.asarray(state.slot)[tasks]] = tasks
    return last
