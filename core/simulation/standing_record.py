"""A run in the state that a log recorded at a time, from which a policy can go on.

Nothing is simulated up to then: what the record says has started, runs, has ended and has arrived is written
into the state of a run that has not begun; `hand_over` works out the queues, as at every other fork.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.copies import with_copies
from core.engine.fresh_state import with_held_slots
from core.engine.slot_trees import CLOSED
from core.engine.stage_steps import let_followers_come
from core.engine.state import INF, as_rows, put_free_slots, records_of
from core.model.copied_tasks import killed_tasks
from core.model.errors import InputError
from core.model.progress import never_stop, no_progress
from core.model.schedule import PolicyChoice
from core.model.task_types import MAP, REDUCE, TASK_TYPES
from core.policies.policy import SearchControl
from core.policies.resolved_policy import follow
from core.simulation.simulate import Simulation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.engine.state import State
    from core.model.schedule import Schedule
    from core.simulation.second_copies import SecondCopy
    from core.simulation.simulate import Engine

FIRST = PolicyChoice("fifo")
"""Holds the run that is written into; it decides nothing."""


def standing_in(
    record: Schedule,
    time: float,
    choice: PolicyChoice,
    engine: Engine,
    should_stop: Callable[[], bool],
    copies: Sequence[SecondCopy] = (),
    held: Sequence[tuple[int, float]] = (),
) -> Simulation:
    """Return the run of a policy that is about to decide where a record stands at a time.

    Parameters
    ----------
    record : up to the time, seconds: what has not started has no slot, what has not ended no end, and of each
        stage the tasks that have started come first, by start; on plain slots, none of which has come or gone
    choice : decides from then on
    copies : the second attempts at its tasks that run then, of stages that wait for no other one any more;
        what the record's cluster has killed by then is killed
    held : slots that are free for no task until a time, seconds

    Raises
    ------
    InputError
        the policy cannot go on with a run, or a task of the record ended before what it waits for had
    """
    make = partial(Simulation, record.workload, record.cluster, engine=engine, should_stop=should_stop)
    check_order(record)
    run = make(FIRST)
    if copies or held or record.cluster.killed_copies:
        run = run.standing_at(_prepared(run, record, copies, held))
    _Writing(run.state, record, time, copies, held).write()
    return run.with_policy(choice)


def _prepared(
    run: Simulation, record: Schedule, copies: Sequence[SecondCopy], held: Sequence[tuple[int, float]]
) -> State:
    """Return the state of a run that has not begun, with room for copies, and with slots that are held."""
    workload, cluster = record.workload, record.cluster
    no_effort = SearchControl(False, no_progress, never_stop, lambda *_: ())
    fresh = follow(FIRST, workload, cluster, None, None, no_effort).first_state(workload, cluster)
    state = with_held_slots(fresh, held) if held else fresh
    if copies or cluster.killed_copies:
        state = with_copies(state, killed_tasks(cluster.killed_copies, workload))
    return state if isinstance(run.state.duration, np.ndarray) else as_rows(state)


def slots_there(record: Schedule, time: float) -> tuple[int, int]:
    """Return how many slots of each kind the cluster of a record has at a time, as far as the log says.

    Where it says of none that it is there then, these are as many as the record has of that kind.
    """
    cluster, rows = record.workload.cluster, record.cluster.typed_slots
    if cluster.has_nodes or cluster.has_containers != record.cluster.has_containers:
        return rows
    opens, closes = cluster.slot_intervals
    there = (opens <= time) & (time < closes)
    first_reduce = cluster.typed_slots[MAP]
    open_ = int(there[:first_reduce].sum()), int(there[first_reduce:].sum())
    return open_[MAP] or rows[MAP], open_[REDUCE] or rows[REDUCE]


def check_order(record: Schedule) -> None:
    """Raise InputError where a task of a record ended before all that it waits for had ended."""
    columns = record.workload.columns
    early = np.flatnonzero(record.end < record.parents_end[columns.stage])
    if len(early):
        job = record.workload.jobs[int(columns.job[early[0]])].name
        raise InputError(
            f"{job}: by the record {len(early)} of its tasks ended before what they wait for had, as where "
            "clocks differ; from such a time on nothing is forecast, choose a later one"
        )


class _Writing:
    """Writes a record into the state of a run that has not begun, columns or rows."""

    def __init__(
        self,
        state: State,
        record: Schedule,
        time: float,
        copies: Sequence[SecondCopy],
        held: Sequence[tuple[int, float]],
    ) -> None:
        killed = [
            task for at, task in killed_tasks(record.cluster.killed_copies, record.workload) if at <= time
        ]
        self._killed = killed
        self._copies = [each for each in copies if each.task not in killed]
        self._state, self._record, self._time, self._held = state, record, time, held
        self._s = records_of(state)
        self._columns = record.workload.columns
        self._started = record.slot >= 0
        self._ended = record.end <= time

    def write(self) -> None:
        """Write tasks, stages, jobs, slots and counts."""
        ended = self._ended_stages()
        self._write_tasks()
        self._write_stages(ended)
        self._write_jobs(ended)
        self._write_cluster()
        if self._state.given_up:
            self._write_copies()
        self._write_arrivals()

    def _of_stages(self, some: NDArray[np.bool_]) -> NDArray[np.int64]:
        counts: NDArray[np.int64] = np.bincount(
            self._columns.stage[some], minlength=len(self._columns.stages.job)
        )
        return counts

    def _ended_stages(self) -> NDArray[np.bool_]:
        """Return which stages have ended; one without tasks does so with the last that it waits for."""
        stages = self._columns.stages
        ended: NDArray[np.bool_] = (self._of_stages(self._ended) == stages.count) & self._has_arrived[
            stages.job
        ]
        for g in np.flatnonzero(stages.count == 0).tolist():  # what it waits for has lower numbers
            ended[g] &= bool(ended[stages.parents_of(g)].all())
        return ended

    @property
    def _has_arrived(self) -> NDArray[np.bool_]:
        arrived: NDArray[np.bool_] = self._record.arrival <= self._time
        return arrived

    def _write_tasks(self) -> None:
        record, state = self._record, self._state
        for place, task in enumerate(record.sequence.tolist()):
            state.sequence[place] = task
            state.slot[task] = int(record.slot[task])
            state.start[task] = float(record.start[task])
            state.slot_stage[int(record.slot[task])] = int(self._columns.stage[task])
            if self._ended[task]:
                state.shuffled[task], state.end[task] = float(record.shuffled[task]), float(record.end[task])
        held = set(record.slot[self._started & ~self._ended].tolist())
        self._write_free_slots(held | {each.slot for each in self._copies})

    def _write_free_slots(self, held: set[int]) -> None:
        """Let slots be free that run nothing, as far as the cluster has so many at the time.

        A record may have more: each host has as many as it ever ran tasks on, at other times than others, and
        executors come and go. The last ones are closed then.
        """
        state, maps = self._state, int(self._s.cluster.first_reduce)
        known = slots_there(self._record, self._time)
        free: tuple[list[int], list[int]] = [], []
        for kind, slots in enumerate((range(maps), range(maps, self._record.cluster.slots))):
            there = [slot for slot in slots if state.there[slot] != CLOSED]
            free[kind].extend(slot for slot in there if slot not in held)
            running = len(there) - len(free[kind]) + sum(slot in slots for slot, _ in self._held)
            for slot in free[kind][max(known[kind] - running, 0) :]:
                state.there[slot] = CLOSED
                self._s.cluster.slots[kind] -= 1
            del free[kind][max(known[kind] - running, 0) :]
        put_free_slots(state, free)

    def _write_stages(self, ended: NDArray[np.bool_]) -> None:
        stages = self._columns.stages
        started, done = self._of_stages(self._started), self._of_stages(self._ended)
        released = self._record.parents_end
        for g, stage in enumerate(self._s.stage):
            parents = stages.parents_of(g)
            stage.started, stage.done = int(started[g]), int(done[g])
            stage.parents = int(np.count_nonzero(~ended[parents]))
            if len(parents) and not stage.parents:
                stage.released = float(released[g])
            for e in range(stage.edge, stage.edge + stage.edges):
                if started[int(self._s.edge[e].child)]:
                    self._s.edge[e].need = 0  # it was enough for the cluster that ran

    def _write_jobs(self, ended: NDArray[np.bool_]) -> None:
        record, columns = self._record, self._columns
        stages = columns.stages
        running = self._started & ~self._ended
        of_kind = [
            [
                np.bincount(columns.job[some & (columns.kind == kind)], minlength=len(self._s.job))
                for kind in TASK_TYPES
            ]
            for some in (running, self._started, self._ended)
        ]
        seconds = np.where(self._ended, record.end, 0.0) - np.where(self._started, record.start, 0.0)
        slot_time = np.bincount(columns.job, seconds, len(self._s.job))
        left = np.bincount(stages.job, ~ended, len(self._s.job)).astype(int)
        parents_left = np.bincount(stages.job, ~ended & stages.has_children, len(self._s.job)).astype(int)
        last = np.full(len(self._s.job), -np.inf)
        np.maximum.at(last, columns.job[self._ended], record.end[self._ended])
        for j, job in enumerate(self._s.job):
            for name, counts in zip(("running", "started", "done"), of_kind, strict=True):
                setattr(job, name, [int(count[j]) for count in counts])
            job.slot_time = float(slot_time[j])
            job.stages_left, job.parents_left = int(left[j]), int(parents_left[j])
            job.arrival = float(record.arrival[j])
            if job.started[REDUCE]:
                job.reduce_after = 0
            if not parents_left[j] and self._has_arrived[j]:
                job.stage_end = float(record.stage_end[j])
            if not left[j]:
                job.finish = float(max(last[j], record.arrival[j]))

    def _write_cluster(self) -> None:
        c, running = self._s.cluster, self._started & ~self._ended
        kinds = self._columns.kind[running]
        c.now = self._time
        c.running = [int(np.count_nonzero(kinds == kind)) for kind in TASK_TYPES]
        own = np.where(self._record.slot[running] < c.first_reduce, MAP, REDUCE)
        c.lent = [int(np.count_nonzero((own == kind) & (kinds != kind))) for kind in TASK_TYPES]
        c.started, c.released = int(self._started.sum()), int(self._ended.sum())
        c.fillers = sum(stage.started - stage.done for stage in self._s.stage if stage.released == INF)
        c.backlog = sum(
            int(job.tasks[MAP] - job.started[MAP]) for job in self._s.job if job.started[REDUCE] > 0
        )
        c.arrived = int(self._has_arrived.sum())
        finished = sum(bool(job.finish < INF) for job in self._s.job)
        c.active = c.arrived - finished

    def _write_copies(self) -> None:
        """Write both attempts at a task where two run; they began among all starts as they did by time."""
        u, record = self._s.given_up, self._record
        starts = [(float(record.start[task]), 0, task, -1) for task in record.sequence.tolist()]
        starts += [(each.start, 1, each.task, each.slot) for each in self._copies]
        for place, (_, is_second, task, slot) in enumerate(sorted(starts, key=lambda start: start[:2])):
            if not is_second:
                u.began[task] = place
                u.on[int(record.slot[task])] = task
                continue
            first = int(record.slot[task])
            u.twin[slot], u.twin[first], u.second[slot], u.number[slot] = first, slot, 1, place
        for each in self._copies:  # what ran on its slot before has started before
            self._write_copy(each)
        for task in self._killed:
            u.alone[task] = 1
        u.now.starts, u.now.kills = len(starts), len(self._killed)

    def _write_copy(self, copy: SecondCopy) -> None:
        s, u, g = self._s, self._s.given_up, int(self._columns.stage[copy.task])
        kind, own = int(s.stage[g].task_type), int(copy.slot >= s.cluster.first_reduce)
        self._state.slot_stage[copy.slot] = g
        u.on[copy.slot], u.since[copy.slot], u.fetched[copy.slot] = copy.task, copy.start, copy.shuffled
        s.cluster.copies[kind] += 1
        s.cluster.running[kind] += 1
        s.cluster.lent[own] += int(kind != own)
        job = s.job[s.stage[g].job]
        job.running[kind] += 1
        job.slot_time -= copy.start

    def _write_arrivals(self) -> None:
        """Put the jobs that have arrived first, and let those come that follow jobs that have ended."""
        s, arrived = self._s, self._has_arrived
        order = np.asarray(self._state.arrivals)
        times = self._record.arrival
        first = order[arrived[order]]
        first = first[np.argsort(times[first], kind="stable")]
        self._state.arrivals[:] = _same_kind(self._state.arrivals, [*first, *order[~arrived[order]]])
        if not s.cluster.linked:
            return
        for j in sorted(range(len(s.job)), key=lambda j: float(s.job[j].finish)):
            if s.job[j].finish < INF:
                let_followers_come(s, j, float(s.job[j].finish))
        for j in np.flatnonzero(~arrived).tolist():
            if not s.job[j].before and s.job[j].arrival < self._time:
                s.job[j].arrival = self._time  # its think time is over, and it has not come


def _same_kind(column: Any, values: list[Any]) -> Any:  # Any: a list, or an array
    whole = [int(value) for value in values]
    return whole if isinstance(column, list) else np.array(whole, column.dtype)
