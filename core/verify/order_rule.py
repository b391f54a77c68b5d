"""What the orders prove in which few jobs may end, for `core.verify.check`: by arithmetic of its own.

Take the jobs as they end in any schedule. When the k-th one ends, the first k are over, so it is no sooner
than the end of any schedule of these alone (`_ends_of_sets`), and no sooner than it would end alone. What
the cheapest of all orders costs, no schedule costs less than.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.verify.price_rule import MIX, costs_of

if TYPE_CHECKING:
    from collections.abc import Callable

Floats = NDArray[np.float64]
MAX_JOBS, MAX_SORTED, SURELY = 12, 1_000_000, 1 - 1e-12
"""The most jobs; so many tasks of all sets together are looked at whole; and what rounding may take."""


def rule_of_orders(checker: Any, part: dict[str, Any], chains: Callable[[Floats, int], float]) -> float:
    """Return what no order of ends costs less than; `checker` and `chains` of `core.verify.check`."""
    weights = checker.document["objective"] if part["of"] == MIX else {part["of"]: 1.0}
    jobs = len(checker.fixed)
    if len(checker.links.think) or jobs > MAX_JOBS or "stretch" in weights:
        raise ValueError("orders of ends say nothing of many jobs, of jobs that follow others, or of stretch")
    ends = _ends_of_sets(checker, chains)
    known = [checker.bound(p) for p in checker.document["proof"] if p["of"] == "makespan"]
    ends[-1] = max([float(ends[-1]), *known])
    costs, came = costs_of(checker, weights)
    least, size = np.where(np.arange(1 << jobs), np.inf, 0.0), np.bitwise_count(np.arange(1 << jobs))
    for many in range(1, jobs + 1):
        sets = np.flatnonzero(size == many)
        for j, cost in enumerate(costs):
            mine = sets[sets >> j & 1 == 1]
            end = np.maximum(ends[mine], checker.ends[j]) * SURELY
            value = least[mine ^ (1 << j)] + cost.at(end, end > cost.due)
            least[mine] = np.minimum(least[mine], value)
    return float(least[-1] - came + weights.get("makespan", 0.0) * ends[-1] * SURELY)


def _ends_of_sets(checker: Any, chains: Callable[[Floats, int], float]) -> Floats:
    """Return when each set of jobs can be over at the earliest, s, (sets,)."""
    jobs, found = len(checker.fixed), _largest(checker.ends)
    by_kind = list(zip(([work] for work in checker.work), checker.slots, strict=True))
    for kinds, slots in by_kind if checker.is_typed else [(checker.work, checker.slots[0])]:
        of = [checker.stages.job[work.stage] for work in kinds]
        first, last = np.full((2, jobs), np.inf)
        for work, job in zip(kinds, of, strict=True):
            np.minimum.at(first, job, work.head[work.stage])
            np.minimum.at(last, job, work.tail[work.stage])
        rests = np.unique(last[last < np.inf])
        for begin in np.unique(first[first < np.inf]).tolist():
            found = np.maximum(found, _by_windows(checker, kinds, slots, begin, rests))
        length, job = np.concatenate([work.length for work in kinds]), np.concatenate(of)
        if len(length) << jobs <= MAX_SORTED:
            tasks = [length[job == j] for j in range(jobs)]
            found = np.maximum(found, _by_whole_tasks(tasks, first, last, slots, chains))
    if checker.is_typed and checker.is_map_reduce:
        for begin in np.unique(checker.arrival).tolist():
            found = np.maximum(found, _two_machines(checker, begin))
    for j in range(jobs):  # more jobs are not over sooner
        pairs = found.reshape(-1, 2, 1 << j)
        pairs[:, 1] = np.maximum(pairs[:, 1], pairs[:, 0])
    return found


def _by_windows(checker: Any, kinds: list[Any], slots: int, begin: float, rests: Floats) -> Floats:
    """Return when what cannot be done before a time, nor so long before the end, can be over, (sets,)."""
    jobs, of = len(checker.fixed), checker.stages.job
    longest, found = np.zeros(jobs), np.zeros(1 << jobs)
    for work in kinds:
        left = work.left(begin)
        np.maximum.at(longest, of[work.stage], np.where(left > 0, left + work.tail[work.stage], 0.0))
    most = _largest(longest)
    for rest in rests.tolist():
        due = np.sum([work.due(begin, rest, slots) for work in kinds], axis=0)
        busy = begin + _sums(np.bincount(of, due, jobs).astype(float)) + rest
        found = np.maximum(found, np.where((most > 0) & (rest <= most), busy, 0.0))
    return found


def _by_whole_tasks(
    tasks: list[Floats], first: Floats, last: Floats, slots: int, chains: Callable[[Floats, int], float]
) -> Floats:
    """Return when whole tasks can be over, between what is before and behind all of them, (sets,)."""
    found = np.zeros(1 << len(tasks))
    for each in range(1, len(found)):
        mine = [j for j, own in enumerate(tasks) if each >> j & 1 and len(own)]
        if mine:
            busy = chains(np.concatenate([tasks[j] for j in mine]), slots)
            found[each] = first[mine].min() + busy + last[mine].min()
    return found


def _two_machines(checker: Any, begin: float) -> Floats:
    """Return when each set of jobs can be over by Johnson's order of those that arrive from a time on."""
    maps, reduces = (np.where(checker.arrival >= begin, each, 0.0) for each in checker.areas)
    order = np.lexsort((np.where(maps <= reduces, maps, -reduces), maps > reduces))
    one, other, number = np.zeros(1), np.zeros(1), np.zeros(1, int)
    for j in order.tolist():
        after = one + maps[j]
        one, other = np.append(one, after), np.append(other, np.maximum(other, after) + reduces[j])
        number = np.append(number, number | 1 << j)
    found = np.zeros(len(one))
    found[number] = begin + other
    return np.where(found > begin, found, 0.0)


def _sums(values: Floats) -> Floats:
    """Return the sum of each set of values, (sets,)."""
    sums = np.zeros(1)
    for value in values:
        sums = np.append(sums, sums + value)
    return sums


def _largest(values: Floats) -> Floats:
    """Return the largest of each set of values, 0 of none, (sets,)."""
    found = np.zeros(1)
    for value in values:
        found = np.append(found, np.maximum(found, value))
    return found
