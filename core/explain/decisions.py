"""One decision of a policy: every candidate for a free slot, the winner, the runner-up, or why there is none.

As numbers and in sentences for newcomers: what the numbers mean is declared beside the policy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.explain.explanation_words import count, listed, place_noun, task_word
from core.explain.slots import own_slots
from core.explain.standing import Standings, explains_of
from core.model.partition import pools_in_use
from core.model.task_types import KIND_WORDS, TASK_TYPES
from core.model.time_text import exact_clock
from core.policies.composing import templates
from core.policies.composing.hooks import hooks_of
from core.policies.policy import name_of
from core.policies.user_files.apart import where_policies_live
from core.simulation.snapshot import Answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.explain.standing import Standing
    from core.policies.explains import Number
    from core.policies.policy import Policy
    from core.simulation.simulate import Simulation
    from core.simulation.snapshot import Decision, Snapshot

OTHER_STAGES = ("first stages", "later stages")
"""What of a job comes next, by the type of slot, where jobs have other stages than maps and reduces."""


@dataclass(frozen=True)
class Candidate(Answer):
    """A job that could start a task on the slot that is offered, and the policy's numbers for it.

    Attributes
    ----------
    pending, running : its tasks of that kind that wait and that run
    rank : its place in the policy's queue, from 0: it breaks every tie
    standing : the numbers that the policy decides by, and where it says that the job stands
    """

    pending: int
    running: int
    rank: int
    standing: Standing


@dataclass(frozen=True, slots=True)
class DecisionReason:
    """What a policy answered about a free slot.

    Attributes
    ----------
    time : seconds
    start : how many tasks had started before: for a decision that starts one, its place in the sequence
    slot, slot_kind : the free slot offered, and its type (the first one for containers)
    candidates : the jobs that could use the slot, those the policy refuses last, each group by preference;
        a policy of free form (`choose`) has no preference: then by queue
    numbers : what the policy decides by, one for each column of a list of the candidates
    winner : the candidate that gets the slot, None if the policy declined
    runner_up : who would have got it otherwise; None if there is none, and for a policy of free form
    sentences : what was decided and why, in words
    """

    time: float
    start: int
    slot: int
    slot_kind: int
    candidates: tuple[Candidate, ...]
    numbers: tuple[Number, ...]
    winner: Candidate | None
    runner_up: Candidate | None
    sentences: tuple[str, ...] = ()


@where_policies_live
def decision_reason(run: Simulation, slot_kind: int | None = None) -> DecisionReason | None:
    """Return what the policy decides about a free slot, and why.

    Parameters
    ----------
    run : stopped somewhere; it is only looked at
    slot_kind : the type of the free slot; None for that of the decision that the run was
        stopped before, and elsewhere for the first type whose slots a task could use

    Returns
    -------
    DecisionReason or None
        None if no slot of that type is free, on nodes if there is no room for any task

    Raises
    ------
    PolicyError
        the policy's own code raised an exception
    """
    moment = run.moment()
    if slot_kind is None:
        if moment.decision is None:
            return next(iter(open_offers(run)), None)
        slot_kind = moment.decision.slot_kind
    if not moment.offers(slot_kind):
        return None
    picked, standings, answers = moment.choose(slot_kind), Standings(run, moment), moment.answers(slot_kind)
    slot = moment.free[slot_kind][0] if picked is None else picked.slot
    if picked is None and run.cluster.has_nodes and answers:  # the lowest one may have no room
        slot = moment.lowest_free(answers[0], slot_kind)
    candidates = tuple(
        _candidate(moment, standings, answer, slot_kind)
        for answer in answers
        if run.partition is None or slot in own_slots(run, answer.job, slot_kind)
    )
    taken = None if picked is None or picked.is_copy else (picked.job, picked.kind)
    winner = next((c for c in candidates if (c.job, c.kind) == taken), None)
    ranked = winner is not None and hooks_of(run.policy).template is not templates.free_form
    others = (c for c in candidates if c is not winner and c.may_start)
    reason = DecisionReason(
        time=run.now,
        start=run.started,
        slot=slot,
        slot_kind=slot_kind,
        candidates=candidates,
        numbers=tuple(each.for_workload(run.workload) for each in standings.explains.numbers if each.title),
        winner=winner,
        runner_up=next(others, None) if ranked else None,
    )
    return replace(reason, sentences=_Words(run, reason, moment.decision).all())


@where_policies_live
def open_offers(run: Simulation) -> tuple[DecisionReason, ...]:
    """Explain what the policy answers about each type of slot that is free while a task could use it.

    At a time at which all slots were handed out these are the slots that the policy declined.
    """
    reasons = (decision_reason(run, kind) for kind, free in enumerate(run.moment().free) if free)
    return tuple(reason for reason in reasons if reason is not None and reason.candidates)


def _candidate(moment: Snapshot, standings: Standings, answer: Answer, slot_kind: int) -> Candidate:
    job, kind = moment.jobs[answer.job], answer.kind
    return Candidate(
        **vars(answer),
        pending=job.tasks[kind] - job.started[kind],
        running=job.running[kind],
        rank=job.rank,
        standing=standings.of(answer, slot_kind),
    )


def title_of(policy: type[Policy]) -> str:
    """Return how sentences call a policy."""
    return policy.title or name_of(policy)


@where_policies_live
def policy_rule(run: Simulation) -> str:
    """Return how the policy decides, and which durations it was given."""
    policy, estimates = run.explained, run.choice.estimates
    given = "" if estimates is None or not policy.reads_durations else f" It was {estimates.sentence}."
    return f"{title_of(policy)}: {explains_of(policy).rule}{given}"


@where_policies_live
def standing_sentences(run: Simulation, job: int) -> tuple[str, ...]:
    """Return where a job that waits stands with its policy where a run was stopped."""
    moment, name = run.moment(), run.workload.jobs[job].name
    standings = Standings(run, moment)
    answers = (answer for kind in TASK_TYPES for answer in moment.answers(kind) if answer.job == job)
    phrases = dict.fromkeys(standings.of(answer, answer.kind).job for answer in answers)
    return tuple(f"{name}: {phrase}." for phrase in phrases if phrase)


class _Words:
    """Writes the sentences about one decision."""

    def __init__(self, run: Simulation, reason: DecisionReason, decision: Decision | None) -> None:
        self._names = [job.name for job in run.workload.jobs]
        self._words = [task_word(run.workload, kind) for kind in TASK_TYPES]
        self._others = [f"{word}s" for word in self._words] if run.workload.is_map_reduce else OTHER_STAGES
        self._pool_names, self._pool_of = pools_in_use(run.workload, run.partition)
        self._cluster = run.cluster
        self._reason = reason
        self._template = hooks_of(run.policy).template
        self._title = title_of(run.explained)
        self._is_to_come = run.cluster.overheads is not None and decision is None
        self._copied = self._names[decision.job] if decision is not None and decision.is_copy else ""
        self._slot, self._time = run.cluster.slot_name(reason.slot), exact_clock(reason.time)
        self._noun = place_noun(reason.slot_kind, run.cluster)

    def all(self) -> tuple[str, ...]:
        """Return what was decided and why."""
        winner = self._reason.winner
        if self._copied:
            return (self._given_to_copy(), *self._refusals())
        if winner is None:
            return (self._declined(), *self._unasked(), *self._refusals())
        return (self._given(winner), *self._comparison(winner), *self._refusals())

    def _given(self, winner: Candidate) -> str:
        """Return which job got which slot."""
        borrowed = winner.kind != self._reason.slot_kind and not self._cluster.has_containers
        lent = f", although it is a {self._noun}" if borrowed else ""
        to = f"{self._names[winner.job]} for its next {self._words[winner.kind]}"
        if self._is_to_come:
            return (
                f"{self._slot} is free at {self._time}; when its host asks, {self._title} gives it to {to}."
            )
        return f"{self._slot} was free at {self._time}{lent}; {self._title} gave it to {to}."

    def _given_to_copy(self) -> str:
        """Return of which job a second copy got the slot."""
        waiting = len(self._reason.candidates)
        left = f"was declined for {count(waiting, 'job')} that waited" if waiting else "no job waited for it"
        free = f"{self._slot} was free at {self._time}"
        return f"{free} and {left}; {self._title} started a second copy of a task of {self._copied} on it."

    def _declined(self) -> str:
        """Return which slot stayed free."""
        waiting = count(len(self._reason.candidates), "job")
        wait = "waits" if len(self._reason.candidates) == 1 else "wait"
        free = f"{self._slot} stays free at {self._time}"
        if not self._reason.candidates:
            return f"{free}: no job waits for a {self._noun}."
        return f"{free}: {self._title} declines it, although {waiting} {wait} for one."

    def _unasked(self) -> tuple[str, ...]:
        """Return why a slot stays free although candidates are admitted, as far as the policy explains it."""
        if not any(candidate.may_start for candidate in self._reason.candidates):
            return ()
        if self._template is templates.free_form:
            return ("It decides by code of its own, which gives no reasons.",)
        if self._cluster.has_nodes:
            return ("What it would start next has no room on a node yet, and what is free is kept for it.",)
        return ("What it would start next needs a slot of the other type.",)

    def _comparison(self, winner: Candidate) -> tuple[str, ...]:
        """Return where the winner stands, and which job would have been next."""
        standing, second = winner.standing, self._reason.runner_up
        sentences = []
        if standing.pool and len({self._pool_of[c.job] for c in self._reason.candidates}) > 1:
            sentences.append(f"Pool {self._pool(winner)}: {standing.pool}.")
        if standing.job:
            sentences.append(f"{self._names[winner.job]}: {standing.job}.")
        if second is not None and second.job == winner.job:
            sentences.append(f"Its {self._others[second.kind]} would have been next.")
        elif second is not None:
            sentences.append(
                f"{self._names[second.job]} would have been next: {self._difference(winner, second)}."
            )
        elif len(self._reason.candidates) == 1:
            sentences.append("No other job waits for such a slot.")
        return tuple(sentences)

    def _difference(self, winner: Candidate, second: Candidate) -> str:
        template, typed = self._template, not self._cluster.has_containers
        own_kind_first = f"a {self._noun} serves {KIND_WORDS[self._reason.slot_kind]}s first"
        differ = winner.kind != second.kind
        if differ and template is templates.by_pool and typed:
            return own_kind_first
        pools = self._pool(winner), self._pool(second)
        if pools[0] != pools[1] and winner.pool_key:
            equal = winner.pool_key == second.pool_key
            tie = f", as pool {pools[0]}, which comes first" if equal else ""
            return f"its pool {pools[1]}: {second.standing.pool}{tie}"
        if differ and template is templates.pool_first:
            return own_kind_first
        if differ and winner.key == second.key and (typed or template is not templates.in_order):
            return own_kind_first
        tie = f", as {self._names[winner.job]}, which is before it in the queue"
        return f"{second.standing.job}{tie if winner.key and winner.key == second.key else ''}"

    def _pool(self, candidate: Candidate) -> str:
        return str(self._pool_names[self._pool_of[candidate.job]])

    def _refusals(self) -> tuple[str, ...]:
        """Return which jobs were not admitted, and which rule forbade it."""
        groups: dict[str, list[str]] = {}
        for candidate in self._reason.candidates:
            if not candidate.may_start:
                groups.setdefault(candidate.standing.refusal, []).append(self._names[candidate.job])
        return tuple(
            f"Not admitted: {listed(list(dict.fromkeys(names)))}; {why}." for why, names in groups.items()
        )


@where_policies_live
def declined_sentences(run: Simulation, job: int, kinds: Sequence[int] = TASK_TYPES) -> tuple[str, ...]:
    """Return why a policy declines a free slot that a job could use; nothing where it declines none."""
    declined = (offer for offer in open_offers(run) if offer.winner is None)
    found = (o.sentences for o in declined if any(c.job == job and c.kind in kinds for c in o.candidates))
    return next(found, ())
