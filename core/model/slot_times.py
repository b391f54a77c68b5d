"""When slots are there: executors come and go, so a slot takes tasks from its opening to its close only.

Slots that no entry speaks of are there all the time. Entries take the highest numbers of their kind, in
order: of six containers, an entry of two slots and then one of a single slot leave 0, 1 and 2 there for ever,
the first entry has 3 and 4, the second has 5. A slot starts no task before it opens and none from its close
on; a task that runs when its slot closes ends as usual.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import Problem, shorten
from core.model.limits import MAX_SECONDS, MAX_SLOTS, is_number, is_whole
from core.model.task_types import MAP, REDUCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SlotTime:
    """Some slots of one kind that are there for a time.

    Attributes
    ----------
    slots : how many
    opens : from when they take tasks, in s
    closes : from when they take none, in s; infinity if they stay
    kind : MAP or REDUCE, the tasks they run; MAP for containers
    """

    slots: int
    opens: float = 0.0
    closes: float = inf
    kind: int = MAP


def slot_times_problems(
    slot_times: Sequence[SlotTime], kinds: tuple[int, int], *, where: str = "slot_times"
) -> list[Problem]:
    """Return every rule that the times of slots break (none for valid ones).

    Parameters
    ----------
    slot_times : the entries
    kinds : how many map slots and reduce slots there are; containers and 0 where slots are untyped
    where : what to call the list
    """
    problems: list[Problem] = []
    for place, entry in enumerate(slot_times):
        problems += _entry_problems(entry, f"{where}[{place}]")
    if problems:
        return problems
    for kind, most in zip((MAP, REDUCE), kinds, strict=True):
        count = sum(entry.slots for entry in slot_times if entry.kind == kind)
        if count > most:
            name = "reduce slots" if kind == REDUCE else "map slots or containers"
            rule = f"the cluster has {most} {name}; give times to that many at most"
            problems.append(Problem(where, f"{count} {name}", rule))
    return problems


def _entry_problems(entry: SlotTime, where: str) -> list[Problem]:
    problems = []
    if not is_whole(entry.slots, 1, MAX_SLOTS):
        rule = f"give a whole number of slots from 1 to {MAX_SLOTS}"
        problems.append(Problem(f"{where}.slots", shorten(entry.slots), rule))
    if entry.kind not in (MAP, REDUCE):
        problems.append(Problem(f"{where}.kind", shorten(entry.kind), "slots run maps or reduces"))
    if not is_number(entry.opens, 0, MAX_SECONDS):
        rule = f"give seconds from 0 to {MAX_SECONDS:g}"
        problems.append(Problem(f"{where}.opens", shorten(entry.opens), rule))
    if entry.closes != inf and not is_number(entry.closes, 0, MAX_SECONDS):
        rule = f"give seconds from 0 to {MAX_SECONDS:g}, or infinity for slots that stay"
        problems.append(Problem(f"{where}.closes", shorten(entry.closes), rule))
    if not problems and entry.closes <= entry.opens:
        rule = f"slots must close after they open, at {entry.opens:g} s"
        problems.append(Problem(f"{where}.closes", shorten(entry.closes), rule))
    return problems


def slot_intervals(
    slot_times: Sequence[SlotTime], kinds: tuple[int, int]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return when each slot opens and when it closes, in s, both read-only (slots,).

    Parameters
    ----------
    slot_times : entries that break no rule of `slot_times_problems`
    kinds : how many map slots and reduce slots there are; containers and 0 where slots are untyped
    """
    opens, closes = np.zeros(sum(kinds)), np.full(sum(kinds), inf)
    for kind, end in ((MAP, kinds[0]), (REDUCE, sum(kinds))):
        entries = [entry for entry in slot_times if entry.kind == kind]
        first = end - sum(entry.slots for entry in entries)
        for entry in entries:
            opens[first : first + entry.slots] = entry.opens
            closes[first : first + entry.slots] = entry.closes
            first += entry.slots
    opens.flags.writeable = closes.flags.writeable = False
    return opens, closes


def open_seconds(opens: NDArray[np.float64], closes: NDArray[np.float64], until: float) -> float:
    """Return for how many slot-seconds slots are there from 0 to a time.

    Tasks that run on past the close of their slot are not among them.
    """
    return float(np.maximum(np.minimum(closes, until) - opens, 0.0).sum())


def most_open(opens: NDArray[np.float64], closes: NDArray[np.float64]) -> int:
    """Return how many slots are there at once at most.

    One that closes as another opens is not there with it; no bound on running tasks, as those run on.
    """
    times = np.concatenate((closes, opens))
    change = np.repeat((-1, 1), len(opens))
    order = np.argsort(times, kind="stable")
    return int(np.cumsum(change[order]).max(initial=0))
