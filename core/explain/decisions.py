"""One decision of a policy: every candidate for a free slot, who won, who came second or why nobody did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.explain.job_slots import own_slots
from core.policies.composing import templates
from core.policies.composing.kernel import hooks_of

if TYPE_CHECKING:
    from core.policies.composing.kernel import Hooks
    from core.simulation.simulate import Simulation
    from core.simulation.snapshot import Answer, Snapshot


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
