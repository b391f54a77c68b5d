"""One decision of a policy: every candidate for a free slot, who won, who came second or why nobody did.

As numbers and in sentences for newcomers; the policy's own docstrings say what its numbers mean.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.explain.slots import own_slots
from core.explain.words import KIND_WORDS, clock, count, listed, number, place_noun
from core.policies.composing import templates
from core.policies.composing.kernel import hooks_of
from core.policies.policy import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.explain.replay import Replay
    from core.policies.composing.kernel import Hooks
    from core.policies.policy import Policy
    from core.simulation.simulate import Simulation
    from core.simulation.snapshot import Answer, Snapshot

HOOKS = (
    ("pool_key", "Pool key"),
    ("key", "Key"),
    ("pool_admits", "A pool's limit"),
    ("admits", "A job's limit"),
    ("lends", "Lending"),
    ("choose", "Choice"),
)
"""What each hook is called, in the order in which they matter."""
ORDERS = {"arrival": "earliest arrival first", "deadline": "earliest deadline first"}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A job that could start a task on the slot that is offered.

    Attributes
    ----------
    job, kind : whose next task of which kind
    pending, running : its tasks of that kind that wait and that run
    rank : its place in the policy's queue, from 0: it breaks every tie
    lends : whether a slot of this type may run this kind of task at all now
    pool_admits, admits : whether its pool, and the job itself, may have one more slot
    pool_key, key : the numbers that the policy compares, the smallest first; empty where it has none
    """

    job: int
    kind: int
    pending: int
    running: int
    rank: int
    lends: bool = True
    pool_admits: bool = True
    admits: bool = True
    pool_key: tuple[float, ...] = ()
    key: tuple[float, ...] = ()

    @property
    def may_start(self) -> bool:
        """Whether nothing forbids the task to start."""
        return self.lends and self.pool_admits and self.admits


@dataclass(frozen=True, slots=True)
class DecisionReason:
    """What a policy answered about a free slot.

    Attributes
    ----------
    time : seconds
    start : how many tasks had started before: for a decision that starts one, its place in the sequence
    slot, slot_kind : the free slot offered, and its type (MAP, REDUCE; MAP for containers)
    candidates : the jobs that could use the slot, those the policy refuses last, each group by preference;
        a policy of free form (`choose`) tells no preference: then by queue
    winner : the candidate that gets the slot, None if the policy declined
    runner_up : who would have got it otherwise; None if nobody, and for a policy of free form
    """

    time: float
    start: int
    slot: int
    slot_kind: int
    candidates: tuple[Candidate, ...]
    winner: Candidate | None
    runner_up: Candidate | None


def decision_reason(run: Simulation, slot_kind: int | None = None) -> DecisionReason | None:
    """Explain what the policy decides about a free slot.

    Parameters
    ----------
    run : stopped somewhere; it is only looked at
    slot_kind : the type of the free slot (MAP, REDUCE); None for that of the decision that the run was
        stopped before

    Returns
    -------
    DecisionReason or None
        None if no slot of that type is free, or if the run was not stopped before a decision

    Raises
    ------
    PolicyError
        the policy's own code raised an exception
    """
    moment = run.moment()
    if slot_kind is None and moment.decision is not None:
        slot_kind = moment.decision.slot_kind
    if slot_kind is None or not moment.free[slot_kind]:
        return None
    hooks = hooks_of(run.policy)
    picked = moment.choose(slot_kind)
    slot = moment.free[slot_kind][0] if picked is None else picked.slot
    candidates = tuple(
        candidate
        for candidate in _candidates(moment, hooks, slot_kind)
        if run.partition is None or slot in own_slots(run, candidate.job, slot_kind)
    )
    winner = next((c for c in candidates if picked and (c.job, c.kind) == (picked.job, picked.kind)), None)
    ranked = winner is not None and hooks.template is not templates.free_form
    others = (c for c in candidates if c is not winner and c.may_start)
    return DecisionReason(
        time=run.now,
        start=run.started,
        slot=slot,
        slot_kind=slot_kind,
        candidates=candidates,
        winner=winner,
        runner_up=next(others, None) if ranked else None,
    )


def open_offers(run: Simulation) -> tuple[DecisionReason, ...]:
    """Explain what the policy answers about each type of slot that is free while a task could use it.

    At a time at which all slots were handed out these are the slots that the policy declined.
    """
    reasons = (decision_reason(run, kind) for kind, free in enumerate(run.moment().free) if free)
    return tuple(reason for reason in reasons if reason is not None and reason.candidates)


