"""A policy that is evaluated along the schedule of another one: it sees that run, and decides nothing.

The run is its own in all that policies may differ in - order of the queue, plan, memory, parameters - and is
driven by the engine's own steps; but whatever it answers, the task starts that the schedule starts. So its
`watch` sees every event of that run, and each answer is one about the state that the other policy was in.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from typing_extensions import override

from core.engine.loop import (
    BAD_PICK,
    DECIDED,
    DONE,
    INF,
    NONE,
    PAUSED,
    STALLED,
    happen,
    may_offer,
    may_start,
    next_instant,
    note_change,
    take_place,
    task_starts,
    watch_instant,
)
from core.engine.stage_steps import find_next_stage, let_children_start, next_task, set_next_stage
from core.engine.state import NO_PAUSE, as_rows, lowest_free
from core.model.errors import Cancelled, InputError
from core.model.progress import never_stop, no_progress
from core.model.task_types import TASK_TYPES
from core.policies.composing.hooks import hooks_of
from core.policies.composing.kernel import interpreted_kernel
from core.policies.registry import describe, policy_class
from core.policies.rolling import Rolling
from core.simulation.fork import events_before_starts
from core.simulation.simulate import Simulation
from core.simulation.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.engine.state import State
    from core.model.schedule import PolicyChoice, Schedule

OVERHEADS = "a policy cannot be asked along a run with overheads; leave them out of the cluster"
SCANS = "policies that share scans cannot be asked along another run, nor another one along theirs"
INPUTS = "a policy cannot be asked along a run whose jobs say on which nodes their input lies"
ANEW = (
    "{} plans for what its own run has come to, so it has no answer in another schedule; add it as a "
    "scenario and compare with that"
)
EVENTS = "a policy cannot be asked along a run on whose nodes something happens; leave the events out"
OWN_SLOTS = (
    "{} gives jobs pools with slots of their own before the run, so it has no answer about the slots of "
    "another schedule; add it as a scenario and compare with that"
)


class Listener(Protocol):
    """Takes what the policy answers."""

    def __call__(self, state: State, slot_kind: int, pick: int, start: int) -> None:
        """Take an answer.

        Parameters
        ----------
        state : in which the policy was asked; to be read only
        slot_kind : the type of the free slot
        pick : 2 * job + kind, or -1 to leave it free
        start : which start of the schedule is decided; -1 where the schedule leaves the slot free
        """


class AlongRun(Simulation):
    """The run of a policy along a schedule; to be stopped, copied and looked at as every other run.

    Parameters
    ----------
    schedule : complete, without overheads and shared scans
    choice : the policy that is asked
    progress, should_stop : while a policy searches before the run

    Raises
    ------
    InputError
        overheads, shared scans, or a policy with pools of their own slots
    PolicyError
        as `core.simulation.simulate.simulate`
    """

    def __init__(
        self,
        schedule: Schedule,
        choice: PolicyChoice,
        *,
        progress: Callable[[float], None] = no_progress,
        should_stop: Callable[[], bool] = never_stop,
    ) -> None:
        policy = policy_class(choice.id)
        if schedule.cluster.overheads is not None:
            raise InputError(OVERHEADS)
        if schedule.workload.inputs is not None:
            raise InputError(INPUTS)
        if schedule.cluster.events is not None:
            raise InputError(EVENTS)
        if schedule.shares_scans or hasattr(policy, "replanner"):
            raise InputError(SCANS)
        if issubclass(policy, Rolling):
            raise InputError(ANEW.format(policy.title))
        if hasattr(policy, "partition"):
            raise InputError(OWN_SLOTS.format(describe(choice.id).title))
        super().__init__(
            schedule.workload,
            schedule.cluster,
            choice,
            engine="auto" if hasattr(policy, "search") else "interpreted",
            progress=progress,
            should_stop=should_stop,
        )
        if self.partition is not None:
            raise InputError(OWN_SLOTS.format(describe(choice.id).title))
        followed = self._followed
        self._followed = replace(followed, task_order=schedule.task_order)
        self._compiled = False
        self._choose = interpreted_kernel(self._policy)  # type: ignore[arg-type]  # a class is hashable
        self._state = as_rows(self._followed.first_state(self.workload, self.cluster))
        events = events_before_starts(schedule, should_stop).tolist()
        self._along = AlongSchedule(schedule, self._state, events)
        if followed.task_key is not None and not hooks_of(self._policy).is_plain:
            orders = followed.task_order, schedule.task_order
            first = schedule.workload.columns.stages.first
            self._along.keep_next(NextTasks(followed.task_key, *orders, first), self._state)
        self._advance = self._along
        self._glance: Snapshot | None = None

    def listen(self, listener: Listener) -> None:
        """Pass every answer on from now on."""
        self._along.listener = listener

    def glance(self) -> Snapshot:
        """Return how things stand, to be read at once: it is no copy, and `watch` has been called."""
        if self._glance is None:
            self._glance = Snapshot.glance(self._policy, self._state)
        return self._glance

    def lowest_free(self, pick: int, slot_kind: int) -> int:
        """Return the slot that the next task of a pick, 2 * job + kind, would get."""
        return lowest_free(self._state, pick >> 1, pick & 1, slot_kind)

    @property
    def answers(self) -> int:
        """How many answers the policy has given."""
        return self._along.answers

    def advance_to_answer(self, number: int, should_stop: Callable[[], bool] = never_stop) -> None:
        """Stop just before the policy gives an answer, counted from 0; raises as `advance` does."""
        self._along.stop_at = number
        while self._go_on(INF, None, NO_PAUSE) == PAUSED:
            if should_stop():
                raise Cancelled(f"asking along {self.workload.name} was cancelled")

    @override
    def fork(self) -> Self:
        twin = super().fork()
        twin._advance = twin._along = self._along.copy()
        twin._glance = None
        return twin


class AlongSchedule:
    """Advances a state as `core.engine.loop.advance` does, but starts what a schedule starts.

    Attributes
    ----------
    answers : how many the policy has given
    stop_at : the number of the answer before which to stop
    """

    def __init__(self, schedule: Schedule, state: State, events: list[int]) -> None:
        self.listener: Listener | None = None
        self.answers, self.stop_at = 0, NONE
        sequence, columns = schedule.sequence, schedule.workload.columns
        self._stage = columns.stage[sequence].tolist()
        self._time, self._slot = schedule.start[sequence].tolist(), schedule.slot[sequence].tolist()
        self._events = events
        self._type_of = schedule.cluster.slot_type
        self._next: NextTasks | None = None
        state.cluster.keyed = 0

    def keep_next(self, tasks: NextTasks, state: State) -> None:
        """Give every job the key of the task that the policy would start next, of those not started."""
        self._next = tasks
        for g in reversed(range(len(state.stage))):  # of the stages of a type the first one is written last
            if state.stage[g].tasks:
                tasks.write_key(state, g)

    def copy(self) -> AlongSchedule:
        """Return a copy that goes on by itself; its answers are not passed on."""
        twin = copy(self)
        twin.listener = None
        if self._next is not None:
            twin._next = self._next.copy()
        return twin

    def __call__(self, choose: Any, _until: float, instants: int, s: State) -> int:
        """Advance by at most so many instants, or up to an answer; see `core.engine.loop.advance`."""
        c = s.cluster
        while True:
            if c.offered == 0:
                status = self._offer(choose, s)
                if status != DONE:
                    return status
                c.offered = 1
            now = min(next_instant(s), self._next_start(s))
            if now == INF:
                return STALLED if c.active > 0 else DONE
            if instants <= 0:
                return PAUSED
            instants -= 1
            watch_instant(choose, s, now)
            happen(s, now)

    def _offer(self, choose: Any, s: State) -> int:
        """Evaluate each start of this instant, carry it out, and evaluate what then stays free.

        In the order of `core.engine.loop.offer_free_slots`, so that a `watch` that counts is called as often.
        """
        c = s.cluster
        while c.turn < 2 + c.lends or self._starts_now(s):
            own = c.turn & 1
            while self._starts_now(s) and self._type_of(self._slot[c.started]) == own:
                start = c.started
                if (status := self._decide(choose, own, s, start)) != DONE:
                    return status
                self._start(s, start, own)
                if c.lends > 0:
                    c.turn = own
            if (status := self._decide(choose, own, s, NONE)) != DONE:
                return status
            c.turn += 1
        c.turn = 0
        return DONE

    def _next_start(self, s: State) -> float:
        """Return when the schedule starts its next task: where it forks, that may be when nothing happens."""
        started = s.cluster.started
        later = started < len(self._time) and self._time[started] > s.cluster.now
        return self._time[started] if later else INF

    def _starts_now(self, s: State) -> bool:
        """Whether the schedule starts its next task in this instant, of several of the same time."""
        c = s.cluster
        if c.started == len(self._time) or self._time[c.started] != c.now:
            return False
        return bool(c.arrived + c.released >= self._events[c.started])

    def _starts_soon(self, s: State, own: int) -> bool:
        """Whether at this instant the schedule still gives a slot of this type to a job."""
        start, now = s.cluster.started, s.cluster.now
        while start < len(self._time) and self._time[start] == now:
            if self._type_of(self._slot[start]) == own:
                return True
            start += 1
        return False

    def _decide(self, choose: Any, own: int, s: State, start: int) -> int:
        """Let the policy answer about a free slot; DONE, DECIDED to stop before, or BAD_PICK."""
        if self._next is not None:
            self._next.write_waiting(s)
        if self.answers == self.stop_at:
            return DECIDED
        self.answers += 1
        c = s.cluster
        pick = NONE
        if may_offer(c, own):
            pick = int(choose(own, s.queue, s.trees, s.keys, s.job, s.pool, c))
        if pick >= 0 and not may_start(s, pick >> 1, pick & 1, own):
            c.bad_pick = pick
            return BAD_PICK
        if self.listener is not None and (start >= 0 or not self._starts_soon(s, own)):
            self.listener(s, own, pick, start)
        return DONE

    def _start(self, s: State, start: int, own: int) -> None:
        """Start what the schedule starts, on its slot."""
        g, c = self._stage[start], s.cluster
        j, kind = s.stage[g].job, s.stage[g].task_type
        if s.stage[g].closed:
            _open_stage(s, g)  # this policy would have let it wait: from now on it may not
        set_next_stage(s, j, kind, g)
        if not c.nodes:
            _put_first(s.free[own], c.free[own], self._slot[start])
        task = next_task(s, j, kind)
        task_starts(s, take_place(s, j, kind, own), j, kind, own)
        find_next_stage(s, j, kind)  # another one may go first in this policy's order of stages
        if self._next is not None:
            self._next.start(task, j, kind)


def _open_stage(s: State, child: int) -> None:
    """Let the tasks of a stage start before those that it waits for let them."""
    j = s.stage[child].job
    job = s.job[j]
    for g in range(job.first_stage, child):
        parent = s.stage[g]
        for e in range(parent.edge, parent.edge + parent.edges):
            if s.edge[e].child == child and not s.edge[e].met:
                s.edge[e].need = job.reduce_after = parent.done
                let_children_start(s, g)
    note_change(s, j)


def _put_first(heap: list[int], count: int, slot: int) -> None:
    """Let a slot be the first that a heap gives away; the others stay in order."""
    if heap[0] != slot:
        heap[:count] = [slot, *sorted(each for each in heap[:count] if each != slot)]


class NextTasks:
    """Which task of each stage a policy would start next, where another one decides which have started.

    Parameters
    ----------
    key : of each task, (tasks,)
    order, theirs : the tasks of every stage as this policy, and as the other one starts them, (tasks,);
        None for by number
    first : the first task of each stage, (stages,)
    """

    def __init__(
        self,
        key: NDArray[np.float64],
        order: NDArray[np.int32] | None,
        theirs: NDArray[np.int32] | None,
        first: NDArray[np.int32],
    ) -> None:
        by_number = np.arange(len(key), dtype=np.int32)
        self._key, self._first = key.tolist(), first.tolist()
        self._order = (by_number if order is None else order).tolist()
        self._theirs = (by_number if theirs is None else theirs).tolist()
        self._has_started = bytearray(len(key))
        self._place = [0] * len(self._first)
        self._written: dict[tuple[int, int], int] = {}

    def copy(self) -> NextTasks:
        """Return a copy that goes on by itself."""
        twin = copy(self)
        twin._has_started = bytearray(self._has_started)
        twin._place, twin._written = list(self._place), dict(self._written)
        return twin

    def start(self, task: int, job: int, kind: int) -> None:
        """Note that a task of a job and kind, as the other policy counts them, has started."""
        self._has_started[self._theirs[task]] = 1
        self._written.pop((job, kind), None)

    def write_waiting(self, s: State) -> None:
        """Write the key of the next task of each job that waits for another stage than before."""
        for kind in TASK_TYPES:
            head = s.cluster.head[kind]
            for j in s.queue[kind][head : head + s.cluster.waiting[kind]]:
                g = s.job[j].next_stage[kind]
                if self._written.get((j, kind)) != g:
                    self._written[j, kind] = g
                    self.write_key(s, g)

    def write_key(self, s: State, g: int) -> None:
        """Write the key of a stage's next task into its job's record."""
        first, stage, place = self._first[g], s.stage[g], self._place[g]
        while place < stage.tasks and self._has_started[self._order[first + place]]:
            place += 1
        self._place[g] = place
        if place < stage.tasks:
            s.job[stage.job].next[stage.task_type] = self._key[self._order[first + place]]
