"""A decision in sentences for newcomers; the policy's own docstrings say what its numbers mean."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from core.explain.words import KIND_WORDS, clock, count, listed, number, place_noun
from core.policies.composing import templates
from core.policies.composing.kernel import hooks_of
from core.simulation.before_run import name_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.explain.decisions import Candidate, DecisionReason
    from core.policies.composing.kernel import Hooks
    from core.policies.policy import Policy
    from core.simulation.simulate import Simulation

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