def _candidates(moment: Snapshot, hooks: Hooks, slot_kind: int) -> tuple[Candidate, ...]:
    if hooks.template is not templates.free_form:
        return tuple(_candidate(moment, answer) for answer in moment.ask(slot_kind))
    kinds = (slot_kind, 1 - slot_kind)[: 1 + moment.cluster.lends]  # type: ignore[attr-defined]  # not for hooks
    return tuple(_waiting(moment, job, kind) for kind in kinds for job in moment.queues[kind])


def _candidate(moment: Snapshot, answer: Answer) -> Candidate:
    job, kind = moment.jobs[answer.job], answer.kind
    return Candidate(
        job=answer.job,
        kind=kind,
        pending=job.tasks[kind] - job.started[kind],
        running=job.running[kind],
        rank=job.rank,
        lends=answer.lends,
        pool_admits=answer.pool_admits,
        admits=answer.admits,
        pool_key=answer.pool_key,
        key=answer.key,
    )


def _waiting(moment: Snapshot, j: int, kind: int) -> Candidate:
    job = moment.jobs[j]
    return Candidate(j, kind, job.tasks[kind] - job.started[kind], job.running[kind], job.rank)


def decision_sentences(run: Simulation, reason: DecisionReason) -> tuple[str, ...]:
    """Say what was decided and why.

    Parameters
    ----------
    run : any run of the same policy on the same workload
    reason : what to put into words
    """
    hooks = hooks_of(run.policy)
    words = _Words(run, reason, hooks)
    if reason.winner is None:
        return (words.declined(), *words.unasked(), *words.refusals())
    return (words.given(), *words.comparison(reason.winner), *words.refusals())


def policy_rule(run: Simulation) -> tuple[str, ...]:
    """Say how the policy decides: its summary, then what its keys and limits mean, one sentence each."""
    hooks = hooks_of(run.policy)
    policy = hooks.policy
    said = [f"{policy.title or name_of(policy)}: {_first_line(policy.__doc__)}"]
    for name, title in HOOKS:
        if name in hooks.functions:
            said.append(f"{title}: {_first_line(hooks.functions[name].__doc__) or _source_of(hooks, name)}")
    said.append(f"Queue: {_queue_order(policy, run.order is not None)}.")
    return tuple(said)


def _queue_order(policy: type[Policy], by_hand: bool) -> str:
    if by_hand:
        return "the order made by hand"
    if isinstance(policy.order, str):
        return ORDERS.get(policy.order, policy.order)
    return _first_line(policy.order.__doc__).rstrip(".").lower() or "as the policy orders the jobs"


def _first_line(text: str | None) -> str:
    return (text or "").strip().split("\n")[0]


def _source_of(hooks: Hooks, name: str) -> str:
    """Return what a hook without a docstring computes: its last line."""
    try:
        lines = inspect.getsource(hooks.functions[name]).strip().splitlines()
    except OSError:
        return "the policy does not say"
    return lines[-1].split("return ", 1)[-1].strip()


