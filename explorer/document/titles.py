"""What scenarios are called, and edits of orders in words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.model.cluster import differing_words
from core.model.errors import InputError
from core.model.schedule import RECORDED, forks_of
from core.model.time_text import clock_text
from core.model.visible_text import visible
from core.policies.user_files.source import is_policy_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.document_state import DocumentState, Scenario
    from core.model.partition import Partition
    from core.model.plan import Plan
    from core.model.schedule import PolicyChoice


MAX_VALUE = 16
"""Letters of a parameter's value in a title."""
MAX_DIFFERENCES = 3
"""So many that tell a scenario from others stand in its title."""


def policy_title(policy_id: str) -> str:
    """Return a policy's title; of a policy file that has not been run its name, of an unknown one its id."""
    if policy_id == RECORDED:
        return "As recorded"
    from core.policies.registry import describe  # what only shows titles needs no policies to be imported

    try:
        return describe(policy_id).title
    except InputError:
        return visible(Path(policy_id).name if is_policy_file(policy_id) else policy_id)


def choice_title(choice: PolicyChoice) -> str:
    """Return a policy's title and what it plans on instead of the true durations."""
    title = policy_title(choice.id)
    return title if choice.estimates is None else f"{title} on {choice.estimates}"


def scenario_title(scenario: Scenario) -> str:
    """Return the user's title, else the policy's, followed by "edited" if something was made by hand.

    With a plan: "optimised from FIFO, 2 jobs pinned".

    After a fork the policies before it are named as well: "FIFO to 120 s, then Fair".
    """
    if scenario.title:
        return visible(scenario.title)
    title = choice_title(scenario.choice)
    own = f"{title}, edited" if scenario.is_by_hand else title
    if scenario.plan is not None:
        own = f"optimised from {title}{pinned_text(scenario.plan)}"
    before = [f"{choice_title(fork.choice)} to {clock_text(fork.time)}" for fork in forks_of(scenario)]
    return f"{', '.join(before)}, then {own}" if before else own


def title_in(state: DocumentState, scenario: Scenario) -> str:
    """Return what a scenario is called beside the others of its document: "Johnson, 128 map slots".

    Behind its own title stands what its cluster has and the common one has not and, where others are called
    the same, which parameters of its policy are not the usual ones. A title by the user is left as it is.
    """
    title = scenario_title(scenario)
    if scenario.title:
        return title
    differs = [] if scenario.cluster is None else list(differing_words(scenario.cluster, state.cluster))
    namesakes = [each for each in state.scenarios if not each.title and scenario_title(each) == title]
    if any(each.choice.parameters != scenario.choice.parameters for each in namesakes):
        differs += _parameter_words(scenario.choice)
    if len(differs) > MAX_DIFFERENCES:
        differs[MAX_DIFFERENCES - 1 :] = [f"{len(differs) - MAX_DIFFERENCES + 1} more changes"]
    return ", ".join((title, *differs))


def _parameter_words(choice: PolicyChoice) -> list[str]:
    """Return the parameters of a policy that are not the usual ones, with their values: "interval 30 s"."""
    from core.policies.registry import describe  # what only shows titles needs no policies to be imported
    from explorer.document.choices import ORDER_PARAMETER

    try:
        known = {each.name: each for each in describe(choice.id).parameters}
    except InputError:
        return []  # a policy file that has not been run
    found = []
    for name, value in choice.parameters.items():
        if name in known and value != known[name].default and name != ORDER_PARAMETER:
            unit = known[name].unit if known[name].unit not in name else ""
            found.append(visible(f"{name.replace('_', ' ')} {_cut(str(value))} {unit}".rstrip()))
    return found


def _cut(value: str) -> str:
    return value if len(value) <= MAX_VALUE else f"{value[: MAX_VALUE - 1]}…"


def pinned_text(plan: Plan) -> str:
    """Return how many jobs of a plan are pinned, behind a comma; nothing if none is."""
    count = len(plan.pinned)
    return f", {count} job{'' if count == 1 else 's'} pinned" if count else ""


def describe_move(before: Sequence[str], after: Sequence[str], moved: str | None = None) -> str:
    """Return what was done to an order: "Move J2 before J4", or "Reorder 3 jobs" after several moves."""
    name = moved if moved is not None else moved_name(before, after)
    if name is None or name not in after:
        changed = sum(a != b for a, b in zip(before, after, strict=False))
        return f"Reorder {changed} jobs"
    place = list(after).index(name)
    return f"Move {name} before {after[place + 1]}" if place + 1 < len(after) else f"Move {name} to the end"


def describe_job_move(before: Partition, after: Partition, moved: Sequence[str]) -> str:
    """Return what a move of jobs did to pools: "Move J2 to Large jobs"; inside a pool as `describe_move`."""
    pool = after.pools[after.place_of(moved[0])]
    if any(before.place_of(name) != after.place_of(name) for name in moved):
        what = moved[0] if len(moved) == 1 else f"{len(moved)} jobs"
        return f"Move {what} to {pool.name}"
    return describe_move(before.jobs, after.jobs, moved[0] if len(moved) == 1 else None)


MAX_GIVERS = 3
"""So many pools that gave slots are named."""


def describe_new_pool(before: Partition, after: Partition) -> str:
    """Return what a new pool, the last one, has, and which pools gave it: those that gave most by name."""
    gave = [
        (old.name, old.map_slots - new.map_slots, old.reduce_slots - new.reduce_slots)
        for old, new in zip(before.pools, after.pools, strict=False)
    ]
    givers = sorted((each for each in gave if sum(each[1:])), key=lambda each: -sum(each[1:]))
    parts = [f"{_slots_text(maps, reduces)} from {name}" for name, maps, reduces in givers[:MAX_GIVERS]]
    rest = givers[MAX_GIVERS:]
    if rest:
        many = f"{len(rest)} other pools" if len(rest) > 1 else "1 other pool"
        maps, reduces = (sum(count) for count in zip(*(each[1:] for each in rest), strict=True))
        parts.append(f"{_slots_text(maps, reduces)} from {many}")
    new = after.pools[-1]
    return f"{new.name} has {_slots_text(*new.slots)} slots: {', '.join(parts)}"


def _slots_text(maps: int, reduces: int) -> str:
    kinds = [f"{count} {word}" for count, word in ((maps, "map"), (reduces, "reduce")) if count]
    return " and ".join(kinds)


def called(pool: str) -> str:
    """Return which pool, without the word twice: "pool night", "Pool 2"."""
    return pool if pool.casefold().startswith("pool") else f"pool {pool}"


def moved_name(before: Sequence[str], after: Sequence[str]) -> str | None:
    """Return the one name whose move explains the difference, or None."""
    differing = [i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b]
    if not differing:
        return None
    first, last = differing[0], differing[-1]
    for name in (before[first], before[last]):
        if [n for n in before if n != name] == [n for n in after if n != name]:
            return name
    return None
