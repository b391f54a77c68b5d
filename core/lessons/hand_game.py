"""Be the scheduler: a run in which the user gives every free slot to a job, with undo to the beginning.

The run stands at the slot that is offered next. What was picked becomes the parameter of the policy `by-hand`
(`core.policies.by_hand`), which leads to the same schedule.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.lessons.hand_run import NO_JOB, HandStanding, begin_run, carry_out, last_arrival
from core.model.errors import InputError, StalledError
from core.model.number_text import grouped
from core.model.schedule import PolicyChoice
from core.model.task_types import KIND_WORDS, TASK_TYPES
from core.model.time_text import clock_text
from core.policies.by_hand import PICKS, ByHand, leave_free, nothing_follows, picks_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.schedule import Fork, Schedule
    from core.model.workload import Workload
    from core.simulation.simulate import Simulation
    from core.simulation.snapshot import Decision

MAX_TASKS = 5000
"""Nobody gives away more slots by hand."""
TASKS_PER_COPY = 200
"""Before every action a copy of the run is kept for undo; of larger workloads before every second one."""
FINISH = -2
"""Instead of a kind of task: the game is over."""


@dataclass(frozen=True)
class HandCandidate:
    """A job that may have the slot that is offered.

    Attributes
    ----------
    job, kind : whose next task of which kind it would start
    left : its maps and its reduces that have not started, or its tasks of first and of later stages
    seconds : how long one of these takes on average, its shuffle included; 0 for none
    """

    job: int
    kind: int
    left: tuple[int, int]
    seconds: tuple[float, float]


@dataclass(frozen=True)
class Offer:
    """A free slot that the user has to give to a job, or leave free.

    Attributes
    ----------
    time : seconds
    slot_kind, slot : its type (0 for containers) and its number
    free : how many slots of its type are free
    candidates : who may have it, the job that arrived first in front
    may_leave : whether it may stay free: something else has yet to happen
    """

    time: float
    slot_kind: int
    slot: int
    free: int
    candidates: tuple[HandCandidate, ...]
    may_leave: bool


@dataclass(frozen=True)
class Action:
    """Giving slots to a job, or to none: so many of the type as are free then.

    `takes_forced` is whether slots for which there was one candidate alone went to that one after it.
    """

    job: int
    kind: int
    most: int
    takes_forced: bool


@dataclass(frozen=True)
class _UndoCopy:
    """The run before an action, with the places of its starts for which a slot had been left free."""

    run: Simulation
    left_free: frozenset[int]
    dated: frozenset[int]


class HandGame:
    """A game from time 0 or from a fork on.

    Attributes
    ----------
    workload, cluster, fork : what is scheduled
    takes_forced : whether a slot goes to the only candidate without asking
    first_forced : whether it did so when the game began
    offer : what has to be decided now; None where the game is over or stuck
    stuck : why nothing can go on, as a sentence; empty while something can
    actions : what the player did
    places : of each action the time, in seconds, and the slot that was offered
    """

    def __init__(
        self, workload: Workload, cluster: Cluster, fork: Fork | None = None, *, takes_forced: bool = True
    ) -> None:
        tasks = len(workload.columns.job)
        if tasks > MAX_TASKS:
            raise InputError(
                f"{workload.name} has {grouped(tasks)} tasks; by hand {grouped(MAX_TASKS)} are the most: "
                "take fewer jobs"
            )
        if cluster.events is not None:
            raise InputError("no schedule is made by hand where nodes fail; take a cluster without events")
        self.workload, self.cluster, self.fork = workload, cluster, fork
        self.takes_forced = takes_forced
        self.offer: Offer | None = None
        self.stuck = ""
        self.actions: list[Action] = []
        self.places: list[tuple[float, int]] = []
        self._undone: list[Action] = []
        self._per_copy = 1 + tasks // TASKS_PER_COPY
        self._last_arrival = last_arrival(workload)
        self._run = begin_run(workload, cluster, fork)
        self.begun = self._run.started
        self._left_free: set[int] = set()
        self._dated: set[int] = set()
        self.first_forced = takes_forced
        self._copies: dict[int, _UndoCopy] = {}
        self._held: Decision | None = None
        self._go_on(self.begun)
        self._keep_copy()
        if takes_forced:
            self._take_forced()
        self._find_offer()

    # ---- what is the case

    @property
    def now(self) -> float:
        """The present, in seconds."""
        return self._run.now

    @property
    def is_over(self) -> bool:
        """Whether every task has started: the schedule is complete."""
        return self.offer is None and not self.stuck

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return bool(self.actions)

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back."""
        return bool(self._undone)

    @property
    def running(self) -> int:
        """How many tasks run now."""
        return sum(self._run.counts.running)

    @property
    def started(self) -> int:
        """How many tasks have started."""
        return self._run.started

    def schedule(self) -> Schedule:
        """Return what has been scheduled so far, or all of it when the game is over."""
        schedule = self._run.schedule()
        return schedule if self.fork is None else replace(schedule, fork=self.fork)

    def drawable(self) -> Schedule:
        """Return the same for a chart: what has no end yet is drawn as far as ends are known."""
        schedule, known = self.schedule(), self.known_end
        waiting = (schedule.slot >= 0) & np.isnan(schedule.end)
        columns = {name: np.where(waiting, known, getattr(schedule, name)) for name in ("shuffled", "end")}
        columns["finish"] = np.where(np.isfinite(schedule.finish), schedule.finish, known)
        for column in columns.values():
            column.flags.writeable = False
        return replace(schedule, shuffled=columns["shuffled"], end=columns["end"], finish=columns["finish"])

    @property
    def known_end(self) -> float:
        """When the last of the tasks that have started ends, as far as that is known; seconds."""
        schedule = self._run.schedule()
        return float(np.nanmax([self.now, *schedule.end[schedule.slot >= 0]]))

    @property
    def waiting(self) -> int:
        """How many jobs have a task that could start now, on a slot of either type."""
        return len({job for queue in self._run.queues() for job in queue})

    def standing(self) -> HandStanding:
        """Return a copy of the run as it stands now."""
        return HandStanding(self._run.fork(), self._held, is_stuck=bool(self.stuck))

    @property
    def picks(self) -> str:
        """What was picked, as the policy `by-hand` reads it; what has not been follows as FIFO has it."""
        text = picks_of(self._run.schedule(), self.begun, self._dated)
        if self.is_over or not (self._dated or self._left_free):
            return text
        until = f"at {self.now!r} s"
        return f"{text}, {until}" if text else until

    @property
    def choice(self) -> PolicyChoice:
        """The policy that does the same again."""
        return PolicyChoice(ByHand.id, {PICKS: self.picks})

    # ---- what the player does

    def pick(self, job: int, kind: int, most: int = 1) -> None:
        """Give the slot to a job, and up to `most` slots of its type that are free now.

        Raises
        ------
        InputError
            the job has no task of this kind that could start there
        """
        if self.offer is None or (job, kind) not in _named(self.offer):
            name = self.workload.jobs[job].name
            word = KIND_WORDS[kind] if self.workload.is_map_reduce else "task"
            raise InputError(f"{name} has no {word} that could start on this slot now")
        self._do(Action(job, kind, most, self.takes_forced))

    def leave_free(self) -> None:
        """Leave the slot free until something changes; InputError if nothing else can happen."""
        if self.offer is None:
            return
        if not self.offer.may_leave:
            raise InputError(
                "nothing runs and no job is to arrive, so a slot that is left free stays free for ever; "
                "give it to a job"
            )
        self._do(Action(NO_JOB, self.offer.slot_kind, 1, self.takes_forced))

    def finish(self) -> None:
        """Give every slot that is left to the job that arrived first, as one action."""
        if self.offer is not None:
            self._do(Action(NO_JOB, FINISH, 0, takes_forced=False))

    def undo(self) -> None:
        """Take back the last action, with what was forced after it."""
        if not self.actions:
            return
        self._undone.append(self.actions.pop())
        wanted, self.actions = self.actions, []
        place = max(number for number in self._copies if number <= len(wanted))
        self._copies = {number: copy for number, copy in self._copies.items() if number <= place}
        kept = self._copies[place]
        self._run = kept.run.fork()
        self._left_free, self._dated = set(kept.left_free), set(kept.dated)
        self.stuck = ""
        self._go_on(self._run.started)
        self.actions = wanted[:place]
        del self.places[place:]
        if place == 0 and self.first_forced:
            self._take_forced()
        self._find_offer()
        for action in wanted[place:]:
            self._carry_out(action)

    def redo(self) -> None:
        """Do again what was taken back last."""
        if self._undone:
            self._carry_out(self._undone.pop())

    # ---- how

    def _do(self, action: Action) -> None:
        self._undone.clear()
        self._carry_out(action)

    def _carry_out(self, action: Action) -> None:
        self._keep_copy()
        assert self.offer is not None
        self.actions.append(action)
        self.places.append((self.offer.time, self.offer.slot))
        if action.kind == FINISH:
            self._run_to_the_end()
        elif action.job == NO_JOB:
            self._left_free.add(action.kind)
            leave_free(self._run.counts, action.kind)
            self._decide(NO_JOB)
        else:
            self._give(action)
        if action.takes_forced:
            self._take_forced()
        self._find_offer()

    def _give(self, action: Action) -> None:
        """Let a job have slots of the type that is offered, as many as this instant has and it can use."""
        assert self.offer is not None
        here = self.offer.time, self.offer.slot_kind
        left = next(each.left[each.kind] for each in self.offer.candidates if _is_of(each, action))
        for _ in range(min(action.most, left)):
            counts = self._run.counts
            if self._held is None or here != (self.now, self._held.slot_kind) or not counts.room[action.kind]:
                break
            self._decide(2 * action.job + action.kind)

    def _take_forced(self) -> None:
        """Let the only candidate have the slot, again and again: the policy has decided for it."""
        while self._held is not None and self._candidates(self._held.slot_kind) == 1:
            self._decide(2 * self._held.job + self._held.kind)

    def _candidates(self, slot_kind: int) -> int:
        """Return how many jobs' tasks could take a slot of this type."""
        counts = self._run.counts
        kinds = TASK_TYPES if counts.containers else (slot_kind,)
        return sum(counts.waiting[kind] for kind in kinds if counts.room[kind])

    def _run_to_the_end(self) -> None:
        """Let the policy decide all that is left: without picks it is FIFO."""
        begun, slots = self._run.started, self.cluster.typed_slots[0]
        try:
            while not self._run.advance():
                pass
        except StalledError:
            self._note_stuck()
        self._held = None
        schedule = self._run.schedule()
        later = schedule.slot[schedule.sequence[begun:]]
        types = ((later >= slots) & (not self.cluster.has_containers)).astype(np.int64)
        for slot_kind in self._left_free & set(types.tolist()):
            self._dated.add(begun + int(np.argmax(types == slot_kind)))
            self._left_free.remove(slot_kind)

    def _decide(self, pick: int) -> None:
        """Let the run carry out this decision in the place of its policy's, and go on to the next one."""
        if pick != NO_JOB and self._held is not None and self._held.slot_kind in self._left_free:
            self._left_free.remove(self._held.slot_kind)
            self._dated.add(self._run.started)
        try:
            self._held = carry_out(self._run, pick)
        except StalledError:
            self._held = None
            self._note_stuck()

    def _go_on(self, start: int) -> None:
        """Go to the next slot that is offered."""
        try:
            self._held = self._run.advance_to_start(start)
        except StalledError:
            self._held = None
            self._note_stuck()

    def _note_stuck(self) -> None:
        waits_for = "maps" if self.workload.is_map_reduce else "tasks of other stages"
        self.stuck = (
            f"At {clock_text(self._run.now)} nothing can go on: what waits finds no room, and what runs "
            f"waits for {waits_for} that find none. Take something back."
        )

    def _find_offer(self) -> None:
        """Find the jobs that may have the slot."""
        self.offer = None if self._held is None else self._offer_of(self._held)

    def _offer_of(self, decision: Decision) -> Offer:
        moment, has_begun = self._run.moment(), self._run.schedule().slot >= 0
        return Offer(
            time=self._run.now,
            slot_kind=decision.slot_kind,
            slot=decision.slot,
            free=len(moment.free[decision.slot_kind]),
            candidates=tuple(
                self._candidate(has_begun, answer.job, answer.kind)
                for answer in moment.answers(decision.slot_kind)
                if answer.may_start
            ),
            may_leave=not nothing_follows(moment.cluster, self._last_arrival),
        )

    def _candidate(self, has_begun: NDArray[np.bool_], job: int, kind: int) -> HandCandidate:
        columns = self.workload.columns
        first = columns.stages.first[columns.stages.begin[job]]
        own = slice(first, first + self.workload.jobs[job].task_count)
        left = [first + np.flatnonzero((columns.kind[own] == each) & ~has_begun[own]) for each in TASK_TYPES]
        lengths = [columns.duration[each] + columns.typical_shuffle[each] for each in left]
        maps, reduces = ((len(each), float(each.mean()) if len(each) else 0.0) for each in lengths)
        return HandCandidate(job, kind, (maps[0], reduces[0]), (maps[1], reduces[1]))

    def _keep_copy(self) -> None:
        """Keep the run as it stands, for undo."""
        if len(self.actions) % self._per_copy == 0:
            kept = frozenset(self._left_free), frozenset(self._dated)
            self._copies[len(self.actions)] = _UndoCopy(self._run.fork(), *kept)


def replayed(
    workload: Workload, cluster: Cluster, fork: Fork | None, first_forced: bool, actions: Sequence[Action]
) -> Iterator[HandStanding]:
    """Play a game again, and yield how it stands before each action, and after the last one."""
    game = HandGame(workload, cluster, fork, takes_forced=first_forced)
    yield game.standing()
    for action in actions:
        game._carry_out(action)
        yield game.standing()


def _is_of(candidate: HandCandidate, action: Action) -> bool:
    return (candidate.job, candidate.kind) == (action.job, action.kind)


def _named(offer: Offer) -> set[tuple[int, int]]:
    return {(each.job, each.kind) for each in offer.candidates}
