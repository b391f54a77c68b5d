"""When slots are there: executors come and go, so a slot takes tasks from its opening to its close only.

Entries are slots beside the fixed ones of a cluster, which are there all the time. They have the highest
numbers of their kind, in order: of three fixed containers, an entry of two slots and then one of a single
slot the fixed ones are 0, 1 and 2, the first entry has 3 and 4, the second has 5. A slot starts no task
before it opens and none from its close on; a task that runs when its slot closes ends as usual. At one
instant tasks end first, then slots close, slots open, jobs arrive, and free slots are offered.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING

from core.model.errors import Problem, shorten
from core.model.limits import MAX_SECONDS, MAX_SLOTS, is_number, is_whole
from core.model.task_types import KIND_WORDS, TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

CONTAINER = 2
"""The kind of a slot that runs tasks of either kind."""
KIND_NAMES = dict(enumerate((*KIND_WORDS, "container")))
"""As documents call the kinds of slots."""


@dataclass(frozen=True, slots=True)
class SlotTime:
    """Some slots of one kind that are there for a time.

    Attributes
    ----------
    slots : how many
    opens : from when they take tasks, in s
    closes : from when they take none, in s; infinity if they stay
    kind : the type of tasks they run, or CONTAINER
    """

    slots: int
    opens: float = 0.0
    closes: float = inf
    kind: int = CONTAINER

    @property
    def slot_type(self) -> int:
        """Among which slots of a cluster they are numbered: containers among the first type's."""
        return self.kind if self.kind in TASK_TYPES else TASK_TYPES[0]


def slot_times_problems(slot_times: Sequence[SlotTime]) -> list[Problem]:
    """Return every rule that entries break, by the names of documents (none for valid ones)."""
    if not isinstance(slot_times, tuple) or not all(isinstance(entry, SlotTime) for entry in slot_times):
        return [Problem("slot_times", shorten(slot_times), "give a tuple of SlotTime")]
    return [
        problem
        for place, entry in enumerate(slot_times)
        for problem in _entry_problems(entry, f"slot_times[{place}]")
    ]


def times_beside_others_problems(
    slot_times: Sequence[SlotTime],
    fixed: tuple[int, int],
    *,
    is_untyped: bool,
    has_nodes: bool,
    has_overheads: bool,
) -> list[Problem]:
    """Return why entries do not go together with what else a cluster has (none where they do).

    Parameters
    ----------
    slot_times, fixed : as of `slots_of_kinds`
    is_untyped : whether the fixed slots are containers
    has_nodes, has_overheads : whether the cluster has these
    """
    if not slot_times:
        return []
    problems, where, value = [], "slot_times", slot_times_words(slot_times)
    if has_nodes:
        rule = "slots that come and go are modelled beside slots and containers, not on nodes; leave them out"
        return [Problem(where, value, rule)]
    untyped = [entry.kind == CONTAINER for entry in slot_times]
    if any(untyped) and not (all(untyped) and (is_untyped or sum(fixed) == 0)):
        rule = "a cluster has either containers or typed slots; let all entries be of one sort, as its slots"
        problems.append(Problem(where, value, rule))
    elif is_untyped and not any(untyped):
        rule = "beside containers only containers come and go; let every entry be a container"
        problems.append(Problem(where, value, rule))
    if max(slots_of_kinds(slot_times, fixed)) > MAX_SLOTS:
        rule = f"of each kind a cluster has at most {MAX_SLOTS} slots, those that come and go among them"
        problems.append(Problem(where, value, rule))
    if has_overheads:
        rule = "overheads are modelled for slots that are always there; leave the overheads or the times out"
        problems.append(Problem("overheads", "", rule))
    return problems


def _entry_problems(entry: SlotTime, where: str) -> list[Problem]:
    problems = []
    if not is_whole(entry.slots, 1, MAX_SLOTS):
        rule = f"give a whole number of slots from 1 to {MAX_SLOTS}"
        problems.append(Problem(f"{where}.slots", shorten(entry.slots), rule))
    if entry.kind not in KIND_NAMES:
        rule = "slots run maps, reduces, or as containers both"
        problems.append(Problem(f"{where}.type", shorten(entry.kind), rule))
    if not is_number(entry.opens, 0, MAX_SECONDS):
        rule = f"give seconds from 0 to {MAX_SECONDS:g}"
        problems.append(Problem(f"{where}.from", shorten(entry.opens), rule))
    if entry.closes != inf and not is_number(entry.closes, 0, MAX_SECONDS):
        rule = f"give seconds from 0 to {MAX_SECONDS:g}, or infinity for slots that stay"
        problems.append(Problem(f"{where}.until", shorten(entry.closes), rule))
    if not problems and entry.closes <= entry.opens:
        rule = f"slots must close after they open, at {entry.opens:g} s"
        problems.append(Problem(f"{where}.until", shorten(entry.closes), rule))
    return problems


def slots_of_kinds(slot_times: Sequence[SlotTime], fixed: tuple[int, int]) -> tuple[int, int]:
    """Return how many map slots (or containers) and reduce slots there are, fixed ones and entries together.

    Parameters
    ----------
    slot_times : entries that break no rule of `slot_times_problems`
    fixed : how many map slots and reduce slots are always there; containers and 0 where slots are untyped
    """
    slots = list(fixed)
    for entry in slot_times:
        slots[entry.slot_type] += entry.slots
    maps, reduces = slots
    return maps, reduces


def slot_times_words(slot_times: Sequence[SlotTime]) -> str:
    """Return in a few words what comes and goes: "7 containers that come and go, 4 of them at once"."""
    counts = dict.fromkeys((entry.kind for entry in slot_times), 0)
    for entry in slot_times:
        counts[entry.kind] += entry.slots
    kinds = [
        f"{count} {KIND_NAMES[kind]}{'' if kind == CONTAINER else ' slot'}{'s' * (count > 1)}"
        for kind, count in counts.items()
    ]
    if sum(counts.values()) == 1:
        return f"{kinds[0]} that comes and goes"
    most = most_open(slot_times)
    return f"{' and '.join(kinds)} that come and go, {most} of them at once"


def most_open(slot_times: Sequence[SlotTime]) -> int:
    """Return how many slots are there at once at most; one that closes as another opens is not with it.

    No bound on running tasks, as those run on when their slot closes.
    """
    changes = [(entry.opens, entry.slots) for entry in slot_times]
    changes += [(entry.closes, -entry.slots) for entry in slot_times]
    return max(accumulate((slots for _, slots in sorted(changes)), initial=0))
