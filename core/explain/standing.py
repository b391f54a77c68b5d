"""Where a job stands under a policy: the numbers that it decides by, in the phrases that it declares."""

from __future__ import annotations

import math
from collections import ChainMap
from typing import TYPE_CHECKING, Any, NamedTuple

from core.explain.explanation_words import count, nth, number, slot_noun, task_word
from core.model.errors import PolicyError, did_you_mean
from core.model.partition import pools_in_use
from core.model.time_text import exact_clock, exact_duration
from core.policies.composing.hook_calls import call_hook
from core.policies.composing.hooks import hooks_of
from core.policies.explains import Explains, Number
from core.policies.policy import HOOKS, name_of
from core.policies.user_files.source import place_of_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.policies.explains import Phrase
    from core.policies.policy import Policy
    from core.simulation.simulate import Simulation
    from core.simulation.snapshot import Answer, Snapshot

ORDERS = {"arrival": "earliest arrival first", "deadline": "earliest deadline first"}


class Standing(NamedTuple):
    """A policy's account of one candidate.

    Attributes
    ----------
    numbers : what it decides by, by name; only what is finite
    job, pool : where the job and its pool stand, phrases without a full stop; empty if it does not say
    refusal : why the job may not have the slot, empty if it may
    """

    numbers: Mapping[str, object]
    job: str
    pool: str
    refusal: str


class Standings:
    """A policy's account of the candidates for a slot at one moment of its run."""

    def __init__(self, run: Simulation, moment: Snapshot) -> None:
        self._run, self._moment, self._columns = run, moment, run.known()
        self.explains = explains_of(run.explained)
        self._pool_names = pools_in_use(run.workload, run.partition)[0]

    def of(self, answer: Answer, slot_kind: int) -> Standing:
        """Return the account of one candidate."""
        jobs, pools, cluster = self._moment.watched
        job, declared = jobs[answer.job], self.explains.numbers
        known: ChainMap[str, Any] = ChainMap(
            {},
            {name: column[answer.job].tolist() for name, column in self._columns.items()},
            dict(self._run.parameters),
            {"job": job, "kind": answer.kind, "slot": slot_kind, "pool": pools[job.pool], "cluster": cluster},
            {"jobs": len(jobs), "place": job.rank + 1, "key": answer.key, "pool_key": answer.pool_key},
            {"name": self._run.workload.jobs[answer.job].name, "pool_name": self._pool_names[job.pool]},
        )
        for each in declared:
            if each.value is not None:
                known[each.name] = call_hook(self._run.explained, each.value, known, {})
        units = {each.name: each.unit for each in declared}
        texts: dict[str, Any] = {
            name: Written(value, units.get(name, ""), answer.kind, self._run) for name, value in known.items()
        }
        texts["kind"] = task_word(self._run.workload, answer.kind)
        explains = self.explains
        refusals = (
            (answer.lends, explains.lends),
            (answer.pool_admits, explains.pool_admits),
            (answer.admits, explains.admits),
        )
        return Standing(
            {each.name: known[each.name] for each in declared if _is_finite(known.get(each.name))},
            self._phrase(explains.job, known, texts),
            self._phrase(explains.pool, known, texts),
            next((self._phrase(why, known, texts) for allowed, why in refusals if not allowed), ""),
        )

    def _phrase(self, phrase: Phrase, known: Mapping[str, Any], texts: Mapping[str, Any]) -> str:
        """Return a phrase with its numbers."""
        policy = self._run.explained
        text = phrase if isinstance(phrase, str) else call_hook(policy, phrase, known, {})
        try:
            return str(text).format_map(texts)
        except KeyError as error:
            unknown = str(error.args[0])
            guess = did_you_mean(unknown, texts)
            problem = f"its explanation names {{{unknown}}}, which it cannot be given{guess}"
        except (ValueError, AttributeError, IndexError, TypeError) as error:
            problem = f"its explanation '{text}' cannot be filled in: {error}"
        raise PolicyError(f"policy {name_of(policy)}: {problem}", place_of_file(policy.source))


class Written:
    """A value in a phrase, written with its own unit or with another one that the phrase names."""

    def __init__(self, value: object, unit: str, kind: int, run: Simulation) -> None:
        self._value, self._unit, self._kind, self._cluster = value, unit, kind, run.cluster
        self._word = task_word(run.workload, kind)

    def __format__(self, unit: str) -> str:
        noun = unit or self._unit
        if noun == "kind":
            noun = self._word
        if noun == "slot":
            noun = "place" if self._cluster.has_nodes else slot_noun(self._kind, self._cluster.has_containers)
        return written(self._value, noun)


def written(value: object, unit: str = "") -> str:
    """Write a value: times and parts with units, places in words, counts with a noun if there is one."""
    if isinstance(value, tuple):
        return ", ".join(written(each) for each in value)
    if isinstance(value, str):
        return value
    amount = float(value)  # type: ignore[arg-type]  # what a policy's function returned
    if unit == "s":
        return exact_duration(amount)
    if unit == "at":
        return exact_clock(amount)
    if unit == "%":
        return f"{number(100 * amount)} %"
    if unit.startswith("nth"):
        return nth(int(amount), unit[len("nth ") :])
    return count(amount, unit) if unit else number(amount)


def in_column(value: object, declared: Number) -> str:
    """Write a value under its heading, which names what is counted; a dash for none."""
    if value is None:
        return "–"
    return written(value, declared.unit if declared.unit in ("s", "at", "%") else "")


def _is_finite(value: object) -> bool:
    if isinstance(value, tuple):
        return bool(value)
    return value is not None and (isinstance(value, str) or math.isfinite(value))  # type: ignore[arg-type]


def explains_of(policy: type[Policy]) -> Explains:
    """Return what a policy declares, by itself or where it takes over all hooks of another one."""
    for part in policy.__mro__:
        declared = vars(part).get("explains")
        if isinstance(declared, Explains):
            return declared
        if any(hook in vars(part) for hook in HOOKS):
            break
    return _undeclared(policy)


def _undeclared(policy: type[Policy]) -> Explains:
    """Explain a policy that declares nothing: by what it compares, and by the sentence that lists show."""
    titles = {"pool_key": "Pool key", "key": "Key"}
    hooks = [name for name in hooks_of(policy).functions if name in (*titles, "choose")]
    meaning = "What the policy compares; the smallest goes first"
    rule = [(policy.__doc__ or "").strip().split("\n")[0]]
    if hooks and "choose" not in hooks:
        rule.append("The smallest key goes first.")
    if isinstance(policy.order, str) and "choose" not in hooks:
        rule.append(f"{'Of equal ones, the' if hooks else 'The'} {ORDERS[policy.order]}.")
    return Explains(
        " ".join(filter(None, rule)),
        tuple(Number(name, "", title, meaning) for name, title in titles.items() if name in hooks),
        job="key {key}" if "key" in hooks else "{place:nth} in the queue",
        pool="key {pool_key}" if "pool_key" in hooks else "",
    )
