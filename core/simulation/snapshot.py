"""What a run looks like at one moment, and what its policy answers about every candidate for a free slot.

Made by `core.simulation.simulate.Simulation.moment`; for explanations, not for simulating. The policy's own
functions are called interpreted, on copies: looking changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine import inputs
from core.engine.copies import Copies
from core.engine.hosts import at_rest
from core.engine.speculation import COPYING_TURN
from core.engine.state import (
    as_rows,
    copied,
    free_slots,
    idle_slots,
    lowest_free,
    queued_jobs,
    records_of,
    snapshot,
)
from core.model.errors import PolicyError
from core.model.task_types import MAP, REDUCE
from core.model.time_text import exact_clock
from core.policies.composing import templates
from core.policies.composing.hooks import Hooks, hooks_of
from core.policies.composing.kernel import interpreted_hooks, interpreted_kernel
from core.policies.policy import name_of
from core.policies.user_files.source import place_of_error
from core.simulation.second_copies import second_copies

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.engine.records import StageRecord
    from core.engine.state import State
    from core.policies.policy import ClusterRow, JobRow, Policy, PoolRow
    from core.simulation.second_copies import SecondCopy


@dataclass(frozen=True)
class Decision:
    """Which task gets which slot.

    Attributes
    ----------
    slot_kind, slot : the free slot that was offered: its type (MAP, REDUCE) and number
    job, kind : whose next task of which kind takes it
    start : how many tasks started before this one: its place in `Schedule.sequence`
    is_copy : whether it is a second copy of a task that runs
    """

    slot_kind: int
    slot: int
    job: int
    kind: int
    start: int
    is_copy: bool = False


@dataclass(frozen=True)
class Answer:
    """The policy's answers for one job's next task of one kind, for a free slot of one type.

    Attributes
    ----------
    job, kind : the candidate
    lends : whether a slot of this type may run this kind of task at all now
    pool_admits, admits : whether its pool, and the job itself, may have one more slot
    pool_key, key : the smallest goes first; empty if the policy has no such hook
    preference : compares candidates as the policy does: of those that may start, the smallest is picked
    """

    job: int
    kind: int
    lends: bool
    pool_admits: bool
    admits: bool
    pool_key: tuple[float, ...]
    key: tuple[float, ...]
    preference: tuple[float, ...]

    @property
    def may_start(self) -> bool:
        """Whether nothing forbids the task to start."""
        return self.lends and self.pool_admits and self.admits


class Snapshot:
    """A run at one moment, as rows that are read like `JobRow`, `PoolRow` and `ClusterRow`.

    Attributes
    ----------
    jobs, pools, cluster : the simulator's records
    queues : the jobs that have a task that could start, by rank, for MAP and for REDUCE
    free : the free slots of each type, ascending
    running : the task on each slot, -1 where it is free, int32 (slots,)
    decision : what the policy has just decided, if the run was stopped before a start
    """

    def __init__(
        self, policy: type[Policy], state: State, task_order: NDArray[np.int32] | None = None
    ) -> None:
        self._policy, self._state, self._task_order = policy, state, task_order
        empty: Any = np.zeros(0)
        few = state._replace(**dict.fromkeys(_LARGE, empty))
        if state.beats:
            few = few._replace(beats=at_rest(state.beats))
        if state.inputs:
            few = few._replace(inputs=inputs.at_rest(state.inputs))
        if state.given_up:
            few = few._replace(given_up=state.given_up._replace(line=empty))
        rows: Any = snapshot(few) if isinstance(state.job, list) else as_rows(few)
        self.jobs: list[JobRow] = rows.job
        self.pools: list[PoolRow] = rows.pool
        self.cluster: ClusterRow = rows.cluster
        self.queues = queues_of(state)
        self._rows = rows
        self.free = free_slots(rows)
        self.decision = held_decision(rows)

    @classmethod
    def glance(cls, policy: type[Policy], state: State) -> Snapshot:
        """Look at rows as they are, after the policy's `watch`: nothing is copied, and it is true for now."""
        here = cls.__new__(cls)
        here._policy, here._state, here._rows = policy, state, state
        rows: Any = state
        here.jobs, here.pools, here.cluster = rows.job, rows.pool, rows.cluster
        here.decision = None
        here.watched = (rows.job, rows.pool, rows.cluster)
        return here

    @property
    def stages(self) -> list[StageRecord]:
        """The records of all stages, those of a job one after the other."""
        stages: list[StageRecord] = self._rows.stage
        return stages

    @cached_property
    def running(self) -> NDArray[np.int32]:
        """The task on each slot, -1 where it is free, (slots,)."""
        state, started = self._state, self.cluster.started  # type: ignore[attr-defined]  # not for hooks
        tasks = np.asarray(state.sequence[:started], np.int32)
        running = np.full(len(state.slot_stage), -1, np.int32)
        if state.given_up:
            return self._running_by_slot()
        numbers = tasks if self._task_order is None else self._task_order[tasks]
        running[np.asarray(state.slot, np.int32)[tasks]] = numbers  # the last one on a slot stays
        running[list(idle_slots(self._rows))] = -1
        return running

    @property
    def second_copies(self) -> tuple[SecondCopy, ...]:
        """The second copies of tasks that run, by slot."""
        return second_copies(self._state, self._task_order)

    def _running_by_slot(self) -> NDArray[np.int32]:
        """Return the same where tasks may be given up, or have second copies, (slots,)."""
        place = np.asarray(self._state.given_up.on, np.int32)
        before = np.asarray(self._state.given_up.task, np.int32)[place]
        running = np.where(place < 0, -1, before if self._task_order is None else self._task_order[before])
        running[list(idle_slots(self._rows))] = -1
        return running.astype(np.int32)

    def choose(self, slot_kind: int) -> Decision | None:
        """Return what the policy decides about a free slot of this type; None if it declines or has none."""
        if self.decision is not None and self.decision.slot_kind == slot_kind:
            return self.decision
        if not self.offers(slot_kind) or not any(self.queues[kind] for kind in self._kinds(slot_kind)):
            return None
        kernel = interpreted_kernel(self._policy, use_tree=False)  # type: ignore[arg-type]  # a class is hashable
        jobs, pools, cluster = copied(self.jobs), copied(self.pools), copied(self.cluster)
        cluster.head = [0, 0]
        pick = self._called(kernel, slot_kind, self.queues, [], [], jobs, pools, cluster)
        if pick < 0:
            return None
        started: int = self.cluster.started  # type: ignore[attr-defined]  # not for hooks
        slot = lowest_free(self._rows, pick >> 1, pick & 1, slot_kind)
        return Decision(slot_kind, slot, pick >> 1, pick & 1, started)

    def offers(self, slot_kind: int) -> bool:
        """Whether a slot of this type is free, on nodes one with room for some task."""
        room: Any = self.cluster.room
        return len(self.free[slot_kind]) > 0 and max(room) > 0

    def lowest_free(self, answer: Answer, slot_kind: int) -> int:
        """Return the slot of this type that a candidate would get."""
        return lowest_free(self._rows, answer.job, answer.kind, slot_kind)

    def answers(self, slot_kind: int) -> list[Answer]:
        """Return the policy's answers about every candidate for a slot of this type, the preferred one first.

        Candidates are the jobs of the queues: those of the slot's own kind and, where slots may run either
        kind, those of the other; where nodes have room for one kind alone, those of that kind. A policy of
        free form has no hooks to ask: then by queue.
        """
        answers = [
            self.answer(j, kind, slot_kind) for kind in self._kinds(slot_kind) for j in self.queues[kind]
        ]
        return sorted(answers, key=lambda answer: (not answer.may_start, answer.preference))

    def _kinds(self, slot_kind: int) -> tuple[int, ...]:
        """Return the kinds of task that a slot of this type may run at all, on nodes those with room."""
        cluster: Any = self.cluster
        either = (slot_kind, 1 - slot_kind)[: 1 + cluster.lends]
        return tuple(kind for kind in either if cluster.room[kind] > 0) or either

    @cached_property
    def watched(self) -> tuple[list[JobRow], list[PoolRow], ClusterRow]:
        """The records as the hooks see them: `watch` has been called."""
        rows = self.jobs, self.pools, self.cluster
        if self.decision is None:
            rows = copied(self.jobs), copied(self.pools), copied(self.cluster)
            self._called(self._functions["watch"], *rows)
        return rows

    @property
    def _functions(self) -> dict[str, Any]:
        return interpreted_hooks(self._policy)  # type: ignore[arg-type]  # a class is hashable

    @cached_property
    def _hooks(self) -> Hooks:
        return hooks_of(self._policy)

    def answer(self, j: int, kind: int, slot: int) -> Answer:
        """Return what the policy answers about a job's next task of a kind, for a slot of this type."""
        hooks = self._hooks
        jobs, pools, cluster = self.watched
        job, pool = jobs[j], pools[jobs[j].pool]
        functions: Any = self._functions
        turn = int(kind != slot)
        key: tuple[float, ...] = ()
        pool_key: tuple[float, ...] = ()
        if "key" in hooks.functions:
            key = tuple(self._called(functions["key"], job, kind, slot, pool, cluster))
        if "pool_key" in hooks.functions:
            compared = _kind_of_pools(hooks.template, kind, slot, cluster)
            pool_key = tuple(self._called(functions["pool_key"], pool, compared, cluster))
        return Answer(
            job=j,
            kind=kind,
            lends=turn == 0 or self._may_lend(hooks, slot, kind),
            pool_admits=bool(self._called(functions["pool_admits"], pool, kind, cluster)),
            admits=bool(self._called(functions["admits"], job, kind, slot, pool, cluster)),
            pool_key=pool_key,
            key=key,
            preference=_preference(hooks, kind, turn, cluster, job, pool_key, key),
        )

    def _may_lend(self, hooks: Hooks, slot: int, kind: int) -> bool:
        """Whether a slot may run the other kind of task now; containers of pools always may."""
        cluster = self.watched[2]
        if cluster.containers and hooks.template is templates.by_pool:
            return True
        return bool(self._called(self._functions["lends"], slot, kind, cluster))

    def _called(self, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Exception as error:  # a policy's own code may raise anything
            why = f"raised {type(error).__name__} at {exact_clock(self.cluster.now)}: {error}"
            place = place_of_error(error, self._policy.source)
            raise PolicyError(f"policy {name_of(self._policy)} {why}", place) from error


def queues_of(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the jobs that have a task that could start, by rank, for MAP and for REDUCE."""
    return tuple(tuple(queued_jobs(state, kind)) for kind in (MAP, REDUCE))


_LARGE = (
    "duration",
    "first_shuffle",
    "typical_shuffle",
    "task_key",
    "slot",
    "sequence",
    "start",
    "shuffled",
    "end",
    "tree",
    "finish",
    "queue",
    "trees",
    "keys",
)
"""What is large and not asked for."""


def held_decision(state: State) -> Decision | None:
    """Return the decision that a stopped run has taken but not carried out."""
    cluster = records_of(state).cluster
    if cluster.held < 0:
        return None
    own, (job, kind) = int(cluster.turn) & 1, divmod(int(cluster.held), 2)
    is_copy = cluster.turn >= COPYING_TURN and isinstance(state.given_up, Copies)
    return Decision(own, lowest_free(state, job, kind, own), job, kind, int(cluster.started), is_copy)


def _kind_of_pools(template: Any, kind: int, slot: int, cluster: Any) -> int:
    """Return for which kind the template compares pools."""
    if template is templates.pool_first:
        return MAP
    return slot if cluster.containers else kind


def _preference(
    hooks: Hooks,
    kind: int,
    turn: int,
    cluster: Any,
    job: Any,
    pool_key: tuple[float, ...],
    key: tuple[float, ...],
) -> tuple[float, ...]:
    """Return what compares as the template does."""
    template = hooks.template
    equal = (job.rank, job.stage_place[kind]) if hooks.staged else (turn, job.rank)
    if template is templates.in_order and cluster.containers:
        return equal if hooks.staged else (job.rank, turn)
    if template is templates.in_order:
        return (turn, job.rank)
    if template is templates.by_pool and cluster.containers:
        return (*pool_key, job.pool, *key, *equal)
    if template is templates.by_pool:
        return (turn, *pool_key, job.pool, *key, job.rank)
    if template is templates.pool_first:
        return (*pool_key, job.pool, turn, *key, job.rank)
    return (*key, *equal)