class _Words:
    """What the sentences about one decision have in common."""

    def __init__(self, run: Simulation, reason: DecisionReason, hooks: Hooks) -> None:
        self._jobs = run.workload.jobs
        self._cluster = run.cluster
        self._reason, self._hooks = reason, hooks
        self._title = hooks.policy.title or name_of(hooks.policy)

    def given(self) -> str:
        """Say who got which slot."""
        winner = self._reason.winner
        assert winner is not None
        slot, time = self._cluster.slot_name(self._reason.slot), clock(self._reason.time)
        name, kind = self._jobs[winner.job].name, KIND_WORDS[winner.kind]
        borrowed = winner.kind != self._reason.slot_kind and not self._cluster.has_containers
        lent = f", although it is a {self._noun()}" if borrowed else ""
        return f"{slot} was free at {time}{lent}; {self._title} gave it to {name} for its next {kind}."

    def declined(self) -> str:
        """Say that a slot stayed free."""
        slot, time = self._cluster.slot_name(self._reason.slot), clock(self._reason.time)
        waiting = count(len(self._reason.candidates), "job")
        wait = "waits" if len(self._reason.candidates) == 1 else "wait"
        return f"{slot} stays free at {time}: {self._title} declines it, although {waiting} {wait} for one."

    def unasked(self) -> tuple[str, ...]:
        """Say why a slot stays free although candidates are admitted, as far as the policy tells."""
        if not any(candidate.may_start for candidate in self._reason.candidates):
            return ()
        if self._hooks.template is templates.free_form:
            return ("It decides by code of its own, which gives no reasons.",)
        return ("What it would start next needs a slot of the other type.",)

    def comparison(self, winner: Candidate) -> tuple[str, ...]:
        """Say why the winner was preferred to the runner-up."""
        second = self._reason.runner_up
        if second is None:
            alone = len(self._reason.candidates) == 1
            return ("No other job waits for such a slot.",) if alone else ()
        first, other = self._jobs[winner.job].name, self._jobs[second.job].name
        if winner.job == second.job:
            return (f"Its {KIND_WORDS[second.kind]}s would have been next.",)
        return (f"{other} would have been next: {self._difference(winner, second, first, other)}.",)

    def _difference(self, winner: Candidate, second: Candidate, first: str, other: str) -> str:
        pools = self._jobs[winner.job].pool, self._jobs[second.job].pool
        template = self._hooks.template
        typed = not self._cluster.has_containers
        own_kind_first = f"a {self._noun()} serves {KIND_WORDS[self._reason.slot_kind]}s first"
        if winner.kind != second.kind and template is templates.by_pool and typed:
            return own_kind_first
        if pools[0] != pools[1] and winner.pool_key:
            return self._smaller("pool key", winner.pool_key, second.pool_key, *pools) or (
                f"pools {pools[0]} and {pools[1]} have the same pool key, and {pools[0]} comes first"
            )
        if winner.kind != second.kind and template is templates.pool_first:
            return own_kind_first
        if said := self._smaller("key", winner.key, second.key, first, other):
            return said
        if winner.kind != second.kind and (typed or template is not templates.in_order):
            return own_kind_first
        same = "both have the same key, and " if winner.key else ""
        return f"{same}{first} stands before it in the queue"

    def _smaller(
        self, what: str, mine: Sequence[float], theirs: Sequence[float], one: str, other: str
    ) -> str:
        """Say whose key is smaller; nothing if they are equal."""
        if tuple(mine) == tuple(theirs):
            return ""
        return f"the {what} of {one} is {_shown(mine)}, smaller than {_shown(theirs)} of {other}"

    def refusals(self) -> tuple[str, ...]:
        """Say who was not allowed to take the slot, and which rule forbade it."""
        groups: dict[str, list[str]] = {}
        for candidate in self._reason.candidates:
            if not candidate.may_start:
                groups.setdefault(self._refusal(candidate), []).append(self._jobs[candidate.job].name)
        return tuple(
            f"Not admitted: {listed(list(dict.fromkeys(names)))}; {why}." for why, names in groups.items()
        )

    def _refusal(self, candidate: Candidate) -> str:
        kind = KIND_WORDS[candidate.kind]
        if not candidate.lends:
            return f"a {self._noun()} is not lent to {kind}s now"
        if not candidate.pool_admits:
            return f"the pool may have no further {kind} now"
        return f"the job may have no further {kind} now"

    def _noun(self) -> str:
        return place_noun(self._reason.slot_kind, self._cluster)


def _shown(key: Sequence[float]) -> str:
    return number(key[0]) if len(key) == 1 else f"({', '.join(map(number, key))})"


def held_reason(
    replay: Replay,
    task: int,
    time: float,
    should_stop: Callable[[], bool] | None = None,
) -> tuple[str, ...]:
    """Say which slot the policy declined at a time although a task could have run on it, and by which rule.

    Parameters
    ----------
    replay : of the schedule
    task : it waits at that time: the waiter of a link of cause HELD, a task whose start has the cause POLICY
    time : seconds, for example the begin of that link
    should_stop : asked now and then; True cancels

    Returns
    -------
    tuple of str
        empty if no slot was declined then
    """
    columns = replay.schedule.workload.columns
    wanted = int(columns.job[task]), int(columns.kind[task])
    run = replay.at(time, None, should_stop)
    for offer in open_offers(run):
        if offer.winner is None and any((c.job, c.kind) == wanted for c in offer.candidates):
            return decision_sentences(run, offer)
    return ()
